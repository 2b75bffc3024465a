//! `twiceshy run`: the command behaves as if twiceshy were not there.
//!
//! Wherever it can be done, a command is run twice, once by itself and once through twiceshy, and what an
//! onlooker sees must be the same. Here are the means for that; each topic has a module.
#![cfg(unix)]

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::support::{Ran, Scratch, feed};

mod expectations;
mod hints;
mod interactive;
mod off;
mod processes;
pub mod pty;
mod session;
mod signals;
mod streams;
mod terminal;
mod terminal_run;
mod trouble;

/// How long anything may take before it counts as hanging. Nothing is expected to take nearly as long.
const HANG: Duration = Duration::from_secs(120);

/// `twiceshy run -- CMD`, in the project's directory.
fn through(scratch: &Scratch, command: &[&str]) -> Command {
    let mut arguments = vec!["run", "--"];
    arguments.extend(command);
    scratch.command(&arguments)
}

/// The command by itself, in the same surroundings.
fn alone(scratch: &Scratch, command: &[&str]) -> Command {
    let model = scratch.command(&[]);
    let mut alone = Command::new(command[0]);
    alone.args(&command[1..]).current_dir(scratch.path());
    for (name, value) in model.get_envs() {
        match value {
            Some(value) => alone.env(name, value),
            None => alone.env_remove(name),
        };
    }
    alone
}

/// The exit code as a shell sees it.
fn shell_code(status: ExitStatus) -> i32 {
    status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal))
        .expect("it ended one way or the other")
}

/// Runs a command by itself and through twiceshy, and fails unless both show the same. Gives the latter.
fn assert_unseen(scratch: &Scratch, command: &[&str], input: &[u8]) -> Ran {
    let expected = feed(alone(scratch, command), input).0;
    let seen = feed(through(scratch, command), input);
    assert_eq!(
        seen.0.stdout, expected.stdout,
        "standard output of {command:?}"
    );
    assert_eq!(
        seen.stderr(),
        String::from_utf8_lossy(&expected.stderr),
        "standard error of {command:?}"
    );
    assert_eq!(
        seen.code(),
        shell_code(expected.status),
        "exit code of {command:?}"
    );
    seen
}

/// Waits until something holds.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + HANG;
    while !holds() {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A program that is running, with its output read line by line.
struct Running {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Lines,
    stderr: Lines,
}

/// The lines of a stream as they come.
struct Lines {
    receiver: mpsc::Receiver<String>,
}

impl Lines {
    fn of(stream: impl Read + Send + 'static) -> Self {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stream).lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { receiver }
    }

    /// The next line; none at the end of the stream.
    fn next(&self) -> Option<String> {
        match self.receiver.recv_timeout(HANG) {
            Ok(line) => Some(line),
            Err(mpsc::RecvTimeoutError::Disconnected) => None,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("no line came"),
        }
    }

    fn rest(&self) -> Vec<String> {
        std::iter::from_fn(|| self.next()).collect()
    }
}

impl Running {
    fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        Self {
            stdin: child.stdin.take(),
            stdout: Lines::of(child.stdout.take().expect("a pipe")),
            stderr: Lines::of(child.stderr.take().expect("a pipe")),
            child,
        }
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.id()).expect("a process id"))
    }

    fn send(&self, signal: Signal) {
        kill(self.pid(), signal).expect("it is running");
    }

    /// The exit code, once it has ended.
    fn code(&mut self) -> i32 {
        let child = &mut self.child;
        let mut status = None;
        until("the program ends", || {
            status = child.try_wait().expect("it can be waited for");
            status.is_some()
        });
        shell_code(status.expect("it has ended"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A test that failed leaves nothing behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a process is there and not merely waiting to be collected.
pub fn is_alive(process: &str) -> bool {
    fs::read_to_string(Path::new("/proc").join(process).join("stat"))
        .is_ok_and(|stat| !stat.contains(") Z "))
}
