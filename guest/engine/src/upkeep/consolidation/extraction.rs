//! Stage 2: extracts patterns from recent episodes.
//!
//! Owns which episodes are compared, what becomes of a procedure that they share, and which patterns become
//! skills. A known pattern gets only what is new, so that repeating the stage changes nothing. How certain a procedure
//! is, is the business of [procedure](super::procedure); what errors teach, of [errors](super::errors).

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::{
    host::Condition,
    memory::{
        Applicability, Episode, Error, LessonKind, LessonStatus, NewPattern, Outcome, Pattern,
        PatternContent, ProcedureContent, Scope, Source,
    },
};

use super::{
    KeptConsolidation, Piece,
    journal::Journal,
    procedure::Procedure,
    similarity::{Shape, form, order_likeness},
};
use crate::{
    episodes::is_found,
    lessons::{
        patterns::{self, evidence},
        skills::{self, from_pattern},
    },
    limits, payload,
    store::{Desk, Kind, Reader, at_least, at_most, newest, query},
    text,
};

/// From which similarity on recent episodes are looked at together.
const GROUPED: f64 = 0.7;

/// Episodes of one kind that are looked at, the newest.
const OF_A_KIND: usize = 500;

/// Recent episodes of all kinds that are looked at, the newest.
const RECENT: u32 = 10_000;

/// Applications that are recorded in one commit.
const AT_ONCE: usize = 200;

/// A name and a summary in characters.
const NAME_CHARS: usize = 80;
const SUMMARY_CHARS: usize = 900;

/// Where the stage stands when all kinds are done and skills are next.
const SKILLS: &str = "skills";

/// A slug in bytes.
const SLUG_BYTES: usize = 48;

/// Episodes that are looked at together: of one domain and one kind of task.
type KindOfTask = (String, String);

pub(super) fn extract(
    desk: &mut Desk,
    plan: &KeptConsolidation,
    journal: &Journal,
) -> Result<Piece, Error> {
    if plan.position == SKILLS {
        make_skills(desk, journal)?;
        return Ok(Piece::last(plan.total));
    }
    let kinds = recent(desk, plan)?;
    if plan.position.is_empty() {
        let looked_at: usize = kinds.values().map(Vec::len).sum();
        let all = desk.count(Kind::Episode, &of_time(plan))?;
        let missed = all.saturating_sub(looked_at as u32);
        if missed > 0 {
            journal.pass_over(missed);
            desk.warn(&format!(
                "extraction: {missed} of {all} recent episodes are not compared; the newest {OF_A_KIND} of a kind are, \
                 and {RECENT} in all. Consolidate more often, or with fewer hours."
            ));
        }
    }
    let total = kinds.len() as u32 + 1;
    let done = kinds
        .keys()
        .take_while(|kind| position(kind) <= plan.position && !plan.position.is_empty());
    let mut done = done.count();
    let (mut next, mut looked_at) = (None, 0);
    // All recent episodes are read for each piece, so that small kinds share one.
    for (kind, episodes) in kinds.into_iter().skip(done) {
        looked_at += episodes.len();
        if next.is_some() && looked_at > OF_A_KIND {
            break;
        }
        let shapes = super::similarity::shapes(desk, episodes);
        find_procedures(desk, &kind, &shapes, plan, journal)?;
        for shape in &shapes {
            super::errors::learn_errors(desk, &shape.episode, journal)?;
        }
        next = Some(position(&kind));
        done += 1;
    }
    Ok(Piece {
        done: done as u32,
        next: next.or_else(|| Some(SKILLS.to_owned())),
        total,
    })
}

/// Conditions that an episode is recent.
fn of_time(plan: &KeptConsolidation) -> Vec<Condition> {
    vec![
        is_found(),
        at_least("ended-at", plan.extraction_from as f64),
        at_most("ended-at", plan.started_at as f64),
    ]
}

