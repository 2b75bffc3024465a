//! The lab: does all runs of a plan and measures them.
//!
//! A seed in an arm has one memory, which lives through all phases. Seeds are independent of each other, so
//! they are worked on at the same time; what comes out does not depend on that.

use std::{
    collections::BTreeSet,
    fmt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread,
};

use twiceshy_wit::{
    adapter::{self, Assess},
    memory::{self, Events, LessonFilter, LessonStatus, Lessons, Runs, Verdict},
};

use crate::{
    chance::Chance,
    clock::SimulatedClock,
    executor::trial::Trial,
    metrics::{Planting, RunMetrics},
    plan::{Arm, Phase, Plan, Planned},
    planted::PLANTED,
    report::Report,
    run::{self, DOMAIN, Hire, Outcomes, Surroundings},
    story::{Happening, Watch},
};

/// What the experiment needs of a memory.
pub trait Learner: Runs + Events + Lessons {}

impl<T: Runs + Events + Lessons> Learner for T {}

/// For which runs a memory is made.
#[derive(Debug, Clone)]
pub struct Site {
    /// The seed.
    pub seed: u32,
    /// The arm.
    pub arm: Arm,
    /// The time by which it must live.
    pub clock: SimulatedClock,
}

/// Makes an empty memory.
pub type Found<'a> = dyn Fn(&Site) -> Result<Box<dyn Learner>, memory::Error> + Sync + 'a;

/// Why the experiment did not come to its end.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// It was asked to stop.
    Stopped,
    /// The memory failed.
    Memory(memory::Error),
    /// The adapter failed.
    Adapter(adapter::Error),
}

/// Everything that an experiment is done with.
pub struct Lab<'a> {
    /// The adapter for commands.
    pub adapter: &'a (dyn Assess + Sync),
    /// Makes the memory of a seed in an arm.
    pub memories: &'a Found<'a>,
    /// Another executor than the one by trial and error.
    pub executor: Option<&'a Hire<'a>>,
    /// Who watches.
    pub watch: &'a Watch<'a>,
    /// Set when everything is to stop.
    pub stop: &'a AtomicBool,
    /// How many seeds are worked on at the same time.
    pub threads: usize,
}

/// What one seed gave.
#[derive(Default)]
struct Harvest {
    runs: Vec<RunMetrics>,
    plantings: Vec<Planting>,
}

impl Lab<'_> {
    /// Does all runs of a plan. When it is stopped, the report is about the seeds that were finished.
    ///
    /// # Errors
    /// If a memory or the adapter fails.
    pub fn perform(&self, plan: &Plan) -> Result<Report, Failure> {
        let next = AtomicU32::new(0);
        let harvests: Mutex<Vec<(u32, Result<Harvest, Failure>)>> = Mutex::default();
        thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, plan.seeds.max(1) as usize) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= plan.seeds || self.stop.load(Ordering::Relaxed) {
                            break;
                        }
                        let harvest = self.seed(plan, plan.first_seed + index);
                        harvests
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push((index, harvest));
                    }
                });
            }
        });
        let mut harvests = harvests
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        harvests.sort_by_key(|(index, _)| *index);
        let (mut runs, mut plantings) = (Vec::new(), Vec::new());
        for (_, harvest) in harvests {
            match harvest {
                Ok(harvest) => {
                    runs.extend(harvest.runs);
                    plantings.extend(harvest.plantings);
                }
                Err(Failure::Stopped) => {}
                Err(failure) => return Err(failure),
            }
        }
        let interrupted = self.stop.load(Ordering::Relaxed);
        Ok(Report::new(plan.clone(), runs, plantings, interrupted))
    }

    /// All arms of one seed.
    fn seed(&self, plan: &Plan, seed: u32) -> Result<Harvest, Failure> {
        let mut harvest = Harvest::default();
        for arm in Arm::ALL {
            self.arm(plan, seed, arm, &mut harvest)?;
        }
        Ok(harvest)
    }

    /// All runs of one seed in one arm, on one memory.
    fn arm(&self, plan: &Plan, seed: u32, arm: Arm, harvest: &mut Harvest) -> Result<(), Failure> {
        let clock = SimulatedClock::new();
        let memory = (self.memories)(&Site {
            seed,
            arm,
            clock: clock.clone(),
        })?;
        let around = Surroundings {
            seed,
            arm,
            adapter: self.adapter,
            memory: (arm != Arm::NoMemory).then_some(&*memory),
            fingerprints: &*memory,
            clock: &clock,
            evaluator: plan.evaluator,
            watch: self.watch,
            stop: self.stop,
        };
        let mut plantings: Vec<Planting> = Vec::new();
        let mut known: BTreeSet<String> = BTreeSet::new();
        let mut phase = Phase::A;
        for (index, planned) in plan.runs().iter().enumerate() {
            if planned.phase != phase {
                phase = planned.phase;
                clock.pass_seconds(24 * 3_600);
            }
            if arm == Arm::Planted {
                plant(seed, planned, &*memory, &mut plantings)?;
            }
            let chance = Chance::new(u64::from(seed)).of(&planned.name());
            let outcomes = match self.executor {
                Some(hire) => run::run(planned, &around, hire)?,
                None => run::run(planned, &around, &|assignment| {
                    Box::new(Trial::new(assignment, chance))
                })?,
            };
            let ordinal = u32::try_from(index + 1).unwrap_or(u32::MAX);
            follow_up(ordinal, &outcomes, &*memory, &mut plantings)?;
            let metrics = measured(&around, planned, ordinal, &outcomes, &known)?;
            known.extend(outcomes.fingerprints);
            (self.watch)(&Happening::Ended {
                metrics: &metrics,
                plantings: &plantings,
            });
            harvest.runs.push(metrics);
        }
        harvest.plantings.extend(plantings);
        Ok(())
    }
}

