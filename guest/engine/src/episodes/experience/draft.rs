//! The draft: an experience that was checked, masked and shortened, ready to be stored.
//!
//! Owns what is refused of an experience, by the name of its member, and how its texts are masked and shortened.

use serde::Deserialize;
use twiceshy_wit::memory::{
    Episode, Error, ExperienceEntry, FeedbackType, MemoryType, Metadata, NewExperience, Referee,
    StructuredFeedback,
};

use super::{cards, feedback, memory_type::memory_type};
use crate::{
    insertion, limits,
    payload::{check_domain, kept_text},
    refusal,
    secrets::is_secret,
    store::Desk,
};

/// The answer as it is kept, in bytes.
pub(crate) const OUTPUT_BYTES: usize = 16 << 10;

/// What is to be remembered, in bytes: several summaries fit.
pub(crate) const SUMMARY_BYTES: usize = 4 << 10;

/// A strategy card, in bytes.
const CARD_BYTES: usize = 4 << 10;

/// How the answer came about, in bytes.
const TRACE_BYTES: usize = 16 << 10;

/// A text that a caller hands in, in bytes.
const GIVEN_BYTES: usize = 1 << 20;

/// Tags and members of metadata.
pub(crate) const MOST_TAGS: usize = 32;

/// A tag, and the name of a member of metadata, in bytes.
const NAME_BYTES: usize = 64;

/// The domain of what nobody gave one.
const GENERAL: &str = "general";

/// The form in which a model must give a summary.
const SUMMARY_SCHEMA: &str = r#"{"type":"object","additionalProperties":false,"required":["summary"],"properties":{"summary":{"type":"string","maxLength":1000}}}"#;

/// An experience about to be kept.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) input: String,
    pub(crate) output: String,
    pub(crate) feedback: String,
    pub(crate) summary: String,
    pub(crate) raw_trace: String,
    pub(crate) metadata: Vec<Metadata>,
    pub(crate) tags: Vec<String>,
    pub(crate) domain: String,
    pub(crate) structured_feedback: Option<StructuredFeedback>,
    pub(crate) memory_type: MemoryType,
    pub(crate) strategy_card: String,
    /// Whether it was made of an episode alone.
    pub(crate) is_view: bool,
}

impl Draft {
    /// How it went, if anything says so.
    pub(crate) fn kind(&self) -> Option<FeedbackType> {
        let structured = self.structured_feedback.as_ref();
        structured.map_or_else(
            || feedback::kind_of(&self.feedback),
            |structured| Some(structured.kind),
        )
    }

    /// The entry that it becomes.
    pub(crate) fn entry(&self, id: &str, now: u64) -> ExperienceEntry {
        ExperienceEntry {
            id: id.to_owned(),
            input: self.input.clone(),
            output: self.output.clone(),
            feedback: self.feedback.clone(),
            summary: self.summary.clone(),
            raw_trace: self.raw_trace.clone(),
            metadata: self.metadata.clone(),
            tags: self.tags.clone(),
            domain: self.domain.clone(),
            created_at: now,
            structured_feedback: self.structured_feedback.clone(),
            memory_type: self.memory_type,
            strategy_card: self.strategy_card.clone(),
            access_count: 0,
            last_accessed_at: None,
            relevance_score: 0.0,
            merged_from: Vec::new(),
            has_embedding: false,
            archived: false,
            merged_into: None,
        }
    }

    /// The episode that it is: one without steps.
    pub(crate) fn episode(&self, id: &str, now: u64) -> Episode {
        Episode {
            id: id.to_owned(),
            task: self.input.clone(),
            domain: self.domain.clone(),
            started_at: now,
            ended_at: now,
            outcome: feedback::outcome(self.kind()),
            score: None,
            referee: Referee::Signals,
            steps: 0,
            failures: 0,
            fingerprints: Vec::new(),
            lessons: Vec::new(),
            session: String::new(),
            agent: String::new(),
            task_type: String::new(),
            tools_used: Vec::new(),
            strategies_applied: Vec::new(),
            tags: self.tags.clone(),
            summary: self.summary.clone(),
        }
    }
}

