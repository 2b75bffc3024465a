//! Exchange: the memory as files that others can read, and back.
//!
//! Owns which format is which. JSON Lines are the business of [`lines`], the directory tree of [`tree`] and [`intake`];
//! what no format has travels along as [`carried`] documents, so that both ways are without loss.

mod agent_files;
pub(crate) mod carried;
pub(crate) mod episode_file;
pub(crate) mod episode_intake;
pub(crate) mod intake;
mod layout;
pub(crate) mod lines;
mod members;
pub(crate) mod recount;
mod semantic_files;
pub(crate) mod tree;

use twiceshy_wit::memory::*;

use crate::store::{Desk, Reader};

pub(crate) fn export_tree(reader: &Reader, request: &ExportRequest) -> Result<TreePiece, Error> {
    tree::tree_piece(reader, request.after.as_deref())
}

pub(crate) fn export_lines(
    reader: &Reader,
    kind: LineKind,
    request: &ExportRequest,
) -> Result<Exported, Error> {
    lines::lines(reader, kind, request.after.as_deref())
}

pub(crate) fn import_lines(
    desk: &mut Desk,
    kind: LineKind,
    request: &ImportRequest,
) -> Result<Imported, Error> {
    lines::take_lines(
        desk,
        kind,
        &request.text,
        request.check_only.unwrap_or(false),
    )
}
