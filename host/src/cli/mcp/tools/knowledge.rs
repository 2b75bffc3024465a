//! `remember`, `feedback` and `forget`: an agent's own say in what is known.

use rmcp::schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use twiceshy::{
    Memory,
    wit::memory::{
        Episodes, Error, Lesson, LessonCandidate, LessonKind, LessonStatus, Lessons, Scope, Skills,
        Source,
    },
};

use super::{Act, Caller, Connection};
use crate::cli::{failure::Failure, mcp::schema};

/// Something to know.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Remember {
    /// What to know, in at most 1,000 characters. What was wrong and what is right: `WRONG: … → CORRECT: …`.
    #[serde(alias = "content", alias = "rule", alias = "lesson", alias = "memory")]
    text: String,
    /// Error texts that it answers, as they were. At most 32.
    #[serde(alias = "triggers", default)]
    errors: Vec<String>,
    /// What it is. Default: `rule`.
    #[serde(alias = "kind", default)]
    #[schemars(schema_with = "kinds")]
    lesson_kind: Option<LessonKind>,
    /// The tasks it is for: this one, all of its domain, or all. Default: `domain`, or `global` without a domain.
    #[serde(default)]
    #[schemars(schema_with = "scopes")]
    scope: Option<Scope>,
    /// The domain it is for: lowercase letters, digits and dashes, such as `cli`.
    domain: Option<String>,
    /// The task it is for, in words; needed for the scope `task`.
    task: Option<String>,
    /// Words by which to find it. At most 32.
    #[serde(default)]
    tags: Vec<String>,
    /// The task it was learned in, as `start_task` returned it.
    run: Option<String>,
}

/// A lesson as it stands now.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Standing {
    /// The lesson's id.
    lesson: String,
    /// What it says. Secrets are masked.
    text: String,
    /// Its status.
    status: String,
}

/// What is wrong with a lesson.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Feedback {
    /// The lesson's id, les_….
    #[serde(alias = "id")]
    lesson: String,
    /// What is wrong: the lesson is `wrong`, `outdated`, or `doubtful`; or it is right and can be said `better`.
    verdict: Verdict,
    /// Why, in a sentence.
    reason: String,
    /// The better words; needed for `better`.
    #[serde(alias = "rule")]
    text: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Wrong,
    Outdated,
    Doubtful,
    Better,
}

/// What shall not be used any more.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Forget {
    /// The id of a lesson (les_…) or an episode (run_…), or the name of a skill.
    #[serde(alias = "memory_id", alias = "lesson")]
    id: String,
    /// Why, in a sentence.
    #[serde(default)]
    reason: String,
}

/// What is not used any more.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Forgotten {
    /// Its id.
    id: String,
    /// What it was: `lesson`, `episode` or `skill`.
    kind: String,
}

fn kinds(_: &mut SchemaGenerator) -> Schema {
    schema::one_of(&LessonKind::ALL.map(LessonKind::as_str))
}

fn scopes(_: &mut SchemaGenerator) -> Schema {
    schema::one_of(&Scope::ALL.map(Scope::as_str))
}

fn standing(lesson: Lesson) -> Standing {
    Standing {
        lesson: lesson.id,
        text: lesson.rule_text,
        status: lesson.status.as_str().to_owned(),
    }
}

impl Act for Remember {
    type Output = Standing;

    fn act(self, connection: &Connection, _: &Caller) -> Result<(String, Standing), Failure> {
        let memory = connection.workspace.memory()?;
        let lesson = memory.propose(&LessonCandidate {
            rule_text: self.text,
            trigger_fingerprints: Vec::new(),
            trigger_texts: self.errors,
            tags: self.tags,
            scope_hint: self.scope,
            kind: self.lesson_kind,
            domain: self.domain,
            task: self.task,
            run: self.run,
            steps: Vec::new(),
            source: Some(Source::Agent),
        })?;
        let text = format!("Remembered as {}, {}.\n", lesson.id, lesson.status.as_str());
        Ok((text, standing(lesson)))
    }
}

impl Act for Feedback {
    type Output = Standing;

    fn act(self, connection: &Connection, _: &Caller) -> Result<(String, Standing), Failure> {
        let memory = connection.workspace.memory()?;
        let status = match self.verdict {
            Verdict::Wrong => LessonStatus::Suppressed,
            Verdict::Outdated => LessonStatus::Deprecated,
            Verdict::Doubtful => LessonStatus::UnderReview,
            Verdict::Better => {
                let Some(text) = &self.text else {
                    return Err(Failure::input("`text` is missing: give the better words."));
                };
                let lesson = memory.revise(&self.lesson, text, &self.reason)?;
                let text = format!("{} stands for {} now.\n", lesson.id, self.lesson);
                return Ok((text, standing(lesson)));
            }
        };
        let lesson = with_status(memory, &self.lesson, status, &self.reason)?;
        let text = format!(
            "{} is {} now, and not shown.\n",
            lesson.id,
            lesson.status.as_str()
        );
        Ok((text, standing(lesson)))
    }
}

/// A lesson that has this status, from now on or already.
fn with_status(
    memory: &Memory,
    lesson: &str,
    status: LessonStatus,
    reason: &str,
) -> Result<Lesson, Error> {
    let known = Lessons::get(memory, lesson)?;
    match known.status == status {
        true => Ok(known),
        false => memory.set_status(lesson, status, reason),
    }
}

impl Act for Forget {
    type Output = Forgotten;

    fn act(self, connection: &Connection, _: &Caller) -> Result<(String, Forgotten), Failure> {
        let memory = connection.workspace.memory()?;
        let reason = match self.reason.trim() {
            "" => "forgotten on request",
            reason => reason,
        };
        let mut withdrawn = Vec::new();
        let kind = if self.id.starts_with("les_") {
            with_status(memory, &self.id, LessonStatus::Archived, reason)?;
            "lesson"
        } else if self.id.starts_with("run_") {
            let lifecycle = memory.lifecycle_of(&self.id)?;
            if lifecycle.deleted_at.is_none() {
                withdrawn = memory.soft_delete(&self.id, reason)?.referenced_by;
                withdrawn.retain(|id| id.starts_with("les_"));
            }
            "episode"
        } else {
            memory.retire(&self.id, reason)?;
            "skill"
        };
        let mut text = format!("The {kind} {} is not used any more.\n", self.id);
        if !withdrawn.is_empty() {
            let lessons = withdrawn.join(", ");
            text.push_str(&format!(
                "Nor is what was learned in it alone: {lessons}.\n"
            ));
        }
        let forgotten = Forgotten {
            id: self.id,
            kind: kind.to_owned(),
        };
        Ok((text, forgotten))
    }
}
