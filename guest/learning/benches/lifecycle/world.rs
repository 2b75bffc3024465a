//! A world with known truth: lessons whose effect on a task's runs is given, and runs that are drawn.
//!
//! Owns what is true and what chance makes of it. Every draw depends only on the world's seed and on what
//! it is for, so that all rules live through the same luck: a run in which two rules show the same lessons
//! is the same run.

use twiceshy_learning::usefulness::{Exposure, RunOutcome, TaskBaseline};

use super::chance::{Chance, poisson};

/// A kind of world.
#[derive(Clone, Copy)]
pub struct Scenario {
    pub name: &'static str,
    /// How many of eight lessons help, and how many harm; the others do nothing.
    pub helpful: usize,
    pub harmful: usize,
    /// Errors a run that a lesson answers, without it: from, to.
    pub rate: (f64, f64),
    /// The share of them that a helpful lesson prevents: from, to.
    pub help: (f64, f64),
    /// Errors a run that a harmful lesson adds: from, to.
    pub harm: (f64, f64),
    /// Failures a run that no lesson has to do with.
    pub other: f64,
    /// How far the difficulty of runs lies apart.
    pub unrest: f64,
    /// By which factor the difficulty has changed after 40 runs.
    pub drift: f64,
    /// By which factor a lesson's baseline may be off, up or down.
    pub wrong_baseline: f64,
    /// Runs that a baseline is made of, at most.
    pub baseline_runs: u64,
    /// Lessons that a run has a use for, at most.
    pub bundle: usize,
    /// After so many runs every second helpful lesson turns: its advice fails.
    pub turn: Option<usize>,
    /// Whether a deterministic evaluator scores the runs.
    pub deterministic: bool,
    /// Whether lessons are shown after their failure, which came once in the run they were learned in.
    pub after_failure: bool,
    /// The share of showings that are heeded.
    pub heed: f64,
    /// The share of showings that are for another cause: the lesson has nothing to do with it.
    pub misfit: f64,
}

/// Lessons in a world.
pub const LESSONS: usize = 8;

/// Of the failed actions that followed harmful advice, the share that is seen to have followed it.
const SEEN_TO_FOLLOW: f64 = 0.7;

/// Of the errors that remain with a lesson, the share that is taken for its fault, wrongly or not.
const TAKEN_FOR_FAULT: f64 = 0.15;

/// The share of runs in which advice that helps, does nothing or harms is seen to be followed and to work.
const SEEN_TO_WORK: [f64; 3] = [0.7, 0.2, 0.1];

/// The share of ignored warnings and of wrong showings that are seen to be that.
const SEEN_FOR_WHAT_IT_IS: f64 = 0.9;

/// The steps of a run without failures.
const BARE_STEPS: f64 = 8.0;

/// What is true of a lesson.
#[derive(Clone, Copy)]
pub struct Truth {
    rate: f64,
    help: f64,
    harm: f64,
}

impl Truth {
    /// The errors a run that showing it prevents.
    pub fn effect(&self) -> f64 {
        self.rate * self.help - self.harm
    }
}

/// What a rule does with a lesson that a run has a use for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Showing {
    Shown,
    Withheld,
}

/// How a lesson was taken, as far as it can be seen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Conduct {
    /// It did not fit, or nobody followed what it says to do after a failure.
    Silent,
    /// What it warns of was done and failed.
    Ignored,
    /// It was shown after a failure, was followed, and that worked.
    Resolved,
    /// Anything else.
    Open,
}

/// A lesson that a run had a use for.
#[derive(Clone, Copy)]
pub struct Taken {
    pub lesson: usize,
    /// As it looks by the counts of failures alone.
    pub exposure: Exposure,
    pub conduct: Conduct,
    /// Whether following it worked, if it was followed.
    pub followed: Option<bool>,
}

impl Taken {
    /// What the memory makes of it.
    pub fn credited(&self) -> Exposure {
        match self.conduct {
            Conduct::Open => self.exposure,
            Conduct::Resolved => self.exposure.resolved(),
            Conduct::Silent | Conduct::Ignored => Exposure::silent(self.exposure.withheld),
        }
    }
}

/// A run as a rule sees it when it has ended.
pub struct Seen {
    pub outcome: RunOutcome,
    pub task: TaskBaseline,
    /// The lessons that the run had a use for.
    pub taken: Vec<Taken>,
}

/// What happened to a lesson in a run.
struct Own {
    errors: u32,
    followed_and_failed: u32,
    followed: Option<bool>,
    conduct: Conduct,
}

/// A task, its lessons, and its runs to come.
pub struct World {
    scenario: Scenario,
    chance: Chance,
    truths: [Truth; LESSONS],
    turned: [Truth; LESSONS],
    /// Mean errors and number of runs before a lesson came into being.
    baselines: [(f64, u32); LESSONS],
    task: TaskBaseline,
}

