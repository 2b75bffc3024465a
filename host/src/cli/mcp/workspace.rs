//! What all connections share: the project's memory, its adapters, and the order in which requests are done.
//!
//! The components are loaded while the client says its first words. A memory that nobody has written to is not created by
//! looking at it.

use std::{
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use tokio::sync::RwLock;
use twiceshy::{Adapters, Memory, MemoryComponent, Project, Settings, wit::memory::Error};

use crate::cli::{context::Context, failure::Failure, session_run};

/// The memory and what is needed to use it.
pub(crate) struct Workspace {
    context: Context,
    loaded: OnceLock<Result<Loaded, String>>,
    /// Who writes comes alone and in turn: what a client asks for is done in the order in which it asked.
    pub(crate) turn: RwLock<()>,
    ending: Mutex<()>,
    connections: AtomicU64,
    /// The processes of the host that started this server for itself; none if any host may come.
    pub(crate) host: Vec<u64>,
}

struct Loaded {
    component: MemoryComponent,
    /// With the model and the embedder of the settings.
    memory: Memory,
    /// With those alone that a step waits for.
    step_memory: Memory,
    adapters: Adapters,
}

impl Workspace {
    pub(crate) fn new(context: Context, host: Vec<u64>) -> Self {
        Self {
            context,
            loaded: OnceLock::new(),
            turn: RwLock::new(()),
            ending: Mutex::default(),
            connections: AtomicU64::new(0),
            host,
        }
    }

    /// Begins to load, and ends what sessions that are gone have left open.
    pub(crate) fn load_ahead(self: &Arc<Self>) {
        let workspace = self.clone();
        thread::spawn(move || {
            let loaded = workspace.loaded();
            if let Ok(loaded) = loaded
                && workspace.context.project.exists()
            {
                // Whoever writes next tries again, and says what is wrong.
                let _ = workspace.end_idle(&loaded.memory);
            }
        });
    }

    /// Ends what sessions that are gone have left open. Whoever asks meanwhile waits, so that it is ended for all.
    pub(crate) fn end_idle(&self, memory: &Memory) -> Result<(), Error> {
        let _one = self.ending.lock().unwrap_or_else(PoisonError::into_inner);
        session_run::end_idle(&self.context.project, memory)
    }

    pub(crate) fn project(&self) -> &Project {
        &self.context.project
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.context.settings
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// A number that no other connection to this process has.
    pub(crate) fn next_connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    /// The memory, for looking at it.
    pub(crate) fn memory(&self) -> Result<&Memory, Failure> {
        Ok(&self.loaded()?.memory)
    }

    /// The memory that takes steps, without a model or an embedder that no step shall wait for.
    pub(crate) fn step_memory(&self) -> Result<&Memory, Failure> {
        Ok(&self.loaded()?.step_memory)
    }

    pub(crate) fn component(&self) -> Result<&MemoryComponent, Failure> {
        Ok(&self.loaded()?.component)
    }

    pub(crate) fn adapters(&self) -> Result<&Adapters, Failure> {
        Ok(&self.loaded()?.adapters)
    }

    fn loaded(&self) -> Result<&Loaded, Failure> {
        let loaded = self
            .loaded
            .get_or_init(|| self.load().map_err(|failure| failure.message().to_owned()));
        loaded.as_ref().map_err(|words| {
            Failure::other(format!(
                "the memory can't be loaded: {words}; `twiceshy doctor` says more"
            ))
        })
    }

    fn load(&self) -> Result<Loaded, Failure> {
        let context = &self.context;
        let component = MemoryComponent::bundled(&context.cache())?;
        let memory = context.over(&component, context.model(), context.embedder());
        let settings = &context.settings;
        let waits_for_model = settings.model.as_ref().is_some_and(|model| model.on_run);
        let waits_for_embedder = settings
            .embedding
            .as_ref()
            .is_some_and(|embedding| embedding.on_run);
        let step_memory = context.over(
            &component,
            context.model().filter(|_| waits_for_model),
            context.embedder().filter(|_| waits_for_embedder),
        );
        Ok(Loaded {
            component,
            memory,
            step_memory,
            adapters: context.adapters(),
        })
    }
}
