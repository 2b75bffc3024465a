//! What a consolidation looks at beyond a thousand, and what it says of the rest.

use super::*;

/// More patterns of a kind than any list has, and the last of them by its id.
fn a_thousand_and(world: &World, kind: LessonKind, last: NewPattern) -> String {
    let engine = world.engine();
    for number in 0..1_050 {
        let new = NewPattern {
            id: Some(format!("a-{number}")),
            ..crate::support::pattern(kind, &format!("w{number} x{number} y{number}"))
        };
        Patterns::add(&engine, &new).expect("a pattern");
    }
    let last = NewPattern {
        id: Some("z-last".to_owned()),
        ..last
    };
    Patterns::add(&engine, &last).expect("a pattern").lesson.id
}

fn only(stage: Stage) -> ConsolidationRequest {
    ConsolidationRequest {
        stages: vec![stage],
        ..request()
    }
}

#[test]
fn a_declining_pattern_is_narrowed_behind_a_thousand_others() {
    let world = World::new();
    let engine = world.engine();
    let last = crate::support::pattern(LessonKind::Strategy, "sweep the room first");
    let last = a_thousand_and(&world, LessonKind::Strategy, last);
    for (agent, outcome) in [("ana", Outcome::Success), ("robot", Outcome::Failure)] {
        patterns::apply(&world, &last, agent, 3, outcome);
    }
    for status in [LessonStatus::Promoted, LessonStatus::UnderReview] {
        let ids = (0..1_050).map(|number| format!("a-{number}"));
        for id in ids.chain([last.clone()]) {
            engine
                .set_status(&id, status, "for the test")
                .expect("its status");
        }
    }
    go_on(&engine, only(Stage::Refinement)).expect("a consolidation");
    let narrowed = Patterns::get(&engine, &last).expect("the pattern");
    let kept_away = &narrowed.applicability.anti_conditions;
    assert_eq!(kept_away.len(), 1, "{kept_away:?}");
    assert_eq!(kept_away[0].value, "robot");
}

#[test]
fn a_promoted_procedure_becomes_a_skill_behind_a_thousand_others() {
    let world = World::new();
    let engine = world.engine();
    let procedure = ProcedureContent {
        steps: vec!["sweep".to_owned(), "mop".to_owned()],
        branching_logic: Vec::new(),
        termination_conditions: Vec::new(),
    };
    let last = NewPattern {
        content: Some(PatternContent::Procedure(procedure)),
        ..crate::support::pattern(LessonKind::Sequence, "sweep, then mop")
    };
    let last = a_thousand_and(&world, LessonKind::Sequence, last);
    let ids = (0..1_050).map(|number| format!("a-{number}"));
    for id in ids.chain([last]) {
        let promoted = engine.set_status(&id, LessonStatus::Promoted, "for the test");
        promoted.expect("promoted");
    }
    go_on(&engine, only(Stage::Extraction)).expect("a consolidation");
    let skills = Skills::all(&engine).expect("skills");
    assert_eq!(skills.len(), 1);
    assert_eq!(skills[0].steps, ["sweep", "mop"]);
}

#[test]
fn episodes_that_are_too_many_to_be_compared_are_reported() {
    let world = World::new();
    let engine = world.engine();
    for number in 0..507 {
        let new: NewEpisode = serde_json::from_value(serde_json::json!({
            "id": format!("e-{number}"), "task": format!("w{number} x{number}"), "domain": "cli",
            "outcome": "success", "tools-used": [], "strategies-applied": [], "tags": [], "trace": [],
        }))
        .expect("an episode");
        Episodes::add(&engine, &new).expect("added");
    }
    let said = || {
        let log = world.log.borrow();
        log.iter()
            .any(|line| line.contains("7 of 507 recent episodes are not compared"))
    };
    let dry = ConsolidationRequest {
        dry_run: Some(true),
        ..only(Stage::Extraction)
    };
    engine.consolidate(&dry).expect("a dry run");
    assert!(said(), "{:?}", world.log.borrow());
    world.log.borrow_mut().clear();
    let all = ConsolidationRequest {
        stages: vec![Stage::Extraction, Stage::Report],
        ..request()
    };
    let (_, last) = go_on(&engine, all).expect("a consolidation");
    assert!(said(), "{:?}", world.log.borrow());
    let stages = last.report.expect("a report").stages;
    let missed = stages.iter().find(|tally| tally.name == "not compared");
    assert_eq!(missed.map(|tally| tally.count), Some(7), "{stages:?}");
}
