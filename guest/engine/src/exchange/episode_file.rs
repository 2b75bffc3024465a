//! The file of an episode: the full trace of one task, as the memory hierarchy has it.
//!
//! Owns its members, how they are made from an episode's documents, how an episode of another system is read from
//! them, and which of them may be changed by hand. Steps are evidence: they are imported once and never rewritten.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twiceshy_wit::memory::{
    Account, Artifact, EncounteredError, Episode, Error, Event, NewEpisode, Outcome, TraceEntry,
    TraceStep,
};

use super::{
    carried::Extension,
    members::{Amount, At, Word},
};
use crate::{
    episodes::tasks::task_id,
    limits, payload,
    store::{Kind, Reader},
};

/// The domain of an episode whose file names none.
const DOMAIN: &str = "general";

/// How many errors are exported for an episode without an account.
const ERRORS: usize = 64;

/// An episode as its file has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct EpisodeFile {
    pub(super) id: String,
    #[serde(default)]
    task_id: String,
    timestamp: At,
    #[serde(default)]
    duration_seconds: Amount,
    #[serde(default)]
    agent: String,
    context: Context,
    #[serde(default)]
    action_log: Vec<Action>,
    pub(super) outcome: Word<Outcome>,
    #[serde(default)]
    pub(super) errors_encountered: Vec<Trouble>,
    #[serde(default)]
    artifacts_produced: Vec<String>,
    #[serde(default)]
    git_commit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) twiceshy: Option<Extension>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Context {
    #[serde(default)]
    phase: String,
    goal: String,
    #[serde(default)]
    constraints: Vec<String>,
    #[serde(default)]
    files_involved: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Action {
    /// Seconds since the start.
    t: Amount,
    action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// An error and what resolved it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Trouble {
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) message: String,
    #[serde(default)]
    pub(super) resolution: String,
}

/// The file of an episode, with all its documents. Steps and account are brought from cold storage, so that the
/// file is whole by itself.
pub(super) fn episode_file(reader: &Reader, id: &str) -> Result<EpisodeFile, Error> {
    let extension = super::carried::carried_of_run(reader, id)?;
    let unreadable =
        |reason: String| Error::Storage(format!("Episode `{id}` can't be read: {reason}."));
    let mut file = written(&extension).map_err(unreadable)?;
    file.twiceshy = Some(extension);
    Ok(file)
}

/// The members that an episode's documents come to.
pub(super) fn written(extension: &Extension) -> Result<EpisodeFile, String> {
    let episode: Episode = extension.noun()?.ok_or("its document is missing")?;
    let account = account(extension)?;
    let steps: Vec<TraceStep> = extension.nouns()?;
    let errors = match account.errors_encountered.is_empty() {
        true => extension
            .nouns::<Event>()?
            .iter()
            .take(ERRORS)
            .map(trouble)
            .collect(),
        false => account
            .errors_encountered
            .iter()
            .map(|error| Trouble {
                kind: error.kind.clone(),
                message: error.message.clone(),
                resolution: error.resolution.clone(),
            })
            .collect(),
    };
    let started_at = episode.started_at;
    Ok(EpisodeFile {
        task_id: named_task(&account)
            .or_else(|| task_id(&episode.domain, &episode.task))
            .unwrap_or_default(),
        timestamp: At(started_at),
        duration_seconds: seconds(episode.ended_at, started_at),
        agent: episode.agent,
        context: Context {
            phase: account.phase.clone().unwrap_or_default(),
            goal: episode.task,
            constraints: account.constraints.clone(),
            files_involved: account.files_involved.clone(),
        },
        action_log: steps.iter().map(|step| action(step, started_at)).collect(),
        outcome: Word(episode.outcome),
        errors_encountered: errors,
        artifacts_produced: account
            .artifacts
            .iter()
            .map(|one| one.name.clone())
            .collect(),
        git_commit: account.git_commit.clone(),
        twiceshy: None,
        id: episode.id,
    })
}

/// The account among an episode's documents; an empty one if nobody gave one.
fn account(extension: &Extension) -> Result<Account, String> {
    match extension
        .first(Kind::Account)
        .and_then(|body| body.get("account"))
    {
        Some(account) => serde_json::from_value(account.clone()).map_err(|error| error.to_string()),
        None => Ok(Account::default()),
    }
}

fn seconds(until: u64, since: u64) -> Amount {
    Amount(until.saturating_sub(since) as f64 / 1_000.0)
}

fn milliseconds(seconds: Amount) -> u64 {
    (seconds.0 * 1_000.0).round() as u64
}

/// The id that another system gave the task.
fn named_task(account: &Account) -> Option<String> {
    let context: Value = serde_json::from_str(&account.context).ok()?;
    Some(context.get("task_id")?.as_str()?.to_owned())
}

fn trouble(event: &Event) -> Trouble {
    let evidence = event.evidence.trim();
    let message = if evidence.is_empty() {
        &event.reason
    } else {
        evidence
    };
    // That it came again says nothing of what it is.
    let kind = event.tags.iter().find(|tag| *tag != "no_progress");
    Trouble {
        kind: kind.or(event.tags.first()).cloned().unwrap_or_default(),
        message: message.to_owned(),
        resolution: String::new(),
    }
}

