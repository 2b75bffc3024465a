//! Owns the index over directions of vectors, in databases that have the extension `vector` (pgvector).
//!
//! Among more vectors than are compared exactly, an HNSW index over their short forms finds most of the nearest without
//! looking at all; without the extension, or before `optimize` made the index, every binary code is looked at. Either way
//! candidates are compared in full by the same arithmetic as in every store. An index over codes would be a third as large,
//! but a code may say little: of simulated vectors whose components differ in size, 640 codes held .69 of the 32 nearest.
//! An entry takes longer than all else of a commit. So a vector is fresh at first and has no short form, and is compared by
//! itself, until somebody enters it together with others. Only the owner of the tables can make the index. It is not used for answers that must be exact.

use std::time::{Duration, Instant};

use tokio_postgres::types::Type;

use super::EXACT;
use super::failure::Failure;
use super::session::{Session, Statement};

/// The lock under which the index of a kind is made: its second number is the kind.
const INDEXING: i32 = 846_424_189;

/// The longest vectors that the extension indexes.
const LONGEST: usize = 4_000;

/// Making an index of some millions of vectors takes minutes; nobody waits for it, for it is made beside the writers.
const LONGEST_MAKING: Duration = Duration::from_secs(3600);

/// What would end the making of an index too early.
const PATIENT: [&str; 2] = ["statement_timeout", "lock_timeout"];

/// The most candidates that the extension looks for at once.
const MOST_LOOKED_FOR: usize = 1_000;

fn name(kind: i32, length: usize) -> String {
    format!("near_{kind}_{length}")
}

/// Asks for the schema of the extension; no row if there is no index of the kind that can be used.
pub fn schema_of(kind: i32) -> Statement {
    Statement::new(
        "SELECT quote_ident(n.nspname), c.relname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace,
         pg_index i JOIN pg_class c ON c.oid = i.indexrelid
         WHERE e.extname = 'vector' AND i.indrelid = 'twiceshy.shorts'::regclass AND i.indisvalid
         AND starts_with(c.relname, $1)",
    )
    .steady()
    .with(format!("near_{kind}_"), Type::TEXT)
}

/// The schema of the extension, if an index of vectors of this length is there.
pub fn schema(rows: &[tokio_postgres::Row], kind: i32, length: usize) -> Option<String> {
    let wanted = name(kind, length);
    rows.iter()
        .find(|row| row.get::<_, &str>(1) == wanted)
        .map(|row| row.get(0))
}

/// What has to be said before a question that uses the index. With conditions the index goes on until enough pass.
pub fn preparation(most: usize) -> Statement {
    let looked_for = most.min(MOST_LOOKED_FOR);
    // Sorting all by their distance is the only other way, and the server thinks too well of it.
    Statement::new(format!(
        "SELECT set_config('hnsw.ef_search', '{looked_for}', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
         set_config('enable_sort', 'off', true)"
    ))
}

/// What is indexed of a row, in the words of the extension.
fn direction(schema: &str, length: usize) -> String {
    format!("twiceshy.direction(short)::{schema}.halfvec({length})")
}

/// The distance of the direction asked for, in the words of the extension.
pub fn distance(schema: &str, asked: &str, length: usize) -> String {
    let direction = direction(schema, length);
    format!("{direction} OPERATOR({schema}.<=>) {asked}::{schema}.halfvec({length})")
}

/// A direction as the extension reads it: no component is too large for it. None if the vector has no direction.
pub fn asked(vector: &[f32]) -> Option<String> {
    let largest = vector.iter().fold(0.0f32, |most, one| most.max(one.abs()));
    let component = |component: &f32| format!("{:.6}", component / largest);
    let all: Vec<String> = vector.iter().map(component).collect();
    (largest > 0.0).then(|| format!("[{}]", all.join(",")))
}

