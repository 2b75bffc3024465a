//! Changes of a pattern: its versions, its refinement after a review, and its deprecation.
//!
//! Owns what an update may change, and that old versions are kept.

use twiceshy_wit::memory::{
    Error, LessonStatus, Link, Pattern, PatternUpdate, PatternVersion, Relation,
};

use super::{
    applicability, assembled,
    proposal::{self, invalid},
};
use crate::{
    lessons::{Entry, KeptLesson, check_reason, entry, links, may_become, unknown},
    limits, payload,
    store::{Desk, Made, Reader, ascending, equals, query},
    usefulness::Evidence,
};

/// Versions of one answer.
const VERSIONS: u32 = 1_000;

pub(crate) fn updated(
    desk: &mut Desk,
    pattern: &str,
    update: &PatternUpdate,
) -> Result<Pattern, Error> {
    renewed(desk, pattern, update, |entry, _| {
        match entry.kept.lesson.status {
            LessonStatus::Archived => Err(Error::Conflict(format!(
                "Pattern `{pattern}` is archived and can't be changed. `patterns.add` adds another."
            ))),
            _ => Ok(()),
        }
    })
}

pub(crate) fn refined(
    desk: &mut Desk,
    pattern: &str,
    update: &PatternUpdate,
) -> Result<Pattern, Error> {
    let Some(narrowed) = &update.applicability else {
        return Err(invalid(
            "`applicability` is missing; a refinement must narrow it; use `patterns.update` for other changes",
        ));
    };
    let narrowed = proposal::checked(narrowed.clone())?;
    renewed(desk, pattern, update, |entry, now| {
        let status = entry.kept.lesson.status;
        if status != LessonStatus::UnderReview {
            return Err(Error::Conflict(format!(
                "Pattern `{pattern}` is {}. Only a pattern under review can be refined.",
                status.as_str()
            )));
        }
        let (head, body) = entry.pattern();
        if let Some(reason) = applicability::not_narrower(&head.applicability, &narrowed) {
            return Err(invalid(&format!(
                "`applicability` must be narrower than before: {reason}"
            )));
        }
        head.round += 1;
        body.claimed_confidence = 0.0;
        body.evidence = super::document::none(0.0);
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
    desk: &mut Desk,
    pattern: &str,
    update: &PatternUpdate,
    more: impl Fn(&mut Entry, u64) -> Result<(), Error>,
) -> Result<Pattern, Error> {
    check_reason(&update.reason)?;
    let now = desk.now();
    let mut preview = super::pattern_entry(desk, pattern)?;
    more(&mut preview, now)?;
    let says_another = take_over(&mut preview, update)?;
    let rule = preview.kept.lesson.rule_text;
    let made = match says_another {
        true => desk.made_vector_of(&rule),
        false => Made::default(),
    };
    desk.commit(|batch| {
        let mut entry = super::pattern_entry(batch, pattern)?;
        let links = links::links_of(batch, pattern)?;
        let before = assembled(&entry, &links);
        let replaced = version(&before, &update.reason, now);
        more(&mut entry, now)?;
        if take_over(&mut entry, update)? {
            // Somebody else may have changed the other half of the rule: then no vector stands for it.
            let same = entry.kept.lesson.rule_text == rule;
            let none = Made::default();
            entry.kept.take_vector(if same { &made } else { &none });
        }
        if assembled(&entry, &links) == before {
            return Err(invalid(
                "the update changes nothing; give at least one member that differs",
            ));
        }
        entry.pattern().0.version += 1;
        entry.kept.lesson.updated_at = now;
        batch.put_owned(&replaced);
        entry.put(batch);
        Ok(assembled(&entry, &links))
    })
}

/// Takes over what an update says. Whether the rule then says something else.
fn take_over(entry: &mut Entry, update: &PatternUpdate) -> Result<bool, Error> {
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
        entry.kept.lesson.rule_text = rule;
    }
    Ok(says_another)
}

pub(crate) fn versions(reader: &Reader, pattern: &str) -> Result<Vec<PatternVersion>, Error> {
    if reader.load::<KeptLesson>(pattern)?.is_none() {
        return Err(unknown(pattern));
    }
    let conditions = vec![equals("pattern", pattern)];
    let page = query::<PatternVersion>(conditions, ascending("version"), VERSIONS);
    let found = reader.search::<PatternVersion>(&page)?;
    Ok(found.into_iter().map(|(read, _)| read.noun).collect())
}

pub(crate) fn deprecated(
    desk: &mut Desk,
    pattern: &str,
    reason: &str,
    superseded_by: &str,
) -> Result<Pattern, Error> {
    check_reason(reason)?;
    let now = desk.now();
    desk.commit(|batch| {
        let mut entry = super::pattern_entry(batch, pattern)?;
        let mut links = links::links_of(batch, pattern)?;
        if !superseded_by.is_empty() {
            let successor = entry::entry(batch, superseded_by)?;
            if superseded_by == pattern {
                return Err(invalid("`superseded-by` is the pattern itself; name another one"));
            }
            let status = successor.kept.lesson.status;
            if matches!(status, LessonStatus::Deprecated | LessonStatus::Archived) {
                return Err(Error::Conflict(format!(
                    "`superseded-by` is `{superseded_by}`, which is {} itself; name a pattern in use",
                    status.as_str()
                )));
            }
            let link = superseding(pattern, superseded_by, reason, now);
            batch.put_owned(&link);
            links.push(link);
        }
        deprecate(&mut entry, reason, now)?;
        entry.put(batch);
        Ok(assembled(&entry, &links))
    })
}

/// Takes a pattern out of use.
pub(super) fn deprecate(entry: &mut Entry, reason: &str, now: u64) -> Result<(), Error> {
    let lesson = &entry.kept.lesson;
    if !may_become(lesson.status, LessonStatus::Deprecated) {
        return Err(Error::Conflict(format!(
            "Pattern `{}` is {} and can't be deprecated.",
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
