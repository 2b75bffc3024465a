//! How often each token may ask: a bucket that refills, and a moment to come back at for whoever finds it empty.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Instant,
};

/// Seconds of requests that may come at once after a pause.
const BURST_SECONDS: f64 = 2.0;

/// The buckets of all tokens.
#[derive(Debug)]
pub(super) struct Rates {
    a_second: f64,
    buckets: Mutex<HashMap<String, Bucket>>,
}

#[derive(Debug)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Rates {
    /// So many requests a second for each token; 0 for any number.
    pub(super) fn new(a_second: u32) -> Self {
        Self {
            a_second: f64::from(a_second),
            buckets: Mutex::default(),
        }
    }

    /// Takes one request from the bucket of a token.
    ///
    /// # Errors
    /// In how many seconds to come again, if the bucket is empty.
    pub(super) fn take(&self, token: &str, now: Instant) -> Result<(), u64> {
        if self.a_second == 0.0 {
            return Ok(());
        }
        let most = (self.a_second * BURST_SECONDS).max(1.0);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let bucket = buckets.entry(token.to_owned()).or_insert(Bucket {
            left: most,
            at: now,
        });
        let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
        bucket.left = (bucket.left + passed * self.a_second).min(most);
        bucket.at = now;
        if bucket.left < 1.0 {
            return Err(((1.0 - bucket.left) / self.a_second).ceil().max(1.0) as u64);
        }
        bucket.left -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_token_that_asks_too_often_waits_and_others_do_not() {
        let (rates, begin) = (Rates::new(5), Instant::now());
        assert!((0..10).all(|_| rates.take("one", begin).is_ok()));
        assert_eq!(rates.take("one", begin), Err(1));
        assert_eq!(rates.take("other", begin), Ok(()));
        let later = begin + Duration::from_secs(1);
        assert!((0..5).all(|_| rates.take("one", later).is_ok()));
        assert_eq!(rates.take("one", later), Err(1));
        assert!((0..1_000).all(|_| Rates::new(0).take("one", begin).is_ok()));
    }
}