/// Makes the index of a kind that has many vectors, and removes those of other lengths. Does nothing without the
/// extension, for a role that does not own the tables, and while another process does the same.
pub fn make(session: &mut Session, kind: i32) -> Result<(), Failure> {
    let deadline = Instant::now() + LONGEST_MAKING;
    let asked = Statement::new(
        "SELECT quote_ident(n.nspname),
            (SELECT length FROM twiceshy.kinds WHERE kind = $1),
            (SELECT count(*) FROM (SELECT FROM twiceshy.shorts WHERE kind = $1 LIMIT $2) few),
            (SELECT array_agg(c.relname::text) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
             WHERE i.indrelid = 'twiceshy.shorts'::regclass AND i.indisvalid
             AND (starts_with(c.relname, $3) OR starts_with(c.relname, $4)))
         FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
         WHERE e.extname = 'vector' AND NOT pg_is_in_recovery()
         AND pg_has_role((SELECT relowner FROM pg_class WHERE oid = 'twiceshy.shorts'::regclass), 'USAGE')",
    )
    .with(kind, Type::INT4)
    .with(EXACT as i64 + 1, Type::INT8)
    .with(format!("near_{kind}_"), Type::TEXT)
    .with(format!("codes_{kind}_"), Type::TEXT);
    let rows = session.one(asked, deadline)?;
    let Some(row) = rows.first() else {
        return Ok(());
    };
    let (schema, length): (String, Option<i32>) = (row.get(0), row.get(1));
    let is_many = row.get::<_, i64>(2) > EXACT as i64;
    let present = row.get::<_, Option<Vec<String>>>(3).unwrap_or_default();
    let length = length.and_then(|length| usize::try_from(length).ok());
    let Some(length) = length.filter(|length| *length <= LONGEST) else {
        return Ok(());
    };
    let wanted = name(kind, length);
    if present.contains(&wanted) == is_many && present.len() <= 1 {
        return Ok(());
    }
    let numbers =
        |statement: Statement| statement.with(INDEXING, Type::INT4).with(kind, Type::INT4);
    let rows = session.one(
        numbers(Statement::new("SELECT pg_try_advisory_lock($1, $2)")),
        deadline,
    )?;
    if rows.first().map(|row| row.get(0)) != Some(true) {
        return Ok(());
    }
    let made = (|| {
        // A connection gives a statement as long as a question may take, and a lock less.
        for setting in PATIENT {
            session.one(Statement::new(format!("SET {setting} = 0")), deadline)?;
        }
        // One that was begun and not finished is in the way, too; nobody else makes one now. Those over codes are of older
        // programs.
        let rows = session.one(
            Statement::new(
                "SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                 WHERE i.indrelid = 'twiceshy.shorts'::regclass
                 AND (starts_with(c.relname, $1) OR starts_with(c.relname, $2)) AND (c.relname <> $3 OR NOT i.indisvalid)",
            )
            .with(format!("near_{kind}_"), Type::TEXT)
            .with(format!("codes_{kind}_"), Type::TEXT)
            .with(wanted.clone(), Type::TEXT),
            deadline,
        )?;
        for other in rows.iter().map(|row| row.get::<_, String>(0)) {
            let sql = format!("DROP INDEX CONCURRENTLY IF EXISTS twiceshy.{other}");
            session.one(Statement::new(sql), deadline)?;
        }
        if is_many {
            let sql = format!(
                "CREATE INDEX CONCURRENTLY IF NOT EXISTS {wanted} ON twiceshy.shorts
                 USING hnsw (({}) {schema}.halfvec_cosine_ops) WHERE kind = {kind} AND is_entered",
                direction(&schema, length)
            );
            session.one(Statement::new(sql), deadline)?;
        }
        Ok(())
    })();
    let soon = Instant::now() + Duration::from_secs(5);
    for setting in PATIENT {
        let _ = session.one(Statement::new(format!("RESET {setting}")), soon);
    }
    let _ = session.one(
        numbers(Statement::new("SELECT pg_advisory_unlock($1, $2)")),
        soon,
    );
    made
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use twiceshy_documents::rank::Direction;
    use twiceshy_wit::host::{
        Attribute, Change, Condition, Document, Key, Order, Precondition, Put, Query, Store, Test,
        Value,
    };

    use super::*;
    use crate::{PostgresAddress, PostgresOptions, PostgresStore};

    const LENGTH: usize = 64;
    const COUNT: usize = 11_000;

    /// Vectors around some centres, as those of texts are.
    fn vector(number: usize) -> Vec<f32> {
        let noise = |seed: usize| {
            let mixed = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mixed = (mixed ^ (mixed >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            ((mixed >> 40) as f32 / (1u64 << 24) as f32) - 0.5
        };
        let centre = number % 97;
        (0..LENGTH)
            .map(|at| noise(centre * LENGTH + at + 7) + 0.7 * noise((number + 1) * 1_009 + at))
            .collect()
    }

    fn change(number: usize) -> Change {
        Change::Put(Put {
            document: Document {
                key: Key {
                    kind: "note".into(),
                    id: format!("n{number}"),
                },
                body: String::new(),
                attributes: vec![Attribute {
                    name: "part".into(),
                    value: Value::Number((number % 10) as f64),
                }],
                text: String::new(),
                vector: vector(number),
            },
            precondition: Precondition::Absent,
        })
    }

    /// Of the nearest so many are found, and each that is found has exactly its score.
    fn recall(store: &PostgresStore, part: Option<usize>) -> f64 {
        let (mut found, mut wanted) = (0, 0);
        for question in 0..10 {
            let asked = vector(question * 1_234 + 5);
            let direction = Direction::new(&asked);
            let passes = |number: &usize| part.is_none_or(|part| number % 10 == part);
            let mut all: Vec<(String, f64)> = (0..COUNT)
                .filter(passes)
                .map(|number| (format!("n{number}"), direction.cosine(&vector(number))))
                .collect();
            all.sort_by(|a, b| b.1.total_cmp(&a.1));
            let nearest: BTreeSet<&str> = all[..20].iter().map(|(id, _)| id.as_str()).collect();
            let query = Query {
                kind: "note".into(),
                conditions: part
                    .map(|part| Condition {
                        attribute: "part".into(),
                        test: Test::Equals(Value::Number(part as f64)),
                    })
                    .into_iter()
                    .collect(),
                order: Order::ByNearest(asked),
                offset: 0,
                limit: 20,
            };
            let answer = store.find(&query).unwrap();
            assert_eq!(answer.len(), 20);
            for one in &answer {
                let exact = all
                    .iter()
                    .find(|(id, _)| *id == one.document.key.id)
                    .unwrap();
                assert_eq!(one.score, exact.1, "{}", exact.0);
                found += usize::from(nearest.contains(one.document.key.id.as_str()));
            }
            wanted += 20;
        }
        found as f64 / wanted as f64
    }

    fn scans(store: &PostgresStore) -> Option<i64> {
        store
            .with_primary(|session, deadline| {
                let kind = store.kind(session, "note", deadline)?.unwrap_or_default();
                let flush = Statement::new("SELECT pg_stat_force_next_flush()");
                session.one(flush, deadline)?;
                let sql = "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = $1";
                let statement = Statement::new(sql).with(name(kind, LENGTH), Type::TEXT);
                let rows = session.one(statement, deadline)?;
                Ok(rows.first().map(|row| row.get(0)))
            })
            .unwrap()
    }

    /// How many vectors are in no index.
    fn fresh_count(store: &PostgresStore) -> usize {
        let counted = store.with_primary(|session, deadline| {
            let kind = store.kind(session, "note", deadline)?.unwrap_or_default();
            Ok(session
                .one(super::super::fresh::vectors(kind), deadline)?
                .len())
        });
        counted.unwrap()
    }

    #[test]
    fn among_many_the_index_of_postgres_finds_what_a_look_at_all_codes_finds_and_what_is_fresh() {
        let Ok(server) = std::env::var("TWICESHY_POSTGRES") else {
            eprintln!("skipped: TWICESHY_POSTGRES names no server; see tests/postgres/with");
            return;
        };
        let now = std::time::SystemTime::now().duration_since(std::time::SystemTime::UNIX_EPOCH);
        let memory = format!("vectors-{}", now.unwrap().as_nanos());
        let address = PostgresAddress::parse(&server).unwrap();
        let address = address.with_memory(&memory).unwrap();
        let store = PostgresStore::open(&address, PostgresOptions::default()).unwrap();
        for first in (0..COUNT).step_by(1_000) {
            let batch: Vec<Change> = (first..COUNT.min(first + 1_000)).map(change).collect();
            store.commit(&batch).unwrap();
        }
        let without = [recall(&store, None), recall(&store, Some(3))];
        assert_eq!(scans(&store), None, "there is no index yet");
        store.optimize().unwrap();
        let with = [recall(&store, None), recall(&store, Some(3))];
        let Some(scans) = scans(&store) else {
            eprintln!("skipped: the server has no extension vector");
            return;
        };
        assert!(scans >= 10, "the index was asked {scans} times");
        for (with, without) in with.into_iter().zip(without) {
            assert!(with >= without - 0.02, "{with} with it, {without} without");
            assert!(with > 0.9, "{with}");
        }
        // What comes later is found before it is in the index and after.
        let later: Vec<Change> = (COUNT..COUNT + 8).map(change).collect();
        store.commit(&later).unwrap();
        let is_found = || {
            let query = Query {
                kind: "note".into(),
                conditions: Vec::new(),
                order: Order::ByNearest(vector(COUNT + 3)),
                offset: 0,
                limit: 5,
            };
            let found = store.find(&query).unwrap();
            assert_eq!(found[0].document.key.id, format!("n{}", COUNT + 3));
        };
        assert_eq!(fresh_count(&store), 8);
        is_found();
        // Asked once more, nothing is made twice.
        store.optimize().unwrap();
        assert_eq!(fresh_count(&store), 0);
        is_found();
    }
}
