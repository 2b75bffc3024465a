//! Explanations: the chain from a lesson to the very steps it rests on.
//!
//! Owns gathering it. It changes nothing.

use std::collections::BTreeSet;

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

    /// The steps that a lesson was learned from.
    fn steps_behind(&self, lesson: &Lesson) -> Result<Vec<TraceStep>, Error> {
        let keys: Vec<_> = lesson
            .origins
            .iter()
            .flat_map(|origin| {
                let steps = origin.steps.iter();
                steps.map(|step| Kind::Step.key(&format!("{}.{step}", origin.run)))
            })
            .take(EXPLAINED)
            .collect();
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let stored = self.read(&keys)?;
        stored
            .iter()
            .map(|stored| Ok(Read::<TraceStep>::parse(stored)?.noun))
            .collect()
    }
}
