//! The last part of stage 4 over lessons: one lesson with a hole for those that differ in names alone.
//!
//! Owns which lessons are compared, and what the lesson that takes their place has of them: their triggers, origins, cases
//! and evidence. How two rules become one is the business of [`general`](crate::general). What is joined stays, deprecated and
//! with a link to what supersedes it.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::{
    host::Order,
    memory::{
        Error, Lesson, LessonCandidate, LessonKind, LessonStatus, Link, Relation, Scope, Source,
        Trust,
    },
};

use super::journal::Journal;
use crate::{
    analogy::Case,
    general::{self, Example},
    lessons::{
        Entry, KeptLesson, Proposal, entry, is_recalled, patterns::Head, proposal, recalled,
    },
    limits, mining,
    store::{Desk, Reader, any_of, at_least, equals, query},
    usefulness::{self, Evidence, Verdict},
};

/// Lessons of one piece.
const PAGE: u32 = 50;

/// Lessons of one failure that are read in one go.
const READ: u32 = 200;

/// Lessons that are joined at once: all that is written fits into one commit.
const JOINED: usize = 32;

const REASON: &str = "they differ in names alone";

/// What was done at one call.
pub(super) struct Joined {
    /// How many lessons to leave out next time; none if all were looked at.
    pub(super) next: Option<u32>,
    /// Lessons that were looked at.
    pub(super) lessons: u32,
}

/// Joins lessons that were changed since a time with others for the same failures. `offset` is what the last call said.
///
/// Lessons are only added while this goes on, so that an offset among them leaves none out.
pub(super) fn join_lessons(
    desk: &mut Desk,
    offset: u32,
    since: u64,
    journal: &Journal,
) -> Result<Joined, Error> {
    let conditions = vec![
        equals("kind", LessonKind::Rule.as_str()),
        at_least("updated-at", since as f64),
    ];
    let mut page = query::<KeptLesson>(conditions, Order::ById, PAGE);
    page.offset = offset;
    let found = desk.search::<KeptLesson>(&page)?;
    let lessons = found.len() as u32;
    let mut shelves = Shelves::default();
    let mut joined = BTreeSet::new();
    for (read, _) in found {
        let id = &read.noun.lesson.id;
        if may_join(&read.noun) && !joined.contains(id) {
            let group = shelves.examples_beside(desk, &read.noun)?;
            joined.extend(join_group(desk, &group, journal)?);
        }
    }
    Ok(Joined {
        next: (lessons == PAGE).then_some(offset + lessons),
        lessons,
    })
}

/// Whether a lesson was found in steps, is shown, and is nobody's own word.
fn may_join(kept: &KeptLesson) -> bool {
    let lesson = &kept.lesson;
    let mut origins = lesson.origins.iter();
    lesson.kind == LessonKind::Rule
        && lesson.trust == Trust::Observed
        && is_recalled(lesson.status)
        && origins.any(|origin| origin.source == Source::Trace)
}

/// The lessons of each failure with what they may have in common, as far as they were read in this piece.
#[derive(Default)]
struct Shelves {
    by_trigger: BTreeMap<String, Vec<(String, String)>>,
}

impl Shelves {
    /// The lessons for the same failures with the same outline, the given one first.
    fn examples_beside(
        &mut self,
        reader: &Reader,
        kept: &KeptLesson,
    ) -> Result<Vec<String>, Error> {
        let Some(outline) = outline(kept) else {
            return Ok(Vec::new());
        };
        let own = &kept.lesson.id;
        let mut beside = BTreeSet::new();
        for trigger in &kept.lesson.trigger_fingerprints {
            if !self.by_trigger.contains_key(trigger) {
                let lessons = lessons_for(reader, trigger)?;
                self.by_trigger.insert(trigger.clone(), lessons);
            }
            let same = self.by_trigger[trigger].iter();
            let same = same.filter(|(id, other)| *other == outline && id != own);
            beside.extend(same.map(|(id, _)| id.clone()));
        }
        Ok(std::iter::once(own.clone()).chain(beside).collect())
    }
}

