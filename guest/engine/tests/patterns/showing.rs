//! Wherever a pattern surfaces, its conditions hold.

use super::*;
use crate::support::{ending, failure};
use twiceshy_wit::{
    memory::{Events, NewRun, SystemContext, Working},
    rpc,
};

const TASK: &str = "deploy the billing gateway with the blue switch";

/// Who shows the pattern when a task is asked about, in every way that there is.
fn showers(engine: &Engine, task: &str) -> Vec<&'static str> {
    let asked = [
        (
            "recall.for-task",
            json!({ "task": { "task": task, "domain": "cli", "recent-fingerprints": [] } }),
        ),
        (
            "recall.on-error",
            json!({ "failure": { "evidence": "gateway: the switch is stuck", "domain": "cli", "task": task } }),
        ),
        (
            "recall.context",
            json!({ "request": { "task": task, "domain": "cli", "features": [] } }),
        ),
    ];
    let mut showers = Vec::new();
    for (method, arguments) in asked {
        let answer = rpc::call(engine, method, &arguments.to_string()).unwrap();
        if answer.contains("blue switch first") {
            showers.push(method);
        }
    }
    let open = engine.start(&run(task)).unwrap();
    let brief = json!({ "run": open.id, "request": {} }).to_string();
    if rpc::call(engine, "runs.brief", &brief)
        .unwrap()
        .contains("blue switch first")
    {
        showers.push("runs.brief");
    }
    engine.finish(&open.id, &ending()).unwrap();
    showers
}

#[test]
fn a_pattern_is_shown_nowhere_where_its_conditions_do_not_hold() {
    let world = World::new();
    let engine = world.engine();
    let stuck = engine.fingerprint_of("gateway: the switch is stuck").id;
    let requirement = |value: &str| Requirement {
        feature: "task".to_owned(),
        test: FeatureTest::Contains,
        value: value.to_owned(),
    };
    let made = engine
        .add(&NewPattern {
            applicability: Some(Applicability {
                context_conditions: vec![requirement("gateway")],
                anti_conditions: vec![requirement("production")],
                ..Applicability::default()
            }),
            trigger_fingerprints: vec![stuck],
            domain: Some("cli".to_owned()),
            ..new(LessonKind::Rule, "deploy the gateway: blue switch first")
        })
        .unwrap();
    engine
        .set_status(&made.lesson.id, LessonStatus::Promoted, "it works")
        .unwrap();
    let shown = showers(&engine, TASK);
    for method in [
        "recall.for-task",
        "recall.on-error",
        "recall.context",
        "runs.brief",
    ] {
        assert!(shown.contains(&method), "{method}: {shown:?}");
    }
    let none: [&str; 0] = [];
    assert_eq!(showers(&engine, &format!("{TASK} in production")), none);
    assert_eq!(showers(&engine, &TASK.replace("gateway", "portal")), none);
}

#[test]
fn a_pattern_of_one_type_of_task_is_not_shown_in_a_run_of_another() {
    let world = World::new();
    let engine = world.engine();
    let error = "gateway: the switch is stuck";
    let made = engine
        .add(&NewPattern {
            applicability: Some(applying(&["feature"], &[])),
            trigger_fingerprints: vec![engine.fingerprint_of(error).id],
            domain: Some("cli".to_owned()),
            ..new(LessonKind::Rule, "deploy the gateway: blue switch first")
        })
        .unwrap();
    engine
        .set_status(&made.lesson.id, LessonStatus::Promoted, "it works")
        .unwrap();
    for (task_type, is_shown) in [("feature", true), ("refactoring", false)] {
        let new = NewRun {
            task_type: Some(task_type.to_owned()),
            hold_out: Some(0.0),
            ..run(TASK)
        };
        let open = engine.start(&new).unwrap();
        let brief = json!({ "run": open.id, "request": {} }).to_string();
        let told = rpc::call(&engine, "runs.brief", &brief).unwrap();
        assert_eq!(told.contains("blue switch first"), is_shown, "{told}");
        let failed = engine
            .observe(&open.id, &failure("gate up", error))
            .unwrap();
        assert_eq!(!failed.hints.is_empty(), is_shown, "{task_type}");
        engine.finish(&open.id, &ending()).unwrap();
    }
}

#[test]
fn patterns_that_apply_are_found_behind_a_thousand_that_do_not() {
    let world = World::new();
    let engine = world.engine();
    let wanted = |value: &str| Applicability {
        context_conditions: vec![Requirement {
            feature: "colour".to_owned(),
            test: FeatureTest::Equals,
            value: value.to_owned(),
        }],
        ..Applicability::default()
    };
    let add = |name: &str, colour: &str, confidence: f64| {
        let made = NewPattern {
            applicability: Some(wanted(colour)),
            confidence: Some(confidence),
            ..new(LessonKind::Rule, &format!("paint it {name}"))
        };
        let made = engine.add(&made).unwrap();
        engine
            .set_status(&made.lesson.id, LessonStatus::Promoted, "it works")
            .unwrap();
    };
    add("sky", "blue", 0.1);
    for number in 0..1_100 {
        add(&format!("number {number}"), "red", 0.9);
    }
    let task = json!({ "task": {
        "task": "paint", "task-type": "", "domain": "cli", "capabilities": [],
        "features": [{ "name": "colour", "value": "blue" }],
    } });
    let found = rpc::call(&engine, "patterns.find-applicable", &task.to_string()).unwrap();
    assert!(found.contains("paint it sky"), "{found}");
}

