//! `twiceshy:memory/context-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::Feature;

/// The kind of work, which decides how memories are weighed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Work {
    /// Looking around.
    #[cfg_attr(feature = "wasmtime", component(name = "exploration"))]
    Exploration,
    /// Building.
    #[cfg_attr(feature = "wasmtime", component(name = "implementation"))]
    Implementation,
    /// Finding faults.
    #[cfg_attr(feature = "wasmtime", component(name = "debugging"))]
    Debugging,
    /// Judging.
    #[cfg_attr(feature = "wasmtime", component(name = "review"))]
    Review,
    /// Changing without changing what it does.
    #[cfg_attr(feature = "wasmtime", component(name = "refactoring"))]
    Refactoring,
}

impl Work {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 5] = [
        Self::Exploration,
        Self::Implementation,
        Self::Debugging,
        Self::Review,
        Self::Refactoring,
    ];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exploration => "exploration",
            Self::Implementation => "implementation",
            Self::Debugging => "debugging",
            Self::Review => "review",
            Self::Refactoring => "refactoring",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(4)]
    }
}

/// A task to find context for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ContextRequest {
    /// The task in words. 1 byte to 16 KiB.
    pub task: String,
    /// Its domain.
    pub domain: String,
    /// The type of task. Default: found from its words.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "task-type"))]
    pub task_type: Option<String>,
    /// The kind of work. Default: found from its words.
    #[serde(default)]
    pub work: Option<Work>,
    /// The type of action that comes next, to find what to avoid.
    #[serde(default)]
    pub action: Option<String>,
    /// Anything else that is known about it.
    #[serde(default)]
    pub features: Vec<Feature>,
    /// At most this many memories, besides those to avoid. Default: 5. Maximum: 50.
    #[serde(default)]
    pub limit: Option<u32>,
    /// At most this many tokens (an estimate). Default: 1,500.
    #[serde(default)]
    pub tokens: Option<u32>,
}

/// The kind of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum MemoryKind {
    /// Knowledge: a lesson or pattern.
    #[cfg_attr(feature = "wasmtime", component(name = "semantic"))]
    Semantic,
    /// An episode with a similar task.
    #[cfg_attr(feature = "wasmtime", component(name = "episodic"))]
    Episodic,
    /// A procedure.
    #[cfg_attr(feature = "wasmtime", component(name = "skill"))]
    Skill,
    /// What to avoid.
    #[cfg_attr(feature = "wasmtime", component(name = "anti-pattern"))]
    AntiPattern,
    /// A fact.
    #[cfg_attr(feature = "wasmtime", component(name = "fact"))]
    Fact,
}

impl MemoryKind {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 5] = [
        Self::Semantic,
        Self::Episodic,
        Self::Skill,
        Self::AntiPattern,
        Self::Fact,
    ];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Semantic => "semantic",
            Self::Episodic => "episodic",
            Self::Skill => "skill",
            Self::AntiPattern => "anti-pattern",
            Self::Fact => "fact",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(4)]
    }
}

/// A memory that may help with a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ContextItem {
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: MemoryKind,
    /// A summary in one or two lines.
    pub summary: String,
    /// The score: the weight of its kind times how well it fits.
    pub score: f64,
    /// How well it fits, from 0 to 1.
    pub fit: f64,
    /// Why it was chosen, in words.
    pub why: String,
    /// How to read more.
    pub more: String,
}

/// The weights of the kinds of memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
#[repr(C)]
pub struct ContextWeights {
    /// Knowledge.
    pub semantic: f64,
    /// Episodes with similar tasks.
    pub episodic: f64,
    /// Procedures.
    pub skills: f64,
}

// Lists of it are copied as bytes, so its layout is that of the canonical ABI.
const _: () = {
    assert!(size_of::<ContextWeights>() == 24 && align_of::<ContextWeights>() == 8);
    assert!(std::mem::offset_of!(ContextWeights, semantic) == 0);
    assert!(std::mem::offset_of!(ContextWeights, episodic) == 8);
    assert!(std::mem::offset_of!(ContextWeights, skills) == 16);
};

/// Context for a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct TaskBundle {
    /// What kind of work it is.
    pub work: Work,
    /// The weights of the kinds of memory.
    pub weights: ContextWeights,
    /// Patterns and lessons, best first.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "applicable-patterns"))]
    pub applicable_patterns: Vec<ContextItem>,
    /// Episodes with similar tasks, best first.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "similar-episodes"))]
    pub similar_episodes: Vec<ContextItem>,
    /// Facts.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "domain-knowledge"))]
    pub domain_knowledge: Vec<ContextItem>,
    /// Procedures.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "applicable-skills"))]
    pub applicable_skills: Vec<ContextItem>,
    /// What to avoid.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "avoid-these"))]
    pub avoid_these: Vec<ContextItem>,
    /// All of it as text for a prompt, with ids, marked so that the memory never learns from its own words.
    pub text: String,
    /// Its size in tokens (an estimate).
    pub tokens: u32,
    /// The ids of what did not fit.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "left-out"))]
    pub left_out: Vec<String>,
}
