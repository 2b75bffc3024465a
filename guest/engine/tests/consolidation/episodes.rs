//! Like episodes that become one.

use super::*;

#[test]
fn like_mature_episodes_become_one_and_the_originals_stay() {
    let world = some_releases();
    world.pass(31 * DAY);
    let changes = consolidate(&world);
    let told = in_stage(&changes, Stage::Episodes);
    for expected in [
        "first stands for 3 episodes",
        "second consolidated into first",
        "third consolidated into first",
    ] {
        assert!(
            told.iter().any(|told| told == expected),
            "{expected}: {told:?}"
        );
    }
    let engine = world.engine();
    let found = Episodes::find(&engine, &EpisodeFilter::default()).expect("episodes");
    assert_eq!(found.len(), 1, "the others are out of the way");
    assert_eq!(found[0].id, "first");
    for id in ["second", "third"] {
        assert_eq!(Episodes::get(&engine, id).expect("an original").id, id);
        assert_eq!(engine.trace(id, 0).expect("its steps").len(), 3);
        let lifecycle = engine.lifecycle_of(id).expect("a lifecycle");
        assert_eq!(lifecycle.consolidated_into.as_deref(), Some("first"));
    }
    let references = engine
        .lifecycle_of("first")
        .expect("a lifecycle")
        .referenced_by;
    assert_eq!(references, ["second", "third"], "references are kept");
    assert_eq!(engine.verify().expect("a check"), []);
}

#[test]
fn a_consolidated_episode_says_what_is_common_what_varies_and_how_it_went() {
    let world = World::new();
    released(&world, "first", 1);
    let mut longer = release(2);
    longer.push(success("git push"));
    work(
        &world,
        "second",
        "release version 2",
        &longer,
        Outcome::Success,
    );
    released(&world, "third", 1);
    world.pass(31 * DAY);
    let request = ConsolidationRequest {
        episode_similarity: Some(0.9),
        ..request()
    };
    let engine = world.engine();
    go_on(&engine, request).expect("a consolidation");
    let record = Episodes::retrieve(&engine, "first")
        .expect("an episode")
        .consolidated;
    let record = record.expect("it stands for others");
    assert_eq!(record.representative, "first");
    assert_eq!(record.instances, 3);
    assert_eq!(
        record.common_structure,
        [
            "git tag v<num>",
            "cargo build --release",
            "scp <path> host:<path>"
        ]
    );
    let varies = |id: &str| {
        let variation = record.variations.iter().find(|one| one.episode == id);
        variation.expect("a variation").difference.clone()
    };
    assert_eq!(
        varies("second"),
        "task: release version 2\nbesides: git push"
    );
    assert_eq!(varies("third"), "none");
    // 3, 4 and 3 seconds.
    assert!((record.average_duration - 10_000.0 / 3.0).abs() < 1e-6);
    assert_eq!(record.success_rate, 1.0);
    assert_eq!(record.common_patterns, Vec::<String>::new());
}

#[test]
fn lessons_that_several_of_them_were_shown_are_common() {
    let world = World::new();
    let steps = |version: u32| {
        let mut steps = vec![failure("git tag 1.0", "fatal: tag 1.0 has no leading v")];
        steps.extend(release(version));
        steps
    };
    for (id, version) in [("first", 1), ("second", 2), ("third", 3)] {
        let task = format!("release version {version}");
        work(&world, id, &task, &steps(version), Outcome::Success);
    }
    world.pass(31 * DAY);
    consolidate(&world);
    let engine = world.engine();
    let shown = |id: &str| Episodes::get(&engine, id).expect("an episode").lessons;
    let third = shown("third");
    let mut both: Vec<_> = shown("second")
        .into_iter()
        .filter(|one| third.contains(one))
        .collect();
    both.sort();
    assert!(!both.is_empty(), "the lesson of the first came back");
    let record = Episodes::retrieve(&engine, "first")
        .expect("an episode")
        .consolidated;
    assert_eq!(record.expect("a record").common_patterns, both);
}

#[test]
fn only_what_is_mature_of_one_kind_and_near_in_time_becomes_one() {
    let world = World::new();
    released(&world, "first", 1);
    work(
        &world,
        "failed",
        "release version 1",
        &release(1),
        Outcome::Failure,
    );
    let other = [success("ls"), success("cat notes.txt")];
    work(
        &world,
        "other",
        "release version 1",
        &other,
        Outcome::Success,
    );
    world.pass(8 * DAY);
    released(&world, "later", 2);
    world.pass(31 * DAY);
    released(&world, "young", 3);
    let changes = consolidate(&world);
    assert_eq!(in_stage(&changes, Stage::Episodes), Vec::<String>::new());
}

#[test]
fn who_matures_later_joins_the_one_that_stands_for_its_like() {
    let world = some_releases();
    world.pass(29 * DAY);
    assert!(
        in_stage(&consolidate(&world), Stage::Episodes)
            .contains(&"first stands for 2 episodes".to_owned())
    );
    world.pass(DAY);
    let told = in_stage(&consolidate(&world), Stage::Episodes);
    assert!(
        told.contains(&"first stands for 3 episodes".to_owned()),
        "{told:?}"
    );
    assert!(
        told.contains(&"third consolidated into first".to_owned()),
        "{told:?}"
    );
}

#[test]
fn with_an_embedder_episodes_are_alike_by_meaning_and_share_a_vector() {
    let world = World::new();
    world.embeds.set(true);
    // The same letters in other words: alike in meaning for the embedder of these tests.
    work(
        &world,
        "first",
        "north silent",
        &release(1),
        Outcome::Success,
    );
    work(
        &world,
        "second",
        "thorn listen",
        &release(2),
        Outcome::Success,
    );
    world.pass(31 * DAY);
    let told = in_stage(&consolidate(&world), Stage::Episodes);
    assert!(
        told.contains(&"second consolidated into first".to_owned()),
        "{told:?}"
    );
    let query = EpisodeQuery {
        text: "listen thorn".to_owned(),
        ..EpisodeQuery::default()
    };
    let hits = Episodes::search(&world.engine(), &query).expect("a search");
    assert_eq!(hits.len(), 1, "{hits:?}");
    assert_eq!(hits[0].episode.id, "first");
    assert!(hits[0].by_meaning);
}
