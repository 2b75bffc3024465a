//! Owns what is fresh: what documents are found by that is in no index yet.
//!
//! A commit writes one row for each document that is new, and not one for each of its attributes. Every now and then somebody
//! enters what is in these rows into the indices, under a lock of the kind, and leaves alone what others are changing just
//! now. Until then readers look through these rows.

use std::collections::HashSet;
use std::time::Instant;

use tokio_postgres::Row;
use tokio_postgres::types::Type;

use super::beside::code;
use super::failure::Failure;
use super::schema::FRESH;
use super::session::{Session, Statement};
use super::texts;
use crate::coarse;

/// Rows that are entered at once, and the bytes of their texts: what this process holds meanwhile. The more at once, the less
/// often the list of a frequent term is written.
const ENTERED_AT_ONCE: i64 = 32_000;
const BYTES_AT_ONCE: i64 = 16 << 20;

/// Of these so many that have a vector: whoever changes one of them meanwhile waits until all are in their index.
const VECTORS_AT_ONCE: i64 = 256;

/// The name of a table of documents and entries that are not among the attributes yet.
pub const ENTRIES: &str = "fresh_entries";

/// Lets a statement look at that table, once however often it is named, for the kind that goes by the name given.
pub fn look(sql: &mut Statement, kind: &str) {
    sql.begin_with(
        &format!("WITH {ENTRIES} AS"),
        &format!(
            " MATERIALIZED (SELECT f.doc, e AS entered FROM twiceshy.fresh f, unnest(f.entries) e
          WHERE f.kind = {kind} AND f.entries IS NOT NULL) "
        ),
    );
}

/// Asks for the vectors that have no short form yet.
pub fn vectors(kind: i32) -> Statement {
    let sql = "SELECT v.doc, v.vector FROM twiceshy.fresh f JOIN twiceshy.vectors v ON v.kind = f.kind AND v.doc = f.doc
               WHERE f.kind = $1 AND f.entries IS NOT NULL AND f.has_vector";
    Statement::new(sql).steady().with(kind, Type::INT4)
}

/// Enters what is fresh of a kind, and takes texts that are gone out of their lists. Returns whether there may be more to do;
/// does nothing if somebody else is doing it.
pub fn enter(
    session: &mut Session,
    memory: i32,
    kind: i32,
    deadline: Instant,
) -> Result<bool, Failure> {
    let result = enter_in_transaction(session, memory, kind, deadline);
    if result.is_err() {
        session.roll_back();
    }
    result
}

