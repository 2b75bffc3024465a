//! `twiceshy:memory/decisions`: generated from the contract.

use super::{
    Decision, DecisionAnswer, DecisionCheck, DecisionFilter, DecisionMatch, DecisionQuery,
    DecisionQuestion, DecisionStats, Error, ExportRequest, Exported, FilteredHypotheses,
    HypothesisList, ImportRequest, Imported, NewDecision, RejectionPattern,
};

/// Hypotheses that were accepted, rejected or held, and why, so that nobody repeats an attempt without knowing. The
/// memory only informs; whether to try a hypothesis is up to the caller. Decisions are only ever added. The message
/// of a storage error begins with `STORAGE_ERROR`, that of an unknown outcome with `INVALID_OUTCOME`.
pub trait Decisions {
    /// Records a decision. `invalid-argument` if the rationale is missing: a decision that nobody can understand
    /// later teaches nothing.
    fn record(&self, decision: &NewDecision) -> Result<Decision, Error>;

    /// Finds the rejection of the same hypothesis about a module, however long ago: the most similar one, and of
    /// equally similar ones the newest. Two texts are the same hypothesis if their similarity is at least 0.8, which
    /// is fixed. The hypothesis and the description are both compared.
    fn was_rejected(&self, query: &DecisionQuery) -> Result<DecisionMatch, Error>;

    /// Finds the acceptance of the same hypothesis within the last days (default: 7).
    fn was_recently_accepted(&self, query: &DecisionQuery) -> Result<DecisionMatch, Error>;

    /// Finds both: a rejection, and a recent acceptance.
    fn check(&self, query: &DecisionQuery) -> Result<DecisionCheck, Error>;

    /// Answers one of three questions, by `query-type`.
    fn query(&self, question: &DecisionQuestion) -> Result<DecisionAnswer, Error>;

    /// Drops the hypotheses that were rejected before or accepted recently, each with the reason. The others stay
    /// unchanged and in their order.
    fn filter(&self, hypotheses: &HypothesisList) -> Result<FilteredHypotheses, Error>;

    /// Lists decisions, newest first.
    fn get_records(&self, filter: &DecisionFilter) -> Result<Vec<Decision>, Error>;

    /// Lists why hypotheses about a module (empty: any module) were rejected, most frequent reason first.
    fn failure_patterns(&self, module: &str) -> Result<Vec<RejectionPattern>, Error>;

    /// Counts all decisions. Takes time in proportion to their number.
    fn stats(&self) -> Result<DecisionStats, Error>;

    /// Exports all decisions as an `.evolve_memory.json` of version 1.0.0, oldest first, in parts. Begin without
    /// `after` and pass on `next` until it is missing. The texts, one after the other, are the file.
    fn export_file(&self, request: &ExportRequest) -> Result<Exported, Error>;

    /// Imports an `.evolve_memory.json` of version 1.0.0. The whole text is checked before anything is recorded; with
    /// `check-only`, nothing is recorded. Decisions that the memory has already are skipped. The rationale may be
    /// missing, as in old files. Members that the format does not name are not kept.
    fn import_file(&self, request: &ImportRequest) -> Result<Imported, Error>;
}
