//! The rules that are compared: how each turns runs into verdicts.
//!
//! Every rule sees the same runs and says which lessons it shows. The plan's rule is written as its original
//! implements it; the binomial and counting rules are given our own credit and baselines, so that only the
//! decision differs.

use twiceshy_learning::usefulness::{Evidence, Thresholds, Utility, Verdict, credit, is_withheld};
use twiceshy_wit::memory::LessonStatus;

use super::world::{Conduct, LESSONS, Seen, Showing, Taken, World};

/// How a rule stands to a lesson.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Candidate,
    Promoted,
    Gone,
}

/// A rule with its memory of one world.
pub trait Rule {
    /// What it does with a lesson that a run has a use for.
    fn showing(&self, lesson: usize, run: usize) -> Showing {
        let _ = run;
        match self.standing(lesson) {
            Standing::Gone => Showing::Withheld,
            _ => Showing::Shown,
        }
    }

    /// Learns from a run. `proposed` are the lessons that somebody proposed in it once more.
    fn learn(&mut self, run: usize, seen: &Seen, proposed: &[usize]);

    /// How it stands to a lesson.
    fn standing(&self, lesson: usize) -> Standing;

    /// Runs without each lesson and their errors, to be added to its baseline.
    fn runs_without(&self) -> [(u32, u32); LESSONS] {
        [(0, 0); LESSONS]
    }
}

/// A way to make a rule.
pub struct Candidate {
    pub name: &'static str,
    pub make: fn(&World) -> Box<dyn Rule>,
}

/// All rules that are compared.
pub const RULES: [Candidate; 9] = [
    Candidate {
        name: "show all",
        make: |_| Box::new(Fixed(Standing::Candidate)),
    },
    Candidate {
        name: "show none",
        make: |_| Box::new(Fixed(Standing::Gone)),
    },
    Candidate {
        name: "plan",
        make: |_| Box::new(Plan::default()),
    },
    Candidate {
        name: "plan, our credit",
        make: |_| Box::new(Tally::new(plan_gates)),
    },
    Candidate {
        name: "counting",
        make: |_| Box::new(Tally::new(counting)),
    },
    Candidate {
        name: "success ratio",
        make: |_| Box::new(Ratio::default()),
    },
    Candidate {
        name: "binomial",
        make: |_| Box::new(Tally::new(binomial)),
    },
    Candidate {
        name: "ours, no hold-out",
        make: |world| Box::new(Ours::new(Thresholds::CHOSEN, 0.0, world)),
    },
    Candidate {
        name: "ours",
        make: |world| Box::new(Ours::new(Thresholds::CHOSEN, 0.10, world)),
    },
];

/// Treats all lessons alike, for comparison.
struct Fixed(Standing);

impl Rule for Fixed {
    fn learn(&mut self, _: usize, _: &Seen, _: &[usize]) {}

    fn standing(&self, _: usize) -> Standing {
        self.0
    }
}

/// The plan's rule as its original implements it: an absolute measure, the same credit for all lessons that
/// were shown together, the mean of the last ten.
#[derive(Default)]
struct Plan {
    utilities: [Vec<f64>; LESSONS],
    regressions: [u32; LESSONS],
    promoted: [bool; LESSONS],
    gone: [bool; LESSONS],
    scores: Vec<f64>,
}

