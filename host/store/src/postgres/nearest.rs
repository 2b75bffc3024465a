//! Owns the answer to a question of a vector: which documents are compared in full, and the nearest of them.
//!
//! Among few vectors the answer is exact: a short form of each says how near it can be at most, and what may be among the
//! nearest is compared in full. Among many, an index of the server gives those that point most nearly where the question
//! does; if it has none, their binary codes are looked at. Either way they are compared in full.

use tokio_postgres::Row;
use tokio_postgres::types::Type;
use twiceshy_documents::rank::Direction;
use twiceshy_documents::validate;
use twiceshy_wit::host::Found;

use super::beside::code;
use super::best::{Ranked, order, take_best};
use super::failure::Failure;
use super::find::{Page, Search};
use super::fresh;
use super::pieces::Piece;
use super::session::{Session, Statement};
use super::vector_index;
use crate::coarse;

/// For each document of the page so many are compared by their short forms, and at least so many in all.
const COMPARED: usize = 20;
const LEAST_COMPARED: usize = 400;

/// The codes of a piece with fewer entries than this are looked at one by one, whether there is an index or not.
const LOOKED_AT: usize = 4_096;

/// What an index finds is compared in full: so many more than are wanted for each, of so many at most, and so many in all.
/// An index over a million passes some of the nearest by if it looks for fewer.
const MORE: usize = 3;
const MORE_OF: usize = 200;
const LEAST_FOUND: usize = 128;

pub fn by_nearest(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    page: Page,
) -> Result<Vec<Found>, Failure> {
    let wanted = page.0.saturating_add(page.1);
    let few = search.effort.few.max(wanted);
    let pieces = search.pieces();
    let mut statements = search.moment();
    statements.push(
        Statement::new(
            "SELECT octet_length(vector) / 4 FROM twiceshy.vectors WHERE kind = $1 LIMIT 1",
        )
        .steady()
        .with(search.kind, Type::INT4),
    );
    statements.push(vector_index::schema_of(search.kind));
    statements.push(search.counting(&pieces, None, few));
    let rows = session.run(&statements, search.deadline)?;
    let Some(length) = rows[1].first().map(|row| row.get::<_, i32>(0)) else {
        return Ok(Vec::new());
    };
    let length = usize::try_from(length).unwrap_or_default();
    validate::same_length("order.by-nearest", search.kind_name, vector.len(), length)?;
    let counted = search.counted(session, pieces, few, &rows[3])?;
    if page.1 == 0 || counted.is_unmet() {
        return Ok(Vec::new());
    }
    let chosen = match counted.narrowest(few) {
        Some(piece) => of_few(search, session, vector, piece, few)?,
        None => {
            let index = vector_index::schema(&rows[2], search.kind, length);
            of_many(search, session, vector, wanted, index)?
        }
    };
    let mut chosen = chosen;
    chosen.sort_unstable_by(order);
    chosen.truncate(wanted);
    let page = chosen.split_off(page.0.min(chosen.len()));
    search.read(session, &page)
}

/// Those that a narrow piece of the index leads to: all of them are compared in full.
fn of_few(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    piece: &Piece,
    few: usize,
) -> Result<Vec<Ranked>, Failure> {
    let mut sql = Statement::new("SELECT v.doc, v.vector FROM ").steady();
    let kind = sql.bind(search.kind, Type::INT4);
    search.documents_of(&mut sql, &kind, piece, Some(few));
    sql.push(&format!(
        " c JOIN twiceshy.documents d ON d.doc = c.doc JOIN twiceshy.vectors v ON v.kind = {kind} AND v.doc = c.doc WHERE true"
    ));
    search.tests(&mut sql);
    Ok(measured(&session.one(sql, search.deadline)?, vector))
}

/// The nearest of all, by the most that each can be; of those that are fresh it is known how near they are.
fn exactly(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    wanted: usize,
    fresh: Vec<Ranked>,
) -> Result<Vec<Ranked>, Failure> {
    let sql = Statement::new("SELECT v.doc, v.short FROM twiceshy.shorts v WHERE v.kind = $1")
        .steady()
        .with(search.kind, Type::INT4);
    let mut bounded = bounded(&session.one(sql, search.deadline)?, vector);
    bounded.extend(fresh);
    nearest(search, session, vector, bounded, wanted, true)
}

