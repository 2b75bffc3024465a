//! Similar failures: episodes with the same or a similar failure, and what worked there.
//!
//! Owns how similar two failures are: one fingerprint is the same failure, others are compared by the words of their
//! templates and by their tags. It changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::{
    host::{Condition, Order},
    memory::{Episode, Error, Event, FailureSignature, Fingerprint, Phase, SimilarFailure},
};

use super::{
    is_found,
    lifecycle::{not_archived, phase_by_age},
};
use crate::{
    events::{Known, identify},
    limits, mining,
    payload::check_domain,
    refusal,
    similarity::{HIGHLY_RELEVANT, LEAST_OF_FAILURES},
    store::{Reader, any_of, equals, newest, query},
    text,
};

/// Episodes of an answer if the caller does not say.
const ANSWERED: u32 = 5;

/// Episodes of an answer at most.
const MOST_ANSWERED: u32 = 100;

/// Similar fingerprints that are looked at, by words and by tags each: those of which an episode may be found.
const POOL: u32 = 24;

/// How many pools are looked through for them.
const PAGES: u32 = 8;

/// Episodes by which it is seen which fingerprints of a page have any.
const SEEN: u32 = 200;

/// What the words count of a likeness; the tags count the rest.
const WORDS: f64 = 0.75;

/// Failures with another fingerprint are never quite the same.
const MOST: f64 = 0.99;

pub(crate) fn failures_like(
    reader: &Reader,
    signature: &FailureSignature,
) -> Result<Vec<SimilarFailure>, Error> {
    let sought = read_signature(reader, signature)?;
    let limit = signature.limit.unwrap_or(ANSWERED).min(MOST_ANSWERED) as usize;
    let now = reader.now();
    let mut conditions = vec![is_found(), not_archived(now)];
    conditions.extend(
        signature
            .domain
            .iter()
            .map(|domain| equals("domain", domain)),
    );
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for (similarity, fingerprint) in fingerprints_like(reader, &sought, &conditions)? {
        if found.len() >= limit {
            break;
        }
        let missing = limit - found.len();
        for episode in failed_by(
            reader,
            &conditions,
            &fingerprint,
            (missing + seen.len()) as u32,
        )? {
            let is_aged = phase_by_age(episode.ended_at, now) == Phase::Aged;
            if found.len() >= limit
                || is_aged && similarity < HIGHLY_RELEVANT
                || !seen.insert(episode.id.clone())
            {
                continue;
            }
            found.extend(similar(reader, episode, &fingerprint, similarity)?);
        }
    }
    Ok(found)
}

/// The failure that is meant.
fn read_signature(reader: &Reader, signature: &FailureSignature) -> Result<Fingerprint, Error> {
    if let Some(domain) = &signature.domain {
        check_domain("failure.domain", domain)?;
    }
    refusal::bytes(
        "failure.evidence",
        signature.evidence.len(),
        limits::PAYLOAD_BYTES,
    )?;
    match &signature.fingerprint {
        Some(id) => Ok(match reader.load::<Known>(id)? {
            Some(known) => known.noun.fingerprint,
            None => Fingerprint {
                id: id.clone(),
                ..identify(&signature.evidence)
            },
        }),
        None if signature.evidence.trim().is_empty() => Err(Error::InvalidArgument(
            "`failure.evidence` is empty; give the error text, or its `fingerprint`".to_owned(),
        )),
        None => Ok(identify(&signature.evidence)),
    }
}

/// Fingerprints that are the same or similar, most similar first, if episodes that meet the conditions failed so.
fn fingerprints_like(
    reader: &Reader,
    sought: &Fingerprint,
    conditions: &[Condition],
) -> Result<Vec<(f64, String)>, Error> {
    let words = text::telling(&sought.template);
    let mut pool = BTreeMap::new();
    let mut look = |own: Vec<Condition>, order: Order| -> Result<(), Error> {
        let mut page = query::<Known>(own, order, POOL);
        let mut left = POOL as usize;
        for _ in 0..PAGES {
            let found = reader.search::<Known>(&page)?;
            let is_last = found.len() < POOL as usize;
            let found: Vec<_> = found
                .into_iter()
                .map(|(read, _)| read.noun.fingerprint)
                .collect();
            let failed = failed_by_any(reader, conditions, &found)?;
            for fingerprint in found
                .into_iter()
                .filter(|one| failed.contains(&one.id))
                .take(left)
            {
                left -= 1;
                pool.insert(fingerprint.id.clone(), fingerprint);
            }
            if is_last || left == 0 {
                break;
            }
            page.offset += POOL;
        }
        Ok(())
    };
    if !words.is_empty() {
        let terms: Vec<_> = words.iter().map(String::as_str).collect();
        look(Vec::new(), Order::ByText(terms.join(" ")))?;
    }
    let tags: Vec<_> = sought.tags.iter().map(String::as_str).collect();
    if !tags.is_empty() {
        look(vec![any_of("tag", tags)], newest("last-at"))?;
    }
    let set = |tags: &[String]| tags.iter().cloned().collect::<BTreeSet<_>>();
    let mut alike: Vec<_> = pool
        .into_values()
        .filter(|fingerprint| fingerprint.id != sought.id)
        .map(|fingerprint| {
            let by_words = text::similarity(&words, &text::telling(&fingerprint.template));
            let by_tags = text::similarity(&set(&sought.tags), &set(&fingerprint.tags));
            let similarity = WORDS * by_words + (1.0 - WORDS) * by_tags;
            (similarity.min(MOST), fingerprint.id)
        })
        .filter(|(similarity, _)| *similarity >= LEAST_OF_FAILURES)
        .collect();
    alike.push((1.0, sought.id.clone()));
    alike.sort_by(|left, right| {
        right
            .0
            .total_cmp(&left.0)
            .then_with(|| left.1.cmp(&right.1))
    });
    Ok(alike)
}

