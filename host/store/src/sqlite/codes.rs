//! Owns binary codes of vectors, one bit for each component, by which the nearest of very many are looked for first.
//!
//! A bit says whether a component is above zero; vectors that point the same way have most bits in common. The codes of
//! a kind lie together in blocks, so that a million of them are read in milliseconds; those that differ least from
//! the question's code are compared in full. Vectors that are newer than the kind's mark are in no block yet. Blocks can
//! always be made again from the vectors.

use rusqlite::{Connection, OptionalExtension, params};

use super::database::Database;
use super::{coarse, vector_cache, vectors};

/// Documents whose numbers lie in one block.
const BLOCK: i64 = 1 << 13;

/// So many vectors may be in no block after a commit.
const MOST_FRESH: usize = 1_024;

/// The code of a vector.
pub fn code(vector: &[f32]) -> Vec<u8> {
    let byte = |components: &[f32]| {
        let bits = components.iter().enumerate();
        bits.fold(0u8, |byte, (at, component)| {
            byte | u8::from(*component > 0.0) << at
        })
    };
    vector.chunks(8).map(byte).collect()
}

/// Bytes before the code of an entry: where in the block its document is. A block begins with the length of a code.
const HEAD: usize = 2;

/// In how many components two codes differ.
#[inline(always)]
fn distance(a: &[u8], b: &[u8]) -> u32 {
    let (a_words, a_rest) = a.as_chunks::<8>();
    let (b_words, b_rest) = b.as_chunks::<8>();
    let words = a_words
        .iter()
        .zip(b_words)
        .map(|(a, b)| (u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b)).count_ones());
    let rest = a_rest.iter().zip(b_rest).map(|(a, b)| (a ^ b).count_ones());
    words.sum::<u32>() + rest.sum::<u32>()
}

/// Up to which document the vectors of a kind are in blocks.
pub fn mark(connection: &Connection, kind: i64) -> rusqlite::Result<i64> {
    let mark = connection
        .prepare_cached("SELECT doc FROM coded WHERE kind = ?1")?
        .query_row([kind], |row| row.get(0))
        .optional()?;
    Ok(mark.unwrap_or(0))
}

/// Documents by how many components of their codes differ from what is asked for. Those that differ least are taken out
/// first, some at a time: of a million codes some hundreds are looked at again, so that the others are not kept.
pub struct Distances {
    kind: i64,
    asked: Asked,
    /// The least distance that was not taken out yet.
    next: u32,
}

/// What is asked for: its own code, and for each byte of another code what that byte says of the cosine. Two codes only say
/// in how many components vectors differ; what is asked for is known exactly, so that a large component counts more.
struct Asked {
    code: Vec<u8>,
    likely: Vec<[f32; 256]>,
}

impl Asked {
    fn new(vector: &[f32]) -> Asked {
        let length = vector.iter().map(|one| one * one).sum::<f32>().sqrt();
        // What the sum of all components comes to for a vector of the same direction, as vectors of texts are.
        let whole = length * (vector.len() as f32 * std::f32::consts::FRAC_2_PI).sqrt();
        let byte = |components: &[f32]| {
            let mut table = [0.0f32; 256];
            for (byte, sum) in table.iter_mut().enumerate() {
                let signed =
                    |(at, one): (usize, &f32)| if byte >> at & 1 == 1 { *one } else { -one };
                let all = components.iter().enumerate().map(signed).sum::<f32>();
                *sum = if whole > 0.0 { all / whole } else { 0.0 };
            }
            table
        };
        Asked {
            code: code(vector),
            likely: vector.chunks(8).map(byte).collect(),
        }
    }

    /// The cosine that is likely with a vector of this code.
    fn likely(&self, code: &[u8]) -> f32 {
        let parts = code.iter().zip(&self.likely);
        parts.map(|(byte, table)| table[usize::from(*byte)]).sum()
    }
}

impl Distances {
    /// The documents of a kind up to its mark.
    pub fn new(kind: i64, asked: &[f32]) -> Distances {
        Distances {
            kind,
            asked: Asked::new(asked),
            next: 0,
        }
    }

