//! What is expected of a command: from `--expect` to the adapter's expectations.

use std::{fs, path::PathBuf, time::SystemTime};

use serde_json::{Map, Value, json};

use super::failure::Failure;

/// The expectations of one command.
#[derive(Debug, Default)]
pub(crate) struct Expectations {
    members: Map<String, Value>,
    artifacts: Vec<Artifact>,
}

/// A file that must be there afterwards.
#[derive(Debug)]
struct Artifact {
    path: String,
    /// When it was changed last before the command ran; none if it was not there.
    before: Option<(SystemTime, u64)>,
}

impl Expectations {
    /// Reads what the arguments say. The artifacts are looked at now, to see later whether they changed.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, Failure> {
        let mut expectations = Self::default();
        for argument in arguments {
            expectations.add(argument)?;
        }
        Ok(expectations)
    }

    fn add(&mut self, argument: &str) -> Result<(), Failure> {
        let wrong = |why: &str| {
            Failure::input(format!(
                "--expect {argument}: {why}; see twiceshy run --help"
            ))
        };
        let whole = |text: &str| {
            text.trim()
                .parse::<u64>()
                .map_err(|_| wrong("not a whole number"))
        };
        let (name, value) = argument.split_once('=').unwrap_or((argument, ""));
        let names = || {
            value
                .split(',')
                .map(str::trim)
                .map(Value::from)
                .collect::<Vec<_>>()
        };
        match name {
            "exit" => {
                for code in value.split(',') {
                    let code = code
                        .trim()
                        .parse::<u8>()
                        .map_err(|_| wrong("not an exit code from 0 to 255"))?;
                    self.append("exit", code.into());
                }
            }
            "stdout" | "stderr" | "stdout!" | "stderr!" => {
                if value.is_empty() {
                    return Err(wrong("a regular expression is missing"));
                }
                let (stream, kind) = match name.strip_suffix('!') {
                    Some(stream) => (stream, "lacks"),
                    None => (name, "matches"),
                };
                self.append(&format!("{stream}-{kind}"), value.into());
            }
            "json" => {
                self.members.insert("stdout-json".to_owned(), true.into());
                if !value.is_empty() {
                    names()
                        .into_iter()
                        .for_each(|member| self.append("json-members", member));
                }
            }
            "lines" => {
                let bounds = match value.split_once("..") {
                    Some((least, "")) => json!({ "least": whole(least)? }),
                    Some(("", most)) => json!({ "most": whole(most)? }),
                    Some((least, most)) => json!({ "least": whole(least)?, "most": whole(most)? }),
                    None => json!({ "least": whole(value)?, "most": whole(value)? }),
                };
                if bounds["least"].as_u64() > bounds["most"].as_u64().or(Some(u64::MAX)) {
                    return Err(wrong("no number is that large and that small at once"));
                }
                self.members.insert("lines".to_owned(), bounds);
            }
            "columns" => {
                self.members
                    .insert("columns".to_owned(), whole(value)?.into());
            }
            "within" => {
                self.members
                    .insert("within-ms".to_owned(), whole(value)?.into());
            }
            "artifact" if !value.is_empty() => {
                self.append("artifacts", value.into());
                let before = stamp(value);
                self.artifacts.push(Artifact {
                    path: value.to_owned(),
                    before,
                });
            }
            "artifact" => return Err(wrong("a path is missing")),
            _ => return Err(wrong("nothing of that name can be expected")),
        }
        Ok(())
    }

    fn append(&mut self, member: &str, value: Value) {
        let list = self.members.entry(member).or_insert_with(|| json!([]));
        if let Value::Array(list) = list {
            list.push(value);
        }
    }

    /// The expectations for the adapter; empty if there are none.
    pub(crate) fn payload(&self) -> String {
        if self.members.is_empty() {
            String::new()
        } else {
            json!(self.members).to_string()
        }
    }

    /// What became of the artifacts.
    pub(crate) fn artifacts(&self) -> Value {
        let looked = self.artifacts.iter().map(|artifact| {
            let after = stamp(&artifact.path);
            json!({
                "path": artifact.path,
                "exists": after.is_some(),
                "changed": after.map(|after| Some(after) != artifact.before),
            })
        });
        looked.collect()
    }
}

fn stamp(path: &str) -> Option<(SystemTime, u64)> {
    let metadata = fs::metadata(PathBuf::from(path)).ok()?;
    Some((
        metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
        metadata.len(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload(arguments: &[&str]) -> Value {
        let arguments: Vec<_> = arguments
            .iter()
            .map(|argument| (*argument).to_owned())
            .collect();
        serde_json::from_str(&Expectations::parse(&arguments).expect("valid").payload())
            .expect("JSON")
    }

    #[test]
    fn expectations_become_the_adapters_members() {
        assert_eq!(
            payload(&[
                "exit=0,1",
                "stdout=^a=b$",
                "stderr!=warn",
                "json=a,b.c",
                "lines=2..",
                "within=50"
            ]),
            json!({"exit": [0, 1], "stdout-matches": ["^a=b$"], "stderr-lacks": ["warn"],
                   "stdout-json": true, "json-members": ["a", "b.c"], "lines": {"least": 2},
                   "within-ms": 50})
        );
        assert_eq!(Expectations::parse(&[]).expect("valid").payload(), "");
    }

    #[test]
    fn a_wrong_expectation_is_refused_with_its_name() {
        for argument in [
            "exit=x",
            "exit=256",
            "exit=-1",
            "stdout=",
            "colour=red",
            "lines=few",
            "lines=..",
            "lines=3..2",
            "columns=",
            "within=soon",
            "artifact=",
        ] {
            let failure = Expectations::parse(&[argument.to_owned()]).expect_err(argument);
            assert!(
                failure.message().contains(argument),
                "{}",
                failure.message()
            );
        }
    }
}
