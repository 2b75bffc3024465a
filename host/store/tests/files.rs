//! What can be wrong with a file or with the place where it is: full, locked, foreign, read-only.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use twiceshy_store::{OpenError, Options, SqliteStore};
use twiceshy_wit::host::{
    Attribute, Change, Condition, Document, Error, Key, Order, Precondition, Put, Query, Store,
    Test, Value,
};

use crate::skipped::skipped;

pub(crate) fn key(id: &str) -> Key {
    Key {
        kind: "note".into(),
        id: id.into(),
    }
}

pub(crate) fn put(id: &str, body: &str) -> Change {
    Change::Put(Put {
        document: Document {
            key: key(id),
            body: body.into(),
            attributes: vec![Attribute {
                name: "name".into(),
                value: Value::Text(id.into()),
            }],
            text: format!("hello {id}"),
            vector: vec![1.0, 2.0],
        },
        precondition: Precondition::Anything,
    })
}

pub(crate) fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, Options::default()).unwrap()
}

pub(crate) fn read_only() -> Options {
    Options {
        read_only: true,
        ..Options::default()
    }
}

fn find(store: &SqliteStore, order: Order) -> Vec<String> {
    let query = Query {
        kind: "note".into(),
        conditions: vec![],
        order,
        offset: 0,
        limit: 100,
    };
    let found = store.find(&query).unwrap();
    found
        .into_iter()
        .map(|found| found.document.key.id)
        .collect()
}

/// Asserts that a store has the documents `a` and `b`, by every way to find them.
fn assert_whole(store: &SqliteStore) {
    assert_eq!(store.get_many(&[key("a"), key("b")]).unwrap().len(), 2);
    assert_eq!(find(store, Order::ById), ["a", "b"]);
    assert_eq!(find(store, Order::ByText("b".into())), ["b"]);
    assert_eq!(find(store, Order::ByNearest(vec![1.0, 0.0])), ["b", "a"]);
    let named = Condition {
        attribute: "name".into(),
        test: Test::Equals(Value::Text("a".into())),
    };
    assert_eq!(store.count("note", &[named]), Ok(1));
    assert_eq!(store.integrity(), Ok(vec![]));
}

fn assert_refuses_to_write(store: &SqliteStore) {
    let result = store.commit(&[put("c", "c")]);
    assert!(matches!(&result, Err(Error::ReadOnly(_))), "{result:?}");
}

#[test]
fn a_store_keeps_everything_when_it_is_opened_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    open(&path).commit(&[put("a", "1"), put("b", "2")]).unwrap();
    for _ in 0..3 {
        assert_whole(&open(&path));
    }
    let store = open(&path);
    assert_eq!(store.path(), path);
    assert!(store.size_bytes().unwrap() > 4096);
}

#[test]
fn a_path_of_any_characters_is_a_path() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["file:memory.db?mode=memory", "50% #1 ü.db", "a'b\"c.db"] {
        let path = directory.path().join(name);
        open(&path).commit(&[put("a", "1"), put("b", "2")]).unwrap();
        assert!(path.is_file(), "{name}");
        assert_whole(&open(&path));
    }
}

#[test]
fn commands_that_commit_once_and_end_leave_a_short_log() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    for number in 0..300 {
        open(&path)
            .commit(&[put(&format!("{number}"), &"x".repeat(3000))])
            .unwrap();
        let log = std::fs::metadata(directory.path().join("memory.db-wal"))
            .unwrap()
            .len();
        assert!(log < 300 * 4200, "{log} bytes after {number} commits");
    }
    assert_eq!(open(&path).count("note", &[]), Ok(300));
    assert_eq!(open(&path).integrity(), Ok(vec![]));
}

/// The pages in the log of a store.
fn log_pages(path: &Path) -> (i64, i64) {
    let connection = Connection::open(path).unwrap();
    let pages = "PRAGMA wal_checkpoint(NOOP)";
    let read = |row: &rusqlite::Row| Ok((row.get(1)?, row.get(2)?));
    connection.query_row(pages, [], read).unwrap()
}

#[test]
fn light_commits_that_are_synced_are_whole_and_a_long_log_is_carried_over_when_asked() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    // Stays open, so that the others carry nothing over by being the last.
    let first = open(&path);
    first.sync().unwrap();
    for number in 0..300 {
        let store = open(&path);
        let change = put(&format!("{number:03}"), &format!("{{\"number\":{number}}}"));
        store.commit_lightly(&[change]).unwrap();
        store.sync().unwrap();
    }
    let (pages, carried_over) = log_pages(&path);
    assert!(
        pages > 256 && carried_over < pages,
        "{pages} {carried_over}"
    );
    first.shorten_log().unwrap();
    let (pages, carried_over) = log_pages(&path);
    assert_eq!(pages, carried_over);
    drop(first);
    let again = open(&path);
    again.sync().unwrap();
    assert_eq!(again.count("note", &[]).unwrap(), 300);
    assert!(again.integrity().unwrap().is_empty());
}

