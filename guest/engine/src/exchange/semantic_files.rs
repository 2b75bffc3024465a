//! The files of knowledge: patterns, anti-patterns, facts and the links between memories.
//!
//! Owns their members, and how one becomes a pattern. Measurements of a pattern (confidence, usage) are exported but not
//! imported: only words and conditions can be changed by hand.

use serde::{Deserialize, Serialize};
use twiceshy_wit::memory::{
    Applicability, LessonKind, Link, NewPattern, Pattern, PatternUpdate, Relation, Source,
};

use super::{
    carried::Extension,
    members::{At, Share, Word},
};
use crate::{limits, payload, store::digest};

/// A name in characters, as patterns have it.
const NAME_CHARS: usize = 80;

/// A note of semantic memory, as its file has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Note {
    pub(super) id: String,
    pattern: String,
    #[serde(default)]
    category: String,
    #[serde(default)]
    conditions: Vec<String>,
    #[serde(default)]
    correct_approach: String,
    #[serde(default)]
    incorrect_approach: String,
    #[serde(default)]
    confidence: Share,
    #[serde(default)]
    source_episodes: Vec<String>,
    #[serde(default)]
    usage_count: u32,
    #[serde(default)]
    last_used: Option<At>,
    #[serde(default)]
    pub(super) links: Vec<NoteLink>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) twiceshy: Option<Extension>,
}

/// A link of a note.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct NoteLink {
    to: String,
    relation: Word<Relation>,
}

/// Something that does not work, as its file has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct AntiPattern {
    what_fails: String,
    #[serde(default)]
    why: String,
    #[serde(default)]
    prevention: String,
    #[serde(default)]
    source: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) twiceshy: Option<Extension>,
}

/// A link, as the file of links has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct LinkRow {
    #[serde(alias = "source")]
    from: String,
    #[serde(alias = "target")]
    to: String,
    relation: Word<Relation>,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    at: Option<At>,
}

/// An object with a list of records under one of the usual names.
#[derive(Debug, Deserialize)]
struct Named<T> {
    #[serde(
        alias = "anti_patterns",
        alias = "facts",
        alias = "links",
        alias = "learnings"
    )]
    patterns: Vec<T>,
}

/// The records of a file: a list, or an object with one. Which one is looked at first, so that an error knows its line.
pub(super) fn records<T: serde::de::DeserializeOwned>(text: &str) -> serde_json::Result<Vec<T>> {
    match text.trim_start().starts_with('{') {
        true => serde_json::from_str::<Named<T>>(text).map(|named| named.patterns),
        false => serde_json::from_str(text),
    }
}

/// What of a note may be changed by hand.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Said {
    summary: String,
    explanation: String,
    correct: String,
    incorrect: String,
    conditions: Vec<String>,
}

impl Said {
    /// What a pattern says.
    pub(super) fn by(pattern: &Pattern, kind: LessonKind) -> Self {
        match kind {
            LessonKind::AntiPattern => AntiPattern::of(pattern).said(),
            _ => Note::of(pattern, &[]).said(),
        }
    }

    /// A short name for it, by which a change by hand is known.
    pub(super) fn digest(&self) -> String {
        let mut parts = vec![
            self.summary.as_str(),
            &self.explanation,
            &self.correct,
            &self.incorrect,
        ];
        parts.extend(self.conditions.iter().map(String::as_str));
        digest(&parts)
    }

    /// The update that makes a pattern say it.
    pub(super) fn update(&self, pattern: &Pattern, kind: LessonKind) -> PatternUpdate {
        let known = Self::by(pattern, kind);
        let changed = |new: &str, old: &str| (new != old).then(|| new.to_owned());
        let conditions = (self.conditions != known.conditions).then(|| Applicability {
            conditions: self.conditions.clone(),
            ..pattern.applicability.clone()
        });
        PatternUpdate {
            name: None,
            summary: changed(&self.summary, &known.summary).filter(|text| !text.is_empty()),
            explanation: changed(&self.explanation, &known.explanation),
            correct_approach: changed(&self.correct, &known.correct),
            incorrect_approach: changed(&self.incorrect, &known.incorrect),
            applicability: conditions,
            content: None,
            guidance: None,
            reason: "changed by hand in an exported file".to_owned(),
        }
    }
}

impl Note {
    /// The note of a pattern, with those of its links that begin at it.
    pub(super) fn of(pattern: &Pattern, links: &[Link]) -> Self {
        let lesson = &pattern.lesson;
        let own = links.iter().filter(|link| link.source == lesson.id);
        let mut links: Vec<_> = own
            .map(|link| NoteLink {
                to: link.target.clone(),
                relation: Word(link.relation),
            })
            .collect();
        links.sort_by(|left, right| {
            let name = |link: &NoteLink| (link.to.clone(), link.relation.0.as_str());
            name(left).cmp(&name(right))
        });
        Self {
            id: lesson.id.clone(),
            pattern: pattern.summary.clone(),
            category: lesson.domain.clone(),
            conditions: pattern.applicability.conditions.clone(),
            correct_approach: pattern.correct_approach.clone(),
            incorrect_approach: pattern.incorrect_approach.clone(),
            confidence: Share(pattern.evidence.confidence.clamp(0.0, 1.0)),
            source_episodes: sources(pattern),
            usage_count: pattern.usage_count,
            last_used: pattern.last_used.map(At),
            links,
            twiceshy: None,
        }
    }

    pub(super) fn said(&self) -> Said {
        Said {
            summary: self.pattern.clone(),
            explanation: String::new(),
            correct: self.correct_approach.clone(),
            incorrect: self.incorrect_approach.clone(),
            conditions: self.conditions.clone(),
        }
    }

