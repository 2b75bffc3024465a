//! The clock of the experiment: time passes when the experiment says so.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use twiceshy_wit::host::Clock;

/// A clock that is set by hand. Clones tell the same time.
#[derive(Debug, Clone)]
pub struct SimulatedClock(Arc<AtomicU64>);

impl SimulatedClock {
    /// 1 January 2026.
    const BEGINNING: u64 = 1_767_225_600_000;

    /// A clock at the beginning of the experiment.
    pub(crate) fn new() -> Self {
        Self(Arc::new(AtomicU64::new(Self::BEGINNING)))
    }

    pub(crate) fn pass_seconds(&self, seconds: u64) {
        self.0.fetch_add(seconds * 1_000, Ordering::Relaxed);
    }
}

impl Clock for SimulatedClock {
    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
