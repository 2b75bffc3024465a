//! Owns the reading of documents by question: which index answers it, and in what order.
//!
//! Two ways lead to an answer. Either the index of the order is walked from its beginning, each document
//! is tested, and the walk ends when the answer is full; or the documents that one condition lets through
//! are taken and sorted. Which way is shorter is found by looking at the index and by trying, not by
//! statistics, so that no question is slow because nobody counted.

use std::collections::HashSet;

use rusqlite::{Connection, params_from_iter};
use twiceshy_wit::host::{AttributeOrder, Condition, Found, Key, Order, Query, Stored, Test};

use super::database::{Database, UNKNOWN};
use super::failure::Failure;
use super::sql::{Sql, beginning, integer, number, of_x, one, range};
use crate::bodies;
use twiceshy_documents::rank::BUDGET;

/// When to leave one way for the other, on which answers do not depend; and what a question of text may cost.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// A condition that lets fewer index entries through than this is where to begin.
    pub few: usize,
    /// How many steps to walk before it is doubtful whether the walk was the better way.
    pub steps: usize,
    /// A condition that lets more index entries through than this is not worth sorting after all.
    pub many: usize,
    /// How many entries the lists of a question's terms may have together.
    pub budget: u64,
    /// Among more vectors than this the nearest are looked for by their binary codes.
    pub exact: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Effort {
            few: 256,
            steps: 4096,
            many: 100_000,
            budget: BUDGET,
            exact: 10_000,
        }
    }
}

/// Finds documents; the caller holds the transaction in which all of it is read.
pub fn find(database: &Database, query: &Query, effort: Effort) -> Result<Vec<Found>, Failure> {
    let Some(search) = Search::new(database, &query.kind, &query.conditions, effort)? else {
        return Ok(Vec::new());
    };
    let page = (query.offset as usize, query.limit as usize);
    if page.1 == 0 && !matches!(query.order, Order::ByNearest(_)) {
        return Ok(Vec::new());
    }
    let found = match &query.order {
        Order::ById => search.by_id(page)?,
        Order::ByAttribute(order) => search.by_attribute(order, page)?,
        Order::ByText(text) => search.by_text(text, page, effort.budget)?,
        Order::ByNearest(vector) => search.by_nearest(vector, page)?,
    };
    let mut read =
        database.prepare_cached("SELECT id, version, body FROM documents WHERE doc = ?1")?;
    let document = |(doc, score): (i64, f64)| {
        read.query_row([doc], |row| {
            let key = Key {
                kind: query.kind.clone(),
                id: row.get(0)?,
            };
            Ok(Found {
                document: Stored {
                    key,
                    version: row.get(1)?,
                    body: bodies::unpacked(row.get_ref(2)?.as_blob()?)?.into_body(),
                },
                score,
            })
        })
    };
    Ok(found
        .into_iter()
        .map(document)
        .collect::<rusqlite::Result<_>>()?)
}

/// Counts documents.
pub fn count(database: &Database, kind: &str, conditions: &[Condition]) -> Result<u32, Failure> {
    // Looking longer for the best condition would take as long as counting.
    let effort = Effort {
        many: 4096,
        ..Effort::default()
    };
    let Some(search) = Search::new(database, kind, conditions, effort)? else {
        return Ok(0);
    };
    // Every condition is a shorter way than all documents of the kind, so the least is not too many. Of one there is
    // no choice.
    let driver = match conditions {
        [one] if range(&one.test).is_some() && search.indexed[0] => Some(0),
        _ => search.fewest(usize::MAX, |_| true)?,
    };
    let Sql { text, parameters } = search.source(driver);
    let count: i64 = database
        .prepare_cached(&format!("SELECT count(*) FROM ({text})"))?
        .query_row(params_from_iter(parameters), |row| row.get(0))?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Entries of an index that are fewer than any other way would look at.
const HARDLY_ANY: usize = 8;

/// A document, by its row, and its score.
pub type Ranked = (i64, f64);

/// A question on its way to an answer.
pub struct Search<'a> {
    pub connection: &'a Connection,
    pub database: &'a Database,
    pub kind: i64,
    pub kind_name: &'a str,
    pub conditions: &'a [Condition],
    /// The number of each condition's attribute.
    pub names: Vec<i64>,
    /// Whether each is in the index.
    pub indexed: Vec<bool>,
    pub effort: Effort,
}

