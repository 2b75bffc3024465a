//! Owns the form in which the list of a term is kept: which documents contain it, in blocks of a few hundred.
//!
//! An entry has the length of its text beside it, so that a list is scored without looking anywhere else. Numbers are
//! written in groups of seven bits, documents as the distance from the one before.

/// The bytes of a block. SQLite keeps a row of this size in its page; a longer one would begin a page of its own.
const LONGEST_BLOCK: usize = 960;

/// A document in the list of a term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// The document's row.
    pub doc: i64,
    /// How often its text has the term.
    pub frequency: u64,
    /// How many terms its text has.
    pub length: u64,
}

/// Reads a block whose documents are `first` or later. What is damaged ends the list.
pub fn read(first: i64, block: &[u8]) -> Entries<'_> {
    Entries { doc: first, block }
}

/// The entries of a block.
pub struct Entries<'a> {
    doc: i64,
    block: &'a [u8],
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    #[inline]
    fn next(&mut self) -> Option<Entry> {
        let distance = number(&mut self.block)?;
        self.doc = self.doc.wrapping_add(distance as i64);
        Some(Entry {
            doc: self.doc,
            frequency: number(&mut self.block)?,
            length: number(&mut self.block)?,
        })
    }
}

/// Writes entries, which are in the order of their documents, as blocks; the first of them is about documents from
/// `first` on, each later one from its own first document on.
pub fn write(first: i64, entries: &[Entry]) -> Vec<(i64, Vec<u8>)> {
    let mut blocks: Vec<(i64, Vec<u8>)> = Vec::new();
    let mut last = first;
    for entry in entries {
        if blocks.is_empty() {
            blocks.push((first, Vec::new()));
        } else if blocks
            .last()
            .is_some_and(|(_, block)| block.len() > LONGEST_BLOCK - 30)
        {
            blocks.push((entry.doc, Vec::new()));
            last = entry.doc;
        }
        if let Some((_, block)) = blocks.last_mut() {
            append(block, entry.doc.wrapping_sub(last) as u64);
            append(block, entry.frequency);
            append(block, entry.length);
        }
        last = entry.doc;
    }
    blocks
}

/// Writes a number in groups of seven bits.
pub fn append(block: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        block.push(number as u8 | 0x80);
        number >>= 7;
    }
    block.push(number as u8);
}

/// Reads a number in groups of seven bits.
#[inline]
pub fn number(block: &mut &[u8]) -> Option<u64> {
    // Most numbers have one byte.
    if let Some((byte, rest)) = block.split_first()
        && *byte < 0x80
    {
        *block = rest;
        return Some(u64::from(*byte));
    }
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = block.split_first()?;
        *block = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_damaged_ends_the_list() {
        let entry = Entry {
            doc: 7,
            frequency: 300,
            length: 2,
        };
        let blocks = write(7, &[entry]);
        for end in 0..blocks[0].1.len() {
            assert_eq!(read(7, &blocks[0].1[..end]).next(), None);
        }
        assert_eq!(read(7, &[0xff; 40]).next(), None);
    }

    proptest! {
        #[test]
        fn a_list_is_read_as_it_was_written(
            first in 0i64..1_000_000,
            distances in prop::collection::vec((1i64..100_000, 1u64..1_000, 1u64..u64::MAX), 0..900),
        ) {
            let mut doc = first;
            let entries: Vec<Entry> = distances.into_iter().map(|(distance, frequency, length)| {
                doc += distance;
                Entry { doc, frequency, length }
            }).collect();
            let blocks = write(first, &entries);
            prop_assert!(blocks.iter().all(|(_, block)| block.len() <= LONGEST_BLOCK));
            prop_assert!(blocks.first().is_none_or(|block| block.0 == first));
            let again: Vec<Entry> = blocks.iter().flat_map(|(first, block)| read(*first, block)).collect();
            prop_assert_eq!(again, entries);
        }
    }
}
