//! Moving a memory from one store to another: whole, while others write, and after a process was killed on the way.
//!
//! Between files these tests run everywhere; those of a database need a server: `tests/postgres/with cargo test -p
//! twiceshy-store postgres`. A child is this test binary again, told by an environment variable what to move.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use twiceshy_store::migration::{Contents, Moved, Progress, Side, Stage, Whole, migrate};
use twiceshy_store::{
    DirectoryArchive, Options, PostgresAddress, PostgresArchive, PostgresOptions, PostgresStore,
    SqliteStore,
};
use twiceshy_wit::host::{
    Attribute, AttributeOrder, Change, Document, Error, Found, Key, Order, Precondition, Put,
    Query, Removal, Store, Value,
};

use crate::postgres::{new_memory, server};

const ROLE: &str = "TWICESHY_STORE_MOVER";

trait Both: Store + Whole + Send + Sync {}
impl<T: Store + Whole + Send + Sync> Both for T {}

/// A memory, by a directory or the address of a database.
struct Memory {
    store: Arc<dyn Both>,
    archive: Box<dyn Contents>,
    name: String,
}

impl Memory {
    fn open(name: &str) -> Memory {
        let patience = Duration::from_secs(60);
        if name.starts_with("postgres") {
            let address = PostgresAddress::parse(name).unwrap();
            let store = PostgresStore::open(&address, PostgresOptions { patience }).unwrap();
            let store = Arc::new(store);
            return Memory {
                archive: Box::new(PostgresArchive::new(store.clone())),
                store,
                name: name.into(),
            };
        }
        let place = Path::new(name);
        std::fs::create_dir_all(place).unwrap();
        let options = Options {
            busy_timeout: patience,
            ..Options::default()
        };
        Memory {
            store: Arc::new(SqliteStore::open(&place.join("memory.db"), options).unwrap()),
            archive: Box::new(DirectoryArchive::new(place.join("archive"))),
            name: name.into(),
        }
    }

    fn side(&self) -> Side<'_> {
        Side {
            store: &*self.store,
            archive: &*self.archive,
            place: &self.name,
        }
    }

    /// By kind the ids and versions in the order of arrival.
    fn listing(&self) -> BTreeMap<String, Vec<(String, u32)>> {
        let kinds = self.store.kinds().unwrap().into_iter();
        kinds
            .map(|kind| {
                let entries = self.store.entries(&kind).unwrap();
                let entries = entries.into_iter().map(|entry| (entry.id, entry.version));
                (kind, entries.collect::<Vec<_>>())
            })
            .filter(|(_, entries)| !entries.is_empty())
            .collect()
    }

    fn answers(&self) -> Vec<Vec<Found>> {
        let orders = [
            Order::ByText("word3 common".into()),
            Order::ByNearest(vec![1.0, 0.5, -0.25, 0.0]),
            Order::ByAttribute(AttributeOrder {
                attribute: "size".into(),
                descending: false,
            }),
            Order::ByAttribute(AttributeOrder {
                attribute: "name".into(),
                descending: true,
            }),
        ];
        orders
            .into_iter()
            .map(|order| {
                let query = Query {
                    kind: "note".into(),
                    conditions: vec![],
                    order,
                    offset: 0,
                    limit: 50,
                };
                self.store.find(&query).unwrap()
            })
            .collect()
    }
}

fn key(kind: &str, id: &str) -> Key {
    Key {
        kind: kind.into(),
        id: id.into(),
    }
}

fn document(kind: &str, number: usize, body: &str) -> Document {
    let attribute = |name: &str, value| Attribute {
        name: name.into(),
        value,
    };
    let has_vector = kind == "note";
    Document {
        key: key(kind, &format!("d{number}")),
        body: format!("{body} of {number}: {}", "long ".repeat(number % 40)),
        attributes: vec![
            attribute("size", Value::Number(-(number as f64) / 3.0)),
            attribute("name", Value::Text(format!("n{}", number % 7))),
            attribute("name", Value::Text("twice".into())),
        ],
        text: format!("Common word{} WORD{}", number % 10, number % 90),
        vector: match has_vector {
            true => vec![number as f32 + 1.0, 0.5, -(number as f32), 0.25],
            false => vec![],
        },
    }
}

fn put(document: Document) -> Change {
    Change::Put(Put {
        document,
        precondition: Precondition::Anything,
    })
}

fn remove(kind: &str, id: &str) -> Change {
    Change::Remove(Removal {
        key: key(kind, id),
        precondition: Precondition::Anything,
    })
}