#[test]
fn a_log_that_another_program_carried_over_and_removed_needs_no_sync() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    let store = open(&path);
    store.commit_lightly(&[put("a", "{}")]).unwrap();
    let other = Connection::open(&path).unwrap();
    let carry = "PRAGMA wal_checkpoint(TRUNCATE)";
    other.query_row(carry, [], |_| Ok(())).unwrap();
    std::fs::remove_file(directory.path().join("memory.db-wal")).unwrap();
    store.sync().unwrap();
    let reader = SqliteStore::open(&path, read_only()).unwrap();
    reader.shorten_log().unwrap();
    assert_eq!(reader.count("note", &[]).unwrap(), 1);
}

#[test]
fn a_newer_schema_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    drop(open(&path));
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", 99)
        .unwrap();
    let error = SqliteStore::open(&path, Options::default()).unwrap_err();
    assert!(matches!(error, OpenError::Newer(_)));
    assert_eq!(
        error.to_string(),
        format!(
            "the store {} was written by a newer twiceshy (schema 99, this one knows 13); upgrade twiceshy",
            path.display()
        )
    );
}

#[test]
fn a_reader_does_not_upgrade() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    std::fs::write(&path, "").unwrap();
    let error = SqliteStore::open(&path, read_only()).unwrap_err();
    assert!(matches!(error, OpenError::Older(_)), "{error:?}");
    assert!(
        error.to_string().contains("open it once for writing"),
        "{error}"
    );
    assert_eq!(std::fs::read(&path).unwrap(), b"");
    drop(open(&path));
    assert_eq!(
        find(&SqliteStore::open(&path, read_only()).unwrap(), Order::ById),
        [""; 0]
    );
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("theirs.db");
    Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE theirs (x)")
        .unwrap();
    let before = std::fs::read(&path).unwrap();
    for options in [Options::default(), read_only()] {
        let error = SqliteStore::open(&path, options).unwrap_err();
        assert!(matches!(error, OpenError::Foreign(_)), "{error:?}");
        assert!(error.to_string().contains("another program"), "{error}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_file_of_garbage_is_corrupt() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    std::fs::write(
        &path,
        "this is not a database, whatever its name says\n".repeat(100),
    )
    .unwrap();
    let error = SqliteStore::open(&path, Options::default()).unwrap_err();
    assert!(
        matches!(error, OpenError::Failed(Error::Corrupt(_))),
        "{error:?}"
    );
    assert!(error.to_string().contains("is not a database"), "{error}");
    assert!(error.to_string().contains("move it away"), "{error}");
}

#[test]
fn damage_in_the_middle_is_found_and_reading_it_is_corrupt() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    let many: Vec<Change> = (0..200)
        .map(|number| put(&format!("{number:03}"), &"x".repeat(2000)))
        .collect();
    open(&path).commit(&many).unwrap();
    let connection = Connection::open(&path).unwrap();
    connection
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
    drop(connection);
    let mut bytes = std::fs::read(&path).unwrap();
    let end = bytes.len();
    bytes[3 * 4096..end - 4096].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    let store = open(&path);
    let read = store.get_many(&[key("100")]);
    assert!(
        matches!(&read, Err(Error::Corrupt(message)) if message.contains("twiceshy doctor")),
        "{read:?}"
    );
    assert!(!matches!(store.integrity(), Ok(problems) if problems.is_empty()));
}

#[test]
fn what_the_doctor_finds() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    let store = open(&path);
    store.commit(&[put("a", "1"), put("b", "2")]).unwrap();
    store.optimize().unwrap();
    Connection::open(&path)
        .unwrap()
        .execute_batch(
            "INSERT INTO attributes VALUES (1, 1.0, 99);
             UPDATE vectors SET vector = x'0000' WHERE doc = 2;
             UPDATE documents SET version = 0 WHERE id = 'b';
             UPDATE documents SET body = x'000568656c6c6f7b7d' WHERE id = 'a';
             INSERT INTO kinds VALUES (9, 'other');
             INSERT INTO documents (kind, id, version, attributes, has_text, body)
                VALUES (9, 'o', 1, x'', 1, x'000178');
             INSERT INTO attributes VALUES (1, 'second', 1);",
        )
        .unwrap();
    let problems = store.integrity().unwrap().join("\n");
    for problem in [
        "attribute `name` belongs to no document",
        "has a vector of",
        "note `b` has version 0",
        "full-text index of kind `note` does not match",
        "texts of kind `other` have no index",
        "attribute `name` of note `a` has several values, which is not noted",
    ] {
        assert!(
            problems.contains(problem),
            "{problem} is not in:\n{problems}"
        );
    }
}

