//! An adapter: a component that is not trusted, in its sandbox.
//!
//! Owns loading, calling and bounding an adapter. What surrounds it is in [`sandbox`], what it must be in
//! [`contract`], what goes in and out in [`terms`]. A guest that failed is discarded and made again for the next
//! call; one that keeps failing is not called any more, if somebody counts.

pub(crate) mod contract;
mod error;
mod sandbox;
pub(crate) mod terms;

use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use twiceshy_guests::Guest;
use twiceshy_wit::adapter::{
    Assess, Error as AdapterError, Feedback, Goal, Manifest, PastStep, Step,
};
use wasmtime::{Store, Trap, UpdateDeadline, component::Component};

use crate::{
    adapters::Strikes,
    bindings::adapter::{Adapter as Bindings, AdapterPre},
    cache::Cache,
    engines,
    limits::{self, AdapterLimits},
};

pub use error::{PluginError, PluginErrorKind};
use sandbox::{Ended, Sandbox};

/// A loaded adapter.
pub struct Adapter {
    name: String,
    manifest: Manifest,
    imports: Vec<String>,
    limits: AdapterLimits,
    component: AdapterPre<Sandbox>,
    warm: Mutex<Option<Instance>>,
    strikes: Option<Strikes>,
}

struct Instance {
    store: Store<Sandbox>,
    exports: Bindings,
}

impl Adapter {
    /// The adapter for commands, which is part of this crate.
    ///
    /// # Errors
    /// If it can't be compiled, which only happens on a machine that wasmtime does not support.
    pub fn cli(cache: &Cache) -> Result<Self, PluginError> {
        Self::guest(cache, &twiceshy_guests::CLI, AdapterLimits::default(), None)
    }

    /// An adapter that is part of this crate.
    pub(crate) fn guest(
        cache: &Cache,
        guest: &Guest,
        limits: AdapterLimits,
        strikes: Option<Strikes>,
    ) -> Result<Self, PluginError> {
        let engine = engines::adapters();
        let component = cache.load(engine, guest.name, guest.sha256, || {
            contract::compile(engine, guest.bytes)
                .map_err(|message| incompatible(guest.name, message))
        })?;
        Self::load(guest.name, &component, limits, strikes)
    }

