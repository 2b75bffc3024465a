//! Consolidation: like episodes become one, patterns are found, and all of it goes on, stays and goes back.

mod support;

use std::{cell::Cell, collections::BTreeMap};

use proptest::prelude::*;
use support::{START, World, ending, failure, success};
use twiceshy_engine::{Engine, Ports};
use twiceshy_wit::{
    host::{self, Change, Condition, Found, Key, Order, Query, Store, Stored},
    memory::*,
};

const DAY: u64 = 24 * 60 * 60 * 1_000;

/// Every kind of document but those that tell of consolidations themselves.
const KINDS: [&str; 24] = [
    "run",
    "step",
    "event",
    "fingerprint",
    "episode",
    "account",
    "lifecycle",
    "consolidated",
    "embedding",
    "lesson",
    "evidence",
    "activation",
    "link",
    "reward",
    "task",
    "pattern",
    "pattern-body",
    "pattern-version",
    "application",
    "skill",
    "skill-version",
    "decision",
    "failure",
    "wording",
];

/// Every document of a memory by its name.
fn documents(world: &World) -> BTreeMap<(String, String), String> {
    let mut all = BTreeMap::new();
    for kind in KINDS {
        let query = Query {
            kind: kind.to_owned(),
            conditions: Vec::new(),
            order: Order::ById,
            offset: 0,
            limit: 10_000,
        };
        for found in world.store.find(&query).expect("documents") {
            let Key { kind, id } = found.document.key;
            all.insert((kind, id), found.document.body);
        }
    }
    all
}

/// A run of the kind `release`, some time after another, step by step.
fn work(world: &World, id: &str, task: &str, steps: &[Observed], outcome: Outcome) -> Episode {
    let engine = world.engine();
    let run = NewRun {
        id: Some(id.to_owned()),
        task: task.to_owned(),
        domain: "cli".to_owned(),
        hold_out: Some(0.0),
        task_type: Some("release".to_owned()),
        ..NewRun::default()
    };
    engine.start(&run).expect("a run");
    for step in steps {
        world.pass(1_000);
        engine.observe(id, step).expect("a step");
    }
    let ending = Ending {
        outcome: Some(outcome),
        ..ending()
    };
    engine.finish(id, &ending).expect("an end")
}

/// Tagging, building and pushing: the same in any version.
fn release(version: u32) -> Vec<Observed> {
    vec![
        success(&format!("git tag v{version}.0")),
        success("cargo build --release"),
        success(&format!("scp out/app-{version}.tar.gz host:/srv")),
    ]
}

fn released(world: &World, id: &str, version: u32) -> Episode {
    let task = format!("release version {version}");
    work(world, id, &task, &release(version), Outcome::Success)
}

fn request() -> ConsolidationRequest {
    ConsolidationRequest::default()
}

/// Goes on until it is over; gives what was changed and the last answer.
fn go_on(
    engine: &Engine,
    mut request: ConsolidationRequest,
) -> Result<(Vec<ConsolidationChange>, Consolidation), Error> {
    let mut changes = Vec::new();
    loop {
        let piece = engine.consolidate(&request)?;
        changes.extend(piece.changes.clone());
        match &piece.next {
            Some(next) => request.after = Some(next.clone()),
            None => return Ok((changes, piece)),
        }
    }
}

fn consolidate(world: &World) -> Vec<ConsolidationChange> {
    go_on(&world.engine(), request())
        .expect("a consolidation")
        .0
}

fn undo(world: &World, id: &str) -> Vec<ConsolidationChange> {
    let engine = world.engine();
    let mut after = String::new();
    let mut changes = Vec::new();
    loop {
        let piece = engine.undo_consolidation(id, &after).expect("a piece");
        changes.extend(piece.changes.clone());
        match piece.next {
            Some(next) => after = next,
            None => {
                assert!(piece.undone);
                return changes;
            }
        }
    }
}