/// Hands in the bad lessons whose time has come.
fn plant(
    seed: u32,
    planned: &Planned,
    memory: &dyn Learner,
    plantings: &mut Vec<Planting>,
) -> Result<(), Failure> {
    for planted in PLANTED.iter().filter(|planted| planted.is_due(planned)) {
        let lesson = memory.propose(&planted.proposal(DOMAIN))?;
        plantings.push(Planting {
            seed,
            lesson: lesson.id,
            fault: planted.fault,
            tool: planted.tool,
            rule: planted.rule,
            first_shown: None,
            shown_runs: 0,
            gone: None,
            status: lesson.status.as_str().to_owned(),
            reason: lesson.status_reason,
        });
    }
    Ok(())
}

/// Looks after the planted lessons: which were shown in the run, and which are gone after it.
fn follow_up(
    ordinal: u32,
    outcomes: &Outcomes,
    memory: &dyn Learner,
    plantings: &mut [Planting],
) -> Result<(), Failure> {
    for planting in plantings {
        let shown = outcomes
            .activations
            .iter()
            .any(|activation| activation.lesson == planting.lesson && !activation.withheld);
        if shown {
            planting.first_shown.get_or_insert(ordinal);
            planting.shown_runs += 1;
        }
        let lesson = Lessons::get(memory, &planting.lesson)?;
        let is_recalled = matches!(
            lesson.status,
            LessonStatus::Candidate | LessonStatus::Promoted
        );
        match is_recalled {
            true => planting.gone = None,
            false => {
                planting.gone.get_or_insert(ordinal);
            }
        }
        planting.status = lesson.status.as_str().to_owned();
        planting.reason = lesson.status_reason;
    }
    Ok(())
}

fn measured(
    around: &Surroundings<'_>,
    planned: &Planned,
    ordinal: u32,
    outcomes: &Outcomes,
    known: &BTreeSet<String>,
) -> Result<RunMetrics, Failure> {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let standing = |status| -> Result<u32, Failure> {
        let Some(memory) = around.memory else {
            return Ok(0);
        };
        let found = Lessons::find(
            memory,
            &LessonFilter {
                status: Some(status),
                fingerprint: None,
                domain: None,
                limit: Some(1_000),
            },
        )?;
        Ok(count(found.len()))
    };
    let shown = outcomes
        .activations
        .iter()
        .filter(|activation| !activation.withheld);
    let helped = outcomes.count(&[Verdict::Helped]);
    let judged = outcomes.count(&[Verdict::Helped, Verdict::Harmed, Verdict::Neutral]);
    let recurring = outcomes
        .fingerprints
        .iter()
        .filter(|id| known.contains(*id));
    Ok(RunMetrics {
        seed: around.seed,
        arm: around.arm,
        phase: planned.phase,
        tool: planned.tool,
        task: planned.task.name,
        run: planned.number,
        ordinal,
        docs: planned.docs,
        passed: outcomes.passed,
        score: outcomes.score,
        steps: outcomes.steps,
        needed_steps: planned.task.needed_steps(),
        tool_errors: outcomes.errors,
        executor_troubles: outcomes.troubles,
        fingerprints: count(outcomes.distinct().len()),
        recurring_errors: count(recurring.count()),
        lesson_activations: count(shown.count()),
        withheld: count(
            outcomes
                .activations
                .iter()
                .filter(|one| one.withheld)
                .count(),
        ),
        helped,
        harmed: outcomes.count(&[Verdict::Harmed]),
        judged,
        retrieval_precision: (judged > 0).then(|| f64::from(helped) / f64::from(judged)),
        following: outcomes.following,
        promoted: standing(LessonStatus::Promoted)?,
        suppressed: standing(LessonStatus::Suppressed)?,
    })
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => write!(formatter, "it was told to stop"),
            Self::Memory(error) => write!(formatter, "the memory failed: {error}"),
            Self::Adapter(error) => write!(formatter, "the adapter failed: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<memory::Error> for Failure {
    fn from(error: memory::Error) -> Self {
        Self::Memory(error)
    }
}

impl From<adapter::Error> for Failure {
    fn from(error: adapter::Error) -> Self {
        Self::Adapter(error)
    }
}
