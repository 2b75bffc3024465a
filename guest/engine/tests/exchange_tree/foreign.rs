//! Trees of another system, and trees that were changed by hand.

use super::*;

/// The seed's own files, word for word.
pub fn foreign() -> Tree {
    let episode = r#"{
  "id": "ep-2026-01-06-001",
  "task_id": "task-042",
  "timestamp": "2026-01-06T10:30:00Z",
  "duration_seconds": 342,
  "agent": "eng-001-backend",
  "context": {
    "phase": "development",
    "goal": "Implement POST /api/todos endpoint",
    "constraints": ["No third-party deps", "< 200ms response"],
    "files_involved": ["src/routes/todos.ts", "src/db/todos.ts"]
  },
  "action_log": [
    {"t": 0, "action": "read_file", "target": "openapi.yaml"},
    {"t": 5, "action": "write_file", "target": "src/routes/todos.ts"},
    {"t": 120, "action": "run_test", "result": "fail", "error": "missing return type"},
    {"t": 140, "action": "edit_file", "target": "src/routes/todos.ts"},
    {"t": 180, "action": "run_test", "result": "pass"}
  ],
  "outcome": "success",
  "errors_encountered": [
    {
      "type": "TypeScript compilation",
      "message": "Missing return type annotation",
      "resolution": "Added explicit :void to route handler"
    }
  ],
  "artifacts_produced": ["src/routes/todos.ts", "tests/todos.test.ts"],
  "git_commit": "abc123"
}
"#;
    let pattern = r#"[{
  "id": "sem-001",
  "pattern": "Express route handlers require explicit return types in strict mode",
  "category": "typescript",
  "conditions": [
    "Using TypeScript strict mode",
    "Writing Express route handlers",
    "Handler doesn't return a value"
  ],
  "correct_approach": "Add `: void` to handler signature: `(req, res): void =>`",
  "incorrect_approach": "Omitting return type annotation",
  "confidence": 0.95,
  "source_episodes": ["ep-2026-01-06-001", "ep-2026-01-05-012"],
  "usage_count": 8,
  "last_used": "2026-01-06T14:00:00Z",
  "links": [
    {"to": "sem-005", "relation": "related_to"},
    {"to": "sem-012", "relation": "supersedes"}
  ]
},
{"id": "sem-005", "pattern": "Handlers that answer need a type, too", "category": "typescript", "confidence": 0.5}]"#;
    let ledger = r#"{
  "agent_id": "eng-001-backend",
  "last_checkpoint": "2026-01-06T10:00:00Z",
  "tasks_completed": 12,
  "current_task": "task-042",
  "state": {
    "files_modified": ["src/routes/todos.ts"],
    "uncommitted_changes": true,
    "last_git_commit": "abc123"
  },
  "context": {
    "tech_stack": ["express", "typescript", "sqlite"],
    "patterns_learned": ["sem-001", "sem-005"],
    "current_goal": "Implement CRUD for todos"
  }
}"#;
    let handoff = r#"{
  "id": "handoff-001",
  "from_agent": "eng-001-backend",
  "to_agent": "qa-001-testing",
  "timestamp": "2026-01-06T11:00:00Z",
  "context": {
    "what_was_done": "Implemented POST /api/todos endpoint",
    "artifacts": ["src/routes/todos.ts"],
    "git_state": "commit abc123",
    "needs_testing": ["unit tests for validation", "contract tests"],
    "known_issues": [],
    "relevant_patterns": ["sem-001"]
  }
}"#;
    let anti = r#"{"anti_patterns": [{"what_fails": "TypeScript compilation", "why": "Missing return type annotation",
        "prevention": "Added explicit :void to route handler", "source": "ep-2026-01-06-001"}]}"#;
    let skill = "# Skill: API Endpoint Implementation\n\n## Steps\n1. Read endpoint spec from openapi.yaml\n";
    [
        ("episodic/2026-01-06/task-001.json", episode),
        ("episodic/index.json", "{\"episodes\": [{"),
        ("semantic/patterns.json", pattern),
        ("semantic/anti-patterns.json", anti),
        ("skills/api-implementation.md", skill),
        ("ledgers/eng-001.json", ledger),
        ("handoffs/handoff-001.json", handoff),
        ("notes.txt", "mine"),
    ]
    .map(|(path, text)| (path.to_owned(), text.to_owned()))
    .into()
}

