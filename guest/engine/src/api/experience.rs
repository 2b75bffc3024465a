//! The interface `experience` of the contract.

use twiceshy_wit::memory::{
    EditReport, Error, Evolution, Experience, ExperienceEntry, ExperienceHit, ExperienceQuery,
    ExperienceSettings, ExperienceStats, MemoryEdit, MemoryType, NewExperience, ReEmbedding,
    RememRequest, RememResult, SimilarityMetrics, Synthesis,
};

use super::Engine;
use crate::endings;
use crate::episodes::experience;
use crate::episodes::experience::edits;
use crate::episodes::experience::evolve;
use crate::episodes::experience::remem;
use crate::episodes::experience::restoring;
use crate::episodes::experience::search;
use crate::episodes::experience::settings;
use crate::episodes::experience::similarity;
use crate::episodes::experience::synthesis;
use crate::episodes::experience::vectors;

impl Experience for Engine<'_> {
    fn search(&self, query: &ExperienceQuery) -> Result<Vec<ExperienceHit>, Error> {
        search::find_experiences(&mut self.desk(), query)
    }

    fn synthesize(&self, task: &str, entries: &[String]) -> Result<Synthesis, Error> {
        synthesis::synthesis(&self.desk(), task, entries)
    }

    fn evolve(&self, experience: &NewExperience) -> Result<Evolution, Error> {
        evolve::take_experience(&mut self.desk(), experience)
    }

    fn recent_window(&self) -> Result<Vec<ExperienceEntry>, Error> {
        experience::recent_window(&self.desk())
    }

    fn entries(
        &self,
        memory_type: Option<MemoryType>,
        limit: u32,
    ) -> Result<Vec<ExperienceEntry>, Error> {
        experience::entries(&self.desk(), memory_type, limit)
    }

    fn get(&self, entry: &str) -> Result<ExperienceEntry, Error> {
        let desk = self.desk();
        match experience::experience_entry(&desk, entry) {
            Err(Error::NotFound(reason)) => {
                endings::experience::pruned_entry(&desk, entry)?.ok_or(Error::NotFound(reason))
            }
            answer => answer,
        }
    }

    fn archived(&self, limit: u32) -> Result<Vec<ExperienceEntry>, Error> {
        let desk = self.desk();
        let remade = |id: &str| endings::experience::pruned_entry(&desk, id);
        restoring::archived_entries(&desk, limit, remade)
    }

    fn restore(&self, entry: &str) -> Result<Evolution, Error> {
        let remade = endings::experience::pruned_entry;
        restoring::restore_entry(&mut self.desk(), entry, remade)
    }

    fn similarity_of_tasks(&self) -> Result<SimilarityMetrics, Error> {
        similarity::measure_similarity(&self.desk())
    }

    fn stats(&self) -> Result<ExperienceStats, Error> {
        experience::stats(&self.desk())
    }

    fn apply_edits(&self, edits: &[MemoryEdit]) -> Result<EditReport, Error> {
        edits::make_edits(&mut self.desk(), edits, None)
    }

    fn prune(&self) -> Result<Vec<String>, Error> {
        evolve::prune_experiences(&mut self.desk())
    }

    fn settings(&self) -> Result<ExperienceSettings, Error> {
        settings::experience_settings(&self.desk())
    }

    fn configure(&self, settings: &ExperienceSettings) -> Result<ExperienceSettings, Error> {
        experience::configure(&mut self.desk(), settings)
    }

    fn re_embed(&self, limit: u32) -> Result<ReEmbedding, Error> {
        vectors::give_vectors(&mut self.desk(), limit)
    }

    fn remem(&self, request: &RememRequest) -> Result<RememResult, Error> {
        remem::think_act_refine(&mut self.desk(), request)
    }
}
