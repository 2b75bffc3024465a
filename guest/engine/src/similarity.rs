//! Similarity: what a figure from 0 to 1 says wherever something is found, and the order in which it is found.
//!
//! Owns every threshold on a similarity, what a cosine says, how words and meaning become one figure, and the one order of
//! all answers: **what fits much better comes first, however old, unproven or unpopular it is.** Where words, vectors and
//! tags come from is the business of those who search.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use crate::likeness::Turns;

/// Episodes whose similarity is at least this share of the best one's fit about as well.
pub(crate) const EPISODES_FIT_AS_WELL: f64 = 0.9;

/// The same for lessons. It is less: what is known of a lesson's effect says whether it helps, an episode's age does not.
pub(crate) const LESSONS_FIT_AS_WELL: f64 = 0.7;

/// How similar an aged episode must be to be found: highly.
pub(crate) const HIGHLY_RELEVANT: f64 = 0.7;

/// How near something must be to be shown for its meaning alone.
pub(crate) const TELLING: f64 = 0.3;

/// Words that a lesson must share with what it does not name: below, a likeness of tags is chance.
pub(crate) const LEAST_LIKENESS: f64 = 0.3;

/// A memory that is less like a task than this has nothing to do with it.
pub(crate) const LEAST_OF_CONTEXT: f64 = 0.12;

/// The same, compared with the one that is most like the task. What to avoid is compared among itself: knowledge that
/// fits well does not silence a warning.
pub(crate) const LEAST_OF_BEST: f64 = 0.35;

/// What a lesson must have in common with what it does not name, in kind and words together.
pub(crate) const LEAST_OWN: f64 = 0.10;

/// How much less well than the best a lesson may fit what has failed: less is about something else.
pub(crate) const FITTING: f64 = 0.75;

/// A best score below this is weak: what is meant for other domains is looked at, too.
pub(crate) const WEAK: f64 = 0.45;

/// What a lesson for another domain must have in common at least, in failure, kind or words.
pub(crate) const CROSS_DOMAIN_ANCHOR: f64 = 0.25;

/// What a lesson for another domain must score at least, before it is weighed down.
pub(crate) const CROSS_DOMAIN_SCORE: f64 = 0.20;

/// From this similarity on, after names are changed, two error texts say the same though their fingerprints differ.
pub(crate) const SAME_ERROR: f64 = 0.75;

/// How much of the action that is about to be taken a warning must name.
pub(crate) const LEAST_OF_ACTION: f64 = 0.5;

/// How similar a task must be to be shown in a briefing.
pub(crate) const LEAST_BRIEFED: f64 = 0.5;

/// Failures that are less similar have nothing to do with each other.
pub(crate) const LEAST_OF_FAILURES: f64 = 0.35;

/// From this similarity on, two tasks are of one cluster.
pub(crate) const CLUSTERED: f64 = 0.8;

/// What is left of the similarity of two tasks one of which is the other the way round.
const OPPOSITE: f64 = 0.5;

/// Words of a task up to which its order is looked at. A page of text goes from something to something in many places,
/// and one of them is the opposite by chance, which halved the similarity of the right explanations of diagnostics.
const ORDERED_WORDS: usize = 32;

/// Words from which on it is no chance that a text has them: fewer count in proportion. Measured by `recipes/finding`: of
/// questions that have nothing to do with a memory, one in seventy has half of its words so in common with something.
const NO_CHANCE: f64 = 5.0;

/// What meaning counts beside words, by an embedder that reads whole texts and by one that only adds up words. Measured
/// by `recipes/finding`: more of the second makes an answer worse than words alone.
const SHARE_OF_MEANING: f64 = 0.5;
const SHARE_OF_WORDS_MEANING: f64 = 0.25;

/// What the best by words must have of a text for words to count in full: where it has less, they found little.
const WORDS_ARE_SURE: f64 = 0.5;

/// What the most similar other one of the same session counts beside something's own similarity: what is said before and
/// after belongs to it. Measured by `recipes/finding` on turns of conversations: .47 instead of .45.
const OF_NEIGHBOUR: f64 = 0.2;

/// Similarities are taken to differ by this share of what they may be at least: less is no difference.
const LEAST_SPREAD: f64 = 0.15;

