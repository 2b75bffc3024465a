//! How the executor makes up its mind.

use twiceshy_wit::memory::Hint;

use super::*;
use crate::{
    executor::Told,
    tasks::Task,
    tools::{Ran, Tool},
};

fn told(rules: &[&str]) -> Told {
    let hints = rules.iter().map(|rule| hint(rule)).collect();
    Told {
        hints,
        text: String::new(),
    }
}

/// A hint of which only the rule matters.
fn hint(rule: &str) -> Hint {
    let text = serde_json::json!({
        "lesson": {
            "id": "les_1", "rule-text": rule, "kind": "rule", "scope": "domain", "domain": "cli", "task": "",
            "trigger-fingerprints": [], "tags": [], "status": "candidate", "status-reason": "", "reliability": 0.5,
            "origins": [], "trust": "claimed", "created-at": 0, "updated-at": 0,
            "usefulness": {"activations": 0, "shown-runs": 0, "withheld-runs": 0, "helped": 0, "harmed": 0, "judged": 0,
                           "regressions": 0, "losses": 0},
        },
        "text": rule,
        "score": 1.0,
        "parts": {"fingerprint-match": 1.0, "tag-overlap": 0.0, "text-similarity": 0.0, "reliability": 0.5, "recency": 1.0},
        "lane": "strict",
    });
    serde_json::from_value(text).expect("a hint")
}

fn assignment<'a>(briefing: &'a Told, docs: Option<&'a str>) -> Assignment<'a> {
    Assignment {
        task: Task::usual(Tool::Gridtool),
        docs,
        briefing,
    }
}

/// The commands of a run, as many as it takes.
fn commands(briefing: &Told, hints: &Told, seed: u64) -> (Vec<String>, Following) {
    let mut executor = Trial::new(assignment(briefing, None), Chance::new(seed));
    let mut files = Task::usual(Tool::Gridtool).files();
    let mut seen: Option<Ran> = None;
    let mut all = Vec::new();
    while let Move::Act(command) = executor.next(seen.as_ref().map(|ran| Seen { ran, told: hints }))
    {
        all.push(command.join(" "));
        seen = Some(Tool::Gridtool.run(&command[1..], "", &mut files));
        assert!(all.len() < 200, "it comes to an end");
    }
    (all, executor.following())
}

#[test]
fn a_shown_spelling_is_tried_before_any_idea() {
    let rule = "WRONG: gridtool sort x → CORRECT: gridtool ORDER :x BY @y falling INTO :z";
    for seed in 0..20 {
        let (commands, following) = commands(&told(&[rule]), &Told::default(), seed);
        let sorting = commands
            .iter()
            .find(|command| command.contains("sorted.csv") || command.contains("ORDER"));
        assert_eq!(
            sorting.map(String::as_str),
            Some("gridtool ORDER :big.csv BY @amount falling INTO :sorted.csv")
        );
        assert_eq!(following.failed, 0);
        assert!(following.worked >= 5, "{following:?}");
    }
}

#[test]
fn advice_that_fails_is_followed_once_and_dropped() {
    let rule = "WRONG: gridtool sort x → CORRECT: gridtool arrange x";
    for seed in 0..20 {
        let (commands, following) = commands(&told(&[rule]), &told(&[rule]), seed);
        let tried = commands
            .iter()
            .filter(|command| command.starts_with("gridtool arrange "));
        assert_eq!(tried.count(), 1);
        assert_eq!((following.followed, following.failed), (1, 1));
    }
}

#[test]
fn what_a_rule_calls_wrong_is_tried_last() {
    let rule = "WRONG: gridtool TALLY :x PER @y total @z INTO :o → CORRECT: gridtool TALLY :x PER @y SUM @z INTO :o";
    let (misled, _) = commands(&told(&[rule]), &Told::default(), 3);
    let tallies = misled
        .iter()
        .filter(|command| command.starts_with("gridtool TALLY"));
    assert_eq!(
        tallies.count(),
        5,
        "every other spelling first: {misled:#?}"
    );
}

#[test]
fn prose_changes_nothing() {
    let advice = told(&["Look at the first lines of the file before working on it."]);
    assert_eq!(
        commands(&advice, &advice, 5).0,
        commands(&Told::default(), &Told::default(), 5).0
    );
}

#[test]
fn documentation_is_looked_up_after_a_refusal_and_not_always_found() {
    let tries = |docs: Option<&str>| -> usize {
        let briefing = Told::default();
        (0..40)
            .map(|seed| {
                let mut executor = Trial::new(assignment(&briefing, docs), Chance::new(seed));
                let mut files = Task::usual(Tool::Gridtool).files();
                let mut seen: Option<Ran> = None;
                let mut count = 0;
                while let Move::Act(command) = executor.next(seen.as_ref().map(|ran| Seen {
                    ran,
                    told: &briefing,
                })) {
                    count += 1;
                    seen = Some(Tool::Gridtool.run(&command[1..], "", &mut files));
                }
                count
            })
            .sum()
    };
    let (with, without) = (tries(Some(Tool::Gridtool.docs())), tries(None));
    assert!(with * 3 < without * 2, "{with} with, {without} without");
    assert!(with > 40 * 10, "{with}: habit comes first all the same");
}

#[test]
fn the_words_that_an_error_speaks_of_are_those_in_quotes() {
    assert_eq!(quoted("gridtool: bad separator ',' between columns"), [","]);
    assert_eq!(quoted("text value ''west'' is not delimited"), ["'west'"]);
    assert_eq!(quoted("nothing here, it's fine"), [""; 0]);
}
