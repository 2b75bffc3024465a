//! Owns the answer to a question of a vector: which documents are compared in full, and the nearest of them.
//!
//! What a narrow condition lets through is compared in full. Among few vectors the answer is exact: a short form of each says how near it can be at most, and what may be among the
//! nearest is compared in full. Among many, binary codes say which ones are worth comparing: a bounded number of
//! those that pass the conditions. If the codes are damaged, the exact way is gone.

use rusqlite::OptionalExtension;

use super::by_text::order;
use super::failure::Failure;
use super::find::{Ranked, Search};
use super::{coarse, codes, vectors};
use twiceshy_documents::rank::Direction;
use twiceshy_documents::validate;

/// For each document of the page so many are compared by their short forms, and at least so many in all.
const COMPARED: usize = 8;
const LEAST_COMPARED: usize = 160;

/// They are the likeliest of so many times as many, which are those whose codes differ least. Of the 32 nearest of 100,000 tasks
/// 80 % are found so; of 20 for each document by their codes alone it was 77 %.
const LOOKED_AT: usize = 8;

/// If fewer than one of so many pass, they are tested before they are compared.
const SELDOM: usize = 8;

/// The nearest that were found so far, and how many were tested for it.
struct Nearest {
    direction: Direction,
    wanted: usize,
    found: Vec<Ranked>,
    tested: usize,
    passed: usize,
}

