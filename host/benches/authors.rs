//! What the same adapter costs in Rust, JavaScript and Python: its size, compiling it, loading what was compiled, a call,
//! and the memory it holds after 2,000 of them.
//!
//! ```sh
//! cargo bench -p twiceshy --bench authors
//! ```
//!
//! The projects are those of `twiceshy adapter new`, built by their own scripts, once, below the target directory.

use std::{
    env, fs,
    hint::black_box,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use twiceshy::{
    Adapter, Adapters, Cache, Home, Place, Project, Settings,
    wit::adapter::{Goal, Step},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_twiceshy");

fn main() {
    let around = Path::new(env!("CARGO_TARGET_TMPDIR")).join("authors-bench");
    fs::create_dir_all(&around).expect("a directory");
    println!(
        "{:<12} {:>10} {:>12} {:>12} {:>12} {:>12}",
        "adapter in", "size", "compile", "load", "call", "memory"
    );
    for language in ["rust", "js", "python"] {
        let component = build(&around.join(language), language);
        let bytes = fs::read(&component).expect("a component");
        let started = Instant::now();
        black_box(Adapter::from_bytes("orders", &bytes).expect("an adapter"));
        let compile = started.elapsed();

        let adapters = || adapters(&around.join("home").join(language));
        adapters()
            .install(&component, Place::User)
            .expect("installed");
        let load = median(20, || adapters().get("orders").expect("an adapter"));
        let adapter = adapters().get("orders").expect("an adapter");
        let (goal, step) = step();
        let call = median(2_000, || {
            adapter.assess(&goal, &[], &step).expect("feedback")
        });
        println!(
            "{language:<12} {:>7} KB {:>9.0} ms {:>9.2} ms {:>9.1} µs {:>8} KiB",
            bytes.len() / 1_000,
            compile.as_secs_f64() * 1e3,
            load.as_secs_f64() * 1e3,
            call.as_secs_f64() * 1e6,
            adapter.memory_bytes() >> 10
        );
    }
}

/// Makes a project and builds it, unless that was done before.
fn build(project: &Path, language: &str) -> PathBuf {
    let component = project.join("adapter.wasm");
    if component.exists() {
        return component;
    }
    let run = |command: &mut Command| {
        let status = command.status().expect("it starts");
        assert!(status.success(), "{command:?}");
    };
    if !project.exists() {
        run(Command::new(PROGRAM)
            .args(["adapter", "new", "orders", "--lang", language, "--dir"])
            .arg(project));
    }
    run(Command::new("./build.sh").current_dir(project));
    component
}

/// The adapters of a user with this home, as a new process finds them.
fn adapters(home: &Path) -> Adapters {
    // SAFETY: nothing else runs in this process.
    unsafe { env::set_var("TWICESHY_HOME", home) };
    let home = Home::find();
    let cache = Cache::new(home.cache(), |_| {});
    let project = Project::at(home.directory().join("project"));
    Adapters::of(&home, &project, &Settings::default(), cache)
}

/// A request whose answer has 1 KB.
fn step() -> (Goal, Step) {
    let goal = Goal {
        task: "fetch the orders".into(),
        domain: "orders".into(),
        expectations: r#"{"members": ["items", "next"], "items": 40, "requests": 4}"#.into(),
    };
    let items: Vec<_> = (0..20)
        .map(|item| format!(r#"{{"id": {item}, "customer": "somebody", "total": 12.5}}"#))
        .collect();
    let step = Step {
        before: r#"{"items": 0, "requests": 0}"#.into(),
        action: r#"{"method": "GET", "path": "/orders?page=1"}"#.into(),
        observation: format!(
            r#"{{"status": 200, "body": {{"items": [{}], "next": 2}}, "items": 20, "requests": 1}}"#,
            items.join(", ")
        ),
    };
    (goal, step)
}

fn median<T>(times: usize, mut work: impl FnMut() -> T) -> Duration {
    let mut measured: Vec<_> = (0..times)
        .map(|_| {
            let started = Instant::now();
            black_box(work());
            started.elapsed()
        })
        .collect();
    measured.sort();
    measured[times / 2]
}
