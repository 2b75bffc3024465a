//! What worked in other runs of a task is a way out when another run of it fails.

use super::*;
use crate::support::DAY;

const FIND: &str = "find /srv/logs -name '*.log' -mtime +7 -delete";
const FIND_TOO: &str = "find /srv/logs -type f -name '*.log' -mtime +7 -delete";
const LOST: &str = "logrotate --older-than 7d";
const UNKNOWN: &str = "logrotate: unrecognized option '--older-than'";
const CLEAN: &str = "remove logs that are older than a week";

/// The rules that a run of a task is shown after a failure, with the run.
fn shown(engine: &Engine, task: &str, action: &str, error: &str) -> (Vec<String>, String) {
    let open = engine.start(&run(task)).unwrap();
    let reaction = engine.observe(&open.id, &failure(action, error)).unwrap();
    let texts = reaction.hints.into_iter().map(|hint| hint.text);
    (texts.collect(), open.id)
}

/// Two runs of the task that found the way, each in its own words.
fn two_found_the_way(world: &World) {
    let engine = world.engine();
    work(&engine, CLEAN, &[success("ls /srv"), success(FIND)]);
    world.pass(DAY);
    work(&engine, CLEAN, &[success(FIND_TOO)]);
    world.pass(DAY);
}

#[test]
fn what_two_runs_of_a_task_agree_on_is_shown_when_a_third_fails_otherwise() {
    let world = World::new();
    let engine = world.engine();
    two_found_the_way(&world);
    assert_eq!(lessons(&engine).len(), 0, "what nobody needs is no lesson");
    let (hints, _) = shown(&engine, CLEAN, LOST, UNKNOWN);
    assert_eq!(
        hints,
        [format!("WRONG: {LOST} → CORRECT: {FIND_TOO}")],
        "{:?}",
        world.log.borrow()
    );
    let [lesson] = lessons(&engine).try_into().expect("one lesson");
    assert_eq!(lesson.scope, Scope::Task);
    assert_eq!(lesson.kind, LessonKind::Recovery);
    let explained = engine.explain(&lesson.id).unwrap();
    assert_eq!(explained.steps[0].feedback.action_text, FIND_TOO);
}

#[test]
fn a_way_is_shown_in_its_own_task_alone() {
    let world = World::new();
    let engine = world.engine();
    two_found_the_way(&world);
    let elsewhere = "count the logs that are older than a week";
    assert!(shown(&engine, elsewhere, LOST, UNKNOWN).0.is_empty());
    assert!(shown(&engine, "", LOST, UNKNOWN).0.is_empty());
    // Also once it is a lesson, by whatever words.
    assert_eq!(shown(&engine, CLEAN, LOST, UNKNOWN).0.len(), 1);
    assert!(shown(&engine, elsewhere, LOST, UNKNOWN).0.is_empty());
}

#[test]
fn one_run_alone_speaks_only_of_the_same_failure() {
    let world = World::new();
    let engine = world.engine();
    let steps = [failure(LOST, UNKNOWN), success(FIND)];
    work(&engine, CLEAN, &steps);
    world.pass(DAY);
    let again = "logrotate --older-than 8d";
    assert_eq!(shown(&engine, CLEAN, again, UNKNOWN).0.len(), 1);
    let other = "tmpwatch: unrecognized option '--weeks'";
    let hints = shown(&engine, CLEAN, "tmpwatch --weeks 1 /srv/logs", other).0;
    assert!(hints.is_empty(), "{hints:?}");
}

const FIRST: &str = "gzip /srv/logs/first.txt";

/// A run of the task that failed early, knew what to do, and went on for long. Gives its id.
fn long_run(engine: &Engine) -> String {
    let mut steps = vec![success(FIRST), failure(LOST, UNKNOWN), success(FIND)];
    steps.extend((0..20).map(|at| success(&format!("gzip /srv/logs/{at}.txt"))));
    work(engine, CLEAN, &steps).1.id
}

/// What a run of the task is shown that did something else first.
fn shown_after(engine: &Engine, first: &str) -> Vec<String> {
    let open = engine.start(&run(CLEAN)).unwrap();
    engine.observe(&open.id, &success(first)).unwrap();
    let reaction = engine.observe(&open.id, &failure(LOST, UNKNOWN)).unwrap();
    let texts = reaction.hints.into_iter().map(|hint| hint.text);
    texts.collect()
}

#[test]
fn how_a_long_run_overcame_its_first_failure_is_shown_to_its_twin_alone() {
    let world = World::new();
    let engine = world.engine();
    let long = long_run(&engine);
    world.pass(DAY);
    assert!(shown_after(&engine, "whoami").is_empty());
    let hints = shown_after(&engine, FIRST);
    assert_eq!(hints, [format!("WRONG: {LOST} → CORRECT: {FIND}")]);
    engine.soft_delete(&long, "a mistake").unwrap();
    assert!(shown_after(&engine, FIRST).is_empty());
}

