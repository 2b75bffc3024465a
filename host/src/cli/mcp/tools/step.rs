//! `report_step`: a step that was taken, judged by the adapter of its domain, and the hint that fits if it failed.

use std::time::{Duration, SystemTime};

use rmcp::schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use twiceshy::{
    PluginError, limits,
    wit::{
        adapter::{Failure as Failed, Feedback, Goal, Step},
        memory::{FailureContext, Hint, Observed, Reaction, Recall, Runs},
    },
};

use super::{Act, Caller, Connection};
use crate::cli::{
    capture::Capture,
    failure::Failure,
    judge::{DOMAIN, by_exit_alone},
    line_of_work,
    mcp::answer::{self, marked},
    run::UNSCORED,
    session_run::has_failed,
    show,
    told::Told,
    users_memory,
};

/// The domain of what is no command, unless the caller names one.
const OTHER_DOMAIN: &str = "tool";

/// The action of a step in one line, as the contract has it.
const ACTION_BYTES: usize = 4 << 10;

/// What is said of a step that the host has told of.
const TOLD: &str = "Noted already: the hook of your host told of this step.";

/// Why a step counts as failed of which only that is known.
const SAID_TO_FAIL: &str = "reported as failed";

/// What was done, and what came of it.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Report {
    /// The shell command, exactly as it was run. Either this or `action`.
    #[serde(alias = "cmd")]
    command: Option<String>,
    /// Anything else that was done, in one line, such as `edit src/main.rs: replace parse()`.
    action: Option<String>,
    /// The exit code of the command.
    #[serde(alias = "exit", alias = "exitCode", alias = "returncode")]
    exit_code: Option<i64>,
    /// Whether it failed. Needed where there is no exit code.
    failed: Option<bool>,
    /// What it printed, as it was; long output may be cut in the middle.
    #[serde(alias = "stdout")]
    output: Option<String>,
    /// The error text, as it was.
    #[serde(alias = "stderr")]
    error: Option<String>,
    /// The directory it ran in.
    #[serde(alias = "cwd")]
    directory: Option<String>,
    /// How long it took, in milliseconds.
    duration_ms: Option<u64>,
    /// The task it belongs to, as `start_task` returned it. Default: the one that is open in this session.
    run: Option<String>,
    /// The session it belongs to, if one connection serves several agents. Default: this connection.
    session: Option<String>,
    /// What kind of action it is: lowercase letters, digits and dashes. Default: `cli` for commands, `tool` for others.
    domain: Option<String>,
    /// At most this many tokens of hints (an estimate). Default: no limit.
    max_tokens: Option<u32>,
    #[serde(skip)]
    is_shortened: bool,
}

/// How the memory reacts.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Reacted {
    /// What the words in here are.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<&'static str>,
    /// Whether the step counts as failed.
    failed: bool,
    /// The id of the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    /// Its fingerprint: the same failure has the same one everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprint: Option<String>,
    /// What is known that fits, best first.
    hints: Vec<Hinted>,
    /// What went wrong while it was judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// A lesson that fits.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Hinted {
    /// The lesson's id, for `why`, `feedback` and `forget`.
    lesson: String,
    /// What to do, with the names of the step at hand.
    text: String,
    /// How well it fits, from 0 to 1.
    score: f64,
    /// Whether it is a candidate, or promoted: proven to help.
    status: String,
}

impl From<Hint> for Hinted {
    fn from(hint: Hint) -> Self {
        Self {
            text: hint.text,
            score: hint.score,
            status: hint.lesson.status.as_str().to_owned(),
            lesson: hint.lesson.id,
        }
    }
}

/// Hints in the marks of the memory, a line each.
fn hint_lines(hints: &[Hint]) -> String {
    let line = |hint: &Hint| {
        let lesson = &hint.lesson;
        format!(
            "- {} ({}): {}",
            lesson.id,
            lesson.status.as_str(),
            hint.text
        )
    };
    marked(&hints.iter().map(line).collect::<Vec<_>>())
}

impl Act for Report {
    type Output = Reacted;

