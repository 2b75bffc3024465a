//! The tree of the memory hierarchy: out and back without loss, files of other systems, changes by hand, damage.

mod support;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use support::{World, ending, failure, proposal, run, success};
use twiceshy_wit::{
    host::{Order, Query, Store},
    memory::*,
};

type Tree = BTreeMap<String, String>;

fn export(world: &World) -> Tree {
    let engine = world.engine();
    let (mut tree, mut after) = (Tree::new(), None);
    loop {
        let piece = engine
            .export_tree(&ExportRequest { after })
            .expect("a piece");
        for file in piece.files {
            assert!(
                tree.insert(file.path.clone(), file.text).is_none(),
                "{} comes twice",
                file.path
            );
        }
        after = piece.next;
        if after.is_none() {
            return tree;
        }
    }
}

fn files(tree: &Tree) -> Vec<TreeFile> {
    let file = |(path, text): (&String, &String)| TreeFile {
        path: path.clone(),
        text: text.clone(),
    };
    tree.iter().map(file).collect()
}

fn import(world: &World, tree: &Tree) -> Result<TreeImport, Error> {
    world.engine().import_tree(&files(tree), false)
}

/// Every document of a memory, by its key.
fn documents(world: &World) -> BTreeMap<String, String> {
    let source = include_str!("../src/documents.rs");
    let kinds = source.lines().filter_map(|line| {
        let name = line.trim().strip_prefix("Self::")?.split_once("=> \"")?.1;
        name.strip_suffix("\",")
    });
    let mut documents = BTreeMap::new();
    for kind in kinds {
        let query = Query {
            kind: kind.to_owned(),
            conditions: Vec::new(),
            order: Order::ById,
            offset: 0,
            limit: 10_000,
        };
        for found in world.store.find(&query).expect("documents") {
            let document = found.document;
            documents.insert(format!("{kind}/{}", document.key.id), document.body);
        }
    }
    documents
}

const SKILL: &str = "# Skill: Debugging\n\n## Steps\n1. Reproduce it\n2. Bisect the commits\n";

