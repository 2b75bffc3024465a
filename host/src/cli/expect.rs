//! What is expected of a command: from `--expect` to the adapter's expectations.
//!
//! Owns looking at artifacts before the command and after it: their time, their size and a hash of their
//! bytes. What is made of them is the adapter's business.

use std::{
    fs::{self, File},
    io::{self, Read},
    time::SystemTime,
};

use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::Xxh3Default;

use super::failure::Failure;

/// A file that is larger is known by its time and its size alone: reading it twice would take longer than most
/// commands do.
const HASHED_BYTES: u64 = 256 << 20;

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
    /// What it was before the command ran; none if it was not there.
    before: Option<Stamp>,
}

/// What a file is known by.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stamp {
    modified: SystemTime,
    size: u64,
    /// None where there are no bytes to read, as of a directory, or too many.
    hash: Option<u128>,
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
            "steps" => {
                self.members
                    .insert("within-steps".to_owned(), whole(value)?.into());
            }
            "artifact" | "changed" if value.is_empty() => return Err(wrong("a path is missing")),
            "artifact" | "changed" => {
                let member = if name == "changed" { name } else { "artifacts" };
                self.append(member, value.into());
                self.artifacts.push(Artifact {
                    path: value.to_owned(),
                    before: Stamp::of(value),
                });
            }
            "schema" => {
                let text = fs::read_to_string(value)
                    .map_err(|error| wrong(&format!("the schema can't be read: {error}")))?;
                let schema: Value = serde_json::from_str(&text)
                    .map_err(|error| wrong(&format!("the schema is not JSON: {error}")))?;
                self.members.insert("json-schema".to_owned(), schema);
            }
            "error-text" if value.is_empty() => {
                self.members.insert("error-text".to_owned(), true.into());
            }
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

    /// Whether something is expected of one of the two output streams, which then must not be mixed.
    pub(crate) fn are_of_streams(&self) -> bool {
        let of_streams = ["stdout", "stderr", "json", "lines", "columns"];
        self.members
            .keys()
            .any(|member| of_streams.iter().any(|stream| member.starts_with(stream)))
    }

    /// What became of the artifacts.
    pub(crate) fn artifacts(&self) -> Value {
        let looked = self.artifacts.iter().map(|artifact| {
            let after = Stamp::of(&artifact.path);
            json!({
                "path": artifact.path,
                "exists": after.is_some(),
                "changed": after.map(|after| Some(after) != artifact.before),
                "same-bytes": after.and_then(|after| after.same_bytes(artifact.before)),
            })
        });
        looked.collect()
    }
}

impl Stamp {
    /// What there is at a path; none if there is nothing.
    fn of(path: &str) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        let hash = (metadata.is_file() && metadata.len() <= HASHED_BYTES)
            .then(|| hash(path).ok())
            .flatten();
        Some(Self {
            modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            size: metadata.len(),
            hash,
        })
    }

    /// Whether the bytes are those of before; none where that is not known.
    fn same_bytes(&self, before: Option<Self>) -> Option<bool> {
        let Some(before) = before else {
            return Some(false);
        };
        if self.size != before.size {
            return Some(false);
        }
        Some(self.hash? == before.hash?)
    }
}

fn hash(path: &str) -> io::Result<u128> {
    let mut file = File::open(path)?;
    let mut hash = Xxh3Default::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hash.digest128()),
            Ok(count) => hash.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
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
                "within=50",
                "steps=3",
                "error-text"
            ]),
            json!({"exit": [0, 1], "stdout-matches": ["^a=b$"], "stderr-lacks": ["warn"],
                   "stdout-json": true, "json-members": ["a", "b.c"], "lines": {"least": 2},
                   "within-ms": 50, "within-steps": 3, "error-text": true})
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
            "changed=",
            "schema=",
            "steps=few",
            "error-text=x",
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
