//! Mining: lessons from a run's own trace, without a model.
//!
//! Owns which failures of a run teach something: a failed action and a like one that worked later become
//! `WRONG: … → CORRECT: …`; a failure that comes again and again without a way out becomes `AVOID: …`. Pure: what
//! the lessons are worth is measured later, by others.

mod avoid;
mod intent;
mod rule;

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::memory::LessonKind;

use crate::{advice, form::Lexed, limits, tags};
use intent::{Intent, Moment};

/// Lessons of one run at most: who learns more from one run has learned nothing.
const LESSONS: usize = 16;

/// Wrong ways to the same right one: a third says nothing new.
const SAME_WAY: usize = 2;

/// Failures of one run that are looked at, each way to fail once.
const FAILURES: usize = 256;

/// Later successes that are compared with one failure, each once.
const SUCCESSES: usize = 64;

/// An action in bytes: what is longer is no form that anybody repeats.
const ACTION_BYTES: usize = 2 << 10;

/// How much a success loses with each step that it came later, up to twenty steps.
const LATER: f64 = 0.01;

/// One action of a run, and how it failed if it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The step's place in the run.
    pub index: u32,
    /// The action in one line, secrets masked.
    pub action: String,
    /// The id and the template of the failure's fingerprint.
    pub failure: Option<(String, String)>,
    /// In how many runs that fingerprint was seen so far.
    pub known_runs: u32,
}

/// A lesson that a run teaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mined {
    /// `WRONG: … → CORRECT: …`, or `AVOID: …`.
    pub rule_text: String,
    /// A rule, or an anti-pattern.
    pub kind: LessonKind,
    /// The fingerprints that it answers, sorted.
    pub triggers: Vec<String>,
    /// The steps that it was learned from, sorted.
    pub steps: Vec<u32>,
}

/// A failure's place among the others: the smaller, the more urgent.
type Urgency = (
    bool,
    std::cmp::Reverse<usize>,
    std::cmp::Reverse<u32>,
    bool,
    u32,
);

/// The lessons of a run, the most urgent first: what recurs before what came once, fixes before warnings.
///
/// ```
/// use twiceshy_engine::mining::{Attempt, mine};
/// let attempt = |index, action: &str, failure: Option<&str>| Attempt {
///     index,
///     action: action.to_owned(),
///     failure: failure.map(|template| ("fp_0123456789abcdef".to_owned(), template.to_owned())),
///     known_runs: 1,
/// };
/// let lessons = mine(&[
///     attempt(0, "gridtool \"LOAD sales.csv\"", Some("path must stand in angle brackets")),
///     attempt(1, "ls", None),
///     attempt(2, "gridtool \"LOAD <sales.csv>\"", None),
/// ]);
/// assert_eq!(
///     lessons[0].rule_text,
///     "WRONG: gridtool \"LOAD <path>\" → CORRECT: gridtool \"LOAD <<path>>\""
/// );
/// ```
pub fn mine(attempts: &[Attempt]) -> Vec<Mined> {
    let run = Run::new(attempts);
    let mut lessons: BTreeMap<String, (Urgency, Mined)> = BTreeMap::new();
    let mut fixed = BTreeSet::new();
    for failure in &run.failures {
        let Some(fix) = run.fix_of(failure) else {
            continue;
        };
        fixed.insert(failure.fingerprint);
        let wrong = run.prepared[failure.place].action;
        let made = rule::generalise(wrong, run.prepared[fix].action);
        let text = format!("WRONG: {} → CORRECT: {}", made.wrong, made.correct);
        let steps = [attempts[failure.place].index, attempts[fix].index];
        run.add(&mut lessons, failure, text, LessonKind::Rule, &steps);
    }
    for failure in &run.failures {
        if fixed.insert(failure.fingerprint) && run.recurs(failure) {
            let Some((text, steps)) = run.warning(failure) else {
                continue;
            };
            run.add(&mut lessons, failure, text, LessonKind::AntiPattern, &steps);
        }
    }
    let mut lessons: Vec<_> = lessons.into_values().collect();
    lessons.sort_by(|(left, a), (right, b)| left.cmp(right).then(a.rule_text.cmp(&b.rule_text)));
    let mut ways: BTreeMap<String, usize> = BTreeMap::new();
    lessons.retain(|(_, lesson)| {
        let way = advice::parse(&lesson.rule_text).correct.unwrap_or_default();
        let known = ways.entry(way.clone()).or_default();
        *known += 1;
        way.is_empty() || *known <= SAME_WAY
    });
    lessons.truncate(LESSONS);
    lessons.into_iter().map(|(_, lesson)| lesson).collect()
}

