//! `links` of the memory, served by the component or a service: generated from the contract.

use serde_json::json;
use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Links for Memory {
    fn relate(&self, link: &Link) -> Result<Link, Error> {
        if let Some(service) = self.service() {
            return service.ask("links.relate", &json!({ "link": link, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_links();
            exports.call_relate(&mut instance.store, link)
        })?
    }

    fn unrelate(&self, link: &Link) -> Result<(), Error> {
        if let Some(service) = self.service() {
            return service.ask("links.unrelate", &json!({ "link": link, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_links();
            exports.call_unrelate(&mut instance.store, link)
        })?
    }

    fn of_memory(&self, id: &str) -> Result<Vec<Link>, Error> {
        if let Some(service) = self.service() {
            return service.ask("links.of-memory", &json!({ "id": id, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_links();
            exports.call_of_memory(&mut instance.store, id)
        })?
    }

    fn around(&self, walk: &Walk) -> Result<Neighbourhood, Error> {
        if let Some(service) = self.service() {
            return service.ask("links.around", &json!({ "walk": walk, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_links();
            exports.call_around(&mut instance.store, walk)
        })?
    }

    fn contradictions(&self, limit: u32) -> Result<Vec<Link>, Error> {
        if let Some(service) = self.service() {
            return service.ask("links.contradictions", &json!({ "limit": limit, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_links();
            exports.call_contradictions(&mut instance.store, limit)
        })?
    }
}
