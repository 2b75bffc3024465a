//! What the errors of an episode teach: anti-patterns.
//!
//! Owns how an error that was reported with an episode becomes one: what fails, why, and what prevents it. Failures
//! among its steps are mined when the run ends, see [`mining`](crate::mining).

use twiceshy_wit::memory::{
    EncounteredError, Episode, Error, LessonKind, NewPattern, Scope, Source,
};

use super::journal::Journal;
use crate::{
    episodes::cold,
    events::identify,
    lessons::patterns,
    payload,
    store::{Desk, Kind, Reader, equals},
};

/// A part of an anti-pattern in characters.
const PART_CHARS: usize = 400;

/// Makes anti-patterns of the errors that an episode tells of.
pub(super) fn learn_errors(
    desk: &mut Desk,
    episode: &Episode,
    journal: &Journal,
) -> Result<(), Error> {
    let account = cold::account_of(desk, &episode.id)?;
    for error in &account.errors_encountered {
        if error.kind.trim().is_empty() && error.message.trim().is_empty() {
            continue;
        }
        let new = anti_pattern(episode, error);
        if is_learned(desk, &new)? {
            continue;
        }
        journal.because(&format!("episode {} had this error", episode.id));
        match patterns::add(desk, &new) {
            // Something else says the same.
            Ok(_) | Err(Error::Conflict(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether an anti-pattern of this failure comes from this episode already.
fn is_learned(reader: &Reader, new: &NewPattern) -> Result<bool, Error> {
    let kind = equals("kind", LessonKind::AntiPattern.as_str());
    let origin = new.source_episodes.iter().map(|id| equals("origin", id));
    let failure = new.trigger_fingerprints.iter();
    let failure = failure.map(|id| equals("fingerprint", id));
    let conditions: Vec<_> = origin.chain(failure).chain([kind]).collect();
    Ok(reader.count(Kind::Lesson, &conditions)? > 0)
}

fn anti_pattern(episode: &Episode, error: &EncounteredError) -> NewPattern {
    let part = |text: &str| payload::kept_text(text.trim(), PART_CHARS);
    let (kind, message) = (part(&error.kind), part(&error.message));
    let resolution = part(&error.resolution);
    let fails = match kind.is_empty() {
        true => message.clone(),
        false => kind.clone(),
    };
    let mut summary = match (kind.is_empty(), message.is_empty()) {
        (false, false) => format!("{kind}: {message}"),
        _ => fails.clone(),
    };
    if !resolution.is_empty() {
        summary = format!("{summary}; what helps: {resolution}");
    }
    let failure = [error.message.as_str(), error.kind.as_str()];
    let failure = failure.into_iter().find(|text| !text.trim().is_empty());
    NewPattern {
        id: None,
        name: fails.chars().take(80).collect(),
        kind: LessonKind::AntiPattern,
        summary,
        explanation: Some(message).filter(|why| !why.is_empty()),
        correct_approach: Some(resolution).filter(|way| !way.is_empty()),
        incorrect_approach: Some(fails),
        applicability: None,
        content: None,
        guidance: None,
        scope: Some(Scope::Domain),
        domain: Some(episode.domain.clone()),
        tags: Vec::new(),
        trigger_fingerprints: failure.map(|text| identify(text).id).into_iter().collect(),
        source_episodes: vec![episode.id.clone()],
        confidence: None,
        source: Some(Source::Trace),
    }
}