/// The nearest of those of which it is known how near they can be at most. What comes behind as many exact ones is not
/// among the nearest.
fn nearest(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    mut bounded: Vec<Ranked>,
    wanted: usize,
    is_tested: bool,
) -> Result<Vec<Ranked>, Failure> {
    let mut chosen: Vec<Ranked> = Vec::new();
    let mut look = wanted.max(64);
    while let Some(most) = bounded.iter().map(|ranked| ranked.1).max_by(f64::total_cmp) {
        if chosen.len() >= wanted && chosen[wanted - 1].1 > most {
            break;
        }
        let mut top = take_best(&mut bounded, look);
        if is_tested {
            top = search.passing(session, top)?;
        }
        look = look.saturating_mul(2);
        let docs: Vec<i64> = top.iter().map(|(doc, _)| *doc).collect();
        let sql = "SELECT doc, vector FROM twiceshy.vectors WHERE kind = $1 AND doc = ANY ($2)";
        let sql = Statement::new(sql)
            .steady()
            .with(search.kind, Type::INT4)
            .with(docs, Type::INT8_ARRAY);
        chosen.extend(measured(&session.one(sql, search.deadline)?, vector));
        chosen.sort_unstable_by(order);
    }
    Ok(chosen)
}

/// The nearest of more than a narrow piece leads to.
fn of_many(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    wanted: usize,
    schema: Option<String>,
) -> Result<Vec<Ranked>, Failure> {
    let exact = i64::try_from(search.effort.exact).unwrap_or(i64::MAX - 1);
    let count = Statement::new(format!(
        "SELECT count(*) FROM (SELECT FROM twiceshy.shorts WHERE kind = $1 LIMIT {}) few",
        exact + 1
    ))
    .steady()
    .with(search.kind, Type::INT4);
    let schema = schema.as_deref();
    let index = schema.and_then(|schema| by_index(search, vector, wanted, schema, false));
    // Where most pass, the index need not be asked for those that do. It is asked before it is known how many there are,
    // for an index is seldom there without many.
    let mut statements = vec![count, fresh::vectors(search.kind)];
    statements.extend(index.into_iter().flatten());
    let rows = session.run(&statements, search.deadline)?;
    let fresh = measured(&rows[1], vector);
    if rows[0].first().map_or(0, |row| row.get(0)) <= exact {
        return exactly(search, session, vector, wanted, fresh);
    }
    if rows.len() > 2 {
        let mut found = rows.into_iter().next_back().unwrap_or_default();
        let is_all = found.len() < found_by_index(wanted);
        found.retain(|row| row.get(2));
        if found.len() >= wanted + wanted.min(MORE_OF) && !is_all {
            return with_fresh(search, session, vector, wanted, &found, fresh);
        }
    }
    let counted = search.count_pieces(session, None, LOOKED_AT)?;
    let mut piece = counted.narrowest(LOOKED_AT).cloned();
    if piece.is_none() {
        let tested = schema.and_then(|schema| by_index(search, vector, wanted, schema, true));
        if let Some(statements) = tested {
            let found = session.run(&statements, search.deadline)?.pop();
            let found = found.unwrap_or_default();
            if found.len() >= found_by_index(wanted) {
                return with_fresh(search, session, vector, wanted, &found, fresh);
            }
        }
        // What an index does not find because few pass the conditions is looked for among all.
        let counted = search.count_pieces(session, None, search.effort.many)?;
        piece = counted.narrowest(search.effort.many).cloned();
    }
    let mut near = by_code(search, session, vector, wanted, piece.as_ref())?;
    near.extend(search.passing(session, fresh)?);
    nearest(search, session, vector, near, wanted, false)
}

