//! A program that answers: it is given an input, and its output is awaited within bounds.
//!
//! Owns time, size and what is left behind: whatever the program does, the call returns in time, keeps no
//! more than it was allowed, and leaves no process of the program's group and no zombie. A command that a
//! person wants to run is none of its business; see the command line's own `child`.

use std::{
    ffi::OsStr,
    io::{self, Read, Write},
    os::{fd::AsFd, unix::process::CommandExt},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use nix::{
    fcntl::{FcntlArg, OFlag, fcntl},
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::signal::{SigSet, Signal, killpg},
    unistd::Pid,
};

/// What is kept of the end of standard error, for a message.
const LAST_WORDS: usize = 4 << 10;

/// How often it is looked whether the program has ended while nothing else happens: a process that it left
/// behind may keep the streams open.
const TICK: Duration = Duration::from_millis(10);

/// A program about to be run.
#[derive(Debug)]
pub struct Subprocess<'a> {
    /// The program and its arguments.
    pub command: Vec<&'a OsStr>,
    /// What it gets on standard input. It need not read it.
    pub input: &'a [u8],
    /// How long it may take.
    pub time: Duration,
    /// How much it may write to standard output.
    pub most_bytes: usize,
}

/// A program that ended in time.
#[derive(Debug)]
pub struct Finished {
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote to standard output.
    pub output: Vec<u8>,
    /// The end of what it wrote to standard error.
    pub last_words: String,
}

/// Why a program gave nothing.
#[derive(Debug)]
#[non_exhaustive]
pub enum SubprocessError {
    /// It could not be started or watched.
    Start(io::Error),
    /// It did not end in time, and was killed.
    Late,
    /// It wrote too much, and was killed.
    TooMuch,
}

impl From<io::Error> for SubprocessError {
    fn from(error: io::Error) -> Self {
        Self::Start(error)
    }
}

impl Subprocess<'_> {
    /// Runs the program to its end, or kills it.
    ///
    /// # Errors
    /// If it can't be started, takes too long or writes too much.
    pub fn run(&self) -> Result<Finished, SubprocessError> {
        let deadline = Instant::now() + self.time;
        let (program, arguments) = self
            .command
            .split_first()
            .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own, to be ended with all that belongs to it.
            .process_group(0);
        #[cfg(target_os = "linux")]
        // SAFETY: only a system call between fork and exec.
        unsafe {
            // Whoever ends us wants no answer any more.
            command.pre_exec(|| Ok(nix::sys::prctl::set_pdeathsig(Signal::SIGKILL)?));
        }
        let mut group = Group(command.spawn()?);
        // A thread of its own: there a reader that has gone away raises no signal that would end the process.
        thread::scope(|scope| {
            let watch = || {
                SigSet::from(Signal::SIGPIPE)
                    .thread_block()
                    .map_err(io::Error::from)?;
                self.watch(&mut group.0, deadline)
            };
            scope
                .spawn(watch)
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("watching it panicked").into()))
        })
    }

    fn watch(&self, child: &mut Child, deadline: Instant) -> Result<Finished, SubprocessError> {
        let mut stdin = child.stdin.take();
        let mut stdout = child.stdout.take();
        let mut stderr = child.stderr.take();
        for stream in [
            stdin.as_ref().map(AsFd::as_fd),
            stdout.as_ref().map(AsFd::as_fd),
            stderr.as_ref().map(AsFd::as_fd),
        ]
        .into_iter()
        .flatten()
        {
            fcntl(stream, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map_err(io::Error::from)?;
        }
        let mut input = self.input;
        let mut output = Vec::new();
        let mut last_words = Vec::new();
        loop {
            if Instant::now() >= deadline {
                return Err(SubprocessError::Late);
            }
            // Looked at before the streams are: what it wrote before its end is in them by then.
            let ended = child.try_wait()?;
            feed(&mut stdin, &mut input);
            drain(&mut stdout, |bytes| {
                output.extend_from_slice(bytes);
                output.len() <= self.most_bytes
            });
            if output.len() > self.most_bytes {
                return Err(SubprocessError::TooMuch);
            }
            drain(&mut stderr, |bytes| {
                last_words.extend_from_slice(bytes);
                let surplus = last_words.len().saturating_sub(LAST_WORDS);
                last_words.drain(..surplus);
                Instant::now() < deadline
            });
            if let Some(status) = ended {
                return Ok(Finished {
                    status,
                    output,
                    last_words: String::from_utf8_lossy(&last_words).into_owned(),
                });
            }
            wait(&stdin, &stdout, &stderr, deadline);
        }
    }
}