fn words(changes: &[ConsolidationChange]) -> Vec<String> {
    let word = |change: &ConsolidationChange| format!("{} {}", change.memory, change.change);
    let mut words: Vec<_> = changes.iter().map(word).collect();
    words.sort();
    words
}

fn in_stage(changes: &[ConsolidationChange], stage: Stage) -> Vec<String> {
    let in_stage = changes.iter().filter(|change| change.stage == stage);
    words(&in_stage.cloned().collect::<Vec<_>>())
}

/// Three releases that are alike, and one episode of each way to differ from them.
fn some_releases() -> World {
    let world = World::new();
    released(&world, "first", 1);
    world.pass(DAY);
    released(&world, "second", 2);
    world.pass(DAY);
    released(&world, "third", 3);
    world
}

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

#[test]
fn what_several_episodes_did_alike_becomes_a_candidate() {
    let world = some_releases();
    let (changes, _) = go_on(
        &world.engine(),
        ConsolidationRequest {
            hours: Some(24 * 7),
            ..request()
        },
    )
    .expect("a consolidation");
    let engine = world.engine();
    let found = Patterns::find(&engine, Some(LessonKind::Sequence), None, 10).expect("patterns");
    assert_eq!(found.len(), 1, "{changes:?}");
    let pattern = &found[0];
    assert_eq!(pattern.lesson.status, LessonStatus::Candidate);
    let Some(PatternContent::Procedure(content)) = &pattern.content else {
        panic!("no procedure: {pattern:?}");
    };
    assert_eq!(
        content.steps,
        [
            "git tag v<num>",
            "cargo build --release",
            "scp <path> host:<path>"
        ]
    );
    assert_eq!(pattern.applicability.problem_types, ["release"]);
    assert_eq!(
        pattern.evidence.supporting_episodes,
        ["first", "second", "third"]
    );
}

#[test]
fn two_episodes_are_a_group_but_not_sure_enough() {
    let world = World::new();
    released(&world, "first", 1);
    released(&world, "second", 2);
    let found = |world: &World| {
        let engine = world.engine();
        Patterns::find(&engine, Some(LessonKind::Sequence), None, 10).expect("patterns")
    };
    consolidate(&world);
    assert_eq!(found(&world).len(), 0, "(2 + 1) / (2 + 2) is 0.75");
    let request = ConsolidationRequest {
        hours: Some(24),
        confidence: Some(0.75),
        ..request()
    };
    go_on(&world.engine(), request).expect("a consolidation");
    assert_eq!(found(&world).len(), 1);
}

#[test]
fn a_known_pattern_gets_only_the_episodes_that_are_new() {
    let world = World::new();
    for (id, version) in [("first", 1), ("second", 2), ("third", 3)] {
        released(&world, id, version);
    }
    consolidate(&world);
    let pattern = |world: &World| {
        let engine = world.engine();
        let found = Patterns::find(&engine, Some(LessonKind::Sequence), None, 10);
        let mut found = found.expect("patterns");
        assert_eq!(found.len(), 1);
        found.remove(0)
    };
    let before = pattern(&world);
    world.pass(1_000);
    released(&world, "fourth", 4);
    work(
        &world,
        "fifth",
        "release version 5",
        &release(5),
        Outcome::Failure,
    );
    consolidate(&world);
    let after = pattern(&world);
    assert_eq!(after.lesson.id, before.lesson.id);
    assert_eq!(after.evidence.supporting_episodes.len(), 4);
    assert_eq!(after.evidence.counter_episodes, ["fifth"]);
    assert_eq!(after.usage_count, before.usage_count + 2);
    assert_ne!(after.evidence.confidence, before.evidence.confidence);
    let counted = documents(&world);
    world.pass(1_000);
    assert_eq!(consolidate(&world), [], "again changes nothing");
    assert_eq!(documents(&world), counted);
}

