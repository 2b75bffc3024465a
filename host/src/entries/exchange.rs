//! `exchange` of the memory, served by the component or a service: generated from the contract.

use serde_json::json;
use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Exchange for Memory {
    fn export_tree(&self, request: &ExportRequest) -> Result<TreePiece, Error> {
        if let Some(service) = self.service() {
            return service.ask("exchange.export-tree", &json!({ "request": request, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_exchange();
            exports.call_export_tree(&mut instance.store, request)
        })?
    }

    fn import_tree(&self, files: &[TreeFile], check_only: bool) -> Result<TreeImport, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "exchange.import-tree",
                &json!({ "files": files,"check-only": check_only, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_exchange();
            exports.call_import_tree(&mut instance.store, files, check_only)
        })?
    }

    fn export_lines(&self, kind: LineKind, request: &ExportRequest) -> Result<Exported, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "exchange.export-lines",
                &json!({ "kind": kind,"request": request, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_exchange();
            exports.call_export_lines(&mut instance.store, kind, request)
        })?
    }

    fn import_lines(&self, kind: LineKind, request: &ImportRequest) -> Result<Imported, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "exchange.import-lines",
                &json!({ "kind": kind,"request": request, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_exchange();
            exports.call_import_lines(&mut instance.store, kind, request)
        })?
    }
}
