//! Gathering: memories of every kind that may help with a task.
//!
//! Owns what is asked of lessons, patterns, episodes and skills, and what each becomes as a candidate. Every question
//! is a bounded read. A part that this memory does not offer is left out.

use twiceshy_wit::memory::{
    ContextRequest, EpisodeHit, EpisodeQuery, Error, LessonKind, LessonStatus, Outcome, Pattern,
    SkillHit, TaskContext, TaskFeatures, Work,
};

use super::words;
use crate::{
    advice,
    episodes::{search, tasks::task_id},
    lessons::{patterns, skills},
    recall::pool::{self, Pooled, Wanted},
    similarity::Scale,
    store::{Desk, Reader},
};

/// Patterns that are asked for: the memory hierarchy's five, and some for those that say the same.
const PATTERNS: u32 = 10;

/// Episodes that are asked for: three are shown, one for each task.
const EPISODES: u32 = 20;

/// Skills that are asked for.
const SKILLS: u32 = 5;

/// What a pattern counts that is made for this kind of task and shares no word with it.
const MADE_FOR_IT: f64 = 0.5;

/// Kinds of lessons that say what to do.
const KNOWLEDGE: [LessonKind; 8] = [
    LessonKind::Rule,
    LessonKind::Strategy,
    LessonKind::Decomposition,
    LessonKind::Sequence,
    LessonKind::ToolSelection,
    LessonKind::Recovery,
    LessonKind::Optimization,
    // A skill that is kept as a lesson comes as a skill.
    LessonKind::Domain,
];

/// Kinds of lessons that say what is so.
const FACTS: [LessonKind; 1] = [LessonKind::Fact];

/// Kinds of lessons that say what to avoid.
const AVOIDED: [LessonKind; 2] = [LessonKind::AntiPattern, LessonKind::Failure];

/// Where a memory comes in a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Pattern,
    Episode,
    Fact,
    Skill,
    Avoid,
}

/// A memory that may be of use.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) id: String,
    pub(super) place: Place,
    /// What it is, in one word.
    pub(super) kind: &'static str,
    /// What it says.
    pub(super) summary: String,
    /// What it is compared with a task by; the nearest one counts.
    pub(super) texts: Vec<String>,
    /// What it warns of, for the action that is about to be taken.
    pub(super) warns_of: String,
    /// The score by which it was found by its words, among those of its kind; none if it came another way.
    pub(super) score: Option<f64>,
    /// Its cosine with the task, and what that says, if that is known.
    pub(super) near: Option<(f64, Scale)>,
    /// How well it is known to fit by other ways than words, from 0 to 1, and by which.
    pub(super) known_fit: (f64, &'static str),
    /// How far it is to be relied on, from 0 to 1.
    pub(super) worth: f64,
    /// How that is said.
    pub(super) standing: String,
    /// When it was confirmed last.
    pub(super) at: u64,
    /// Memories with the same key are the same.
    pub(super) same: String,
    /// The function that tells more.
    pub(super) more: &'static str,
}

/// Memories of every kind that may be of use for a task.
pub(super) fn gathered(
    desk: &Desk,
    request: &ContextRequest,
    work: Work,
) -> Result<Vec<Candidate>, Error> {
    let mut candidates = lessons_for(desk, request)?;
    for pattern in available(patterns_for(desk, request))?.unwrap_or_default() {
        let pattern = of_pattern(pattern, request, work);
        match candidates.iter_mut().find(|known| known.id == pattern.id) {
            // Its pattern says more than the lesson alone.
            Some(lesson) => {
                let lesson_alone = std::mem::replace(lesson, pattern);
                lesson.texts.extend(lesson_alone.texts);
                (lesson.score, lesson.near) = (lesson_alone.score, lesson_alone.near);
                if lesson_alone.known_fit.0 > lesson.known_fit.0 {
                    lesson.known_fit = lesson_alone.known_fit;
                }
            }
            None => candidates.push(pattern),
        }
    }
    let episodes = available(episodes_for(desk, request))?.unwrap_or_default();
    let by_meaning = desk.has_reading_embedder();
    candidates.extend(episodes.into_iter().map(|hit| of_episode(hit, by_meaning)));
    let skills = available(skills::find(desk, &request.task, SKILLS))?.unwrap_or_default();
    candidates.extend(skills.into_iter().map(of_skill));
    Ok(candidates)
}

