//! The baseline: BM25 over stemmed words, as short as it can be written. It shares no code with what it is compared with.

use std::collections::{HashMap, HashSet};

pub(crate) struct Bm25 {
    ids: Vec<String>,
    lengths: Vec<f64>,
    postings: HashMap<String, Vec<(usize, f64)>>,
}

impl Bm25 {
    pub(crate) fn new(documents: &[(String, String)]) -> Self {
        let mut postings: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (number, (_, text)) in documents.iter().enumerate() {
            let words = words(text);
            lengths.push(words.len() as f64);
            let mut counts: HashMap<String, f64> = HashMap::new();
            for word in words {
                *counts.entry(word).or_default() += 1.0;
            }
            for (word, count) in counts {
                postings.entry(word).or_default().push((number, count));
            }
        }
        let ids = documents.iter().map(|(id, _)| id.clone()).collect();
        Self {
            ids,
            lengths,
            postings,
        }
    }

    pub(crate) fn found(&self, text: &str) -> Vec<String> {
        let documents = self.ids.len() as f64;
        let average = self.lengths.iter().sum::<f64>() / documents;
        let mut scores = vec![0.0; self.ids.len()];
        let asked: HashSet<_> = words(text).into_iter().collect();
        let mut asked: Vec<_> = asked
            .iter()
            .filter_map(|word| self.postings.get(word))
            .collect();
        // One order of adding, so that one run gives the figures of another.
        asked.sort_by_key(|list| (list.len(), list[0].0));
        for list in asked {
            let hits = list.len() as f64;
            let weight = (1.0 + (documents - hits + 0.5) / (hits + 0.5)).ln();
            for (number, count) in list {
                let length = 0.25 + 0.75 * self.lengths[*number] / average;
                scores[*number] += weight * count * 2.2 / (count + 1.2 * length);
            }
        }
        let mut order: Vec<_> = (0..scores.len())
            .filter(|number| scores[*number] > 0.0)
            .collect();
        order.sort_by(|left, right| {
            scores[*right]
                .total_cmp(&scores[*left])
                .then(right.cmp(left))
        });
        order
            .into_iter()
            .take(10)
            .map(|number| self.ids[number].clone())
            .collect()
    }
}

/// Words in lower case, identifiers split, without common endings.
fn words(text: &str) -> Vec<String> {
    let mut apart = String::new();
    let mut before = ' ';
    for letter in text.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            apart.push(' ');
        }
        apart.extend(
            letter
                .to_lowercase()
                .map(|one| if one.is_alphanumeric() { one } else { ' ' }),
        );
        before = letter;
    }
    let stem = |word: &str| {
        let mut root = word;
        for ending in ["ing", "ed", "es", "s"] {
            if let Some(rest) = word.strip_suffix(ending).filter(|rest| rest.len() >= 3) {
                root = rest;
                break;
            }
        }
        root.strip_suffix('e')
            .filter(|rest| rest.len() >= 3)
            .unwrap_or(root)
            .to_owned()
    };
    apart.split_whitespace().map(stem).collect()
}
