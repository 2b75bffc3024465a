//! What requests say on the four channels.

use adapter::Api;
use twiceshy_adapter::{Assess, Error, Feedback, Goal, Judge, PastStep, Step};

const WANTED: &str = r#"{"members": ["items"], "items": 40, "requests": 4}"#;

fn assess(recent: &[PastStep], step: &Step) -> Result<Feedback, Error> {
    let goal = Goal {
        task: "fetch the orders".into(),
        domain: "{{domain}}".into(),
        expectations: WANTED.into(),
    };
    Judge::<Api>::new().assess(&goal, recent, step)
}

fn get(before: &str, observation: &str) -> Step {
    Step {
        before: before.into(),
        action: r#"{"method": "GET", "path": "/orders?page=2"}"#.into(),
        observation: observation.into(),
    }
}

#[test]
fn a_page_of_items_is_progress() {
    let step = get(
        r#"{"items": 10, "requests": 1}"#,
        r#"{"status": 200, "body": {"items": []}, "items": 20, "requests": 2}"#,
    );
    let feedback = assess(&[], &step).unwrap();
    assert_eq!(feedback.action_text, "GET /orders?page=2");
    assert_eq!(feedback.progress_signal, Some(0.25));
    assert_eq!(feedback.efficiency_signal, Some(1.0));
    assert!(feedback.constraint_failure.is_empty());
}

#[test]
fn a_status_of_an_error_fails_in_the_words_of_the_api() {
    let step = get(
        "",
        r#"{"status": 422, "body": {"error": "page must be a number"}}"#,
    );
    let failure = assess(&[], &step).unwrap().hard_failure.unwrap();
    assert_eq!(failure.reason, "status 422");
    assert_eq!(failure.evidence, "page must be a number");
}

#[test]
fn no_answer_fails_too() {
    let step = get("", r#"{"error": "connection refused"}"#);
    let failure = assess(&[], &step).unwrap().hard_failure.unwrap();
    assert_eq!(
        (failure.reason.as_str(), failure.evidence.as_str()),
        ("no answer", "connection refused")
    );
}

#[test]
fn a_member_that_is_missing_is_named_with_what_is_there() {
    let feedback = assess(&[], &get("", r#"{"status": 200, "body": {"data": []}}"#)).unwrap();
    let violation = &feedback.constraint_failure[0];
    assert_eq!(violation.condition, "the answer has the member items");
    assert_eq!(violation.evidence, "it has data");
}

#[test]
fn what_was_answered_is_not_fetched_again() {
    let step = get("", r#"{"status": 200, "body": {"items": []}}"#);
    let feedback = assess(&[], &step).unwrap();
    let past = PastStep {
        step: step.clone(),
        feedback,
    };
    let again = assess(&[past], &step).unwrap();
    assert_eq!(
        again.constraint_failure[0].condition,
        "nothing is fetched twice"
    );
}

#[test]
fn what_does_not_fit_is_refused_by_its_name() {
    for (observation, cause) in [
        (r#"{"status": 42}"#, "observation.status"),
        (r#"{"statsu": 200}"#, "statsu"),
        ("200", "observation"),
    ] {
        match assess(&[], &get("", observation)) {
            Err(Error::InvalidInput(message)) => assert!(message.contains(cause), "{message}"),
            other => panic!("{other:?}"),
        }
    }
}
