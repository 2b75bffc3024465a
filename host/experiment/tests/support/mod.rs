//! The native engine as the memory of an experiment.

use std::sync::atomic::AtomicBool;

use twiceshy_adapter_cli::Cli;
use twiceshy_engine::{Engine, Ports};
use twiceshy_experiment::{Lab, Learner, Plan, Report, Site, Watch};
use twiceshy_store::MapStore;
use twiceshy_wit::{
    host::{Archive, Embedder, Error, Level, Log, Model},
    memory,
};

/// Ports that offer nothing.
struct Nothing;

impl Archive for Nothing {
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

impl Embedder for Nothing {
    fn identity(&self) -> Result<String, Error> {
        Err(Error::Unavailable("no embedder".into()))
    }

    fn embed(&self, _: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        Err(Error::Unavailable("no embedder".into()))
    }
}

impl Model for Nothing {
    fn complete(&self, _: &str, _: &str) -> Result<String, Error> {
        Err(Error::Unavailable("no model".into()))
    }
}

impl Log for Nothing {
    fn write(&self, _: Level, _: &str) {}
}

/// A memory that lives as long as the process, as the few of an experiment may.
fn memory(site: &Site) -> Result<Box<dyn Learner>, memory::Error> {
    Ok(Box::new(Engine::new(Ports {
        store: Box::leak(Box::new(MapStore::new())),
        clock: Box::leak(Box::new(site.clock.clone())),
        archive: &Nothing,
        embedder: &Nothing,
        model: &Nothing,
        log: &Nothing,
    })))
}

/// Does a plan, one seed after the other.
pub fn perform(plan: &Plan, watch: &Watch<'_>) -> Report {
    let lab = Lab {
        adapter: &Cli,
        memories: &memory,
        executor: None,
        watch,
        stop: &AtomicBool::new(false),
        threads: 1,
    };
    lab.perform(plan).expect("an experiment")
}
