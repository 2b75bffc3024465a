//! A memory that an earlier version wrote, opened by the component and by the program of today.
//!
//! The component is asked with the clock where it stood, so that every answer is compared. The program has the clock of the
//! machine: of its answers those are compared that do not depend on the time, which is those that give one memory by its
//! id.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use serde_json::{Value, json};
use twiceshy::{
    DirectoryArchive, MemoryComponent, Options, SqliteStore,
    wit::host::{self, Clock, Embedder},
};
use twiceshy_agreement::fixture::{self, Recorded};

use crate::support::{Scratch, compiled, repository};

/// Functions whose answers are the same whenever they are asked for.
const TIMELESS: [&str; 12] = [
    "coordination.handoff-of",
    "coordination.ledger-of",
    "decisions.get-records",
    "decisions.stats",
    "episodes.get",
    "episodes.trace",
    "events.get",
    "experience.settings",
    "lessons.get",
    "patterns.gate",
    "skills.history",
    "working.metadata",
];

#[derive(Clone, Default)]
struct SetByHand(Arc<AtomicU64>);

impl Clock for SetByHand {
    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counts letters, as the embedder did when the memory was written.
struct Letters;

impl Embedder for Letters {
    fn identity(&self) -> Result<String, host::Error> {
        Ok("old".to_owned())
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, host::Error> {
        let count = |text: &String| {
            let mut vector = vec![0.0; 26];
            for byte in text.to_ascii_lowercase().bytes() {
                if byte.is_ascii_lowercase() {
                    vector[usize::from(byte - b'a')] += 1.0;
                }
            }
            vector
        };
        Ok(texts.iter().map(count).collect())
    }
}

fn recorded() -> Vec<Recorded> {
    fixture::recorded(&repository().join(fixture::DIRECTORY)).expect("the recorded answers")
}

/// A project with a copy of the memory.
fn project() -> Scratch {
    let scratch = Scratch::new();
    fixture::unpack(&repository().join(fixture::DIRECTORY), &scratch.memory()).expect("a copy");
    scratch
}

#[test]
fn a_memory_of_an_earlier_version_answers_through_the_component_as_it_did() {
    let scratch = project();
    let clock = SetByHand::default();
    let file = scratch.memory().join("memory.db");
    let store = SqliteStore::open(&file, Options::default()).expect("the store opens");
    let cache = compiled();
    let memory = MemoryComponent::bundled(&cache)
        .expect("the component")
        .over(store)
        .archive(DirectoryArchive::new(scratch.memory().join("archive")))
        .embedder(Letters)
        .clock(clock.clone())
        .build();
    let mut differences = Vec::new();
    for call in recorded() {
        clock.0.store(call.at, Ordering::Relaxed);
        let method = call.method_of_today();
        let answer = memory.call(method, &call.arguments_of_today().to_string());
        if let Some(difference) = call.difference(&Recorded::answer(answer)) {
            differences.push(format!("{method} {}: {difference}", call.arguments));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn the_program_opens_a_memory_of_an_earlier_version_and_goes_on_with_it() {
    let scratch = project();
    scratch.assert_sound();
    let timeless: Vec<_> = recorded()
        .into_iter()
        .filter(|call| TIMELESS.contains(&call.method.as_str()) && call.answer.get("ok").is_some())
        .collect();
    assert!(timeless.len() > 50, "{}", timeless.len());
    let line = |call: &Recorded| {
        let request =
            json!({"method": call.method_of_today(), "args": call.arguments_of_today(), "id": 0});
        format!("{request}\n")
    };
    let requests: String = timeless.iter().map(line).collect();
    let ran = scratch.run_with(&["call", "--lines"], requests.as_bytes());
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    for (call, line) in timeless.iter().zip(ran.stdout().lines()) {
        let answer: Value = serde_json::from_str(line).expect("JSON");
        let difference = call.difference(&json!({ "ok": answer["ok"] }));
        assert_eq!(difference, None, "{} {}", call.method, call.arguments);
    }

    // It is written to: a run that fails, a lesson, a consolidation.
    let before = scratch.status();
    let ran = scratch.run(&[
        "run",
        "--",
        "sh",
        "-c",
        "echo 'sort: unknown option' >&2; exit 2",
    ]);
    assert_eq!(ran.code(), 2);
    scratch.call(
        "lessons.propose",
        &json!({"rule-text": "WRONG: zip -x → CORRECT: unzip"}),
    );
    let ran = scratch.run(&["consolidate", "--quiet"]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let after = scratch.status();
    for counted in ["events", "episodes"] {
        let count = |status: &Value| status[counted].as_u64().expect("a number");
        assert_eq!(count(&after), count(&before) + 1, "{counted}");
    }
    assert!(after["lessons"].as_u64() > before["lessons"].as_u64());
    scratch.assert_sound();
}

/// Records that consist of numbers pass the boundary of the component as they are.
#[test]
fn the_statistics_of_decisions_come_through_the_component_with_every_number() {
    let scratch = Scratch::new();
    let mut records = Vec::new();
    for (month, outcomes) in [
        (1, ["rejected", "rejected", "accepted"]),
        (6, ["rejected", "accepted", "accepted"]),
        (11, ["accepted", "accepted", "accepted"]),
    ] {
        for (day, outcome) in outcomes.into_iter().enumerate() {
            let module = if day == 0 { "hard" } else { "soft" };
            records.push(json!({
                "module": module, "hypothesis": format!("Idea {month} {day}"), "description": "", "outcome": outcome,
                "rationale": "measured", "rejection_reason": (outcome == "rejected").then_some("pytest: 2 failed"),
                "timestamp": format!("2024-{month:02}-{:02}T10:00:00Z", day + 1),
            }));
        }
    }
    let file = json!({"version": "1.0.0", "records": records}).to_string();
    scratch.call("decisions.import-file", &json!({"request": {"text": file}}));
    let stats = scratch.call("decisions.stats", &json!({}));
    assert_eq!(
        stats["modules"],
        json!([
            {"module": "hard", "accepted": 1, "rejected": 2, "held": 0, "reject-rate": 2.0 / 3.0},
            {"module": "soft", "accepted": 5, "rejected": 1, "held": 0, "reject-rate": 1.0 / 6.0},
        ])
    );
    assert_eq!(stats["hardest-modules"][0]["module"], "hard");
    assert_eq!(
        stats["rejection-reasons"],
        json!([{"name": "Test failure", "count": 3}])
    );
    let periods = stats["acceptance"].as_array().expect("periods");
    let counts: Vec<_> = periods
        .iter()
        .map(|one| (one["accepted"].as_u64(), one["rejected"].as_u64()))
        .collect();
    let expected = [(1, 2), (1, 1), (1, 0), (3, 0)].map(|(a, r)| (Some(a), Some(r)));
    assert_eq!(counts, expected, "{periods:?}");
    let rates: Vec<_> = periods
        .iter()
        .map(|one| one["acceptance-rate"].as_f64().expect("a rate"))
        .collect();
    assert_eq!(rates, [1.0 / 3.0, 1.0 / 2.0, 1.0, 1.0]);
}