/// How far above the mean of unrelated texts a cosine must be to say anything, in standard deviations.
const DEVIATIONS: f64 = 2.0;

/// What a cosine of an embedder says: up to which one texts have nothing to do with each other.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Scale {
    unrelated: f64,
}

impl Scale {
    /// From cosines of texts that have nothing to do with each other.
    pub(crate) fn of_unrelated(cosines: &[f64]) -> Self {
        let count = cosines.len().max(1) as f64;
        let mean = cosines.iter().sum::<f64>() / count;
        Self {
            unrelated: (mean + DEVIATIONS * spread(cosines)).clamp(0.0, 0.98),
        }
    }

    /// How near two texts are, from 0 for those that have nothing to do with each other to 1 for the same meaning.
    pub(crate) fn nearness(self, cosine: f64) -> f64 {
        let left = (1.0 - self.unrelated).max(f64::EPSILON);
        ((cosine - self.unrelated) / left).clamp(0.0, 1.0)
    }

    /// The same, or 0 for what is not near enough to be shown for its meaning alone.
    pub(crate) fn telling_nearness(self, cosine: f64) -> f64 {
        Some(self.nearness(cosine))
            .filter(|near| *near >= TELLING)
            .unwrap_or(0.0)
    }
}

/// The similarity of two tasks, in order: *from staging to production* is not *from production to staging*, however
/// similar their words and meanings are.
pub(crate) fn in_order(similarity: f64, left: &str, right: &str) -> f64 {
    Ordered::new(left).similarity(similarity, right)
}

/// A task whose order is compared with that of others.
pub(crate) struct Ordered {
    /// None of a text that is too long.
    turns: Option<Turns>,
}

impl Ordered {
    pub(crate) fn new(task: &str) -> Self {
        Self {
            turns: is_short(task).then(|| Turns::of(task)),
        }
    }

    /// What is left of its similarity with another task.
    pub(crate) fn similarity(&self, similarity: f64, other: &str) -> f64 {
        let is_compared = similarity > OPPOSITE && is_short(other);
        match &self.turns {
            Some(turns) if is_compared && turns.are_opposite(other) => similarity * OPPOSITE,
            _ => similarity,
        }
    }
}

fn is_short(task: &str) -> bool {
    task.split_whitespace().nth(ORDERED_WORDS).is_none()
}

/// How similar a text is to what is asked, by the words of both, from 0 to 1: what they share of all that they have, or, because
/// a memory says more than a question asks, the share of the question that it has. **A few words that a long text has
/// may be chance.** This is what decides whether something is shown; the order is that of [`by_words`].
pub(crate) fn in_common(asked: &BTreeSet<String>, said: &BTreeSet<String>) -> f64 {
    let shared = asked.intersection(said).count() as f64;
    if shared <= 0.0 {
        return 0.0;
    }
    let of_both = 2.0 * shared / (asked.len() + said.len()) as f64;
    let of_asked = shared / asked.len() as f64;
    of_both.max(of_asked * (shared / NO_CHANCE).min(1.0))
}

/// How similar texts are by their words, from 0 to 1. The store's scores say how they compare with each other, and the `share`
/// of what is sought that the best of them has says how similar that one is. What the store did not name is no better than the
/// last that it named, if it may have more (`is_full`).
pub(crate) fn by_words(
    scores: &[Option<f64>],
    is_full: bool,
    share: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let known = || scores.iter().copied().flatten();
    let best = known().fold(0.0, f64::max);
    if best <= 0.0 {
        return vec![0.0; scores.len()];
    }
    let least = if is_full {
        known().fold(best, f64::min)
    } else {
        0.0
    };
    let are_best =
        |at: &usize| scores[*at].is_some_and(|score| score >= best * EPISODES_FIT_AS_WELL);
    let all = 0..scores.len();
    let level = all.filter(are_best).map(&share).fold(0.0, f64::max);
    let measured = scores.iter().enumerate().map(|(at, score)| match score {
        Some(score) => level * score / best,
        None => share(at).min(level * least / best),
    });
    measured.collect()
}

