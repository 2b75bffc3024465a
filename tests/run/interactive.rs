//! A shell on a terminal with twiceshy in it: jobs in the background, much that is typed at once, windows
//! that are closed.

use std::{fs, process::Command};

use super::{alone, is_alive, pty::Pty, through, until};
use crate::support::Scratch;

const PROGRAM: &str = env!("CARGO_BIN_EXE_twiceshy");

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    assert_eq!(scratch.run(&["run", "--", "true"]).code(), 0);
    scratch
}

/// A shell as a person has it, with `tw` for twiceshy, after its first prompt.
fn shell(scratch: &Scratch) -> Pty {
    let mut command = alone(scratch, &["bash", "--norc", "--noprofile", "-i"]);
    command
        .env("PS1", "ready> ")
        .env("HISTFILE", "/dev/null")
        .env("TW", PROGRAM);
    let mut pty = Pty::start(command);
    pty.shows("ready> ");
    pty
}

fn leave(mut pty: Pty) {
    pty.types("exit 0\n");
    assert_eq!(pty.ends(), 0, "{}", pty.text());
}

#[test]
fn in_the_background_it_neither_stops_nor_hangs() {
    let scratch = scratch();
    let mut pty = shell(&scratch);
    pty.types("$TW run -- sh -c 'echo in the back$((1+1)); exit 6' & wait $!; echo code=$?\n");
    pty.shows("in the back2");
    pty.shows("code=6");
    pty.shows("ready> ");
    assert!(!pty.text().contains("Stopped"), "{}", pty.text());
    // The shell still has its terminal.
    pty.types("echo still $((40+2))\n");
    pty.shows("still 42");
    pty.shows("ready> ");
    leave(pty);
}

#[test]
fn a_background_command_that_reads_the_terminal_stops_and_goes_on_in_the_foreground() {
    let scratch = scratch();
    let mut pty = shell(&scratch);
    pty.types("$TW run -- sh -c 'read x; echo \"got <$x>\"' &\n");
    pty.shows("ready> ");
    // A shell tells of a job that has stopped with its next prompt.
    until("the shell sees it stop", || {
        pty.types("jobs\n");
        pty.shows("ready> ");
        pty.text().contains("Stopped")
    });
    pty.types("fg\n");
    pty.shows("got <$x>");
    pty.types("hello\n");
    pty.shows("got <hello>");
    pty.shows("ready> ");
    leave(pty);
}

#[test]
fn one_command_after_the_other_finds_the_terminal_as_it_was() {
    let scratch = scratch();
    let mut pty = shell(&scratch);
    for turn in 0..3 {
        pty.types(&format!(
            "$TW run -- sh -c 'printf \"q{turn}? \"; read x; echo \"a{turn}=$x\"'\n"
        ));
        pty.shows(&format!("q{turn}? \"; read"));
        pty.shows(&format!("q{turn}? "));
        pty.types("word\n");
        pty.shows(&format!("a{turn}=word"));
        pty.shows("ready> ");
    }
    pty.types("$TW run -- sh -c 'echo ready; exec sleep 1000'\n");
    pty.shows("ready; ");
    pty.shows("ready\r\n");
    pty.types("\x03");
    pty.shows("ready> ");
    pty.types("echo code=$?\n");
    pty.shows("code=130");
    pty.shows("ready> ");
    leave(pty);
}

#[test]
fn in_a_pipeline_on_a_terminal_it_works_on_either_side() {
    let scratch = scratch();
    let mut pty = shell(&scratch);
    pty.types("$TW run -- sh -c 'echo a$((1+1))b' | tr ab xy\n");
    pty.shows("x2y");
    pty.shows("ready> ");
    pty.types("echo from $((3+4)) | $TW run -- cat\n");
    pty.shows("from 7\r\n");
    pty.shows("ready> ");
    pty.types("$TW run -- yes | head -1 | tr y z; echo \"${PIPESTATUS[0]}\"\n");
    pty.shows("z\r\n141\r\n");
    pty.shows("ready> ");
    leave(pty);
}

#[test]
fn much_that_is_typed_at_once_comes_through() {
    let scratch = scratch();
    // `cat` shows each line again: both directions are busy at once, beyond what any of them holds.
    // Without echo: a terminal drops what it echoes when its own buffer is full.
    let mut pty = Pty::start(through(
        &scratch,
        &["sh", "-c", "stty -echo; echo ready; exec cat"],
    ));
    pty.shows("ready");
    let mut typed = String::new();
    for block in 0..200 {
        let lines: String = (0..50)
            .map(|line| format!("{block}.{line} some text\n"))
            .collect();
        assert!(pty.types_while_showing(&lines), "block {block} is stuck");
        typed.push_str(&lines);
    }
    pty.types("\x04");
    assert_eq!(pty.ends(), 0);
    let text = pty.text().replace("\r\n", "\n");
    let (_, shown) = text.split_once("ready\n").expect("it was shown");
    assert!(shown == typed, "{} of {} bytes", shown.len(), typed.len());
}

#[test]
fn what_is_typed_to_a_command_that_does_not_read_does_not_stop_what_it_shows() {
    let scratch = scratch();
    let script =
        "stty raw -echo; echo ready; while [ ! -e go ]; do sleep 0.01; done; echo shown; stty sane";
    let mut pty = Pty::start(through(&scratch, &["sh", "-c", script]));
    pty.shows("ready");
    // As much as anybody takes.
    assert!((0..1_000).any(|_| !pty.types_while_showing(&"x".repeat(1_000))));
    fs::write(scratch.path().join("go"), "").expect("writable");
    pty.shows("shown");
    assert_eq!(pty.ends(), 0);
}

#[test]
fn a_command_that_lets_go_of_the_terminal_may_come_back_to_it() {
    let scratch = scratch();
    let script = "exec </dev/null >/dev/null 2>&1; sleep 0.2; echo again >/dev/tty; exit 3";
    let mut pty = Pty::start(through(&scratch, &["sh", "-c", script]));
    pty.shows("again");
    assert_eq!(pty.ends(), 3);
}

#[test]
fn what_is_shown_last_is_shown_before_we_end() {
    let scratch = scratch();
    for _ in 0..5 {
        let mut pty = Pty::start(through(&scratch, &["sh", "-c", "seq 1 5000; printf last"]));
        assert_eq!(pty.ends(), 0);
        assert!(
            pty.text().ends_with("5000\r\nlast"),
            "{} bytes",
            pty.text().len()
        );
    }
}

#[test]
fn a_command_ends_when_its_window_is_closed() {
    let scratch = scratch();
    let script = "echo $$ > process; echo ready; exec sleep 1000";
    let mut pty = Pty::start(through(&scratch, &["sh", "-c", script]));
    pty.shows("ready");
    let process = fs::read_to_string(scratch.path().join("process")).expect("written");
    pty.hangs_up();
    until("the command is gone", || !is_alive(process.trim()));
    until("the run is remembered", || scratch.status()["events"] == 1);
}

#[test]
fn standard_error_on_another_terminal_does_not_mix_them() {
    let scratch = scratch();
    let mut other = Pty::start(Command::new("cat"));
    let mut command = alone(
        &scratch,
        &[
            "sh",
            "-c",
            "\"$0\" run -- sh -c 'echo out; echo err >&2' 2>\"$1\"",
        ],
    );
    command.arg(PROGRAM).arg(other.name());
    let mut pty = Pty::start(command);
    assert_eq!(pty.ends(), 0);
    other.shows("err");
    assert_eq!(pty.text(), "out\r\n");
    assert!(!other.text().contains("out"), "{}", other.text());
}
