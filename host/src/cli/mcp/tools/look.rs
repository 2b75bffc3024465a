//! `get`, `lessons` and `why`: looking at what is known.

use rmcp::{
    model::JsonObject,
    schemars::{JsonSchema, Schema, SchemaGenerator},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twiceshy::{
    Memory,
    wit::memory::{
        Episodes, Error, Events, Lesson, LessonFilter, LessonStatus, Lessons, Runs, Skills,
    },
};

use super::{Act, Caller, Connection};
use crate::cli::{
    failure::Failure,
    lessons::usefulness,
    mcp::{
        answer::{fitting, marked, note, tokens},
        schema,
    },
    show, why,
};

/// Steps of an episode that are shown with it.
const STEPS: u32 = 50;

/// Lessons in a list, unless more are asked for.
const LESSONS: u32 = 20;

/// Memories to look at.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Get {
    /// The ids, as `recall`, `report_step` or `lessons` returned them. At most 50.
    #[serde(alias = "id", deserialize_with = "one_or_more")]
    ids: Vec<String>,
    /// At most this many tokens (an estimate); what does not fit is named. Default: 4,000.
    max_tokens: Option<u32>,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Got {
    /// What the words in here are.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<&'static str>,
    /// The memories in full, in the order of the ids.
    memories: Vec<Whole>,
    /// Ids of what does not exist.
    missing: Vec<String>,
    /// Ids of what did not fit into the tokens.
    left_out: Vec<String>,
}

/// A memory in full.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Whole {
    /// Its id.
    id: String,
    /// What it is: `lesson`, `episode`, `task` for one that is open, `failure` or `skill`.
    kind: String,
    /// All that is known of it.
    detail: JsonObject,
}

/// Which lessons to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct List {
    /// Only with this status. Default: all.
    #[serde(default)]
    #[schemars(schema_with = "statuses")]
    status: Option<LessonStatus>,
    /// Only of this domain, such as `cli`.
    domain: Option<String>,
    /// Only those that answer this failure, by its fingerprint.
    fingerprint: Option<String>,
    /// At most this many. Default: 20. Maximum: 1,000.
    limit: Option<u32>,
    /// At most this many tokens (an estimate). Default: 1,500.
    max_tokens: Option<u32>,
}

/// A list of lessons.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Listed {
    /// What the words in here are.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<&'static str>,
    /// The lessons, most recently changed first.
    lessons: Vec<Line>,
    /// Ids of what did not fit into the tokens.
    left_out: Vec<String>,
}

/// A lesson in a line.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Line {
    /// Its id.
    lesson: String,
    /// What it says.
    text: String,
    /// What kind of knowledge it is.
    kind: String,
    /// Its status.
    status: String,
    /// How reliable it is, from 0 to 1.
    reliability: f64,
    /// What showing it did.
    evidence: String,
}

/// A lesson to explain.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Why {
    /// The lesson's id, les_….
    #[serde(alias = "id")]
    lesson: String,
    /// At most this many tokens of text (an estimate). Default: 2,000.
    max_tokens: Option<u32>,
}

/// What a lesson rests on.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Reasons {
    /// What the words in here are.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<&'static str>,
    /// The lesson.
    lesson: Line,
    /// Why it has its status.
    status_reason: String,
    /// The runs it was learned in, for `get`.
    learned_in: Vec<String>,
    /// Where it was shown or withheld, and what came of it.
    shown: Vec<Showing>,
}

/// A showing of a lesson.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Showing {
    /// The run, for `get`.
    run: String,
    /// Whether it was withheld, to compare.
    withheld: bool,
    /// What came of it: `helped`, `harmed`, `neutral`, `no-opportunity`, or `open` while the run is open.
    verdict: String,
}

fn statuses(_: &mut SchemaGenerator) -> Schema {
    schema::one_of(&LessonStatus::ALL.map(LessonStatus::as_str))
}

/// A list, or the one thing that it would hold.
fn one_or_more<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        One(String),
        More(Vec<String>),
    }
    Ok(match Given::deserialize(deserializer)? {
        Given::One(one) => vec![one],
        Given::More(more) => more,
    })
}

impl Act for Get {
    type Output = Got;

    fn act(self, connection: &Connection, _: &Caller) -> Result<(String, Got), Failure> {
        if self.ids.is_empty() || self.ids.len() > 50 {
            return Err(Failure::input("`ids` must have 1 to 50 ids."));
        }
        let memory = connection.workspace.memory()?;
        let mut got = Got {
            about: None,
            memories: Vec::new(),
            missing: Vec::new(),
            left_out: Vec::new(),
        };
        let mut lines = Vec::new();
        let mut room = self.max_tokens.unwrap_or(4_000);
        for id in self.ids {
            match whole(memory, &id) {
                Ok((kind, detail)) => {
                    let line = format!("- {id} ({kind}): {detail}");
                    let size = tokens(&line);
                    // The first one is shown however long it is.
                    if size > room && !lines.is_empty() {
                        got.left_out.push(id);
                        continue;
                    }
                    room = room.saturating_sub(size);
                    lines.push(line);
                    let detail = match detail {
                        Value::Object(detail) => detail,
                        _ => JsonObject::new(),
                    };
                    got.memories.push(Whole {
                        id,
                        kind: kind.to_owned(),
                        detail,
                    });
                }
                Err(Error::NotFound(_)) => got.missing.push(id),
                Err(error) => return Err(error.into()),
            }
        }
        got.about = note(!lines.is_empty());
        let mut text = marked(&lines);
        if !got.missing.is_empty() {
            let missing = show::line(&got.missing.join(", "));
            text.push_str(&format!("There is no {missing}.\n"));
        }
        if !got.left_out.is_empty() {
            text.push_str(&format!(
                "Left out for lack of tokens: {}.\n",
                got.left_out.join(", ")
            ));
        }
        Ok((text, got))
    }
}