/// What an index found, and those of the fresh vectors that may be nearer.
fn with_fresh(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    wanted: usize,
    found: &[Row],
    mut fresh: Vec<Ranked>,
) -> Result<Vec<Ranked>, Failure> {
    let mut chosen = measured(found, vector);
    chosen.sort_unstable_by(order);
    let farthest = chosen.get(wanted.saturating_sub(1)).map(|ranked| ranked.1);
    fresh.retain(|(_, most)| farthest.is_none_or(|farthest| *most >= farthest));
    chosen.extend(nearest(search, session, vector, fresh, wanted, true)?);
    Ok(chosen)
}

fn most(wanted: usize) -> usize {
    wanted.saturating_mul(COMPARED).max(LEAST_COMPARED)
}

/// How many an index is asked for.
fn found_by_index(wanted: usize) -> usize {
    (wanted + MORE * wanted.min(MORE_OF)).max(LEAST_FOUND)
}

/// Asks the index for documents, their vectors, and whether they pass; or only for those that pass. None if the vector has no
/// direction.
fn by_index(
    search: &Search,
    vector: &[f32],
    wanted: usize,
    schema: &str,
    is_tested: bool,
) -> Option<Vec<Statement>> {
    let asked = vector_index::asked(vector)?;
    let mut sql = Statement::new("SELECT n.doc, v.vector, true").steady();
    let asked = sql.bind(asked, Type::TEXT);
    if !is_tested {
        search.tests(&mut sql);
    }
    // The number itself, so that the server sees that the index is of this kind.
    let kind = search.kind;
    sql.push(" FROM (SELECT s.doc FROM twiceshy.shorts s");
    if is_tested {
        sql.push(" JOIN twiceshy.documents d ON d.doc = s.doc");
    }
    sql.push(&format!(" WHERE s.kind = {kind} AND s.is_entered"));
    if is_tested {
        search.tests(&mut sql);
    }
    let distance = vector_index::distance(schema, &asked, vector.len());
    let count = found_by_index(wanted);
    sql.push(&format!(
        " ORDER BY {distance} LIMIT {count}) n JOIN twiceshy.vectors v ON v.kind = {kind} AND v.doc = n.doc"
    ));
    if !is_tested && !search.conditions.is_empty() {
        sql.push(" JOIN twiceshy.documents d ON d.doc = n.doc");
    }
    let mut statements = vec![vector_index::preparation(count)];
    statements.push(sql);
    Some(statements)
}

/// By looking at all codes, or at those of a piece.
fn by_code(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    wanted: usize,
    piece: Option<&Piece>,
) -> Result<Vec<Ranked>, Failure> {
    let mut sql = Statement::new("SELECT v.doc, v.short FROM twiceshy.shorts v");
    let kind = sql.bind(search.kind, Type::INT4);
    let asked = sql.bind(code(vector), Type::TEXT);
    if let Some(piece) = piece {
        sql.push(" JOIN ");
        search.documents_of(&mut sql, &kind, piece, None);
        sql.push(" c ON c.doc = v.doc");
    }
    if !search.conditions.is_empty() {
        sql.push(" JOIN twiceshy.documents d ON d.doc = v.doc");
    }
    sql.push(&format!(" WHERE v.kind = {kind}"));
    search.tests(&mut sql);
    sql.push(&format!(
        " ORDER BY bit_count(v.code # {asked}::varbit), v.doc DESC LIMIT {}",
        most(wanted)
    ));
    Ok(bounded(&session.one(sql, search.deadline)?, vector))
}

/// Documents and their short forms, as how near each can be at most.
fn bounded(rows: &[Row], vector: &[f32]) -> Vec<Ranked> {
    let asked = coarse::Asked::new(vector);
    let bound = |row: &Row| (row.get(0), asked.at_most(row.get(1)));
    rows.iter().map(bound).collect()
}

/// Documents and their vectors, as how near each is, exactly.
fn measured(rows: &[Row], vector: &[f32]) -> Vec<Ranked> {
    let direction = Direction::new(vector);
    let near = |row: &Row| {
        (
            row.get(0),
            direction.cosine(&coarse::components(row.get(1))),
        )
    };
    rows.iter().map(near).collect()
}
