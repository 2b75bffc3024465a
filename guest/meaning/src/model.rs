//! The model: a table of vectors of one byte per component, and the sum of those that a text has.
//!
//! Owns the form of the table: `TWSM` and the version 1; the number of pieces and of components; where each piece begins,
//! in the order of their bytes; the pieces; the factor of each, its weight and its scale in one; the vectors. All numbers
//! are little-endian. What comes from a file is checked once, in [`Model::new`].

use crate::pieces::{places, words};

const MAGIC: [u8; 8] = *b"TWSM\x01\0\0\0";
const HEAD: usize = 16;

/// A table that was checked.
pub struct Model<'t> {
    dimensions: usize,
    starts: &'t [u8],
    names: &'t [u8],
    factors: &'t [u8],
    vectors: &'t [u8],
}

impl<'t> Model<'t> {
    /// Opens a table. It is neither copied nor read through.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn new(table: &'t [u8]) -> Result<Self, &'static str> {
        if table.len() < HEAD || table[..8] != MAGIC {
            return Err("not a table of this form");
        }
        let (count, dimensions) = (number(table, 2) as usize, number(table, 3) as usize);
        let names_at = HEAD.saturating_add(count.saturating_add(1).saturating_mul(4));
        let short = "the table is shorter than it says";
        let starts = table.get(HEAD..names_at).ok_or(short)?;
        let factors_at = names_at.saturating_add(number(starts, count) as usize);
        let vectors_at = factors_at.saturating_add(count.saturating_mul(4));
        let end = vectors_at.saturating_add(count.saturating_mul(dimensions));
        if end != table.len() {
            return Err(short);
        }
        Ok(Self {
            dimensions,
            starts,
            names: table.get(names_at..factors_at).ok_or(short)?,
            factors: &table[factors_at..vectors_at],
            vectors: &table[vectors_at..],
        })
    }

    /// How many components its vectors have.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The vector of a text, of length one; empty if the table knows none of its words.
    pub fn embed(&self, text: &str) -> Vec<f32> {
        // Each piece once, in the order in which they come, with how often: the root of it counts.
        let mut counted: Vec<(usize, u32)> = Vec::new();
        let mut known = std::collections::BTreeMap::new();
        for word in words(text) {
            let found = places(&word, |piece| self.place(piece.as_bytes()));
            for place in found.unwrap_or_default() {
                let at = *known.entry(place).or_insert(counted.len());
                match counted.get_mut(at) {
                    Some(one) => one.1 += 1,
                    None => counted.push((place, 1)),
                }
            }
        }
        let mut sum = vec![0.0f32; self.dimensions];
        for (place, count) in counted {
            let bytes: [u8; 4] = std::array::from_fn(|at| self.factors[place * 4 + at]);
            let factor = f32::from_le_bytes(bytes) * (count as f32).sqrt();
            let vector = &self.vectors[place * self.dimensions..][..self.dimensions];
            for (sum, part) in sum.iter_mut().zip(vector) {
                *sum += factor * f32::from(*part as i8);
            }
        }
        let length = sum.iter().map(|part| part * part).sum::<f32>().sqrt();
        if length <= 0.0 || !length.is_finite() {
            return Vec::new();
        }
        sum.iter_mut().for_each(|part| *part /= length);
        sum
    }

    /// The place of a piece.
    fn place(&self, piece: &[u8]) -> Option<usize> {
        let (mut from, mut to) = (0, self.starts.len() / 4 - 1);
        while from < to {
            let middle = (from + to) / 2;
            let bounds =
                number(self.starts, middle) as usize..number(self.starts, middle + 1) as usize;
            match self.names.get(bounds)?.cmp(piece) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
            }
        }
        None
    }
}

/// The number at a place of four bytes.
fn number(bytes: &[u8], at: usize) -> u32 {
    let four = bytes.get(at * 4..at * 4 + 4);
    four.and_then(|four| four.try_into().ok())
        .map_or(0, u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of two pieces with two components.
    fn small() -> Vec<u8> {
        let mut table = MAGIC.to_vec();
        for number in [2u32, 2, 0, 3, 4] {
            table.extend(number.to_le_bytes());
        }
        table.extend(b"##ba");
        for factor in [0.5f32, 1.0] {
            table.extend(factor.to_le_bytes());
        }
        table.extend([0u8, 0x80, 3, 4]);
        table
    }

    #[test]
    fn a_text_is_the_sum_of_its_pieces() {
        let table = small();
        let model = Model::new(&table).expect("a table");
        assert_eq!(model.embed("A"), [0.6, 0.8]);
        // 3 and 4 - 64.
        let both = model.embed("ab");
        assert!(
            (both[0] - 0.049_937).abs() < 1e-5 && both[1] < -0.998,
            "{both:?}"
        );
        assert!(model.embed("c").is_empty());
    }

    #[test]
    fn a_damaged_table_is_refused() {
        let table = small();
        assert!(Model::new(&table[..table.len() - 1]).is_err());
        assert!(Model::new(b"").is_err());
        let mut many = table.clone();
        many[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(Model::new(&many).is_err());
        let mut beyond = table;
        beyond[24..28].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(Model::new(&beyond).is_err());
    }
}
