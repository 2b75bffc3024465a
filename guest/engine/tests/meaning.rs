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

/// What others wrote, by the order of a random number: subjects of commits of Flask as lessons, and further ones as tasks.
const SUBJECTS: [&str; 24] = [
    "Fix typo in urlprocessors.rst",
    "Fix typo in URL defaults example",
    "send_file quotes \":/\" in UTF-8 filename",
    "[docs] streaming contents: use app.response_class",
    "Add `async` support",
    "Fix docs/CHANGES.rst typo",
    "Add Python 3.7 to CI.",
    "Bump pre-commit from 2.12.0 to 2.12.1",
    "docs: new configuration format for celery",
    "Add missing .dev to version (#4801)",
    "Bump sphinx-tabs from 3.0.0 to 3.1.0",
    "pre-commit update branch",
    "Bump the github-actions group with 2 updates",
    "release version 2.2.2",
    "Fix typo in docs/tutorial/index.rst",
    "Adding Fish commands to docs",
    "Bump pytest from 6.0.0 to 6.0.1",
    "add SeparatedPathType to accept multiple paths",
    "Add venv and .venv to .gitignore",
    "mention default logging level",
    "Add vscode settings dir to .gitignore",
    "Bump tox from 3.16.0 to 3.16.1",
    "Bump the github-actions group with 4 updates",
    "Make add_url_rule() signature consistent",
];
const RELATED_TASKS: [&str; 12] = [
    "one more todo",
    "use new logo",
    "add changelog for GH-2986",
    "remove encoding from method override pattern",
    "extract common Flask/Blueprint API to Scaffold base class",
    "Allow loading of environment variables into the config",
    "Bump tox from 3.21.4 to 3.22.0",
    "Fix DeprecationWarning on collections import",
    "Remove the async helper method",
    "Bump pre-commit from 2.14.0 to 2.14.1",
    "Add --debug option to flask run",
    "add import for escape in quickstart",
];

/// Of Mrs Beeton's *Book of Household Management*, 1861: none of the subjects has anything to do with them.
const HOUSEHOLD_TASKS: [&str; 6] = [
    "If I had known, beforehand, that this book would have cost me the labour which it has, I should never have been courageous enough to commence it.",
    "There is no more fruitful source of family discontent than a housewife's badly-cooked dinners and untidy ways.",
    "Cleanliness, punctuality, order, and method, are essentials in the character of a good housekeeper.",
    "The lady begins to help the soup, which is handed round, commencing with the gentleman on her right and on her left.",
    "Capons, chickens, ducklings, tame and wild pigeons, pullets with eggs, turkeys, wild-fowl",
    "The braziers, ladles, stewpans, saucepans, gridirons, and colanders of antiquity",
];

/// What is shown for each task, before a run and in a bundle.
fn shown(unrelated: f64) -> Vec<(Vec<String>, Vec<String>)> {
    let world = World::new();
    world.embeds.set(true);
    world.reads_words.set(true);
    world.unrelated.set(unrelated);
    let engine = world.engine();
    for subject in SUBJECTS {
        let mut lesson = proposal(subject, "");
        lesson.trigger_texts.clear();
        lesson.scope_hint = Some(Scope::Global);
        engine.propose(&lesson).expect("a lesson");
    }
    let answer = |task: &&str| {
        let context = TaskContext {
            task: (*task).to_owned(),
            domain: "cli".to_owned(),
            ..TaskContext::default()
        };
        let request = ContextRequest {
            task: (*task).to_owned(),
            domain: "cli".to_owned(),
            ..ContextRequest::default()
        };
        let hints = engine.for_task(&context).expect("hints");
        let bundle = engine.context(&request).expect("a bundle");
        (
            hints.into_iter().map(|hint| hint.text).collect(),
            bundle
                .applicable_patterns
                .into_iter()
                .map(|item| item.summary)
                .collect(),
        )
    };
    RELATED_TASKS
        .iter()
        .chain(&HOUSEHOLD_TASKS)
        .map(answer)
        .collect()
}

#[test]
fn of_texts_that_others_wrote_every_background_shows_the_same_and_nothing_irrelevant() {
    let answers = [0.0, 0.3, 0.75].map(shown);
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
    let (related, household) = answers[0].split_at(RELATED_TASKS.len());
    for (task, (hints, bundle)) in RELATED_TASKS.iter().zip(related) {
        println!("{task}\n  {hints:?}\n  {bundle:?}");
    }
    assert!(
        related
            .iter()
            .any(|(hints, bundle)| !hints.is_empty() && !bundle.is_empty())
    );
    for (task, shown) in HOUSEHOLD_TASKS.iter().zip(household) {
        assert_eq!(shown, &(Vec::new(), Vec::new()), "{task}");
    }
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
