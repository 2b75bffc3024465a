//! What the tests of moves share.

use serde_json::{Value, json};
use twiceshy_adapter::{Assess, Feedback, Goal, Judge, PastStep, Step};
use twiceshy_adapter_navigation::Navigation;

pub fn goal(expectations: Value) -> Goal {
    Goal {
        task: "reach the goal".into(),
        domain: "navigation".into(),
        expectations: expectations.to_string(),
    }
}

pub fn step(before: Value, action: &str, after: Value) -> Step {
    Step {
        before: before.to_string(),
        action: json!({ "name": action }).to_string(),
        observation: after.to_string(),
    }
}

pub fn judged(expectations: Value, recent: &[PastStep], step: &Step) -> Feedback {
    let judge = Judge::<Navigation>::new();
    judge.assess(&goal(expectations), recent, step).unwrap()
}

/// A walk through some positions, and the feedback on its last move.
pub fn walk(expectations: &Value, positions: &[[f64; 2]]) -> Feedback {
    let mut recent: Vec<PastStep> = Vec::new();
    let mut last = None;
    for pair in positions.windows(2) {
        let step = step(
            json!({"position": pair[0]}),
            "forward",
            json!({"position": pair[1]}),
        );
        let from = recent.len().saturating_sub(16);
        let feedback = judged(expectations.clone(), &recent[from..], &step);
        recent.push(PastStep {
            step,
            feedback: feedback.clone(),
        });
        last = Some(feedback);
    }
    last.expect("at least one move")
}

pub fn conditions(feedback: &Feedback) -> Vec<&str> {
    let violations = feedback.constraint_failure.iter();
    violations
        .map(|violation| violation.condition.as_str())
        .collect()
}
