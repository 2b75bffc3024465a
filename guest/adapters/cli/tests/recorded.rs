//! Recorded commands and what the adapter says of them: one row a command, from many tools, so that
//! the rules hold without knowing any of them by name.

use serde_json::{Value, json};
use twiceshy_adapter::{Assess, Error, Feedback, Goal, Step};
use twiceshy_adapter_cli::Cli;

/// A command, what was expected of it, what was seen, and what should be said.
struct Row {
    command: &'static [&'static str],
    expected: Value,
    seen: Value,
    line: &'static str,
    /// The reason and a part of the evidence.
    failure: Option<(&'static str, &'static str)>,
    violations: &'static [&'static str],
    progress: Option<f64>,
}

fn goal(expected: &Value) -> Goal {
    let expectations = match expected {
        Value::Null => String::new(),
        expected => expected.to_string(),
    };
    Goal {
        task: String::new(),
        domain: "cli".into(),
        expectations,
    }
}

fn assess(command: &[&str], expected: &Value, seen: &Value) -> Result<Feedback, Error> {
    let mut observation = json!({"stdout": "", "stderr": "", "duration-ms": 12});
    for (name, value) in seen.as_object().expect("an object") {
        observation[name] = value.clone();
    }
    let step = Step {
        before: String::new(),
        action: json!({"command": command}).to_string(),
        observation: observation.to_string(),
    };
    Cli.assess(&goal(expected), &[], &step)
}

