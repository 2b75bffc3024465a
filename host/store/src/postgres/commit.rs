//! Owns the writing of documents: a batch is worked out in the program, and then written in a few statements.
//!
//! The first way to the server begins the transaction, notes the id of the commit, gives it a number and locks the
//! documents of the batch in the order of their keys, so that two commits never wait for each other. Then it is known
//! what the batch comes to, and the second way writes that and ends the transaction.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use tokio_postgres::Row;
use tokio_postgres::types::Type;
use twiceshy_documents::{validate, version};
use twiceshy_wit::host::{Change, Document, Error, Key, Precondition};

use super::PostgresStore;
use super::beside::Beside;
use super::failure::Failure;
use super::rows::{CHANGE, INSERT, Rows, Written};
use super::schema::{VECTORS, WRITERS};
use super::session::{Session, Statement};
use crate::bodies;

/// Documents of one commit have numbers from its own number times this on. A batch has no more changes than 1,000.
pub const NUMBERS: i64 = 1_024;

/// Every so many commits somebody enters fresh texts into the lists of their terms.
pub const SETTLED_EVERY: i64 = 64;

/// A document that is there before the batch.
struct Present {
    kind: i32,
    doc: i64,
    version: u32,
    has_vector: bool,
    entries: Vec<Vec<u8>>,
    text: String,
}

/// What a batch comes to.
#[derive(Default)]
struct Outcome<'b> {
    /// Documents that are taken away.
    removed: Vec<usize>,
    /// Documents that are written again, by which of those that are there.
    changed: Vec<(usize, &'b Document, u32)>,
    /// Documents that are new, by the change that brings them.
    new: Vec<(usize, &'b Document, u32)>,
}

/// The state of one key on the way through a batch.
struct Course<'b> {
    /// Which of the documents that were there, if it is still the same one.
    present: Option<usize>,
    version: Option<u32>,
    /// The last document put, and the change that brought the key into being.
    put: Option<(&'b Document, usize)>,
}

/// What was asked to be committed.
pub struct Commit<'b> {
    pub batch: &'b [Change],
    pub id: Vec<u8>,
    pub light: bool,
    /// The version of each document that is put, by its change; otherwise they are counted on.
    pub versions: Option<&'b [u32]>,
}

/// Makes a commit. `sent` becomes true before the end of the transaction is sent. Returns the number of the commit.
pub fn make(
    store: &PostgresStore,
    session: &mut Session,
    commit: &Commit,
    sent: &mut bool,
    deadline: Instant,
) -> Result<i64, Failure> {
    let kinds = store.kinds_of(session, commit.batch, deadline)?;
    let result = in_transaction(store, session, commit, &kinds, sent, deadline);
    if result.is_err() {
        session.roll_back();
    }
    result
}