    /// Takes out the nearest of those that are left: at least so many, if there are, each with its likely cosine. None if a
    /// block is damaged.
    pub fn take(
        &mut self,
        database: &Database,
        least: usize,
    ) -> rusqlite::Result<Option<impl Iterator<Item = (i64, f64)>>> {
        let mut near = Near {
            all: Vec::new(),
            counts: vec![0; self.asked.code.len() * 8 + 1],
            least,
            next: self.next,
            far: u32::MAX,
            room: 4 * least,
        };
        let asked = &self.asked;
        let enter = |block: i64, codes: &[u8]| near.enter(block * BLOCK, codes, asked);
        if !(database.vectors).each_block(database, self.kind, enter)? {
            return Ok(None);
        }
        near.drop_far();
        self.next = near.far.saturating_add(1);
        let all = near.all.into_iter();
        Ok(Some(all.map(|(doc, _, likely)| (doc, f64::from(likely)))))
    }
}

/// The nearest that were met so far.
struct Near {
    all: Vec<(i64, u32, f32)>,
    /// How many were met of each distance.
    counts: Vec<usize>,
    least: usize,
    /// What is nearer was taken before.
    next: u32,
    /// What is farther is not wanted any more.
    far: u32,
    /// How many are kept before those that are too far are dropped.
    room: usize,
}

impl Near {
    /// Enters a block; false if it is damaged.
    fn enter(&mut self, first: i64, block: &[u8], asked: &Asked) -> bool {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor can do what the function is compiled for.
            return unsafe { self.enter_by_popcnt(first, block, asked) };
        }
        self.enter_all(first, block, asked)
    }

    /// The same by the instruction that counts bits, which not every processor of the kind has: without it counting takes
    /// ten times as long.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt")]
    fn enter_by_popcnt(&mut self, first: i64, block: &[u8], asked: &Asked) -> bool {
        self.enter_all(first, block, asked)
    }

    #[inline(always)]
    fn enter_all(&mut self, first: i64, block: &[u8], asked: &Asked) -> bool {
        let code = asked.code.as_slice();
        let Some((_, entries)) = entries(block).filter(|(length, _)| *length == code.len()) else {
            return false;
        };
        for (at, other) in entries {
            let far = distance(other, code);
            if far >= self.next && far <= self.far {
                self.counts[far as usize] += 1;
                self.all.push((first + at, far, asked.likely(other)));
                if self.all.len() > self.room {
                    self.drop_far();
                }
            }
        }
        true
    }

    /// Drops what is farther than as many as are wanted.
    fn drop_far(&mut self) {
        let mut count = 0;
        let enough = self.counts.iter().position(|of_it| {
            count += of_it;
            count >= self.least
        });
        if let Some(far) = enough {
            self.far = far as u32;
            self.all.retain(|(_, other, _)| *other <= self.far);
            self.room = 2 * self.all.len() + 4 * self.least;
        }
    }
}

/// The length of a code in a block, and its entries; none if it is damaged.
fn entries(block: &[u8]) -> Option<(usize, impl Iterator<Item = (i64, &[u8])>)> {
    let (length, entries) = block.split_first_chunk::<2>()?;
    let length = usize::from(u16::from_le_bytes(*length));
    let entries = entries.chunks_exact(HEAD + length);
    let is_whole = entries.remainder().is_empty();
    let entry = |entry| {
        let (at, code) = <[u8]>::split_first_chunk::<HEAD>(entry).unwrap_or((&[0; HEAD], &[]));
        (i64::from(u16::from_le_bytes(*at)), code)
    };
    is_whole.then(|| (length, entries.map(entry)))
}

/// Notes that the vector of a document is another now, or none. What is newer than the mark is entered later.
pub fn set(connection: &Connection, kind: i64, doc: i64, vector: &[f32]) -> rusqlite::Result<()> {
    if doc > mark(connection, kind)? {
        return Ok(());
    }
    let mut entries = block(connection, kind, doc / BLOCK)?;
    entries.retain(|entry| entry.0 != doc);
    if !vector.is_empty() {
        let code = code(vector);
        if entries.iter().any(|entry| entry.1.len() != code.len()) {
            // Vectors of another length take the place of all others: codes are made when all are there.
            return clear(connection, kind);
        }
        let place = entries.partition_point(|entry| entry.0 < doc);
        entries.insert(place, (doc, code));
    }
    put(connection, kind, doc / BLOCK, &entries)
}

/// Enters what is newer than the mark into blocks, if that has become much.
pub fn settle_many(connection: &Connection, kind: i64) -> rusqlite::Result<()> {
    let fresh: usize = connection
        .prepare_cached(
            "SELECT count(*) FROM (SELECT 1 FROM coarse WHERE kind = ?1 AND doc > ?2 LIMIT ?3)",
        )?
        .query_row(
            params![kind, mark(connection, kind)?, MOST_FRESH + 1],
            |row| row.get(0),
        )?;
    if fresh > MOST_FRESH {
        settle(connection, kind)?;
    }
    Ok(())
}

