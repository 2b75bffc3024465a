//! `twiceshy:memory/failure-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::Timestamp;

/// A failed attempt to record.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct NewFailure {
    /// The group the module belongs to, such as `agents/e`. May be empty. At most 256 bytes.
    #[cfg_attr(feature = "wasmtime", component(name = "module-category"))]
    pub module_category: String,
    /// The module. 1 to 256 bytes.
    #[cfg_attr(feature = "wasmtime", component(name = "module-name"))]
    pub module_name: String,
    /// What was attempted. 1 to 2,000 characters.
    pub hypothesis: String,
    /// `syntax`, `type`, `import`, `test` or `unknown`. Default: found from the details.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "failure-type"))]
    pub failure_type: Option<String>,
    /// The error text. Long texts are shortened in the middle.
    #[cfg_attr(feature = "wasmtime", component(name = "failure-details"))]
    pub failure_details: String,
}

/// A failed attempt at a hypothesis. Immutable.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct FailedAttempt {
    /// Its id.
    pub id: String,
    /// The group the module belongs to.
    #[cfg_attr(feature = "wasmtime", component(name = "module-category"))]
    pub module_category: String,
    /// The module.
    #[cfg_attr(feature = "wasmtime", component(name = "module-name"))]
    pub module_name: String,
    /// What was attempted.
    pub hypothesis: String,
    /// `syntax`, `type`, `import`, `test` or `unknown`.
    #[cfg_attr(feature = "wasmtime", component(name = "failure-type"))]
    pub failure_type: String,
    /// The error text.
    #[cfg_attr(feature = "wasmtime", component(name = "failure-details"))]
    pub failure_details: String,
    /// The fingerprint of the details: the pattern it belongs to.
    pub fingerprint: String,
    /// When it was recorded.
    pub timestamp: Timestamp,
}

/// Which patterns to list. Members that are left out do not restrict.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct PatternFilter {
    /// Only failures of this module.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "module-name"))]
    pub module_name: Option<String>,
    /// Only failures of this type.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "failure-type"))]
    pub failure_type: Option<String>,
    /// Only patterns that occurred at least this often. Default: 1.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "min-count"))]
    pub min_count: Option<u32>,
}

/// A way in which attempts fail.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct FailurePattern {
    /// The fingerprint that its failures share.
    pub fingerprint: String,
    /// The readable form of its fingerprint.
    pub template: String,
    /// The type of its newest failure.
    #[cfg_attr(feature = "wasmtime", component(name = "failure-type"))]
    pub failure_type: String,
    /// How many failures.
    pub count: u32,
    /// The modules it occurred in, sorted.
    #[serde(default)]
    pub modules: Vec<String>,
    /// Different details, verbatim, newest first. At most 5.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "example-details"))]
    pub example_details: Vec<String>,
    /// When it last occurred.
    #[cfg_attr(feature = "wasmtime", component(name = "last-seen"))]
    pub last_seen: Timestamp,
}

/// A hypothesis about to be attempted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct WarningQuery {
    /// The module.
    #[cfg_attr(feature = "wasmtime", component(name = "module-name"))]
    pub module_name: String,
    /// What is about to be attempted.
    pub hypothesis: String,
    /// How often a pattern must have occurred to cause a warning. Default: 3.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "min-count"))]
    pub min_count: Option<u32>,
    /// Within how many days. Default: 30.
    #[serde(default)]
    pub days: Option<u32>,
    /// The number of failures from which a warning has medium severity. Default: 5.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "medium-from"))]
    pub medium_from: Option<u32>,
    /// The number of failures from which it has high severity. Default: 10.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "high-from"))]
    pub high_from: Option<u32>,
}

/// How serious a warning is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Severity {
    /// It happened.
    #[cfg_attr(feature = "wasmtime", component(name = "low"))]
    Low,
    /// It happens regularly.
    #[cfg_attr(feature = "wasmtime", component(name = "medium"))]
    Medium,
    /// It fails almost every time.
    #[cfg_attr(feature = "wasmtime", component(name = "high"))]
    High,
}

impl Severity {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(2)]
    }
}

/// A warning before an attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct FailureWarning {
    /// The hypothesis about to be attempted.
    pub hypothesis: String,
    /// The type of failure to expect.
    #[cfg_attr(feature = "wasmtime", component(name = "failure-type"))]
    pub failure_type: String,
    /// The failure patterns of earlier attempts, most frequent first.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "similar-failures"))]
    pub similar_failures: Vec<FailurePattern>,
    /// How certain the warning is, from 0 to 1: `similarity · n / (n + 1) · e^(−age / days)`, with the similarity
    /// of the most similar hypothesis, the number of failures, and the age of the last failure.
    pub confidence: f64,
    /// How serious it is, by the number of failures.
    pub severity: Severity,
}
