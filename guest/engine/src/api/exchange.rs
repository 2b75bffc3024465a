//! The interface `exchange` of the contract.

use twiceshy_wit::memory::{
    Error, Exchange, ExportRequest, Exported, ImportRequest, Imported, LineKind, TreeFile,
    TreeImport, TreePiece,
};

use super::Engine;
use crate::exchange;
use crate::exchange::intake;

impl Exchange for Engine<'_> {
    fn export_tree(&self, request: &ExportRequest) -> Result<TreePiece, Error> {
        exchange::export_tree(&self.desk(), request)
    }

    fn import_tree(&self, files: &[TreeFile], check_only: bool) -> Result<TreeImport, Error> {
        intake::take_tree(&mut self.desk(), files, check_only)
    }

    fn export_lines(&self, kind: LineKind, request: &ExportRequest) -> Result<Exported, Error> {
        exchange::export_lines(&self.desk(), kind, request)
    }

    fn import_lines(&self, kind: LineKind, request: &ImportRequest) -> Result<Imported, Error> {
        exchange::import_lines(&mut self.desk(), kind, request)
    }
}
