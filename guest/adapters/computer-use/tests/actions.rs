//! Actions on a screen, and what the four channels say of them.

use serde_json::{Value, json};
use twiceshy_adapter::{Assess, Error, Feedback, Goal, Judge, PastStep, Step};
use twiceshy_adapter_computer_use::{ComputerUse, payload};

fn goal(expectations: Value) -> Goal {
    Goal {
        task: "make a beat".into(),
        domain: "computer-use".into(),
        expectations: expectations.to_string(),
    }
}

fn studio(bpm: &str, kick: bool) -> Value {
    json!({"elements": [
        {"role": "spinbutton", "name": "BPM", "value": bpm},
        {"role": "checkbox", "name": "pattern", "checked": kick},
        {"role": "button", "name": "Play"},
        {"role": "button", "name": "Stop"},
    ]})
}

fn wanted() -> Value {
    json!({"targets": [
        {"role": "spinbutton", "name": "BPM", "property": "value", "is": "128"},
        {"name": "pattern", "property": "checked"},
    ]})
}

fn click(name: &str) -> Value {
    json!({"kind": "click", "target": {"role": "button", "name": name}})
}

fn step(before: &Value, action: &Value, after: &Value) -> Step {
    Step {
        before: before.to_string(),
        action: action.to_string(),
        observation: after.to_string(),
    }
}

fn judged(expectations: Value, recent: &[PastStep], step: &Step) -> Feedback {
    let judge = Judge::<ComputerUse>::new();
    judge.assess(&goal(expectations), recent, step).unwrap()
}

fn conditions(feedback: &Feedback) -> Vec<&str> {
    let violations = feedback.constraint_failure.iter();
    violations
        .map(|violation| violation.condition.as_str())
        .collect()
}

#[test]
fn targets_that_are_met_are_progress_and_ones_undone_are_a_step_back() {
    let tempo =
        json!({"kind": "type", "target": {"role": "spinbutton", "name": "BPM"}, "text": "128"});
    let feedback = judged(
        wanted(),
        &[],
        &step(&studio("120", false), &tempo, &studio("128", false)),
    );
    assert_eq!(feedback.progress_signal, Some(0.5));
    let on = json!({"kind": "click", "target": {"name": "pattern"}});
    let feedback = judged(
        wanted(),
        &[],
        &step(&studio("128", false), &on, &studio("128", true)),
    );
    assert_eq!(feedback.progress_signal, Some(1.0));
    let feedback = judged(
        wanted(),
        &[],
        &step(&studio("128", false), &tempo, &studio("12", false)),
    );
    assert_eq!(feedback.progress_signal, Some(-0.5));
}

#[test]
fn a_step_on_the_way_that_changes_no_target_is_no_failure() {
    let mut open = studio("120", false);
    open["elements"]
        .as_array_mut()
        .unwrap()
        .push(json!({"role": "menu", "name": "File", "expanded": true}));
    let feedback = judged(
        wanted(),
        &[],
        &step(&studio("120", false), &click("File"), &open),
    );
    assert_eq!(
        (feedback.progress_signal, feedback.constraint_failure.len()),
        (None, 0)
    );
}

#[test]
fn who_says_done_is_told_which_targets_are_not_met() {
    let done = json!({"kind": "done"});
    let screen = studio("120", true);
    let feedback = judged(wanted(), &[], &step(&screen, &done, &screen));
    assert_eq!(conditions(&feedback), ["BPM is 128"]);
    assert_eq!(
        feedback.constraint_failure[0].evidence,
        "BPM is 128: it is 120"
    );
    let screen = studio("128", true);
    let feedback = judged(wanted(), &[], &step(&screen, &done, &screen));
    assert_eq!(
        (conditions(&feedback).len(), feedback.progress_signal),
        (0, Some(1.0))
    );
}

#[test]
fn an_action_without_effect_is_told_and_told_otherwise_when_it_is_repeated() {
    let screen = studio("120", false);
    let first = step(&screen, &click("Play"), &screen);
    let feedback = judged(json!({}), &[], &first);
    assert_eq!(
        feedback.constraint_failure[0].evidence,
        "no effect: click button \"Play\" changed nothing"
    );
    let recent = [PastStep {
        step: first.clone(),
        feedback,
    }];
    let again = judged(json!({}), &recent, &first);
    assert!(
        again.constraint_failure[0]
            .evidence
            .starts_with("no effect again: ")
    );
    assert_eq!(again.efficiency_signal, Some(0.0));
    let wait = judged(
        json!({}),
        &recent,
        &step(&screen, &json!({"kind": "wait"}), &screen),
    );
    assert!(wait.constraint_failure.is_empty());
}

#[test]
fn a_click_that_only_gives_the_focus_has_an_effect() {
    let field = |focused: bool| json!({"elements": [{"role": "textbox", "name": "Name", "focused": focused}]});
    let into = json!({"kind": "click", "target": {"role": "textbox", "name": "Name"}});
    assert!(
        judged(json!({}), &[], &step(&field(false), &into, &field(true)))
            .constraint_failure
            .is_empty()
    );
    assert!(
        !judged(json!({}), &[], &step(&field(true), &into, &field(true)))
            .constraint_failure
            .is_empty()
    );
}

#[test]
fn pictures_are_compared_where_elements_are_not_known() {
    let picture = |hash: &str| json!({"screen": hash});
    let at = json!({"kind": "click", "target": {"at": [10, 20]}});
    let feedback = judged(json!({}), &[], &step(&picture("a"), &at, &picture("a")));
    assert_eq!(
        feedback.constraint_failure[0].evidence,
        "no effect: click (10, 20) changed nothing"
    );
    assert!(
        judged(json!({}), &[], &step(&picture("a"), &at, &picture("b")))
            .constraint_failure
            .is_empty()
    );
}

