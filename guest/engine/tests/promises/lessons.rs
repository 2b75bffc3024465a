//! What becomes of a lesson: every showing is on record, what recurs is measured, what harms goes.

use twiceshy_engine::Engine;
use twiceshy_wit::memory::{
    Activation, ActivationFilter, BriefingRequest, Lesson, LessonCandidate, LessonStatus, Lessons,
    Moment, Runs, Verdict,
};

use crate::support::{World, ending, failure, proposal, run, success};

const TASK: &str = "count the rows of the sales sheet";
const WRONG: &str = "gridtool count --rows 5";
const RIGHT: &str = "gridtool count rows=5";
const REFUSED: &str = "gridtool: unknown option --rows";

const ASK: BriefingRequest = BriefingRequest {
    limit: None,
    tokens: None,
};

fn activations(engine: &Engine, lesson: &str) -> Vec<Activation> {
    let filter = ActivationFilter {
        lesson: Some(lesson.to_owned()),
        run: None,
        limit: None,
    };
    engine.activations(&filter).unwrap()
}

fn get(engine: &Engine, lesson: &Lesson) -> Lesson {
    Lessons::get(engine, &lesson.id).unwrap()
}

#[test]
fn every_activation_is_on_record_before_a_run_on_an_error_and_withheld() {
    let world = World::new();
    let engine = world.engine();
    let rule = format!("WRONG: {WRONG} → CORRECT: {RIGHT}");
    let lesson = engine.propose(&proposal(&rule, REFUSED)).unwrap();
    // Shown on an error: nothing of the task is known yet.
    let open = engine.start(&run("something else")).unwrap();
    engine.observe(&open.id, &failure(WRONG, REFUSED)).unwrap();
    engine.observe(&open.id, &failure(WRONG, REFUSED)).unwrap();
    engine.finish(&open.id, &ending()).unwrap();
    let shown = activations(&engine, &lesson.id);
    assert_eq!(shown.len(), 1, "one for a run, however often it is shown");
    assert_eq!(
        (shown[0].moment, shown[0].withheld),
        (Moment::OnError, false)
    );
    assert_eq!(
        shown[0].fingerprint.as_ref(),
        lesson.trigger_fingerprints.first()
    );
    // Shown before runs, or withheld: each is on record.
    for number in 0..40 {
        world.pass(1_000);
        let mut new = run("something else");
        new.hold_out = Some(0.5);
        new.id = Some(format!("run-{number}"));
        let open = engine.start(&new).unwrap();
        engine.brief(&open.id, &ASK).unwrap();
        engine.finish(&open.id, &ending()).unwrap();
    }
    let all = activations(&engine, &lesson.id);
    let count = |withheld| all.iter().filter(|one| one.withheld == withheld).count();
    assert_eq!(all.len(), 41);
    assert!(count(true) > 0 && count(false) > 1);
    let before = all.iter().filter(|one| one.moment == Moment::BeforeRun);
    assert_eq!(before.count(), 40);
}

#[test]
fn an_activation_is_judged_by_how_often_its_failure_came_without_it() {
    let outcome = |failures: usize| {
        let world = World::new();
        let engine = world.engine();
        // Without a lesson the task meets the failure twice in each run.
        for _ in 0..3 {
            world.pass(1_000);
            let steps = [failure(WRONG, REFUSED), failure(WRONG, REFUSED)];
            engine.submit(&run(TASK), &steps, &ending()).unwrap();
        }
        let rule = format!("WRONG: {WRONG} → CORRECT: {RIGHT}");
        let lesson = engine.propose(&proposal(&rule, REFUSED)).unwrap();
        let open = engine.start(&run(TASK)).unwrap();
        engine.brief(&open.id, &ASK).unwrap();
        for _ in 0..failures {
            engine.observe(&open.id, &failure(WRONG, REFUSED)).unwrap();
        }
        engine.observe(&open.id, &success(RIGHT)).unwrap();
        engine.finish(&open.id, &ending()).unwrap();
        let shown = activations(&engine, &lesson.id).remove(0);
        shown.outcome.expect("judged")
    };
    let none = outcome(0);
    assert_eq!((none.errors, none.baseline_errors), (0, 2.0));
    assert_eq!((none.verdict, none.error_reduction), (Verdict::Helped, 1.0));
    let one = outcome(1);
    assert_eq!((one.errors, one.baseline_errors), (1, 2.0));
    assert!(one.error_reduction < none.error_reduction);
    // Who does what it warns of again and again has ignored it, which is no fault of the lesson.
    let more = outcome(4);
    assert_eq!((more.errors, more.baseline_errors), (4, 2.0));
    assert_eq!(
        (more.verdict, more.utility),
        (Verdict::NoOpportunity, None),
        "{more:?}"
    );
}

#[test]
fn advice_that_is_followed_and_fails_is_suppressed_at_the_third_retrieval_and_not_before() {
    let world = World::new();
    let engine = world.engine();
    let bad = "gridtool count five-rows";
    let rule = format!("WRONG: {WRONG} → CORRECT: {bad}");
    let lesson = engine.propose(&proposal(&rule, REFUSED)).unwrap();
    for run_number in 1..=3 {
        let known = get(&engine, &lesson);
        let due = known.usefulness.activations >= 3;
        let expected = if due {
            LessonStatus::Suppressed
        } else {
            LessonStatus::Candidate
        };
        assert_eq!(known.status, expected, "{:?}", known.usefulness);
        world.pass(1_000);
        let open = engine.start(&run(TASK)).unwrap();
        let told = engine.observe(&open.id, &failure(WRONG, REFUSED)).unwrap();
        assert_eq!(told.hints.is_empty(), due, "{run_number}");
        engine
            .observe(&open.id, &failure(bad, "gridtool: no sheet five-rows"))
            .unwrap();
        engine.finish(&open.id, &ending()).unwrap();
    }
    let lesson = get(&engine, &lesson);
    assert_eq!(
        lesson.status,
        LessonStatus::Suppressed,
        "{}",
        lesson.status_reason
    );
    let open = engine.start(&run(TASK)).unwrap();
    let told = engine.observe(&open.id, &failure(WRONG, REFUSED)).unwrap();
    assert_eq!(
        told.hints,
        [],
        "it stays for audit and is not told any more"
    );
}

#[test]
fn the_same_lesson_again_keeps_the_sources_and_tags_of_both_and_stays_suppressed() {
    let world = World::new();
    let engine = world.engine();
    let say = |tag: &str, run: &str| LessonCandidate {
        tags: vec![tag.to_owned()],
        run: Some(run.to_owned()),
        ..proposal("look with ls first", "cat: no such file")
    };
    let first = engine.propose(&say("files", "run-1")).unwrap();
    engine
        .set_status(&first.id, LessonStatus::Suppressed, "harmful")
        .unwrap();
    world.pass(1_000);
    let second = engine.propose(&say("shell", "run-2")).unwrap();
    assert_eq!(
        (&second.id, second.status),
        (&first.id, LessonStatus::Suppressed)
    );
    let runs: Vec<_> = second
        .origins
        .iter()
        .map(|origin| origin.run.as_str())
        .collect();
    assert_eq!(runs, ["run-1", "run-2"]);
    for tag in ["files", "shell"] {
        assert!(
            second.tags.iter().any(|one| one == tag),
            "{tag}: {:?}",
            second.tags
        );
    }
    assert_eq!(second.trigger_fingerprints, first.trigger_fingerprints);
    // With another trigger it is another lesson: nothing is merged that answers another failure.
    let other = proposal("look with ls first", "ls: permission denied");
    assert_ne!(engine.propose(&other).unwrap().id, first.id);
}
