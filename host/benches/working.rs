//! What the operations of a full working memory cost, with the native engine beside the component.
//!
//! ```sh
//! cargo bench -p twiceshy --bench working
//! ```

use std::{
    fs,
    hint::black_box,
    path::Path,
    time::{Duration, Instant},
};

use twiceshy::{
    Cache, MemoryComponent, Options, SqliteStore, SystemClock, Unavailable,
    wit::memory::{
        ExecutionState, Intermediate, NewRun, ParsedTask, Rendering, Runs, SystemContext, Variable,
        VariableScope, Working,
    },
};
use twiceshy_engine::{Engine, Ports};

/// How often each operation is measured.
const TURNS: u32 = 500;

fn main() {
    let directory = std::env::temp_dir().join(format!("twiceshy-working-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("a directory");
    let cache = Cache::new(directory.join("cache"), |_| {});
    let component = MemoryComponent::bundled(&cache).expect("memory");
    let memory = component
        .over(store(&directory.join("component.db")))
        .build();
    let native = store(&directory.join("native.db"));
    let engine = Engine::new(Ports {
        store: &native,
        archive: &Unavailable,
        embedder: &Unavailable,
        model: &Unavailable,
        clock: &SystemClock,
        log: &Unavailable,
    });
    fill(&memory);
    fill(&engine);
    let all = memory.view("bench").expect("a view");
    println!(
        "{} contents, {} of {} tokens, on SQLite\n",
        all.items.len(),
        all.tokens,
        all.budget
    );
    println!(
        "{:<34} {:>22} {:>22}",
        "", "component p50 / p99", "native p50 / p99"
    );
    type Operation = (&'static str, fn(&dyn Working, u32));
    let operations: [Operation; 10] = [
        ("get", |memory, turn| {
            let key = format!("value_{}", turn % 20);
            black_box(
                memory
                    .get("bench", &key, VariableScope::TaskScope)
                    .expect("read"),
            );
        }),
        ("set", |memory, turn| {
            let variable = variable(&format!("value_{}", turn % 20), turn);
            black_box(memory.set("bench", &variable).expect("set"));
        }),
        ("push-state", |memory, turn| {
            black_box(memory.push_state("bench", &state(turn)).expect("pushed"));
        }),
        ("add-intermediate, and make room", |memory, turn| {
            let added = memory.add_intermediate("bench", &intermediate(1_000 + turn));
            black_box(added.expect("added"));
        }),
        ("fetch what was moved out", |memory, turn| {
            let id = format!("intermediate-values-subtask_{}", 1_000 + turn % 100);
            black_box(memory.fetch("bench", &id).expect("fetched"));
        }),
        ("prune, with nothing to move", |memory, _| {
            black_box(memory.prune("bench").expect("pruned"));
        }),
        ("take-snapshot", |memory, _| {
            black_box(memory.take_snapshot("bench", "bench").expect("taken"));
        }),
        ("rollback", |memory, _| {
            let last = memory.snapshots("bench").expect("listed");
            let id = &last.last().expect("a snapshot").id;
            black_box(memory.rollback("bench", id).expect("gone back"));
        }),
        ("view", |memory, _| {
            black_box(memory.view("bench").expect("a view"));
        }),
        ("render", |memory, _| {
            black_box(memory.render("bench", &Rendering::default()).expect("text"));
        }),
    ];
    for (name, operation) in operations {
        let times = [&memory as &dyn Working, &engine].map(|memory| measured(memory, operation));
        println!("{name:<34} {:>22} {:>22}", times[0], times[1]);
    }
    fs::remove_dir_all(&directory).expect("cleaned up");
}

fn store(file: &Path) -> SqliteStore {
    SqliteStore::open(file, Options::default()).expect("store")
}

fn measured(memory: &dyn Working, operation: fn(&dyn Working, u32)) -> String {
    for turn in 0..20 {
        operation(memory, turn);
    }
    let mut times: Vec<_> = (20..20 + TURNS)
        .map(|turn| {
            let begun = Instant::now();
            operation(memory, turn);
            begun.elapsed()
        })
        .collect();
    times.sort();
    let at = |share: u32| times[(TURNS * share / 100) as usize];
    format!("{} / {}", shown(at(50)), shown(at(99)))
}

fn shown(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1_000.0)
}

/// A run with a working memory whose sections are as good as full.
fn fill(memory: &(impl Runs + Working)) {
    memory
        .start(&NewRun {
            id: Some("bench".to_owned()),
            task: "Add JWT authentication".to_owned(),
            domain: "cli".to_owned(),
            ..NewRun::default()
        })
        .expect("a run");
    let context = SystemContext {
        tools: (0..40)
            .map(|number| format!("tool {number} {}", words(20)))
            .collect(),
        ..SystemContext::default()
    };
    memory.init("bench", &context).expect("begun");
    let task = ParsedTask {
        plan: (0..40)
            .map(|number| format!("step {number} {}", words(20)))
            .collect(),
        ..ParsedTask::default()
    };
    memory.load_task("bench", &task).expect("loaded");
    for number in 0..20 {
        let variable = variable(&format!("value_{number}"), number);
        memory.set("bench", &variable).expect("set");
    }
    memory.push_state("bench", &state(1)).expect("pushed");
    for number in 0..60 {
        memory
            .add_intermediate("bench", &intermediate(number))
            .expect("added");
    }
}

fn variable(key: &str, number: u32) -> Variable {
    Variable {
        key: key.to_owned(),
        value: format!("\"{number} {}\"", words(100)),
        scope: VariableScope::TaskScope,
        kind: None,
    }
}

fn intermediate(number: u32) -> Intermediate {
    Intermediate {
        subtask: format!("subtask_{number}"),
        output: format!("\"{number} {}\"", words(300)),
        kind: "generated_code".to_owned(),
        needed_by: Vec::new(),
        trace: None,
    }
}

fn state(turn: u32) -> ExecutionState {
    ExecutionState {
        phase: "execution".to_owned(),
        current_subtask: Some(format!("subtask_{turn}")),
        progress: Some(0.5),
        completed: (0..60).map(|number| format!("subtask_{number}")).collect(),
        in_progress: Vec::new(),
        failed: Vec::new(),
    }
}

/// Words that cost so many tokens.
fn words(tokens: usize) -> String {
    "word ".repeat(tokens).chars().take(tokens * 4).collect()
}
