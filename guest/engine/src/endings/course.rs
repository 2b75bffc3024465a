//! Course: what the steps of a run say about one lesson.
//!
//! Owns which steps followed a lesson, which did what it warns of, and what its failures cost in this run and cost in
//! others. A lesson is about a cause, not about all failures of a fingerprint: the failed action must be what its WRONG
//! describes, if it describes an action at all.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::memory::{Activation, Moment};

use crate::{
    advice,
    episodes::tasks::Task,
    events::{Known, causes::Cost},
    lessons::KeptLesson,
    mining::Attempt,
    recall,
    store::Read,
    usefulness::{Exposure, TaskBaseline},
};

/// Failures of a run with whose names a lesson is read.
const NAMED_RULES: usize = 16;

/// What a run says about a lesson by itself.
#[derive(Debug, Clone)]
pub(super) struct Measure {
    pub(super) exposure: Exposure,
    pub(super) followed: Followed,
    pub(super) conduct: Conduct,
    /// The failures that it answers here, by fingerprint.
    pub(super) triggers: Vec<String>,
    /// What it says here.
    pub(super) rules: Vec<String>,
    /// Whether anything was attempted that the lesson speaks of.
    pub(super) attempted: bool,
    /// Whether it is a sentence, which nobody can be seen to follow.
    pub(super) is_sentence: bool,
}

/// How a run dealt with a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conduct {
    /// It did not fit, or was followed only when it was of no use any more: the run says nothing about it.
    Silent,
    /// What it warns of was done all the same, and failed.
    Ignored,
    /// It was shown after a failure, was followed, and that worked.
    Resolved,
    /// Anything else: what happened is compared with what was expected.
    Open,
}

impl Conduct {
    /// Whether the run says nothing about the lesson.
    pub(super) fn is_silent(self) -> bool {
        matches!(self, Self::Silent | Self::Ignored)
    }
}

/// How often the advice of a lesson was followed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Followed {
    pub(super) worked: u32,
    pub(super) failed: u32,
}

impl Followed {
    /// Whether following it worked; none if nobody did.
    pub(super) fn worked(self) -> Option<bool> {
        (self.worked + self.failed > 0).then_some(self.worked > 0)
    }
}

/// The course of a run, and what is known of other runs with the same failures.
pub(super) struct Course<'c> {
    pub(super) attempts: &'c [Attempt],
    pub(super) task: Option<&'c Task>,
    pub(super) known: &'c BTreeMap<String, Read<Known>>,
}

/// A lesson, as a run is read for it.
struct Subject<'l> {
    /// What it says, and what it says of the failures of this run with their own names: as it was shown.
    rules: &'l [String],
    triggers: BTreeSet<&'l String>,
    /// Whether it says what to do instead.
    advises: bool,
    /// Whether it is a sentence, which may be about any action: then all causes of a failure are its own.
    is_sentence: bool,
    /// How many steps the run had when it was first shown.
    first: u32,
}

impl Subject<'_> {
    /// Whether an action is what the lesson is about. A rule that is a sentence may be about any action.
    fn is_about(&self, action: &str) -> bool {
        let mut rules = self.rules.iter();
        rules.any(|rule| advice::is_warned_of(rule, action) != Some(false))
    }

    /// Whether a step does what the lesson warns of.
    fn is_done(&self, attempt: &Attempt) -> bool {
        let mut rules = self.rules.iter();
        attempt.index >= self.first
            && rules.any(|rule| advice::is_warned_of(rule, &attempt.action) == Some(true))
    }

    fn answers(&self, attempt: &Attempt) -> bool {
        let failure = attempt.failure.as_ref();
        failure.is_some_and(|(id, _)| self.triggers.contains(id))
    }
}

