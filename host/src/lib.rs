//! twiceshy: a learning memory for agents, in one WebAssembly component.
//!
//! This crate hosts the component: it gives it a store, calls it from any number of threads, and runs
//! the adapters that turn steps into feedback in a sandbox of their own. The rules are inside the
//! component; the contract is in [`wit`].
//!
//! ```
//! use std::{process::Command, time::Duration};
//! use twiceshy::{Adapters, AgentRun, Cache, MapStore, MemoryComponent};
//! use twiceshy::wit::memory::{Ending, NewRun};
//!
//! let memory = MemoryComponent::bundled(&Cache::none())?.over(MapStore::new()).build();
//! let adapters = Adapters::bundled(Cache::none());
//!
//! let task = NewRun { task: "count the rows".into(), domain: "cli".into(), ..NewRun::default() };
//! let run = AgentRun::start(&memory, &adapters, &task)?;
//! let command = ["cat", "rows.csv"];
//! let output = Command::new(command[0]).args(&command[1..]).output()?;
//! let judged = run.observe_command(&command, &output, Duration::ZERO)?;
//! assert!(judged.reaction.failure.is_some());
//! run.finish(&Ending::default())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`ProjectMemory`] opens the memory that the program uses in a directory; `docs/EMBEDDING.md` says what to choose when.
#![deny(missing_docs)]

mod adapter;
mod adapters;
mod agent_run;
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
mod project_memory;
mod project_store;
pub mod projects;
mod remote;
mod service;
mod settings;
mod stopwatch;
#[cfg(unix)]
mod subprocess;
#[cfg(unix)]
pub mod traces;
pub mod worktree;

pub use adapter::{Adapter, PluginError, PluginErrorKind};
pub use adapters::{
    AdapterEntry, AdapterState, Adapters, Declaration, Inspection, Place, Receipt, StrikeRecord,
};
pub use agent_run::{AgentRun, Judged, JudgingError, RawStep, command_step};
pub use cache::{Cache, Entry};
pub use embedder::{
    BundledEmbedder, ChosenEmbedder, EmbeddingSettings, LocalEmbedder, PluggedEmbedder,
};
pub use evolving_memory::{EvolvingMemory, ExperienceOptions, Setting, Source};
pub use home::Home;
pub use limits::{AdapterGrant, AdapterLimits};
pub use memory::{Memory, MemoryBuilder, MemoryComponent};
pub use model::{ModelSettings, PluggedModel};
pub use ownership::{Ownership, Standing};
pub use ports::{SystemClock, Unavailable};
pub use project::{Project, ProjectError};
pub use project_archive::ProjectArchive;
pub use project_memory::ProjectMemory;
pub use project_store::ProjectStore;
pub use remote::RemoteMemory;
pub use settings::Settings;
#[cfg(unix)]
pub use subprocess::{Finished, Subprocess, SubprocessError};
pub use twiceshy_store::{
    BareSqlite, DirectoryArchive, Group, MapStore, Options, PostgresAddress, PostgresArchive,
    PostgresOptions, PostgresStore, SqliteStore, Usage, migration,
};
pub use twiceshy_wit as wit;

/// What the page of embedding shows compiles.
#[cfg(doctest)]
#[doc = include_str!("../../docs/EMBEDDING.md")]
struct Embedding;
