//! `runs` of the memory, served by the component or a service: generated from the contract.

use serde_json::json;
use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Runs for Memory {
    fn start(&self, run: &NewRun) -> Result<Run, Error> {
        if let Some(service) = self.service() {
            return service.ask("runs.start", &json!({ "run": run, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_runs();
            exports.call_start(&mut instance.store, run)
        })?
    }

    fn brief(&self, run: &str, request: &BriefingRequest) -> Result<Briefing, Error> {
        if let Some(service) = self.service() {
            return service.ask("runs.brief", &json!({ "run": run,"request": request, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_runs();
            exports.call_brief(&mut instance.store, run, *request)
        })?
    }

    fn observe(&self, run: &str, observed: &Observed) -> Result<Reaction, Error> {
        if let Some(service) = self.service() {
            return service.ask("runs.observe", &json!({ "run": run,"observed": observed, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_runs();
            exports.call_observe(&mut instance.store, run, observed)
        })?
    }

    fn finish(&self, run: &str, ending: &Ending) -> Result<Episode, Error> {
        if let Some(service) = self.service() {
            return service.ask("runs.finish", &json!({ "run": run,"ending": ending, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_runs();
            exports.call_finish(&mut instance.store, run, *ending)
        })?
    }

    fn submit(
        &self,
        run: &NewRun,
        steps: &[Observed],
        ending: &Ending,
    ) -> Result<Submitted, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "runs.submit",
                &json!({ "run": run,"steps": steps,"ending": ending, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_runs();
            exports.call_submit(&mut instance.store, run, steps, *ending)
        })?
    }

    fn describe(&self, run: &str, description: &Description) -> Result<Run, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "runs.describe",
                &json!({ "run": run,"description": description, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_runs();
            exports.call_describe(&mut instance.store, run, description)
        })?
    }

    fn get(&self, run: &str) -> Result<Run, Error> {
        if let Some(service) = self.service() {
            return service.ask("runs.get", &json!({ "run": run, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_runs();
            exports.call_get(&mut instance.store, run)
        })?
    }

    fn open(&self, limit: u32) -> Result<Vec<Run>, Error> {
        if let Some(service) = self.service() {
            return service.ask("runs.open", &json!({ "limit": limit, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_runs();
            exports.call_open(&mut instance.store, limit)
        })?
    }

    fn recent_steps(&self, domain: &str, limit: u32) -> Result<Vec<PastStep>, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "runs.recent-steps",
                &json!({ "domain": domain,"limit": limit, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_runs();
            exports.call_recent_steps(&mut instance.store, domain, limit)
        })?
    }

    fn latest_steps(&self, run: &str, limit: u32) -> Result<Vec<PastStep>, Error> {
        if let Some(service) = self.service() {
            return service.ask("runs.latest-steps", &json!({ "run": run,"limit": limit, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_runs();
            exports.call_latest_steps(&mut instance.store, run, limit)
        })?
    }
}
