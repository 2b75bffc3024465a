//! A simulated year, made short: some days of work far apart, with a consolidation after each.
//!
//! A small part of the benchmark `year`, so that a change that loses knowledge over time fails here.

#[path = "../../../host/store/benches/year/agent.rs"]
mod agent;
#[path = "../../../host/store/benches/year/calendar.rs"]
mod calendar;
#[path = "../../../host/store/benches/year/plot.rs"]
mod plot;
#[path = "../../../host/store/benches/year/trade.rs"]
mod trade;

use crate::chance;
use crate::support::World;
use calendar::{Day, Plan, START};
use twiceshy_wit::memory::Upkeep;

/// Twenty days of work, each 20 days after the one before: more than a year.
const PLAN: Plan = Plan {
    seed: 7,
    days: 20,
    runs: 20,
    stride: 20,
};

fn lived() -> (World, Vec<Day>, calendar::Tally) {
    let world = World::new();
    world.clock.set(START);
    let sizes = || {
        let archive = world.archive.borrow();
        (
            0,
            archive.values().map(|content| content.len() as u64).sum(),
        )
    };
    let (days, tally) = calendar::live(&PLAN, &world.clock, &world.engine(), &sizes, &mut |_| {});
    (world, days, tally)
}

fn share(days: &[Day], part: fn(&Day) -> u32, whole: fn(&Day) -> u32) -> f64 {
    let sum = |of: fn(&Day) -> u32| f64::from(days.iter().map(of).sum::<u32>());
    sum(part) / sum(whole).max(1.0)
}

#[test]
fn over_a_year_knowledge_grows_old_episodes_go_cold_and_nothing_referenced_disappears() {
    let (world, days, tally) = lived();
    let engine = world.engine();
    // Work gets better: half a year later there are fewer failures than in the first days.
    let failures = |days: &[Day]| share(days, |day| day.failures, |day| day.runs);
    assert!(
        failures(&days[12..]) < 0.7 * failures(&days[..3]),
        "{:.2} {:.2}",
        failures(&days[..3]),
        failures(&days[12..])
    );
    // What was fixed once comes back when it is asked for, also after the tools changed. So few runs leave some lessons
    // unproven and set aside.
    let recalled = share(&days, |day| day.recalled, |day| day.known);
    assert!(recalled > 0.5, "{recalled}");
    let relevant = share(&days, |day| day.relevant, |day| day.briefed);
    assert!(relevant > 0.9, "{relevant}");
    // Episodes move through their phases, and their steps with them.
    let phases = calendar::phases(&engine);
    for phase in ["active", "mature", "aged", "archived"] {
        assert!(phases[phase] > 0, "{phases:?}");
    }
    assert!(days.last().is_some_and(|day| day.archive_bytes > 0));
    assert!(
        tally
            .keys()
            .any(|what| what.starts_with("episodes: consolidated")),
        "{tally:?}"
    );
    assert!(
        tally
            .keys()
            .any(|what| what.starts_with("extraction: new sequence")),
        "{tally:?}"
    );
    // Every lesson's origin can be shown down to its steps, and nothing contradicts itself.
    assert_eq!(calendar::lost_origins(&engine), Vec::<String>::new());
    assert_eq!(engine.verify().expect("a check"), []);
    let picture = plot::svg(&days);
    assert!(picture.starts_with("<svg") && !picture.contains("<script"));
}

#[test]
fn the_same_seed_gives_the_same_year() {
    let course = |days: Vec<Day>| {
        let told = |day: Day| (day.failures, day.recalled, day.briefed, day.changes);
        days.into_iter().map(told).collect::<Vec<_>>()
    };
    assert_eq!(course(lived().1), course(lived().1));
}