/// Ends whatever is left of a program's group when it goes out of sight.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        if let Ok(id) = i32::try_from(self.0.id()) {
            // Nobody may be left, which is what is wanted.
            let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Writes what the pipe takes. A reader that has gone wants no more.
fn feed(pipe: &mut Option<impl Write>, input: &mut &[u8]) {
    while let Some(open) = pipe.as_mut() {
        if input.is_empty() {
            *pipe = None;
            return;
        }
        match open.write(input) {
            Ok(written) => *input = &input[written..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
            Err(_) => *pipe = None,
        }
    }
}

/// Reads what is there, as long as it is wanted.
fn drain(pipe: &mut Option<impl Read>, mut take: impl FnMut(&[u8]) -> bool) {
    let mut buffer = [0; 16 << 10];
    while let Some(open) = pipe.as_mut() {
        match open.read(&mut buffer) {
            Ok(0) => *pipe = None,
            Ok(read) => {
                if !take(&buffer[..read]) {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
            Err(_) => *pipe = None,
        }
    }
}

/// Waits until a stream has news, or for a moment.
fn wait(
    stdin: &Option<impl AsFd>,
    stdout: &Option<impl AsFd>,
    stderr: &Option<impl AsFd>,
    deadline: Instant,
) {
    let mut streams: Vec<PollFd<'_>> = Vec::with_capacity(3);
    streams.extend(
        stdin
            .as_ref()
            .map(|pipe| PollFd::new(pipe.as_fd(), PollFlags::POLLOUT)),
    );
    streams.extend(
        stdout
            .as_ref()
            .map(|pipe| PollFd::new(pipe.as_fd(), PollFlags::POLLIN)),
    );
    streams.extend(
        stderr
            .as_ref()
            .map(|pipe| PollFd::new(pipe.as_fd(), PollFlags::POLLIN)),
    );
    // With both ends of its output closed, it is about to end.
    let tick = if stdout.is_none() && stderr.is_none() {
        Duration::from_millis(1)
    } else {
        TICK
    };
    let left = deadline.saturating_duration_since(Instant::now()).min(tick);
    let time = PollTimeout::try_from(left).unwrap_or(PollTimeout::ZERO);
    if poll(&mut streams, time).is_err() {
        thread::sleep(left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INNER: &str = "TWICESHY_TEST_DEFAULT_SIGPIPE";

    /// The test runs itself again, as a program that a broken pipe would end.
    #[test]
    fn a_program_that_does_not_read_its_input_ends_nobody_else() {
        if std::env::var_os(INNER).is_none() {
            let again = Command::new(std::env::current_exe().expect("this test"))
                .args([
                    "--exact",
                    "subprocess::tests::a_program_that_does_not_read_its_input_ends_nobody_else",
                ])
                .env(INNER, "1")
                .output()
                .expect("it starts");
            assert!(again.status.success(), "{:?}", again.status);
            return;
        }
        // SAFETY: no handler is installed, only the default restored.
        unsafe { nix::sys::signal::signal(Signal::SIGPIPE, nix::sys::signal::SigHandler::SigDfl) }
            .expect("a signal");
        let input = vec![b' '; 4 << 20];
        let finished = Subprocess {
            command: vec![OsStr::new("true")],
            input: &input,
            time: Duration::from_secs(60),
            most_bytes: 10,
        }
        .run()
        .expect("it ends");
        assert!(finished.status.success());
    }
}
