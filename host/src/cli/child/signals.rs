//! Signals on their way to the child.
//!
//! A signal from the terminal reaches the child by itself when it shares our process group. One that
//! somebody sent to us, and every one when the child has a terminal or a group of its own, is passed on. None of
//! them ends us before the child has ended and what it did is remembered.

use std::{
    io::{self, PipeReader},
    os::fd::IntoRawFd,
    sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering},
};

use nix::{
    errno::Errno,
    libc::{self, c_int, c_void, siginfo_t},
    sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction},
};

use super::terminal::{self, Terminal};

/// The child that is running, or its process group as a negative number; 0 for none.
static CHILD: AtomicI32 = AtomicI32::new(0);

/// This process, to tell it from its copy that is about to become the child.
static OURSELVES: AtomicI32 = AtomicI32::new(0);

/// Whether the child has a terminal or a process group of its own.
static APART: AtomicBool = AtomicBool::new(false);

/// The signals, one bit each, that have come and are not passed on yet.
static WAITING: AtomicU64 = AtomicU64::new(0);

/// Where it is told that a child has ended or our terminal has another size, so that nobody sleeps over it.
static NEWS: AtomicI32 = AtomicI32::new(-1);

const PASSED_ON: [Signal; 7] = [
    Signal::SIGINT,
    Signal::SIGQUIT,
    Signal::SIGTERM,
    Signal::SIGHUP,
    Signal::SIGALRM,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
];

/// What the child must find as we found it.
#[derive(Clone, Copy)]
pub(crate) struct Inherited {
    blocked: SigSet,
    ignores_children: bool,
}

impl Inherited {
    /// To be called in the child before it becomes the command.
    pub(crate) fn restore(&self) -> io::Result<()> {
        if self.ignores_children {
            let ignore = SigAction::new(SigHandler::SigIgn, SaFlags::empty(), SigSet::empty());
            // SAFETY: no handler is installed.
            unsafe { sigaction(Signal::SIGCHLD, &ignore) }?;
        }
        // Whoever kills us, as on a timeout, means the command.
        #[cfg(target_os = "linux")]
        nix::sys::prctl::set_pdeathsig(Signal::SIGKILL)?;
        self.blocked.thread_set_mask()?;
        Ok(())
    }
}

/// From now on, signals go to the child. Gives where its end is told, among other news, and what it must
/// find as we found it.
pub(crate) fn pass_on(
    terminal: Option<&Terminal>,
    apart: bool,
) -> io::Result<(PipeReader, Inherited)> {
    let (news, tell) = io::pipe()?;
    NEWS.store(tell.into_raw_fd(), Ordering::SeqCst);
    OURSELVES.store(nix::unistd::getpid().as_raw(), Ordering::SeqCst);
    APART.store(apart, Ordering::Relaxed);
    let action = SigAction::new(
        SigHandler::SigAction(passed_on),
        SaFlags::SA_SIGINFO | SaFlags::SA_RESTART,
        SigSet::empty(),
    );
    for signal in PASSED_ON {
        // SAFETY: the handler only uses atomics and calls that are safe in a handler.
        if let Ok(before) = unsafe { sigaction(signal, &action) }
            && matches!(before.handler(), SigHandler::SigIgn)
        {
            // What was ignored for us, as under nohup, stays ignored for the child.
            let _ = unsafe { sigaction(signal, &before) };
        }
    }
    let child_ended = SigAction::new(
        SigHandler::Handler(child_ended),
        SaFlags::SA_NOCLDSTOP | SaFlags::SA_RESTART,
        SigSet::empty(),
    );
    // SAFETY: the handler only writes to a pipe.
    let before = unsafe { sigaction(Signal::SIGCHLD, &child_ended) }?;
    if terminal.is_some() {
        let resized = SigAction::new(
            SigHandler::Handler(terminal_resized),
            SaFlags::empty(),
            SigSet::empty(),
        );
        // SAFETY: the handler only stores an atomic and writes to a pipe.
        let _ = unsafe { sigaction(Signal::SIGWINCH, &resized) };
    }
    let inherited = Inherited {
        blocked: SigSet::thread_get_mask()?,
        ignores_children: matches!(before.handler(), SigHandler::SigIgn),
    };
    Ok((news, inherited))
}

/// Tells which process is the child, or by a negative number which group; 0 when there is none any more.
pub(crate) fn set_child(child: i32) {
    CHILD.store(child, Ordering::SeqCst);
    deliver();
}

/// Passes on what has come. A signal is noted before the child is looked for, and the child is named before
/// the notes are looked at: whichever comes last, in whatever thread, finds both.
fn deliver() {
    let child = CHILD.load(Ordering::SeqCst);
    if child == 0 {
        return;
    }
    let noted = WAITING.swap(0, Ordering::SeqCst);
    for signal in PASSED_ON {
        if noted & bit(signal as c_int) != 0 {
            // SAFETY: a plain system call, which may be called in a handler, too.
            unsafe { libc::kill(child, signal as c_int) };
        }
    }
}

/// From now on, signals end us again, as they would have before there was a child.
pub(crate) fn keep() {
    let default = SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty());
    for signal in PASSED_ON {
        // SAFETY: no handler is installed, only the default restored.
        if let Ok(before) = unsafe { sigaction(signal, &default) }
            && matches!(before.handler(), SigHandler::SigIgn)
        {
            let _ = unsafe { sigaction(signal, &before) };
        }
    }
}

/// Tells the child that its terminal has another size.
pub(crate) fn resized() {
    let child = CHILD.load(Ordering::SeqCst);
    if child != 0 {
        // SAFETY: a plain system call.
        unsafe { libc::kill(child, libc::SIGWINCH) };
    }
}

fn bit(signal: c_int) -> u64 {
    1 << (signal & 63)
}

extern "C" fn child_ended(_: c_int) {
    tell_news();
}

extern "C" fn terminal_resized(_: c_int) {
    terminal::note_resize();
    tell_news();
}

fn tell_news() {
    let errno = Errno::last_raw();
    // SAFETY: write may be called in a handler, on a pipe that is never closed.
    unsafe { libc::write(NEWS.load(Ordering::SeqCst), c"".as_ptr().cast(), 1) };
    Errno::set_raw(errno);
}

extern "C" fn passed_on(signal: c_int, information: *mut siginfo_t, _: *mut c_void) {
    // SAFETY: getpid, signal and raise may be called in a handler, and with SA_SIGINFO the kernel
    // hands over a valid description.
    unsafe {
        if libc::getpid() != OURSELVES.load(Ordering::SeqCst) {
            // Not yet the command, which would know nothing of a handler.
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
            return;
        }
        let from_kernel = (*information).si_code > 0;
        if from_kernel && !APART.load(Ordering::Relaxed) {
            return;
        }
    }
    let errno = Errno::last_raw();
    WAITING.fetch_or(bit(signal), Ordering::SeqCst);
    deliver();
    Errno::set_raw(errno);
}
