//! `twiceshy:memory/activation-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::Timestamp;

/// When a lesson is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Moment {
    /// In the briefing, before a run or between its steps.
    #[cfg_attr(feature = "wasmtime", component(name = "before-run"))]
    BeforeRun,
    /// After a failed step.
    #[cfg_attr(feature = "wasmtime", component(name = "on-error"))]
    OnError,
}

impl Moment {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 2] = [Self::BeforeRun, Self::OnError];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::BeforeRun => "before-run",
            Self::OnError => "on-error",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(1)]
    }
}

/// The effect of a lesson on one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Verdict {
    /// The run went better than runs without the lesson.
    #[cfg_attr(feature = "wasmtime", component(name = "helped"))]
    Helped,
    /// The run went worse.
    #[cfg_attr(feature = "wasmtime", component(name = "harmed"))]
    Harmed,
    /// The lesson made no difference.
    #[cfg_attr(feature = "wasmtime", component(name = "neutral"))]
    Neutral,
    /// The lesson was not relevant: none of its failures happened or was to be expected.
    #[cfg_attr(feature = "wasmtime", component(name = "no-opportunity"))]
    NoOpportunity,
}

impl Verdict {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 4] = [
        Self::Helped,
        Self::Harmed,
        Self::Neutral,
        Self::NoOpportunity,
    ];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Helped => "helped",
            Self::Harmed => "harmed",
            Self::Neutral => "neutral",
            Self::NoOpportunity => "no-opportunity",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(3)]
    }
}

/// How a run with a lesson went, compared with runs without it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ActivationOutcome {
    /// The verdict.
    pub verdict: Verdict,
    /// `0.65·error-reduction + 0.35·step-efficiency-gain`, or with a referee's score
    /// `0.50·error-reduction + 0.30·step-efficiency-gain + 0.20·referee-score-gain`.
    #[serde(default)]
    pub utility: Option<f64>,
    /// The lesson's share in the failures avoided, from -1 to 1.
    #[cfg_attr(feature = "wasmtime", component(name = "error-reduction"))]
    pub error_reduction: f64,
    /// The lesson's share in the steps saved, from -1 to 1.
    #[cfg_attr(feature = "wasmtime", component(name = "step-efficiency-gain"))]
    pub step_efficiency_gain: f64,
    /// The lesson's share in the better score, if a referee other than the signals gave one.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "referee-score-gain"))]
    pub referee_score_gain: Option<f64>,
    /// Failures of this run that the lesson is about.
    pub errors: u32,
    /// How many such failures were expected without the lesson.
    #[cfg_attr(feature = "wasmtime", component(name = "baseline-errors"))]
    pub baseline_errors: f64,
    /// The number of runs that this expectation is based on.
    #[cfg_attr(feature = "wasmtime", component(name = "baseline-runs"))]
    pub baseline_runs: u32,
}

/// An activation: a lesson was shown in a run, or withheld from it for comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Activation {
    /// Its id.
    pub id: String,
    /// The lesson.
    pub lesson: String,
    /// The run.
    pub run: String,
    /// How many steps the run had when the lesson was first shown.
    pub step: u32,
    /// At what moment it was first shown.
    pub moment: Moment,
    /// The failure after which it was first shown, by fingerprint.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// Whether it was withheld during the whole run.
    pub withheld: bool,
    /// How often it was shown, or would have been shown.
    pub showings: u32,
    /// When it was first shown.
    pub at: Timestamp,
    /// The score with which it was chosen.
    pub score: f64,
    /// Its effect. Missing until the run has ended.
    #[serde(default)]
    pub outcome: Option<ActivationOutcome>,
}

/// Activations of a lesson that are no longer kept one by one: what they add up to. Of which runs they were, after
/// which failure each came and what it was worth is not known any more; nothing that a lesson is judged by is lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
#[repr(C)]
pub struct EarlierActivations {
    /// Runs in which it was shown.
    #[cfg_attr(feature = "wasmtime", component(name = "shown-runs"))]
    pub shown_runs: u32,
    /// How often it was shown in them.
    pub showings: u32,
    /// Runs from which it was withheld for comparison.
    #[cfg_attr(feature = "wasmtime", component(name = "withheld-runs"))]
    pub withheld_runs: u32,
    /// Runs in which it was shown and helped.
    pub helped: u32,
    /// Runs in which it was shown and harmed.
    pub harmed: u32,
    /// Runs in which it was shown and made no difference.
    pub neutral: u32,
    /// When the first of them was.
    pub since: Timestamp,
    /// When the last of them was.
    pub until: Timestamp,
}

// Lists of it are copied as bytes, so its layout is that of the canonical ABI.
const _: () = {
    assert!(size_of::<EarlierActivations>() == 40 && align_of::<EarlierActivations>() == 8);
    assert!(std::mem::offset_of!(EarlierActivations, shown_runs) == 0);
    assert!(std::mem::offset_of!(EarlierActivations, showings) == 4);
    assert!(std::mem::offset_of!(EarlierActivations, withheld_runs) == 8);
    assert!(std::mem::offset_of!(EarlierActivations, helped) == 12);
    assert!(std::mem::offset_of!(EarlierActivations, harmed) == 16);
    assert!(std::mem::offset_of!(EarlierActivations, neutral) == 20);
    assert!(std::mem::offset_of!(EarlierActivations, since) == 24);
    assert!(std::mem::offset_of!(EarlierActivations, until) == 32);
};

/// Which activations to list. Members that are left out do not restrict.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ActivationFilter {
    /// Only activations of this lesson.
    #[serde(default)]
    pub lesson: Option<String>,
    /// Only activations of this run.
    #[serde(default)]
    pub run: Option<String>,
    /// At most this many. Default: 50. Maximum: 1,000.
    #[serde(default)]
    pub limit: Option<u32>,
}
