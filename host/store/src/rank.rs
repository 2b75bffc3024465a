//! Owns the numbers by which answers are ranked: terms, BM25 and cosine similarity.
//!
//! Both stores share what is here, so that they give the same order. BM25 is written down exactly as
//! SQLite's FTS5 computes it, operation by operation, because the SQLite store leaves it to FTS5.

use std::cmp::Ordering;

/// FTS5 keeps no more than this many bytes of a term; what is longer counts by its beginning.
const LONGEST_TERM: usize = 32_000;

/// The terms of a text: what white space separates, ASCII letters in lowercase.
pub fn terms(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace()
        .map(|term| term[..term.floor_char_boundary(LONGEST_TERM)].to_ascii_lowercase())
}

/// A term that more documents than this contain is common. It bounds what a question costs, whatever the number
/// of documents.
pub const COMMON: u64 = 128;

/// Which terms of a question count.
pub struct Counting {
    /// Those that are not common.
    pub rare: Vec<String>,
    /// The common ones, for documents that contain all of them; empty if they do not count.
    pub common: Vec<String>,
}

impl Counting {
    /// Tells the terms of a question apart. `hits` says how many documents contain all of some terms, or any
    /// number above [`COMMON`] if more do.
    pub fn new<E>(
        wanted: Vec<String>,
        mut hits: impl FnMut(&[String]) -> Result<u64, E>,
    ) -> Result<Counting, E> {
        let (mut rare, mut common) = (Vec::new(), Vec::new());
        for term in wanted {
            if hits(std::slice::from_ref(&term))? > COMMON {
                common.push(term);
            } else {
                rare.push(term);
            }
        }
        if !rare.is_empty() && !common.is_empty() && hits(&common)? > COMMON {
            common.clear();
        }
        Ok(Counting { rare, common })
    }
}

/// BM25 of one query over the texts of one kind.
pub struct Bm25 {
    average_length: f64,
    weights: Vec<f64>,
}

impl Bm25 {
    const K1: f64 = 1.2;
    const B: f64 = 0.75;

    /// Prepares for `documents` texts of `tokens` terms in all; `hits` says for each term of the query in
    /// how many texts it occurs. A term that is twice in the query counts twice.
    pub fn new(documents: u64, tokens: u64, hits: impl IntoIterator<Item = u64>) -> Bm25 {
        let weight = |hits: u64| {
            let weight = (((documents - hits) as f64 + 0.5) / (hits as f64 + 0.5)).ln();
            if weight <= 0.0 { 1e-6 } else { weight }
        };
        Bm25 {
            average_length: tokens as f64 / documents as f64,
            weights: hits.into_iter().map(weight).collect(),
        }
    }

    /// The score of a text of `length` terms; `frequencies` says for each term of the query how often it
    /// occurs in the text.
    pub fn score(&self, length: u64, frequencies: impl IntoIterator<Item = u64>) -> f64 {
        let (k1, b) = (Self::K1, Self::B);
        let mut score = 0.0;
        for (weight, frequency) in self.weights.iter().zip(frequencies) {
            let frequency = frequency as f64;
            score += weight
                * ((frequency * (k1 + 1.0))
                    / (frequency + k1 * (1.0 - b + b * length as f64 / self.average_length)));
        }
        score
    }
}

/// A vector that others are compared with.
pub struct Direction {
    vector: Vec<f32>,
    square: f64,
}

impl Direction {
    /// Prepares for comparisons with `vector`.
    pub fn new(vector: &[f32]) -> Direction {
        Direction {
            vector: vector.to_vec(),
            square: product(vector, vector),
        }
    }

    /// The cosine similarity, in -1..=1. A vector of zeros has no direction and is 0 from everything.
    pub fn cosine(&self, other: &[f32]) -> f64 {
        // One root of both squares, and not two roots, is exact for vectors that are equal.
        let norm = (self.square * product(other, other)).sqrt();
        if norm == 0.0 {
            return 0.0;
        }
        // Adding zero makes a negative zero positive, so that the two are one score.
        (product(&self.vector, other) / norm).clamp(-1.0, 1.0) + 0.0
    }
}

/// The inner product, in f64 and in one fixed order: eight partial sums, which a compiler can vectorise
/// without changing the result.
fn product(a: &[f32], b: &[f32]) -> f64 {
    let mut sums = [0.0f64; 8];
    let (eights, others) = (
        a.chunks_exact(8).zip(b.chunks_exact(8)),
        (a.len().min(b.len()) / 8) * 8,
    );
    for (a, b) in eights {
        for lane in 0..8 {
            sums[lane] += f64::from(a[lane]) * f64::from(b[lane]);
        }
    }
    let rest = a[others..]
        .iter()
        .zip(&b[others..])
        .map(|(a, b)| f64::from(*a) * f64::from(*b));
    sums.iter().sum::<f64>() + rest.sum::<f64>()
}

/// The order of an answer by score: the larger score first, then the smaller id.
pub fn best_first(a: (f64, &str), b: (f64, &str)) -> Ordering {
    b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_what_white_space_separates_and_nothing_less() {
        let text = "Foo-Bar a.b \"x\"\t<path>\u{a0}日本\u{3000}Ё c++\n--flag \u{1f}";
        let expected = [
            "foo-bar", "a.b", "\"x\"", "<path>", "日本", "Ё", "c++", "--flag", "\u{1f}",
        ];
        assert_eq!(terms(text).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_term_in_most_texts_still_counts_a_little() {
        let bm25 = Bm25::new(3, 9, [3]);
        let score = bm25.score(3, [1]);
        assert!(score > 0.0 && score < 1e-5, "{score}");
    }

    #[test]
    fn cosine_is_one_for_the_same_direction_and_zero_without_any() {
        let cosine = |a: &[f32], b: &[f32]| Direction::new(a).cosine(b);
        assert_eq!(cosine(&[3.0, 4.0], &[6.0, 8.0]), 1.0);
        assert_eq!(cosine(&[1.0, 0.0], &[0.0, 1.0]), 0.0);
        assert_eq!(cosine(&[1.0, 1.0], &[-1.0, -1.0]), -1.0);
        assert_eq!(cosine(&[1.0, 0.0], &[0.0, 0.0]), 0.0);
    }
}
