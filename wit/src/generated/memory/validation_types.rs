//! `twiceshy:memory/validation-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{LessonStatus, PatternEvidence};

/// The result of a validation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum ValidationAnswer {
    /// The evidence is sufficient and significant, and the confidence high.
    #[cfg_attr(feature = "wasmtime", component(name = "validated"))]
    Validated,
    /// Not yet certain.
    #[cfg_attr(feature = "wasmtime", component(name = "candidate"))]
    Candidate,
    /// It was validated before, and no longer is.
    #[cfg_attr(feature = "wasmtime", component(name = "needs-review"))]
    NeedsReview,
    /// Fewer applications in the last 90 days than required.
    #[cfg_attr(feature = "wasmtime", component(name = "insufficient-evidence"))]
    InsufficientEvidence,
}

impl ValidationAnswer {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 4] = [
        Self::Validated,
        Self::Candidate,
        Self::NeedsReview,
        Self::InsufficientEvidence,
    ];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Validated => "validated",
            Self::Candidate => "candidate",
            Self::NeedsReview => "needs-review",
            Self::InsufficientEvidence => "insufficient-evidence",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(3)]
    }
}

/// The conditions for validating a pattern. One for the whole memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
#[repr(C)]
pub struct ValidationGate {
    /// The least number of applications: 1 to 1,000. Initially 5.
    #[cfg_attr(feature = "wasmtime", component(name = "least-applications"))]
    pub least_applications: u32,
    /// The least success rate. Initially 0.5.
    #[cfg_attr(feature = "wasmtime", component(name = "least-success-rate"))]
    pub least_success_rate: f64,
    /// The p-value must be below this. Initially 0.05.
    pub significance: f64,
    /// The confidence must be above this. Initially 0.7.
    pub confidence: f64,
}

// Lists of it are copied as bytes, so its layout is that of the canonical ABI.
const _: () = {
    assert!(size_of::<ValidationGate>() == 32 && align_of::<ValidationGate>() == 8);
    assert!(std::mem::offset_of!(ValidationGate, least_applications) == 0);
    assert!(std::mem::offset_of!(ValidationGate, least_success_rate) == 8);
    assert!(std::mem::offset_of!(ValidationGate, significance) == 16);
    assert!(std::mem::offset_of!(ValidationGate, confidence) == 24);
};

/// A validation of a pattern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Validation {
    /// The pattern.
    pub pattern: String,
    /// The result.
    pub answer: ValidationAnswer,
    /// Its status before.
    #[cfg_attr(feature = "wasmtime", component(name = "from-status"))]
    pub from_status: LessonStatus,
    /// Its status now.
    #[cfg_attr(feature = "wasmtime", component(name = "to-status"))]
    pub to_status: LessonStatus,
    /// The evidence for it.
    pub evidence: PatternEvidence,
    /// The reason, in words.
    pub reason: String,
}