/// An action, ready to be compared.
struct Prepared<'a> {
    action: &'a str,
    intent: Intent<'a>,
    /// Whether something is missing from it.
    is_cut: bool,
}

impl<'a> Prepared<'a> {
    fn new(action: &'a str) -> Self {
        let end = action.floor_char_boundary(ACTION_BYTES);
        let kept = action[..end].trim();
        Self {
            action: kept,
            intent: Intent::new(&Lexed::new(kept)),
            is_cut: end < action.len() || kept.contains("[…]") || kept.ends_with('…'),
        }
    }
}

/// A way to fail that a run found.
struct Failure<'a> {
    place: usize,
    fingerprint: &'a str,
    template: &'a str,
    tags: Vec<String>,
}

/// A run, with what is asked of it again and again.
struct Run<'a> {
    attempts: &'a [Attempt],
    prepared: Vec<Prepared<'a>>,
    failures: Vec<Failure<'a>>,
    /// Where each fingerprint came.
    places: BTreeMap<&'a str, Vec<usize>>,
    /// Where each action worked, first and last.
    worked: BTreeMap<&'a str, (usize, usize)>,
}

impl<'a> Run<'a> {
    fn new(attempts: &'a [Attempt]) -> Self {
        let prepared: Vec<_> = attempts
            .iter()
            .map(|attempt| Prepared::new(&attempt.action))
            .collect();
        let mut run = Self {
            attempts,
            prepared,
            failures: Vec::new(),
            places: BTreeMap::new(),
            worked: BTreeMap::new(),
        };
        let mut seen = BTreeSet::new();
        for (place, attempt) in attempts.iter().enumerate() {
            let action = run.prepared[place].action;
            let Some((fingerprint, template)) = &attempt.failure else {
                let ends = run.worked.entry(action).or_insert((place, place));
                ends.1 = place;
                continue;
            };
            run.places.entry(fingerprint).or_default().push(place);
            if seen.insert((fingerprint, action)) && run.failures.len() < FAILURES {
                run.failures.push(Failure {
                    place,
                    fingerprint,
                    template,
                    tags: tags::of_text(template),
                });
            }
        }
        run
    }

    /// Where the same was done right: the likest success after the failure was seen last, near ones before far
    /// ones.
    fn fix_of(&self, failure: &Failure) -> Option<usize> {
        let wrong = &self.prepared[failure.place];
        // What works later as it is was not wrong in itself.
        if wrong.is_cut || self.works_after(failure.place) {
            return None;
        }
        // The same error text may answer quite different actions: only the same one again says that it was not
        // fixed by then.
        let again =
            |place: &&usize| **place >= failure.place && self.is_retry(failure.place, **place);
        let last = *self.places[failure.fingerprint].iter().rev().find(again)?;
        let mut compared = BTreeSet::new();
        let mut best: Option<(f64, usize)> = None;
        for place in last + 1..self.attempts.len() {
            let right = &self.prepared[place];
            if self.attempts[place].failure.is_some()
                || right.is_cut
                || !compared.insert(right.action)
            {
                continue;
            }
            let moment = Moment {
                tags: &failure.tags,
                next: compared.len() == 1,
            };
            if let Some(likeness) = wrong.intent.likeness(&right.intent, moment)
                && !self.is_routine(failure.place, place)
            {
                let worth = likeness - LATER * (place - last).min(20) as f64;
                if best.is_none_or(|(best, _)| worth > best) && fits(wrong.action, right.action) {
                    best = Some((worth, place));
                }
            }
            if compared.len() == SUCCESSES {
                break;
            }
        }
        best.map(|(_, place)| place)
    }

