//! The program that people keep: backups, settings, and how to get rid of it.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::support::{Ran, Scratch, repository, shared_home};

fn json_of(ran: &Ran) -> Value {
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    ran.json()
}

#[test]
fn a_backup_brings_back_all_that_was_there() {
    let scratch = Scratch::lived();
    let before = scratch.call("upkeep.status", &json!({}));
    let report = json_of(&scratch.run(&["backup", "b.tar.gz", "--json"]));
    let hash = Command::new("sha256sum")
        .arg(scratch.path().join("b.tar.gz"))
        .output();
    if let Ok(hash) = hash {
        let hash = String::from_utf8_lossy(&hash.stdout).into_owned();
        assert!(
            hash.starts_with(report["sha256"].as_str().expect("a hash")),
            "{report}"
        );
    }
    let again = scratch.run(&["backup", "b.tar.gz"]);
    assert_eq!(again.code(), 2, "{}", again.stdout());
    // More happens, and the backup takes back to before.
    scratch.run(&["lessons", "propose", "WRONG: c → CORRECT: d"]);
    let refused = scratch.run(&["restore", "b.tar.gz"]);
    assert!(refused.stderr().contains("--yes"), "{}", refused.stderr());
    let restored = json_of(&scratch.run(&["restore", "b.tar.gz", "--yes", "--json"]));
    assert_eq!(scratch.call("upkeep.status", &json!({})), before);
    assert!(scratch.memory().join("skills/debugging.md").exists());
    let aside = Path::new(restored["aside"].as_str().expect("a place"));
    assert!(aside.join("memory.db").exists(), "{restored}");
    let archive = |memory: &Path| {
        let found = Command::new("find")
            .arg(memory.join("archive"))
            .args(["-name", "*.gz", "-printf", "%f\n"])
            .output();
        String::from_utf8_lossy(&found.expect("find runs").stdout).into_owned()
    };
    assert_eq!(archive(&scratch.memory()), archive(aside));
    scratch.assert_sound();
    // Into a place where there is nothing.
    let elsewhere = scratch.path().join("new/.twiceshy");
    fs::create_dir(scratch.path().join("new")).expect("a directory");
    let ran = scratch.run(&[
        "restore",
        "b.tar.gz",
        "--memory",
        &elsewhere.display().to_string(),
    ]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert!(elsewhere.join("memory.db").exists());
}

#[test]
fn a_damaged_backup_is_refused_and_the_memory_stays() {
    let scratch = Scratch::lived();
    json_of(&scratch.run(&["backup", "b.tar.gz", "--json"]));
    let file = scratch.path().join("b.tar.gz");
    let whole = fs::read(&file).expect("readable");
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 0xff;
    let before = scratch.call("upkeep.status", &json!({}));
    for (name, bytes) in [
        ("changed", changed),
        ("cut", whole[..whole.len() / 2].to_vec()),
        ("empty", Vec::new()),
        ("text", b"not a backup".to_vec()),
    ] {
        fs::write(&file, bytes).expect("writable");
        let ran = scratch.run(&["restore", "b.tar.gz", "--yes"]);
        assert_eq!(ran.code(), 2, "{name}: {}", ran.stdout());
        assert!(
            ran.stderr().contains("nothing was restored"),
            "{name}: {}",
            ran.stderr()
        );
    }
    assert_eq!(
        scratch.run(&["restore", "missing.tar.gz", "--yes"]).code(),
        2
    );
    assert_eq!(scratch.call("upkeep.status", &json!({})), before);
    let leftovers = fs::read_dir(scratch.path()).expect("readable").flatten();
    let leftovers =
        leftovers.filter(|entry| entry.file_name().to_string_lossy().contains("restoring"));
    assert_eq!(leftovers.count(), 0);
}

#[test]
fn a_backup_is_of_one_moment_while_eight_processes_write() {
    let scratch = Scratch::lived();
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let mut input = String::new();
            for number in 0..60 {
                let rule =
                    format!("WRONG: tool {writer} {number} → CORRECT: tool {number} {writer}");
                let request = json!({ "rule-text": rule });
                input.push_str(&format!("lessons.propose {request}\n"));
            }
            let file = scratch.path().join(format!("requests{writer}"));
            fs::write(&file, input).expect("writable");
            let mut command = scratch.command(&["call", "--lines"]);
            command
                .stdin(fs::File::open(file).expect("readable"))
                .stdout(Stdio::piped());
            command.spawn().expect("the program starts")
        })
        .collect();
    let mut counts = Vec::new();
    for number in 0..3 {
        let name = format!("b{number}.tar.gz");
        json_of(&scratch.run(&["backup", &name, "--json"]));
        let place = scratch.path().join(format!("at{number}/.twiceshy"));
        fs::create_dir(place.parent().expect("a parent")).expect("a directory");
        let memory = place.display().to_string();
        json_of(&scratch.run(&["restore", &name, "--memory", &memory, "--json"]));
        let doctor = scratch.run(&["doctor", "--memory", &memory]);
        assert_eq!(doctor.code(), 0, "{}{}", doctor.stdout(), doctor.stderr());
        let status = json_of(&scratch.run(&["status", "--memory", &memory, "--json"]));
        counts.push(status["lessons"].as_u64().expect("a count"));
    }
    for writer in writers {
        let output = writer.wait_with_output().expect("it ends");
        let answers = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(
            answers
                .lines()
                .filter(|line| line.contains("\"ok\""))
                .count(),
            60,
            "{answers}"
        );
    }
    assert!(counts.is_sorted(), "{counts:?}");
    // The two from before: a proposed one and the skill.
    assert_eq!(scratch.status()["lessons"], 2 + 8 * 60);
    scratch.assert_sound();
}

