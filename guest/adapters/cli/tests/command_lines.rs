//! Command lines as agents run them: through shells, without exit codes, to ask something, in silence.

use serde_json::{Value, json};
use twiceshy_adapter::{Assess, Feedback, Goal, Step};
use twiceshy_adapter_cli::Cli;

/// What a step says of a command line that is given as one text.
fn assess_line(line: &str, expected: &Value, seen: &Value) -> Feedback {
    assess(&json!(line), expected, seen)
}

fn assess(command: &Value, expected: &Value, seen: &Value) -> Feedback {
    let mut observation = json!({"stdout": "", "stderr": "", "duration-ms": 12});
    for (name, value) in seen.as_object().expect("an object") {
        observation[name] = value.clone();
    }
    let step = Step {
        before: String::new(),
        action: json!({"command": command}).to_string(),
        observation: observation.to_string(),
    };
    Cli.assess(&goal(expected), &[], &step).expect("feedback")
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

#[test]
fn a_line_and_the_words_of_a_shell_that_runs_it_are_the_same() {
    let seen = [
        json!({"exit": 0, "stdout": "3 passed\n"}),
        json!({"exit": 1, "stderr": "npm ERR! Missing script: \"tset\"\n"}),
        json!({"exit": 2}),
        json!({"stdout": "npm error Missing script: \"tset\"\n"}),
    ];
    for line in [
        "npm tset",
        "cd app && npm tset",
        "cd app && npm ci && timeout 60 npm tset 2>&1 | tail -5",
        "set -e\nnpm ci\nnpm tset",
    ] {
        for seen in &seen {
            let expected = assess_line(line, &json!(null), seen);
            for shell in [
                &["bash", "-lc", line][..],
                &["sh", "-c", line],
                &["/usr/bin/env", "bash", "-c", line],
            ] {
                let words = assess(&json!(shell), &json!(null), seen);
                assert_eq!(words, expected, "{shell:?}");
            }
        }
    }
    let empty = Step {
        before: String::new(),
        action: json!({"command": " "}).to_string(),
        observation: json!({"stdout": "", "stderr": "", "duration-ms": 1}).to_string(),
    };
    assert!(Cli.assess(&goal(&Value::Null), &[], &empty).is_err());
}

#[test]
fn what_a_probe_says_with_its_exit_code_is_no_failure_unless_it_was_expected() {
    for (line, exit, stderr) in [
        ("grep -q x a", 1, ""),
        ("diff a b", 1, ""),
        ("test -f a", 1, ""),
        ("[ -f a ]", 1, ""),
        ("[[ -f a ]]", 1, ""),
        ("bash -c '[[ $a == b ]]'", 1, ""),
        ("which foo", 1, "which: no foo in (/usr/bin)\n"),
        ("command -v foo", 1, ""),
        (
            "bash -c 'type foo'",
            1,
            "bash: line 1: type: foo: not found\n",
        ),
        ("ps aux | grep foo", 1, ""),
        ("cd app && grep -q x a && echo yes", 1, ""),
        ("pgrep foo", 1, ""),
        ("/usr/bin/test -f a", 1, ""),
        ("kill -0 12", 1, "bash: kill: (12) - No such process\n"),
        ("systemctl is-active foo", 3, ""),
        ("git diff --exit-code", 1, ""),
        ("npm ci && grep -q x a", 1, ""),
        ("! grep -q x a", 1, ""),
    ] {
        let seen = json!({"exit": exit, "stderr": stderr});
        let feedback = assess_line(line, &json!(null), &seen);
        assert_eq!(feedback.hard_failure, None, "{line}");
        let feedback = assess_line(line, &json!({"exit": [0]}), &seen);
        assert!(feedback.hard_failure.is_some(), "{line}: expected to work");
    }
    for (line, exit, stderr) in [
        ("grep x a", 2, "grep: a: No such file or directory\n"),
        ("diff a b", 2, "diff: a: No such file or directory\n"),
        ("git diff", 1, ""),
        ("make && grep -q x a", 1, "error: no rule\n"),
        ("make && grep -q x a", 1, "make: *** [all] Error 1\n"),
        ("grep -q x a && make", 1, ""),
        ("ls a", 1, ""),
        ("./test", 1, ""),
        (
            "[ -e ready ] || { echo 'not ready' >&2; exit 1; }",
            1,
            "not ready\n",
        ),
    ] {
        let feedback = assess_line(line, &json!(null), &json!({"exit": exit, "stderr": stderr}));
        assert!(feedback.hard_failure.is_some(), "{line}");
    }
}

#[test]
fn without_an_exit_code_the_end_of_the_output_decides() {
    for (line, stdout) in [
        (
            "cat notes-17.txt",
            "cat: notes-17.txt: No such file or directory\n",
        ),
        ("frob", "bash: line 1: frob: command not found\n"),
        (
            "make",
            "cc -c a.c\na.c:1:1: error: unknown type name 'foo'\nmake: *** [Makefile:2: all] Error 1\n",
        ),
        (
            "python3 x.py",
            "loading\nTraceback (most recent call last):\n  File \"x.py\", line 1\nKeyError: 'k'\n",
        ),
        (
            "git push",
            "To github.com:a/b\n ! [rejected] main -> main\nerror: failed to push some refs\nhint: fetch first\n",
        ),
        ("npm test", "ok 1\nnot ok 2\n# fail 1\n"),
    ] {
        let feedback = assess_line(line, &json!(null), &json!({"stdout": stdout}));
        let failure = feedback.hard_failure.expect(line);
        assert_eq!(
            (failure.reason.as_str(), failure.evidence.as_str()),
            ("an error", stdout)
        );
    }
    let mut long = "error: could not reach the mirror\n".to_owned();
    long.push_str(&"downloaded another file\n".repeat(9));
    for (line, stdout) in [
        ("ls", "a\nb\n"),
        ("true", ""),
        ("cat build.log", "error: broken\n"),
        ("git log -1", "fatal: fix the parser\n"),
        ("grep -rn error: src", "src/a.rs:1: error: x\n"),
        ("make || true", "make: *** [all] Error 2\n"),
        ("apt-get update", long.as_str()),
        ("npm test", "3 passed\n"),
    ] {
        let feedback = assess_line(line, &json!(null), &json!({"stdout": stdout}));
        assert_eq!(feedback.hard_failure, None, "{line}");
    }
}

#[test]
fn silent_failures_are_told_apart_by_their_commands() {
    let evidence = |line: &str, exit: i64| {
        let feedback = assess_line(line, &json!(null), &json!({"exit": exit}));
        feedback.hard_failure.expect(line).evidence
    };
    assert_eq!(
        evidence("bash -c 'cd app && make all'", 2),
        "make all: exit 2 without a word"
    );
    assert_eq!(
        evidence("git -C app push origin", 1),
        "git push: exit 1 without a word"
    );
    assert_eq!(
        evidence("sudo ./install.sh -q", 1),
        "install: exit 1 without a word"
    );
    assert_eq!(
        evidence("python3.11 x.py", 1),
        "python: exit 1 without a word"
    );
    assert_eq!(
        evidence("npm test > /dev/null 2>&1 && echo ok", 1),
        "npm test: exit 1 without a word"
    );
}
