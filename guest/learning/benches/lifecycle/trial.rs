//! A trial: a rule lives through worlds, and what it did is compared with what was right.

use super::{
    rules::{Rule, Standing},
    world::{LESSONS, Scenario, Showing, World},
};

/// The numbers of runs after which a rule is looked at.
pub const CHECKPOINTS: [usize; 5] = [5, 10, 20, 40, 80];

/// An effect below this, in errors a run, is none.
const NO_EFFECT: f64 = 1e-9;

/// The share of runs with one of its errors in which somebody proposes a lesson again, right or wrong.
const PROPOSED_AGAIN: f64 = 0.1;

/// What a rule did up to a checkpoint, summed over worlds.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    pub helpful: u32,
    pub harmful: u32,
    pub promoted: u32,
    pub promoted_helpful: u32,
    pub suppressed: u32,
    pub suppressed_harmful: u32,
    pub suppressed_helpful: u32,
}

/// What a rule did in many worlds.
#[derive(Clone, Default)]
pub struct Record {
    pub tallies: [Tally; CHECKPOINTS.len()],
    /// The regret of each world at each checkpoint: errors that showing rightly would have saved.
    pub regrets: [Vec<f64>; CHECKPOINTS.len()],
    /// The part of all regret that comes from harmful lessons that were shown.
    pub harm: f64,
    /// For each harmful lesson, how often it was shown before it was gone, or at all.
    pub showings_of_harmful: Vec<u32>,
}

impl Record {
    pub fn add(&mut self, other: &Self) {
        for (tally, more) in self.tallies.iter_mut().zip(&other.tallies) {
            tally.helpful += more.helpful;
            tally.harmful += more.harmful;
            tally.promoted += more.promoted;
            tally.promoted_helpful += more.promoted_helpful;
            tally.suppressed += more.suppressed;
            tally.suppressed_harmful += more.suppressed_harmful;
            tally.suppressed_helpful += more.suppressed_helpful;
        }
        for (regrets, more) in self.regrets.iter_mut().zip(&other.regrets) {
            regrets.extend(more);
        }
        self.harm += other.harm;
        self.showings_of_harmful.extend(&other.showings_of_harmful);
    }
}

/// Lets a rule live through the worlds of a scenario.
pub fn record(
    scenario: &Scenario,
    seeds: std::ops::Range<u64>,
    make: impl Fn(&World) -> Box<dyn Rule>,
) -> Record {
    let mut record = Record::default();
    for seed in seeds {
        let world = World::new(scenario, seed);
        live(&world, make(&world).as_mut(), &mut record);
    }
    record
}

fn live(world: &World, rule: &mut dyn Rule, record: &mut Record) {
    let mut regret = 0.0;
    let mut showings_of = [0_u32; LESSONS];
    for run in 0..CHECKPOINTS[CHECKPOINTS.len() - 1] {
        let lessons = world.opportunities(run);
        let showings: Vec<Showing> = lessons.iter().map(|l| rule.showing(*l, run)).collect();
        for (lesson, showing) in lessons.iter().zip(&showings) {
            let effect = world.effect(*lesson, run);
            match showing {
                Showing::Shown => {
                    regret += (-effect).max(0.0);
                    record.harm += (-effect).max(0.0);
                }
                Showing::Withheld => regret += effect.max(0.0),
            }
            showings_of[*lesson] += u32::from(*showing == Showing::Shown);
        }
        let seen = world.run(run, &lessons, &showings, &rule.runs_without());
        let proposed: Vec<usize> = seen
            .taken
            .iter()
            .filter(|taken| taken.exposure.withheld && taken.exposure.errors > 0)
            .map(|taken| taken.lesson)
            .filter(|lesson| {
                world.chance().uniform(30, run as u64, *lesson as u64) < PROPOSED_AGAIN
            })
            .collect();
        rule.learn(run, &seen, &proposed);
        if let Some(checkpoint) = CHECKPOINTS.iter().position(|runs| *runs == run + 1) {
            record.regrets[checkpoint].push(regret);
            count(world, rule, run, &mut record.tallies[checkpoint]);
        }
    }
    let harmful = (0..LESSONS).filter(|lesson| world.truth(*lesson, 0).effect() < -NO_EFFECT);
    record
        .showings_of_harmful
        .extend(harmful.map(|lesson| showings_of[lesson]));
}

fn count(world: &World, rule: &dyn Rule, run: usize, tally: &mut Tally) {
    for lesson in 0..LESSONS {
        let effect = world.truth(lesson, run).effect();
        let helpful = u32::from(effect > NO_EFFECT);
        let harmful = u32::from(effect < -NO_EFFECT);
        tally.helpful += helpful;
        tally.harmful += harmful;
        match rule.standing(lesson) {
            Standing::Candidate => {}
            Standing::Promoted => {
                tally.promoted += 1;
                tally.promoted_helpful += helpful;
            }
            Standing::Gone => {
                tally.suppressed += 1;
                tally.suppressed_harmful += harmful;
                tally.suppressed_helpful += helpful;
            }
        }
    }
}
