//! Owns the answer to a question of text: scores from the lists of its terms, then the best that pass.
//!
//! The answer is exactly BM25. Lists are read from the rarest term on. As soon as a page of documents has more than all terms
//! that are left could add to another one, those terms are looked up for the documents that may still be among the page,
//! and the rest of their lists is not read. Conditions are tested from the best score down, until the page is full; where
//! that takes long, the narrowest condition says who is left. If too few pass, more documents are scored, and in the end all.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use rusqlite::{OptionalExtension, params_from_iter};

use super::attributes;

use super::failure::Failure;
use super::find::{Ranked, Search};
use super::sql::{Sql, integer, of_x, range};
use super::texts;
use crate::postings::Entry;
use twiceshy_documents::rank::{Asked, Bm25, affordable, best_first, counted};

/// Spreads the numbers of documents over a table: they are few among many, and nobody chooses them to collide.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }

    fn write_i64(&mut self, number: i64) {
        self.write_u64(number as u64);
    }
}

/// Scores by document.
type Scores = HashMap<i64, f64, BuildHasherDefault<Spread>>;

/// The score that so many documents have at least; none if there are fewer.
fn bar(scores: &Scores, wanted: usize) -> Option<f64> {
    if wanted == 0 || scores.len() < wanted {
        return None;
    }
    let mut all: Vec<f64> = scores.values().copied().collect();
    let (_, bar, _) = all.select_nth_unstable_by(wanted - 1, |a, b| b.total_cmp(a));
    Some(*bar)
}

/// What looking up one document in a list costs, in entries that are read one after the other.
const LOOKUP: u64 = 64;

/// How many more documents are wanted when too few of those that were scored pass the conditions.
const MORE: usize = 16;

/// The lists of a question's terms, the rarest first.
struct Lists {
    asked: Vec<Asked>,
    bm25: Bm25,
    /// For each term the fresh texts that have it.
    fresh: Vec<Vec<Entry>>,
}

impl Lists {
    /// What the terms from `first` on add to the score of any text at most.
    fn most(&self, first: usize) -> f64 {
        let each = first..self.asked.len();
        each.map(|index| self.bm25.most(index)).sum()
    }
}

/// Makes scores exact.
pub(super) type Measure<'m> = &'m mut dyn FnMut(&mut [Ranked]) -> rusqlite::Result<()>;