#[test]
fn each_error_that_an_episode_tells_of_becomes_an_anti_pattern() {
    let world = World::new();
    let engine = world.engine();
    let run = NewRun {
        id: Some("told".to_owned()),
        domain: "cli".to_owned(),
        task: "build it".to_owned(),
        ..NewRun::default()
    };
    engine.start(&run).expect("a run");
    let description = Description {
        account: Some(Account {
            errors_encountered: vec![EncounteredError {
                kind: "TypeScript compilation".to_owned(),
                message: "Type 'null' is not assignable to type 'string'".to_owned(),
                resolution: "make the return type `string | null`".to_owned(),
            }],
            ..Account::default()
        }),
        ..Description::default()
    };
    engine
        .describe("told", &description)
        .expect("a description");
    engine.observe("told", &success("tsc")).expect("a step");
    engine.finish("told", &ending()).expect("an end");
    consolidate(&world);
    let found = Patterns::find(&engine, Some(LessonKind::AntiPattern), None, 10).expect("patterns");
    assert_eq!(found.len(), 1, "{found:?}");
    let pattern = &found[0];
    assert_eq!(pattern.incorrect_approach, "TypeScript compilation");
    assert_eq!(
        pattern.explanation,
        "Type 'null' is not assignable to type 'string'"
    );
    assert_eq!(
        pattern.correct_approach,
        "make the return type `string | null`"
    );
    assert_eq!(pattern.lesson.origins[0].run, "told");
    let before = documents(&world);
    world.pass(1_000);
    assert_eq!(consolidate(&world), []);
    assert_eq!(documents(&world), before);
}

#[test]
fn a_procedure_that_is_validated_becomes_a_skill() {
    let world = World::new();
    for version in 1..=8 {
        released(&world, &format!("run{version}"), version);
    }
    let changes = consolidate(&world);
    let promoted = in_stage(&changes, Stage::Validation);
    assert!(
        promoted
            .iter()
            .any(|told| told.ends_with("candidate → promoted")),
        "{promoted:?}"
    );
    world.pass(DAY);
    consolidate(&world);
    let skills = world.engine().all().expect("skills");
    assert_eq!(skills.len(), 1);
    assert_eq!(skills[0].steps.len(), 3, "{:?}", skills[0]);
    world.pass(DAY);
    let before = documents(&world);
    assert_eq!(consolidate(&world), []);
    assert_eq!(documents(&world), before);
}

/// A pattern that somebody adds.
fn add(world: &World, name: &str, summary: &str) -> String {
    let new = NewPattern {
        id: None,
        name: name.to_owned(),
        kind: LessonKind::Strategy,
        summary: summary.to_owned(),
        explanation: None,
        correct_approach: None,
        incorrect_approach: None,
        applicability: None,
        content: None,
        guidance: None,
        scope: None,
        domain: None,
        tags: Vec::new(),
        trigger_fingerprints: Vec::new(),
        source_episodes: Vec::new(),
        confidence: None,
        source: None,
    };
    let added = Patterns::add(&world.engine(), &new).expect("a pattern");
    added.lesson.id
}

/// Runs of one agent, in each of which a pattern is applied.
fn apply(world: &World, pattern: &str, agent: &str, runs: u32, outcome: Outcome) {
    let engine = world.engine();
    for number in 0..runs {
        let id = format!("{agent}-{number}-{}", world.clock.get());
        let run = NewRun {
            id: Some(id.clone()),
            task: format!("tidy room {number} of {agent}"),
            domain: "cli".to_owned(),
            agent: Some(agent.to_owned()),
            hold_out: Some(0.0),
            ..NewRun::default()
        };
        engine.start(&run).expect("a run");
        world.pass(1_000);
        engine
            .observe(&id, &success(&format!("sweep {number}")))
            .expect("a step");
        let ending = Ending {
            outcome: Some(outcome),
            ..ending()
        };
        engine.finish(&id, &ending).expect("an end");
        engine
            .record_application(pattern, &id, outcome)
            .expect("an application");
    }
}

