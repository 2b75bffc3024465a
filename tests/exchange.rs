//! `twiceshy export` and `twiceshy import`: a directory tree, and JSON Lines.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use serde_json::json;

use crate::{support::Scratch, waiting::killed_amid_writes};

/// A project in which something happened.
fn lived() -> Scratch {
    let scratch = Scratch::new();
    for name in ["a.txt", "b.txt"] {
        let step = |action: &str, failure: serde_json::Value| {
            json!({"step": {"before": "", "action": json!({"command": [action]}).to_string(), "observation": "{}"},
                "feedback": {"action-text": action, "hard-failure": failure}})
        };
        let failed = json!({"reason": "exit 1", "evidence": format!("cat: {name}: No such file or directory")});
        let steps = [
            step(&format!("cat {name}"), failed),
            step(&format!("ls; cat ./{name}"), json!(null)),
        ];
        let run = json!({"task": "read a file", "domain": "cli", "hold-out": 0.0});
        scratch.call(
            "runs.submit",
            &json!({"run": run, "steps": steps, "ending": {}}),
        );
    }
    let skill = "# Skill: Debugging\n\n## Steps\n1. Reproduce it\n";
    assert_eq!(
        scratch
            .run_with(&["skills", "put", "debugging", "-"], skill.as_bytes())
            .code(),
        0
    );
    scratch
}

/// How much there is of everything.
fn counts(scratch: &Scratch) -> serde_json::Value {
    scratch.call("upkeep.status", &json!({}))
}

/// The files below a directory, without hidden ones and the dashboard, which depends on the day.
fn tree(directory: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut left = vec![directory.to_path_buf()];
    while let Some(at) = left.pop() {
        for entry in fs::read_dir(at).expect("a directory") {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if path.is_dir() {
                left.push(path);
            } else if !name.starts_with('.') {
                let text = fs::read_to_string(&path).expect("a text");
                found.insert(
                    path.strip_prefix(directory).expect("below").to_path_buf(),
                    text,
                );
            }
        }
    }
    found
}

#[test]
fn a_project_is_exported_as_a_tree_and_imported_into_another() {
    let old = lived();
    let exported = old.run(&["export", "out", "--json"]);
    assert_eq!(exported.code(), 0, "{}", exported.stderr());
    let files = tree(&old.path().join("out"));
    assert_eq!(exported.json()["files"], files.len());
    for path in [
        "episodic/index.json",
        "semantic/patterns.json",
        "skills/debugging.md",
    ] {
        assert!(
            files.contains_key(Path::new(path)),
            "{path} in {:?}",
            files.keys()
        );
    }
    let new = Scratch::new();
    let out = old.path().join("out");
    let out = out.to_str().expect("a path");
    let checked = new.run(&["import", out, "--check", "--json"]);
    assert_eq!(checked.code(), 0, "{}", checked.stderr());
    assert_eq!(new.status()["episodes"], 0, "a check changes nothing");
    let imported = new.run(&["import", out, "--json"]);
    assert_eq!(imported.code(), 0, "{}", imported.stderr());
    assert_eq!(imported.json(), checked.json());
    assert_eq!(counts(&new), counts(&old));
    new.assert_sound();
    assert_eq!(new.run(&["export", "out"]).code(), 0);
    let (mut theirs, mut ours) = (files, tree(&new.path().join("out")));
    // A dashboard is about the days before the moment at which it is asked for.
    for files in [&mut theirs, &mut ours] {
        files.remove(Path::new("metrics/dashboard.json"));
    }
    assert_eq!(ours, theirs, "the same bytes");
    let again = new.run(&["import", out, "--json"]).json();
    assert_eq!(
        (&again["added"], &again["changed"]),
        (&json!(0), &json!(0)),
        "{again}"
    );
    // The skill that came with the tree is found and can be exported again; a later export replaces this one.
    fs::write(new.path().join("out/episodic/mine.txt"), "mine").expect("a file");
    assert_eq!(
        new.run(&["skills", "retire", "debugging", "--reason", "x"])
            .code(),
        0
    );
    assert_eq!(new.run(&["export", "out"]).code(), 0);
    assert!(
        !new.path().join("out/skills/debugging.md").exists(),
        "what is no longer true is gone"
    );
    assert!(
        new.path().join("out/episodic/mine.txt").exists(),
        "what no export wrote stays"
    );
}

