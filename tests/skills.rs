//! `twiceshy skills`: Markdown files that a person edits, followed by the memory.

use std::{fs, os::unix::fs::symlink};

use serde_json::Value;

use crate::support::Scratch;

const SKILL: &str = "# Skill: API Endpoint Implementation\n\n## Prerequisites\n- OpenAPI spec exists\n\n\
    ## Steps\n1. Read the endpoint's spec\n2. Write the handler\n\n## Common Errors & Fixes\n\
    - Missing return type: add `: void`\n\n## Exit Criteria\n- All contract tests pass\n";

fn slugs(scratch: &Scratch) -> Vec<String> {
    let listed = scratch.run(&["skills", "--json"]);
    assert_eq!(listed.code(), 0, "{}", listed.stderr());
    let Value::Array(skills) = listed.json() else {
        panic!("not a list")
    };
    skills
        .iter()
        .map(|skill| skill["slug"].as_str().expect("a name").to_owned())
        .collect()
}

#[test]
fn a_skill_file_is_followed_when_it_is_added_edited_and_removed() {
    let scratch = Scratch::new();
    assert_eq!(scratch.run(&["init"]).code(), 0);
    let directory = scratch.memory().join("skills");
    fs::create_dir(&directory).expect("a directory");
    let file = directory.join("api-implementation.md");
    fs::write(&file, SKILL).expect("a file");
    assert_eq!(slugs(&scratch), ["api-implementation"]);
    // An edit of the same length within the same second is seen, too.
    fs::write(&file, SKILL.replace("Read the", "READ the")).expect("a file");
    let shown = scratch
        .run(&["skills", "get", "api-implementation", "--json"])
        .json();
    assert_eq!(shown["version"], 2);
    assert_eq!(shown["steps"][0], "READ the endpoint's spec");
    let history = scratch
        .run(&["skills", "history", "api-implementation", "--json"])
        .json();
    assert_eq!(history[0]["markdown"], SKILL);
    let found = scratch
        .run(&["skills", "find", "implement an API endpoint", "--json"])
        .json();
    assert_eq!(found[0]["skill"]["slug"], "api-implementation");
    fs::remove_file(&file).expect("removed");
    assert_eq!(slugs(&scratch), Vec::<String>::new());
    let gone = scratch
        .run(&["skills", "get", "api-implementation", "--json"])
        .json();
    assert_eq!(
        (&gone["status"], &gone["version"]),
        (&"deprecated".into(), &2.into()),
        "it stays on record"
    );
    scratch.assert_sound();
}

#[test]
fn recall_follows_skill_files_too() {
    let scratch = Scratch::new();
    assert_eq!(scratch.run(&["init"]).code(), 0);
    fs::create_dir(scratch.memory().join("skills")).expect("a directory");
    fs::write(
        scratch.memory().join("skills/debugging.md"),
        "# Skill: Debugging a crash\n\n## Steps\n1. Reproduce the crash\n",
    )
    .expect("a file");
    let recalled = scratch.run(&["recall", "debugging a crash in the parser", "--json"]);
    assert!(
        recalled.stdout().contains("Debugging"),
        "{}{}",
        recalled.stdout(),
        recalled.stderr()
    );
}

#[test]
fn a_skill_that_the_memory_makes_is_written_as_a_file() {
    let scratch = Scratch::new();
    let put = scratch.run_with(&["skills", "put", "api", "-"], SKILL.as_bytes());
    assert_eq!(put.code(), 0, "{}", put.stderr());
    let file = scratch.memory().join("skills/api.md");
    assert_eq!(fs::read_to_string(&file).expect("a file"), SKILL);
    let pattern = serde_json::json!({"pattern": {"name": "Release", "kind": "sequence", "summary": "How to release",
        "content": {"procedure": {"steps": ["Bump", "Tag"]}}}});
    let id = scratch.call("patterns.add", &pattern)["lesson"]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let made = scratch.run(&["skills", "make-of-pattern", &id, "release"]);
    assert_eq!(made.code(), 0, "{}", made.stderr());
    let text = fs::read_to_string(scratch.memory().join("skills/release.md")).expect("a file");
    assert_eq!(text, "# Skill: Release\n\n## Steps\n1. Bump\n2. Tag\n");
    // Put by a program, not by a person: sync writes it.
    scratch.call(
        "skills.put",
        &serde_json::json!({"slug": "other", "markdown": SKILL}),
    );
    scratch.call(
        "skills.put",
        &serde_json::json!({"slug": "api", "markdown": SKILL.replace("handler", "route")}),
    );
    let synced = scratch.run(&["skills", "sync", "--json"]).json();
    assert_eq!(synced["written"], serde_json::json!(["api", "other"]));
    assert!(fs::read_to_string(&file).expect("a file").contains("route"));
    let retired = scratch.run(&["skills", "retire", "api", "--reason", "not needed"]);
    assert_eq!(retired.code(), 0, "{}", retired.stderr());
    assert!(!file.exists());
    assert_eq!(slugs(&scratch), ["other", "release"]);
    let agree = scratch.run(&["skills", "sync"]);
    assert_eq!(agree.stdout(), "Files and memory agree.\n");
}

