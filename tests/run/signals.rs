//! Signals: one that is sent to us is meant for the command, one that the terminal sends to all reaches it
//! once, and none of them keeps the run from being remembered.

use std::{io::Write, os::unix::process::CommandExt, process::Command};

use nix::sys::signal::{Signal, killpg};

use super::{Running, alone, is_alive, through};
use crate::support::Scratch;

const PROGRAM: &str = env!("CARGO_BIN_EXE_twiceshy");

/// A command that says when it is ready, counts a signal, and ends when its input does.
fn counting(signal: &str) -> String {
    format!(
        "n=0; trap 'n=$((n+1)); echo got {signal} $n' {signal}; echo ready; \
         while read x || [ $? -gt 128 ]; do :; done; exit 5"
    )
}

fn ready(command: Command) -> Running {
    let running = Running::start(command);
    assert_eq!(running.stdout.next().as_deref(), Some("ready"));
    running
}

#[test]
fn a_signal_sent_to_us_reaches_the_command() {
    for signal in [
        Signal::SIGINT,
        Signal::SIGTERM,
        Signal::SIGHUP,
        Signal::SIGQUIT,
        Signal::SIGALRM,
        Signal::SIGUSR1,
        Signal::SIGUSR2,
    ] {
        let scratch = Scratch::new();
        let name = signal.as_str().trim_start_matches("SIG");
        let mut running = ready(through(&scratch, &["bash", "-c", &counting(name)]));
        running.send(signal);
        assert_eq!(running.stdout.next(), Some(format!("got {name} 1")));
        drop(running.stdin.take());
        assert_eq!(running.code(), 5, "{name}");
        assert!(running.stdout.rest().is_empty(), "{name} came once");
        assert_eq!(
            scratch.events()[0]["reason"],
            "exit 5",
            "and the run is remembered"
        );
    }
}

#[test]
fn a_signal_that_ends_the_command_ends_us_with_its_number() {
    for (signal, number) in [
        (Signal::SIGINT, 2),
        (Signal::SIGTERM, 15),
        (Signal::SIGHUP, 1),
    ] {
        let scratch = Scratch::new();
        let mut running = ready(through(
            &scratch,
            &["sh", "-c", "echo ready; exec sleep 1000"],
        ));
        running.send(signal);
        assert_eq!(running.code(), 128 + number);
        assert_eq!(
            scratch.status()["events"],
            1,
            "{signal}: the run is remembered"
        );
    }
}

#[test]
fn a_signal_sent_to_the_whole_group_reaches_the_command() {
    let scratch = Scratch::new();
    let mut command = through(&scratch, &["bash", "-c", &counting("INT")]);
    command.process_group(0);
    let mut running = ready(command);
    killpg(running.pid(), Signal::SIGINT).expect("it runs");
    // It comes from the group and from us, and the second may come before the first is told.
    let told = running.stdout.next().expect("a line");
    assert!(told.starts_with("got INT"), "{told}");
    drop(running.stdin.take());
    assert_eq!(running.code(), 5);
    assert_eq!(scratch.status()["episodes"], 1);
}

#[test]
fn a_command_that_ignores_a_signal_goes_on() {
    let scratch = Scratch::new();
    let script = "trap '' INT; echo ready; read x; echo \"read $x\"";
    let mut running = ready(through(&scratch, &["sh", "-c", script]));
    running.send(Signal::SIGINT);
    running.send(Signal::SIGINT);
    writeln!(running.stdin.take().expect("a pipe"), "on").expect("it reads");
    assert_eq!(running.stdout.rest(), ["read on"]);
    assert_eq!(running.code(), 0);
}

#[test]
fn a_signal_that_was_ignored_before_us_stays_ignored() {
    let scratch = Scratch::new();
    // As under `nohup`, and for what a shell runs in the background.
    let script = "trap '' INT HUP; exec \"$0\" run -- sh -c 'echo ready; read x; echo \"read $x\"'";
    let mut running = ready(alone(&scratch, &["sh", "-c", script, PROGRAM]));
    running.send(Signal::SIGINT);
    running.send(Signal::SIGHUP);
    writeln!(running.stdin.take().expect("a pipe"), "on").expect("it reads");
    assert_eq!(running.stdout.rest(), ["read on"]);
    assert_eq!(running.code(), 0);
    assert_eq!(scratch.status()["episodes"], 1);
}

#[test]
fn a_signal_at_the_very_start_is_not_lost() {
    // However early it comes, somebody ends by it: twiceshy before there is a command, or the command.
    let scratch = Scratch::new();
    for turn in 0..40_u32 {
        let mut running = Running::start(through(&scratch, &["sleep", "1000"]));
        std::thread::sleep(std::time::Duration::from_micros(u64::from(turn) * 200));
        running.send(Signal::SIGTERM);
        assert_eq!(running.code(), 143, "in turn {turn}");
    }
}

#[test]
fn a_command_that_is_stopped_goes_on_when_it_is_continued() {
    let scratch = Scratch::new();
    let mut running = ready(through(
        &scratch,
        &["sh", "-c", "echo ready; echo $$; read x; echo \"read $x\""],
    ));
    let child = running.stdout.next().expect("its process");
    let process = nix::unistd::Pid::from_raw(child.parse().expect("a number"));
    nix::sys::signal::kill(process, Signal::SIGSTOP).expect("it runs");
    super::until("it has stopped", || {
        std::fs::read_to_string(format!("/proc/{child}/stat"))
            .is_ok_and(|stat| stat.contains(") T "))
    });
    nix::sys::signal::kill(process, Signal::SIGCONT).expect("it is there");
    writeln!(running.stdin.take().expect("a pipe"), "on").expect("it reads");
    assert_eq!(running.stdout.rest(), ["read on"]);
    assert_eq!(running.code(), 0);
    assert!(!is_alive(&child));
}
