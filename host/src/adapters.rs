//! The adapters that this host has, by name.
//!
//! Owns finding one and keeping it warm: each is loaded when it is first asked for, and stays. How an adapter is
//! called and bounded is [`Adapter`]'s business.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{Adapter, Cache, PluginError, PluginErrorKind};

/// The adapters that are at hand.
#[derive(Debug)]
pub struct Adapters {
    cache: Cache,
    loaded: Mutex<BTreeMap<String, Arc<Adapter>>>,
}

impl Adapters {
    /// The adapters that are part of this crate, compiled into a cache.
    pub fn bundled(cache: Cache) -> Self {
        Self {
            cache,
            loaded: Mutex::default(),
        }
    }

    /// The adapter of a name.
    ///
    /// # Errors
    /// If there is none of that name, or it can't be loaded.
    pub fn get(&self, name: &str) -> Result<Arc<Adapter>, PluginError> {
        // Whoever waits here waits for a compilation that would otherwise be done twice.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(adapter) = loaded.get(name) {
            return Ok(adapter.clone());
        }
        let guests = &twiceshy_guests::ADAPTERS;
        let Some(guest) = guests.iter().find(|guest| guest.name == name) else {
            let names: Vec<_> = guests.iter().map(|guest| guest.name).collect();
            return Err(PluginError {
                plugin: name.to_owned(),
                kind: PluginErrorKind::Incompatible,
                message: format!("there is none of that name; there are {}", names.join(", ")),
            });
        };
        let adapter = Arc::new(Adapter::guest(&self.cache, guest)?);
        loaded.insert(name.to_owned(), adapter.clone());
        Ok(adapter)
    }
}
