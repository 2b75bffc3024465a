//! Grouping accuracy of fingerprints on labelled tool output, measured as pairs.
//!
//! `tune.jsonl` is the part that the rules were made with. `heldout.jsonl` has other causes, and causes written by
//! hand in other languages and of tools that were not run; before its groups were looked at it had F1 0.966.
//! `fresh.jsonl` was made after that, with other names and other tools; its first F1 was 0.914, and 0.937 once
//! wrong labels in it were corrected. Both have been looked at since and the rules improved, so what they measure
//! now is that nothing gets worse. Beside the fingerprint stand two baselines, so that the figures mean something.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;
use twiceshy_fingerprint::fingerprint::{of_text, of_transition};
use twiceshy_fingerprint::tags;

struct Sample {
    cause: String,
    text: String,
}

fn corpus(name: &str) -> Vec<Sample> {
    let path = format!("{}/tests/corpus/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let file = std::fs::read_to_string(&path).expect("the corpus is in the repository");
    let read = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).expect("one JSON object a line");
        let field = |key: &str| value[key].as_str().expect("a string").to_string();
        Sample {
            cause: field("cause"),
            text: field("text"),
        }
    };
    file.lines().map(read).collect()
}

struct Score {
    precision: f64,
    recall: f64,
    f1: f64,
    worst: String,
}

/// Pairwise precision, recall and F1 of the grouping that `key` makes, and the groups that cost most.
fn score(samples: &[Sample], key: impl Fn(&str) -> String) -> Score {
    let keys: Vec<String> = samples.iter().map(|s| key(&s.text)).collect();
    let pairs = |n: usize| (n * n.saturating_sub(1) / 2) as f64;
    let mut by_cause: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut by_key: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for (sample, key) in samples.iter().zip(&keys) {
        *by_cause
            .entry(&sample.cause)
            .or_default()
            .entry(key)
            .or_default() += 1;
        *by_key
            .entry(key)
            .or_default()
            .entry(&sample.cause)
            .or_default() += 1;
    }
    let both: f64 = by_cause
        .values()
        .flat_map(|k| k.values())
        .map(|n| pairs(*n))
        .sum();
    let together = |groups: &BTreeMap<&str, BTreeMap<&str, usize>>| -> f64 {
        groups.values().map(|g| pairs(g.values().sum())).sum()
    };
    let (same_cause, same_key) = (together(&by_cause), together(&by_key));
    let (precision, recall) = (both / same_key.max(1.0), both / same_cause);
    let mut worst = String::new();
    for (cause, keys) in by_cause.iter().filter(|(_, keys)| keys.len() > 1) {
        worst += &format!("split {cause}\n");
        for (key, n) in keys {
            worst += &format!("    {n} × {}\n", key.chars().take(230).collect::<String>());
        }
    }
    for (key, causes) in by_key.iter().filter(|(_, causes)| causes.len() > 1) {
        worst += &format!(
            "merged {causes:?}\n    {}\n",
            key.chars().take(160).collect::<String>()
        );
    }
    Score {
        precision,
        recall,
        f1: 2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE),
        worst,
    }
}

/// What is usually done: lowercase, and numbers, hashes, quoted text and absolute paths masked in the whole text.
fn usual_masking(text: &str) -> String {
    let mut out = String::new();
    for token in text.to_lowercase().split_whitespace() {
        let hole = if token.contains('/') || token.contains('\\') {
            "<path>"
        } else if token.starts_with(['\'', '"', '`']) {
            "<str>"
        } else if token.bytes().any(|b| b.is_ascii_digit()) {
            "<num>"
        } else {
            token
        };
        out.push_str(hole);
        out.push(' ');
    }
    out
}

fn measure(name: &str, floor: f64) {
    let samples = corpus(name);
    let causes: std::collections::BTreeSet<_> = samples.iter().map(|s| &s.cause).collect();
    let ours = score(&samples, |t| of_text(t).template);
    let raw = score(&samples, str::to_string);
    let usual = score(&samples, usual_masking);
    println!("{name}: {} texts, {} causes", samples.len(), causes.len());
    for (what, s) in [
        ("raw text", &raw),
        ("usual masking", &usual),
        ("fingerprint", &ours),
    ] {
        println!(
            "  {what:14} precision {:.3}  recall {:.3}  F1 {:.3}",
            s.precision, s.recall, s.f1
        );
    }
    if std::env::var_os("SHOW_GROUPS").is_some() {
        println!("{}", ours.worst);
    }
    assert!(
        ours.f1 >= floor,
        "F1 {:.3} on {name} is below {floor}; the groups that cost it:\n{}",
        ours.f1,
        ours.worst
    );
}

#[test]
fn errors_of_one_cause_share_a_fingerprint_on_the_tuning_part() {
    measure("tune", 0.98);
}

#[test]
fn errors_of_one_cause_share_a_fingerprint_on_the_held_out_part() {
    measure("heldout", 0.97);
}

#[test]
fn errors_of_one_cause_share_a_fingerprint_on_the_part_written_last() {
    measure("fresh", 0.95);
}

