//! Judgement: what a run shows about the lessons that were shown in it, withheld from it, or suppressed before it.
//!
//! Owns which failures of a run a lesson is about, whether it was followed, ignored or beside the matter, and how many
//! failures were expected without it. How that becomes a utility is the business of [`usefulness`](crate::usefulness).

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::memory::{Activation, ActivationOutcome, Episode, Referee, Verdict};

use super::{
    Closing,
    course::{Conduct, Course, Measure},
};
use crate::{
    advice,
    episodes::tasks::Task,
    events::{Known, causes::Cost},
    lessons::Entry,
    store::Read,
    usefulness::{self, Exposure, RunOutcome, TaskBaseline, Utility},
};

/// Causes that are kept of one fingerprint.
const CAUSES: usize = 16;

/// A run, judged.
pub(crate) struct Judged {
    /// Its activations with what became of them.
    pub(crate) activations: Vec<Activation>,
    /// What each failure cost, by its cause.
    pub(crate) costs: Vec<Cost>,
    /// The lessons that were shown and did something: their rules, and the failures they answer. One that did
    /// nothing, or only harm, leaves a run as it is without help.
    treated: Vec<(String, Vec<String>)>,
}

impl Judged {
    /// The failures against which a lesson that was shown did something.
    pub(crate) fn treated_fingerprints(&self) -> Vec<String> {
        let all = self.treated.iter().flat_map(|(_, answered)| answered);
        all.collect::<BTreeSet<_>>().into_iter().cloned().collect()
    }

    /// Whether a lesson that was shown did something against a failure of this cause.
    pub(crate) fn is_treated(&self, fingerprint: &str, action: &str) -> bool {
        self.treated.iter().any(|(rule, answered)| {
            answered.iter().any(|id| id == fingerprint)
                && advice::is_warned_of(rule, action) != Some(false)
        })
    }

    /// Counts what each failure cost without help.
    pub(crate) fn count_costs(&self, known: &mut BTreeMap<String, Read<Known>>, now: u64) {
        let treated = self.treated_fingerprints();
        for (id, known) in known {
            let known = &mut known.noun;
            let costs = self.costs.iter().filter(|cost| cost.fingerprint == *id);
            let costs: Vec<_> = costs.collect();
            if !costs.is_empty() && !treated.contains(id) {
                known.untreated_runs += 1;
                known.untreated_cost += costs.iter().map(|cost| f64::from(cost.steps)).sum::<f64>();
            }
            let is_treated = |action: &str| self.is_treated(id, action);
            known.causes.take(&costs, &is_treated, CAUSES, now);
        }
    }
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
            let id = &entry.kept.lesson.id;
            let activation = activations.iter().find(|one| one.lesson == *id);
            course.measure(&entry.kept, activation)
        })
        .collect();
    let credited = credited(lessons, &measures);
    let exposures: Vec<_> = credited.iter().map(|(exposure, _)| *exposure).collect();
    let credit = usefulness::credit(&outcome, &baseline, &exposures);
    let measured = measures.iter().zip(&credited).zip(credit);
    let mut treated = Vec::new();
    for (entry, ((measure, (exposure, idle)), utility)) in lessons.iter_mut().zip(measured) {
        let utility = idle.or(utility);
        let helped = utility.is_some_and(|utility| utility.utility > 0.0);
        let worked = measure.followed.worked > 0 && !measure.conduct.is_silent();
        if !exposure.withheld && (helped || worked) {
            let mut rules = measure.rules.clone();
            if rules.is_empty() {
                rules.push(entry.kept.lesson.rule_text.clone());
            }
            let said = rules
                .into_iter()
                .map(|rule| (rule, measure.triggers.clone()));
            treated.extend(said);
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
                activation.outcome = Some(activation_outcome(exposure, None));
            }
            continue;
        }
        let evidence = &mut entry.evidence;
        if measure.conduct == Conduct::Ignored {
            evidence.ignored(&measure.exposure);
        }
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
            // What happened is told also where it says nothing.
            let told = if utility.is_some() {
                exposure
            } else {
                &measure.exposure
            };
            activation.outcome = Some(activation_outcome(told, utility));
        }
    }
    Judged {
        activations,
        costs: course.costs(),
        treated,
    }
}

/// The outcome of an activation in the words of the contract.
fn activation_outcome(exposure: &Exposure, utility: Option<Utility>) -> ActivationOutcome {
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

/// What a run says about its lessons beside each other; and for each one that did nothing although there was
/// something to do, that it did nothing.
///
/// Advice that was followed speaks for itself: after a failure it has helped if it worked, and where it only failed, it
/// did harm, however the run went otherwise. What was ignored, or did not fit, says nothing. Where nobody followed
/// advice, the merit for what did not go wrong is not its own, and none at all if another lesson for the same failure
/// was followed and worked: what words alone did beside it, nobody can tell. A sentence has no merit beside any lesson that
/// was followed and worked.
fn credited(lessons: &[Entry], measures: &[Measure]) -> Vec<(Exposure, Option<Utility>)> {
    let another_worked = |at: usize| {
        let answers = |other: &Measure| {
            let mut triggers = other.triggers.iter();
            measures[at].is_sentence || triggers.any(|id| measures[at].triggers.contains(id))
        };
        let mut others = measures.iter().enumerate();
        others.any(|(other, one)| other != at && one.followed.worked > 0 && answers(one))
    };
    let says_what_to_do = |at: usize| {
        let rule = &lessons[at].kept.lesson.rule_text;
        advice::parse(rule).correct.is_some()
    };
    measures
        .iter()
        .enumerate()
        .map(|(at, measure)| {
            let mut exposure = measure.exposure;
            let followed = measure.followed;
            match measure.conduct {
                Conduct::Silent | Conduct::Ignored => {
                    return (Exposure::silent(exposure.withheld), None);
                }
                Conduct::Resolved => return (exposure.resolved(), None),
                Conduct::Open => {}
            }
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
            if says_what_to_do(at) {
                let is_idle = exposure.expected > errors && another_worked(at);
                let idle = is_idle.then(|| idle(exposure.expected));
                return (Exposure::silent(false), idle);
            }
            if exposure.expected > errors && another_worked(at) {
                exposure.expected = errors;
                return (exposure, None);
            }
            // Without anything to compare with, that it goes on failing is at least no help.
            let unknown = exposure.baseline_runs == 0 && exposure.errors > 0;
            (exposure, unknown.then(|| idle(errors)))
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