fn lessons_for(desk: &Desk, request: &ContextRequest) -> Result<Vec<Candidate>, Error> {
    let (own, topics) = words::sought(&request.task);
    let (action, _) = words::sought(request.action.as_deref().unwrap_or_default());
    let plain = [own.as_str(), topics.as_str()];
    let warned = [own.as_str(), topics.as_str(), action.as_str()];
    let wanted = [
        (&KNOWLEDGE[..], &plain[..]),
        (&FACTS[..], &plain[..1]),
        (&AVOIDED[..], &warned[..]),
    ]
    .map(|(kinds, words)| Wanted { kinds, words });
    let context = TaskContext {
        task: request.task.clone(),
        domain: request.domain.clone(),
        recent_fingerprints: Vec::new(),
        limit: Some(super::memories(request)),
        tokens: None,
    };
    let pooled = pool::pooled(desk, &context, &wanted, &features_of(request))?;
    Ok(pooled.into_iter().filter_map(of_lesson).collect())
}

fn patterns_for(reader: &Reader, request: &ContextRequest) -> Result<Vec<Pattern>, Error> {
    let applicable = patterns::find_applicable(reader, &features_of(request))?;
    Ok(applicable.into_iter().map(|found| found.pattern).collect())
}

/// What a request says of its task.
fn features_of(request: &ContextRequest) -> TaskFeatures {
    TaskFeatures {
        task_type: request.task_type.clone().unwrap_or_default(),
        features: request.features.clone(),
        limit: Some(PATTERNS),
        ..patterns::features(&request.task, &request.domain)
    }
}

fn episodes_for(desk: &Desk, request: &ContextRequest) -> Result<Vec<EpisodeHit>, Error> {
    search::search_episodes(
        desk,
        &EpisodeQuery {
            text: request.task.clone(),
            preferred_domain: Some(request.domain.clone()),
            limit: Some(EPISODES),
            ..EpisodeQuery::default()
        },
    )
}