/// A block that is being filled: its number, and the codes in it by their documents.
type OpenBlock = (i64, Vec<(i64, Vec<u8>)>);

/// Enters everything that is newer than the mark.
fn settle(connection: &Connection, kind: i64) -> rusqlite::Result<()> {
    let mut last = mark(connection, kind)?;
    let mut statement = connection.prepare_cached(
        "SELECT c.doc, v.vector FROM coarse c CROSS JOIN vectors v ON v.doc = c.doc
         WHERE c.kind = ?1 AND c.doc > ?2 ORDER BY c.doc",
    )?;
    let mut rows = statement.query(params![kind, last])?;
    let mut open: Option<OpenBlock> = None;
    while let Some(row) = rows.next()? {
        last = row.get(0)?;
        let code = code(&coarse::components(row.get_ref(1)?.as_blob()?));
        match &mut open {
            Some((number, entries)) if *number == last / BLOCK => entries.push((last, code)),
            _ => {
                if let Some((number, entries)) = open.take() {
                    put(connection, kind, number, &entries)?;
                }
                let mut entries = block(connection, kind, last / BLOCK)?;
                entries.push((last, code));
                open = Some((last / BLOCK, entries));
            }
        }
    }
    if let Some((number, entries)) = open {
        put(connection, kind, number, &entries)?;
    }
    vector_cache::note_change(connection, kind)?;
    connection
        .prepare_cached("UPDATE coded SET doc = ?2 WHERE kind = ?1")?
        .execute([kind, last])?;
    Ok(())
}

/// The same for all kinds.
pub fn settle_all(connection: &Connection) -> rusqlite::Result<()> {
    let kinds = vectors::kinds(connection)?;
    kinds
        .into_iter()
        .try_for_each(|kind| settle_many(connection, kind))
}

/// Makes the blocks of a kind anew from its vectors, if they are not what they should be.
pub fn mend(connection: &Connection, kind: i64) -> rusqlite::Result<()> {
    if is_sound(connection, kind)? {
        return Ok(());
    }
    clear(connection, kind)?;
    settle_many(connection, kind)
}

fn clear(connection: &Connection, kind: i64) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM codes WHERE kind = ?1", [kind])?;
    connection.execute("UPDATE coded SET doc = 0 WHERE kind = ?1", [kind])?;
    vector_cache::note_change(connection, kind)
}

/// Whether the blocks of a kind say what its vectors say.
pub fn is_sound(connection: &Connection, kind: i64) -> rusqlite::Result<bool> {
    let mut kept = Vec::new();
    let sql = "SELECT block FROM codes WHERE kind = ?1 ORDER BY block";
    let mut statement = connection.prepare_cached(sql)?;
    for number in statement.query_map([kind], |row| row.get(0))? {
        kept.extend(block(connection, kind, number?)?);
    }
    let mut statement = connection.prepare_cached(
        "SELECT c.doc, v.vector FROM coarse c CROSS JOIN vectors v ON v.doc = c.doc
         WHERE c.kind = ?1 AND c.doc <= ?2 ORDER BY c.doc",
    )?;
    let mut rows = statement.query(params![kind, mark(connection, kind)?])?;
    let mut kept = kept.into_iter();
    while let Some(row) = rows.next()? {
        let wanted = code(&coarse::components(row.get_ref(1)?.as_blob()?));
        if kept.next() != Some((row.get(0)?, wanted)) {
            return Ok(false);
        }
    }
    Ok(kept.next().is_none())
}

/// The entries of a block, with the numbers of their documents. What is damaged is left out.
fn block(connection: &Connection, kind: i64, number: i64) -> rusqlite::Result<Vec<(i64, Vec<u8>)>> {
    let found = connection
        .prepare_cached("SELECT codes FROM codes WHERE kind = ?1 AND block = ?2")?
        .query_row([kind, number], |row| {
            let entries = entries(row.get_ref(0)?.as_blob()?);
            let entry = |(at, code): (i64, &[u8])| (number * BLOCK + at, code.to_vec());
            Ok(entries.map_or_else(Vec::new, |(_, entries)| entries.map(entry).collect()))
        });
    Ok(found.optional()?.unwrap_or_default())
}

