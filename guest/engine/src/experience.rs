//! Experience: episodes as they are searched for like tasks, and kept small and good.
//!
//! Owns the answers of the interface. An entry is an episode seen as task, answer and feedback; what it is made of is
//! in [draft], [entry] and [cards], how it is found in [search], what becomes of others by it in [evolve].

mod cards;
mod draft;
mod edits;
mod entry;
mod evolve;
mod feedback;
mod from_run;
mod memory_type;
mod relevance;
mod remem;
mod search;
mod settings;
mod similarity;
mod synthesis;
mod vectors;

use std::collections::BTreeMap;

use twiceshy_wit::memory::*;

use crate::{
    documents::{Kind, equals, newest, query},
    limits,
    ports::Engine,
};
use entry::{CARD, FEEDBACK, active, archived};
pub(crate) use entry::{KeptExperience, Use};
pub(crate) use from_run::Prospect;
pub(crate) use settings::KeptSettings;

impl Experience for Engine<'_> {
    fn search(&self, query: &ExperienceQuery) -> Result<Vec<ExperienceHit>, Error> {
        self.find_experiences(query)
    }

    fn synthesize(&self, task: &str, entries: &[String]) -> Result<Synthesis, Error> {
        self.synthesis(task, entries)
    }

    fn evolve(&self, experience: &NewExperience) -> Result<Evolution, Error> {
        self.take_experience(experience)
    }

    fn recent_window(&self) -> Result<Vec<ExperienceEntry>, Error> {
        let settings = self.experience_settings()?;
        self.newest_entries(None, settings.window_size)
    }

    fn entries(
        &self,
        memory_type: Option<MemoryType>,
        limit: u32,
    ) -> Result<Vec<ExperienceEntry>, Error> {
        self.newest_entries(memory_type, limits::listed(Some(limit)))
    }

    fn get(&self, entry: &str) -> Result<ExperienceEntry, Error> {
        self.experience_entry(entry)
    }

    fn similarity_of_tasks(&self) -> Result<SimilarityMetrics, Error> {
        self.measure_similarity()
    }

    fn stats(&self) -> Result<ExperienceStats, Error> {
        let count = |condition| self.count(Kind::Experience, &[active(), condition]);
        let types = [
            MemoryType::Factual,
            MemoryType::Procedural,
            MemoryType::Episodic,
        ];
        let mut distribution = BTreeMap::new();
        for kind in types {
            let of_type = count(equals("type", kind.as_str()))?;
            distribution.insert(kind.as_str().to_owned(), of_type);
        }
        let total = self.count(Kind::Experience, &[active()])?;
        let accesses: u64 = self
            .active_uses()?
            .iter()
            .map(|used| u64::from(used.access_count))
            .sum();
        Ok(ExperienceStats {
            total_entries: total,
            archived_entries: self.count(Kind::Experience, &[archived()])?,
            max_size: self.experience_settings()?.max_size,
            type_distribution: similarity::distribution(distribution),
            total_accesses: u32::try_from(accesses).unwrap_or(u32::MAX),
            avg_accesses_per_entry: match total {
                0 => 0.0,
                total => accesses as f64 / f64::from(total),
            },
            entries_with_strategy_card: count(equals("has", CARD))?,
            entries_with_structured_feedback: count(equals("has", FEEDBACK))?,
        })
    }

    fn apply_edits(&self, edits: &[MemoryEdit]) -> Result<EditReport, Error> {
        self.make_edits(edits, None)
    }

    fn prune(&self) -> Result<Vec<String>, Error> {
        self.prune_experiences()
    }

    fn settings(&self) -> Result<ExperienceSettings, Error> {
        self.experience_settings()
    }

    fn configure(&self, settings: &ExperienceSettings) -> Result<ExperienceSettings, Error> {
        let settings = self.set_experience(settings)?;
        // A size that is smaller than before holds from now on.
        self.prune_experiences()?;
        Ok(settings)
    }

    fn re_embed(&self, limit: u32) -> Result<ReEmbedding, Error> {
        self.give_vectors(limit)
    }

    fn remem(&self, request: &RememRequest) -> Result<RememResult, Error> {
        self.think_act_refine(request)
    }
}

impl Engine<'_> {
    fn newest_entries(
        &self,
        memory_type: Option<MemoryType>,
        limit: u32,
    ) -> Result<Vec<ExperienceEntry>, Error> {
        let mut conditions = vec![active()];
        conditions.extend(memory_type.map(|kind| equals("type", kind.as_str())));
        let page = query::<KeptExperience>(conditions, newest("created-at"), limit);
        let found = self.search::<KeptExperience>(&page)?;
        self.shown_entries(found.into_iter().map(|(read, _)| read.noun).collect())
    }

    fn experience_entry(&self, id: &str) -> Result<ExperienceEntry, Error> {
        let Some(read) = self.load::<KeptExperience>(id)? else {
            return Err(Error::NotFound(format!(
                "there is no experience `{}`; experience.entries lists them",
                crate::payload::kept_text(id, 100)
            )));
        };
        let mut shown = self.shown_entries(vec![read.noun])?;
        Ok(shown.remove(0))
    }

    /// What like tasks brought, as text for whoever begins one of them; empty if there is nothing to tell.
    pub(crate) fn experience_briefing(&self, task: &str, tokens: u32) -> Result<String, Error> {
        let settings = self.experience_settings()?;
        if task.trim().is_empty() || !settings.enabled {
            return Ok(String::new());
        }
        let hits = self.find_experiences(&ExperienceQuery {
            text: task.to_owned(),
            memory_type: None,
            tag: None,
            domain: None,
            limit: None,
        })?;
        let mut entries: Vec<_> = hits
            .into_iter()
            .filter(|hit| hit.score >= LEAST_BRIEFED)
            .map(|hit| hit.entry)
            .collect();
        while !entries.is_empty() {
            let synthesis = synthesis::synthesized(&entries);
            if synthesis.tokens <= tokens {
                return Ok(synthesis.text);
            }
            entries.pop();
        }
        Ok(String::new())
    }
}

/// How alike a task must be for a run to be told of it unasked.
const LEAST_BRIEFED: f64 = 0.5;