/// Similarities by words and by meaning as one. Each is measured by how much it differs among the candidates, so that
/// neither drowns the other, whatever the embedder's cosines are; what an embedder that only adds up words says counts
/// less. The best candidate is as similar as the nearer of the two says. What has no cosine is taken to be as near as the
/// others are on average.
pub(crate) fn fused(
    words: &[f64],
    cosines: &[Option<f64>],
    scale: Scale,
    is_of_words: bool,
) -> Vec<f64> {
    let (share, trust) = match is_of_words {
        true => (SHARE_OF_WORDS_MEANING, 0.5),
        false => (SHARE_OF_MEANING, 1.0),
    };
    let known: Vec<_> = cosines.iter().copied().flatten().collect();
    if known.is_empty() {
        return words.to_vec();
    }
    let usual = known.iter().sum::<f64>() / known.len() as f64;
    let cosines: Vec<_> = cosines.iter().map(|one| one.unwrap_or(usual)).collect();
    let best = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let nearest = scale.nearness(known.iter().copied().fold(-1.0, f64::max));
    let spreads = [
        spread(words).max(LEAST_SPREAD * best(words)),
        spread(&cosines).max(LEAST_SPREAD * (1.0 - scale.unrelated)),
    ];
    let sure = (best(words) / WORDS_ARE_SURE).min(1.0);
    let fuse = |words: f64, cosine: f64| {
        let by_words = if spreads[0] > 0.0 {
            words / spreads[0]
        } else {
            0.0
        };
        (1.0 - share) * sure * by_words + share * (cosine - scale.unrelated) / spreads[1]
    };
    let fused: Vec<_> = words
        .iter()
        .zip(&cosines)
        .map(|(words, cosine)| fuse(*words, *cosine))
        .collect();
    let (top, level) = (best(&fused), best(words).max(trust * nearest));
    let scale = if top > 0.0 { level / top } else { 0.0 };
    fused.into_iter().map(|fused| fused * scale).collect()
}

/// Adds to each similarity what the most similar other one of the same session says; without a session nothing is added.
/// The best one of all is as similar as before.
pub(crate) fn beside_neighbours(similarities: &mut [f64], sessions: &[&str]) {
    let best = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let before = best(similarities);
    // For each session the most similar one, and the next.
    let mut most: BTreeMap<&str, [f64; 2]> = BTreeMap::new();
    for (own, session) in similarities.iter().zip(sessions) {
        if session.is_empty() {
            continue;
        }
        let [first, second] = most.entry(*session).or_default();
        if *own > *first {
            (*first, *second) = (*own, *first);
        } else {
            *second = second.max(*own);
        }
    }
    for (own, session) in similarities.iter_mut().zip(sessions) {
        if let Some([first, second]) = most.get(session) {
            *own += OF_NEIGHBOUR * if *own < *first { *first } else { *second };
        }
    }
    let after = best(similarities);
    if after > 0.0 {
        similarities
            .iter_mut()
            .for_each(|own| *own *= before / after);
    }
}

/// The standard deviation.
fn spread(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (squares.sum::<f64>() / count).sqrt()
}