#[test]
fn what_is_no_skill_is_reported_with_its_line_and_left_alone() {
    let scratch = Scratch::new();
    assert_eq!(scratch.run(&["init"]).code(), 0);
    let directory = scratch.memory().join("skills");
    fs::create_dir(&directory).expect("a directory");
    let secret = scratch.path().join("secret.md");
    fs::write(&secret, SKILL).expect("a file");
    symlink(&secret, directory.join("linked.md")).expect("a link");
    symlink("/dev/zero", directory.join("endless.md")).expect("a link");
    fs::write(directory.join("half.md"), "# Skill: Half\n\n## Steps\n").expect("a file");
    fs::write(directory.join("bytes.md"), b"# Skill: x\n\xff\n").expect("a file");
    fs::write(directory.join("huge.md"), "x".repeat((64 << 10) + 1)).expect("a file");
    fs::write(directory.join("Upper Case.md"), SKILL).expect("a file");
    fs::write(directory.join(".half.md.part"), "x").expect("a file");
    fs::write(directory.join("good.md"), SKILL).expect("a file");
    let listed = scratch.run(&["skills", "--json"]);
    assert_eq!(listed.json().as_array().map(Vec::len), Some(1));
    let told = listed.stderr();
    for part in [
        "skills/linked.md: it is not a plain file",
        "skills/endless.md: it is not a plain file",
        "skills/half.md: markdown, line 3: `## Steps` has no numbered steps",
        "skills/bytes.md: line 2 is not valid UTF-8",
        "skills/huge.md: it has more than 64 KiB",
        "skills/Upper Case.md: its name is not",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    assert_eq!(
        fs::read_to_string(directory.join("half.md")).expect("a file"),
        "# Skill: Half\n\n## Steps\n"
    );
    // Half-written now, whole a moment later.
    fs::write(directory.join("half.md"), SKILL).expect("a file");
    assert_eq!(slugs(&scratch), ["good", "half"]);
    // A damaged change leaves the version before it in use.
    fs::write(directory.join("good.md"), "nothing").expect("a file");
    assert_eq!(slugs(&scratch), ["good", "half"]);
    let refused = scratch.run(&["skills", "put", "../up", secret.to_str().expect("a path")]);
    assert_eq!(refused.code(), 2, "{}", refused.stderr());
    assert!(refused.stderr().contains("slug"), "{}", refused.stderr());
}

#[test]
fn a_skill_is_edited_with_the_editor_of_the_environment() {
    let scratch = Scratch::new();
    let edit = |script: &str| {
        let mut command = scratch.command(&["skills", "edit", "new-skill"]);
        command
            .env_remove("VISUAL")
            .env("EDITOR", script)
            .stdin(std::process::Stdio::null());
        crate::support::Ran(command.output().expect("the program starts"))
    };
    let empty = edit("true");
    assert_eq!(
        empty.code(),
        2,
        "a template alone is no skill: {}",
        empty.stdout()
    );
    assert!(
        empty.stderr().contains("`## Steps` has no numbered steps"),
        "{}",
        empty.stderr()
    );
    let saved = edit("sed -i 's/^1\\. .*/1. Do it/'");
    assert_eq!(saved.code(), 0, "{}", saved.stderr());
    let shown = scratch
        .run(&["skills", "get", "new-skill", "--json"])
        .json();
    assert_eq!(shown["steps"][0], "Do it");
    let broken = edit("sed -i 's/^## Steps/## Stairs/'");
    assert_eq!(broken.code(), 2, "{}", broken.stdout());
    assert!(broken.stderr().contains("line 1"), "{}", broken.stderr());
    let mut none = scratch.command(&["skills", "edit", "new-skill"]);
    let none = crate::support::Ran(
        none.env_remove("VISUAL")
            .env_remove("EDITOR")
            .output()
            .expect("the program starts"),
    );
    assert_eq!(none.code(), 2);
    assert!(none.stderr().contains("EDITOR"), "{}", none.stderr());
}
