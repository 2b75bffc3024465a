//! Owns the full-text index in a database: for each kind and term, the documents whose text contains it.
//!
//! A text that is new is only noted in `fresh`, and searched as it stands; one that was taken back is noted in `gone`, and
//! its entries are passed over. Every now and then somebody enters them into the lists of their terms. The list of a term
//! is a chain of full blocks, and an open one in the row of the term.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Instant;

use sha2::{Digest, Sha256};
use tokio_postgres::Row;
use tokio_postgres::types::Type;
use twiceshy_documents::rank::{Asked, Bm25, affordable, counted};

use super::best::Ranked;
use super::failure::Failure;
use super::session::{Session, Statement};
use crate::postings::{Entry, append, read};

/// The bytes of a full block. A row of this size stays in its page. Tests fill many.
const FULL: usize = if cfg!(test) { 8 } else { 1_800 };

/// The longest term that is a key as it is. A longer one goes by its hash, after a byte that no text begins with.
const LONGEST_KEY: usize = 200;

/// The key of a term.
fn term_key(term: &str) -> Vec<u8> {
    if term.len() <= LONGEST_KEY {
        return term.as_bytes().to_vec();
    }
    let mut key = vec![0xff];
    key.extend(Sha256::digest(term.as_bytes()));
    key
}

fn terms_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|term| !term.is_empty())
}

/// How many terms a text has, in the form in which it is kept.
fn length(text: &str) -> usize {
    terms_of(text).count()
}

fn frequencies(text: &str) -> (BTreeMap<&str, u64>, u64) {
    let mut frequencies = BTreeMap::new();
    let mut length = 0;
    for term in terms_of(text) {
        *frequencies.entry(term).or_default() += 1;
        length += 1;
    }
    (frequencies, length)
}

/// How many texts there are, and how many terms they have together.
#[derive(Default)]
struct Total {
    texts: i64,
    tokens: i64,
}

impl Total {
    fn add(&mut self, text: &str) {
        self.texts += 1;
        self.tokens += i64::try_from(length(text)).unwrap_or(i64::MAX);
    }

    fn take(&mut self, text: &str) {
        self.texts -= 1;
        self.tokens -= i64::try_from(length(text)).unwrap_or(i64::MAX);
    }
}

/// What a row of the answer to a question is about.
const TOTALS: i32 = 0;
const FRESH: i32 = 1;
const GONE: i32 = 2;
const LISTS: i32 = 3;

/// A question of text.
pub struct Question {
    kind: i32,
    /// Each term once, with how often the question has it.
    asked: Vec<(String, u64)>,
    keys: Vec<Vec<u8>>,
}

impl Question {
    pub fn new(kind: i32, text: &str) -> Question {
        let asked: Vec<(String, u64)> = counted(text).into_iter().collect();
        Question {
            kind,
            keys: asked.iter().map(|(term, _)| term_key(term)).collect(),
            asked,
        }
    }

    /// Asks how many texts there are, which ones are in no list or should not be, and for the lists of the terms: all as of one
    /// moment, one kind of row for each.
    pub fn statement(&self) -> Statement {
        let mut sql = Statement::new("").steady();
        let kind = sql.bind(self.kind, Type::INT4);
        let keys = sql.bind(self.keys.clone(), Type::BYTEA_ARRAY);
        sql.push(&format!(
            "SELECT {TOTALS}, coalesce(sum(texts), 0)::bigint, coalesce(sum(tokens), 0)::bigint, NULL::bytea, NULL::bytea, NULL
             FROM twiceshy.totals WHERE kind = {kind}
             UNION ALL SELECT {FRESH}, doc, NULL, NULL, NULL, text FROM twiceshy.fresh WHERE kind = {kind} AND text IS NOT NULL
             UNION ALL SELECT {GONE}, doc, NULL, NULL, NULL, text FROM twiceshy.gone WHERE kind = {kind}
             UNION ALL SELECT {LISTS}, documents, sealed, term, tail, NULL FROM twiceshy.terms WHERE kind = {kind} AND term = ANY ({keys})"
        ));
        sql
    }

