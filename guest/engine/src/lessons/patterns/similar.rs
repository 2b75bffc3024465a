//! Similar patterns: in content, structure and applicability.
//!
//! Owns the similarity and which patterns are compared. It is `0.5·words + 0.3·structure + 0.2·applicability`: the words
//! by likeness, or by meaning where there are vectors; the structure by category and form of content.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::{
    host::Order,
    memory::{Error, LessonStatus, Pattern, PatternContent, SimilarPattern},
};

use super::applicability;
use crate::{
    lessons::KeptLesson,
    store::{Desk, any_of, query},
    text,
};

/// Patterns that each way of looking brings into the comparison.
const COMPARED: u32 = 64;

/// The statuses in which a pattern is compared.
const LIVING: [LessonStatus; 3] = [
    LessonStatus::Candidate,
    LessonStatus::Promoted,
    LessonStatus::UnderReview,
];

pub(super) fn similar_patterns(
    desk: &mut Desk,
    pattern: &str,
    least: f64,
) -> Result<Vec<SimilarPattern>, Error> {
    let own = super::get(desk, pattern)?;
    let words = words(&own);
    let mut found = BTreeMap::new();
    let sought = text::asked(&said(&own).join(" ")).join(" ");
    let meaning = desk.meaning_of(&own.lesson.rule_text);
    let orders = [
        Some(Order::ByText(sought)).filter(|_| !words.is_empty()),
        Some(Order::ByNearest(meaning.vector.clone())).filter(|_| !meaning.is_empty()),
    ];
    for order in orders.into_iter().flatten() {
        let by_meaning = matches!(order, Order::ByNearest(_));
        let living = any_of("status", LIVING.iter().map(|status| status.as_str()));
        let mut conditions = vec![living];
        conditions.extend(by_meaning.then(|| meaning.is_comparable()));
        match desk.search::<KeptLesson>(&query::<KeptLesson>(conditions, order, COMPARED)) {
            Ok(lessons) => {
                for (read, score) in lessons {
                    let lesson = read.noun.lesson;
                    let near = if by_meaning {
                        meaning.scale.nearness(score)
                    } else {
                        0.0
                    };
                    let place = found.entry(lesson.id.clone()).or_insert((lesson, near));
                    place.1 = place.1.max(near);
                }
            }
            // Another embedder than before makes vectors of another length.
            Err(error) if by_meaning => {
                desk.warn(&format!("searched by words only: {}", error.message()));
            }
            Err(error) => return Err(error),
        }
    }
    found.remove(pattern);
    let (lessons, nearness): (Vec<_>, Vec<_>) = found.into_values().unzip();
    let mut similar: Vec<_> = super::patterns_of(desk, lessons)?
        .into_iter()
        .zip(nearness)
        .map(|(other, near)| SimilarPattern {
            similarity: similarity(&own, &words, &other, near),
            pattern: other,
        })
        .filter(|found| found.similarity >= least)
        .collect();
    similar.sort_by(|left, right| {
        right
            .similarity
            .total_cmp(&left.similarity)
            .then(left.pattern.lesson.id.cmp(&right.pattern.lesson.id))
    });
    Ok(similar)
}

/// What a pattern says.
fn said(pattern: &Pattern) -> [&str; 4] {
    [
        &pattern.name,
        &pattern.summary,
        &pattern.correct_approach,
        &pattern.incorrect_approach,
    ]
}

/// The same in words that tell something.
fn words(pattern: &Pattern) -> BTreeSet<String> {
    said(pattern).into_iter().flat_map(text::telling).collect()
}

fn similarity(own: &Pattern, own_words: &BTreeSet<String>, other: &Pattern, near: f64) -> f64 {
    let form = |content: &Option<PatternContent>| content.as_ref().map(std::mem::discriminant);
    let same = |same: bool| f64::from(u8::from(same));
    let words = text::similarity(own_words, &words(other))
        .max(near)
        .clamp(0.0, 1.0);
    let structure = 0.5 * same(own.lesson.kind == other.lesson.kind)
        + 0.5 * same(form(&own.content) == form(&other.content));
    let applicability = applicability::likeness(&own.applicability, &other.applicability);
    0.5 * words + 0.3 * structure + 0.2 * applicability
}
