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
