//! Trouble with memory: whatever is wrong with it, the command runs with its own bytes and exit code, and one
//! line says why nothing was remembered. And where the memory is: out of the command's sight.

use std::{
    fs::{self, File},
    io::{Read, Write},
    process::{Command, Stdio},
};

use super::{alone, through};
use crate::support::{Ran, Scratch, feed};

/// What a command does that nobody disturbs.
const COMMAND: [&str; 3] = ["sh", "-c", "cat; echo out; echo err >&2; exit 7"];

fn run(scratch: &Scratch, options: &[&str], environment: &[(&str, &str)]) -> Ran {
    let arguments: Vec<_> = ["run"]
        .iter()
        .chain(options)
        .chain(&["--"])
        .chain(&COMMAND)
        .copied()
        .collect();
    let mut command = scratch.command(&arguments);
    command.envs(environment.iter().copied());
    feed(command, b"given\n")
}

/// The command did what it does, and exactly one line more was said, with all of this in it.
fn assert_warned(ran: &Ran, said: &[&str]) {
    assert_eq!(
        (ran.stdout(), ran.code()),
        ("given\nout\n".into(), 7),
        "{}",
        ran.stderr()
    );
    let stderr = ran.stderr();
    let warning = stderr
        .strip_prefix("err\n")
        .unwrap_or_else(|| panic!("not after its own: {stderr}"));
    assert!(
        warning.starts_with("twiceshy: not remembered: "),
        "{warning:?}"
    );
    assert_eq!(warning.matches('\n').count(), 1, "{warning:?}");
    for part in said {
        assert!(warning.contains(part), "{part} is not in {warning:?}");
    }
}

#[test]
fn a_memory_that_can_not_be_made_is_told() {
    let scratch = Scratch::new();
    assert_warned(
        &run(&scratch, &["--memory", "/proc/nope"], &[]),
        &["/proc/nope", "--memory"],
    );
    assert_warned(
        &run(&scratch, &[], &[("TWICESHY_MEMORY", "/proc/nope")]),
        &["/proc/nope"],
    );
    fs::write(scratch.path().join("file"), "").expect("writable");
    assert_warned(&run(&scratch, &["--memory", "file"], &[]), &["file"]);
    assert_warned(
        &run(&scratch, &["--memory", "file/below"], &[]),
        &["file/below"],
    );
}

#[test]
fn a_file_in_the_place_of_the_memory_is_told_and_left_alone() {
    let scratch = Scratch::new();
    fs::write(scratch.memory(), "mine\n").expect("writable");
    assert_warned(&run(&scratch, &[], &[]), &[".twiceshy"]);
    assert_eq!(
        fs::read_to_string(scratch.memory()).expect("still a file"),
        "mine\n"
    );
}

#[test]
fn a_damaged_store_is_told_and_left_alone() {
    let scratch = Scratch::new();
    run(&scratch, &[], &[]);
    let store = scratch.memory().join("memory.db");
    fs::write(&store, vec![0x5a; 20_000]).expect("writable");
    for beside in ["memory.db-wal", "memory.db-shm"] {
        let _ = fs::remove_file(scratch.memory().join(beside));
    }
    assert_warned(&run(&scratch, &[], &[]), &["memory.db"]);
    assert_eq!(fs::read(&store).expect("there"), vec![0x5a; 20_000]);
}

#[test]
fn a_directory_in_the_place_of_the_store_is_told() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.memory().join("memory.db")).expect("writable");
    assert_warned(&run(&scratch, &[], &[]), &["memory.db"]);
}

#[test]
fn a_wrong_setting_is_told_with_its_file() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.memory()).expect("writable");
    for text in [
        "hints = \"many\"",
        "no-such-setting = 1",
        "not toml at all",
        "hints = 99",
    ] {
        fs::write(scratch.memory().join("config.toml"), text).expect("writable");
        assert_warned(&run(&scratch, &[], &[]), &["config.toml"]);
    }
    fs::write(scratch.memory().join("config.toml"), b"\xff\xfe").expect("writable");
    assert_warned(&run(&scratch, &[], &[]), &["config.toml"]);
}

