//! Signals on their way to the child.
//!
//! A signal from the terminal reaches the child by itself when it shares our process group. One that
//! somebody sent to us, and every one when the child has a terminal of its own, is passed on. None of
//! them ends us before the child has ended and what it did is remembered.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use nix::{
    libc::{self, c_int, c_void, siginfo_t},
    sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction},
};

use super::terminal::{self, Terminal};

/// The child that is running; 0 for none.
static CHILD: AtomicI32 = AtomicI32::new(0);

/// Whether the child has a terminal of its own.
static APART: AtomicBool = AtomicBool::new(false);

const PASSED_ON: [Signal; 6] = [
    Signal::SIGINT,
    Signal::SIGQUIT,
    Signal::SIGTERM,
    Signal::SIGHUP,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
];

/// From now on, signals go to the child.
pub(crate) fn pass_on(terminal: Option<&Terminal>) {
    APART.store(
        terminal.is_some_and(Terminal::is_interactive),
        Ordering::Relaxed,
    );
    let action = SigAction::new(
        SigHandler::SigAction(passed_on),
        SaFlags::SA_SIGINFO | SaFlags::SA_RESTART,
        SigSet::empty(),
    );
    for signal in PASSED_ON {
        // SAFETY: the handler only loads atomics and calls kill.
        if let Ok(before) = unsafe { sigaction(signal, &action) }
            && matches!(before.handler(), SigHandler::SigIgn)
        {
            // What was ignored for us, as under nohup, stays ignored for the child.
            let _ = unsafe { sigaction(signal, &before) };
        }
    }
    if terminal.is_some() {
        let resized = SigAction::new(
            SigHandler::Handler(terminal::resized),
            SaFlags::empty(),
            SigSet::empty(),
        );
        // SAFETY: the handler only stores an atomic.
        let _ = unsafe { sigaction(Signal::SIGWINCH, &resized) };
    }
}

/// Tells which process is the child; 0 when there is none any more.
pub(crate) fn set_child(process: u32) {
    CHILD.store(i32::try_from(process).unwrap_or(0), Ordering::SeqCst);
}

extern "C" fn passed_on(signal: c_int, information: *mut siginfo_t, _: *mut c_void) {
    let child = CHILD.load(Ordering::SeqCst);
    // SAFETY: with SA_SIGINFO the kernel hands over a valid description.
    let from_kernel = unsafe { (*information).si_code } > 0;
    if child > 0 && (!from_kernel || APART.load(Ordering::Relaxed)) {
        // SAFETY: kill may be called in a handler.
        unsafe { libc::kill(child, signal) };
    }
}
