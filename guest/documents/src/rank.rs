//! Owns the numbers by which answers are ranked: terms and BM25, beside the cosine of [`Direction`].
//!
//! Every store shares what is here, so that all give the same order and, operation by operation, the same scores.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use twiceshy_text::number;
pub use twiceshy_text::vector::Direction;

/// A term has no more bytes than this; what is longer counts by its beginning.
const LONGEST_TERM: usize = 32_000;

/// The terms of a text: what white space separates, ASCII letters in lowercase.
pub fn terms(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace()
        .map(|term| term[..term.floor_char_boundary(LONGEST_TERM)].to_ascii_lowercase())
}

/// What the terms of one question may cost: the sum of the documents that contain them. It bounds the time of a
/// search, whatever the number of documents.
pub const BUDGET: u64 = 200_000;

/// A term of a question that counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The term.
    pub term: String,
    /// How often the question has it.
    pub times: u64,
    /// How many documents contain it.
    pub hits: u64,
}

/// Each term of a text once, in the order of their bytes, with how often it occurs.
pub fn counted(text: &str) -> BTreeMap<String, u64> {
    let mut counted = BTreeMap::new();
    for term in terms(text) {
        *counted.entry(term).or_default() += 1;
    }
    counted
}

/// The terms that count: from the rarest on, while those taken are in no more than `budget` documents together. The
/// rarest counts in any case, and terms that are in no document never do.
pub fn affordable(mut asked: Vec<Asked>, budget: u64) -> Vec<Asked> {
    asked.retain(|asked| asked.hits > 0);
    asked.sort_unstable_by(|a, b| (a.hits, &a.term).cmp(&(b.hits, &b.term)));
    let mut spent = 0;
    let within = asked.iter().enumerate().take_while(|(index, asked)| {
        spent += asked.hits;
        *index == 0 || spent <= budget
    });
    let count = within.count();
    asked.truncate(count);
    asked
}

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Terms of a text up to which being shorter says almost nothing: *Thanks, Ann!* is not more about Ann than a sentence
/// is. Measured by `recipes/finding`: without it, turns of conversations have a nDCG@10 of .42 instead of .47.
const SHORT: f64 = 24.0;

/// What each term less counts below that, so that of two short texts that are equal otherwise the shorter comes first.
const OF_SHORT: f64 = 0.1;

/// BM25 of one question over the texts of one kind. The score of a document is the sum of the parts of the terms that
/// it contains, in the order in which they were given.
pub struct Bm25 {
    average_length: f64,
    weights: Vec<f64>,
    /// The dampening of the usual lengths, which is asked for with every entry of every list.
    dampenings: Vec<f64>,
}

impl Bm25 {
    const USUAL_LENGTHS: u64 = 512;

    /// Prepares for `documents` texts of `tokens` terms in all. A term that is twice in the question counts twice.
    pub fn new(documents: u64, tokens: u64, asked: &[Asked]) -> Bm25 {
        let weight = |asked: &Asked| {
            let (hits, others) = (asked.hits, documents.saturating_sub(asked.hits));
            // One is added so that a term in most texts counts little, and in a small memory still in proportion.
            let weight = number::ln_1p((others as f64 + 0.5) / (hits as f64 + 0.5));
            asked.times as f64 * weight
        };
        let average_length = tokens as f64 / documents as f64;
        let usual = 0..Self::USUAL_LENGTHS;
        Bm25 {
            average_length,
            weights: asked.iter().map(weight).collect(),
            dampenings: usual
                .map(|length| dampening(length, average_length))
                .collect(),
        }
    }

    /// What the term at `index` adds to the score of a text that has it `frequency` times among `length` terms.
    #[inline]
    pub fn part(&self, index: usize, frequency: u64, length: u64) -> f64 {
        let frequency = frequency as f64;
        let dampening = match self.dampenings.get(length as usize) {
            Some(dampening) => *dampening,
            None => dampening(length, self.average_length),
        };
        self.weights[index] * ((frequency * (K1 + 1.0)) / (frequency + dampening))
    }
}

impl Bm25 {
    /// What the term at `index` adds to the score of any text at most: no text reaches it.
    pub fn most(&self, index: usize) -> f64 {
        self.weights[index] * (K1 + 1.0)
    }
}

fn dampening(length: u64, average_length: f64) -> f64 {
    K1 * (1.0 - B + B * telling_length(length as f64) / telling_length(average_length))
}

/// A length as far as it says something about how much a text is to the point.
fn telling_length(length: f64) -> f64 {
    match length < SHORT {
        true => SHORT - OF_SHORT * (SHORT - length),
        false => length,
    }
}

/// The order of an answer by score: the larger score first, then the document that came into the store later.
/// Documents are given as their score and their number, which grows with every document that is new.
pub fn best_first<N: Ord>(a: (f64, N), b: (f64, N)) -> Ordering {
    b.0.total_cmp(&a.0).then_with(|| b.1.cmp(&a.1))
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

    fn asked(term: &str, hits: u64) -> Asked {
        Asked {
            term: term.into(),
            times: 1,
            hits,
        }
    }

    #[test]
    fn a_term_in_most_texts_still_counts_a_little() {
        let score = Bm25::new(3, 9, &[asked("a", 3)]).part(0, 1, 3);
        assert!(score > 0.0 && score < 0.2, "{score}");
    }

    #[test]
    fn a_short_text_is_hardly_better_than_one_a_little_longer_and_a_long_one_is_worse() {
        let bm25 = Bm25::new(100, 4_000, &[asked("a", 3)]);
        let [tiny, short, usual, long] = [2, 20, 40, 400].map(|length| bm25.part(0, 1, length));
        assert!(tiny > short && tiny < 1.05 * short, "{tiny} {short}");
        assert!(short > usual && usual > 2.0 * long, "{usual} {long}");
    }

    #[test]
    fn no_text_reaches_what_a_term_adds_at_most() {
        let bm25 = Bm25::new(100, 4_000, &[asked("a", 3)]);
        for (frequency, length) in [(1, 1), (40, 40), (1_000_000, 1_000_000)] {
            assert!(bm25.part(0, frequency, length) < bm25.most(0));
        }
    }

    #[test]
    fn the_rarest_terms_count_while_the_budget_lasts() {
        let counting = |budget| {
            let all = [("d", 50), ("c", 5), ("b", 5), ("nowhere", 0), ("a", 40)];
            let all = all.map(|(term, hits)| asked(term, hits)).to_vec();
            let counting = affordable(all, budget).into_iter();
            counting.map(|asked| asked.term).collect::<String>()
        };
        assert_eq!(counting(100), "bcad");
        assert_eq!(counting(99), "bca");
        assert_eq!(counting(49), "bc");
        assert_eq!(counting(9), "b");
        assert_eq!(counting(0), "b", "the rarest in any case");
    }
}
