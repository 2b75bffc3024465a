//! `twiceshy:memory/link-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::Timestamp;

/// A relation from one memory to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Relation {
    /// It was made from the other.
    #[cfg_attr(feature = "wasmtime", component(name = "derived-from"))]
    DerivedFrom,
    /// They are about the same thing.
    #[cfg_attr(feature = "wasmtime", component(name = "related-to"))]
    RelatedTo,
    /// They can't both be right. Holds in both directions.
    #[cfg_attr(feature = "wasmtime", component(name = "contradicts"))]
    Contradicts,
    /// It says more about the other.
    #[cfg_attr(feature = "wasmtime", component(name = "elaborates"))]
    Elaborates,
    /// It is a case of the other.
    #[cfg_attr(feature = "wasmtime", component(name = "example-of"))]
    ExampleOf,
    /// It takes the other's place.
    #[cfg_attr(feature = "wasmtime", component(name = "supersedes"))]
    Supersedes,
    /// The other takes its place.
    #[cfg_attr(feature = "wasmtime", component(name = "superseded-by"))]
    SupersededBy,
    /// It is a special case of the other.
    #[cfg_attr(feature = "wasmtime", component(name = "specializes"))]
    Specializes,
    /// It is a more general form of the other.
    #[cfg_attr(feature = "wasmtime", component(name = "generalizes"))]
    Generalizes,
    /// They help each other.
    #[cfg_attr(feature = "wasmtime", component(name = "complements"))]
    Complements,
}

impl Relation {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 10] = [
        Self::DerivedFrom,
        Self::RelatedTo,
        Self::Contradicts,
        Self::Elaborates,
        Self::ExampleOf,
        Self::Supersedes,
        Self::SupersededBy,
        Self::Specializes,
        Self::Generalizes,
        Self::Complements,
    ];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DerivedFrom => "derived-from",
            Self::RelatedTo => "related-to",
            Self::Contradicts => "contradicts",
            Self::Elaborates => "elaborates",
            Self::ExampleOf => "example-of",
            Self::Supersedes => "supersedes",
            Self::SupersededBy => "superseded-by",
            Self::Specializes => "specializes",
            Self::Generalizes => "generalizes",
            Self::Complements => "complements",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(9)]
    }
}

/// A relation between two memories: lessons, skills or episodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Link {
    /// The memory from which the relation is stated.
    pub source: String,
    /// The relation.
    pub relation: Relation,
    /// The other memory.
    pub target: String,
    /// The reason, in words.
    pub reason: String,
    /// When the link was made.
    pub at: Timestamp,
}

/// A memory that was reached through links.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct LinkedMemory {
    /// Its id: a lesson, an episode or a skill.
    pub id: String,
    /// `lesson`, `episode` or `skill`.
    pub kind: String,
    /// A summary in one line.
    pub summary: String,
    /// How many links away it is.
    pub distance: u32,
}

/// The memories that can be reached from one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Neighbourhood {
    /// The memories, nearest first. The first one is the start.
    #[serde(default)]
    pub memories: Vec<LinkedMemory>,
    /// The links between them.
    #[serde(default)]
    pub links: Vec<Link>,
    /// Whether the limit left out some memories.
    pub more: bool,
}

/// Where to start, and how far to go.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Walk {
    /// The memory to start from.
    pub memory: String,
    /// How many links to follow. Default: 2. Maximum: 8.
    #[serde(default)]
    pub depth: Option<u32>,
    /// Only follow these relations. Empty: all.
    #[serde(default)]
    pub relations: Vec<Relation>,
    /// At most this many memories. Default: 50. Maximum: 1,000.
    #[serde(default)]
    pub limit: Option<u32>,
}
