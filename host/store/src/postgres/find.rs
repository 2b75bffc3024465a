//! Owns the reading of documents by question: which way leads to the answer, and in what order.
//!
//! Either the documents of a narrow piece of the index of attributes are tested and sorted, or the index of the order is
//! walked from its beginning until the answer is full. Which way is shorter is found by counting and by trying, as in
//! a file. Each statement has the form of one plan, so that the server has little to choose.

use std::cell::Cell;
use std::time::Instant;

use tokio_postgres::Row;
use tokio_postgres::types::Type;
use twiceshy_documents::rank::BUDGET;
use twiceshy_wit::host::{AttributeOrder, Condition, Found, Key, Order, Query, Stored, Test};

use super::entries::{after, beginning, end, entry, passing};
use super::failure::Failure;
use super::fresh;
use super::nearest;
use super::pieces::{Piece, Repeated};
use super::session::{Session, Statement};
use crate::postgres::entries::Passing;
use crate::{bodies, indexed};

/// When to leave one way for the other, on which answers do not depend; and what a question of text may cost.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// A piece of the index that has fewer entries than this is where to begin.
    pub few: usize,
    /// How many steps to walk before it is doubtful whether the walk was the better way.
    pub steps: usize,
    /// A piece that has more entries than this is not worth sorting after all.
    pub many: usize,
    /// How many entries the lists of a question's terms may have together.
    pub budget: u64,
    /// Among more vectors than this the nearest are looked for by their binary codes.
    pub exact: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Effort {
            few: 256,
            steps: 4_096,
            many: 100_000,
            budget: BUDGET,
            exact: super::EXACT,
        }
    }
}

/// A question about the documents of one kind.
pub struct Search<'q> {
    pub kind: i32,
    pub kind_name: &'q str,
    pub conditions: &'q [Condition],
    pub repeated: &'q Repeated,
    pub effort: Effort,
    pub deadline: Instant,
    /// Whether a transaction was begun and not ended.
    pub is_open: Cell<bool>,
}

/// A document as it is read: number, id, version and content.
const COLUMNS: &str = "d.doc, d.id, d.version, d.body";

/// Where a page begins, and how many documents it has.
pub type Page = (usize, usize);

