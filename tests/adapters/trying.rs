//! Trying an adapter from its file, which is what an author does all day: as if it were installed, and without a trace.

use std::fs;

use super::fixture::{Made, User, made};
use crate::support::{Ran, Scratch};

const STEPS: &str = "{\"step\": {\"action\": {}, \"observation\": {}}}\n";

/// Writes an adapter and recorded steps, and runs it on them.
fn tried(user: &User, adapter: &Made) -> crate::support::Ran {
    let file = adapter.write(&user.downloads.path().join("work"));
    let steps = user.download("steps.jsonl", STEPS.as_bytes());
    user.run(&[
        "adapter",
        "run",
        &file.display().to_string(),
        "--steps",
        &steps,
    ])
}

/// What is kept of an adapter's builds.
fn compiled(user: &User, name: &str) -> Vec<String> {
    let files = fs::read_dir(user.home.path().join("cache")).expect("a cache");
    let names = files.map(|file| file.expect("a file").file_name());
    let mut names: Vec<_> = names
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|file| file.starts_with(&format!("{name}-")))
        .collect();
    names.sort();
    names
}

#[test]
fn what_was_compiled_for_a_try_serves_the_next_one_and_installing_it() {
    let user = User::new();
    let lamp = made("lamp");
    let first = tried(&user, &lamp);
    assert_eq!(first.code(), 0, "{}{}", first.stdout(), first.stderr());
    assert!(first.stderr().contains("compiling"), "{}", first.stderr());
    let second = tried(&user, &lamp);
    assert_eq!(second.code(), 0, "{}", second.stderr());
    assert_eq!(second.stderr(), "");
    let kept = compiled(&user, "lamp");
    assert_eq!(kept.len(), 1, "{kept:?}");
    user.install(&lamp);
    assert_eq!(compiled(&user, "lamp"), kept);
}

#[test]
fn what_was_compiled_of_earlier_builds_goes_unless_it_is_installed() {
    let user = User::new();
    let build = |number: usize| Made {
        assessing: "nop\n".repeat(number),
        ..made("lamp")
    };
    user.install(&build(0));
    let installed = compiled(&user, "lamp");
    for number in 1..4 {
        let ran = tried(&user, &build(number));
        assert_eq!(ran.code(), 0, "{}{}", ran.stdout(), ran.stderr());
        let kept = compiled(&user, "lamp");
        assert_eq!(kept.len(), 2, "{kept:?}");
        assert!(kept.contains(&installed[0]), "{kept:?}");
    }
}

#[test]
fn a_try_that_fails_is_told_and_counts_for_nothing() {
    let user = User::new();
    let broken = Made {
        assessing: "unreachable".into(),
        ..made("lamp")
    };
    for _ in 0..4 {
        let ran = tried(&user, &broken);
        assert_eq!(ran.code(), 1, "{}", ran.stdout());
        assert!(ran.stdout().contains("it crashed"), "{}", ran.stdout());
    }
    user.install(&broken);
    let inspected = user.json(&["adapter", "inspect", "lamp"]);
    assert_eq!(inspected["state"], "ready");
    assert_eq!(inspected["strikes"], serde_json::Value::Null);
}

#[test]
fn a_file_is_tried_as_it_would_be_installed() {
    let user = User::new();
    let lamp = made("lamp");
    let directory = user.downloads.path().join("work");
    let file = lamp.write(&directory).display().to_string();
    let said = lamp.declaration().replace("\"0.1.0\"", "\"0.2.0\"");
    fs::write(directory.join("adapter.toml"), said).expect("a declaration");
    let checked = user.run(&["adapter", "check", &file]);
    assert_eq!(checked.code(), 1);
    assert!(checked.stdout().contains("0.2.0"), "{}", checked.stdout());
    user.refused(&["adapter", "install", &file], &["0.2.0"]);
    // Nothing beside it: what it says of itself is all there is.
    fs::remove_file(directory.join("adapter.toml")).expect("a declaration");
    let steps = user.download("steps.jsonl", STEPS.as_bytes());
    let ran = user.run(&["adapter", "run", &file, "--steps", &steps]);
    assert_eq!(ran.code(), 0, "{}{}", ran.stdout(), ran.stderr());
    user.refused(
        &["adapter", "check", "nowhere.wasm"],
        &["nowhere.wasm", "name a component's file"],
    );
}

#[test]
fn what_another_project_has_installed_stays_compiled() {
    let user = User::new();
    let build = |number: usize| Made {
        assessing: "nop\n".repeat(number),
        ..made("lamp")
    };
    let other = Scratch::new();
    let install = |build: &Made| {
        let file = build.write(&user.downloads.path().join("lamp"));
        let file = file.display().to_string();
        let mut command = other.command(&["adapter", "install", "--project", &file]);
        command.env("TWICESHY_HOME", user.home.path());
        let ran = Ran(command.output().expect("the program starts"));
        assert_eq!(ran.code(), 0, "{}", ran.stderr());
    };
    install(&build(0));
    let installed = compiled(&user, "lamp");
    assert_eq!(tried(&user, &build(1)).code(), 0);
    let kept = compiled(&user, "lamp");
    assert!(kept.len() == 2 && kept.contains(&installed[0]), "{kept:?}");
    // Also if this user has the same one, and then another or none.
    user.install(&build(0));
    user.install(&build(2));
    assert!(compiled(&user, "lamp").contains(&installed[0]));
    user.json(&["adapter", "remove", "lamp"]);
    assert!(compiled(&user, "lamp").contains(&installed[0]));
}

#[test]
fn nobody_takes_the_name_of_the_memory_or_has_it_compiled_again() {
    let user = User::new();
    let memory = compiled(&user, "memory");
    assert!(!memory.is_empty());
    let is_kept = || {
        let kept = compiled(&user, "memory");
        memory.iter().all(|file| kept.contains(file))
    };
    let false_memory = made("memory");
    assert_eq!(tried(&user, &false_memory).code(), 0);
    assert!(is_kept());
    let file = false_memory.write(&user.downloads.path().join("memory"));
    let said = ["`memory`", "refused", "part of twiceshy", "another name"];
    user.refused(&["adapter", "install", &file.display().to_string()], &said);
    false_memory.write(&user.project.memory().join("adapters/memory"));
    assert_eq!(user.listed("memory")[0]["state"], "hidden");
    assert!(is_kept());
}
