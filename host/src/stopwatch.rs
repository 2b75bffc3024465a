//! How long a thread has worked since a moment, and how much time has passed.
//!
//! A limit on work must not strike whoever waits for a processor, so work is measured by the thread's own clock. A
//! system without such a clock measures the time that passed instead.

use std::time::{Duration, Instant};

/// Measures from its start on, and only on the thread that started it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    started: Instant,
    worked_before: Option<Duration>,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self {
            started: Instant::now(),
            worked_before: worked(),
        }
    }

    /// The processor time of this thread since the start.
    pub(crate) fn worked(&self) -> Duration {
        match (self.worked_before, worked()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.passed(),
        }
    }

    /// The time on the wall since the start.
    pub(crate) fn passed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// The processor time of this thread, if the system counts it.
#[cfg(any(
    target_os = "linux",
    target_os = "android",
    target_os = "macos",
    target_os = "freebsd"
))]
fn worked() -> Option<Duration> {
    let clock = nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID;
    nix::time::clock_gettime(clock).ok().map(Duration::from)
}

#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_os = "macos",
    target_os = "freebsd"
)))]
fn worked() -> Option<Duration> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_not_work() {
        let watch = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(50));
        assert!(watch.passed() >= Duration::from_millis(50));
        assert!(watch.worked() < watch.passed());
    }

    #[test]
    fn work_is_counted() {
        let watch = Stopwatch::start();
        let mut sum = 0u64;
        while watch.worked() < Duration::from_millis(5) {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(watch.worked() <= watch.passed() + Duration::from_millis(1));
    }
}