fn rows() -> Vec<Row> {
    let row = |command, expected, seen, line, failure, violations, progress| Row {
        command,
        expected,
        seen,
        line,
        failure,
        violations,
        progress,
    };
    const NONE: &[&str] = &[];
    vec![
        row(
            &["ls", "-l"],
            json!(null),
            json!({"exit": 0, "stdout": "total 0\n"}),
            "ls -l",
            None,
            NONE,
            None,
        ),
        row(
            &["ls", "my file"],
            json!(null),
            json!({"exit": 2, "stderr": "ls: cannot access 'my file': No such file or directory\n"}),
            "ls \"my file\"",
            Some((
                "exit 2",
                "ls: cannot access 'my file': No such file or directory\n",
            )),
            NONE,
            None,
        ),
        row(
            &["gcc", "-o", "a", "a.c"],
            json!({"artifacts": ["a"]}),
            json!({"exit": 1, "stderr": "a.c: In function 'main':\na.c:3:5: error: expected ';' before 'return'\n", "artifacts": [{"path": "a", "exists": false}]}),
            "gcc -o a a.c",
            Some(("exit 1", "expected ';' before 'return'")),
            &["artifact a exists"],
            Some(0.0),
        ),
        row(
            &["python3", "x.py"],
            json!(null),
            json!({"exit": 1, "stdout": "loading 3 rows\n", "stderr": "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n    d['k']\nKeyError: 'k'\n"}),
            "python3 x.py",
            Some(("exit 1", "KeyError: 'k'")),
            NONE,
            None,
        ),
        row(
            &["grep", "-r", "needle", "src"],
            json!({"exit": [0, 1]}),
            json!({"exit": 1}),
            "grep -r needle src",
            None,
            NONE,
            Some(1.0),
        ),
        row(
            &["grep", "TODO", "a.rs"],
            json!({"exit": [1]}),
            json!({"exit": 0, "stdout": "// TODO\n"}),
            "grep TODO a.rs",
            None,
            &["exit is 1"],
            Some(0.0),
        ),
        row(
            &["grep", "x", "y"],
            json!(null),
            json!({"exit": 1}),
            "grep x y",
            None,
            NONE,
            None,
        ),
        row(
            &["pytest", "-q"],
            json!(null),
            json!({"exit": 1, "stdout": "F\n___ test_add ___\n>   assert add(1, 2) == 4\nE   assert 3 == 4\nFAILED test_a.py::test_add - assert 3 == 4\n1 failed in 0.02s\n", "stderr": "DeprecationWarning: distutils is deprecated\n"}),
            "pytest -q",
            Some(("exit 1", "FAILED test_a.py::test_add")),
            NONE,
            None,
        ),
        row(
            &["pytest", "-q"],
            json!({"stdout-matches": ["\\d+ passed"], "stdout-lacks": ["failed"]}),
            json!({"exit": 0, "stdout": ".....\n5 passed in 0.12s\n"}),
            "pytest -q",
            None,
            NONE,
            Some(1.0),
        ),
        row(
            &["cargo", "test"],
            json!(null),
            json!({"exit": 101, "stdout": "running 1 test\nthread 'adds' panicked at src/lib.rs:9:5:\nassertion `left == right` failed\ntest result: FAILED. 0 passed; 1 failed\n", "stderr": "   Compiling thiserror v2.0.1\n    Finished `test` profile\nerror: test failed, to rerun pass `--lib`\n"}),
            "cargo test",
            Some(("exit 101", "panicked at src/lib.rs")),
            NONE,
            None,
        ),
        row(
            &["tsc", "--noEmit"],
            json!(null),
            json!({"exit": 2, "stdout": "src/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.\n"}),
            "tsc --noEmit",
            Some(("exit 2", "TS2322")),
            NONE,
            None,
        ),
        row(
            &["make", "all"],
            json!(null),
            json!({"exit": 2, "stdout": "cc -c a.c\n", "stderr": "a.c:1:1: error: unknown type name 'foo'\nmake: *** [Makefile:2: all] Error 1\n"}),
            "make all",
            Some(("exit 2", "unknown type name")),
            NONE,
            None,
        ),
        row(
            &["curl", "-f", "https://example.org/a?b=c&d"],
            json!(null),
            json!({"exit": 22, "stderr": "curl: (22) The requested URL returned error: 404\n"}),
            "curl -f \"https://example.org/a?b=c&d\"",
            Some(("exit 22", "returned error: 404")),
            NONE,
            None,
        ),
        row(
            &["curl", "-s", "http://localhost:1"],
            json!({"stdout-json": true}),
            json!({"exit": 7}),
            "curl -s http://localhost:1",
            Some(("exit 7", "curl: exit 7 without a word")),
            &["stdout is JSON"],
            Some(0.0),
        ),
        row(
            &["git", "commit", "-m", "it's done"],
            json!(null),
            json!({"exit": 1, "stdout": "On branch main\nnothing to commit, working tree clean\n"}),
            "git commit -m \"it's done\"",
            Some(("exit 1", "nothing to commit")),
            NONE,
            None,
        ),
        row(
            &["git", "push"],
            json!(null),
            json!({"exit": 1, "stderr": "To github.com:a/b\n ! [rejected] main -> main (fetch first)\nerror: failed to push some refs\n"}),
            "git push",
            Some(("exit 1", "failed to push some refs")),
            NONE,
            None,
        ),
        row(
            &["sh", "-c", "frobnicate $X"],
            json!(null),
            json!({"exit": 127, "stderr": "sh: 1: frobnicate: not found\n"}),
            "frobnicate $X",
            Some(("exit 127", "frobnicate: not found")),
            NONE,
            None,
        ),
        row(
            &["frobnicate"],
            json!({"stdout-matches": ["x"]}),
            json!({"start-error": "No such file or directory (os error 2)", "duration-ms": 0}),
            "frobnicate",
            Some(("could not start", "No such file or directory (os error 2)")),
            NONE,
            Some(0.0),
        ),
        row(
            &["./train"],
            json!(null),
            json!({"signal": 9, "exit": null, "stdout": "epoch 1\nepoch 2\n", "stderr": "  \n"}),
            "./train",
            Some(("signal 9 (SIGKILL)", "epoch 1\nepoch 2\n")),
            NONE,
            None,
        ),
        row(
            &["./crash"],
            json!(null),
            json!({"signal": 11, "stdout": "", "stderr": ""}),
            "./crash",
            Some((
                "signal 11 (SIGSEGV)",
                "crash: signal 11 (SIGSEGV) without a word",
            )),
            NONE,
            None,
        ),
        row(
            &["sleep", "60"],
            json!({"within-ms": 1000}),
            json!({"timed-out": true, "signal": 15, "duration-ms": 5000}),
            "sleep 60",
            Some(("timed out", "sleep: timed out without a word")),
            &["finishes within 1000 ms"],
            Some(0.0),
        ),
        row(
            &["true"],
            json!(null),
            json!({"exit": 0}),
            "true",
            None,
            NONE,
            None,
        ),
        row(
            &["false"],
            json!(null),
            json!({"exit": 1, "stdout": "\n", "stderr": "\n"}),
            "false",
            Some(("exit 1", "false: exit 1 without a word")),
            NONE,
            None,
        ),
        row(
            &["cat", "blob"],
            json!(null),
            json!({"exit": 1, "stderr": "\u{fffd}\u{fffd}\u{0}\u{1b}[0m\u{7}\u{fffd}"}),
            "cat blob",
            Some(("exit 1", "\u{fffd}\u{fffd}\u{0}\u{1b}[0m\u{7}\u{fffd}")),
            NONE,
            None,
        ),
        row(
            &["jq", ".", "a.json"],
            json!({"json-members": ["name", "owner.id"]}),
            json!({"exit": 0, "stdout": "{\"name\": \"x\", \"owner\": {\"id\": 7}}\n"}),
            "jq . a.json",
            None,
            NONE,
            Some(1.0),
        ),
        row(
            &["gh", "api", "repos"],
            json!({"stdout-json": true, "json-members": ["name", "owner.id"]}),
            json!({"exit": 0, "stdout": "{\"name\": \"x\"}"}),
            "gh api repos",
            None,
            &["stdout has the JSON member owner.id"],
            Some(2.0 / 3.0),
        ),
        row(
            &["sqlite3", "-csv", "a.db", "SELECT * FROM t"],
            json!({"columns": 3, "lines": {"least": 2}}),
            json!({"exit": 0, "stdout": "1,Ana,\"Lisbon, PT\"\n2,Bo\n"}),
            "sqlite3 -csv a.db \"SELECT * FROM t\"",
            None,
            &["every line of stdout has 3 columns"],
            Some(0.5),
        ),
        row(
            &["./report", "--out=r.csv"],
            json!({"artifacts": ["r.csv", "./log.txt"]}),
            json!({"exit": 0, "artifacts": [{"path": "./r.csv", "exists": false}, {"path": "log.txt", "exists": true, "changed": true}]}),
            "./report --out=r.csv",
            None,
            &["artifact r.csv exists"],
            Some(0.5),
        ),
        row(
            &["tail", "-f", "huge.log"],
            json!({"stdout-matches": ["started"], "stdout-lacks": ["panic"]}),
            json!({"exit": 0, "shortened": true, "stdout": "a\n[…]\nb\n"}),
            "tail -f huge.log",
            None,
            NONE,
            None,
        ),
        row(
            &["npm", "test"],
            json!({"exit": [0], "stderr-lacks": ["(?i)deprecat"]}),
            json!({"exit": 0, "stderr": "npm WARN Deprecated foo@1\n"}),
            "npm test",
            None,
            &["stderr lacks (?i)deprecat"],
            Some(0.5),
        ),
        row(
            &["sh", "-c", "cat a.txt; echo done"],
            json!(null),
            json!({"exit": 0, "stdout": "done\n", "stderr": "cat: a.txt: No such file or directory\n"}),
            "cat a.txt",
            Some(("exit 0 with an error", "No such file or directory")),
            NONE,
            None,
        ),
        row(
            &["go", "test", "-v"],
            json!(null),
            json!({"exit": 1, "stdout": "--- PASS: TestA (0.00s)\n--- PASS: TestB (0.00s)\n--- PASS: TestC (0.00s)\n--- FAIL: TestD (0.00s)\n    d_test.go:9: got 1, want 2\nFAIL\n"}),
            "go test -v",
            Some(("exit 1", "--- FAIL: TestD")),
            NONE,
            Some(0.75),
        ),
        row(
            &["timeout", "5", "./serve"],
            json!(null),
            json!({"exit": 124, "stdout": "listening\n"}),
            "timeout 5 ./serve",
            Some(("timed out", "listening")),
            NONE,
            None,
        ),
        row(
            &["unknown-exit"],
            json!({"exit": [0]}),
            json!({"stdout": "x"}),
            "unknown-exit",
            None,
            NONE,
            None,
        ),
    ]
}