/// A memory with something of everything.
fn lived() -> World {
    let world = World::new();
    let engine = world.engine();
    for (number, file) in ["a.txt", "b.txt", "c.txt"].into_iter().enumerate() {
        let mut new = run("read a file");
        new.agent = Some("eng-001".to_owned());
        new.tags = vec!["files".to_owned()];
        let started = engine.start(&new).expect("a run");
        let mut step = success(&format!("ls && cat ./{file}"));
        step.feedback.efficiency_signal = Some(0.3 + 0.1 * number as f64);
        for step in [
            failure(
                &format!("cat {file}"),
                &format!("cat: {file}: No such file"),
            ),
            step,
        ] {
            world.pass(1_500 + number as u64);
            engine.observe(&started.id, &step).expect("a step");
        }
        let description = Description {
            account: Some(Account {
                constraints: vec!["< 200ms".to_owned()],
                phase: Some("development".to_owned()),
                git_commit: Some("abc123".to_owned()),
                errors_encountered: vec![EncounteredError {
                    kind: "missing file".to_owned(),
                    message: "No such file".to_owned(),
                    resolution: "look first".to_owned(),
                }],
                ..Account::default()
            }),
            ..Description::default()
        };
        engine
            .describe(&started.id, &description)
            .expect("described");
        engine.finish(&started.id, &ending()).expect("an episode");
        // The next one ends on another day.
        world.pass(20 * 60 * 60 * 1_000);
    }
    engine.start(&run("still open")).expect("a run");
    let open = engine.open(1).expect("runs").remove(0);
    engine
        .observe(&open.id, &failure("cat d.txt", "cat: d.txt: No such file"))
        .expect("a step");
    let one = engine
        .propose(&proposal("WRONG: x → CORRECT: y", "x: no such verb"))
        .expect("a lesson");
    let fact = LessonCandidate {
        kind: Some(LessonKind::Fact),
        ..proposal("The port is 8080", "connection refused")
    };
    engine.propose(&fact).expect("a fact");
    let pattern = NewPattern {
        name: "Strict handlers".to_owned(),
        summary: "Route handlers need return types".to_owned(),
        correct_approach: Some("add : void".to_owned()),
        incorrect_approach: Some("omit it".to_owned()),
        ..new_pattern(LessonKind::Strategy)
    };
    let pattern = Patterns::add(&engine, &pattern).expect("a pattern");
    let update = PatternUpdate {
        explanation: Some("strict mode".to_owned()),
        reason: "says why".to_owned(),
        ..PatternUpdate::default()
    };
    Patterns::update(&engine, &pattern.lesson.id, &update).expect("an update");
    let episode = Episodes::find(&engine, &EpisodeFilter::default())
        .expect("episodes")
        .remove(0);
    Patterns::record_application(&engine, &pattern.lesson.id, &episode.id, Outcome::Success)
        .expect("applied");
    let link = Link {
        source: one.id,
        relation: Relation::Elaborates,
        target: pattern.lesson.id,
        reason: "says more".to_owned(),
        at: 0,
    };
    engine.relate(&link).expect("a link");
    Skills::put(&engine, "debugging", SKILL).expect("a skill");
    Skills::put(&engine, "debugging", &SKILL.replace("Bisect", "Now bisect")).expect("a version");
    Skills::put(&engine, "gone", SKILL).expect("a skill");
    Skills::retire(&engine, "gone", "not needed").expect("retired");
    let checkpoint = Checkpoint {
        agent_id: "eng-001".to_owned(),
        tasks_completed: Some(12),
        completed: None,
        current_task: Some("task-042".to_owned()),
        state: AgentState {
            files_modified: vec!["src/todos.ts".to_owned()],
            uncommitted_changes: true,
            last_git_commit: Some("abc123".to_owned()),
        },
        context: AgentContext::default(),
    };
    engine.check_in(&checkpoint).expect("a ledger");
    let handoff = NewHandoff {
        from_agent: "eng-001".to_owned(),
        to_agent: "qa-001".to_owned(),
        context: HandoffContext {
            what_was_done: "Implemented POST /api/todos".to_owned(),
            ..HandoffContext::default()
        },
    };
    engine.hand_off(&handoff).expect("a handoff");
    let decision = NewDecision {
        module: "data".to_owned(),
        hypothesis: "Split the processor".to_owned(),
        description: None,
        outcome: "rejected".to_owned(),
        rationale: Some("tests".to_owned()),
        rejection_reason: Some("3 tests failed".to_owned()),
    };
    Decisions::record(&engine, &decision).expect("a decision");
    world
}

fn new_pattern(kind: LessonKind) -> NewPattern {
    serde_json::from_value(json!({ "name": "x", "kind": kind, "summary": "x" })).expect("a pattern")
}

fn value(tree: &Tree, path: &str) -> Value {
    serde_json::from_str(&tree[path]).expect("JSON")
}

#[test]
fn a_memory_goes_out_as_a_tree_and_comes_back_as_it_was() {
    let old = lived();
    let tree = export(&old);
    let new = World::new();
    new.clock.set(old.clock.get());
    let imported = import(&new, &tree).expect("taken in");
    assert!(
        imported.added > 8 && imported.changed == 0 && imported.ignored.is_empty(),
        "{imported:?}"
    );
    let (before, after) = (documents(&old), documents(&new));
    for (key, body) in &before {
        assert_eq!(after.get(key), Some(body), "{key}");
    }
    assert_eq!(after.len(), before.len());
    assert_eq!(export(&new), tree, "the same bytes");
    assert_eq!(new.engine().verify(), Ok(Vec::new()));
    let ask = |world: &World| {
        let engine = world.engine();
        let request = TaskContext {
            task: "read a file".to_owned(),
            domain: "cli".to_owned(),
            recent_fingerprints: Vec::new(),
            limit: None,
            tokens: None,
        };
        let found = Episodes::find(
            &engine,
            &EpisodeFilter {
                agent: Some("eng-001".to_owned()),
                ..EpisodeFilter::default()
            },
        );
        (
            Recall::for_task(&engine, &request),
            found,
            Skills::all(&engine),
            engine.report(),
        )
    };
    assert_eq!(ask(&new), ask(&old), "the same answers");
    // The same tree again changes nothing.
    let again = import(&new, &tree).expect("taken in");
    assert_eq!(
        (again.added, again.changed, again.known),
        (0, 0, imported.added),
        "{again:?}"
    );
    assert_eq!(documents(&new), after);
}