fn in_transaction(
    store: &PostgresStore,
    session: &mut Session,
    commit: &Commit,
    kinds: &BTreeMap<&str, i32>,
    sent: &mut bool,
    deadline: Instant,
) -> Result<i64, Failure> {
    let memory = store.memory()?;
    let keys: BTreeSet<(i32, &str)> = commit
        .batch
        .iter()
        .map(|change| {
            let Key { kind, id } = key(change);
            (kinds[kind.as_str()], id.as_str())
        })
        .collect();
    let (key_kinds, key_ids): (Vec<i32>, Vec<String>) = keys
        .iter()
        .map(|(kind, id)| (*kind, (*id).to_owned()))
        .unzip();
    let vector_kinds: Vec<i32> = with_vectors(commit.batch, kinds);
    let mut statements = vec![Statement::new("BEGIN")];
    if commit.light {
        statements.push(Statement::new("SET LOCAL synchronous_commit = off"));
    }
    statements.push(
        Statement::new("INSERT INTO twiceshy.commits (memory, id) VALUES ($1, $2) RETURNING nextval('twiceshy.arrivals'), pg_advisory_xact_lock_shared($3, $1)")
            .with(memory, Type::INT4)
            .with(commit.id.clone(), Type::BYTEA)
            .with(WRITERS, Type::INT4),
    );
    let noted = statements.len() - 1;
    if !vector_kinds.is_empty() {
        statements.push(
            Statement::new(
                "SELECT pg_advisory_xact_lock_shared($1, kind) FROM unnest($2) WITH ORDINALITY u(kind, n) ORDER BY n",
            )
            .with(VECTORS, Type::INT4)
            .with(vector_kinds.clone(), Type::INT4_ARRAY),
        );
        statements.push(
            Statement::new("SELECT kind, length FROM twiceshy.kinds WHERE kind = ANY ($1)")
                .with(vector_kinds.clone(), Type::INT4_ARRAY),
        );
    }
    statements.push(
        Statement::new(
            "SELECT d.kind, d.id, d.doc, d.version, d.has_vector, d.entries, CASE WHEN d.has_text THEN d.body END
             FROM twiceshy.documents d JOIN unnest($1, $2) u(kind, id) ON d.kind = u.kind AND d.id = u.id
             ORDER BY d.kind, d.id FOR UPDATE OF d",
        )
        .with(key_kinds, Type::INT4_ARRAY)
        .with(key_ids, Type::TEXT_ARRAY),
    );
    let statements: Vec<Statement> = statements.into_iter().map(Statement::steady).collect();
    let mut rows = session.run(&statements, deadline)?;
    let number: i64 = rows[noted].first().map_or(0, |row| row.get(0));
    let present = rows.pop().unwrap_or_default();
    let lengths: BTreeMap<i32, Option<i32>> = match vector_kinds.is_empty() {
        true => BTreeMap::new(),
        false => rows
            .pop()
            .unwrap_or_default()
            .iter()
            .map(|row| (row.get(0), row.get(1)))
            .collect(),
    };
    let (present, places) = read_present(present)?;
    let outcome = outcome(commit, kinds, &present, &places)?;
    let new_lengths = lengths_after(commit.batch, &outcome, kinds)?;
    let mut writes = write(memory, number, &outcome, &present, kinds);
    // Vectors of another length: nobody else may write vectors of the kind now, and no other may be left.
    let other: Vec<(i32, i32)> = new_lengths
        .iter()
        .filter(|(kind, length)| lengths.get(kind).copied().flatten() != Some(**length))
        .map(|(kind, length)| (*kind, *length))
        .collect();
    if !other.is_empty() {
        exchange_lengths(session, commit.batch, kinds, &other, writes, deadline)?;
        writes = Vec::new();
    }
    writes.push(Statement::new("COMMIT"));
    if store.has_replica() {
        writes.push(Statement::new("SELECT pg_current_wal_insert_lsn()::text"));
    }
    *sent = true;
    let mut rows = session.run(&writes, deadline).inspect_err(|failure| {
        // The server answered: what failed was not made.
        *sent = matches!(failure, Failure::Lost(_));
    })?;
    if store.has_replica()
        && let Some(position) = rows.pop().and_then(|rows| Some(rows.first()?.get(0)))
    {
        store.note_position(position);
    }
    Ok(number)
}

fn key(change: &Change) -> &Key {
    match change {
        Change::Put(put) => &put.document.key,
        Change::Remove(removal) => &removal.key,
    }
}

/// The kinds of which a batch writes vectors, in their order.
fn with_vectors(batch: &[Change], kinds: &BTreeMap<&str, i32>) -> Vec<i32> {
    let kinds: BTreeSet<i32> = batch
        .iter()
        .filter_map(|change| match change {
            Change::Put(put) if !put.document.vector.is_empty() => {
                Some(kinds[put.document.key.kind.as_str()])
            }
            _ => None,
        })
        .collect();
    kinds.into_iter().collect()
}

type Places = BTreeMap<(i32, String), usize>;

fn read_present(rows: Vec<Row>) -> Result<(Vec<Present>, Places), Failure> {
    let (mut all, mut places) = (Vec::with_capacity(rows.len()), Places::new());
    for row in rows {
        let (kind, version): (i32, i64) = (row.get(0), row.get(3));
        places.insert((kind, row.get(1)), all.len());
        let text = match row.get::<_, Option<&[u8]>>(6) {
            Some(body) => bodies::unpacked(body)?.into_text(),
            None => String::new(),
        };
        all.push(Present {
            kind,
            doc: row.get(2),
            version: u32::try_from(version).unwrap_or(u32::MAX),
            has_vector: row.get(4),
            entries: row.get(5),
            text,
        });
    }
    Ok((all, places))
}

