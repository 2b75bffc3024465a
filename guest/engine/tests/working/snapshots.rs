//! Going back, and the end.

use super::*;

#[test]
fn going_back_to_a_snapshot_restores_everything() {
    let world = World::new();
    let engine = begun(&world);
    engine
        .load_task(RUN, &ParsedTask::default())
        .expect("loaded");
    engine
        .set(RUN, &variable(VariableScope::TaskScope, "target", "1"))
        .expect("set");
    engine
        .add_intermediate(RUN, &output("s0", &words(500)))
        .expect("added");
    let before = engine.view(RUN).expect("a view");
    let snapshot = engine
        .take_snapshot(RUN, "before the refactoring")
        .expect("taken");
    assert_eq!(snapshot.tokens, before.tokens);
    engine
        .set(RUN, &variable(VariableScope::TaskScope, "target", "2"))
        .expect("set");
    engine
        .push_state(RUN, &at("execution", Some("x")))
        .expect("pushed");
    for number in 1..8 {
        engine
            .add_intermediate(RUN, &output(&format!("s{number}"), &words(1_500)))
            .expect("added");
    }
    let later = engine.take_snapshot(RUN, "later").expect("taken");
    let after = engine.view(RUN).expect("a view");
    let size = engine.rollback(RUN, &snapshot.id).expect("gone back");
    assert_eq!(size.tokens, before.tokens);
    assert_eq!(engine.view(RUN).expect("a view"), before);
    // And forward again.
    engine.rollback(RUN, &later.id).expect("gone forward");
    assert_eq!(engine.view(RUN).expect("a view"), after);
    let labels: Vec<_> = engine
        .snapshots(RUN)
        .expect("listed")
        .into_iter()
        .map(|snapshot| (snapshot.id, snapshot.label))
        .collect();
    assert_eq!(labels[0].0, "snapshot-001");
    assert_eq!(labels[1].1, "later");
    let missing = engine.rollback(RUN, "snapshot-009");
    assert!(matches!(missing, Err(Error::NotFound(_))), "{missing:?}");
}

#[test]
fn the_oldest_of_seventeen_snapshots_goes_with_what_only_it_had() {
    let world = World::new();
    let engine = begun(&world);
    for number in 0..17 {
        engine
            .set(
                RUN,
                &variable(VariableScope::TaskScope, "step", &number.to_string()),
            )
            .expect("set");
        engine
            .take_snapshot(RUN, &number.to_string())
            .expect("taken");
    }
    let snapshots = engine.snapshots(RUN).expect("listed");
    assert_eq!(snapshots.len(), 16);
    assert_eq!(snapshots[0].label, "1");
    // system, task_id, start_time, and 16 values of the step.
    let count = |kind: &str| world.store.count(kind, &[]).expect("counted");
    assert_eq!((count("working-item"), count("working-snapshot")), (19, 16));
    engine.rollback(RUN, "snapshot-002").expect("gone back");
    assert_eq!(
        value(&engine, VariableScope::TaskScope, "step").as_deref(),
        Some("1")
    );
}

#[test]
fn the_end_of_a_run_clears_working_memory_and_keeps_metadata() {
    let world = World::new();
    let engine = begun(&world);
    engine
        .set(RUN, &variable(VariableScope::Metadata, "llm_calls", "8"))
        .expect("set");
    engine.take_snapshot(RUN, "one").expect("taken");
    engine
        .add_intermediate(RUN, &output("s0", &words(500)))
        .expect("added");
    world.pass(1_000);
    engine.finish(RUN, &ending()).expect("ended");
    for gone in [
        engine.view(RUN).map(|_| ()),
        engine
            .set(RUN, &variable(VariableScope::Global, "a", "1"))
            .map(|_| ()),
        engine.init(RUN, &SystemContext::default()).map(|_| ()),
    ] {
        assert!(matches!(gone, Err(Error::Conflict(_))), "{gone:?}");
    }
    let metadata = engine.metadata(RUN).expect("for reflection");
    let keys: Vec<_> = metadata
        .variables
        .iter()
        .map(|variable| (variable.key.as_str(), variable.value.as_str()))
        .collect();
    assert_eq!(
        keys,
        [
            ("start_time", r#""2024-01-01T00:00:00Z""#),
            ("llm_calls", "8")
        ]
    );
    assert_eq!(metadata.operations, 4);
    assert!(metadata.peak_tokens > 500);
    assert_eq!(metadata.cleared_at, crate::support::START + 1_000);
    for kind in ["working", "working-item", "working-snapshot"] {
        assert_eq!(world.store.count(kind, &[]).expect("counted"), 0, "{kind}");
    }
}

#[test]
fn it_is_cleared_by_hand_too_and_begins_again_empty() {
    let world = World::new();
    let engine = begun(&world);
    for number in 0..7 {
        engine
            .add_intermediate(RUN, &output(&format!("s{number}"), &words(100)))
            .expect("added");
    }
    Working::prune(&engine, RUN).expect("pruned");
    let metadata = engine.clear(RUN).expect("cleared");
    assert_eq!(metadata.operations, 9);
    let gone = engine.view(RUN);
    assert!(matches!(gone, Err(Error::NotFound(_))), "{gone:?}");
    engine
        .init(RUN, &SystemContext::default())
        .expect("begun again");
    let memory = engine.view(RUN).expect("a view");
    assert_eq!(
        ids(&memory),
        ["system", "global-task_id", "metadata-start_time"]
    );
    // A run without one has none that could be cleared.
    let mut other = run("another");
    other.id = Some("other".to_owned());
    engine.start(&other).expect("a run");
    assert!(matches!(engine.clear("other"), Err(Error::NotFound(_))));
    assert!(matches!(engine.metadata("other"), Err(Error::NotFound(_))));
}

#[derive(Debug, Clone)]
enum Operation {
    Set(u8, u8, usize),
    Add(u8, usize, bool, bool),
    State(u8, u8),
    Get(u8, u8),
    Prune,
    Snapshot,
    Rollback(u8),
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        4 => (0u8..5, 0u8..4, 0usize..120).prop_map(|(scope, key, size)| Operation::Set(scope, key, size)),
        4 => (0u8..20, 0usize..400, any::<bool>(), any::<bool>())
            .prop_map(|(key, size, trace, needed)| Operation::Add(key, size, trace, needed)),
        1 => (0u8..3, 0u8..30).prop_map(|(subtask, done)| Operation::State(subtask, done)),
        1 => (0u8..5, 0u8..4).prop_map(|(scope, key)| Operation::Get(scope, key)),
        1 => Just(Operation::Prune),
        1 => Just(Operation::Snapshot),
        1 => (0u8..16).prop_map(Operation::Rollback),
    ]
}

