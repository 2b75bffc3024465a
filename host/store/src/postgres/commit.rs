//! Owns the writing of documents: what a batch comes to is worked out in the program, and written by one call.
//!
//! A commit is one way to the server: it is worked out from the documents as they were seen last, and the call makes it if
//! they are still so. If they are not, or were not seen, it takes two ways. The first begins the transaction, notes the id
//! of the commit and locks the documents of the batch in the order of their keys, so that two commits never wait for each
//! other. Then it is known what the batch comes to, and the second way writes that and ends the transaction.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime};

use sha2::{Digest, Sha256};
use tokio_postgres::Row;
use tokio_postgres::types::Type;
use twiceshy_documents::{validate, version};
use twiceshy_wit::host::{Change, Document, Error, Key, Precondition};

use super::PostgresStore;
use super::beside::Beside;
use super::failure::Failure;
use super::rows::{self, Rows, Written};
use super::schema::{VECTORS, WRITERS};
use super::session::{Session, Statement};
use crate::bodies;

/// Documents of one commit have numbers from its own number times this on. A batch has no more changes than 1,000.
pub const NUMBERS: i64 = 1_024;

/// Every so many commits what is fresh is entered into its indices.
pub const SETTLED_EVERY: i64 = 64;

/// A commit of more documents enters attributes and vectors itself: readers look through what is fresh.
const MOST_FRESH: usize = 16;

/// A document that is there before a batch, or after it.
#[derive(Debug)]
pub struct Present {
    pub doc: i64,
    pub version: u32,
    pub has_vector: bool,
    pub entries: Vec<Vec<u8>>,
    pub text: String,
}

/// What is under each key of a batch, in the order of the keys.
pub type Known<'b> = BTreeMap<(i32, &'b str), Option<Arc<Present>>>;

