//! `docs/figures/`: what the benchmarks measured, held against what the documents ask for.
//!
//! No test measures a time: a machine may be slow or busy. What is on record was measured by the command that
//! `docs/BENCHMARKS.md` gives, and who records worse figures is told here.

use std::fs;

use serde_json::Value;

use crate::support::repository;

fn record(name: &str) -> Value {
    let file = repository().join("docs/figures").join(name);
    let text = fs::read_to_string(&file).expect("a record of figures");
    serde_json::from_str(&text).expect("JSON")
}

/// A member of one figure of the component, as it was measured.
fn measured(record: &Value, figure: &str, member: &str) -> f64 {
    let rows = record["the-component"].as_array().expect("figures");
    let row = rows.iter().find(|row| row["figure"] == figure);
    let row = row.unwrap_or_else(|| panic!("no figure for {figure:?}"));
    row[member]
        .as_f64()
        .unwrap_or_else(|| panic!("{figure}: {row}"))
}

#[test]
fn the_recorded_figures_of_knowledge_beat_what_is_asked_for() {
    let record = record("knowledge.json");
    assert_eq!(record["episodes"], 100_000);
    assert_eq!(record["patterns"], 5_000);
    // Each with what the document allows and what this product aims at, in milliseconds.
    let asked = [
        ("an episode by id", 50.0, 1.0),
        ("episodes by attributes, 20", 200.0, 10.0),
        ("episodes by tool and time, 20", 200.0, 10.0),
        ("hybrid search, 10", 100.0, 15.0),
        ("search by words alone, 10", 100.0, 15.0),
        ("a pattern by id", 20.0, 1.0),
        ("patterns that fit a task, 10", 50.0, 2.0),
        ("working: set a variable", 1.0, 0.2),
        ("working: get a variable", 1.0, 0.2),
        ("working: push a state", 1.0, 0.2),
    ];
    for (figure, documented, aim) in asked {
        let p50 = measured(&record, figure, "p50-ms");
        assert!(p50 <= aim, "{figure}: {p50} ms, the aim is {aim} ms");
        let p99 = measured(&record, figure, "p99-ms");
        assert!(
            p99 <= documented,
            "{figure}: p99 {p99} ms, {documented} allowed"
        );
    }
    let resident = measured(&record, "memory of the process, at most", "mib");
    assert!(resident <= 300.0, "{resident} MiB");
}

#[test]
fn a_memory_of_100_000_episodes_is_on_record_with_its_size() {
    let record = record("knowledge.json");
    assert_eq!(record["episodes"], 100_000);
    let mebibytes = record["store-mib"].as_u64().expect("a size");
    // What an episode of 10 KB brings with it: steps, account, events, lessons, experience and all that they are found by.
    assert!((1_000..=3_000).contains(&mebibytes), "{mebibytes} MiB");
}

#[test]
fn the_recorded_year_keeps_what_it_learned() {
    let record = record("year.json");
    assert_eq!(record["days"], 365);
    assert_eq!(record["runs-a-day"], 200);
    // Nothing that is referred to has gone, and the memory is sound.
    assert_eq!(record["findings"], 0);
    assert_eq!(record["lessons-without-origin"], 0);
    let months = record["months"].as_array().expect("months");
    assert_eq!(months.len(), 13);
    // Tools change during the year, so that some failures come anew; what was found out once is there to the end.
    for month in months {
        let figure = |name: &str| month[name].as_f64().expect("a figure");
        assert!(figure("recalled") >= 0.75, "{month}");
        assert!(figure("failures-a-run") <= 0.3, "{month}");
    }
    let phases = record["phases"].as_object().expect("phases");
    for phase in ["active", "mature", "aged"] {
        assert!(phases[phase].as_u64() > Some(0), "no episode is {phase}");
    }
}

