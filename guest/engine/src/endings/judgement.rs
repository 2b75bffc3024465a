//! What a run says about the lessons that were shown in it, withheld from it, or set aside before it.
//!
//! Owns which failures of a run concern a lesson and how many were to be expected without it. How that
//! becomes a utility is the business of [`usefulness`](crate::usefulness).

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::memory::{
    Activation, ActivationOutcome, Episode, Lesson, Moment, Referee, Verdict,
};

use super::Closing;
use crate::{
    advice,
    documents::Read,
    events::Known,
    lessons::Entry,
    mining::Attempt,
    tasks::Task,
    text,
    usefulness::{self, Exposure, RunOutcome, TaskBaseline, Utility},
};

/// From this likeness of words on, an action is like what a lesson calls wrong.
const LIKE: f64 = 0.4;

/// A run, judged.
pub(crate) struct Judged {
    /// Its activations with what became of them.
    pub(crate) activations: Vec<Activation>,
    /// What each failure cost, in failed steps.
    pub(crate) costs: Vec<(String, u32)>,
    /// The failures against which a lesson that was shown did something. One that did nothing, or only harm,
    /// leaves a run as it is without help.
    pub(crate) treated: Vec<String>,
}

/// Judges the lessons of a run and enters what it says into their evidence.
pub(crate) fn judged(
    closing: &Closing,
    episode: &Episode,
    task: Option<&Task>,
    known: &BTreeMap<String, Read<Known>>,
    lessons: &mut [Entry],
) -> Judged {
    let course = Course {
        attempts: closing.attempts,
        task,
        known,
    };
    let mut activations = closing.open.activations.clone();
    let outcome = RunOutcome {
        failures: episode.failures,
        steps: episode.steps,
        score: episode.score,
        refereed: episode.referee != Referee::Signals,
        passed: closing.scored.passed(),
    };
    let baseline = task.map_or_else(TaskBaseline::default, Task::baseline);
    let measures: Vec<_> = lessons
        .iter()
        .map(|entry| {
            let lesson = &entry.kept.lesson;
            let activation = activations.iter().find(|one| one.lesson == lesson.id);
            course.measure(lesson, activation)
        })
        .collect();
    let credited = credited(lessons, &measures);
    let exposures: Vec<_> = credited.iter().map(|(exposure, _)| *exposure).collect();
    let credit = usefulness::credit(&outcome, &baseline, &exposures);
    let measured = measures.iter().zip(&credited).zip(credit);
    let mut treated = BTreeSet::new();
    for (entry, ((measure, (exposure, idle)), utility)) in lessons.iter_mut().zip(measured) {
        let utility = idle.or(utility);
        let helped = utility.is_some_and(|utility| utility.utility > 0.0);
        if !exposure.withheld && (helped || measure.followed.worked > 0) {
            treated.extend(entry.kept.lesson.trigger_fingerprints.iter().cloned());
        }
        if let Some(worked) = measure.followed.worked() {
            entry.evidence.followed(worked);
        }
        let id = &entry.kept.lesson.id;
        let activation = activations.iter_mut().find(|one| one.lesson == *id);
        let showings = activation.as_ref().map_or(0, |one| one.showings);
        if episode.steps == 0 {
            // Nothing was tried, so nothing is known.
            if let Some(activation) = activation {
                activation.outcome = Some(told(exposure, None));
            }
            continue;
        }
        let evidence = &mut entry.evidence;
        evidence.note(
            &outcome,
            &baseline,
            exposure,
            utility,
            showings,
            closing.now,
        );
        if !exposure.withheld {
            evidence.spoke_of(measure.attempted || utility.is_some(), closing.now);
        }
        if utility.is_some() && !exposure.withheld {
            // Newer evidence is what counts between two lessons that contradict each other.
            entry.kept.lesson.updated_at = closing.now;
        }
        if let Some(activation) = activation {
            activation.outcome = Some(told(exposure, utility));
        }
    }
    Judged {
        activations,
        costs: course.costs(),
        treated: treated.into_iter().collect(),
    }
}

/// The outcome of an activation in the words of the contract.
fn told(exposure: &Exposure, utility: Option<Utility>) -> ActivationOutcome {
    let verdict = match utility.map(|utility| utility.utility) {
        None => Verdict::NoOpportunity,
        Some(utility) if utility > 0.0 => Verdict::Helped,
        Some(utility) if utility < 0.0 => Verdict::Harmed,
        Some(_) => Verdict::Neutral,
    };
    ActivationOutcome {
        verdict,
        utility: utility.map(|utility| utility.utility),
        error_reduction: utility.map_or(0.0, |utility| utility.error_reduction),
        step_efficiency_gain: utility.map_or(0.0, |utility| utility.step_efficiency_gain),
        referee_score_gain: utility.and_then(|utility| utility.referee_score_gain),
        errors: exposure.errors,
        baseline_errors: exposure.expected,
        baseline_runs: exposure.baseline_runs,
    }
}