#[test]
fn how_a_long_run_overcame_its_first_failure_goes_with_it() {
    let world = World::new();
    let engine = world.engine();
    let long = long_run(&engine);
    engine.soft_delete(&long, "a mistake").unwrap();
    let purged = engine.purge(Some(0), false).unwrap();
    assert!(purged.contains(&long), "{purged:?}");
    let texts = world.store.texts();
    let kept: Vec<_> = texts.iter().filter(|text| text.contains(&long)).collect();
    assert!(kept.is_empty(), "{kept:?}");
}

#[test]
fn what_other_runs_did_at_their_end_is_not_proposed_at_the_beginning() {
    let world = World::new();
    let engine = world.engine();
    for _ in 0..4 {
        let mut steps: Vec<_> = (0..12)
            .map(|at| success(&format!("gzip /srv/logs/{at}.txt")))
            .collect();
        steps.push(success("ls -la /srv/archive && du -sh /srv/archive"));
        work(&engine, CLEAN, &steps);
        world.pass(DAY);
    }
    let hints = shown(&engine, CLEAN, "archive --help", "archive: not found").0;
    let is_last = |hint: &String| hint.contains("du -sh");
    assert!(!hints.iter().any(is_last), "{hints:?}");
}

/// Runs of different tasks that failed in one way, and went on in one way.
fn failed_alike(world: &World) -> Vec<String> {
    let tables = ["users", "orders", "staff", "shops", "visits", "prices"];
    let runs = tables.map(|table| {
        world.pass(DAY);
        let steps = [
            failure(
                &format!("query 'all of {table}'"),
                &format!("query: no table '{table}'"),
            ),
            success("catalog --tables"),
        ];
        work(&world.engine(), &format!("count the {table}"), &steps)
            .1
            .id
    });
    runs.to_vec()
}

#[test]
fn what_runs_of_other_tasks_agree_on_after_the_same_failure_is_shown_and_goes_with_them() {
    let world = World::new();
    let engine = world.engine();
    let runs = failed_alike(&world);
    let asked = |task: &str| shown(&engine, task, "query 'sum of pay'", "query: no table 'pay'").0;
    let hints = asked("add up what is paid");
    assert_eq!(
        hints,
        ["WRONG: query 'sum of pay' → CORRECT: catalog --tables"]
    );
    assert!(
        shown(&engine, "ask", "query x", "query: out of memory")
            .0
            .is_empty()
    );
    for run in &runs {
        engine.soft_delete(run, "a mistake").unwrap();
    }
    assert!(asked("add up what is due").is_empty());
    let purged = engine.purge(Some(0), false).unwrap();
    let kept = |word: &str| world.store.texts().iter().any(|text| text.contains(word));
    assert!(!purged.is_empty() && !purged.iter().any(|run| kept(run)));
}

fn way(engine: &Engine) -> Lesson {
    let mut lessons = lessons(engine).into_iter();
    let way = lessons.find(|lesson| lesson.kind == LessonKind::Recovery);
    way.expect("a way")
}

#[test]
fn a_way_that_is_followed_and_works_has_helped_and_one_that_only_fails_is_put_aside() {
    let world = World::new();
    let engine = world.engine();
    two_found_the_way(&world);
    for _ in 0..4 {
        world.pass(DAY);
        let steps = [failure(LOST, UNKNOWN), success(FIND_TOO)];
        work(&engine, CLEAN, &steps);
    }
    let followed = way(&engine);
    assert_eq!(followed.usefulness.helped, 4, "{followed:?}");
    assert_eq!(followed.status, LessonStatus::Promoted);

    let world = World::new();
    let engine = world.engine();
    two_found_the_way(&world);
    for _ in 0..5 {
        world.pass(DAY);
        let denied = failure(FIND_TOO, "find: cannot delete: Operation not permitted");
        work(&engine, CLEAN, &[failure(LOST, UNKNOWN), denied]);
    }
    let failed = way(&engine);
    assert_eq!(failed.status, LessonStatus::Suppressed, "{failed:?}");
    assert!(shown(&engine, CLEAN, LOST, UNKNOWN).0.is_empty());
}

#[test]
fn a_way_goes_with_its_episode() {
    let world = World::new();
    let engine = world.engine();
    let (_, first) = work(&engine, CLEAN, &[success(FIND)]);
    world.pass(DAY);
    let (_, second) = work(&engine, CLEAN, &[success(FIND_TOO)]);
    engine.soft_delete(&second.id, "a mistake").unwrap();
    assert!(shown(&engine, CLEAN, LOST, UNKNOWN).0.is_empty());
    engine.undelete(&second.id).unwrap();
    engine.soft_delete(&second.id, "a mistake").unwrap();
    let purged = engine.purge(Some(0), false).unwrap();
    assert_eq!(purged, [second.id]);
    let kept = |word: &str| world.store.texts().iter().any(|text| text.contains(word));
    assert!(kept(&first.id) && !kept("-type f"));
}
