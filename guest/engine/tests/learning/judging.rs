//! How lessons are judged by the runs that show or withhold them.

use twiceshy_wit::memory::NewRun;

use super::*;

#[test]
fn a_lesson_that_keeps_helping_is_promoted_and_says_why() {
    let world = World::new();
    let engine = world.engine();
    erring(&engine);
    erring_without_memory(&engine);
    for _ in 0..6 {
        world.pass(1_000);
        work(&engine, TASK, &[success(RIGHT)]);
    }
    let lesson = lessons(&engine).remove(0);
    assert_eq!(
        lesson.status,
        LessonStatus::Promoted,
        "{}",
        lesson.status_reason
    );
    assert!(
        lesson.status_reason.contains("errors fell"),
        "{}",
        lesson.status_reason
    );
    assert!(lesson.reliability > 0.6);
    assert!(lesson.usefulness.recurrence_drop.unwrap() > 0.9);
}

#[test]
fn a_lesson_that_does_not_help_is_suppressed_and_no_longer_shown() {
    let world = World::new();
    let engine = world.engine();
    for _ in 0..3 {
        erring_without_memory(&engine);
    }
    // What was mined is out of the way: this is about the useless one.
    for lesson in lessons(&engine) {
        engine
            .set_status(&lesson.id, LessonStatus::Suppressed, "not in this test")
            .unwrap();
    }
    let useless = engine
        .propose(&proposal(
            "WRONG: gridtool count → CORRECT: gridtool tally --rows 5",
            REFUSED,
        ))
        .unwrap();
    let mut shown = 0;
    for _ in 0..10 {
        world.pass(1_000);
        let steps = [
            failure(WRONG, REFUSED),
            failure("gridtool tally --rows 5", REFUSED),
            success(RIGHT),
        ];
        let (briefing, _) = work(&engine, TASK, &steps);
        shown += briefing
            .hints
            .iter()
            .filter(|hint| hint.lesson.id == useless.id)
            .count();
    }
    let useless = engine.get_lesson(&useless.id);
    assert_eq!(
        useless.status,
        LessonStatus::Suppressed,
        "{}",
        useless.status_reason
    );
    assert!((1..10).contains(&shown), "{shown}");
}

#[test]
fn a_withheld_lesson_is_not_shown_in_all_of_the_run_and_is_measured() {
    let world = World::new();
    let engine = world.engine();
    erring(&engine);
    let mut withheld = None;
    // The lot is a hash of lesson and run: with half of all runs, one of these is withheld.
    for number in 0..20 {
        let open = engine
            .start(&NewRun {
                id: Some(format!("lot-{number}")),
                hold_out: Some(0.5),
                ..run(TASK)
            })
            .unwrap();
        let told = engine.brief(&open.id, &ASK).unwrap();
        if told.hints.is_empty() {
            assert_eq!(told.text, "");
            let reaction = engine.observe(&open.id, &failure(WRONG, REFUSED)).unwrap();
            assert!(reaction.hints.is_empty());
            engine.observe(&open.id, &success(RIGHT)).unwrap();
            let episode = engine.finish(&open.id, &ending()).unwrap();
            assert!(episode.lessons.is_empty());
            withheld = Some(open.id);
            break;
        }
        engine.finish(&open.id, &ending()).unwrap();
    }
    let filter = ActivationFilter {
        lesson: None,
        run: withheld,
        limit: None,
    };
    let activation = engine.activations(&filter).unwrap().remove(0);
    assert!(activation.withheld && activation.outcome.is_some());
    assert_eq!(lessons(&engine)[0].usefulness.withheld_runs, 1);
}

#[test]
fn a_run_in_which_nothing_was_tried_says_nothing() {
    let world = World::new();
    let engine = world.engine();
    erring(&engine);
    for _ in 0..6 {
        world.pass(1);
        let (briefing, _) = work(&engine, TASK, &[]);
        assert_eq!(briefing.hints.len(), 1);
    }
    assert_eq!(lessons(&engine)[0].usefulness.shown_runs, 0);
}

