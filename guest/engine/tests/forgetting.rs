//! Gone is gone: nothing finds a deleted episode, and a purged one leaves no word behind.

mod merged;

use serde_json::{Value, json};
use twiceshy_engine::Engine;
use twiceshy_wit::{
    memory::{Episodes, Events, Runs, Upkeep},
    rpc,
};

use crate::support::{DAY, World, ending, failure, run, success};

/// Every word of the episode begins with this, and no other memory has it.
const MARK: &str = "zqvex";

fn call(engine: &Engine, method: &str, arguments: Value) -> String {
    let answer = rpc::call(engine, method, &arguments.to_string());
    answer.unwrap_or_else(|error| panic!("{method}: {error}"))
}

/// A word that only one field of the episode has.
fn word(field: &str) -> String {
    format!("{MARK}{field}")
}

/// An episode with a word of its own in every field, and what the same day brought besides.
fn lived(world: &World) -> String {
    let engine = world.engine();
    let artifact = engine
        .keep_artifact(&word("artifact"), "text/plain", word("content").as_bytes())
        .unwrap();
    let mut new = run(&format!(
        "move the {} to the {}",
        word("task"),
        word("goal")
    ));
    new.session = Some(word("session"));
    new.agent = Some(word("agent"));
    let open = engine.start(&new).unwrap();
    let words = |field: &str| json!([word(field)]);
    let description = json!({
        "tags": words("tag"), "tools-used": words("tool"), "strategies-applied": words("strategy"),
        "task-type": word("type"), "summary": word("summary"),
        "account": {
            "goals": words("aim"), "constraints": words("constraint"),
            "success-criteria": words("criterion"),
            "context": json!({ "branch": word("branch") }).to_string(),
            "phase": word("phase"), "files-involved": words("file"), "plan": words("plan"),
            "adaptations": [{ "change": word("change"), "reason": word("reason") }],
            "resource-usage": [], "primary-output": word("output").repeat(2_000),
            "side-effects": words("effect"), "quality-metrics": [],
            "insights": words("insight"), "patterns-discovered": [],
            "errors-encountered": [{
                "kind": word("kind"), "message": word("message"), "resolution": word("resolution")
            }],
            "performance-analysis": word("analysis"),
            "artifacts": [{
                "name": artifact.name, "media-type": artifact.media_type,
                "hash": artifact.hash, "bytes": artifact.bytes
            }],
            "git-commit": word("commit"),
        },
    });
    call(
        &engine,
        "runs.describe",
        json!({ "run": open.id, "description": description }),
    );
    let mut step = failure(
        &format!("mover {} --now", word("action")),
        &format!("mover: {} is {}", word("thing"), word("state")),
    );
    step.step.before = json!({ "at": word("before") }).to_string();
    step.step.observation = json!({ "saw": word("observation") }).to_string();
    engine.observe(&open.id, &step).unwrap();
    engine
        .observe(&open.id, &success(&word("success")))
        .unwrap();
    let context = json!({ "run": open.id, "context": {} });
    let _ = rpc::call(&engine, "working.init", &context.to_string());
    engine.finish(&open.id, &ending()).unwrap();
    assert_eq!(call(&engine, "lessons.find", json!({ "filter": {} })), "[]");
    open.id
}

