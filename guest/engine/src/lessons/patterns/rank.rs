//! The rank of a pattern for a task.
//!
//! Owns the formula, its parts and which patterns are read: only as many heads, from the beginning of the store's
//! index, as can still change the answer.

use twiceshy_wit::memory::{Error, LessonStatus, RankParts, TaskFeatures};

use super::{
    applicability,
    document::{ANY, Head, MANY, index_name, usage, worth},
};
use crate::{
    instant,
    store::{Reader, newest, query},
    text,
};

/// Heads that are read at once from one place of the index.
const PAGE: u32 = 24;

/// The days after which the recency of a validation has fallen to 1/e.
const RECENCY_DAYS: f64 = 90.0;

/// The most that recency and match quality add to what a pattern is worth by itself.
const MOST_ADDED: f64 = 0.1 + 0.05;

/// A pattern that applies, with its rank.
pub(super) struct Ranked {
    pub(super) head: Head,
    pub(super) score: f64,
    pub(super) parts: RankParts,
}

fn ranked(head: Head, match_quality: f64, now: u64) -> Ranked {
    let validated = head.last_validated;
    let recency = validated.map_or(0.0, |at| instant::recency(at, now, RECENCY_DAYS));
    let parts = RankParts {
        confidence: head.confidence,
        success_rate: head.success_rate,
        usage: usage(head.usage),
        recency,
        match_quality,
    };
    Ranked {
        score: worth(&head) + 0.1 * recency + 0.05 * match_quality,
        parts,
        head,
    }
}

/// The heads of the patterns that apply to a task, best first.
pub(super) fn applicable(
    reader: &Reader,
    task: &TaskFeatures,
    limit: usize,
) -> Result<Vec<Ranked>, Error> {
    let now = reader.now();
    let words = text::telling(&task.task);
    let mut walks = walks(task);
    let mut best: Vec<Ranked> = Vec::new();
    while !walks.is_empty() && limit > 0 {
        // What the heads not yet read are worth at most.
        let mut bound: f64 = 0.0;
        let mut going = Vec::with_capacity(walks.len());
        for (name, offset) in walks {
            let mut page = query::<Head>(Vec::new(), newest(&name), PAGE);
            page.offset = offset;
            let found = reader.search::<Head>(&page)?;
            if found.len() == PAGE as usize {
                bound = bound.max(found.last().map_or(0.0, |(read, _)| worth(&read.noun)));
                going.push((name, offset + PAGE));
            }
            for (read, _) in found {
                let head = read.noun;
                if applicability::applies(&head.applicability, task) {
                    let quality = applicability::quality(&head, task, &words);
                    best.push(ranked(head, quality, now));
                }
            }
        }
        best.sort_by(|left, right| {
            right
                .score
                .total_cmp(&left.score)
                .then(left.head.id.cmp(&right.head.id))
        });
        best.truncate(limit);
        let settled = best
            .get(limit - 1)
            .is_some_and(|last| last.score >= bound + MOST_ADDED);
        walks = if settled { Vec::new() } else { going };
    }
    Ok(best)
}

/// Where in the index patterns for a task are: for its kind and for any, in its domain and in any.
fn walks(task: &TaskFeatures) -> Vec<(String, u32)> {
    let group = match task.category {
        Some(kind) => kind.as_str(),
        None => LessonStatus::Promoted.as_str(),
    };
    let or_any = |name: &str| match name {
        "" => vec![ANY.to_owned()],
        name => vec![name.to_owned(), ANY.to_owned()],
    };
    let mut domains = or_any(&task.domain);
    if !task.domain.is_empty() {
        domains.push(MANY.to_owned());
    }
    let mut walks = Vec::with_capacity(6);
    for problem_type in or_any(&task.task_type) {
        let names = domains
            .iter()
            .map(|domain| index_name(group, &problem_type, domain));
        walks.extend(names.map(|name| (name, 0)));
    }
    walks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_counts_by_its_natural_logarithm_up_to_one() {
        assert_eq!(usage(0), 0.0);
        assert!((usage(1) - 2.0_f64.ln() / 10.0).abs() < 1e-15);
        assert!(usage(22_000) < 1.0);
        assert_eq!(usage(22_026), 1.0);
        assert_eq!(usage(u32::MAX), 1.0);
    }

    #[test]
    fn the_rank_is_the_sum_of_its_weighted_parts() {
        let mut head = Head::of(&crate::lessons::blank());
        head.confidence = 0.8;
        head.success_rate = 0.9;
        head.usage = 9;
        head.last_validated = Some(0);
        let ranked = ranked(head, 0.5, 45 * instant::DAY_MS);
        let usage = 10.0_f64.ln() / 10.0;
        let recency = (-0.5_f64).exp();
        let expected = 0.4 * 0.8 + 0.3 * 0.9 + 0.15 * usage + 0.1 * recency + 0.05 * 0.5;
        assert!((ranked.score - expected).abs() < 1e-12);
        assert_eq!(ranked.parts.recency, recency);
    }
}