impl Search<'_> {
    pub(super) fn by_text(
        &self,
        question: &str,
        page: (usize, usize),
        budget: u64,
    ) -> Result<Vec<Ranked>, Failure> {
        let Some(whole) = texts::statistics(self.connection, self.kind)? else {
            return Ok(Vec::new());
        };
        let asked: Vec<(String, u64)> = counted(question).into_iter().collect();
        // A condition that no document meets needs no scores.
        if asked.is_empty() || self.is_unmet()? {
            return Ok(Vec::new());
        }
        let places: HashMap<&str, usize> = asked
            .iter()
            .map(|(term, _)| term.as_str())
            .zip(0..)
            .collect();
        // For each term the fresh texts that have it.
        let mut fresh: Vec<Vec<Entry>> = vec![Vec::new(); asked.len()];
        let fresh_ones = usize::MAX >> 1;
        texts::each_fresh(self.connection, self.kind, fresh_ones, |doc, text| {
            let terms = || text.split(' ');
            let length = terms().count() as u64;
            for place in terms().filter_map(|term| places.get(term)) {
                match fresh[*place].last_mut().filter(|entry| entry.doc == doc) {
                    Some(entry) => entry.frequency += 1,
                    None => fresh[*place].push(Entry {
                        doc,
                        frequency: 1,
                        length,
                    }),
                }
            }
        })?;
        let mut all = Vec::with_capacity(asked.len());
        for (place, (term, times)) in asked.iter().enumerate() {
            let settled = texts::hits(self.connection, self.kind, term)?;
            all.push(Asked {
                term: term.clone(),
                times: *times,
                hits: settled + fresh[place].len() as u64,
            });
        }
        let counting = affordable(all, budget);
        let lists = Lists {
            bm25: Bm25::new(whole.documents, whole.tokens, &counting),
            fresh: counting
                .iter()
                .map(|asked| std::mem::take(&mut fresh[places[asked.term.as_str()]]))
                .collect(),
            asked: counting,
        };
        let wanted = page.0.saturating_add(page.1);
        let mut scored_well = Some(wanted);
        loop {
            let (scored, bar) = self.scored(&lists, scored_well)?;
            let mut best = self.best(scored, (0, wanted), None)?;
            // What is below the bar was not scored to its end.
            let is_sure = |bar: f64| best.get(wanted - 1).is_some_and(|last| last.1 >= bar);
            if bar.is_none_or(is_sure) {
                best.drain(..page.0.min(best.len()));
                return Ok(best);
            }
            let more = scored_well.map(|wanted| wanted.saturating_mul(MORE));
            scored_well = more.filter(|more| *more <= wanted.saturating_mul(MORE * MORE));
        }
    }

    /// The scores of documents. With a number of documents that are wanted, those that can't be among so many may be left
    /// out: then with the score below which they are.
    fn scored(
        &self,
        lists: &Lists,
        wanted: Option<usize>,
    ) -> Result<(Vec<Ranked>, Option<f64>), Failure> {
        let mut scores = Scores::default();
        for (index, asked) in lists.asked.iter().enumerate() {
            // Finding the bar looks at every score once, which is worth it before a list of as many entries.
            if let Some(wanted) = wanted
                && asked.hits >= scores.len() as u64 / 2
                && let Some(least) = bar(&scores, wanted)
                && least > lists.most(index)
            {
                return self.best_scored(lists, index, scores, wanted);
            }
            scores.reserve(asked.hits as usize / 2);
            let mut enter = |entry: Entry| {
                let part = lists.bm25.part(index, entry.frequency, entry.length);
                *scores.entry(entry.doc).or_default() += part;
            };
            lists.fresh[index].iter().copied().for_each(&mut enter);
            texts::each(self.connection, self.kind, &asked.term, enter)?;
        }
        Ok((scores.into_iter().collect(), None))
    }

    /// Adds what the terms from `first` on are worth to the documents that can still be among those that are wanted, and
    /// leaves out the others, with the score below which they are. No document that has no score yet can be among them.
    fn best_scored(
        &self,
        lists: &Lists,
        first: usize,
        mut scores: Scores,
        wanted: usize,
    ) -> Result<(Vec<Ranked>, Option<f64>), Failure> {
        let mut least = bar(&scores, wanted);
        for (index, asked) in lists.asked.iter().enumerate().skip(first) {
            let rest = lists.most(index);
            scores.retain(|_, score| least.is_none_or(|least| *score + rest >= least));
            let mut docs: Vec<i64> = scores.keys().copied().collect();
            docs.sort_unstable();
            let mut enter = |entry: Entry| {
                let part = lists.bm25.part(index, entry.frequency, entry.length);
                if let Some(score) = scores.get_mut(&entry.doc) {
                    *score += part;
                }
            };
            lists.fresh[index].iter().copied().for_each(&mut enter);
            match docs.len() as u64 * LOOKUP < asked.hits {
                true => texts::each_of(self.connection, self.kind, &asked.term, &docs, enter)?,
                false => texts::each(self.connection, self.kind, &asked.term, enter)?,
            }
            least = bar(&scores, wanted);
        }
        let is_exact = |(_, score): &Ranked| least.is_none_or(|least| *score >= least);
        Ok((scores.into_iter().filter(is_exact).collect(), least))
    }

    /// The page of an answer by score: the best that pass. Where scores are only the most that they can be, `measure`
    /// makes them exact.
    pub(super) fn best(
        &self,
        mut scored: Vec<Ranked>,
        (offset, limit): (usize, usize),
        mut measure: Option<Measure>,
    ) -> Result<Vec<Ranked>, Failure> {
        let wanted = offset.saturating_add(limit);
        let mut chosen: Vec<Ranked> = Vec::new();
        if wanted == 0 {
            return Ok(chosen);
        }
        if let Some(driver) = self.fewest(self.effort.few.max(wanted), |_| true)? {
            self.retain(&mut scored, driver)?;
        }
        let (mut tested, mut doubted) = (0, false);
        while let Some(most) = scored.iter().map(|ranked| ranked.1).max_by(f64::total_cmp) {
            if chosen.len() >= wanted && (measure.is_none() || chosen[wanted - 1].1 > most) {
                break;
            }
            if tested >= self.effort.steps && !doubted {
                doubted = true;
                if let Some(driver) = self.fewest(self.effort.many, |_| true)? {
                    self.retain(&mut scored, driver)?;
                    continue;
                }
            }
            let look = (wanted - chosen.len()).max(tested).max(1);
            let rest = if look < scored.len() {
                scored.select_nth_unstable_by(look, order);
                scored.split_off(look)
            } else {
                Vec::new()
            };
            let mut top = std::mem::replace(&mut scored, rest);
            tested += top.len();
            self.passing(&mut top)?;
            if let Some(measure) = &mut measure {
                measure(&mut top)?;
            }
            chosen.extend(top);
            chosen.sort_unstable_by(order);
            chosen.truncate(wanted);
        }
        chosen.drain(..offset.min(chosen.len()));
        Ok(chosen)
    }

    /// Keeps those that the condition `driver` lets through.
    fn retain(&self, scored: &mut Vec<Ranked>, driver: usize) -> Result<(), Failure> {
        let condition = &self.conditions[driver];
        let Some(range) = range(&condition.test) else {
            return Ok(());
        };
        let mut sql = Sql::new(
            "SELECT x.doc FROM attributes x WHERE x.name = ? AND ",
            [integer(self.names[driver])],
        );
        sql.add(&of_x(&range.text), range.parameters);
        let mut statement = self.connection.prepare_cached(&sql.text)?;
        let docs = statement.query_map(params_from_iter(sql.parameters), |row| row.get(0))?;
        let docs = docs.collect::<rusqlite::Result<HashSet<i64>>>()?;
        scored.retain(|(doc, _)| docs.contains(doc));
        Ok(())
    }

    /// Keeps those that pass all conditions.
    pub(super) fn passing(&self, scored: &mut Vec<Ranked>) -> Result<(), Failure> {
        if self.conditions.is_empty() || scored.is_empty() {
            return Ok(());
        }
        let mut read = self
            .connection
            .prepare_cached("SELECT attributes FROM documents WHERE doc = ?1")?;
        let mut failed = Ok(());
        scored.retain(|(doc, _)| {
            let passes = read.query_row([*doc], |row| {
                let own = row.get_ref(0)?.as_blob()?;
                let mut tests = self.conditions.iter().zip(&self.names);
                Ok(tests.all(|(condition, name)| attributes::passes(own, *name, &condition.test)))
            });
            passes.optional().unwrap_or_else(|error| {
                failed = Err(error);
                None
            }) == Some(true)
        });
        Ok(failed?)
    }
}