/// What a batch comes to.
#[derive(Default)]
struct Outcome<'b> {
    /// Documents that are taken away, and their kinds.
    removed: Vec<(i32, Arc<Present>)>,
    /// Documents that are written again, by those that are there.
    changed: Vec<(Arc<Present>, &'b Document, u32)>,
    /// Documents that are new, by the change that brings them.
    new: Vec<(usize, &'b Document, u32)>,
}

/// The state of one key on the way through a batch.
struct Course<'b> {
    /// The document that was there, if it is still the same one.
    present: Option<Arc<Present>>,
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

/// A commit that is worked out, on its way to the server.
struct Call<'b> {
    statement: Statement,
    /// What is too large for the call, and follows it.
    later: Vec<Statement>,
    /// What is under the keys afterwards; a document that is new goes by its place.
    after: Vec<((i32, &'b str), Option<Present>)>,
    /// Attributes that are noted as those of which a document has several values.
    repeated: Vec<(i32, String)>,
}

/// A commit on its way, and until when.
#[derive(Clone, Copy)]
struct Attempt<'a> {
    store: &'a PostgresStore,
    commit: &'a Commit<'a>,
    kinds: &'a BTreeMap<&'a str, i32>,
    deadline: Instant,
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
    let attempt = Attempt {
        store,
        commit,
        kinds: &kinds,
        deadline,
    };
    if let Some(number) = at_once(attempt, session, sent)? {
        return Ok(number);
    }
    let result = in_transaction(attempt, session, sent);
    if result.is_err() {
        session.roll_back();
    }
    result
}

/// Makes a commit in one call, if the memory is as it was seen last.
fn at_once(
    attempt: Attempt,
    session: &mut Session,
    sent: &mut bool,
) -> Result<Option<i64>, Failure> {
    let Attempt {
        store,
        commit,
        kinds,
        ..
    } = attempt;
    let Some(known) = store.seen.known(commit.batch, kinds) else {
        return Ok(None);
    };
    // What is refused may be refused for what was seen: the server knows.
    let Ok(work) = Work::new(commit, kinds, known) else {
        return Ok(None);
    };
    let call = work.call(store.memory()?, commit, session, false);
    if !call.later.is_empty() {
        return Ok(None);
    }
    let number = match end(attempt, session, vec![call.statement], sent) {
        Ok(rows) => made(&rows[0]),
        // A document is there that had to be new, or vectors are of another length.
        Err(Failure::Crossed(_)) => None,
        Err(failure) => return Err(failure),
    };
    match number {
        Some(number) => {
            session.note(call.repeated);
            store.seen.note(call.after, number);
        }
        None => {
            *sent = false;
            store.seen.forget(call.after.iter().map(|(key, _)| *key));
        }
    }
    Ok(number)
}

/// Makes a commit in two ways.
fn in_transaction(
    attempt: Attempt,
    session: &mut Session,
    sent: &mut bool,
) -> Result<i64, Failure> {
    let Attempt {
        store,
        commit,
        kinds,
        deadline,
    } = attempt;
    let memory = store.memory()?;
    let mut known: Known = (commit.batch.iter())
        .map(|change| (place(key(change), kinds), None))
        .collect();
    let (key_kinds, key_ids): (Vec<i32>, Vec<String>) = (known.keys())
        .map(|(kind, id)| (*kind, (*id).to_owned()))
        .unzip();
    let statements = [
        Statement::new("BEGIN"),
        // First of all: whoever tries a commit again waits here for the first attempt, and learns that it was made.
        Statement::new("INSERT INTO twiceshy.commits (memory, id) VALUES ($1, $2) RETURNING pg_advisory_xact_lock_shared($3, $1)")
            .steady()
            .with(memory, Type::INT4)
            .with(commit.id.clone(), Type::BYTEA)
            .with(WRITERS, Type::INT4),
        Statement::new("SELECT kind, length FROM twiceshy.kinds WHERE kind = ANY ($1)")
            .steady()
            .with(with_vectors(commit.batch, kinds), Type::INT4_ARRAY),
        Statement::new(
            "SELECT d.kind, d.id, d.doc, d.version, d.has_vector, d.entries, CASE WHEN d.has_text THEN d.body END
             FROM twiceshy.documents d JOIN unnest($1, $2) u(kind, id) ON d.kind = u.kind AND d.id = u.id
             ORDER BY d.kind, d.id FOR UPDATE OF d",
        )
        .steady()
        .with(key_kinds, Type::INT4_ARRAY)
        .with(key_ids, Type::TEXT_ARRAY),
    ];
    let rows = session.run(&statements, deadline)?;
    for row in &rows[3] {
        if let Some(known) = known.get_mut(&(row.get(0), row.get(1))) {
            *known = Some(Arc::new(present(row)?));
        }
    }
    let work = Work::new(commit, kinds, known)?;
    let lengths: BTreeMap<i32, Option<i32>> = (rows[2].iter())
        .map(|row| (row.get(0), row.get(1)))
        .collect();
    // Vectors of another length: nobody else may write vectors of the kind now, and no other may be left.
    let other: Vec<(i32, i32)> = (work.lengths.iter())
        .filter(|(kind, length)| lengths.get(kind).copied().flatten() != Some(**length))
        .map(|(kind, length)| (*kind, *length))
        .collect();
    let call = work.call(memory, commit, session, true);
    let mut statements = vec![call.statement];
    statements.extend(call.later);
    let mut number = None;
    if !other.is_empty() {
        statements.splice(0..0, exchange_lengths(&other));
        let rows = session.run(&statements, deadline)?;
        number = made(&rows[2 * other.len()]);
        check_lengths(session, commit.batch, kinds, &other, deadline)?;
        statements.clear();
    }
    statements.push(Statement::new("COMMIT"));
    let rows = end(attempt, session, statements, sent)?;
    let number = number.or_else(|| made(&rows[0]));
    let number = number.ok_or_else(|| Failure::Other("a commit was not numbered".into()))?;
    session.note(call.repeated);
    store.seen.note(call.after, number);
    Ok(number)
}

/// The number of a commit, as the call returns it.
fn made(rows: &[Row]) -> Option<i64> {
    rows.first().and_then(|row| row.get(0))
}

/// Sends what ends the transaction. How far the log is written then is asked on the same way.
fn end(
    attempt: Attempt,
    session: &mut Session,
    mut statements: Vec<Statement>,
    sent: &mut bool,
) -> Result<Vec<Vec<Row>>, Failure> {
    let store = attempt.store;
    if store.has_replica() {
        statements.push(Statement::new("SELECT pg_current_wal_insert_lsn()::text"));
    }
    *sent = true;
    let mut rows = session
        .run(&statements, attempt.deadline)
        .inspect_err(|failure| {
            // The server answered: what failed was not made.
            *sent = matches!(failure, Failure::Lost(_));
        })?;
    if store.has_replica()
        && let Some(position) = rows.pop().and_then(|rows| Some(rows.first()?.get(0)))
    {
        store.note_position(position);
    }
    Ok(rows)
}

/// The key of a change.
pub fn key(change: &Change) -> &Key {
    match change {
        Change::Put(put) => &put.document.key,
        Change::Remove(removal) => &removal.key,
    }
}

/// A key by the number of its kind.
pub fn place<'b>(key: &'b Key, kinds: &BTreeMap<&str, i32>) -> (i32, &'b str) {
    (kinds[key.kind.as_str()], &key.id)
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

/// A document as the server has it.
fn present(row: &Row) -> Result<Present, Failure> {
    let text = match row.get::<_, Option<&[u8]>>(6) {
        Some(body) => bodies::unpacked(body)?.into_text(),
        None => String::new(),
    };
    Ok(Present {
        doc: row.get(2),
        version: u32::try_from(row.get::<_, i64>(3)).unwrap_or(u32::MAX),
        has_vector: row.get(4),
        entries: row.get(5),
        text,
    })
}

/// A batch that is worked out.
struct Work<'b> {
    kinds: &'b BTreeMap<&'b str, i32>,
    known: Known<'b>,
    /// The length that the vectors of each kind have in what is written.
    lengths: BTreeMap<i32, i32>,
    outcome: Outcome<'b>,
}

