//! Owns the reading of documents by question: the statements that answer it.
//!
//! Each condition on an indexed attribute is a set of documents that the database looks up or joins as its statistics
//! say, if it asks for a value; the others are tests on the document at hand. Orders by id and by attribute are one statement. For the others the
//! candidates come first, best first, and then those that pass.

use std::time::Instant;

use tokio_postgres::Row;
use tokio_postgres::types::Type;
use twiceshy_documents::rank::best_first;
use twiceshy_wit::host::{AttributeOrder, Condition, Found, Key, Order, Query, Stored, Test};

use super::entries::{self, Passing, beginning, end, entry, passing};
use super::failure::Failure;
use super::nearest;
use super::session::{Session, Statement};
use super::texts::{self, Ranked};
use crate::{bodies, indexed};

/// How many candidates are tested at first, and by how much more each time.
const FIRST_LOOK: usize = 64;
const MORE: usize = 4;

/// A question about the documents of one kind.
pub struct Search<'q> {
    pub kind: i32,
    pub kind_name: &'q str,
    pub conditions: &'q [Condition],
    /// What a question of text may cost.
    pub budget: u64,
    /// Among more vectors than this the nearest are looked for by their binary codes.
    pub exact: i64,
    pub deadline: Instant,
}

/// A document as it is read: number, id, version and content.
const COLUMNS: &str = "d.doc, d.id, d.version, d.body";

/// Everything after it is seen as of one moment.
pub fn moment() -> Vec<Statement> {
    vec![Statement::new(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    )]
}

