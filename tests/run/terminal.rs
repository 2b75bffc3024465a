//! A real terminal: the command sees one, with its size and its keys, and an onlooker sees the same on the
//! screen with and without twiceshy.

use std::{
    fs::{self, File},
    process::{Command, Stdio},
};

use nix::sys::signal::Signal;

use super::{
    alone,
    pty::{Pty, Streams},
    through, until,
};
use crate::support::Scratch;

/// Compiled components are there before a terminal is looked at: compiling is told on one.
fn scratch() -> Scratch {
    let scratch = Scratch::new();
    assert_eq!(scratch.run(&["run", "--", "true"]).code(), 0);
    scratch
}

/// What is waited for, and what is typed then.
type Talk<'a> = &'a [(&'a str, &'a str)];

/// What is seen on the screen when a command is talked to, and its exit code.
fn seen(command: Command, talk: Talk) -> (String, i32) {
    let mut pty = Pty::start(command);
    for (shown, typed) in talk {
        pty.shows(shown);
        pty.types(typed);
    }
    let code = pty.ends();
    (pty.text(), code)
}

fn assert_same_screen(command: &[&str], talk: Talk) -> (String, i32) {
    let scratch = scratch();
    let expected = seen(alone(&scratch, command), talk);
    let with = seen(through(&scratch, command), talk);
    assert_eq!(with, expected, "{command:?}");
    with
}