#[test]
fn a_tree_has_the_members_of_the_memory_hierarchy() {
    let tree = export(&lived());
    for path in [
        "episodic/2024-01-01/task-001.json",
        "episodic/2024-01-01/task-002.json",
        "episodic/2024-01-02/task-001.json",
        "episodic/index.json",
        "semantic/patterns.json",
        "semantic/anti-patterns.json",
        "semantic/facts.json",
        "semantic/links.json",
        "skills/debugging.md",
        "ledgers/eng-001.json",
        "handoffs/handoff-001.json",
        "learnings/2024-01-01.json",
        "learnings/2024-01-02.json",
        "metrics/efficiency/2024-01-01.json",
        "metrics/rewards/2024-01-01.json",
        "metrics/dashboard.json",
    ] {
        assert!(tree.contains_key(path), "{path} in {:?}", tree.keys());
    }
    assert!(
        !tree.contains_key("skills/gone.md"),
        "a retired skill has no file"
    );
    let members = |value: &Value| {
        let members = value.as_object().expect("an object").keys().cloned();
        members
            .filter(|name| name != "twiceshy")
            .collect::<Vec<_>>()
            .join(" ")
    };
    let episode = value(&tree, "episodic/2024-01-01/task-001.json");
    assert_eq!(
        members(&episode),
        "action_log agent artifacts_produced context duration_seconds errors_encountered git_commit id outcome task_id timestamp"
    );
    assert_eq!(
        members(&episode["context"]),
        "constraints files_involved goal phase"
    );
    assert_eq!(episode["timestamp"], "2024-01-01T00:00:00Z");
    assert_eq!(episode["duration_seconds"], 3);
    assert_eq!(episode["agent"], "eng-001");
    assert_eq!(episode["action_log"][0]["t"], 1.5);
    assert_eq!(episode["action_log"][0]["result"], "fail");
    assert_eq!(episode["errors_encountered"][0]["type"], "missing file");
    let pattern = &value(&tree, "semantic/patterns.json")[0];
    assert_eq!(
        members(pattern),
        "category conditions confidence correct_approach id incorrect_approach last_used links pattern source_episodes usage_count"
    );
    let anti = value(&tree, "semantic/anti-patterns.json");
    for anti in anti.as_array().expect("a list") {
        assert_eq!(members(anti), "prevention source what_fails why");
    }
    assert_eq!(
        members(&value(&tree, "ledgers/eng-001.json")),
        "agent_id context current_task last_checkpoint state tasks_completed"
    );
    let handoff = value(&tree, "handoffs/handoff-001.json");
    assert_eq!(
        members(&handoff),
        "context from_agent id timestamp to_agent"
    );
    assert_eq!(
        members(&handoff["context"]),
        "artifacts git_state known_issues needs_testing relevant_patterns what_was_done"
    );
    let learning = &value(&tree, "learnings/2024-01-01.json")["learnings"][0];
    assert_eq!(members(learning), "prevention source what_fails why");
    let index = value(&tree, "episodic/index.json");
    assert_eq!(index["episodes"][0]["file"], "2024-01-01/task-001.json");
    assert_eq!(
        value(&tree, "metrics/dashboard.json")["days"]
            .as_array()
            .map(Vec::len),
        Some(7)
    );
}

