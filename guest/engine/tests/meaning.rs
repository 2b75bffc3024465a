//! What an embedder says: calibrated against unrelated texts, and only beside vectors of the same embedder.

use twiceshy_wit::memory::{ContextRequest, Lessons, Recall, Scope, TaskContext};

use crate::support::{World, proposal};

/// Rules about other things than the task; the first has its letters in other words.
const RULES: [&str; 6] = [
    "dirty room",
    "quiz a wizard",
    "keep a key",
    "puff a buffalo off a cliff",
    "chew gum",
    "bake cabbage, beef",
];

/// The task: an anagram of the first rule.
const TASK: &str = "dormitory";

/// A memory whose embedder gives unrelated texts this cosine.
fn world(unrelated: f64) -> World {
    let world = World::new();
    world.embeds.set(true);
    world.unrelated.set(unrelated);
    for rule in RULES {
        let mut lesson = proposal(rule, "");
        lesson.trigger_texts.clear();
        lesson.scope_hint = Some(Scope::Global);
        world.engine().propose(&lesson).expect("a lesson");
    }
    world
}

#[test]
fn embedders_with_other_backgrounds_give_the_same_briefing_without_noise() {
    let answers = [0.0, 0.3, 0.75].map(|unrelated| {
        let world = world(unrelated);
        let task = TaskContext {
            task: TASK.to_owned(),
            domain: "cli".to_owned(),
            recent_fingerprints: Vec::new(),
            limit: None,
            tokens: None,
        };
        let hints = world.engine().for_task(&task).expect("hints");
        let request = ContextRequest {
            task: TASK.to_owned(),
            domain: "cli".to_owned(),
            ..ContextRequest::default()
        };
        let bundle = world.engine().context(&request).expect("a bundle");
        let bundled: Vec<_> = bundle
            .applicable_patterns
            .iter()
            .map(|item| item.summary.clone())
            .collect();
        let hints: Vec<_> = hints
            .into_iter()
            .map(|hint| hint.lesson.rule_text)
            .collect();
        (hints, bundled)
    });
    assert_eq!(answers[0].0, [RULES[0]]);
    assert_eq!(answers[0].1, [RULES[0]]);
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
}
