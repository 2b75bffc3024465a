//! What belongs together without anybody saying so: the commands of one agent, each in a shell of its own.

use std::{
    fs,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    process::{Command, Output, Stdio},
};

use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};

use super::terminal_run::{episodes, files, pass, success};
use crate::{support::Scratch, waiting::while_it_lives};

const PROGRAM: &str = env!("CARGO_BIN_EXE_twiceshy");

/// A program in the surroundings of the project, whose commands are not each for itself.
fn beside(scratch: &Scratch, program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(scratch.path()).stdin(Stdio::null());
    for (name, value) in scratch.command(&[]).get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env_remove("TWICESHY_ALONE");
    command
}

/// This process is the agent: it starts a shell for each command, which runs it through twiceshy.
fn acts(scratch: &Scratch, command: &str) -> Output {
    let script = format!("cd . && PATH=.:$PATH {PROGRAM} run -- {command}");
    let ran = beside(scratch, "bash").args(["-c", &script]).output();
    ran.expect("a shell")
}

/// Another agent, which starts a shell for each of these commands and then ends. A command that begins with `run` goes
/// through twiceshy.
fn agent(scratch: &Scratch, commands: &[&str]) -> Command {
    let lines = commands.iter().map(|command| {
        let command = match command.strip_prefix("run ") {
            Some(command) => format!("bash -lc '{PROGRAM} run -- {command}'"),
            None => (*command).to_owned(),
        };
        format!("system(\"{command}\")\n")
    });
    let script = format!("BEGIN {{ {} }}", lines.collect::<String>());
    let mut agent = beside(scratch, "awk");
    agent.arg(script);
    agent
}

fn without_hold_out() -> Scratch {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.memory()).expect("a directory");
    fs::write(scratch.memory().join("config.toml"), "hold-out = 0\n").expect("settings");
    scratch
}

#[test]
fn an_agent_learns_from_its_commands_and_another_session_gets_the_hint() {
    let scratch = without_hold_out();
    fs::write(scratch.path().join("a.txt"), "b\na\n").expect("written");
    acts(&scratch, "ls");
    acts(&scratch, "sort --revrse a.txt");
    acts(&scratch, "head -n 1 a.txt");
    acts(&scratch, "sort --reverse a.txt");
    assert_eq!(episodes(&scratch), [success(1, 0), success(3, 1)]);
    fs::write(scratch.path().join("list.csv"), "b\na\n").expect("written");
    let told = agent(
        &scratch,
        &["run sort --revrse list.csv", "run sort --reverse list.csv"],
    )
    .output()
    .expect("it runs");
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(
        told.contains("twiceshy: ") && told.contains("sort --reverse"),
        "{told}"
    );
    assert_eq!(episodes(&scratch).last(), Some(&success(2, 1)));
    // What was shown there is an activation, and it was followed.
    let lessons = scratch.run(&["lessons", "--json"]).json();
    assert_eq!(lessons[0]["usefulness"]["activations"], 1, "{lessons}");
    assert_eq!(scratch.status()["runs"], 0);
    scratch.assert_sound();
}

#[test]
fn what_was_solved_is_known_to_others_though_what_failed_first_never_works() {
    let scratch = without_hold_out();
    fs::write(scratch.path().join("a.txt"), "b\na\n").expect("written");
    for command in [
        "make -f none.mk all",
        "sort --revrse a.txt",
        "sort --reverse a.txt",
        "make -f none.mk all",
    ] {
        acts(&scratch, command);
    }
    // The work on what fails goes on in a run of its own.
    assert_eq!(scratch.status()["runs"], 1);
    let told = agent(&scratch, &["run sort --revrse list.csv"]).output();
    let told = String::from_utf8_lossy(&told.expect("it runs").stderr).into_owned();
    assert!(told.contains("sort --reverse list.csv"), "{told}");
}