    /// Any adapter, with the default limits. It may be built with or without WASI.
    ///
    /// # Errors
    /// If the bytes are not a component, or not an adapter that this host can hold.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, PluginError> {
        Self::with_limits(name, bytes, AdapterLimits::default())
    }

    /// Any adapter, with limits of its own.
    ///
    /// # Errors
    /// If the bytes are not a component, or not an adapter that this host can hold.
    pub fn with_limits(
        name: &str,
        bytes: &[u8],
        limits: AdapterLimits,
    ) -> Result<Self, PluginError> {
        let component = contract::compile(engines::adapters(), bytes)
            .map_err(|message| incompatible(name, message))?;
        Self::load(name, &component, limits, None)
    }

    /// Looks at a component, links it and asks it what it is.
    pub(crate) fn load(
        name: &str,
        component: &Component,
        limits: AdapterLimits,
        strikes: Option<Strikes>,
    ) -> Result<Self, PluginError> {
        let does_not_fit = |error: wasmtime::Error| {
            let message =
                format!("{error:#}; build it for the world twiceshy:adapter/adapter@0.1.0");
            incompatible(name, message)
        };
        let engine = engines::adapters();
        contract::fits(engine, component).map_err(|message| incompatible(name, message))?;
        let imports = contract::called(engine, component);
        let linker = sandbox::link(engine, component).map_err(does_not_fit)?;
        let component = linker.instantiate_pre(component).and_then(AdapterPre::new);
        let mut adapter = Self {
            name: name.to_owned(),
            manifest: Manifest::default(),
            imports,
            limits,
            component: component.map_err(does_not_fit)?,
            warm: Mutex::new(None),
            strikes,
        };
        adapter.refuse_quarantined()?;
        let described = adapter.ask();
        if let (Err(error), Some(strikes)) = (&described, &adapter.strikes)
            && error.kind.is_strike()
        {
            strikes.add(error);
        }
        adapter.manifest = described?;
        Ok(adapter)
    }

    /// Refuses what can't be the name of an adapter or a domain.
    ///
    /// # Errors
    /// What a name must be, in words that follow the text itself.
    pub fn check_name(text: &str) -> Result<(), String> {
        match terms::is_name(text) {
            true => Ok(()),
            false => Err(format!("is not a name: {}", terms::NAME)),
        }
    }

    /// The name by which the host knows it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the adapter says of itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// What its warm instance holds in memory, over all its memories together; nothing before it is called.
    pub fn memory_bytes(&self) -> usize {
        let warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        warm.as_ref()
            .map_or(0, |instance| instance.store.data().bounds.bytes())
    }

    /// The interfaces with something to call that its component imports.
    pub fn imports(&self) -> &[String] {
        &self.imports
    }

    /// What it may use in one call.
    pub fn limits(&self) -> AdapterLimits {
        self.limits
    }

    /// Why it is not called any more, if it has failed too often in a row.
    pub fn quarantine(&self) -> Option<PluginError> {
        let strikes = self.strikes.as_ref()?;
        let record = strikes.quarantine()?;
        let message = format!(
            "it failed {} times in a row and is no longer called (last failure: {}); fix it, then run `twiceshy \
             adapter release {}`",
            record.count, record.last, self.name
        );
        Some(self.error(PluginErrorKind::Refused, message))
    }

    /// Throws the warm instance away: the next call makes a new one.
    pub fn cool(&self) {
        self.warm
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
    }

    /// Judges one step.
    ///
    /// # Errors
    /// If the adapter refuses the step, fails, or breaks its contract.
    pub fn assess(
        &self,
        goal: &Goal,
        recent: &[PastStep],
        step: &Step,
    ) -> Result<Feedback, PluginError> {
        self.answer(goal, recent, step)?.map_err(|refusal| {
            let (AdapterError::InvalidInput(text)
            | AdapterError::Unsupported(text)
            | AdapterError::Other(text)) = refusal;
            self.error(PluginErrorKind::Refused, first_words(&text))
        })
    }

    /// What it says of one step: that it refuses the step is an answer, too.
    ///
    /// # Errors
    /// If the adapter fails, or breaks its contract.
    pub fn answer(
        &self,
        goal: &Goal,
        recent: &[PastStep],
        step: &Step,
    ) -> Result<Result<Feedback, AdapterError>, PluginError> {
        self.refuse_quarantined()?;
        terms::input(goal, recent, step)
            .map_err(|message| self.error(PluginErrorKind::Refused, message))?;
        self.judged(|| {
            let answer = self.call(|instance| {
                instance.exports.twiceshy_adapter_assess().call_assess(
                    &mut instance.store,
                    goal,
                    recent,
                    step,
                )
            })?;
            if let Ok(feedback) = &answer {
                terms::feedback(feedback)
                    .map_err(|message| self.error(PluginErrorKind::BadOutput, message))?;
            }
            Ok(answer)
        })
    }

    /// Asks it what it is. An answer ends no row of failures: an adapter that crashes at every step may well know its
    /// own name.
    pub(crate) fn ask(&self) -> Result<Manifest, PluginError> {
        let manifest = self.call(|instance| {
            instance
                .exports
                .twiceshy_adapter_assess()
                .call_describe(&mut instance.store)
        })?;
        terms::manifest(&manifest)
            .map_err(|message| self.error(PluginErrorKind::BadOutput, message))?;
        Ok(manifest)
    }

    fn refuse_quarantined(&self) -> Result<(), PluginError> {
        self.quarantine().map_or(Ok(()), Err)
    }

    /// Counts what became of a call: a failure of the adapter is a strike, anything else ends the row.
    fn judged<T>(&self, call: impl FnOnce() -> Result<T, PluginError>) -> Result<T, PluginError> {
        let answer = call();
        if let Some(strikes) = &self.strikes {
            match &answer {
                Err(error) if error.kind.is_strike() => strikes.add(error),
                _ => strikes.clear(),
            }
        }
        answer
    }

    /// Calls a warm instance, or a new one. After a failure the instance is gone.
    fn call<T>(
        &self,
        call: impl FnOnce(&mut Instance) -> wasmtime::Result<T>,
    ) -> Result<T, PluginError> {
        let warm = self
            .warm
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let mut instance = match warm {
            Some(mut instance) => {
                instance.store.data_mut().begin();
                let deadline = ticks(self.limits.time());
                instance.store.set_epoch_deadline(deadline);
                instance
            }
            None => self.instantiate()?,
        };
        match call(&mut instance) {
            Ok(_) if instance.store.data().is_late() => Err(self.too_late()),
            Ok(answer) => {
                *self.warm.lock().unwrap_or_else(PoisonError::into_inner) = Some(instance);
                Ok(answer)
            }
            Err(error) => Err(self.failed(&error, instance.store.data())),
        }
    }

    fn instantiate(&self) -> Result<Instance, PluginError> {
        let mut store = Store::new(engines::adapters(), Sandbox::new(self.limits));
        store.limiter(|sandbox| &mut sandbox.bounds);
        store.set_epoch_deadline(ticks(self.limits.time()));
        store.epoch_deadline_callback(|mut store| match store.data().time_left() {
            Ok(left) => Ok(UpdateDeadline::Continue(ticks(left))),
            Err(ended) => {
                store.data_mut().ended = Some(ended);
                Ok(UpdateDeadline::Interrupt)
            }
        });
        store.set_hostcall_fuel(self.limits.output_bytes());
        store.set_max_component_handles(limits::ADAPTER_HANDLES);
        match self.component.instantiate(&mut store) {
            Ok(exports) => Ok(Instance { store, exports }),
            Err(error) => Err(self.failed(&error, store.data())),
        }
    }

    /// What a failed call was, by its kind and in words.
    fn failed(&self, error: &wasmtime::Error, sandbox: &Sandbox) -> PluginError {
        match &sandbox.ended {
            Some(denied @ Ended::Denied(_)) => {
                return self.error(PluginErrorKind::Refused, denied.to_string());
            }
            Some(exited @ Ended::Exited(_)) => {
                return self.last_words(exited.to_string(), sandbox);
            }
            Some(Ended::TooLong) => return self.too_late(),
            // Nobody is to blame, so that this is no failure of the adapter.
            Some(Ended::Starved) => {
                let message = format!(
                    "the machine is too busy: it got less than {} ms of processor time in {} s; try again later",
                    self.limits.time_ms,
                    self.limits.patience().as_secs()
                );
                return self.error(PluginErrorKind::Refused, message);
            }
            None => {}
        }
        let trap = error.downcast_ref::<Trap>();
        if sandbox.bounds.refused {
            return self.error(
                PluginErrorKind::Memory,
                format!(
                    "it needs more than {} MiB of memory; pass it smaller steps, or grant it more: `twiceshy \
                     adapter inspect {}` shows how",
                    self.limits.memory_mib, self.name
                ),
            );
        }
        match trap {
            Some(
                trap @ (Trap::StringOutOfBounds
                | Trap::ListOutOfBounds
                | Trap::InvalidDiscriminant
                | Trap::InvalidChar
                | Trap::UnalignedPointer),
            ) => self.error(
                PluginErrorKind::BadOutput,
                format!("its answer can't be read ({trap})"),
            ),
            Some(trap) => self.last_words(format!("it crashed ({trap})"), sandbox),
            None => {
                let text = format!("{error:#}");
                let (kind, message) = if text.contains("fuel allocated for hostcalls") {
                    let most = self.limits.output_kib;
                    let message = format!("its answer is larger than {most} KiB");
                    (PluginErrorKind::BadOutput, message)
                } else if text.contains("store handle limit") {
                    let message = format!("it holds more than {} handles", limits::ADAPTER_HANDLES);
                    (PluginErrorKind::Trap, message)
                } else if text.contains("resource limit exceeded") {
                    let most = limits::ADAPTER_ITEMS;
                    let message = format!("it has more than {most} instances, memories or tables");
                    (PluginErrorKind::Memory, message)
                } else if text.contains("failed to convert function to given type") {
                    let message =
                        format!("{text}; build it for the world twiceshy:adapter/adapter@0.1.0");
                    (PluginErrorKind::Incompatible, message)
                } else {
                    let message = format!("its answer can't be read: {text}");
                    (PluginErrorKind::BadOutput, message)
                };
                self.error(kind, message)
            }
        }
    }

    fn too_late(&self) -> PluginError {
        let message = format!(
            "it took more than {} ms of processor time; fix it, or grant it more time",
            self.limits.time_ms
        );
        self.error(PluginErrorKind::Timeout, message)
    }

    /// A crash, with what the adapter said before it.
    fn last_words(&self, what: String, sandbox: &Sandbox) -> PluginError {
        let message = match sandbox.last_words() {
            Some(words) => format!("{what}: {words}"),
            None => format!("{what}; fix it"),
        };
        self.error(PluginErrorKind::Trap, message)
    }

    fn error(&self, kind: PluginErrorKind, message: impl Into<String>) -> PluginError {
        PluginError::new(&self.name, kind, message)
    }
}

/// The contract of an adapter, served by one in its sandbox.
impl Assess for Adapter {
    fn describe(&self) -> Manifest {
        self.manifest.clone()
    }

    fn assess(
        &self,
        goal: &Goal,
        recent: &[PastStep],
        step: &Step,
    ) -> Result<Feedback, AdapterError> {
        Self::assess(self, goal, recent, step)
            .map_err(|error| AdapterError::Other(error.to_string()))
    }
}

impl fmt::Debug for Adapter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Adapter")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

pub(crate) fn incompatible(name: &str, message: String) -> PluginError {
    PluginError::new(name, PluginErrorKind::Incompatible, message)
}

/// The ticks in which a time passes at the earliest. The first tick may come at once, so one more is given.
fn ticks(time: Duration) -> u64 {
    let ticks = time.as_millis() / limits::TICK.as_millis();
    u64::try_from(ticks).unwrap_or(u64::MAX - 1) + 1
}

/// The beginning of what an adapter says: it may say much.
fn first_words(text: &str) -> String {
    const MOST: usize = limits::LAST_WORDS_BYTES;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
