//! The process: how it ends, its arguments and surroundings, what it inherits, and who outlives it.

use std::{
    ffi::OsStr,
    fs,
    io::Read,
    os::unix::{ffi::OsStrExt, fs::PermissionsExt, process::CommandExt},
    process::{Command, Stdio},
};

use super::{Running, alone, assert_unseen, is_alive, shell_code, through, until};
use crate::support::{Scratch, feed};

const PROGRAM: &str = env!("CARGO_BIN_EXE_twiceshy");

#[test]
fn every_exit_code_is_passed_on() {
    let scratch = Scratch::new();
    for code in [0, 1, 2, 3, 42, 126, 127, 128, 137, 254, 255] {
        let ran = assert_unseen(&scratch, &["sh", "-c", &format!("exit {code}")], b"");
        assert_eq!(ran.code(), code);
    }
}

#[test]
fn a_command_that_a_signal_killed_gives_128_and_the_signal() {
    let scratch = Scratch::new();
    for (signal, number) in [
        ("TERM", 15),
        ("KILL", 9),
        ("SEGV", 11),
        ("INT", 2),
        ("PIPE", 13),
    ] {
        let ran = scratch.run(&["run", "--", "sh", "-c", &format!("kill -{signal} $$")]);
        assert_eq!(ran.code(), 128 + number, "SIG{signal}");
        assert_eq!(ran.stderr(), "");
    }
    let reasons: Vec<_> = scratch
        .events()
        .iter()
        .map(|event| event["reason"].clone())
        .collect();
    assert!(
        reasons.contains(&"signal 11 (SIGSEGV)".into()),
        "{reasons:?}"
    );
}

#[test]
fn a_command_that_is_not_there_gives_127_and_says_its_name() {
    let scratch = Scratch::new();
    for name in ["no-such-command-here", "./no/such/file", ""] {
        let ran = scratch.run(&["run", "--", name]);
        assert_eq!((ran.code(), ran.stdout()), (127, String::new()));
        assert_eq!(ran.stderr().lines().count(), 1, "{}", ran.stderr());
        assert!(ran.stderr().contains(name), "{}", ran.stderr());
    }
    assert_eq!(
        scratch.status()["events"],
        3,
        "that is a failure like any other"
    );
}

#[test]
fn a_file_that_is_no_program_gives_126_and_says_its_name() {
    let scratch = Scratch::new();
    fs::write(scratch.path().join("plain"), "text\n").expect("writable");
    for name in ["./plain", "."] {
        let ran = scratch.run(&["run", "--", name]);
        assert_eq!((ran.code(), ran.stdout()), (126, String::new()), "{name}");
        assert!(
            ran.stderr().contains(name) && ran.stderr().lines().count() == 1,
            "{}",
            ran.stderr()
        );
    }
}

#[test]
fn a_script_without_a_first_line_that_names_its_shell_runs() {
    let scratch = Scratch::new();
    let script = scratch.path().join("script");
    fs::write(&script, "echo ran \"$1\"\nexit 4\n").expect("writable");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("ours");
    // As `env` and every shell do it.
    let ran = assert_unseen(&scratch, &["env", "./script", "a"], b"");
    assert_eq!(ran.code(), 4);
    let ran = scratch.run(&["run", "--", "./script", "a"]);
    assert_eq!(
        (ran.stdout(), ran.stderr(), ran.code()),
        ("ran a\n".into(), String::new(), 4)
    );
}

#[test]
fn arguments_arrive_unchanged_whatever_they_are() {
    let scratch = Scratch::new();
    let hostile = [
        "a b",
        "",
        "'",
        "\"",
        "\\",
        "$HOME",
        "`id`",
        "a\nb\n",
        "--",
        "-",
        "--json",
        "--memory",
        "-h",
        "--help",
        "--version",
        "--expect",
        "run",
        "*",
        "~",
        "é中\u{202e}",
        "\t",
        "--quiet=1",
    ];
    let show = ["sh", "-c", "for a; do printf '<%s>' \"$a\"; done", "--"];
    let command: Vec<_> = show.iter().chain(&hostile).copied().collect();
    let ran = assert_unseen(&scratch, &command, b"");
    assert_eq!(ran.stdout().matches('<').count(), hostile.len());
    // Also where the dashes that end our own options are left out.
    let without: Vec<_> = ["run"].into_iter().chain(command.iter().copied()).collect();
    assert_eq!(scratch.run(&without).stdout(), ran.stdout());
}

