//! `exchange` of the memory, served by the component: generated from the contract.

use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Exchange for Memory {
    fn export_tree(&self, request: &ExportRequest) -> Result<TreePiece, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_exchange();
            exports.call_export_tree(&mut instance.store, request)
        })?
    }

    fn import_tree(&self, files: &[TreeFile], check_only: bool) -> Result<TreeImport, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_exchange();
            exports.call_import_tree(&mut instance.store, files, check_only)
        })?
    }

    fn export_lines(&self, kind: LineKind, request: &ExportRequest) -> Result<Exported, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_exchange();
            exports.call_export_lines(&mut instance.store, kind, request)
        })?
    }

    fn import_lines(&self, kind: LineKind, request: &ImportRequest) -> Result<Imported, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_exchange();
            exports.call_import_lines(&mut instance.store, kind, request)
        })?
    }
}
