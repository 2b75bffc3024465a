//! What kind of failure an event is of: by its words, and by what was done and seen, whatever program it comes from.

use twiceshy_wit::memory::{Event, Events, Observed, Runs};

use crate::support::{World, failure, run, success, violation};

fn event(step: &Observed) -> Event {
    let world = World::new();
    let engine = world.engine();
    let open = engine.start(&run("any")).unwrap();
    engine
        .observe(&open.id, step)
        .unwrap()
        .failure
        .expect("a failure")
}

fn has(event: &Event, tag: &str) -> bool {
    event.tags.iter().any(|one| one == tag)
}

#[test]
fn a_program_that_nobody_knows_gets_the_same_tags_as_one_that_everybody_knows() {
    let world = World::new();
    for message in [
        "unknown option --rows",
        "syntax error near unexpected token",
        "permission denied",
        "connection timed out",
    ] {
        let tags = |name: &str| {
            let found = world.engine().fingerprint_of(&format!("{name}: {message}"));
            found.tags
        };
        let known = tags("git");
        assert!(!known.is_empty(), "{message}");
        for name in ["zorblax", "q7", "рабочий"] {
            assert_eq!(tags(name), known, "{name}: {message}");
        }
    }
}

#[test]
fn tags_come_from_the_words_of_an_error() {
    let denied = event(&failure("cp a b", "cp: cannot create b: Permission denied"));
    assert!(has(&denied, "permission"), "{:?}", denied.tags);
    let unknown = event(&failure("gridtool", "gridtool: unknown option --rows"));
    assert!(has(&unknown, "unknown_symbol"), "{:?}", unknown.tags);
}

#[test]
fn without_words_tags_come_from_what_was_done_and_what_became_of_the_state() {
    let moved = |before: &str, after: &str, progress: f64| {
        let mut step = success("forward");
        step.step.before = before.to_owned();
        step.step.observation = after.to_owned();
        step.feedback.progress_signal = Some(progress);
        step
    };
    let stalled = event(&moved(r#"{"room": "hall"}"#, r#"{"room": "hall"}"#, 0.0));
    assert!(has(&stalled, "state_stall"), "{:?}", stalled.tags);
    let away = event(&moved(r#"{"x": 2}"#, r#"{"x": 1}"#, -0.5));
    assert!(has(&away, "goal_distance_increase"), "{:?}", away.tags);
    let unmet = event(&violation("save", "the file is there"));
    assert!(has(&unmet, "constraint_failed"), "{:?}", unmet.tags);
    // What an adapter gives as its reason counts where there is no text; the words of the action itself do not.
    let mut guarded = failure("drop the safety guard", "");
    let silent = event(&guarded);
    assert!(!has(&silent, "unsafe_action"), "{:?}", silent.tags);
    if let Some(failure) = &mut guarded.feedback.hard_failure {
        failure.reason = "safety guard hit: collision ahead".to_owned();
    }
    let guarded = event(&guarded);
    assert!(has(&guarded, "unsafe_action"), "{:?}", guarded.tags);
}
