//! An agent of the simulated year: it knows no tool, and does what its hints say.
//!
//! Owns how a run goes. Each run is another agent: all it knows comes from the memory.

use std::{collections::BTreeSet, time::Instant};

use twiceshy_engine::Engine;
use twiceshy_wit::{
    adapter::{Failure, Feedback, Step},
    memory::{
        BriefingRequest, Ending, FailureContext, Hint, NewRun, Observed, Outcome, Recall, Runs,
    },
};

use super::{
    calendar::Day,
    chance::Chance,
    trade::{FORMS, Family, Operation},
};

/// How often an agent gives up after an attempt that failed.
const GIVES_UP: f64 = 0.03;

/// How often an agent begins with the plainest form, if it knows nothing.
const HABIT: f64 = 0.5;

/// What fixes were found in runs that are over: by tool, operation, wrong form and right form.
pub type Taught = BTreeSet<(usize, usize, usize, usize)>;

/// One run.
pub struct Job<'w> {
    pub family: &'w Family,
    pub number: usize,
    pub day: u32,
    pub luck: Chance,
}

impl Job<'_> {
    /// Does the work and notes how it went. `tick` lets time pass.
    pub fn work(&self, engine: &Engine, taught: &mut Taught, day: &mut Day, tick: &dyn Fn()) {
        let family = self.family;
        let variant = self.luck.bits(10, 0, 0) % 3;
        let new = NewRun {
            task: family.task(variant),
            domain: family.domain.clone(),
            task_type: Some(family.task_type.to_owned()),
            agent: Some(format!("agent-{}", self.luck.bits(11, 0, 0) % 4)),
            ..NewRun::default()
        };
        let run = engine.start(&new).expect("a run starts");
        let request = BriefingRequest {
            limit: None,
            tokens: None,
        };
        let briefing = engine.brief(&run.id, &request).expect("a briefing");
        day.briefed += briefing.hints.len() as u32;
        let fits = |hint: &&Hint| hint.lesson.rule_text.contains(family.tool);
        day.relevant += briefing.hints.iter().filter(fits).count() as u32;
        let mut hints = briefing.hints;
        let mut found = Vec::new();
        let mut reached = true;
        // Each variant of the task leaves one operation out.
        let left_out = variant as usize + 1;
        for (place, operation) in family.operations.iter().enumerate() {
            if place == left_out {
                continue;
            }
            let file = family.file(self.luck.bits(12, place as u64, 0));
            let right = operation.right(self.day);
            let mut tried = Vec::new();
            loop {
                tick();
                let form = self.choose(operation, place, &hints, &tried);
                let action = operation.action(family.tool, form, &file);
                if form == right {
                    let observed = observed(&action, None);
                    engine.observe(&run.id, &observed).expect("a step");
                    found.extend(
                        tried
                            .iter()
                            .map(|wrong| (self.number, place, *wrong, right)),
                    );
                    break;
                }
                day.failures += 1;
                let line = self.luck.bits(13, place as u64, tried.len() as u64) % 900;
                let error = operation.error(family.tool, form, self.day, &file, line);
                let observed = observed(&action, Some(&error));
                let reaction = engine.observe(&run.id, &observed).expect("a step");
                hints.splice(0..0, reaction.hints);
                tried.push(form);
                let luck = self.luck.uniform(14, place as u64, tried.len() as u64);
                if luck < GIVES_UP || tried.len() > FORMS {
                    reached = false;
                    break;
                }
            }
            if !reached {
                break;
            }
        }
        tick();
        let ending = Ending {
            outcome: Some(match reached {
                true => Outcome::Success,
                false => Outcome::Failure,
            }),
            score: Some(f64::from(u8::from(reached))),
            referee: None,
        };
        engine.finish(&run.id, &ending).expect("a run ends");
        taught.extend(found);
        day.runs += 1;
        day.reached += u32::from(reached);
    }

    /// The form that a hint says, or one that was not tried yet.
    fn choose(
        &self,
        operation: &Operation,
        place: usize,
        hints: &[Hint],
        tried: &[usize],
    ) -> usize {
        for hint in hints {
            let Some((_, correct)) = hint.lesson.rule_text.split_once("CORRECT: ") else {
                continue;
            };
            let said = (0..FORMS).find(|form| {
                !tried.contains(form)
                    && correct == operation.action(self.family.tool, *form, "<path>")
            });
            if let Some(form) = said {
                return form;
            }
        }
        let luck = self.luck.bits(15, place as u64, tried.len() as u64);
        if tried.is_empty() && self.luck.uniform(16, place as u64, 0) < HABIT {
            return 0;
        }
        let left: Vec<_> = (0..FORMS).filter(|form| !tried.contains(form)).collect();
        match left.is_empty() {
            true => luck as usize % FORMS,
            false => left[luck as usize % left.len()],
        }
    }
}

/// Asks the memory for the way out of failures that an earlier run got out of, whatever runs are shown: at most so many
/// of those that still hold.
pub fn probe(engine: &Engine, trades: &[Family], taught: &Taught, most: usize, day: &mut Day) {
    let number = day.day;
    let holds = |(family, place, _, right): &&(usize, usize, usize, usize)| {
        trades[*family].operations[*place].right(number) == *right
    };
    let known: Vec<_> = taught.iter().filter(holds).collect();
    let stride = known.len().div_ceil(most).max(1);
    // Another part of them every day.
    for (family, place, wrong, right) in known
        .into_iter()
        .skip(number as usize % stride)
        .step_by(stride)
    {
        let family = &trades[*family];
        let operation = &family.operations[*place];
        let file = family.file(u64::from(number) * 31 + *place as u64);
        let failure = FailureContext {
            evidence: operation.error(family.tool, *wrong, number, &file, 7),
            fingerprint: None,
            action_text: Some(operation.action(family.tool, *wrong, &file)),
            domain: family.domain.clone(),
            task: family.task(u64::from(number) % 3),
            limit: None,
            tokens: None,
        };
        let before = Instant::now();
        let hints = engine.on_error(&failure).expect("recall");
        day.recall_us.push(before.elapsed().as_micros() as u32);
        let answer = operation.action(family.tool, *right, "<path>");
        let correct = format!("CORRECT: {answer}");
        let answers = |hint: &Hint| hint.lesson.rule_text.ends_with(&correct);
        day.known += 1;
        day.recalled += u32::from(hints.iter().any(answers));
    }
}

fn observed(action: &str, error: Option<&str>) -> Observed {
    let (exit, stderr) = match error {
        None => (0, ""),
        Some(error) => (1, error),
    };
    Observed {
        step: Step {
            before: String::new(),
            action: serde_json::json!({ "command": action.split(' ').collect::<Vec<_>>() })
                .to_string(),
            observation: serde_json::json!({ "exit": exit, "stderr": stderr }).to_string(),
        },
        feedback: Feedback {
            action_text: action.to_owned(),
            hard_failure: error.map(|error| Failure {
                reason: "exit 1".to_owned(),
                evidence: error.to_owned(),
            }),
            constraint_failure: Vec::new(),
            progress_signal: None,
            efficiency_signal: None,
        },
    }
}
