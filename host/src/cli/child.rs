//! A command as a child of this process: it behaves as if nobody stood between.
//!
//! Owns starting it, passing its bytes and signals on, and the terminal it sees. Where our own output
//! is a terminal, the child gets a terminal of its own; where it is not, a pipe. What is made of the
//! outcome is others' business.

use std::{
    ffi::OsString,
    io,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::process::{CommandExt, ExitStatusExt},
    },
    process::{Command, ExitStatus},
    time::{Duration, Instant},
};

use nix::{sys::stat::fstat, unistd::setsid};

use super::capture::Capture;

mod deadline;
mod relay;
mod signals;
mod terminal;

use deadline::Deadline;
use relay::Relay;
pub(crate) use signals::keep as keep_signals;
use terminal::Terminal;

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) exit: Option<i32>,
    pub(crate) signal: Option<i32>,
    /// It was ended because its time was over.
    pub(crate) timed_out: bool,
    /// Why it could not be started at all.
    pub(crate) start_error: Option<io::Error>,
    /// Why its output did not arrive, as on a full disk.
    pub(crate) write_error: Option<io::Error>,
    /// Whether the last line on our standard error has no end.
    pub(crate) ends_mid_line: bool,
    pub(crate) stdout: Capture,
    pub(crate) stderr: Capture,
    pub(crate) duration: Duration,
}

/// Runs a command to its end, or ends it when its time is over. Its two output streams are kept apart, or go to one
/// place as one, if ours do.
pub(crate) fn run(
    command: &[OsString],
    capture_bytes: usize,
    timeout: Option<Duration>,
    apart: bool,
) -> Ended {
    let mut captures = [Capture::new(capture_bytes), Capture::new(capture_bytes)];
    let mut write_error = None;
    let started = Instant::now();
    let one = !apart && one_place();
    let status = start_and_relay(command, timeout, one, &mut captures, &mut write_error);
    let [stdout, stderr] = captures;
    // Two streams that go to one place are recorded as the first.
    let shown = if one { &stdout } else { &stderr };
    let ends_mid_line = shown.ends_mid_line() || apart && one_place() && stdout.ends_mid_line();
    let (exit, signal, timed_out, start_error) = match status {
        Ok((status, timed_out)) => (status.code(), status.signal(), timed_out, None),
        Err(error) => (None, None, false, Some(error)),
    };
    Ended {
        exit,
        signal,
        timed_out,
        start_error,
        write_error,
        ends_mid_line,
        stdout,
        stderr,
        duration: started.elapsed(),
    }
}

/// How the command ended, and whether its time was over.
fn start_and_relay(
    command: &[OsString],
    timeout: Option<Duration>,
    one: bool,
    captures: &mut [Capture; 2],
    write_error: &mut Option<io::Error>,
) -> io::Result<(ExitStatus, bool)> {
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    // Without a terminal to give, as where there are no more of them, the command still runs.
    let terminal = Terminal::for_child().unwrap_or_default();
    let interactive = terminal.as_ref().is_some_and(Terminal::is_interactive);
    let mut child = Command::new(program);
    child.args(arguments);
    let mut relays = outputs(&mut child, terminal.as_ref(), one)?;
    if let Some(terminal) = terminal.as_ref().filter(|_| interactive) {
        child.stdin(terminal.child_end()?);
        let typed = io::stdin().as_fd().try_clone_to_owned()?;
        relays.push(Relay::new(typed, terminal.our_end(), None));
    }
    // A group of its own can be ended as a whole. One that types at our terminal must stay in ours: a group in
    // the background may not read there.
    let grouped = timeout.is_some() && !interactive && !terminal::is_terminal(borrow(0));
    if grouped {
        child.process_group(0);
    }
    let apart = interactive || grouped;
    let (news, inherited) = signals::pass_on(terminal.as_ref(), apart)?;
    // SAFETY: only calls that are safe between fork and exec.
    unsafe {
        child.pre_exec(move || {
            if interactive {
                setsid()?;
                terminal::make_controlling()?;
            }
            inherited.restore()
        });
    }
    let mut running = child.spawn()?;
    // Our copies of the child's ends would keep its streams open.
    drop(child);
    let process = i32::try_from(running.id()).unwrap_or(0);
    signals::set_child(if grouped { -process } else { process });
    let mut deadline = Deadline::new(timeout, if apart { -process } else { process });
    relay::until_end(
        &mut relays,
        &mut running,
        &news,
        captures,
        terminal.as_ref(),
        &mut deadline,
    )?;
    let status = running.wait();
    let timed_out = deadline.sweep();
    signals::set_child(0);
    *write_error = relays.iter().find_map(Relay::error).map(io::Error::from);
    relay::hand_over(&mut relays);
    Ok((status?, timed_out))
}

/// Connects the child's output: to its terminal where ours is one, to pipes where it is not. Two streams
/// that go to one place stay one stream, so that their order is kept.
fn outputs(child: &mut Command, terminal: Option<&Terminal>, one: bool) -> io::Result<Vec<Relay>> {
    let mut relays = Vec::new();
    let ours = [borrow(1), borrow(2)];
    let mut connect = |capture: usize| -> io::Result<OwnedFd> {
        let to = ours[capture];
        // One terminal has one stream: on two different ones, the second is a pipe.
        let first = capture == 0 || !terminal::is_terminal(ours[0]);
        let (from, end) = match terminal.filter(|_| first && terminal::is_terminal(to)) {
            // Closed on exec: a child that held our end, too, would never feel a reader go away.
            None => {
                let (from, end) = io::pipe()?;
                (from.into(), end.into())
            }
            Some(terminal) => (
                terminal.our_end().try_clone_to_owned()?,
                terminal.child_end()?,
            ),
        };
        relays.push(Relay::new(from, to, Some(capture)));
        Ok(end)
    };
    let stdout = connect(0)?;
    let stderr = if one {
        stdout.try_clone()?
    } else {
        connect(1)?
    };
    child.stdout(stdout).stderr(stderr);
    Ok(relays)
}

/// Whether our standard output and our standard error are the same file, pipe or terminal.
fn one_place() -> bool {
    let [out, err] = [1, 2].map(|stream| {
        let stat = fstat(borrow(stream)).ok()?;
        Some((stat.st_dev, stat.st_ino, stat.st_rdev))
    });
    out.is_some() && out == err
}

/// Standard streams stay open as long as the process lives.
fn borrow(stream: i32) -> BorrowedFd<'static> {
    // SAFETY: the streams 0 to 2 are opened before `main` and never closed.
    unsafe { BorrowedFd::borrow_raw(stream) }
}
