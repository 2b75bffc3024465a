//! The time between one attempt and the next.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

/// The time between one attempt and the next: longer each time, and never the same for two processes.
pub struct Pause {
    until: Instant,
    next: Duration,
}

impl Pause {
    const FIRST: Duration = Duration::from_millis(2);
    const LONGEST: Duration = Duration::from_millis(200);

    /// For as long as there is time.
    pub fn new(until: Instant) -> Pause {
        Pause {
            until,
            next: Pause::FIRST,
        }
    }

    /// Waits, if there is time for another attempt.
    pub fn take(&mut self) -> bool {
        if Instant::now() >= self.until {
            return false;
        }
        let some = RandomState::new().hash_one(0) % 1_000;
        std::thread::sleep(self.next.mul_f64(0.5 + some as f64 / 1_000.0));
        self.next = (self.next * 2).min(Pause::LONGEST);
        true
    }
}
