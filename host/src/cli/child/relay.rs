//! Bytes on their way between the child and our own streams.
//!
//! Owns passing them on without ever waiting for one stream while another has something: a reader that
//! is slow on one must not stop the others, and what is typed must not stop what is shown.

use std::{
    array,
    io::{self, PipeReader},
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
    process::Child,
};

use nix::{
    errno::Errno,
    libc,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::stat::{SFlag, fstat},
    unistd::{ForkResult, fork, read, write},
};

use super::{borrow, deadline::Deadline, signals, terminal::Terminal};
use crate::cli::capture::Capture;

/// Input, standard output and standard error.
const MOST: usize = 3;

/// How much is read at once.
const READ: usize = 64 << 10;

/// A pipe that is ready takes so much without waiting.
const PIECE: usize = 4 << 10;

/// What a pipe may still hold when the child has ended. Whatever comes beyond it is written by others.
const LEFT_BEHIND: usize = 1 << 20;

/// One way that bytes take through this process.
pub(super) struct Relay {
    /// None when nothing more comes.
    from: Option<OwnedFd>,
    to: BorrowedFd<'static>,
    /// Which capture records it: 0 for standard output, 1 for standard error, none for input.
    capture: Option<usize>,
    pending: Vec<u8>,
    written: usize,
    /// How much is written at once.
    piece: usize,
    /// Why it could not be written, unless the reader went away.
    error: Option<Errno>,
}

/// What may be done with a relay.
#[derive(Default, Clone, Copy)]
struct Ready {
    read: bool,
    write: bool,
    gone: bool,
}

/// Passes bytes on until the child has ended and nothing more of it is waiting.
pub(super) fn until_end(
    relays: &mut [Relay],
    child: &mut Child,
    news: &PipeReader,
    captures: &mut [Capture; 2],
    terminal: Option<&Terminal>,
    deadline: &mut Deadline,
) -> io::Result<()> {
    loop {
        // One with a session of its own hears it by itself.
        if terminal.is_some_and(|terminal| terminal.follow_size() && !terminal.is_interactive()) {
            signals::resized();
        }
        let (ready, is_news) = look(relays, Some(news.as_fd()), deadline.left())?;
        turn(relays, ready, captures);
        deadline.keep();
        // Whoever became us may have left children of its own: it is not always ours that ended.
        if is_news && read(news, &mut [0])? > 0 && child.try_wait()?.is_some() {
            break;
        }
    }
    if let Some(terminal) = terminal {
        terminal.close_child_end();
    }
    // What is typed after the child's end is not for the child.
    relays
        .iter_mut()
        .filter(|relay| relay.capture.is_none())
        .for_each(Relay::close);
    let mut left = LEFT_BEHIND;
    loop {
        let pending = relays.iter().any(Relay::is_pending);
        let timeout = if pending {
            PollTimeout::NONE
        } else {
            PollTimeout::ZERO
        };
        let (ready, _) = look(relays, None, timeout)?;
        let quiet = !ready.iter().any(|ready| ready.read || ready.write);
        if !pending && (quiet || left == 0) {
            return Ok(());
        }
        left = left.saturating_sub(turn(relays, ready, captures));
    }
}

/// A descendant of the child may still hold its output. Without us it would go on writing, so a process of
/// our own stays and passes it on, while we end as the child did.
pub(super) fn hand_over(relays: &mut [Relay]) {
    if relays.iter().all(|relay| relay.from.is_none()) {
        return;
    }
    // SAFETY: the new process only polls, reads and writes, and leaves without running anything else.
    if let Ok(ForkResult::Child) = unsafe { fork() } {
        relays.iter_mut().for_each(|relay| relay.capture = None);
        let mut nowhere = [Capture::new(0), Capture::new(0)];
        let mut held = usize::MAX;
        loop {
            // A stream that has come to its end is let go of while another is still held.
            let open = relays.iter().filter(|relay| relay.from.is_some()).count();
            if open < held {
                held = open;
                close_others(relays);
            }
            if open == 0 {
                break;
            }
            let Ok((ready, _)) = look(relays, None, PollTimeout::NONE) else {
                break;
            };
            turn(relays, ready, &mut nowhere);
        }
        // SAFETY: leaves at once, without the parent's clean-up.
        unsafe { libc::_exit(0) };
    }
}

/// Whoever waits for the end of a stream, a lock or a pipe must not wait for the process that stays.
fn close_others(relays: &[Relay]) {
    let needed = |fd: i32| {
        relays.iter().any(|relay| {
            relay
                .from
                .as_ref()
                .is_some_and(|from| from.as_raw_fd() == fd || relay.to.as_raw_fd() == fd)
        })
    };
    // SAFETY: plain calls; nothing in the new process uses what is closed.
    unsafe {
        let most = libc::sysconf(libc::_SC_OPEN_MAX).clamp(256, 64 << 10);
        for fd in 0..i32::try_from(most).unwrap_or(256) {
            if !needed(fd) {
                libc::close(fd);
            }
        }
    }
}

