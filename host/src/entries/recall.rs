//! `recall` of the memory, served by the component: generated from the contract.

use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Recall for Memory {
    fn on_error(&self, failure: &FailureContext) -> Result<Vec<Hint>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_recall();
            exports.call_on_error(&mut instance.store, failure)
        })?
    }

    fn for_task(&self, task: &TaskContext) -> Result<Vec<Hint>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_recall();
            exports.call_for_task(&mut instance.store, task)
        })?
    }

    fn context(&self, request: &ContextRequest) -> Result<TaskBundle, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_recall();
            exports.call_context(&mut instance.store, request)
        })?
    }
}
