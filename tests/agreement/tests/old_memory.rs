//! A memory that an earlier version wrote is opened by this one: it answers as it did, and can be written to.
//!
//! The clock stands where it stood when the answers were recorded, so that nothing has to be left out: what is
//! recent, how old something is and what has decayed is compared too.

#[allow(dead_code)]
#[path = "../../../guest/engine/tests/support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::World;
use twiceshy_agreement::fixture::{self, Recorded};
use twiceshy_engine::{Engine, Ports};
use twiceshy_store::{DirectoryArchive, Options, SqliteStore};
use twiceshy_wit::{
    host::{Order, Query, Store},
    memory::Error,
    rpc,
};

/// Every kind of document that the version kept.
const KINDS: [&str; 37] = [
    "run",
    "step",
    "event",
    "fingerprint",
    "episode",
    "account",
    "lifecycle",
    "consolidated",
    "embedding",
    "experience",
    "experience-settings",
    "experience-use",
    "lesson",
    "evidence",
    "activation",
    "application",
    "gate",
    "consolidation",
    "consolidation-change",
    "link",
    "pattern",
    "pattern-body",
    "pattern-version",
    "reward",
    "task",
    "decision",
    "failure",
    "wording",
    "working",
    "working-item",
    "working-cold",
    "working-snapshot",
    "working-metadata",
    "ledger",
    "handoff",
    "skill",
    "skill-version",
];

/// A copy of the memory, and the ports that it had.
struct Old {
    world: World,
    store: SqliteStore,
    archive: DirectoryArchive,
    _directory: tempfile::TempDir,
}

fn original() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(fixture::DIRECTORY)
}

fn recorded() -> Vec<Recorded> {
    fixture::recorded(&original()).expect("the recorded answers")
}

impl Old {
    fn open() -> Old {
        let directory = tempfile::tempdir().expect("a directory");
        fixture::unpack(&original(), directory.path()).expect("a copy");
        let old = Old {
            world: World::new(),
            store: SqliteStore::open(&directory.path().join("memory.db"), Options::default())
                .expect("the store opens"),
            archive: DirectoryArchive::new(directory.path().join("archive")),
            _directory: directory,
        };
        old.world.embeds.set(true);
        old
    }

    fn call(&self, method: &str, arguments: &Value) -> Result<String, Error> {
        let engine = Engine::new(Ports {
            store: &self.store,
            archive: &self.archive,
            embedder: &self.world,
            model: &self.world,
            clock: &self.world,
            log: &self.world,
        });
        rpc::call(&engine, method, &arguments.to_string())
    }

    fn result(&self, method: &str, arguments: &Value) -> Value {
        let answer = self.call(method, arguments);
        let answer = answer.unwrap_or_else(|error| panic!("{method}: {error}"));
        serde_json::from_str(&answer).expect("an answer is JSON")
    }
}

#[test]
fn a_memory_of_an_earlier_version_answers_as_it_did() {
    let old = Old::open();
    let mut differences = Vec::new();
    let mut calls = recorded();
    for call in &mut calls {
        old.world.clock.set(call.at);
        let method = call.method_of_today();
        let answer = old.call(method, &call.arguments_of_today());
        let answer = Recorded::answer(answer);
        if let Some(difference) = call.difference(&answer) {
            differences.push(format!("{method} {}: {difference}", call.arguments));
            call.answer = answer;
        }
    }
    // Where an answer was changed on purpose, `UPDATE=1` records it as it is now.
    if std::env::var_os("UPDATE").is_some() {
        fixture::record(&calls, &original()).expect("recorded");
        return;
    }
    assert!(
        differences.is_empty(),
        "{} answers differ:\n{}",
        differences.len(),
        differences.join("\n")
    );
}

/// Otherwise the other tests would show less than they say.
#[test]
fn the_memory_of_an_earlier_version_has_every_kind_of_document_and_most_questions_found_something()
{
    let old = Old::open();
    let missing = KINDS.iter().filter(|kind| {
        let query = Query {
            kind: (**kind).to_owned(),
            conditions: Vec::new(),
            order: Order::ById,
            offset: 0,
            limit: 1,
        };
        old.store.find(&query).expect("a question").is_empty()
    });
    let missing: Vec<_> = missing.collect();
    assert!(missing.is_empty(), "the memory has no {missing:?}");
    let calls = recorded();
    let empty = |call: &&Recorded| {
        call.answer["error"].is_string() || call.answer["ok"].as_array().is_some_and(Vec::is_empty)
    };
    let found = calls.iter().filter(|call| !empty(call)).count();
    assert!(found * 3 > calls.len() * 2, "{found} of {}", calls.len());
}

#[test]
fn a_memory_of_an_earlier_version_is_sound_and_goes_on_learning() {
    let old = Old::open();
    let last = recorded().last().expect("a call").at;
    old.world.clock.set(last);
    assert_eq!(old.result("upkeep.verify", &json!({})), json!([]));
    let before = old.result("upkeep.status", &json!({}));

    let failed = json!({
        "step": {"action": {"command": ["rsync -a /srv /mnt/other"]}},
        "feedback": {"action-text": "rsync -a /srv /mnt/other",
            "hard-failure": {"reason": "exit 2", "evidence": "rsync: write failed: no space left on device (28)"}},
    });
    let submitted = old.result(
        "runs.submit",
        &json!({"run": {"task": "copy the backups to the share", "domain": "cli", "hold-out": 0.0},
            "steps": [failed], "ending": {"outcome": "failure"}}),
    );
    let hints = submitted["reactions"][0]["hints"].as_array();
    assert!(
        hints.is_some_and(|hints| !hints.is_empty()),
        "what was learned long ago is still told: {submitted}"
    );
    old.result(
        "lessons.propose",
        &json!({"lesson": {"rule-text": "WRONG: zip -x → CORRECT: unzip", "trigger-texts": ["zip error: nothing to do"]}}),
    );
    let mut request = json!({"stages": []});
    old.world.pass(90 * support::DAY);
    loop {
        let piece = old.result("upkeep.consolidate", &json!({ "request": request }));
        match piece["next"].as_str() {
            Some(next) => request["after"] = json!(next),
            None => break,
        }
    }
    let after = old.result("upkeep.status", &json!({}));
    assert_eq!(
        after["episodes"].as_u64(),
        before["episodes"].as_u64().map(|episodes| episodes + 1)
    );
    assert!(after["lessons"].as_u64() > before["lessons"].as_u64());
    assert_eq!(old.result("upkeep.verify", &json!({})), json!([]));
    assert_eq!(old.store.integrity(), Ok(vec![]));
}
