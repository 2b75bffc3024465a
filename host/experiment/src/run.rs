//! One run: an executor, a tool, the adapter, and the memory if there is one.
//!
//! Every step goes the same way: action, tool, adapter, memory, hints. Owns that way and nothing of what
//! they decide.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicBool, Ordering},
};

use serde_json::json;
use twiceshy_wit::{
    adapter::{Assess, Feedback, Goal, PastStep, Step},
    memory::{
        ActivationFilter, BriefingRequest, Ending, NewRun, Observed, Outcome, Referee, Verdict,
    },
};

use crate::{
    clock::SimulatedClock,
    executor::{Assignment, Executor, Following, Move, Seen, Told},
    lab::{Failure, Learner},
    plan::{Arm, Planned},
    story::{Happening, Watch},
    tools::{Ran, Tool},
};

/// The domain of commands.
pub(crate) const DOMAIN: &str = "cli";

/// A run is given up after so many times the steps that its task needs.
const PATIENCE: u32 = 20;

/// A run is given up after so many answers in a row that are none.
const TROUBLES: u32 = 3;

/// Earlier steps that an adapter is given.
const RECENT: usize = 16;

/// What surrounds a run.
pub(crate) struct Surroundings<'a> {
    pub(crate) seed: u32,
    pub(crate) arm: Arm,
    pub(crate) adapter: &'a dyn Assess,
    pub(crate) memory: Option<&'a dyn Learner>,
    /// Who tells fingerprints, with or without a memory in the run.
    pub(crate) fingerprints: &'a dyn Learner,
    pub(crate) clock: &'a SimulatedClock,
    pub(crate) evaluator: bool,
    pub(crate) watch: &'a Watch<'a>,
    /// Set when everything is to stop.
    pub(crate) stop: &'a AtomicBool,
}

/// What came of a run, before it is compared with anything.
pub(crate) struct Outcomes {
    pub(crate) passed: bool,
    pub(crate) score: f64,
    pub(crate) steps: u32,
    pub(crate) errors: u32,
    pub(crate) troubles: u32,
    pub(crate) fingerprints: Vec<String>,
    pub(crate) following: Following,
    pub(crate) activations: Vec<twiceshy_wit::memory::Activation>,
}

