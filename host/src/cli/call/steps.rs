//! Steps by way of an adapter: the host's own functions beside those of the memory.
//!
//! Owns `adapters.assess` and `adapters.observe`: an agent in any language hands in a raw step, and a sandboxed adapter
//! makes it feedback. Whoever has feedback of their own calls `runs.observe` instead, or hands it in for the case that
//! the adapter fails: then the run goes on without it, and the answer says so.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::json;
use twiceshy::{
    Adapters, Memory, RawStep,
    wit::{
        Field, Function, Parameter, Record, Type,
        adapter::{Goal, PastStep, Step},
        nouns::{adapter, hint_types},
    },
};

use crate::cli::{failure::Failure, show};

const fn parameter(name: &'static str, ty: Type) -> Parameter {
    Parameter { name, ty }
}

/// The functions, described as those of the contract are.
pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        interface: "adapters",
        name: "assess",
        docs: "Judges one step by an adapter, and keeps nothing.",
        parameters: &[
            parameter("adapter", Type::Text),
            parameter("goal", Type::Record(&adapter::GOAL)),
            parameter("recent", Type::List(&Type::Record(&adapter::PAST_STEP))),
            parameter("step", Type::Record(&adapter::STEP)),
        ],
        result: Some(Type::Record(&adapter::FEEDBACK)),
    },
    Function {
        interface: "adapters",
        name: "observe",
        docs: "Judges one step of an open run by an adapter and takes it in: `runs.observe` with the adapter's feedback. Without `adapter`, the one for the run's domain. If it fails, the given `feedback` is taken, or there is an error and nothing is taken in.",
        parameters: &[
            parameter("adapter", Type::Option(&Type::Text)),
            parameter("run", Type::Text),
            parameter("expectations", Type::Json),
            parameter("step", Type::Record(&adapter::STEP)),
            parameter("feedback", Type::Option(&Type::Record(&adapter::FEEDBACK))),
        ],
        result: Some(Type::Record(&JUDGED)),
    },
];

static JUDGED: Record = Record {
    name: "judged",
    docs: "A step that was judged and taken in.",
    fields: &[
        Field {
            name: "feedback",
            ty: Type::Record(&adapter::FEEDBACK),
            docs: "What was said of the step.",
        },
        Field {
            name: "reaction",
            ty: Type::Record(&hint_types::REACTION),
            docs: "What the memory makes of it.",
        },
        Field {
            name: "adapter-error",
            ty: Type::Option(&Type::Record(&ADAPTER_ERROR)),
            docs: "Why the adapter failed, if it did and the given feedback was taken instead.",
        },
    ],
};

static ADAPTER_ERROR: Record = Record {
    name: "adapter-error",
    docs: "Why an adapter failed.",
    fields: &[
        Field {
            name: "kind",
            ty: Type::Text,
            docs: "The kind of error.",
        },
        Field {
            name: "message",
            ty: Type::Text,
            docs: "What happened, and what to do.",
        },
    ],
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Assess {
    adapter: String,
    goal: Goal,
    #[serde(default)]
    recent: Vec<PastStep>,
    step: Step,
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
        _ if method.starts_with("adapters.") => Some(Err(Failure::input(format!(
            "there is no function `{method}`; `adapters` has adapters.assess, adapters.observe"
        )))),
        _ => None,
    }
}

fn assess(adapters: &Adapters, given: &Assess) -> Result<String, Failure> {
    let adapter = adapters.get(&given.adapter)?;
    write(&adapter.assess(&given.goal, &given.recent, &given.step)?)
}

fn observe(memory: &Memory, adapters: &Adapters, given: RawStep) -> Result<String, Failure> {
    let judged = adapters.observe(memory, given)?;
    let mut answer = json!({ "feedback": judged.feedback, "reaction": judged.reaction });
    if let Some(error) = judged.adapter_error {
        answer["adapter-error"] = Failure::from(error).json();
    }
    write(&answer)
}

fn read<T: DeserializeOwned>(arguments: &str) -> Result<T, Failure> {
    serde_json::from_str(arguments).map_err(|error| Failure::input(format!("arguments: {error}")))
}

fn write(result: &impl Serialize) -> Result<String, Failure> {
    show::json(result).map_err(|error| Failure::other(error.to_string()))
}
