//! Exchange: the memory as files that others can read, and back.
//!
//! Owns which format is which. JSON Lines are the business of [`lines`], the directory tree of [`tree`] and [`intake`];
//! what no format has travels along as [`carried`] documents, so that both ways are without loss.

mod agent_files;
mod carried;
mod episode_file;
mod episode_intake;
mod intake;
mod layout;
mod lines;
mod members;
mod recount;
mod semantic_files;
mod tree;

use twiceshy_wit::memory::*;

use crate::ports::Engine;

impl Exchange for Engine<'_> {
    fn export_tree(&self, request: &ExportRequest) -> Result<TreePiece, Error> {
        self.tree_piece(request.after.as_deref())
    }

    fn import_tree(&self, files: &[TreeFile], check_only: bool) -> Result<TreeImport, Error> {
        self.take_tree(files, check_only)
    }

    fn export_lines(&self, kind: LineKind, request: &ExportRequest) -> Result<Exported, Error> {
        self.lines(kind, request.after.as_deref())
    }

    fn import_lines(&self, kind: LineKind, request: &ImportRequest) -> Result<Imported, Error> {
        self.take_lines(kind, &request.text, request.check_only.unwrap_or(false))
    }
}
