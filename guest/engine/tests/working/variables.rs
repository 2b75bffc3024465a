//! Typed variables and how long they live.

use super::*;

#[test]
fn variables_live_as_long_as_their_scope_says() {
    let world = World::new();
    let engine = begun(&world);
    let set = |scope, key: &str, kind| {
        let variable = Variable {
            kind,
            ..variable(scope, key, "2")
        };
        engine.set(RUN, &variable).expect("set");
    };
    let control = Some(VariableType::ControlFlow);
    set(VariableScope::ExecutionScope, "parent_task", None);
    engine
        .push_state(RUN, &at("execution", Some("encode")))
        .expect("pushed");
    set(VariableScope::Global, "working_directory", None);
    set(VariableScope::TaskScope, "target_file", None);
    set(VariableScope::ExecutionScope, "attempt", None);
    set(VariableScope::TaskScope, "retry_count", control);
    set(
        VariableScope::IntermediateValues,
        "files_modified",
        Some(VariableType::Accumulator),
    );
    set(VariableScope::IntermediateValues, "jwt_library", None);
    set(VariableScope::Metadata, "tokens_consumed", None);
    // The same subtask goes on.
    engine
        .push_state(RUN, &at("testing", Some("encode")))
        .expect("pushed");
    assert!(value(&engine, VariableScope::ExecutionScope, "attempt").is_some());
    engine
        .push_state(RUN, &at("execution", Some("decode")))
        .expect("pushed");
    let gone = [
        (VariableScope::ExecutionScope, "attempt"),
        (VariableScope::TaskScope, "retry_count"),
    ];
    for (scope, key) in gone {
        assert_eq!(value(&engine, scope, key), None, "{key}");
    }
    let there = [
        (VariableScope::ExecutionScope, "parent_task"),
        (VariableScope::Global, "working_directory"),
        (VariableScope::TaskScope, "target_file"),
        (VariableScope::IntermediateValues, "files_modified"),
        (VariableScope::IntermediateValues, "jwt_library"),
        (VariableScope::Metadata, "tokens_consumed"),
    ];
    for (scope, key) in there {
        assert!(value(&engine, scope, key).is_some(), "{key}");
    }
    let found = Working::get(
        &engine,
        RUN,
        "files_modified",
        VariableScope::IntermediateValues,
    );
    assert_eq!(found.expect("there").kind, Some(VariableType::Accumulator));
    // An accumulator stays in sight when the values beside it are pruned.
    engine
        .set(
            RUN,
            &variable(VariableScope::IntermediateValues, "jwt_library", &words(80)),
        )
        .expect("set");
    for number in 0..6 {
        engine
            .add_intermediate(RUN, &output(&format!("s{number}"), "done"))
            .expect("added");
    }
    let size = Working::prune(&engine, RUN).expect("pruned");
    assert_eq!(size.pruned, ["intermediate-values-jwt_library"]);
}

#[test]
fn a_read_is_counted_and_what_is_not_there_is_null() {
    let world = World::new();
    let engine = begun(&world);
    engine
        .set(
            RUN,
            &variable(VariableScope::TaskScope, "target", r#"{"snake_case": [1]}"#),
        )
        .expect("set");
    for _ in 0..3 {
        assert_eq!(
            value(&engine, VariableScope::TaskScope, "target").as_deref(),
            Some(r#"{"snake_case": [1]}"#)
        );
    }
    let memory = engine.view(RUN).expect("a view");
    assert_eq!(item(&memory, "task-scope-target").accesses, 3);
    let none = Working::get(&engine, RUN, "target", VariableScope::Global).expect("an answer");
    assert_eq!(
        (none.found, none.value.as_str(), none.kind),
        (false, "null", None)
    );
    // Null takes a variable out; a word that is no JSON is a string.
    engine
        .set(RUN, &variable(VariableScope::TaskScope, "target", "null"))
        .expect("taken out");
    assert_eq!(value(&engine, VariableScope::TaskScope, "target"), None);
    engine
        .set(RUN, &variable(VariableScope::TaskScope, "library", "PyJWT"))
        .expect("set");
    assert_eq!(
        value(&engine, VariableScope::TaskScope, "library").as_deref(),
        Some(r#""PyJWT""#)
    );
    let refused = engine.set(RUN, &variable(VariableScope::Global, "", "1"));
    assert!(
        matches!(refused, Err(Error::InvalidArgument(_))),
        "{refused:?}"
    );
    let nowhere = Working::get(&engine, "nowhere", "target", VariableScope::Global);
    assert!(matches!(nowhere, Err(Error::NotFound(_))), "{nowhere:?}");
}

#[test]
fn a_value_larger_than_its_section_is_refused_and_changes_nothing() {
    let world = World::new();
    let engine = begun(&world);
    let before = engine.view(RUN).expect("a view");
    let refused = engine.set(RUN, &variable(VariableScope::Global, "all", &words(2_100)));
    let Err(Error::Conflict(message)) = refused else {
        panic!("{refused:?}")
    };
    assert!(
        message.contains("system-context") && message.contains("2000"),
        "{message}"
    );
    assert_eq!(engine.view(RUN).expect("a view"), before);
}
