//! Credit where it is due: what is followed and works has helped, what is ignored or does not fit says nothing.

use super::*;
use twiceshy_wit::memory::ActivationOutcome;

fn outcome(engine: &Engine, lesson: &str, run: &str) -> ActivationOutcome {
    let filter = ActivationFilter {
        lesson: Some(lesson.to_owned()),
        run: Some(run.to_owned()),
        limit: None,
    };
    engine.activations(&filter).unwrap()[0].outcome.unwrap()
}

/// A session that asks for no briefing: it fails, is told, and goes on.
fn session(engine: &Engine, task: &str, failed: &Observed, then: &[Observed]) -> (usize, Episode) {
    let open = engine.start(&run(task)).unwrap();
    let reaction = engine.observe(&open.id, failed).unwrap();
    for step in then {
        engine.observe(&open.id, step).unwrap();
    }
    let episode = engine.finish(&open.id, &ending()).unwrap();
    (reaction.hints.len(), episode)
}

/// Learned from one failure and what worked next.
fn learned_from_one_failure(engine: &Engine) -> String {
    let steps = [failure(WRONG, REFUSED), success(RIGHT)];
    session(engine, TASK, &steps[0], &steps[1..]);
    lessons(engine).remove(0).id
}

#[test]
fn five_sessions_of_fail_hint_follow_work_promote_the_lesson() {
    let world = World::new();
    let engine = world.engine();
    let id = learned_from_one_failure(&engine);
    for number in 0..5 {
        world.pass(crate::support::DAY);
        let task = format!("session {number}");
        let (hints, episode) = session(&engine, &task, &failure(WRONG, REFUSED), &[success(RIGHT)]);
        assert_eq!(hints, 1);
        let outcome = outcome(&engine, &id, &episode.id);
        assert_eq!(outcome.verdict, Verdict::Helped, "{outcome:?}");
    }
    let lesson = engine.get_lesson(&id);
    assert_eq!(
        lesson.status,
        LessonStatus::Promoted,
        "{}",
        lesson.status_reason
    );
    assert_eq!((lesson.usefulness.helped, lesson.usefulness.harmed), (5, 0));
}

#[test]
fn a_hint_that_is_followed_helps_in_a_run_that_goes_badly_otherwise() {
    let world = World::new();
    let engine = world.engine();
    let id = learned_from_one_failure(&engine);
    for number in 0..5 {
        world.pass(crate::support::DAY);
        let mut then = vec![success(RIGHT)];
        for part in 0..6 {
            let action = format!("fluxtool drain --tank {part}");
            then.push(failure(&action, "fluxtool: the valve is stuck"));
        }
        let (_, episode) = session(&engine, TASK, &failure(WRONG, REFUSED), &then);
        let outcome = outcome(&engine, &id, &episode.id);
        assert_eq!(outcome.verdict, Verdict::Helped, "{number} {outcome:?}");
    }
    assert_eq!(engine.get_lesson(&id).status, LessonStatus::Promoted);
}

#[test]
fn eight_runs_of_an_ignored_warning_neither_promote_nor_suppress_it() {
    let world = World::new();
    let engine = world.engine();
    let task = "drain the pump";
    let sealed = failure(
        "fluxtool drain pump",
        "fluxtool: the pump is sealed and can't be drained by anybody",
    );
    let steps = [sealed.clone(), sealed, success("fluxtool heat tank")];
    work(&engine, task, &steps);
    let warning = lessons(&engine).remove(0);
    assert!(
        warning.rule_text.starts_with("AVOID: "),
        "{}",
        warning.rule_text
    );
    for _ in 0..8 {
        world.pass(crate::support::DAY);
        let (briefing, episode) = work(&engine, task, &steps);
        assert_eq!(briefing.hints.len(), 1);
        let outcome = outcome(&engine, &warning.id, &episode.id);
        assert_eq!(outcome.verdict, Verdict::NoOpportunity, "{outcome:?}");
    }
    let lesson = engine.get_lesson(&warning.id);
    assert_eq!(
        lesson.status,
        LessonStatus::Candidate,
        "{}",
        lesson.status_reason
    );
    assert_eq!((lesson.usefulness.helped, lesson.usefulness.harmed), (0, 0));
    // Heeded at last, it helps.
    world.pass(crate::support::DAY);
    let (_, episode) = work(&engine, task, &[success("fluxtool heat tank")]);
    let outcome = outcome(&engine, &warning.id, &episode.id);
    assert_eq!(outcome.verdict, Verdict::Helped, "{outcome:?}");
}

