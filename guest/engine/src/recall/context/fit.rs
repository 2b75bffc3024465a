//! Fit: how well each memory fits a task.
//!
//! Owns the formula, `fit = similarity · (0.7 + 0.2·worth + 0.1·recency)`, with `recency = e^(−age in days / 30)`: worth and
//! recency together never turn over a similarity that is half as large again. It owns what is too different to be shown. Similarities are the business of the [words](super::words), which of the
//! fitting ones are shown that of the bundle.

use twiceshy_wit::memory::ContextRequest;

use super::{
    gather::{Candidate, Place},
    words::{Features, Vocabulary},
};
use crate::{
    instant,
    similarity::{LEAST_OF_ACTION, LEAST_OF_BEST, LEAST_OF_CONTEXT, Ordered},
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
    let mut measured: Vec<_> = candidates
        .into_iter()
        .zip(texts)
        .map(|(candidate, texts)| {
            let (similarity, why) =
                similarity(&vocabulary, &task, &ordered, &action, &candidate, &texts);
            (candidate, similarity, why)
        })
        .collect();
    let best = |avoid: bool| {
        let own = measured
            .iter()
            .filter(|(one, _, _)| (one.place == Place::Avoid) == avoid);
        own.map(|(_, similarity, _)| *similarity)
            .fold(0.0, f64::max)
    };
    let least = [false, true].map(|avoid| LEAST_OF_CONTEXT.max(LEAST_OF_BEST * best(avoid)));
    measured.retain(|(candidate, similarity, _)| {
        *similarity >= least[usize::from(candidate.place == Place::Avoid)]
    });
    let mut fitting: Vec<_> = measured
        .into_iter()
        .map(|(candidate, similarity, why)| {
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

/// How like a memory is to a task, in order, and why.
fn similarity(
    vocabulary: &Vocabulary,
    task: &Features,
    ordered: &Ordered,
    action: &Features,
    candidate: &Candidate,
    texts: &[Features],
) -> (f64, String) {
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
    let (known, by) = candidate.known_fit;
    let known = match candidate.place {
        Place::Skill => KEYWORDS * known,
        _ => known,
    };
    let says = candidate.texts.first();
    let known = says.map_or(known, |says| ordered.similarity(known, says));
    if known > best.0 {
        best = (known, by.to_owned());
    }
    if candidate.place == Place::Avoid && !action.is_empty() {
        let covered = vocabulary.covered(action, warning);
        if covered >= LEAST_OF_ACTION && covered > best.0 {
            best = (covered, "warns of the action".to_owned());
        }
    }
    best
}