impl Search<'_> {
    /// Finds documents. `before` is sent ahead of everything, and its rows are handed to `check`, which may refuse.
    pub fn find(&self, session: &mut Session, query: &Query) -> Result<Vec<Found>, Failure> {
        let page = (query.offset as usize, query.limit as usize);
        match &query.order {
            Order::ById => self.by_id(session, page),
            Order::ByAttribute(order) => self.by_attribute(session, order, page),
            Order::ByText(_) | Order::ByNearest(_) => {
                let found = match &query.order {
                    Order::ByText(text) => self.by_text(session, text, page),
                    Order::ByNearest(vector) => nearest::by_nearest(self, session, vector, page),
                    _ => Ok(Vec::new()),
                };
                match found.is_ok() {
                    true => drop(session.one(Statement::new("COMMIT"), self.deadline)?),
                    false => session.roll_back(),
                }
                found
            }
        }
    }

    /// Counts documents.
    pub fn count(&self, session: &mut Session) -> Result<i64, Failure> {
        let mut sql = Statement::new("SELECT count(*) FROM ");
        let kind = sql.bind(self.kind, Type::INT4);
        // Where every condition is looked up in the index, documents need not be looked at.
        let is_indexed = |condition: &Condition| {
            condition.test != Test::Missing && self.is_indexed(&condition.attribute)
        };
        match self.conditions {
            [first, rest @ ..] if is_indexed(first) && rest.iter().all(|one| self.leads(one)) => {
                sql.push("(SELECT DISTINCT a.doc FROM twiceshy.attributes a WHERE a.kind = ");
                sql.push(&kind);
                sql.push(" AND ");
                let passing = passing(&first.attribute, &first.test);
                test(&mut sql, "a.entry", &passing);
                sql.push(") d WHERE true");
                for condition in rest {
                    self.filter(&mut sql, &kind, condition);
                }
            }
            conditions => {
                sql.push("twiceshy.documents d WHERE d.kind = ");
                sql.push(&kind);
                for condition in conditions {
                    self.filter(&mut sql, &kind, condition);
                }
            }
        }
        let rows = session.one(sql, self.deadline)?;
        Ok(rows.first().map_or(0, |row| row.get(0)))
    }

    fn by_id(&self, session: &mut Session, page: (usize, usize)) -> Result<Vec<Found>, Failure> {
        let mut sql = Statement::new(format!(
            "SELECT {COLUMNS} FROM twiceshy.documents d WHERE d.kind = "
        ));
        let kind = sql.bind(self.kind, Type::INT4);
        sql.push(&kind);
        self.filters(&mut sql, &kind);
        sql.push(" ORDER BY d.id");
        limit(&mut sql, page);
        self.documents(&session.one(sql, self.deadline)?, |_| 0.0)
    }

    fn by_attribute(
        &self,
        session: &mut Session,
        order: &AttributeOrder,
        page: (usize, usize),
    ) -> Result<Vec<Found>, Failure> {
        let name = &order.attribute;
        let (direction, first) = match order.descending {
            true => ("DESC", ">"),
            false => ("ASC", "<"),
        };
        let mut sql = Statement::new(format!("SELECT {COLUMNS} FROM "));
        let kind = sql.bind(self.kind, Type::INT4);
        let least = sql.bind(beginning(name), Type::BYTEA);
        let end = sql.bind(end(name), Type::BYTEA);
        if self.is_indexed(name) {
            // A document with several values counts by its first in the direction of the order.
            sql.push(&format!(
                "twiceshy.attributes x JOIN twiceshy.documents d ON d.doc = x.doc
                 WHERE x.kind = {kind} AND x.entry >= {least} AND x.entry < {end}
                 AND NOT EXISTS (SELECT FROM unnest(d.entries) e WHERE e {first} x.entry AND e >= {least} AND e < {end})"
            ));
            self.bound_walk(&mut sql, order);
        } else {
            sql.push(&format!(
                "twiceshy.documents d CROSS JOIN LATERAL (SELECT e AS entry FROM unnest(d.entries) e
                 WHERE e >= {least} AND e < {end} ORDER BY e {direction} LIMIT 1) x WHERE d.kind = {kind}"
            ));
        }
        self.filters(&mut sql, &kind);
        sql.push(&format!(" ORDER BY x.entry {direction}, d.id"));
        limit(&mut sql, page);
        self.documents(&session.one(sql, self.deadline)?, |_| 0.0)
    }

    /// Bounds a walk by conditions on the order's own attribute. A document that passes has a value there, so its first
    /// value in the order is there as well.
    fn bound_walk(&self, sql: &mut Statement, order: &AttributeOrder) {
        for condition in self
            .conditions
            .iter()
            .filter(|one| one.attribute == order.attribute)
        {
            let (value, comparison) = match (&condition.test, order.descending) {
                (Test::Equals(value) | Test::AtLeast(value), true) => (value, ">="),
                (Test::Equals(value) | Test::AtMost(value), false) => (value, "<="),
                _ => continue,
            };
            let bound = sql.bind(entry(&order.attribute, value), Type::BYTEA);
            sql.push(&format!(" AND x.entry {comparison} {bound}"));
        }
    }

    fn by_text(
        &self,
        session: &mut Session,
        text: &str,
        page: (usize, usize),
    ) -> Result<Vec<Found>, Failure> {
        let scored = texts::scored(
            session,
            moment(),
            self.kind,
            text,
            self.budget,
            self.deadline,
        )?;
        self.best(session, scored, page)
    }

    /// The page of an answer by score: the best that pass.
    pub fn best(
        &self,
        session: &mut Session,
        mut scored: Vec<Ranked>,
        (offset, limit): (usize, usize),
    ) -> Result<Vec<Found>, Failure> {
        let wanted = offset.saturating_add(limit);
        if limit == 0 || scored.is_empty() {
            return Ok(Vec::new());
        }
        if self.conditions.is_empty() {
            let first = offset.min(scored.len());
            take_best(&mut scored, wanted);
            let page = scored.split_off(first.min(scored.len()));
            return self.read(session, &page);
        }
        // Those that pass, of the best first; documents are read when it is known which ones are on the page.
        let mut chosen: Vec<Ranked> = Vec::new();
        let mut look = FIRST_LOOK.max(wanted.saturating_mul(2));
        while chosen.len() < wanted && !scored.is_empty() {
            let rest = match look < scored.len() {
                true => {
                    scored.select_nth_unstable_by(look, order);
                    scored.split_off(look)
                }
                false => Vec::new(),
            };
            let mut top = std::mem::replace(&mut scored, rest);
            top.sort_unstable_by(order);
            chosen.extend(self.passing(session, top)?);
            look = look.saturating_mul(MORE);
        }
        chosen.truncate(wanted);
        let page = chosen.split_off(offset.min(chosen.len()));
        self.read(session, &page)
    }

    /// Keeps those that pass all conditions, in their order.
    pub fn passing(
        &self,
        session: &mut Session,
        ranked: Vec<Ranked>,
    ) -> Result<Vec<Ranked>, Failure> {
        if self.conditions.is_empty() || ranked.is_empty() {
            return Ok(ranked);
        }
        let docs: Vec<i64> = ranked.iter().map(|(doc, _)| *doc).collect();
        let mut sql = Statement::new("SELECT d.doc FROM twiceshy.documents d WHERE d.doc = ANY (");
        let docs = sql.bind(docs, Type::INT8_ARRAY);
        sql.push(&docs);
        sql.push(")");
        for condition in self.conditions {
            at_hand(&mut sql, condition);
        }
        let rows = session.one(sql, self.deadline)?;
        let passing: std::collections::HashSet<i64> = rows.iter().map(|row| row.get(0)).collect();
        Ok(ranked
            .into_iter()
            .filter(|(doc, _)| passing.contains(doc))
            .collect())
    }

    /// Reads documents, in their order.
    pub fn read(&self, session: &mut Session, page: &[Ranked]) -> Result<Vec<Found>, Failure> {
        if page.is_empty() {
            return Ok(Vec::new());
        }
        let docs: Vec<i64> = page.iter().map(|(doc, _)| *doc).collect();
        let sql = format!(
            "SELECT {COLUMNS} FROM unnest($1) WITH ORDINALITY u(doc, n) JOIN twiceshy.documents d ON d.doc = u.doc ORDER BY n"
        );
        let rows = session.one(
            Statement::new(sql).with(docs, Type::INT8_ARRAY),
            self.deadline,
        )?;
        let scores: std::collections::HashMap<i64, f64> = page.iter().copied().collect();
        self.documents(&rows, |doc| scores.get(&doc).copied().unwrap_or_default())
    }

    fn documents(&self, rows: &[Row], score: impl Fn(i64) -> f64) -> Result<Vec<Found>, Failure> {
        let found = |row: &Row| {
            Ok(Found {
                document: stored(row, self.kind_name)?,
                score: score(row.get(0)),
            })
        };
        rows.iter().map(found).collect()
    }

    fn is_indexed(&self, name: &str) -> bool {
        !indexed::NOT_INDEXED.contains(&(self.kind_name, name))
    }

    /// The conditions on documents of which nothing is known yet.
    pub fn filters(&self, sql: &mut Statement, kind: &str) {
        for condition in self.conditions {
            self.filter(sql, kind, condition);
        }
    }

    /// Whether documents are looked up by a condition. Only a value leads to few of them: a range may have nearly all, and how
    /// many is not known when the question is planned. To look all of them up for each document took minutes.
    fn leads(&self, condition: &Condition) -> bool {
        let passing = passing(&condition.attribute, &condition.test);
        matches!(passing, Passing::Among(_)) && self.is_indexed(&condition.attribute)
    }

    fn filter(&self, sql: &mut Statement, kind: &str, condition: &Condition) {
        if !self.leads(condition) {
            return at_hand(sql, condition);
        }
        let passing = passing(&condition.attribute, &condition.test);
        sql.push(&format!(
            " AND d.doc IN (SELECT a.doc FROM twiceshy.attributes a WHERE a.kind = {kind} AND "
        ));
        test(sql, "a.entry", &passing);
        sql.push(")");
    }
}

