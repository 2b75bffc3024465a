//! twiceshy: a learning memory for agents, in one WebAssembly component.
//!
//! This crate hosts the component: it gives it a store, calls it from any number of threads, and runs
//! the adapters that turn steps into feedback in a sandbox of their own. The rules are inside the
//! component; the contract is in [`wit`].
//!
//! ```
//! use twiceshy::{Adapter, Cache, MapStore, MemoryComponent};
//! use twiceshy::wit::adapter::{Goal, Step};
//! use twiceshy::wit::memory::{Ending, NewRun, Observed, Runs};
//!
//! let cache = Cache::none();
//! let memory = MemoryComponent::bundled(&cache)?.over(MapStore::new()).build();
//! let cli = Adapter::cli(&cache)?;
//!
//! let goal = Goal { task: "count the rows".into(), domain: "cli".into(), expectations: String::new() };
//! let step = Step {
//!     before: String::new(),
//!     action: r#"{"command": ["wc", "-l", "rows.csv"]}"#.into(),
//!     observation: r#"{"exit": 1, "stdout": "", "duration-ms": 2,
//!                      "stderr": "wc: rows.csv: No such file or directory"}"#.into(),
//! };
//! let feedback = cli.assess(&goal, &[], &step)?;
//! let run = NewRun { task: goal.task, domain: goal.domain, ..NewRun::default() };
//! let ending = Ending { outcome: None, score: None, referee: None };
//! let submitted = memory.submit(&run, &[Observed { step, feedback }], &ending)?;
//! assert!(submitted.reactions[0].failure.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(missing_docs)]

mod adapter;
mod adapters;
mod bindings;
mod bounds;
mod cache;
pub mod conformance;
mod embedder;
mod engines;
mod entries;
mod evolving_memory;
mod foreign;
mod home;
pub mod limits;
mod memory;
mod model;
mod ownership;
mod ports;
mod project;
mod project_archive;
mod project_store;
pub mod projects;
mod service;
mod stopwatch;
#[cfg(unix)]
mod subprocess;
pub mod worktree;

pub use adapter::{Adapter, PluginError, PluginErrorKind};
pub use adapters::{
    AdapterEntry, AdapterState, Adapters, Declaration, Inspection, Place, Receipt, StrikeRecord,
};
pub use cache::{Cache, Entry};
pub use embedder::{BundledEmbedder, ChosenEmbedder, EmbeddingSettings, PluggedEmbedder};
pub use evolving_memory::{EvolvingMemory, ExperienceOptions, Setting, Source};
pub use home::Home;
pub use limits::{AdapterGrant, AdapterLimits};
pub use memory::{Memory, MemoryBuilder, MemoryComponent};
pub use model::{ModelSettings, PluggedModel};
pub use ownership::{Ownership, Standing};
pub use ports::{SystemClock, Unavailable};
pub use project::{Project, ProjectError, Settings};
pub use project_archive::ProjectArchive;
pub use project_store::ProjectStore;
#[cfg(unix)]
pub use subprocess::{Finished, Subprocess, SubprocessError};
pub use twiceshy_store::{
    BareSqlite, DirectoryArchive, Group, MapStore, Options, SqliteStore, Usage,
};
pub use twiceshy_wit as wit;