/// A memory in 2026.
pub fn later() -> World {
    let world = World::new();
    world.clock.set(1_770_000_000_000);
    world
}

#[test]
fn files_of_the_hierarchys_own_system_are_taken_in() {
    let world = later();
    let engine = world.engine();
    let tree = foreign();
    let imported = import(&world, &tree).expect("taken in");
    // An episode, two notes, an anti-pattern, a skill, a link, a ledger, a handoff.
    assert_eq!(
        (imported.added, imported.changed, imported.known),
        (8, 0, 0),
        "{imported:?}"
    );
    let left = imported.ignored.join("\n");
    assert_eq!(imported.ignored.len(), 3, "{left}");
    for part in [
        "notes.txt: it is not part",
        "index.json: it is damaged",
        "there is no memory `sem-012`",
    ] {
        assert!(left.contains(part), "{part} in {left}");
    }
    let episode = Episodes::retrieve(&engine, "ep-2026-01-06-001").expect("an episode");
    assert_eq!(episode.episode.task, "Implement POST /api/todos endpoint");
    assert_eq!(episode.episode.agent, "eng-001-backend");
    assert_eq!((episode.episode.steps, episode.episode.failures), (5, 1));
    assert_eq!(
        episode.episode.ended_at - episode.episode.started_at,
        342_000
    );
    assert_eq!(
        episode.account.constraints,
        ["No third-party deps", "< 200ms response"]
    );
    assert_eq!(episode.account.git_commit.as_deref(), Some("abc123"));
    let pattern = Patterns::get(&engine, "sem-001").expect("a pattern");
    assert_eq!(
        pattern.summary,
        "Express route handlers require explicit return types in strict mode"
    );
    assert_eq!(pattern.evidence.confidence, 0.95);
    assert_eq!(pattern.usage_count, 8);
    assert_eq!(pattern.lesson.domain, "typescript");
    assert_eq!(pattern.applicability.conditions.len(), 3);
    assert_eq!(engine.of_memory("sem-001").expect("links").len(), 1);
    assert_eq!(
        engine
            .ledger_of("eng-001-backend")
            .expect("a ledger")
            .tasks_completed,
        12
    );
    assert_eq!(
        engine
            .handoffs(&HandoffFilter::default())
            .expect("handoffs")[0]
            .id,
        "handoff-001"
    );
    assert_eq!(
        Skills::get(&engine, "api-implementation")
            .expect("a skill")
            .steps
            .len(),
        1
    );
    assert_eq!(engine.verify(), Ok(Vec::new()));

    // What comes out again has the same members as what came in.
    let out = export(&world);
    let plain = |text: &str| {
        let mut value: Value = serde_json::from_str(text).expect("JSON");
        for record in value.as_array_mut().into_iter().flatten() {
            record
                .as_object_mut()
                .map(|members| members.remove("twiceshy"));
        }
        value
            .as_object_mut()
            .map(|members| members.remove("twiceshy"));
        value
    };
    for (there, here) in [
        (
            "episodic/2026-01-06/task-001.json",
            "episodic/2026-01-06/task-001.json",
        ),
        ("ledgers/eng-001.json", "ledgers/eng-001-backend.json"),
        ("handoffs/handoff-001.json", "handoffs/handoff-001.json"),
    ] {
        assert_eq!(plain(&out[here]), plain(&tree[there]), "{here}");
    }
    let mut note = plain(&tree["semantic/patterns.json"])[0].clone();
    note["links"] = json!([{"to": "sem-005", "relation": "related_to"}]);
    let notes = plain(&out["semantic/patterns.json"]);
    let ours = notes
        .as_array()
        .expect("a list")
        .iter()
        .find(|one| one["id"] == "sem-001");
    assert_eq!(ours, Some(&note));

    let before = documents(&world);
    let again = import(&world, &tree).expect("taken in");
    assert_eq!(
        (again.added, again.changed, again.known),
        (0, 0, 8),
        "{again:?}"
    );
    assert_eq!(documents(&world), before);
    let next = NewHandoff {
        from_agent: "a".to_owned(),
        to_agent: "b".to_owned(),
        context: HandoffContext::default(),
    };
    assert_eq!(
        engine.hand_over(&next).map(|one| one.id),
        Ok("handoff-002".to_owned())
    );
}