/// A condition on a document that is at hand.
fn at_hand(sql: &mut Statement, condition: &Condition) {
    let passing = entries::passing(&condition.attribute, &condition.test);
    sql.push(match passing {
        Passing::Missing(..) => " AND NOT EXISTS (SELECT FROM unnest(d.entries) e WHERE ",
        _ => " AND EXISTS (SELECT FROM unnest(d.entries) e WHERE ",
    });
    test(sql, "e", &passing);
    sql.push(")");
}

/// Whether an entry passes.
fn test(sql: &mut Statement, entry: &str, passing: &Passing) {
    let text = match passing {
        Passing::Within(least, most) => {
            let least = sql.bind(least.clone(), Type::BYTEA);
            let most = sql.bind(most.clone(), Type::BYTEA);
            format!("{entry} >= {least} AND {entry} <= {most}")
        }
        Passing::Before(least, end) | Passing::Missing(least, end) => {
            let least = sql.bind(least.clone(), Type::BYTEA);
            let end = sql.bind(end.clone(), Type::BYTEA);
            format!("{entry} >= {least} AND {entry} < {end}")
        }
        Passing::Among(all) => match all.as_slice() {
            [one] => {
                let one = sql.bind(one.clone(), Type::BYTEA);
                format!("{entry} = {one}")
            }
            all => {
                let all = sql.bind(all.to_vec(), Type::BYTEA_ARRAY);
                format!("{entry} = ANY ({all})")
            }
        },
    };
    sql.push(&text);
}

fn limit(sql: &mut Statement, (offset, limit): (usize, usize)) {
    let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let limit = sql.bind(number(limit), Type::INT8);
    let offset = sql.bind(number(offset), Type::INT8);
    sql.push(&format!(" LIMIT {limit} OFFSET {offset}"));
}

/// The best of those that are scored, in their order.
fn take_best(scored: &mut Vec<Ranked>, wanted: usize) {
    if wanted < scored.len() {
        scored.select_nth_unstable_by(wanted, order);
        scored.truncate(wanted);
    }
    scored.sort_unstable_by(order);
}

/// The order of an answer by score.
pub fn order(a: &Ranked, b: &Ranked) -> std::cmp::Ordering {
    best_first((a.1, a.0), (b.1, b.0))
}

/// A document of a row: number, id, version, content.
pub fn stored(row: &Row, kind: &str) -> Result<Stored, Failure> {
    let version: i64 = row.get(2);
    Ok(Stored {
        key: Key {
            kind: kind.to_owned(),
            id: row.get(1),
        },
        version: u32::try_from(version).unwrap_or(u32::MAX),
        body: bodies::unpacked(row.get(3))?.into_body(),
    })
}
