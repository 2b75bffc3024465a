//! Waiting for what other processes do, and killing them by what they have done: a clock says nothing on a busy machine.

use std::{
    fs,
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Whoever takes longer than this hangs, on whatever machine.
const HANG: Duration = Duration::from_secs(600);

/// Waits until a process has done something; it must not end before.
pub fn while_it_lives(child: &mut Child, what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + HANG;
    while !holds() {
        let ended = child.try_wait().expect("a child");
        assert!(ended.is_none(), "it ended before this: {what}: {ended:?}");
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Starts a program and kills it with SIGKILL once it has written so often to the memory in a directory, by the changes of the
/// store's log. False if it came to its end before that.
pub fn killed_amid_writes(command: &mut Command, memory: &Path, writes: usize) -> bool {
    let log = memory.join("memory.db-wal");
    let state = || {
        let about = fs::metadata(&log).ok().filter(|about| about.len() > 0)?;
        Some((about.len(), about.modified().ok()?))
    };
    let (mut before, mut seen) = (state(), 0);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let deadline = Instant::now() + HANG;
    while seen < writes && child.try_wait().expect("a child").is_none() {
        assert!(Instant::now() < deadline, "{seen} of {writes} writes");
        let now = state();
        seen += usize::from(now.is_some() && now != before);
        before = now;
        thread::sleep(Duration::from_micros(500));
    }
    child.kill().expect("ours");
    let status = child.wait().expect("it ends");
    status.signal() == Some(9)
}
