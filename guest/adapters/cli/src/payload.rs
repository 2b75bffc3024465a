//! The three payloads of a step: what was run, what was seen, what was expected.
//!
//! Owns their members, their JSON Schemas, and what can't be. A member that is not known is refused by its
//! name, so that a misspelt expectation is not silently met. What the members mean is said where they are
//! judged.

use std::num::NonZeroU32;

use serde::Deserialize;
use serde_json::Value;
use twiceshy_adapter::{Error, Seen, refused};

use crate::{Cli, action::Command};

/// JSON Schema of [`Action`].
pub const ACTION_SCHEMA: &str = include_str!("schema/action.json");

/// JSON Schema of [`Observation`].
pub const OBSERVATION_SCHEMA: &str = include_str!("schema/observation.json");

/// JSON Schema of [`Expectations`].
pub const EXPECTATIONS_SCHEMA: &str = include_str!("schema/expectations.json");

/// A command that was run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Action {
    /// The program and its arguments, or a command line; never empty.
    pub command: Command,
    /// Where it ran.
    pub directory: Option<String>,
}

/// What was seen of a command.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Observation {
    /// The exit code, if there is one and it is known.
    pub exit: Option<i64>,
    /// The signal that ended the command.
    pub signal: Option<NonZeroU32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// How long it ran, in milliseconds.
    pub duration_ms: u64,
    /// It was ended because it took too long.
    #[serde(default)]
    pub timed_out: bool,
    /// Why it could not be started at all.
    pub start_error: Option<String>,
    /// The files that were looked at afterwards; none if nobody looked.
    pub artifacts: Option<Vec<Artifact>>,
    /// Of a long output only the head and the tail were captured.
    #[serde(default)]
    pub shortened: bool,
    /// The steps it took, where the caller counts them, such as the turns of an agent that it started.
    pub steps: Option<u64>,
    /// What it cost, in whatever the caller counts in; not less than 0.
    pub cost: Option<f64>,
}

/// A file that was looked at after a command.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Artifact {
    /// Where it is or should be.
    pub path: String,
    /// It is there.
    pub exists: bool,
    /// The command wrote it: its time, its size or its bytes are other ones; none where that is not known.
    pub changed: Option<bool>,
    /// It has the very bytes that it had before, whether it was written or not; none where that is not known.
    pub same_bytes: Option<bool>,
}

/// What must hold after a command.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Expectations {
    /// The exit codes that are fine; 0 unless given.
    pub exit: Option<Vec<i64>>,
    /// Patterns that are found in standard output.
    #[serde(default)]
    pub stdout_matches: Vec<String>,
    /// Patterns that are not found in standard output.
    #[serde(default)]
    pub stdout_lacks: Vec<String>,
    /// Patterns that are found in standard error.
    #[serde(default)]
    pub stderr_matches: Vec<String>,
    /// Patterns that are not found in standard error.
    #[serde(default)]
    pub stderr_lacks: Vec<String>,
    /// Standard output is one JSON value.
    #[serde(default)]
    pub stdout_json: bool,
    /// Standard output is JSON and has these members.
    #[serde(default)]
    pub json_members: Vec<String>,
    /// Standard output is JSON and fits this JSON Schema.
    pub json_schema: Option<Value>,
    /// How many lines of standard output are not empty.
    pub lines: Option<Lines>,
    /// How many columns every line of standard output has.
    pub columns: Option<NonZeroU32>,
    /// Files that must exist and must not be reported as unchanged.
    #[serde(default)]
    pub artifacts: Vec<String>,
    /// Files that must exist with other bytes than before.
    #[serde(default)]
    pub changed: Vec<String>,
    /// The longest time that is fine, in milliseconds.
    pub within_ms: Option<u64>,
    /// The most steps that are fine: those that were counted, or the tries that the command needed.
    pub within_steps: Option<u64>,
    /// The highest cost that is fine.
    pub within_cost: Option<f64>,
    /// Error text in the output of a command that exits 0 is fine.
    #[serde(default)]
    pub error_text: bool,
}

/// How many lines are fine.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Lines {
    /// Not fewer than this.
    pub least: Option<u64>,
    /// Not more than this.
    pub most: Option<u64>,
}

impl Expectations {
    /// An exit with this code is fine.
    pub fn allows(&self, exit: i64) -> bool {
        match &self.exit {
            Some(codes) => codes.contains(&exit),
            None => exit == 0,
        }
    }
}