#[test]
fn a_content_that_is_damaged_is_found_and_reading_it_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    let store = open(&path);
    store.commit(&[put("a", "1"), put("b", "2")]).unwrap();
    Connection::open(&path)
        .unwrap()
        .execute_batch("UPDATE documents SET body = x'01ff0102' WHERE id = 'b'")
        .unwrap();
    let problems = store.integrity().unwrap();
    assert_eq!(problems, ["note `b` has a damaged content"]);
    assert!(store.get_many(&[key("b")]).is_err());
    assert_eq!(store.get_many(&[key("a")]).unwrap().len(), 1);
}

#[test]
fn a_store_that_somebody_holds_is_busy_after_the_timeout() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    let options = Options {
        busy_timeout: Duration::from_millis(300),
        ..Options::default()
    };
    let store = SqliteStore::open(&path, options).unwrap();
    store.commit(&[put("a", "1"), put("b", "2")]).unwrap();
    let holder = Connection::open(&path).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let start = Instant::now();
    let result = store.commit(&[put("c", "3")]);
    let waited = start.elapsed();
    let Err(Error::Busy(message)) = result else {
        panic!("{result:?}")
    };
    assert!(waited >= Duration::from_millis(300), "{waited:?}");
    assert!(
        message.contains(&path.display().to_string()) && message.contains("300ms"),
        "{message}"
    );
    assert!(message.contains("lsof"), "{message}");
    // Readers do not wait, and when the holder is gone the store goes on.
    assert_whole(&SqliteStore::open(&path, read_only()).unwrap());
    holder.execute_batch("ROLLBACK").unwrap();
    store.commit(&[put("c", "3")]).unwrap();
}

#[test]
fn a_reader_that_stays_does_not_stop_writers_and_sees_no_half_batch() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    let store = open(&path);
    store.commit(&[put("a", "1"), put("b", "2")]).unwrap();
    let reader = Connection::open(&path).unwrap();
    reader.execute_batch("BEGIN").unwrap();
    let count = || {
        reader
            .query_row("SELECT count(*) FROM documents", [], |row| {
                row.get::<_, u32>(0)
            })
            .unwrap()
    };
    assert_eq!(count(), 2);
    for number in 0..200 {
        store
            .commit(&[put(&format!("{number}"), &"x".repeat(5000))])
            .unwrap();
    }
    assert_eq!(count(), 2);
    reader.execute_batch("COMMIT").unwrap();
    assert_eq!(count(), 202);
}

/// A file system of its own, which goes away with it.
struct Mount(tempfile::TempDir);

impl Mount {
    /// Says so and gives nothing if this machine does not permit it.
    fn new(options: &str) -> Option<Mount> {
        let directory = tempfile::tempdir().unwrap();
        let done = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(directory.path())
            .output();
        match done {
            Ok(output) if output.status.success() => Some(Mount(directory)),
            other => {
                skipped(&format!("a tmpfs can't be mounted here: {other:?}"));
                None
            }
        }
    }

