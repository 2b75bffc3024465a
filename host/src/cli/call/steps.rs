//! Steps by way of an adapter: the host's own functions beside those of the memory.
//!
//! Owns `adapters.assess` and `adapters.observe`: an agent in any language hands in a raw step, and a sandboxed adapter
//! makes it feedback. Whoever has feedback of their own calls `runs.observe` instead.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use twiceshy::{
    Adapters, Memory, limits,
    wit::{
        adapter::{Feedback, Goal, PastStep, Step},
        memory::{Observed, Reaction, Runs},
    },
};

use crate::cli::failure::Failure;

/// The functions, with their arguments, results and what they do.
pub(crate) const FUNCTIONS: [(&str, &str, &str, &str); 2] = [
    (
        "adapters.assess",
        "{\"adapter\": string, \"goal\": goal, \"recent\": list<past-step> (optional), \"step\": step}",
        "feedback",
        "Judges one step by an adapter, and keeps nothing.",
    ),
    (
        "adapters.observe",
        "{\"adapter\": string, \"run\": string, \"expectations\": json (optional), \"step\": step}",
        "{\"feedback\": feedback, \"reaction\": reaction}",
        "Judges one step of an open run by an adapter and takes it in: `runs.observe` with the adapter's feedback.",
    ),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Assess {
    adapter: String,
    goal: Goal,
    #[serde(default)]
    recent: Vec<PastStep>,
    step: Step,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Observe {
    adapter: String,
    run: String,
    #[serde(default)]
    expectations: String,
    step: Step,
}

#[derive(Serialize)]
struct Judged {
    feedback: Feedback,
    reaction: Reaction,
}

/// Calls a function of the host, if it is one.
pub(crate) fn call(
    memory: &Memory,
    adapters: &Adapters,
    method: &str,
    arguments: &str,
) -> Option<Result<String, Failure>> {
    match method {
        "adapters.assess" => Some(read(arguments).and_then(|given| assess(adapters, &given))),
        "adapters.observe" => {
            Some(read(arguments).and_then(|given| observe(memory, adapters, given)))
        }
        _ => None,
    }
}

fn assess(adapters: &Adapters, given: &Assess) -> Result<String, Failure> {
    let adapter = adapters.get(&given.adapter)?;
    write(&adapter.assess(&given.goal, &given.recent, &given.step)?)
}

fn observe(memory: &Memory, adapters: &Adapters, given: Observe) -> Result<String, Failure> {
    let adapter = adapters.get(&given.adapter)?;
    let run = memory.get(&given.run)?;
    let goal = Goal {
        task: run.task,
        domain: run.domain,
        expectations: given.expectations,
    };
    let recent = memory.latest_steps(&given.run, limits::RECENT_STEPS)?;
    let feedback = adapter.assess(&goal, &recent, &given.step)?;
    let observed = Observed {
        step: given.step,
        feedback,
    };
    let reaction = memory.observe(&given.run, &observed)?;
    write(&Judged {
        feedback: observed.feedback,
        reaction,
    })
}

fn read<T: DeserializeOwned>(arguments: &str) -> Result<T, Failure> {
    serde_json::from_str(arguments).map_err(|error| Failure::input(format!("arguments: {error}")))
}

fn write(result: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(result).map_err(|error| Failure::other(error.to_string()))
}
