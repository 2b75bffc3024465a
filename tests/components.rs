//! The components: what is embedded imports nothing from WASI; built for WASI, the same sources do the same.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use twiceshy::{
    Adapter, MapStore, MemoryComponent, PluginErrorKind,
    wit::{
        adapter::{Goal, Step},
        host::Clock,
        memory::{Ending, Lessons, NewRun, Observed, Recall, Runs},
    },
};

use crate::support::{build_guests, compiled};

/// A clock that stands still.
pub struct Noon;

impl Clock for Noon {
    fn now(&self) -> u64 {
        1_704_110_400_000
    }
}

/// The guests built for `wasm32-wasip2`, once for all tests.
fn wasi_guests() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let packages = [
            "--package",
            "twiceshy-memory",
            "--package",
            "twiceshy-adapter-cli",
        ];
        build_guests("wasm32-wasip2", &packages).join("wasm32-wasip2/guest")
    })
}

fn step() -> (Goal, Step) {
    let goal = Goal {
        task: "read it".into(),
        domain: "cli".into(),
        expectations: String::new(),
    };
    let step = Step {
        before: String::new(),
        action: r#"{"command": ["cat", "a b.txt"]}"#.into(),
        observation: r#"{"exit": 1, "stdout": "", "stderr": "cat: a b.txt: No such file or directory", "duration-ms": 3}"#.into(),
    };
    (goal, step)
}

/// One whole loop through a memory and an adapter, as JSON.
fn whole_loop(component: &MemoryComponent, adapter: &Adapter) -> String {
    let memory = component.over(MapStore::new()).clock(Noon).build();
    let (goal, step) = step();
    let feedback = adapter.assess(&goal, &[], &step).expect("feedback");
    let observed = Observed { step, feedback };
    let run = NewRun {
        id: None,
        task: goal.task,
        domain: goal.domain,
        hold_out: None,
        ..NewRun::default()
    };
    let ending = Ending {
        outcome: None,
        score: Some(0.25),
        referee: None,
    };
    let first = memory
        .submit(&run, std::slice::from_ref(&observed), &ending)
        .expect("a run");
    let fingerprint = first.reactions[0]
        .failure
        .clone()
        .expect("an event")
        .fingerprint;
    let proposal =
        format!(r#"{{"rule-text": "ls first", "trigger-fingerprints": ["{fingerprint}"]}}"#);
    memory
        .propose(&serde_json::from_str(&proposal).unwrap())
        .expect("a lesson");
    let second = memory.submit(&run, &[observed], &ending).expect("a run");
    assert_eq!(second.reactions[0].hints.len(), 1);
    serde_json::to_string(&(first, second)).unwrap()
}

#[test]
fn what_is_embedded_imports_nothing_from_wasi() {
    let expected = ["store", "archive", "embedder", "model", "clock", "log"]
        .map(|name| format!("twiceshy:host/{name}@0.1.0"));
    assert_eq!(twiceshy_guests::MEMORY.imports, expected);
    for adapter in twiceshy_guests::ADAPTERS {
        // An adapter may leave its last words, and gets nothing else.
        let last_words = "twiceshy:adapter/diagnostics@0.1.0";
        let foreign = adapter.imports.iter().find(|import| **import != last_words);
        assert_eq!(foreign, None, "{}", adapter.name);
    }
}

#[test]
fn built_for_wasi_the_same_sources_give_the_same_bytes_of_answers() {
    let read = |name: &str| std::fs::read(wasi_guests().join(name)).expect("a guest");
    let (memory, cli) = (
        read("twiceshy_memory.wasm"),
        read("twiceshy_adapter_cli.wasm"),
    );
    for guest in [&memory, &cli] {
        assert!(
            guest.windows(9).any(|window| window == b"wasi:cli/"),
            "an ordinary WASI component"
        );
    }
    let embedded = whole_loop(
        &MemoryComponent::bundled(&compiled()).unwrap(),
        &Adapter::cli(&compiled()).unwrap(),
    );
    let wasi = whole_loop(
        &MemoryComponent::from_bytes(&memory).unwrap(),
        &Adapter::from_bytes("cli", &cli).unwrap(),
    );
    assert_eq!(embedded, wasi);
}

#[test]
fn the_component_and_the_native_engine_give_the_same_bytes() {
    use twiceshy::{Unavailable, wit::adapter::Assess};
    use twiceshy_engine::{Engine, Ports};
    let store = MapStore::new();
    let ports = Ports {
        store: &store,
        archive: &Unavailable,
        embedder: &Unavailable,
        model: &Unavailable,
        clock: &Noon,
        log: &Unavailable,
    };
    let engine = Engine::new(ports);
    let memory = MemoryComponent::bundled(&compiled())
        .unwrap()
        .over(MapStore::new())
        .clock(Noon)
        .build();
    let (goal, step) = step();
    let native = twiceshy_adapter_cli::Cli.assess(&goal, &[], &step).unwrap();
    let sandboxed = Adapter::cli(&compiled())
        .unwrap()
        .assess(&goal, &[], &step)
        .unwrap();
    assert_eq!(native, sandboxed);
    let run = NewRun {
        id: None,
        task: goal.task,
        domain: goal.domain,
        hold_out: None,
        ..NewRun::default()
    };
    let ending = Ending {
        outcome: None,
        score: None,
        referee: None,
    };
    let steps = [Observed {
        step,
        feedback: native,
    }];
    let json = |submitted| serde_json::to_string(&submitted).unwrap();
    let native = json(engine.submit(&run, &steps, &ending).unwrap());
    assert_eq!(native, json(memory.submit(&run, &steps, &ending).unwrap()));
    let failure =
        serde_json::from_str(r#"{"evidence": "x", "domain": "cli", "task": ""}"#).unwrap();
    assert_eq!(
        engine.on_error(&failure).unwrap(),
        memory.on_error(&failure).unwrap()
    );
}

#[test]
fn an_adapter_that_is_none_is_refused_in_words() {
    // A component that is something else; the memory would take seconds to compile before it is refused.
    let other = wat::parse_str("(component)").unwrap();
    for bytes in [&b""[..], b"\0asm", &other] {
        let error = Adapter::from_bytes("odd", bytes).unwrap_err();
        assert_eq!(error.kind, PluginErrorKind::Incompatible, "{error}");
        assert!(error.to_string().contains("adapter `odd`"), "{error}");
    }
}

#[test]
fn an_adapter_refuses_a_step_it_can_not_read_and_goes_on() {
    let adapter = Adapter::cli(&compiled()).unwrap();
    let (goal, good) = step();
    let bad = Step {
        observation: "{".into(),
        ..good.clone()
    };
    let error = adapter.assess(&goal, &[], &bad).unwrap_err();
    assert_eq!(error.kind, PluginErrorKind::Refused, "{error}");
    assert!(adapter.assess(&goal, &[], &good).is_ok());
}