impl World {
    pub fn new(scenario: &Scenario, seed: u64) -> Self {
        let chance = Chance { seed };
        let mut world = Self {
            scenario: *scenario,
            chance,
            truths: [Truth {
                rate: 0.0,
                help: 0.0,
                harm: 0.0,
            }; LESSONS],
            turned: [Truth {
                rate: 0.0,
                help: 0.0,
                harm: 0.0,
            }; LESSONS],
            baselines: [(0.0, 0); LESSONS],
            task: TaskBaseline::default(),
        };
        for lesson in 0..LESSONS {
            let draw = |purpose, (from, to): (f64, f64)| {
                from + (to - from) * chance.uniform(purpose, lesson as u64, 0)
            };
            let truth = Truth {
                rate: draw(1, scenario.rate),
                help: if lesson < scenario.helpful {
                    draw(2, scenario.help)
                } else {
                    0.0
                },
                harm: if lesson >= LESSONS - scenario.harmful {
                    draw(3, scenario.harm)
                } else {
                    0.0
                },
            };
            world.truths[lesson] = truth;
            let turns = truth.help > 0.0 && lesson % 2 == 0;
            world.turned[lesson] = if turns {
                Truth {
                    help: 0.0,
                    harm: draw(3, scenario.harm),
                    ..truth
                }
            } else {
                truth
            };
        }
        for lesson in 0..LESSONS {
            world.baselines[lesson] = world.baseline_of(lesson);
        }
        world.task = world.task_baseline();
        world
    }

    pub fn chance(&self) -> Chance {
        self.chance
    }

    pub fn is_deterministic(&self) -> bool {
        self.scenario.deterministic
    }

    /// What is true of a lesson at the time of a run.
    pub fn truth(&self, lesson: usize, run: usize) -> &Truth {
        match self.scenario.turn {
            Some(turn) if run >= turn => &self.turned[lesson],
            _ => &self.truths[lesson],
        }
    }

    /// The lessons that a run has a use for.
    pub fn opportunities(&self, run: usize) -> Vec<usize> {
        let run = run as u64;
        let count = 1 + (self.chance.uniform(10, run, 0) * self.scenario.bundle as f64) as usize;
        let mut order: Vec<usize> = (0..LESSONS).collect();
        order.sort_by_key(|lesson| self.chance.bits(11, run, *lesson as u64));
        order.truncate(count);
        order
    }

    /// Whether a lesson is shown in a run for a cause that it is not about.
    fn is_misfit(&self, lesson: usize, run: usize) -> bool {
        self.chance.uniform(28, run as u64, lesson as u64) < self.scenario.misfit
    }

    /// The errors that showing a lesson prevents in a run, on average.
    pub fn effect(&self, lesson: usize, run: usize) -> f64 {
        if self.is_misfit(lesson, run) {
            return 0.0;
        }
        self.truth(lesson, run).effect() * self.difficulty(run) * self.scenario.heed
    }

    /// How difficult a run is; 1 is usual.
    pub fn difficulty(&self, run: usize) -> f64 {
        let unrest = self.scenario.unrest;
        let luck = unrest * self.chance.normal(12, run as u64) - unrest * unrest / 2.0;
        (luck + self.scenario.drift.ln() * run as f64 / 40.0).exp()
    }

    /// The errors that a lesson answers in the runs before it came into being. It was learned in the first
    /// of them, so there was one; that alone makes most baselines too high.
    fn baseline_of(&self, lesson: usize) -> (f64, u32) {
        if self.scenario.after_failure {
            // It came once, and the next attempt worked: after it nothing was to be expected.
            return (0.0, 1);
        }
        let of = lesson as u64;
        let runs = 1 + (self.chance.uniform(4, of, 0) * self.scenario.baseline_runs as f64) as u64;
        let errors = |run: u64| {
            let unrest = self.scenario.unrest;
            let luck = unrest * self.chance.normal(5, of << 32 | run) - unrest * unrest / 2.0;
            poisson(
                self.truths[lesson].rate * luck.exp(),
                self.chance.uniform(6, of, run),
            )
        };
        let first = (1_000..)
            .map(errors)
            .find(|errors| *errors > 0)
            .unwrap_or(1);
        let sum = first + (1..runs).map(errors).sum::<u32>();
        let off = self
            .scenario
            .wrong_baseline
            .powf(2.0 * self.chance.uniform(7, of, 0) - 1.0);
        (f64::from(sum) / runs as f64 * off, runs as u32)
    }

    /// How runs of the task go without memory, over four runs long ago.
    fn task_baseline(&self) -> TaskBaseline {
        let runs = 4;
        let mut task = TaskBaseline {
            runs,
            score: Some(0.0),
            ..TaskBaseline::default()
        };
        for run in 0..runs {
            let run = 10_000 + run as usize;
            let lessons = self.opportunities(run);
            let showings = vec![Showing::Withheld; lessons.len()];
            let (outcome, _) = self.lived(run, 1.0, &lessons, &showings);
            let share = 1.0 / f64::from(runs);
            task.failures += share * f64::from(outcome.failures);
            task.steps += share * f64::from(outcome.steps);
            task.score = task
                .score
                .map(|sum| sum + share * outcome.score.unwrap_or(0.0));
            task.pass_rate += if outcome.passed { share } else { 0.0 };
        }
        task
    }

