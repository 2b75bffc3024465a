//! A command as a child of this process: it behaves as if nobody stood between.
//!
//! Owns starting it, passing its bytes and signals on, and the terminal it sees. Where our own output
//! is a terminal, the child gets a terminal of its own; where it is not, a pipe. What is made of the
//! outcome is others' business.

use std::{
    ffi::OsString,
    io,
    os::{
        fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
        unix::process::{CommandExt, ExitStatusExt},
    },
    process::{Command, ExitStatus},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use nix::{
    errno::Errno,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::stat::{FileStat, fstat},
    unistd::{ForkResult, fork, pipe, read, setsid, write},
};

use super::capture::Capture;

mod signals;
mod terminal;

use terminal::Terminal;

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) exit: Option<i32>,
    pub(crate) signal: Option<i32>,
    /// Why it could not be started at all.
    pub(crate) start_error: Option<io::Error>,
    pub(crate) stdout: Capture,
    pub(crate) stderr: Capture,
    pub(crate) duration: Duration,
}

/// One way that bytes take through this process.
struct Relay {
    from: OwnedFd,
    to: BorrowedFd<'static>,
    /// Which capture records it, if any: 0 for standard output, 1 for standard error.
    capture: Option<usize>,
    open: bool,
}

/// Runs a command to its end.
pub(crate) fn run(command: &[OsString], capture_bytes: usize) -> Ended {
    let mut captures = [Capture::new(capture_bytes), Capture::new(capture_bytes)];
    let started = Instant::now();
    let status = start_and_relay(command, &mut captures);
    let [stdout, stderr] = captures;
    let (exit, signal, start_error) = match status {
        Ok(status) => (status.code(), status.signal(), None),
        Err(error) => (None, None, Some(error)),
    };
    Ended {
        exit,
        signal,
        start_error,
        stdout,
        stderr,
        duration: started.elapsed(),
    }
}

fn start_and_relay(command: &[OsString], captures: &mut [Capture; 2]) -> io::Result<ExitStatus> {
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let terminal = Terminal::for_child()?;
    let mut child = Command::new(program);
    child.args(arguments);
    let mut relays = outputs(&mut child, terminal.as_ref())?;
    if let Some(terminal) = terminal
        .as_ref()
        .filter(|terminal| terminal.is_interactive())
    {
        child.stdin(terminal.child_end()?);
        relays.push(Relay {
            from: io::stdin().as_fd().try_clone_to_owned()?,
            to: terminal.our_end(),
            capture: None,
            open: true,
        });
        // SAFETY: only calls that are safe between fork and exec.
        unsafe {
            child.pre_exec(|| {
                setsid()?;
                terminal::make_controlling()
            });
        }
    }
    signals::pass_on(terminal.as_ref());
    let mut running = child.spawn()?;
    // Our copies of the child's ends would keep its streams open.
    drop(child);
    if let Some(terminal) = &terminal {
        terminal.close_child_end();
    }
    signals::set_child(running.id());
    let (ended_in, ended_out) = pipe()?;
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        // Whoever waits on the other end may be gone already.
        let _ = sender.send(running.wait());
        drop(ended_out);
    });
    relay_until(&mut relays, &ended_in, captures, terminal.as_ref())?;
    let status = receiver.recv().map_err(io::Error::other)?;
    signals::set_child(0);
    hand_over(&relays);
    status
}

/// Connects the child's output: to its terminal where ours is one, to pipes where it is not. Two streams
/// that go to one place stay one stream, so that their order is kept.
fn outputs(child: &mut Command, terminal: Option<&Terminal>) -> io::Result<Vec<Relay>> {
    let mut relays = Vec::new();
    let ours = [
        borrow(io::stdout().as_raw_fd()),
        borrow(io::stderr().as_raw_fd()),
    ];
    let [out, err] = ours.map(|stream| fstat(stream).ok());
    let shared = matches!((&out, &err), (Some(out), Some(err)) if same(out, err));
    let mut connect = |capture: usize| -> io::Result<OwnedFd> {
        let to = ours[capture];
        let (from, end) = match terminal.filter(|_| terminal::is_terminal(to)) {
            None => pipe()?,
            Some(terminal) => (
                terminal.our_end().try_clone_to_owned()?,
                terminal.child_end()?,
            ),
        };
        relays.push(Relay {
            from,
            to,
            capture: Some(capture),
            open: true,
        });
        Ok(end)
    };
    let stdout = connect(0)?;
    let stderr = if shared {
        stdout.try_clone()?
    } else {
        connect(1)?
    };
    child.stdout(stdout).stderr(stderr);
    Ok(relays)
}