/// Two causes of one tool must not fall together just because the tool says both in one form.
#[test]
fn different_causes_of_one_tool_stay_apart() {
    for name in ["tune", "heldout", "fresh"] {
        let samples = corpus(name);
        let mut tools: BTreeMap<&str, Vec<&Sample>> = BTreeMap::new();
        for sample in &samples {
            tools
                .entry(sample.cause.split('/').next().unwrap_or(""))
                .or_default()
                .push(sample);
        }
        let mut merged = Vec::new();
        for (tool, samples) in &tools {
            let mut seen: BTreeMap<String, &str> = BTreeMap::new();
            for sample in samples {
                let template = of_text(&sample.text).template;
                let first = *seen.entry(template.clone()).or_insert(&sample.cause);
                if first != sample.cause {
                    merged.push(format!(
                        "{tool}: {first} and {} are both {template}",
                        sample.cause
                    ));
                }
            }
        }
        merged.sort();
        merged.dedup();
        assert!(merged.len() * 50 <= samples.len(), "{name}: {merged:#?}");
        println!("{name}: merged within one tool: {merged:#?}");
    }
}

#[test]
fn every_text_of_the_corpus_has_tags_and_most_have_a_telling_one() {
    let samples: Vec<Sample> = ["tune", "heldout", "fresh"]
        .iter()
        .flat_map(|n| corpus(n))
        .collect();
    let generic = samples
        .iter()
        .filter(|s| tags::of_text(&s.text) == ["generic"])
        .count();
    println!("generic: {generic} of {}", samples.len());
    assert!(
        generic * 5 < samples.len(),
        "{generic} of {} are only generic",
        samples.len()
    );
}

/// Pieces that messages are made of, so that random text comes near the rules.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("error: "),
        Just("\n"),
        Just("\r\n"),
        Just("'"),
        Just("\""),
        Just("`"),
        Just("“"),
        Just("」"),
        Just("«"),
        Just("\u{1b}[1m"),
        Just("\u{1b}]0;"),
        Just("C:\\x y\\"),
        Just("/a/b:1:2"),
        Just("can't "),
        Just(": "),
        Just("::"),
        Just("["),
        Just("("),
        Just("12"),
        Just("0x"),
        Just("<num>"),
        Just("Traceback (most recent call last):\n"),
        Just("    ^\n"),
        Just("Caused by: "),
        Just("E   x\n"),
        Just("ошибка"),
        Just("错误"),
        Just("{\"error\":\""),
        Just("status code 503 "),
        Just("not found"),
        Just("@"),
        Just("-"),
        Just("."),
        Just("Mar 12 10:11:12 "),
        Just("\u{301}"),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|p| p.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_a_well_formed_fingerprint_and_always_the_same(text in prop_oneof![any::<String>(), pieces()]) {
        let print = of_text(&text);
        prop_assert_eq!(&print, &of_text(&text));
        prop_assert!(print.id.len() == 19 && print.id.starts_with("fp_") && print.id[3..].bytes().all(|b| b.is_ascii_hexdigit()));
        prop_assert!(print.template.chars().count() <= 400 && !print.template.is_empty());
        let escapes = print.template.contains(['\n', '\u{1b}']);
        prop_assert!(!escapes);
        let tags = tags::of_text(&text);
        prop_assert!(!tags.is_empty() && tags.is_sorted());
    }

    #[test]
    fn any_transition_has_a_bounded_fingerprint(a in any::<String>(), b in pieces(), c in any::<String>(), d in pieces()) {
        let print = of_transition(&a, &b, &c, &d);
        prop_assert_eq!(&print, &of_transition(&a, &b, &c, &d));
        prop_assert!(print.template.chars().count() <= 400);
    }

    #[test]
    fn line_ends_and_blank_lines_change_nothing(text in "[ -~]{0,60}(\n[ -~]{0,60}){0,4}") {
        let windows = text.replace('\n', "\r\n");
        prop_assert_eq!(of_text(&text), of_text(&windows));
        let padded = format!("\n\n{text}\n\n  \n");
        prop_assert_eq!(of_text(&text), of_text(&padded));
    }
}

#[test]
fn the_template_of_a_template_is_itself_nearly_always() {
    let samples: Vec<Sample> = ["tune", "heldout", "fresh"]
        .iter()
        .flat_map(|n| corpus(n))
        .collect();
    let moved: Vec<_> = samples
        .iter()
        .map(|s| of_text(&s.text))
        .filter(|p| of_text(&p.template) != *p)
        .map(|p| (of_text(&p.template).template, p.template))
        .collect();
    println!(
        "moved: {} of {}: {:#?}",
        moved.len(),
        samples.len(),
        moved.iter().collect::<std::collections::BTreeSet<_>>()
    );
    assert!(moved.len() * 10 <= samples.len());
}

/// How long this thread has worked: a busy machine makes it wait, and not work.
fn worked() -> Duration {
    let clock = nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID;
    nix::time::clock_gettime(clock).expect("a clock").into()
}

/// Eight times the text takes about eight times as long, whatever the text is; quadratic work would take 64 times.
#[test]
fn the_work_grows_with_the_text_and_not_faster() {
    let seeds = [
        "a",
        "\n",
        "\r",
        "'",
        "\"",
        "`",
        "\u{1b}]0;",
        "\u{1b}[",
        "/a ",
        "C:\\a ",
        "not found: ",
        "error ",
        "    ^\n",
        "错",
        "'a",
        "((",
        "Caused by: x\n",
        "E   a\n",
        "12:",
        "a.b.",
    ];
    for seed in seeds {
        let time = |size: usize| -> Duration {
            let text = seed.repeat(size / seed.len());
            let once = || {
                let before = worked();
                std::hint::black_box((of_text(&text), tags::of_text(&text)));
                worked() - before
            };
            (0..3).map(|_| once()).min().unwrap_or_default()
        };
        let (small, large) = (time(40_000), time(320_000));
        assert!(
            large < small * 30 + Duration::from_millis(20),
            "{seed:?}: {small:?} then {large:?}"
        );
    }
}
