//! The engine of twiceshy: all rules of the memory, without any I/O.
//!
//! A step that failed becomes an *event* with a *fingerprint*; a run that ends becomes an *episode*;
//! a *lesson* that answers the fingerprint comes back when the failure does. The engine has no I/O, no
//! clock and no randomness of its own: it reaches the world through [`Ports`], whose traits come from
//! the contract `twiceshy:host`, and implements the traits of `twiceshy:memory`. The same inputs give
//! the same bytes, natively and in a component.
//!
//! ```
//! use twiceshy_engine::{Engine, Ports};
//! use twiceshy_store::MapStore;
//! use twiceshy_wit::{host, memory::{Events, Lessons, LessonCandidate}};
//!
//! struct Quiet;
//! impl host::Clock for Quiet { fn now(&self) -> u64 { 1_700_000_000_000 } }
//! impl host::Log for Quiet { fn write(&self, _: host::Level, _: &str) {} }
//! impl host::Archive for Quiet {
//!     fn keep(&self, _: &[u8]) -> Result<String, host::Error> {
//!         Err(host::Error::Unavailable("no archive".into()))
//!     }
//!     fn fetch(&self, _: &str) -> Result<Vec<u8>, host::Error> {
//!         Err(host::Error::Unavailable("no archive".into()))
//!     }
//!     fn discard(&self, _: &str) -> Result<(), host::Error> {
//!         Err(host::Error::Unavailable("no archive".into()))
//!     }
//! }
//! impl host::Embedder for Quiet {
//!     fn identity(&self) -> Result<String, host::Error> {
//!         Err(host::Error::Unavailable("no embedder".into()))
//!     }
//!     fn embed(&self, _: &[String]) -> Result<Vec<Vec<f32>>, host::Error> {
//!         Err(host::Error::Unavailable("no embedder".into()))
//!     }
//! }
//! impl host::Model for Quiet {
//!     fn complete(&self, _: &str, _: &str) -> Result<String, host::Error> {
//!         Err(host::Error::Unavailable("no model".into()))
//!     }
//! }
//!
//! let store = MapStore::new();
//! let engine = Engine::new(Ports { store: &store, archive: &Quiet, embedder: &Quiet, model: &Quiet, clock: &Quiet, log: &Quiet });
//! let here = engine.fingerprint_of("cat: notes.txt: No such file or directory");
//! let there = engine.fingerprint_of("cat: /home/ana/todo.md: No such file or directory");
//! assert_eq!(here.id, there.id);
//! ```
#![deny(missing_docs)]

mod api;
mod coordination;
mod decisions;
mod endings;
mod episodes;
mod events;
mod exchange;
mod lessons;
mod limits;
mod payload;
mod recall;
mod refusal;
mod runs;
mod similarity;
mod steps;
mod store;
mod upkeep;
mod working;

pub use api::Engine;
pub use store::Ports;
pub use twiceshy_fingerprint::{fingerprint, secrets, tags};
pub use twiceshy_learning::{advice, insertion, mining, usefulness};
pub use twiceshy_text::{likeness, terms as text};

use twiceshy_learning::{analogy, form, general, ways};
use twiceshy_text::instant;