#[test]
fn advice_that_nobody_follows_earns_nothing() {
    let world = World::new();
    let engine = world.engine();
    erring_without_memory(&engine);
    // It stands beside the lesson that is followed, and the failure does not come again.
    let rider = engine
        .propose(&proposal(
            "WRONG: gridtool count --rows 5 → CORRECT: gridtool count five-rows",
            REFUSED,
        ))
        .unwrap();
    for _ in 0..8 {
        world.pass(1_000);
        work(&engine, TASK, &[success(RIGHT)]);
    }
    let rider = engine.get_lesson(&rider.id);
    assert_eq!(rider.usefulness.helped, 0);
    assert_eq!(
        rider.status,
        LessonStatus::Suppressed,
        "{}",
        rider.status_reason
    );
    let mined = lessons(&engine);
    let mined = mined.iter().find(|lesson| lesson.id != rider.id).unwrap();
    assert_eq!(
        mined.status,
        LessonStatus::Promoted,
        "{}",
        mined.status_reason
    );
}

#[test]
fn what_is_done_instead_of_what_a_lesson_warns_of_may_fail_without_its_fault() {
    let world = World::new();
    let engine = world.engine();
    let task = "drain the pump";
    let sealed = failure("fluxtool drain pump", "fluxtool: pump is sealed");
    work(&engine, task, &[sealed.clone(), sealed]);
    // The warning is heeded; something else goes wrong.
    let empty = failure("fluxtool heat tank", "fluxtool: tank is empty");
    let (briefing, episode) = work(&engine, task, &[empty]);
    assert!(briefing.hints[0].lesson.rule_text.starts_with("AVOID: "));
    let filter = ActivationFilter {
        lesson: Some(briefing.hints[0].lesson.id.clone()),
        run: Some(episode.id),
        limit: None,
    };
    let shown = engine.activations(&filter).unwrap();
    let outcome = shown[0].outcome.as_ref().unwrap();
    assert_eq!((outcome.verdict, outcome.errors), (Verdict::Helped, 0));
}

#[test]
fn no_share_withholds_nothing_and_a_wrong_share_is_refused() {
    let world = World::new();
    let engine = world.engine();
    erring(&engine);
    for _ in 0..50 {
        world.pass(1);
        let (briefing, _) = work(&engine, TASK, &[success(RIGHT)]);
        assert_eq!(briefing.hints.len(), 1);
    }
    for share in [-0.1, 0.6, f64::NAN] {
        let refused = engine
            .start(&NewRun {
                hold_out: Some(share),
                ..run(TASK)
            })
            .unwrap_err();
        assert!(refused.message().contains("0 to 0.5"), "{refused}");
    }
}

#[test]
fn a_sentence_about_one_program_is_no_hint_for_another_that_complains_alike() {
    let world = World::new();
    let engine = world.engine();
    engine
        .propose(&proposal(
            "WRONG: cat a guessed name → CORRECT: ls, then cat",
            "cat: a.txt: No such file or directory",
        ))
        .unwrap();
    let hints = |action: &str, evidence: &str| {
        let open = engine.start(&run("look around")).unwrap();
        let told = engine.observe(&open.id, &failure(action, evidence));
        told.unwrap().hints.len()
    };
    let known = hints("cat b.txt", "cat: b.txt: No such file or directory");
    let other = [
        ("./prog", "bash: ./prog: No such file or directory"),
        ("ls b", "ls: cannot access 'b': No such file or directory"),
        (
            "python3 b.py",
            "python3: can't open file 'b.py': [Errno 2] No such file or directory",
        ),
    ];
    let other = other.map(|(action, evidence)| hints(action, evidence));
    assert_eq!((known, other), (1, [0, 0, 0]));
}
