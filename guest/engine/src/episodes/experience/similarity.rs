//! Similarity of tasks: how much the entries repeat each other, and what to prune.
//!
//! Owns the measure and the advice. Changes nothing. Which pairs are compared depends on the entries alone, so that
//! the same memory gives the same figures.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_text::vector::cosine;
use twiceshy_wit::memory::{Distribution, Error, SimilarityMetrics};

use super::entry::{KeptExperience, active};
use crate::{
    similarity::{CLUSTERED, Scale, in_order},
    store::{Desk, digest, newest, query},
    text,
};

/// Entries that are looked at: the newest.
const LOOKED_AT: u32 = 1_000;

/// So many are compared each with each; of more, some with all others.
const EACH_WITH_EACH: usize = 200;

/// How many of more.
const SAMPLED: usize = 100;

/// A task as it is compared: by meaning if both have a vector of one embedder whose cosines can be read, by words
/// otherwise.
pub(crate) struct Task {
    /// The task as it was given.
    pub(crate) said: String,
    pub(crate) vector: Vec<f32>,
    /// What a cosine with the vector says.
    pub(crate) scale: Scale,
    pub(crate) words: BTreeSet<String>,
}

impl Task {
    /// How similar another task is, from 0 to 1.
    pub(crate) fn similarity_to(&self, other: &Self) -> f64 {
        let is_comparable = self.vector.len() == other.vector.len();
        let similarity = match !self.vector.is_empty() && is_comparable {
            true => self.scale.nearness(cosine(&self.vector, &other.vector)),
            false => text::similarity(&self.words, &other.words),
        };
        in_order(similarity, &self.said, &other.said)
    }
}

pub(crate) fn measure_similarity(desk: &Desk) -> Result<SimilarityMetrics, Error> {
    let page = query::<KeptExperience>(vec![active()], newest("created-at"), LOOKED_AT);
    let found = desk.search::<KeptExperience>(&page)?;
    let model = desk.model_of_vectors().unwrap_or_default();
    let scale = desk.scale();
    let mut domains = BTreeMap::new();
    let mut types = BTreeMap::new();
    let mut tasks = Vec::with_capacity(found.len());
    for (read, _) in found {
        let KeptExperience {
            entry,
            vector,
            vector_model,
            ..
        } = read.noun;
        *domains.entry(entry.domain.clone()).or_insert(0) += 1;
        *types
            .entry(entry.memory_type.as_str().to_owned())
            .or_insert(0) += 1;
        let words = text::telling(&entry.input);
        // The order of digests is the same everywhere and has nothing to do with the tasks.
        let task = Task {
            said: entry.input,
            // What another embedder made can't be read any more: such tasks are compared by their words.
            vector: match scale.is_some() && vector_model == model {
                true => vector,
                false => Vec::new(),
            },
            scale: scale.unwrap_or_default(),
            words,
        };
        tasks.push((digest(&[&entry.id]), task));
    }
    tasks.sort_by(|left, right| left.0.cmp(&right.0));
    let tasks: Vec<_> = tasks.into_iter().map(|(_, task)| task).collect();
    let Compared {
        sum,
        pairs,
        clustered,
        sampled,
    } = compared(&tasks);
    let average_similarity = if pairs == 0 {
        0.0
    } else {
        sum / f64::from(pairs)
    };
    Ok(SimilarityMetrics {
        average_similarity,
        cluster_ratio: match sampled {
            0 => 0.0,
            sampled => clustered as f64 / sampled as f64,
        },
        pairs,
        domain_distribution: distribution(domains),
        type_distribution: distribution(types),
        pruning_recommendation: recommendation(average_similarity, pairs).to_owned(),
    })
}

/// What comparing found.
struct Compared {
    sum: f64,
    pairs: u32,
    /// Tasks that have another of their cluster, out of those that were sampled.
    clustered: usize,
    sampled: usize,
}

