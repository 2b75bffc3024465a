//! `start_task` and `finish_task`: the beginning and the end of a run.

use rmcp::schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use twiceshy::wit::memory::{
    ActivationFilter, Briefing, BriefingRequest, Description, Ending, Lessons, Outcome, Runs,
};

use super::{Act, Caller, Connection};
use crate::cli::{
    failure::Failure,
    judge::DOMAIN,
    mcp::{
        answer::{marked, note},
        schema,
    },
    show, task,
};

/// Activations of a run that are told.
const MOST_ACTIVATIONS: u32 = 50;

/// A task that begins.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Start {
    /// The task in a sentence or two: what shall be done, with which tools.
    #[serde(alias = "goal", alias = "description", alias = "query")]
    task: String,
    /// The domain of its steps: lowercase letters, digits and dashes. Default: `cli`, for work with commands.
    domain: Option<String>,
    /// What kind of task it is, such as `refactoring`.
    task_type: Option<String>,
    /// The session it belongs to, if one connection serves several agents. Default: this connection.
    session: Option<String>,
    /// At most this many lessons. Default: 8.
    limit: Option<u32>,
    /// At most this many tokens of briefing (an estimate). Default: 1,000.
    max_tokens: Option<u32>,
}

/// A task that has begun.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Started {
    /// What the words in here are.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<&'static str>,
    /// The id of the task.
    run: String,
    /// Lessons to know, best first.
    briefing: Vec<Known>,
    /// The size of the briefing in tokens (an estimate).
    tokens: u32,
    /// The task of the session that was ended because this one began.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<String>,
}

/// A lesson in a few words.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Known {
    /// The lesson's id.
    lesson: String,
    /// What it says.
    text: String,
    /// Whether it is a candidate, or promoted: proven to help.
    status: String,
}

/// A task that ends.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Finish {
    /// The task, as `start_task` returned it. Default: the one that is open in this session.
    run: Option<String>,
    /// The session it belongs to, if one connection serves several agents. Default: this connection.
    session: Option<String>,
    /// How it ended. Default: by its last step.
    #[serde(default)]
    #[schemars(schema_with = "outcomes")]
    outcome: Option<Outcome>,
    /// A score from 0 to 1, if a test or another evaluator gave one.
    score: Option<f64>,
    /// What was done and what came of it, in a few lines.
    summary: Option<String>,
}

/// A task that has ended.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Finished {
    /// What the words in here are.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<&'static str>,
    /// The id of its episode.
    episode: String,
    /// How it ended.
    outcome: String,
    /// Its score from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// How many steps were reported.
    steps: u32,
    /// How many of them failed.
    failures: u32,
    /// What was learned from it.
    learned: Vec<Known>,
    /// The lessons that were shown in it or withheld from it, and what they did.
    judged: Vec<Judged>,
}

/// What a lesson did in a task.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Judged {
    /// The lesson's id.
    lesson: String,
    /// `helped`, `harmed`, `neutral` or `no-opportunity`; `withheld` if it was not shown, to compare.
    verdict: String,
    /// How much, from -1 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    utility: Option<f64>,
}

fn outcomes(_: &mut SchemaGenerator) -> Schema {
    schema::one_of(&["success", "failure", "partial", "abandoned"])
}

impl Act for Start {
    type Output = Started;

    fn act(self, connection: &Connection, caller: &Caller) -> Result<(String, Started), Failure> {
        let memory = connection.workspace.memory()?;
        let domain = self.domain.as_deref().unwrap_or(DOMAIN);
        let session = self.session.as_deref();
        let mut new_run = connection.new_run(caller, &self.task, domain, session);
        new_run.task_type = self.task_type.clone();
        let run = memory.start(&new_run)?;
        let ended = match connection.session_run(session, true) {
            Some(open) => open.hold(memory, &run.id)?,
            None => None,
        };
        let request = BriefingRequest {
            limit: self.limit,
            tokens: self.max_tokens,
        };
        // The task is open by now, and whoever opened it must know its id.
        let (briefing, trouble) = match memory.brief(&run.id, &request) {
            Ok(briefing) => (briefing, None),
            Err(error) => {
                let nothing = Briefing {
                    hints: Vec::new(),
                    text: String::new(),
                    tokens: 0,
                };
                (nothing, Some(error.message().to_owned()))
            }
        };
        let mut text = format!("Task {} is open.\n", run.id);
        if let Some(ended) = &ended {
            text.push_str(&format!("The task {ended} of this session was ended.\n"));
        }
        match trouble {
            Some(trouble) => text.push_str(&format!("No briefing: {}\n", show::line(&trouble))),
            None if briefing.text.is_empty() => {
                text.push_str("Nothing is known yet that may help.\n");
            }
            None => text.push_str(&briefing.text),
        }
        let known = briefing.hints.into_iter().map(|hint| Known {
            text: hint.text,
            status: hint.lesson.status.as_str().to_owned(),
            lesson: hint.lesson.id,
        });
        let known: Vec<_> = known.collect();
        let started = Started {
            about: note(!known.is_empty()),
            briefing: known,
            tokens: briefing.tokens,
            run: run.id,
            ended,
        };
        Ok((text, started))
    }
}

impl Act for Finish {
    type Output = Finished;

    fn act(self, connection: &Connection, _: &Caller) -> Result<(String, Finished), Failure> {
        let memory = connection.workspace.memory()?;
        let session = self.session.as_deref();
        let run = connection.open_run(self.run.as_deref(), session)?;
        if let Some(summary) = &self.summary {
            let description = Description {
                summary: Some(summary.clone()),
                ..Description::default()
            };
            memory.describe(&run, &description)?;
        }
        let ending = Ending {
            outcome: self.outcome,
            score: self.score,
            referee: None,
        };
        let episode = memory.finish(&run, &ending)?;
        if let Some(open) = connection.session_run(session, false) {
            open.release(&run);
        }
        let learned = task::learned(memory, &episode)?;
        let activations = memory.activations(&ActivationFilter {
            lesson: None,
            run: Some(run),
            limit: Some(MOST_ACTIVATIONS),
        })?;
        let judged: Vec<_> = activations
            .into_iter()
            .map(|activation| Judged {
                lesson: activation.lesson,
                verdict: match (&activation.outcome, activation.withheld) {
                    (_, true) => "withheld".to_owned(),
                    (Some(outcome), false) => outcome.verdict.as_str().to_owned(),
                    (None, false) => "no-opportunity".to_owned(),
                },
                utility: activation.outcome.and_then(|outcome| outcome.utility),
            })
            .collect();
        let mut text = format!(
            "{} ended as {} after {} steps, {} of them failed.\n",
            episode.id,
            episode.outcome.as_str(),
            episode.steps,
            episode.failures
        );
        for judged in &judged {
            text.push_str(&format!("judged {}: {}\n", judged.lesson, judged.verdict));
        }
        let lines = learned
            .iter()
            .map(|lesson| format!("- learned {}: {}", lesson.id, lesson.rule_text));
        text.push_str(&marked(&lines.collect::<Vec<_>>()));
        let learned = learned.into_iter().map(|lesson| Known {
            lesson: lesson.id,
            text: lesson.rule_text,
            status: lesson.status.as_str().to_owned(),
        });
        let learned: Vec<_> = learned.collect();
        let finished = Finished {
            about: note(!learned.is_empty()),
            outcome: episode.outcome.as_str().to_owned(),
            score: episode.score,
            steps: episode.steps,
            failures: episode.failures,
            learned,
            judged,
            episode: episode.id,
        };
        Ok((text, finished))
    }
}
