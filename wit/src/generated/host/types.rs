//! `twiceshy:host/types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

/// Milliseconds since the Unix epoch.
pub type Timestamp = u64;

/// The name of a document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Key {
    /// The kind of document, such as `event`: lowercase letters, digits and dashes, at most 32.
    pub kind: String,
    /// The document's id, unique within its kind. At most 256 bytes.
    pub id: String,
}

/// The value of an attribute. Texts are ordered by their bytes, numbers by value; numbers come before texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(variant)
)]
pub enum Value {
    /// A text of at most 1 KiB.
    #[cfg_attr(feature = "wasmtime", component(name = "text"))]
    Text(String),
    /// A finite number.
    #[cfg_attr(feature = "wasmtime", component(name = "number"))]
    Number(f64),
}

/// A named value by which documents are found. A name may occur several times in one document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Attribute {
    /// The name: lowercase letters, digits and dashes, at most 32.
    pub name: String,
    /// The value.
    pub value: Value,
}

/// A document to write. It replaces the whole document that had the same key.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Document {
    /// The document's name.
    pub key: Key,
    /// The content, which the store does not interpret. At most 8 MiB.
    pub body: String,
    /// The attributes by which it is found.
    #[serde(default)]
    pub attributes: Vec<Attribute>,
    /// Terms for full-text search, separated by white space. A store matches whole terms, ignoring ASCII case,
    /// and does not split them further. Empty: not searched.
    pub text: String,
    /// The vector for nearest-vector search. All vectors of one kind have the same length. Empty: not searched.
    #[serde(default)]
    pub vector: Vec<f32>,
}

/// A document that was read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Stored {
    /// The document's name.
    pub key: Key,
    /// The version: 1 after the first write, and one more after each later write. It begins again at 1 after a
    /// removal.
    pub version: u32,
    /// The content as it was written.
    pub body: String,
}

/// What must hold for a key before a change is made. Earlier changes of the same batch count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(variant)
)]
pub enum Precondition {
    /// Nothing.
    #[cfg_attr(feature = "wasmtime", component(name = "anything"))]
    Anything,
    /// The document must not exist.
    #[cfg_attr(feature = "wasmtime", component(name = "absent"))]
    Absent,
    /// The document must exist with this version.
    #[cfg_attr(feature = "wasmtime", component(name = "at"))]
    At(u32),
}

/// A document to write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Put {
    /// What to write.
    pub document: Document,
    /// The condition for writing it.
    pub precondition: Precondition,
}

/// A document to remove. Removing a missing document changes nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Removal {
    /// What to remove.
    pub key: Key,
    /// The condition for writing it.
    pub precondition: Precondition,
}

/// One part of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(variant)
)]
pub enum Change {
    /// Write a document.
    #[cfg_attr(feature = "wasmtime", component(name = "put"))]
    Put(Put),
    /// Remove a document.
    #[cfg_attr(feature = "wasmtime", component(name = "remove"))]
    Remove(Removal),
}

/// A test on the value of an attribute. If an attribute occurs several times, one value that passes is enough.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(variant)
)]
pub enum Test {
    /// Equal to this value.
    #[cfg_attr(feature = "wasmtime", component(name = "equals"))]
    Equals(Value),
    /// Equal to one of these values. If there are no values, nothing passes.
    #[cfg_attr(feature = "wasmtime", component(name = "any-of"))]
    AnyOf(Vec<Value>),
    /// At least this value, and of the same type.
    #[cfg_attr(feature = "wasmtime", component(name = "at-least"))]
    AtLeast(Value),
    /// At most this value, and of the same type.
    #[cfg_attr(feature = "wasmtime", component(name = "at-most"))]
    AtMost(Value),
    /// The document has no such attribute.
    #[cfg_attr(feature = "wasmtime", component(name = "missing"))]
    Missing,
}

/// A test on one attribute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Condition {
    /// The attribute's name.
    pub attribute: String,
    /// The test.
    pub test: Test,
}

/// An order by one attribute. Documents without it are left out. If a document has several values, the first one
/// in the direction of the order counts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct AttributeOrder {
    /// The attribute's name.
    pub attribute: String,
    /// Largest first.
    pub descending: bool,
}

