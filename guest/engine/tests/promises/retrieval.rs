//! Which lessons come, by what they have in common with a failure and with each other, and the guards on how many.

use twiceshy_wit::memory::{FailureContext, Hint, LessonCandidate, Lessons, Recall, TaskContext};

use crate::support::{World, proposal};

const REFUSED: &str = "gridtool: unknown option --rows";

fn propose(world: &World, rule: &str, trigger: &str, tag: &str) -> String {
    world.pass(1_000);
    let candidate = LessonCandidate {
        tags: vec![tag.to_owned()],
        domain: Some("cli".to_owned()),
        ..proposal(rule, trigger)
    };
    world.engine().propose(&candidate).unwrap().id
}

fn on_error(world: &World, evidence: &str) -> Vec<Hint> {
    let failure = FailureContext {
        evidence: evidence.to_owned(),
        fingerprint: None,
        action_text: None,
        domain: "cli".to_owned(),
        task: String::new(),
        limit: Some(8),
        tokens: None,
    };
    world.engine().on_error(&failure).unwrap()
}

fn ids(hints: &[Hint]) -> Vec<&str> {
    hints.iter().map(|hint| hint.lesson.id.as_str()).collect()
}

#[test]
fn lessons_that_share_a_fingerprint_come_together_whatever_words_they_are_in() {
    let world = World::new();
    let first = propose(&world, "write rows=5", REFUSED, "usage");
    let second = propose(
        &world,
        "ask for help by its flag",
        "gridtool: unknown option --columns",
        "usage",
    );
    propose(
        &world,
        "make a backup",
        "gridtool: the disk is full",
        "resource",
    );
    let hints = on_error(&world, "gridtool: unknown option --width");
    let mut found = ids(&hints);
    found.sort_unstable();
    let mut expected = [first.as_str(), second.as_str()];
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert!(hints.iter().all(|hint| hint.parts.fingerprint_match == 1.0));
}

#[test]
fn of_lessons_that_are_as_near_in_words_the_one_that_shares_tags_comes_first() {
    let world = World::new();
    let text = "fluxtool: permission denied while the lock of the sheet is held";
    let other = propose(
        &world,
        "permission denied while the lock of the sheet is held: wait",
        "fluxtool: one",
        "zzz",
    );
    let shares = propose(
        &world,
        "permission denied while the lock of the sheet is held: ask",
        "fluxtool: two",
        "permission",
    );
    let hints = on_error(&world, text);
    assert!(hints.len() == 2, "{hints:#?}");
    assert_eq!(ids(&hints), [shares.as_str(), other.as_str()]);
    assert!(hints[0].parts.tag_overlap > hints[1].parts.tag_overlap);
}

#[test]
fn no_kind_of_failure_fills_the_whole_answer() {
    let world = World::new();
    let ask = |limit: u32| {
        let task = TaskContext {
            task: "count the rows of the sheet".to_owned(),
            domain: "cli".to_owned(),
            recent_fingerprints: Vec::new(),
            limit: Some(limit),
            tokens: None,
        };
        world.engine().for_task(&task).unwrap()
    };
    for number in 1..12 {
        let part = "x".repeat(number);
        let rule = format!("count the rows of the sheet, part {part}");
        propose(&world, &rule, &format!("gridtool: {part} is odd"), "aaa");
    }
    // Three quarters of what is asked for, and two at least.
    for (limit, most) in [(1, 1), (2, 2), (4, 3), (8, 6)] {
        assert_eq!(ask(limit).len(), most, "{limit}");
    }
    let other = propose(
        &world,
        "count the rows of the sheet twice",
        "gridtool: late",
        "bbb",
    );
    let hints = ask(4);
    assert_eq!(hints.len(), 4);
    assert!(ids(&hints).contains(&other.as_str()));
}
