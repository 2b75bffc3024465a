//! Which directory is the memory, what it may be called, and how it is set.

use std::{
    ffi::OsStr,
    fs,
    os::unix::{ffi::OsStrExt, fs::symlink},
};

use serde_json::json;

use super::{assert_refused, assert_run_only_warns, files, fill, submit_to};
use crate::support::{Ran, Scratch};

#[test]
fn without_a_memory_reading_says_so_and_makes_nothing() {
    let project = Scratch::new();
    let before = files(project.path());
    let status = project.run(&["status"]);
    assert_eq!(status.code(), 0);
    assert!(
        status.stdout().contains("No memory yet"),
        "{}",
        status.stdout()
    );
    let report = project.status();
    for count in [
        "events",
        "episodes",
        "lessons",
        "runs",
        "fingerprints",
        "bytes",
    ] {
        assert_eq!(report[count], 0, "{count}");
    }
    assert_eq!(report["exists"], false);
    assert_eq!(project.run(&["events"]).stdout(), "No events.\n");
    assert_eq!(project.run(&["events", "--json"]).stdout(), "[]\n");
    for function in [
        "lessons.find",
        "episodes.find",
        "events.find",
        "upkeep.verify",
    ] {
        assert_eq!(project.call(function, &json!({})), json!([]), "{function}");
    }
    let failure = json!({ "evidence": "boom", "domain": "cli", "task": "" });
    assert_eq!(project.call("recall.on-error", &failure), json!([]));
    let missing = project.run(&["call", "lessons.get", r#"{"lesson": "les_0"}"#]);
    assert_refused(&missing, 1, &["There is no lesson `les_0`"]);
    assert_eq!(project.run_with(&["fingerprint"], b"boom").code(), 0);
    project.assert_sound();
    assert!(!project.memory().exists());
    assert_eq!(files(project.path()), before);
}

#[test]
fn a_memory_is_found_upward_from_where_the_command_runs() {
    let project = Scratch::new();
    fill(&project, 1);
    let deep = project.path().join("a/b/c");
    fs::create_dir_all(&deep).expect("directories");
    let output = project
        .command(&["status", "--json"])
        .current_dir(&deep)
        .output();
    let report = Ran(output.expect("the program starts")).json();
    assert_eq!(report["events"], 1);
    let output = project
        .command(&["run", "--", "false"])
        .current_dir(&deep)
        .output();
    assert_eq!(Ran(output.expect("the program starts")).code(), 1);
    assert_eq!(
        project.status()["episodes"],
        2,
        "the run from below is in the same memory"
    );
    assert!(!deep.join(".twiceshy").exists());
}

#[test]
fn a_repository_below_a_memory_has_its_own() {
    // Somebody ran a command in a home once, or an agent at the root of the file system.
    let home = Scratch::new();
    fill(&home, 1);
    let project = home.path().join("project/src");
    fs::create_dir_all(&project).expect("directories");
    fs::create_dir(home.path().join("project/.git")).expect("a repository");
    let run = |arguments: &[&str]| {
        let output = home.command(arguments).current_dir(&project).output();
        Ran(output.expect("the program starts"))
    };
    assert_eq!(run(&["status", "--json"]).json()["events"], 0);
    assert_eq!(run(&["run", "--", "false"]).code(), 1);
    assert_eq!(run(&["status", "--json"]).json()["events"], 1);
    assert!(home.path().join("project/.twiceshy/memory.db").exists());
    assert_eq!(home.status()["events"], 1, "that of the home is as it was");
}

#[test]
fn the_nearest_memory_wins() {
    let project = Scratch::new();
    fill(&project, 1);
    let inner = project.path().join("inner");
    fs::create_dir_all(inner.join(".twiceshy")).expect("directories");
    let output = project
        .command(&["status", "--json"])
        .current_dir(&inner)
        .output();
    assert_eq!(Ran(output.expect("the program starts")).json()["events"], 0);
}

#[test]
fn another_memory_is_named_by_the_option_or_the_environment_and_the_option_wins() {
    let project = Scratch::new();
    let place = |name: &str| project.path().join(name).display().to_string();
    let (optional, environment) = (place("by-option"), place("deep/er/by-environment"));
    assert_eq!(submit_to(&project, &optional).code(), 0);
    let with_environment = |arguments: &[&str]| {
        let mut command = project.command(arguments);
        command.env("TWICESHY_MEMORY", &environment);
        Ran(command.output().expect("the program starts"))
    };
    assert_eq!(with_environment(&["init"]).code(), 0);
    assert_eq!(
        with_environment(&["status", "--json"]).json()["memory"],
        environment.as_str()
    );
    assert_eq!(with_environment(&["status", "--json"]).json()["events"], 0);
    let both = with_environment(&["--memory", &optional, "status", "--json"]).json();
    assert_eq!(both["events"], 1);
    let after = with_environment(&["status", "--json", "--memory", &optional]).json();
    assert_eq!(after["events"], 1, "the option may stand after the command");
    assert!(!project.memory().exists());
}

#[test]
fn init_makes_a_memory_once_and_changes_nothing_the_second_time() {
    let project = Scratch::new();
    let first = project.run(&["init", "--json"]).json();
    assert_eq!(first, json!({ "memory": project.memory(), "made": true }));
    let ignored = fs::read_to_string(project.memory().join(".gitignore")).expect("a file");
    assert_eq!(ignored, "*\n", "git does not see the memory");
    fill(&project, 3);
    let second = project.run(&["init", "--json"]).json();
    assert_eq!(second, json!({ "memory": project.memory(), "made": false }));
    assert!(project.run(&["init"]).stdout().contains("there already"));
    assert_eq!(project.status()["events"], 3);
    project.assert_sound();
}

#[test]
fn a_memory_may_have_any_name_that_the_file_system_takes() {
    let project = Scratch::new();
    let long = format!("{0}/{0}", "n".repeat(120));
    let names: [&[u8]; 6] = [
        b"with space",
        "память 记忆 🧠".as_bytes(),
        b"100%20? #x&y='z'\"",
        b"not utf-8 \xff\xfe",
        b"line\nbreak",
        long.as_bytes(),
    ];
    for name in names {
        let memory = project.path().join(OsStr::from_bytes(name));
        let run = |arguments: &[&str]| {
            let mut command = project.command(&[]);
            command.arg("--memory").arg(&memory).args(arguments);
            Ran(command.output().expect("the program starts"))
        };
        let ran = run(&["run", "--", "false"]);
        assert_eq!((ran.code(), ran.stderr().as_str()), (1, ""), "{memory:?}");
        assert_eq!(run(&["status", "--json"]).json()["events"], 1, "{memory:?}");
        assert!(memory.join("memory.db").is_file(), "{memory:?}");
    }
}

#[test]
fn a_path_too_long_for_the_store_is_refused_with_the_way_out() {
    let project = Scratch::new();
    let memory = project.path().join(format!("{0}/{0}/{0}", "n".repeat(200)));
    let ran = submit_to(&project, &memory.display().to_string());
    assert_refused(&ran, 3, &["choose a shorter one with --memory DIR"]);
}

#[test]
fn a_memory_may_be_a_link_to_a_directory_elsewhere() {
    let project = Scratch::new();
    let elsewhere = project.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("a directory");
    symlink(&elsewhere, project.memory()).expect("a link");
    fill(&project, 2);
    assert!(elsewhere.join("memory.db").is_file());
    assert!(project.memory().is_symlink(), "the link stays a link");
    assert_eq!(project.status()["events"], 2);
    project.assert_sound();
}

#[test]
fn what_is_no_directory_in_the_place_of_the_memory_is_refused_and_left_alone() {
    let project = Scratch::new();
    fs::write(project.memory(), "mine").expect("a file");
    assert_eq!(project.status()["exists"], false);
    assert_refused(&project.run(&["init"]), 3, &[".twiceshy", "--memory DIR"]);
    assert_run_only_warns(&project, ".twiceshy");
    assert_eq!(fs::read(project.memory()).expect("still there"), b"mine");

    fs::remove_file(project.memory()).expect("ours");
    symlink("/nowhere/at/all", project.memory()).expect("a link");
    assert_refused(&project.run(&["init"]), 3, &[".twiceshy", "--memory DIR"]);
    assert!(project.memory().is_symlink());
}

#[test]
fn a_wrong_setting_is_refused_with_its_file_and_name_and_commands_still_run() {
    let project = Scratch::new();
    fill(&project, 1);
    let file = project.memory().join("config.toml");
    let cases: [(&[u8], &str); 8] = [
        (b"hint = 1", "hint"),
        (b"hints = \"many\"", "hints"),
        (b"hints = 99", "hints must be from 0 to 3"),
        (b"capture-kib = 0", "capture-kib must be from 1 to 16384"),
        (b"busy-timeout-ms = -1", "busy-timeout-ms"),
        (
            b"busy-timeout-ms = 600001",
            "busy-timeout-ms must be at most 600000",
        ),
        (b"hints", "line 1"),
        (b"hints = 1 # \xff", "UTF-8"),
    ];
    for (text, named) in cases {
        fs::write(&file, text).expect("a file");
        for arguments in [
            &["status"][..],
            &["events"],
            &["init"],
            &["call", "upkeep.status"],
        ] {
            let ran = project.run(arguments);
            assert_refused(&ran, 2, &["config.toml", named, "fix or remove the file"]);
        }
        let error = project.run(&["status", "--json"]).stderr();
        assert!(
            error.starts_with("{\"error\":{\"kind\":\"invalid-argument\""),
            "{error}"
        );
        assert_run_only_warns(&project, named);
        let doctor = project.run(&["doctor"]);
        assert_eq!(doctor.code(), 1);
        assert!(doctor.stdout().contains(named), "{}", doctor.stdout());
    }
    fs::write(&file, "hints = 1\n").expect("a file");
    assert_eq!(
        project.status()["events"],
        1,
        "nothing was written meanwhile"
    );
    project.assert_sound();
}
