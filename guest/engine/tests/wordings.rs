//! The index of wordings finds what a comparison with every record finds, over random and adversarial texts.

use crate::support::World;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use proptest::{prelude::RngExt, sample::select, strategy::Strategy};
use twiceshy_engine::likeness::{Wording, compare, similarity, spellings};
use twiceshy_wit::memory::{DecisionQuery, Decisions, NewDecision};

const MODULE: &str = "data_processor";

fn rejection(hypothesis: &str) -> NewDecision {
    NewDecision {
        module: MODULE.to_owned(),
        hypothesis: hypothesis.to_owned(),
        description: None,
        outcome: "rejected".to_owned(),
        rationale: Some("because".to_owned()),
        rejection_reason: None,
    }
}

fn sought(hypothesis: &str) -> DecisionQuery {
    DecisionQuery {
        module: MODULE.to_owned(),
        hypothesis: hypothesis.to_owned(),
        description: None,
        days: None,
    }
}

/// Random hypotheses of a few words each, near one another on purpose.
fn some_text(rng: &mut TestRng) -> String {
    const WORDS: [&str; 24] = [
        "cache",
        "caching",
        "parser",
        "lexer",
        "remove",
        "add",
        "timeout",
        "time out",
        "30",
        "60",
        "without",
        "not",
        "connection",
        "conection",
        "from memory to disk",
        "from disk to memory",
        "method",
        "class",
        "(quickly)",
        "缓存",
        "解析",
        "request",
        "requests pool",
        "background",
    ];
    let count = rng.random_range(1..12);
    let mut words: Vec<String> = (0..count)
        .map(|_| WORDS[rng.random_range(0..WORDS.len())].to_owned())
        .collect();
    if rng.random_range(0..3) == 0 {
        let at = rng.random_range(0..words.len());
        words[at] = slipped(&words[at], rng);
    }
    words.join(" ")
}

/// A word with one slip, if it is long enough.
fn slipped(word: &str, rng: &mut TestRng) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    if letters.len() > 2 {
        let place = rng.random_range(1..letters.len());
        match rng.random_range(0..4) {
            0 => drop(letters.remove(place)),
            1 => letters.insert(place, 'q'),
            2 => letters[place] = 'z',
            _ => letters.swap(place, place - 1),
        }
    }
    letters.into_iter().collect()
}

/// A text changed in one way: another order, one word more, one less, a slip, or words written together.
fn changed(text: &str, rng: &mut TestRng) -> String {
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let at = rng.random_range(0..words.len());
    match rng.random_range(0..6) {
        0 => words.rotate_left(at),
        1 => words.insert(
            at,
            ["tiny", "zip", "not", "huge", "the"][rng.random_range(0..5)].to_owned(),
        ),
        2 => drop(words.remove(at)),
        3 => words[at] = slipped(&words[at], rng),
        4 if at > 0 => {
            let word = words.remove(at);
            words[at - 1].push_str(&word);
        }
        _ => words[at] = words[at].to_uppercase(),
    }
    words.join(" ")
}

/// Whether two texts are one hypothesis by their words alone.
fn is_same_by_words(text: &str, known: &str) -> bool {
    let wording = Wording::new(MODULE, text);
    let others = spellings(known);
    others
        .iter()
        .any(|known| compare(&wording, &Wording::new(MODULE, known)).is_some())
}

/// What says the same in other words may be missed: only some records are looked at for that.
#[test]
fn the_index_finds_what_a_comparison_with_every_record_finds() {
    let mut rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    for round in 0..5 {
        let world = World::new();
        let engine = world.engine();
        let stored: Vec<String> = (0..120).map(|_| some_text(&mut rng)).collect();
        for text in &stored {
            Decisions::record(&engine, &rejection(text)).unwrap();
        }
        let mut matches = 0;
        for number in 0..240 {
            let text = match number % 2 {
                0 => some_text(&mut rng),
                _ => changed(&stored[number / 2], &mut rng),
            };
            if text.trim().is_empty() {
                continue;
            }
            let is_same = |known: &&String| similarity(MODULE, &text, known).is_some();
            let by_words = |known: &String| is_same_by_words(&text, known);
            let is_there = stored.iter().any(|known| is_same(&known));
            let is_due = stored.iter().filter(is_same).any(by_words);
            let found = engine.was_rejected(&sought(&text)).unwrap();
            assert!(
                is_due <= found.found && found.found <= is_there,
                "round {round}: {text:?} in {stored:#?}"
            );
            if found.found {
                matches += 1;
                let record = found.record.unwrap();
                let said = similarity(MODULE, &text, &record.hypothesis);
                assert_eq!(
                    said,
                    Some(found.similarity),
                    "{text:?}, {:?}",
                    record.hypothesis
                );
            }
        }
        assert!(matches > 60, "{matches} matches say little");
    }
}

#[test]
fn likeness_is_symmetric_and_never_below_the_threshold() {
    let mut rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    for _ in 0..20_000 {
        let (left, right) = (some_text(&mut rng), some_text(&mut rng));
        let one = similarity(MODULE, &left, &right);
        assert_eq!(one, similarity(MODULE, &right, &left), "{left:?} {right:?}");
        assert!(
            one.is_none_or(|alike| (0.8..=1.0).contains(&alike)),
            "{left:?} {right:?} {one:?}"
        );
        assert_eq!(similarity(MODULE, &left, &left), Some(1.0));
    }
}

#[test]
fn any_text_is_taken_and_found_again() {
    let mut runner = TestRunner::new(Config {
        cases: 300,
        failure_persistence: None,
        ..Config::default()
    });
    let texts = (".{1,60}", select(vec!["m", "данные", "数据", "a.b/c"]));
    runner
        .run(
            &texts.prop_map(|(text, module)| (text, module.to_owned())),
            |(text, module)| {
                if text.trim().is_empty() {
                    return Ok(());
                }
                let world = World::new();
                let engine = world.engine();
                let new = NewDecision {
                    module: module.clone(),
                    ..rejection(&text)
                };
                Decisions::record(&engine, &new).unwrap();
                let query = DecisionQuery {
                    module,
                    ..sought(&text)
                };
                let found = engine.was_rejected(&query).unwrap();
                assert_eq!((found.found, found.similarity), (true, 1.0), "{text:?}");
                Ok(())
            },
        )
        .unwrap();
}
