//! Exchange.

use twiceshy_wit::memory::*;

use crate::ports::Engine;

impl Exchange for Engine<'_> {
    fn export_tree(&self, _request: &ExportRequest) -> Result<TreePiece, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn import_tree(&self, _files: &[TreeFile], _check_only: bool) -> Result<TreeImport, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn export_lines(&self, _kind: LineKind, _request: &ExportRequest) -> Result<Exported, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn import_lines(&self, _kind: LineKind, _request: &ImportRequest) -> Result<Imported, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }
}
