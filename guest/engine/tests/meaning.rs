//! What an embedder says: calibrated against unrelated texts, and only beside vectors of the same embedder.

use twiceshy_wit::memory::{ContextRequest, Lessons, Recall, Runs, Scope, TaskContext, Upkeep};

use crate::support::{World, ending, proposal, run, success};

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

/// Episodes of two moments, more of each than are embedded at once, beside some of other times.
#[test]
fn reindexing_embeds_each_episode_once_however_many_ended_at_one_time() {
    let world = World::new();
    let engine = world.engine();
    for moment in [100, 100, 7] {
        world.pass(1_000);
        for number in 0..moment {
            let task = run(&format!("task {number} at {}", world.clock.get()));
            engine
                .submit(&task, &[success("make")], &ending())
                .expect("a run");
        }
    }
    world.embeds.set(true);
    let mut after = String::new();
    let (mut embedded, mut done) = (0, 0);
    loop {
        let piece = engine.reindex(&after).expect("a piece");
        if piece.memories == "episodes" {
            assert_eq!(piece.total, 207);
            assert!(piece.done > done, "each piece goes on");
            done = piece.done;
            embedded += piece.embedded;
        }
        match piece.next {
            Some(next) => after = next,
            None => break,
        }
    }
    // Three vectors each.
    assert_eq!((done, embedded), (207, 3 * 207));
    assert_eq!(engine.reindex("").expect("a piece").embedded, 0);
    assert!(engine.reindex("episodes x").is_err());
}