#[test]
fn a_note_is_found_by_its_statement_and_its_conditions() {
    let world = World::new();
    let engine = world.engine();
    let note = NewPattern {
        applicability: Some(Applicability {
            conditions: vec!["Writing Express route handlers in strict mode".to_owned()],
            ..Applicability::default()
        }),
        correct_approach: Some("add `: void` to the signature".to_owned()),
        incorrect_approach: Some("leaving out the annotation".to_owned()),
        ..new(
            LessonKind::Rule,
            "Callbacks of the router need explicit return types",
        )
    };
    let id = engine.add(&note).unwrap().lesson.id;
    for task in [
        "callbacks of the router need return types",
        "writing Express route handlers",
    ] {
        let context = TaskContext {
            task: task.to_owned(),
            domain: "web".to_owned(),
            ..TaskContext::default()
        };
        let hints = engine.for_task(&context).unwrap();
        assert!(hints.iter().any(|hint| hint.lesson.id == id), "{task}");
        let request = json!({ "request": { "task": task, "domain": "web", "features": [] } });
        let told = rpc::call(&engine, "recall.context", &request.to_string()).unwrap();
        assert!(told.contains(&id), "{task}: {told}");
    }
}

/// Where a pattern is shown that is kept away from something, in a run of an agent with its tools and tags.
fn shown_in_a_run(engine: &Engine, run: &NewRun, tools: &[&str]) -> Vec<&'static str> {
    let open = engine.start(run).unwrap();
    let said = Description {
        tools_used: tools.iter().map(|tool| (*tool).to_owned()).collect(),
        ..Description::default()
    };
    engine.describe(&open.id, &said).unwrap();
    engine.init(&open.id, &SystemContext::default()).unwrap();
    let brief = json!({ "run": open.id, "request": {} }).to_string();
    let search = json!({ "run": open.id, "query": { "text": "" } }).to_string();
    let asked = [("runs.brief", brief), ("working.retrieve", search)];
    let mut showers = Vec::new();
    for (method, arguments) in asked {
        let answer = rpc::call(engine, method, &arguments).unwrap();
        if answer.contains("blue switch first") {
            showers.push(method);
        }
    }
    let stuck = failure("gate up", "gateway: the switch is stuck");
    if !engine.observe(&open.id, &stuck).unwrap().hints.is_empty() {
        showers.push("runs.observe");
    }
    engine.finish(&open.id, &ending()).unwrap();
    showers
}

#[test]
fn a_pattern_is_kept_away_from_agents_tools_and_tags_wherever_a_run_meets_it() {
    let everywhere = ["runs.brief", "working.retrieve", "runs.observe"];
    for (feature, value) in [("agent", "robot"), ("tool", "wrench"), ("tag", "night")] {
        for keeps_away in [true, false] {
            let world = World::new();
            let engine = world.engine();
            let condition = vec![requirement(feature, FeatureTest::Equals, value)];
            let mut applicability = Applicability::default();
            match keeps_away {
                true => applicability.anti_conditions = condition,
                false => applicability.context_conditions = condition,
            }
            let made = engine
                .add(&NewPattern {
                    applicability: Some(applicability),
                    trigger_fingerprints: vec![
                        engine.fingerprint_of("gateway: the switch is stuck").id,
                    ],
                    domain: Some("cli".to_owned()),
                    ..new(LessonKind::Rule, "deploy the gateway: blue switch first")
                })
                .unwrap();
            promote(&engine, &made.lesson.id);
            let of = |agent: &str, tag: &str| NewRun {
                agent: Some(agent.to_owned()),
                tags: vec!["day".to_owned(), tag.to_owned()],
                hold_out: Some(0.0),
                ..run(TASK)
            };
            let meant = shown_in_a_run(&engine, &of("robot", "night"), &["hammer", "wrench"]);
            let other = shown_in_a_run(&engine, &of("person", "noon"), &["hammer", "saw"]);
            let (shown, hidden) = if keeps_away {
                (other, meant)
            } else {
                (meant, other)
            };
            assert_eq!(shown, everywhere, "{feature} {keeps_away}");
            let none: [&str; 0] = [];
            assert_eq!(hidden, none, "{feature} {keeps_away}");
        }
    }
}

#[test]
fn a_run_retrieves_patterns_of_its_own_type_of_task() {
    let world = World::new();
    let engine = world.engine();
    let made = engine
        .add(&NewPattern {
            applicability: Some(applying(&["feature"], &[])),
            domain: Some("cli".to_owned()),
            ..new(LessonKind::Rule, "deploy the gateway: blue switch first")
        })
        .unwrap();
    promote(&engine, &made.lesson.id);
    for (task_type, is_shown) in [("feature", true), ("refactoring", false)] {
        let new = NewRun {
            task_type: Some(task_type.to_owned()),
            hold_out: Some(0.0),
            ..run(TASK)
        };
        let shown = shown_in_a_run(&engine, &new, &[]);
        assert_eq!(shown.contains(&"working.retrieve"), is_shown, "{task_type}");
    }
}
