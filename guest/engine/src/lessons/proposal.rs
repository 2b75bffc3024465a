//! Proposals: lessons that a caller proposes, checked and masked.
//!
//! Owns what a proposal may contain and when two of them are the same lesson. Writing it is the business
//! of the entry.

use twiceshy_wit::memory::{
    Error, Lesson, LessonCandidate, LessonKind, LessonStatus, Origin, Scope, Source, Trust,
    Usefulness,
};

use super::KeptLesson;
use crate::{
    advice,
    events::identify,
    lessons::patterns::{Body, Head},
    limits,
    payload::{self, check_domain},
    refusal::{self, Unit},
    secrets::is_secret,
    store::{Desk, Made, Reader, digest},
    tags,
    usefulness::Evidence,
};

/// A lesson that somebody proposes, checked and masked, with the tags of the texts it names as triggers.
pub(crate) struct Proposal {
    pub(crate) kept: KeptLesson,
    pub(super) tags: Vec<String>,
    /// What it has as a pattern, if it is proposed as one.
    pub(crate) pattern: Option<(Head, Body)>,
}

impl Proposal {
    pub(crate) fn has_vector(&self) -> bool {
        !self.kept.vector.is_empty()
    }

    /// What it says.
    pub(crate) fn rule_text(&self) -> &str {
        &self.kept.lesson.rule_text
    }

    pub(crate) fn forget_vector(&mut self) {
        self.kept.vector.clear();
    }

    pub(crate) fn id(&self) -> &str {
        &self.kept.lesson.id
    }

    /// Its vector with the id of what made it.
    pub(crate) fn made(&self) -> Made {
        Made {
            vector: self.kept.vector.clone(),
            model: self.kept.vector_model.clone(),
        }
    }

    /// The same lesson under an id of its own, for what stays the same when its words change.
    pub(crate) fn under(mut self, id: &str) -> Self {
        id.clone_into(&mut self.kept.lesson.id);
        self
    }
}

/// A checked, masked lesson from a candidate, with its vector if the host has an embedder.
pub(crate) fn proposal(desk: &Desk, candidate: &LessonCandidate) -> Result<Proposal, Error> {
    let mut proposal = without_vector(desk, candidate)?;
    let made = desk.made_vector_of(&proposal.kept.lesson.rule_text);
    proposal.kept.take_vector(&made);
    Ok(proposal)
}

/// Gives proposed lessons their vectors, all asked for at once.
pub(crate) fn give_vectors(desk: &Desk, proposals: &mut [Proposal]) {
    let rules: Vec<_> = proposals
        .iter()
        .map(|proposal| proposal.kept.lesson.rule_text.clone())
        .collect();
    for (proposal, made) in proposals.iter_mut().zip(desk.made_vectors_of(&rules)) {
        proposal.kept.take_vector(&made);
    }
}

/// The same without asking an embedder.
pub(crate) fn without_vector(
    reader: &Reader,
    candidate: &LessonCandidate,
) -> Result<Proposal, Error> {
    check(candidate)?;
    let rule = payload::kept_text(candidate.rule_text.trim(), limits::RULE_CHARS * 4);
    let named: Vec<_> = candidate
        .trigger_texts
        .iter()
        .map(|text| identify(text))
        .collect();
    let mut triggers = candidate.trigger_fingerprints.clone();
    triggers.extend(named.iter().map(|fingerprint| fingerprint.id.clone()));
    triggers.sort();
    triggers.dedup();
    let domain = candidate.domain.clone().unwrap_or_default();
    let task = payload::kept_text(
        &candidate.task.clone().unwrap_or_default(),
        limits::TASK_BYTES,
    );
    let scope = candidate.scope_hint.unwrap_or(match domain.as_str() {
        "" => Scope::Global,
        _ => Scope::Domain,
    });
    let reach = match scope {
        Scope::Task => format!("task {domain} {task}"),
        Scope::Domain => format!("domain {domain}"),
        Scope::Global => "global".to_owned(),
    };
    let words = advice::normalised(&rule);
    let source = candidate.source.unwrap_or(Source::Agent);
    let lesson = Lesson {
        id: format!("les_{}", digest(&[&words, &triggers.join(" "), &reach])),
        rule_text: rule,
        kind: candidate.kind.unwrap_or(LessonKind::Rule),
        scope,
        domain,
        task,
        trigger_fingerprints: triggers,
        tags: candidate.tags.clone(),
        status: LessonStatus::Candidate,
        status_reason: "proposed".to_owned(),
        reliability: Evidence::default().reliability,
        origins: vec![Origin {
            run: candidate.run.clone().unwrap_or_default(),
            steps: named_steps(&candidate.steps),
            source,
            at: reader.now(),
        }],
        trust: trust_in(source),
        usefulness: unused(),
        created_at: 0,
        updated_at: 0,
    };
    let mut tags: Vec<_> = named.iter().flat_map(|found| found.tags.clone()).collect();
    if candidate.tags.is_empty() && lesson.trigger_fingerprints.is_empty() {
        tags.extend(tags::of_text(&lesson.rule_text));
    }
    let trigger_templates = named
        .into_iter()
        .map(|fingerprint| fingerprint.template)
        .collect();
    Ok(Proposal {
        kept: KeptLesson {
            lesson,
            trigger_templates,
            vector: Vec::new(),
            vector_model: String::new(),
            cases: Vec::new(),
            refuted: false,
            statements: Vec::new(),
        },
        tags,
        pattern: None,
    })
}