/// Goes through a batch change by change, as if each was made alone.
fn outcome<'b>(
    commit: &Commit<'b>,
    kinds: &BTreeMap<&str, i32>,
    present: &[Present],
    places: &Places,
) -> Result<Outcome<'b>, Error> {
    let mut courses: BTreeMap<(i32, &str), Course> = BTreeMap::new();
    let mut outcome = Outcome::default();
    for (index, change) in commit.batch.iter().enumerate() {
        let (key, precondition): (&Key, &Precondition) = match change {
            Change::Put(put) => (&put.document.key, &put.precondition),
            Change::Remove(removal) => (&removal.key, &removal.precondition),
        };
        let kind = kinds[key.kind.as_str()];
        let course = courses.entry((kind, &key.id)).or_insert_with(|| {
            let place = places.get(&(kind, key.id.clone())).copied();
            Course {
                present: place,
                version: place.map(|place| present[place].version),
                put: None,
            }
        });
        version::check(key, course.version, precondition)?;
        match change {
            Change::Put(put) => {
                let version = match commit.versions.and_then(|all| all.get(index)) {
                    Some(version) => *version,
                    None => version::next(key, course.version)?,
                };
                let brought_by = match course.put {
                    Some((_, first)) if course.version.is_some() => first,
                    _ => index,
                };
                course.version = Some(version);
                course.put = Some((&put.document, brought_by));
            }
            Change::Remove(_) => {
                outcome.removed.extend(course.present.take());
                course.version = None;
                course.put = None;
            }
        }
    }
    // In the order of their keys, in which others write as well.
    for course in courses.into_values() {
        let (Some((document, brought_by)), Some(version)) = (course.put, course.version) else {
            continue;
        };
        match course.present {
            Some(place) => outcome.changed.push((place, document, version)),
            None => outcome.new.push((brought_by, document, version)),
        }
    }
    Ok(outcome)
}

/// The length that the vectors of each kind have in what is written: one for each kind.
fn lengths_after(
    batch: &[Change],
    outcome: &Outcome,
    kinds: &BTreeMap<&str, i32>,
) -> Result<BTreeMap<i32, i32>, Error> {
    let mut lengths = BTreeMap::new();
    let all = outcome.changed.iter().chain(&outcome.new);
    for (_, document, _) in all.filter(|(_, document, _)| !document.vector.is_empty()) {
        let kind = &document.key.kind;
        let length = document.vector.len();
        let other = *lengths.entry(kinds[kind.as_str()]).or_insert(length);
        validate::same_length(&member(batch, document), kind, length, other)?;
    }
    let length = |length: usize| i32::try_from(length).unwrap_or(i32::MAX);
    Ok(lengths
        .into_iter()
        .map(|(kind, one)| (kind, length(one)))
        .collect())
}

/// How a vector of a batch is called in a refusal.
fn member(batch: &[Change], document: &Document) -> String {
    let place = batch.iter().position(
        |change| matches!(change, Change::Put(put) if std::ptr::eq(&put.document, document)),
    );
    format!("batch[{}].document.vector", place.unwrap_or_default())
}

