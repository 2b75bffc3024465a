//! Exchange: the memory as files that others can read, and back.
//!
//! Owns which format is which. JSON Lines are the business of [`lines`], the directory tree of [`tree`]; what no format
//! has travels along as [`carried`] documents, so that both ways are without loss.

mod carried;
mod lines;
mod members;

use twiceshy_wit::memory::*;

use crate::ports::Engine;

impl Exchange for Engine<'_> {
    fn export_tree(&self, _request: &ExportRequest) -> Result<TreePiece, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn import_tree(&self, _files: &[TreeFile], _check_only: bool) -> Result<TreeImport, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn export_lines(&self, kind: LineKind, request: &ExportRequest) -> Result<Exported, Error> {
        self.lines(kind, request.after.as_deref())
    }

    fn import_lines(&self, kind: LineKind, request: &ImportRequest) -> Result<Imported, Error> {
        self.take_lines(kind, &request.text, request.check_only.unwrap_or(false))
    }
}
