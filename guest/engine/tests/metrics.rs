//! What each day cost, and how it went.

use crate::support::{DAY, START, World, ending, failure, run, success};
use twiceshy_wit::memory::{DayMetrics, Ending, Lessons, NewRun, Observed, Outcome, Runs, Upkeep};

fn efficient(action: &str, signal: f64) -> Observed {
    let mut observed = success(action);
    observed.feedback.efficiency_signal = Some(signal);
    observed
}

/// A run of these steps that takes so long.
fn work(world: &World, task: &str, steps: &[Observed], takes: u64, ending: &Ending) {
    let engine = world.engine();
    let open = engine.start(&run(task)).unwrap();
    for step in steps {
        engine.observe(&open.id, step).unwrap();
    }
    world.pass(takes);
    engine.finish(&open.id, ending).unwrap();
}

fn days(world: &World, days: Option<u32>) -> Vec<DayMetrics> {
    world.engine().metrics_of_days(days).unwrap().days
}

#[test]
fn each_day_says_what_its_tasks_cost_and_how_they_went() {
    let world = World::new();
    let steps = [
        failure("grid --rows", "grid: unknown option --rows"),
        failure("grid --rows 5", "grid: unknown option --rows"),
        failure("grid --cols", "grid: permission denied"),
        efficient("grid rows=5", 0.5),
        efficient("grid done", 1.0),
    ];
    let passed = Ending {
        outcome: Some(Outcome::Success),
        score: Some(0.9),
        referee: None,
    };
    work(&world, "count", &steps, 90_000, &passed);
    let missed = Ending {
        outcome: Some(Outcome::Failure),
        score: Some(0.3),
        referee: None,
    };
    work(&world, "sort", &[success("grid sort")], 10_500, &missed);
    let metrics = world.engine().metrics_of_days(None).unwrap();
    assert_eq!(metrics.days.len(), 7);
    assert_eq!(metrics.days[0].day, "2023-12-26");
    let today = &metrics.days[6];
    assert_eq!(today.day, "2024-01-01");
    assert_eq!((today.episodes, today.successes), (2, 1));
    assert_eq!((today.steps, today.failures, today.retries), (6, 3, 1));
    assert!((today.duration_seconds - 100.5).abs() < 1e-9);
    assert_eq!(today.score, Some(0.6));
    assert_eq!(today.efficiency, Some(0.75));
    assert_eq!(today.preference, None);
    assert_eq!(today.new_lessons as usize, lessons(&world));
    assert!(today.new_lessons > 0);
    let total = &metrics.total;
    assert_eq!(total.day, "2023-12-26/2024-01-01");
    assert_eq!((total.episodes, total.efficiency), (2, Some(0.75)));
    let quiet = &metrics.days[5];
    assert_eq!((quiet.episodes, quiet.new_lessons), (0, 0));
    assert_eq!((quiet.score, quiet.efficiency), (None, None));
}

fn lessons(world: &World) -> usize {
    let all = twiceshy_wit::memory::LessonFilter {
        status: None,
        fingerprint: None,
        domain: None,
        limit: None,
    };
    Lessons::find(&world.engine(), &all).unwrap().len()
}

#[test]
fn a_day_ends_at_midnight_of_utc() {
    let world = World::new();
    world.clock.set(START + DAY - 1_000);
    // It begins one millisecond before midnight's second and ends in the last millisecond of the day.
    work(&world, "a", &[success("x")], 999, &ending());
    assert_eq!(days(&world, Some(1))[0].episodes, 1);
    work(&world, "b", &[success("x")], 1, &ending());
    world
        .engine()
        .propose(&crate::support::proposal("say rows=5", "grid: odd"))
        .unwrap();
    let two = days(&world, Some(2));
    let counts: Vec<_> = two
        .iter()
        .map(|day| (day.day.as_str(), day.episodes, day.new_lessons))
        .collect();
    assert_eq!(counts, [("2024-01-01", 1, 0), ("2024-01-02", 1, 1)]);
    // After a week the first one is out of sight, and both can be asked for.
    world.clock.set(START + 7 * DAY);
    assert_eq!(
        world.engine().metrics_of_days(None).unwrap().total.episodes,
        1
    );
    assert_eq!(
        days(&world, Some(400))
            .iter()
            .map(|day| day.episodes)
            .sum::<u32>(),
        2
    );
}