/// What a lesson must have in common with those that it may be joined with.
fn outline(kept: &KeptLesson) -> Option<String> {
    let lesson = &kept.lesson;
    let reach = match lesson.scope {
        Scope::Task => lesson.task.as_str(),
        Scope::Domain | Scope::Global => "",
    };
    let scope = lesson.scope.as_str();
    let outline = general::outline(&lesson.rule_text)?;
    Some([scope, &lesson.domain, reach, &outline].join("\u{1}"))
}

/// The lessons for a failure that may be joined, each with its outline.
fn lessons_for(reader: &Reader, trigger: &str) -> Result<Vec<(String, String)>, Error> {
    let conditions = vec![any_of("fingerprint", [trigger]), recalled()];
    let mut page = query::<KeptLesson>(conditions, Order::ById, READ);
    let mut lessons = Vec::new();
    loop {
        let found = reader.search::<KeptLesson>(&page)?;
        let is_last = found.len() < READ as usize;
        let fitting = found.into_iter().filter(|(read, _)| may_join(&read.noun));
        lessons.extend(fitting.filter_map(|(read, _)| {
            let outline = outline(&read.noun)?;
            Some((read.noun.lesson.id, outline))
        }));
        if is_last {
            return Ok(lessons);
        }
        page.offset += READ;
    }
}

/// Makes one lesson of those that the first can be joined with, and gives the ids of all that are one now.
fn join_group(desk: &mut Desk, ids: &[String], journal: &Journal) -> Result<Vec<String>, Error> {
    if ids.len() < 2 {
        return Ok(Vec::new());
    }
    journal.because(REASON);
    let now = desk.now();
    desk.commit(|batch| {
        let Some((rule, mut members)) = examples(batch, ids)? else {
            return Ok(Vec::new());
        };
        let ids: Vec<_> = members.iter().map(id_of).collect();
        let proposal = proposed(batch, &rule, &members)?;
        let evidence = Evidence::joined(members.iter().map(|member| &member.evidence));
        let Some((status, reason)) = standing(&members, &evidence) else {
            return Ok(Vec::new());
        };
        let mut general = entry::entry_of(batch, &proposal, &mut Vec::new(), now)?;
        let is_member = ids.contains(&general.kept.lesson.id);
        if !general.is_recalled() || !is_member && !general.is_new() {
            // It was known before, and put aside or taken back.
            return Ok(Vec::new());
        }
        members.retain(|member| id_of(member) != general.kept.lesson.id);
        general.evidence = evidence;
        take_over(&mut general.kept, &members);
        if general.kept.lesson.status != status {
            general.become_status(status, &reason, now);
        }
        let into = general.kept.lesson.id.clone();
        entry::put_contradictions(batch, std::slice::from_ref(&general), now)?;
        general.put(batch);
        for member in &mut members {
            let reason = format!("joined into {into}: {REASON}");
            member.become_status(LessonStatus::Deprecated, &reason, now);
            batch.put_owned(&Link {
                source: into.clone(),
                relation: Relation::Supersedes,
                target: id_of(member),
                reason: REASON.to_owned(),
                at: now,
            });
            member.put(batch);
        }
        Ok(ids.clone())
    })
}

fn id_of(entry: &Entry) -> String {
    entry.kept.lesson.id.clone()
}

/// The rule that the first lesson and others are examples of, and these lessons. None if there is none, or if all of them
/// come from one run, in which it may be chance.
fn examples(reader: &Reader, ids: &[String]) -> Result<Option<(String, Vec<Entry>)>, Error> {
    let heads = reader.load_by_id::<Head>(ids)?;
    let entries = entry::entries(reader, ids)?;
    let mut rule = String::new();
    let mut members: Vec<Entry> = Vec::new();
    let mut cases: Vec<Case> = Vec::new();
    let mut triggers: BTreeSet<String> = BTreeSet::new();
    for entry in entries {
        let lesson = &entry.kept.lesson;
        if heads.contains_key(&lesson.id) || !may_join(&entry.kept) || members.len() == JOINED {
            continue;
        }
        let mut all = triggers.clone();
        all.extend(lesson.trigger_fingerprints.iter().cloned());
        if members.is_empty() {
            rule.clone_from(&lesson.rule_text);
        } else {
            let known = Example {
                rule_text: &rule,
                cases: &cases,
            };
            let other = Example {
                rule_text: &lesson.rule_text,
                cases: &entry.kept.cases,
            };
            match general::join(&known, &other) {
                Some(joined) if all.len() <= limits::TRIGGERS => rule = joined,
                _ => continue,
            }
        }
        triggers = all;
        cases.extend(entry.kept.cases.iter().cloned());
        members.push(entry);
    }
    let origins = members.iter().flat_map(|entry| &entry.kept.lesson.origins);
    let runs: BTreeSet<_> = origins.map(|origin| &origin.run).collect();
    Ok((members.len() > 1 && runs.len() > 1).then_some((rule, members)))
}

