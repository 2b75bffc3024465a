//! The sections, their budgets, the task and the state of the work.

use super::*;

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
    assert_eq!(shown.at, crate::support::START + 5);
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
fn what_helps_after_a_failure_comes_into_working_memory() {
    let world = World::new();
    let engine = begun(&world);
    let error = "jwt.exceptions.DecodeError: Not enough segments";
    let rule = "WRONG: jwt.decode(header) → CORRECT: jwt.decode(header.split()[1])";
    engine.propose(&proposal(rule, error)).expect("taken in");
    let reaction = engine
        .observe(RUN, &failure("jwt.decode(header)", error))
        .expect("observed");
    let event = reaction.failure.expect("a failure");
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
