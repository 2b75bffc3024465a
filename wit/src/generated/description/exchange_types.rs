//! The nouns of `twiceshy:memory/exchange-types` as data: generated from the contract.

use crate::description::*;

/// `export-request`
pub static EXPORT_REQUEST: Record = Record { name: "export-request", docs: docs!("Which part of an export to return."), fields: &[
    Field { name: "after", ty: Type::Option(&Type::Text), docs: docs!("The `next` of the part before it. Left out for the first part.") },
] };

/// `exported`
pub static EXPORTED: Record = Record { name: "exported", docs: docs!("A part of an export."), fields: &[
    Field { name: "text", ty: Type::Text, docs: docs!("The text of this part.") },
    Field { name: "records", ty: Type::U32, docs: docs!("How many records it has.") },
    Field { name: "next", ty: Type::Option(&Type::Text), docs: docs!("Pass it as `after` to get the next part. Missing if this was the last part.") },
] };

/// `import-request`
pub static IMPORT_REQUEST: Record = Record { name: "import-request", docs: docs!("A file to import."), fields: &[
    Field { name: "text", ty: Type::Text, docs: docs!("The file's text. At most 24 MiB.") },
    Field { name: "check-only", ty: Type::Option(&Type::Bool), docs: docs!("Whether to check it only.") },
] };

/// `imported`
pub static IMPORTED: Record = Record { name: "imported", docs: docs!("What an import did."), fields: &[
    Field { name: "records", ty: Type::U32, docs: docs!("How many records the file has.") },
    Field { name: "added", ty: Type::U32, docs: docs!("How many of them were added, or would be.") },
    Field { name: "known", ty: Type::U32, docs: docs!("How many the memory had already.") },
] };

/// `tree-file`
pub static TREE_FILE: Record = Record { name: "tree-file", docs: docs!("A file of an exported tree."), fields: &[
    Field { name: "path", ty: Type::Text, docs: docs!("Its path within the tree, with `/`: never absolute, no `..`.") },
    Field { name: "text", ty: Type::Text, docs: docs!("Its text.") },
] };

/// `tree-piece`
pub static TREE_PIECE: Record = Record { name: "tree-piece", docs: docs!("A part of an exported tree."), fields: &[
    Field { name: "files", ty: Type::List(&Type::Record(&super::exchange_types::TREE_FILE)), docs: docs!("Whole files.") },
    Field { name: "next", ty: Type::Option(&Type::Text), docs: docs!("Pass it as `after` to get the next part. Missing if this was the last part.") },
] };

/// `tree-import`
pub static TREE_IMPORT: Record = Record { name: "tree-import", docs: docs!("What an import did, or would do."), fields: &[
    Field { name: "added", ty: Type::U32, docs: docs!("Memories that were added.") },
    Field { name: "changed", ty: Type::U32, docs: docs!("Memories that existed and were changed by hand in the files.") },
    Field { name: "known", ty: Type::U32, docs: docs!("Memories that existed unchanged.") },
    Field { name: "ignored", ty: Type::List(&Type::Text), docs: docs!("What was ignored: files that are not part of the layout, a damaged index (it is rebuilt), links to missing memories. Each with its path and the reason.") },
] };

/// `line-kind`
pub static LINE_KIND: Enum = Enum { name: "line-kind", docs: docs!("What the lines of an export contain."), cases: &[
    Case { name: "events", payload: None, docs: docs!("Failed steps, as `memory_events.jsonl`.") },
    Case { name: "lessons", payload: None, docs: docs!("Lessons with evidence and links, as `memory_lessons.jsonl`.") },
    Case { name: "episodes", payload: None, docs: docs!("Episodes with steps and accounts.") },
    Case { name: "experience", payload: None, docs: docs!("Experience entries.") },
] };

