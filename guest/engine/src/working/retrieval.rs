//! Retrieval into a working memory: similar episodes, patterns that apply, and what helps after a failure.
//!
//! Owns which summaries are added and how long they are. What is similar or applies is the business of episodes and
//! patterns.

use twiceshy_wit::memory::{
    ApplicablePattern, EpisodeHit, EpisodeQuery, Error, LessonKind, Reaction, Section, WorkingItem,
};

use super::{
    draft::{Draft, New},
    head::{Head, Sort},
    short::short,
};
use crate::{
    episodes::search,
    lessons::patterns,
    payload, runs,
    store::{Desk, Read},
};

/// Episodes that are taken in, if the query does not say.
const EPISODES: u32 = 5;

/// Patterns that are taken in.
const PATTERNS: u32 = 3;

/// Snippets of domain knowledge that are taken in.
const SNIPPETS: u32 = 2;

/// A summary in tokens: the section takes the best of them.
const SUMMARY_TOKENS: u32 = 160;

/// Something that was looked up.
struct Found {
    id: String,
    sort: Sort,
    text: String,
}

pub(crate) fn retrieve_to_working(
    desk: &mut Desk,
    run: &str,
    query: &EpisodeQuery,
) -> Result<Vec<WorkingItem>, Error> {
    super::working_head(desk, run)?;
    let found = looked_up_for_working(desk, run, query)?;
    let mut taken = Vec::new();
    super::change_working(desk, run, |draft| {
        let mut keep: Vec<String> = found.iter().map(|found| found.id.clone()).collect();
        for found in &found {
            if !add(draft, found, &keep)? {
                keep.retain(|id| *id != found.id);
            }
        }
        draft.fit()
    })?;
    let memory = super::view::view_working(desk, run)?;
    taken.extend(
        memory
            .items
            .into_iter()
            .filter(|item| found.iter().any(|found| found.id == item.id)),
    );
    Ok(taken)
}

/// Episodes and patterns, the best of each first.
fn looked_up_for_working(
    desk: &Desk,
    run: &str,
    query: &EpisodeQuery,
) -> Result<Vec<Found>, Error> {
    let open = runs::open_run(desk, run)?.noun;
    let mut query = query.clone();
    if query.text.trim().is_empty() {
        query.text.clone_from(&open.run.task);
    }
    query.limit = Some(query.limit.unwrap_or(EPISODES));
    if query.domain.is_none() && query.preferred_domain.is_none() {
        query.preferred_domain = Some(open.run.domain.clone());
    }
    let mut found = Vec::new();
    // The search is the caller's, so what is wrong with it is for the caller to know.
    found.extend(
        offered(search::search_episodes(desk, &query))?
            .iter()
            .map(episode),
    );
    let domain = query.domain.clone().unwrap_or(open.run.domain);
    let mut features = patterns::features_in(&query.text, &domain, &open.head);
    if let Some(task_type) = &query.task_type {
        features.task_type.clone_from(task_type);
    }
    features.limit = Some(PATTERNS);
    let mut patterns = offered(patterns::applicable(desk, &features))?;
    features.category = Some(LessonKind::Domain);
    features.limit = Some(SNIPPETS);
    patterns.extend(offered(patterns::applicable(desk, &features))?);
    for pattern in patterns.iter().map(pattern) {
        if !found.iter().any(|other| other.id == pattern.id) {
            found.push(pattern);
        }
    }
    Ok(found)
}

/// Takes what helps after a failure into the working memory of the run, if it has one. The step is remembered
/// already, so trouble with it is only logged.
pub(crate) fn note_recovery(desk: &mut Desk, run: &str, reaction: &Reaction) {
    let Some(event) = reaction
        .failure
        .as_ref()
        .filter(|_| !reaction.hints.is_empty())
    else {
        return;
    };
    let rules: Vec<_> = reaction
        .hints
        .iter()
        .map(|hint| format!("{}: {}", hint.lesson.id, hint.lesson.rule_text))
        .collect();
    let found = Found {
        id: format!("recovery-{}", event.fingerprint),
        sort: Sort::Recovery,
        text: short(&rules.join(" · "), SUMMARY_TOKENS),
    };
    let now = desk.now();
    let noted = desk.commit_lightly(|batch| {
        let Some(Read { noun, .. }) = batch.load::<Head>(run)? else {
            return Ok(());
        };
        let mut draft = Draft::new(batch, noun, now);
        let keep = [found.id.clone()];
        add(&mut draft, &found, &keep)?;
        draft.fit()?;
        draft.done(batch);
        Ok(())
    });
    if let Err(error) = noted {
        desk.warn(&format!("not added to working memory: {}", error.message()));
    }
}

/// Takes in a summary if there is room for it. What is in `keep` does not make way.
fn add(draft: &mut Draft, found: &Found, keep: &[String]) -> Result<bool, Error> {
    let section = Section::RetrievedContext;
    draft.put(New::of(&found.id, found.sort, section), found.text.clone());
    if draft.make_way(section, keep)? {
        return Ok(true);
    }
    if let Some(place) = draft.head.find(&found.id) {
        draft.take_out(place);
    }
    Ok(false)
}

/// What is offered; nothing from a part that is not there.
fn offered<T>(answer: Result<Vec<T>, Error>) -> Result<Vec<T>, Error> {
    match answer {
        Err(Error::Unavailable(_)) => Ok(Vec::new()),
        answer => answer,
    }
}

fn episode(hit: &EpisodeHit) -> Found {
    let episode = &hit.episode;
    let text = format!(
        "{} ({} after {} steps, {} failed, relevance {:.2}). {}",
        episode.task,
        episode.outcome.as_str(),
        episode.steps,
        episode.failures,
        hit.score,
        episode.summary
    );
    Found {
        id: format!("episode-{}", episode.id),
        sort: Sort::Episode,
        text: summary(&text),
    }
}

fn pattern(applicable: &ApplicablePattern) -> Found {
    let pattern = &applicable.pattern;
    let what = match pattern.summary.is_empty() {
        true => &pattern.lesson.rule_text,
        false => &pattern.summary,
    };
    Found {
        id: format!("pattern-{}", pattern.lesson.id),
        sort: Sort::Pattern,
        text: summary(&format!(
            "{}: {what} ({}, confidence {:.2})",
            pattern.name,
            pattern.lesson.kind.as_str(),
            pattern.evidence.confidence
        )),
    }
}

fn summary(text: &str) -> String {
    short(&payload::kept_text(text, 8 << 10), SUMMARY_TOKENS)
}
