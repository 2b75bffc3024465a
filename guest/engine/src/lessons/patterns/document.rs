//! The documents of a pattern: what a pattern has besides its lesson.
//!
//! Owns how they are kept and found. The *head* is small and is what patterns are filtered and ranked by; the *body* has
//! the words and is read only for the few that are returned. Both have the lesson's id and are written in one commit with
//! it, so that the lesson's version guards all three.

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::Attribute,
    memory::{
        Applicability, Guidance, Lesson, LessonKind, LessonStatus, Outcome, PatternContent,
        PatternEvidence, PatternVersion, ValidationGate,
    },
};

use crate::{
    advice,
    lessons::is_recalled,
    store::{Kind, Noun, digest, number, text},
    text as terms,
};

/// Combinations of a kind of task and a domain under which a pattern is indexed. One with more is indexed by its kinds
/// of task alone.
const COMBINATIONS: usize = 64;

/// Words by which a pattern is compared with a task.
const WORDS: usize = 64;

/// Stands for any kind of task or any domain.
pub(super) const ANY: &str = "*";

/// Stands for domains that are too many to be indexed.
pub(super) const MANY: &str = "?";

/// What patterns are filtered and ranked by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Head {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) kind: LessonKind,
    pub(crate) status: LessonStatus,
    pub(crate) version: u32,
    pub(crate) applicability: Applicability,
    /// The telling words of its name and summary, sorted.
    pub(super) words: Vec<String>,
    pub(crate) confidence: f64,
    pub(crate) success_rate: f64,
    pub(crate) applications: u32,
    pub(crate) last_validated: Option<u64>,
    /// How often it was used, those that were merged into it included.
    pub(crate) usage: u32,
    pub(crate) last_used: Option<u64>,
    /// The part of the usage that comes from those that were merged into it.
    pub(super) joined_usage: u32,
    /// Goes up by one when the evidence is reset: earlier applications no longer count.
    pub(super) round: u32,
    pub(super) created_at: u64,
}

impl Head {
    /// The head of a lesson that is no pattern yet.
    pub(super) fn of(lesson: &Lesson) -> Self {
        let mut head = Self {
            id: lesson.id.clone(),
            name: shortened(&lesson.rule_text, 80),
            kind: lesson.kind,
            status: lesson.status,
            version: 1,
            applicability: Applicability::default(),
            words: Vec::new(),
            confidence: 0.0,
            success_rate: 0.0,
            applications: 0,
            last_validated: None,
            usage: 0,
            last_used: None,
            joined_usage: 0,
            round: 0,
            created_at: lesson.created_at,
        };
        head.name_words(&lesson.rule_text);
        head.follow(lesson);
        head
    }

    /// Takes over what the lesson decides.
    pub(crate) fn follow(&mut self, lesson: &Lesson) {
        self.kind = lesson.kind;
        self.status = lesson.status;
        self.created_at = lesson.created_at;
        self.usage = self
            .joined_usage
            .saturating_add(lesson.usefulness.activations);
        self.last_used = self.last_used.max(lesson.usefulness.last_shown_at);
    }

    /// Takes over how often it was used elsewhere.
    pub(crate) fn was_used(&mut self, times: u32, last: Option<u64>) {
        self.joined_usage = self.joined_usage.saturating_add(times);
        self.usage = self.usage.saturating_add(times);
        self.last_used = self.last_used.max(last);
    }

    /// Takes over what its applications say.
    pub(super) fn weigh(&mut self, evidence: &PatternEvidence) {
        self.confidence = evidence.confidence;
        self.success_rate = evidence.success_rate;
        self.applications = evidence.applications;
        self.last_validated = evidence.last_validated;
    }

    /// Notes the words by which it is compared with a task.
    pub(super) fn name_words(&mut self, summary: &str) {
        let words = terms::telling(&format!("{} {summary}", self.name));
        self.words = words.into_iter().take(WORDS).collect();
    }
}

/// The name of the attribute that patterns of a group have if they are for a kind of task and a domain. Its value is
/// the part of the rank that does not depend on the task, so that the best are at the beginning of the store's index.
pub(super) fn index_name(group: &str, problem_type: &str, domain: &str) -> String {
    let (problem_type, domain) = (problem_type.to_lowercase(), domain.to_lowercase());
    format!("for-{}", digest(&[group, &problem_type, &domain]))
}

impl Noun for Head {
    const KIND: Kind = Kind::Pattern;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let mut attributes = vec![
            text("id", &self.id),
            text("kind", self.kind.as_str()),
            text("status", self.status.as_str()),
            number("confidence", self.confidence),
        ];
        if !is_recalled(self.status) {
            return attributes;
        }
        let or_any = |list: &[String]| match list {
            [] => vec![ANY.to_owned()],
            list => list.to_vec(),
        };
        let types = or_any(&self.applicability.problem_types);
        let mut domains = or_any(&self.applicability.domains);
        if types.len() * domains.len() > COMBINATIONS {
            domains = vec![MANY.to_owned()];
        }
        let worth = worth(self);
        let promoted = self.status == LessonStatus::Promoted;
        let groups = std::iter::once(self.kind.as_str())
            .chain(promoted.then_some(LessonStatus::Promoted.as_str()));
        for group in groups {
            for problem_type in &types {
                let names = domains
                    .iter()
                    .map(|domain| index_name(group, problem_type, domain));
                attributes.extend(names.map(|name| number(&name, worth)));
            }
        }
        // The same kind of task in other letters is the same one.
        attributes.sort_by(|left, right| left.name.cmp(&right.name));
        attributes.dedup_by(|left, right| left.name == right.name);
        attributes
    }
}

