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
    assert_eq!(conditions(&feedback), ["\"BPM\" is 128"]);
    assert_eq!(feedback.constraint_failure[0].evidence, "it is 120");
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
fn documents_and_pictures_are_compared_where_elements_are_not_known() {
    let at = json!({"kind": "click", "target": {"at": [10, 20]}});
    for member in ["digest", "screen"] {
        let screen = |hash: &str| json!({member: hash});
        let feedback = judged(json!({}), &[], &step(&screen("a"), &at, &screen("a")));
        assert_eq!(
            feedback.constraint_failure[0].evidence,
            "no effect: click (10, 20) changed nothing"
        );
        let feedback = judged(json!({}), &[], &step(&screen("a"), &at, &screen("b")));
        assert!(feedback.constraint_failure.is_empty());
    }
    // A document that is the same shows the same, however its picture flickers.
    let both = |screen: &str| json!({"digest": "a", "screen": screen});
    let feedback = judged(json!({}), &[], &step(&both("a"), &at, &both("b")));
    assert_eq!(conditions(&feedback), ["the action has an effect"]);
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
fn a_dialog_is_in_the_way_only_of_what_it_kept_from_working() {
    let with = |dialog: Value, bpm: &str| {
        let mut screen = studio(bpm, false);
        screen["dialogs"] = json!([dialog]);
        screen
    };
    let modal = json!({"name": "Save changes?", "elements": ["Yes"]});
    let (before, after) = (with(modal.clone(), "120"), with(modal, "121"));
    let feedback = judged(json!({}), &[], &step(&before, &click("Play"), &after));
    assert!(feedback.constraint_failure.is_empty(), "it had an effect");
    let beside = with(json!({"name": "Tips", "modal": false}), "120");
    let feedback = judged(json!({}), &[], &step(&beside, &click("Play"), &beside));
    assert_eq!(conditions(&feedback), ["the action has an effect"]);
    assert_eq!(feedback.action_text, "click button \"Play\"");
}

#[test]
fn an_element_that_cannot_be_used_is_the_reason_why_nothing_happens() {
    let screen = |more: Value| {
        let mut undo = json!({"role": "button", "name": "Undo"});
        undo.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!({"elements": [undo]})
    };
    for (more, name, evidence) in [
        (
            json!({"enabled": false}),
            "Undo",
            "button \"Undo\" is disabled",
        ),
        (
            json!({"visible": false}),
            "Undo",
            "button \"Undo\" is off-screen",
        ),
        (json!({}), "Redo", "button \"Redo\" is missing"),
    ] {
        let before = screen(more);
        let feedback = judged(json!({}), &[], &step(&before, &click(name), &before));
        assert_eq!(feedback.constraint_failure.len(), 1);
        assert_eq!(feedback.constraint_failure[0].evidence, evidence);
    }
    let (before, after) = (screen(json!({"enabled": false})), screen(json!({})));
    let feedback = judged(json!({}), &[], &step(&before, &click("Undo"), &after));
    assert!(feedback.constraint_failure.is_empty(), "it was made usable");
    let mut elsewhere = before.clone();
    let clock = json!({"role": "status", "name": "Clock"});
    elsewhere["elements"].as_array_mut().unwrap().push(clock);
    let meant = json!({"now": [{"name": "Song", "property": "present"}]});
    let feedback = judged(meant, &[], &step(&before, &click("Undo"), &elsewhere));
    assert_eq!(conditions(&feedback), ["what is acted on can be used"]);
}

#[test]
fn an_action_that_does_not_bring_about_what_it_is_there_for_fails() {
    let tempo =
        json!({"kind": "type", "target": {"role": "spinbutton", "name": "BPM"}, "text": "128"});
    let meant = json!({"now": [{"name": "BPM", "property": "value", "is": "128"}]});
    let (before, wrong) = (studio("120", false), studio("12", false));
    let feedback = judged(meant.clone(), &[], &step(&before, &tempo, &wrong));
    assert_eq!(conditions(&feedback), ["\"BPM\" is 128"]);
    assert_eq!(feedback.constraint_failure[0].evidence, "it is 12");
    let mut asked = wrong.clone();
    asked["dialogs"] = json!([{"name": "That slow?", "elements": ["Yes", "No"]}]);
    let feedback = judged(meant.clone(), &[], &step(&before, &tempo, &asked));
    assert!(
        feedback.constraint_failure.is_empty(),
        "a dialog asks first"
    );
    // What is so already is so: that nothing changed is no failure.
    let there = studio("128", false);
    let feedback = judged(meant, &[], &step(&there, &tempo, &there));
    assert!(feedback.constraint_failure.is_empty());
}

#[test]
fn the_same_shortcoming_of_another_element_is_told_in_the_same_words_but_for_what_is_quoted() {
    let told = |name: &str, wanted: &str, found: &str| {
        let screen = json!({"elements": [{"role": "status", "name": name, "text": found}]});
        let done = json!({"kind": "done"});
        let targets = json!({"targets": [{"name": name, "property": "text", "is": wanted}]});
        let feedback = judged(targets, &[], &step(&screen, &done, &screen));
        let violation = feedback.constraint_failure[0].clone();
        format!("{}: {}", violation.condition, violation.evidence)
    };
    assert_eq!(told("Tempo", "128", "120"), "\"Tempo\" is 128: it is 120");
    assert_eq!(
        told("Song", "saved", "not saved"),
        "\"Song\" is saved: it is \"not saved\"",
        "what is wanted is no data: to miss it is not to miss something else"
    );
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
        ("guard", "safety guard hit: pattern is on")
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
    for (action, text) in [
        (
            json!({"kind": "double-click", "target": {"id": "clip-3"}}),
            "double-click #clip-3",
        ),
        (
            json!({"kind": "type", "text": "a\n \"b\""}),
            "type \"a 'b'\"",
        ),
        (
            json!({"kind": "type", "target": {"role": "spinbutton", "name": "BPM"}, "text": "128\n"}),
            "type \"128\" into spinbutton \"BPM\" and press Enter",
        ),
        (
            json!({"kind": "type", "text": "a\t"}),
            "type \"a\" and press Tab",
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
            json!({"kind": "drag", "target": {"role": "slider", "name": "Cutoff"}, "text": "80"}),
            "drag slider \"Cutoff\" to \"80\"",
        ),
        (
            json!({"kind": "click", "target": {"role": "button", "name": "Undo"},
                "after": [{"kind": "click", "target": {"role": "button", "name": "Stop"}}, {"kind": "scroll"}]}),
            "click button \"Undo\" after click button \"Stop\", scroll",
        ),
        (
            json!({"kind": "open", "text": "studio.html"}),
            "open \"studio.html\"",
        ),
        (json!({"kind": "wait"}), "wait"),
    ] {
        assert_eq!(
            judged(json!({}), &[], &step(&screen, &action, &screen)).action_text,
            text
        );
    }
}

#[test]
fn the_line_says_how_the_element_was_found_before_the_step() {
    let screen = json!({
        "elements": [
            {"role": "button", "name": "Undo", "enabled": false},
            {"role": "switch", "name": "Reverb", "visible": false},
            {"role": "menuitem", "name": "Save", "within": {"role": "menu", "name": "File"}},
            {"role": "button", "name": "Play"},
        ],
    });
    let mut asked = screen.clone();
    asked["dialogs"] = json!([{"name": "Welcome", "elements": ["Start"]}]);
    let start = json!({"role": "button", "name": "Start"});
    asked["elements"].as_array_mut().unwrap().push(start);
    let stop = json!([{"kind": "click", "target": {"role": "button", "name": "Stop"}}]);
    let on =
        |role: &str, name: &str| json!({"kind": "click", "target": {"role": role, "name": name}});
    let mut prepared = on("button", "Undo");
    prepared["after"] = stop;
    for (screen, action, text) in [
        (
            &screen,
            on("button", "Undo"),
            "click disabled button \"Undo\"",
        ),
        (
            &screen,
            on("switch", "Reverb"),
            "click off-screen switch \"Reverb\"",
        ),
        (
            &screen,
            on("menuitem", "Open"),
            "click missing menuitem \"Open\"",
        ),
        (
            &screen,
            on("menuitem", "Save"),
            "click menuitem \"Save\" in menu \"File\"",
        ),
        (
            &screen,
            prepared,
            "click disabled button \"Undo\" after click button \"Stop\"",
        ),
        (
            &asked,
            on("button", "Play"),
            "click behind dialog \"Welcome\"",
        ),
        (
            &asked,
            on("button", "Start"),
            "click button \"Start\" in dialog \"Welcome\"",
        ),
        (
            &asked,
            json!({"kind": "type", "target": {"role": "button", "name": "Play"}, "text": "5\n"}),
            "click behind dialog \"Welcome\"",
        ),
        (
            &asked,
            json!({"kind": "key", "key": "Escape"}),
            "press Escape in dialog \"Welcome\"",
        ),
    ] {
        let told = judged(json!({}), &[], &step(screen, &action, screen)).action_text;
        assert_eq!(told, text);
    }
}

#[test]
fn a_line_is_never_longer_than_the_contract_has_it() {
    let long = "語".repeat(5_000);
    let click = json!({"kind": "click", "target": {"role": long, "name": long}});
    let mut action = click.clone();
    action["after"] = json!(vec![click; 8]);
    let screen = json!({"screen": "a"});
    let told = judged(json!({}), &[], &step(&screen, &action, &screen)).action_text;
    assert!(told.len() <= 4 << 10 && told.ends_with('…'));
}

#[test]
fn what_does_not_fit_is_refused_by_its_name() {
    let screen = json!({"screen": "a"});
    let cases = [
        (json!({}), json!({"kind": "type"}), "action.text"),
        (json!({}), json!({"kind": "click"}), "action.target"),
        (json!({}), json!({"kind": "jump"}), "action.kind"),
        (
            json!({}),
            json!({"kind": "wait", "after": [{"kind": "wait"}, {"kind": "key"}]}),
            "action.after[1].key",
        ),
        (
            json!({}),
            json!({"kind": "wait", "after": [{"kind": "wait", "after": [{"kind": "wait"}]}]}),
            "action.after[0].after",
        ),
        (
            json!({}),
            json!({"kind": "wait", "after": vec![json!({"kind": "wait"}); 9]}),
            "action.after",
        ),
        (
            json!({"now": [{"name": "BPM", "property": "text"}]}),
            json!({"kind": "wait"}),
            "expectations.now[0].is",
        ),
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
