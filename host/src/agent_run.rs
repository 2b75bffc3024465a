//! A run of an agent: each step is judged by the adapter of its domain and observed by the memory, in one call.
//!
//! Whoever has feedback of their own calls [`Runs::observe`] instead, or hands it in for the case that the adapter fails:
//! then the run goes on without it, and the answer says so.

use std::{fmt, process::Output, time::Duration};

use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use twiceshy_wit::{
    adapter::{Feedback, Goal, Step},
    memory::{Ending, Episode, Error, NewRun, Observed, Reaction, Run, Runs},
};

use crate::{Adapters, Memory, PluginError, limits};

/// A step of an open run, to be judged and observed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawStep {
    /// The adapter that judges it. Default: the one for the run's domain.
    pub adapter: Option<String>,
    /// The run.
    pub run: String,
    /// What must hold after the step, as the adapter's schema says. Empty: nothing in particular.
    #[serde(default, deserialize_with = "json_text")]
    pub expectations: String,
    /// The step.
    pub step: Step,
    /// What to take if the adapter fails. Without it, nothing is observed then.
    pub feedback: Option<Feedback>,
}

/// As text or as the value itself, as in the contract.
fn json_text<'de, D: Deserializer<'de>>(input: D) -> Result<String, D::Error> {
    Ok(match Value::deserialize(input)? {
        Value::Null => String::new(),
        Value::String(text) => text,
        value => value.to_string(),
    })
}

/// A step that was judged and observed.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// What was said of the step.
    pub feedback: Feedback,
    /// What the memory makes of it.
    pub reaction: Reaction,
    /// Why the adapter failed, if it did and the given feedback was taken instead.
    pub adapter_error: Option<PluginError>,
}

/// Why a step was not observed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum JudgingError {
    /// The memory refused it.
    Memory(Error),
    /// The adapter failed, and there was no feedback to take instead.
    Adapter(PluginError),
}

impl fmt::Display for JudgingError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(error) => error.fmt(formatter),
            Self::Adapter(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for JudgingError {}

impl From<Error> for JudgingError {
    fn from(error: Error) -> Self {
        Self::Memory(error)
    }
}

impl From<PluginError> for JudgingError {
    fn from(error: PluginError) -> Self {
        Self::Adapter(error)
    }
}

impl Adapters {
    /// Judges one step of an open run and has a memory observe it.
    ///
    /// # Errors
    /// If there is no such run, or the adapter fails and there is no feedback to take instead.
    pub fn observe(&self, memory: &Memory, raw: RawStep) -> Result<Judged, JudgingError> {
        let run = memory.get(&raw.run)?;
        let goal = Goal {
            task: run.task,
            domain: run.domain,
            expectations: raw.expectations,
        };
        let recent = memory.latest_steps(&raw.run, limits::RECENT_STEPS)?;
        let adapter = match &raw.adapter {
            Some(name) => self.get(name),
            None => self.for_domain(&goal.domain),
        };
        let judged = adapter.and_then(|adapter| adapter.assess(&goal, &recent, &raw.step));
        let (feedback, adapter_error) = match (judged, raw.feedback) {
            (Ok(feedback), _) => (feedback, None),
            (Err(error), Some(feedback)) => (feedback, Some(error)),
            (Err(error), None) => return Err(error.into()),
        };
        let observed = Observed {
            step: raw.step,
            feedback,
        };
        let reaction = memory.observe(&raw.run, &observed)?;
        Ok(Judged {
            feedback: observed.feedback,
            reaction,
            adapter_error,
        })
    }
}

/// An open run. It stays open until it is finished, also if this is dropped: another process may go on with it.
#[derive(Debug)]
pub struct AgentRun<'a> {
    memory: &'a Memory,
    adapters: &'a Adapters,
    /// Its id.
    pub id: String,
}

impl<'a> AgentRun<'a> {
    /// Starts a run.
    ///
    /// # Errors
    /// What the memory says.
    pub fn start(memory: &'a Memory, adapters: &'a Adapters, run: &NewRun) -> Result<Self, Error> {
        let Run { id, .. } = memory.start(run)?;
        Ok(Self {
            memory,
            adapters,
            id,
        })
    }

    /// Judges a step by the adapter of the run's domain, and observes it.
    ///
    /// # Errors
    /// If the adapter fails, or the memory refuses the step.
    pub fn observe(&self, step: Step) -> Result<Judged, JudgingError> {
        let raw = RawStep {
            run: self.id.clone(),
            step,
            ..RawStep::default()
        };
        self.adapters.observe(self.memory, raw)
    }

    /// The same of a command that has ended.
    ///
    /// # Errors
    /// If the adapter fails, or the memory refuses the step.
    pub fn observe_command(
        &self,
        command: &[impl AsRef<str>],
        output: &Output,
        took: Duration,
    ) -> Result<Judged, JudgingError> {
        self.observe(command_step(command, output, took))
    }

    /// Ends the run, with `Ending::default()` as its last step says.
    ///
    /// # Errors
    /// What the memory says.
    pub fn finish(self, ending: &Ending) -> Result<Episode, Error> {
        self.memory.finish(&self.id, ending)
    }
}

/// A command that has ended, as a step of the domain `cli`.
pub fn command_step(command: &[impl AsRef<str>], output: &Output, took: Duration) -> Step {
    let words: Vec<_> = command.iter().map(AsRef::as_ref).collect();
    let mut observation = json!({
        "stdout": String::from_utf8_lossy(&output.stdout),
        "stderr": String::from_utf8_lossy(&output.stderr),
        "duration-ms": u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
    });
    if let Some(exit) = output.status.code() {
        observation["exit"] = exit.into();
    }
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&output.status) {
        observation["signal"] = signal.into();
    }
    Step {
        before: String::new(),
        action: json!({ "command": words }).to_string(),
        observation: observation.to_string(),
    }
}
