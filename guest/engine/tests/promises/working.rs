//! Working memory: what is in each scope, what of the last subtasks stays in sight, and that every turn is the present.

use twiceshy_engine::Engine;
use twiceshy_wit::memory::{
    ExecutionState, Intermediate, LessonKind, NewPattern, Patterns, Runs, Section, SystemContext,
    Variable, VariableScope, Working,
};

use crate::support::{World, ending, failure, pattern, run};

const RUN: &str = "task_12345";

fn begun(world: &World) -> Engine<'_> {
    let engine = world.engine();
    let mut new = run("Add JWT authentication");
    new.id = Some(RUN.to_owned());
    engine.start(&new).unwrap();
    engine.init(RUN, &SystemContext::default()).unwrap();
    engine
}

fn set(engine: &Engine, scope: VariableScope, key: &str, value: &str) {
    let variable = Variable {
        key: key.to_owned(),
        value: value.to_owned(),
        scope,
        kind: None,
    };
    engine.set(RUN, &variable).unwrap();
}

fn get(engine: &Engine, scope: VariableScope, key: &str) -> Option<String> {
    let found = Working::get(engine, RUN, key, scope).unwrap();
    found.found.then_some(found.value)
}

fn turn(phase: &str, subtask: &str) -> ExecutionState {
    ExecutionState {
        phase: phase.to_owned(),
        current_subtask: Some(subtask.to_owned()),
        progress: None,
        completed: Vec::new(),
        in_progress: Vec::new(),
        failed: Vec::new(),
    }
}

fn output(subtask: &str, output: &str) -> Intermediate {
    Intermediate {
        subtask: subtask.to_owned(),
        output: serde_json::Value::from(output).to_string(),
        kind: "library_choice".to_owned(),
        needed_by: Vec::new(),
        trace: None,
    }
}

