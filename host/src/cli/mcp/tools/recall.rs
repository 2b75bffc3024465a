//! `recall`: what is known that may help with a task or an error.

use rmcp::schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use twiceshy::wit::memory::{
    ContextItem, ContextRequest, FailureContext, Hint, Recall as _, TaskBundle,
};

use super::{Act, Caller, Connection};
use crate::cli::{
    failure::Failure,
    judge::DOMAIN,
    mcp::answer::{marked, note, tokens},
    skills,
};

/// What is looked for.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Recall {
    /// What you are about to do, in a sentence. Either this or `error`, or both.
    #[serde(alias = "query", alias = "topic", alias = "text", default)]
    task: String,
    /// The error text that you see, as it is.
    #[serde(alias = "on_error")]
    error: Option<String>,
    /// The command or action that failed, or that comes next.
    #[serde(alias = "command")]
    action: Option<String>,
    /// The domain: lowercase letters, digits and dashes. Default: `cli`, for work with commands.
    domain: Option<String>,
    /// At most this many entries. Default: 5 for a task, 3 for an error.
    limit: Option<u32>,
    /// At most this many tokens (an estimate). Default: 1,500.
    #[serde(alias = "tokens")]
    max_tokens: Option<u32>,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Recalled {
    /// What the words in here are.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<&'static str>,
    /// What may help, best first.
    memories: Vec<Found>,
    /// What to avoid.
    avoid: Vec<Found>,
    /// Ids of what did not fit into the tokens.
    left_out: Vec<String>,
    /// The size of the text in tokens (an estimate).
    tokens: u32,
}

/// A memory in a line or two.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Found {
    /// Its id, for `get` and `why`.
    id: String,
    /// What it is: `lesson`, `semantic`, `episodic`, `skill`, `anti-pattern` or `fact`.
    kind: String,
    /// What it says.
    text: String,
    /// How well it fits, from 0 to 1.
    score: f64,
    /// Why it was chosen.
    why: String,
}

impl Act for Recall {
    type Output = Recalled;

    fn act(self, connection: &Connection, caller: &Caller) -> Result<(String, Recalled), Failure> {
        if self.task.trim().is_empty() && self.error.is_none() {
            return Err(Failure::input(
                "Give `task`, what you are about to do, or `error`, an error text.",
            ));
        }
        let memory = connection.workspace.memory()?;
        if let Some(error) = &self.error {
            let hints = memory.on_error(&FailureContext {
                evidence: error.clone(),
                fingerprint: None,
                action_text: self.action.clone(),
                domain: self.domain.clone().unwrap_or_else(|| DOMAIN.to_owned()),
                task: self.task.clone(),
                limit: self.limit,
                tokens: self.max_tokens,
            })?;
            return Ok(of_hints(hints));
        }
        skills::follow(connection.workspace.context(), memory);
        let bundle = memory.context(&ContextRequest {
            task: self.task,
            domain: self.domain.unwrap_or_else(|| DOMAIN.to_owned()),
            action: self.action,
            limit: self.limit,
            tokens: self.max_tokens,
            task_type: None,
            work: None,
            features: caller.features(),
        })?;
        Ok(of_bundle(bundle))
    }
}

fn of_hints(hints: Vec<Hint>) -> (String, Recalled) {
    let lines = hints.iter().map(|hint| {
        let lesson = &hint.lesson;
        format!(
            "- {} ({}): {}",
            lesson.id,
            lesson.status.as_str(),
            hint.text
        )
    });
    let text = match hints.is_empty() {
        true => "Nothing is known that fits this error.\n".to_owned(),
        false => marked(&lines.collect::<Vec<_>>()),
    };
    let memories = hints.into_iter().map(|hint| Found {
        why: format!(
            "fingerprint {:.2}, tags {:.2}, text {:.2}, reliability {:.2}, recency {:.2}",
            hint.parts.fingerprint_match,
            hint.parts.tag_overlap,
            hint.parts.text_similarity,
            hint.parts.reliability,
            hint.parts.recency
        ),
        id: hint.lesson.id,
        kind: "lesson".to_owned(),
        text: hint.text,
        score: hint.score,
    });
    let memories: Vec<_> = memories.collect();
    let recalled = Recalled {
        about: note(!memories.is_empty()),
        memories,
        avoid: Vec::new(),
        left_out: Vec::new(),
        tokens: tokens(&text),
    };
    (text, recalled)
}

fn of_bundle(bundle: TaskBundle) -> (String, Recalled) {
    let found = |item: ContextItem| Found {
        id: item.id,
        kind: item.kind.as_str().to_owned(),
        text: item.summary,
        score: item.fit,
        why: item.why,
    };
    let lists = [
        bundle.applicable_patterns,
        bundle.similar_episodes,
        bundle.domain_knowledge,
        bundle.applicable_skills,
    ];
    let mut memories: Vec<_> = lists.into_iter().flatten().collect();
    memories.sort_by(|one, other| other.score.total_cmp(&one.score));
    let recalled = Recalled {
        about: note(!bundle.text.is_empty()),
        memories: memories.into_iter().map(found).collect(),
        avoid: bundle.avoid_these.into_iter().map(found).collect(),
        left_out: bundle.left_out,
        tokens: bundle.tokens,
    };
    let text = match bundle.text.is_empty() {
        true => "Nothing is known that may help.\n".to_owned(),
        false => bundle.text,
    };
    (text, recalled)
}
