//! Whether the memory can be used, for those who watch over a service.
//!
//! **Anybody may ask, without a token, so asking costs nothing:** however many ask at once, one thread looks, and all of them get what
//! it found. If it finds no end, because the database is away, nobody else begins to look.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::sync::Mutex;

/// How long the memory may take to show that it can be used: whoever watches over a service gives up soon.
const LONGEST_LOOK: Duration = Duration::from_secs(2);

/// How long an answer holds for those who ask next.
const HOLDS: Duration = Duration::from_millis(100);

/// What was found last, and when. Held by whoever looks.
#[derive(Debug, Default)]
pub(super) struct Health(Arc<Mutex<Option<(Instant, bool)>>>);

impl Health {
    /// Whether the memory can be used, as somebody found just now or as `look` finds.
    pub(super) async fn is_well(&self, look: impl FnOnce() -> bool + Send + 'static) -> bool {
        let found = async {
            let mut last = self.0.clone().lock_owned().await;
            if let Some((at, is_well)) = *last
                && at.elapsed() < HOLDS
            {
                return is_well;
            }
            // It holds the lock until it has ended, also when nobody waits for it any more.
            let looking = tokio::task::spawn_blocking(move || {
                let is_well = look();
                *last = Some((Instant::now(), is_well));
                is_well
            });
            looking.await.unwrap_or(false)
        };
        let found = tokio::time::timeout(LONGEST_LOOK, found).await;
        found.unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    };

    use tokio::{runtime::Builder, task::JoinSet};

    use super::*;

    #[test]
    fn however_many_ask_one_looks_and_one_that_finds_no_end_is_the_only_one() {
        let runtime = Builder::new_current_thread()
            .enable_time()
            .build()
            .expect("a runtime");
        let (health, looks) = (Arc::new(Health::default()), Arc::new(AtomicUsize::new(0)));
        let (end, ended) = mpsc::channel::<()>();
        let ended = Arc::new(std::sync::Mutex::new(ended));
        runtime.block_on(async {
            let mut asking = JoinSet::new();
            for _ in 0..200 {
                let (health, looks, ended) = (health.clone(), looks.clone(), ended.clone());
                asking.spawn(async move {
                    let look = move || {
                        looks.fetch_add(1, Ordering::Relaxed);
                        let ended = ended.lock().expect("one at a time");
                        ended.recv().is_ok()
                    };
                    health.is_well(look).await
                });
            }
            // Nobody is kept waiting for longer than a look may take.
            let found = asking.join_all().await;
            assert!(found.iter().all(|is_well| !is_well));
            assert_eq!(looks.load(Ordering::Relaxed), 1);
            end.send(()).expect("it looks");
        });
    }
}
