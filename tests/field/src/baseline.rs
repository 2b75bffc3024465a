//! Three memories to compare with. Each keeps past errors, the commands that failed with them, and what worked next.

use std::collections::BTreeMap;

use twiceshy_text::terms::terms;

use crate::advice::Advice;

/// A failure that was overcome.
#[derive(Debug, Clone)]
pub struct Past {
    /// What was printed.
    pub error: String,
    /// The command line that failed.
    pub command: String,
    /// The command line that worked next.
    pub next: String,
}

impl Past {
    /// The same as a hint.
    pub fn advice(&self) -> Advice {
        Advice {
            wrong: Some(self.command.clone()),
            correct: Some(self.next.clone()),
        }
    }
}

/// Which failure was most like this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Baseline {
    /// The newest with the same error, after numbers, paths and quoted text were masked.
    Masking,
    /// The best by BM25 of the errors.
    Errors,
    /// The best by BM25 of error and command together.
    ErrorsAndCommands,
}

impl Baseline {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Masking, Self::Errors, Self::ErrorsAndCommands];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Masking => "masking, exact match",
            Self::Errors => "BM25 of errors",
            Self::ErrorsAndCommands => "BM25 of error and command",
        }
    }

    /// An index of past failures.
    pub fn index(self, past: Vec<Past>) -> Index {
        let keys: Vec<_> = past
            .iter()
            .map(|past| self.keys(&past.error, &past.command))
            .collect();
        let mut postings: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
        let mut lengths = Vec::new();
        for (place, keys) in keys.iter().enumerate() {
            lengths.push(keys.len() as f64);
            for (key, count) in counted(keys) {
                postings.entry(key).or_default().push((place, count));
            }
        }
        Index {
            baseline: self,
            past,
            postings,
            lengths,
        }
    }

    fn keys(self, error: &str, command: &str) -> Vec<String> {
        match self {
            Self::Masking => vec![masked(error)],
            Self::Errors => terms(error),
            Self::ErrorsAndCommands => terms(&format!("{command}\n{error}")),
        }
    }
}

/// Past failures, and how to find them.
#[derive(Debug)]
pub struct Index {
    baseline: Baseline,
    past: Vec<Past>,
    postings: BTreeMap<String, Vec<(usize, f64)>>,
    lengths: Vec<f64>,
}

/// The usual parameters of BM25.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// A failure is said to be known if its best match has this share of the score that it would have as its own match. Half is
/// where the baselines gain the most right hints for each wrong one on the stories.
const THRESHOLD: f64 = 0.5;

impl Index {
    /// The failure that is most like this one, the newest of equals, if it is like it at all.
    pub fn best(&self, error: &str, command: &str) -> Option<&Past> {
        let keys = self.baseline.keys(error, command);
        if self.baseline == Baseline::Masking {
            let (newest, _) = self.postings.get(&keys[0])?.last()?;
            return Some(&self.past[*newest]);
        }
        let documents = self.past.len() as f64;
        let average = self.lengths.iter().sum::<f64>() / documents;
        let mut scores = vec![0.0; self.past.len()];
        let mut own = 0.0;
        for (key, times) in counted(&keys) {
            let postings = self.postings.get(&key).map_or(&[][..], Vec::as_slice);
            let hits = postings.len() as f64;
            let weight = times * (1.0 + (documents - hits + 0.5) / (hits + 0.5)).ln();
            let part = |count: f64, length: f64| {
                weight * count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length / average))
            };
            own += part(times, keys.len() as f64);
            for (place, count) in postings {
                scores[*place] += part(*count, self.lengths[*place]);
            }
        }
        let (place, score) = scores
            .into_iter()
            .enumerate()
            .max_by(|left, right| left.1.total_cmp(&right.1))?;
        (score > 0.0 && score >= THRESHOLD * own).then(|| &self.past[place])
    }
}

fn counted(keys: &[String]) -> BTreeMap<String, f64> {
    let mut counts = BTreeMap::new();
    for key in keys {
        *counts.entry(key.clone()).or_insert(0.0) += 1.0;
    }
    counts
}

/// A text in lowercase with `#` for each number, path and quoted text, and single blanks.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    for word in quotes_masked(&text.to_lowercase()).split_whitespace() {
        let bare = word.trim_matches(|c: char| c.is_ascii_punctuation() && c != '/' && c != '#');
        let is_path = bare.contains('/') && bare.len() > 1;
        let is_hex = bare.len() >= 7 && bare.chars().all(|c| c.is_ascii_hexdigit());
        let mask = if is_path || is_hex {
            word.replace(bare, "#")
        } else {
            word.split(|c: char| c.is_ascii_digit())
                .collect::<Vec<_>>()
                .join("#")
        };
        masked.push_str(&mask);
        masked.push(' ');
    }
    while masked.contains("##") {
        masked = masked.replace("##", "#");
    }
    masked
}

/// A text with `#` for what stands in quotes on one line.
fn quotes_masked(text: &str) -> String {
    let mut result = String::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some(at) = rest.find(['"', '\'', '`']) {
            let quote = &rest[at..=at];
            // An apostrophe is no quote.
            let opens = !rest[..at].ends_with(char::is_alphanumeric);
            let close = if quote == "`" {
                &['`', '\''][..]
            } else {
                &[quote.chars().next().expect("a quote")][..]
            };
            match rest[at + 1..].find(close).filter(|_| opens) {
                Some(end) => {
                    result.push_str(&rest[..at]);
                    result.push('#');
                    rest = &rest[at + 1 + end + 1..];
                }
                None => {
                    result.push_str(&rest[..=at]);
                    rest = &rest[at + 1..];
                }
            }
        }
        result.push_str(rest);
        result.push('\n');
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn past(error: &str, command: &str, next: &str) -> Past {
        Past {
            error: error.into(),
            command: command.into(),
            next: next.into(),
        }
    }

    #[test]
    fn masking_finds_the_same_error_with_other_data() {
        let index = Baseline::Masking.index(vec![
            past("a: can't open '/x/1': missing", "a 1", "b 1"),
            past("another", "c", "d"),
        ]);
        let found = index.best("a: can't open '/y y/22': missing", "a 2");
        assert_eq!(found.map(|past| past.next.as_str()), Some("b 1"));
        assert!(index.best("a: can't read '/y': missing", "a 2").is_none());
    }

    #[test]
    fn bm25_finds_the_nearest_error_and_nothing_if_none_is_near() {
        let index = Baseline::Errors.index(vec![
            past("unknown option frobnicate", "a", "b"),
            past("table users does not exist", "c", "d"),
        ]);
        let found = index.best("table orders does not exist", "c");
        assert_eq!(found.map(|past| past.next.as_str()), Some("d"));
        assert!(index.best("segmentation fault", "c").is_none());
    }
}