/// Recent episodes by their kind, oldest first.
fn recent(
    reader: &Reader,
    plan: &KeptConsolidation,
) -> Result<BTreeMap<KindOfTask, Vec<Episode>>, Error> {
    let recent = query::<Episode>(of_time(plan), newest("ended-at"), RECENT);
    let mut kinds: BTreeMap<KindOfTask, Vec<Episode>> = BTreeMap::new();
    for (read, _) in reader.search::<Episode>(&recent)? {
        let episode = read.noun;
        let kind = (episode.domain.clone(), episode.task_type.clone());
        let of_kind = kinds.entry(kind).or_default();
        if of_kind.len() < OF_A_KIND {
            of_kind.push(episode);
        }
    }
    kinds.values_mut().for_each(|episodes| episodes.reverse());
    Ok(kinds)
}

/// Finds the procedures that groups of similar episodes share.
fn find_procedures(
    desk: &mut Desk,
    kind: &KindOfTask,
    shapes: &[Shape],
    plan: &KeptConsolidation,
    journal: &Journal,
) -> Result<(), Error> {
    let mut known = None;
    for group in groups(desk, shapes)? {
        if group.len() < 2 {
            continue;
        }
        let Some(procedure) = Procedure::of(&group, desk)? else {
            continue;
        };
        let known = match &mut known {
            Some(known) => known,
            none => none.insert(procedures_of(desk, kind)?),
        };
        let similar = known
            .iter()
            .position(|pattern| is_same(&procedure, pattern, plan.settings.pattern_similarity));
        match similar {
            Some(at) => {
                journal.because("more episodes followed the same procedure");
                known[at] = reinforce(desk, &known[at], &procedure)?;
            }
            None if procedure.confidence() >= plan.settings.confidence => {
                journal.because(&format!(
                    "{} episodes followed it, with a confidence of {:.2}",
                    procedure.episodes.len(),
                    procedure.confidence()
                ));
                let pattern = patterns::add(desk, &new_pattern(kind, &group, &procedure))?;
                known.push(reinforce(desk, &pattern, &procedure)?);
            }
            None => {}
        }
    }
    Ok(())
}

/// Groups of similar episodes: each joins the first group that it is most similar to.
fn groups<'s>(reader: &Reader, shapes: &'s [Shape]) -> Result<Vec<Vec<&'s Shape>>, Error> {
    let mut groups: Vec<Vec<&Shape>> = Vec::new();
    for shape in shapes {
        let mut best: Option<(usize, f64)> = None;
        for (at, group) in groups.iter().enumerate() {
            let likeness = shape.likeness(group[0], GROUPED, reader)?;
            if likeness > 0.0 && best.is_none_or(|(_, best)| likeness > best) {
                best = Some((at, likeness));
            }
        }
        match best {
            Some((at, _)) => groups[at].push(shape),
            None => groups.push(vec![shape]),
        }
    }
    Ok(groups)
}

/// The procedures that are known for a kind of task, whatever their status.
fn procedures_of(reader: &Reader, (domain, task_type): &KindOfTask) -> Result<Vec<Pattern>, Error> {
    let mut known = patterns::all(reader, LessonKind::Sequence, None)?;
    let holds = |list: &[String], name: &String| list.is_empty() || list.contains(name);
    known.retain(|pattern| {
        let applicability = &pattern.applicability;
        pattern.superseded_by.is_none()
            && holds(&applicability.domains, domain)
            && holds(&applicability.problem_types, task_type)
    });
    known.sort_by(|left, right| left.lesson.id.cmp(&right.lesson.id));
    Ok(known)
}

/// Counts the episodes of a procedure that its pattern does not know yet as applications of it.
fn reinforce(desk: &mut Desk, pattern: &Pattern, procedure: &Procedure) -> Result<Pattern, Error> {
    let evidence = &pattern.evidence;
    let known: BTreeSet<_> = evidence
        .supporting_episodes
        .iter()
        .chain(&evidence.counter_episodes)
        .collect();
    let told = procedure.episodes.iter().filter(|(episode, outcome)| {
        matches!(outcome, Outcome::Success | Outcome::Failure) && !known.contains(episode)
    });
    let new: Vec<_> = told.cloned().collect();
    let mut latest = pattern.clone();
    for new in new.chunks(AT_ONCE) {
        latest = evidence::apply_all(desk, &pattern.lesson.id, new)?;
    }
    Ok(latest)
}