/// What a run says about a lesson by itself.
#[derive(Debug, Clone, Copy)]
struct Measure {
    exposure: Exposure,
    followed: Followed,
    /// Whether anything was attempted that the lesson speaks of.
    attempted: bool,
}

/// How often the advice of a lesson was followed.
#[derive(Debug, Clone, Copy, Default)]
struct Followed {
    worked: u32,
    failed: u32,
}

impl Followed {
    /// Whether following it worked; none if nobody did.
    fn worked(self) -> Option<bool> {
        (self.worked + self.failed > 0).then_some(self.worked > 0)
    }
}

/// What a run says about its lessons beside each other; and for each one that did nothing although there was
/// something to do, that it did nothing.
///
/// Advice that was followed speaks for itself. Where it only failed, the lesson did harm, however the run went
/// otherwise. Where nobody followed it, the merit for what did not go wrong is not its own: not if it says what to
/// do, and not if another lesson was followed and worked: what words alone did beside it, nobody can tell.
fn credited(lessons: &[Entry], measures: &[Measure]) -> Vec<(Exposure, Option<Utility>)> {
    let lesson = |at: usize| &lessons[at].kept.lesson;
    let another_worked = |at: usize| {
        let mut others = measures.iter().enumerate();
        others.any(|(other, measure)| other != at && measure.followed.worked > 0)
    };
    let says_what_to_do = |at: usize| advice::parse(&lesson(at).rule_text).correct.is_some();
    measures
        .iter()
        .enumerate()
        .map(|(at, measure)| {
            let Measure {
                mut exposure,
                followed,
                ..
            } = *measure;
            if exposure.withheld || followed.worked > 0 {
                return (exposure, None);
            }
            let errors = f64::from(exposure.errors);
            if followed.failed > 0 {
                let blameless = errors - f64::from(followed.failed);
                exposure.expected = exposure.expected.min(blameless).max(0.0);
                exposure.baseline_runs = exposure.baseline_runs.max(1);
                return (exposure, None);
            }
            let idle = says_what_to_do(at).then(|| idle(exposure.expected));
            if exposure.expected > errors && (idle.is_some() || another_worked(at)) {
                exposure.expected = errors;
                return (exposure, idle);
            }
            // Without anything to compare with, that it goes on failing is at least no help.
            let unknown = exposure.baseline_runs == 0 && exposure.errors > 0;
            (exposure, unknown.then(|| self::idle(errors)))
        })
        .collect()
}

/// The utility of a lesson that did nothing where so much was to be expected.
fn idle(expected: f64) -> Utility {
    Utility {
        error_reduction: 0.0,
        step_efficiency_gain: 0.0,
        referee_score_gain: None,
        utility: 0.0,
        opportunity: expected.min(1.0),
        major_regression: false,
    }
}

/// Whether an action is like what a lesson calls wrong.
fn is_like(action: &str, wrong: &BTreeSet<String>) -> bool {
    text::likeness(&text::term_set(action), wrong) >= LIKE
}

/// The course of a run, and what is known of others like it.
struct Course<'c> {
    attempts: &'c [Attempt],
    task: Option<&'c Task>,
    known: &'c BTreeMap<String, Read<Known>>,
}