fn put(
    connection: &Connection,
    kind: i64,
    number: i64,
    entries: &[(i64, Vec<u8>)],
) -> rusqlite::Result<()> {
    if entries.is_empty() {
        connection
            .prepare_cached("DELETE FROM codes WHERE kind = ?1 AND block = ?2")?
            .execute([kind, number])?;
        return Ok(());
    }
    let length = entries.first().map_or(0, |entry| entry.1.len()) as u16;
    let mut bytes = length.to_le_bytes().to_vec();
    for (doc, code) in entries {
        bytes.extend(((doc % BLOCK) as u16).to_le_bytes());
        bytes.extend(code);
    }
    connection
        .prepare_cached("INSERT OR REPLACE INTO codes (kind, block, codes) VALUES (?1, ?2, ?3)")?
        .execute(params![kind, number, bytes])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use twiceshy_wit::host::{
        Change, Condition, Document, Key, Order, Precondition, Put, Query, Store, Test, Value,
    };

    use super::super::find::{self, Effort};
    use super::super::vector_cache;
    use super::super::{Options, SqliteStore};

    const LENGTH: usize = 64;

    /// Vectors around some dozens of directions, as those of texts about some dozens of things.
    fn vector(number: u64) -> Vec<f32> {
        let noise = |seed: u64| {
            let mixed = (seed ^ seed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            ((mixed ^ mixed >> 32) as u32 as f32) / (u32::MAX as f32) - 0.5
        };
        (0..LENGTH as u64)
            .map(|at| {
                noise((number % 40) * 1_000 + at + 1) + 0.6 * noise((number + 50) * 7_919 + at)
            })
            .collect()
    }

    fn put(number: u64) -> Change {
        let color = if number.is_multiple_of(3) {
            "red"
        } else {
            "blue"
        };
        Change::Put(Put {
            document: Document {
                key: Key {
                    kind: "note".into(),
                    id: format!("{number:06}"),
                },
                body: "{}".into(),
                attributes: vec![twiceshy_wit::host::Attribute {
                    name: "color".into(),
                    value: Value::Text(color.into()),
                }],
                text: String::new(),
                vector: vector(number),
            },
            precondition: Precondition::Anything,
        })
    }

    fn asked(conditions: Vec<Condition>, number: u64) -> Query {
        Query {
            kind: "note".into(),
            conditions,
            order: Order::ByNearest(vector(number)),
            offset: 0,
            limit: 10,
        }
    }

    #[test]
    fn of_many_vectors_the_nearest_are_found_by_codes_as_well_as_exactly() {
        let directory = tempfile::tempdir().unwrap();
        let options = Options {
            light: true,
            ..Options::default()
        };
        let store = SqliteStore::open(&directory.path().join("memory.db"), options).unwrap();
        for first in (0..6_000).step_by(500) {
            let batch: Vec<_> = (first..first + 500).map(put).collect();
            store.commit(&batch).unwrap();
        }
        // Some in blocks are changed, and some are newer than the mark.
        store.commit(&[put(17), put(3_000)]).unwrap();
        let red = Condition {
            attribute: "color".into(),
            test: Test::Equals(Value::Text("red".into())),
        };
        let ids = |query: &Query, exact| -> Vec<String> {
            let effort = Effort {
                exact,
                ..Effort::default()
            };
            let found = store.read(|database| find::find(database, query, effort));
            let found = found.unwrap().into_iter();
            found.map(|found| found.document.key.id).collect()
        };
        let (mut same, mut all) = (0, 0);
        for number in (0..6_000).step_by(293) {
            for conditions in [vec![], vec![red.clone()]] {
                let query = asked(conditions, number + 6_000_000);
                let exact = ids(&query, u64::MAX);
                let by_codes = ids(&query, 0);
                assert_eq!(by_codes.len(), exact.len());
                all += exact.len();
                same += by_codes.iter().filter(|id| exact.contains(id)).count();
            }
        }
        assert!(same * 100 >= all * 97, "{same} of {all}");
        assert_eq!(store.integrity(), Ok(vec![]));
        // Codes that are damaged are not used by those who read them then, and made anew.
        let exact = ids(&asked(vec![], 5), u64::MAX);
        let damage = "UPDATE codes SET codes = substr(codes, 1, length(codes) - 1)";
        store
            .write(true, |database, _| Ok(database.execute_batch(damage)?))
            .unwrap();
        store
            .write(true, |database, _| {
                Ok(vector_cache::note_change(database, 1)?)
            })
            .unwrap();
        assert_eq!(ids(&asked(vec![], 5), 0), exact);
        assert_eq!(store.integrity().unwrap().len(), 1);
        store.optimize().unwrap();
        assert_eq!(store.integrity(), Ok(vec![]));
    }
}
