//! `decisions` and `failures` as a person or a script uses them: through the program, and so through the component.
//!
//! The usage examples of the document are here line by line, with the commands in place of the calls.

mod many;

use std::{
    fs,
    process::{Command, Stdio},
    thread,
};

use serde_json::{Value, json};
use twiceshy::{
    MemoryComponent, Options, SqliteStore,
    wit::memory::{DecisionQuery, Decisions, ImportRequest},
};
use twiceshy_engine::likeness::{Wording, compare, similarity};

use crate::support::{Ran, Scratch, compiled};

/// `decisions record` with these options.
fn record(project: &Scratch, options: &[&str]) -> Ran {
    let arguments = [
        &["decisions", "record", "--module", "data_processor"],
        options,
    ]
    .concat();
    project.run(&arguments)
}

fn recorded(project: &Scratch, options: &[&str]) {
    let ran = record(project, options);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
}

/// `decisions check --json` for a hypothesis.
fn check(project: &Scratch, hypothesis: &str) -> Value {
    let ran = project.run(&[
        "decisions",
        "check",
        "--module",
        "data_processor",
        "--hypothesis",
        hypothesis,
        "--json",
    ]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    ran.json()
}

fn document_examples(project: &Scratch) {
    recorded(
        project,
        &[
            "--hypothesis",
            "Refactor process method (complexity 11) into smaller functions",
            "--description",
            "Split into validate, transform, and save methods",
            "--outcome",
            "accepted",
            "--rationale",
            "Improved composability and testability",
        ],
    );
    recorded(
        project,
        &[
            "--hypothesis",
            "Replace class with functional pipeline",
            "--description",
            "Convert DataProcessor to pure functions",
            "--outcome",
            "rejected",
            "--rationale",
            "Failed type checking",
            "--rejection-reason",
            "mypy error: Cannot assign lambda to Callable[[dict], dict]",
        ],
    );
    recorded(
        project,
        &[
            "--hypothesis",
            "Add caching layer with global state",
            "--description",
            "Use module-level cache dict for performance",
            "--outcome",
            "rejected",
            "--rationale",
            "Violates composability principle (global state)",
            "--rejection-reason",
            "CodeJudge verdict: REJECT - Global state breaks composability",
        ],
    );
    recorded(
        project,
        &[
            "--hypothesis",
            "Switch from inheritance to composition",
            "--description",
            "Replace BaseProcessor inheritance with composition",
            "--outcome",
            "held",
            "--rationale",
            "Productive tension: inheritance provides useful defaults",
        ],
    );
}

#[test]
fn the_examples_of_the_document_hold_line_by_line() {
    let project = Scratch::new();
    document_examples(&project);
    let found = check(&project, "Refactor process method into smaller functions");
    assert_eq!(
        (&found["rejected"], &found["accepted-recently"]),
        (&json!(false), &json!(true))
    );
    assert!(
        found["similarity"]
            .as_f64()
            .is_some_and(|alike| (0.8..=1.0).contains(&alike))
    );
    assert_eq!(
        found["record"]["rationale"],
        "Improved composability and testability"
    );
    let found = check(&project, "Replace the class with a functional pipeline");
    assert_eq!(found["rejected"], true);
    assert_eq!(
        found["record"]["rejection-reason"],
        "mypy error: Cannot assign lambda to Callable[[dict], dict]"
    );
    for novel in [
        "Add caching layer without global state",
        "Switch from composition to inheritance",
        "Switch from inheritance to composition",
        "Remove caching layer with global state",
    ] {
        let found = check(&project, novel);
        assert_eq!(
            (&found["should-skip"], &found["record"]),
            (&json!(false), &Value::Null),
            "{novel}"
        );
    }
    let held = project
        .run(&["decisions", "get-records", "--outcome", "held", "--json"])
        .json();
    assert_eq!(held.as_array().map(Vec::len), Some(1));
    let patterns = project
        .run(&[
            "decisions",
            "failure-patterns",
            "--module",
            "data_processor",
        ])
        .stdout();
    assert!(
        patterns.starts_with("Previous attempts on data_processor failed due to:"),
        "{patterns}"
    );
    assert!(patterns.contains("- Type error (1×)") && patterns.contains("Cannot assign lambda"));
    assert!(patterns.contains("- Principle violation (1×)") && patterns.contains("Avoid these"));
    let stats = project.run(&["decisions", "stats", "--json"]).json();
    for (name, count) in [
        ("total-records", 4),
        ("accepted", 1),
        ("rejected", 2),
        ("held", 1),
    ] {
        assert_eq!(stats[name], count, "{name}");
    }
    assert_eq!(stats["modules"][0]["module"], "data_processor");
    let words = project.run(&["decisions", "stats"]).stdout();
    for line in [
        "total-records  4",
        "accepted       1",
        "rejected       2",
        "held           1",
    ] {
        assert!(words.lines().any(|said| said == line), "{line}: {words}");
    }
    project.assert_sound();
}

#[test]
fn a_person_reads_the_verdict_and_a_script_may_ask_for_an_exit_code() {
    let project = Scratch::new();
    let ask = |options: &[&str]| {
        let question = [
            "decisions",
            "check",
            "--module",
            "data_processor",
            "--hypothesis",
            "replace class by functional pipeline",
        ];
        project.run(&[&question[..], options].concat())
    };
    assert!(ask(&[]).stdout().starts_with("Nothing similar"));
    assert!(!project.memory().exists(), "a question makes no memory");
    document_examples(&project);
    let ran = ask(&[]);
    assert_eq!(ran.code(), 0);
    assert!(
        ran.stdout().starts_with("Rejected before ("),
        "{}",
        ran.stdout()
    );
    assert!(
        ran.stdout().contains("reason: mypy error"),
        "{}",
        ran.stdout()
    );
    assert_eq!(ask(&["--exit-code"]).code(), 1);
}

#[test]
fn hypotheses_on_standard_input_are_filtered() {
    let project = Scratch::new();
    document_examples(&project);
    let input = "Zip the logs\n\nreplace the class with functional pipelines\nIndex by date\n";
    let filter = |more: &[&str]| {
        let asked = [
            "decisions",
            "filter",
            "data_processor",
            "--hypotheses",
            "-",
            "--json",
        ];
        project
            .run_with(&[&asked[..], more].concat(), input.as_bytes())
            .json()
    };
    let filtered = filter(&[]);
    assert_eq!(filtered["kept"], json!(["Zip the logs", "Index by date"]));
    let reason = filtered["dropped"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("rejected before: mypy error"), "{reason}");
    let bold = filter(&["--keep-rejected"]);
    assert_eq!(bold["kept"].as_array().map(Vec::len), Some(3));
}

#[test]
fn bad_input_is_refused_with_the_way_out_and_changes_nothing() {
    let project = Scratch::new();
    let cached = record(
        &project,
        &[
            "--hypothesis",
            "Cache it",
            "--outcome",
            "cached",
            "--rationale",
            "r",
        ],
    );
    assert_eq!(cached.code(), 2);
    assert!(
        cached.stderr().contains("INVALID_OUTCOME"),
        "{}",
        cached.stderr()
    );
    let silent = record(
        &project,
        &["--hypothesis", "Cache it", "--outcome", "accepted"],
    );
    assert_eq!(silent.code(), 2);
    assert!(silent.stderr().contains("rationale"), "{}", silent.stderr());
    assert_eq!(
        project
            .run(&["decisions", "import", "no-such-file.json"])
            .code(),
        2
    );
    let broken = project.run_with(
        &["decisions", "import", "-"],
        br#"{"version": "9.9.9", "records": []}"#,
    );
    assert_eq!(broken.code(), 2);
    assert!(broken.stderr().contains("9.9.9"), "{}", broken.stderr());
    assert_eq!(
        project
            .run(&[
                "failures",
                "record",
                "--module-name",
                "m",
                "--hypothesis",
                "h",
                "--failure-type",
                "x",
                "--failure-details",
                "d"
            ])
            .code(),
        2
    );
    assert!(!project.memory().exists(), "nothing was written");
}

#[test]
fn a_memory_that_can_not_be_written_is_a_storage_error() {
    let project = Scratch::new();
    fs::write(project.memory(), "a file where the memory should be").expect("written");
    let ran = record(
        &project,
        &[
            "--hypothesis",
            "Cache it",
            "--outcome",
            "held",
            "--rationale",
            "r",
        ],
    );
    assert_eq!(ran.code(), 3, "{}", ran.stderr());
    assert!(ran.stderr().contains("STORAGE_ERROR"), "{}", ran.stderr());
}

#[test]
fn a_file_goes_in_and_comes_out_the_same_whatever_its_size() {
    let project = Scratch::new();
    let records: Vec<_> = (0..12_000)
        .map(|number| {
            // Every hundredth twice: two of the same are two.
            let number = if number % 100 == 99 { number - 1 } else { number };
            json!({ "module": "evolution", "hypothesis": format!("Try idea {number}"),
                    "description": "x".repeat(300), "outcome": "rejected", "rationale": null,
                    "rejection_reason": "Test failure",
                    "timestamp": format!("2024-01-15T10:{:02}:{:02}Z", number / 60 % 60, number % 60) })
        })
        .collect();
    let file = json!({ "version": "1.0.0", "records": records }).to_string();
    assert!(file.len() > 4 << 20, "large enough for several parts");
    fs::write(project.path().join("in.json"), &file).expect("written");
    let first = project
        .run(&["decisions", "import", "in.json", "--json"])
        .json();
    assert_eq!(
        first,
        json!({ "records": 12_000, "added": 12_000, "known": 0 })
    );
    let second = project
        .run(&["decisions", "import", "in.json", "--json"])
        .json();
    assert_eq!(
        second,
        json!({ "records": 12_000, "added": 0, "known": 12_000 })
    );
    assert_eq!(project.run(&["decisions", "export", "out.json"]).code(), 0);
    let out = fs::read_to_string(project.path().join("out.json")).expect("a file");
    let piped = project.run(&["decisions", "export", "-"]).stdout();
    assert_eq!(out, piped);
    let sorted = |text: &str| {
        let file: Value = serde_json::from_str(text).expect("JSON");
        let mut records: Vec<_> = file["records"]
            .as_array()
            .expect("records")
            .iter()
            .map(Value::to_string)
            .collect();
        records.sort();
        records
    };
    assert_eq!(sorted(&out), sorted(&file));
    let members: Vec<_> = [
        "module",
        "hypothesis",
        "description",
        "outcome",
        "rationale",
        "rejection_reason",
        "timestamp",
    ]
    .iter()
    .map(|name| out.find(&format!("\"{name}\"")).expect("a member"))
    .collect();
    assert!(
        members.is_sorted(),
        "the members have the order of the document"
    );
    // A fault at the end of a large file is found before anything is taken in.
    let other = Scratch::new();
    let faulty = file.replacen("Try idea 11998", "", 1);
    let ran = other.run_with(&["decisions", "import", "-"], faulty.as_bytes());
    assert_eq!(ran.code(), 2, "{}", ran.stderr());
    assert!(!other.memory().exists(), "nothing was imported");
}

#[test]
fn failures_are_recorded_grouped_and_warned_of() {
    let project = Scratch::new();
    let hypothesis = "Add async context manager for file operations";
    for line in [45, 120, 7] {
        let details = format!("SyntaxError: invalid syntax at line {line}: async with open(...)");
        let ran = project.run(&[
            "failures",
            "record",
            "--module-category",
            "agents/e",
            "--module-name",
            "evolution",
            "--hypothesis",
            hypothesis,
            "--failure-details",
            &details,
        ]);
        assert_eq!(ran.code(), 0, "{}", ran.stderr());
    }
    let patterns = project
        .run(&[
            "failures",
            "patterns",
            "--module-name",
            "evolution",
            "--min-count",
            "2",
            "--json",
        ])
        .json();
    assert_eq!(
        (&patterns[0]["count"], &patterns[0]["failure-type"]),
        (&json!(3), &json!("syntax"))
    );
    let ask = |hypothesis: &str, options: &[&str]| {
        let question = [
            "failures",
            "check-warnings",
            "--module-name",
            "evolution",
            "--hypothesis",
            hypothesis,
        ];
        project.run(&[&question[..], options].concat())
    };
    let warnings = ask(
        "add an async context-manager for file operations",
        &["--json"],
    )
    .json();
    assert_eq!(warnings[0]["severity"], "low");
    assert!(
        warnings[0]["confidence"]
            .as_f64()
            .is_some_and(|sure| sure > 0.7)
    );
    let words = ask(hypothesis, &["--exit-code"]);
    assert_eq!(words.code(), 1);
    assert!(
        words
            .stdout()
            .starts_with("WARNING: Similar hypotheses have failed before:")
    );
    assert!(
        ask(hypothesis, &["--min-count", "4"])
            .stdout()
            .starts_with("No warnings")
    );
    assert!(ask("Rename it", &[]).stdout().starts_with("No warnings"));
    let stdin = [
        "failures",
        "record",
        "--module-name",
        "m",
        "--hypothesis",
        "h",
        "--failure-details",
        "-",
        "--json",
    ];
    let piped = project.run_with(&stdin, b"pytest: 2 failed").json();
    assert_eq!(piped["failure-type"], "test");
}

#[test]
fn every_question_can_be_asked_through_the_flat_entry() {
    let project = Scratch::new();
    document_examples(&project);
    let question = json!({ "module": "data_processor", "hypothesis": "Replace class with functional pipeline" });
    assert_eq!(
        project.call("decisions.was_rejected", &question)["found"],
        true
    );
    assert_eq!(
        project.call("decisions.was_recently_accepted", &question)["found"],
        false
    );
    let asked = json!({ "module": "data_processor", "query_type": "get_patterns" });
    assert_eq!(
        project.call("decisions.query", &asked)["patterns"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    assert_eq!(
        project.call("failures.categorize", &json!({ "details": "the latest" })),
        "unknown"
    );
}