/// None where this memory does not offer something.
fn available<T>(answer: Result<T, Error>) -> Result<Option<T>, Error> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(Error::Unavailable(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn place(kind: LessonKind) -> Option<Place> {
    match kind {
        LessonKind::Skill => None,
        kind if AVOIDED.contains(&kind) => Some(Place::Avoid),
        kind if FACTS.contains(&kind) => Some(Place::Fact),
        _ => Some(Place::Pattern),
    }
}

fn of_lesson(pooled: Pooled) -> Option<Candidate> {
    let Pooled {
        hint,
        templates,
        score,
        near,
    } = pooled;
    let lesson = hint.lesson;
    let place = place(lesson.kind)?;
    let known_fit = if hint.parts.fingerprint_match >= 1.0 {
        (1.0, "for a failure that this task had before")
    } else {
        (0.0, "")
    };
    let warns_of = match place {
        Place::Avoid => {
            let wrong = advice::parse(&lesson.rule_text).wrong;
            let wrong = wrong.unwrap_or_else(|| lesson.rule_text.clone());
            format!("{wrong} {}", lesson.tags.join(" "))
        }
        _ => String::new(),
    };
    let mut texts = vec![lesson.rule_text.clone()];
    texts.extend(templates);
    texts.push(lesson.task.clone());
    Some(Candidate {
        place,
        kind: lesson.kind.as_str(),
        texts,
        warns_of,
        score,
        near,
        known_fit,
        worth: lesson.reliability,
        standing: standing(lesson.status, "reliability", lesson.reliability),
        at: lesson.updated_at,
        same: lesson.id.clone(),
        more: "patterns.get",
        summary: lesson.rule_text,
        id: lesson.id,
    })
}

fn of_pattern(pattern: Pattern, request: &ContextRequest, work: Work) -> Candidate {
    let lesson = pattern.lesson;
    let asked = request.task_type.as_deref().unwrap_or(work.as_str());
    let types = &pattern.applicability.problem_types;
    let made_for_it = types.iter().any(|one| one.eq_ignore_ascii_case(asked));
    let evidence = &pattern.evidence;
    let (worth, name) = match evidence.applications {
        0 => (lesson.reliability, "reliability"),
        _ => (evidence.confidence, "confidence"),
    };
    let texts = vec![
        format!("{}. {}", pattern.name, pattern.summary),
        lesson.rule_text.clone(),
        pattern.guidance.when_to_apply.clone(),
        pattern.applicability.conditions.join(" "),
    ];
    Candidate {
        place: place(lesson.kind).unwrap_or(Place::Pattern),
        kind: lesson.kind.as_str(),
        summary: match pattern.summary.trim() {
            "" => lesson.rule_text.clone(),
            summary => summary.to_owned(),
        },
        texts,
        warns_of: pattern.incorrect_approach,
        score: None,
        near: None,
        known_fit: if made_for_it {
            (MADE_FOR_IT, "for this type of task")
        } else {
            (0.0, "")
        },
        worth,
        standing: standing(lesson.status, name, worth),
        at: evidence.last_validated.unwrap_or(lesson.updated_at),
        same: lesson.id.clone(),
        more: "patterns.get",
        id: lesson.id,
    }
}

fn standing(status: LessonStatus, name: &str, worth: f64) -> String {
    format!("{}, {name} {worth:.2}", status.as_str())
}

fn of_episode(hit: EpisodeHit, by_meaning: bool) -> Candidate {
    let episode = hit.episode;
    let outcome = match episode.outcome {
        Outcome::Success => 1.0,
        Outcome::Partial => 0.5,
        Outcome::Failure | Outcome::Abandoned => 0.0,
    };
    let counts = format!("{} steps, {} failed", episode.steps, episode.failures);
    let same = task_id(&episode.domain, &episode.task);
    Candidate {
        place: Place::Episode,
        kind: "episode",
        summary: match episode.summary.trim() {
            "" => format!("{} ({counts})", episode.task),
            summary => summary.to_owned(),
        },
        texts: vec![episode.task],
        warns_of: String::new(),
        score: Some(hit.parts.similarity),
        near: None,
        known_fit: match by_meaning && hit.by_meaning {
            true => (hit.parts.similarity, "similar in meaning"),
            false => (0.0, ""),
        },
        worth: outcome,
        standing: format!("{}, {counts}", episode.outcome.as_str()),
        at: episode.ended_at,
        same: same.unwrap_or_else(|| episode.id.clone()),
        more: "episodes.retrieve",
        id: episode.id,
    }
}

fn of_skill(hit: SkillHit) -> Candidate {
    let skill = hit.skill;
    Candidate {
        place: Place::Skill,
        kind: "skill",
        texts: vec![
            format!("{} {}", skill.slug, skill.title),
            format!("{} {}", skill.title, skill.steps.join(". ")),
        ],
        warns_of: String::new(),
        score: None,
        near: None,
        known_fit: (hit.score, "by keywords"),
        worth: 1.0,
        standing: format!("{} steps, version {}", skill.steps.len(), skill.version),
        at: skill.updated_at,
        same: skill.id,
        more: "skills.get",
        summary: match skill.steps.first() {
            Some(first) => format!("{}: {first} …", skill.title),
            None => skill.title,
        },
        id: skill.slug,
    }
}
