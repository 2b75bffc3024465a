//! A set on which finding is measured: documents, queries and what is relevant to each.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::Value;

/// Documents and queries, as the recipe writes them.
#[derive(Clone)]
pub(crate) struct Set {
    pub(crate) name: String,
    /// Ids with texts.
    pub(crate) documents: Vec<(String, String)>,
    /// The session of each document; empty if it has none.
    pub(crate) sessions: Vec<String>,
    pub(crate) queries: Vec<Query>,
}

/// A query with the ids that answer it and their grades.
#[derive(Clone)]
pub(crate) struct Query {
    pub(crate) text: String,
    pub(crate) relevant: BTreeMap<String, f64>,
}

impl Set {
    pub(crate) fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).expect("a set");
        let name = file.file_stem().unwrap_or_default();
        let mut set = Self {
            name: name.to_string_lossy().into_owned(),
            documents: Vec::new(),
            sessions: Vec::new(),
            queries: Vec::new(),
        };
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).expect("a line of JSON");
            let said = line["text"].as_str().expect("a text").to_owned();
            match line["document"].as_str() {
                Some(id) if !said.trim().is_empty() => {
                    set.documents.push((own_id(id), said));
                    let session = line["session"].as_str().unwrap_or_default();
                    set.sessions.push(session.to_owned());
                }
                Some(_) => {}
                None => {
                    let relevant = line["relevant"].as_object().expect("what is relevant");
                    let grade = |(id, grade): (&String, &Value)| {
                        (own_id(id), grade.as_f64().unwrap_or(1.0))
                    };
                    set.queries.push(Query {
                        text: said,
                        relevant: relevant.iter().map(grade).collect(),
                    });
                }
            }
        }
        set
    }
}

impl Set {
    /// A part of it: so many queries, and so many documents, what answers the queries among them.
    pub(crate) fn part(&self, documents: usize, queries: usize) -> Self {
        let every = |of: usize, most: usize| of.div_ceil(most.max(1)).max(1);
        let asked = self.queries.iter();
        let asked = asked.step_by(every(self.queries.len(), queries));
        let queries: Vec<_> = asked.cloned().collect();
        let answers = |id: &String| queries.iter().any(|query| query.relevant.contains_key(id));
        let (needed, others): (Vec<_>, Vec<_>) =
            (0..self.documents.len()).partition(|at| answers(&self.documents[*at].0));
        let room = documents.saturating_sub(needed.len());
        let apart = every(others.len(), room);
        let mut taken: Vec<_> = others.into_iter().step_by(apart).take(room).collect();
        taken.extend(needed);
        taken.sort_unstable();
        Self {
            name: self.name.clone(),
            documents: taken.iter().map(|at| self.documents[*at].clone()).collect(),
            sessions: taken.iter().map(|at| self.sessions[*at].clone()).collect(),
            queries,
        }
    }
}

/// An id that an episode may have.
fn own_id(id: &str) -> String {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let own: String = id
        .chars()
        .map(|letter| if fits(letter) { letter } else { '_' })
        .collect();
    let from = own.len().saturating_sub(64);
    own[from..].to_owned()
}

/// nDCG and recall of the first ten, on average over the queries.
pub(crate) fn quality(set: &Set, found: impl Fn(&str) -> Vec<String>) -> (f64, f64) {
    let (mut gain, mut recall) = (0.0, 0.0);
    for query in &set.queries {
        let found = found(&query.text);
        let grades = found
            .iter()
            .map(|id| query.relevant.get(id).copied().unwrap_or(0.0));
        let mut ideal: Vec<_> = query.relevant.values().copied().collect();
        ideal.sort_by(|left, right| right.total_cmp(left));
        gain += discounted(grades.clone()) / discounted(ideal.into_iter());
        recall += grades.filter(|grade| *grade > 0.0).count() as f64 / query.relevant.len() as f64;
    }
    let queries = set.queries.len() as f64;
    (gain / queries, recall / queries)
}

fn discounted(grades: impl Iterator<Item = f64>) -> f64 {
    let places = grades.take(10).enumerate();
    places
        .map(|(place, grade)| grade / (place as f64 + 2.0).log2())
        .sum()
}