/// Sorts what was found: those that fit best first. Among those that have at least the share `as_well` of the best one's
/// fit, `order` decides, and then the same begins with the next best.
pub(crate) fn best_fitting_first<T>(
    found: &mut [T],
    as_well: f64,
    fit: impl Fn(&T) -> f64,
    order: impl Fn(&T, &T) -> Ordering,
) {
    found.sort_by(|left, right| {
        let better = fit(right).total_cmp(&fit(left));
        better.then_with(|| order(left, right))
    });
    let mut rest = found;
    while let Some(best) = rest.first().map(&fit) {
        let count = rest.iter().take_while(|one| fit(one) >= best * as_well);
        let (band, others) = rest.split_at_mut(count.count().max(1));
        band.sort_by(&order);
        rest = others;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_much_better_comes_first_and_among_others_their_own_order_decides() {
        let mut found = [(0.2, 9), (0.95, 1), (1.0, 0), (0.5, 7), (0.48, 8)];
        best_fitting_first(
            &mut found,
            0.9,
            |one| one.0,
            |left, right| right.1.cmp(&left.1),
        );
        assert_eq!(found.map(|one| one.1), [1, 0, 8, 7, 9]);
        let mut nothing = [(0.0, 1), (0.0, 2)];
        best_fitting_first(
            &mut nothing,
            0.9,
            |one| one.0,
            |left, right| right.1.cmp(&left.1),
        );
        assert_eq!(nothing.map(|one| one.1), [2, 1]);
    }

    #[test]
    fn a_task_that_goes_the_other_way_is_less_similar_and_a_page_of_text_is_not() {
        let (there, back) = (
            "copy from staging to production",
            "copy from production to staging",
        );
        assert_eq!(in_order(0.8, there, back), 0.4);
        assert_eq!(in_order(0.8, there, there), 0.8);
        let page = format!("{back} {}", "word ".repeat(ORDERED_WORDS));
        assert_eq!(in_order(0.8, there, &page), 0.8);
    }

    #[test]
    fn what_is_found_beside_something_in_its_session_speaks_for_it() {
        let mut found = [0.8, 0.5, 0.5, 0.5, 0.3];
        beside_neighbours(&mut found, &["a", "a", "", "b", "a"]);
        let [best, beside, alone, other, last] = found;
        assert!((best - 0.8).abs() < 1e-12, "{found:?}");
        assert!(
            beside > alone && alone == other && alone > last,
            "{found:?}"
        );
        let mut alone = [0.4, 0.2];
        beside_neighbours(&mut alone, &["", ""]);
        assert_eq!(alone, [0.4, 0.2]);
        beside_neighbours(&mut [], &[]);
    }

    #[test]
    fn a_cosine_says_the_same_whatever_unrelated_texts_have() {
        let noise = [-0.02, 0.0, 0.02, 0.01, -0.01];
        let near = [0.0, 0.3, 0.75].map(|raised: f64| {
            let raise = |cosine: f64| raised + (1.0 - raised) * cosine;
            let scale = Scale::of_unrelated(&noise.map(raise));
            [0.0, 0.2, 0.5, 1.0].map(|cosine| (scale.nearness(raise(cosine)) * 1e6).round())
        });
        assert_eq!(near[0], near[1]);
        assert_eq!(near[0], near[2]);
        assert_eq!((near[0][0], near[0][3]), (0.0, 1e6));
    }

    #[test]
    fn what_a_text_has_of_a_question_counts_unless_it_may_be_chance() {
        let set = |text: &str| {
            let words = text.split(' ').map(str::to_owned);
            words.collect::<BTreeSet<_>>()
        };
        let said = set("a b c d e f g h i j k l m n o p q r s t u v w x y z");
        assert_eq!(in_common(&set("a b c d e f"), &said), 1.0);
        assert_eq!(in_common(&set("a b c d e 1 2 3 4 5"), &said), 0.5);
        assert!(in_common(&set("a b"), &said) < 0.5, "two words are chance");
        assert_eq!(in_common(&set("a b"), &set("a b")), 1.0);
        assert_eq!(in_common(&set("1"), &said), 0.0);
        assert_eq!(in_common(&set("a"), &BTreeSet::new()), 0.0);
    }

    #[test]
    fn the_best_by_words_is_as_similar_as_what_it_has_and_the_others_in_proportion() {
        let shares = [0.8, 0.8, 0.6];
        let measured = by_words(&[Some(4.0), Some(2.0), None], true, |at| shares[at]);
        assert_eq!(measured, [0.8, 0.4, 0.4]);
        let measured = by_words(&[Some(4.0), None], false, |at| shares[at]);
        assert_eq!(measured, [0.8, 0.0], "the store named all that have a word");
        assert_eq!(by_words(&[None, None], true, |at| shares[at]), [0.0, 0.0]);
    }

    #[test]
    fn what_words_or_meaning_find_comes_before_what_neither_does() {
        let words = [0.9, 0.1, 0.1];
        let cosines = [Some(0.1), Some(0.8), Some(0.1)];
        for is_of_words in [true, false] {
            let fused = fused(&words, &cosines, Scale::default(), is_of_words);
            assert!(fused[0] > fused[2] && fused[1] > fused[2], "{fused:?}");
        }
        let without = [None; 3];
        assert_eq!(fused(&words, &without, Scale::default(), false), words);
    }
}
