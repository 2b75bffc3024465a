//! When a consolidation is made, and what an extracted pattern comes from.

use twiceshy_wit::memory::{
    Consolidation, ConsolidationRequest, Ending, LessonKind, LessonStatus, Lessons, NewRun,
    Outcome, Pattern, Patterns, Runs, Upkeep,
};

use crate::support::{DAY, World, pattern, success};

fn consolidate(world: &World) -> Consolidation {
    let mut request = ConsolidationRequest::default();
    loop {
        let piece = world.engine().consolidate(&request).unwrap();
        match &piece.next {
            Some(next) => request.after = Some(next.clone()),
            None => return piece,
        }
    }
}

fn released(world: &World, version: u32) -> String {
    world.pass(60_000);
    let engine = world.engine();
    let run = NewRun {
        id: Some(format!("release-{version}")),
        task: format!("release version {version}"),
        domain: "cli".to_owned(),
        hold_out: Some(0.0),
        task_type: Some("release".to_owned()),
        ..NewRun::default()
    };
    let steps = [
        success(&format!("git tag v{version}.0")),
        success("cargo build --release"),
        success(&format!("scp out/app-{version}.tar.gz host:/srv")),
    ];
    let ending = Ending {
        outcome: Some(Outcome::Success),
        score: None,
        referee: None,
    };
    engine.submit(&run, &steps, &ending).unwrap().episode.id
}

fn sequences(world: &World) -> Vec<Pattern> {
    Patterns::find(&world.engine(), Some(LessonKind::Sequence), None, 10).unwrap()
}

#[test]
fn a_consolidation_may_be_made_right_after_a_task_and_while_others_are_open() {
    let world = World::new();
    let engine = world.engine();
    let open = engine
        .start(&NewRun {
            task: "something long".to_owned(),
            domain: "cli".to_owned(),
            ..NewRun::default()
        })
        .unwrap();
    for version in 1..=4 {
        released(&world, version);
        // At the end of each task, without waiting for a night.
        assert!(consolidate(&world).ended_at.is_some());
    }
    assert_eq!(
        sequences(&world).len(),
        1,
        "found as soon as it was sure enough"
    );
    // Between two phases of a run that is open: it goes on as if nothing had been.
    engine.observe(&open.id, &success("ls")).unwrap();
    consolidate(&world);
    engine.observe(&open.id, &success("ls -l")).unwrap();
    let ending = Ending::default();
    assert_eq!(engine.finish(&open.id, &ending).unwrap().steps, 2);
    // Idle, with nothing new: nothing changes.
    let changes = consolidate(&world).changes;
    assert_eq!(changes, [], "{changes:?}");
}

#[test]
fn a_pattern_that_was_extracted_names_the_episodes_it_comes_from() {
    let world = World::new();
    let episodes: Vec<_> = (1..=4).map(|version| released(&world, version)).collect();
    consolidate(&world);
    let found = sequences(&world).remove(0);
    let lesson = Lessons::get(&world.engine(), &found.lesson.id).unwrap();
    let mut origins: Vec<_> = lesson
        .origins
        .into_iter()
        .map(|origin| origin.run)
        .collect();
    origins.sort();
    assert_eq!(origins, episodes);
    assert_eq!(found.evidence.supporting_episodes, episodes);
    // And each episode says that it is referred to, so that it is never purged.
    for episode in &episodes {
        let lifecycle =
            twiceshy_wit::memory::Episodes::lifecycle_of(&world.engine(), episode).unwrap();
        assert!(
            lifecycle.referenced_by.contains(&found.lesson.id),
            "{lifecycle:?}"
        );
    }
}

#[test]
fn what_nobody_used_for_half_a_year_is_archived_and_what_is_superseded_deprecated() {
    let world = World::new();
    let engine = world.engine();
    let add = |summary: &str| {
        let added = Patterns::add(&engine, &pattern(LessonKind::Strategy, summary));
        added.unwrap().lesson.id
    };
    let unused = add("sweep the room before anything else is done in it");
    let old = add("write the tests after the parser");
    let new = add("write the parser by its tests, one by one");
    engine
        .deprecate(&old, "there is a better way", &new)
        .unwrap();
    world.pass(181 * DAY);
    consolidate(&world);
    let status = |id: &str| Lessons::get(&engine, id).unwrap().status;
    assert_eq!(status(&unused), LessonStatus::Archived);
    assert_eq!(status(&old), LessonStatus::Deprecated);
    let kept = Patterns::get(&engine, &old).unwrap();
    assert_eq!(
        kept.superseded_by.as_deref(),
        Some(new.as_str()),
        "on record"
    );
}
