//! `working` of the memory, served by the component or a service: generated from the contract.

use serde_json::json;
use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Working for Memory {
    fn init(&self, run: &str, context: &SystemContext) -> Result<WorkingSize, Error> {
        if let Some(service) = self.service() {
            return service.ask("working.init", &json!({ "run": run,"context": context, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_init(&mut instance.store, run, context)
        })?
    }

    fn load_task(&self, run: &str, task: &ParsedTask) -> Result<WorkingSize, Error> {
        if let Some(service) = self.service() {
            return service.ask("working.load-task", &json!({ "run": run,"task": task, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_load_task(&mut instance.store, run, task)
        })?
    }

    fn set(&self, run: &str, variable: &Variable) -> Result<WorkingSize, Error> {
        if let Some(service) = self.service() {
            return service.ask("working.set", &json!({ "run": run,"variable": variable, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_set(&mut instance.store, run, variable)
        })?
    }

    fn get(&self, run: &str, key: &str, scope: VariableScope) -> Result<FoundVariable, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "working.get",
                &json!({ "run": run,"key": key,"scope": scope, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_get(&mut instance.store, run, key, scope)
        })?
    }

    fn push_state(&self, run: &str, state: &ExecutionState) -> Result<WorkingSize, Error> {
        if let Some(service) = self.service() {
            return service.ask("working.push-state", &json!({ "run": run,"state": state, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_push_state(&mut instance.store, run, state)
        })?
    }

    fn add_intermediate(
        &self,
        run: &str,
        intermediate: &Intermediate,
    ) -> Result<WorkingSize, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "working.add-intermediate",
                &json!({ "run": run,"intermediate": intermediate, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_add_intermediate(&mut instance.store, run, intermediate)
        })?
    }

    fn retrieve(&self, run: &str, query: &EpisodeQuery) -> Result<Vec<WorkingItem>, Error> {
        if let Some(service) = self.service() {
            return service.ask("working.retrieve", &json!({ "run": run,"query": query, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_retrieve(&mut instance.store, run, query)
        })?
    }

    fn fetch(&self, run: &str, item: &str) -> Result<String, Error> {
        if let Some(service) = self.service() {
            return service.ask("working.fetch", &json!({ "run": run,"item": item, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_fetch(&mut instance.store, run, item)
        })?
    }

    fn prune(&self, run: &str) -> Result<WorkingSize, Error> {
        if let Some(service) = self.service() {
            return service.ask("working.prune", &json!({ "run": run, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_prune(&mut instance.store, run)
        })?
    }

    fn take_snapshot(&self, run: &str, label: &str) -> Result<Snapshot, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "working.take-snapshot",
                &json!({ "run": run,"label": label, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_take_snapshot(&mut instance.store, run, label)
        })?
    }

    fn rollback(&self, run: &str, snapshot: &str) -> Result<WorkingSize, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "working.rollback",
                &json!({ "run": run,"snapshot": snapshot, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_rollback(&mut instance.store, run, snapshot)
        })?
    }

    fn snapshots(&self, run: &str) -> Result<Vec<Snapshot>, Error> {
        if let Some(service) = self.service() {
            return service.ask("working.snapshots", &json!({ "run": run, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_snapshots(&mut instance.store, run)
        })?
    }

    fn view(&self, run: &str) -> Result<WorkingMemory, Error> {
        if let Some(service) = self.service() {
            return service.ask("working.view", &json!({ "run": run, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_view(&mut instance.store, run)
        })?
    }

    fn render(&self, run: &str, rendering: &Rendering) -> Result<Rendered, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "working.render",
                &json!({ "run": run,"rendering": rendering, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_render(&mut instance.store, run, *rendering)
        })?
    }

    fn continuity(&self, run: &str) -> Result<String, Error> {
        if let Some(service) = self.service() {
            return service.ask("working.continuity", &json!({ "run": run, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_continuity(&mut instance.store, run)
        })?
    }

    fn clear(&self, run: &str) -> Result<WorkingMetadata, Error> {
        if let Some(service) = self.service() {
            return service.ask("working.clear", &json!({ "run": run, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_clear(&mut instance.store, run)
        })?
    }

    fn metadata(&self, run: &str) -> Result<WorkingMetadata, Error> {
        if let Some(service) = self.service() {
            return service.ask("working.metadata", &json!({ "run": run, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_working();
            exports.call_metadata(&mut instance.store, run)
        })?
    }
}
