//! The step that benchmarks judge: a failed command with an observation of 1 KB.

use twiceshy::wit::adapter::{Goal, Step};

/// Its goal, and the step.
pub fn step() -> (Goal, Step) {
    let goal = Goal {
        task: String::new(),
        domain: "cli".into(),
        expectations: String::new(),
    };
    let noise = "note: something that is not the error, at some length\n".repeat(16);
    let observation = serde_json::json!({
        "exit": 1,
        "stdout": "",
        "stderr": format!("{noise}error: cannot find value `x` in this scope\n"),
        "duration-ms": 12,
    });
    let action = serde_json::json!({ "command": ["rustc", "main.rs"] });
    let step = Step {
        before: String::new(),
        action: action.to_string(),
        observation: observation.to_string(),
    };
    (goal, step)
}