impl<'a> Search<'a> {
    /// A question about the documents of a kind; none if there never was one.
    pub fn new(
        database: &'a Database,
        kind_name: &'a str,
        conditions: &'a [Condition],
        effort: Effort,
    ) -> rusqlite::Result<Option<Search<'a>>> {
        let kind = database.kind(kind_name)?;
        if kind == UNKNOWN {
            return Ok(None);
        }
        let name = |condition: &Condition| database.name(kind, &condition.attribute);
        let names: Vec<i64> = conditions.iter().map(name).collect::<Result<_, _>>()?;
        let indexed = names.iter().map(|name| database.is_indexed(*name));
        Ok(Some(Search {
            connection: database,
            database,
            kind,
            kind_name,
            conditions,
            indexed: indexed.collect::<Result<_, _>>()?,
            names,
            effort,
        }))
    }

    fn by_id(&self, page: (usize, usize)) -> Result<Vec<Ranked>, Failure> {
        let sort = |driver| {
            let mut sql = Sql::new("SELECT doc FROM (", []);
            sql.push(self.source(Some(driver)));
            sql.add(
                ") CROSS JOIN documents USING (doc) ORDER BY documents.id LIMIT ? OFFSET ?",
                [number(page.1), number(page.0)],
            );
            sql
        };
        self.shorter(&self.id_walk(), sort, |_| true, false, page)
    }

    fn by_attribute(
        &self,
        order: &AttributeOrder,
        page: (usize, usize),
    ) -> Result<Vec<Ranked>, Failure> {
        let name = self.database.name(self.kind, &order.attribute)?;
        if !self.database.is_indexed(name)? {
            let driver = self.fewest(usize::MAX, |_| true)?;
            return self.ranked(self.attribute_sort(driver, name, order.descending, page));
        }
        let repeated = self
            .connection
            .prepare_cached("SELECT 1 FROM names WHERE name = ?1 AND repeated = 1")?
            .exists([name])?;
        // Conditions on the order's own attribute bound the walk; they need not compete with it.
        let competes = |condition: &Condition| repeated || condition.attribute != order.attribute;
        let walk = self.attribute_walk(order, name, repeated);
        // If the conditions on the order's own attribute leave little of the walk, it is the shortest way.
        if !repeated
            && (self.fewest(self.effort.few, |condition| !competes(condition))?).is_some()
            && let Some(found) = self.walked(&walk, repeated, page, usize::MAX)?
        {
            return Ok(found);
        }
        self.shorter(
            &walk,
            |driver| self.attribute_sort(Some(driver), name, order.descending, page),
            competes,
            repeated,
            page,
        )
    }

    /// Goes the shorter way: a condition that few documents pass is sorted, else the order is walked; if
    /// that takes long, the conditions get a second chance.
    fn shorter(
        &self,
        walk: &Sql,
        sort: impl Fn(usize) -> Sql,
        competes: impl Fn(&Condition) -> bool,
        repeated: bool,
        page: (usize, usize),
    ) -> Result<Vec<Ranked>, Failure> {
        if let Some(driver) = self.fewest(self.effort.few, &competes)? {
            return self.ranked(sort(driver));
        }
        let rival = |condition: &Condition| condition.test != Test::Missing && competes(condition);
        let steps = match self.conditions.iter().any(rival) {
            true => self.effort.steps,
            false => usize::MAX,
        };
        if let Some(found) = self.walked(walk, repeated, page, steps)? {
            return Ok(found);
        }
        if let Some(driver) = self.fewest(self.effort.many, &competes)? {
            return self.ranked(sort(driver));
        }
        Ok(self
            .walked(walk, repeated, page, usize::MAX)?
            .unwrap_or_default())
    }

    /// Walks along an index until the answer is full; gives up after so many steps. Each row is a document
    /// and whether it passes.
    pub fn walked(
        &self,
        walk: &Sql,
        repeated: bool,
        (offset, limit): (usize, usize),
        steps: usize,
    ) -> Result<Option<Vec<Ranked>>, Failure> {
        let mut statement = self.connection.prepare_cached(&walk.text)?;
        let mut rows = statement.query(params_from_iter(&walk.parameters))?;
        let (mut seen, mut found) = (HashSet::new(), Vec::new());
        let (mut passed, mut step) = (0, 0);
        while found.len() < limit
            && let Some(row) = rows.next()?
        {
            if step == steps {
                return Ok(None);
            }
            step += 1;
            let doc: i64 = row.get(0)?;
            // A document with several values counts where it is met first.
            if !row.get::<_, bool>(1)? || (repeated && !seen.insert(doc)) {
                continue;
            }
            passed += 1;
            if passed > offset {
                found.push((doc, 0.0));
            }
        }
        Ok(Some(found))
    }

    pub fn id_walk(&self) -> Sql {
        let mut sql = Sql::new("SELECT x.doc, 1", []);
        sql.push(self.filters(|_| true));
        sql.add(
            " FROM documents x WHERE x.kind = ? ORDER BY x.id",
            [integer(self.kind)],
        );
        sql
    }

    pub fn attribute_walk(&self, order: &AttributeOrder, name: i64, repeated: bool) -> Sql {
        let mut bounds = Sql::default();
        let mut exact = HashSet::new();
        for (index, condition) in self.conditions.iter().enumerate() {
            if condition.attribute != order.attribute {
                continue;
            }
            let bound = if repeated {
                beginning(&condition.test, order.descending)
            } else {
                range(&condition.test)
            };
            if let Some(bound) = bound {
                bounds.add(&format!(" AND {}", of_x(&bound.text)), bound.parameters);
                if !repeated {
                    exact.insert(index);
                }
            }
        }
        let mut sql = Sql::new("SELECT x.doc, 1", []);
        sql.push(self.filters(|index| !exact.contains(&index)));
        sql.add(
            " FROM attributes x CROSS JOIN documents d ON d.doc = x.doc WHERE x.name = ?",
            [integer(name)],
        );
        sql.push(bounds);
        let direction = if order.descending { "DESC" } else { "ASC" };
        sql.add(&format!(" ORDER BY x.value {direction}, d.id"), []);
        sql
    }

    pub fn attribute_sort(
        &self,
        driver: Option<usize>,
        name: i64,
        descending: bool,
        page: (usize, usize),
    ) -> Sql {
        let (first, direction) = if descending {
            ("greatest_value", "DESC")
        } else {
            ("least_value", "ASC")
        };
        let mut sql = Sql::new(
            format!("SELECT doc, {first}(documents.attributes, ?) AS v FROM ("),
            [integer(name)],
        );
        sql.push(self.source(driver));
        sql.add(
            &format!(
                ") c CROSS JOIN documents USING (doc) WHERE v IS NOT NULL
                 ORDER BY v {direction}, documents.id LIMIT ? OFFSET ?"
            ),
            [number(page.1), number(page.0)],
        );
        sql
    }

    pub fn ranked(&self, sql: Sql) -> Result<Vec<Ranked>, Failure> {
        let mut statement = self.connection.prepare_cached(&sql.text)?;
        let rows = statement.query_map(params_from_iter(sql.parameters), |row| {
            Ok((row.get(0)?, 0.0))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The condition that lets the fewest index entries through, if they are fewer than `most`. One that lets hardly any
    /// through is not compared any further: counting the others would take longer.
    pub fn fewest(
        &self,
        most: usize,
        eligible: impl Fn(&Condition) -> bool,
    ) -> Result<Option<usize>, Failure> {
        match self.fewest_of(most.min(HARDLY_ANY), &eligible)? {
            None if most > HARDLY_ANY => self.fewest_of(most, &eligible),
            found => Ok(found),
        }
    }

    fn fewest_of(
        &self,
        most: usize,
        eligible: impl Fn(&Condition) -> bool,
    ) -> Result<Option<usize>, Failure> {
        let mut best = None;
        let mut fewest = most;
        for (index, condition) in self.conditions.iter().enumerate() {
            let is_eligible = self.indexed[index] && eligible(condition);
            let Some(range) = range(&condition.test).filter(|_| is_eligible) else {
                continue;
            };
            let sql = format!(
                "SELECT count(*) FROM (SELECT 1 FROM attributes WHERE name = ? AND {} LIMIT ?)",
                range.text
            );
            let look = fewest.min(self.effort.many);
            let parameters = [integer(self.names[index])]
                .into_iter()
                .chain(range.parameters)
                .chain([number(look)]);
            let entries: usize = self
                .connection
                .prepare_cached(&sql)?
                .query_row(params_from_iter(parameters), |row| row.get(0))?;
            if entries < fewest {
                (best, fewest) = (Some(index), entries);
            }
        }
        Ok(best)
    }

    /// Whether a condition has no entry at all, so that no document passes.
    pub fn is_unmet(&self) -> Result<bool, Failure> {
        for (index, condition) in self.conditions.iter().enumerate() {
            let Some(range) = range(&condition.test).filter(|_| self.indexed[index]) else {
                continue;
            };
            let sql = format!(
                "SELECT EXISTS (SELECT 1 FROM attributes WHERE name = ? AND {})",
                range.text
            );
            let name = integer(self.names[index]);
            let parameters = [name].into_iter().chain(range.parameters);
            let is_met: bool = self
                .connection
                .prepare_cached(&sql)?
                .query_row(params_from_iter(parameters), |row| row.get(0))?;
            if !is_met {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The documents for which all conditions hold, each once, as a query with the column `doc`. It goes
    /// through the index entries of the condition `driver`, or through all documents of the kind.
    pub fn source(&self, driver: Option<usize>) -> Sql {
        let (driver, mut sql) = match driver.map(|index| (index, &self.conditions[index])) {
            Some((index, condition)) => {
                // One value has one entry for each document, a range may have several.
                let distinct = if matches!(condition.test, Test::Equals(_)) {
                    ""
                } else {
                    "DISTINCT "
                };
                let range = range(&condition.test).unwrap_or_default();
                let mut sql = Sql::new(
                    format!("SELECT {distinct}x.doc FROM attributes x WHERE x.name = ? AND "),
                    [integer(self.names[index])],
                );
                sql.add(&of_x(&range.text), range.parameters);
                (Some(index), sql)
            }
            None => (
                None,
                Sql::new(
                    "SELECT x.doc FROM documents x WHERE x.kind = ?",
                    [integer(self.kind)],
                ),
            ),
        };
        sql.push(self.filters(|index| Some(index) != driver));
        sql
    }

    /// Conditions as tests of a document `x.doc` that is at hand: one look into the index, or at the document, each.
    pub fn filters(&self, chosen: impl Fn(usize) -> bool) -> Sql {
        let mut sql = Sql::default();
        for (index, condition) in self.conditions.iter().enumerate() {
            if !chosen(index) {
                continue;
            }
            let name = integer(self.names[index]);
            let own = "(SELECT attributes FROM documents WHERE doc = x.doc)";
            match &condition.test {
                Test::AtLeast(least) => {
                    sql.add(
                        &format!(" AND has_at_least({own}, ?, ?)"),
                        [name, one(least)],
                    );
                }
                Test::AtMost(most) => {
                    sql.add(&format!(" AND has_at_most({own}, ?, ?)"), [name, one(most)]);
                }
                Test::Missing => sql.add(&format!(" AND NOT has_attribute({own}, ?)"), [name]),
                Test::Equals(value) if !self.indexed[index] => {
                    sql.add(&format!(" AND has_value({own}, ?, ?)"), [name, one(value)]);
                }
                test @ Test::AnyOf(_) if !self.indexed[index] => {
                    let values = range(test).unwrap_or_default().parameters;
                    let there = "EXISTS (SELECT 1 FROM rarray(?) r WHERE";
                    sql.add(
                        &format!(" AND {there} has_value({own}, ?, r.value))"),
                        values,
                    );
                    sql.parameters.push(name);
                }
                test @ (Test::Equals(_) | Test::AnyOf(_)) => {
                    let range = range(test).unwrap_or_default();
                    let there = "EXISTS (SELECT 1 FROM attributes WHERE name = ? AND";
                    sql.add(
                        &format!(" AND {there} {} AND doc = x.doc)", range.text),
                        [name],
                    );
                    sql.parameters.extend(range.parameters);
                }
            }
        }
        sql
    }
}
