//! Learning through the program, by several processes at once.

use serde_json::{Value, json};

use crate::support::Scratch;

const TASK: &str = "count the rows of the sales sheet";
const RUNS: usize = 25;

fn step(action: &str, error: Option<&str>) -> Value {
    let failure = error.map(|error| json!({ "reason": "exit 1", "evidence": error }));
    json!({
        "step": { "before": "", "action": { "command": [action] }, "observation": {} },
        "feedback": { "action-text": action, "hard-failure": failure, "constraint-failure": [] },
    })
}

/// The calls of one whole run; `errs` says whether the agent fails first.
fn run(id: &str, errs: bool) -> String {
    let new = json!({ "id": id, "task": TASK, "domain": "cli", "hold-out": 0.0 });
    let mut calls = format!("runs.start {}\n", json!({ "run": new }));
    let brief = json!({ "run": id, "request": {} });
    calls.push_str(&format!("runs.brief {brief}\n"));
    let mut steps = vec![step("gridtool count rows=5", None)];
    if errs {
        steps.insert(
            0,
            step(
                "gridtool count --rows 5",
                Some("gridtool: unknown option --rows"),
            ),
        );
    }
    for step in steps {
        let observed = json!({ "run": id, "observed": step });
        calls.push_str(&format!("runs.observe {observed}\n"));
    }
    calls.push_str(&format!(
        "runs.finish {}\n",
        json!({ "run": id, "ending": {} })
    ));
    calls
}

fn learn(project: &Scratch, calls: &str) {
    let ran = project.run_with(&["call", "--lines"], calls.as_bytes());
    let answers = ran.stdout();
    assert_eq!(
        answers.lines().count(),
        calls.lines().count(),
        "{}",
        ran.stderr()
    );
    let refused = answers.lines().find(|line| line.starts_with("{\"error\""));
    assert_eq!(refused, None);
}