    /// What happens in a run. `extra` are the runs without a lesson since it came into being, with their
    /// errors, which a rule may add to its baseline.
    pub fn run(
        &self,
        run: usize,
        lessons: &[usize],
        showings: &[Showing],
        extra: &[(u32, u32); LESSONS],
    ) -> Seen {
        let (outcome, own) = self.lived(run, self.difficulty(run), lessons, showings);
        let taken = lessons.iter().zip(showings).zip(own);
        let taken = taken.map(|((lesson, showing), own)| {
            let (mean, runs) = self.baselines[*lesson];
            let (more_runs, more_errors) = extra[*lesson];
            let sum = mean * f64::from(runs) + f64::from(more_errors);
            Taken {
                lesson: *lesson,
                exposure: Exposure {
                    withheld: *showing == Showing::Withheld,
                    errors: own.errors,
                    expected: sum / f64::from(runs + more_runs),
                    baseline_runs: runs + more_runs,
                    followed_and_failed: own.followed_and_failed,
                    resolved: false,
                },
                conduct: own.conduct,
                followed: own.followed,
            }
        });
        Seen {
            outcome,
            task: self.task,
            taken: taken.collect(),
        }
    }

    /// The outcome, and what happened to each lesson.
    fn lived(
        &self,
        run: usize,
        difficulty: f64,
        lessons: &[usize],
        showings: &[Showing],
    ) -> (RunOutcome, Vec<Own>) {
        let at = run as u64;
        let mut failures = poisson(
            self.scenario.other * difficulty,
            self.chance.uniform(20, at, 0),
        );
        let mut all = Vec::new();
        for (lesson, showing) in lessons.iter().zip(showings) {
            let (own, unseen) = self.own(run, difficulty, *lesson, *showing);
            failures += own.errors + unseen + u32::from(self.scenario.after_failure);
            all.push(own);
        }
        let steps = BARE_STEPS + f64::from(failures) + 3.0 * self.chance.uniform(25, at, 0);
        let score = 1.0 - 0.08 * f64::from(failures) + 0.2 * (self.chance.uniform(26, at, 0) - 0.5);
        let score = score.clamp(0.0, 1.0);
        let outcome = RunOutcome {
            failures,
            steps: steps as u32,
            score: Some(score),
            refereed: self.scenario.deterministic,
            passed: score >= 0.5,
        };
        (outcome, all)
    }

    /// What happens to a lesson, and how many more failures are its fault and are not seen to be.
    fn own(&self, run: usize, difficulty: f64, lesson: usize, showing: Showing) -> (Own, u32) {
        let (at, of) = (run as u64, lesson as u64);
        let draw = |purpose| self.chance.uniform(purpose, at, of);
        let truth = self.truth(lesson, run);
        let is_shown = showing == Showing::Shown;
        let is_misfit = self.is_misfit(lesson, run);
        let is_heeded = is_shown && !is_misfit && draw(27) < self.scenario.heed;
        let helps = truth.help > 0.0;
        let solves = is_heeded && self.scenario.after_failure && helps && draw(29) < truth.help;
        let left = match (is_heeded, self.scenario.after_failure) {
            (true, true) if solves => 0.0,
            (true, false) => 1.0 - truth.help,
            _ => 1.0,
        };
        let natural = poisson(truth.rate * left * difficulty, draw(21));
        let harm = if is_heeded {
            truth.harm * difficulty
        } else {
            0.0
        };
        let seen = poisson(harm * SEEN_TO_FOLLOW, draw(22));
        let unseen = poisson(harm * (1.0 - SEEN_TO_FOLLOW), draw(23));
        let mistaken = if is_heeded && !self.scenario.after_failure {
            poisson(f64::from(natural) * TAKEN_FOR_FAULT, draw(24)).min(natural)
        } else {
            0
        };
        let failed = seen + mistaken;
        let kind = match (helps, truth.harm > 0.0) {
            (true, _) => 0,
            (_, false) => 1,
            _ => 2,
        };
        let worked = match self.scenario.after_failure {
            true => solves,
            false => is_heeded && draw(29) < SEEN_TO_WORK[kind],
        };
        let is_seen = draw(31) < SEEN_FOR_WHAT_IT_IS;
        let conduct = if !is_shown {
            match is_misfit && is_seen {
                true => Conduct::Silent,
                false => Conduct::Open,
            }
        } else if is_misfit && is_seen {
            Conduct::Silent
        } else if self.scenario.after_failure {
            match (worked, failed > 0) {
                (true, _) => Conduct::Resolved,
                (false, true) => Conduct::Open,
                (false, false) => Conduct::Silent,
            }
        } else if !is_heeded && natural > 0 && is_seen {
            Conduct::Ignored
        } else {
            Conduct::Open
        };
        let own = Own {
            errors: natural + seen,
            followed_and_failed: failed,
            followed: (worked || failed > 0).then_some(worked),
            conduct,
        };
        (own, unseen)
    }
}