/// Waits until something can be done, or there is news.
fn look(
    relays: &[Relay],
    news: Option<BorrowedFd>,
    timeout: PollTimeout,
) -> io::Result<([Ready; MOST], bool)> {
    let mut ready = [Ready::default(); MOST];
    // No allocation: this also runs between a fork and the end of a process.
    let mut watched: [PollFd; 2 * MOST + 1] =
        array::from_fn(|_| PollFd::new(borrow(0), PollFlags::empty()));
    let mut count = 0;
    let mut watch = |fd, events| {
        watched[count] = PollFd::new(fd, events);
        count += 1;
    };
    if let Some(news) = news {
        watch(news, PollFlags::POLLIN);
    }
    for relay in relays {
        if relay.is_pending() {
            watch(relay.to, PollFlags::POLLOUT);
        } else if let Some(from) = &relay.from {
            watch(from.as_fd(), PollFlags::POLLIN);
            // A reader that goes away is felt at once, not with the next bytes.
            watch(relay.to, PollFlags::empty());
        }
    }
    match poll(&mut watched[..count], timeout) {
        Err(Errno::EINTR) => return Ok((ready, false)),
        Err(error) => return Err(error.into()),
        Ok(_) => {}
    }
    let mut answers = watched[..count]
        .iter()
        .map(|fd| fd.revents().unwrap_or(PollFlags::empty()));
    let mut next = || answers.next().unwrap_or(PollFlags::empty());
    let is_news = news.is_some() && !next().is_empty();
    for (relay, ready) in relays.iter().zip(&mut ready) {
        if relay.is_pending() {
            ready.write = !next().is_empty();
        } else if relay.from.is_some() {
            ready.read = !next().is_empty();
            ready.gone = next().intersects(PollFlags::POLLERR | PollFlags::POLLHUP);
        }
    }
    Ok((ready, is_news))
}

/// Does what can be done, and says how much was read.
fn turn(relays: &mut [Relay], ready: [Ready; MOST], captures: &mut [Capture; 2]) -> usize {
    let mut count = 0;
    for (relay, ready) in relays.iter_mut().zip(ready) {
        if ready.read {
            count += relay.read(captures);
        } else if ready.gone {
            relay.close();
        }
        if ready.write {
            relay.write();
        }
    }
    count
}

impl Relay {
    pub(super) fn new(from: OwnedFd, to: BorrowedFd<'static>, capture: Option<usize>) -> Self {
        let file = fstat(to).is_ok_and(|stat| {
            SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT == SFlag::S_IFREG
        });
        Self {
            from: Some(from),
            to,
            capture,
            pending: Vec::with_capacity(READ),
            written: 0,
            piece: if file { READ } else { PIECE },
            error: None,
        }
    }

    /// Why something could not be written, unless the reader went away.
    pub(super) fn error(&self) -> Option<Errno> {
        self.error
    }

    fn is_pending(&self) -> bool {
        self.written < self.pending.len()
    }

    fn close(&mut self) {
        self.from = None;
        self.pending.clear();
        self.written = 0;
    }

    fn read(&mut self, captures: &mut [Capture; 2]) -> usize {
        let Some(from) = &self.from else { return 0 };
        let mut buffer = [0; READ];
        match read(from, &mut buffer) {
            Ok(count @ 1..) => {
                if let Some(capture) = self.capture {
                    captures[capture].push(&buffer[..count]);
                }
                self.pending.clear();
                self.pending.extend_from_slice(&buffer[..count]);
                self.written = 0;
                count
            }
            Err(Errno::EINTR | Errno::EAGAIN) => 0,
            // A terminal whose other end was closed reads as an error.
            Ok(0) | Err(_) => {
                self.close();
                0
            }
        }
    }

    fn write(&mut self) {
        let rest = &self.pending[self.written..];
        let piece = &rest[..rest.len().min(self.piece)];
        // Whole lines stay whole where several programs write to one pipe.
        let lines = piece.iter().rposition(|byte| *byte == b'\n');
        let piece = match lines {
            Some(last) if piece.len() < rest.len() => &piece[..=last],
            _ => piece,
        };
        match write(self.to, piece) {
            Ok(count) => self.written += count,
            Err(Errno::EINTR | Errno::EAGAIN) => {}
            Err(error) => {
                // A reader that went away must be felt by the child as it would be without us.
                self.error = (error != Errno::EPIPE).then_some(error);
                self.close();
            }
        }
    }
}
