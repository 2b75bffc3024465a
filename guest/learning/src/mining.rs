//! Mining: lessons from a run's own trace, without a model.
//!
//! Owns which failures of a run teach something: a failed action and a similar one that worked later become
//! `WRONG: … → CORRECT: …`, and so do a failed action and what was done before it worked; a failure that comes again and
//! again without a way out becomes `AVOID: …`. Pure: what the lessons are worth is measured later, by others.

mod avoid;
mod intent;
mod line;
mod prerequisite;
mod rule;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use twiceshy_wit::memory::LessonKind;

use twiceshy_fingerprint::tags;

use crate::{
    analogy::{Case, Named},
    form::Lexed,
};
use intent::{Intent, Moment};
use line::Line;
pub(crate) use rule::generalise;

/// A rule in characters: what fits into a hint that is read.
pub const RULE_CHARS: usize = 1_000;

/// Triggers and tags of one lesson.
pub const TRIGGERS: usize = 32;

/// Lessons of one run at most: who learns more from one run has learned nothing.
const LESSONS: usize = 16;

/// Failures of one run that are looked at, each way to fail once.
const FAILURES: usize = 256;

/// Later successes that are compared with one failure, each once.
const SUCCESSES: usize = 64;

/// An action in bytes: what is longer is no form that anybody repeats.
const ACTION_BYTES: usize = 2 << 10;

/// Cases of one lesson that are kept.
pub const CASES: usize = 4;

/// How much a success loses with each other one that came before it, up to ten.
const LATER: f64 = 0.03;

/// One action of a run, and how it failed if it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The step's place in the run.
    pub index: u32,
    /// The action in one line, secrets masked.
    pub action: String,
    /// Whether the action is a command line.
    pub is_command: bool,
    /// The id and the template of the failure's fingerprint.
    pub failure: Option<(String, String)>,
    /// What was printed when it failed.
    pub evidence: String,
    /// In how many runs that fingerprint was seen so far.
    pub known_runs: u32,
    /// Whether it does harm to fail so.
    pub harmful: bool,
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
    /// What failed and what worked, as it was; none for a warning.
    pub cases: Vec<Case>,
}

/// A lesson's place among the others: the smaller, the more urgent. First whether the same is said by another, then
/// whether the failure recurs, how often in the run and in how many runs, whether there is no way out, and its step.
type Urgency = (usize, bool, Reverse<usize>, Reverse<u32>, bool, u32);

/// The lessons of a run, the most urgent first: each fix once, then what recurs before what came once, fixes before
/// warnings.
///
/// ```
/// use twiceshy_learning::mining::{Attempt, mine};
/// let attempt = |index, action: &str, failure: Option<&str>| Attempt {
///     index,
///     action: action.to_owned(),
///     is_command: true,
///     evidence: String::new(),
///     failure: failure.map(|template| ("fp_0123456789abcdef".to_owned(), template.to_owned())),
///     known_runs: 1,
///     harmful: false,
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
    let mut fixes: Vec<_> = run
        .failures
        .iter()
        .filter_map(|failure| Some((failure, run.fix_of(failure)?)))
        .collect();
    // Of several wrong ways to the same end, the one that came nearest speaks first.
    fixes.sort_by(|(_, left), (_, right)| right.worth.total_cmp(&left.worth));
    let mut fixed = BTreeSet::new();
    let mut rounds: BTreeMap<_, usize> = BTreeMap::new();
    for (failure, fix) in fixes {
        fixed.insert(failure.fingerprint);
        let wrong = run.prepared[failure.place].action;
        let made = generalise(wrong, &fix.correct);
        let text = format!("WRONG: {} → CORRECT: {}", made.wrong, made.correct);
        let steps = [attempts[failure.place].index, attempts[fix.place].index];
        let round = rounds
            .entry((failure.fingerprint, made.correct))
            .or_default();
        let urgency = run.urgency(failure, *round, LessonKind::Rule);
        *round += 1;
        let evidence = &attempts[failure.place].evidence;
        let case = Case::new(wrong, evidence, &fix.correct);
        let kind = LessonKind::Rule;
        let lesson = add(&mut lessons, failure, text, urgency, kind, &steps);
        if lesson.cases.len() < CASES && !lesson.cases.contains(&case) {
            lesson.cases.push(case);
        }
    }
    for failure in &run.failures {
        if fixed.insert(failure.fingerprint)
            && run.is_to_be_warned_of(failure)
            && let Some((text, steps)) = run.warning(failure)
        {
            let kind = LessonKind::AntiPattern;
            add(
                &mut lessons,
                failure,
                text,
                run.urgency(failure, 0, kind),
                kind,
                &steps,
            );
        }
    }
    let mut lessons: Vec<_> = lessons.into_values().collect();
    lessons.sort_by(|(left, a), (right, b)| left.cmp(right).then(a.rule_text.cmp(&b.rule_text)));
    lessons.truncate(LESSONS);
    lessons.into_iter().map(|(_, lesson)| lesson).collect()
}