/// Makes the executor of a run.
pub type Hire<'a> = dyn for<'b> Fn(Assignment<'b>) -> Box<dyn Executor + 'b> + Sync + 'a;

/// Does one run from its start to its end.
pub(crate) fn run(
    planned: &Planned,
    around: &Surroundings<'_>,
    hire: &Hire<'_>,
) -> Result<Outcomes, Failure> {
    let task = planned.task;
    // Whether a lesson is withheld depends on the id of the run, so each seed has ids of its own.
    let name = format!("{}-{}", around.seed, planned.name());
    let briefing = match around.memory {
        Some(memory) => {
            memory.start(&NewRun {
                id: Some(name.clone()),
                task: task.text.to_owned(),
                domain: DOMAIN.to_owned(),
                hold_out: None,
                ..NewRun::default()
            })?;
            let request = BriefingRequest {
                limit: None,
                tokens: None,
            };
            let briefing = memory.brief(&name, &request)?;
            Told {
                hints: briefing.hints,
                text: briefing.text,
            }
        }
        None => Told::default(),
    };
    (around.watch)(&Happening::Started {
        seed: around.seed,
        arm: around.arm,
        phase: planned.phase,
        tool: planned.tool,
        run: planned.number,
        task: task.text,
        briefing: &briefing,
    });
    let goal = Goal {
        task: task.text.to_owned(),
        domain: DOMAIN.to_owned(),
        expectations: String::new(),
    };
    let mut executor = hire(Assignment {
        task,
        docs: planned.docs.then(|| task.tool.docs()),
        briefing: &briefing,
    });
    let mut files = task.files();
    let mut recent: Vec<PastStep> = Vec::new();
    let mut seen: Option<(Ran, Told)> = None;
    let (mut steps, mut errors, mut troubles, mut in_a_row) = (0, 0, 0, 0);
    let mut fingerprints = Vec::new();
    while steps < PATIENCE * task.needed_steps() && in_a_row < TROUBLES {
        if around.stop.load(Ordering::Relaxed) {
            return Err(Failure::Stopped);
        }
        let action = match executor.next(seen.as_ref().map(|(ran, told)| Seen { ran, told })) {
            Move::Act(command) => command,
            Move::Done => break,
            Move::Trouble { cause, is_over } => {
                (around.watch)(&Happening::Troubled { cause: &cause });
                steps += 1;
                troubles += 1;
                in_a_row += 1;
                if is_over {
                    break;
                }
                continue;
            }
        };
        in_a_row = 0;
        steps += 1;
        around.clock.pass_seconds(1);
        let ran = execute(&action, &mut files);
        let step = Step {
            before: String::new(),
            action: json!({ "command": action }).to_string(),
            observation: json!({
                "exit": ran.exit, "stdout": ran.stdout, "stderr": ran.stderr, "duration-ms": 1,
            })
            .to_string(),
        };
        let feedback = around.adapter.assess(&goal, &recent, &step)?;
        let is_failure = failed(&feedback);
        if is_failure {
            errors += 1;
            fingerprints.push(around.fingerprints.fingerprint_of(&ran.stderr).id);
        }
        if recent.len() == RECENT {
            recent.remove(0);
        }
        recent.push(PastStep {
            step: step.clone(),
            feedback: feedback.clone(),
        });
        let told = match around.memory {
            Some(memory) => {
                let reaction = memory.observe(&name, &Observed { step, feedback })?;
                Told {
                    hints: reaction.hints,
                    text: reaction.text,
                }
            }
            None => Told::default(),
        };
        (around.watch)(&Happening::Stepped {
            command: &action,
            ran: &ran,
            told: &told,
        });
        seen = Some((ran, told));
    }
    let evaluation = task.evaluate(&files, steps);
    let following = executor.following();
    drop(executor);
    let mut activations = Vec::new();
    if let Some(memory) = around.memory {
        let outcome = match evaluation.passed {
            true => Outcome::Success,
            false => Outcome::Failure,
        };
        memory.finish(
            &name,
            &Ending {
                outcome: around.evaluator.then_some(outcome),
                score: around.evaluator.then_some(evaluation.score),
                referee: around.evaluator.then_some(Referee::Deterministic),
            },
        )?;
        activations = memory.activations(&ActivationFilter {
            lesson: None,
            run: Some(name),
            limit: Some(1_000),
        })?;
    }
    around.clock.pass_seconds(3_600);
    Ok(Outcomes {
        passed: evaluation.passed,
        score: evaluation.score,
        steps,
        errors,
        troubles,
        fingerprints,
        following,
        activations,
    })
}

/// Only the two tools are there, and they see only the files of the task.
fn execute(command: &[String], files: &mut BTreeMap<String, String>) -> Ran {
    let (name, arguments) = match command {
        [name, arguments @ ..] => (name.as_str(), arguments),
        [] => ("", command),
    };
    match Tool::named(name) {
        Some(tool) => tool.run(arguments, "", files),
        None => Ran {
            exit: 127,
            stdout: String::new(),
            stderr: format!("{name}: command not found\n"),
        },
    }
}

/// A step failed by the same channels as in the memory.
fn failed(feedback: &Feedback) -> bool {
    feedback.hard_failure.is_some()
        || !feedback.constraint_failure.is_empty()
        || feedback.progress_signal.is_some_and(|signal| signal <= 0.0)
}

impl Outcomes {
    /// Different failures.
    pub(crate) fn distinct(&self) -> BTreeSet<&str> {
        self.fingerprints.iter().map(String::as_str).collect()
    }

    /// Lessons that were shown and of which the memory says this.
    pub(crate) fn count(&self, verdicts: &[Verdict]) -> u32 {
        let counted = self.activations.iter().filter(|activation| {
            let verdict = activation.outcome.as_ref().map(|outcome| outcome.verdict);
            !activation.withheld && verdict.is_some_and(|verdict| verdicts.contains(&verdict))
        });
        u32::try_from(counted.count()).unwrap_or(u32::MAX)
    }
}
