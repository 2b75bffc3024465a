//! Causes: what tells failures of one fingerprint apart.
//!
//! Owns what each cause of a fingerprint cost without help. The same error text may answer many actions, and a lesson
//! is about one of them; so what is expected without it is what this one cost, not the others.

use serde::{Deserialize, Serialize};

/// An action in bytes, as a cause is known by it.
const ACTION_BYTES: usize = 512;

/// The action that met a failure, and what that cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Cause {
    pub(crate) action: String,
    /// Runs in which a lesson about it did something.
    #[serde(default)]
    pub(crate) treated_runs: u32,
    /// Other runs in which it came up.
    #[serde(default)]
    pub(crate) untreated_runs: u32,
    /// What it cost in those, in failed steps.
    #[serde(default)]
    pub(crate) untreated_cost: f64,
    pub(crate) last_at: u64,
}

/// What a failure cost in a run, with its cause.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cost {
    pub(crate) fingerprint: String,
    pub(crate) action: String,
    /// In failed steps.
    pub(crate) steps: u32,
}

/// The causes of one fingerprint.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Causes(Vec<Cause>);

impl Causes {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The causes that something is about.
    pub(crate) fn about<'c>(
        &'c self,
        is_about: &'c dyn Fn(&str) -> bool,
    ) -> impl Iterator<Item = &'c Cause> {
        self.0.iter().filter(|cause| is_about(&cause.action))
    }

    /// Takes in a run: what each cause cost, and which ones something was done about. Of more than `most` causes the
    /// latest are kept.
    pub(crate) fn take(
        &mut self,
        costs: &[&Cost],
        is_treated: &dyn Fn(&str) -> bool,
        most: usize,
        at: u64,
    ) {
        for cost in costs.iter().take(most) {
            self.enter(kept(&cost.action), most, at);
        }
        for cause in &mut self.0 {
            let cost = costs.iter().find(|cost| kept(&cost.action) == cause.action);
            if is_treated(&cause.action) {
                cause.treated_runs += 1;
            } else if let Some(cost) = cost {
                cause.untreated_runs += 1;
                cause.untreated_cost += f64::from(cost.steps);
            }
            if cost.is_some() {
                cause.last_at = cause.last_at.max(at);
            }
        }
    }

    /// Forgets causes by their actions, and says whether there were any.
    pub(crate) fn forget(&mut self, actions: &[String]) -> bool {
        let before = self.0.len();
        self.0
            .retain(|cause| !actions.iter().any(|action| kept(action) == cause.action));
        self.0.len() < before
    }

    /// Enters a cause; the one that was not seen for longest makes room.
    fn enter(&mut self, action: &str, most: usize, at: u64) {
        if self.0.iter().any(|cause| cause.action == action) {
            return;
        }
        if self.0.len() >= most {
            let oldest = (0..self.0.len()).min_by_key(|place| self.0[*place].last_at);
            self.0.remove(oldest.unwrap_or(0));
        }
        self.0.push(Cause {
            action: action.to_owned(),
            treated_runs: 0,
            untreated_runs: 0,
            untreated_cost: 0.0,
            last_at: at,
        });
    }
}

/// An action as a cause is known by it. Secrets were masked before.
fn kept(action: &str) -> &str {
    &action[..action.floor_char_boundary(ACTION_BYTES)]
}
