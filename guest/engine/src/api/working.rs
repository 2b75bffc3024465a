//! The interface `working` of the contract.

use twiceshy_wit::memory::{
    EpisodeQuery, Error, ExecutionState, FoundVariable, Intermediate, ParsedTask, Rendered,
    Rendering, Snapshot, SystemContext, Variable, VariableScope, Working, WorkingItem,
    WorkingMemory, WorkingMetadata, WorkingSize,
};

use super::Engine;
use crate::working;
use crate::working::continuity;
use crate::working::ending;
use crate::working::retrieval;
use crate::working::snapshots;
use crate::working::view;

impl Working for Engine<'_> {
    fn init(&self, run: &str, context: &SystemContext) -> Result<WorkingSize, Error> {
        working::init(&mut self.desk(), run, context)
    }

    fn load_task(&self, run: &str, task: &ParsedTask) -> Result<WorkingSize, Error> {
        working::load_task(&mut self.desk(), run, task)
    }

    fn set(&self, run: &str, variable: &Variable) -> Result<WorkingSize, Error> {
        working::set(&mut self.desk(), run, variable)
    }

    fn get(&self, run: &str, key: &str, scope: VariableScope) -> Result<FoundVariable, Error> {
        working::get(&mut self.desk(), run, key, scope)
    }

    fn push_state(&self, run: &str, state: &ExecutionState) -> Result<WorkingSize, Error> {
        working::push_state(&mut self.desk(), run, state)
    }

    fn add_intermediate(
        &self,
        run: &str,
        intermediate: &Intermediate,
    ) -> Result<WorkingSize, Error> {
        working::add_intermediate(&mut self.desk(), run, intermediate)
    }

    fn retrieve(&self, run: &str, query: &EpisodeQuery) -> Result<Vec<WorkingItem>, Error> {
        retrieval::retrieve_to_working(&mut self.desk(), run, query)
    }

    fn fetch(&self, run: &str, item: &str) -> Result<String, Error> {
        working::fetch(&mut self.desk(), run, item)
    }

    fn prune(&self, run: &str) -> Result<WorkingSize, Error> {
        working::prune(&mut self.desk(), run)
    }

    fn take_snapshot(&self, run: &str, label: &str) -> Result<Snapshot, Error> {
        snapshots::snapshot_working(&mut self.desk(), run, label)
    }

    fn rollback(&self, run: &str, snapshot: &str) -> Result<WorkingSize, Error> {
        snapshots::roll_working_back(&mut self.desk(), run, snapshot)
    }

    fn snapshots(&self, run: &str) -> Result<Vec<Snapshot>, Error> {
        working::snapshots(&self.desk(), run)
    }

    fn view(&self, run: &str) -> Result<WorkingMemory, Error> {
        view::view_working(&self.desk(), run)
    }

    fn render(&self, run: &str, rendering: &Rendering) -> Result<Rendered, Error> {
        view::render_working(&self.desk(), run, rendering)
    }

    fn continuity(&self, run: &str) -> Result<String, Error> {
        continuity::continuity_page(&self.desk(), run)
    }

    fn clear(&self, run: &str) -> Result<WorkingMetadata, Error> {
        ending::clear_working(&mut self.desk(), run)
    }

    fn metadata(&self, run: &str) -> Result<WorkingMetadata, Error> {
        ending::working_metadata(&self.desk(), run)
    }
}