/// A checked draft of an experience. What is missing of it is made from the rest, or by a model.
pub(crate) fn draft(desk: &Desk, new: &NewExperience) -> Result<Draft, Error> {
    check(new)?;
    let text = |text: &str, most| kept_text(insertion::without(text).trim(), most);
    let given = |text_: &Option<String>, most| {
        let kept = text_.as_deref().map(|given| text(given, most));
        kept.filter(|kept| !kept.is_empty())
    };
    let input = text(&new.input, limits::TASK_BYTES);
    if input.is_empty() {
        return Err(Error::InvalidArgument(
            "`experience.input` holds only what the memory itself inserted; give the task"
                .to_owned(),
        ));
    }
    let mut draft = Draft {
        output: text(&new.output, OUTPUT_BYTES),
        feedback: text(&new.feedback, limits::ACTION_BYTES),
        summary: String::new(),
        raw_trace: given(&new.raw_trace, TRACE_BYTES).unwrap_or_default(),
        metadata: new
            .metadata
            .iter()
            .map(|one| Metadata {
                name: one.name.clone(),
                value: text(&one.value, limits::ACTION_BYTES),
            })
            .collect(),
        tags: sorted(&new.tags),
        domain: new.domain.clone().unwrap_or_else(|| GENERAL.to_owned()),
        structured_feedback: new
            .structured_feedback
            .as_ref()
            .map(|feedback| StructuredFeedback {
                message: text(&feedback.message, limits::ACTION_BYTES),
                ..feedback.clone()
            }),
        memory_type: MemoryType::Episodic,
        strategy_card: given(&new.strategy_card, CARD_BYTES).unwrap_or_default(),
        is_view: false,
        input,
    };
    if draft.feedback.is_empty()
        && let Some(kind) = draft.kind()
    {
        draft.feedback = kind.as_str().to_owned();
    }
    draft.summary = given(&new.summary, SUMMARY_BYTES)
        .or_else(|| model_summary(desk, new))
        .unwrap_or_else(|| cards::summary(draft.kind(), &draft.input, &draft.output));
    draft.memory_type = new.memory_type.unwrap_or_else(|| {
        let said = new.summary.as_deref().unwrap_or_default();
        memory_type(&[&draft.input, &draft.output, said])
    });
    if draft.strategy_card.is_empty() && draft.kind() == Some(FeedbackType::Success) {
        draft.strategy_card = cards::card(&draft.input, &draft.output, &[]);
    }
    Ok(draft)
}

/// What a model says is to be remembered; none without a model or a usable answer.
fn model_summary(desk: &Desk, new: &NewExperience) -> Option<String> {
    #[derive(Deserialize)]
    struct Answer {
        summary: String,
    }
    let prompt = kept_text(&cards::summary_prompt(new), limits::TASK_BYTES);
    let answer = match desk.model.complete(&prompt, SUMMARY_SCHEMA) {
        Ok(answer) => answer,
        Err(twiceshy_wit::host::Error::Unavailable(_)) => return None,
        Err(error) => {
            desk.warn(&format!("the model gave no summary: {}", error.message()));
            return None;
        }
    };
    match serde_json::from_str::<Answer>(&answer) {
        Ok(Answer { summary }) if !summary.trim().is_empty() => {
            Some(kept_text(summary.trim(), SUMMARY_BYTES))
        }
        _ => {
            desk.warn(
                "the model's summary does not match the schema; one was made without the model",
            );
            None
        }
    }
}

/// Tags as they are kept: each once, sorted.
pub(crate) fn sorted(tags: &[String]) -> Vec<String> {
    let mut tags: Vec<_> = tags.iter().map(|tag| tag.trim().to_owned()).collect();
    tags.sort();
    tags.dedup();
    tags
}

/// Refuses a tag that can't be kept.
pub(crate) fn check_tag(member: &str, tag: &str) -> Result<(), Error> {
    let tag = tag.trim();
    if tag.is_empty() || tag.len() > NAME_BYTES || tag.contains(char::is_control) || is_secret(tag)
    {
        return Err(Error::InvalidArgument(format!(
            "`{member}` is `{}`; it must be a word of 1 to {NAME_BYTES} bytes",
            kept_text(tag, 100)
        )));
    }
    Ok(())
}

fn check(new: &NewExperience) -> Result<(), Error> {
    let invalid = |text: String| Err(Error::InvalidArgument(text));
    refusal::not_empty("experience.input", &new.input, "give the task or question")?;
    refusal::bytes("experience.input", new.input.len(), limits::TASK_BYTES)?;
    let texts = [
        ("output", Some(&new.output)),
        ("feedback", Some(&new.feedback)),
        ("summary", new.summary.as_ref()),
        ("raw-trace", new.raw_trace.as_ref()),
        ("strategy-card", new.strategy_card.as_ref()),
    ];
    for (name, text) in texts {
        let bytes = text.map_or(0, String::len);
        refusal::bytes(&format!("experience.{name}"), bytes, GIVEN_BYTES)?;
    }
    if let Some(domain) = &new.domain {
        check_domain("experience.domain", domain)?;
    }
    for (name, count) in [("tags", new.tags.len()), ("metadata", new.metadata.len())] {
        refusal::entries(&format!("experience.{name}"), count, MOST_TAGS)?;
    }
    for tag in &new.tags {
        check_tag("experience.tags", tag)?;
    }
    for one in &new.metadata {
        check_tag("experience.metadata.name", &one.name)?;
    }
    if let Some(feedback) = &new.structured_feedback
        && !(0.0..=1.0).contains(&feedback.progress_rate)
    {
        return invalid(format!(
            "`experience.structured-feedback.progress-rate` is {}; it must be from 0 to 1",
            feedback.progress_rate
        ));
    }
    Ok(())
}
