//! The experiment that measures whether the memory helps.
//!
//! Two tools of our own with an unusual syntax, tasks for them, and an executor that solves the tasks by
//! trial and error. It forgets everything between two runs; only the memory carries over. The same runs are
//! done with memory, without, and with a memory in which bad lessons were planted; everything is drawn from
//! seeds, so the arms differ in nothing but the memory, and the same seed gives the same bytes.
//!
//! The crate holds no memory and no sandbox: its caller passes an adapter and a way to make memories.
#![deny(missing_docs)]

mod chance;
mod checks;
mod clock;
mod executor;
mod habits;
mod lab;
mod metrics;
mod page;
mod plan;
mod planted;
mod reading;
mod report;
mod run;
mod statistics;
mod story;
mod table;
mod tasks;
mod tools;

pub use checks::Check;
pub use clock::SimulatedClock;
pub use executor::{Assignment, Executor, Following, Move, Seen, Told};
pub use lab::{Failure, Found, Lab, Learner, Site};
pub use metrics::{Planting, RunMetrics};
pub use page::page;
pub use plan::{Arm, Phase, Plan};
pub use planted::Fault;
pub use report::{Level, Report};
pub use run::Hire;
pub use statistics::Interval;
pub use story::{Happening, Watch};
pub use table::{Paint, table};
pub use tasks::{Evaluation, Task};
pub use tools::{Directory, Files, Ran, Tool};
