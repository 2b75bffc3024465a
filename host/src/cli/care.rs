//! The care that a memory gets without being asked: once a day, when an agent has nothing more to do, `twiceshy consolidate`
//! is started in the background.
//!
//! The file by whose lock one process at a time consolidates also says when that was last. Nobody waits for the care, and
//! what keeps it from being started is left for the next time: whoever calls has a host to answer.

use std::{
    env,
    fs::{self, OpenOptions},
    io,
    os::unix::process::CommandExt,
    process::{Command, Stdio},
    time::{Duration, SystemTime},
};

use nix::unistd::setsid;
use twiceshy::Project;

/// The file by whose lock one process at a time consolidates, and which it touches.
pub(super) const LOCK: &str = "consolidation.lock";

/// What the care takes of the processor is what nobody else wants.
const NICENESS: i32 = 10;

/// Starts the care of a memory on this machine if the last one is `hours` ago; 0 for never. The first call of all only notes
/// the time, so that a new memory is left alone for a day.
pub(super) fn begin_if_due(project: &Project, hours: u32) {
    let is_here = project.address().is_none() && project.server().is_none();
    if hours == 0 || !is_here || !project.exists() {
        return;
    }
    let lock = project.directory().join(LOCK);
    // What has this name and is no file is no lock of ours: it may lead elsewhere.
    let last = match fs::symlink_metadata(&lock) {
        Ok(found) if found.is_file() => found.modified(),
        Ok(_) => return,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let _ = OpenOptions::new().create_new(true).write(true).open(&lock);
            return;
        }
        Err(_) => return,
    };
    if last.is_ok_and(|last| is_due(last, SystemTime::now(), hours)) {
        let _ = begin(project);
    }
}

/// Whether it is time again. A clock that was put back makes it wait for one more pause at most: a date further ahead comes from
/// a clock that was wrong, or from somebody else, and would keep the care away for ever.
pub(super) fn is_due(last: SystemTime, now: SystemTime, hours: u32) -> bool {
    let pause = Duration::from_secs(u64::from(hours) * 3_600);
    match now.duration_since(last) {
        Ok(since) => since >= pause,
        Err(ahead) => ahead.duration() > pause,
    }
}

/// Starts `twiceshy consolidate` in a session of its own, so that it is not ended together with the host's processes.
fn begin(project: &Project) -> io::Result<()> {
    let mut command = Command::new(env::current_exe()?);
    command
        .arg("--memory")
        .arg(project.directory())
        .args(["consolidate", "--quiet"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // SAFETY: only calls that are safe between fork and exec.
    unsafe {
        command.pre_exec(|| {
            setsid()?;
            nix::libc::nice(NICENESS);
            Ok(())
        });
    }
    command.spawn().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn care_is_due_after_the_pause_and_not_before() {
        let now = SystemTime::now();
        let hours = |count: u64| Duration::from_secs(count * 3_600);
        assert!(!is_due(now - hours(23), now, 24));
        assert!(is_due(now - hours(24), now, 24));
        assert!(!is_due(now + hours(1), now, 24));
    }

    #[test]
    fn a_date_far_ahead_does_not_keep_the_care_away() {
        let now = SystemTime::now();
        let years = Duration::from_secs(20 * 365 * 24 * 3_600);
        assert!(is_due(now + years, now, 24));
    }
}
