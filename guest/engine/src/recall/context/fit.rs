//! Fit: how well each memory fits a task.
//!
//! Owns the formula, `fit = similarity · (0.7 + 0.2·worth + 0.1·recency)`, with `recency = e^(−age in days / 30)`: worth and
//! recency together never turn over a similarity that is half as large again. It owns what is too different to be shown, by
//! what a memory has in common with the task in [words](super::words) or otherwise. Those that are shown are ordered by the
//! one [similarity](crate::similarity); which of them fit in is the business of the bundle.

use twiceshy_wit::memory::ContextRequest;

use super::{
    gather::{Candidate, Place},
    words::{Features, Vocabulary},
};
use crate::{
    instant,
    similarity::{LEAST_OF_ACTION, LEAST_OF_BEST, LEAST_OF_CONTEXT, Ordered, by_words, fused},
};

/// What a keyword counts, compared with likeness: a skill is found by one word, and one word may be chance.
const KEYWORDS: f64 = 0.5;

/// The age at which recency has fallen to 1/e, in days.
const RECENT_DAYS: f64 = 30.0;

/// Words that are said of why a memory is here.
const SAID: usize = 4;

/// A memory with how well it fits.
pub(super) struct Fitting {
    pub(super) candidate: Candidate,
    pub(super) fit: f64,
    pub(super) why: String,
}

/// The memories that fit a task, best first.
pub(super) fn fitting(
    request: &ContextRequest,
    candidates: Vec<Candidate>,
    now: u64,
) -> Vec<Fitting> {
    let mut vocabulary = Vocabulary::default();
    let texts: Vec<_> = candidates
        .iter()
        .map(|candidate| {
            let texts = candidate.texts.iter().chain([&candidate.warns_of]);
            vocabulary.read_memory(texts)
        })
        .collect();
    let task = vocabulary.read(&request.task);
    let action = vocabulary.read(request.action.as_deref().unwrap_or_default());
    let ordered = Ordered::new(&request.task);
    let shared: Vec<_> = candidates
        .iter()
        .zip(&texts)
        .map(|(candidate, texts)| shared(&vocabulary, &task, &ordered, &action, candidate, texts))
        .collect();
    let best = |avoid: bool| {
        let own = candidates.iter().zip(&shared);
        let own = own.filter(|(one, _)| (one.place == Place::Avoid) == avoid);
        own.map(|(_, shared)| shared.all()).fold(0.0, f64::max)
    };
    let least = [false, true].map(|avoid| LEAST_OF_CONTEXT.max(LEAST_OF_BEST * best(avoid)));
    let similarities = similarities(&candidates, &shared);
    let mut fitting: Vec<_> = (candidates.into_iter().zip(shared))
        .zip(similarities)
        .filter(|((candidate, shared), _)| {
            shared.all() >= least[usize::from(candidate.place == Place::Avoid)]
        })
        .map(|((candidate, shared), similarity)| {
            let says = candidate.texts.first().map_or("", String::as_str);
            let similarity = ordered.similarity(similarity, says).max(shared.besides);
            let why = shared.why;
            let days = instant::days_between(candidate.at, now);
            let recency = instant::recency(candidate.at, now, RECENT_DAYS);
            let fit = similarity * (0.7 + 0.2 * candidate.worth.clamp(0.0, 1.0) + 0.1 * recency);
            let age = match days as u64 {
                0 => "of today".to_owned(),
                1 => "1 day old".to_owned(),
                days => format!("{days} days old"),
            };
            Fitting {
                why: format!("{why}; {}; {age}", candidate.standing),
                fit,
                candidate,
            }
        })
        .collect();
    fitting.sort_by(|left, right| {
        let order = right.fit.total_cmp(&left.fit);
        let order = order.then(right.candidate.at.cmp(&left.candidate.at));
        order.then_with(|| left.candidate.id.cmp(&right.candidate.id))
    });
    fitting
}

/// What a memory has in common with a task.
struct Shared {
    /// In words, from 0 to 1.
    words: f64,
    /// In meaning.
    meaning: f64,
    /// In other ways: it answers a failure of the task, or warns of its action.
    besides: f64,
    why: String,
}

impl Shared {
    fn all(&self) -> f64 {
        self.words.max(self.meaning).max(self.besides)
    }
}

/// How similar memories are to a task. Those that were found by their words come in the order of those of their kind, by words
/// and meaning: what the best has in common with the task says how similar that one is.
fn similarities(candidates: &[Candidate], shared: &[Shared]) -> Vec<f64> {
    let mut similarities: Vec<_> = shared.iter().map(Shared::all).collect();
    for is_episode in [false, true] {
        let is_own = |one: &Candidate| {
            let is_ordered = one.score.is_some() || one.near.is_some();
            is_ordered && (one.place == Place::Episode) == is_episode
        };
        let all = candidates.iter().enumerate();
        let (places, own): (Vec<_>, Vec<_>) = all.filter(|(_, one)| is_own(one)).unzip();
        let scores: Vec<_> = own.iter().map(|one| one.score).collect();
        let cosines: Vec<_> = own.iter().map(|one| Some(one.near?.0)).collect();
        let scale = own.iter().find_map(|one| Some(one.near?.1));
        let words = by_words(&scores, true, |at| shared[places[at]].words);
        let fused = fused(&words, &cosines, scale.unwrap_or_default(), false);
        for (place, similarity) in places.into_iter().zip(fused) {
            similarities[place] = similarity.clamp(0.0, 1.0);
        }
    }
    similarities
}

/// What a memory has in common with a task, in order, and why.
fn shared(
    vocabulary: &Vocabulary,
    task: &Features,
    ordered: &Ordered,
    action: &Features,
    candidate: &Candidate,
    texts: &[Features],
) -> Shared {
    let (warning, texts) = texts.split_last().expect("the warning is last");
    let mut best = (0.0, String::new());
    for (text, said) in texts.iter().zip(&candidate.texts) {
        let likeness = ordered.similarity(vocabulary.likeness(task, text), said);
        if likeness > best.0 {
            let words: Vec<_> = vocabulary
                .shared(task, text)
                .into_iter()
                .take(SAID)
                .collect();
            let why = match words.as_slice() {
                [] => "the same subject".to_owned(),
                words => format!("shares {}", words.join(", ")),
            };
            best = (likeness, why);
        }
    }
    let says = candidate.texts.first().map_or("", String::as_str);
    let mut shared = Shared {
        words: best.0,
        meaning: 0.0,
        besides: 0.0,
        why: best.1,
    };
    if let Some((cosine, scale)) = candidate.near {
        shared.meaning = ordered.similarity(scale.telling_nearness(cosine), says);
        if shared.meaning > shared.words {
            shared.why = "similar in meaning".to_owned();
        }
    }
    let (known, by) = candidate.known_fit;
    let known = match candidate.place {
        Place::Skill => KEYWORDS * known,
        _ => known,
    };
    let known = ordered.similarity(known, says);
    if known > shared.all() {
        (shared.besides, shared.why) = (known, by.to_owned());
    }
    if candidate.place == Place::Avoid && !action.is_empty() {
        let covered = vocabulary.covered(action, warning);
        if covered >= LEAST_OF_ACTION && covered > shared.all() {
            (shared.besides, shared.why) = (covered, "warns of the action".to_owned());
        }
    }
    shared
}
