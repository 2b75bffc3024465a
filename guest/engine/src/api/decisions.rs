//! The interface `decisions` of the contract.

use twiceshy_wit::memory::{
    Decision, DecisionAnswer, DecisionCheck, DecisionFilter, DecisionMatch, DecisionQuery,
    DecisionQuestion, DecisionStats, Decisions, Error, ExportRequest, Exported, FilteredHypotheses,
    HypothesisList, ImportRequest, Imported, NewDecision, RejectionPattern,
};

use super::Engine;
use crate::decisions;

impl Decisions for Engine<'_> {
    fn record(&self, new: &NewDecision) -> Result<Decision, Error> {
        decisions::record(&mut self.desk(), new)
    }

    fn was_rejected(&self, query: &DecisionQuery) -> Result<DecisionMatch, Error> {
        decisions::was_rejected(&self.desk(), query)
    }

    fn was_recently_accepted(&self, query: &DecisionQuery) -> Result<DecisionMatch, Error> {
        decisions::was_recently_accepted(&self.desk(), query)
    }

    fn check(&self, query: &DecisionQuery) -> Result<DecisionCheck, Error> {
        decisions::check(&self.desk(), query)
    }

    fn query(&self, question: &DecisionQuestion) -> Result<DecisionAnswer, Error> {
        decisions::query(&self.desk(), question)
    }

    fn filter(&self, list: &HypothesisList) -> Result<FilteredHypotheses, Error> {
        decisions::filter(&self.desk(), list)
    }

    fn get_records(&self, filter: &DecisionFilter) -> Result<Vec<Decision>, Error> {
        decisions::get_records(&self.desk(), filter)
    }

    fn failure_patterns(&self, module: &str) -> Result<Vec<RejectionPattern>, Error> {
        decisions::failure_patterns(&self.desk(), module)
    }

    fn stats(&self) -> Result<DecisionStats, Error> {
        decisions::stats(&self.desk())
    }

    fn export_file(&self, request: &ExportRequest) -> Result<Exported, Error> {
        decisions::export_file(&self.desk(), request)
    }

    fn import_file(&self, request: &ImportRequest) -> Result<Imported, Error> {
        decisions::import_file(&mut self.desk(), request)
    }
}