/// The order of the documents that are found. In the orders by id and by attribute, ties are broken by id,
/// ascending. Among equal scores, the document that was first written later comes first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(variant)
)]
pub enum Order {
    /// By id, ascending.
    #[cfg_attr(feature = "wasmtime", component(name = "by-id"))]
    ById,
    /// By an attribute.
    #[cfg_attr(feature = "wasmtime", component(name = "by-attribute"))]
    ByAttribute(AttributeOrder),
    /// Documents that contain at least one of these terms, separated by white space, best first: BM25 over the
    /// documents of the kind that have a text, k1 = 1.2, b = 0.75, a term in h of n texts weighing
    /// ln(1 + (n - h + 0.5) / (h + 0.5)). Lengths l below 24, and an average below it, count as 24 - 0.1 (24 - l):
    /// a short text is not more to the point for being short. A term that is given twice counts twice. Terms
    /// count beginning with the rarest (equally rare ones by their bytes) as long as the numbers of documents
    /// that contain each of them add up to at most 200,000. The rarest term always counts; terms beyond the limit
    /// do not count at all. The score is the sum over the terms that count, beginning with the rarest.
    #[cfg_attr(feature = "wasmtime", component(name = "by-text"))]
    ByText(String),
    /// Documents that have a vector, nearest first by cosine similarity.
    #[cfg_attr(feature = "wasmtime", component(name = "by-nearest"))]
    ByNearest(Vec<f32>),
}

/// A question to the store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Query {
    /// The kind of documents to search.
    pub kind: String,
    /// Conditions that must all hold. At most 100.
    #[serde(default)]
    pub conditions: Vec<Condition>,
    /// The order of the answer.
    pub order: Order,
    /// How many to skip.
    pub offset: u32,
    /// How many to return. Maximum: 10,000.
    pub limit: u32,
}

/// A document that was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Found {
    /// The document.
    pub document: Stored,
    /// The BM25 score or the cosine similarity; 0 for the other orders.
    pub score: f64,
}

/// Bytes under a key.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Entry {
    /// The key: ASCII characters from space to `~`, at most 1,024. Keys are ordered by their characters.
    pub key: String,
    /// The value. At most 64 MiB.
    #[serde(default)]
    pub value: Vec<u8>,
}

/// A change of what is under one key.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Write {
    /// The key.
    pub key: String,
    /// The new value. Missing: the key is removed, if it is there.
    #[serde(default)]
    pub value: Option<Vec<u8>>,
}

/// How urgent a log message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Level {
    /// For debugging.
    #[cfg_attr(feature = "wasmtime", component(name = "debug"))]
    Debug,
    /// Worth knowing.
    #[cfg_attr(feature = "wasmtime", component(name = "info"))]
    Info,
    /// Something is wrong, but the memory continues.
    #[cfg_attr(feature = "wasmtime", component(name = "warn"))]
    Warn,
}

impl Level {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Debug, Self::Info, Self::Warn];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(2)]
    }
}

/// Why a port failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(variant)
)]
pub enum Error {
    /// A precondition does not hold. Nothing was changed. Read again, then retry.
    #[cfg_attr(feature = "wasmtime", component(name = "conflict"))]
    Conflict(String),
    /// The query or the change is malformed; names the member. Nothing was changed.
    #[cfg_attr(feature = "wasmtime", component(name = "invalid-argument"))]
    InvalidArgument(String),
    /// Another process holds the store for longer than the host waits. Retry later.
    #[cfg_attr(feature = "wasmtime", component(name = "busy"))]
    Busy(String),
    /// There is no room left. Nothing was changed.
    #[cfg_attr(feature = "wasmtime", component(name = "full"))]
    Full(String),
    /// The store can be read but not written.
    #[cfg_attr(feature = "wasmtime", component(name = "read-only"))]
    ReadOnly(String),
    /// Stored data can't be read.
    #[cfg_attr(feature = "wasmtime", component(name = "corrupt"))]
    Corrupt(String),
    /// The host does not offer this.
    #[cfg_attr(feature = "wasmtime", component(name = "unavailable"))]
    Unavailable(String),
    /// The host offers this, but not to this memory.
    #[cfg_attr(feature = "wasmtime", component(name = "denied"))]
    Denied(String),
    /// Anything else.
    #[cfg_attr(feature = "wasmtime", component(name = "other"))]
    Other(String),
}

impl Error {
    /// The name of the case in the contract.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Conflict(_) => "conflict",
            Self::InvalidArgument(_) => "invalid-argument",
            Self::Busy(_) => "busy",
            Self::Full(_) => "full",
            Self::ReadOnly(_) => "read-only",
            Self::Corrupt(_) => "corrupt",
            Self::Unavailable(_) => "unavailable",
            Self::Denied(_) => "denied",
            Self::Other(_) => "other",
        }
    }

    /// What happened, and what to do.
    pub fn message(&self) -> &str {
        match self {
            Self::Conflict(message)
            | Self::InvalidArgument(message)
            | Self::Busy(message)
            | Self::Full(message)
            | Self::ReadOnly(message)
            | Self::Corrupt(message)
            | Self::Unavailable(message)
            | Self::Denied(message)
            | Self::Other(message) => message,
        }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.message())
    }
}

impl std::error::Error for Error {}
