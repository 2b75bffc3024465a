//! A store that is not what it should be: of another version, of another program, damaged.

use std::{
    fs::{self, File},
    io::{Seek, SeekFrom, Write},
};

use super::{assert_refused, assert_run_only_warns, files, fill, python, submission};
use crate::support::Scratch;

/// Commands that need the store, each with its arguments.
fn commands() -> Vec<Vec<String>> {
    let arguments = submission(1).to_string();
    let commands: [&[&str]; 7] = [
        &["status"],
        &["status", "--json"],
        &["events"],
        &["init"],
        &["call", "upkeep.status"],
        &["call", "upkeep.verify"],
        &["call", "runs.submit", &arguments],
    ];
    let owned = |command: &&[&str]| command.iter().map(|part| (*part).to_owned()).collect();
    commands.iter().map(owned).collect()
}

/// Fails the test unless every command refuses the store with these words, `doctor` reports it, commands
/// still run, and the file stays as it is.
#[track_caller]
fn assert_unusable(project: &Scratch, said: &[&str]) {
    let store = project.memory().join("memory.db");
    let before = fs::read(&store).ok();
    for command in commands() {
        let command: Vec<_> = command.iter().map(String::as_str).collect();
        assert_refused(&project.run(&command), 3, said);
    }
    assert_run_only_warns(project, said[0]);
    let doctor = project.run(&["doctor"]);
    let told = doctor.stdout();
    assert_eq!(doctor.code(), 1, "{told}");
    assert!(
        told.contains("store        PROBLEM") && told.contains(said[0]),
        "{told}"
    );
    let report = project.run(&["doctor", "--json"]).json();
    assert_eq!(report["ok"], false);
    assert_eq!(fs::read(&store).ok(), before, "the file is left as it is");
}

/// Carries the log over into the file and removes the files beside it.
fn carry_over(project: &Scratch) {
    python(
        project,
        "import sqlite3, sys, os\n\
         store = sqlite3.connect(sys.argv[1])\n\
         store.execute('PRAGMA wal_checkpoint(TRUNCATE)').fetchall()\n\
         store.close()\n\
         [os.path.exists(sys.argv[1] + s) and os.remove(sys.argv[1] + s) for s in ('-wal', '-shm')]",
    );
}

/// Writes noise over a part of the store.
fn overwrite(project: &Scratch, from: u64, bytes: usize) {
    let mut file = File::options()
        .write(true)
        .open(project.memory().join("memory.db"))
        .expect("the store");
    file.seek(SeekFrom::Start(from)).expect("seekable");
    let noise: Vec<u8> = (0..bytes)
        .map(|place| (place * 31 + 7) as u8 | 0x80)
        .collect();
    file.write_all(&noise).expect("writable");
}

#[test]
fn a_store_of_a_newer_schema_is_refused_by_every_command() {
    let project = Scratch::new();
    fill(&project, 2);
    python(
        &project,
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); v = c.execute('PRAGMA user_version').fetchone()[0]; c.execute(f'PRAGMA user_version = {v + 1000}')",
    );
    assert_unusable(
        &project,
        &[
            "written by a newer twiceshy",
            "schema 10",
            "upgrade twiceshy",
        ],
    );
    python(
        &project,
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); v = c.execute('PRAGMA user_version').fetchone()[0]; c.execute(f'PRAGMA user_version = {v - 1000}')",
    );
    assert_eq!(
        project.status()["events"],
        2,
        "nothing was changed meanwhile"
    );
    project.assert_sound();
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    let project = Scratch::new();
    fs::create_dir(project.memory()).expect("a directory");
    python(
        &project,
        "import sqlite3, sys; s = sqlite3.connect(sys.argv[1]); s.execute('CREATE TABLE t (x)'); s.commit()",
    );
    assert_unusable(&project, &["a database of another program"]);
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let project = Scratch::new();
    fs::create_dir(project.memory()).expect("a directory");
    let text = "not a database, only words. ".repeat(300);
    fs::write(project.memory().join("memory.db"), text).expect("a file");
    assert_unusable(&project, &["is not a database", "move it away", "backup"]);
}

#[test]
fn a_directory_in_the_place_of_the_store_is_refused() {
    let project = Scratch::new();
    fs::create_dir_all(project.memory().join("memory.db")).expect("a directory");
    assert_unusable(&project, &["can't be opened", "memory.db"]);
}

#[test]
fn an_empty_file_becomes_a_store() {
    let project = Scratch::new();
    fs::create_dir(project.memory()).expect("a directory");
    fs::write(project.memory().join("memory.db"), b"").expect("a file");
    assert_eq!(project.status()["events"], 0);
    fill(&project, 2);
    assert_eq!(project.status()["events"], 2);
    project.assert_sound();
}

#[test]
fn a_store_that_was_cut_off_is_reported_with_the_way_to_mend_it() {
    let project = Scratch::new();
    fill(&project, 40);
    carry_over(&project);
    let store = project.memory().join("memory.db");
    let length = fs::metadata(&store).expect("the store").len();
    File::options()
        .write(true)
        .open(&store)
        .and_then(|file| file.set_len(length / 8192 * 4096))
        .expect("cut off");
    assert_unusable(&project, &["is damaged", ".recover", "backup"]);
}

#[test]
fn damaged_pages_are_reported_by_doctor_with_the_way_to_mend_them() {
    for pages in [2..12, 20..30, 40..60] {
        let project = Scratch::new();
        fill(&project, 60);
        carry_over(&project);
        overwrite(
            &project,
            pages.start * 4096,
            (pages.end - pages.start) as usize * 4096,
        );
        let before = files(&project.memory());
        let doctor = project.run(&["doctor"]);
        let told = doctor.stdout();
        assert_eq!(doctor.code(), 1, "{pages:?}: {told}");
        assert!(told.contains("store        PROBLEM"), "{pages:?}: {told}");
        assert!(
            told.contains(".recover") && told.contains("backup"),
            "{pages:?}: {told}"
        );
        let ran = project.run(&["run", "--", "sh", "-c", "exit 5"]);
        assert_eq!(ran.code(), 5, "{pages:?}: {}", ran.stderr());
        let store = project.memory().join("memory.db").display().to_string();
        assert_eq!(
            files(&project.memory())[&store],
            before[&store],
            "{pages:?}"
        );
    }
}

#[test]
fn the_index_of_the_log_may_be_deleted() {
    let project = Scratch::new();
    fill(&project, 10);
    fs::remove_file(project.memory().join("memory.db-shm")).expect("the index");
    assert_eq!(project.status()["events"], 10);
    fill(&project, 1);
    assert_eq!(project.status()["events"], 11);
    project.assert_sound();
}

#[test]
fn without_its_log_a_store_has_what_was_carried_over_and_works_on() {
    let project = Scratch::new();
    fill(&project, 10);
    carry_over(&project);
    assert_eq!(project.status()["events"], 10);
    fill(&project, 3);
    for name in ["memory.db-wal", "memory.db-shm"] {
        fs::remove_file(project.memory().join(name)).expect("a file beside the store");
    }
    assert_eq!(project.status()["events"], 10);
    fill(&project, 1);
    assert_eq!(project.status()["events"], 11);
    project.assert_sound();
}