pub(super) fn order(a: &Ranked, b: &Ranked) -> std::cmp::Ordering {
    best_first((a.1, a.0), (b.1, b.0))
}

#[cfg(test)]
mod tests {
    use twiceshy_wit::host::{
        Attribute, Change, Condition, Document, Key, Order, Precondition, Put, Query, Store, Test,
        Value,
    };

    use super::super::{Options, SqliteStore};
    use crate::MapStore;

    /// All texts have `service`, a twelfth a verb, and some two dozen have a word of their own.
    fn put(number: u64) -> Change {
        let color = if number.is_multiple_of(50) {
            "red"
        } else {
            "blue"
        };
        let padding = "filler ".repeat((number % 7) as usize);
        Change::Put(Put {
            document: Document {
                key: Key {
                    kind: "note".into(),
                    id: format!("{number:06}"),
                },
                body: "{}".into(),
                attributes: vec![Attribute {
                    name: "color".into(),
                    value: Value::Text(color.into()),
                }],
                text: format!(
                    "service verb{} word{} {padding}",
                    number % 12,
                    number * 7 % 307
                ),
                vector: Vec::new(),
            },
            precondition: Precondition::Anything,
        })
    }

    #[test]
    fn what_is_not_read_of_common_terms_changes_no_answer_and_no_score() {
        let directory = tempfile::tempdir().unwrap();
        let options = Options {
            light: true,
            ..Options::default()
        };
        let sqlite = SqliteStore::open(&directory.path().join("memory.db"), options).unwrap();
        let map = MapStore::default();
        let stores: [&dyn Store; 2] = [&sqlite, &map];
        // The last ones are fresh.
        for (first, last) in [(0, 4_000), (4_000, 8_000), (8_000, 8_020)] {
            let batch: Vec<_> = (first..last).map(put).collect();
            for some in batch.chunks(500) {
                stores.iter().for_each(|store| store.commit(some).unwrap());
            }
        }
        let red = Condition {
            attribute: "color".into(),
            test: Test::Equals(Value::Text("red".into())),
        };
        for (text, conditions) in [
            ("service verb3 word5", vec![]),
            ("service verb3 word5 word6 filler", vec![]),
            ("service verb3 word5", vec![red.clone()]),
            ("service word98", vec![red]),
            ("service", vec![]),
        ] {
            for (offset, limit) in [(0, 1), (0, 10), (5, 20), (0, 200)] {
                let query = Query {
                    kind: "note".into(),
                    conditions: conditions.clone(),
                    order: Order::ByText(text.into()),
                    offset,
                    limit,
                };
                let [own, expected] = stores.map(|store| -> Vec<_> {
                    let found = store.find(&query).unwrap().into_iter();
                    found
                        .map(|found| (found.document.key.id, found.score.to_bits()))
                        .collect()
                });
                assert!(!own.is_empty());
                assert_eq!(own, expected, "{text} {offset} {limit}");
            }
        }
    }
}
