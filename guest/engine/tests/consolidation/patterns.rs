//! Patterns that are found, tested, narrowed and merged.

use super::*;

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

/// An episode of the memory hierarchy's example, for one endpoint.
fn endpoint(world: &World, number: u32, verb: &str, resource: &str) {
    let id = format!("ep-{number}");
    let engine = world.engine();
    let run = NewRun {
        id: Some(id.clone()),
        domain: "web".to_owned(),
        task: format!("Implement {verb} /api/{resource} endpoint"),
        ..NewRun::default()
    };
    engine.start(&run).expect("a run");
    let description = Description {
        account: Some(Account {
            errors_encountered: vec![EncounteredError {
                kind: "TypeScript compilation".to_owned(),
                message: "Missing return type annotation".to_owned(),
                resolution: "Add `: void` to the route handler".to_owned(),
            }],
            ..Account::default()
        }),
        ..Description::default()
    };
    engine.describe(&id, &description).expect("a description");
    engine
        .observe(&id, &success(&format!("edit src/routes/{resource}.ts")))
        .expect("a step");
    engine.finish(&id, &ending()).expect("an end");
    world.pass(1_000);
}

#[test]
fn after_three_episodes_and_a_night_the_fourth_task_is_told_what_helps() {
    let world = World::new();
    endpoint(&world, 1, "POST", "todos");
    endpoint(&world, 2, "GET", "users");
    endpoint(&world, 3, "PUT", "orders");
    consolidate(&world);
    let engine = world.engine();
    let fourth = NewRun {
        domain: "web".to_owned(),
        task: "Implement DELETE /api/carts endpoint".to_owned(),
        ..NewRun::default()
    };
    let open = engine.start(&fourth).expect("a run");
    let request = BriefingRequest {
        limit: None,
        tokens: None,
    };
    let briefing = engine.brief(&open.id, &request).expect("a briefing");
    assert!(briefing.text.contains(": void"), "{}", briefing.text);
    let context = ContextRequest {
        task: fourth.task.clone(),
        domain: "web".to_owned(),
        ..ContextRequest::default()
    };
    let bundle = Recall::context(&engine, &context).expect("a bundle");
    assert!(bundle.text.contains(": void"), "{}", bundle.text);
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
pub(crate) fn add(world: &World, name: &str, summary: &str) -> String {
    let new = NewPattern {
        name: name.to_owned(),
        ..crate::support::pattern(LessonKind::Strategy, summary)
    };
    let added = Patterns::add(&world.engine(), &new).expect("a pattern");
    added.lesson.id
}

/// Runs of one agent, in each of which a pattern is applied.
pub(crate) fn apply(world: &World, pattern: &str, agent: &str, runs: u32, outcome: Outcome) {
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
