//! The tools: what an agent can ask of the memory, in ten words that models know.
//!
//! Their names have no prefix: hosts put the server's name in front of them. Arguments that a tool does not know are left
//! alone, because some hosts add their own.

mod knowledge;
pub(super) mod look;
mod recall;
mod step;
mod task;

use std::sync::Arc;

use rmcp::{
    model::{Tool, ToolAnnotations},
    schemars::JsonSchema,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{
    answer::{Answer, Answered},
    connection::{Caller, Connection},
    schema,
};
use crate::cli::failure::Failure;

/// What a tool does to the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing.
    Reads,
    /// It adds something, each time.
    Adds,
    /// It adds or changes something; once more makes no difference.
    Sets,
    /// It takes something out of use.
    Removes,
}

/// A tool.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    title: &'static str,
    description: &'static str,
    pub(crate) effect: Effect,
    input: fn() -> Map<String, Value>,
    output: fn() -> Map<String, Value>,
    run: fn(&Connection, &Caller, Value) -> Answered,
}

/// What a tool takes, gives and does.
trait Act: DeserializeOwned + JsonSchema {
    type Output: Serialize + JsonSchema;

    fn act(
        self,
        connection: &Connection,
        caller: &Caller,
    ) -> Result<(String, Self::Output), Failure>;
}

impl Entry {
    /// Calls the tool with arguments as they came.
    pub(crate) fn call(
        &self,
        connection: &Connection,
        caller: &Caller,
        arguments: Value,
    ) -> Answered {
        (self.run)(connection, caller, arguments)
    }

    fn tool(&self) -> Tool {
        let mut annotations = ToolAnnotations::with_title(self.title)
            .read_only(self.effect == Effect::Reads)
            .open_world(false);
        if self.effect != Effect::Reads {
            annotations = annotations
                .destructive(self.effect == Effect::Removes)
                .idempotent(matches!(self.effect, Effect::Sets | Effect::Removes));
        }
        Tool::new(self.name, self.description, Arc::new((self.input)()))
            .with_title(self.title)
            .with_raw_output_schema(Arc::new((self.output)()))
            .with_annotations(annotations)
    }
}

const fn entry<A: Act>(
    name: &'static str,
    title: &'static str,
    effect: Effect,
    description: &'static str,
) -> Entry {
    Entry {
        name,
        title,
        description,
        effect,
        input: schema::of::<A>,
        output: schema::of::<A::Output>,
        run: run::<A>,
    }
}

fn run<A: Act>(connection: &Connection, caller: &Caller, arguments: Value) -> Answered {
    let given: A = serde_json::from_value(arguments).map_err(|error| {
        Failure::input(format!(
            "The arguments do not fit: {error}. The tool's input schema says what it takes."
        ))
    })?;
    let (text, output) = given.act(connection, caller)?;
    Answer::new(text, &output)
}

