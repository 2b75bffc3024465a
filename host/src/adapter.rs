//! An adapter: a component that is not trusted, in its sandbox.
//!
//! Owns loading, calling and bounding an adapter, and what went wrong with it in words. An adapter gets
//! no files, no network, no environment and no clock: it imports nothing, and what a build for WASI
//! imports all the same only traps. A guest that failed is thrown away and made anew for the next call.

use std::{fmt, sync::Mutex, sync::PoisonError};

use twiceshy_guests::Guest;
use twiceshy_wit::adapter::{
    Assess, Error as AdapterError, Feedback, Goal, Manifest, PastStep, Step,
};
use wasmtime::{
    Store, Trap,
    component::{Component, Linker},
};

use crate::{
    bindings::adapter::{Adapter as Bindings, AdapterPre},
    bounds::Bounds,
    cache::Cache,
    engines, limits,
};

/// A loaded adapter.
pub struct Adapter {
    name: String,
    manifest: Manifest,
    component: AdapterPre<Bounds>,
    warm: Mutex<Option<Instance>>,
}

struct Instance {
    store: Store<Bounds>,
    exports: Bindings,
}

/// What went wrong with a plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PluginErrorKind {
    /// It crashed.
    Trap,
    /// It took too long.
    Timeout,
    /// It needs more memory than it may have.
    Memory,
    /// It refused the step.
    Refused,
    /// It does not fit this host.
    Incompatible,
    /// What it answered breaks the contract.
    BadOutput,
}

/// A plugin did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginError {
    /// The plugin's name.
    pub plugin: String,
    /// What went wrong.
    pub kind: PluginErrorKind,
    /// The cause, and what to do.
    pub message: String,
}

impl PluginErrorKind {
    /// The kind's name, the same in every report.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trap => "trap",
            Self::Timeout => "timeout",
            Self::Memory => "memory",
            Self::Refused => "refused",
            Self::Incompatible => "incompatible",
            Self::BadOutput => "bad-output",
        }
    }
}

impl fmt::Display for PluginError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "adapter `{}`: {}: {}",
            self.plugin,
            self.kind.as_str(),
            self.message
        )
    }
}

impl std::error::Error for PluginError {}

impl Adapter {
    /// The adapter for commands, which is part of this crate.
    ///
    /// # Errors
    /// If it can't be compiled, which only happens on a machine that wasmtime does not support.
    pub fn cli(cache: &Cache) -> Result<Self, PluginError> {
        Self::guest(cache, &twiceshy_guests::CLI)
    }

    pub(crate) fn guest(cache: &Cache, guest: &Guest) -> Result<Self, PluginError> {
        Self::load(guest.name, cache.load(engines::adapters(), guest))
    }