/// Writes vectors of another length than those of their kind had, if all others are gone then.
fn exchange_lengths(
    session: &mut Session,
    batch: &[Change],
    kinds: &BTreeMap<&str, i32>,
    other: &[(i32, i32)],
    writes: Vec<Statement>,
    deadline: Instant,
) -> Result<(), Failure> {
    let mut statements: Vec<Statement> = other
        .iter()
        .map(|(kind, _)| {
            Statement::new("SELECT pg_advisory_xact_lock($1, $2)")
                .with(VECTORS, Type::INT4)
                .with(*kind, Type::INT4)
        })
        .collect();
    statements.extend(writes);
    for (kind, length) in other {
        statements.push(
            Statement::new("UPDATE twiceshy.kinds SET length = $2 WHERE kind = $1")
                .with(*kind, Type::INT4)
                .with(*length, Type::INT4),
        );
    }
    session.run(&statements, deadline)?;
    for (kind, length) in other {
        let rows = session.one(
            Statement::new(
                "SELECT octet_length(vector) / 4 FROM twiceshy.vectors
                 WHERE kind = $1 AND octet_length(vector) <> $2 * 4 LIMIT 1",
            )
            .with(*kind, Type::INT4)
            .with(*length, Type::INT4),
            deadline,
        )?;
        if let Some(left) = rows.first().map(|row| row.get::<_, i32>(0)) {
            let name = kinds
                .iter()
                .find(|(_, one)| *one == kind)
                .map_or("", |(name, _)| name);
            let document = batch.iter().find_map(|change| match change {
                Change::Put(put)
                    if put.document.key.kind == name && !put.document.vector.is_empty() =>
                {
                    Some(&put.document)
                }
                _ => None,
            });
            let member = document.map_or_else(String::new, |document| member(batch, document));
            validate::same_length(&member, name, *length as usize, left as usize)?;
        }
    }
    Ok(())
}

/// The statements that write what a batch comes to.
fn write(
    memory: i32,
    number: i64,
    outcome: &Outcome,
    present: &[Present],
    kinds: &BTreeMap<&str, i32>,
) -> Vec<Statement> {
    let mut beside = Beside::default();
    let mut statements = Vec::new();
    let removed: Vec<i64> = outcome
        .removed
        .iter()
        .map(|place| present[*place].doc)
        .collect();
    if !removed.is_empty() {
        statements.push(
            Statement::new("DELETE FROM twiceshy.documents WHERE doc = ANY ($1)")
                .steady()
                .with(removed, Type::INT8_ARRAY),
        );
    }
    for before in outcome.removed.iter().map(|place| &present[*place]) {
        for entry in &before.entries {
            beside.leave(before.kind, entry, before.doc);
        }
        beside.remove_text(before.kind, before.doc, &before.text);
        if before.has_vector {
            beside.no_vectors.0.push(before.kind);
            beside.no_vectors.1.push(before.doc);
        }
    }
    let mut rows = Rows::new(CHANGE);
    for (place, document, version) in &outcome.changed {
        let before = &present[*place];
        let written = Written::new(document);
        let kind_name = document.key.kind.as_str();
        beside.note_repeated(before.kind, &written.entries);
        for entry in before
            .entries
            .iter()
            .filter(|entry| !written.entries.contains(entry))
        {
            beside.leave(before.kind, entry, before.doc);
        }
        for entry in written
            .entries
            .iter()
            .filter(|entry| !before.entries.contains(entry))
        {
            beside.enter(before.kind, kind_name, entry, before.doc);
        }
        if before.text != written.text {
            beside.remove_text(before.kind, before.doc, &before.text);
            beside.add_text(before.kind, before.doc, &written.text);
        }
        if before.has_vector {
            beside.no_vectors.0.push(before.kind);
            beside.no_vectors.1.push(before.doc);
        }
        beside.add_vector(before.kind, before.doc, &document.vector);
        rows.change(
            before.doc,
            i64::from(*version),
            written,
            !document.vector.is_empty(),
        );
    }
    statements.extend(rows.end());
    let mut rows = Rows::new(INSERT);
    for (brought_by, document, version) in &outcome.new {
        let doc = number * NUMBERS + *brought_by as i64;
        let kind_name = document.key.kind.as_str();
        let kind = kinds[kind_name];
        let written = Written::new(document);
        beside.note_repeated(kind, &written.entries);
        for entry in &written.entries {
            beside.enter(kind, kind_name, entry, doc);
        }
        beside.add_text(kind, doc, &written.text);
        beside.add_vector(kind, doc, &document.vector);
        let has_vector = !document.vector.is_empty();
        rows.insert(
            (memory, kind, &document.key.id),
            doc,
            i64::from(*version),
            written,
            has_vector,
        );
    }
    statements.extend(rows.end());
    statements.extend(beside.statements(memory));
    statements
}