/// Refuses what can't be.
pub(crate) fn check(seen: &Seen<Cli>) -> Result<(), Error> {
    if seen.action.command.line.text.is_empty() {
        return Err(refused("action.command", "it must name a program"));
    }
    if seen.expectations.exit.as_ref().is_some_and(Vec::is_empty) {
        return Err(refused(
            "expectations.exit",
            "it must name at least one exit code",
        ));
    }
    let costs = [
        ("observation.cost", seen.observation.cost),
        ("expectations.within-cost", seen.expectations.within_cost),
    ];
    for (member, cost) in costs {
        if cost.is_some_and(|cost| cost < 0.0) {
            return Err(refused(member, "it must not be negative"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fmt::Debug};

    use serde::de::DeserializeOwned;
    use serde_json::json;
    use twiceshy_adapter::{Assess, Goal, Step, read};

    use super::*;

    fn cause<T: Debug>(result: Result<T, Error>) -> String {
        match result {
            Err(Error::InvalidInput(cause)) => cause,
            other => panic!("{other:?}"),
        }
    }

    /// Why a step is refused.
    fn refusal(action: &str, members: &str, expectations: &str) -> String {
        let goal = Goal {
            task: String::new(),
            domain: crate::DOMAIN.into(),
            expectations: expectations.into(),
        };
        let step = Step {
            before: String::new(),
            action: action.into(),
            observation: format!(r#"{{"stdout": "", "stderr": "", "duration-ms": 1{members}}}"#),
        };
        cause(Cli.assess(&goal, &[], &step))
    }

    /// The members that the derived reader knows, from its own complaint about one it does not.
    fn members_of<T: DeserializeOwned + Debug>() -> BTreeSet<String> {
        let complaint = cause(read::<T>("", r#"{"?": 0}"#));
        let known = complaint.split_once("expected ").expect("a list").1;
        known
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect()
    }

    fn properties(schema: &Value) -> BTreeSet<String> {
        assert_eq!(schema["additionalProperties"], false);
        let members = schema["properties"].as_object().expect("properties");
        members.keys().cloned().collect()
    }

    fn schema(text: &str) -> Value {
        serde_json::from_str(text).expect("a schema is JSON")
    }

    #[test]
    fn every_schema_lists_exactly_the_members_that_are_read() {
        let action = schema(ACTION_SCHEMA);
        let observation = schema(OBSERVATION_SCHEMA);
        let expectations = schema(EXPECTATIONS_SCHEMA);
        assert_eq!(properties(&action), members_of::<Action>());
        assert_eq!(properties(&observation), members_of::<Observation>());
        assert_eq!(properties(&expectations), members_of::<Expectations>());
        let artifact = &observation["properties"]["artifacts"]["items"];
        assert_eq!(properties(artifact), members_of::<Artifact>());
        let lines = &expectations["properties"]["lines"];
        assert_eq!(properties(lines), members_of::<Lines>());
    }

    #[test]
    fn every_schema_requires_exactly_the_members_that_cannot_be_left_out() {
        let observation = schema(OBSERVATION_SCHEMA);
        let required = observation["required"].as_array().expect("a list");
        for name in properties(&observation) {
            let mut whole = json!({"stdout": "", "stderr": "", "duration-ms": 0});
            whole.as_object_mut().expect("an object").remove(&name);
            let needed = read::<Observation>("observation", &whole.to_string()).is_err();
            assert_eq!(
                needed,
                required.iter().any(|member| *member == *name),
                "{name}"
            );
        }
        assert_eq!(schema(ACTION_SCHEMA)["required"], json!(["command"]));
        assert!(schema(EXPECTATIONS_SCHEMA).get("required").is_none());
        assert_eq!(read("expectations", "{}"), Ok(Expectations::default()));
    }

    #[test]
    fn an_unknown_member_is_refused_by_its_name() {
        let told = refusal(r#"{"command": ["x"]}"#, "", r#"{"stdout-match": ["x"]}"#);
        assert!(
            told.starts_with("expectations") && told.contains("`stdout-match`"),
            "{told}"
        );
    }

    #[test]
    fn a_wrong_member_is_named_by_its_path() {
        let action = r#"{"command": ["x"]}"#;
        let artifacts = r#", "artifacts": [{"path": "a", "exists": 1}]"#;
        let told = refusal(action, artifacts, "");
        assert!(
            told.starts_with("observation.artifacts[0].exists: "),
            "{told}"
        );
        let told = refusal(action, r#", "exit": "x""#, "");
        assert!(told.starts_with("observation.exit: "), "{told}");
    }

    #[test]
    fn what_can_not_be_is_refused_by_its_name() {
        let action = r#"{"command": ["x"]}"#;
        let refusals = [
            (
                r#"{"command": []}"#,
                "",
                "",
                "action.command: it must name a program",
            ),
            (
                action,
                "",
                r#"{"exit": []}"#,
                "expectations.exit: it must name at least one exit code",
            ),
            (
                action,
                r#", "cost": -1"#,
                "",
                "observation.cost: it must not be negative",
            ),
            (
                action,
                "",
                r#"{"within-cost": -0.5}"#,
                "expectations.within-cost: it must not be negative",
            ),
        ];
        for (action, members, expectations, words) in refusals {
            assert_eq!(refusal(action, members, expectations), words);
        }
        assert!(refusal("[]", "", "").starts_with("action: "));
    }
}
