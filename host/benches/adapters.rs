//! What the sandbox of an adapter costs: one step of 1 KB, judged by a warm instance, by a fresh one, and natively.
//!
//! ```sh
//! cargo bench -p twiceshy --bench adapters
//! ```

mod cli_step;

use std::{
    fs,
    hint::black_box,
    time::{Duration, Instant},
};

use twiceshy::{Adapter, Adapters, Cache, wit::adapter::Assess};

/// Calls that are measured.
const CALLS: usize = 2_000;

fn main() {
    let directory = std::env::temp_dir().join(format!("twiceshy-bench-{}", std::process::id()));
    let cache = || Cache::new(directory.clone(), |_| {});
    let adapters = Adapters::bundled(cache());
    let cli = adapters.get("cli").expect("the adapter");
    let (goal, step) = cli_step::step();
    println!(
        "One step with an observation of {} bytes, {CALLS} calls",
        step.observation.len()
    );
    measure("the CLI adapter, natively", || {
        twiceshy_adapter_cli::Cli
            .assess(&goal, &[], &step)
            .expect("feedback")
    });
    measure("the CLI adapter, warm instance", || {
        cli.assess(&goal, &[], &step).expect("feedback")
    });
    measure("the CLI adapter, fresh instance", || {
        cli.cool();
        cli.assess(&goal, &[], &step).expect("feedback")
    });
    measure("loading it, compiled before, with `describe`", || {
        Adapter::cli(&cache()).expect("the adapter")
    });
    fs::remove_dir_all(&directory).expect("cleaned up");
}

fn measure<T>(name: &str, mut work: impl FnMut() -> T) {
    let mut times: Vec<_> = (0..CALLS)
        .map(|_| {
            let started = Instant::now();
            black_box(work());
            started.elapsed()
        })
        .collect();
    show(name, &mut times);
}

fn show(name: &str, times: &mut [Duration]) {
    times.sort();
    let microseconds = |time: Duration| time.as_secs_f64() * 1e6;
    println!(
        "{name:<46} median {:>10.1} µs   95 % {:>10.1} µs",
        microseconds(times[times.len() / 2]),
        microseconds(times[times.len() * 95 / 100])
    );
}
