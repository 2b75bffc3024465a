//! Usefulness: does a lesson help, and what follows from it?
//!
//! Owns how the credit for a run is shared among the lessons that were shown in it ([`credit`]), what is
//! kept of it for each lesson ([`Evidence`]), what it says about the lesson's true effect ([`Effect`]),
//! where the lesson goes from there ([`judge`]), when it is withheld so that there is something to compare
//! with ([`hold_out_share`]) and when it is too old ([`stale`]). Pure functions: who counts the failures of
//! a run, keeps the evidence and moves the lesson is the business of runs and lessons.
//!
//! The rules of the learning memory's plan are *necessary* here: at least 3 runs and a utility of 0.20 for
//! promotion, at least 3 retrievals and a utility of 0 or less for suppression. They are not sufficient,
//! because a mean of three noisy runs is mostly noise. A verdict also needs an interval of the effect that
//! is on the right side. [`Thresholds`] has every number with its reason; the simulator
//! `benches/lifecycle.rs` is where they were chosen.

mod credit;
mod effect;
mod evidence;
mod hold_out;
mod joined;
mod stale;
mod thresholds;
mod verdict;

pub use credit::{Exposure, RunOutcome, TaskBaseline, Utility, credit};
pub use effect::{Effect, Measured};
pub use evidence::{Aside, Evidence, Totals};
pub use hold_out::{hold_out_share, is_withheld};
pub use stale::stale;
pub use thresholds::Thresholds;
pub use verdict::{Verdict, judge};