/// Documents of two kinds, some written several times, removed or added again, and contents of cold storage.
fn fill(memory: &Memory, count: usize) {
    for kind in ["note", "step"] {
        for first in (0..count).step_by(500) {
            let batch: Vec<Change> = (first..count.min(first + 500))
                .map(|number| put(document(kind, number, "first")))
                .collect();
            memory.store.commit(&batch).unwrap();
        }
        for number in (0..count).step_by(11) {
            let again = [put(document(kind, number, "second"))];
            memory.store.commit_lightly(&again).unwrap();
        }
        for number in (3..count).step_by(17) {
            let gone = [remove(kind, &format!("d{number}"))];
            memory.store.commit_lightly(&gone).unwrap();
        }
        // It arrives anew, at the end.
        memory
            .store
            .commit(&[put(document(kind, 3, "again"))])
            .unwrap();
    }
    for number in 0..5 {
        let content = format!("content {number} ").repeat(1_000);
        memory.archive.keep(content.as_bytes()).unwrap();
    }
}

fn moved(from: &Memory, to: &Memory) -> Result<Moved, Error> {
    migrate(from.side(), to.side(), &mut |_| {})
}

fn assert_equal(from: &Memory, to: &Memory) {
    assert_eq!(from.listing(), to.listing());
    assert_eq!(from.answers(), to.answers());
    let names = from.archive.names().unwrap();
    assert_eq!(names, to.archive.names().unwrap());
    for name in names {
        assert_eq!(from.archive.fetch(&name), to.archive.fetch(&name));
    }
}

/// Two places where nothing is yet: files, or a database and a file.
struct Places(tempfile::TempDir);

impl Places {
    fn new() -> Places {
        Places(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }
}

/// The address of a new memory in the database, with its password.
fn database(server: &str) -> String {
    let memory = new_memory(server);
    let joint = if server.contains('?') { '&' } else { '?' };
    format!("{server}{joint}memory={}", memory.memory())
}

fn moves_whole(from: &str, to: &str) {
    let (from, to) = (Memory::open(from), Memory::open(to));
    fill(&from, 1_200);
    let report = moved(&from, &to).unwrap();
    assert_equal(&from, &to);
    let counts: Vec<(&str, u64)> = report
        .collections
        .iter()
        .map(|one| (one.name.as_str(), one.count))
        .collect();
    let count = from.store.entries("note").unwrap().len() as u64;
    assert_eq!(counts, [("note", count), ("step", count)]);
    assert_eq!(report.archive.count, 5);
    assert!(!report.resumed);
    assert_eq!(report.changed_meanwhile, 0);
    // The new place is a memory like any other.
    to.store
        .commit(&[Change::Put(Put {
            document: document("note", 11, "third"),
            precondition: Precondition::At(2),
        })])
        .unwrap();
    let refused = moved(&from, &to).unwrap_err();
    assert!(
        matches!(&refused, Error::InvalidArgument(why) if why.contains("is not empty")),
        "{refused:?}"
    );
}

#[test]
fn a_memory_moves_whole_to_postgres_with_an_object_store_and_back() {
    let Some(server) = server() else { return };
    let Some(objects) = crate::postgres::with_objects(&new_memory(&server), &server) else {
        return;
    };
    let places = Places::new();
    moves_whole(&places.file("a"), &objects);
    let (from, to) = (Memory::open(&objects), Memory::open(&places.file("b")));
    moved(&from, &to).unwrap();
    assert_equal(&from, &to);
}

fn follows_writers(from: &str, to: &str) {
    let (from, to) = (Memory::open(from), Memory::open(to));
    fill(&from, 3_000);
    let stop = AtomicBool::new(false);
    let acknowledged = Mutex::new(BTreeMap::new());
    // What was acknowledged before the writers were held.
    let mut before = BTreeMap::new();
    let (report, writes) = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let other = Memory::open(&from.name);
            let mut writes = 0;
            for number in 0.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let id = number * 7 % 4_000;
                let batch = match number % 5 {
                    0 => vec![remove("step", &format!("d{id}"))],
                    _ => vec![put(document("step", id, &format!("written {number}")))],
                };
                other.store.commit_lightly(&batch).unwrap();
                writes += 1;
                let mut acknowledged = acknowledged.lock().unwrap();
                let content = (number % 5 != 0)
                    .then(|| document("step", id, &format!("written {number}")).body);
                acknowledged.insert(format!("d{id}"), content);
            }
            writes
        });
        let report = migrate(from.side(), to.side(), &mut |progress: Progress| {
            if progress.stage == Stage::Last && !stop.swap(true, Ordering::Relaxed) {
                before = acknowledged.lock().unwrap().clone();
            }
        });
        (report.unwrap(), writer.join().unwrap())
    });
    assert!(writes > 20, "the writer wrote {writes} times");
    assert!(report.changed_meanwhile > 0, "{report:?}");
    assert!(before.len() > 10);
    // One commit may have been under way when the writers were held: it is the last that was acknowledged.
    let mut lost = BTreeSet::new();
    for (id, content) in &before {
        let there = to.store.documents("step", &[id]).unwrap().pop();
        let last = acknowledged.lock().unwrap()[id].clone();
        let there = there.map(|kept| kept.document.body);
        if there != *content && there != last {
            lost.insert(id.clone());
        }
    }
    assert!(lost.is_empty(), "lost: {lost:?}");
    // What the writer still wrote after the hold was dropped is at most the one commit that it was waiting with.
    let (here, there) = (from.listing(), to.listing());
    assert_eq!(here["note"], there["note"]);
    let differing = |a: &[(String, u32)], b: &[(String, u32)]| {
        let b: BTreeSet<_> = b.iter().collect();
        a.iter().filter(|entry| !b.contains(entry)).count()
    };
    assert!(differing(&here["step"], &there["step"]) <= 1);
    assert!(differing(&there["step"], &here["step"]) <= 1);
}

