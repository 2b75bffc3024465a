//! An interruption of long work: the first one lets it end in order, the second one ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

/// The exit code of a program that was interrupted, as shells have it.
pub(crate) const EXIT_CODE: u8 = 130;

static WANTED: AtomicBool = AtomicBool::new(false);

/// Lets a signal ask for the end of the work. A second one finds the default action again and ends the program.
pub(crate) fn watch() {
    extern "C" fn want(_: nix::libc::c_int) {
        WANTED.store(true, Ordering::Relaxed);
    }
    let action = SigAction::new(
        SigHandler::Handler(want),
        SaFlags::SA_RESETHAND | SaFlags::SA_RESTART,
        SigSet::empty(),
    );
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        // SAFETY: the handler only stores to an atomic, which is allowed in a handler.
        let _ = unsafe { sigaction(signal, &action) };
    }
}

/// Whether somebody asked for the end of the work.
pub(crate) fn is_wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
}