#[test]
fn a_wrong_element_is_named() {
    let mut after = studio("120", true);
    after["met"] = json!({"role": "button", "name": "Stop"});
    let feedback = judged(
        json!({}),
        &[],
        &step(&studio("120", false), &click("Play"), &after),
    );
    assert_eq!(
        feedback.constraint_failure[0].evidence,
        "wrong element: click button \"Play\" met button \"Stop\""
    );
}

#[test]
fn a_dialog_in_the_way_is_told_unless_the_action_is_meant_for_it() {
    let mut screen = studio("120", false);
    screen["dialogs"] = json!([{"name": "Save changes?", "elements": ["Yes", "No"]}]);
    let feedback = judged(wanted(), &[], &step(&screen, &click("Play"), &screen));
    assert_eq!(
        feedback.constraint_failure[0].evidence,
        "a dialog is in the way: Save changes?"
    );
    let feedback = judged(
        wanted(),
        &[],
        &step(&screen, &click("No"), &studio("120", false)),
    );
    assert!(feedback.constraint_failure.is_empty());
}

#[test]
fn a_guard_that_is_hit_and_what_the_driver_refuses_fail() {
    let guarded = json!({"guards": [{"name": "pattern", "property": "checked"}]});
    let on = step(
        &studio("120", false),
        &click("pattern"),
        &studio("120", true),
    );
    let failure = judged(guarded.clone(), &[], &on).hard_failure.unwrap();
    assert_eq!(
        (failure.reason.as_str(), failure.evidence.as_str()),
        ("guard", "a guard was hit: pattern is on")
    );
    let still = step(&studio("120", true), &click("Play"), &studio("121", true));
    assert!(judged(guarded, &[], &still).hard_failure.is_none());
    let refused = step(
        &studio("120", false),
        &click("Mix"),
        &json!({"error": "no element matches button \"Mix\""}),
    );
    let failure = judged(json!({}), &[], &refused).hard_failure.unwrap();
    assert_eq!(
        (failure.reason.as_str(), failure.evidence.as_str()),
        ("refused", "no element matches button \"Mix\"")
    );
}

#[test]
fn every_kind_of_action_is_told_in_one_line() {
    let screen = json!({"screen": "a"});
    let lines = [
        (
            json!({"kind": "double-click", "target": {"id": "clip-3"}}),
            "double-click #clip-3",
        ),
        (
            json!({"kind": "type", "text": "a\n \"b\""}),
            "type \"a 'b'\"",
        ),
        (
            json!({"kind": "key", "key": "Control+S"}),
            "press Control+S",
        ),
        (
            json!({"kind": "scroll", "by": [0, 120]}),
            "scroll by (0, 120)",
        ),
        (
            json!({"kind": "drag", "target": {"role": "slider", "name": "Cutoff"}, "to": {"at": [5, 6]}}),
            "drag slider \"Cutoff\" to (5, 6)",
        ),
        (
            json!({"kind": "open", "text": "studio.html"}),
            "open \"studio.html\"",
        ),
        (json!({"kind": "wait"}), "wait"),
    ];
    for (action, text) in lines {
        assert_eq!(
            judged(json!({}), &[], &step(&screen, &action, &screen)).action_text,
            text
        );
    }
}

#[test]
fn what_does_not_fit_is_refused_by_its_name() {
    let screen = json!({"screen": "a"});
    let cases = [
        (json!({}), json!({"kind": "type"}), "action.text"),
        (json!({}), json!({"kind": "click"}), "action.target"),
        (json!({}), json!({"kind": "jump"}), "action.kind"),
        (
            json!({"targets": [{"name": "BPM", "property": "value"}]}),
            json!({"kind": "wait"}),
            "expectations.targets[0].is",
        ),
        (
            json!({"guards": [{"property": "present"}]}),
            json!({"kind": "wait"}),
            "expectations.guards[0]",
        ),
        (
            json!({"targets": [{"name": "a", "property": "checked", "is": "yes"}]}),
            json!({"kind": "wait"}),
            "expectations.targets[0].is",
        ),
    ];
    for (expectations, action, member) in cases {
        let judge = Judge::<ComputerUse>::new();
        match judge.assess(&goal(expectations), &[], &step(&screen, &action, &screen)) {
            Err(Error::InvalidInput(cause)) => assert!(cause.starts_with(member), "{cause}"),
            other => panic!("{member}: {other:?}"),
        }
    }
}

#[test]
fn the_schemas_list_exactly_the_members_that_are_read() {
    let screen = json!({"screen": "a"});
    for (payload, schema) in [
        ("action", payload::ACTION_SCHEMA),
        ("observation", payload::OBSERVATION_SCHEMA),
        ("expectations", payload::EXPECTATIONS_SCHEMA),
    ] {
        let (mut fine, mut expected) = (
            step(&screen, &json!({"kind": "wait"}), &screen),
            goal(json!({})),
        );
        let wrong = r#"{"?": 0}"#.to_owned();
        match payload {
            "action" => fine.action = wrong,
            "observation" => fine.observation = wrong,
            _ => expected.expectations = wrong,
        }
        let Err(Error::InvalidInput(told)) =
            Judge::<ComputerUse>::new().assess(&expected, &[], &fine)
        else {
            panic!("{payload}")
        };
        let known = told
            .split_once("expected ")
            .unwrap()
            .1
            .split('`')
            .skip(1)
            .step_by(2);
        let mut known: Vec<_> = known.map(str::to_owned).collect();
        known.sort();
        let schema: Value = serde_json::from_str(schema).unwrap();
        let mut listed: Vec<_> = schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        listed.sort();
        assert_eq!(listed, known);
    }
}