fn survives_kills(from: &str, to: &str) {
    fill(&Memory::open(from), 2_000);
    let mut kills = 0;
    for lines in [1, 2, 4, 7, 9] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "migration::what_a_mover_does", "--nocapture"])
            .env(ROLE, format!("{from}\n{to}"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let said = output
            .lines()
            .map_while(Result::ok)
            .filter(|line| line.contains("progress"))
            .take(lines)
            .count();
        // SIGKILL: it can't put anything in order.
        child.kill().unwrap();
        child.wait().unwrap();
        kills += u32::from(said == lines);
    }
    assert_eq!(kills, 5, "each was killed on its way");
    let (from, to) = (Memory::open(from), Memory::open(to));
    let report = moved(&from, &to).unwrap();
    assert!(report.resumed, "{report:?}");
    assert_equal(&from, &to);
}

#[test]
fn what_a_mover_does() {
    let Ok(role) = std::env::var(ROLE) else {
        return;
    };
    let (from, to) = role.split_once('\n').unwrap();
    let (from, to) = (Memory::open(from), Memory::open(to));
    migrate(from.side(), to.side(), &mut |progress| {
        println!("progress {progress:?}");
        // Slow enough that each is killed where it was meant to be.
        std::thread::sleep(Duration::from_millis(20));
    })
    .unwrap();
}

#[test]
fn a_memory_moves_whole_from_file_to_file() {
    let places = Places::new();
    moves_whole(&places.file("a"), &places.file("b"));
}

#[test]
fn a_memory_moves_whole_to_postgres_and_back() {
    let Some(server) = server() else { return };
    let places = Places::new();
    let database = database(&server);
    moves_whole(&places.file("a"), &database);
    let back = Memory::open(&places.file("b"));
    let from = Memory::open(&database);
    moved(&from, &back).unwrap();
    assert_equal(&from, &back);
}

#[test]
fn what_is_written_while_a_memory_moves_moves_as_well() {
    let places = Places::new();
    follows_writers(&places.file("a"), &places.file("b"));
}

#[test]
fn what_is_written_while_a_memory_moves_to_postgres_moves_as_well() {
    let Some(server) = server() else { return };
    let places = Places::new();
    follows_writers(&places.file("a"), &database(&server));
    follows_writers(&database(&server), &places.file("b"));
}

#[test]
fn a_move_whose_process_was_killed_goes_on() {
    let places = Places::new();
    survives_kills(&places.file("a"), &places.file("b"));
}

#[test]
fn a_move_to_postgres_whose_process_was_killed_goes_on() {
    let Some(server) = server() else { return };
    let places = Places::new();
    survives_kills(&places.file("a"), &database(&server));
    survives_kills(&database(&server), &places.file("b"));
}