#[test]
fn every_recorded_command_gets_its_feedback() {
    for row in rows() {
        let feedback = assess(row.command, &row.expected, &row.seen).expect(row.line);
        assert_eq!(feedback.action_text, row.line);
        let failure = feedback.hard_failure.as_ref();
        let reason = failure.map(|failure| failure.reason.as_str());
        assert_eq!(
            reason,
            row.failure.map(|expected| expected.0),
            "{}",
            row.line
        );
        if let (Some(failure), Some((_, part))) = (failure, row.failure) {
            let evidence = failure.evidence.as_str();
            assert!(evidence.contains(part), "{}: {evidence}", row.line);
            assert_eq!(
                evidence.is_empty(),
                part.is_empty(),
                "{}: {evidence}",
                row.line
            );
        }
        let violations = feedback.constraint_failure.iter();
        let conditions: Vec<_> = violations
            .map(|violation| violation.condition.as_str())
            .collect();
        assert_eq!(conditions, row.violations, "{}", row.line);
        assert_eq!(feedback.progress_signal, row.progress, "{}", row.line);
    }
}

#[test]
fn another_domain_is_unsupported() {
    let goal = Goal {
        task: String::new(),
        domain: "navigation".into(),
        expectations: String::new(),
    };
    let step = Step {
        before: String::new(),
        action: String::new(),
        observation: String::new(),
    };
    assert!(matches!(
        Cli.assess(&goal, &[], &step),
        Err(Error::Unsupported(_))
    ));
}