#[test]
fn a_declining_pattern_is_kept_away_from_where_it_fails() {
    let world = World::new();
    let id = add(&world, "Sweep first", "sweep the room before anything else");
    apply(&world, &id, "ana", 6, Outcome::Success);
    assert!(words(&consolidate(&world)).contains(&format!("{id} candidate → promoted")));
    world.pass(DAY);
    apply(&world, &id, "robot", 9, Outcome::Failure);
    let told = consolidate(&world);
    assert!(
        words(&told).contains(&format!("{id} promoted → under-review")),
        "{told:?}"
    );
    let narrowed = in_stage(&told, Stage::Refinement);
    assert!(
        narrowed.contains(&format!("{id} version 1 → 2")),
        "{narrowed:?}"
    );
    let pattern = Patterns::get(&world.engine(), &id).expect("the pattern");
    assert_eq!(pattern.lesson.status, LessonStatus::Promoted);
    let kept_away = &pattern.applicability.anti_conditions;
    assert_eq!(kept_away.len(), 1, "{kept_away:?}");
    assert_eq!(
        (&*kept_away[0].feature, &*kept_away[0].value),
        ("agent", "robot")
    );
    assert_eq!(pattern.evidence.applications, 0, "its evidence begins anew");
}

#[test]
fn like_patterns_become_one_and_the_surest_stays() {
    let world = World::new();
    let sure = add(
        &world,
        "Sweep first",
        "sweep the room before anything else is done in it",
    );
    let other = add(
        &world,
        "Sweep first",
        "sweep the rooms before anything else is done in it",
    );
    assert_ne!(sure, other);
    apply(&world, &sure, "ana", 6, Outcome::Success);
    apply(&world, &other, "ben", 2, Outcome::Success);
    let used = |id: &str| {
        Patterns::get(&world.engine(), id)
            .expect("a pattern")
            .usage_count
    };
    let usage = used(&sure) + used(&other);
    let told = consolidate(&world);
    let told = in_stage(&told, Stage::Refinement);
    assert!(
        told.contains(&format!("{other} superseded-by {sure}")),
        "{told:?}"
    );
    let merged = Patterns::get(&world.engine(), &sure).expect("the pattern");
    assert_eq!(merged.evidence.applications, 8, "sources are joined");
    assert_eq!(merged.usage_count, usage, "usage is added");
    let gone = Patterns::get(&world.engine(), &other).expect("it stays on record");
    assert_eq!(gone.lesson.status, LessonStatus::Deprecated);
    assert_eq!(gone.superseded_by, Some(sure));
}

#[test]
fn a_pattern_that_nobody_ever_used_is_taken_out_of_use() {
    let world = World::new();
    let id = add(&world, "Sweep first", "sweep the room before anything else");
    world.pass(181 * DAY);
    let told = in_stage(&consolidate(&world), Stage::Refinement);
    assert_eq!(told, [format!("{id} candidate → archived")]);
}

#[test]
fn a_pattern_is_tested_when_it_was_applied_and_once_a_week() {
    let world = World::new();
    let id = add(&world, "Sweep first", "sweep the room before anything else");
    apply(&world, &id, "ana", 6, Outcome::Success);
    let tested = |world: &World| {
        consolidate(world);
        let pattern = Patterns::get(&world.engine(), &id).expect("the pattern");
        pattern.evidence.last_validated
    };
    let first = world.clock.get();
    assert_eq!(tested(&world), Some(first));
    world.pass(DAY);
    assert_eq!(tested(&world), Some(first), "nothing is new");
    apply(&world, &id, "ben", 1, Outcome::Success);
    let second = world.clock.get();
    assert_eq!(tested(&world), Some(second), "it was applied again");
    world.pass(7 * DAY);
    assert_eq!(tested(&world), Some(second + 7 * DAY), "a week is over");
}