#[test]
fn arguments_that_are_no_text_arrive_unchanged() {
    let scratch = Scratch::new();
    let bytes = b"\xff\x80 caf\xe9";
    let mut command = through(&scratch, &["printf", "%s"]);
    command.arg(OsStr::from_bytes(bytes));
    let ran = feed(command, b"");
    assert_eq!((ran.0.stdout.as_slice(), ran.code()), (bytes.as_slice(), 0));
    assert_eq!(scratch.status()["episodes"], 1, "and the run is remembered");
}

#[test]
fn environment_and_working_directory_are_unchanged() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path().join("deep")).expect("writable");
    for name in [&["env"][..], &["pwd", "-P"], &["sh", "-c", "umask"]] {
        let run = |mut command: Command| {
            command
                .current_dir(scratch.path().join("deep"))
                .env("ODD", OsStr::from_bytes(b"\xff\n=x"))
                .env_remove("_");
            let output = command.output().expect("it runs");
            let mut lines: Vec<_> = output
                .stdout
                .split(|byte| *byte == b'\n')
                .map(<[u8]>::to_vec)
                .collect();
            lines.sort();
            lines
        };
        assert_eq!(
            run(through(&scratch, name)),
            run(alone(&scratch, name)),
            "{name:?}"
        );
    }
}

#[test]
fn limits_priority_and_process_group_are_unchanged() {
    let scratch = Scratch::new();
    let script = "ulimit -a; nice; ps -o pgid= -p $$ 2>/dev/null || cut -d' ' -f5 /proc/$$/stat";
    let wrapped =
        |inner: &str| format!("ulimit -n 200; ulimit -c 0; ulimit -s 4096; exec nice -n 5 {inner}");
    let quoted = format!("sh -c '{}'", script.replace('\'', "'\\''"));
    let run = |inner: &str| {
        let mut command = alone(&scratch, &["sh", "-c", &wrapped(inner), PROGRAM]);
        command.process_group(0);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let group = child.id().to_string();
        let mut output = String::new();
        child
            .stdout
            .take()
            .expect("a pipe")
            .read_to_string(&mut output)
            .expect("text");
        assert!(child.wait().expect("it ends").success());
        let (limits, of_group) = output.trim_end().rsplit_once('\n').expect("lines");
        assert_eq!(of_group.trim(), group, "the process group");
        limits.to_owned()
    };
    let expected = run(&quoted);
    assert!(expected.ends_with("\n5"), "{expected}");
    assert_eq!(run(&format!("\"$0\" run -- {quoted}")), expected);
}

#[test]
fn signals_that_are_ignored_or_blocked_are_so_for_the_command() {
    let scratch = Scratch::new();
    let show = "grep -E '^Sig(Blk|Ign)' /proc/self/status";
    let wrapped = |inner: &str| format!("trap '' INT HUP CHLD USR1 TSTP; exec {inner}");
    let blocked = |mut command: Command| {
        // SAFETY: only a system call between fork and exec.
        unsafe {
            command.pre_exec(|| {
                let mut set = nix::sys::signal::SigSet::empty();
                set.add(nix::sys::signal::Signal::SIGUSR2);
                set.thread_block()?;
                Ok(())
            })
        };
        feed(command, b"")
    };
    let expected = blocked(alone(&scratch, &["bash", "-c", &wrapped(show)]));
    assert!(
        expected.stdout().contains("SigBlk:\t0000000000000800"),
        "{}",
        expected.stdout()
    );
    let command = wrapped(&format!("\"$0\" run -- {show}"));
    let seen = blocked(alone(&scratch, &["bash", "-c", &command, PROGRAM]));
    assert_eq!(seen.stdout(), expected.stdout());
    assert_eq!((seen.stderr(), seen.code()), (String::new(), 0));
}

