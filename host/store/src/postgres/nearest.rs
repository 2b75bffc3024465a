//! Owns the answer to a question of a vector: which documents are compared in full, and the nearest of them.
//!
//! Among few vectors the answer is exact: a short form of each says how near it can be at most, and what may be among the
//! nearest is compared in full. Among many, the server takes those whose binary codes differ least from the question's,
//! by an index if it has one, and they are compared in full.

use tokio_postgres::Row;
use tokio_postgres::types::Type;
use twiceshy_documents::rank::Direction;
use twiceshy_documents::validate;
use twiceshy_wit::host::Found;

use super::beside::code;
use super::best::{Ranked, order, take_best};
use super::failure::Failure;
use super::find::{Page, Search};
use super::pieces::Piece;
use super::session::{Session, Statement};
use super::vector_index;
use crate::coarse;

/// For each document of the page so many are compared by their short forms, and at least so many in all.
const COMPARED: usize = 20;
const LEAST_COMPARED: usize = 400;

/// The codes of a piece with fewer entries than this are looked at one by one, whether there is an index of codes or not.
const LOOKED_AT: usize = 4_096;

/// If a smaller share passes of those that are nearest by their codes, more of them are asked for that pass.
const MOST_PASS: f64 = 0.75;

pub fn by_nearest(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    page: Page,
) -> Result<Vec<Found>, Failure> {
    let wanted = page.0.saturating_add(page.1);
    let few = search.effort.few.max(wanted);
    let bound = few.max(LOOKED_AT);
    let pieces = search.pieces();
    let mut statements = search.moment();
    statements.push(
        Statement::new(
            "SELECT octet_length(vector) / 4 FROM twiceshy.vectors WHERE kind = $1 LIMIT 1",
        )
        .with(search.kind, Type::INT4),
    );
    let exact = i64::try_from(search.effort.exact).unwrap_or(i64::MAX - 1);
    statements.push(
        Statement::new(
            "SELECT count(*) FROM (SELECT FROM twiceshy.shorts WHERE kind = $1 LIMIT $2) few",
        )
        .with(search.kind, Type::INT4)
        .with(exact + 1, Type::INT8),
    );
    statements.push(vector_index::schema_of(search.kind));
    statements.push(search.counting(&pieces, None, bound));
    let rows = session.run(&statements, search.deadline)?;
    let Some(length) = rows[1].first().map(|row| row.get::<_, i32>(0)) else {
        return Ok(Vec::new());
    };
    let length = usize::try_from(length).unwrap_or_default();
    validate::same_length("order.by-nearest", search.kind_name, vector.len(), length)?;
    let counted = search.counted(session, pieces, bound, &rows[4])?;
    if page.1 == 0 || counted.is_unmet() {
        return Ok(Vec::new());
    }
    let chosen = if let Some(piece) = counted.narrowest(few) {
        of_few(search, session, vector, piece)?
    } else if rows[2].first().map_or(0, |row| row.get(0)) <= exact {
        exactly(search, session, vector, wanted)?
    } else {
        let index = vector_index::schema(&rows[3], search.kind, length);
        match counted.narrowest(LOOKED_AT) {
            Some(piece) => {
                let near = by_code(search, session, vector, wanted, Some(piece))?;
                nearest(search, session, vector, near, wanted, false)?.0
            }
            None => of_many(search, session, vector, wanted, index)?,
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
) -> Result<Vec<Ranked>, Failure> {
    let mut sql = Statement::new("SELECT v.doc, v.vector FROM ");
    let kind = sql.bind(search.kind, Type::INT4);
    search.documents_of(&mut sql, &kind, piece, None);
    sql.push(&format!(
        " c JOIN twiceshy.documents d ON d.doc = c.doc JOIN twiceshy.vectors v ON v.kind = {kind} AND v.doc = c.doc WHERE true"
    ));
    search.tests(&mut sql);
    Ok(measured(&session.one(sql, search.deadline)?, vector))
}

/// The nearest of all, by the most that each can be.
fn exactly(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    wanted: usize,
) -> Result<Vec<Ranked>, Failure> {
    let sql = Statement::new("SELECT v.doc, v.short FROM twiceshy.shorts v WHERE v.kind = $1")
        .with(search.kind, Type::INT4);
    let bounded = bounded(&session.one(sql, search.deadline)?, vector);
    Ok(nearest(search, session, vector, bounded, wanted, true)?.0)
}

/// The nearest of those of which it is known how near they can be at most, and the share of them that passed if they were
/// tested. What comes behind as many exact ones is not among the nearest.
fn nearest(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    mut bounded: Vec<Ranked>,
    wanted: usize,
    is_tested: bool,
) -> Result<(Vec<Ranked>, f64), Failure> {
    let mut chosen: Vec<Ranked> = Vec::new();
    let (mut look, mut looked_at) = (wanted.max(64), 0);
    while let Some(most) = bounded.iter().map(|ranked| ranked.1).max_by(f64::total_cmp) {
        if chosen.len() >= wanted && chosen[wanted - 1].1 > most {
            break;
        }
        let mut top = take_best(&mut bounded, look);
        looked_at += top.len();
        if is_tested {
            top = search.passing(session, top)?;
        }
        look = look.saturating_mul(2);
        let docs: Vec<i64> = top.iter().map(|(doc, _)| *doc).collect();
        let sql = "SELECT doc, vector FROM twiceshy.vectors WHERE kind = $1 AND doc = ANY ($2)";
        let sql = Statement::new(sql)
            .with(search.kind, Type::INT4)
            .with(docs, Type::INT8_ARRAY);
        chosen.extend(measured(&session.one(sql, search.deadline)?, vector));
        chosen.sort_unstable_by(order);
    }
    let share = chosen.len() as f64 / looked_at.max(1) as f64;
    Ok((chosen, share))
}

/// The nearest of those whose codes differ least from the question's and that pass.
fn of_many(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    wanted: usize,
    index: Option<String>,
) -> Result<Vec<Ranked>, Failure> {
    let mut near = Vec::new();
    if let Some(schema) = index {
        // Where most pass, only those that may be among the nearest are tested.
        near = by_index(search, session, vector, wanted, &schema, false)?;
        let (chosen, share) = nearest(search, session, vector, near, wanted, true)?;
        if chosen.len() >= wanted && share >= MOST_PASS {
            return Ok(chosen);
        }
        near = by_index(search, session, vector, wanted, &schema, true)?;
    }
    // What an index does not find because few pass the conditions is looked for among all.
    if near.len() < LEAST_COMPARED.max(wanted) {
        let counted = search.count_pieces(session, None, search.effort.many)?;
        let piece = counted.narrowest(search.effort.many);
        near = by_code(search, session, vector, wanted, piece)?;
    }
    Ok(nearest(search, session, vector, near, wanted, false)?.0)
}

fn most(wanted: usize) -> usize {
    wanted.saturating_mul(COMPARED).max(LEAST_COMPARED)
}

fn by_index(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    wanted: usize,
    schema: &str,
    is_tested: bool,
) -> Result<Vec<Ranked>, Failure> {
    let mut sql = Statement::new("SELECT v.doc, v.short FROM twiceshy.shorts v");
    let asked = sql.bind(code(vector), Type::TEXT);
    if is_tested {
        sql.push(" JOIN twiceshy.documents d ON d.doc = v.doc");
    }
    // The number itself, so that the server sees that the index is of this kind.
    sql.push(&format!(" WHERE v.kind = {}", search.kind));
    if is_tested {
        search.tests(&mut sql);
    }
    let distance = vector_index::distance(schema, &asked, vector.len());
    sql.push(&format!(" ORDER BY {distance} LIMIT {}", most(wanted)));
    let mut statements = vector_index::preparation(most(wanted));
    statements.push(sql);
    let rows = session.run(&statements, search.deadline)?.pop();
    Ok(bounded(&rows.unwrap_or_default(), vector))
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