#[test]
fn a_bad_pattern_is_refused_even_if_the_command_failed() {
    let refused = assess(
        &["x"],
        &json!({"stderr-lacks": ["ok", "(open"]}),
        &json!({"exit": 1}),
    );
    let Err(Error::InvalidInput(told)) = refused else {
        panic!("{refused:?}");
    };
    assert!(
        told.starts_with("expectations.stderr-lacks[1]: the pattern \"(open\""),
        "{told}"
    );
}

#[test]
fn a_wrong_state_before_is_refused() {
    let step = Step {
        before: r#"{"cwd": "/"}"#.into(),
        action: r#"{"command": ["x"]}"#.into(),
        observation: r#"{"exit": 0, "stdout": "", "stderr": "", "duration-ms": 1}"#.into(),
    };
    let refused = Cli.assess(&goal(&Value::Null), &[], &step);
    assert!(
        matches!(&refused, Err(Error::InvalidInput(told)) if told.contains("`cwd`")),
        "{refused:?}"
    );
}

#[test]
fn the_manifest_says_what_the_contract_asks_for() {
    let manifest = Cli.describe();
    assert_eq!(
        (manifest.name.as_str(), manifest.domain.as_str()),
        ("cli", "cli")
    );
    assert_eq!(manifest.version, env!("CARGO_PKG_VERSION"));
    for schema in [
        manifest.action_schema,
        manifest.observation_schema,
        manifest.expectations_schema,
    ] {
        let schema: Value = serde_json::from_str(&schema).expect("JSON");
        assert_eq!(schema["type"], "object");
    }
    assert_eq!(Cli.describe().summary, manifest.summary);
}