/// A user's directory of its own, with the components that are compiled already: compiling takes longer than the test.
fn own_home(scratch: &Scratch) -> PathBuf {
    let home = scratch.path().join("home");
    let cache = home.join("cache");
    if !cache.exists() {
        fs::create_dir_all(&cache).expect("a directory");
        for entry in fs::read_dir(shared_home().join("cache"))
            .expect("a cache")
            .flatten()
        {
            if entry.file_type().is_ok_and(|kind| kind.is_file()) {
                fs::copy(entry.path(), cache.join(entry.file_name())).expect("a copy");
            }
        }
    }
    home
}

/// The program with a user's directory of its own.
fn with_home(scratch: &Scratch, arguments: &[&str]) -> Ran {
    let mut command = scratch.command(arguments);
    command
        // Whoever runs the tests may have connected hosts of their own.
        .env("HOME", scratch.path())
        .env("TWICESHY_HOME", scratch.path().join("home"))
        .stdin(Stdio::null());
    Ran(command.output().expect("the program starts"))
}

#[test]
fn a_setting_is_changed_and_the_comments_of_the_file_stay() {
    let scratch = Scratch::new();
    let home = scratch.path().join("home");
    fs::create_dir(&home).expect("a directory");
    let file = home.join("config.toml");
    fs::write(
        &file,
        "# mine\nhints = 1 # few\n\n[adapters.cli]\n# more room\nmemory-mib = 200\n",
    )
    .expect("writable");
    let config = |arguments: &[&str]| with_home(&scratch, &[&["config"], arguments].concat());
    assert_eq!(config(&["get", "hints"]).stdout(), "1\n");
    assert_eq!(config(&["set", "hints", "3"]).code(), 0);
    assert_eq!(config(&["set", "adapters.cli.memory-mib", "300"]).code(), 0);
    let text = fs::read_to_string(&file).expect("readable");
    assert_eq!(
        text,
        "# mine\nhints = 3 # few\n\n[adapters.cli]\n# more room\nmemory-mib = 300\n"
    );
    // The project's count more.
    assert_eq!(config(&["set", "--project", "hints", "0"]).code(), 0);
    assert_eq!(config(&["get", "hints", "--json"]).json(), 0);
    let list = config(&["list"]).stdout();
    assert!(
        list.contains("hints = 0") && list.contains("hold-out = 0.1"),
        "{list}"
    );
    assert_eq!(config(&["unset", "--project", "hints"]).code(), 0);
    assert_eq!(config(&["get", "hints"]).stdout(), "3\n");
    assert_eq!(config(&["get", "nothing"]).code(), 1);
    // Whoever shows the list to others shows no password.
    let address = "postgres://anna:hunter2@127.0.0.1:1/team";
    assert_eq!(config(&["set", "memory", address]).code(), 0);
    let list = config(&["list"]).stdout();
    assert!(
        list.contains("postgres://…@127.0.0.1:1/team") && !list.contains("hunter2"),
        "{list}"
    );
}