    fn act(
        mut self,
        connection: &Connection,
        caller: &Caller,
    ) -> Result<(String, Reacted), Failure> {
        let workspace = &connection.workspace;
        self.shorten(workspace.settings().capture_kib << 10);
        let memory = workspace.step_memory()?;
        workspace.end_idle(memory)?;
        let domain = self.domain.clone().unwrap_or_else(|| self.own_domain());
        let (observed, trouble) = self.observed(connection, &domain)?;
        let failed = has_failed(&observed);
        if let Some(command) = &self.command
            && let Some(answered) =
                Told::of(workspace.project(), workspace.host.clone()).take(command, failed)
        {
            return self.known_already(connection, &observed, answered);
        }
        let new_run = connection.new_run(caller, "", &domain, self.session.as_deref());
        let mut reaction = None;
        if let Some(run) = &self.run {
            reaction = Some(memory.observe(run, &observed)?);
        } else if let Some(open) = connection.session_run(self.session.as_deref(), failed) {
            let act = line_of_work::Act::of(&observed, failed, self.exit_code == Some(127));
            let duration = Duration::from_millis(self.duration_ms.unwrap_or_default());
            let started = SystemTime::now().checked_sub(duration);
            let started = started.unwrap_or(SystemTime::UNIX_EPOCH);
            reaction = open.take_in(memory, &new_run, &observed, &act, started, &UNSCORED)?;
        }
        let reaction = match reaction {
            Some(reaction) => reaction,
            None => memory
                .submit(&new_run, std::slice::from_ref(&observed), &UNSCORED)?
                .reactions
                .remove(0),
        };
        let is_silent = failed && reaction.hints.is_empty() && workspace.settings().hints > 0;
        let (mut text, mut reacted) = self.reacted(reaction, trouble);
        if is_silent {
            self.borrow(connection, &observed, &mut text, &mut reacted)?;
        }
        Ok((text, reacted))
    }
}

impl Report {
    /// A step that the host's hook has told of: it counts once. What the host did not pass on is said here.
    fn known_already(
        &self,
        connection: &Connection,
        observed: &Observed,
        answered: bool,
    ) -> Result<(String, Reacted), Failure> {
        let failure = observed.feedback.hard_failure.as_ref();
        let hints = match failure.filter(|_| !answered) {
            None => Vec::new(),
            Some(failure) => connection.workspace.memory()?.on_error(&FailureContext {
                evidence: failure.evidence.clone(),
                fingerprint: None,
                action_text: Some(observed.feedback.action_text.clone()),
                domain: DOMAIN.to_owned(),
                task: String::new(),
                limit: None,
                tokens: self.max_tokens,
            })?,
        };
        let mut text = format!("{TOLD}\n");
        if !hints.is_empty() {
            text.push_str(&hint_lines(&hints));
        }
        let hints: Vec<_> = hints.into_iter().map(Hinted::from).collect();
        let reacted = Reacted {
            about: answer::note(!hints.is_empty()),
            failed: has_failed(observed),
            failure: None,
            fingerprint: None,
            hints,
            note: Some(TOLD.to_owned()),
        };
        Ok((text, reacted))
    }

    /// Adds what the user's own memory knows where the project's knows nothing.
    fn borrow(
        &self,
        connection: &Connection,
        observed: &Observed,
        text: &mut String,
        reacted: &mut Reacted,
    ) -> Result<(), Failure> {
        let workspace = &connection.workspace;
        let memory = workspace.step_memory()?;
        let hints = users_memory::hints(
            workspace.context(),
            workspace.component()?,
            memory,
            observed,
        );
        for hint in hints {
            let line = format!(
                "- {} ({}): {}",
                hint.lesson.id,
                users_memory::MARK,
                hint.text
            );
            text.push_str(&marked(&[line]));
            reacted.about = answer::note(true);
            reacted.hints.push(Hinted {
                status: users_memory::MARK.to_owned(),
                ..Hinted::from(hint)
            });
        }
        Ok(())
    }

    /// Keeps the head and the tail of long texts.
    fn shorten(&mut self, most: usize) {
        for text in [&mut self.output, &mut self.error].into_iter().flatten() {
            let mut capture = Capture::new(most);
            capture.push(text.as_bytes());
            self.is_shortened |= capture.shortened();
            *text = capture.text();
        }
    }

    fn own_domain(&self) -> String {
        let domain = match self.command {
            Some(_) => DOMAIN,
            None => OTHER_DOMAIN,
        };
        domain.to_owned()
    }

