//! The tree of the memory hierarchy: out and back without loss, files of other systems, changes by hand, damage.

mod damage;
mod foreign;

use std::collections::BTreeMap;

use crate::support::{World, ending, failure, proposal, run, success};
use serde_json::{Value, json};
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
    let source = include_str!("../src/store/documents.rs");
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
    engine.hand_over(&handoff).expect("a handoff");
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
