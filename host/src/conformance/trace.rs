//! A trace: recorded steps, and what an adapter said of them.
//!
//! Owns the form in which steps are written down, one JSON object for each (`{"goal": …, "step": …, "feedback": …}`),
//! and replaying them as a host would: a goal begins a run, and what was judged before comes along as `recent`.
//! Comparing with what is expected is in `golden`.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use twiceshy_wit::adapter::{Error, Feedback, Goal, PastStep, Step};

use crate::{Adapter, PluginError, limits};

/// One step of a trace, as it is written down.
///
/// Payloads may be given as JSON values or as texts. The same form is what `twiceshy adapter run` reads and, with
/// `--json`, writes, and what golden traces have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What the agent works towards, from this step on. It begins a run: nothing came before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<EntryGoal>,
    /// What was done and seen.
    pub step: Step,
    /// The feedback on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<Feedback>,
    /// Why there is no feedback on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Error>,
}

/// A goal as it is written down: what is left out is nothing in particular, and the domain is the adapter's.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EntryGoal {
    /// The task in words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub task: String,
    /// The domain of the step, if it is not the adapter's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// What must hold after each step.
    #[serde(skip_serializing_if = "serde_json::Value::is_null")]
    pub expectations: serde_json::Value,
}

/// What an adapter said of a step: its feedback, or why it gives none.
pub type Answer = Result<Feedback, Error>;

/// A run that is replayed.
#[derive(Debug)]
pub struct Replay<'a> {
    adapter: &'a Adapter,
    goal: Goal,
    recent: VecDeque<PastStep>,
}

impl<'a> Replay<'a> {
    /// A run without a goal, by an adapter.
    pub fn new(adapter: &'a Adapter) -> Self {
        let mut replay = Self {
            adapter,
            goal: Goal {
                task: String::new(),
                domain: String::new(),
                expectations: String::new(),
            },
            recent: VecDeque::new(),
        };
        replay.begin(&EntryGoal::default());
        replay
    }

    /// Begins a run: another goal, and nothing before.
    pub fn begin(&mut self, goal: &EntryGoal) {
        let domain = goal.domain.clone();
        self.goal = Goal {
            task: goal.task.clone(),
            domain: domain.unwrap_or_else(|| self.adapter.manifest().domain.clone()),
            expectations: text(&goal.expectations),
        };
        self.recent.clear();
    }

    /// Lets the adapter judge the next step of the run.
    ///
    /// # Errors
    /// If the adapter fails. That it refuses the step is an answer.
    pub fn step(&mut self, step: &Step) -> Result<Answer, PluginError> {
        let answer = self
            .adapter
            .answer(&self.goal, self.recent.make_contiguous(), step)?;
        if let Ok(feedback) = &answer {
            // A step that was refused is not part of what a host remembers.
            self.recent.push_back(PastStep {
                step: step.clone(),
                feedback: feedback.clone(),
            });
            if self.recent.len() > limits::RECENT_STEPS as usize {
                self.recent.pop_front();
            }
        }
        Ok(answer)
    }
}

/// A payload as text: a text is taken as it is, any other value as its JSON text.
fn text(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Null => String::new(),
        value => value.to_string(),
    }
}
