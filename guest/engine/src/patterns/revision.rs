//! Changes of a pattern: its versions, its refinement after a review, and its deprecation.
//!
//! Owns what an update may change, and that what was stays on record.

use twiceshy_wit::{
    host::Precondition,
    memory::{Error, LessonStatus, Link, Pattern, PatternUpdate, PatternVersion, Relation},
};

use super::{
    applicability, assembled, evidence,
    proposal::{self, invalid},
};
use crate::{
    documents::{ascending, equals, put, query},
    lessons::{Entry, KeptLesson, check_reason, may_become, unknown},
    limits, payload,
    ports::Engine,
    usefulness::Evidence,
};

/// Versions of one answer.
const VERSIONS: u32 = 1_000;

impl Engine<'_> {
    pub(super) fn updated(&self, pattern: &str, update: &PatternUpdate) -> Result<Pattern, Error> {
        self.renewed(pattern, update, |entry, _| match entry.kept.lesson.status {
            LessonStatus::Archived => Err(Error::Conflict(format!(
                "the pattern `{pattern}` is archived and stays as it is; patterns.add adds another"
            ))),
            _ => Ok(()),
        })
    }

    pub(super) fn refined(&self, pattern: &str, update: &PatternUpdate) -> Result<Pattern, Error> {
        let Some(narrowed) = &update.applicability else {
            return Err(invalid(
                "applicability is missing; a refinement narrows it, else use patterns.update",
            ));
        };
        let narrowed = proposal::checked(narrowed.clone())?;
        self.renewed(pattern, update, |entry, now| {
            let status = entry.kept.lesson.status;
            if status != LessonStatus::UnderReview {
                return Err(Error::Conflict(format!(
                    "the pattern `{pattern}` is {}; only one under review is refined",
                    status.as_str()
                )));
            }
            let (head, body) = entry.pattern();
            if let Some(reason) = applicability::not_narrower(&head.applicability, &narrowed) {
                return Err(invalid(&format!(
                    "applicability does not hold for less than before: {reason}"
                )));
            }
            head.round += 1;
            body.claimed_confidence = 0.0;
            body.evidence = evidence::none(0.0);
            body.evidence.last_validated = Some(now);
            head.weigh(&body.evidence);
            // What its runs said was about the pattern as it was.
            let before = std::mem::take(&mut entry.evidence);
            entry.evidence = Evidence {
                retrievals: before.retrievals,
                last_shown_at: before.last_shown_at,
                ..Evidence::default()
            };
            let reason = format!("refined: {}", update.reason);
            entry.become_status(LessonStatus::Promoted, &reason, now);
            Ok(())
        })
    }

    /// Writes the next version of a pattern; what it was is kept. `more` checks and changes what goes beyond its words.
    fn renewed(
        &self,
        pattern: &str,
        update: &PatternUpdate,
        more: impl Fn(&mut Entry, u64) -> Result<(), Error>,
    ) -> Result<Pattern, Error> {
        check_reason(&update.reason)?;
        let now = self.now();
        self.change(|_| {
            let mut entry = self.pattern_entry(pattern)?;
            let links = self.links_of(pattern)?;
            let before = assembled(&entry, &links);
            let replaced = version(&before, &update.reason, now);
            more(&mut entry, now)?;
            self.take_over(&mut entry, update)?;
            if assembled(&entry, &links) == before {
                return Err(invalid(
                    "the update changes nothing; give at least one member that differs",
                ));
            }
            entry.pattern().0.version += 1;
            entry.kept.lesson.updated_at = now;
            let mut batch = vec![put(&replaced, Precondition::Anything)];
            batch.extend(entry.changes());
            Ok((batch, assembled(&entry, &links)))
        })
    }

    /// Takes over what an update says.
    fn take_over(&self, entry: &mut Entry, update: &PatternUpdate) -> Result<(), Error> {
        let (head, body) = entry.pattern();
        if let Some(name) = &update.name {
            head.name = proposal::name(name)?;
        }
        if let Some(summary) = &update.summary {
            body.summary = proposal::summary(summary)?;
        }
        if let Some(explanation) = &update.explanation {
            body.explanation = proposal::explanation(explanation)?;
        }
        if let Some(approach) = &update.correct_approach {
            body.correct_approach = proposal::approach("correct-approach", approach)?;
        }
        if let Some(approach) = &update.incorrect_approach {
            body.incorrect_approach = proposal::approach("incorrect-approach", approach)?;
        }
        if let Some(applicability) = &update.applicability {
            head.applicability = proposal::checked(applicability.clone())?;
        }
        if let Some(content) = &update.content {
            body.content = Some(proposal::kept_content(content)?);
        }
        if let Some(guidance) = &update.guidance {
            body.guidance = proposal::kept_guidance(guidance)?;
        }
        head.name_words(&body.summary);
        let says_another = update.summary.is_some()
            || update.correct_approach.is_some()
            || update.incorrect_approach.is_some();
        if says_another {
            let rule = proposal::rule_text(
                &body.summary,
                &body.correct_approach,
                &body.incorrect_approach,
            );
            entry.kept.vector = self.vector_of(&rule);
            entry.kept.lesson.rule_text = rule;
        }
        Ok(())
    }

    pub(super) fn versions(&self, pattern: &str) -> Result<Vec<PatternVersion>, Error> {
        if self.load::<KeptLesson>(pattern)?.is_none() {
            return Err(unknown(pattern));
        }
        let conditions = vec![equals("pattern", pattern)];
        let page = query::<PatternVersion>(conditions, ascending("version"), VERSIONS);
        let found = self.search::<PatternVersion>(&page)?;
        Ok(found.into_iter().map(|(read, _)| read.noun).collect())
    }

    pub(super) fn deprecated(
        &self,
        pattern: &str,
        reason: &str,
        superseded_by: &str,
    ) -> Result<Pattern, Error> {
        check_reason(reason)?;
        let now = self.now();
        self.change(|_| {
            let mut entry = self.pattern_entry(pattern)?;
            let mut links = self.links_of(pattern)?;
            let mut batch = Vec::new();
            if !superseded_by.is_empty() {
                let successor = self.entry(superseded_by)?;
                if superseded_by == pattern {
                    return Err(invalid("superseded-by is the pattern itself; name another"));
                }
                let status = successor.kept.lesson.status;
                if matches!(status, LessonStatus::Deprecated | LessonStatus::Archived) {
                    return Err(Error::Conflict(format!(
                        "superseded-by: `{superseded_by}` is {} itself; name one that is in use",
                        status.as_str()
                    )));
                }
                let link = superseding(pattern, superseded_by, reason, now);
                batch.push(put(&link, Precondition::Anything));
                links.push(link);
            }
            deprecate(&mut entry, reason, now)?;
            batch.extend(entry.changes());
            Ok((batch, assembled(&entry, &links)))
        })
    }
}

/// Takes a pattern out of use.
pub(super) fn deprecate(entry: &mut Entry, reason: &str, now: u64) -> Result<(), Error> {
    let lesson = &entry.kept.lesson;
    if !may_become(lesson.status, LessonStatus::Deprecated) {
        return Err(Error::Conflict(format!(
            "the pattern `{}` is {} and can't become deprecated",
            lesson.id,
            lesson.status.as_str()
        )));
    }
    entry.become_status(LessonStatus::Deprecated, reason, now);
    Ok(())
}

/// The link from a pattern to the one that takes its place.
pub(super) fn superseding(pattern: &str, successor: &str, reason: &str, now: u64) -> Link {
    Link {
        source: pattern.to_owned(),
        relation: Relation::SupersededBy,
        target: successor.to_owned(),
        reason: payload::kept_text(reason, limits::ACTION_BYTES),
        at: now,
    }
}

/// A pattern as it is about to be replaced.
pub(super) fn version(before: &Pattern, reason: &str, now: u64) -> PatternVersion {
    PatternVersion {
        version: before.version,
        pattern: before.clone(),
        reason: payload::kept_text(reason, limits::ACTION_BYTES),
        until: now,
    }
}