impl Search<'_> {
    /// Everything after it is seen as of one moment.
    pub fn moment(&self) -> Vec<Statement> {
        self.is_open.set(true);
        vec![Statement::new(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        )]
    }

    /// Sends the last statement of a question.
    fn last(&self, session: &mut Session, sql: Statement) -> Result<Vec<Row>, Failure> {
        if !self.is_open.get() {
            return session.one(sql, self.deadline);
        }
        let mut rows = session.run(&[sql, Statement::new("COMMIT")], self.deadline)?;
        self.is_open.set(false);
        Ok(rows.swap_remove(0))
    }

    /// Ends what was begun.
    fn ended<T>(&self, session: &mut Session, answer: Result<T, Failure>) -> Result<T, Failure> {
        if self.is_open.replace(false) {
            match answer.is_ok() {
                true => drop(session.one(Statement::new("COMMIT"), self.deadline)?),
                false => session.roll_back(),
            }
        }
        answer
    }

    /// Finds documents.
    pub fn find(&self, session: &mut Session, query: &Query) -> Result<Vec<Found>, Failure> {
        let page = (query.offset as usize, query.limit as usize);
        if page.1 == 0 && !matches!(query.order, Order::ByNearest(_)) {
            return Ok(Vec::new());
        }
        let found = match &query.order {
            Order::ById => self.by_id(session, page),
            Order::ByAttribute(order) => self.by_attribute(session, order, page),
            Order::ByText(text) => self.by_text(session, text, page),
            Order::ByNearest(vector) => nearest::by_nearest(self, session, vector, page),
        };
        self.ended(session, found)
    }

    /// Counts documents.
    pub fn count(&self, session: &mut Session) -> Result<i64, Failure> {
        let counted = self.count_passing(session);
        self.ended(session, counted)
    }

    fn count_passing(&self, session: &mut Session) -> Result<i64, Failure> {
        let mut sql = Statement::new("SELECT count(*) FROM ");
        let kind = sql.bind(self.kind, Type::INT4);
        let mut piece = None;
        if !self.pieces().is_empty() {
            let counted = self.count_pieces(session, None, self.effort.steps)?;
            if counted.is_unmet() {
                return Ok(0);
            }
            piece = counted.best().cloned();
        }
        match piece {
            // Documents need not be looked at.
            Some(piece) if piece.is_all => {
                self.documents_of(&mut sql, &kind, &piece, None);
                sql.push(" d");
            }
            Some(piece) => {
                self.documents_of(&mut sql, &kind, &piece, None);
                sql.push(" c JOIN twiceshy.documents d ON d.doc = c.doc WHERE true");
                self.tests(&mut sql);
            }
            None => {
                sql.push(&format!("twiceshy.documents d WHERE d.kind = {kind}"));
                self.tests(&mut sql);
            }
        }
        let rows = self.last(session, sql)?;
        Ok(rows.first().map_or(0, |row| row.get(0)))
    }

    fn by_id(&self, session: &mut Session, page: Page) -> Result<Vec<Found>, Failure> {
        let walk = |steps: Option<usize>| {
            let mut sql = Statement::new(format!(
                "SELECT {COLUMNS} FROM (SELECT * FROM twiceshy.documents WHERE kind = "
            ));
            let kind = sql.bind(self.kind, Type::INT4);
            sql.push(&format!("{kind} ORDER BY id"));
            if let Some(steps) = steps {
                let steps = sql.bind(whole(steps), Type::INT8);
                sql.push(&format!(" LIMIT {steps}"));
            }
            sql.push(") d WHERE true");
            self.tests(&mut sql);
            sql.push(" ORDER BY d.id");
            limit(&mut sql, page);
            sql
        };
        let sort = |sql: &mut Statement, piece: &Piece, most: Option<usize>| {
            sql.push(&format!("SELECT {COLUMNS} FROM "));
            let kind = sql.bind(self.kind, Type::INT4);
            self.documents_of(sql, &kind, piece, most);
            sql.push(" c JOIN twiceshy.documents d ON d.doc = c.doc WHERE true");
            self.tests(sql);
            sql.push(" ORDER BY d.id");
            limit(sql, page);
        };
        self.shorter(session, None, |steps, _| walk(steps), sort, page)
    }

    fn by_attribute(
        &self,
        session: &mut Session,
        order: &AttributeOrder,
        page: Page,
    ) -> Result<Vec<Found>, Failure> {
        let name = order.attribute.as_str();
        if self.is_indexed(name) {
            return self.shorter(
                session,
                Some(order),
                |steps, is_repeated| self.attribute_walk(order, is_repeated, steps, page),
                |sql, piece, most| self.attribute_sort(sql, order, Some(piece), most, page),
                page,
            );
        }
        let mut best = None;
        if !self.pieces().is_empty() {
            let counted = self.count_pieces(session, None, self.effort.many)?;
            best = counted.best().cloned();
        }
        let mut sort = Statement::new("");
        self.attribute_sort(&mut sort, order, best.as_ref(), None, page);
        self.documents(&self.last(session, sort)?, |_| 0.0)
    }

    /// Goes the shorter way: a narrow piece is sorted, else the order is walked; if that takes long, the pieces get a second
    /// chance.
    fn shorter(
        &self,
        session: &mut Session,
        order: Option<&AttributeOrder>,
        walk: impl Fn(Option<usize>, bool) -> Statement,
        sort: impl Fn(&mut Statement, &Piece, Option<usize>),
        page: Page,
    ) -> Result<Vec<Found>, Failure> {
        let few = self.effort.few;
        let pieces = self.pieces();
        if pieces.is_empty() {
            return self.documents(&self.last(session, walk(None, true))?, |_| 0.0);
        }
        let name = order.map(|order| order.attribute.as_str());
        // A piece of the order's own attribute is likely to be narrow: it is sorted while it is counted, in one statement
        // and so as of one moment.
        let is_guess = |one: &&Piece| one.is_bounded && name == Some(&*one.name);
        if let (Some(order), Some(guess)) = (order, pieces.iter().find(is_guess).cloned()) {
            let mut sql =
                Statement::new("SELECT s.doc, s.id, s.version, s.body, c.* FROM (").steady();
            self.push_counting(&mut sql, &pieces, name, few);
            sql.push(") c LEFT JOIN LATERAL (");
            sort(&mut sql, &guess, Some(few));
            let direction = direction(order);
            sql.push(&format!(") s ON true ORDER BY s.entry {direction}, s.id"));
            let rows = session.one(sql, self.deadline)?;
            let counted = self.read_counts(pieces, name, few, &rows)?;
            if counted.is_some_and(|counted| counted.is_narrow(&guess)) {
                // Without a document there is a row with the counts alone.
                let has_none = rows[0].get::<_, Option<i64>>(0).is_none();
                let rows = if has_none { &[] } else { &rows[..] };
                return self.documents(rows, |_| 0.0);
            }
        }
        let sorted = |piece: &Piece, most: Option<usize>| {
            let mut sql = match most {
                // Over so many entries, however many there are.
                Some(_) => Statement::new("").steady(),
                None => Statement::new(""),
            };
            sort(&mut sql, piece, most);
            sql
        };
        let counted = self.count_pieces(session, name, few)?;
        if counted.is_unmet() {
            return Ok(Vec::new());
        }
        if let Some(piece) = counted.narrowest(few) {
            let rows = self.last(session, sorted(piece, Some(few)))?;
            return self.documents(&rows, |_| 0.0);
        }
        let first = walk(Some(self.effort.steps), counted.is_repeated);
        let rows = session.one(first, self.deadline)?;
        if rows.len() >= page.1 {
            return self.documents(&rows, |_| 0.0);
        }
        let more = self.count_pieces(session, name, self.effort.many)?;
        let rest = match more.narrowest(self.effort.many) {
            Some(piece) => sorted(piece, None),
            None => walk(None, more.is_repeated),
        };
        self.documents(&self.last(session, rest)?, |_| 0.0)
    }

    /// Walks along the index of the order. A document with several values counts by its first in the direction.
    fn attribute_walk(
        &self,
        order: &AttributeOrder,
        is_repeated: bool,
        steps: Option<usize>,
        page: Page,
    ) -> Statement {
        let name = &order.attribute;
        let direction = direction(order);
        let first = if order.descending { ">" } else { "<" };
        let (least, end) = self.walked(order, is_repeated);
        let mut sql = Statement::new("");
        let kind = sql.bind(self.kind, Type::INT4);
        let least = sql.bind(least, Type::BYTEA);
        let end = sql.bind(end, Type::BYTEA);
        let within = format!("entered >= {least} AND entered < {end}");
        let mut order = format!("ORDER BY entered {direction}");
        if let Some(steps) = steps {
            // What has the same value is in the order of ids, so it is looked at together.
            let steps = sql.bind(whole(steps), Type::INT8);
            order.push_str(&format!(" FETCH FIRST ({steps}) ROWS WITH TIES"));
        }
        let fresh = fresh::ENTRIES;
        fresh::look(&mut sql, &kind);
        sql.push(&format!(
            "SELECT {COLUMNS} FROM (SELECT entered AS entry, doc FROM (
                (SELECT entered, doc FROM twiceshy.attributes WHERE kind = {kind} AND {within} {order})
                UNION ALL (SELECT entered, doc FROM {fresh} WHERE {within} ORDER BY entered {direction})) a {order}"
        ));
        sql.push(") x JOIN twiceshy.documents d ON d.doc = x.doc WHERE true");
        if is_repeated {
            let least = sql.bind(beginning(name), Type::BYTEA);
            let end = sql.bind(self::end(name), Type::BYTEA);
            sql.push(&format!(
                " AND NOT EXISTS (SELECT FROM unnest(d.entries) e WHERE e {first} x.entry AND e >= {least} AND e < {end})"
            ));
        }
        self.tests(&mut sql);
        sql.push(&format!(" ORDER BY x.entry {direction}, d.id"));
        limit(&mut sql, page);
        sql
    }

    /// Which entries of the order's attribute are walked: conditions on it bound the walk. If documents have several values,
    /// only the beginning of the walk: one that passes has a value there, so its first in the direction is not before it.
    fn walked(&self, order: &AttributeOrder, is_repeated: bool) -> (Vec<u8>, Vec<u8>) {
        let name = &order.attribute;
        let (mut least, mut most) = (beginning(name), end(name));
        for condition in self.conditions.iter().filter(|one| one.attribute == *name) {
            if !is_repeated {
                if let Passing::Between(first, last) = passing(name, &condition.test) {
                    least = least.max(first);
                    most = most.min(last);
                }
                continue;
            }
            match (&condition.test, order.descending) {
                (Test::Equals(value) | Test::AtLeast(value), true) => {
                    least = least.max(entry(name, value));
                }
                (Test::Equals(value) | Test::AtMost(value), false) => {
                    most = most.min(after(entry(name, value)));
                }
                _ => {}
            }
        }
        (least, most)
    }

    /// Sorts the documents of a piece, or of so many of its entries, or all of the kind, by their first value in the direction of the order.
    fn attribute_sort(
        &self,
        sql: &mut Statement,
        order: &AttributeOrder,
        piece: Option<&Piece>,
        most: Option<usize>,
        page: Page,
    ) {
        let direction = direction(order);
        sql.push(&format!("SELECT {COLUMNS}, x.entry FROM "));
        let kind = sql.bind(self.kind, Type::INT4);
        let least = sql.bind(beginning(&order.attribute), Type::BYTEA);
        let end = sql.bind(end(&order.attribute), Type::BYTEA);
        match piece {
            Some(piece) => {
                self.documents_of(sql, &kind, piece, most);
                sql.push(" c JOIN twiceshy.documents d ON d.doc = c.doc");
            }
            None => sql.push("twiceshy.documents d"),
        }
        sql.push(&format!(
            " CROSS JOIN LATERAL (SELECT e AS entry FROM unnest(d.entries) e
              WHERE e >= {least} AND e < {end} ORDER BY e {direction} LIMIT 1) x WHERE "
        ));
        // A piece is of the kind: said again, the server may look for each document among all of the kind.
        match piece {
            Some(_) => sql.push("true"),
            None => sql.push(&format!("d.kind = {kind}")),
        }
        self.tests(sql);
        sql.push(&format!(" ORDER BY x.entry {direction}, d.id"));
        limit(sql, page);
    }

    /// Reads the documents of an answer, in their order. It is the last statement of a question.
    pub fn read(
        &self,
        session: &mut Session,
        page: &[super::best::Ranked],
    ) -> Result<Vec<Found>, Failure> {
        if page.is_empty() {
            return Ok(Vec::new());
        }
        let docs: Vec<i64> = page.iter().map(|(doc, _)| *doc).collect();
        let sql = format!(
            "SELECT {COLUMNS} FROM unnest($1) WITH ORDINALITY u(doc, n) JOIN twiceshy.documents d ON d.doc = u.doc ORDER BY n"
        );
        let sql = Statement::new(sql).steady().with(docs, Type::INT8_ARRAY);
        let rows = self.last(session, sql)?;
        let scores: std::collections::HashMap<i64, f64> = page.iter().copied().collect();
        self.documents(&rows, |doc| scores.get(&doc).copied().unwrap_or_default())
    }

    fn documents(&self, rows: &[Row], score: impl Fn(i64) -> f64) -> Result<Vec<Found>, Failure> {
        let found = |row: &Row| {
            Ok(Found {
                document: stored(row, self.kind_name)?.0,
                score: score(row.get(0)),
            })
        };
        rows.iter().map(found).collect()
    }

    pub fn is_indexed(&self, name: &str) -> bool {
        !indexed::NOT_INDEXED.contains(&(self.kind_name, name))
    }
}

fn direction(order: &AttributeOrder) -> &'static str {
    if order.descending { "DESC" } else { "ASC" }
}

fn whole(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn limit(sql: &mut Statement, (offset, limit): Page) {
    let limit = sql.bind(whole(limit), Type::INT8);
    let offset = sql.bind(whole(offset), Type::INT8);
    sql.push(&format!(" LIMIT {limit} OFFSET {offset}"));
}

/// A document of a row: number, id, version, content.
pub fn stored(row: &Row, kind: &str) -> Result<(Stored, String), Failure> {
    let version: i64 = row.get(2);
    let content = bodies::unpacked(row.get(3))?;
    let text = content.text().to_owned();
    let stored = Stored {
        key: Key {
            kind: kind.to_owned(),
            id: row.get(1),
        },
        version: u32::try_from(version).unwrap_or(u32::MAX),
        body: content.into_body(),
    };
    Ok((stored, text))
}