impl Rule for Plan {
    fn learn(&mut self, _: usize, seen: &Seen, _: &[usize]) {
        let shown = seen.taken.iter().filter(|taken| !taken.exposure.withheld);
        let shown: Vec<_> = shown.collect();
        let reductions = shown.iter().map(|taken| match taken.exposure.errors {
            0 => 1.0,
            errors => -(f64::from(errors) / 3.0).min(1.0),
        });
        let reduction = reductions.sum::<f64>() / shown.len().max(1) as f64;
        let steps = 1.0 - f64::from(seen.outcome.steps) / (2.0 * seen.task.steps);
        let steps = steps.clamp(-1.0, 1.0);
        let score = seen.outcome.score.filter(|_| seen.outcome.refereed);
        let recent = &self.scores[self.scores.len().saturating_sub(10)..];
        let usual = recent.iter().sum::<f64>() / recent.len().max(1) as f64;
        let utility = match score {
            Some(score) if !recent.is_empty() => {
                0.50 * reduction + 0.30 * steps + 0.20 * (score - usual)
            }
            _ => 0.65 * reduction + 0.35 * steps,
        };
        let regression = score.is_some_and(|score| score < 0.2) && seen.outcome.failures > 0;
        for lesson in shown.iter().map(|taken| taken.lesson) {
            self.utilities[lesson].push(utility);
            self.regressions[lesson] += u32::from(regression);
            let runs = &self.utilities[lesson];
            let recent = &runs[runs.len().saturating_sub(10)..];
            let mean = recent.iter().sum::<f64>() / recent.len() as f64;
            if runs.len() >= 3 && mean <= 0.0 {
                self.gone[lesson] = true;
            } else if runs.len() >= 3 && mean >= 0.20 && self.regressions[lesson] == 0 {
                self.promoted[lesson] = true;
            }
        }
        self.scores.extend(score);
    }

    fn standing(&self, lesson: usize) -> Standing {
        match (self.gone[lesson], self.promoted[lesson]) {
            (true, _) => Standing::Gone,
            (_, true) => Standing::Promoted,
            _ => Standing::Candidate,
        }
    }
}

/// Goes by the share of runs that reached their goal while a lesson was shown: below a half it is gone, above it is
/// promoted.
#[derive(Default)]
struct Ratio {
    runs: [(u32, u32); LESSONS],
}

impl Rule for Ratio {
    fn learn(&mut self, _: usize, seen: &Seen, _: &[usize]) {
        for taken in seen.taken.iter().filter(|taken| !taken.exposure.withheld) {
            let (passed, runs) = &mut self.runs[taken.lesson];
            *passed += u32::from(seen.outcome.passed);
            *runs += 1;
        }
    }

    fn standing(&self, lesson: usize) -> Standing {
        match self.runs[lesson] {
            (_, ..3) => Standing::Candidate,
            (passed, runs) if 2 * passed < runs => Standing::Gone,
            _ => Standing::Promoted,
        }
    }
}

/// Decides from the utilities of a lesson's runs, as our credit has them, what to do.
struct Tally {
    utilities: [Vec<Utility>; LESSONS],
    standings: [Standing; LESSONS],
    decide: fn(&[Utility]) -> Option<Standing>,
}

impl Tally {
    fn new(decide: fn(&[Utility]) -> Option<Standing>) -> Self {
        Self {
            utilities: Default::default(),
            standings: [Standing::Candidate; LESSONS],
            decide,
        }
    }
}

impl Rule for Tally {
    fn learn(&mut self, _: usize, seen: &Seen, _: &[usize]) {
        let exposures: Vec<_> = seen.taken.iter().map(Taken::credited).collect();
        let earned = credit(&seen.outcome, &seen.task, &exposures);
        for (taken, utility) in seen.taken.iter().zip(earned) {
            if taken.exposure.withheld {
                continue;
            }
            let lesson = taken.lesson;
            self.utilities[lesson].extend(utility);
            if let Some(standing) = (self.decide)(&self.utilities[lesson]) {
                self.standings[lesson] = standing;
            }
        }
    }

    fn standing(&self, lesson: usize) -> Standing {
        self.standings[lesson]
    }
}

/// The plan's gates over our credit.
fn plan_gates(runs: &[Utility]) -> Option<Standing> {
    let recent = &runs[runs.len().saturating_sub(10)..];
    let mean = recent.iter().map(|run| run.utility).sum::<f64>() / recent.len().max(1) as f64;
    let regression = runs.iter().any(|run| run.major_regression);
    if runs.len() < 3 {
        None
    } else if mean <= 0.0 {
        Some(Standing::Gone)
    } else if mean >= 0.20 && !regression {
        Some(Standing::Promoted)
    } else {
        None
    }
}

fn helped_and_harmed(runs: &[Utility]) -> (i32, i32) {
    let helped = runs.iter().filter(|run| run.utility > 0.0).count();
    let harmed = runs.iter().filter(|run| run.utility < 0.0).count();
    (helped as i32, harmed as i32)
}