/// What everything that searches says when it is asked for the words of the episode.
fn searched(world: &World) -> Vec<(&'static str, String)> {
    let engine = world.engine();
    let task = format!("move the {} to the {}", word("task"), word("goal"));
    let evidence = format!("mover: {} is {}", word("thing"), word("state"));
    let asked = [
        ("episodes.find", json!({ "filter": { "limit": 1000 } })),
        ("episodes.find", json!({ "filter": { "tag": word("tag") } })),
        (
            "episodes.find",
            json!({ "filter": { "agent": word("agent") } }),
        ),
        ("episodes.search", json!({ "query": { "text": task } })),
        (
            "episodes.search",
            json!({ "query": { "text": "", "archived": true } }),
        ),
        (
            "episodes.similar-failures",
            json!({ "failure": { "evidence": evidence } }),
        ),
        ("experience.search", json!({ "query": { "text": task } })),
        ("experience.entries", json!({ "limit": 1000 })),
        ("experience.recent-window", json!({})),
        ("experience.archived", json!({ "limit": 1000 })),
        ("events.find", json!({ "filter": { "limit": 1000 } })),
        ("events.find", json!({ "filter": { "domain": "cli" } })),
        ("lessons.find", json!({ "filter": {} })),
        ("patterns.find", json!({ "limit": 1000 })),
        ("skills.find", json!({ "task": task, "limit": 10 })),
        (
            "recall.on-error",
            json!({ "failure": { "evidence": evidence, "domain": "cli", "task": task } }),
        ),
        (
            "recall.for-task",
            json!({ "task": { "task": task, "domain": "cli", "recent-fingerprints": [] } }),
        ),
        (
            "recall.context",
            json!({ "request": { "task": task, "domain": "cli", "features": [] } }),
        ),
        ("runs.recent-steps", json!({ "domain": "cli", "limit": 16 })),
        ("runs.open", json!({ "limit": 100 })),
        ("upkeep.report", json!({})),
        ("upkeep.consolidations", json!({ "limit": 100 })),
        ("upkeep.metrics-of-days", json!({})),
        ("skills.all", json!({})),
        ("lessons.activations", json!({ "filter": {} })),
        ("links.contradictions", json!({ "limit": 100 })),
        (
            "patterns.find-applicable",
            json!({ "task": { "task": task, "task-type": word("type"), "domain": "cli" } }),
        ),
        ("experience.stats", json!({})),
        ("experience.similarity-of-tasks", json!({})),
    ];
    let mut answers: Vec<_> = asked
        .into_iter()
        .map(|(method, arguments)| (method, call(&engine, method, arguments)))
        .collect();
    // A run with the same words, as its agent sees it.
    let open = engine.start(&run("move it")).unwrap();
    let mut ask = |method, arguments| answers.push((method, call(&engine, method, arguments)));
    ask("runs.brief", json!({ "run": open.id, "request": {} }));
    let query = json!({ "run": open.id, "query": { "text": task } });
    if rpc::call(
        &engine,
        "working.init",
        &json!({ "run": open.id, "context": {} }).to_string(),
    )
    .is_ok()
    {
        ask("working.retrieve", query);
        ask("working.view", json!({ "run": open.id }));
    }
    engine.observe(&open.id, &success("ls")).unwrap();
    engine.finish(&open.id, &ending()).unwrap();
    answers
}

#[test]
fn nothing_finds_a_deleted_episode_and_everything_finds_it_again() {
    let world = World::new();
    let id = lived(&world);
    let finders = |answers: &[(&'static str, String)]| -> Vec<&'static str> {
        let found = answers.iter().filter(|(_, text)| text.contains(MARK));
        found.map(|(method, _)| *method).collect()
    };
    let before = finders(&searched(&world));
    for method in [
        "episodes.search",
        "experience.search",
        "events.find",
        "runs.recent-steps",
    ] {
        assert!(
            before.contains(&method),
            "{method} finds nothing: {before:?}"
        );
    }
    world.engine().soft_delete(&id, "not any more").unwrap();
    assert_eq!(finders(&searched(&world)), Vec::<&str>::new());
    world.engine().undelete(&id).unwrap();
    assert_eq!(finders(&searched(&world)), before);
}

/// Everywhere a word of the episode is left.
fn left(world: &World) -> Vec<String> {
    let archive = world.archive.borrow();
    let contents = archive
        .iter()
        .map(|(name, content)| format!("{name} {}", String::from_utf8_lossy(content)));
    let all = world.store.texts().into_iter().chain(contents);
    all.filter(|text| text.to_lowercase().contains(MARK))
        .map(|text| text.chars().take(600).collect())
        .collect()
}

#[test]
fn a_purged_episode_leaves_no_word_in_any_document_or_archive() {
    for (age, consolidated) in [(0, false), (200, false), (400, true)] {
        let world = World::new();
        // Others that stay, with the same error for something else.
        let engine = world.engine();
        let other = [
            failure("mover box --now", "mover: box is heavy"),
            success("ls"),
        ];
        engine
            .submit(&run("move the box"), &other, &ending())
            .unwrap();
        let id = lived(&world);
        world.pass(age * DAY);
        engine.age(100, false).unwrap();
        if consolidated {
            let request = json!({ "request": { "dry-run": false } });
            let _ = rpc::call(&engine, "upkeep.consolidate", &request.to_string());
        }
        assert!(!left(&world).is_empty());
        engine.soft_delete(&id, "not any more").unwrap();
        assert_eq!(
            engine.purge(Some(0), false).unwrap(),
            std::slice::from_ref(&id)
        );
        assert_eq!(left(&world), Vec::<String>::new(), "after {age} days");
        let findings = engine.verify().unwrap();
        assert!(findings.is_empty(), "{findings:?}");
        assert!(Episodes::get(&engine, &id).is_err());
        for (method, text) in searched(&world) {
            assert!(
                !text.contains(MARK) || method == "runs.open",
                "{method}: {text}"
            );
        }
        // What the others had is still known.
        let known = engine.fingerprint_of("mover: box is heavy").id;
        let filter = json!({ "filter": { "fingerprint": known } });
        assert!(call(&engine, "events.find", filter).contains("mover box"));
    }
}
