//! `recall` of the memory, served by the component or a service: generated from the contract.

use serde_json::json;
use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Recall for Memory {
    fn on_error(&self, failure: &FailureContext) -> Result<Vec<Hint>, Error> {
        if let Some(service) = self.service() {
            return service.ask("recall.on-error", &json!({ "failure": failure, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_recall();
            exports.call_on_error(&mut instance.store, failure)
        })?
    }

    fn for_task(&self, task: &TaskContext) -> Result<Vec<Hint>, Error> {
        if let Some(service) = self.service() {
            return service.ask("recall.for-task", &json!({ "task": task, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_recall();
            exports.call_for_task(&mut instance.store, task)
        })?
    }

    fn context(&self, request: &ContextRequest) -> Result<TaskBundle, Error> {
        if let Some(service) = self.service() {
            return service.ask("recall.context", &json!({ "request": request, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_recall();
            exports.call_context(&mut instance.store, request)
        })?
    }
}