/// A memory in which every stage has something to do.
fn full_world(salt: u32) -> World {
    let world = World::new();
    for version in 1..=3 {
        released(&world, &format!("old{version}"), version + salt);
        world.pass(DAY / 2);
    }
    world.pass(200 * DAY);
    for version in 1..=3 {
        let mut steps = vec![failure("git tag 1.0", "fatal: tag 1.0 has no leading v")];
        steps.extend(release(version));
        work(
            &world,
            &format!("ripe{version}"),
            &format!("release version {version}"),
            &steps,
            Outcome::Success,
        );
    }
    world.pass(40 * DAY);
    for version in 1..=7 {
        released(&world, &format!("new{version}"), version + salt);
    }
    world
}

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
            .all(|change| change.change.starts_with("taken back"))
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

#[test]
fn the_report_is_kept_and_says_what_was_done_and_what_there_is() {
    let world = full_world(0);
    let (changes, last) = go_on(&world.engine(), request()).expect("a consolidation");
    let listed = world.engine().consolidations(10).expect("a list");
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].id, last.id);
    assert_eq!(listed[0].changes, changes);
    let report = listed[0].report.clone().expect("a report");
    let of = |tallies: &[Tally], name: &str| {
        let tally = tallies.iter().find(|tally| tally.name == name);
        tally.map_or(0, |tally| tally.count)
    };
    let in_episodes = changes
        .iter()
        .filter(|change| change.stage == Stage::Episodes);
    assert_eq!(of(&report.stages, "episodes") as usize, in_episodes.count());
    assert_eq!(of(&report.storage, "episode"), 13);
    assert!(of(&report.patterns, "candidate") + of(&report.patterns, "promoted") > 0);
}

#[test]
fn one_at_a_time_and_who_was_interrupted_is_gone_on_with() {
    let world = full_world(0);
    let engine = world.engine();
    let first = engine.consolidate(&request()).expect("a piece");
    let Err(Error::Busy(message)) = engine.consolidate(&request()) else {
        panic!("a second one begins");
    };
    assert!(message.contains(&first.id), "{message}");
    world.pass(61_000);
    let second = engine.consolidate(&request()).expect("a piece");
    assert_eq!(second.id, first.id, "nobody went on with it for a minute");
    let open = engine.consolidations(1).expect("a list");
    assert_eq!(open[0].next, Some(first.id.clone()));
    let after = ConsolidationRequest {
        after: Some(first.id),
        ..request()
    };
    go_on(&engine, after).expect("whoever holds it goes on at once");
    let unknown = ConsolidationRequest {
        after: Some("con_0".to_owned()),
        ..request()
    };
    assert!(matches!(
        engine.consolidate(&unknown),
        Err(Error::NotFound(_))
    ));
}

#[test]
fn only_the_stages_that_are_asked_for_are_done() {
    let world = full_world(0);
    let request = ConsolidationRequest {
        stages: vec![Stage::Report, Stage::Episodes],
        ..request()
    };
    let (changes, last) = go_on(&world.engine(), request).expect("a consolidation");
    assert!(changes.iter().all(|change| change.stage == Stage::Episodes));
    assert!(last.report.is_some());
}

#[test]
fn a_setting_that_makes_no_sense_is_refused_by_name() {
    let world = World::new();
    let refused = |request: ConsolidationRequest, member: &str| {
        let Err(Error::InvalidArgument(message)) = world.engine().consolidate(&request) else {
            panic!("{member} is taken");
        };
        assert!(message.contains(member), "{message}");
    };
    let odd = |request: ConsolidationRequest| request;
    refused(
        odd(ConsolidationRequest {
            confidence: Some(1.5),
            ..request()
        }),
        "confidence",
    );
    refused(
        odd(ConsolidationRequest {
            window_days: Some(0),
            ..request()
        }),
        "window-days",
    );
    refused(
        odd(ConsolidationRequest {
            episode_similarity: Some(f64::NAN),
            ..request()
        }),
        "episode-similarity",
    );
    assert!(documents(&world).is_empty());
}

/// A store whose process dies: after some commits, nothing goes through any more.
struct Dying<'w> {
    store: &'w dyn Store,
    commits_left: Cell<u32>,
    optimized: Cell<u32>,
}

