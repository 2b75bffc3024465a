//! The figures that decide what is alike and what is recent, and that a caller may say others.

use super::patterns::add;
use super::*;

fn found_sequences(world: &World) -> usize {
    let engine = world.engine();
    let found = Patterns::find(&engine, Some(LessonKind::Sequence), None, 10);
    found.expect("patterns").len()
}

#[test]
fn patterns_are_sought_in_the_last_24_hours_or_in_as_many_as_the_caller_says() {
    let sought = |hours| ConsolidationRequest {
        hours,
        stages: vec![Stage::Extraction],
        ..request()
    };
    let found = |age: u64, looked_before: bool, hours: Option<u32>| {
        let world = World::new();
        if looked_before {
            go_on(&world.engine(), sought(None)).expect("a consolidation");
        }
        for version in 1..=3 {
            released(&world, &format!("release-{version}"), version);
        }
        world.pass(age * DAY / 24);
        go_on(&world.engine(), sought(hours)).expect("a consolidation");
        found_sequences(&world)
    };
    assert_eq!(found(20, false, None), 1);
    assert_eq!(found(30, false, None), 0);
    assert_eq!(found(30, false, Some(48)), 1);
    assert_eq!(found(20, false, Some(10)), 0);
    // Whoever consolidates less often than daily misses nothing that came since.
    assert_eq!(found(30, true, None), 1);
}

/// Two mature episodes, whose steps and surroundings differ as is said.
fn two(change: impl Fn(&mut NewRun, &mut Vec<Observed>)) -> World {
    let world = World::new();
    for (id, is_second) in [("first", false), ("second", true)] {
        let mut run = NewRun {
            id: Some(id.to_owned()),
            task_type: Some("release".to_owned()),
            ..crate::support::run("release the shop")
        };
        let mut steps = release(1);
        if is_second {
            change(&mut run, &mut steps);
        }
        let engine = world.engine();
        engine.submit(&run, &steps, &ending()).expect("an episode");
        world.pass(1_000);
    }
    world.pass(31 * DAY);
    world
}

fn made_one(world: &World, similarity: Option<f64>) -> bool {
    let request = ConsolidationRequest {
        episode_similarity: similarity,
        stages: vec![Stage::Episodes],
        ..request()
    };
    let (changes, _) = go_on(&world.engine(), request).expect("a consolidation");
    words(&changes).contains(&"second consolidated into first".to_owned())
}

#[test]
fn episodes_are_made_one_from_a_likeness_of_95_hundredths_on_or_as_the_caller_says() {
    let same = || two(|_, _| {});
    assert!(made_one(&same(), None));
    // One step of four is another one: half of the likeness is the task, half the sequence of actions.
    let other_step = || two(|_, steps| steps.push(success("curl https://shop/health")));
    assert!(!made_one(&other_step(), None));
    assert!(!made_one(&other_step(), Some(0.95)));
    assert!(made_one(&other_step(), Some(0.7)));
}

#[test]
fn episodes_of_another_domain_or_kind_of_task_are_never_made_one() {
    let elsewhere = two(|run, _| run.domain = "navigation".to_owned());
    assert!(!made_one(&elsewhere, Some(0.5)));
    let other_kind = two(|run, _| run.task_type = Some("rehearsal".to_owned()));
    assert!(!made_one(&other_kind, Some(0.5)));
}

#[test]
fn patterns_are_one_from_nine_tenths_on_or_as_the_caller_says() {
    let merged = |similarity: Option<f64>| {
        let world = World::new();
        let one = add(&world, "Sweep first", "sweep the room before anything else");
        let other = add(
            &world,
            "Sweep first",
            "sweep every room, then wait for others",
        );
        let alike = world.engine().similar(&one, 0.1).expect("like ones");
        let alike = alike.iter().find(|like| like.pattern.lesson.id == other);
        let alike = alike.expect("a little alike").similarity;
        assert!((0.3..0.9).contains(&alike), "{alike}");
        let request = ConsolidationRequest {
            pattern_similarity: similarity,
            stages: vec![Stage::Refinement],
            ..request()
        };
        let (changes, _) = go_on(&world.engine(), request).expect("a consolidation");
        words(&changes)
            .iter()
            .any(|told| told.contains("superseded-by"))
    };
    assert!(!merged(None));
    assert!(!merged(Some(0.9)));
    assert!(merged(Some(0.3)));
}