#[test]
fn two_processes_that_learn_at_once_lose_no_activation_and_no_counter() {
    let project = Scratch::new();
    learn(&project, &run("first", true));
    std::thread::scope(|scope| {
        for process in ["left", "right"] {
            let project = &project;
            scope.spawn(move || {
                let calls: String = (0..RUNS)
                    .map(|number| run(&format!("{process}-{number}"), number % 5 == 4))
                    .collect();
                learn(project, &calls);
            });
        }
    });
    let lessons = project.run(&["call", "lessons.find", "{}"]).json();
    let shown = &lessons[0]["usefulness"];
    // Every run was briefed; every fifth one failed and was told again.
    assert_eq!(shown["shown-runs"], 2 * RUNS, "{lessons:#}");
    assert_eq!(shown["activations"], 2 * RUNS + 2 * RUNS / 5);
    assert_eq!(lessons[0]["status"], "promoted");
    let activations = project
        .run(&["call", "lessons.activations", r#"{"limit":1000}"#])
        .json();
    let activations = activations.as_array().expect("a list");
    assert_eq!(activations.len(), 2 * RUNS);
    assert!(
        activations
            .iter()
            .all(|activation| !activation["outcome"].is_null())
    );
    let status = project.status();
    assert_eq!(status["episodes"], 2 * RUNS + 1);
    assert_eq!(status["events"], 2 * RUNS / 5 + 1);
    assert_eq!(project.run(&["doctor"]).code(), 0);
}

/// One session of an agent: each step with its error, if it fails. No lesson is withheld.
fn session(id: &str, task: &str, briefed: bool, steps: &[(&str, Option<&str>)]) -> String {
    let new = json!({ "id": id, "task": task, "domain": "cli", "hold-out": 0.0 });
    let mut calls = format!("runs.start {}\n", json!({ "run": new }));
    if briefed {
        let brief = json!({ "run": id, "request": {} });
        calls.push_str(&format!("runs.brief {brief}\n"));
    }
    for (action, error) in steps {
        let observed = json!({ "run": id, "observed": step(action, *error) });
        calls.push_str(&format!("runs.observe {observed}\n"));
    }
    let finish = json!({ "run": id, "ending": {} });
    calls + &format!("runs.finish {finish}\n")
}

const WRONG: (&str, Option<&str>) = (
    "gridtool count --rows 5",
    Some("gridtool: unknown option --rows"),
);
const RIGHT: (&str, Option<&str>) = ("gridtool count rows=5", None);

/// The only lesson of a project.
fn lesson(project: &Scratch) -> Value {
    let lessons = project.run(&["call", "lessons.find", "{}"]).json();
    assert_eq!(lessons.as_array().map(Vec::len), Some(1), "{lessons:#}");
    lessons[0].clone()
}

#[test]
fn five_sessions_of_fail_hint_follow_work_promote_a_lesson_that_was_learned_from_one_failure() {
    let project = Scratch::new();
    learn(&project, &session("first", TASK, false, &[WRONG, RIGHT]));
    assert_eq!(lesson(&project)["status"], "candidate");
    for number in 0..5 {
        let (id, task) = (format!("session-{number}"), format!("sheet {number}"));
        learn(&project, &session(&id, &task, false, &[WRONG, RIGHT]));
    }
    let lesson = lesson(&project);
    assert_eq!(lesson["status"], "promoted", "{lesson:#}");
    assert_eq!(lesson["usefulness"]["helped"], 5, "{lesson:#}");
}

#[test]
fn five_sessions_under_other_names_promote_the_lesson_that_was_followed() {
    let project = Scratch::new();
    let work = |id: &str, name: &str| {
        let error = format!("error: pathspec '{name}' did not match any file(s) known to git");
        let (wrong, right) = (
            format!("git checkout {name}"),
            format!("git checkout -b {name}"),
        );
        let steps = [(wrong.as_str(), Some(error.as_str())), (&right, None)];
        learn(&project, &session(id, "", false, &steps));
    };
    work("first", "topic");
    let first = lesson(&project);
    for name in ["draft", "parser", "cache", "login", "search"] {
        work(name, name);
    }
    let after = project.call("lessons.get", &json!({ "lesson": first["id"] }));
    assert_eq!(after["status"], "promoted", "{after:#}");
    assert_eq!(after["usefulness"]["helped"], 5, "{after:#}");
}

#[test]
fn eight_runs_of_an_ignored_warning_leave_it_where_it_was() {
    let project = Scratch::new();
    let sealed = (
        "fluxtool drain pump",
        Some("fluxtool: the pump is sealed and nobody can drain it"),
    );
    let stubborn = [sealed, sealed, ("fluxtool heat tank", None)];
    learn(
        &project,
        &session("first", "drain the pump", true, &stubborn),
    );
    let warning = lesson(&project);
    let rule = warning["rule-text"].as_str().expect("a rule");
    assert!(rule.starts_with("AVOID: "), "{rule}");
    let id = json!({ "lesson": warning["id"] });
    for number in 0..8 {
        let id = format!("stubborn-{number}");
        learn(&project, &session(&id, "drain the pump", true, &stubborn));
    }
    // What worked in the end is a lesson of its own by now.
    let after = project.call("lessons.get", &id);
    assert_eq!(after["status"], "candidate", "{after:#}");
    assert_eq!(after["usefulness"]["activations"], 8, "{after:#}");
    for count in ["helped", "harmed"] {
        assert_eq!(after["usefulness"][count], 0, "{after:#}");
    }
}

#[test]
fn twenty_showings_that_do_not_fit_leave_a_lesson_where_it_was() {
    let project = Scratch::new();
    learn(&project, &session("first", TASK, false, &[WRONG, RIGHT]));
    let before = lesson(&project);
    // The same error, for somebody who wants something else.
    let other = ("gridtool count --rows red", WRONG.1);
    let calls: String = (0..20)
        .map(|number| {
            let (id, task) = (format!("other-{number}"), format!("painting {number}"));
            session(&id, &task, false, &[other, other, ("gridtool help", None)])
        })
        .collect();
    learn(&project, &calls);
    let lessons = project.run(&["call", "lessons.find", "{}"]).json();
    let lessons = lessons.as_array().expect("a list");
    let after = lessons.iter().find(|one| one["id"] == before["id"]);
    let after = after.expect("the lesson");
    let count = &after["usefulness"]["shown-runs"];
    assert_eq!(count, 20, "it was shown in each of them: {after:#}");
    assert_eq!(after["status"], before["status"], "{after:#}");
    assert_eq!(after["reliability"], before["reliability"], "{after:#}");
    learn(&project, &session("again", TASK, false, &[WRONG, RIGHT]));
    let id = before["id"].as_str().expect("an id");
    let filter = json!({ "filter": { "lesson": id, "run": "again" } });
    let shown = project.call("lessons.activations", &filter);
    assert_eq!(shown[0]["outcome"]["verdict"], "helped", "{shown:#}");
}
