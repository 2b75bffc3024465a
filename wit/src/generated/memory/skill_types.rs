//! `twiceshy:memory/skill-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{LessonStatus, Timestamp};

/// A common error and its fix.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ErrorFix {
    /// The error.
    pub error: String,
    /// The fix.
    pub fix: String,
}

/// A skill: a procedure in steps, as Markdown that a person can edit. It is a lesson of the kind `skill`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Skill {
    /// Its id as a lesson.
    pub id: String,
    /// Its name, also as a file name, such as `api-implementation`.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// What is needed before.
    #[serde(default)]
    pub prerequisites: Vec<String>,
    /// The steps.
    #[serde(default)]
    pub steps: Vec<String>,
    /// Common errors and their fixes.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "common-errors"))]
    pub common_errors: Vec<ErrorFix>,
    /// When it is done.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "exit-criteria"))]
    pub exit_criteria: Vec<String>,
    /// The text as it was written.
    pub markdown: String,
    /// The version: 1 at first, one more after each change.
    pub version: u32,
    /// Its status.
    pub status: LessonStatus,
    /// When it was last changed.
    #[cfg_attr(feature = "wasmtime", component(name = "updated-at"))]
    pub updated_at: Timestamp,
}

/// A skill that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct SkillHit {
    /// The skill.
    pub skill: Skill,
    /// How well it fits, from 0 to 1.
    pub score: f64,
    /// The keywords by which it was found.
    #[serde(default)]
    pub keywords: Vec<String>,
}
