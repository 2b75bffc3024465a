//! The three payloads of a step: what was run, what was seen, what was expected.
//!
//! Owns their members, their JSON Schemas and how they are read: a member that is not known is
//! refused by its name, so that a misspelt expectation is not silently met. What the members mean is
//! said where they are judged.

use std::num::NonZeroU32;

use serde::Deserialize;
use twiceshy_wit::adapter::Error;

/// JSON Schema of [`Action`].
pub const ACTION_SCHEMA: &str = include_str!("schema/action.json");

/// JSON Schema of [`Observation`].
pub const OBSERVATION_SCHEMA: &str = include_str!("schema/observation.json");

/// JSON Schema of [`Expectations`].
pub const EXPECTATIONS_SCHEMA: &str = include_str!("schema/expectations.json");

/// A payload in bytes, as the contract has it.
const PAYLOAD_BYTES: usize = 4 << 20;

/// A command that was run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Action {
    /// The program and its arguments; never empty.
    pub command: Vec<String>,
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
}

/// A file that was looked at after a command.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Artifact {
    /// Where it is or should be.
    pub path: String,
    /// It is there.
    pub exists: bool,
    /// The command changed it; none where that is not known.
    pub changed: Option<bool>,
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
    /// How many lines of standard output are not empty.
    pub lines: Option<Lines>,
    /// How many columns every line of standard output has.
    pub columns: Option<NonZeroU32>,
    /// Files that must exist and must not be reported as unchanged.
    #[serde(default)]
    pub artifacts: Vec<String>,
    /// The longest time that is fine, in milliseconds.
    pub within_ms: Option<u64>,
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

impl Action {
    /// Reads the payload `action`.
    pub fn read(text: &str) -> Result<Self, Error> {
        let action: Self = read("action", text)?;
        if action.command.is_empty() {
            return Err(refused("action.command", "it names no program"));
        }
        Ok(action)
    }
}

impl Observation {
    /// Reads the payload `observation`.
    pub fn read(text: &str) -> Result<Self, Error> {
        read("observation", text)
    }

    /// Reads the payload `before`, which has the same members.
    pub fn read_before(text: &str) -> Result<Self, Error> {
        read("before", text)
    }
}

impl Expectations {
    /// Reads the payload `expectations`; an empty text expects nothing in particular.
    pub fn read(text: &str) -> Result<Self, Error> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let expectations: Self = read("expectations", text)?;
        if expectations.exit.as_ref().is_some_and(Vec::is_empty) {
            return Err(refused("expectations.exit", "it names no exit code"));
        }
        Ok(expectations)
    }

    /// An exit with this code is fine.
    pub fn allows(&self, exit: i64) -> bool {
        match &self.exit {
            Some(codes) => codes.contains(&exit),
            None => exit == 0,
        }
    }
}

/// The error for a member that is not what its schema says.
pub(crate) fn refused(member: &str, cause: &str) -> Error {
    Error::InvalidInput(format!("{member}: {cause}"))
}

fn read<'a, T: Deserialize<'a>>(name: &str, text: &'a str) -> Result<T, Error> {
    if text.len() > PAYLOAD_BYTES {
        let cause = format!(
            "it has {} bytes, at most {PAYLOAD_BYTES} are taken",
            text.len()
        );
        return Err(refused(name, &cause));
    }
    // A derived reader also takes a list with the members in their order, which no schema here does.
    if !text.trim_start().starts_with('{') {
        return Err(refused(name, "it is not a JSON object"));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let member = match path.as_str() {
            "." => name.to_owned(),
            path => format!("{name}.{path}"),
        };
        refused(&member, &error.into_inner().to_string())
    })?;
    reader
        .end()
        .map_err(|error| refused(name, &error.to_string()))?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fmt::Debug};

    use serde_json::Value;

    use super::*;

    fn cause<T: Debug>(result: Result<T, Error>) -> String {
        match result {
            Err(Error::InvalidInput(cause)) => cause,
            other => panic!("{other:?}"),
        }
    }

    /// The members that the derived reader knows, from its own complaint about one it does not.
    fn members_of<'a, T: Deserialize<'a> + Debug>() -> BTreeSet<String> {
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
            let mut whole = serde_json::json!({"stdout": "", "stderr": "", "duration-ms": 0});
            whole.as_object_mut().expect("an object").remove(&name);
            let needed = Observation::read(&whole.to_string()).is_err();
            assert_eq!(
                needed,
                required.iter().any(|member| *member == *name),
                "{name}"
            );
        }
        assert_eq!(
            schema(ACTION_SCHEMA)["required"],
            serde_json::json!(["command"])
        );
        assert!(schema(EXPECTATIONS_SCHEMA).get("required").is_none());
        assert!(Expectations::read("{}").is_ok());
    }

    #[test]
    fn an_unknown_member_is_refused_by_its_name() {
        let told = cause(Expectations::read(r#"{"stdout-match": ["x"]}"#));
        assert!(
            told.starts_with("expectations") && told.contains("`stdout-match`"),
            "{told}"
        );
    }

    #[test]
    fn a_wrong_member_is_named_by_its_path() {
        let text = r#"{"stdout": "", "stderr": "", "duration-ms": 1, "artifacts": [{"path": "a", "exists": 1}]}"#;
        let told = cause(Observation::read(text));
        assert!(
            told.starts_with("observation.artifacts[0].exists: "),
            "{told}"
        );
        let told = cause(Observation::read_before(r#"{"stdout": 1}"#));
        assert!(told.starts_with("before.stdout: "), "{told}");
    }

    #[test]
    fn a_missing_member_is_named() {
        let told = cause(Observation::read(r#"{"stdout": "", "stderr": ""}"#));
        assert!(told.contains("`duration-ms`"), "{told}");
    }

    #[test]
    fn what_is_no_object_or_goes_on_after_it_is_refused() {
        for text in [
            "",
            "  ",
            "[]",
            r#"[["ls"], null]"#,
            "null",
            "{} {}",
            "{",
            r#"{"command": []}"#,
        ] {
            let told = cause(Action::read(text));
            assert!(told.starts_with("action"), "{told}");
        }
    }

    #[test]
    fn nothing_expected_is_an_empty_text_and_no_exit_code_is_refused() {
        assert_eq!(Expectations::read(" \n"), Ok(Expectations::default()));
        assert!(cause(Expectations::read(r#"{"exit": []}"#)).starts_with("expectations.exit: "));
    }

    #[test]
    fn a_payload_beyond_the_contract_is_refused() {
        let text = format!(r#"{{"command": ["{}"]}}"#, "x".repeat(PAYLOAD_BYTES));
        assert!(cause(Action::read(&text)).contains("at most 4194304"));
    }
}