#[test]
fn inherited_descriptors_stay_and_none_is_added() {
    let scratch = Scratch::new();
    let run = |prefix: &str| {
        let script =
            format!("exec 3>third 7<\"$0\"; {prefix} sh -c 'echo written >&3; ls /proc/$$/fd'");
        let ran = feed(alone(&scratch, &["sh", "-c", &script, PROGRAM]), b"");
        assert_eq!(
            fs::read_to_string(scratch.path().join("third")).expect("made"),
            "written\n"
        );
        ran.stdout()
    };
    let expected = run("");
    assert!(
        expected.contains("3\n") && expected.contains("7\n"),
        "{expected}"
    );
    assert_eq!(run("\"$0\" run --"), expected);
}

#[test]
fn what_the_command_leaves_running_goes_on_writing_after_we_have_ended() {
    let scratch = Scratch::new();
    // The one left behind writes when it is told to, which is after twiceshy has ended.
    let script = "{ while [ ! -e go ]; do sleep 0.01; done; echo late; echo later >&2; } & echo early; exit 6";
    let mut running = Running::start(through(&scratch, &["sh", "-c", script]));
    assert_eq!(running.stdout.next().as_deref(), Some("early"));
    assert_eq!(running.code(), 6, "without waiting for the one left behind");
    assert_eq!(scratch.status()["episodes"], 1);
    fs::write(scratch.path().join("go"), "").expect("writable");
    assert_eq!(running.stdout.rest(), ["late"]);
    assert_eq!(running.stderr.rest(), ["later"]);
}

#[test]
fn what_is_left_running_and_never_stops_writing_does_not_hold_us() {
    let scratch = Scratch::new();
    let mut child = through(&scratch, &["sh", "-c", "yes & echo $! >&2; exit 3"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdout = child.stdout.take().expect("a pipe");
    let stderr = super::Lines::of(child.stderr.take().expect("a pipe"));
    let left = stderr.next().expect("its process");
    let reading = std::thread::spawn(move || {
        let (mut buffer, mut count) = (vec![0; 1 << 16], 0_usize);
        while count < 5_000_000 {
            count += stdout.read(&mut buffer).expect("readable");
        }
    });
    let mut status = None;
    until("we end", || {
        status = child.try_wait().expect("it can be waited for");
        status.is_some()
    });
    assert_eq!(shell_code(status.expect("ended")), 3);
    reading
        .join()
        .expect("it goes on writing, and its reader goes away");
    until("the one left behind feels that", || !is_alive(&left));
}

#[test]
fn what_is_left_running_holds_only_the_stream_it_has() {
    let scratch = Scratch::new();
    // It holds standard error alone: whoever waits for the end of standard output must not wait for it.
    // It lets go of standard output only after the command has ended.
    let script = "{ sleep 0.2; exec >/dev/null <&-; while [ ! -e go ] && [ -e lock ]; do sleep 0.01; done; } & echo out";
    let shell = format!(
        "exec 3>lock; x=$(\"$0\" run -- sh -c '{script}'); echo \"got $x\"; cat >/dev/null"
    );
    let mut running = Running::start(alone(&scratch, &["sh", "-c", &shell, PROGRAM]));
    assert_eq!(running.stdout.next().as_deref(), Some("got out"));
    fs::write(scratch.path().join("go"), "").expect("writable");
    drop(running.stdin.take());
    assert_eq!(running.code(), 0);
}

#[test]
fn killing_us_kills_the_command() {
    let scratch = Scratch::new();
    // As a timeout does that shows no mercy: without us it would have been the command.
    let mut running = Running::start(through(&scratch, &["sh", "-c", "echo $$; exec sleep 1000"]));
    let child = running.stdout.next().expect("its process");
    assert!(is_alive(&child));
    running.child.kill().expect("it runs");
    assert_eq!(running.code(), 137);
    until("the command is gone, too", || !is_alive(&child));
}

#[test]
fn children_that_were_there_before_us_are_not_taken_for_the_command() {
    let scratch = Scratch::new();
    let script = "sleep 0.05 & sleep 0.1 & exec \"$0\" run -- sh -c 'sleep 0.3; echo end; exit 8'";
    let ran = feed(alone(&scratch, &["sh", "-c", script, PROGRAM]), b"");
    assert_eq!((ran.stdout(), ran.code()), ("end\n".into(), 8));
}