#[test]
fn a_setting_that_does_not_fit_changes_nothing() {
    let scratch = Scratch::new();
    let config =
        |arguments: &[&str]| with_home(&scratch, &[&["config", "set"], arguments].concat());
    assert_eq!(config(&["hints", "2"]).code(), 0);
    let file = scratch.path().join("home/config.toml");
    let before = fs::read(&file).expect("readable");
    for arguments in [
        &["hints", "many"][..],
        &["hints", "7"],
        &["undo-days", "0"],
        &["undo-days", "3651"],
        &["colour", "red"],
        &["hints.more", "1"],
        &["", "1"],
    ] {
        let ran = config(arguments);
        assert_eq!(ran.code(), 2, "{arguments:?}: {}", ran.stdout());
        assert_eq!(fs::read(&file).expect("readable"), before, "{arguments:?}");
    }
    // A project can't name a model.
    assert_eq!(config(&["--project", "model.command", "x"]).code(), 2);
    assert!(!scratch.memory().exists());
}

#[test]
fn a_setting_that_is_none_is_named_and_so_are_those_that_are() {
    let scratch = Scratch::new();
    let ran = with_home(&scratch, &["config", "set", "colour", "red"]);
    let error = ran.stderr();
    assert!(
        error.contains("there is no setting `colour`; there are `enabled`"),
        "{error}"
    );
    assert!(error.contains("nothing was changed"), "{error}");
    assert!(!error.contains("line 1"), "nobody typed a line: {error}");
}

#[test]
#[cfg(unix)]
fn settings_that_their_owner_made_private_stay_so() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    assert_eq!(
        with_home(&scratch, &["config", "set", "hints", "2"]).code(),
        0
    );
    let file = scratch.path().join("home/config.toml");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("ours");
    assert_eq!(
        with_home(&scratch, &["config", "set", "hints", "3"]).code(),
        0
    );
    let mode = fs::metadata(&file).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
#[cfg(unix)]
fn settings_that_can_not_be_written_are_named() {
    let scratch = Scratch::new();
    let nowhere = scratch.path().join("gone/below");
    std::os::unix::fs::symlink(nowhere, scratch.path().join("home")).expect("a link");
    let ran = with_home(&scratch, &["config", "set", "hints", "2"]);
    let error = ran.stderr();
    assert_eq!(ran.code(), 1, "{error}");
    assert!(error.contains("home/config.toml"), "{error}");
    assert!(error.contains("TWICESHY_HOME"), "{error}");
}

#[test]
fn a_backup_that_is_not_there_is_missed_before_anybody_is_asked() {
    let scratch = Scratch::lived();
    let ran = scratch.run(&["restore", "no-such.tar.gz"]);
    assert_eq!(ran.code(), 2);
    let error = ran.stderr();
    assert!(error.contains("no-such.tar.gz: No such file"), "{error}");
    assert!(error.contains("nothing was restored"), "{error}");
}

