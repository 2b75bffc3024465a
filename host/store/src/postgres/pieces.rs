//! Owns which pieces of the index of attributes the conditions of a question stand for, and how narrow each is. What is fresh
//! belongs to the index as if it was entered.
//!
//! Every document that passes has an entry in each piece, so that a narrow one leads to all of them. How narrow they are is
//! found by counting, up to a bound, not by the statistics of the server: no question is slow because they are old.

use std::collections::{BTreeMap, HashSet};
use std::sync::{PoisonError, RwLock};

use tokio_postgres::Row;
use tokio_postgres::types::Type;
use twiceshy_wit::host::Condition;

use super::entries::{self, Passing};
use super::failure::Failure;
use super::find::Search;
use super::fresh;
use super::session::{Session, Statement};

/// Names of attributes of which some document has several values, by kind. Once it is so, it stays so; whether it is not
/// so must be asked in the moment of the question.
pub type Repeated = RwLock<HashSet<(i32, String)>>;

/// A piece of the index.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// The attribute.
    pub name: String,
    pub entries: Passing,
    /// Whether it has a beginning and an end, or single values, so that it may well be narrow.
    pub is_bounded: bool,
    /// Whether it says all that the conditions say.
    pub is_all: bool,
}

/// The pieces of a question, each with how many entries it has, up to the bound of the counting.
pub struct Counted {
    pieces: Vec<(Piece, usize)>,
    bound: usize,
    /// Whether some document has several values of the attribute of the order.
    pub is_repeated: bool,
}

impl Counted {
    /// The piece with the fewest entries, if they are fewer than `most` and than the bound.
    pub fn narrowest(&self, most: usize) -> Option<&Piece> {
        let (piece, count) = self.pieces.iter().min_by_key(|(_, count)| *count)?;
        (*count < most.min(self.bound)).then_some(piece)
    }

    /// Whether a piece has fewer entries than the bound.
    pub fn is_narrow(&self, piece: &Piece) -> bool {
        let mut all = self.pieces.iter();
        all.any(|(one, count)| one == piece && *count < self.bound)
    }

    /// The piece with the fewest entries, however many.
    pub fn best(&self) -> Option<&Piece> {
        let least = self.pieces.iter().min_by_key(|(_, count)| *count);
        least.map(|(piece, _)| piece)
    }

    /// Whether no document passes.
    pub fn is_unmet(&self) -> bool {
        self.pieces.iter().any(|(_, count)| *count == 0)
    }
}