/// The seed's own files, word for word.
fn foreign() -> Tree {
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
fn later() -> World {
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
        engine.hand_off(&next).map(|one| one.id),
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
fn damage_is_refused_with_its_file_and_line_and_nothing_is_changed() {
    let episode = "episodic/2026-01-06/task-001.json";
    let notes = "semantic/patterns.json";
    for (path, from, to, part) in [
        (
            episode,
            "\"git_commit\": \"abc123\"\n}",
            "",
            "EOF while parsing",
        ),
        (
            episode,
            "\"duration_seconds\": 342",
            "\"duration_seconds\": null",
            "line 5",
        ),
        (
            episode,
            "\"duration_seconds\": 342",
            "\"duration_seconds\": \"342\"",
            "line 5",
        ),
        (
            episode,
            "\"duration_seconds\": 342",
            "\"duration_seconds\": -342",
            "-342 is less than 0 at line 5",
        ),
        (
            episode,
            "2026-01-06T10:30:00Z",
            "yesterday",
            "not a time such as",
        ),
        (
            episode,
            "\"outcome\": \"success\"",
            "\"outcome\": \"great\"",
            "great",
        ),
        (episode, "ep-2026-01-06-001", "../ep", "episode.id"),
        (episode, "\"t\": 5", "\"t\": -5", "line 15"),
        (
            notes,
            "\"confidence\": 0.95",
            "\"confidence\": 95",
            "95 is not from 0 to 1 at line 12",
        ),
        (
            notes,
            "\"usage_count\": 8",
            "\"usage_count\": -8",
            "line 14",
        ),
        (notes, "related_to", "is_fond_of", "is_fond_of"),
        (
            "skills/api-implementation.md",
            "## Steps",
            "## Stairs",
            "line 1",
        ),
        (
            "ledgers/eng-001.json",
            "\"tasks_completed\": 12",
            "\"tasks_completed\": \"12\"",
            "line 4",
        ),
        (
            "ledgers/eng-001.json",
            "\"agent_id\": \"eng-001-backend\"",
            "\"agent_id\": \"../x\"",
            "agent_id",
        ),
        (
            "handoffs/handoff-001.json",
            "\"id\": \"handoff-001\"",
            "\"id\": \"h\"",
            "handoff-001",
        ),
        (
            "semantic/anti-patterns.json",
            "\"what_fails\"",
            "\"what\"",
            "what_fails",
        ),
    ] {
        let world = later();
        let mut tree = foreign();
        let text = tree.get_mut(path).expect("a file");
        assert!(text.contains(from), "{from}");
        *text = text.replacen(from, to, 1);
        match import(&world, &tree) {
            Err(Error::InvalidArgument(message)) => {
                assert!(
                    message.starts_with(path) && message.contains(part),
                    "{part}: {message}"
                );
                assert!(message.contains("nothing was taken in"), "{message}");
            }
            other => panic!("{path} {to}: {other:?}"),
        }
        assert_eq!(documents(&world), BTreeMap::new(), "{path} {to}");
    }
}

#[test]
fn damage_to_what_travels_along_is_refused() {
    let tree = export(&lived());
    let episode = "episodic/2024-01-01/task-001.json";
    for (path, from, to, part) in [
        (
            episode,
            "\"failures\": 1",
            "\"failures\": -1",
            "twiceshy.documents.episode[0]",
        ),
        (
            episode,
            "\"action\": \"cat a.txt\"",
            "\"action\": \"rm a.txt\"",
            "action_log was changed by hand",
        ),
        (
            episode,
            "\"documents\": {",
            "\"documents\": {\"decision\": [{}],",
            "does not belong here",
        ),
        (
            "twiceshy/fingerprint.json",
            "\"occurrences\": ",
            "\"occurrences\": \"x",
            "twiceshy/fingerprint.json",
        ),
        (
            "semantic/patterns.json",
            "\"rule-text\":",
            "\"rule\":",
            "semantic/patterns.json",
        ),
    ] {
        let world = World::new();
        world.clock.set(support::START * 2);
        let mut tree = tree.clone();
        let text = tree.get_mut(path).unwrap_or_else(|| panic!("{path}"));
        assert!(text.contains(from), "{from} in {text}");
        *text = text.replacen(from, to, 1);
        match import(&world, &tree) {
            Err(Error::InvalidArgument(message)) => assert!(message.contains(part), "{message}"),
            other => panic!("{to}: {other:?}"),
        }
        assert_eq!(documents(&world), BTreeMap::new(), "{to}");
    }
    for path in ["/etc/passwd", "a/../../x", "skills\\x.md"] {
        let world = World::new();
        let tree = Tree::from([(path.to_owned(), "x".to_owned())]);
        assert!(
            matches!(import(&world, &tree), Err(Error::InvalidArgument(_))),
            "{path}"
        );
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

#[test]
fn two_memories_become_one() {
    let (one, two) = (lived(), lived());
    two.pass(1_000);
    let engine = two.engine();
    let steps = [
        failure("cat z.txt", "cat: z.txt: No such file"),
        success("ls && cat ./z.txt"),
    ];
    engine
        .submit(&run("read a file"), &steps, &ending())
        .expect("an episode");
    let tree = export(&two);
    let imported = import(&one, &tree).expect("taken in");
    assert!(imported.added >= 1, "{imported:?}");
    assert_eq!(
        one.engine().verify(),
        Ok(Vec::new()),
        "what is counted is counted anew"
    );
}

#[test]
fn an_aged_episode_goes_out_whole_and_comes_back_warm() {
    let old = lived();
    old.pass(400 * 24 * 60 * 60 * 1_000);
    let aged = old.engine().age(100, false).expect("aged");
    assert_eq!((aged.traces, aged.accounts), (3, 3), "{aged:?}");
    let tree = export(&old);
    let new = World::new();
    new.clock.set(old.clock.get());
    import(&new, &tree).expect("taken in");
    let engine = new.engine();
    let filter = EpisodeFilter::default();
    let episodes = Episodes::find(&engine, &filter).expect("episodes");
    assert_eq!(episodes.len(), 3);
    for episode in &episodes {
        assert_eq!(
            Episodes::trace(&engine, &episode.id, 0)
                .expect("steps")
                .len(),
            2
        );
        assert_eq!(
            Episodes::retrieve(&engine, &episode.id)
                .expect("whole")
                .account
                .git_commit
                .as_deref(),
            Some("abc123")
        );
    }
    assert_eq!(engine.verify(), Ok(Vec::new()));
    assert_eq!(engine.age(100, false).expect("aged again").traces, 3);
}

#[test]
fn episodes_and_experience_go_out_as_lines_and_come_back_as_they_were() {
    let old = lived();
    let lines = |world: &World, kind| {
        let piece = world
            .engine()
            .export_lines(kind, &ExportRequest { after: None })
            .expect("lines");
        assert_eq!(piece.next, None);
        piece.text
    };
    let take = |world: &World, kind, text: &str| {
        let request = ImportRequest {
            text: text.to_owned(),
            check_only: None,
        };
        world.engine().import_lines(kind, &request)
    };
    for kind in [LineKind::Episodes, LineKind::Experience] {
        let text = lines(&old, kind);
        assert_eq!(text.lines().count(), 3, "{}", kind.as_str());
        let new = World::new();
        new.clock.set(old.clock.get());
        let imported = take(&new, kind, &text).expect("taken in");
        assert_eq!((imported.records, imported.added), (3, 3));
        assert_eq!(lines(&new, kind), text);
        let kept = documents(&new);
        let before = documents(&old);
        let same = kept
            .iter()
            .filter(|(key, _)| !key.starts_with("fingerprint/"));
        for (key, body) in same {
            assert_eq!(before.get(key), Some(body), "{key}");
        }
        assert_eq!(new.engine().verify(), Ok(Vec::new()));
        assert_eq!(take(&new, kind, &text).expect("known").known, 3);
        assert_eq!(documents(&new), kept);
        let damaged = text.replacen("\"run\"", "\"ran\"", 1);
        let refused = take(&World::new(), kind, &damaged);
        assert!(
            matches!(&refused, Err(Error::InvalidArgument(message)) if message.starts_with("line 1: ")),
            "{refused:?}"
        );
    }
    let world = World::new();
    let foreign = "{\"input\": \"sort a list\", \"output\": \"sorted()\", \"feedback\": \"success\", \"memory_type\": \"procedural\",\
        \"metadata\": {\"lang\": \"python\", \"n\": 3}, \"embedding\": [0.1], \"id\": \"mem_1\"}\n";
    assert_eq!(
        take(&world, LineKind::Experience, foreign)
            .expect("taken in")
            .added,
        1
    );
    let entries = world.engine().entries(None, 10).expect("entries");
    assert_eq!(
        (entries[0].input.as_str(), entries[0].memory_type),
        ("sort a list", MemoryType::Procedural)
    );
    assert!(take(&world, LineKind::Experience, "{\"output\": \"x\"}").is_err());
}
