//! A terminal for tests: a program is started on it, something is typed, and what is shown is kept.
//!
//! Owns the pseudo-terminal. A terminal is 24 lines of 80 columns unless it is resized.

use std::{
    fs::File,
    io::{self, Read, Write},
    os::{
        fd::{AsFd, AsRawFd, OwnedFd},
        unix::process::CommandExt,
    },
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Instant,
};

use nix::{
    fcntl::{FcntlArg, FdFlag, fcntl},
    libc,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    pty::{Winsize, openpty},
    sys::{
        signal::{Signal, kill},
        termios::{Termios, tcgetattr},
    },
    unistd::{Pid, setsid, ttyname},
};

use super::{HANG, shell_code, until};

/// A program on a terminal of its own.
pub(crate) struct Pty {
    ours: File,
    /// The program's end, to see the terminal's mode after the program has ended.
    theirs: OwnedFd,
    first_mode: Termios,
    child: Child,
    shown: Vec<u8>,
    /// How much of what is shown was waited for already.
    seen: usize,
}

/// Where the program's streams go: to the terminal unless they are given here.
#[derive(Default)]
pub(crate) struct Streams {
    pub(crate) stdin: Option<Stdio>,
    pub(crate) stdout: Option<Stdio>,
    pub(crate) stderr: Option<Stdio>,
}

fn size(rows: u16, columns: u16) -> Winsize {
    Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    }
}

impl Pty {
    /// Starts a program in a session of its own with all its streams on the terminal.
    pub(crate) fn start(command: Command) -> Self {
        Self::with(command, Streams::default())
    }

    /// Starts a program in a session of its own, on the terminal but for some streams.
    pub(crate) fn with(mut command: Command, streams: Streams) -> Self {
        let pair = openpty(&size(24, 80), None::<&Termios>).expect("a terminal");
        for end in [&pair.master, &pair.slave] {
            fcntl(end, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC)).expect("open");
        }
        let end = || Stdio::from(pair.slave.try_clone().expect("a copy"));
        let control = pair.slave.as_raw_fd();
        command
            .env("TERM", "vt100")
            .env_remove("COLUMNS")
            .env_remove("LINES")
            .stdin(streams.stdin.unwrap_or_else(end))
            .stdout(streams.stdout.unwrap_or_else(end))
            .stderr(streams.stderr.unwrap_or_else(end));
        // SAFETY: only system calls between fork and exec.
        unsafe {
            command.pre_exec(move || {
                setsid()?;
                match libc::ioctl(control, libc::TIOCSCTTY as _, 0) {
                    -1 => Err(io::Error::last_os_error()),
                    _ => Ok(()),
                }
            })
        };
        Self {
            first_mode: tcgetattr(&pair.slave).expect("a terminal"),
            child: command.spawn().expect("it starts"),
            ours: pair.master.into(),
            theirs: pair.slave,
            shown: Vec::new(),
            seen: 0,
        }
    }

    /// Types something.
    pub(crate) fn types(&mut self, keys: &str) {
        self.ours
            .write_all(keys.as_bytes())
            .expect("the terminal takes it");
    }

    /// Types something long, reading meanwhile what is shown, as a terminal does. Says whether
    /// somebody took it all.
    pub(crate) fn types_while_showing(&mut self, keys: &str) -> bool {
        let mut rest = keys.as_bytes();
        let mut refused = 0;
        while !rest.is_empty() && refused < 20 {
            let mut watched = [PollFd::new(self.ours.as_fd(), PollFlags::POLLOUT)];
            if poll(&mut watched, PollTimeout::from(100_u8)).expect("it can be watched") > 0 {
                let piece = &rest[..rest.len().min(200)];
                self.ours.write_all(piece).expect("the terminal takes it");
                rest = &rest[piece.len()..];
                refused = 0;
            } else {
                refused += 1;
            }
            self.read(0);
        }
        rest.is_empty()
    }

    /// The terminal's name.
    pub(crate) fn name(&self) -> PathBuf {
        ttyname(&self.theirs).expect("it has one")
    }

    /// Waits until this is shown, after what was waited for before.
    pub(crate) fn shows(&mut self, text: &str) {
        let deadline = Instant::now() + HANG;
        loop {
            let new = &self.shown[self.seen..];
            if let Some(place) = new
                .windows(text.len())
                .position(|part| part == text.as_bytes())
            {
                self.seen += place + text.len();
                return;
            }
            assert!(
                Instant::now() < deadline,
                "{text:?} was not shown: {:?}",
                self.text()
            );
            self.read(100);
        }
    }

    /// Reads what is shown within some milliseconds; false at the end.
    fn read(&mut self, milliseconds: u16) -> bool {
        let mut watched = [PollFd::new(self.ours.as_fd(), PollFlags::POLLIN)];
        if poll(&mut watched, PollTimeout::from(milliseconds)).expect("it can be watched") == 0 {
            return true;
        }
        let mut buffer = [0; 4096];
        match self.ours.read(&mut buffer) {
            Ok(count @ 1..) => {
                self.shown.extend_from_slice(&buffer[..count]);
                true
            }
            _ => false,
        }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.shown).into_owned()
    }

    pub(crate) fn resize(&self, rows: u16, columns: u16) {
        let size = size(rows, columns);
        // SAFETY: the terminal is open and the size is whole.
        let set = unsafe {
            libc::ioctl(
                self.ours.as_raw_fd(),
                libc::TIOCSWINSZ as _,
                &raw const size,
            )
        };
        assert_eq!(set, 0);
    }

    /// The terminal's mode before the program was started.
    pub(crate) fn first_mode(&self) -> Termios {
        self.first_mode.clone()
    }

    /// The terminal's mode.
    pub(crate) fn mode(&self) -> Termios {
        tcgetattr(&self.theirs).expect("a terminal")
    }

    /// The process that was started.
    pub(crate) fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.id()).expect("a process id"))
    }

    /// Closes the terminal, as when its window is closed.
    pub(crate) fn hangs_up(&mut self) {
        let nothing = || File::open("/dev/null").expect("it is there");
        self.theirs = nothing().into();
        self.ours = nothing();
    }

    /// Waits for the program's end and gives its exit code; everything it wrote is shown then.
    pub(crate) fn ends(&mut self) -> i32 {
        let mut status = None;
        until("the program ends", || {
            // It may wait for somebody to read what it writes.
            self.read(5);
            status = self.child.try_wait().expect("it can be waited for");
            status.is_some()
        });
        self.mark_the_end();
        shell_code(status.expect("it has ended"))
    }

    /// Shows what arrives later than the end of its writer: a terminal keeps the order, so that whatever was written before
    /// has come once a mark of ours has.
    fn mark_the_end(&mut self) {
        const MARK: &[u8] = b"\0end of the program\0";
        // Whoever still writes there writes after the mark.
        let mut theirs = File::from(self.theirs.try_clone().expect("a copy"));
        let writer = std::thread::spawn(move || theirs.write_all(MARK));
        let mut place = None;
        until("all of it is shown", || {
            self.read(100);
            place = self.shown.windows(MARK.len()).position(|part| part == MARK);
            place.is_some()
        });
        let place = place.expect("found");
        self.shown.drain(place..place + MARK.len());
        writer.join().expect("no panic").expect("written");
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // A test that failed leaves nothing behind.
        if self.child.try_wait().is_ok_and(|status| status.is_none()) {
            let _ = kill(self.pid(), Signal::SIGKILL);
            let _ = self.child.wait();
        }
    }
}
