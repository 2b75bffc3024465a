//! A terminal for the child, between it and ours.
//!
//! Owns the pseudo-terminal, its size, and the mode of our own terminal while the child runs. With
//! input and output on our terminal the child gets a whole terminal session; with output alone, a
//! terminal to write to.

use std::{
    cell::RefCell,
    io,
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
    sync::atomic::{AtomicBool, Ordering},
};

use nix::{
    fcntl::{FcntlArg, FdFlag, OFlag, fcntl},
    libc,
    pty::{Winsize, openpty},
    sys::termios::{SetArg, Termios, cfmakeraw, tcgetattr, tcsetattr},
    unistd::{getpgrp, tcgetpgrp},
};

use super::borrow;

/// The pseudo-terminal of a child.
pub(crate) struct Terminal {
    ours: OwnedFd,
    childs: RefCell<Option<OwnedFd>>,
    /// Our own terminal.
    outer: BorrowedFd<'static>,
    /// The mode to go back to, if ours was changed.
    mode: Option<Termios>,
}

/// Whether our terminal has another size than the child's.
static RESIZED: AtomicBool = AtomicBool::new(false);

/// Notes that our terminal has another size. May be called in a handler.
pub(crate) fn note_resize() {
    RESIZED.store(true, Ordering::Relaxed);
}

/// Whether a stream is a terminal.
pub(crate) fn is_terminal(stream: impl AsFd) -> bool {
    nix::unistd::isatty(stream).unwrap_or(false)
}

/// Makes the terminal on standard input that of the session of the calling process.
pub(crate) fn make_controlling() -> io::Result<()> {
    // SAFETY: a plain system call on an open descriptor.
    match unsafe { libc::ioctl(0, libc::TIOCSCTTY as _, 0) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

impl Terminal {
    /// A terminal if one of our output streams is one.
    pub(crate) fn for_child() -> io::Result<Option<Self>> {
        let input = borrow(0);
        let Some(outer) = [borrow(1), borrow(2)]
            .into_iter()
            .find(|stream| is_terminal(stream))
        else {
            return Ok(None);
        };
        let current = tcgetattr(outer)?;
        let mut raw = current.clone();
        cfmakeraw(&mut raw);
        // In the background our terminal is not ours to change.
        let interactive = is_terminal(input)
            && is_terminal(borrow(1))
            && tcgetpgrp(input).is_ok_and(|group| group == getpgrp());
        // Either the child's terminal or ours turns line ends and echoes, never both.
        let childs_mode = if interactive { &current } else { &raw };
        let pair = openpty(size(outer).as_ref(), childs_mode)?;
        // The child holds its end as its streams only, and never ours. Ours does not wait: a child that
        // reads nothing must not keep us from showing what it writes.
        for end in [&pair.master, &pair.slave] {
            fcntl(end, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
        }
        fcntl(
            &pair.master,
            FcntlArg::F_SETFL(OFlag::O_RDWR | OFlag::O_NONBLOCK),
        )?;
        if interactive {
            tcsetattr(input, SetArg::TCSADRAIN, &raw)?;
        }
        Ok(Some(Self {
            ours: pair.master,
            childs: RefCell::new(Some(pair.slave)),
            outer,
            mode: interactive.then_some(current),
        }))
    }

    /// Whether the child's input comes through it, too.
    pub(crate) fn is_interactive(&self) -> bool {
        self.mode.is_some()
    }

    /// The end that we read and write. It lives as long as the terminal, which outlives every relay.
    pub(crate) fn our_end(&self) -> BorrowedFd<'static> {
        // SAFETY: `ours` is closed only when the terminal is dropped, after the last relay.
        unsafe { BorrowedFd::borrow_raw(self.ours.as_raw_fd()) }
    }

    /// A copy of the child's end.
    pub(crate) fn child_end(&self) -> io::Result<OwnedFd> {
        match &*self.childs.borrow() {
            Some(end) => end.try_clone(),
            None => Err(io::Error::other(
                "the child's end of the terminal is closed",
            )),
        }
    }

    /// Closes our copy of the child's end, so that its end is seen.
    pub(crate) fn close_child_end(&self) {
        self.childs.borrow_mut().take();
    }

    /// Gives the child's terminal the size of ours, if that has changed. Says whether it has.
    pub(crate) fn follow_size(&self) -> bool {
        let resized = RESIZED.swap(false, Ordering::Relaxed);
        if resized && let Some(size) = size(self.outer) {
            // SAFETY: the descriptor is open and the size is whole.
            unsafe {
                libc::ioctl(
                    self.ours.as_raw_fd(),
                    libc::TIOCSWINSZ as _,
                    &raw const size,
                )
            };
        }
        resized
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some(mode) = &self.mode {
            let _ = tcsetattr(borrow(0), SetArg::TCSADRAIN, mode);
        }
    }
}

fn size(terminal: BorrowedFd) -> Option<Winsize> {
    let mut size = Winsize {
        ws_row: 0,
        ws_col: 0,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    // SAFETY: the descriptor is open and the size is writable.
    let got = unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCGWINSZ as _, &raw mut size) };
    (got == 0).then_some(size)
}
