//! The baseline: BM25 over stemmed words without common ones, as short as it can be written. It shares no code with what it is
//! compared with.

use std::collections::{HashMap, HashSet};

/// Words that any sentence or question has.
const COMMON: &str = "a an and are as at be but by for from had has have he her hers him his how i if in into is it its me my \
    no nor not of on or our she so such than that the their them then there these they this those to was we were what when \
    where which who whom why will with would you your did do does s t";

/// With `b` 0.75 it is stronger on long texts, with 0.4 on short ones.
pub(crate) struct Bm25 {
    b: f64,
    ids: Vec<String>,
    lengths: Vec<f64>,
    postings: HashMap<String, Vec<(usize, f64)>>,
}

impl Bm25 {
    pub(crate) fn new(documents: &[(String, String)], b: f64) -> Self {
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
            b,
            ids,
            lengths,
            postings,
        }
    }

    /// The ten best, of all documents or of some.
    pub(crate) fn found(&self, text: &str, among: Option<&[String]>) -> Vec<String> {
        let documents = self.ids.len() as f64;
        let average = self.lengths.iter().sum::<f64>() / documents;
        let mut scores = vec![0.0; self.ids.len()];
        let asked: HashSet<_> = words(text).into_iter().collect();
        let common: HashSet<_> = words(COMMON).into_iter().collect();
        let mut telling: Vec<_> = asked.difference(&common).collect();
        if telling.is_empty() {
            telling = asked.iter().collect();
        }
        let mut asked: Vec<_> = telling
            .into_iter()
            .filter_map(|word| self.postings.get(word))
            .collect();
        // One order of adding, so that one run gives the figures of another.
        asked.sort_by_key(|list| (list.len(), list[0].0));
        for list in asked {
            let hits = list.len() as f64;
            let weight = (1.0 + (documents - hits + 0.5) / (hits + 0.5)).ln();
            for (number, count) in list {
                let length = 1.0 - self.b + self.b * self.lengths[*number] / average;
                scores[*number] += weight * count * 2.2 / (count + 1.2 * length);
            }
        }
        let mut order: Vec<_> = (0..scores.len())
            .filter(|number| {
                let is_among = among.is_none_or(|among| among.contains(&self.ids[*number]));
                is_among && scores[*number] > 0.0
            })
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