    /// The note as a pattern that comes from elsewhere.
    pub(super) fn as_new(&self, kind: LessonKind) -> NewPattern {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.trim().is_empty());
        let applicability = Applicability {
            conditions: self.conditions.clone(),
            ..Applicability::default()
        };
        NewPattern {
            id: some(&self.id),
            correct_approach: some(&self.correct_approach),
            incorrect_approach: some(&self.incorrect_approach),
            applicability: Some(applicability),
            domain: some(&as_domain(&self.category)),
            source_episodes: first(&self.source_episodes),
            confidence: Some(self.confidence.0),
            ..new(&self.pattern, kind)
        }
    }

    /// How often it was used, and when last.
    pub(super) fn usage(&self) -> (u32, Option<u64>) {
        (self.usage_count, self.last_used.map(|at| at.0))
    }

    /// Its links, as links.
    pub(super) fn own_links(&self, now: u64) -> Vec<Link> {
        let link = |link: &NoteLink| Link {
            source: self.id.clone(),
            relation: link.relation.0,
            target: link.to.clone(),
            reason: String::new(),
            at: now,
        };
        self.links.iter().map(link).collect()
    }
}

impl AntiPattern {
    pub(super) fn of(pattern: &Pattern) -> Self {
        let fails = match pattern.incorrect_approach.as_str() {
            "" => &pattern.summary,
            wrong => wrong,
        };
        Self {
            what_fails: fails.to_owned(),
            why: pattern.explanation.clone(),
            prevention: pattern.correct_approach.clone(),
            source: sources(pattern).into_iter().next().unwrap_or_default(),
            twiceshy: None,
        }
    }

    pub(super) fn said(&self) -> Said {
        Said {
            summary: String::new(),
            explanation: self.why.clone(),
            correct: self.prevention.clone(),
            incorrect: self.what_fails.clone(),
            conditions: Vec::new(),
        }
    }

    /// It as a pattern that comes from elsewhere.
    pub(super) fn as_new(&self) -> NewPattern {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.trim().is_empty());
        let summary = match self.why.trim() {
            "" => self.what_fails.clone(),
            why => format!("{}: {why}", self.what_fails),
        };
        NewPattern {
            explanation: some(&self.why),
            correct_approach: some(&self.prevention),
            incorrect_approach: some(&self.what_fails),
            source_episodes: some(&self.source).into_iter().collect(),
            ..new(&summary, LessonKind::AntiPattern)
        }
    }
}

impl LinkRow {
    pub(super) fn of(link: &Link) -> Self {
        Self {
            from: link.source.clone(),
            to: link.target.clone(),
            relation: Word(link.relation),
            reason: link.reason.clone(),
            at: Some(At(link.at)),
        }
    }

    pub(super) fn link(&self, now: u64) -> Link {
        Link {
            source: self.from.clone(),
            relation: self.relation.0,
            target: self.to.clone(),
            reason: payload::kept_text(&self.reason, limits::ACTION_BYTES),
            at: self.at.map_or(now, |at| at.0),
        }
    }
}

/// A pattern that only has a summary.
fn new(summary: &str, kind: LessonKind) -> NewPattern {
    let summary = summary.trim();
    let name = summary.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = match name.char_indices().nth(NAME_CHARS) {
        Some((end, _)) => format!("{}…", name[..end].trim_end()),
        None => name,
    };
    NewPattern {
        id: None,
        name,
        kind,
        summary: summary.chars().take(limits::RULE_CHARS).collect(),
        explanation: None,
        correct_approach: None,
        incorrect_approach: None,
        applicability: None,
        content: None,
        guidance: None,
        scope: None,
        domain: None,
        tags: Vec::new(),
        trigger_fingerprints: Vec::new(),
        source_episodes: Vec::new(),
        confidence: None,
        source: Some(Source::Agent),
    }
}

/// The episodes that a pattern comes from, each once.
fn sources(pattern: &Pattern) -> Vec<String> {
    let mut sources: Vec<String> = Vec::new();
    for origin in &pattern.lesson.origins {
        if !origin.run.is_empty() && !sources.contains(&origin.run) {
            sources.push(origin.run.clone());
        }
    }
    sources
}

fn first(episodes: &[String]) -> Vec<String> {
    let taken = episodes.iter().take(limits::ORIGINS_PER_LESSON);
    taken.cloned().collect()
}

/// A category as a domain: lowercase letters, digits and dashes.
fn as_domain(category: &str) -> String {
    let mut domain = String::new();
    for character in category.trim().chars().flat_map(char::to_lowercase) {
        match character {
            'a'..='z' | '0'..='9' => domain.push(character),
            _ if !domain.ends_with('-') && !domain.is_empty() => domain.push('-'),
            _ => {}
        }
    }
    domain.truncate(32);
    domain.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_category_becomes_a_domain() {
        assert_eq!(as_domain("TypeScript / Strict"), "typescript-strict");
        assert_eq!(as_domain("  "), "");
        assert_eq!(as_domain(&"ab ".repeat(20)).len(), 32);
    }

    #[test]
    fn a_file_of_records_is_a_list_or_an_object_with_one() {
        let row = r#"{"from": "a", "to": "b", "relation": "derived_from"}"#;
        for text in [
            format!("[{row}]"),
            format!("{{\"version\": 1, \"links\": [{row}]}}"),
        ] {
            let list: Vec<LinkRow> = records(&text).expect("records");
            assert_eq!(list[0].link(7).relation, Relation::DerivedFrom);
        }
    }
}