/// The words of a pattern, and what its applications say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Body {
    pub(super) id: String,
    pub(super) summary: String,
    pub(super) explanation: String,
    pub(super) correct_approach: String,
    pub(super) incorrect_approach: String,
    pub(super) content: Option<PatternContent>,
    pub(super) guidance: Guidance,
    pub(super) evidence: PatternEvidence,
    /// The confidence that was claimed when it was added.
    pub(super) claimed_confidence: f64,
}

impl Body {
    /// The body of a lesson that is no pattern yet.
    pub(super) fn of(lesson: &Lesson) -> Self {
        let said = advice::parse(&lesson.rule_text);
        Self {
            id: lesson.id.clone(),
            summary: lesson.rule_text.clone(),
            explanation: String::new(),
            correct_approach: said.correct.unwrap_or_default(),
            incorrect_approach: said.wrong.unwrap_or_default(),
            content: None,
            guidance: Guidance::default(),
            evidence: none(0.0),
            claimed_confidence: 0.0,
        }
    }
}

/// Names a pattern otherwise, wherever its words say the name.
pub(crate) fn rename(head: &mut Head, body: &mut Body, old: &str, new: &str) {
    new.clone_into(&mut head.name);
    body.summary = body.summary.replace(old, new);
    head.name_words(&body.summary);
}

impl Body {
    /// Forgets that an episode speaks for or against it.
    pub(crate) fn forget_episode(&mut self, episode: &str) {
        let evidence = &mut self.evidence;
        evidence.supporting_episodes.retain(|id| id != episode);
        evidence.counter_episodes.retain(|id| id != episode);
    }
}

impl Noun for Body {
    const KIND: Kind = Kind::PatternBody;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        Vec::new()
    }
}

/// That a pattern was applied in an episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Application {
    pub(super) pattern: String,
    pub(super) round: u32,
    pub(super) episode: String,
    pub(super) outcome: Outcome,
    /// When the episode ended.
    pub(super) at: u64,
    /// How long it took, in milliseconds.
    pub(super) duration: f64,
    /// What it cost, if that is known.
    pub(super) cost: Option<f64>,
    pub(super) task_type: String,
    pub(super) domain: String,
}

impl Application {
    /// The id of the application of a pattern in an episode.
    pub(crate) fn id_of(pattern: &str, episode: &str) -> String {
        format!("{pattern}.{episode}")
    }

    /// The value of the attribute by which the applications that count for a pattern are found.
    pub(super) fn of(pattern: &str, round: u32) -> String {
        format!("{pattern} {round}")
    }
}

impl Noun for Application {
    const KIND: Kind = Kind::Application;

    fn id(&self) -> String {
        Self::id_of(&self.pattern, &self.episode)
    }

    fn attributes(&self) -> Vec<Attribute> {
        vec![
            text("pattern", &self.pattern),
            text("of", &Self::of(&self.pattern, self.round)),
            number("at", self.at as f64),
        ]
    }
}

impl Noun for PatternVersion {
    const KIND: Kind = Kind::PatternVersion;

    fn id(&self) -> String {
        format!("{}.{}", self.pattern.lesson.id, self.version)
    }

    fn attributes(&self) -> Vec<Attribute> {
        vec![
            text("pattern", &self.pattern.lesson.id),
            number("version", f64::from(self.version)),
        ]
    }
}

/// The id of the one gate.
pub(super) const GATE: &str = "patterns";

impl Noun for ValidationGate {
    const KIND: Kind = Kind::Gate;

    fn id(&self) -> String {
        GATE.to_owned()
    }

    fn attributes(&self) -> Vec<Attribute> {
        Vec::new()
    }
}

/// The beginning of a text, in characters, on one line.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let mut cut: String = line.chars().take(most - 1).collect();
    cut.truncate(cut.trim_end().len());
    cut + "…"
}

/// The part of the rank that does not depend on the task, nor on the time.
pub(super) fn worth(head: &Head) -> f64 {
    0.4 * head.confidence + 0.3 * head.success_rate + 0.15 * usage(head.usage)
}

pub(super) fn usage(count: u32) -> f64 {
    (twiceshy_text::number::ln(1.0 + f64::from(count)) / 10.0).min(1.0)
}

/// Nothing is known yet but what is claimed.
pub(super) fn none(claimed_confidence: f64) -> PatternEvidence {
    PatternEvidence {
        significance: 1.0,
        confidence: claimed_confidence,
        ..PatternEvidence::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_for_very_many_domains_is_indexed_by_its_kinds_of_task() {
        let many = |count: usize| (0..count).map(|at| format!("d{at}")).collect::<Vec<_>>();
        let mut lesson = Lesson {
            id: "les_1".to_owned(),
            rule_text: "do it".to_owned(),
            kind: LessonKind::Strategy,
            status: LessonStatus::Promoted,
            ..crate::lessons::blank()
        };
        let mut head = Head::of(&lesson);
        let indexed = |head: &Head| {
            let attributes = head.attributes();
            let all = attributes.iter();
            all.filter(|one| one.name.starts_with("for-")).count()
        };
        assert_eq!(indexed(&head), 2, "by its status and by its kind");
        head.applicability.domains = many(32);
        head.applicability.problem_types = vec!["fix".to_owned(), "FIX".to_owned()];
        assert_eq!(indexed(&head), 2 * 32, "FIX and fix are one");
        head.applicability.problem_types = many(3);
        assert_eq!(indexed(&head), 2 * 3);
        lesson.status = LessonStatus::Suppressed;
        head.follow(&lesson);
        assert_eq!(indexed(&head), 0, "what is not recalled is not indexed");
    }

    #[test]
    fn a_long_name_is_cut_at_a_character() {
        assert_eq!(shortened("one\n two", 80), "one two");
        assert_eq!(shortened(&"ж".repeat(10), 4), "жжж…");
    }
}
