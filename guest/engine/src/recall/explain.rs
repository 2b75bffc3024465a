//! Explanations: the chain from a lesson to the steps it was learned from.
//!
//! Owns gathering it. It changes nothing.

use std::collections::BTreeSet;

use twiceshy_wit::memory::{
    Activation, ActivationFilter, Episode, Error, Explanation, Lesson, TraceStep,
};

use crate::{
    episodes::{cold, shelf},
    lessons::{activations, entry, links},
    store::Reader,
};

/// Activations, episodes and steps of one explanation, as the contract has it.
const EXPLAINED: usize = 50;

/// Everything that a lesson rests on.
pub(crate) fn explain(reader: &Reader, lesson: &str) -> Result<Explanation, Error> {
    let entry = entry::entry(reader, lesson)?;
    let (lesson, earlier) = (entry.kept.lesson, entry.earlier);
    let filter = ActivationFilter {
        lesson: Some(lesson.id.clone()),
        run: None,
        limit: Some(EXPLAINED as u32),
    };
    let activations = activations::find_activations(reader, &filter)?;
    Ok(Explanation {
        links: links::found_links(reader, &lesson.id)?,
        episodes: episodes_behind(reader, &lesson, &activations)?,
        steps: steps_behind(reader, &lesson)?,
        activations,
        earlier,
        lesson,
    })
}

/// The episodes that a lesson was learned in or shown in, newest first.
fn episodes_behind(
    reader: &Reader,
    lesson: &Lesson,
    activations: &[Activation],
) -> Result<Vec<Episode>, Error> {
    let learned = lesson.origins.iter().map(|origin| &origin.run);
    let shown = activations.iter().map(|activation| &activation.run);
    let runs: BTreeSet<_> = learned.chain(shown).filter(|run| !run.is_empty()).collect();
    let episodes = reader.load_all::<Episode>(runs)?.into_iter();
    let mut episodes: Vec<_> = episodes.map(|read| read.noun).collect();
    let deleted = shelf::deleted_among(reader, episodes.iter().map(|one| one.id.as_str()))?;
    episodes.retain(|episode| !deleted.contains(&episode.id));
    episodes.sort_by(|left, right| {
        let newer = right.ended_at.cmp(&left.ended_at);
        newer.then_with(|| left.id.cmp(&right.id))
    });
    episodes.truncate(EXPLAINED);
    Ok(episodes)
}

/// The steps that a lesson was learned from, from cold storage too.
fn steps_behind(reader: &Reader, lesson: &Lesson) -> Result<Vec<TraceStep>, Error> {
    let named = lesson.origins.iter().flat_map(|origin| {
        let steps = origin.steps.iter();
        steps.map(|step| (origin.run.as_str(), *step))
    });
    let runs = lesson.origins.iter().map(|origin| origin.run.as_str());
    let deleted = shelf::deleted_among(reader, runs.filter(|run| !run.is_empty()))?;
    let named: Vec<_> = named
        .filter(|(run, _)| !run.is_empty() && !deleted.contains(*run))
        .take(EXPLAINED)
        .collect();
    let id = |(run, step): &(&str, u32)| format!("{run}.{step}");
    let mut stored = reader.load_by_id::<TraceStep>(named.iter().map(id))?;
    let mut steps = Vec::with_capacity(named.len());
    for named in named {
        match stored.remove(&id(&named)) {
            Some(read) => steps.push(read.noun),
            None => match cold::steps_from(reader, named.0, named.1, 1) {
                Ok(cold) => steps.extend(cold.into_iter().filter(|step| step.index == named.1)),
                Err(error) => reader.warn(&format!("a step was skipped: {}", error.message())),
            },
        }
    }
    Ok(steps)
}
