//! What a lesson is worth: measured by outcomes, whatever the task is, and not by runs that had no use for it.

use super::*;

/// A step of a rover in the hall, and how much nearer to its goal it came. There is no error text.
fn moved(action: &str, progress: f64) -> Observed {
    let mut step = success(action);
    step.step.before = r#"{"x": 4, "room": "hall"}"#.to_owned();
    step.step.observation = format!(r#"{{"x": {}, "room": "hall"}}"#, 4.0 + progress);
    step.feedback.progress_signal = Some(progress);
    step
}

const DRIVE: &str = "find the kitchen";
const STUCK: &str = "rover drive --fast door";
const FREE: &str = "rover drive --slow door";

fn outcomes(engine: &Engine, run: &str) -> Vec<twiceshy_wit::memory::ActivationOutcome> {
    let filter = ActivationFilter {
        lesson: None,
        run: Some(run.to_owned()),
        limit: None,
    };
    let activations = engine.activations(&filter).unwrap();
    activations
        .into_iter()
        .map(|activation| activation.outcome.unwrap())
        .collect()
}

#[test]
fn what_made_no_progress_teaches_a_candidate_without_any_error_text() {
    let world = World::new();
    let engine = world.engine();
    let steps = [moved(STUCK, 0.0), moved(STUCK, 0.0), moved(FREE, 0.5)];
    let (_, episode) = work(&engine, DRIVE, &steps);
    let learned = lessons(&engine);
    assert_eq!(learned.len(), 1, "{learned:#?}");
    let lesson = &learned[0];
    assert!(
        lesson.rule_text.contains("--fast")
            && lesson.rule_text.contains("CORRECT: rover drive --slow"),
        "{}",
        lesson.rule_text
    );
    assert_eq!(lesson.status, LessonStatus::Candidate);
    assert_eq!(lesson.trigger_fingerprints, episode.fingerprints);
    // The same transition elsewhere brings it back.
    let open = engine.start(&run("find the cellar")).unwrap();
    let reaction = engine.observe(&open.id, &moved(STUCK, 0.0)).unwrap();
    assert_eq!(reaction.hints[0].lesson.id, lesson.id);
    assert!(reaction.failure.unwrap().evidence.is_empty());
}

#[test]
fn progress_that_improves_after_a_showing_is_to_the_credit_of_the_lesson() {
    let world = World::new();
    let engine = world.engine();
    let steps = [moved(STUCK, 0.0), moved(STUCK, -0.5), moved(FREE, 0.5)];
    work(&engine, DRIVE, &steps);
    // It moves on from the beginning.
    let (briefing, better) = work(&engine, DRIVE, &[moved(FREE, 0.5)]);
    assert!(!briefing.hints.is_empty());
    for outcome in outcomes(&engine, &better.id) {
        assert_eq!(outcome.verdict, Verdict::Helped);
        assert!(outcome.error_reduction > 0.0, "{outcome:?}");
    }
    // It is told the same and is stuck as before.
    let (briefing, same) = work(&engine, DRIVE, &steps);
    assert!(!briefing.hints.is_empty());
    for outcome in outcomes(&engine, &same.id) {
        assert_ne!(outcome.verdict, Verdict::Helped, "{outcome:?}");
    }
}

#[test]
fn a_warning_is_not_blamed_for_what_else_fails() {
    let world = World::new();
    let engine = world.engine();
    let task = "copy the tape";
    let erring = [
        failure("deck overwrite tape", "deck: the tape is gone"),
        success("ls"),
    ];
    for _ in 0..2 {
        work(&engine, task, &erring);
        world.pass(1_000);
    }
    assert!(lessons(&engine)[0].rule_text.starts_with("AVOID: "));
    let elsewhere = [
        failure("deck turn knob", "deck: the knob is stuck"),
        failure("deck open lid", "deck: the lid is shut"),
        success("deck copy tape"),
    ];
    let (briefing, episode) = work(&engine, task, &elsewhere);
    assert_eq!(briefing.hints.len(), 1);
    let outcome = outcomes(&engine, &episode.id).remove(0);
    assert_eq!((outcome.verdict, outcome.errors), (Verdict::Helped, 0));
}

/// Three runs of a task: two that err, and one that is told and follows.
fn told_and_followed(task: &str, wrong: &str, refused: &str, right: &str) -> Lesson {
    let world = World::new();
    let engine = world.engine();
    let erring = [
        failure(wrong, refused),
        failure(wrong, refused),
        success(right),
    ];
    engine.submit(&run(task), &erring, &ending()).unwrap();
    world.pass(1_000);
    engine.submit(&run(task), &erring, &ending()).unwrap();
    world.pass(1_000);
    work(&engine, task, &[success(right)]);
    lessons(&engine).remove(0)
}

#[test]
fn utility_comes_from_outcomes_whatever_the_task_and_the_tool_are() {
    let table = told_and_followed(TASK, WRONG, REFUSED, RIGHT);
    let pump = told_and_followed(
        "empty the third tank before noon",
        "fluxtool drain --tank 3",
        "fluxtool: cannot read flag --tank",
        "fluxtool drain tank:3",
    );
    assert!(table.usefulness.utility.unwrap() > 0.5);
    assert_eq!(table.usefulness, pump.usefulness);
    assert_eq!(table.reliability, pump.reliability);
    assert_ne!(table.rule_text, pump.rule_text);
}

#[test]
fn a_memory_that_is_fed_bad_lessons_again_and_again_does_not_fill_with_them() {
    let world = World::new();
    let engine = world.engine();
    erring_without_memory(&engine);
    let good = lessons(&engine).remove(0).id;
    let mut bad = Vec::new();
    let mut failures = Vec::new();
    for day in 0..30 {
        world.pass(crate::support::DAY);
        let claim = format!(
            "{WRONG} → CORRECT: gridtool tally-{} 5",
            "x".repeat(day + 1)
        );
        let claim = engine.propose(&proposal(&format!("WRONG: {claim}"), REFUSED));
        bad.push(claim.unwrap().id);
        // Three runs a day believe what they are told, and go their own way when it fails.
        for _ in 0..3 {
            world.pass(1_000);
            let open = engine.start(&run(TASK)).unwrap();
            let briefing = engine.brief(&open.id, &ASK).unwrap();
            let mut failed = 0;
            for hint in &briefing.hints {
                let rule = &hint.lesson.rule_text;
                if let Some((_, advised)) = rule.split_once("CORRECT: gridtool tally") {
                    let step = failure(&format!("gridtool tally{advised}"), REFUSED);
                    engine.observe(&open.id, &step).unwrap();
                    failed += 1;
                }
            }
            engine.observe(&open.id, &success(RIGHT)).unwrap();
            engine.finish(&open.id, &ending()).unwrap();
            failures.push(failed);
        }
    }
    let living = |id: &&String| {
        let status = engine.get_lesson(id).status;
        matches!(status, LessonStatus::Candidate | LessonStatus::Promoted)
    };
    let left = bad.iter().filter(living).count();
    assert!(left <= 3, "{left} of {} bad lessons are left", bad.len());
    // None is lost for audit, and the one that helps is still there.
    assert!(
        bad.iter()
            .all(|id| lessons(&engine).iter().any(|lesson| lesson.id == *id))
    );
    let good = engine.get_lesson(&good);
    assert_eq!(
        good.status,
        LessonStatus::Promoted,
        "{}",
        good.status_reason
    );
    // Nor does it get worse as the pile of tried ones grows.
    let third = failures.len() / 3;
    let sum = |runs: &[u32]| runs.iter().sum::<u32>();
    let (first, last) = (sum(&failures[..third]), sum(&failures[2 * third..]));
    assert!(last <= first, "{first} failures at first, {last} at last");
}

#[test]
fn a_lesson_for_what_nobody_attempted_is_not_taken_for_useless() {
    let world = World::new();
    let engine = world.engine();
    erring(&engine);
    let id = lessons(&engine).remove(0).id;
    // Other operations of the same tool, in tasks whose words bring it up.
    let mut shown = 0;
    for number in 0..12 {
        world.pass(1_000);
        let task = format!("rename the sales sheet and count its rows, part {number}");
        let step = success("gridtool rename sheet:sales to:income");
        let (briefing, _) = work(&engine, &task, &[step]);
        shown += briefing.hints.len();
    }
    assert!(shown >= 6, "it has to be shown: {shown}");
    let lesson = engine.get_lesson(&id);
    assert_eq!(
        lesson.status,
        LessonStatus::Candidate,
        "{}",
        lesson.status_reason
    );
    assert_eq!(lesson.usefulness.shown_runs as usize, shown);
    assert_eq!(lesson.usefulness.judged, 0);
    // It is still there when it is needed.
    let (briefing, _) = work(&engine, TASK, &[success(RIGHT)]);
    assert_eq!(briefing.hints[0].lesson.id, id);
    assert_eq!(engine.get_lesson(&id).usefulness.helped, 1);
}

#[test]
fn a_lesson_for_what_works_anyway_is_of_no_use_and_goes() {
    let world = World::new();
    let engine = world.engine();
    // It warns of something that every run does without any trouble.
    let needless = engine
        .propose(&proposal(
            "WRONG: gridtool count rows=5 → CORRECT: gridtool tally rows",
            "gridtool: count is busy",
        ))
        .unwrap();
    let mut shown = 0;
    for number in 0..12 {
        world.pass(1_000);
        let task = format!("count the rows of sheet {number} by gridtool tally");
        let (briefing, _) = work(&engine, &task, &[success(RIGHT)]);
        shown += briefing.hints.len();
    }
    let needless = engine.get_lesson(&needless.id);
    assert_eq!(
        needless.status,
        LessonStatus::Suppressed,
        "{} after {shown} showings",
        needless.status_reason
    );
}

#[test]
fn a_run_that_was_told_of_experience_is_no_run_without_help() {
    // The task is alike to one that went well; its own runs err.
    let baseline = |told: bool| {
        let world = World::new();
        let engine = world.engine();
        let steps = [success("gridtool count rows=7")];
        let alike = "count the rows of the purchase sheet";
        engine.submit(&run(alike), &steps, &ending()).unwrap();
        world.pass(1_000);
        // One run without any help takes four steps.
        let long = [
            failure(WRONG, REFUSED),
            failure(WRONG, REFUSED),
            success("gridtool help"),
            success(RIGHT),
        ];
        engine.submit(&run(TASK), &long, &ending()).unwrap();
        for lesson in lessons(&engine) {
            engine
                .set_status(&lesson.id, LessonStatus::Suppressed, "not yet")
                .unwrap();
        }
        world.pass(1_000);
        // Two that are told of experience, or are not, take one.
        for _ in 0..2 {
            world.pass(1_000);
            let open = engine.start(&run(TASK)).unwrap();
            if told {
                let briefing = engine.brief(&open.id, &ASK).unwrap();
                assert!(briefing.hints.is_empty() && !briefing.text.is_empty());
            }
            engine.observe(&open.id, &success(RIGHT)).unwrap();
            engine.finish(&open.id, &ending()).unwrap();
        }
        let rule = "WRONG: gridtool count --rows=5 → CORRECT: gridtool count rows=5";
        engine.propose(&proposal(rule, REFUSED)).unwrap();
        world.pass(1_000);
        let (briefing, episode) = work(&engine, TASK, &[success(RIGHT)]);
        assert_eq!(briefing.hints.len(), 1);
        outcomes(&engine, &episode.id).remove(0)
    };
    let (told, alone) = (baseline(true), baseline(false));
    // Against four steps a run, not against the mean of four and one and one.
    assert!(
        told.step_efficiency_gain > alone.step_efficiency_gain,
        "{told:?} {alone:?}"
    );
    assert!(alone.step_efficiency_gain > 0.0);
}

#[test]
fn a_claim_that_no_run_had_to_do_with_makes_room_in_briefings_and_is_there_when_it_fails() {
    let world = World::new();
    let engine = world.engine();
    let claim = engine
        .propose(&proposal(
            "WRONG: gridtool count --rows 5 → CORRECT: gridtool count rows=5",
            REFUSED,
        ))
        .unwrap();
    let mut shown = 0;
    for number in 0..12 {
        world.pass(1_000);
        let task = format!("gridtool: count rows, part {number}");
        let step = success("gridtool rename sheet:sales to:income");
        let (briefing, _) = work(&engine, &task, &[step]);
        shown += briefing.hints.len();
    }
    assert_eq!(shown, 5, "then it is no longer said before");
    let lesson = engine.get_lesson(&claim.id);
    assert_eq!(lesson.status, LessonStatus::Candidate, "{lesson:#?}");
    let open = engine.start(&run("gridtool: count rows")).unwrap();
    let reaction = engine.observe(&open.id, &failure(WRONG, REFUSED)).unwrap();
    assert_eq!(reaction.hints[0].lesson.id, claim.id);
}