impl<'w> Dying<'w> {
    fn after(commits: u32, world: &'w World) -> Self {
        Self {
            store: &world.store,
            commits_left: Cell::new(commits),
            optimized: Cell::new(0),
        }
    }
}

impl Store for Dying<'_> {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, host::Error> {
        self.store.get_many(keys)
    }
    fn commit(&self, batch: &[Change]) -> Result<(), host::Error> {
        if self.commits_left.get() == 0 {
            return Err(host::Error::Other("the process is gone".to_owned()));
        }
        self.commits_left.set(self.commits_left.get() - 1);
        self.store.commit(batch)
    }
    fn commit_lightly(&self, batch: &[Change]) -> Result<(), host::Error> {
        self.commit(batch)
    }
    fn find(&self, query: &Query) -> Result<Vec<Found>, host::Error> {
        self.store.find(query)
    }
    fn count(&self, kind: &str, conditions: &[Condition]) -> Result<u32, host::Error> {
        self.store.count(kind, conditions)
    }
    fn optimize(&self) -> Result<(), host::Error> {
        self.optimized.set(self.optimized.get() + 1);
        self.store.optimize()
    }
}

/// An engine whose process dies after so many commits.
fn dying<'w>(world: &'w World, store: &'w Dying<'w>) -> Engine<'w> {
    Engine::new(Ports {
        store,
        archive: world,
        embedder: world,
        model: world,
        clock: world,
        log: world,
    })
}

#[test]
fn a_process_that_dies_anywhere_is_gone_on_with_and_nothing_is_lost() {
    let whole = full_world(0);
    let (changes, _) = go_on(&whole.engine(), request()).expect("a consolidation");
    let expected = documents(&whole);
    let mut died = 0;
    for commits in 0.. {
        let world = full_world(0);
        let store = Dying::after(commits, &world);
        if go_on(&dying(&world, &store), request()).is_ok() {
            break;
        }
        died += 1;
        // Whoever holds the memory alone goes on at once.
        let open = world.engine().consolidations(1).expect("a list");
        let after = open.first().and_then(|open| open.next.clone());
        let again = ConsolidationRequest { after, ..request() };
        let (_, last) = go_on(&world.engine(), again).expect("it goes on");
        assert_eq!(documents(&world), expected, "after {commits} commits");
        let told = world.engine().consolidations(1).expect("a list");
        assert_eq!(
            words(&told[0].changes),
            words(&changes),
            "after {commits} commits"
        );
        let before = documents(&full_world(0));
        undo(&world, &last.id);
        assert_eq!(documents(&world), before, "undone after {commits} commits");
    }
    assert!(died > 5, "{died}");
}

#[test]
fn the_indices_are_brought_up_to_date_but_not_by_a_dry_run() {
    let world = full_world(0);
    let store = Dying::after(u32::MAX, &world);
    let dry_run = ConsolidationRequest {
        dry_run: Some(true),
        ..request()
    };
    go_on(&dying(&world, &store), dry_run).expect("a dry run");
    assert_eq!(store.optimized.get(), 0);
    go_on(&dying(&world, &store), request()).expect("a consolidation");
    assert_eq!(store.optimized.get(), 1);
}

#[test]
fn undoing_that_is_interrupted_goes_on() {
    let before = documents(&full_world(0));
    for commits in 0..40 {
        let world = full_world(0);
        let (_, last) = go_on(&world.engine(), request()).expect("a consolidation");
        let store = Dying::after(commits, &world);
        let _ = dying(&world, &store).undo_consolidation(&last.id, "");
        undo(&world, &last.id);
        assert_eq!(documents(&world), before, "after {commits} commits");
    }
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

/// The clock of these tests begins here.
#[test]
fn nothing_to_do_is_no_trouble() {
    let world = World::new();
    assert_eq!(world.clock.get(), START);
    assert_eq!(consolidate(&world), []);
    assert_eq!(world.engine().consolidations(5).expect("a list").len(), 1);
}