/// Those of some fingerprints with which episodes failed that meet conditions. Where these are many, all are named: then each
/// is asked for by itself.
fn failed_by_any(
    reader: &Reader,
    conditions: &[Condition],
    fingerprints: &[Fingerprint],
) -> Result<BTreeSet<String>, Error> {
    let ids = || fingerprints.iter().map(|one| one.id.as_str());
    if fingerprints.is_empty() {
        return Ok(BTreeSet::new());
    }
    let mut conditions = conditions.to_vec();
    conditions.push(any_of("fingerprint", ids()));
    let episodes = reader.find::<Episode>(conditions, newest("ended-at"), SEEN)?;
    if episodes.len() >= SEEN as usize {
        return Ok(ids().map(str::to_owned).collect());
    }
    let failed = episodes.into_iter().flat_map(|one| one.fingerprints);
    Ok(failed.collect())
}

/// The newest episodes that failed in a way.
fn failed_by(
    reader: &Reader,
    conditions: &[Condition],
    fingerprint: &str,
    limit: u32,
) -> Result<Vec<Episode>, Error> {
    let mut conditions = conditions.to_vec();
    conditions.push(equals("fingerprint", fingerprint));
    let query = query::<Episode>(conditions, newest("ended-at"), limit);
    let found = reader.search::<Episode>(&query)?;
    Ok(found.into_iter().map(|(read, _)| read.noun).collect())
}

/// How an episode failed in a way the last time, and what worked later.
fn similar(
    reader: &Reader,
    episode: Episode,
    fingerprint: &str,
    similarity: f64,
) -> Result<Option<SimilarFailure>, Error> {
    let conditions = vec![
        equals("run", &episode.id),
        equals("fingerprint", fingerprint),
    ];
    let last = reader.search::<Event>(&query::<Event>(conditions, newest("at"), MOST_ANSWERED))?;
    // Of steps within one millisecond, too, the last one.
    let Some(event) = last
        .into_iter()
        .map(|(read, _)| read.noun)
        .max_by_key(|event| event.step)
    else {
        return Ok(None);
    };
    let resolution = match resolution(reader, &event) {
        Ok(resolution) => resolution,
        Err(error) => {
            reader.warn(&format!("no resolution: {}", error.message()));
            String::new()
        }
    };
    Ok(Some(SimilarFailure {
        episode,
        similarity,
        fingerprint: fingerprint.to_owned(),
        step: event.step,
        action_text: event.action_text,
        resolution,
    }))
}

/// What worked after a failure: a like action in its run, or what the account says.
fn resolution(reader: &Reader, event: &Event) -> Result<String, Error> {
    let steps = super::cold::last_steps(reader, &event.run, limits::MINED_STEPS)?;
    let mut attempts: Vec<_> = steps.iter().map(super::attempts::attempt).collect();
    let place = attempts
        .iter()
        .position(|attempt| attempt.index == event.step);
    if let Some(place) = place {
        if let Some((_, template)) = &mut attempts[place].failure {
            template.clone_from(&event.template);
        }
        if let Some(worked) = mining::resolutions(&attempts, &[place])[0] {
            return Ok(attempts[worked].action.clone());
        }
    }
    let account = super::cold::account_of(reader, &event.run)?;
    let resolved = account
        .errors_encountered
        .into_iter()
        .find(|error| identify(&error.message).id == event.fingerprint);
    Ok(resolved.map(|error| error.resolution).unwrap_or_default())
}