/// Three more runs helped than harmed, or the other way round.
fn counting(runs: &[Utility]) -> Option<Standing> {
    let (helped, harmed) = helped_and_harmed(runs);
    match helped - harmed {
        3.. => Some(Standing::Promoted),
        ..=-3 => Some(Standing::Gone),
        _ => None,
    }
}

/// A one-sided binomial test against a half, at 0.05.
fn binomial(runs: &[Utility]) -> Option<Standing> {
    let (helped, harmed) = helped_and_harmed(runs);
    let count = helped + harmed;
    if at_least(helped, count) < 0.05 {
        Some(Standing::Promoted)
    } else if at_least(harmed, count) < 0.05 {
        Some(Standing::Gone)
    } else {
        None
    }
}

/// The probability of at least so many heads of a fair coin.
fn at_least(heads: i32, count: i32) -> f64 {
    let mut ways = 1.0;
    let mut sum = 0.0;
    for n in 0..=count {
        if n >= heads {
            sum += ways;
        }
        ways *= f64::from(count - n) / f64::from(n + 1);
    }
    sum / 2_f64.powi(count)
}

/// The rule of this memory.
pub struct Ours {
    thresholds: Thresholds,
    share: f64,
    world: u64,
    deterministic: bool,
    evidence: [Evidence; LESSONS],
    statuses: [LessonStatus; LESSONS],
}

impl Ours {
    pub fn new(thresholds: Thresholds, share: f64, world: &World) -> Self {
        Self {
            thresholds,
            share,
            world: world.chance().seed,
            deterministic: world.is_deterministic(),
            evidence: Default::default(),
            statuses: [LessonStatus::Candidate; LESSONS],
        }
    }
}

/// The time between two runs.
const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

impl Rule for Ours {
    fn showing(&self, lesson: usize, run: usize) -> Showing {
        let evidence = &self.evidence[lesson];
        let share = self.thresholds.hold_out_share(evidence, self.share, false);
        let aside = self.standing(lesson) == Standing::Gone;
        let lot = || is_withheld(&lesson.to_string(), &format!("{}-{run}", self.world), share);
        if aside || lot() {
            Showing::Withheld
        } else {
            Showing::Shown
        }
    }

    fn learn(&mut self, run: usize, seen: &Seen, proposed: &[usize]) {
        let now = run as u64 * DAY_MS;
        let exposures: Vec<_> = seen.taken.iter().map(Taken::credited).collect();
        let earned = credit(&seen.outcome, &seen.task, &exposures);
        for ((taken, exposure), utility) in seen.taken.iter().zip(exposures).zip(earned) {
            let lesson = taken.lesson;
            let evidence = &mut self.evidence[lesson];
            if proposed.contains(&lesson) {
                evidence.proposed_again();
            }
            if let Some(worked) = taken.followed {
                evidence.followed(worked);
            }
            if taken.conduct == Conduct::Ignored {
                evidence.ignored(&taken.exposure);
            }
            evidence.note(&seen.outcome, &seen.task, &exposure, utility, 1, now);
            if !exposure.withheld {
                evidence.spoke_of(utility.is_some(), now);
            }
            let status = self.statuses[lesson];
            let next = match self
                .thresholds
                .judge(evidence, status, self.deterministic, now)
            {
                Verdict::Stay => continue,
                Verdict::Promote(_) => LessonStatus::Promoted,
                Verdict::Review(_) => LessonStatus::UnderReview,
                Verdict::Suppress(_) => LessonStatus::Suppressed,
                Verdict::Deprecate(_) => LessonStatus::Deprecated,
                Verdict::Retry(_) => LessonStatus::Candidate,
            };
            evidence.moved(status, next, now);
            self.statuses[lesson] = next;
        }
    }

    fn standing(&self, lesson: usize) -> Standing {
        match self.statuses[lesson] {
            LessonStatus::Candidate => Standing::Candidate,
            LessonStatus::Promoted => Standing::Promoted,
            _ => Standing::Gone,
        }
    }

    fn runs_without(&self) -> [(u32, u32); LESSONS] {
        std::array::from_fn(|lesson| {
            let without = &self.evidence[lesson].without;
            (without.opportunities, without.errors)
        })
    }
}