#[test]
fn without_a_place_for_compiled_components_everything_still_works() {
    let scratch = Scratch::new();
    let ran = run(&scratch, &[], &[("TWICESHY_HOME", "/proc/nope")]);
    assert_eq!(
        (ran.stdout(), ran.stderr(), ran.code()),
        ("given\nout\n".into(), "err\n".into(), 7)
    );
    assert_eq!(
        scratch.status()["events"],
        1,
        "it is remembered, only slower"
    );
}

#[test]
fn a_working_directory_that_is_gone_is_told() {
    let scratch = Scratch::new();
    let script = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" run -- cat";
    let ran = feed(
        alone(
            &scratch,
            &["sh", "-c", script, env!("CARGO_BIN_EXE_twiceshy")],
        ),
        b"given\n",
    );
    assert_eq!((ran.stdout(), ran.code()), ("given\n".into(), 0));
    let stderr = ran.stderr();
    assert!(
        stderr.starts_with("twiceshy: not remembered: the working directory"),
        "{stderr}"
    );
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

#[test]
fn too_little_memory_for_the_sandbox_is_told() {
    let scratch = Scratch::new();
    assert_eq!(scratch.run(&["run", "--", "true"]).code(), 0);
    let script = "ulimit -v 600000; exec \"$0\" run -- \"$@\"";
    let mut command = alone(
        &scratch,
        &["sh", "-c", script, env!("CARGO_BIN_EXE_twiceshy")],
    );
    command.args(COMMAND);
    let ran = feed(command, b"given\n");
    assert_warned(&ran, &[]);
}

#[test]
fn the_command_does_not_wait_for_memory() {
    let scratch = Scratch::new();
    // The store is locked by somebody who ends only after the command has.
    assert_eq!(scratch.run(&["run", "--", "true"]).code(), 0);
    let mut child = through(&scratch, &["sh", "-c", "echo at once; read x; echo $x"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .env(
            "TWICESHY_HOME",
            scratch.path().join("empty home, so that it compiles first"),
        )
        .spawn()
        .expect("it starts");
    let mut first = [0; 8];
    child
        .stdout
        .as_mut()
        .expect("a pipe")
        .read_exact(&mut first)
        .expect("it writes");
    writeln!(child.stdin.take().expect("a pipe"), "more").expect("it reads");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn the_command_does_not_see_the_memory_come_into_being() {
    let scratch = Scratch::new();
    let ran = scratch.run(&["run", "--", "ls", "-A"]);
    assert_eq!(ran.stdout(), ".git\n");
    assert!(
        scratch.memory().join("memory.db").is_file(),
        "afterwards it is there"
    );
    assert_eq!(scratch.status()["episodes"], 1);
}

#[test]
fn the_memory_is_made_at_the_root_of_the_project_and_found_from_below() {
    let scratch = Scratch::new();
    let below = scratch.path().join("a/b");
    fs::create_dir_all(&below).expect("writable");
    for _ in 0..2 {
        let status = through(&scratch, &["true"]).current_dir(&below).status();
        assert!(status.expect("it runs").success());
    }
    assert!(!below.join(".twiceshy").exists());
    assert_eq!(scratch.status()["episodes"], 2);
}

#[test]
fn git_does_not_see_the_memory() {
    let scratch = Scratch::new();
    fs::remove_dir(scratch.path().join(".git")).expect("it is empty");
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(scratch.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .expect("git is installed");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    git(&["init", "--quiet"]);
    assert_eq!(scratch.run(&["run", "--", "false"]).code(), 1);
    assert!(scratch.memory().is_dir());
    assert_eq!(git(&["status", "--porcelain", "--untracked-files=all"]), "");
    File::create(scratch.path().join("other")).expect("writable");
    assert_eq!(
        git(&["status", "--porcelain"]),
        "?? other\n",
        "it does see what is not ours"
    );
}
