//! The time that a command has, and how it is ended when that is over.
//!
//! First it is asked to end, with all that belongs to it; what is still there after a moment is killed.

use std::time::{Duration, Instant};

use nix::{
    libc::{self, c_int},
    poll::PollTimeout,
};

/// How long a command has to end by itself once it was asked to.
const GRACE: Duration = Duration::from_secs(2);

/// When a command is ended, and how far that is.
pub(super) struct Deadline {
    /// When something is to be done next; none if nothing is.
    next: Option<Instant>,
    /// The child, or its process group as a negative number.
    target: i32,
    over: bool,
}

impl Deadline {
    /// For a child that is running from now on.
    pub(super) fn new(timeout: Option<Duration>, target: i32) -> Self {
        Self {
            // A time beyond all clocks is none.
            next: timeout.and_then(|timeout| Instant::now().checked_add(timeout)),
            target,
            over: false,
        }
    }

    /// How long nothing needs to be done.
    pub(super) fn left(&self) -> PollTimeout {
        let Some(next) = self.next else {
            return PollTimeout::NONE;
        };
        // Rounded up: a moment too early would be a turn for nothing.
        let left = next.saturating_duration_since(Instant::now()) + Duration::from_millis(1);
        PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX)
    }

    /// Does what is to be done by now.
    pub(super) fn keep(&mut self) {
        let now = Instant::now();
        if self.next.is_none_or(|next| now < next) {
            return;
        }
        if self.over {
            self.send(libc::SIGKILL);
            self.next = None;
        } else {
            self.over = true;
            self.send(libc::SIGTERM);
            // One that is stopped would not hear it.
            self.send(libc::SIGCONT);
            self.next = Some(now + GRACE);
        }
    }

    /// Ends what the child has left behind, if its time was over. Says whether it was.
    pub(super) fn sweep(&self) -> bool {
        // A single process that has ended may be another one by now.
        if self.over && self.target < 0 {
            self.send(libc::SIGKILL);
        }
        self.over
    }

    fn send(&self, signal: c_int) {
        // SAFETY: a plain system call. Nobody may be left, which is what is wanted.
        unsafe { libc::kill(self.target, signal) };
    }
}