    fn remount(&self, options: &str) {
        let done = Command::new("mount")
            .args(["-o", options])
            .arg(self.0.path())
            .status()
            .unwrap();
        assert!(done.success());
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_changes_nothing_and_hinders_no_reader() {
    let Some(mount) = Mount::new("size=2m") else {
        return;
    };
    let path = mount.0.path().join("memory.db");
    let store = open(&path);
    store.commit(&[put("a", "1"), put("b", "2")]).unwrap();
    let mut written = 0;
    let error = loop {
        // Nothing in it can be said shorter.
        let noise = (0..12_000u32).map(|number| number + written * 12_000);
        let noise: String = noise
            .map(|number| format!("{:08x}", number.wrapping_mul(0x9e37_79b9)))
            .collect();
        match store.commit(&[put(&format!("big-{written:03}"), &noise)]) {
            Ok(()) => written += 1,
            Err(error) => break error,
        }
        assert!(written < 100);
    };
    let Error::Full(message) = error else {
        panic!("{error:?}")
    };
    assert!(
        message.contains("no space left") && message.contains("nothing was changed"),
        "{message}"
    );
    for store in [store, open(&path)] {
        assert_eq!(store.count("note", &[]), Ok(2 + written));
        assert_eq!(store.get_many(&[key("a"), key("b")]).unwrap().len(), 2);
        assert_eq!(store.integrity(), Ok(vec![]));
    }
    mount.remount("remount,size=8m");
    open(&path).commit(&[put("after", "x")]).unwrap();
    assert_eq!(open(&path).count("note", &[]), Ok(3 + written));
}

#[test]
fn a_new_store_on_a_full_disk_is_full() {
    let Some(mount) = Mount::new("size=64k") else {
        return;
    };
    std::fs::write(mount.0.path().join("filler"), vec![1; 60 * 1024]).unwrap();
    let error =
        SqliteStore::open(&mount.0.path().join("memory.db"), Options::default()).unwrap_err();
    assert!(
        matches!(error, OpenError::Failed(Error::Full(_))),
        "{error:?}"
    );
}

#[test]
fn a_store_opened_read_only_is_read_and_refuses_commits() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    let writer = open(&path);
    writer.commit(&[put("a", "1"), put("b", "2")]).unwrap();
    let reader = SqliteStore::open(&path, read_only()).unwrap();
    assert_whole(&reader);
    assert_refuses_to_write(&reader);
    writer.commit(&[put("c", "3")]).unwrap();
    assert_eq!(
        find(&reader, Order::ById),
        ["a", "b", "c"],
        "it sees what others write"
    );
}

#[test]
fn a_store_that_is_not_there_is_not_made_by_a_reader() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    let error = SqliteStore::open(&path, read_only()).unwrap_err();
    assert!(error.to_string().contains("can't be opened"), "{error}");
    assert!(!path.exists());
    let error =
        SqliteStore::open(&directory.path().join("no/memory.db"), Options::default()).unwrap_err();
    assert!(error.to_string().contains("directory"), "{error}");
}

#[test]
fn a_store_on_a_read_only_file_system_is_read_and_refuses_commits() {
    let Some(mount) = Mount::new("size=8m") else {
        return;
    };
    let path = mount.0.path().join("memory.db");
    open(&path).commit(&[put("a", "1"), put("b", "2")]).unwrap();
    let both = || [Options::default(), read_only()];
    // As it is left behind by the last process: with a log, and the index of the log.
    mount.remount("remount,ro");
    for options in both() {
        let store = SqliteStore::open(&path, options).unwrap();
        assert_whole(&store);
        assert_refuses_to_write(&store);
    }
    // Carried over into the file, and nothing beside it: as a backup is copied.
    mount.remount("remount,rw");
    let connection = Connection::open(&path).unwrap();
    connection
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
    drop(connection);
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(mount.0.path().join(format!("memory.db{suffix}")));
    }
    mount.remount("remount,ro");
    for options in both() {
        let store = SqliteStore::open(&path, options).unwrap();
        assert_whole(&store);
        assert_refuses_to_write(&store);
    }
}

/// What a user sees who may read a store but write nothing beside it.
#[test]
fn a_store_in_a_directory_of_somebody_else_is_read_and_refuses_commits() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    const STORE: &str = "TWICESHY_STORE_OF_SOMEBODY_ELSE";
    if let Ok(path) = std::env::var(STORE) {
        for options in [Options::default(), read_only()] {
            let store = SqliteStore::open(Path::new(&path), options).unwrap();
            assert_whole(&store);
            assert_refuses_to_write(&store);
        }
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    open(&path).commit(&[put("a", "1"), put("b", "2")]).unwrap();
    let permit =
        |mode| std::fs::set_permissions(directory.path(), PermissionsExt::from_mode(mode)).unwrap();
    for carried_over in [false, true] {
        if carried_over {
            let connection = Connection::open(&path).unwrap();
            connection
                .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
                .unwrap();
        }
        permit(0o555);
        let name = "files::a_store_in_a_directory_of_somebody_else_is_read_and_refuses_commits";
        let mut child = Command::new(std::env::current_exe().unwrap());
        child
            .args(["--exact", name, "--nocapture"])
            .env(STORE, &path);
        // Permissions do not bind root, who becomes nobody for this.
        let output = match child.uid(65534).gid(65534).output() {
            Ok(output) => output,
            Err(error) => {
                skipped(&format!("no other user to be: {error}"));
                return permit(0o755);
            }
        };
        permit(0o755);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn a_log_that_cannot_be_read_is_never_left_out_in_silence() {
    let Some(mount) = Mount::new("size=8m") else {
        return;
    };
    let path = mount.0.path().join("memory.db");
    open(&path).commit(&[put("a", "1"), put("b", "2")]).unwrap();
    std::fs::remove_file(mount.0.path().join("memory.db-shm")).unwrap();
    mount.remount("remount,ro");
    match SqliteStore::open(&path, read_only()) {
        Ok(store) => assert_whole(&store),
        Err(error) => assert!(error.to_string().contains("-wal"), "{error}"),
    }
}
