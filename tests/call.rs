//! The program as a script uses it: `call` in its three forms, `fingerprint`, help and completions.
//!
//! Whoever scripts twiceshy relies on every function being there, on answers in their order, and on
//! errors that name what is wrong, with the exit code that says whose fault it is.

mod errors;
mod fingerprint;
mod lines;
mod shapes;

use std::{collections::BTreeSet, fs, io::Write, process::Command};

use serde_json::{Value, json};

use crate::{
    skipped::skipped,
    support::{Scratch, repository},
};

/// Every function of the contract as `interface.function`, read from the text of the `.wit` files.
fn contract() -> BTreeSet<String> {
    let mut functions = BTreeSet::new();
    for entry in fs::read_dir(repository().join("wit/memory")).expect("the contract") {
        let text = fs::read_to_string(entry.expect("an entry").path()).expect("a file");
        let mut interface = String::new();
        for line in text.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix("interface ") {
                name.trim_end_matches([' ', '{']).clone_into(&mut interface);
            } else if let Some((name, _)) = line.split_once(": func(") {
                functions.insert(format!("{interface}.{}", name.trim_start_matches('%')));
            }
        }
    }
    // The flat entry is the way to the others, not one of them.
    assert!(functions.remove("rpc.call"), "{functions:?}");
    functions
}

/// The functions that `call --list --json` names.
fn listed(project: &Scratch) -> Vec<Value> {
    match project.run(&["call", "--list", "--json"]).json() {
        Value::Array(functions) => functions,
        other => panic!("not a list: {other}"),
    }
}

#[test]
fn the_list_has_every_function_of_the_contract_with_its_arguments() {
    let project = Scratch::new();
    let functions = listed(&project);
    let part = |function: &Value, name: &str| function[name].as_str().expect(name).to_owned();
    let names: BTreeSet<_> = functions
        .iter()
        .map(|function| format!("{}.{}", part(function, "interface"), part(function, "name")))
        .collect();
    // The host adds functions of its own.
    let mut expected = contract();
    expected.extend(["adapters.assess".to_owned(), "adapters.observe".to_owned()]);
    assert_eq!(names, expected);
    for function in &functions {
        assert!(
            !part(function, "docs").is_empty() && !part(function, "result").is_empty(),
            "{function}"
        );
        for parameter in function["parameters"].as_array().expect("parameters") {
            assert!(!part(parameter, "name").is_empty() && !part(parameter, "shape").is_empty());
        }
    }
    let text = project.run(&["call", "--list"]).stdout();
    for name in &names {
        let lines: Vec<_> = text
            .lines()
            .skip_while(|line| !line.starts_with(&format!("{name} {{")))
            .collect();
        assert!(
            lines.len() >= 3,
            "{name} is not in the list with its arguments"
        );
        assert!(
            lines[1].contains('→') && !lines[2].trim().is_empty(),
            "{name}: {lines:?}"
        );
    }
    assert!(!project.memory().exists(), "a list needs no memory");
}

#[test]
fn every_listed_function_can_be_called_under_both_spellings() {
    let project = Scratch::new();
    for name in contract() {
        for name in [name.clone(), name.replace('-', "_")] {
            // Arguments that no function takes: the answer is about them, not about the function.
            let ran = project.run(&["call", &name, r#"{"no such": 1, "at all": 2}"#]);
            let message = ran.stderr();
            assert_eq!(ran.code(), 2, "{name}: {message}");
            assert!(
                !message.contains("there is no function"),
                "{name}: {message}"
            );
        }
    }
}

#[test]
fn a_call_prints_its_result_as_one_line_of_json() {
    let project = Scratch::new();
    let lesson = json!({ "rule-text": "WRONG: pull → CORRECT: push", "trigger-texts": ["the door is shut"] });
    let ran = project.run(&["call", "lessons.propose", &lesson.to_string()]);
    assert_eq!(
        (ran.code(), ran.stdout().lines().count()),
        (0, 1),
        "{}",
        ran.stderr()
    );
    let known = ran.json();
    let id = json!({ "lesson": known["id"] });
    assert_eq!(project.call("lessons.get", &id), known);
    let from_input = project.run_with(&["call", "lessons.get", "-"], id.to_string().as_bytes());
    assert_eq!(from_input.json(), known);
    let by_name = project.call("lessons.find", &json!({ "filter": { "limit": 1 } }));
    assert_eq!(
        by_name,
        json!([known]),
        "the record may be given by its name or by its members"
    );
    assert_eq!(
        project.call("lessons.find", &json!({ "limit": 1 })),
        json!([known])
    );
    let snake = json!({ "rule_text": "WRONG: pull → CORRECT: push", "trigger_texts": ["the door is shut"] });
    assert_eq!(project.call("lessons.propose", &snake)["id"], known["id"]);
    assert_eq!(project.status()["lessons"], 1);
    let hints = json!({ "evidence": "the door is shut", "domain": "cli", "task": "" });
    assert_eq!(
        project.call("recall.on-error", &hints)[0]["lesson"]["id"],
        known["id"]
    );
}

#[test]
fn help_has_examples_and_the_exit_codes() {
    let project = Scratch::new();
    for command in [
        "run",
        "status",
        "events",
        "fingerprint",
        "call",
        "decisions",
        "failures",
        "completions",
    ] {
        let help = project.run(&[command, "--help"]).stdout();
        assert!(
            help.contains("Example") && help.contains("twiceshy "),
            "{command}: {help}"
        );
    }
    let manual = project.run(&["man"]).stdout();
    for part in [
        "Exit codes:",
        "TWICESHY_HOME",
        "TWICESHY_MEMORY",
        "config.toml",
        "127",
    ] {
        assert!(manual.contains(part), "{part}: {manual}");
    }
    let help = project.run(&["--help"]).stdout();
    let commands = [
        "run",
        "init",
        "status",
        "events",
        "fingerprint",
        "call",
        "doctor",
    ];
    for command in commands {
        assert!(
            help.contains(&format!("\n  {command} ")),
            "{command}: {help}"
        );
        assert_eq!(project.run(&[command, "--help"]).code(), 0);
    }
    assert_eq!(project.run(&[]).code(), 2, "nothing asked is wrong usage");
    assert!(
        project
            .run(&["--version"])
            .stdout()
            .starts_with("twiceshy 0.")
    );
    assert!(!project.memory().exists());
}

#[test]
fn completions_are_scripts_that_the_shell_takes() {
    let project = Scratch::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = project.run(&["completions", shell]).stdout();
        for word in ["fingerprint", "doctor", "--memory", "--expect"] {
            let word = word.trim_start_matches(if shell == "fish" { "--" } else { "" });
            assert!(script.contains(word), "{shell}: {word}");
        }
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(script.as_bytes()).expect("written");
        match Command::new(shell).arg("-n").arg(file.path()).output() {
            Ok(output) => {
                let message = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(
                    output.status.success() && message.is_empty(),
                    "{shell}: {message}"
                );
            }
            Err(_) => skipped(&format!("{shell} is not there to parse its completions")),
        }
    }
    assert_eq!(project.run(&["completions", "abacus"]).code(), 2);
}
