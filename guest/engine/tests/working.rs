//! Working memory: five sections within their budgets, variables, pruning, snapshots, and the end of a run.

mod support;

use proptest::prelude::*;
use support::{World, ending, failure, proposal, run, success};
use twiceshy_engine::{Engine, insertion};
use twiceshy_wit::{host::Store, memory::*};

const RUN: &str = "run-1";

/// A run that is open, with a working memory.
fn begun(world: &World) -> Engine<'_> {
    begun_with(world, None)
}

fn begun_with(world: &World, budgets: Option<Budgets>) -> Engine<'_> {
    let engine = world.engine();
    let mut new = run("Add JWT authentication to auth.py");
    new.id = Some(RUN.to_owned());
    engine.start(&new).expect("a run");
    let context = SystemContext {
        capabilities: vec!["edit files".to_owned()],
        tools: vec!["cargo".to_owned(), "git".to_owned()],
        configuration: r#"{"model": "small"}"#.to_owned(),
        safety_bounds: vec!["never push to main".to_owned()],
        budgets,
    };
    engine.init(RUN, &context).expect("a working memory");
    engine
}

fn variable(scope: VariableScope, key: &str, value: &str) -> Variable {
    Variable {
        key: key.to_owned(),
        value: value.to_owned(),
        scope,
        kind: None,
    }
}

fn output(subtask: &str, output: &str) -> Intermediate {
    Intermediate {
        subtask: subtask.to_owned(),
        output: serde_json::Value::from(output).to_string(),
        kind: "generated_code".to_owned(),
        needed_by: Vec::new(),
        trace: None,
    }
}

fn at(phase: &str, subtask: Option<&str>) -> ExecutionState {
    ExecutionState {
        phase: phase.to_owned(),
        current_subtask: subtask.map(str::to_owned),
        progress: None,
        completed: Vec::new(),
        in_progress: Vec::new(),
        failed: Vec::new(),
    }
}

fn item<'m>(memory: &'m WorkingMemory, id: &str) -> &'m WorkingItem {
    let found = memory.items.iter().find(|item| item.id == id);
    found.unwrap_or_else(|| panic!("no {id} in {:?}", ids(memory)))
}

fn ids(memory: &WorkingMemory) -> Vec<&str> {
    memory.items.iter().map(|item| item.id.as_str()).collect()
}

fn value(engine: &Engine, scope: VariableScope, key: &str) -> Option<String> {
    let found = Working::get(engine, RUN, key, scope).expect("readable");
    found.found.then_some(found.value)
}

/// Words that cost so many tokens, all different.
fn words(tokens: usize) -> String {
    let text: String = (0..tokens).map(|number| format!("w{number:05} ")).collect();
    text[..tokens * 4].to_owned()
}