#[test]
fn uninstalling_asks_about_the_data_and_keeps_it_without_an_answer() {
    let scratch = Scratch::lived();
    let home = scratch.path().join("home");
    fs::create_dir_all(home.join("cache")).expect("a directory");
    fs::write(home.join("cache/x"), "compiled").expect("writable");
    let shown = with_home(&scratch, &["uninstall", "--dry-run"]);
    assert!(
        shown.stdout().contains("Would remove"),
        "{}",
        shown.stdout()
    );
    assert!(home.join("cache/x").exists());
    let ran = with_home(&scratch, &["uninstall", "--yes"]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert!(!home.join("cache/x").exists());
    assert!(scratch.memory().join("memory.db").exists());
    assert!(ran.stdout().contains("The program is"), "{}", ran.stdout());
    let ran = with_home(&scratch, &["uninstall", "--yes", "--data", "--json"]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    // Whatever else is said, standard output is one document.
    assert_eq!(ran.json()["kept"], json!([]), "{}", ran.stdout());
    assert!(!scratch.memory().exists() && !home.exists());
}

/// Git in a directory, without anybody's configuration.
fn git(directory: &Path, arguments: &[&str]) {
    let ran = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b.c"])
        .args(arguments)
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git runs");
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
}

#[test]
fn worktrees_of_one_repository_share_one_memory_unless_one_has_its_own() {
    let scratch = Scratch::new();
    fs::remove_dir(scratch.path().join(".git")).expect("ours");
    let main = scratch.path().join("main");
    fs::create_dir(&main).expect("a directory");
    git(&main, &["init", "--quiet"]);
    git(
        &main,
        &["commit", "--quiet", "--allow-empty", "-m", "first"],
    );
    git(&main, &["worktree", "add", "--quiet", "../other"]);
    git(&main, &["worktree", "add", "--quiet", "../third"]);
    let at = |directory: &Path, arguments: &[&str]| {
        let mut command = scratch.command(arguments);
        command.current_dir(directory).stdin(Stdio::null());
        Ran(command.output().expect("the program starts"))
    };
    let other = scratch.path().join("other");
    fs::create_dir(other.join("deep")).expect("a directory");
    at(
        &other.join("deep"),
        &["lessons", "propose", "WRONG: a → CORRECT: b"],
    );
    assert!(main.join(".twiceshy/memory.db").exists());
    assert!(!other.join(".twiceshy").exists());
    assert_eq!(at(&main, &["status", "--json"]).json()["lessons"], 1);
    // One that wants to be alone has a directory of its own.
    let third = scratch.path().join("third");
    assert_eq!(at(&third, &["init", "--here"]).code(), 0);
    assert_eq!(at(&third, &["status", "--json"]).json()["lessons"], 0);
    // A file that only looks as if it were of a worktree leads nowhere.
    let fake = scratch.path().join("fake");
    fs::create_dir(&fake).expect("a directory");
    let mark = fs::read_to_string(other.join(".git")).expect("a file");
    fs::write(fake.join(".git"), mark).expect("writable");
    assert_eq!(at(&fake, &["status", "--json"]).json()["lessons"], 0);
}

/// A project that learned a lesson from a recorded session.
fn taught(scratch: &Scratch) {
    own_home(scratch);
    let session = repository().join("tests/fixtures/learn/claude.jsonl");
    let ran = with_home(
        scratch,
        &["learn", "--from", &session.display().to_string()],
    );
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
}

fn lessons(scratch: &Scratch) -> Vec<Value> {
    let ran = with_home(scratch, &["call", "lessons.find", "{\"filter\": {}}"]);
    ran.json().as_array().expect("a list").clone()
}

#[test]
fn promoted_lessons_are_shared_as_files_and_read_as_claims_that_change_nothing() {
    let (here, there) = (Scratch::new(), Scratch::new());
    taught(&here);
    own_home(&there);
    let lesson = lessons(&here).remove(0);
    let id = lesson["id"].as_str().expect("an id");
    // What is not promoted is not shared.
    assert_eq!(with_home(&here, &["share", "--json"]).json()["written"], 0);
    with_home(
        &here,
        &["lessons", "set-status", id, "promoted", "it helps"],
    );
    assert_eq!(with_home(&here, &["share", "--json"]).json()["written"], 1);
    assert_eq!(with_home(&here, &["share", "--json"]).json()["kept"], 1);
    let file = here
        .path()
        .join("twiceshy-lessons")
        .join(format!("{id}.md"));
    let text = fs::read_to_string(&file).expect("a file");
    assert!(
        text.contains("python3") && text.contains("- trigger: fp_"),
        "{text}"
    );
    // With what it was learned from, by which it is known where it applies.
    assert!(
        text.contains("- failed: python build.py --out site\n- printed: "),
        "{text}"
    );

    let clone = there.path().join("twiceshy-lessons");
    fs::create_dir(&clone).expect("a directory");
    fs::copy(&file, clone.join(format!("{id}.md"))).expect("a copy");
    fs::write(clone.join("bad.md"), "rule\n- colour: red\n").expect("writable");
    std::os::unix::fs::symlink("/etc/hostname", clone.join("link.md")).expect("a link");
    let ran = with_home(&there, &["share", "--read", "--json"]);
    assert_eq!(ran.code(), 1);
    let report = ran.json();
    assert_eq!([&report["added"], &report["known"]], [1, 0], "{report}");
    assert_eq!(
        report["refused"].as_array().map(Vec::len),
        Some(2),
        "{report}"
    );
    let read = lessons(&there).remove(0);
    assert_eq!([&read["trust"], &read["status"]], ["claimed", "candidate"]);
    assert_eq!(read["rule-text"], lesson["rule-text"]);
    with_home(&there, &["config", "set", "hold-out", "0"]);
    let hook = |command: &str| {
        let event = json!({
            "session_id": "s", "cwd": there.path(), "tool_name": "Bash", "tool_input": { "command": command },
            "error": "Exit code 127\nbash: line 1: python: command not found",
        });
        hooked(&there, &there.path().join("home"), &event)
    };
    let said = hook("python deploy.py --out site");
    assert!(
        said.contains("python3 deploy.py") && said.contains("claimed and not proven here"),
        "{said}"
    );
    assert_eq!(hook("tar xf python.tar"), "");
    // What was measured here stays as it is.
    with_home(
        &there,
        &[
            "lessons",
            "set-status",
            read["id"].as_str().expect("an id"),
            "suppressed",
            "it does not help",
        ],
    );
    let again = with_home(&there, &["share", "--read", "--json"]).json();
    assert_eq!([&again["added"], &again["known"]], [0, 1], "{again}");
    assert_eq!(lessons(&there)[0]["status"], "suppressed");
}

/// What the hook of Claude Code says to a failure.
fn hooked(scratch: &Scratch, home: &Path, event: &Value) -> String {
    let mut command = scratch.command(&["hook", "claude", "PostToolUseFailure"]);
    command
        .env("TWICESHY_HOME", home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    input
        .write_all(event.to_string().as_bytes())
        .expect("it reads");
    drop(input);
    Ran(child.wait_with_output().expect("it ends")).stdout()
}

#[test]
fn what_held_in_several_projects_speaks_in_another_one_and_is_marked() {
    let shared = Scratch::new();
    let home = own_home(&shared);
    let at = |scratch: &Scratch, arguments: &[&str]| {
        let mut command = scratch.command(arguments);
        command.env("TWICESHY_HOME", &home).stdin(Stdio::null());
        Ran(command.output().expect("the program starts"))
    };
    let (one, two, three) = (Scratch::new(), Scratch::new(), Scratch::new());
    let session = repository().join("tests/fixtures/learn/claude.jsonl");
    let session = session.display().to_string();
    at(&one, &["learn", "--from", &session]);
    let alone = at(&one, &["share", "--to-user", "--json"]).json();
    assert_eq!([&alone["projects"], &alone["held"]], [1, 0], "{alone}");
    at(&two, &["learn", "--from", &session]);
    let both = at(&two, &["share", "--to-user", "--json"]).json();
    assert_eq!([&both["projects"], &both["held"]], [2, 1], "{both}");
    let bin = shared.path().join("bin");
    fs::create_dir(&bin).expect("a directory");
    let fails = "#!/bin/sh\necho 'bash: line 1: python: command not found' >&2\nexit 127\n";
    fs::write(bin.join("python"), fails).expect("writable");
    let path = format!(
        "{}:{}",
        bin.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    Command::new("chmod")
        .arg("+x")
        .arg(bin.join("python"))
        .status()
        .expect("it runs");
    let fail = |scratch: &Scratch| {
        let mut command = scratch.command(&["run", "--", "python", "deploy.py", "--out", "site"]);
        command
            .env("TWICESHY_HOME", &home)
            .env("PATH", &path)
            .stdin(Stdio::null());
        Ran(command.output().expect("the program starts")).stderr()
    };
    let told = fail(&three);
    assert!(
        told.contains("python3 deploy.py") && told.contains("from your other projects"),
        "{told}"
    );
    // The project's own word counts more, also where it is withheld to be measured.
    let told = fail(&one);
    assert!(!told.contains("from your other projects"), "{told}");
    // Hooks and the server say it as well, and a hook once in a session.
    let event = json!({
        "session_id": "s", "cwd": three.path(), "tool_name": "Bash", "tool_input": { "command": "python deploy.py --out site" },
        "error": "Exit code 127\nbash: line 1: python: command not found",
    });
    let four = Scratch::new();
    let said = hooked(&four, &home, &event);
    assert!(
        said.contains("python3 deploy.py") && said.contains("from your other projects"),
        "{said}"
    );
    assert_eq!(hooked(&four, &home, &event), "");
}
