//! `twiceshy:memory/exchange-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

/// Which part of an export to return.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ExportRequest {
    /// The `next` of the part before it. Left out for the first part.
    #[serde(default)]
    pub after: Option<String>,
}

/// A part of an export.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Exported {
    /// The text of this part.
    pub text: String,
    /// How many records it has.
    pub records: u32,
    /// Pass it as `after` to get the next part. Missing if this was the last part.
    #[serde(default)]
    pub next: Option<String>,
}

/// A file to import.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ImportRequest {
    /// The file's text. At most 24 MiB.
    pub text: String,
    /// Whether to check it only.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "check-only"))]
    pub check_only: Option<bool>,
}

/// What an import did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
#[repr(C)]
pub struct Imported {
    /// How many records the file has.
    pub records: u32,
    /// How many of them were added, or would be.
    pub added: u32,
    /// How many the memory had already.
    pub known: u32,
}

// Lists of it are copied as bytes, so its layout is that of the canonical ABI.
const _: () = {
    assert!(size_of::<Imported>() == 12 && align_of::<Imported>() == 4);
    assert!(std::mem::offset_of!(Imported, records) == 0);
    assert!(std::mem::offset_of!(Imported, added) == 4);
    assert!(std::mem::offset_of!(Imported, known) == 8);
};

/// A file of an exported tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct TreeFile {
    /// Its path within the tree, with `/`: never absolute, no `..`.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A part of an exported tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct TreePiece {
    /// Whole files.
    #[serde(default)]
    pub files: Vec<TreeFile>,
    /// Pass it as `after` to get the next part. Missing if this was the last part.
    #[serde(default)]
    pub next: Option<String>,
}

/// What an import did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct TreeImport {
    /// Memories that were added.
    pub added: u32,
    /// Memories that existed and were changed by hand in the files.
    pub changed: u32,
    /// Memories that existed unchanged.
    pub known: u32,
    /// What was ignored: files that are not part of the layout, a damaged index (it is rebuilt), links to missing
    /// memories. Each with its path and the reason.
    #[serde(default)]
    pub ignored: Vec<String>,
}

/// What the lines of an export contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum LineKind {
    /// Failed steps, as `memory_events.jsonl`.
    #[cfg_attr(feature = "wasmtime", component(name = "events"))]
    Events,
    /// Lessons with evidence and links, as `memory_lessons.jsonl`.
    #[cfg_attr(feature = "wasmtime", component(name = "lessons"))]
    Lessons,
    /// Episodes with steps and accounts.
    #[cfg_attr(feature = "wasmtime", component(name = "episodes"))]
    Episodes,
    /// Experience entries.
    #[cfg_attr(feature = "wasmtime", component(name = "experience"))]
    Experience,
}

impl LineKind {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 4] = [
        Self::Events,
        Self::Lessons,
        Self::Episodes,
        Self::Experience,
    ];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Lessons => "lessons",
            Self::Episodes => "episodes",
            Self::Experience => "experience",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(3)]
    }
}