/// A memory in full, by the form of its id.
pub(in crate::cli::mcp) fn whole(
    memory: &Memory,
    id: &str,
) -> Result<(&'static str, Value), Error> {
    let shown =
        |value: serde_json::Result<Value>| value.map_err(|error| Error::Other(error.to_string()));
    if id.starts_with("les_") {
        return Ok((
            "lesson",
            shown(serde_json::to_value(Lessons::get(memory, id)?))?,
        ));
    }
    // The failed step of a run, by its number.
    if id.contains('.') {
        let event = serde_json::to_value(Events::get(memory, id)?);
        return Ok(("failure", shown(event)?));
    }
    if !id.starts_with("run_") {
        return match Skills::get(memory, id) {
            Ok(skill) => Ok(("skill", shown(serde_json::to_value(skill))?)),
            // It may be a run that somebody named himself.
            Err(Error::NotFound(_) | Error::InvalidArgument(_)) => run(memory, id),
            Err(error) => Err(error),
        };
    }
    run(memory, id)
}

/// An episode or an open task, with its first steps.
fn run(memory: &Memory, id: &str) -> Result<(&'static str, Value), Error> {
    let steps = |memory: &Memory| -> Result<Vec<Value>, Error> {
        let steps = memory.trace(id, STEPS)?;
        let step = |step: &twiceshy::wit::memory::TraceStep| {
            let failure = step.feedback.hard_failure.as_ref();
            json!({
                "index": step.index,
                "action": step.feedback.action_text,
                "failed": step.event_id.is_some(),
                "failure": step.event_id,
                "evidence": failure.map(|failure| show::cut(&failure.evidence, 400)),
            })
        };
        Ok(steps.iter().map(step).collect())
    };
    let value =
        |record: serde_json::Result<Value>| record.map_err(|error| Error::Other(error.to_string()));
    match Runs::get(memory, id) {
        Ok(open) => {
            let mut detail = value(serde_json::to_value(open))?;
            detail["trace"] = steps(memory)?.into();
            Ok(("task", detail))
        }
        Err(Error::NotFound(_) | Error::Conflict(_)) => {
            let mut detail = value(serde_json::to_value(Episodes::get(memory, id)?))?;
            detail["trace"] = steps(memory)?.into();
            Ok(("episode", detail))
        }
        Err(error) => Err(error),
    }
}

fn line(lesson: &Lesson) -> Line {
    Line {
        lesson: lesson.id.clone(),
        text: lesson.rule_text.clone(),
        kind: lesson.kind.as_str().to_owned(),
        status: lesson.status.as_str().to_owned(),
        reliability: lesson.reliability,
        evidence: usefulness(&lesson.usefulness),
    }
}

/// A lesson as one line of text.
pub(in crate::cli::mcp) fn shown(lesson: &Lesson) -> String {
    format!(
        "- {} ({}, {}, {}): {}",
        lesson.id,
        lesson.kind.as_str(),
        lesson.status.as_str(),
        usefulness(&lesson.usefulness),
        lesson.rule_text
    )
}

impl Act for List {
    type Output = Listed;

    fn act(self, connection: &Connection, _: &Caller) -> Result<(String, Listed), Failure> {
        let memory = connection.workspace.memory()?;
        let lessons = Lessons::find(
            memory,
            &LessonFilter {
                status: self.status,
                fingerprint: self.fingerprint,
                domain: self.domain,
                limit: Some(self.limit.unwrap_or(LESSONS)),
            },
        )?;
        let lines: Vec<_> = lessons.iter().map(shown).collect();
        let most = self.max_tokens.unwrap_or(1_500);
        let fits = fitting(lines.iter().map(String::as_str), Some(most)).min(lines.len());
        let left_out: Vec<_> = lessons[fits..]
            .iter()
            .map(|lesson| lesson.id.clone())
            .collect();
        let mut text = match lines.is_empty() {
            true => "There are no such lessons.\n".to_owned(),
            false => marked(&lines[..fits]),
        };
        if !left_out.is_empty() {
            text.push_str(&format!(
                "{} more; raise max_tokens, or `get` them by id.\n",
                left_out.len()
            ));
        }
        let listed = Listed {
            about: note(!lessons.is_empty()),
            lessons: lessons[..fits].iter().map(line).collect(),
            left_out,
        };
        Ok((text, listed))
    }
}

impl Act for Why {
    type Output = Reasons;

    fn act(self, connection: &Connection, _: &Caller) -> Result<(String, Reasons), Failure> {
        let explanation = connection.workspace.memory()?.explain(&self.lesson)?;
        let mut lines = why::lines(&explanation);
        let most = self.max_tokens.unwrap_or(2_000);
        let fits = fitting(lines.iter().map(String::as_str), Some(most));
        if fits < lines.len() {
            let more = lines.len() - fits;
            lines.truncate(fits);
            lines.push(format!("… {more} more lines; raise max_tokens to see them"));
        }
        let shown = explanation.activations.iter().map(|activation| Showing {
            run: activation.run.clone(),
            withheld: activation.withheld,
            verdict: match &activation.outcome {
                Some(outcome) => outcome.verdict.as_str().to_owned(),
                None => "open".to_owned(),
            },
        });
        let origins = explanation.lesson.origins.iter();
        let runs = origins.map(|origin| origin.run.clone());
        let reasons = Reasons {
            about: note(true),
            lesson: line(&explanation.lesson),
            status_reason: explanation.lesson.status_reason.clone(),
            learned_in: runs.filter(|run| !run.is_empty()).collect(),
            shown: shown.collect(),
        };
        Ok((marked(&lines), reasons))
    }
}
