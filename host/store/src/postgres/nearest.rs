//! Owns the answer to a question of a vector: which documents are compared in full, and the nearest of them.
//!
//! Among few vectors the answer is exact: a short form of each says how near it can be at most, and what may be among the
//! nearest is compared in full. Among many, the server takes those whose binary codes differ least from the question's,
//! by an index if it has one, and they are compared in full.

use tokio_postgres::types::Type;
use twiceshy_documents::rank::Direction;
use twiceshy_documents::validate;
use twiceshy_wit::host::Found;

use super::beside::code;
use super::failure::Failure;
use super::find::{Search, moment, order};
use super::session::{Session, Statement};
use super::texts::Ranked;
use super::vector_index;
use crate::coarse;

/// For each document of the page so many are compared in full, and at least so many in all.
const COMPARED: usize = 20;
const LEAST_COMPARED: usize = 400;

pub fn by_nearest(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    page: (usize, usize),
) -> Result<Vec<Found>, Failure> {
    let mut statements = moment();
    statements.push(
        Statement::new(
            "SELECT octet_length(vector) / 4 FROM twiceshy.vectors WHERE kind = $1 LIMIT 1",
        )
        .with(search.kind, Type::INT4),
    );
    statements.push(
        Statement::new(
            "SELECT count(*) FROM (SELECT FROM twiceshy.shorts WHERE kind = $1 LIMIT $2) few",
        )
        .with(search.kind, Type::INT4)
        .with(search.exact + 1, Type::INT8),
    );
    statements.push(vector_index::schema_of(search.kind));
    let rows = session.run(&statements, search.deadline)?;
    let Some(length) = rows[1].first().map(|row| row.get::<_, i32>(0)) else {
        return Ok(Vec::new());
    };
    let length = usize::try_from(length).unwrap_or_default();
    validate::same_length("order.by-nearest", search.kind_name, vector.len(), length)?;
    if page.1 == 0 {
        return Ok(Vec::new());
    }
    let count: i64 = rows[2].first().map_or(0, |row| row.get(0));
    match count > search.exact {
        true => {
            let index = vector_index::schema(&rows[3], search.kind, length);
            of_many(search, session, vector, page, index)
        }
        false => exactly(search, session, vector, page),
    }
}

/// The nearest of all, by the most that each can be.
fn exactly(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    (offset, limit): (usize, usize),
) -> Result<Vec<Found>, Failure> {
    let mut sql = Statement::new("SELECT v.doc, v.short FROM twiceshy.shorts v");
    let kind = sql.bind(search.kind, Type::INT4);
    if !search.conditions.is_empty() {
        sql.push(" JOIN twiceshy.documents d ON d.doc = v.doc");
    }
    sql.push(&format!(" WHERE v.kind = {kind}"));
    search.filters(&mut sql, &kind);
    let rows = session.one(sql, search.deadline)?;
    let asked = coarse::Asked::new(vector);
    let mut bounded: Vec<Ranked> = rows
        .iter()
        .map(|row| (row.get(0), asked.at_most(row.get(1))))
        .collect();
    let wanted = offset.saturating_add(limit);
    let mut chosen: Vec<Ranked> = Vec::new();
    while let Some(most) = bounded.iter().map(|ranked| ranked.1).max_by(f64::total_cmp) {
        if chosen.len() >= wanted && chosen[wanted - 1].1 > most {
            break;
        }
        let look = wanted
            .saturating_sub(chosen.len())
            .max(chosen.len())
            .max(64);
        let rest = match look < bounded.len() {
            true => {
                bounded.select_nth_unstable_by(look, order);
                bounded.split_off(look)
            }
            false => Vec::new(),
        };
        let top = std::mem::replace(&mut bounded, rest);
        chosen.extend(measured(search, session, vector, &top)?);
        chosen.sort_unstable_by(order);
    }
    chosen.truncate(wanted);
    let page = chosen.split_off(offset.min(chosen.len()));
    search.read(session, &page)
}

/// The nearest of those whose codes differ least from the question's.
fn of_many(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    (offset, limit): (usize, usize),
    index: Option<String>,
) -> Result<Vec<Found>, Failure> {
    let wanted = offset.saturating_add(limit);
    let most = wanted.saturating_mul(COMPARED).max(LEAST_COMPARED);
    let mut near = Vec::new();
    if let Some(schema) = index {
        near = candidates(search, session, vector, most, Some(&schema))?;
    }
    // What an index does not find because few pass the conditions is looked for among all.
    if near.len() < most {
        near = candidates(search, session, vector, most, None)?;
    }
    let mut chosen = measured(search, session, vector, &near)?;
    chosen.sort_unstable_by(order);
    chosen.truncate(wanted);
    let page = chosen.split_off(offset.min(chosen.len()));
    search.read(session, &page)
}

/// At most so many documents whose codes differ least from the question's; nearly so by an index.
fn candidates(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    most: usize,
    index: Option<&str>,
) -> Result<Vec<Ranked>, Failure> {
    let mut sql = Statement::new("SELECT v.doc FROM twiceshy.shorts v");
    let kind = search.kind.to_string();
    let asked = sql.bind(code(vector), Type::TEXT);
    let limit = sql.bind(i64::try_from(most).unwrap_or(i64::MAX), Type::INT8);
    if !search.conditions.is_empty() {
        sql.push(" JOIN twiceshy.documents d ON d.doc = v.doc");
    }
    // The number itself, so that the server sees that the index is of this kind.
    sql.push(&format!(" WHERE v.kind = {kind}"));
    search.filters(&mut sql, &kind);
    let mut statements = Vec::new();
    match index {
        Some(schema) => {
            statements = vector_index::preparation(most);
            let distance = vector_index::distance(schema, &asked, vector.len());
            sql.push(&format!(" ORDER BY {distance} LIMIT {limit}"));
        }
        None => sql.push(&format!(
            " ORDER BY bit_count(v.code # {asked}::varbit), v.doc DESC LIMIT {limit}"
        )),
    }
    statements.push(sql);
    let rows = session.run(&statements, search.deadline)?.pop();
    let rows = rows.unwrap_or_default();
    Ok(rows.iter().map(|row| (row.get(0), 0.0)).collect())
}

/// Documents with how near they are, exactly.
fn measured(
    search: &Search,
    session: &mut Session,
    vector: &[f32],
    candidates: &[Ranked],
) -> Result<Vec<Ranked>, Failure> {
    let docs: Vec<i64> = candidates.iter().map(|(doc, _)| *doc).collect();
    let rows = session.one(
        Statement::new(
            "SELECT doc, vector FROM twiceshy.vectors WHERE kind = $1 AND doc = ANY ($2)",
        )
        .with(search.kind, Type::INT4)
        .with(docs, Type::INT8_ARRAY),
        search.deadline,
    )?;
    let direction = Direction::new(vector);
    let near = |row: &tokio_postgres::Row| {
        (
            row.get(0),
            direction.cosine(&coarse::components(row.get(1))),
        )
    };
    Ok(rows.iter().map(near).collect())
}