#[test]
fn eight_runs_of_ignored_advice_neither_promote_nor_suppress_it() {
    let world = World::new();
    let engine = world.engine();
    let id = learned_from_one_failure(&engine);
    let again = failure(WRONG, REFUSED);
    for number in 0..8 {
        world.pass(crate::support::DAY);
        let task = format!("session {number}");
        let stubborn = [again.clone(), again.clone(), success("gridtool help")];
        let (hints, episode) = session(&engine, &task, &again, &stubborn);
        assert_eq!(hints, 1);
        let outcome = outcome(&engine, &id, &episode.id);
        assert_eq!(outcome.verdict, Verdict::NoOpportunity, "{outcome:?}");
    }
    let lesson = engine.get_lesson(&id);
    assert_eq!(
        lesson.status,
        LessonStatus::Candidate,
        "{}",
        lesson.status_reason
    );
}

#[test]
fn twenty_showings_that_do_not_fit_leave_the_lesson_where_it_was() {
    let world = World::new();
    let engine = world.engine();
    let id = learned_from_one_failure(&engine);
    let before = engine.get_lesson(&id);
    for number in 0..20 {
        world.pass(1_000);
        let task = format!("session {number}");
        // The same error, for somebody who wants something else.
        let other = failure("gridtool count --rows red", REFUSED);
        let then = [other.clone(), other.clone(), success("gridtool help")];
        let (hints, episode) = session(&engine, &task, &other, &then);
        assert!(hints > 0, "nothing was shown in session {number}");
        let outcome = outcome(&engine, &id, &episode.id);
        assert_eq!(outcome.verdict, Verdict::NoOpportunity, "{outcome:?}");
    }
    let after = engine.get_lesson(&id);
    assert_eq!(
        after.usefulness.shown_runs, 20,
        "it was shown in each of them"
    );
    assert_eq!(after.status, before.status, "{}", after.status_reason);
    assert_eq!(after.reliability, before.reliability);
    assert_eq!((after.usefulness.judged, after.usefulness.harmed), (0, 0));
    // It still helps where it fits.
    let (_, episode) = session(&engine, TASK, &failure(WRONG, REFUSED), &[success(RIGHT)]);
    assert_eq!(outcome(&engine, &id, &episode.id).verdict, Verdict::Helped);
}

#[test]
fn what_is_expected_is_what_the_cause_cost_and_not_what_others_of_its_fingerprint_did() {
    let world = World::new();
    let engine = world.engine();
    // The same error text costs one step here, and six steps where something else was done.
    let one = [failure(WRONG, REFUSED), success(RIGHT)];
    engine.submit(&run(TASK), &one, &ending()).unwrap();
    let other = failure("gridtool paint --rows red", REFUSED);
    let many = [&vec![other; 6][..], &[success("gridtool help")]].concat();
    world.pass(1_000);
    engine.submit(&run(TASK), &many, &ending()).unwrap();
    world.pass(1_000);
    let (_, episode) = work(&engine, TASK, &[success(RIGHT)]);
    let rule = lessons(&engine)
        .into_iter()
        .find(|lesson| lesson.rule_text.contains("CORRECT"))
        .unwrap();
    let outcome = outcome(&engine, &rule.id, &episode.id);
    assert_eq!((outcome.errors, outcome.baseline_errors), (0, 0.5));
}

#[test]
fn a_hint_that_is_followed_under_other_names_has_helped() {
    let world = World::new();
    let engine = world.engine();
    let session = |name: &str| {
        world.pass(1_000);
        let open = engine.start(&run("")).unwrap();
        let error = format!("error: pathspec '{name}' did not match any file(s) known to git");
        let failed = failure(&format!("git checkout {name}"), &error);
        engine.observe(&open.id, &failed).unwrap();
        let worked = success(&format!("git checkout -b {name}"));
        engine.observe(&open.id, &worked).unwrap();
        engine.finish(&open.id, &ending()).unwrap();
    };
    session("topic");
    let id = lessons(&engine).remove(0).id;
    for name in ["draft", "parser", "cache", "login", "search"] {
        session(name);
    }
    let lesson = engine.get_lesson(&id);
    assert_eq!(lesson.usefulness.helped, 5, "{lesson:#?}");
    assert_eq!(lesson.status, LessonStatus::Promoted, "{lesson:#?}");
}
