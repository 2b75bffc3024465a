//! A memory: the component, its store, and a pool of instances; or a service that has them.
//!
//! Owns loading the component and lending instances to callers, so that many threads can call at
//! once. What the functions do is the component's business; [`Memory`] implements the contract's traits by
//! passing calls on.

use std::sync::{Arc, Mutex, PoisonError};

use twiceshy_wit::{
    host::{Archive, Clock, Embedder, Log, Model, Store},
    memory::Error,
};
use wasmtime::component::{Component, HasSelf, Linker};

use crate::{
    bindings::memory::{Memory as Bindings, MemoryPre},
    bounds::Bounds,
    cache::Cache,
    engines, limits,
    ports::{Ports, State, SystemClock, Unavailable},
    remote::RemoteMemory,
};

/// A learning memory over one store.
///
/// Cheap to clone; clones share the store and the pool of instances. The functions are those of the
/// contract's traits: [`Runs`](crate::wit::memory::Runs), [`Events`](crate::wit::memory::Events),
/// [`Episodes`](crate::wit::memory::Episodes), [`Lessons`](crate::wit::memory::Lessons),
/// [`Recall`](crate::wit::memory::Recall) and [`Upkeep`](crate::wit::memory::Upkeep).
#[derive(Clone)]
pub struct Memory {
    behind: Behind,
}

/// What answers the calls.
#[derive(Clone)]
enum Behind {
    Component(Arc<Shared>),
    Service(Arc<RemoteMemory>),
}

struct Shared {
    component: MemoryPre<State>,
    ports: Ports,
    idle: Mutex<Vec<Instance>>,
}

/// One instance of the component.
pub(crate) struct Instance {
    pub(crate) store: wasmtime::Store<State>,
    pub(crate) exports: Bindings,
}

/// The memory component, compiled and ready to be given a store.
#[derive(Clone)]
pub struct MemoryComponent {
    pre: MemoryPre<State>,
}

impl MemoryComponent {
    /// Loads the component that is part of this crate.
    ///
    /// # Errors
    /// If it can't be compiled, which only happens on a machine that wasmtime does not support.
    pub fn bundled(cache: &Cache) -> Result<Self, Error> {
        let guest = &twiceshy_guests::MEMORY;
        let component = cache.load(engines::memory(), guest.name, guest.sha256, || {
            engines::compiled(engines::memory(), guest.bytes)
        });
        component
            .and_then(Self::link)
            .map_err(|error| broken(&error))
    }

    /// Loads another build of the memory, such as one for `wasm32-wasip2`.
    ///
    /// # Errors
    /// If the bytes are not a component, or not one that fits the contract.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let component = engines::compiled(engines::memory(), bytes);
        component
            .and_then(Self::link)
            .map_err(|error| broken(&error))
    }

    fn link(component: Component) -> wasmtime::Result<Self> {
        let mut linker = Linker::new(engines::memory());
        Bindings::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state)?;
        // A build for WASI imports what the standard library might use; the engine uses none of it.
        linker.define_unknown_imports_as_traps(&component)?;
        Ok(Self {
            pre: MemoryPre::new(linker.instantiate_pre(&component)?)?,
        })
    }

    /// A memory behind a service. The component is not asked; what is given to the builder is the service's business.
    pub(crate) fn behind(&self, service: Arc<RemoteMemory>) -> MemoryBuilder {
        let mut memory = self.over(twiceshy_store::MapStore::new());
        memory.service = Some(service);
        memory
    }

    /// A memory over a store, with the machine's clock and without embedder, model and log.
    pub fn over(&self, store: impl Store + Send + Sync + 'static) -> MemoryBuilder {
        MemoryBuilder {
            component: self.pre.clone(),
            service: None,
            ports: Ports {
                store: Arc::new(store),
                archive: Arc::new(Unavailable),
                embedder: Arc::new(Unavailable),
                model: Arc::new(Unavailable),
                clock: Arc::new(SystemClock),
                log: Arc::new(Unavailable),
            },
        }
    }
}

/// A memory in the making: which ports it is given.
pub struct MemoryBuilder {
    component: MemoryPre<State>,
    ports: Ports,
    service: Option<Arc<RemoteMemory>>,
}