#[test]
fn the_recorded_field_is_as_precise_as_is_asked_for_and_ahead_of_every_baseline() {
    let record = record("field.json");
    let rows = record["rows"].as_array().expect("rows");
    let share = |measure: &str, way: &str, who: &str, member: &str| -> f64 {
        let is_it =
            |row: &&Value| row["measure"] == measure && row["way"] == way && row["who"] == who;
        let row = rows.iter().find(is_it);
        let row = row.unwrap_or_else(|| panic!("no row for {measure}, {way}, {who}"));
        let number = |member: &str| row[member].as_f64().expect("a number");
        number(member) / number("asked")
    };
    for way in ["bash-c", "argv", "hook"] {
        let own = |measure, member| share(measure, way, "twiceshy", member);
        assert!(own("stories", "right") >= 0.93, "{way}");
        assert!(own("stories", "wrong") <= 0.03, "{way}");
        assert!(own("never", "wrong") <= 0.08, "{way}");
        assert!(own("another", "wrong") <= 0.20, "{way}");
        assert!(own("unrelated", "wrong") * 520.0 <= 2.0, "{way}");
        for baseline in ["BM25 of errors", "BM25 of error and command"] {
            let other = |member| share("transfer", way, baseline, member);
            assert!(own("transfer", "right") > other("right"), "{way}");
            assert!(own("transfer", "wrong") <= other("wrong") / 3.0, "{way}");
        }
    }
}

#[test]
fn every_record_of_figures_has_the_command_that_measured_it() {
    let page = |name: &str| fs::read_to_string(repository().join("docs").join(name)).expect(name);
    let benchmarks = page("BENCHMARKS.md");
    for (record, command) in [
        (
            "knowledge.json",
            "cargo bench -p twiceshy --bench knowledge -- --record docs/figures/knowledge.json",
        ),
        (
            "year.json",
            "cargo bench -p twiceshy-store --bench year -- --record docs/figures",
        ),
        (
            "field.json",
            "cargo run --release -p twiceshy-field -- --way all --record docs/figures/field.json",
        ),
    ] {
        assert!(
            repository().join("docs/figures").join(record).is_file(),
            "{record}"
        );
        assert!(
            benchmarks.contains(&format!("`{command}`")),
            "{record}: {command}"
        );
    }
    let command = "cargo bench -p twiceshy-engine --bench experience";
    assert!(page("EXPERIMENT.md").contains(command), "{command}");
    for (crate_of, bench) in [
        ("host", "knowledge"),
        ("host/store", "year"),
        ("guest/engine", "experience"),
    ] {
        let manifest = repository().join(crate_of).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).expect("a manifest");
        assert!(
            manifest.contains(&format!("name = \"{bench}\"")),
            "{crate_of}: {bench}"
        );
    }
}

/// The table that the benchmark printed: the share of similar tasks, what is solved without and with experience, and in how
/// many steps.
#[test]
fn the_recorded_gain_of_experience_is_what_the_document_names() {
    let page = fs::read_to_string(repository().join("docs/EXPERIMENT.md")).expect("the page");
    let number = |cell: &str| -> f64 {
        let digits = |c: &char| c.is_ascii_digit() || *c == '.';
        let digits: String = cell
            .trim_start_matches(|c: char| !c.is_ascii_digit())
            .chars()
            .take_while(digits)
            .collect();
        digits
            .parse()
            .unwrap_or_else(|_| panic!("no number in {cell:?}"))
    };
    let rows: Vec<Vec<&str>> = page
        .lines()
        .skip_while(|line| !line.contains("| solved without | solved with |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 6, "{rows:?}");
    let (all, by_share) = rows.split_last().expect("rows");
    let gains: Vec<f64> = by_share
        .iter()
        .map(|row| number(row[3]) - number(row[2]))
        .collect();
    assert!(gains.is_sorted() && gains[0] == 0.0, "{gains:?}");
    let gain = number(all[4]);
    assert!((15.0..=25.0).contains(&gain), "{gain} points");
    for row in &rows {
        assert!(number(row[6]) <= number(row[5]), "{row:?}");
    }
}