fn is_installed(program: &str) -> bool {
    Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[test]
fn the_command_sees_a_terminal_on_all_three_streams() {
    let script =
        "for s in 0 1 2; do test -t $s && echo $s; done; echo err >&2; tty >/dev/null && exit 9";
    let (text, code) = assert_same_screen(&["sh", "-c", script], &[]);
    assert_eq!((text.as_str(), code), ("0\r\n1\r\n2\r\nerr\r\n", 9));
}

#[test]
fn the_terminal_has_the_same_modes_and_size() {
    assert_same_screen(&["stty", "-a"], &[]);
    let (text, _) = assert_same_screen(&["stty", "size"], &[]);
    assert_eq!(text, "24 80\r\n");
    assert_same_screen(&["sh", "-c", "stty size </dev/tty; stty -a >/dev/tty"], &[]);
}

#[test]
fn what_is_typed_reaches_the_command_and_is_echoed_once() {
    let script = "printf 'name: '; read x; echo \"<$x>\"; stty -echo; printf 'secret: '; read y; stty echo; \
                  echo; echo \"<$y>\"";
    let (text, _) = assert_same_screen(
        &["sh", "-c", script],
        &[("name: ", "ann\n"), ("secret: ", "hush\n")],
    );
    assert_eq!(text, "name: ann\r\n<ann>\r\nsecret: \r\n<hush>\r\n");
}

#[test]
fn keys_that_edit_a_line_do_so() {
    let talk = [("> ", "abX\x7fc\x15new\x17again\n"), ("> ", "\x04")];
    let (text, code) = assert_same_screen(
        &[
            "sh",
            "-c",
            "printf '> '; read x; echo \"<$x>\"; printf '> '; read y || exit 4",
        ],
        &talk,
    );
    assert!(text.contains("<again>") && code == 4, "{text:?} {code}");
}

#[test]
fn ctrl_c_reaches_the_command() {
    let (_, code) = assert_same_screen(
        &["sh", "-c", "echo ready; exec sleep 1000"],
        &[("ready", "\x03")],
    );
    assert_eq!(code, 130);
    let script = "trap 'echo caught; exit 3' INT; echo ready; while :; do sleep 0.01; done";
    let (text, code) = assert_same_screen(&["bash", "-c", script], &[("ready", "\x03")]);
    assert!(text.ends_with("caught\r\n") && code == 3, "{text:?} {code}");
    let (_, code) = assert_same_screen(
        &["sh", "-c", "echo ready; ulimit -c 0; exec sleep 1000"],
        &[("ready", "\x1c")],
    );
    assert_eq!(code, 131);
}

#[test]
fn ctrl_c_is_remembered_as_what_it_did() {
    let scratch = scratch();
    seen(
        through(&scratch, &["sh", "-c", "echo ready; exec sleep 1000"]),
        &[("ready", "\x03")],
    );
    assert_eq!(scratch.events()[0]["reason"], "signal 2 (SIGINT)");
}

#[test]
fn the_command_follows_the_size_of_the_terminal() {
    let scratch = scratch();
    let script = "trap 'stty size; exit' WINCH; stty size; while :; do sleep 0.01; done";
    let mut pty = Pty::start(through(&scratch, &["bash", "-c", script]));
    pty.shows("24 80");
    pty.resize(50, 132);
    pty.shows("50 132");
    assert_eq!(pty.ends(), 0);
}

#[test]
fn the_command_follows_the_size_when_only_its_output_is_the_terminal() {
    let scratch = scratch();
    let script = "trap 'test \"$(stty size <&2)\" = \"50 132\" && echo wide && exit' WINCH; \
                  stty size <&1; while :; do sleep 0.01; done";
    let streams = Streams {
        stdin: Some(Stdio::null()),
        ..Streams::default()
    };
    let mut pty = Pty::with(through(&scratch, &["bash", "-c", script]), streams);
    pty.shows("24 80");
    pty.resize(50, 132);
    pty.shows("wide");
    assert_eq!(pty.ends(), 0);
}

#[test]
fn full_screen_programs_look_the_same() {
    let scratch = Scratch::new();
    let place = scratch.path().join("text");
    let lines: String = (1..200)
        .map(|line| format!("line {line} of it\n"))
        .collect();
    fs::write(&place, lines).expect("writable");
    let place = place.to_str().expect("text");
    let python = "import sys\nx = input('your turn: ')\nprint('<' + x + '>')\nsys.exit(4)";
    let curses = "import curses\ndef main(s):\n s.addstr(3, 4, 'here'); s.refresh(); k = s.getch(); \
                  s.addstr(5, 5, str(k)); s.refresh(); s.getch()\ncurses.wrapper(main)";
    let programs: [(&[&str], Talk); 5] = [
        (
            &["less", place],
            &[("line 23 of it", " "), ("line 46 of it", "q")],
        ),
        (
            &["vim", "-u", "NONE", "-N", "-i", "NONE", "-n", place],
            &[("line 22 of it", ":cq\r")],
        ),
        (&["python3", "-c", python], &[("your turn: ", "ok\n")]),
        (&["python3", "-c", curses], &[("here", "k"), ("107", "x")]),
        (&["more", place], &[("line 22 of it", "q")]),
    ];
    for (command, talk) in programs {
        if is_installed(command[0]) {
            assert_same_screen(command, talk);
        }
    }
}

#[test]
fn the_terminal_is_as_before_when_the_command_has_ended() {
    let scratch = scratch();
    for (script, code) in [
        ("true", 0),
        ("stty raw -echo", 0),
        ("stty raw -echo; kill -KILL $$", 137),
        ("no-such-command-here", 127),
    ] {
        let mut pty = Pty::start(through(&scratch, &["sh", "-c", script]));
        let before = pty.first_mode();
        assert_eq!(pty.ends(), code, "{script}");
        assert_eq!(pty.mode(), before, "{script}");
    }
    let mut pty = Pty::start(through(&scratch, &["no-such-command-here"]));
    let before = pty.first_mode();
    assert_eq!(pty.ends(), 127);
    assert_eq!(pty.mode(), before, "a command that does not start");
}

#[test]
fn the_terminal_is_as_before_when_we_are_told_to_end() {
    let scratch = scratch();
    let mut pty = Pty::start(through(
        &scratch,
        &["sh", "-c", "stty raw -echo; echo ready; exec sleep 1000"],
    ));
    let before = pty.first_mode();
    pty.shows("ready");
    assert_ne!(
        pty.mode(),
        before,
        "while it runs, keys are for the command"
    );
    nix::sys::signal::kill(pty.pid(), Signal::SIGTERM).expect("it runs");
    assert_eq!(pty.ends(), 143);
    assert_eq!(pty.mode(), before);
}

#[test]
fn a_stream_that_is_no_terminal_stays_none() {
    let scratch = scratch();
    let script = "for s in 0 1 2; do test -t $s && echo $s >> which; done; echo out; echo err >&2; \
                  : > asks; cat; exit 5";
    let place = |name: &str| scratch.path().join(name);
    let look = |command: Command, piped: &str| {
        for name in ["which", "asks", "log"] {
            let _ = fs::remove_file(place(name));
        }
        fs::write(place("input"), "given\n").expect("writable");
        let log = || Some(Stdio::from(File::create(place("log")).expect("writable")));
        let input = || Some(Stdio::from(File::open(place("input")).expect("readable")));
        let streams = Streams {
            stdin: piped.contains('0').then(input).flatten(),
            stdout: piped.contains('1').then(log).flatten(),
            stderr: piped.contains('2').then(log).flatten(),
        };
        let mut pty = Pty::with(command, streams);
        if !piped.contains('2') {
            pty.shows("err");
        }
        if !piped.contains('0') {
            until("it asks", || place("asks").exists());
            pty.types("typed\n");
            until("it has read", || {
                fs::read_to_string(place("log")).is_ok_and(|log| log.contains("typed"))
            });
            pty.types("\x04");
        }
        let code = pty.ends();
        let read = |name| fs::read_to_string(place(name)).unwrap_or_default();
        (pty.text(), code, read("which"), read("log"))
    };
    for piped in ["0", "1", "01", "02"] {
        let expected = look(alone(&scratch, &["sh", "-c", script]), piped);
        assert_eq!(expected.1, 5, "{piped}");
        assert!(
            !expected.2.contains(piped.as_bytes()[0] as char),
            "{piped}: {}",
            expected.2
        );
        assert_eq!(
            look(through(&scratch, &["sh", "-c", script]), piped),
            expected,
            "{piped} are files"
        );
    }
}