    /// Any adapter. It may be built with or without WASI.
    ///
    /// # Errors
    /// If the bytes are not a component, or not an adapter that this host can hold.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, PluginError> {
        Self::load(name, Component::from_binary(engines::adapters(), bytes))
    }

    fn load(name: &str, component: wasmtime::Result<Component>) -> Result<Self, PluginError> {
        let incompatible = |error: wasmtime::Error| PluginError {
            plugin: name.to_owned(),
            kind: PluginErrorKind::Incompatible,
            message: format!("{error:#}; build it for the world twiceshy:adapter/adapter@0.1.0"),
        };
        let component = component.map_err(incompatible)?;
        let engine = engines::adapters();
        for (import, _) in component.component_type().imports(engine) {
            if !import.starts_with("wasi:") && !import.starts_with("twiceshy:adapter/types@") {
                return Err(incompatible(wasmtime::Error::msg(format!(
                    "it imports `{import}`, and an adapter gets nothing"
                ))));
            }
        }
        let mut linker = Linker::new(engine);
        linker
            .define_unknown_imports_as_traps(&component)
            .map_err(incompatible)?;
        let component = linker.instantiate_pre(&component).and_then(AdapterPre::new);
        let mut adapter = Self {
            name: name.to_owned(),
            manifest: Manifest {
                name: String::new(),
                version: String::new(),
                domain: String::new(),
                summary: String::new(),
                action_schema: String::new(),
                observation_schema: String::new(),
                expectations_schema: String::new(),
            },
            component: component.map_err(incompatible)?,
            warm: Mutex::new(None),
        };
        adapter.manifest = adapter.call(|instance| {
            instance
                .exports
                .twiceshy_adapter_assess()
                .call_describe(&mut instance.store)
        })?;
        Ok(adapter)
    }

    /// What the adapter says of itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
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
        let answer = self.call(|instance| {
            instance.exports.twiceshy_adapter_assess().call_assess(
                &mut instance.store,
                goal,
                recent,
                step,
            )
        })?;
        match answer {
            Ok(feedback) => {
                check(&feedback)
                    .map_err(|message| self.error(PluginErrorKind::BadOutput, message))?;
                Ok(feedback)
            }
            Err(
                AdapterError::InvalidInput(text)
                | AdapterError::Unsupported(text)
                | AdapterError::Other(text),
            ) => Err(self.error(PluginErrorKind::Refused, text)),
        }
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
                instance.store.set_epoch_deadline(deadline());
                instance
            }
            None => self.instantiate()?,
        };
        match call(&mut instance) {
            Ok(answer) => {
                *self.warm.lock().unwrap_or_else(PoisonError::into_inner) = Some(instance);
                Ok(answer)
            }
            Err(error) => Err(self.failed(&error, instance.store.data())),
        }
    }

    fn instantiate(&self) -> Result<Instance, PluginError> {
        let bounds = Bounds::new(
            limits::ADAPTER_BYTES,
            limits::ADAPTER_TABLE_ELEMENTS,
            limits::ADAPTER_ITEMS,
        );
        let mut store = Store::new(engines::adapters(), bounds);
        store.limiter(|bounds| bounds);
        store.set_epoch_deadline(deadline());
        store.set_hostcall_fuel(limits::ADAPTER_OUTPUT_BYTES);
        match self.component.instantiate(&mut store) {
            Ok(exports) => Ok(Instance { store, exports }),
            Err(error) => Err(self.failed(&error, store.data())),
        }
    }

    fn failed(&self, error: &wasmtime::Error, bounds: &Bounds) -> PluginError {
        if bounds.refused {
            let message = format!(
                "it needs more than {} MiB; hand it smaller steps, or mend it",
                limits::ADAPTER_BYTES >> 20
            );
            return self.error(PluginErrorKind::Memory, message);
        }
        match error.downcast_ref::<Trap>() {
            Some(Trap::Interrupt) => self.error(
                PluginErrorKind::Timeout,
                format!(
                    "it took more than {} ms; mend it",
                    limits::ADAPTER_TIME.as_millis()
                ),
            ),
            Some(trap) => self.error(
                PluginErrorKind::Trap,
                format!("it crashed ({trap}); mend it"),
            ),
            None => self.error(PluginErrorKind::Trap, format!("{error:#}")),
        }
    }

    fn error(&self, kind: PluginErrorKind, message: String) -> PluginError {
        PluginError {
            plugin: self.name.clone(),
            kind,
            message,
        }
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

/// The ticks of one call. The first tick may come at once, so one more is given.
fn deadline() -> u64 {
    let ticks = limits::ADAPTER_TIME.as_millis() / limits::TICK.as_millis();
    u64::try_from(ticks).unwrap_or(u64::MAX - 1) + 1
}

/// What the contract says of feedback, checked.
fn check(feedback: &Feedback) -> Result<(), String> {
    let signals = [
        ("progress-signal", feedback.progress_signal, -1.0),
        ("efficiency-signal", feedback.efficiency_signal, 0.0),
    ];
    for (name, signal, least) in signals {
        if let Some(signal) = signal
            && !(least..=1.0).contains(&signal)
        {
            return Err(format!(
                "{name} is {signal}, which is not a number from {least} to 1"
            ));
        }
    }
    if feedback.action_text.len() > 4 << 10 {
        return Err(format!(
            "action-text has {} bytes, at most 4,096 are allowed",
            feedback.action_text.len()
        ));
    }
    if feedback.constraint_failure.len() > 64 {
        return Err(format!(
            "constraint-failure has {} entries, at most 64 are allowed",
            feedback.constraint_failure.len()
        ));
    }
    Ok(())
}