/// A step as an entry of the action log.
fn action(step: &TraceStep, started_at: u64) -> Action {
    let told: Value = serde_json::from_str(&step.step.action).unwrap_or_default();
    let seen: Value = serde_json::from_str(&step.step.observation).unwrap_or_default();
    let text = |value: &Value, member: &str| value.get(member)?.as_str().map(str::to_owned);
    let failed = step.event_id.is_some();
    let failure = step.feedback.hard_failure.as_ref();
    let t = seconds(step.at, started_at);
    match text(&told, "action") {
        // What came from such a file goes back as it was.
        Some(action) => Action {
            t,
            action,
            target: text(&told, "target"),
            result: text(&seen, "result"),
            error: text(&seen, "error"),
        },
        None => Action {
            t,
            action: step.feedback.action_text.clone(),
            target: None,
            result: Some(if failed { "fail" } else { "pass" }.to_owned()),
            error: failure.map(|failure| failure.evidence.clone()),
        },
    }
}

impl EpisodeFile {
    /// The episode as one that comes from elsewhere.
    pub(super) fn as_new(&self) -> Result<NewEpisode, String> {
        let after = |action: &Action| u32::try_from(milliseconds(action.t));
        let mut trace = Vec::with_capacity(self.action_log.len());
        for (at, action) in self.action_log.iter().enumerate() {
            trace.push(TraceEntry {
                after: after(action).map_err(|_| format!("action_log[{at}].t is too large"))?,
                action: action.action.clone(),
                target: action.target.clone(),
                result: action.result.clone(),
                error: action.error.clone(),
            });
        }
        let mut account = Account::default();
        self.tell(&mut account);
        if !self.task_id.is_empty() {
            account.context = json!({ "task_id": self.task_id }).to_string();
        }
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Ok(NewEpisode {
            id: Some(self.id.clone()),
            task: self.context.goal.clone(),
            domain: DOMAIN.to_owned(),
            session: None,
            agent: some(&self.agent),
            task_type: None,
            tools_used: Vec::new(),
            strategies_applied: Vec::new(),
            tags: Vec::new(),
            summary: None,
            started_at: Some(self.timestamp.0),
            ended_at: Some(self.ended_at()),
            outcome: self.outcome.0,
            score: None,
            trace,
            account: Some(account),
        })
    }

    /// When it ended: after its time, and not before its last action.
    fn ended_at(&self) -> u64 {
        let last = self
            .action_log
            .iter()
            .map(|action| milliseconds(action.t))
            .max();
        let took = milliseconds(self.duration_seconds).max(last.unwrap_or(0));
        self.timestamp.0.saturating_add(took)
    }

    /// Writes what the file says into an account.
    fn tell(&self, account: &mut Account) {
        let Context {
            phase,
            constraints,
            files_involved,
            ..
        } = &self.context;
        account.phase = Some(phase.clone()).filter(|phase| !phase.is_empty());
        account.constraints.clone_from(constraints);
        account.files_involved.clone_from(files_involved);
        let errors = self
            .errors_encountered
            .iter()
            .map(|error| EncounteredError {
                kind: error.kind.clone(),
                message: error.message.clone(),
                resolution: error.resolution.clone(),
            });
        account.errors_encountered = errors.collect();
        account.git_commit.clone_from(&self.git_commit);
        let known = std::mem::take(&mut account.artifacts);
        let artifact = |name: &String| {
            let known = known
                .iter()
                .find(|artifact| artifact.name == *name)
                .cloned();
            known.unwrap_or_else(|| Artifact {
                name: name.clone(),
                media_type: String::new(),
                hash: None,
                bytes: 0,
            })
        };
        account.artifacts = self.artifacts_produced.iter().map(artifact).collect();
    }

    /// Whether its action log is another one: steps are not rewritten.
    pub(super) fn has_other_steps(&self, before: &Self) -> bool {
        self.action_log != before.action_log
    }

    /// Writes what was changed by hand, compared with what the file said before, into an episode and its account. Says
    /// whether the account is concerned.
    pub(super) fn apply(
        &self,
        before: &Self,
        episode: &mut Episode,
        account: &mut Account,
    ) -> bool {
        let text = |text: &str, most: usize| payload::kept_text(text.trim(), most);
        if self.agent != before.agent {
            episode.agent = text(&self.agent, 128);
        }
        if self.context.goal != before.context.goal {
            episode.task = text(&self.context.goal, limits::TASK_BYTES);
        }
        if self.outcome != before.outcome {
            episode.outcome = self.outcome.0;
        }
        if self.timestamp != before.timestamp || self.duration_seconds != before.duration_seconds {
            episode.started_at = self.timestamp.0;
            episode.ended_at = self.ended_at();
        }
        let plain = |file: &Self| {
            let mut account = Account::default();
            file.tell(&mut account);
            account
        };
        let changed = plain(self) != plain(before) || self.task_id != before.task_id;
        if changed {
            self.tell(account);
        }
        if self.task_id != before.task_id {
            let context = serde_json::from_str(&account.context).ok();
            let mut context = match context {
                Some(Value::Object(members)) => members,
                _ => serde_json::Map::new(),
            };
            context.insert("task_id".to_owned(), self.task_id.clone().into());
            account.context = Value::Object(context).to_string();
        }
        changed
    }
}