fn same(left: &FileStat, right: &FileStat) -> bool {
    (left.st_dev, left.st_ino, left.st_rdev) == (right.st_dev, right.st_ino, right.st_rdev)
}

/// Passes bytes on until the child has ended and nothing more of it is waiting.
fn relay_until(
    relays: &mut [Relay],
    ended: &OwnedFd,
    captures: &mut [Capture; 2],
    terminal: Option<&Terminal>,
) -> io::Result<()> {
    let mut running = true;
    loop {
        if let Some(terminal) = terminal {
            terminal.follow_size();
        }
        // What is typed after the child's end is not for the child.
        let mut open: Vec<_> = relays
            .iter_mut()
            .filter(|relay| relay.open && (running || relay.capture.is_some()))
            .collect();
        let mut watched: Vec<_> = open
            .iter()
            .map(|relay| PollFd::new(relay.from.as_fd(), PollFlags::POLLIN))
            .collect();
        let mut timeout = PollTimeout::ZERO;
        if running {
            watched.push(PollFd::new(ended.as_fd(), PollFlags::POLLIN));
            timeout = PollTimeout::NONE;
        }
        match poll(&mut watched, timeout) {
            Err(Errno::EINTR) => continue,
            Err(error) => return Err(error.into()),
            Ok(0) => return Ok(()),
            Ok(_) => {}
        }
        let ready: Vec<_> = watched.iter().map(|fd| fd.any().unwrap_or(false)).collect();
        for (relay, _) in open.iter_mut().zip(&ready).filter(|(_, ready)| **ready) {
            relay.pass(captures);
        }
        running = running && !ready[open.len()];
    }
}

impl Relay {
    /// Passes on what is there.
    fn pass(&mut self, captures: &mut [Capture; 2]) {
        let mut buffer = [0; 64 << 10];
        match read(&self.from, &mut buffer) {
            Ok(0) => self.open = false,
            Ok(count) => {
                if let Some(capture) = self.capture {
                    captures[capture].push(&buffer[..count]);
                }
                // A reader that went away must be felt by the child as it would be without us.
                self.open = write_all(self.to, &buffer[..count]).is_ok();
            }
            Err(Errno::EINTR | Errno::EAGAIN) => {}
            // A terminal whose other end was closed reads as an error.
            Err(_) => self.open = false,
        }
        if !self.open
            && let Ok((nothing, _)) = pipe()
        {
            // Closes the end that was read from.
            self.from = nothing;
        }
    }
}

/// A descendant of the child may still hold its output. Without us it would go on writing, so a process of
/// our own stays and passes it on, while we end as the child did.
fn hand_over(relays: &[Relay]) {
    if !relays
        .iter()
        .any(|relay| relay.open && relay.capture.is_some())
    {
        return;
    }
    // SAFETY: the new process only polls, reads and writes, and leaves without running anything else.
    if let Ok(ForkResult::Child) = unsafe { fork() } {
        let mut open = [true; 3];
        let mut buffer = [0; 16 << 10];
        loop {
            let mut any = false;
            for (relay, open) in relays.iter().zip(&mut open) {
                if !relay.open || relay.capture.is_none() || !*open {
                    continue;
                }
                any = true;
                let mut watched = [PollFd::new(relay.from.as_fd(), PollFlags::POLLIN)];
                if matches!(
                    poll(&mut watched, PollTimeout::from(20_u8)),
                    Ok(0) | Err(Errno::EINTR)
                ) {
                    continue;
                }
                *open = match read(&relay.from, &mut buffer) {
                    Ok(count @ 1..) => write_all(relay.to, &buffer[..count]).is_ok(),
                    Err(Errno::EINTR) => true,
                    _ => false,
                };
            }
            if !any {
                // SAFETY: leaves at once, without the parent's clean-up.
                unsafe { nix::libc::_exit(0) };
            }
        }
    }
}

fn write_all(to: BorrowedFd, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match write(to, bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::EINTR) => {}
            Err(Errno::EAGAIN) => {
                let _ = poll(
                    &mut [PollFd::new(to, PollFlags::POLLOUT)],
                    PollTimeout::NONE,
                );
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Standard streams stay open as long as the process lives.
fn borrow(stream: i32) -> BorrowedFd<'static> {
    // SAFETY: the streams 0 to 2 are opened before `main` and never closed.
    unsafe { BorrowedFd::borrow_raw(stream) }
}