impl<'b> Work<'b> {
    fn new(
        commit: &Commit<'b>,
        kinds: &'b BTreeMap<&'b str, i32>,
        known: Known<'b>,
    ) -> Result<Work<'b>, Error> {
        let outcome = outcome(commit, kinds, &known)?;
        Ok(Work {
            kinds,
            lengths: lengths_after(commit.batch, &outcome, kinds)?,
            known,
            outcome,
        })
    }

    /// The call that writes it, if the memory is as it is known. `is_noted` says that the id of the commit is there.
    fn call(self, memory: i32, commit: &Commit, session: &Session, is_noted: bool) -> Call<'b> {
        let mut call = Statement::new("").steady();
        call.bind(memory, Type::INT4);
        call.bind((!is_noted).then(|| commit.id.clone()), Type::BYTEA);
        call.bind(commit.light, Type::BOOL);
        self.bind_keys(commit, &mut call);
        let Outcome {
            removed,
            changed,
            new,
        } = self.outcome;
        let is_bulk = changed.len() + new.len() > MOST_FRESH;
        let mut beside = Beside::new(is_bulk);
        let mut rows = Rows::default();
        let mut after = Vec::new();
        let mut removed_docs = Vec::new();
        for (kind, before) in removed {
            removed_docs.push(before.doc);
            beside.take(kind, &before);
        }
        for (before, document, version) in changed {
            let (kind, id) = place(&document.key, self.kinds);
            let row = rows::Row {
                doc: before.doc,
                kind,
                id,
                version,
                has_vector: !document.vector.is_empty(),
            };
            let written = Written::new(document);
            beside.change(&row, document, &before, &written);
            after.push(((kind, id), Some(rows.put(&row, written))));
        }
        for (brought_by, document, version) in new {
            let (kind, id) = place(&document.key, self.kinds);
            let row = rows::Row {
                doc: brought_by as i64,
                kind,
                id,
                version,
                has_vector: !document.vector.is_empty(),
            };
            let written = Written::new(document);
            beside.add(&row, document, &written);
            after.push(((kind, id), Some(rows.put(&row, written))));
        }
        call.bind(removed_docs, Type::INT8_ARRAY);
        beside.bind_touched(&mut call);
        let later = rows.bind(&mut call);
        let repeated = beside.bind(&mut call, |name| session.has_noted(name));
        call.call("twiceshy.make_commit");
        let written: BTreeSet<(i32, &str)> = after.iter().map(|(key, _)| *key).collect();
        let others = self.known.keys().filter(|key| !written.contains(*key));
        after.extend(others.map(|key| (*key, None)).collect::<Vec<_>>());
        Call {
            statement: call,
            later,
            after,
            repeated,
        }
    }

    /// Binds what should be under the keys. What has to be new by its precondition need not be looked up: the server refuses
    /// a second document under a key.
    fn bind_keys(&self, commit: &Commit, call: &mut Statement) {
        let is_absent = |index: usize| matches!(&commit.batch[index], Change::Put(put) if put.precondition == Precondition::Absent);
        let new: BTreeSet<(i32, &str)> = (self.outcome.new.iter())
            .filter(|(brought_by, ..)| is_absent(*brought_by))
            .map(|(_, document, _)| place(&document.key, self.kinds))
            .filter(|key| self.known[key].is_none())
            .collect();
        let keys = self.known.iter().filter(|(key, _)| !new.contains(*key));
        let (mut kinds, mut ids, mut docs, mut versions) = (vec![], vec![], vec![], vec![]);
        for ((kind, id), present) in keys {
            kinds.push(*kind);
            ids.push((*id).to_owned());
            docs.push(present.as_ref().map(|present| present.doc));
            versions.push(present.as_ref().map(|present| i64::from(present.version)));
        }
        call.bind(kinds, Type::INT4_ARRAY);
        call.bind(ids, Type::TEXT_ARRAY);
        call.bind(docs, Type::INT8_ARRAY);
        call.bind(versions, Type::INT8_ARRAY);
    }
}