#[test]
fn a_directory_with_other_files_is_not_written_to_unless_asked_for() {
    let scratch = lived();
    let other = scratch.path().join("other");
    fs::create_dir(&other).expect("a directory");
    fs::write(other.join("thesis.tex"), "mine").expect("a file");
    let refused = scratch.run(&["export", "other"]);
    assert_eq!(refused.code(), 2);
    assert!(refused.stderr().contains("--force"), "{}", refused.stderr());
    assert_eq!(fs::read_dir(&other).expect("a directory").count(), 1);
    assert_eq!(scratch.run(&["export", "other", "--force"]).code(), 0);
    assert_eq!(
        fs::read_to_string(other.join("thesis.tex")).expect("a file"),
        "mine"
    );
    // A link within it is not followed.
    let elsewhere = scratch.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("a directory");
    let trap = scratch.path().join("trap");
    fs::create_dir(&trap).expect("a directory");
    symlink(&elsewhere, trap.join("episodic")).expect("a link");
    let refused = scratch.run(&["export", "trap", "--force"]);
    assert_eq!(refused.code(), 1, "{}", refused.stdout());
    assert_eq!(fs::read_dir(&elsewhere).expect("a directory").count(), 0);
}

#[test]
fn a_hostile_or_damaged_tree_is_refused_and_changes_nothing() {
    let old = lived();
    assert_eq!(old.run(&["export", "out"]).code(), 0);
    let out = old.path().join("out");
    let refused = |part: &str| {
        let new = Scratch::new();
        let ran = new.run(&["import", out.to_str().expect("a path")]);
        assert_eq!(ran.code(), 2, "{part}: {}{}", ran.stdout(), ran.stderr());
        assert!(ran.stderr().contains(part), "{part} in {}", ran.stderr());
        assert_eq!(new.status()["episodes"], 0);
    };
    let link = out.join("skills/passwd.md");
    symlink("/etc/passwd", &link).expect("a link");
    refused("skills/passwd.md: it is a link");
    fs::remove_file(&link).expect("removed");
    let pipe = out.join("ledgers.json");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    refused("ledgers.json: it is a link or no plain file");
    fs::remove_file(&pipe).expect("removed");
    fs::create_dir_all(out.join("a/b/c/d/e/f")).expect("directories");
    refused("too deep");
    fs::remove_dir_all(out.join("a")).expect("removed");
    let huge = fs::File::create(out.join("huge.json")).expect("a file");
    huge.set_len(21 << 20).expect("a size");
    refused("huge.json: it has more than 20 MiB");
    fs::remove_file(out.join("huge.json")).expect("removed");
    fs::write(out.join("skills/bytes.md"), b"# Skill: x\n\xff").expect("a file");
    refused("skills/bytes.md: line 2 is not valid UTF-8");
    fs::remove_file(out.join("skills/bytes.md")).expect("removed");
    let notes = out.join("semantic/facts.json");
    fs::write(
        &notes,
        "[\n{\"id\": \"sem-1\", \"pattern\": \"x\", \"confidence\": null}\n]",
    )
    .expect("a file");
    refused("semantic/facts.json: invalid type: null");
    fs::write(&notes, "[]\n").expect("a file");
    // A damaged index is made anew.
    fs::write(out.join("episodic/index.json"), "{").expect("a file");
    let new = Scratch::new();
    let ran = new.run(&["import", out.to_str().expect("a path")]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert!(
        ran.stdout()
            .contains("left alone: episodic/index.json: it is damaged"),
        "{}",
        ran.stdout()
    );
}

#[test]
fn events_and_lessons_are_exported_and_imported_as_json_lines() {
    let old = lived();
    for kind in ["events", "lessons", "episodes", "experience"] {
        let name = format!("memory_{kind}.jsonl");
        let exported = old.run(&["export", &name, "--kind", kind, "--json"]);
        assert_eq!(exported.code(), 0, "{kind}: {}", exported.stderr());
        let text = fs::read_to_string(old.path().join(&name)).expect("a file");
        assert_eq!(exported.json()["records"], text.lines().count());
        assert!(!text.is_empty(), "{kind}");
        let printed = old.run(&["export", "-", "--kind", kind]);
        assert_eq!(printed.stdout(), text);
        let new = Scratch::new();
        let file = old.path().join(&name);
        let imported = new.run(&["import", file.to_str().expect("a path"), "--json"]);
        assert_eq!(imported.code(), 0, "{kind}: {}", imported.stderr());
        assert_eq!(imported.json()["added"], text.lines().count());
        assert_eq!(
            new.run(&["export", "-", "--kind", kind]).stdout(),
            text,
            "{kind}"
        );
        let again = new
            .run_with(&["import", "-", "--kind", kind, "--json"], text.as_bytes())
            .json();
        assert_eq!(again["added"], 0, "{kind}");
        new.assert_sound();
        let mut damaged: Vec<_> = text.lines().collect();
        damaged.insert(1, "{\"half\": ");
        let refused = Scratch::new().run_with(
            &["import", "-", "--kind", kind, "--strict"],
            damaged.join("\n").as_bytes(),
        );
        assert_eq!(refused.code(), 2);
        assert!(
            refused.stderr().contains("line 2: "),
            "{kind}: {}",
            refused.stderr()
        );
    }
    let unsaid = old.run_with(&["import", "-"], b"");
    assert_eq!(unsaid.code(), 2);
    assert!(unsaid.stderr().contains("--kind"), "{}", unsaid.stderr());
}

#[test]
fn an_import_that_was_killed_goes_on_when_it_is_done_again() {
    let old = lived();
    for number in 0..300 {
        let line = json!({"rule_text": format!("Use tool number {number} for job {number}")});
        let file = old.path().join("lessons.jsonl");
        let before = fs::read_to_string(&file).unwrap_or_default();
        fs::write(&file, format!("{before}{line}\n")).expect("a file");
    }
    assert_eq!(old.run(&["import", "lessons.jsonl"]).code(), 0);
    assert_eq!(old.run(&["export", "out"]).code(), 0);
    let new = Scratch::new();
    let out = old.path().join("out");
    let out = out.to_str().expect("a path");
    let mut killed = 0;
    for writes in [1, 2, 4] {
        let mut command = new.command(&["import", out]);
        killed += u32::from(killed_amid_writes(&mut command, &new.memory(), writes));
    }
    assert!(killed > 0, "each came to its end");
    let done = new.run(&["import", out]);
    assert_eq!(done.code(), 0, "{}", done.stderr());
    assert_eq!(counts(&new), counts(&old));
    new.assert_sound();
}

#[test]
fn everything_goes_into_one_file_of_lines_and_comes_back() {
    let old = lived();
    let ran = old.run(&["export", "memory.jsonl"]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let text = fs::read_to_string(old.path().join("memory.jsonl")).expect("a file");
    assert!(text.starts_with("{\"twiceshy-export\":1}\n"), "{text}");
    let new = Scratch::new();
    let ran = new.run_with(&["import", "-", "--check", "--kind", "events"], b"");
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    fs::write(new.path().join("memory.jsonl"), &text).expect("writable");
    let ran = new.run(&["import", "memory.jsonl"]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert_eq!(counts(&new), counts(&old));
    // A newer form is not guessed at.
    fs::write(
        new.path().join("memory.jsonl"),
        text.replacen("\":1}", "\":2}", 1),
    )
    .expect("writable");
    let ran = new.run(&["import", "memory.jsonl"]);
    assert!(ran.stderr().contains("version 2"), "{}", ran.stderr());
}

#[test]
fn one_bad_record_is_told_with_its_line_and_refuses_the_rest_only_if_asked_to() {
    let old = lived();
    for (name, kind) in [("memory.jsonl", None), ("lessons.jsonl", Some("lessons"))] {
        let export: Vec<_> = [Some("export"), Some(name)]
            .into_iter()
            .chain(kind.map(|_| Some("--kind")))
            .chain([kind])
            .flatten()
            .collect();
        assert_eq!(old.run(&[&export[..], &[]].concat()).code(), 0);
        let text = fs::read_to_string(old.path().join(name)).expect("a file");
        let mut lines: Vec<_> = text.lines().collect();
        lines.insert(1, "{\"neither\": one");
        let new = Scratch::new();
        fs::write(new.path().join(name), lines.join("\n")).expect("writable");
        let strict = new.run(&["import", name, "--strict"]);
        assert_eq!(strict.code(), 2, "{name}: {}", strict.stdout());
        assert!(strict.stderr().contains("line 2"), "{}", strict.stderr());
        assert_eq!(counts(&new)["lessons"], 0);
        let ran = new.run(&["import", name]);
        assert_eq!(ran.code(), 1, "{name}: {}", ran.stderr());
        assert!(ran.stdout().contains("line 2"), "{}", ran.stdout());
        assert_eq!(counts(&new)["lessons"], counts(&old)["lessons"], "{name}");
    }
}

#[test]
fn what_other_memories_wrote_becomes_claimed_facts_and_rules_with_their_lines() {
    let scratch = Scratch::new();
    let write = |name: &str, text: &str| {
        let path = scratch.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("writable");
    };
    write(
        "CLAUDE.md",
        "# Site\n\n- Never push to main\n- The port is 8080\n",
    );
    write(
        "memory.jsonl",
        "{\"type\":\"entity\",\"name\":\"Ana\",\"entityType\":\"person\",\"observations\":[\"likes tea\"]}\nbroken\n",
    );
    write(
        "mem0.json",
        "[{\"id\": \"1\", \"memory\": \"Ana works at night\"}]",
    );
    write(
        "claude-mem.json",
        "{\"totalObservations\": 1, \"observations\": [{\"title\": \"Cache\", \"facts\": [\"the cache is cold\"]}]}",
    );
    write("memories/project/notes.md", "The build takes a minute.\n");
    for (place, added, code) in [
        ("CLAUDE.md", 2, 0),
        ("memory.jsonl", 1, 1),
        ("mem0.json", 1, 0),
        ("claude-mem.json", 1, 0),
        ("memories", 1, 0),
        ("CLAUDE.md", 0, 0),
    ] {
        let ran = scratch.run(&["import", place, "--json"]);
        assert_eq!(ran.code(), code, "{place}: {}", ran.stderr());
        assert_eq!(ran.json()["added"], added, "{place}: {}", ran.stdout());
    }
    let strict = scratch.run(&["import", "memory.jsonl", "--strict"]);
    assert_eq!(strict.code(), 2);
    assert!(
        strict.stderr().contains("memory.jsonl:2"),
        "{}",
        strict.stderr()
    );
    let lessons = scratch.call("lessons.find", &json!({ "filter": {} }));
    let rule = lessons
        .as_array()
        .expect("a list")
        .iter()
        .find(|lesson| lesson["rule-text"] == "Never push to main")
        .expect("the rule");
    assert_eq!(
        [&rule["kind"], &rule["trust"], &rule["status"]],
        ["rule", "claimed", "candidate"]
    );
    assert_eq!(rule["task"], "imported from CLAUDE.md:3", "{rule}");
}

#[test]
fn notes_that_are_too_deep_are_named_and_nothing_is_taken_in() {
    let scratch = Scratch::new();
    let deep = scratch.path().join("notes/a/b/c/d/e/f/g");
    fs::create_dir_all(&deep).expect("directories");
    fs::write(deep.join("deep.md"), "The build takes a minute.\n").expect("writable");
    fs::write(scratch.path().join("notes/flat.md"), "Never push.\n").expect("writable");
    let ran = scratch.run(&["import", "notes"]);
    assert_eq!(ran.code(), 2, "{}", ran.stdout());
    for part in ["notes", "a/b/c/d/e/f/g is more than 6", "one by one"] {
        assert!(ran.stderr().contains(part), "{part}: {}", ran.stderr());
    }
    assert!(!scratch.memory().exists(), "nothing is made of it");
}

#[test]
fn a_file_that_never_ends_is_refused() {
    let scratch = Scratch::new();
    let ran = scratch.run(&["import", "/dev/zero", "--kind", "lessons"]);
    assert_eq!(ran.code(), 2, "{}", ran.stderr());
    assert!(
        ran.stderr().contains("more than 2048 MiB"),
        "{}",
        ran.stderr()
    );
    assert!(!scratch.memory().exists(), "nothing is made of it");
}