/// How far the word of a source goes.
fn trust_in(source: Source) -> Trust {
    match source {
        Source::Person => Trust::Vouched,
        Source::Trace => Trust::Observed,
        Source::Agent | Source::Model => Trust::Claimed,
    }
}

fn check(candidate: &LessonCandidate) -> Result<(), Error> {
    let invalid = |text: String| Err(Error::InvalidArgument(text));
    let characters = candidate.rule_text.trim().chars().count();
    if characters == 0 {
        return invalid(
            "`rule-text` is empty; say what to do, such as `WRONG: … → CORRECT: …`".to_owned(),
        );
    }
    refusal::at_most(
        "rule-text",
        characters,
        Unit::Characters,
        limits::RULE_CHARS,
        "shorten it",
    )?;
    let lists = [
        ("trigger-fingerprints", &candidate.trigger_fingerprints),
        ("trigger-texts", &candidate.trigger_texts),
        ("tags", &candidate.tags),
    ];
    for (name, list) in lists {
        refusal::entries(name, list.len(), limits::TRIGGERS)?;
    }
    refusal::entries("steps", candidate.steps.len(), limits::STEPS_PER_ORIGIN)?;
    for id in &candidate.trigger_fingerprints {
        let digits = id.strip_prefix("fp_").unwrap_or_default();
        if digits.len() != 16 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return invalid(format!(
                "`trigger-fingerprints` has `{}`, which is not a fingerprint such as fp_0123456789abcdef; \
                 `events.fingerprint-of` makes one from a text, or use `trigger-texts`",
                payload::kept_text(id, 100)
            ));
        }
    }
    for tag in &candidate.tags {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if tag.is_empty() || tag.len() > 64 || !tag.chars().all(allowed) || is_secret(tag) {
            return invalid(format!(
                "`tags` has `{}`; a tag must be 1 to 64 lowercase letters, digits or underscores",
                payload::kept_text(tag, 100)
            ));
        }
    }
    if let Some(domain) = &candidate.domain {
        check_domain("domain", domain)?;
    }
    let task = candidate.task.as_deref().unwrap_or_default();
    match candidate.scope_hint {
        Some(Scope::Task) if task.trim().is_empty() => {
            invalid("the scope `task` needs a task; give `task`".to_owned())
        }
        Some(Scope::Domain) if candidate.domain.is_none() => {
            invalid("the scope `domain` needs a domain; give `domain`".to_owned())
        }
        _ if task.len() > limits::TASK_BYTES => invalid(format!(
            "`task` has {} bytes, and at most {} are allowed; shorten it",
            task.len(),
            limits::TASK_BYTES
        )),
        _ => Ok(()),
    }
}

/// Nothing is known of its use yet.
fn unused() -> Usefulness {
    Usefulness {
        activations: 0,
        shown_runs: 0,
        withheld_runs: 0,
        helped: 0,
        harmed: 0,
        judged: 0,
        utility: None,
        withheld_utility: None,
        recurrence_drop: None,
        regressions: 0,
        losses: 0,
        last_shown_at: None,
    }
}

/// The steps that an origin names: ascending, each once.
fn named_steps(steps: &[u32]) -> Vec<u32> {
    let mut steps = steps.to_vec();
    steps.sort_unstable();
    steps.dedup();
    steps
}