    /// The documents that contain a term of the question, with their scores. `rows` are the answer to the statement; the
    /// caller holds the transaction.
    pub fn scored(
        &self,
        session: &mut Session,
        rows: &[Row],
        budget: u64,
        deadline: Instant,
    ) -> Result<Vec<Ranked>, Failure> {
        let of = |what: i32| rows.iter().filter(move |row| row.get::<_, i32>(0) == what);
        let mut total = (of(TOTALS).next()).map_or(Total::default(), |row| Total {
            texts: row.get(1),
            tokens: row.get(2),
        });
        of(FRESH).for_each(|row| total.add(row.get(5)));
        of(GONE).for_each(|row| total.take(row.get(5)));
        let places: HashMap<&str, usize> = self
            .asked
            .iter()
            .map(|(term, _)| term.as_str())
            .zip(0..)
            .collect();
        let fresh = fresh_entries(of(FRESH), &places);
        let mut hits: Vec<i64> = fresh.iter().map(|entries| entries.len() as i64).collect();
        let mut gone_docs = HashSet::new();
        for row in of(GONE) {
            gone_docs.insert(row.get::<_, i64>(1));
            let terms: BTreeSet<&str> = terms_of(row.get(5)).collect();
            for place in terms.into_iter().filter_map(|term| places.get(term)) {
                hits[*place] -= 1;
            }
        }
        let by_key: HashMap<&[u8], usize> = self.keys.iter().map(Vec::as_slice).zip(0..).collect();
        let mut lists: Vec<Option<&Row>> = vec![None; self.asked.len()];
        for row in of(LISTS) {
            if let Some(place) = by_key.get(row.get::<_, &[u8]>(3)) {
                hits[*place] += row.get::<_, i64>(1);
                lists[*place] = Some(row);
            }
        }
        let all = self
            .asked
            .iter()
            .zip(&hits)
            .map(|((term, times), hits)| Asked {
                term: term.clone(),
                times: *times,
                hits: u64::try_from(*hits).unwrap_or_default(),
            });
        let counting = affordable(all.collect(), budget);
        let number = |number: i64| u64::try_from(number).unwrap_or_default();
        let bm25 = Bm25::new(number(total.texts), number(total.tokens), &counting);
        let long = counting
            .iter()
            .map(|asked| places[asked.term.as_str()])
            .filter(|place| lists[*place].is_some_and(|row| row.get::<_, i64>(2) > 0));
        let blocks = self.blocks(session, long, &by_key, deadline)?;
        // In the order of the terms, in which the parts of a score are added.
        let mut parts: Vec<Ranked> = Vec::new();
        for (index, asked) in counting.iter().enumerate() {
            let place = places[asked.term.as_str()];
            let mut enter = |entry: Entry| {
                let part = bm25.part(index, entry.frequency, entry.length);
                parts.push((entry.doc, part));
            };
            fresh[place].iter().copied().for_each(&mut enter);
            let mut settled = |bytes: &[u8]| {
                let entries = read(0, bytes).filter(|entry| !gone_docs.contains(&entry.doc));
                entries.for_each(&mut enter);
            };
            if let Some(row) = lists[place] {
                settled(row.get(4));
            }
            for row in blocks.get(&place).into_iter().flatten() {
                settled(row.get(1));
            }
        }
        Ok(summed(parts))
    }

    /// The full blocks of some terms, by the place of the term in the question.
    fn blocks(
        &self,
        session: &mut Session,
        places: impl Iterator<Item = usize>,
        by_key: &HashMap<&[u8], usize>,
        deadline: Instant,
    ) -> Result<HashMap<usize, Vec<Row>>, Failure> {
        let keys: Vec<Vec<u8>> = places.map(|place| self.keys[place].clone()).collect();
        let mut blocks: HashMap<usize, Vec<Row>> = HashMap::new();
        if keys.is_empty() {
            return Ok(blocks);
        }
        let sql = "SELECT term, entries FROM twiceshy.postings WHERE kind = $1 AND term = ANY ($2)";
        let sql = Statement::new(sql)
            .steady()
            .with(self.kind, Type::INT4)
            .with(keys, Type::BYTEA_ARRAY);
        for row in session.one(sql, deadline)? {
            if let Some(place) = by_key.get(row.get::<_, &[u8]>(0)).copied() {
                blocks.entry(place).or_default().push(row);
            }
        }
        Ok(blocks)
    }
}

/// For each term the fresh texts that have it.
fn fresh_entries<'r>(
    rows: impl Iterator<Item = &'r Row>,
    places: &HashMap<&str, usize>,
) -> Vec<Vec<Entry>> {
    let mut all: Vec<Vec<Entry>> = vec![Vec::new(); places.len()];
    for row in rows {
        let doc = row.get(1);
        let text: &str = row.get(5);
        let length = length(text) as u64;
        for place in terms_of(text).filter_map(|term| places.get(term)) {
            let entries = &mut all[*place];
            match entries.last_mut().filter(|entry| entry.doc == doc) {
                Some(entry) => entry.frequency += 1,
                None => entries.push(Entry {
                    doc,
                    frequency: 1,
                    length,
                }),
            }
        }
    }
    all
}