impl MemoryBuilder {
    /// Another clock than the machine's.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock + Send + Sync + 'static) -> Self {
        self.ports.clock = Arc::new(clock);
        self
    }

    /// Where large and cold contents are kept.
    #[must_use]
    pub fn archive(mut self, archive: impl Archive + Send + Sync + 'static) -> Self {
        self.ports.archive = Arc::new(archive);
        self
    }

    /// Vectors for texts.
    #[must_use]
    pub fn embedder(mut self, embedder: impl Embedder + Send + Sync + 'static) -> Self {
        self.ports.embedder = Arc::new(embedder);
        self
    }

    /// A language model.
    #[must_use]
    pub fn model(mut self, model: impl Model + Send + Sync + 'static) -> Self {
        self.ports.model = Arc::new(model);
        self
    }

    /// Where messages go.
    #[must_use]
    pub fn log(mut self, log: impl Log + Send + Sync + 'static) -> Self {
        self.ports.log = Arc::new(log);
        self
    }

    /// The memory.
    pub fn build(self) -> Memory {
        if let Some(service) = self.service {
            return Memory {
                behind: Behind::Service(service),
            };
        }
        let shared = Shared {
            component: self.component,
            ports: self.ports,
            idle: Mutex::default(),
        };
        Memory {
            behind: Behind::Component(Arc::new(shared)),
        }
    }
}

impl From<RemoteMemory> for Memory {
    fn from(service: RemoteMemory) -> Self {
        Self {
            behind: Behind::Service(Arc::new(service)),
        }
    }
}

impl Memory {
    /// The service that answers, if it is not a component in this process.
    pub fn service(&self) -> Option<&RemoteMemory> {
        match &self.behind {
            Behind::Service(service) => Some(service),
            Behind::Component(_) => None,
        }
    }

    /// Calls `interface.function` with a JSON object of its arguments by name; gives its result as JSON.
    ///
    /// # Errors
    /// What the function says, or `invalid-argument` if it or an argument does not fit the contract.
    pub fn call(&self, method: &str, arguments: &str) -> Result<String, Error> {
        if let Some(service) = self.service() {
            return service.call(method, arguments);
        }
        self.with(|instance| {
            instance
                .exports
                .twiceshy_memory_rpc()
                .call_call(&mut instance.store, method, arguments)
        })?
    }

    /// Lends an instance to a caller. An instance that failed is never used again.
    pub(crate) fn with<T>(
        &self,
        call: impl FnOnce(&mut Instance) -> wasmtime::Result<T>,
    ) -> Result<T, Error> {
        let Behind::Component(shared) = &self.behind else {
            return Err(Error::Unavailable(
                "this is not offered by a memory behind a service".to_owned(),
            ));
        };
        let idle = shared.idle().pop();
        let mut instance = match idle {
            Some(instance) => instance,
            None => shared.instantiate().map_err(|error| broken(&error))?,
        };
        let answer = call(&mut instance).map_err(|error| failed(&error, &instance))?;
        let mut idle = shared.idle();
        if idle.len() < limits::KEPT_INSTANCES
            && instance.store.data().bounds.bytes() <= limits::KEPT_MEMORY_BYTES
        {
            idle.push(instance);
        }
        Ok(answer)
    }
}

impl Shared {
    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Instance>> {
        // The list is whole at every moment, whatever a thread that held it did.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn instantiate(&self) -> wasmtime::Result<Instance> {
        let state = State {
            ports: self.ports.clone(),
            bounds: Bounds::new(limits::MEMORY_BYTES, usize::MAX, usize::MAX),
            told: 0,
        };
        let mut store = wasmtime::Store::new(engines::memory(), state);
        store.limiter(|state| &mut state.bounds);
        let exports = self.component.instantiate(&mut store)?;
        Ok(Instance { store, exports })
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = formatter.debug_struct("Memory");
        match &self.behind {
            Behind::Component(shared) => text.field("idle", &shared.idle().len()),
            Behind::Service(service) => text.field("service", service),
        };
        text.finish_non_exhaustive()
    }
}

fn broken(error: &wasmtime::Error) -> Error {
    Error::Other(format!("the memory component can't be loaded: {error:#}"))
}

fn failed(error: &wasmtime::Error, instance: &Instance) -> Error {
    if instance.store.data().bounds.refused {
        return Error::InvalidArgument(format!(
            "the call needs more than {} MiB of memory; pass less data at once",
            limits::MEMORY_BYTES >> 20
        ));
    }
    Error::Other(format!(
        "the memory component failed, and the call changed nothing: {error:#}"
    ))
}
