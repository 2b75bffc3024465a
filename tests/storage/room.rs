//! A memory that can't be written for a while: read-only, full, or held by another process.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use serde_json::json;

use super::{assert_refused, assert_run_only_warns, files, fill, submission, submit_to};
use crate::{
    skipped::skipped,
    support::{Ran, Scratch},
};

/// A small file system of its own; gone with the test.
struct Mounted(PathBuf);

impl Mounted {
    /// None, said aloud, where mounting is not permitted.
    fn at(directory: PathBuf, options: &str) -> Option<Self> {
        fs::create_dir_all(&directory).expect("a directory");
        if mount(&["-t", "tmpfs", "-o", options, "tmpfs"], &directory) {
            return Some(Self(directory));
        }
        skipped("mounting a tmpfs is not permitted here; run as root to test it");
        None
    }

    fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        assert!(mount(&["-o", &options], &self.0), "{options}");
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

fn mount(arguments: &[&str], directory: &Path) -> bool {
    let mut command = Command::new("mount");
    command.args(arguments).arg(directory).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[test]
fn a_memory_on_a_read_only_file_system_is_read_and_writes_are_refused() {
    let project = Scratch::new();
    let Some(mounted) = Mounted::at(project.memory(), "size=8m") else {
        return;
    };
    fill(&project, 5);
    project.assert_sound();
    mounted.remount("ro");
    let before = files(&project.memory());
    assert_eq!(project.status()["events"], 5);
    assert_eq!(project.events().len(), 5);
    assert_eq!(project.call("upkeep.verify", &json!({})), json!([]));
    let arguments = submission(1).to_string();
    let refused = project.run(&["call", "runs.submit", &arguments]);
    assert_refused(&refused, 3, &["is read-only", "nothing was changed"]);
    assert_run_only_warns(&project, "is read-only");
    let doctor = project.run(&["doctor"]);
    assert_eq!(doctor.code(), 1);
    let told = doctor.stdout();
    assert!(
        told.contains("permissions  PROBLEM") && told.contains("--memory DIR"),
        "{told}"
    );
    assert_eq!(files(&project.memory()), before);

    mounted.remount("rw");
    fill(&project, 1);
    assert_eq!(project.status()["events"], 6);
    project.assert_sound();
}

#[test]
fn where_nothing_can_be_made_the_first_write_is_refused() {
    let project = Scratch::new();
    let place = project.path().join("sealed");
    let Some(_mounted) = Mounted::at(place.clone(), "ro") else {
        return;
    };
    let memory = place.join("memory").display().to_string();
    assert_eq!(project.run(&["--memory", &memory, "status"]).code(), 0);
    assert_refused(&submit_to(&project, &memory), 3, &[&memory, "--memory DIR"]);
    assert_refused(&project.run(&["--memory", &memory, "init"]), 3, &[&memory]);
    assert_eq!(project.run(&["--memory", &memory, "doctor"]).code(), 1);
    assert_eq!(fs::read_dir(&place).expect("readable").count(), 0);
}

#[test]
fn a_log_that_can_not_be_read_in_its_place_is_not_passed_over() {
    let project = Scratch::new();
    let Some(mounted) = Mounted::at(project.memory(), "size=8m") else {
        return;
    };
    fill(&project, 5);
    fs::remove_file(project.memory().join("memory.db-shm")).expect("the index of the log");
    mounted.remount("ro");
    for arguments in [&["status"][..], &["events"], &["call", "upkeep.status"]] {
        let ran = project.run(arguments);
        assert_refused(&ran, 3, &["memory.db-wal", "copy both files"]);
    }
    assert_eq!(project.run(&["doctor"]).code(), 1);
    mounted.remount("rw");
    assert_eq!(project.status()["events"], 5);
}

#[test]
fn another_user_reads_a_memory_and_can_not_write_it() {
    let project = Scratch::new();
    let program = Path::new(env!("CARGO_BIN_EXE_twiceshy"));
    let reachable = |path: &Path| {
        path.ancestors().skip(1).all(|directory| {
            fs::metadata(directory).is_ok_and(|metadata| metadata.mode() & 0o001 != 0)
        })
    };
    fill(&project, 3);
    for directory in [project.path(), &project.memory()] {
        fs::set_permissions(directory, fs::Permissions::from_mode(0o755)).expect("ours");
    }
    let home = tempfile::tempdir().expect("a home for nobody");
    let nobody = |arguments: &[&str]| {
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(program);
        command
            .args(arguments)
            .current_dir(project.path())
            .env("TWICESHY_HOME", home.path())
            // Somebody else's memory is one that has to be accepted.
            .env("TWICESHY_TRUST", "1");
        command.env_remove("TWICESHY_MEMORY").stdin(Stdio::null());
        Ran(command.output().expect("setpriv is there"))
    };
    let permitted = Command::new("setpriv")
        .args(["--reuid=65534", "true"])
        .output();
    if !reachable(program) || !permitted.is_ok_and(|output| output.status.success()) {
        skipped("another user can't start the program here");
        return;
    }
    let before = files(&project.memory());
    assert_eq!(nobody(&["status", "--json"]).json()["events"], 3);
    let refused = nobody(&["call", "runs.submit", &submission(1).to_string()]);
    assert_eq!(refused.code(), 3, "{}", refused.stderr());
    assert!(
        refused.stderr().contains("permissions"),
        "{}",
        refused.stderr()
    );
    assert_eq!(files(&project.memory()), before);
}

#[test]
fn a_full_disk_is_named_and_loses_nothing_that_was_acknowledged() {
    let project = Scratch::new();
    let Some(mounted) = Mounted::at(project.memory(), "size=1m") else {
        return;
    };
    let requests: String = (0..200)
        .map(|number| format!("runs.submit {}\n", submission(number)))
        .collect();
    let ran = project.run_with(&["call", "--lines"], requests.as_bytes());
    let answers = ran.stdout();
    let acknowledged = answers.matches("{\"ok\":").count();
    let refused: Vec<_> = answers
        .lines()
        .filter(|line| line.starts_with("{\"error\""))
        .collect();
    assert!(
        acknowledged > 0 && acknowledged + refused.len() == 200,
        "{answers}"
    );
    assert!(!refused.is_empty(), "a megabyte holds it all");
    for answer in refused {
        assert!(
            answer.contains("\"storage\"") && answer.contains("no space left"),
            "{answer}"
        );
    }
    // Once the log is carried over into the file there may be room for some more.
    let mut acknowledged = acknowledged;
    let refused = loop {
        let arguments = submission(acknowledged + 1_000).to_string();
        let ran = project.run(&["call", "runs.submit", &arguments]);
        if ran.code() != 0 {
            break ran;
        }
        acknowledged += 1;
        assert!(acknowledged < 1_000, "a megabyte holds it all");
    };
    assert_refused(
        &refused,
        3,
        &["no space left on the device", "free some space"],
    );
    // What is left may be enough for less: for a while, small runs are still remembered.
    while project
        .run(&["run", "--", "sh", "-c", "echo out; exit 5"])
        .stderr()
        .is_empty()
    {
        acknowledged += 1;
        assert!(acknowledged < 2_000, "a megabyte holds it all");
    }
    assert_run_only_warns(&project, "no space left");
    assert_eq!(project.status()["events"], acknowledged, "reading goes on");
    let doctor = project.run(&["doctor"]);
    assert!(
        doctor.code() == 1 && doctor.stdout().contains("free some space"),
        "{}",
        doctor.stdout()
    );

    mounted.remount("size=16m");
    assert_eq!(project.status()["events"], acknowledged);
    fill(&project, 20);
    assert_eq!(project.status()["events"], acknowledged + 20);
    project.assert_sound();
}

#[test]
fn a_disk_too_small_for_a_memory_at_all_is_named() {
    let project = Scratch::new();
    let Some(_mounted) = Mounted::at(project.memory(), "size=4k") else {
        return;
    };
    fs::write(project.memory().join("ballast"), [0; 4096]).expect("it fits exactly");
    let arguments = submission(1).to_string();
    let refused = project.run(&["call", "runs.submit", &arguments]);
    assert_eq!(refused.code(), 3, "{}", refused.stderr());
    let message = refused.stderr();
    assert!(
        message.contains("No space left") || message.contains("no space left"),
        "{message}"
    );
}

#[test]
fn a_backup_that_does_not_fit_names_its_own_device_and_leaves_nothing_there() {
    let project = Scratch::new();
    fill(&project, 5);
    // Something that does not become smaller, so that the store's copy fits and the package does not.
    let mut state = 1_u64;
    let noise = (0..1 << 20).map(|_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    });
    fs::create_dir_all(project.memory().join("skills")).expect("a directory");
    let skill = project.memory().join("skills/noise.md");
    fs::write(skill, noise.collect::<Vec<_>>()).expect("writable");
    let small = project.path().join("small");
    for size in ["64k", "900k"] {
        let Some(_mounted) = Mounted::at(small.clone(), &format!("size={size}")) else {
            return;
        };
        let file = small.join("b.tar.gz").display().to_string();
        let refused = project.run(&["backup", &file]);
        assert_refused(&refused, 3, &[&file, "no space left", "on another device"]);
        let said = refused.stderr();
        assert!(!said.contains("memory.db"), "the wrong device: {said}");
        assert!(files(&small).is_empty(), "something is left");
    }
    assert_eq!(project.status()["events"], 5);
    project.assert_sound();
}

/// Another process that holds the store for writing.
struct Holder(Child);

impl Holder {
    fn of(project: &Scratch) -> Self {
        let code = "import sqlite3, sys\n\
                    store = sqlite3.connect(sys.argv[1], isolation_level=None)\n\
                    store.execute('BEGIN IMMEDIATE')\n\
                    print('held', flush=True)\n\
                    sys.stdin.readline()\n\
                    store.execute('COMMIT')\n";
        let mut child = Command::new("python3")
            .args(["-c", code])
            .arg(project.memory().join("memory.db"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 is there");
        let mut line = String::new();
        let output = child.stdout.take().expect("a pipe");
        BufReader::new(output)
            .read_line(&mut line)
            .expect("it speaks");
        assert_eq!(line, "held\n");
        Self(child)
    }

    fn release(mut self) {
        self.0
            .stdin
            .take()
            .expect("a pipe")
            .write_all(b"\n")
            .expect("it listens");
        assert!(self.0.wait().expect("it ends").success());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_report_that_can_not_be_written_is_an_error_and_a_message_that_can_not_is_dropped() {
    let project = Scratch::new();
    fill(&project, 1);
    let full = || {
        fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("a device")
    };
    for arguments in [
        &["status"][..],
        &["status", "--json"],
        &["events"],
        &["doctor"],
        &["trust"],
        &["lessons"],
        &["call", "upkeep.status"],
        &["demo"],
    ] {
        let output = project.command(arguments).stdout(full()).output();
        let ran = Ran(output.expect("the program starts"));
        assert_eq!(ran.code(), 1, "{arguments:?}: {}", ran.stderr());
        let error = ran.stderr();
        assert!(error.contains("No space left"), "{arguments:?}: {error}");
        assert!(!error.contains("panicked"), "{arguments:?}: {error}");
    }
    let refused = project
        .command(&["lessons", "show", "les_0"])
        .stderr(full())
        .status();
    assert_eq!(refused.expect("the program starts").code(), Some(1));
    project.assert_sound();
}

#[test]
fn a_file_that_may_not_grow_ends_no_command() {
    let project = Scratch::new();
    fill(&project, 1);
    let limited = |command: &str| {
        let mut shell = Command::new("sh");
        for (name, value) in project.command(&[]).get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        let program = env!("CARGO_BIN_EXE_twiceshy");
        let script = format!("ulimit -f 8; exec {program} run -- {command}");
        shell.args(["-c", &script]).current_dir(project.path());
        Ran(shell.output().expect("a shell"))
    };
    let ran = limited("cat gone.txt");
    assert_eq!(ran.code(), 1, "{}", ran.stderr());
    assert!(ran.stderr().contains("not remembered"), "{}", ran.stderr());
    // The command itself feels the limit as it would without us.
    let ran = limited("dd if=/dev/zero of=big bs=64k count=1");
    assert_ne!(ran.code(), 0, "{}", ran.stderr());
    project.assert_sound();
}

#[test]
fn a_store_locked_for_too_long_is_named_and_nothing_is_lost() {
    let project = Scratch::new();
    fill(&project, 2);
    let settings = project.memory().join("config.toml");
    fs::write(&settings, "busy-timeout-ms = 200\n").expect("settings");
    let holder = Holder::of(&project);
    let arguments = submission(1).to_string();
    let refused = project.run(&["call", "runs.submit", &arguments]);
    assert_refused(
        &refused,
        3,
        &["locked by another process", "200ms", "try again", "lsof"],
    );
    let error = project
        .run(&["--json", "call", "runs.submit", &arguments])
        .stderr();
    assert!(
        error.starts_with("{\"error\":{\"kind\":\"busy\""),
        "{error}"
    );
    assert_run_only_warns(&project, "locked by another process");
    assert_eq!(project.status()["events"], 2, "reading does not wait");
    assert_eq!(project.events().len(), 2);
    holder.release();
    // From now on whoever writes may take the time that it takes.
    fs::remove_file(settings).expect("settings");
    fill(&project, 1);
    assert_eq!(project.status()["events"], 3);
    project.assert_sound();
}

#[test]
fn a_writer_waits_for_a_lock_that_is_released_in_time() {
    let project = Scratch::new();
    fill(&project, 1);
    let settings = project.memory().join("config.toml");
    fs::write(settings, "busy-timeout-ms = 600000\n").expect("settings");
    let holder = Holder::of(&project);
    let arguments = submission(1).to_string();
    let mut waiting = project
        .command(&["call", "runs.submit", &arguments])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_millis(400));
    assert!(
        waiting.try_wait().expect("a child").is_none(),
        "it waits for its turn"
    );
    holder.release();
    let output = waiting.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert_eq!(project.status()["events"], 2);
}

#[test]
fn too_few_files_are_told_as_such() {
    let project = Scratch::new();
    fill(&project, 2);
    let program = env!("CARGO_BIN_EXE_twiceshy");
    let mut told = 0;
    for most in 5..=24 {
        let command = project.command(&[]);
        let inner = format!("ulimit -n {most}; exec '{program}' status");
        let mut shell = Command::new("sh");
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        let ran = shell
            .args(["-c", &inner])
            .current_dir(project.path())
            .stdin(Stdio::null())
            .output();
        let said = Ran(ran.expect("a shell")).stderr();
        assert!(!said.contains("read-only"), "{most}: {said}");
        told += usize::from(said.contains("ulimit -n"));
    }
    println!("{told} of 20 limits were told");
    project.assert_sound();
}