const SCOPES: [VariableScope; 5] = [
    VariableScope::Global,
    VariableScope::TaskScope,
    VariableScope::ExecutionScope,
    VariableScope::IntermediateValues,
    VariableScope::Metadata,
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_operation_passes_the_budget_and_going_back_is_the_identity(
        operations in prop::collection::vec(operation(), 1..60)
    ) {
        let world = World::new();
        let engine = begun_with(&world, Some(Budgets {
            system_context: 300,
            task_context: 300,
            execution_state: 300,
            intermediate_results: 800,
            retrieved_context: 100,
        }));
        let mut kept: Vec<(String, WorkingMemory)> = Vec::new();
        for operation in operations {
            world.pass(1);
            let done = match operation {
                Operation::Set(scope, key, size) => {
                    let name = format!("v{key}");
                    engine.set(RUN, &variable(SCOPES[usize::from(scope)], &name, &words(size))).map(|_| ())
                }
                Operation::Add(key, size, trace, needed) => {
                    let mut result = output(&format!("s{key}"), &words(size));
                    result.trace = trace.then(|| words(size));
                    result.needed_by = if needed { vec![format!("s{}", key + 1)] } else { Vec::new() };
                    engine.add_intermediate(RUN, &result).map(|_| ())
                }
                Operation::State(subtask, done) => {
                    let subtask = format!("s{subtask}");
                    let state = ExecutionState {
                        completed: (0..done).map(|number| format!("s{number}")).collect(),
                        ..at("execution", Some(&subtask))
                    };
                    engine.push_state(RUN, &state).map(|_| ())
                }
                Operation::Get(scope, key) => {
                    Working::get(&engine, RUN, &format!("v{key}"), SCOPES[usize::from(scope)]).map(|_| ())
                }
                Operation::Prune => Working::prune(&engine, RUN).map(|_| ()),
                Operation::Snapshot => {
                    let before = engine.view(RUN).expect("a view");
                    engine.take_snapshot(RUN, "").map(|snapshot| kept.push((snapshot.id, before)))
                }
                Operation::Rollback(which) => match kept.get(usize::from(which)) {
                    Some((id, before)) if kept.len() <= 16 => {
                        engine.rollback(RUN, id).expect("gone back");
                        prop_assert_eq!(&engine.view(RUN).expect("a view"), before);
                        Ok(())
                    }
                    _ => Ok(()),
                },
            };
            // A section with nothing left to cut refuses; nothing else may.
            if let Err(error) = done {
                prop_assert!(matches!(error, Error::Conflict(_)), "{:?}", error);
            }
            let memory = engine.view(RUN).expect("a view");
            for section in &memory.sections {
                prop_assert!(section.tokens <= section.budget, "{:?}", section);
            }
            let rendered = engine.render(RUN, &Rendering::default()).expect("rendered");
            prop_assert!(rendered.tokens <= memory.budget);
        }
        engine.finish(RUN, &ending()).expect("ended");
        for kind in ["working", "working-item", "working-snapshot"] {
            prop_assert_eq!(world.store.count(kind, &[]).expect("counted"), 0);
        }
    }
}