impl Course<'_> {
    /// What the run says about a lesson. One without an activation is set aside: it is measured as if it had
    /// been withheld from the beginning.
    pub(super) fn measure(&self, kept: &KeptLesson, activation: Option<&Activation>) -> Measure {
        let lesson = &kept.lesson;
        let withheld = activation.is_none_or(|activation| activation.withheld);
        let on_error = activation.is_some_and(|one| one.moment == Moment::OnError);
        // What it was shown for concerns it, even if it does not name it.
        let answered = activation.and_then(|activation| activation.fingerprint.as_ref());
        let rules = self.rules_of(kept);
        let subject = Subject {
            rules: &rules,
            triggers: lesson.trigger_fingerprints.iter().chain(answered).collect(),
            advises: advice::parse(&lesson.rule_text).correct.is_some(),
            is_sentence: advice::is_warned_of(&lesson.rule_text, "").is_none(),
            first: activation.map_or(0, |activation| activation.step),
        };
        let first = subject.first;
        let (mut followed, mut concerned) = match withheld {
            true => Default::default(),
            false => self.followed(&subject),
        };
        if subject.triggers.is_empty() {
            return self.by_the_whole_run(withheld, first, followed);
        }
        let is_about = |action: &str| subject.is_about(action);
        for trigger in &subject.triggers {
            concerned.extend(self.streaks(trigger, &is_about));
        }
        let before = concerned.iter().filter(|index| **index < first).count();
        let errors = (concerned.len() - before) as u32;
        let done = |attempt: &&Attempt| subject.is_done(attempt);
        let done: Vec<_> = self.attempts.iter().filter(done).collect();
        let done_in_vain = done.iter().any(|attempt| subject.answers(attempt));
        let done_and_worked = done.iter().any(|attempt| attempt.failure.is_none());
        let expectation = if on_error {
            // It is shown because the failure came up, so it is compared with runs in which that happened; what
            // happened before it was shown is no fault of it.
            let (expected, runs) = self.once_it_comes_up(&subject);
            ((expected - before as f64).max(0.0), runs)
        } else {
            let used = errors > 0 || subject.advises && followed.worked > 0;
            match self.in_this_task(&subject) {
                (_, 0) if used => self.once_it_comes_up(&subject),
                known => known,
            }
        };
        let (expected, baseline_runs) = expectation;
        if !subject.advises && (!done.is_empty() || expected <= 0.0) {
            // A warning is heeded by what is not done, where it was to be expected; not by anything else that works.
            followed.worked = 0;
        }
        let is_followed = followed.worked().is_some();
        let fits = !on_error || is_followed || self.is_shown_for_its_cause(&subject);
        let conduct = if !fits {
            Conduct::Silent
        } else if withheld {
            Conduct::Open
        } else if subject.advises && on_error && followed.worked > 0 {
            Conduct::Resolved
        } else if subject.advises && is_followed {
            match done_in_vain && followed.worked > 0 && f64::from(errors) >= expected {
                // It was followed only after it had been ignored as long as without it.
                true => Conduct::Silent,
                false => Conduct::Open,
            }
        } else if done_in_vain {
            Conduct::Ignored
        } else if done_and_worked {
            Conduct::Silent
        } else {
            Conduct::Open
        };
        // What it warns of and works all the same is what it is about; what it warns of and fails says nothing.
        let ignored = done_in_vain && !is_followed;
        let attempted = fits && !ignored && (errors > 0 || is_followed || done_and_worked);
        Measure {
            followed,
            conduct,
            // A sentence may be about anything that is attempted.
            attempted: attempted || withheld || subject.is_sentence,
            is_sentence: subject.is_sentence,
            triggers: subject.triggers.iter().map(|id| (*id).clone()).collect(),
            rules: subject.rules.to_vec(),
            exposure: Exposure {
                withheld,
                errors,
                expected,
                baseline_runs,
                followed_and_failed: followed.failed,
                resolved: false,
            },
        }
    }

    /// What a lesson says, and what it says with the names of the failures of this run that it answers.
    fn rules_of(&self, kept: &KeptLesson) -> Vec<String> {
        let lesson = &kept.lesson;
        let mut rules = vec![lesson.rule_text.clone()];
        let failed = self.attempts.iter().filter(|attempt| {
            let failure = attempt.failure.as_ref();
            failure.is_some_and(|(id, _)| lesson.trigger_fingerprints.contains(id))
        });
        for attempt in failed {
            if rules.len() > NAMED_RULES {
                break;
            }
            let rule = recall::rule_at_hand(kept, &attempt.action, &attempt.evidence);
            rules.extend(rule.filter(|rule| !rules.contains(rule)));
        }
        rules
    }

    /// How often a lesson was followed since it was shown, and the steps that failed because of it.
    fn followed(&self, subject: &Subject) -> (Followed, BTreeSet<u32>) {
        let mut followed = Followed::default();
        let (mut failed, mut elsewhere) = (BTreeSet::new(), BTreeSet::new());
        for attempt in self
            .attempts
            .iter()
            .filter(|one| one.index >= subject.first)
        {
            let mut rules = subject.rules.iter();
            let follows = rules.any(|rule| advice::follows(rule, &attempt.action));
            let mut rules = subject.rules.iter();
            if !follows && !rules.any(|rule| advice::leans_on(rule, &attempt.action)) {
                continue;
            }
            // What only leans on the advice, or is merely something else than what is warned of, may well fail
            // for other reasons.
            match &attempt.failure {
                None => followed.worked += 1,
                Some((id, _)) if subject.triggers.contains(id) => {
                    failed.insert(attempt.index);
                }
                Some(_) if follows && subject.advises => {
                    elsewhere.insert(attempt.index);
                }
                Some(_) => {}
            }
        }
        // What failed otherwise and works later had another reason.
        if followed.worked == 0 {
            failed.extend(elsewhere);
        }
        followed.failed = failed.len() as u32;
        (followed, failed)
    }

    /// Whether the failed action that a lesson was shown for is what it is about.
    fn is_shown_for_its_cause(&self, subject: &Subject) -> bool {
        let shown_for = subject.first.checked_sub(1);
        let failed = self
            .attempts
            .iter()
            .find(|one| Some(one.index) == shown_for);
        failed.is_none_or(|attempt| subject.is_about(&attempt.action))
    }

    /// What the run says about a lesson that names no failures: all of them are its concern.
    fn by_the_whole_run(&self, withheld: bool, first: u32, followed: Followed) -> Measure {
        let baseline = self.task.map_or_else(TaskBaseline::default, Task::baseline);
        let failed = |attempt: &&Attempt| attempt.index >= first && attempt.failure.is_some();
        Measure {
            followed,
            conduct: Conduct::Open,
            attempted: true,
            is_sentence: false,
            triggers: Vec::new(),
            rules: Vec::new(),
            exposure: Exposure {
                withheld,
                errors: self.attempts.iter().filter(failed).count() as u32,
                expected: baseline.failures,
                baseline_runs: baseline.runs,
                followed_and_failed: followed.failed,
                resolved: false,
            },
        }
    }

    /// What the failures that a lesson answers cost in a run of this task without help.
    fn in_this_task(&self, subject: &Subject) -> (f64, u32) {
        let Some(task) = self.task else {
            return (0.0, 0);
        };
        let is_about = |action: &str| subject.is_about(action);
        let is_about: Option<&dyn Fn(&str) -> bool> = match subject.is_sentence {
            true => None,
            false => Some(&is_about),
        };
        let triggers = subject.triggers.iter();
        triggers
            .map(|fingerprint| task.untreated(fingerprint, is_about))
            .fold((0.0, 0), |(cost, most), (more, runs)| {
                (cost + more, most.max(runs))
            })
    }

    /// What the failures that a lesson answers cost in a run in which they come up, in any task.
    fn once_it_comes_up(&self, subject: &Subject) -> (f64, u32) {
        let is_about = |action: &str| subject.is_about(action);
        let known = subject.triggers.iter();
        known
            .filter_map(|fingerprint| self.known.get(*fingerprint))
            .map(|known| {
                let known = &known.noun;
                if known.causes.is_empty() || subject.is_sentence {
                    return (known.untreated_cost, known.untreated_runs);
                }
                let causes = known.causes.about(&is_about);
                causes.fold((0.0, 0), |(cost, runs), cause| {
                    (cost + cause.untreated_cost, runs + cause.untreated_runs)
                })
            })
            .filter(|(_, runs)| *runs > 0)
            .map(|(cost, runs)| (cost / f64::from(runs), runs))
            .fold(
                (0.0, 0),
                |best, one| if one.0 > best.0 { one } else { best },
            )
    }

    /// The failed steps that a failure costs: its own, and others that follow it until something works. Only where
    /// the action that met it is one that `is_about` says: the same error text may answer many actions.
    fn streaks(&self, fingerprint: &str, is_about: &dyn Fn(&str) -> bool) -> BTreeSet<u32> {
        let mut steps = BTreeSet::new();
        let mut going = false;
        for attempt in self.attempts {
            going = match &attempt.failure {
                None => false,
                Some((id, _)) if id == fingerprint => is_about(&attempt.action),
                Some(_) => going,
            };
            if going {
                steps.insert(attempt.index);
            }
        }
        steps
    }

    /// What each failure of the run cost by its cause, in the order of their first appearance.
    pub(super) fn costs(&self) -> Vec<Cost> {
        let mut seen = BTreeSet::new();
        let failed = self.attempts.iter().filter_map(|attempt| {
            let (id, _) = attempt.failure.as_ref()?;
            Some((id, &attempt.action))
        });
        failed
            .filter(|cause| seen.insert(*cause))
            .map(|(id, action)| Cost {
                fingerprint: id.clone(),
                action: action.clone(),
                steps: self.streaks(id, &|other| other == action).len() as u32,
            })
            .collect()
    }
}