#[test]
fn a_working_memory_begins_with_the_budgets_of_the_seed() {
    let world = World::new();
    let engine = begun(&world);
    let memory = engine.view(RUN).expect("a view");
    let budgets: Vec<_> = memory
        .sections
        .iter()
        .map(|section| (section.section.as_str(), section.budget))
        .collect();
    assert_eq!(
        budgets,
        [
            ("system-context", 2_000),
            ("task-context", 5_000),
            ("execution-state", 3_000),
            ("intermediate-results", 8_000),
            ("retrieved-context", 2_000),
        ]
    );
    assert_eq!(memory.budget, 20_000);
    let system = item(&memory, "system");
    for part in ["edit files", "cargo", "small", "never push to main"] {
        assert!(system.text.contains(part), "{}", system.text);
    }
    assert_eq!(
        (system.section, system.temperature),
        (Section::SystemContext, Temperature::Hot)
    );
    assert_eq!(
        value(&engine, VariableScope::Global, "task_id").as_deref(),
        Some(r#""run-1""#)
    );
    assert_eq!(
        value(&engine, VariableScope::Metadata, "start_time").as_deref(),
        Some(r#""2024-01-01T00:00:00Z""#)
    );
}

#[test]
fn budgets_are_set_when_it_begins_and_bounds_are_named() {
    let world = World::new();
    let small = Budgets {
        system_context: 200,
        task_context: 300,
        execution_state: 200,
        intermediate_results: 400,
        retrieved_context: 100,
    };
    let engine = begun_with(&world, Some(small));
    assert_eq!(engine.view(RUN).expect("a view").budget, 1_200);
    let context = SystemContext {
        budgets: Some(Budgets {
            task_context: 0,
            ..small
        }),
        ..SystemContext::default()
    };
    let Err(Error::InvalidArgument(message)) = engine.init(RUN, &context) else {
        panic!("taken")
    };
    assert!(message.contains("budgets.task-context"), "{message}");
    // Begun anew: nothing of the old one is left.
    engine
        .set(RUN, &variable(VariableScope::Global, "user_id", "7"))
        .expect("set");
    engine.init(RUN, &SystemContext::default()).expect("anew");
    assert_eq!(value(&engine, VariableScope::Global, "user_id"), None);
    let none = engine.init("nowhere", &SystemContext::default());
    assert!(matches!(none, Err(Error::NotFound(_))), "{none:?}");
}

#[test]
fn the_size_is_counted_in_tokens_from_the_text_alone() {
    let world = World::new();
    let engine = begun(&world);
    let before = engine.view(RUN).expect("a view").tokens;
    let text = words(400);
    let size = engine
        .set(RUN, &variable(VariableScope::TaskScope, "text", &text))
        .expect("set");
    let memory = engine.view(RUN).expect("a view");
    let item = item(&memory, "task-scope-text");
    // The value, its quotation marks, and the line around it.
    assert!((401..=420).contains(&item.tokens), "{}", item.tokens);
    assert_eq!(size.tokens, before + item.tokens);
    assert_eq!(size.tokens, memory.tokens);
    let sections: u32 = memory.sections.iter().map(|section| section.tokens).sum();
    assert_eq!(sections, memory.tokens);
}

#[test]
fn the_task_is_read_into_goals_and_constraints() {
    let world = World::new();
    let engine = begun(&world);
    let task = ParsedTask {
        description: Some(
            "Add JWT authentication to auth.py. Tokens must expire. p95 < 200ms.".to_owned(),
        ),
        success_criteria: vec!["all tests pass".to_owned()],
        plan: vec!["choose a library".to_owned(), "write it".to_owned()],
        variables: vec![variable(
            VariableScope::TaskScope,
            "target_modules",
            r#"["auth.py", "middleware.py"]"#,
        )],
        ..ParsedTask::default()
    };
    engine.load_task(RUN, &task).expect("loaded");
    let memory = engine.view(RUN).expect("a view");
    let texts = [
        ("task-goals", r#"["Add JWT authentication to auth.py"]"#),
        (
            "task-constraints",
            r#"["Tokens must expire","p95 < 200ms"]"#,
        ),
        ("task-criteria", r#"["all tests pass"]"#),
        ("task-plan", r#"["choose a library","write it"]"#),
    ];
    for (id, text) in texts {
        assert_eq!(item(&memory, id).text, text);
        assert_eq!(item(&memory, id).section, Section::TaskContext);
    }
    assert!(
        item(&memory, "task-description")
            .text
            .starts_with("Add JWT")
    );
    assert_eq!(item(&memory, "task-goals").temperature, Temperature::Hot);
    assert_eq!(item(&memory, "task-plan").temperature, Temperature::Warm);
    let scope = VariableScope::TaskScope;
    assert_eq!(
        value(&engine, scope, "primary_goal").as_deref(),
        Some(r#""Add JWT authentication to auth.py""#)
    );
    assert_eq!(
        value(&engine, scope, "constraints").as_deref(),
        Some(r#"["Tokens must expire","p95 < 200ms"]"#)
    );
    assert_eq!(
        value(&engine, scope, "target_modules").as_deref(),
        Some(r#"["auth.py", "middleware.py"]"#)
    );
    // Given ones are taken as they are, and the run's own task if there is no description.
    let given = ParsedTask {
        goals: vec!["ship it".to_owned()],
        ..ParsedTask::default()
    };
    engine.load_task(RUN, &given).expect("loaded");
    let memory = engine.view(RUN).expect("a view");
    assert_eq!(item(&memory, "task-goals").text, r#"["ship it"]"#);
    assert_eq!(
        item(&memory, "task-description").text,
        "Add JWT authentication to auth.py"
    );
}

#[test]
fn the_state_has_its_phase_subtasks_and_failures_with_their_errors() {
    let world = World::new();
    let engine = begun(&world);
    let state = ExecutionState {
        progress: Some(0.4),
        completed: vec!["choose".to_owned()],
        in_progress: vec!["encode".to_owned()],
        failed: vec![FailedSubtask {
            subtask: "install".to_owned(),
            error: "no such package".to_owned(),
        }],
        ..at("execution", Some("encode"))
    };
    world.pass(5);
    engine.push_state(RUN, &state).expect("pushed");
    let memory = engine.view(RUN).expect("a view");
    assert_eq!(memory.state.as_ref(), Some(&state));
    let shown = item(&memory, "state");
    assert_eq!(shown.at, support::START + 5);
    assert_eq!(shown.section, Section::ExecutionState);
    assert_eq!(
        shown.text,
        "phase: execution; current subtask: encode; progress: 40 %; in progress: encode; failed, newest first: \
         install (no such package); completed, newest first: choose"
    );
    let scope = VariableScope::ExecutionScope;
    assert_eq!(
        value(&engine, scope, "current_phase").as_deref(),
        Some(r#""execution""#)
    );
    assert_eq!(
        value(&engine, scope, "current_subtask").as_deref(),
        Some(r#""encode""#)
    );
    let wrong = ExecutionState {
        progress: Some(1.5),
        ..at("execution", None)
    };
    let refused = engine.push_state(RUN, &wrong);
    assert!(
        matches!(refused, Err(Error::InvalidArgument(_))),
        "{refused:?}"
    );
    // Thousands of subtasks: the newest are shown, all are kept.
    let long = ExecutionState {
        completed: (0..3_000)
            .map(|number| format!("subtask_{number}"))
            .collect(),
        ..at("execution", None)
    };
    let size = engine.push_state(RUN, &long).expect("pushed");
    assert_eq!(size.warning, None);
    let memory = engine.view(RUN).expect("a view");
    let shown = item(&memory, "state");
    assert!(shown.tokens <= 2_100, "{}", shown.tokens);
    assert!(shown.text.contains("subtask_2999") && shown.text.ends_with("(3000 completed)"));
    assert_eq!(memory.state.map(|state| state.completed.len()), Some(3_000));
}

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

#[test]
fn the_newest_output_is_hot_those_before_it_warm_and_older_ones_cold() {
    let world = World::new();
    let engine = begun(&world);
    for number in 1..=7 {
        engine
            .add_intermediate(RUN, &output(&format!("subtask_{number:03}"), "PyJWT"))
            .expect("added");
    }
    let memory = engine.view(RUN).expect("a view");
    let temperatures: Vec<_> = memory
        .items
        .iter()
        .filter(|item| item.section == Section::IntermediateResults)
        .map(|item| item.temperature.as_str())
        .collect();
    assert_eq!(
        temperatures,
        ["cold", "cold", "warm", "warm", "warm", "warm", "hot"]
    );
    // Keyed by subtask, each with output and type.
    assert_eq!(
        value(&engine, VariableScope::IntermediateValues, "subtask_001").as_deref(),
        Some(r#"{"output":"PyJWT","type":"generated_code"}"#)
    );
}

#[test]
fn room_is_made_in_the_order_of_the_seed() {
    let world = World::new();
    let engine = begun(&world);
    for number in 0..7 {
        let mut result = output(&format!("s{number}"), &words(700));
        if number == 6 {
            result.trace = Some(words(900));
        }
        let size = engine.add_intermediate(RUN, &result).expect("added");
        assert_eq!(size.pruned, [""; 0], "{number}");
    }
    // 7 · 700 + 900 are in. The next ones need room: first the results older than five subtasks, the oldest first.
    let mut pruned = Vec::new();
    for number in 7..11 {
        let size = engine
            .add_intermediate(RUN, &output(&format!("s{number}"), &words(1_300)))
            .expect("added");
        assert_eq!(size.warning, None);
        pruned.extend(size.pruned);
    }
    let result = |number: u32| format!("intermediate-values-s{number}");
    assert_eq!(pruned, [0, 1, 2, 3, 4].map(result));
    // Then the trace, once what is old is out; then the limit is said.
    let size = engine
        .add_intermediate(RUN, &output("s11", &words(2_200)))
        .expect("added");
    assert_eq!(size.pruned, [result(5), result(6), "trace-s6".to_owned()]);
    let all = Working::prune(&engine, RUN).expect("pruned");
    assert_eq!(all.pruned, [""; 0]);
    let memory = engine.view(RUN).expect("a view");
    assert!(memory.tokens <= memory.budget);
}

#[test]
fn a_pruned_result_leaves_a_reference_and_is_fetched_back() {
    let world = World::new();
    let engine = begun(&world);
    let text = words(300);
    let mut first = output("first", &text);
    first.trace = Some(format!("step one\n{text}\nlast step"));
    engine.add_intermediate(RUN, &first).expect("added");
    for number in 0..5 {
        engine
            .add_intermediate(RUN, &output(&format!("s{number}"), "x"))
            .expect("added");
    }
    let before = engine.view(RUN).expect("a view");
    let size = Working::prune(&engine, RUN).expect("pruned");
    assert_eq!(size.pruned, ["intermediate-values-first", "trace-first"]);
    let memory = engine.view(RUN).expect("a view");
    let reference = item(&memory, "intermediate-values-first");
    assert!(
        reference.is_reference && reference.tokens < 60,
        "{reference:?}"
    );
    assert_eq!(reference.temperature, Temperature::Cold);
    assert!(reference.text.contains("[…]"));
    assert!(memory.tokens + 400 < before.tokens);
    let whole = value(&engine, VariableScope::IntermediateValues, "first").expect("fetched back");
    assert!(whole.contains(&text));
    assert_eq!(
        engine
            .fetch(RUN, "intermediate-values-first")
            .expect("whole"),
        whole
    );
    let trace = engine.fetch(RUN, "trace-first").expect("whole");
    assert!(trace.starts_with("step one\n") && trace.ends_with("last step"));
    // What was moved out belongs to the episode.
    engine.finish(RUN, &ending()).expect("ended");
    assert_eq!(
        engine
            .fetch(RUN, "intermediate-values-first")
            .expect("whole"),
        whole
    );
    let missing = engine.fetch(RUN, "intermediate-values-nothing");
    assert!(matches!(missing, Err(Error::Conflict(_))), "{missing:?}");
}

#[test]
fn what_was_moved_out_goes_with_its_episode() {
    let world = World::new();
    let engine = begun(&world);
    for number in 0..7 {
        engine
            .add_intermediate(RUN, &output(&format!("s{number}"), &words(100)))
            .expect("added");
    }
    Working::prune(&engine, RUN).expect("pruned");
    engine.finish(RUN, &ending()).expect("ended");
    let count = |kind: &str| world.store.count(kind, &[]).expect("counted");
    assert_eq!((count("working-cold"), count("working-metadata")), (2, 1));
    world.pass(1);
    Upkeep::prune(&engine, world.clock.get(), false).expect("pruned");
    assert_eq!((count("working-cold"), count("working-metadata")), (0, 0));
}

#[test]
fn references_that_no_longer_fit_are_still_fetched_by_their_ids() {
    let world = World::new();
    let engine = begun(&world);
    for number in 0..400 {
        let size = engine
            .add_intermediate(
                RUN,
                &output(&format!("s{number}"), &format!("{number} {}", words(60))),
            )
            .expect("added");
        assert!(size.tokens <= size.budget);
    }
    let memory = engine.view(RUN).expect("a view");
    assert!(memory.items.len() <= 256, "{}", memory.items.len());
    assert!(!ids(&memory).contains(&"intermediate-values-s0"));
    let whole = value(&engine, VariableScope::IntermediateValues, "s0").expect("fetched back");
    assert!(whole.starts_with(r#"{"output":"0 w00000"#), "{whole}");
    // A result that is taken out does not come back from where it was moved to.
    engine
        .set(
            RUN,
            &variable(VariableScope::IntermediateValues, "s0", "null"),
        )
        .expect("taken out");
    assert_eq!(
        value(&engine, VariableScope::IntermediateValues, "s0"),
        None
    );
}

#[test]
fn a_result_that_a_later_subtask_needs_is_not_pruned() {
    let world = World::new();
    let engine = begun(&world);
    let mut needed = output("schema", &words(100));
    needed.needed_by = vec!["report".to_owned(), "tests".to_owned()];
    engine.add_intermediate(RUN, &needed).expect("added");
    for number in 0..6 {
        engine
            .add_intermediate(RUN, &output(&format!("s{number}"), "x"))
            .expect("added");
    }
    assert_eq!(
        Working::prune(&engine, RUN).expect("pruned").pruned,
        [""; 0]
    );
    // One of the two brings its own result, the other is said to be done.
    engine
        .add_intermediate(RUN, &output("report", "x"))
        .expect("added");
    assert_eq!(
        Working::prune(&engine, RUN).expect("pruned").pruned,
        [""; 0]
    );
    let state = ExecutionState {
        completed: vec!["tests".to_owned()],
        ..at("execution", None)
    };
    engine.push_state(RUN, &state).expect("pushed");
    let size = Working::prune(&engine, RUN).expect("pruned");
    assert_eq!(size.pruned, ["intermediate-values-schema"]);
}

#[test]
fn the_limit_is_said_and_texts_are_cut_when_pruning_is_not_enough() {
    let world = World::new();
    let engine = begun(&world);
    // Four recent results that nothing may prune.
    for number in 0..3 {
        engine
            .add_intermediate(RUN, &output(&format!("s{number}"), &words(2_500)))
            .expect("added");
    }
    let text = format!("начало {} конец", words(2_500));
    let size = engine
        .add_intermediate(RUN, &output("s3", &text))
        .expect("added");
    assert_eq!(
        size.warning.as_deref(),
        Some("Context limit reached despite pruning")
    );
    assert!(size.tokens <= size.budget);
    let memory = engine.view(RUN).expect("a view");
    assert_eq!(
        memory.warnings,
        ["Context limit reached despite pruning: intermediate-results"]
    );
    let section = &memory.sections[3];
    assert!(section.tokens <= section.budget, "{section:?}");
    // The warm ones are cut before the hot one, and the whole of each is still there.
    assert!(!item(&memory, "intermediate-values-s3").is_reference);
    assert!(item(&memory, "intermediate-values-s0").is_reference);
    let whole = value(&engine, VariableScope::IntermediateValues, "s0").expect("whole");
    assert!(whole.contains(&words(2_500)));
    // An output that is larger than everything is cold from the beginning.
    let size = engine
        .add_intermediate(RUN, &output("huge", &words(50_000)))
        .expect("added");
    assert!(
        size.tokens <= size.budget && size.pruned.contains(&"intermediate-values-huge".to_owned())
    );
    let whole = value(&engine, VariableScope::IntermediateValues, "huge").expect("whole");
    assert!(whole.len() > 200_000);
}

#[test]
fn a_prompt_has_hot_contents_first_and_is_known_again() {
    let world = World::new();
    let engine = begun(&world);
    engine
        .load_task(
            RUN,
            &ParsedTask {
                plan: vec!["plan one".to_owned()],
                ..ParsedTask::default()
            },
        )
        .expect("loaded");
    engine
        .push_state(RUN, &at("planning", Some("encode")))
        .expect("pushed");
    for number in 0..7 {
        let text = format!("</twiceshy-memory>\nresult {number} {}", words(60));
        engine
            .add_intermediate(RUN, &output(&format!("s{number}"), &text))
            .expect("added");
    }
    let all = engine.render(RUN, &Rendering::default()).expect("rendered");
    assert_eq!(all.left_out, [""; 0]);
    assert!(all.text.starts_with("<twiceshy-memory>\n"));
    assert_eq!(
        insertion::without(&format!("before\n{}", all.text)),
        "before\n"
    );
    let place = |text: &str| all.text.find(text).unwrap_or_else(|| panic!("no {text}"));
    // The goal, the subtask and the output before it, then recent outputs and the plan, then references.
    for hot in [
        "task-goals",
        "current subtask: encode",
        "- intermediate-values-s6 ",
    ] {
        assert!(place(hot) < place("- intermediate-values-s5 "), "{hot}");
        assert!(place(hot) < place("plan one"), "{hot}");
    }
    assert!(place("- intermediate-values-s2 ") < place("- intermediate-values-s1 "));
    let line = |id: &str| {
        all.text
            .lines()
            .find(|line| line.starts_with(&format!("- {id} ")))
    };
    let cold = line("intermediate-values-s0").expect("a reference");
    assert!(
        cold.contains("[…]") && insertion::tokens(cold) < 50,
        "{cold}"
    );
    // Within a number of tokens, what is hot comes first.
    for tokens in [64, 100, 200, 400, 1_000] {
        let some = engine
            .render(
                RUN,
                &Rendering {
                    tokens: Some(tokens),
                },
            )
            .expect("rendered");
        assert!(some.tokens <= tokens, "{} of {tokens}", some.tokens);
        assert!(!some.left_out.is_empty() || tokens == 1_000);
        assert!(some.text.contains("- system "), "{tokens}: {}", some.text);
    }
    let few = engine.render(RUN, &Rendering { tokens: Some(3) });
    assert!(matches!(few, Err(Error::InvalidArgument(_))), "{few:?}");
}

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
    assert_eq!(metadata.cleared_at, support::START + 1_000);
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

#[test]
fn what_helps_after_a_failure_comes_into_working_memory() {
    let world = World::new();
    let engine = begun(&world);
    let error = "jwt.exceptions.DecodeError: Not enough segments";
    let rule = "WRONG: jwt.decode(header) → CORRECT: jwt.decode(header.split()[1])";
    engine.propose(&proposal(rule, error)).expect("taken in");
    let reaction = engine
        .observe(RUN, &failure("jwt.decode(header)", error))
        .expect("observed");
    let event = reaction.event.expect("a failure");
    let memory = engine.view(RUN).expect("a view");
    let id = format!("recovery-{}", event.fingerprint);
    let recovery = item(&memory, &id);
    assert_eq!(recovery.section, Section::RetrievedContext);
    assert!(recovery.text.contains(rule), "{}", recovery.text);
    // A step that works, or a run without working memory, changes nothing.
    engine.observe(RUN, &success("ls")).expect("observed");
    assert_eq!(engine.view(RUN).expect("a view").items, memory.items);
    engine.clear(RUN).expect("cleared");
    engine
        .observe(RUN, &failure("jwt.decode(header)", error))
        .expect("observed");
    assert_eq!(world.log.borrow().as_slice(), [""; 0]);
}

#[test]
fn a_secret_is_masked_before_it_is_kept() {
    let world = World::new();
    let engine = begun(&world);
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let scope = VariableScope::Global;
    engine
        .set(RUN, &variable(scope, "api_key", "hunter2hunter2"))
        .expect("set");
    engine
        .set(RUN, &variable(scope, "header", &format!("Bearer {token}")))
        .expect("set");
    let mut result = output("s0", &format!("token {token}"));
    result.trace = Some(format!("used {token}"));
    engine.add_intermediate(RUN, &result).expect("added");
    let state = ExecutionState {
        failed: vec![FailedSubtask {
            subtask: "push".to_owned(),
            error: format!("denied for {token}"),
        }],
        ..at("execution", None)
    };
    engine.push_state(RUN, &state).expect("pushed");
    let memory = format!("{:?}", engine.view(RUN).expect("a view"));
    assert!(
        !memory.contains(&token) && !memory.contains("hunter2"),
        "{memory}"
    );
    let page = engine.continuity(RUN).expect("a page");
    assert!(!page.contains(&token), "{page}");
}

#[test]
fn continuity_says_where_the_work_stands_and_refers_to_what_is_known() {
    let world = World::new();
    let engine = begun(&world);
    let task = ParsedTask {
        description: Some("Add JWT authentication without `new` [dependencies](x)".to_owned()),
        ..ParsedTask::default()
    };
    engine.load_task(RUN, &task).expect("loaded");
    let state = ExecutionState {
        completed: vec!["choose".to_owned()],
        ..at("execution", Some("encode"))
    };
    engine.push_state(RUN, &state).expect("pushed");
    let rule = "WRONG: add authentication to auth.py → CORRECT: add JWT authentication to auth.py";
    let lesson = engine
        .propose(&proposal(rule, "token has no expiry"))
        .expect("taken in");
    let avoid = LessonCandidate {
        kind: Some(LessonKind::AntiPattern),
        ..proposal(
            "AVOID: JWT authentication secrets in auth.py",
            "secret in code",
        )
    };
    let avoid = engine.propose(&avoid).expect("taken in");
    let page = engine.continuity(RUN).expect("a page");
    for line in [
        "<twiceshy-memory>",
        "# Continuity",
        "- Task: Add JWT authentication to auth.py",
        "- Constraints: without \\`new\\` \\[dependencies\\](x)",
        "- Phase: execution",
        "- Current subtask: encode",
        "- Completed: choose",
        "## Relevant Memories (Auto-Retrieved)",
        &format!(
            "- [{}] WRONG: add authentication to auth.py → CORRECT: add JWT authentication to auth.py",
            lesson.id
        ),
        "## Mistakes to Avoid (From Learnings)",
        &format!(
            "- [{}] AVOID: JWT authentication secrets in auth.py",
            avoid.id
        ),
        &format!("- [{}] Not: add authentication to auth.py", lesson.id),
    ] {
        assert!(
            page.lines().any(|found| found == line),
            "no {line} in\n{page}"
        );
    }
    // Printed, it is no evidence.
    assert_eq!(insertion::without(&page).trim(), "");
    // It refers and does not copy: one short line each.
    assert!(
        page.lines().all(|line| insertion::tokens(line) < 80),
        "{page}"
    );
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