/// What worked later in a run where some attempts failed: the place of the like action that did, or of the same one
/// if it worked after all.
pub fn resolutions(attempts: &[Attempt], places: &[usize]) -> Vec<Option<usize>> {
    let run = Run::new(attempts);
    places.iter().map(|place| run.resolution(*place)).collect()
}

/// An action, ready to be compared.
struct Prepared<'a> {
    action: &'a str,
    intent: Intent<'a>,
    /// What it consists of, if it is a command line.
    line: Line,
    /// Whether something is missing from it.
    is_cut: bool,
}

impl<'a> Prepared<'a> {
    fn new(attempt: &'a Attempt) -> Self {
        let action = attempt.action.as_str();
        let end = action.floor_char_boundary(ACTION_BYTES);
        let kept = action[..end].trim();
        Self {
            action: kept,
            intent: Intent::new(&Lexed::new(kept)),
            line: match attempt.is_command {
                true => Line::new(kept),
                false => Line::default(),
            },
            is_cut: end < action.len() || kept.contains("[…]") || kept.ends_with('…'),
        }
    }
}

/// A success that shows how a failure is avoided.
struct Fix {
    place: usize,
    /// What to do: the action that worked, or the part of it that matters.
    correct: String,
    /// How similar the two are, less for what lies between them.
    worth: f64,
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
    worked: BTreeMap<String, (usize, usize)>,
}