/// All tools, in the order in which an agent meets them.
pub(crate) static TOOLS: [Entry; 10] = [
    entry::<task::Start>(
        "start_task",
        "Start a task",
        Effect::Adds,
        "Call once when you begin a task. Opens a run and returns a briefing: lessons from earlier work that may help, \
         and what to avoid. Steps that you report afterwards belong to it until `finish_task`.",
    ),
    entry::<step::Report>(
        "report_step",
        "Report a step and its outcome",
        Effect::Adds,
        "Call right after a command or another action failed, and again when the corrected one worked. Give the \
         command and its exit code and output as they were. After a failure that is known, returns what fixed it \
         before. The failure and the fix together become a lesson. Steps that neither failed nor fixed anything need \
         no report.",
    ),
    entry::<task::Finish>(
        "finish_task",
        "Finish a task",
        Effect::Adds,
        "Call once when the task is done or given up. Learns lessons from the reported steps, and judges the lessons \
         that were shown by how it went. Returns both.",
    ),
    entry::<recall::Recall>(
        "recall",
        "Recall what is known",
        Effect::Reads,
        "Search the memory for what may help: give `task` for what you are about to do, or `error` for an error text \
         that you see. Returns short entries with ids, best first, within `max_tokens`; `get` returns one in full. \
         Changes nothing.",
    ),
    entry::<look::Get>(
        "get",
        "Get memories by id",
        Effect::Reads,
        "Return memories in full by their ids: lessons (les_…), episodes and open tasks (run_…) with their steps, \
         failures as `report_step` named them, skills by name.",
    ),
    entry::<knowledge::Remember>(
        "remember",
        "Remember something",
        Effect::Sets,
        "Store a lesson, a fact or a rule in your own words, for later tasks. If it answers an error, give the error \
         text in `errors`, and it comes back when that error does. It is stored when this returns. The same text twice \
         is one memory.",
    ),
    entry::<knowledge::Feedback>(
        "feedback",
        "Say that a lesson is wrong",
        Effect::Sets,
        "Correct a lesson: say that it is wrong, outdated or doubtful, and it is not shown any more; or give better \
         words for it. That a lesson helped need not be said: it is measured from the steps that you report.",
    ),
    entry::<look::List>(
        "lessons",
        "List lessons",
        Effect::Reads,
        "List what was learned, most recently changed first, with status and evidence. To find what fits a task or an \
         error, use `recall`.",
    ),
    entry::<look::Why>(
        "why",
        "Explain a lesson",
        Effect::Reads,
        "Show what a lesson rests on: the steps it was learned from, where it was shown, and whether it helped there.",
    ),
    entry::<knowledge::Forget>(
        "forget",
        "Forget a memory",
        Effect::Removes,
        "Take a lesson, an episode or a skill out of use by its id. It is not found or shown any more; a person can \
         still see it in the audit.",
    ),
];

/// The tools as the protocol lists them.
pub(crate) fn list() -> Vec<Tool> {
    TOOLS.iter().map(Entry::tool).collect()
}

/// The tool of a name.
pub(crate) fn find(name: &str) -> Option<&'static Entry> {
    TOOLS.iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// OpenHands makes a class of each tool, in which these names are its own: one tool with such an argument, and it does not begin
    /// to work.
    const TAKEN: [&str; 2] = ["kind", "security_risk"];

    #[test]
    fn no_argument_of_a_tool_has_a_name_that_a_host_needs_itself() {
        for tool in list() {
            let properties = tool.input_schema["properties"]
                .as_object()
                .expect("members");
            let taken = properties
                .keys()
                .find(|name| TAKEN.contains(&name.as_str()));
            assert_eq!(taken, None, "{}", tool.name);
        }
    }

    #[test]
    fn every_tool_has_a_plain_schema_in_and_out_and_hints() {
        for tool in list() {
            let shown = serde_json::to_string(&tool).expect("JSON");
            for word in ["$ref", "$defs", "\"format\"", "null"] {
                assert!(!shown.contains(word), "{}: {word} in {shown}", tool.name);
            }
            let input = &tool.input_schema;
            assert_eq!(input["type"], "object", "{}", tool.name);
            let properties = input["properties"].as_object().expect("members");
            let required = input.get("required").and_then(Value::as_array);
            for (name, property) in properties {
                let described = property["description"].as_str().unwrap_or_default();
                assert!(!described.is_empty(), "{}.{name}: {property}", tool.name);
                assert!(
                    property["type"].is_string(),
                    "{}.{name}: {property}",
                    tool.name
                );
                let is_required =
                    required.is_some_and(|names| names.contains(&name.as_str().into()));
                assert!(
                    !(is_required && described.contains("Default:")),
                    "{}.{name} is required and has a default",
                    tool.name
                );
            }
            assert!(
                input.get("additionalProperties").is_none(),
                "hosts add their own"
            );
            let output = tool.output_schema.expect("an output");
            assert_eq!(output["type"], "object", "{}", tool.name);
            let hints = tool.annotations.expect("hints");
            assert_eq!(hints.open_world_hint, Some(false));
            assert_eq!(
                hints.destructive_hint == Some(true),
                tool.name == "forget",
                "{}",
                tool.name
            );
        }
    }

    #[test]
    fn all_tools_together_are_short() {
        let shown = serde_json::to_string(&list()).expect("JSON");
        assert!(shown.len() < 24_000, "{} bytes", shown.len());
    }
}
