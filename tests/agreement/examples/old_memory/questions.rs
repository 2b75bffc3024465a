//! The questions: by every function that reads, and what somebody would look for in the story.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use twiceshy_agreement::Dice;
use twiceshy_wit::{FUNCTIONS, Function};

use crate::{Story, id};

/// Functions that change nothing but what was looked at, and when.
const READING: [&str; 74] = [
    "coordination.handoff-of",
    "coordination.handoffs",
    "coordination.ledger-of",
    "coordination.ledgers",
    "decisions.check",
    "decisions.export-file",
    "decisions.failure-patterns",
    "decisions.filter",
    "decisions.get-records",
    "decisions.query",
    "decisions.stats",
    "decisions.was-recently-accepted",
    "decisions.was-rejected",
    "episodes.artifact-content",
    "episodes.find",
    "episodes.get",
    "episodes.lifecycle-of",
    "episodes.retrieve",
    "episodes.search",
    "episodes.similar-failures",
    "episodes.trace",
    "events.find",
    "events.fingerprint-of",
    "events.get",
    "exchange.export-lines",
    "exchange.export-tree",
    "experience.entries",
    "experience.get",
    "experience.recent-window",
    "experience.search",
    "experience.settings",
    "experience.similarity-of-tasks",
    "experience.stats",
    "experience.synthesize",
    "failures.categorize",
    "failures.check-warnings",
    "failures.patterns",
    "lessons.activations",
    "lessons.explain",
    "lessons.find",
    "lessons.get",
    "links.around",
    "links.contradictions",
    "links.of-memory",
    "patterns.find",
    "patterns.find-applicable",
    "patterns.gate",
    "patterns.get",
    "patterns.history",
    "patterns.similar",
    "recall.context",
    "recall.for-task",
    "recall.on-error",
    "runs.get",
    "runs.latest-steps",
    "runs.open",
    "runs.recent-steps",
    "skills.all",
    "skills.find",
    "skills.get",
    "skills.history",
    "upkeep.consolidations",
    "upkeep.metrics-of-days",
    "upkeep.report",
    "upkeep.status",
    "upkeep.take-inventory",
    "upkeep.verify",
    "working.continuity",
    "working.fetch",
    "working.get",
    "working.metadata",
    "working.render",
    "working.snapshots",
    "working.view",
];

fn named(name: &str) -> &'static Function {
    let is = |function: &&Function| format!("{}.{}", function.interface, function.name) == name;
    FUNCTIONS
        .iter()
        .find(is)
        .unwrap_or_else(|| panic!("there is no function {name}"))
}

/// Asks by every function that reads, often enough that most of them find something.
pub(crate) fn ask(story: &mut Story) {
    let mut seed = 11;
    for name in READING {
        let function = named(name);
        let rounds = if function.parameters.is_empty() {
            1
        } else {
            12
        };
        let mut asked = BTreeSet::new();
        for _ in 0..rounds {
            seed += 1;
            story.known.now = story.world.clock.get();
            let arguments = story.known.arguments(function, &mut Dice::new(seed));
            if asked.insert(arguments.to_string()) {
                story.ask(name, arguments);
            }
        }
    }
    let pages = ["events", "lessons", "episodes", "experience"];
    for kind in pages {
        story.ask(
            "exchange.export-lines",
            json!({"kind": kind, "request": {}}),
        );
    }
    ask_by_hand(story);
}

/// Questions that chance does not put: each memory by its id, and what somebody would look for in this story.
fn ask_by_hand(story: &mut Story) {
    let listed = |story: &mut Story, method: &str, arguments: Value| -> Vec<Value> {
        let answer = story.answer(method, &arguments).expect("a list");
        serde_json::from_str(&answer).expect("a list")
    };
    let every = json!({"filter": {"limit": 1000}});
    for lesson in listed(story, "lessons.find", every.clone()) {
        let lesson = id(&lesson);
        for (method, name) in [
            ("lessons.get", "lesson"),
            ("lessons.explain", "lesson"),
            ("links.of-memory", "id"),
        ] {
            story.ask(method, json!({ name: lesson }));
        }
    }
    let mut phases = Vec::new();
    for phase in ["active", "mature", "aged", "archived"] {
        phases.extend(listed(
            story,
            "episodes.find",
            json!({"filter": {"phase": phase, "limit": 1000}}),
        ));
    }
    for episode in phases {
        let episode = id(&episode);
        for method in ["episodes.get", "episodes.retrieve", "episodes.lifecycle-of"] {
            story.ask(method, json!({ "episode": episode }));
        }
        story.ask("episodes.trace", json!({"episode": episode, "first": 0}));
    }
    for pattern in listed(
        story,
        "patterns.find",
        json!({"kind": null, "status": null, "limit": 100}),
    ) {
        let pattern = id(&pattern["lesson"]);
        story.ask("patterns.get", json!({ "pattern": pattern }));
        story.ask("patterns.history", json!({ "pattern": pattern }));
        story.ask(
            "patterns.similar",
            json!({"pattern": pattern, "least": 0.3}),
        );
    }
    for run in listed(story, "runs.open", json!({"limit": 10})) {
        let run = id(&run);
        for method in [
            "runs.get",
            "working.view",
            "working.continuity",
            "working.snapshots",
        ] {
            story.ask(method, json!({ "run": run }));
        }
        story.ask(
            "working.render",
            json!({"run": run, "rendering": {"tokens": 600}}),
        );
        story.ask(
            "working.get",
            json!({"run": run, "key": "tables", "scope": "task-scope"}),
        );
    }
    for slug in ["parse-file", "old-way", "release"] {
        story.ask("skills.get", json!({ "slug": slug }));
        story.ask("skills.history", json!({ "slug": slug }));
    }
    story.ask(
        "skills.find",
        json!({"task": "parse the lines of a file", "limit": 5}),
    );
    for text in [
        "release version 3",
        "copy the backups to the share",
        "sort the numbers of a report",
    ] {
        for archived in [false, true] {
            story.ask(
                "episodes.search",
                json!({"query": {"text": text, "archived": archived, "preferred-domain": "cli"}}),
            );
        }
        story.ask(
            "recall.context",
            json!({"request": {"task": text, "domain": "cli", "features": []}}),
        );
        story.ask(
            "recall.for-task",
            json!({"task": {"task": text, "domain": "cli", "recent-fingerprints": []}}),
        );
        story.ask("experience.search", json!({"query": {"text": text}}));
    }
    for evidence in [
        "sort: unknown option '--numeric' in line 3",
        "rsync: write failed: No space left on device (28)",
        "connection refused: 10.0.0.8:22",
    ] {
        story.ask(
            "recall.on-error",
            json!({"failure": {"evidence": evidence, "domain": "cli", "task": "any"}}),
        );
        story.ask(
            "episodes.similar-failures",
            json!({"failure": {"evidence": evidence}}),
        );
    }
    story.ask("patterns.find-applicable", json!({"task": {"task": "sort", "task-type": "data", "domain": "cli", "capabilities": ["shell"], "features": [{"name": "rows", "value": "20"}]}}));
    story.ask(
        "patterns.find-applicable",
        json!({"task": {"task": "", "task-type": "data", "domain": "cli", "capabilities": ["shell"],
        "features": [{"name": "rows", "value": "20"}], "category": "strategy"}}),
    );
    story.ask(
        "failures.check-warnings",
        json!({"query": {"module-name": "loader", "hypothesis": "use a generator for rows"}}),
    );
    story.ask("links.contradictions", json!({"limit": 50}));
}
