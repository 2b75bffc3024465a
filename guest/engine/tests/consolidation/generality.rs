//! One lesson with a hole for those that differ in names alone.

use super::*;

/// A run in which a branch is not there, and is made.
fn branch(world: &World, id: &str, name: &str) -> Vec<Hint> {
    world.pass(DAY);
    let engine = world.engine();
    let run = NewRun {
        id: Some(id.to_owned()),
        domain: "cli".to_owned(),
        hold_out: Some(0.0),
        ..NewRun::default()
    };
    engine.start(&run).expect("a run");
    let error = format!("error: pathspec '{name}' did not match any file(s) known to git");
    let failed = failure(&format!("git checkout {name}"), &error);
    let reaction = engine.observe(id, &failed).expect("a step");
    let worked = success(&format!("git checkout -b {name}"));
    engine.observe(id, &worked).expect("a step");
    engine.finish(id, &ending()).expect("an end");
    reaction.hints
}

fn lessons(world: &World, status: Option<LessonStatus>) -> Vec<Lesson> {
    let filter = LessonFilter {
        status,
        ..LessonFilter::default()
    };
    let mut lessons = Lessons::find(&world.engine(), &filter).expect("lessons");
    lessons.sort_by(|left, right| left.rule_text.cmp(&right.rule_text));
    lessons
}

/// The lessons that are shown.
fn living(world: &World) -> Vec<Lesson> {
    let mut all = lessons(world, None);
    all.retain(|one| matches!(one.status, LessonStatus::Candidate | LessonStatus::Promoted));
    all
}

fn rules(lessons: &[Lesson]) -> Vec<&str> {
    lessons.iter().map(|one| one.rule_text.as_str()).collect()
}

const GENERAL: &str = "WRONG: git checkout <name> → CORRECT: git checkout -b <name>";

#[test]
fn lessons_that_differ_in_names_become_one_with_their_evidence_added() {
    let world = World::new();
    for (id, name) in [("one", "topic"), ("two", "draft"), ("three", "topic")] {
        branch(&world, id, name);
    }
    let before = lessons(&world, None);
    assert_eq!(
        rules(&before),
        [
            "WRONG: git checkout draft → CORRECT: git checkout -b draft",
            "WRONG: git checkout topic → CORRECT: git checkout -b topic",
        ]
    );
    let shown = before.iter().map(|one| one.usefulness.activations);
    let (shown, helped) = (
        shown.sum::<u32>(),
        before.iter().map(|one| one.usefulness.helped).sum::<u32>(),
    );
    assert!(shown >= 2 && helped >= 1, "{before:#?}");
    consolidate(&world);
    let living = living(&world);
    assert_eq!(rules(&living), [GENERAL]);
    let general = &living[0];
    let usefulness = &general.usefulness;
    assert_eq!(
        (usefulness.activations, usefulness.helped),
        (shown, helped),
        "{general:#?}"
    );
    let runs: Vec<_> = general.origins.iter().map(|origin| &origin.run).collect();
    for run in ["one", "two", "three"] {
        assert!(runs.iter().any(|known| *known == run), "{runs:?}");
    }
    let superseded = lessons(&world, Some(LessonStatus::Deprecated));
    assert_eq!(rules(&superseded), rules(&before), "nothing is lost");
    for lesson in superseded {
        let links = world.engine().of_memory(&lesson.id).expect("links");
        let is_successor =
            |link: &Link| link.relation == Relation::SupersededBy && link.target == general.id;
        assert!(links.iter().any(is_successor), "{links:#?}");
        assert!(lesson.status_reason.contains(&general.id));
    }
}

#[test]
fn a_general_lesson_fills_its_hole_from_the_failure_and_goes_on_being_measured() {
    let world = World::new();
    branch(&world, "one", "topic");
    branch(&world, "two", "draft");
    consolidate(&world);
    let helped = living(&world)[0].usefulness.helped;
    let hints = branch(&world, "three", "parser");
    assert_eq!(hints.len(), 1, "{hints:#?}");
    assert_eq!(
        hints[0].text,
        "WRONG: git checkout parser → CORRECT: git checkout -b parser"
    );
    assert_eq!(hints[0].lesson.rule_text, GENERAL);
    let id = &hints[0].lesson.id;
    let general = Lessons::get(&world.engine(), id).expect("a lesson");
    assert_eq!(general.usefulness.helped, helped + 1, "{general:#?}");
    // The third example is found in its run as well, and joins the others.
    consolidate(&world);
    let living = lessons(&world, None);
    let living = living
        .iter()
        .filter(|one| matches!(one.status, LessonStatus::Candidate | LessonStatus::Promoted));
    let living: Vec<_> = living.collect();
    assert_eq!(living.len(), 1, "{living:#?}");
    assert_eq!(&living[0].id, id, "the same lesson");
    assert_eq!(living[0].usefulness.helped, helped + 1);
}

#[test]
fn joining_lessons_is_undone_with_the_consolidation() {
    let world = World::new();
    branch(&world, "one", "topic");
    branch(&world, "two", "draft");
    let before = documents(&world);
    let (changes, last) = go_on(&world.engine(), request()).expect("a consolidation");
    let told = in_stage(&changes, Stage::Refinement);
    assert!(
        told.iter().any(|change| change.contains(GENERAL)),
        "{told:#?}"
    );
    undo(&world, &last.id);
    assert_eq!(documents(&world), before);
    assert_eq!(world.engine().verify().expect("a check"), []);
}

#[test]
fn lessons_of_one_run_alone_are_not_joined_nor_those_that_differ_in_their_fix() {
    let world = World::new();
    let error = |name: &str| format!("error: pathspec '{name}' did not match any file(s) known");
    let steps = [
        failure("git checkout topic", &error("topic")),
        success("git checkout -b topic"),
        failure("git checkout draft", &error("draft")),
        success("git checkout -b draft"),
    ];
    work(&world, "both", "two branches", &steps, Outcome::Success);
    world.pass(DAY);
    let slip = [
        failure("git checkout mian", &error("mian")),
        success("git checkout main"),
    ];
    work(&world, "slip", "go back", &slip, Outcome::Success);
    let before = rules(&lessons(&world, None)).join("\n");
    consolidate(&world);
    assert_eq!(rules(&lessons(&world, None)).join("\n"), before);
}