#[test]
fn what_was_changed_by_hand_holds() {
    let old = lived();
    let mut tree = export(&old);
    let change = |tree: &mut Tree, path: &str, from: &str, to: &str| {
        let text = tree.get_mut(path).unwrap_or_else(|| panic!("{path}"));
        assert!(text.contains(from), "{from} in {path}");
        *text = text.replacen(from, to, 1);
    };
    let episode = "episodic/2024-01-01/task-001.json";
    change(
        &mut tree,
        episode,
        "\"agent\": \"eng-001\"",
        "\"agent\": \"eng-007\"",
    );
    change(
        &mut tree,
        episode,
        "\"phase\": \"development\"",
        "\"phase\": \"review\"",
    );
    change(
        &mut tree,
        "semantic/patterns.json",
        "\"correct_approach\": \"add : void\"",
        "\"correct_approach\": \"add : never\"",
    );
    change(
        &mut tree,
        "skills/debugging.md",
        "Reproduce it",
        "Reproduce it twice",
    );
    change(
        &mut tree,
        "ledgers/eng-001.json",
        "\"tasks_completed\": 12",
        "\"tasks_completed\": 13",
    );
    change(
        &mut tree,
        "handoffs/handoff-001.json",
        "\"to_agent\": \"qa-001\"",
        "\"to_agent\": \"qa-002\"",
    );
    // Into the memory it came from, and into an empty one.
    let fresh = World::new();
    fresh.clock.set(old.clock.get());
    for (world, changed) in [(&old, 5), (&fresh, 0)] {
        let imported = import(world, &tree).expect("taken in");
        assert_eq!(imported.changed, changed, "{imported:?}");
        let engine = world.engine();
        let found = Episodes::find(
            &engine,
            &EpisodeFilter {
                agent: Some("eng-007".to_owned()),
                ..EpisodeFilter::default()
            },
        );
        let found = found.expect("episodes");
        assert_eq!(found.len(), 1, "it is found by what it says now");
        assert_eq!(
            Episodes::retrieve(&engine, &found[0].id)
                .expect("whole")
                .account
                .phase
                .as_deref(),
            Some("review")
        );
        let patterns =
            Patterns::find(&engine, Some(LessonKind::Strategy), None, 10).expect("patterns");
        assert_eq!(patterns[0].correct_approach, "add : never");
        assert!(
            Skills::get(&engine, "debugging")
                .expect("a skill")
                .markdown
                .contains("twice")
        );
        assert_eq!(
            engine
                .ledger_of("eng-001")
                .expect("a ledger")
                .tasks_completed,
            13
        );
        assert_eq!(
            engine
                .handoffs(&HandoffFilter::default())
                .expect("handoffs")[0]
                .to_agent,
            "qa-002"
        );
        let before = documents(world);
        let again = import(world, &tree).expect("taken in");
        // An episode was read in between, which counts as an access.
        assert_eq!((again.added, again.changed), (0, 0), "{again:?}");
        assert_eq!(documents(world), before);
    }
}

#[test]
fn a_check_of_a_tree_says_what_would_become_of_it_and_changes_nothing() {
    let world = later();
    let checked = world
        .engine()
        .import_tree(&files(&foreign()), true)
        .expect("checked");
    assert_eq!((checked.added, checked.changed), (8, 0), "{checked:?}");
    assert_eq!(documents(&world), BTreeMap::new());
}
