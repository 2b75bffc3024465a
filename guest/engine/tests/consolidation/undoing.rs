//! A dry run, taking back, and doing it again.

use super::*;

#[test]
fn a_dry_run_tells_the_same_changes_and_makes_none() {
    let world = full_world(0);
    let before = documents(&world);
    let request = ConsolidationRequest {
        dry_run: Some(true),
        ..request()
    };
    let (told, last) = go_on(&world.engine(), request).expect("a dry run");
    assert!(last.dry_run);
    assert_eq!(documents(&world), before);
    assert_eq!(world.engine().consolidations(10).expect("a list").len(), 0);
    let made = consolidate(&world);
    assert!(!made.is_empty());
    assert_eq!(words(&told), words(&made));
}

#[test]
fn undoing_gives_back_every_document_as_it_was() {
    let world = full_world(0);
    let before = documents(&world);
    let (changes, last) = go_on(&world.engine(), request()).expect("a consolidation");
    let after = documents(&world);
    assert_ne!(before, after);
    let taken_back = undo(&world, &last.id);
    assert_eq!(taken_back.len(), changes.len());
    assert!(
        taken_back
            .iter()
            .all(|change| change.change.starts_with("undone"))
    );
    assert_eq!(documents(&world), before);
    assert_eq!(world.engine().verify().expect("a check"), []);
    let filter = EpisodeFilter::default();
    let found = Episodes::find(&world.engine(), &filter).expect("episodes");
    assert_eq!(found.len(), 13, "all are found again");
    assert!(world.engine().consolidations(1).expect("a list")[0].undone);
    assert_eq!(undo(&world, &last.id), [], "a second time changes nothing");
    world.pass(1_000);
    let again = consolidate(&world);
    assert_eq!(words(&again), words(&changes), "and it can be done again");
}

#[test]
fn what_somebody_changed_since_is_left_and_told() {
    let world = some_releases();
    let (_, last) = go_on(
        &world.engine(),
        ConsolidationRequest {
            hours: Some(240),
            ..request()
        },
    )
    .expect("a consolidation");
    let engine = world.engine();
    let found = Patterns::find(&engine, Some(LessonKind::Sequence), None, 10).expect("patterns");
    let id = found[0].lesson.id.clone();
    engine
        .set_status(&id, LessonStatus::Suppressed, "a person knows better")
        .expect("a change");
    let changes = undo(&world, &last.id);
    let left = changes
        .iter()
        .filter(|change| change.change.starts_with("left"));
    assert!(left.clone().count() > 0, "{changes:?}");
    assert!(
        left.clone()
            .all(|change| change.reason.contains("was changed since"))
    );
    let lesson = Lessons::get(&engine, &id).expect("it is still there");
    assert_eq!(lesson.status, LessonStatus::Suppressed);
}

/// An episode of a random memory: what kind of work, how it differs, how it ended, how much later.
fn episodes() -> impl Strategy<Value = Vec<(u8, u8, bool, u8)>> {
    proptest::collection::vec((0..3u8, 0..3u8, any::<bool>(), 0..40u8), 1..14)
}

fn random_world(episodes: &[(u8, u8, bool, u8)]) -> World {
    let world = World::new();
    for (at, (kind, variant, succeeds, days)) in episodes.iter().enumerate() {
        world.pass(u64::from(*days) * DAY);
        let mut steps = release(u32::from(*variant));
        match kind {
            0 => {}
            1 => steps.insert(0, failure("git tag", "fatal: no name was given")),
            _ => steps.truncate(2),
        }
        let outcome = match succeeds {
            true => Outcome::Success,
            false => Outcome::Failure,
        };
        work(
            &world,
            &format!("run{at}"),
            &format!("kind {kind} of work"),
            &steps,
            outcome,
        );
    }
    world
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn doing_it_again_changes_nothing_and_undoing_gives_everything_back(
        episodes in episodes(), stride in 0..20u64,
    ) {
        let world = random_world(&episodes);
        world.pass(stride * DAY);
        let before = documents(&world);
        let wide = ConsolidationRequest { hours: Some(24 * 365), ..request() };
        let (_, first) = go_on(&world.engine(), wide.clone()).expect("a consolidation");
        let after = documents(&world);
        let (changes, second) = go_on(&world.engine(), wide.clone()).expect("a second one");
        prop_assert_eq!(changes, vec![]);
        prop_assert_eq!(&documents(&world), &after);
        undo(&world, &second.id);
        undo(&world, &first.id);
        prop_assert_eq!(&documents(&world), &before);
        prop_assert_eq!(world.engine().verify().expect("a check"), vec![]);
    }
}