/// The scores of documents, of which parts are added in their order. Lists are nearly in the order of documents, so
/// sorting takes less time than looking each one up.
fn summed(mut parts: Vec<Ranked>) -> Vec<Ranked> {
    parts.sort_by_key(|(doc, _)| *doc);
    parts.dedup_by(|(doc, part), (last, score)| {
        let is_same = doc == last;
        if is_same {
            *score += *part;
        }
        is_same
    });
    parts.retain(|(_, score)| *score > 0.0);
    parts
}

/// The list of a term while it is changed.
#[derive(Default)]
struct List {
    documents: i64,
    sealed: i32,
    tail: Vec<u8>,
    /// The last document of the tail.
    last: i64,
    full: Vec<(i32, Vec<u8>)>,
}

impl List {
    fn add(&mut self, entry: Entry) {
        append(&mut self.tail, entry.doc.wrapping_sub(self.last) as u64);
        append(&mut self.tail, entry.frequency);
        append(&mut self.tail, entry.length);
        self.last = entry.doc;
        self.documents += 1;
        if self.tail.len() > FULL {
            self.full
                .push((self.sealed, std::mem::take(&mut self.tail)));
            self.sealed += 1;
            self.last = 0;
        }
    }

    fn written(entries: impl Iterator<Item = Entry>) -> (Vec<u8>, i64) {
        let (mut bytes, mut last) = (Vec::new(), 0i64);
        for entry in entries {
            append(&mut bytes, entry.doc.wrapping_sub(last) as u64);
            append(&mut bytes, entry.frequency);
            append(&mut bytes, entry.length);
            last = entry.doc;
        }
        (bytes, last)
    }
}

/// Says what has to be written to enter fresh texts into the lists of their terms, and to take out those that are gone.
pub fn entering(
    session: &mut Session,
    memory: i32,
    kind: i32,
    fresh: &[(i64, &str)],
    gone: &[(i64, &str)],
    deadline: Instant,
) -> Result<Vec<Statement>, Failure> {
    let mut total = Total::default();
    let mut added: BTreeMap<Vec<u8>, Vec<Entry>> = BTreeMap::new();
    for (doc, text) in fresh {
        total.add(text);
        let (frequencies, length) = frequencies(text);
        for (term, frequency) in frequencies {
            let entry = Entry {
                doc: *doc,
                frequency,
                length,
            };
            added.entry(term_key(term)).or_default().push(entry);
        }
    }
    let mut taken: BTreeMap<Vec<u8>, HashSet<i64>> = BTreeMap::new();
    for (doc, text) in gone {
        total.take(text);
        for term in frequencies(text).0.into_keys() {
            taken.entry(term_key(term)).or_default().insert(*doc);
        }
    }
    let mut lists = lists(session, kind, added.keys().chain(taken.keys()), deadline)?;
    let mut writes = take_out(session, kind, &taken, &mut lists, deadline)?;
    for (term, entries) in added {
        let list = lists.entry(term).or_default();
        entries.into_iter().for_each(|entry| list.add(entry));
    }
    writes.extend(write(memory, kind, lists));
    writes.push(
        Statement::new(
            "INSERT INTO twiceshy.totals AS t (memory, kind, slot, texts, tokens) VALUES ($1, $2, 0, $3, $4)
             ON CONFLICT (kind, slot) DO UPDATE
             SET texts = t.texts + excluded.texts, tokens = t.tokens + excluded.tokens",
        )
        .with(memory, Type::INT4)
        .with(kind, Type::INT4)
        .with(total.texts, Type::INT8)
        .with(total.tokens, Type::INT8),
    );
    Ok(writes)
}

fn lists<'k>(
    session: &mut Session,
    kind: i32,
    terms: impl Iterator<Item = &'k Vec<u8>>,
    deadline: Instant,
) -> Result<BTreeMap<Vec<u8>, List>, Failure> {
    let terms: BTreeSet<Vec<u8>> = terms.cloned().collect();
    let rows = session.one(
        Statement::new("SELECT term, documents, sealed, tail FROM twiceshy.terms WHERE kind = $1 AND term = ANY ($2)")
            .with(kind, Type::INT4)
            .with(terms.into_iter().collect::<Vec<_>>(), Type::BYTEA_ARRAY),
        deadline,
    )?;
    let list = |row: &Row| {
        let tail: Vec<u8> = row.get(3);
        let list = List {
            documents: row.get(1),
            sealed: row.get(2),
            last: read(0, &tail).last().map_or(0, |entry| entry.doc),
            tail,
            full: Vec::new(),
        };
        (row.get(0), list)
    };
    Ok(rows.iter().map(list).collect())
}