fn compared(tasks: &[Task]) -> Compared {
    let (mut sum, mut pairs) = (0.0, 0);
    let mut is_clustered = vec![false; tasks.len()];
    let sampled = if tasks.len() <= EACH_WITH_EACH {
        tasks.len()
    } else {
        SAMPLED
    };
    for (left, task) in tasks.iter().enumerate().take(sampled) {
        // A pair of two that are sampled is compared once.
        for (right, other) in tasks.iter().enumerate().skip(left + 1) {
            let alike = task.similarity_to(other);
            sum += alike;
            pairs += 1;
            if alike >= CLUSTERED {
                is_clustered[left] = true;
                is_clustered[right] = true;
            }
        }
    }
    Compared {
        sum,
        pairs,
        clustered: is_clustered[..sampled].iter().filter(|is| **is).count(),
        sampled,
    }
}

pub(crate) fn distribution(counts: BTreeMap<String, u32>) -> Vec<Distribution> {
    let counts = counts.into_iter();
    counts
        .map(|(name, count)| Distribution { name, count })
        .collect()
}

/// What to do, by the thresholds 0.8, 0.5 and 0.3.
fn recommendation(average: f64, pairs: u32) -> &'static str {
    if pairs == 0 {
        return "There are too few entries to tell. Keep all of them.";
    }
    if average >= 0.8 {
        "The tasks are nearly the same: prune a lot. Lower max-size, and lower prune-threshold so that more entries are merged."
    } else if average >= 0.5 {
        "The tasks are similar: experience transfers well. Keep smart pruning on and the size as it is."
    } else if average >= 0.3 {
        "The tasks are somewhat similar: prune little. Keep max-size, and let relevance decide."
    } else {
        "The tasks are diverse: prune hardly anything. Raise max-size, so that each kind of task keeps its experience."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_changes_at_the_thresholds() {
        let advice = [0.8, 0.79, 0.5, 0.49, 0.3, 0.29].map(|average| recommendation(average, 1));
        let begin = [
            "nearly", "similar", "similar", "somewhat", "somewhat", "diverse",
        ];
        for (advice, word) in advice.iter().zip(begin) {
            assert!(advice.contains(word), "{advice}");
        }
    }

    #[test]
    fn two_tasks_are_as_similar_whatever_unrelated_texts_have_by_the_embedder() {
        let similarity = |unrelated: f64| {
            // Two directions whose cosine is half of the way from unrelated to the same.
            let cosine = unrelated + (1.0 - unrelated) / 2.0;
            let task = |vector: [f64; 2]| Task {
                said: String::new(),
                vector: vector.map(|part| part as f32).to_vec(),
                scale: Scale::of_unrelated(&[unrelated]),
                words: BTreeSet::new(),
            };
            let other = task([cosine, (1.0 - cosine * cosine).sqrt()]);
            task([1.0, 0.0]).similarity_to(&other)
        };
        for unrelated in [0.0, 0.3, 0.75] {
            assert!((similarity(unrelated) - 0.5).abs() < 1e-6, "{unrelated}");
        }
    }

    #[test]
    fn many_are_sampled_and_few_are_not() {
        let task = |number: usize| Task {
            said: String::new(),
            vector: Vec::new(),
            scale: Scale::default(),
            words: BTreeSet::from([format!("w{}", number % 2)]),
        };
        let few: Vec<_> = (0..10).map(task).collect();
        let all = compared(&few);
        assert_eq!((all.pairs, all.sampled, all.clustered), (45, 10, 10));
        // 20 of the 45 pairs have the same word.
        assert_eq!(all.sum, 20.0);
        let many: Vec<_> = (0..1_000).map(task).collect();
        let some = compared(&many);
        assert_eq!(some.pairs, (0..100).map(|left| 999 - left).sum::<u32>());
        assert!((some.sum / f64::from(some.pairs) - 0.5).abs() < 0.01);
    }
}