/// Makes skills of promoted procedures that have none yet.
pub(super) fn make_skills(desk: &mut Desk, journal: &Journal) -> Result<(), Error> {
    let promoted = Some(LessonStatus::Promoted);
    let procedures = patterns::all(desk, LessonKind::Sequence, promoted)?;
    for pattern in procedures {
        let slug = slug(&pattern);
        let is_procedure = matches!(pattern.content, Some(PatternContent::Procedure(_)));
        if is_procedure && matches!(skills::get(desk, &slug), Err(Error::NotFound(_))) {
            journal.because("the procedure is validated");
            from_pattern::skill_from_pattern(desk, &pattern.lesson.id, &slug)?;
        }
    }
    Ok(())
}

/// The place of a kind of task among the others.
fn position((domain, task_type): &KindOfTask) -> String {
    format!("of {domain}\u{1}{task_type}")
}

fn of_type(task_type: &str) -> Vec<String> {
    match task_type {
        "" => Vec::new(),
        task_type => vec![task_type.to_owned()],
    }
}

/// Whether a pattern is a procedure.
fn is_same(procedure: &Procedure, pattern: &Pattern, least: f64) -> bool {
    match &pattern.content {
        Some(PatternContent::Procedure(content)) => {
            order_likeness(&procedure.steps, &content.steps) >= least
        }
        _ => false,
    }
}

/// The name of a procedure by the task of an episode that followed it.
pub(crate) fn name_of(episode: &Episode) -> String {
    let task = form(&episode.task);
    let name = match (task.as_str(), episode.task_type.as_str()) {
        ("", "") => format!("A procedure in {}", episode.domain),
        ("", task_type) => task_type.to_owned(),
        (task, _) => task.to_owned(),
    };
    cut(&name, NAME_CHARS)
}

/// A procedure as a pattern.
fn new_pattern(
    (domain, task_type): &KindOfTask,
    group: &[&Shape],
    procedure: &Procedure,
) -> NewPattern {
    let name = name_of(&group[0].episode);
    let worked = procedure.episodes.iter();
    let worked = worked.filter(|(_, outcome)| *outcome == Outcome::Success);
    NewPattern {
        id: None,
        kind: LessonKind::Sequence,
        summary: cut(
            &format!("{name}: {}", procedure.steps.join(" → ")),
            SUMMARY_CHARS,
        ),
        name,
        explanation: Some(format!(
            "Found in {} episodes that took the same steps in this order.",
            procedure.episodes.len()
        )),
        correct_approach: None,
        incorrect_approach: None,
        applicability: Some(Applicability {
            problem_types: of_type(task_type),
            domains: vec![domain.clone()],
            ..Applicability::default()
        }),
        content: Some(PatternContent::Procedure(ProcedureContent {
            steps: procedure.steps.clone(),
            branching_logic: Vec::new(),
            termination_conditions: Vec::new(),
        })),
        guidance: None,
        scope: Some(Scope::Domain),
        domain: Some(domain.clone()),
        tags: Vec::new(),
        trigger_fingerprints: Vec::new(),
        source_episodes: worked
            .map(|(episode, _)| episode.clone())
            .take(limits::ORIGINS_PER_LESSON)
            .collect(),
        confidence: Some(procedure.confidence()),
        source: Some(Source::Trace),
    }
}

/// The name of a procedure as a skill: its words, and enough of its id to be its own.
fn slug(pattern: &Pattern) -> String {
    let words = text::terms(&pattern.name);
    let words = words.into_iter().filter(|word| word.is_ascii());
    let mut slug = words.collect::<Vec<_>>().join("-");
    slug.truncate(SLUG_BYTES);
    let id = pattern.lesson.id.as_str();
    let id = &id[id.floor_char_boundary(id.len().saturating_sub(6))..];
    format!("{}-{}", slug.trim_matches('-'), id.to_lowercase())
        .trim_matches('-')
        .to_owned()
}

/// The first characters of a text on one line.
fn cut(text: &str, most: usize) -> String {
    let line = payload::kept_text(text, limits::ACTION_BYTES * 4);
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.chars().count() <= most {
        true => line,
        false => line.chars().take(most - 1).chain(['…']).collect(),
    }
}