impl Search<'_> {
    pub(super) fn by_nearest(
        &self,
        vector: &[f32],
        page: (usize, usize),
    ) -> Result<Vec<Ranked>, Failure> {
        let (kind, connection) = (self.kind, self.connection);
        match vectors::length(connection, kind)? {
            None => return Ok(Vec::new()),
            Some(length) => {
                let member = "order.by-nearest";
                validate::same_length(member, self.kind_name, vector.len(), length)?;
            }
        }
        // A condition that no document meets needs no distances.
        if self.is_unmet()? {
            return Ok(Vec::new());
        }
        let few = self.effort.few.max(page.0.saturating_add(page.1));
        if let Some(driver) = self.fewest(few, |_| true)? {
            return self.nearest_of_few(vector, driver, page);
        }
        if vectors::count(connection, kind)? > self.effort.exact
            && let Some(found) = self.nearest_of_many(vector, page)?
        {
            return Ok(found);
        }
        let shorts = self.all_shorts(vector)?;
        let direction = Direction::new(vector);
        let mut measure = |ranked: &mut [Ranked]| self.measure(&direction, ranked);
        self.best(shorts, page, Some(&mut measure))
    }

    /// The nearest of those that a narrow condition lets through: all of them are compared in full.
    fn nearest_of_few(
        &self,
        vector: &[f32],
        driver: usize,
        (offset, limit): (usize, usize),
    ) -> Result<Vec<Ranked>, Failure> {
        let direction = Direction::new(vector);
        let mut chosen = Vec::new();
        for (doc, _) in self.ranked(self.source(Some(driver)))? {
            if let Some(cosine) = self.cosine(&direction, doc)? {
                chosen.push((doc, cosine));
            }
        }
        chosen.sort_unstable_by(order);
        chosen.truncate(offset.saturating_add(limit));
        chosen.drain(..offset.min(chosen.len()));
        Ok(chosen)
    }

    /// How near a document is; none if it has no vector.
    fn cosine(&self, direction: &Direction, doc: i64) -> rusqlite::Result<Option<f64>> {
        self.connection
            .prepare_cached("SELECT vector FROM vectors WHERE doc = ?1")?
            .query_row([doc], |row| {
                let other = coarse::components(row.get_ref(0)?.as_blob()?);
                Ok(direction.cosine(&other))
            })
            .optional()
    }

    /// How near each vector can be at most.
    fn all_shorts(&self, vector: &[f32]) -> Result<Vec<Ranked>, Failure> {
        let asked = coarse::Asked::new(vector);
        let mut scored = Vec::new();
        let visit = |doc, short: &[u8]| scored.push((doc, asked.at_most(short)));
        (self.database.vectors).each_short(self.database, self.kind, visit)?;
        Ok(scored)
    }

    /// How near each vector behind a document can be at most.
    fn shorts(&self, vector: &[f32], behind: i64) -> Result<Vec<Ranked>, Failure> {
        let asked = coarse::Asked::new(vector);
        let mut shorts = self
            .connection
            .prepare_cached("SELECT doc, vector FROM coarse WHERE kind = ?1 AND doc > ?2")?;
        let mut rows = shorts.query([self.kind, behind])?;
        let mut scored = Vec::new();
        while let Some(row) = rows.next()? {
            let short = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            scored.push((row.get(0)?, asked.at_most(short)));
        }
        Ok(scored)
    }

    /// Replaces scores by the exact ones.
    fn measure(&self, direction: &Direction, ranked: &mut [Ranked]) -> rusqlite::Result<()> {
        for (doc, score) in ranked {
            *score = self.cosine(direction, *doc)?.unwrap_or(-1.0);
        }
        Ok(())
    }

    /// The nearest of those whose codes differ least from the question's: of about `most` that pass. None if
    /// the codes are damaged.
    fn nearest_of_many(
        &self,
        vector: &[f32],
        (offset, limit): (usize, usize),
    ) -> Result<Option<Vec<Ranked>>, Failure> {
        // New ones have a bound, which is closer than what is likely.
        let mut scored = self.shorts(vector, codes::mark(self.connection, self.kind)?)?;
        let wanted = offset.saturating_add(limit);
        if wanted == 0 {
            return Ok(Some(Vec::new()));
        }
        let most = wanted.saturating_mul(COMPARED).max(LEAST_COMPARED);
        let asked = coarse::Asked::new(vector);
        let mut distances = codes::Distances::new(self.kind, vector);
        let mut nearest = Nearest {
            direction: Direction::new(vector),
            wanted,
            found: Vec::new(),
            tested: 0,
            passed: 0,
        };
        let (mut looked_at, mut look) = (0, most);
        loop {
            let Some(some) = distances.take(self.database, LOOKED_AT * look)? else {
                return Ok(None);
            };
            scored.extend(some);
            if scored.is_empty() {
                break;
            }
            let rest = match look < scored.len() {
                true => {
                    scored.select_nth_unstable_by(look, order);
                    scored.split_off(look)
                }
                false => Vec::new(),
            };
            let mut top = std::mem::replace(&mut scored, rest);
            looked_at += top.len();
            // Where few pass, a bound is made of those only.
            let passes_first = nearest.passed * SELDOM < nearest.tested;
            if passes_first {
                nearest.tested += top.len();
                self.passing(&mut top)?;
                nearest.passed += top.len();
            }
            self.bound(&asked, &mut top)?;
            self.compare(top, !passes_first, &mut nearest)?;
            if looked_at * nearest.passed >= most * nearest.tested {
                break;
            }
            // Where few pass, more are looked at each time.
            look *= 2;
        }
        nearest.found.drain(..offset.min(nearest.found.len()));
        Ok(Some(nearest.found))
    }

    /// Compares in full what may be among the nearest. A bound is never less than what it bounds: what comes behind as many
    /// exact ones as are wanted is not among them.
    fn compare(
        &self,
        mut bounded: Vec<Ranked>,
        is_tested: bool,
        nearest: &mut Nearest,
    ) -> Result<(), Failure> {
        bounded.sort_unstable_by(order);
        let wanted = nearest.wanted;
        for some in bounded.chunks(wanted) {
            let last = nearest.found.get(wanted - 1);
            if last.is_some_and(|last| last.1 > some[0].1) {
                break;
            }
            let mut some = some.to_vec();
            if is_tested {
                nearest.tested += some.len();
                self.passing(&mut some)?;
                nearest.passed += some.len();
            }
            self.measure(&nearest.direction, &mut some)?;
            nearest.found.extend(some);
            nearest.found.sort_unstable_by(order);
            nearest.found.truncate(wanted);
        }
        Ok(())
    }

    /// Replaces scores by how near each can be at most.
    fn bound(&self, asked: &coarse::Asked, ranked: &mut [Ranked]) -> rusqlite::Result<()> {
        // In the order of the table, so that neighbours are read together.
        ranked.sort_unstable_by_key(|(doc, _)| *doc);
        let sql = "SELECT vector FROM coarse WHERE kind = ?1 AND doc = ?2";
        let mut read = self.connection.prepare_cached(sql)?;
        for (doc, score) in ranked {
            let bound = read.query_row([self.kind, *doc], |row| {
                Ok(asked.at_most(row.get_ref(0)?.as_blob()?))
            });
            *score = bound.optional()?.unwrap_or(-1.0);
        }
        Ok(())
    }
}