impl Search<'_> {
    /// The pieces of all conditions on attributes that are in the index. Conditions on an attribute that no document has
    /// several values of are one piece.
    pub fn pieces(&self) -> Vec<Piece> {
        let mut between: BTreeMap<&str, (Vec<u8>, Vec<u8>, usize)> = BTreeMap::new();
        let mut all = Vec::new();
        for condition in self.conditions {
            let name = condition.attribute.as_str();
            if !self.is_indexed(name) {
                continue;
            }
            match entries::passing(name, &condition.test) {
                Passing::Missing(..) => {}
                Passing::Between(least, end) if !self.is_repeated(name) => {
                    match between.get_mut(name) {
                        None => drop(between.insert(name, (least, end, 1))),
                        Some(both) => {
                            both.0 = least.max(std::mem::take(&mut both.0));
                            both.1 = end.min(std::mem::take(&mut both.1));
                            both.2 += 1;
                        }
                    }
                }
                entries => all.push(Piece {
                    name: name.to_owned(),
                    is_bounded: matches!(entries, Passing::Among(_)),
                    entries,
                    is_all: self.conditions.len() == 1,
                }),
            }
        }
        let piece = |(name, (least, end, count)): (&str, (Vec<u8>, Vec<u8>, usize))| Piece {
            name: name.to_owned(),
            entries: Passing::Between(least, end),
            is_bounded: count > 1,
            is_all: self.conditions.len() == count,
        };
        all.extend(between.into_iter().map(piece));
        all
    }

    /// Whether an attribute is known to have several values in some document.
    pub fn is_repeated(&self, name: &str) -> bool {
        let repeated = self.repeated.read().unwrap_or_else(PoisonError::into_inner);
        repeated.contains(&(self.kind, name.to_owned()))
    }

    /// Asks which attributes have several values, and how many entries each piece has, up to a bound.
    pub fn counting(&self, pieces: &[Piece], order: Option<&str>, bound: usize) -> Statement {
        let mut sql = Statement::new("").steady();
        self.push_counting(&mut sql, pieces, order, bound);
        sql
    }

    /// Appends that question to a statement: one row.
    pub fn push_counting(
        &self,
        sql: &mut Statement,
        pieces: &[Piece],
        order: Option<&str>,
        bound: usize,
    ) {
        let kind = sql.bind(self.kind, Type::INT4);
        let names = sql.bind(self.names(order), Type::TEXT_ARRAY);
        sql.push("SELECT ARRAY(SELECT name FROM twiceshy.repeated WHERE kind = ");
        // A piece without an entry is to be told from one that was not looked at.
        let bound = bound.max(1);
        sql.push(&format!("{kind} AND name = ANY ({names}))"));
        for piece in pieces {
            sql.push(&format!(
                ", (SELECT count(*) FROM (SELECT FROM twiceshy.attributes a WHERE a.kind = {kind} AND "
            ));
            test(sql, "a.entered", &piece.entries);
            let fresh = fresh::ENTRIES;
            sql.push(&format!(
                " LIMIT {bound}) few) + (SELECT count(*) FROM {fresh} f WHERE "
            ));
            test(sql, "f.entered", &piece.entries);
            sql.push(")");
        }
        if !pieces.is_empty() {
            fresh::look(sql, &kind);
        }
    }

    fn names(&self, order: Option<&str>) -> Vec<String> {
        let names = self.conditions.iter().map(|one| one.attribute.as_str());
        names.chain(order).map(str::to_owned).collect()
    }

    /// Reads the answer to [`counting`](Self::counting); none if an attribute turns out to have several values, so that the
    /// pieces are others.
    pub fn read_counts(
        &self,
        pieces: Vec<Piece>,
        order: Option<&str>,
        bound: usize,
        rows: &[Row],
    ) -> Result<Option<Counted>, Failure> {
        let Some(row) = rows.first() else {
            return Err(Failure::Other("a count was not answered".into()));
        };
        // Behind a document, if there is one in the row.
        let first = row.len() - pieces.len() - 1;
        let repeated: Vec<String> = row.get(first);
        if repeated.iter().any(|name| !self.is_repeated(name)) {
            let found = repeated.into_iter().map(|name| (self.kind, name));
            let mut known = self
                .repeated
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            known.extend(found);
            return Ok(None);
        }
        let count = |place: usize| {
            let count: i64 = row.get(first + 1 + place);
            usize::try_from(count).unwrap_or_default()
        };
        let counts = (0..pieces.len()).map(count).collect::<Vec<_>>();
        Ok(Some(Counted {
            pieces: pieces.into_iter().zip(counts).collect(),
            bound,
            is_repeated: order.is_some_and(|name| self.is_repeated(name)),
        }))
    }

    /// The same, and counts again if the pieces are others. The caller holds the transaction.
    pub fn counted(
        &self,
        session: &mut Session,
        pieces: Vec<Piece>,
        bound: usize,
        rows: &[Row],
    ) -> Result<Counted, Failure> {
        match self.read_counts(pieces, None, bound, rows)? {
            Some(counted) => Ok(counted),
            None => self.count_pieces(session, None, bound),
        }
    }

    /// Counts the entries of all pieces, up to a bound, in the transaction of the question, which it begins if need be.
    pub fn count_pieces(
        &self,
        session: &mut Session,
        order: Option<&str>,
        bound: usize,
    ) -> Result<Counted, Failure> {
        // What is learned stays, so that there is an end to it.
        loop {
            let pieces = self.pieces();
            let mut statements = match self.is_open.get() {
                true => Vec::new(),
                false => self.moment(),
            };
            statements.push(self.counting(&pieces, order, bound));
            let rows = session.run(&statements, self.deadline)?.pop();
            let rows = rows.unwrap_or_default();
            if let Some(counted) = self.read_counts(pieces, order, bound, &rows)? {
                return Ok(counted);
            }
        }
    }

    /// The documents of a piece, or of so many of its entries and of all that are fresh, each once.
    pub fn documents_of(
        &self,
        sql: &mut Statement,
        kind: &str,
        piece: &Piece,
        most: Option<usize>,
    ) {
        sql.push(&format!(
            "((SELECT a.doc FROM twiceshy.attributes a WHERE a.kind = {kind} AND "
        ));
        test(sql, "a.entered", &piece.entries);
        if let Some(most) = most {
            sql.push(&format!(" LIMIT {most}"));
        }
        let fresh = fresh::ENTRIES;
        sql.push(&format!(") UNION SELECT f.doc FROM {fresh} f WHERE "));
        test(sql, "f.entered", &piece.entries);
        sql.push(")");
        fresh::look(sql, kind);
    }

    /// All conditions as tests on the document at hand.
    pub fn tests(&self, sql: &mut Statement) {
        for condition in self.conditions {
            at_hand(sql, condition);
        }
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
        Passing::Between(least, end) | Passing::Missing(least, end) => {
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