#[test]
fn the_global_scope_has_the_task_by_itself_and_user_and_directory_once_they_are_set() {
    let world = World::new();
    let engine = begun(&world);
    let global = VariableScope::Global;
    assert_eq!(
        get(&engine, global, "task_id").as_deref(),
        Some(r#""task_12345""#)
    );
    assert_eq!(get(&engine, global, "user_id"), None, "nobody has said who");
    for (key, value) in [
        ("user_id", r#""user_789""#),
        ("working_directory", r#""/project/src""#),
    ] {
        set(&engine, global, key, value);
        assert_eq!(get(&engine, global, key).as_deref(), Some(value));
    }
    // Throughout the task, whatever it is at.
    for number in 0..9 {
        let state = turn("execution", &format!("subtask_{number:03}"));
        engine.push_state(RUN, &state).unwrap();
    }
    for key in ["task_id", "user_id", "working_directory"] {
        assert!(get(&engine, global, key).is_some(), "{key}");
    }
}

#[test]
fn the_execution_scope_has_phase_and_subtask_of_the_state_and_the_parent_that_is_set() {
    let world = World::new();
    let engine = begun(&world);
    let scope = VariableScope::ExecutionScope;
    engine
        .push_state(RUN, &turn("implementation", "create_jwt_encoder"))
        .unwrap();
    set(&engine, scope, "parent_task", r#""implement_jwt""#);
    for (key, value) in [
        ("current_phase", r#""implementation""#),
        ("current_subtask", r#""create_jwt_encoder""#),
        ("parent_task", r#""implement_jwt""#),
    ] {
        assert_eq!(get(&engine, scope, key).as_deref(), Some(value), "{key}");
    }
    engine
        .push_state(RUN, &turn("testing", "create_jwt_encoder"))
        .unwrap();
    assert_eq!(
        get(&engine, scope, "current_phase").as_deref(),
        Some(r#""testing""#)
    );
    assert!(
        get(&engine, scope, "parent_task").is_some(),
        "the same subtask goes on"
    );
}

#[test]
fn metadata_has_its_start_by_itself_and_keeps_tokens_calls_and_cost_beyond_the_task() {
    let world = World::new();
    let engine = begun(&world);
    let scope = VariableScope::Metadata;
    assert_eq!(
        get(&engine, scope, "start_time").as_deref(),
        Some(r#""2024-01-01T00:00:00Z""#)
    );
    for (key, value) in [
        ("tokens_consumed", "15420"),
        ("llm_calls", "8"),
        ("cost", "0.12"),
    ] {
        set(&engine, scope, key, value);
        assert_eq!(get(&engine, scope, key).as_deref(), Some(value));
    }
    engine.finish(RUN, &ending()).unwrap();
    let left = engine.metadata(RUN).unwrap().variables;
    let mut left: Vec<_> = left
        .iter()
        .map(|one| (one.key.as_str(), one.value.as_str()))
        .collect();
    left.sort_unstable();
    assert_eq!(
        left,
        [
            ("cost", "0.12"),
            ("llm_calls", "8"),
            ("start_time", r#""2024-01-01T00:00:00Z""#),
            ("tokens_consumed", "15420"),
        ]
    );
}

#[test]
fn the_outputs_of_the_last_seven_subtasks_are_in_sight_with_values_and_references_beside_them() {
    let world = World::new();
    let engine = begun(&world);
    for number in 1..=7 {
        let choice = output(&format!("subtask_{number:03}"), &format!("choice {number}"));
        engine.add_intermediate(RUN, &choice).unwrap();
    }
    let scope = VariableScope::IntermediateValues;
    set(&engine, scope, "rows_counted", "120");
    set(&engine, scope, "log_file", r#""/tmp/build.log""#);
    let memory = engine.view(RUN).unwrap();
    let results: Vec<_> = memory
        .items
        .iter()
        .filter(|item| item.section == Section::IntermediateResults)
        .collect();
    for number in 1..=7 {
        let text = format!("choice {number}");
        let shown = results.iter().find(|item| item.text.contains(&text));
        assert!(shown.is_some_and(|item| !item.is_reference), "{text}");
    }
    for value in ["120", "/tmp/build.log"] {
        assert!(
            results.iter().any(|item| item.text.contains(value)),
            "{value}"
        );
    }
    // Long after, when room is short, a reference stays and leads back to the output.
    for number in 8..=60 {
        let large = output(
            &format!("subtask_{number:03}"),
            &format!("large {number} ").repeat(200),
        );
        engine.add_intermediate(RUN, &large).unwrap();
    }
    let memory = engine.view(RUN).unwrap();
    assert!(memory.tokens <= memory.budget, "{} tokens", memory.tokens);
    let first = "intermediate-values-subtask_001";
    assert!(engine.fetch(RUN, first).unwrap().contains("choice 1"));
}

#[test]
fn every_turn_is_the_present_state_at_once_in_view_and_on_the_page() {
    let world = World::new();
    let engine = begun(&world);
    for (phase, subtask) in [
        ("analysis", "read the code"),
        ("planning", "choose a library"),
        ("execution", "write the encoder"),
    ] {
        world.pass(1_000);
        engine.push_state(RUN, &turn(phase, subtask)).unwrap();
        let state = engine.view(RUN).unwrap().state.expect("a state");
        assert_eq!(
            (state.phase.as_str(), state.current_subtask.as_deref()),
            (phase, Some(subtask))
        );
        let page = engine.continuity(RUN).unwrap();
        assert!(page.contains(phase) && page.contains(subtask), "{page}");
    }
    let page = engine.continuity(RUN).unwrap();
    assert!(
        !page.contains("choose a library"),
        "what was before is not now: {page}"
    );
}

#[test]
fn a_recovery_pattern_for_a_failure_comes_into_working_memory() {
    let world = World::new();
    let engine = begun(&world);
    let error = "requests.exceptions.Timeout: read timed out";
    let first = engine.observe(RUN, &failure("get /items", error)).unwrap();
    let fingerprint = first.failure.expect("a failure").fingerprint;
    let recovery = NewPattern {
        trigger_fingerprints: vec![fingerprint.clone()],
        domain: Some("cli".to_owned()),
        ..pattern(
            LessonKind::Recovery,
            "After a timeout try again with backoff",
        )
    };
    let recovery = Patterns::add(&engine, &recovery).unwrap();
    let told = engine.observe(RUN, &failure("get /items", error)).unwrap();
    assert!(
        told.hints
            .iter()
            .any(|hint| hint.lesson.id == recovery.lesson.id)
    );
    let memory = engine.view(RUN).unwrap();
    let id = format!("recovery-{fingerprint}");
    let item = memory
        .items
        .iter()
        .find(|item| item.id == id)
        .expect("it is there");
    assert_eq!(item.section, Section::RetrievedContext);
    assert!(
        item.text.contains("try again with backoff"),
        "{}",
        item.text
    );
}
