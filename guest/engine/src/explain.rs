//! Explanations: the chain from a lesson to the very steps it rests on.
//!
//! Owns gathering it. It changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::memory::{
    Activation, ActivationFilter, Episode, Error, Explanation, Lesson, TraceStep,
};

use crate::{
    documents::{Kind, Read},
    ports::Engine,
};

/// Activations, episodes and steps of one explanation, as the contract has it.
const EXPLAINED: usize = 50;

impl Engine<'_> {
    /// Everything that a lesson rests on.
    pub(crate) fn explanation(&self, lesson: Lesson) -> Result<Explanation, Error> {
        let filter = ActivationFilter {
            lesson: Some(lesson.id.clone()),
            run: None,
            limit: Some(EXPLAINED as u32),
        };
        let activations = self.find_activations(&filter)?;
        Ok(Explanation {
            links: self.links_of(&lesson.id)?,
            episodes: self.episodes_behind(&lesson, &activations)?,
            steps: self.steps_behind(&lesson)?,
            activations,
            lesson,
        })
    }

    /// The episodes that a lesson was learned in or shown in, newest first.
    fn episodes_behind(
        &self,
        lesson: &Lesson,
        activations: &[Activation],
    ) -> Result<Vec<Episode>, Error> {
        let learned = lesson.origins.iter().map(|origin| &origin.run);
        let shown = activations.iter().map(|activation| &activation.run);
        let runs: BTreeSet<_> = learned.chain(shown).filter(|run| !run.is_empty()).collect();
        let keys: Vec<_> = runs.into_iter().map(|run| Kind::Episode.key(run)).collect();
        let mut episodes = Vec::with_capacity(keys.len());
        if !keys.is_empty() {
            for stored in self.read(&keys)? {
                episodes.push(Read::<Episode>::parse(&stored)?.noun);
            }
        }
        episodes.sort_by(|left, right| {
            let newer = right.ended_at.cmp(&left.ended_at);
            newer.then_with(|| left.id.cmp(&right.id))
        });
        episodes.truncate(EXPLAINED);
        Ok(episodes)
    }

    /// The steps that a lesson was learned from, from cold storage too.
    fn steps_behind(&self, lesson: &Lesson) -> Result<Vec<TraceStep>, Error> {
        let named = lesson.origins.iter().flat_map(|origin| {
            let steps = origin.steps.iter();
            steps.map(|step| (origin.run.as_str(), *step))
        });
        let named: Vec<_> = named
            .filter(|(run, _)| !run.is_empty())
            .take(EXPLAINED)
            .collect();
        if named.is_empty() {
            return Ok(Vec::new());
        }
        let id = |(run, step): &(&str, u32)| format!("{run}.{step}");
        let keys: Vec<_> = named
            .iter()
            .map(|named| Kind::Step.key(&id(named)))
            .collect();
        let mut stored: BTreeMap<_, _> = self
            .read(&keys)?
            .into_iter()
            .map(|stored| (stored.key.id.clone(), stored))
            .collect();
        let mut steps = Vec::with_capacity(named.len());
        for named in named {
            match stored.remove(&id(&named)) {
                Some(stored) => steps.push(Read::<TraceStep>::parse(&stored)?.noun),
                None => match self.steps_from(named.0, named.1, 1) {
                    Ok(cold) => steps.extend(cold.into_iter().filter(|step| step.index == named.1)),
                    Err(error) => self.warn(&format!("a step is left out: {}", error.message())),
                },
            }
        }
        Ok(steps)
    }
}
