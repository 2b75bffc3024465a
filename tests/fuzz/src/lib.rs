//! The engine over a store in memory, for targets that call it, and what the host reads of files and lines.

// What the host has in these files and is not asked for here.
#![allow(dead_code, unexpected_cfgs, unused_imports)]

#[path = "../../../host/store/src/archive.rs"]
mod archive;
#[path = "../../../host/src/cli/backup/package.rs"]
mod backup;
#[path = "../../../host/src/adapters/declaration.rs"]
mod declaration;
#[path = "../../../host/src/embedder/settings.rs"]
mod embedder;
#[path = "../../../host/src/evolving_memory.rs"]
mod evolving_memory;
pub mod host;
#[path = "../../../host/src/limits.rs"]
mod limits;
#[path = "../../../host/src/cli/mcp/lines.rs"]
mod lines;
#[path = "../../../host/src/model/settings.rs"]
mod model;
mod neighbours;
#[path = "../../../host/src/adapters/package.rs"]
mod package;
#[path = "../../../host/src/service/address.rs"]
mod service;
#[path = "../../../host/src/settings.rs"]
mod settings;
#[path = "../../../host/src/adapter/terms.rs"]
mod terms;

use embedder::EmbeddingSettings;
use evolving_memory::{EvolvingMemory, ExperienceOptions};
use model::ModelSettings;
use neighbours::{Home, Memory, Project, ProjectError, adapter, installed, receipt};
pub use settings::Settings;

use std::sync::atomic::{AtomicU64, Ordering};

use twiceshy_engine::{Engine, Ports};
use twiceshy_store::MapStore;
use twiceshy_wit::{
    host::{Archive, Clock, Embedder, Error, Level, Log, Model},
    memory::Error as MemoryError,
    rpc,
};

/// A memory that is forgotten, with a clock that goes on with each call.
#[derive(Default)]
pub struct World {
    store: MapStore,
    calls: AtomicU64,
}

impl World {
    /// Calls a function of the contract. What comes back is JSON, or an error of the contract.
    ///
    /// # Errors
    /// What the function says.
    pub fn call(&self, method: &str, arguments: &str) -> Result<String, MemoryError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let engine = Engine::new(Ports {
            store: &self.store,
            archive: self,
            embedder: self,
            model: self,
            clock: self,
            log: self,
        });
        let answer = rpc::call(&engine, method, arguments)?;
        serde_json::from_str::<serde_json::Value>(&answer).expect("an answer is JSON");
        Ok(answer)
    }

    /// Fails unless the memory is sound and can be asked.
    pub fn check(&self) {
        let findings = self.call("upkeep.verify", "{}").expect("it can be checked");
        assert_eq!(findings, "[]");
        self.call("upkeep.status", "{}").expect("a status");
    }
}

impl Clock for World {
    fn now(&self) -> u64 {
        1_704_067_200_000 + self.calls.load(Ordering::Relaxed) * 5_000
    }
}

impl Log for World {
    fn write(&self, _: Level, _: &str) {}
}

impl Archive for World {
    fn keep(&self, _: &[u8]) -> Result<String, Error> {
        Err(Error::Unavailable("no archive".into()))
    }

    fn fetch(&self, _: &str) -> Result<Vec<u8>, Error> {
        Err(Error::Unavailable("no archive".into()))
    }

    fn discard(&self, _: &str) -> Result<(), Error> {
        Err(Error::Unavailable("no archive".into()))
    }
}

impl Embedder for World {
    fn identity(&self) -> Result<String, Error> {
        Err(Error::Unavailable("no embedder".into()))
    }

    fn embed(&self, _: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        Err(Error::Unavailable("no embedder".into()))
    }
}

impl Model for World {
    fn complete(&self, _: &str, _: &str) -> Result<String, Error> {
        Err(Error::Unavailable("no model".into()))
    }
}
