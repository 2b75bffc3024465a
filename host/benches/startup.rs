//! What a start of `twiceshy run` is made of, and what a call costs once it is warm, with the native
//! engine beside the component.
//!
//! ```sh
//! cargo bench -p twiceshy --bench startup
//! ```

mod cli_step;

use std::{
    fs,
    hint::black_box,
    time::{Duration, Instant},
};

use twiceshy::{
    Adapter, Cache, MapStore, MemoryComponent, Options, SqliteStore, SystemClock, Unavailable,
    wit::memory::{Ending, Events, NewRun, Observed, Runs},
};
use twiceshy_engine::{Engine, Ports};

fn main() {
    let directory = std::env::temp_dir().join(format!("twiceshy-bench-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("a directory");
    let cache = Cache::new(directory.join("cache"), |name| println!("compiling {name}"));
    once("compile both components, once", || {
        black_box(MemoryComponent::bundled(&cache).expect("memory"));
        black_box(Adapter::cli(&cache).expect("adapter"));
    });

    println!("\nWhat a start is made of (median of 50, warm cache)");
    median("load the memory component", || {
        MemoryComponent::bundled(&cache).expect("memory")
    });
    median("load the adapter, with its first call", || {
        Adapter::cli(&cache).expect("adapter")
    });
    let file = directory.join("memory.db");
    median("open the store", || {
        SqliteStore::open(&file, Options::default()).expect("store")
    });

    let component = MemoryComponent::bundled(&cache).expect("memory");
    let store = SqliteStore::open(&file, Options::default()).expect("store");
    let memory = component.over(store).build();
    let adapter = Adapter::cli(&cache).expect("adapter");
    let (goal, step) = cli_step::step();
    let observed = Observed {
        feedback: adapter.assess(&goal, &[], &step).expect("feedback"),
        step,
    };
    let run = NewRun {
        id: None,
        task: String::new(),
        domain: "cli".into(),
        hold_out: None,
        ..NewRun::default()
    };
    let ending = Ending {
        outcome: None,
        score: None,
        referee: None,
    };
    median("remember one failed step, durably", || {
        memory
            .submit(&run, std::slice::from_ref(&observed), &ending)
            .expect("remembered")
    });

    println!("\nWhat a call costs (median of 50, no disk)");
    let memory = component.over(MapStore::new()).build();
    median("remember one failed step, component", || {
        memory
            .submit(&run, std::slice::from_ref(&observed), &ending)
            .expect("remembered")
    });
    let store = MapStore::new();
    let engine = Engine::new(Ports {
        store: &store,
        archive: &Unavailable,
        embedder: &Unavailable,
        model: &Unavailable,
        clock: &SystemClock,
        log: &Unavailable,
    });
    median("remember one failed step, native engine", || {
        engine
            .submit(&run, std::slice::from_ref(&observed), &ending)
            .expect("remembered")
    });
    let short = "cat: notes-17.txt: No such file or directory";
    median("fingerprint a short error, component", || {
        memory.fingerprint_of(short)
    });
    median("fingerprint a short error, native engine", || {
        engine.fingerprint_of(short)
    });
    let log: String = (0..200_000)
        .map(|line| format!("[{line}] worker 7 did a thing in 12 ms\n"))
        .collect();
    println!("\nA log of {} MB", log.len() / 1_000_000);
    once("fingerprint, component", || memory.fingerprint_of(&log));
    once("fingerprint, native engine", || engine.fingerprint_of(&log));
    fs::remove_dir_all(&directory).expect("cleaned up");
}

fn once<T>(name: &str, work: impl FnOnce() -> T) {
    let started = Instant::now();
    black_box(work());
    show(name, started.elapsed());
}

fn median<T>(name: &str, mut work: impl FnMut() -> T) {
    let mut times: Vec<_> = (0..50)
        .map(|_| {
            let started = Instant::now();
            black_box(work());
            started.elapsed()
        })
        .collect();
    times.sort();
    show(name, times[times.len() / 2]);
}

fn show(name: &str, time: Duration) {
    println!("{name:<44} {:>10.3} ms", time.as_secs_f64() * 1_000.0);
}
