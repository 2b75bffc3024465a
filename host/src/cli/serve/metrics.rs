//! What a service counts, in the text form of Prometheus.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

/// Upper bounds of the buckets of time, in seconds.
const BOUNDS: [f64; 10] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 10.0,
];

/// All counts.
#[derive(Debug, Default)]
pub(super) struct Metrics {
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    times: Mutex<BTreeMap<String, Times>>,
    open: AtomicI64,
}

#[derive(Debug, Default)]
struct Times {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    /// Counts a request that is being answered, until it is dropped.
    pub(super) fn begin(&self) -> Open<'_> {
        self.open.fetch_add(1, Ordering::Relaxed);
        Open(&self.open)
    }

    /// Counts an answer. The route is one of a fixed set of names: what a stranger asks for is no label.
    pub(super) fn record(&self, route: &str, status: u16, took: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((route.to_owned(), status)).or_default() += 1;
        drop(requests);
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let times = times.entry(route.to_owned()).or_default();
        let seconds = took.as_secs_f64();
        for (bucket, bound) in times.buckets.iter_mut().zip(BOUNDS) {
            *bucket += u64::from(seconds <= bound);
        }
        times.count += 1;
        times.seconds += seconds;
    }

    /// Everything, as Prometheus reads it.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "# HELP twiceshy_info The version of the program.\n# TYPE twiceshy_info gauge\n\
             twiceshy_info{{version=\"{}\"}} 1\n\
             # HELP twiceshy_requests_open Requests that are being answered.\n# TYPE twiceshy_requests_open gauge\n\
             twiceshy_requests_open {}\n\
             # HELP twiceshy_requests_total Answers by function and status.\n# TYPE twiceshy_requests_total counter\n",
            env!("CARGO_PKG_VERSION"),
            self.open.load(Ordering::Relaxed)
        );
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        for ((route, status), count) in &*requests {
            let _ = writeln!(
                text,
                "twiceshy_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}"
            );
        }
        drop(requests);
        text.push_str(
            "# HELP twiceshy_request_seconds How long answers took.\n# TYPE twiceshy_request_seconds histogram\n",
        );
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        for (route, times) in &*times {
            for (bucket, bound) in times.buckets.iter().zip(BOUNDS) {
                let _ = writeln!(
                    text,
                    "twiceshy_request_seconds_bucket{{route=\"{route}\",le=\"{bound}\"}} {bucket}"
                );
            }
            let (count, seconds) = (times.count, times.seconds);
            let _ = writeln!(
                text,
                "twiceshy_request_seconds_bucket{{route=\"{route}\",le=\"+Inf\"}} {count}\n\
                 twiceshy_request_seconds_sum{{route=\"{route}\"}} {seconds}\n\
                 twiceshy_request_seconds_count{{route=\"{route}\"}} {count}"
            );
        }
        text
    }
}

/// A request that is being answered.
pub(super) struct Open<'m>(&'m AtomicI64);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_by_route_status_and_time() {
        let metrics = Metrics::default();
        metrics.record("recall.on-error", 200, Duration::from_millis(2));
        metrics.record("recall.on-error", 200, Duration::from_millis(20));
        metrics.record("recall.on-error", 400, Duration::from_millis(1));
        let open = metrics.begin();
        let text = metrics.text();
        for line in [
            "twiceshy_requests_open 1",
            "twiceshy_requests_total{route=\"recall.on-error\",status=\"200\"} 2",
            "twiceshy_requests_total{route=\"recall.on-error\",status=\"400\"} 1",
            "twiceshy_request_seconds_bucket{route=\"recall.on-error\",le=\"0.0025\"} 2",
            "twiceshy_request_seconds_bucket{route=\"recall.on-error\",le=\"+Inf\"} 3",
            "twiceshy_request_seconds_count{route=\"recall.on-error\"} 3",
        ] {
            assert!(text.lines().any(|one| one == line), "{line} in\n{text}");
        }
        drop(open);
        assert!(metrics.text().contains("twiceshy_requests_open 0"));
    }
}