    /// The step with what its domain says of it, and why nobody could say it.
    fn observed(
        &self,
        connection: &Connection,
        domain: &str,
    ) -> Result<(Observed, Option<PluginError>), Failure> {
        let Some(command) = &self.command else {
            return Ok((self.other_step()?, None));
        };
        if command.trim().is_empty() {
            return Err(Failure::input(
                "`command` is empty; give the command as it was run.",
            ));
        }
        let error = self.error.as_deref().unwrap_or_default();
        if self.exit_code.is_none() && self.failed.is_none() && error.trim().is_empty() {
            return Err(Failure::input(
                "Give `exit_code`, or `failed` if there was none: whether the command worked can't be told otherwise.",
            ));
        }
        let step = self.step(command);
        let workspace = &connection.workspace;
        let memory = workspace.step_memory()?;
        let goal = Goal {
            task: String::new(),
            domain: DOMAIN.to_owned(),
            expectations: String::new(),
        };
        let recent = memory.recent_steps(domain, limits::RECENT_STEPS)?;
        let adapter = workspace.adapters()?.get(DOMAIN);
        let assessed = adapter.and_then(|adapter| adapter.assess(&goal, &recent, &step));
        let (mut feedback, trouble) = match assessed {
            Ok(feedback) => (feedback, None),
            Err(error) => (by_exit_alone(&step), Some(error)),
        };
        self.correct(&mut feedback);
        Ok((Observed { step, feedback }, trouble))
    }

    /// Where there is no exit code, the word of whoever saw it counts.
    fn correct(&self, feedback: &mut Feedback) {
        if self.exit_code.is_some() {
            return;
        }
        let error = self.error.as_deref().unwrap_or_default();
        match self.failed.unwrap_or(!error.trim().is_empty()) {
            true if feedback.hard_failure.is_none() => {
                feedback.hard_failure = Some(self.failure());
            }
            false => feedback.hard_failure = None,
            true => {}
        }
    }

    fn failure(&self) -> Failed {
        let texts = [&self.error, &self.output].into_iter().flatten();
        let evidence = texts.into_iter().find(|text| !text.trim().is_empty());
        Failed {
            reason: SAID_TO_FAIL.to_owned(),
            evidence: evidence.cloned().unwrap_or_default(),
        }
    }

    fn step(&self, command: &str) -> Step {
        let mut action = json!({ "command": command });
        if let Some(directory) = &self.directory {
            action["directory"] = directory.as_str().into();
        }
        let observation = json!({
            "exit": self.exit_code,
            "stdout": self.output.as_deref().unwrap_or_default(),
            "stderr": self.error.as_deref().unwrap_or_default(),
            "shortened": self.is_shortened,
            "duration-ms": self.duration_ms.unwrap_or_default(),
        });
        Step {
            before: String::new(),
            action: action.to_string(),
            observation: observation.to_string(),
        }
    }

    /// A step that is no command: nobody but the caller knows whether it worked.
    fn other_step(&self) -> Result<Observed, Failure> {
        let action = self.action.as_deref().unwrap_or_default().trim();
        if action.is_empty() {
            return Err(Failure::input(
                "Give the `command` that was run, or what was done instead as `action`.",
            ));
        }
        let error = self.error.as_deref().unwrap_or_default();
        let failed = match (self.failed, self.exit_code) {
            (Some(failed), _) => failed,
            (None, Some(exit)) => exit != 0,
            (None, None) => !error.trim().is_empty(),
        };
        let line = show::line(action);
        let feedback = Feedback {
            action_text: line[..line.floor_char_boundary(ACTION_BYTES)].to_owned(),
            hard_failure: failed.then(|| self.failure()),
            ..Feedback::default()
        };
        let observation = json!({ "output": self.output, "error": self.error });
        let step = Step {
            before: String::new(),
            action: json!({ "action": action }).to_string(),
            observation: observation.to_string(),
        };
        Ok(Observed { step, feedback })
    }

    fn reacted(&self, reaction: Reaction, trouble: Option<PluginError>) -> (String, Reacted) {
        let texts = reaction.hints.iter().map(|hint| hint.text.as_str());
        let most = answer::fitting(texts, self.max_tokens);
        let cut = reaction.hints.len() > most;
        let hints: Vec<_> = reaction.hints.into_iter().take(most).collect();
        let mut text = match (&reaction.failure, hints.is_empty()) {
            (None, _) => "Noted: it worked.\n".to_owned(),
            (Some(failure), true) => {
                format!(
                    "Noted as {}: nothing is known yet that fits this failure.\n",
                    failure.id
                )
            }
            // The engine's own words, unless they are too many.
            (Some(_), false) if !cut => reaction.text,
            (Some(_), false) => hint_lines(&hints),
        };
        let note = trouble.map(|error| format!("judged by its exit alone: {error}"));
        if let Some(note) = &note {
            text.push_str(&format!("({})\n", show::line(note)));
        }
        let hints: Vec<_> = hints.into_iter().map(Hinted::from).collect();
        let failure = reaction.failure.as_ref();
        let reacted = Reacted {
            about: answer::note(!hints.is_empty()),
            failed: failure.is_some(),
            failure: failure.map(|failure| failure.id.clone()),
            fingerprint: failure.map(|failure| failure.fingerprint.clone()),
            hints,
            note,
        };
        (text, reacted)
    }
}
