//! Owns bytes under keys in memory: for tests, and as what a host in another language writes for itself.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use twiceshy_wit::host::{Bytes, Entry, Error, Write};

/// Bytes under keys, in memory. A copy has the same bytes.
#[derive(Debug, Default, Clone)]
pub struct ByteMap {
    entries: Arc<Mutex<BTreeMap<String, Vec<u8>>>>,
}

impl ByteMap {
    /// Nothing under any key.
    pub fn new() -> Self {
        Self::default()
    }

    fn with<T>(&self, act: impl FnOnce(&mut BTreeMap<String, Vec<u8>>) -> T) -> T {
        act(&mut self.entries.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Bytes for ByteMap {
    fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, Error> {
        Ok(self.with(|entries| keys.iter().map(|key| entries.get(key).cloned()).collect()))
    }

    fn scan(&self, first: &str, end: &str, limit: u32) -> Result<Vec<Entry>, Error> {
        Ok(self.with(|entries| {
            let range = entries.range(first.to_owned()..end.to_owned());
            range
                .take(limit as usize)
                .map(|(key, value)| Entry {
                    key: key.clone(),
                    value: value.clone(),
                })
                .collect()
        }))
    }

    fn commit(&self, batch: &[Write], _durable: bool) -> Result<(), Error> {
        self.with(|entries| {
            for Write { key, value } in batch {
                match value {
                    Some(value) => entries.insert(key.clone(), value.clone()),
                    None => entries.remove(key),
                };
            }
        });
        Ok(())
    }
}