/// Takes documents out of lists; what of it is in full blocks is written by the statements returned.
fn take_out(
    session: &mut Session,
    kind: i32,
    taken: &BTreeMap<Vec<u8>, HashSet<i64>>,
    lists: &mut BTreeMap<Vec<u8>, List>,
    deadline: Instant,
) -> Result<Vec<Statement>, Failure> {
    let mut writes = Vec::new();
    for (term, docs) in taken {
        let Some(list) = lists.get_mut(term) else {
            continue;
        };
        let stays = |entry: &Entry| !docs.contains(&entry.doc);
        let before = read(0, &list.tail).count();
        let (tail, last) = List::written(read(0, &list.tail).filter(stays));
        let mut found = before - read(0, &tail).count();
        (list.tail, list.last) = (tail, last);
        if found < docs.len() && list.sealed > 0 {
            let rows = session.one(
                Statement::new(
                    "SELECT block, entries FROM twiceshy.postings WHERE kind = $1 AND term = $2",
                )
                .with(kind, Type::INT4)
                .with(term.clone(), Type::BYTEA),
                deadline,
            )?;
            for row in &rows {
                let bytes: &[u8] = row.get(1);
                let here = read(0, bytes).filter(|entry| !stays(entry)).count();
                if here > 0 {
                    found += here;
                    writes.push(
                        Statement::new(
                            "UPDATE twiceshy.postings SET entries = $4 WHERE kind = $1 AND term = $2 AND block = $3",
                        )
                        .with(kind, Type::INT4)
                        .with(term.clone(), Type::BYTEA)
                        .with(row.get::<_, i32>(0), Type::INT4)
                        .with(List::written(read(0, bytes).filter(stays)).0, Type::BYTEA),
                    );
                }
            }
        }
        list.documents -= found as i64;
    }
    Ok(writes)
}

fn write(memory: i32, kind: i32, lists: BTreeMap<Vec<u8>, List>) -> Vec<Statement> {
    let (mut terms, mut documents, mut sealed, mut tails) = (vec![], vec![], vec![], vec![]);
    let (mut block_terms, mut blocks, mut entries) = (vec![], vec![], vec![]);
    let mut empty = vec![];
    for (term, list) in lists {
        if list.documents < 1 {
            empty.push(term);
            continue;
        }
        for (block, bytes) in list.full {
            block_terms.push(term.clone());
            blocks.push(block);
            entries.push(bytes);
        }
        terms.push(term);
        documents.push(list.documents);
        sealed.push(list.sealed);
        tails.push(list.tail);
    }
    let mut writes = vec![
        Statement::new(
            "INSERT INTO twiceshy.terms AS t (memory, kind, term, documents, sealed, tail)
             SELECT $1, $2, term, documents, sealed, tail FROM unnest($3, $4, $5, $6) u(term, documents, sealed, tail)
             ON CONFLICT (kind, term) DO UPDATE
             SET documents = excluded.documents, sealed = excluded.sealed, tail = excluded.tail",
        )
        .with(memory, Type::INT4)
        .with(kind, Type::INT4)
        .with(terms, Type::BYTEA_ARRAY)
        .with(documents, Type::INT8_ARRAY)
        .with(sealed, Type::INT4_ARRAY)
        .with(tails, Type::BYTEA_ARRAY),
    ];
    if !empty.is_empty() {
        // No word of what was taken out stays behind.
        writes.push(
            Statement::new(
                "WITH removed AS (DELETE FROM twiceshy.terms WHERE kind = $1 AND term = ANY ($2) RETURNING term)
                 DELETE FROM twiceshy.postings p USING removed r WHERE p.kind = $1 AND p.term = r.term",
            )
            .steady()
            .with(kind, Type::INT4)
            .with(empty, Type::BYTEA_ARRAY),
        );
    }
    if !blocks.is_empty() {
        writes.push(
            Statement::new(
                "INSERT INTO twiceshy.postings (memory, kind, term, block, entries)
                 SELECT $1, $2, term, block, entries FROM unnest($3, $4, $5) u(term, block, entries)",
            )
            .with(memory, Type::INT4)
            .with(kind, Type::INT4)
            .with(block_terms, Type::BYTEA_ARRAY)
            .with(blocks, Type::INT4_ARRAY)
            .with(entries, Type::BYTEA_ARRAY),
        );
    }
    writes
}