impl<'a> Run<'a> {
    fn new(attempts: &'a [Attempt]) -> Self {
        let prepared: Vec<_> = attempts.iter().map(Prepared::new).collect();
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
                if !run.prepared[place].line.is_success_bought {
                    run.note_success(place);
                }
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

    /// Enters where an action worked, and the commands that it consists of.
    fn note_success(&mut self, place: usize) {
        let prepared = &self.prepared[place];
        let parts = prepared.line.proven().map(str::to_owned);
        let actions: Vec<_> = parts.chain([prepared.action.to_owned()]).collect();
        for action in actions {
            let ends = self.worked.entry(action).or_insert((place, place));
            ends.1 = place;
        }
    }

    /// Where the same was done right: the most similar success after the failure, near ones before far ones. What
    /// works later as it is was not wrong in itself: then it is what was done in between.
    fn fix_of(&self, failure: &Failure) -> Option<Fix> {
        let wrong = &self.prepared[failure.place];
        if wrong.is_cut {
            return None;
        }
        if self.works_after(failure.place) {
            return self.prerequisite_of(failure);
        }
        let whole = |prepared: &Prepared<'a>| vec![prepared.action.to_owned()];
        let parts = |prepared: &Prepared<'a>| prepared.line.proven().map(str::to_owned).collect();
        self.similar_success(failure, &whole, true)
            .or_else(|| self.similar_success(failure, &parts, false))
    }

    /// The most similar of what successes consist of. The `whole` of the next success may be less similar than a part.
    fn similar_success(
        &self,
        failure: &Failure,
        actions: &dyn Fn(&Prepared<'a>) -> Vec<String>,
        whole: bool,
    ) -> Option<Fix> {
        let wrong = &self.prepared[failure.place];
        let named = Named::new(&self.attempts[failure.place].evidence);
        let mut compared = BTreeSet::new();
        let mut best: Option<Fix> = None;
        for place in failure.place + 1..self.attempts.len() {
            let right = &self.prepared[place];
            if self.attempts[place].failure.is_some()
                || right.is_cut
                || right.line.is_success_bought
                || right.line.is_unreadable && !wrong.line.is_unreadable
                || right.line.is_rehearsal && !wrong.line.is_rehearsal && !named.has("--dry-run")
                || !compared.insert(right.action)
            {
                continue;
            }
            let earlier = compared.len() - 1;
            let moment = Moment {
                tags: &failure.tags,
                named: &named,
                next: whole && earlier == 0,
                looks: wrong.line.is_looking_around && right.line.is_looking_around,
                only_looks: right.line.is_looking_around && !wrong.line.is_looking_around,
                told: !self.attempts[failure.place].is_command,
            };
            for action in actions(right) {
                let intent = Intent::new(&Lexed::new(&action));
                let Some(likeness) = wrong.intent.likeness(&intent, moment) else {
                    continue;
                };
                let worth = likeness - LATER * earlier.min(10) as f64;
                if best.as_ref().is_none_or(|best| worth > best.worth)
                    && !self.is_routine(failure.place, place)
                    && !self.is_refuted(failure, &intent, place)
                    && fits(wrong.action, &action)
                {
                    best = Some(Fix {
                        place,
                        correct: action.clone(),
                        worth,
                    });
                }
            }
            if compared.len() == SUCCESSES {
                break;
            }
        }
        best
    }

    fn resolution(&self, place: usize) -> Option<usize> {
        let (fingerprint, template) = self.attempts[place].failure.as_ref()?;
        let failure = Failure {
            place,
            fingerprint,
            template,
            tags: tags::of_text(template),
        };
        if let Some(fix) = self.fix_of(&failure) {
            return Some(fix.place);
        }
        let action = self.prepared[place].action;
        let worked = |later: &usize| {
            self.attempts[*later].failure.is_none() && self.prepared[*later].action == action
        };
        (place + 1..self.attempts.len()).find(worked)
    }

    /// Whether what looks like a fix was tried again later and failed in the same way.
    fn is_refuted(&self, failure: &Failure, right: &Intent, fix: usize) -> bool {
        let wrong = &self.prepared[failure.place].intent;
        let later = self.places[failure.fingerprint]
            .iter()
            .filter(|place| **place > fix);
        later
            .take(FAILURES)
            .any(|place| self.prepared[*place].intent.has_fix(wrong, right))
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

    /// Once may be chance, but not where it does harm.
    fn is_to_be_warned_of(&self, failure: &Failure) -> bool {
        self.recurs(failure) || self.attempts[failure.place].harmful
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
        let worked = self.worked.keys().map(String::as_str);
        let form = avoid::form(&actions, worked)?;
        let text = avoid::text(&form, failure.template)?;
        Some((text, steps))
    }

    fn urgency(&self, failure: &Failure, round: usize, kind: LessonKind) -> Urgency {
        let attempt = &self.attempts[failure.place];
        (
            round,
            !self.recurs(failure),
            Reverse(self.places[failure.fingerprint].len()),
            Reverse(attempt.known_runs),
            kind != LessonKind::Rule,
            attempt.index,
        )
    }
}

/// Adds a lesson, or another trigger to one that says the same.
fn add<'l>(
    lessons: &'l mut BTreeMap<String, (Urgency, Mined)>,
    failure: &Failure,
    text: String,
    urgency: Urgency,
    kind: LessonKind,
    steps: &[u32],
) -> &'l mut Mined {
    let (known, lesson) = lessons.entry(text).or_insert_with_key(|text| {
        let lesson = Mined {
            rule_text: text.clone(),
            kind,
            triggers: Vec::new(),
            steps: Vec::new(),
            cases: Vec::new(),
        };
        (urgency, lesson)
    });
    *known = (*known).min(urgency);
    lesson.triggers.push(failure.fingerprint.to_owned());
    lesson.triggers.sort();
    lesson.triggers.dedup();
    lesson.triggers.truncate(TRIGGERS);
    lesson.steps.extend(steps);
    lesson.steps.sort_unstable();
    lesson.steps.dedup();
    lesson
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
    let made = generalise(wrong, correct);
    let characters = made.wrong.chars().count() + made.correct.chars().count();
    characters + "WRONG:  → CORRECT: ".chars().count() <= RULE_CHARS
}