/// The lesson that takes the place of some.
fn proposed(reader: &Reader, rule: &str, members: &[Entry]) -> Result<Proposal, Error> {
    let first = &members[0].kept.lesson;
    let lessons = || members.iter().map(|member| &member.kept.lesson);
    let all = |own: fn(&Lesson) -> &Vec<String>| -> Vec<String> {
        let all: BTreeSet<_> = lessons().flat_map(own).cloned().collect();
        all.into_iter().take(limits::TRIGGERS).collect()
    };
    let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let candidate = LessonCandidate {
        rule_text: rule.to_owned(),
        trigger_fingerprints: all(|lesson| &lesson.trigger_fingerprints),
        trigger_texts: Vec::new(),
        tags: all(|lesson| &lesson.tags),
        scope_hint: Some(first.scope),
        kind: Some(first.kind),
        domain: given(&first.domain),
        task: given(&first.task),
        run: first.origins.first().map(|origin| origin.run.clone()),
        steps: Vec::new(),
        source: Some(Source::Trace),
    };
    let mut proposal = proposal::without_vector(reader, &candidate)?;
    // What it was learned from is what its examples were; the origins follow with them.
    let origins = first.origins.clone();
    proposal.kept.lesson.origins = origins;
    proposal.kept.cases.clone_from(&members[0].kept.cases);
    proposal.kept.cases.truncate(1);
    Ok(proposal)
}

/// Adds what other lessons were learned from: their origins, and a case of each before the second of any.
fn take_over(kept: &mut KeptLesson, members: &[Entry]) {
    for member in members {
        for origin in &member.kept.lesson.origins {
            let lesson = &mut kept.lesson;
            let known = lesson.origins.contains(origin);
            if !known && lesson.origins.len() < limits::ORIGINS_PER_LESSON {
                lesson.origins.push(origin.clone());
            }
        }
        kept.trigger_templates
            .extend(member.kept.trigger_templates.iter().cloned());
    }
    kept.trigger_templates.sort();
    kept.trigger_templates.dedup();
    let most = members.iter().map(|member| member.kept.cases.len()).max();
    for round in 0..most.unwrap_or(0) {
        let cases = members
            .iter()
            .filter_map(|member| member.kept.cases.get(round));
        for case in cases {
            if kept.cases.len() < mining::CASES && !kept.cases.contains(case) {
                kept.cases.push(case.clone());
            }
        }
    }
}

/// Where the lesson begins that takes the place of some, and why: promoted if their evidence together is enough for it, or if
/// one of them is and nothing speaks against all of them. None if they had better not be shown at all.
fn standing(members: &[Entry], evidence: &Evidence) -> Option<(LessonStatus, String)> {
    let judged = |status| usefulness::judge(evidence, status, false, 0);
    let reason = format!("{} lessons: {REASON}", members.len());
    let is_promoted = |member: &Entry| member.kept.lesson.status == LessonStatus::Promoted;
    match judged(LessonStatus::Candidate) {
        Verdict::Promote(merit) => Some((LessonStatus::Promoted, format!("{reason}; {merit}"))),
        Verdict::Suppress(_) => None,
        _ if members.iter().any(is_promoted) => match judged(LessonStatus::Promoted) {
            Verdict::Stay => Some((LessonStatus::Promoted, reason)),
            _ => None,
        },
        _ => Some((LessonStatus::Candidate, reason)),
    }
}
