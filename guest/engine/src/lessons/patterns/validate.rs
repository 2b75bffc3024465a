//! Validation: whether a pattern holds, by its applications in the last 90 days.
//!
//! Owns the gate, the four results and the change of status that follows from each. The lifecycle of the lesson has a say, too:
//! a pattern that its lesson's runs contradict is not promoted here.

use twiceshy_wit::memory::{
    Error, LessonStatus, PatternEvidence, Validation, ValidationAnswer, ValidationGate,
};

use super::{
    binomial,
    document::{GATE, Head},
    proposal::check_share,
};
use crate::{
    lessons::{Entry, may_become},
    limits, refusal,
    store::{Desk, Reader, any_of, ascending, from_on, query},
    usefulness::{self, Verdict},
};

/// The gate before anybody sets it: 5 applications and 0.7 are the document's figures, as is 0.05. What is significantly
/// above chance has a success rate above 0.5 already; a person may ask for more.
const FIRST_GATE: ValidationGate = ValidationGate {
    least_applications: 5,
    least_success_rate: 0.5,
    significance: 0.05,
    confidence: 0.7,
};

/// The statuses in which a pattern is validated.
const VALIDATED: [LessonStatus; 3] = [
    LessonStatus::Candidate,
    LessonStatus::Promoted,
    LessonStatus::UnderReview,
];

pub(crate) fn kept_gate(reader: &Reader) -> Result<ValidationGate, Error> {
    let kept = reader.load::<ValidationGate>(GATE)?;
    Ok(kept.map_or(FIRST_GATE, |read| read.noun))
}

pub(crate) fn keep_gate(desk: &mut Desk, gate: &ValidationGate) -> Result<ValidationGate, Error> {
    refusal::within("least-applications", gate.least_applications, 1..=1_000)?;
    check_share("least-success-rate", gate.least_success_rate)?;
    check_share("significance", gate.significance)?;
    check_share("confidence", gate.confidence)?;
    desk.commit(|batch| {
        // The last word counts, whatever was set before.
        batch.put_owned(gate);
        Ok(*gate)
    })
}

/// Tests a pattern, and moves it on unless it is only looked at.
pub(crate) fn validated(
    desk: &mut Desk,
    pattern: &str,
    dry_run: bool,
) -> Result<Validation, Error> {
    let now = desk.now();
    let gate = kept_gate(desk)?;
    desk.commit(|batch| {
        let mut entry = super::pattern_entry(batch, pattern)?;
        let from_status = entry.kept.lesson.status;
        let doubt = doubt(&entry, now);
        let (head, body) = entry.pattern();
        let counted = super::evidence::applications(batch, pattern, head.round, now)?;
        super::evidence::count(&mut body.evidence, &counted, body.claimed_confidence);
        super::evidence::compare(batch, &mut body.evidence, &counted)?;
        let watched = VALIDATED.contains(&from_status);
        let enough = body.evidence.applications >= gate.least_applications;
        if watched && enough {
            body.evidence.last_validated = Some(now);
        }
        head.weigh(&body.evidence);
        let found = decided(&gate, &body.evidence, from_status, doubt);
        let evidence = body.evidence.clone();
        let moves = watched && found.status != from_status && may_become(from_status, found.status);
        if moves {
            entry.become_status(found.status, &found.reason, now);
        }
        let validation = Validation {
            pattern: pattern.to_owned(),
            answer: found.answer,
            from_status,
            to_status: entry.kept.lesson.status,
            evidence,
            reason: found.reason,
        };
        if watched && !dry_run {
            entry.put(batch);
        }
        Ok(validation)
    })
}

/// Tests patterns in the order of their ids.
pub(crate) fn validated_after(
    desk: &mut Desk,
    after: &str,
    limit: u32,
    dry_run: bool,
) -> Result<Vec<Validation>, Error> {
    let limit = limits::listed(Some(limit)) as usize;
    let mut conditions = vec![any_of(
        "status",
        VALIDATED.iter().map(|status| status.as_str()),
    )];
    if !after.is_empty() {
        conditions.push(from_on("id", after));
    }
    let page = query::<Head>(conditions, ascending("id"), limit as u32 + 1);
    let found = desk.search::<Head>(&page)?;
    let ids = found.into_iter().map(|(read, _)| read.noun.id);
    ids.filter(|id| id != after)
        .take(limit)
        .map(|id| validated(desk, &id, dry_run))
        .collect()
}

/// Why a lesson's own runs speak against it, if they do.
fn doubt(entry: &Entry, now: u64) -> Option<String> {
    match usefulness::judge(&entry.evidence, LessonStatus::Promoted, false, now) {
        Verdict::Review(reason) => Some(reason),
        _ => None,
    }
}

/// What a validation comes to.
struct Decided {
    answer: ValidationAnswer,
    status: LessonStatus,
    reason: String,
}

fn decided(
    gate: &ValidationGate,
    evidence: &PatternEvidence,
    from: LessonStatus,
    doubt: Option<String>,
) -> Decided {
    let figures = figures(evidence);
    if evidence.applications < gate.least_applications {
        return Decided {
            answer: ValidationAnswer::InsufficientEvidence,
            status: from,
            reason: format!("{figures}; {} are needed", gate.least_applications),
        };
    }
    match objection(gate, evidence).or(doubt) {
        None => Decided {
            answer: ValidationAnswer::Validated,
            status: LessonStatus::Promoted,
            reason: format!("validated: {figures}"),
        },
        // What was never validated is not put under review for lack of proof.
        Some(objection) if from == LessonStatus::Candidate => Decided {
            answer: ValidationAnswer::Candidate,
            status: from,
            reason: format!("not yet certain: {objection}; {figures}"),
        },
        Some(objection) => Decided {
            answer: ValidationAnswer::NeedsReview,
            status: LessonStatus::UnderReview,
            reason: format!("no longer certain: {objection}; {figures}"),
        },
    }
}

/// What is held against a pattern with enough applications; none if it passes.
fn objection(gate: &ValidationGate, evidence: &PatternEvidence) -> Option<String> {
    if evidence.success_rate < gate.least_success_rate {
        return Some(format!(
            "a success rate of {:.2} is below {:.2}",
            evidence.success_rate, gate.least_success_rate
        ));
    }
    if evidence.significance >= gate.significance {
        return Some(format!(
            "p {:.4} against chance is not below {}",
            evidence.significance, gate.significance
        ));
    }
    if evidence.confidence <= gate.confidence {
        return Some(format!(
            "a confidence of {:.3} is not above {}",
            evidence.confidence, gate.confidence
        ));
    }
    let worse = evidence.base_rate.filter(|rate| {
        let (successes, applications) = (evidence.successes, evidence.applications);
        binomial::at_most(successes, applications, *rate) < gate.significance
    });
    worse.map(|rate| {
        format!(
            "tasks of its kind succeed in {:.0} % without it, significantly more often",
            rate * 100.0
        )
    })
}

/// Evidence in words.
pub(super) fn figures(evidence: &PatternEvidence) -> String {
    let mut figures = format!(
        "{} of {} applications succeeded, p {:.4}, confidence {:.3}",
        evidence.successes, evidence.applications, evidence.significance, evidence.confidence
    );
    if let Some(rate) = evidence.base_rate {
        figures += &format!(", {:.0} % without it", rate * 100.0);
    }
    figures
}