fn enter_in_transaction(
    session: &mut Session,
    memory: i32,
    kind: i32,
    deadline: Instant,
) -> Result<bool, Failure> {
    let mut rows = session
        .run(
            &[
                Statement::new("BEGIN"),
                // Indices can be made again; nobody has to wait for the disk.
                Statement::new("SET LOCAL synchronous_commit = off"),
                Statement::new("SELECT pg_try_advisory_xact_lock($1, $2)")
                    .with(FRESH, Type::INT4)
                    .with(kind, Type::INT4),
            ],
            deadline,
        )?
        .into_iter();
    let is_ours = rows.nth(2).and_then(|rows| Some(rows.first()?.get(0)));
    if is_ours != Some(true) {
        session.one(Statement::new("ROLLBACK"), deadline)?;
        return Ok(false);
    }
    // So many of a table, the oldest first, but for those that others are changing just now.
    let look = |table: &str, columns: &str, vectors: &str| {
        Statement::new(format!(
            "SELECT f.doc, coalesce(f.text, ''){columns} FROM twiceshy.{table} f JOIN (
                SELECT doc, sum(octet_length(text)) OVER w - octet_length(text) AS bytes_before,
                    {vectors} AS vectors
                FROM twiceshy.{table} WHERE kind = $1 WINDOW w AS (ORDER BY doc) ORDER BY doc LIMIT {ENTERED_AT_ONCE}) s USING (doc)
             WHERE f.kind = $1 AND coalesce(s.bytes_before, 0) < {BYTES_AT_ONCE} AND s.vectors <= {VECTORS_AT_ONCE}
             ORDER BY f.doc FOR UPDATE OF f SKIP LOCKED"
        ))
        .with(kind, Type::INT4)
    };
    // What is fresh is looked at before what is gone: of a text that was replaced both are there, or the latter alone.
    let all_gone = Statement::new("SELECT doc FROM twiceshy.gone WHERE kind = $1");
    let looks = [
        look(
            "fresh",
            ", f.entries IS NOT NULL, f.has_vector",
            "count(*) FILTER (WHERE has_vector) OVER w",
        ),
        look("gone", "", "0"),
        all_gone.with(kind, Type::INT4),
    ];
    let mut rows = session.run(&looks, deadline)?.into_iter();
    let mut next = || rows.next().unwrap_or_default();
    let (fresh, gone, all_gone) = (next(), next(), next());
    let is_much = |rows: &[Row]| {
        let bytes: usize = rows.iter().map(|row| text(row).1.len()).sum();
        rows.len() as i64 == ENTERED_AT_ONCE || bytes as i64 > BYTES_AT_ONCE / 2
    };
    let is_much = is_much(&fresh) || is_much(&gone);
    // A text whose forerunner is left for later is left as well.
    let taken: HashSet<i64> = gone.iter().map(|row| row.get(0)).collect();
    let all_gone = all_gone.iter().map(|row| row.get::<_, i64>(0));
    let gone_left: HashSet<i64> = all_gone.filter(|doc| !taken.contains(doc)).collect();
    let fresh: Vec<&Row> = fresh
        .iter()
        .filter(|row| !gone_left.contains(&row.get::<_, i64>(0)))
        .collect();
    if fresh.is_empty() && gone.is_empty() {
        session.one(Statement::new("COMMIT"), deadline)?;
        return Ok(false);
    }
    let docs = |is_wanted: &dyn Fn(&Row) -> bool| -> Vec<i64> {
        let wanted = fresh.iter().filter(|row| is_wanted(row));
        wanted.map(|row| row.get(0)).collect()
    };
    let of = |sql: &str, docs: Vec<i64>| {
        Statement::new(sql)
            .with(kind, Type::INT4)
            .with(docs, Type::INT8_ARRAY)
    };
    let mut writes = Vec::new();
    let unentered = docs(&|row| row.get(2));
    if !unentered.is_empty() {
        // In the order of the index, so that what is near in it is written together.
        let sql = "INSERT INTO twiceshy.attributes (memory, kind, entered, doc)
                   SELECT f.memory, f.kind, e, f.doc FROM twiceshy.fresh f, unnest(f.entries) e
                   WHERE f.kind = $1 AND f.doc = ANY ($2) ORDER BY e, f.doc";
        writes.push(of(sql, unentered));
    }
    let unshortened = docs(&|row| row.get(3));
    let are_many = unshortened.len() as i64 == VECTORS_AT_ONCE;
    if !unshortened.is_empty() {
        // Read when their rows are held: who changes a vector holds that row first.
        let sql = "SELECT doc, vector FROM twiceshy.vectors WHERE kind = $1 AND doc = ANY ($2)";
        let rows = session.one(of(sql, unshortened), deadline)?;
        writes.push(shorts(memory, kind, &rows));
    }
    let listed: Vec<(i64, &str)> = (fresh.iter().copied().map(text))
        .filter(|(_, text)| !text.is_empty())
        .collect();
    let unlisted: Vec<(i64, &str)> = gone.iter().map(text).collect();
    if !listed.is_empty() || !unlisted.is_empty() {
        let entering = texts::entering(session, memory, kind, &listed, &unlisted, deadline)?;
        writes.extend(entering);
    }
    let entered = fresh.iter().map(|row| row.get(0)).collect();
    writes.push(of(
        "DELETE FROM twiceshy.fresh WHERE kind = $1 AND doc = ANY ($2)",
        entered,
    ));
    let taken = gone.iter().map(|row| row.get(0)).collect();
    writes.push(of(
        "DELETE FROM twiceshy.gone WHERE kind = $1 AND doc = ANY ($2)",
        taken,
    ));
    writes.push(Statement::new("COMMIT"));
    session.run(&writes, deadline)?;
    Ok(is_much || are_many)
}

/// The document of a row and its text.
fn text(row: &Row) -> (i64, &str) {
    (row.get(0), row.get(1))
}

/// Writes the short forms of vectors, and so enters them into the index over them, if there is one.
fn shorts(memory: i32, kind: i32, rows: &[Row]) -> Statement {
    let (mut docs, mut shorts, mut codes) = (vec![], vec![], vec![]);
    for row in rows {
        let vector = coarse::components(row.get(1));
        docs.push(row.get::<_, i64>(0));
        shorts.push(coarse::short(&vector));
        codes.push(code(&vector));
    }
    Statement::new(
        "INSERT INTO twiceshy.shorts (memory, kind, doc, short, code)
         SELECT $1, $2, u.doc, u.short, u.code::varbit FROM unnest($3, $4, $5) u(doc, short, code)",
    )
    .with(memory, Type::INT4)
    .with(kind, Type::INT4)
    .with(docs, Type::INT8_ARRAY)
    .with(shorts, Type::BYTEA_ARRAY)
    .with(codes, Type::TEXT_ARRAY)
}