/// Goes through a batch change by change, as if each was made alone.
fn outcome<'b>(
    commit: &Commit<'b>,
    kinds: &BTreeMap<&str, i32>,
    known: &Known<'b>,
) -> Result<Outcome<'b>, Error> {
    let mut courses: BTreeMap<(i32, &str), Course> = BTreeMap::new();
    let mut outcome = Outcome::default();
    for (index, change) in commit.batch.iter().enumerate() {
        let (key, precondition): (&Key, &Precondition) = match change {
            Change::Put(put) => (&put.document.key, &put.precondition),
            Change::Remove(removal) => (&removal.key, &removal.precondition),
        };
        let place = place(key, kinds);
        let course = courses.entry(place).or_insert_with(|| {
            let present = known.get(&place).cloned().flatten();
            Course {
                version: present.as_ref().map(|present| present.version),
                present,
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
                let removed = course.present.take();
                outcome
                    .removed
                    .extend(removed.map(|present| (place.0, present)));
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
            Some(present) => outcome.changed.push((present, document, version)),
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
    let changed = outcome.changed.iter().map(|(_, document, _)| *document);
    let all = changed.chain(outcome.new.iter().map(|(_, document, _)| *document));
    for document in all.filter(|document| !document.vector.is_empty()) {
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

/// What makes vectors of another length possible; two statements for each kind.
fn exchange_lengths(other: &[(i32, i32)]) -> Vec<Statement> {
    let lock = |kind: i32| {
        Statement::new("SELECT pg_advisory_xact_lock($1, $2)")
            .with(VECTORS, Type::INT4)
            .with(kind, Type::INT4)
    };
    let update = |kind: i32, length: i32| {
        Statement::new("UPDATE twiceshy.kinds SET length = $2 WHERE kind = $1")
            .with(kind, Type::INT4)
            .with(length, Type::INT4)
    };
    let both = |(kind, length): &(i32, i32)| [lock(*kind), update(*kind, *length)];
    other.iter().flat_map(both).collect()
}

/// Looks for vectors of another length than those that were written: all others must be gone now.
fn check_lengths(
    session: &mut Session,
    batch: &[Change],
    kinds: &BTreeMap<&str, i32>,
    other: &[(i32, i32)],
    deadline: Instant,
) -> Result<(), Failure> {
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

/// Sixteen bytes that no other commit has, nearly in the order of time: so the index of them is written at its end, and not
/// in another page by each commit.
pub fn unique() -> Vec<u8> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let now = now.unwrap_or_default();
    let mut hash = Sha256::new();
    // Each is seeded by the system.
    for _ in 0..2 {
        hash.update(RandomState::new().hash_one(0).to_le_bytes());
    }
    hash.update(std::process::id().to_le_bytes());
    hash.update(COUNT.fetch_add(1, Ordering::Relaxed).to_le_bytes());
    hash.update(now.as_nanos().to_le_bytes());
    let milliseconds = u64::try_from(now.as_millis()).unwrap_or_default();
    // Six bytes last for some thousand years; ten others are chance.
    [&milliseconds.to_be_bytes()[2..], &hash.finalize()[..10]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commits_have_one_id() {
        let all: BTreeSet<Vec<u8>> = (0..1_000).map(|_| unique()).collect();
        assert_eq!(all.len(), 1_000);
        assert!(all.iter().all(|id| id.len() == 16));
    }
}