    /// Whether two failed actions ask the same program for the same.
    fn is_retry(&self, first: usize, second: usize) -> bool {
        let (first, second) = (&self.prepared[first].intent, &self.prepared[second].intent);
        first.program() == second.program() && first.verb() == second.verb()
    }

    fn works_after(&self, place: usize) -> bool {
        let worked = self.worked.get(self.prepared[place].action);
        worked.is_some_and(|(_, last)| *last > place)
    }

    /// Whether the success asks for something else that is no news in this run: then it fixes nothing.
    fn is_routine(&self, failed: usize, worked: usize) -> bool {
        let (wrong, right) = (&self.prepared[failed].intent, &self.prepared[worked].intent);
        if wrong.verb() == right.verb() {
            return false;
        }
        let before = self.worked.get(self.prepared[worked].action);
        let verb_works = |(attempt, prepared): (&Attempt, &Prepared)| {
            attempt.failure.is_none()
                && prepared.intent.program() == wrong.program()
                && prepared.intent.verb() == wrong.verb()
        };
        before.is_some_and(|(first, _)| *first < failed)
            || wrong.verb().is_some() && self.attempts.iter().zip(&self.prepared).any(verb_works)
    }

    fn recurs(&self, failure: &Failure) -> bool {
        self.places[failure.fingerprint].len() >= 2 || self.attempts[failure.place].known_runs >= 2
    }

    /// What to stay away from, if the actions that failed so have something in common.
    fn warning(&self, failure: &Failure) -> Option<(String, Vec<u32>)> {
        let places = &self.places[failure.fingerprint];
        let mut actions = Vec::new();
        let mut steps = Vec::new();
        for &place in places {
            let prepared = &self.prepared[place];
            if !prepared.is_cut && !prepared.action.is_empty() && !self.works_after(place) {
                actions.push(prepared.action);
                steps.push(self.attempts[place].index);
            }
        }
        actions.sort_unstable();
        actions.dedup();
        let worked = self.worked.keys().copied();
        let form = avoid::form(&actions, worked)?;
        let text = avoid::text(&form, failure.template)?;
        Some((text, steps))
    }

    fn add(
        &self,
        lessons: &mut BTreeMap<String, (Urgency, Mined)>,
        failure: &Failure,
        text: String,
        kind: LessonKind,
        steps: &[u32],
    ) {
        let known_runs = self.attempts[failure.place].known_runs;
        let urgency = (
            !self.recurs(failure),
            std::cmp::Reverse(self.places[failure.fingerprint].len()),
            std::cmp::Reverse(known_runs),
            kind != LessonKind::Rule,
            self.attempts[failure.place].index,
        );
        let (known, lesson) = lessons.entry(text).or_insert_with_key(|text| {
            let lesson = Mined {
                rule_text: text.clone(),
                kind,
                triggers: Vec::new(),
                steps: Vec::new(),
            };
            (urgency, lesson)
        });
        *known = (*known).min(urgency);
        lesson.triggers.push(failure.fingerprint.to_owned());
        lesson.triggers.sort();
        lesson.triggers.dedup();
        lesson.triggers.truncate(limits::TRIGGERS);
        lesson.steps.extend(steps);
        lesson.steps.sort_unstable();
        lesson.steps.dedup();
    }
}

/// Whether a rule of the two actions can be read back, and is short enough to be read at all.
fn fits(wrong: &str, correct: &str) -> bool {
    let speaks_as_a_rule = |action: &str| {
        let action = action.to_lowercase();
        ["wrong:", "correct:"]
            .iter()
            .any(|mark| action.contains(mark))
    };
    if speaks_as_a_rule(wrong) || speaks_as_a_rule(correct) {
        return false;
    }
    let made = rule::generalise(wrong, correct);
    let characters = made.wrong.chars().count() + made.correct.chars().count();
    characters + "WRONG:  → CORRECT: ".chars().count() <= limits::RULE_CHARS
}