#[test]
fn a_target_that_holds_another_move_is_refused() {
    let places = Places::new();
    let from = Memory::open(&places.file("a"));
    let (other, to) = (
        Memory::open(&places.file("c")),
        Memory::open(&places.file("b")),
    );
    fill(&from, 400);
    fill(&other, 10);
    // Interrupted: the first look at progress ends it.
    let interrupted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        migrate(from.side(), to.side(), &mut |_| panic!("interrupted"))
    }));
    assert!(interrupted.is_err());
    let refused = moved(&other, &to).unwrap_err();
    assert!(
        matches!(&refused, Error::InvalidArgument(why) if why.contains(&from.name)),
        "{refused:?}"
    );
    assert!(moved(&from, &to).unwrap().resumed);
    assert_equal(&from, &to);
}

/// Somebody else uses the target before the move has ended.
fn is_not_written_over(from: &str, to: &str) {
    let (from, to) = (Memory::open(from), Memory::open(to));
    fill(&from, 300);
    let theirs = document("note", 77_777, "theirs");
    let mut is_written = false;
    let refused = migrate(from.side(), to.side(), &mut |progress: Progress| {
        if progress.stage == Stage::Archive && !is_written {
            is_written = true;
            to.store.commit(&[put(theirs.clone())]).unwrap();
        }
    });
    assert!(is_written);
    assert!(
        matches!(&refused, Err(Error::Conflict(why)) if why.contains(&theirs.key.id) && why.contains(&to.name)),
        "{refused:?}"
    );
    let is_there = || {
        !to.store
            .documents("note", &[&theirs.key.id])
            .unwrap()
            .is_empty()
    };
    assert!(is_there());
    // Nor when the move is begun again.
    let refused = moved(&from, &to).unwrap_err();
    assert!(
        matches!(&refused, Error::InvalidArgument(why) if why.contains("is not empty")),
        "{refused:?}"
    );
    assert!(is_there());
}

#[test]
fn what_somebody_else_writes_to_the_target_of_a_move_is_not_written_over() {
    let places = Places::new();
    is_not_written_over(&places.file("a"), &places.file("b"));
}

#[test]
fn what_somebody_else_writes_to_the_target_of_a_move_to_postgres_is_not_written_over() {
    let Some(server) = server() else { return };
    let places = Places::new();
    is_not_written_over(&places.file("a"), &database(&server));
}

#[test]
fn a_content_that_somebody_else_puts_into_the_target_of_a_move_is_not_removed() {
    let places = Places::new();
    let (from, to) = (
        Memory::open(&places.file("a")),
        Memory::open(&places.file("b")),
    );
    fill(&from, 10);
    let mut theirs = None;
    let refused = migrate(from.side(), to.side(), &mut |progress: Progress| {
        if progress.stage == Stage::Archive && theirs.is_none() {
            theirs = Some(to.archive.keep(b"theirs").unwrap());
        }
    });
    assert!(matches!(&refused, Err(Error::Conflict(_))), "{refused:?}");
    let theirs = theirs.unwrap();
    assert_eq!(to.archive.fetch(&theirs).unwrap(), b"theirs");
}

#[test]
fn vectors_that_become_longer_and_contents_that_are_purged_meanwhile_are_followed() {
    let places = Places::new();
    let (from, to) = (
        Memory::open(&places.file("a")),
        Memory::open(&places.file("b")),
    );
    fill(&from, 600);
    let purged = from.archive.names().unwrap().pop_first().unwrap();
    let mut is_changed = false;
    let report = migrate(from.side(), to.side(), &mut |progress: Progress| {
        if progress.stage == Stage::Archive && progress.done == 5 && !is_changed {
            is_changed = true;
            from.archive.discard(&purged).unwrap();
            let longer: Vec<Change> = (0..600)
                .map(|number| {
                    let mut longer = document("note", number, "longer");
                    longer.vector.push(1.0);
                    put(longer)
                })
                .collect();
            from.store.commit(&longer).unwrap();
        }
    });
    report.unwrap();
    assert!(is_changed);
    assert_eq!(from.listing(), to.listing());
    assert!(!to.archive.names().unwrap().contains(&purged));
    assert_eq!(from.archive.names(), to.archive.names());
    let nearest = |memory: &Memory| {
        let query = Query {
            kind: "note".into(),
            conditions: vec![],
            order: Order::ByNearest(vec![1.0, 0.0, 0.0, 0.0, 1.0]),
            offset: 0,
            limit: 20,
        };
        memory.store.find(&query).unwrap()
    };
    assert_eq!(nearest(&from), nearest(&to));
}
