//! Working.

use twiceshy_wit::memory::*;

use crate::ports::Engine;

impl Working for Engine<'_> {
    fn init(&self, _run: &str, _context: &SystemContext) -> Result<WorkingSize, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn load_task(&self, _run: &str, _task: &ParsedTask) -> Result<WorkingSize, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn set(&self, _run: &str, _variable: &Variable) -> Result<WorkingSize, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn get(&self, _run: &str, _key: &str, _scope: VariableScope) -> Result<FoundVariable, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn push_state(&self, _run: &str, _state: &ExecutionState) -> Result<WorkingSize, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn add_intermediate(
        &self,
        _run: &str,
        _intermediate: &Intermediate,
    ) -> Result<WorkingSize, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn retrieve(&self, _run: &str, _query: &EpisodeQuery) -> Result<Vec<WorkingItem>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn fetch(&self, _run: &str, _item: &str) -> Result<String, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn prune(&self, _run: &str) -> Result<WorkingSize, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn take_snapshot(&self, _run: &str, _label: &str) -> Result<Snapshot, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn rollback(&self, _run: &str, _snapshot: &str) -> Result<WorkingSize, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn snapshots(&self, _run: &str) -> Result<Vec<Snapshot>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn view(&self, _run: &str) -> Result<WorkingMemory, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn render(&self, _run: &str, _rendering: &Rendering) -> Result<Rendered, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn continuity(&self, _run: &str) -> Result<String, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn clear(&self, _run: &str) -> Result<WorkingMetadata, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }
}