impl Course<'_> {
    /// What the run says about a lesson. One without an activation is set aside: it is measured as if it had
    /// been withheld from the beginning.
    fn measure(&self, lesson: &Lesson, activation: Option<&Activation>) -> Measure {
        let withheld = activation.is_none_or(|activation| activation.withheld);
        let on_error = activation.is_some_and(|one| one.moment == Moment::OnError);
        let first = activation.map_or(0, |activation| activation.step);
        let mut followed = Followed::default();
        let mut concerned = BTreeSet::new();
        let advised = advice::parse(&lesson.rule_text).correct.is_some();
        if !withheld {
            for attempt in self.attempts.iter().filter(|one| one.index >= first) {
                let rule = &lesson.rule_text;
                let follows = advice::follows(rule, &attempt.action);
                if !follows && !advice::leans_on(rule, &attempt.action) {
                    continue;
                }
                // What only leans on the advice, or is merely something else than what is warned of, may well fail
                // for other reasons.
                let is_its_fault =
                    |id: &String| follows && advised || lesson.trigger_fingerprints.contains(id);
                match &attempt.failure {
                    None => followed.worked += 1,
                    Some((id, _)) if is_its_fault(id) => {
                        followed.failed += 1;
                        concerned.insert(attempt.index);
                    }
                    Some(_) => {}
                }
            }
        }
        // What it was shown for concerns it, even if it does not name it.
        let answered = activation.and_then(|activation| activation.fingerprint.as_ref());
        let triggers: BTreeSet<_> = lesson.trigger_fingerprints.iter().chain(answered).collect();
        if triggers.is_empty() {
            return self.by_the_whole_run(withheld, first, followed);
        }
        let wrong = advice::parse(&lesson.rule_text).wrong;
        let wrong = wrong.map(|wrong| text::term_set(&wrong));
        for trigger in &triggers {
            concerned.extend(self.streaks(trigger, wrong.as_ref()));
        }
        let before = concerned.iter().filter(|index| **index < first).count();
        let errors = (concerned.len() - before) as u32;
        let used = errors > 0 || followed.worked > 0;
        let attempted = on_error
            || used
            || self.brought(&triggers)
            || wrong.as_ref().is_none_or(|wrong| self.attempted(wrong));
        let (expected, baseline_runs) = if on_error {
            // It is shown because the failure came up, so it is compared with runs in which that happened; what
            // happened before it was shown is no fault of it.
            let (expected, runs) = self.once_it_comes_up(&triggers);
            ((expected - before as f64).max(0.0), runs)
        } else {
            match self.in_this_task(&triggers) {
                (_, 0) if used => self.once_it_comes_up(&triggers),
                known => known,
            }
        };
        Measure {
            followed,
            attempted,
            exposure: Exposure {
                withheld,
                errors,
                expected,
                baseline_runs,
                followed_and_failed: followed.failed,
            },
        }
    }

    /// What the run says about a lesson that names no failures: all of them are its concern.
    fn by_the_whole_run(&self, withheld: bool, first: u32, followed: Followed) -> Measure {
        let baseline = self.task.map_or_else(TaskBaseline::default, Task::baseline);
        let failed = |attempt: &&Attempt| attempt.index >= first && attempt.failure.is_some();
        Measure {
            followed,
            attempted: true,
            exposure: Exposure {
                withheld,
                errors: self.attempts.iter().filter(failed).count() as u32,
                expected: baseline.failures,
                baseline_runs: baseline.runs,
                followed_and_failed: followed.failed,
            },
        }
    }

    /// What the failures that a lesson answers cost in a run of this task without help.
    fn in_this_task(&self, triggers: &BTreeSet<&String>) -> (f64, u32) {
        let Some(task) = self.task else {
            return (0.0, 0);
        };
        triggers
            .iter()
            .map(|fingerprint| task.untreated(fingerprint))
            .fold((0.0, 0), |(cost, most), (more, runs)| {
                (cost + more, most.max(runs))
            })
    }

    /// What the failures that a lesson answers cost in a run in which they come up, in any task.
    fn once_it_comes_up(&self, triggers: &BTreeSet<&String>) -> (f64, u32) {
        triggers
            .iter()
            .filter_map(|fingerprint| self.known.get(*fingerprint))
            .filter(|known| known.noun.untreated_runs > 0)
            .map(|known| {
                let runs = known.noun.untreated_runs;
                (known.noun.untreated_cost / f64::from(runs), runs)
            })
            .fold(
                (0.0, 0),
                |best, one| if one.0 > best.0 { one } else { best },
            )
    }

    /// Whether one of these failures came up, whatever action brought it.
    fn brought(&self, triggers: &BTreeSet<&String>) -> bool {
        let failures = self.attempts.iter().filter_map(|one| one.failure.as_ref());
        failures.map(|(id, _)| id).any(|id| triggers.contains(id))
    }

    /// Whether an action like that one was attempted, with whatever result.
    fn attempted(&self, wrong: &BTreeSet<String>) -> bool {
        self.attempts
            .iter()
            .any(|attempt| is_like(&attempt.action, wrong))
    }

    /// The failed steps that a failure costs: its own, and those that follow it until something works. With
    /// `wrong`, only where an action like that one meets it: the same error text may answer many actions.
    fn streaks(&self, fingerprint: &str, wrong: Option<&BTreeSet<String>>) -> BTreeSet<u32> {
        let is_like = |attempt: &Attempt| wrong.is_none_or(|wrong| is_like(&attempt.action, wrong));
        let mut steps = BTreeSet::new();
        let mut going = false;
        for attempt in self.attempts {
            going = match &attempt.failure {
                None => false,
                Some((id, _)) => going || id == fingerprint && is_like(attempt),
            };
            if going {
                steps.insert(attempt.index);
            }
        }
        steps
    }

    /// What each failure of the run cost, in the order of their first appearance.
    fn costs(&self) -> Vec<(String, u32)> {
        let mut seen = BTreeSet::new();
        self.attempts
            .iter()
            .filter_map(|attempt| Some(&attempt.failure.as_ref()?.0))
            .filter(|id| seen.insert(id.as_str()))
            .map(|id| (id.clone(), self.streaks(id, None).len() as u32))
            .collect()
    }
}