#[test]
fn two_agents_at_once_do_not_mix() {
    let scratch = Scratch::new();
    let wait = |file: &str| format!("while [ ! -e {file} ]; do sleep 0.02; done");
    let mut one = agent(
        &scratch,
        &["run ls /no/such", "touch one", &wait("two"), "run ls ."],
    );
    let mut two = agent(
        &scratch,
        &[
            &wait("one"),
            "run cat /no/such",
            "run ls .",
            "touch two",
            "run cat /dev/null",
        ],
    );
    let quiet = |agent: &mut Command| {
        let agent = agent.stdout(Stdio::null()).stderr(Stdio::null());
        agent.spawn().expect("it starts")
    };
    for mut agent in [quiet(&mut one), quiet(&mut two)] {
        assert!(agent.wait().expect("it ends").success());
    }
    let mut ended = episodes(&scratch);
    ended.sort();
    assert_eq!(ended, [success(2, 1), success(3, 1)]);
    assert_eq!(scratch.status()["runs"], 0);
}

#[test]
fn looking_around_does_not_end_a_run_and_a_prerequisite_is_part_of_it() {
    let scratch = Scratch::new();
    let git = scratch.path().join("git");
    let script = "#!/bin/sh\ncase $1 in\npull) touch pulled;;\npush) [ -e pulled ] || { echo 'error: failed to push some refs' >&2; exit 1; };;\nesac\n";
    fs::write(&git, script).expect("written");
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).expect("ours");
    for command in ["push", "branch", "status", "log", "pull", "push", "push"] {
        acts(&scratch, &format!("git {command}"));
    }
    assert_eq!(episodes(&scratch), [success(6, 1), success(1, 0)]);
}

#[test]
fn a_long_pause_and_the_end_of_the_agent_end_a_run() {
    let scratch = Scratch::new();
    acts(&scratch, "ls /no/such");
    pass(&scratch, 5);
    acts(&scratch, "cat /no/such");
    assert_eq!(scratch.status()["runs"], 1, "a short pause");
    pass(&scratch, 16);
    acts(&scratch, "ls .");
    assert_eq!(
        episodes(&scratch),
        [(2, 2, "failure".to_owned()), success(1, 0)]
    );
    let mut ended = agent(&scratch, &["run ls /no/such"]);
    ended.output().expect("it runs");
    assert_eq!(scratch.status()["runs"], 1);
    acts(&scratch, "true");
    assert_eq!(scratch.status()["runs"], 0, "its agent has ended");
    assert_eq!(files(&scratch).len(), 2);
}

#[test]
fn who_names_the_session_is_believed() {
    let scratch = Scratch::new();
    let named = |name: &str, id: &str, arguments: &[&str]| {
        let mut command = beside(&scratch, PROGRAM);
        command.arg("run").args(arguments).env(name, id);
        command.output().expect("it runs");
    };
    for name in [
        "TWICESHY_SESSION",
        "CLAUDE_CODE_SESSION_ID",
        "GEMINI_SESSION_ID",
    ] {
        named(name, "a", &["--", "ls", "/no/such"]);
        named(name, "b", &["--", "ls", "."]);
        named(name, "a", &["--agent", "helper", "--", "ls", "."]);
        named(name, "a", &["--", "ls", "."]);
    }
    let ended = episodes(&scratch);
    assert_eq!(ended.iter().filter(|one| **one == success(2, 1)).count(), 3);
    assert_eq!(ended.iter().filter(|one| **one == success(1, 0)).count(), 6);
}

#[test]
fn every_command_is_a_run_of_its_own_for_who_says_so() {
    let scratch = Scratch::new();
    scratch.run(&["run", "--", "ls", "/no/such"]);
    scratch.run(&["run", "--", "ls", "."]);
    assert_eq!(episodes(&scratch).len(), 2);
    assert!(files(&scratch).is_empty());
}

#[test]
fn a_command_that_is_killed_in_the_middle_loses_nothing_of_the_run() {
    let scratch = Scratch::new();
    acts(&scratch, "ls /no/such");
    let mut command = beside(&scratch, PROGRAM);
    let script = "touch begun; exec sleep 1000";
    command
        .args(["run", "--", "sh", "-c", script])
        .process_group(0);
    let mut child = command.spawn().expect("it starts");
    let begun = scratch.path().join("begun");
    while_it_lives(&mut child, "the command begins", || begun.exists());
    let group = Pid::from_raw(i32::try_from(child.id()).expect("a process"));
    killpg(group, Signal::SIGKILL).expect("ours");
    child.wait().expect("it ends");
    acts(&scratch, "ls .");
    assert_eq!(episodes(&scratch), [success(2, 1)]);
    scratch.assert_sound();
}