#[test]
fn lessons_that_helped_less_those_that_harmed_are_the_days_preference() {
    let world = World::new();
    let engine = world.engine();
    let refused = "grid: unknown option --rows";
    let steps = [failure("grid --rows 5", refused), success("grid rows=5")];
    // The first run teaches it; the second is told after its failure, later ones before they begin.
    for _ in 0..2 {
        work(&world, "count the rows", &steps, 1_000, &ending());
    }
    world.pass(DAY);
    for _ in 0..3 {
        let open = engine.start(&run("count the rows")).unwrap();
        let told = engine
            .brief(
                &open.id,
                &twiceshy_wit::memory::BriefingRequest {
                    limit: None,
                    tokens: None,
                },
            )
            .unwrap();
        assert_eq!(told.hints.len(), 1);
        engine.observe(&open.id, &success("grid rows=5")).unwrap();
        engine.finish(&open.id, &ending()).unwrap();
    }
    let two = days(&world, Some(2));
    assert_eq!(two[1].preference, Some(1.0));
    // What the memory said of it is what the activations say.
    let report = engine.report().unwrap();
    assert_eq!((report.helped, report.harmed), (4, 0));
}

#[test]
fn every_agent_counts_once_a_day_and_once_in_all() {
    let world = World::new();
    let engine = world.engine();
    for (day, agent) in [(0, "ana"), (0, "ana"), (0, "bo"), (1, "ana")] {
        world.clock.set(START + day * DAY + 1_000);
        let new = NewRun {
            agent: Some(agent.to_owned()),
            ..run("count")
        };
        let open = engine.start(&new).unwrap();
        engine.observe(&open.id, &success("x")).unwrap();
        engine.finish(&open.id, &ending()).unwrap();
    }
    let metrics = engine.metrics_of_days(Some(2)).unwrap();
    assert_eq!([metrics.days[0].agents, metrics.days[1].agents], [2, 1]);
    assert_eq!(metrics.total.agents, 2);
}

#[test]
fn days_are_1_to_400() {
    let world = World::new();
    for wrong in [0, 401, u32::MAX] {
        let error = world.engine().metrics_of_days(Some(wrong)).unwrap_err();
        assert!(error.message().contains("`days` is"), "{}", error.message());
    }
    assert_eq!(days(&world, Some(400)).len(), 400);
    // Before a year has passed since 1970 there are no more days than that.
    world.clock.set(2 * DAY);
    assert_eq!(days(&world, None).len(), 3);
}

#[test]
fn what_is_pruned_takes_its_reward_along() {
    let world = World::new();
    let engine = world.engine();
    work(&world, "count", &[efficient("x", 0.5)], 1_000, &ending());
    assert_eq!(days(&world, Some(1))[0].efficiency, Some(0.5));
    engine.prune(world.clock.get() + 1, false).unwrap();
    assert_eq!(days(&world, Some(1))[0].efficiency, None);
    assert!(engine.verify().unwrap().is_empty());
}

#[test]
fn the_inventory_says_how_much_there_is_of_everything() {
    let world = World::new();
    let engine = world.engine();
    let steps = [failure("grid --rows", "grid: odd"), success("grid rows")];
    work(&world, "count", &steps, 1_000, &ending());
    world.pass(40 * DAY);
    work(&world, "sort", &[success("grid sort")], 1_000, &ending());
    engine.start(&run("open")).unwrap();
    let lesson = engine
        .propose(&crate::support::proposal("say rows=5", "grid: odd"))
        .unwrap();
    engine
        .set_status(
            &lesson.id,
            twiceshy_wit::memory::LessonStatus::Suppressed,
            "a test",
        )
        .unwrap();
    let inventory = engine.take_inventory().unwrap();
    let count = |tallies: &[twiceshy_wit::memory::Tally], name: &str| {
        let tally = tallies.iter().find(|tally| tally.name == name);
        tally.unwrap_or_else(|| panic!("no {name}")).count
    };
    for (name, expected) in [("run", 1), ("episode", 2), ("step", 3), ("event", 1)] {
        assert_eq!(count(&inventory.documents, name), expected, "{name}");
    }
    assert_eq!(count(&inventory.episodes, "active"), 1);
    assert_eq!(count(&inventory.episodes, "mature"), 1);
    assert_eq!(count(&inventory.lessons, "suppressed"), 1);
    let all: u32 = inventory.lessons.iter().map(|tally| tally.count).sum();
    assert_eq!(all as usize, lessons(&world));
    // What is not recalled is no knowledge in use.
    let known: u32 = inventory.kinds.iter().map(|tally| tally.count).sum();
    assert_eq!(known, all - 1);
}
