//! A memory that an earlier version wrote, and what that version answered: how the calls are kept and compared.
//!
//! Owns the form of the recorded calls and what counts as the same answer. What is in the memory is told by
//! `examples/old_memory/`, which wrote it.

use std::{
    fs,
    io::{self, Read, Write},
    path::Path,
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde_json::{Value, json};
use twiceshy_wit::memory::Error;

/// Functions that had another name when the memory was written, with their names of today.
const FUNCTIONS: [(&str, &str); 2] = [
    ("coordination.hand-off", "coordination.hand-over"),
    ("episodes.delete", "episodes.soft-delete"),
];

/// An id among arguments and members that had another name, with its name of today: wherever its value is a text or none.
const IDS: [(&str, &str); 1] = [("event", "event-id")];

/// What is left out, by the function that answers it: what is said to people, and may be said better; and the modules of a
/// pattern, which were those that were asked for and are all of them; how often experience was looked at, which follows
/// what a search by similarity found then; how similar tasks are, which is measured beside unrelated sentences; recent steps, of
/// which those at one time were in the reverse of their order; and what a report says of
/// earlier runs, among which deleted ones were. Everything else is compared.
const LEFT_OUT: [(&str, &[&str]); 6] = [
    ("runs.recent-steps", &["step", "feedback"]),
    (
        "experience.stats",
        &["avg-accesses-per-entry", "total-accesses"],
    ),
    (
        "exchange.export-lines",
        &["access-count", "last-accessed-at", "relevance-score"],
    ),
    ("failures.patterns", &["modules"]),
    (
        "experience.similarity-of-tasks",
        &["average-similarity", "pruning-recommendation"],
    ),
    (
        "upkeep.report",
        &[
            "failures-per-run-before",
            "failures-per-run-now",
            "stability",
        ],
    ),
];

/// Where the memory and the recorded calls are, from the root of the repository.
pub const DIRECTORY: &str = "tests/fixtures/memory";

const MEMORY: &str = "memory.db.gz";
const ANSWERS: &str = "answers.jsonl.gz";

/// A call and its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// When it was made, in milliseconds since the Unix epoch.
    pub at: u64,
    /// `interface.function`, as it was called then.
    pub method: String,
    /// The arguments by name.
    pub arguments: Value,
    /// `ok` with the result, or `error` with the kind of error. What an error says is for people, and may change.
    pub answer: Value,
}

/// Functions that rank by similarity, which was measured differently then: by words in common and by cosines as they are.
/// Vectors of that time also name no model, so that they are no longer compared. Of these only that they answer is compared.
const RANKED: [&str; 7] = [
    "episodes.search",
    "experience.search",
    "patterns.similar",
    "recall.context",
    "recall.for-task",
    "recall.on-error",
    "working.continuity",
];

impl Recorded {
    /// What is kept of an answer.
    pub fn answer(answer: Result<String, Error>) -> Value {
        match answer {
            Ok(answer) => {
                json!({ "ok": serde_json::from_str::<Value>(&answer).expect("an answer is JSON") })
            }
            Err(error) => json!({ "error": error.kind() }),
        }
    }

    /// The line of a file.
    pub fn line(&self) -> String {
        json!({ "at": self.at, "method": self.method, "arguments": self.arguments, "answer": self.answer })
            .to_string()
    }

    /// The function under its name of today.
    pub fn method_of_today(&self) -> &str {
        let renamed = FUNCTIONS.iter().find(|(then, _)| *then == self.method);
        renamed.map_or(&self.method, |(_, now)| now)
    }

    /// The arguments under their names of today.
    pub fn arguments_of_today(&self) -> Value {
        renamed(&self.arguments)
    }

    /// Where an answer of today differs from the recorded one, if it does.
    ///
    /// An answer may have more members than it had: whoever read it then reads the same today.
    pub fn difference(&self, answer: &Value) -> Option<String> {
        if RANKED.contains(&self.method.as_str())
            && self.answer.get("ok").is_some()
            && answer.get("ok").is_some()
        {
            return None;
        }
        let left_out = LEFT_OUT.iter().find(|(method, _)| *method == self.method);
        let left_out = left_out.map_or(&[][..], |(_, members)| members);
        // A document that nobody has written since keeps its names in the store, and gives them out in files.
        difference("", &renamed(&self.answer), &renamed(answer), left_out)
    }
}

/// A value with the ids of today. Files in it are opened, so that their members are compared and not their spaces.
fn renamed(value: &Value) -> Value {
    match opened(value) {
        Value::Object(members) => {
            let members = members.into_iter().map(|(name, value)| {
                let id = IDS
                    .iter()
                    .find(|(then, _)| *then == name && (value.is_string() || value.is_null()));
                (
                    id.map_or(name, |(_, now)| (*now).to_owned()),
                    renamed(&value),
                )
            });
            Value::Object(members.collect())
        }
        Value::Array(items) => items.iter().map(renamed).collect(),
        other => other,
    }
}

/// A value whose texts are JSON, or lines of it, as that JSON.
fn opened(value: &Value) -> Value {
    match value {
        Value::String(text) if text.starts_with(['{', '[']) => {
            let file = serde_json::from_str(text).or_else(|_| {
                let lines = text.lines().map(serde_json::from_str);
                lines.collect::<Result<_, _>>().map(Value::Array)
            });
            file.map_or_else(|_| value.clone(), |file| opened(&file))
        }
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, value)| (name.clone(), opened(value)));
            Value::Object(members.collect())
        }
        Value::Array(items) => items.iter().map(opened).collect(),
        other => other.clone(),
    }
}

/// The recorded calls of a directory.
///
/// # Errors
/// If the file can't be read.
pub fn recorded(directory: &Path) -> io::Result<Vec<Recorded>> {
    let text = String::from_utf8(content(&directory.join(ANSWERS))?).expect("text");
    let parse = |line: &str| {
        let mut line: Value = serde_json::from_str(line).expect("a line is JSON");
        Recorded {
            at: line["at"].as_u64().expect("a time"),
            method: line["method"].as_str().expect("a method").to_owned(),
            arguments: line["arguments"].take(),
            answer: line["answer"].take(),
        }
    };
    Ok(text.lines().map(parse).collect())
}

/// Writes a memory and recorded calls into a directory.
///
/// # Errors
/// If something can't be read or written.
pub fn pack(memory: &Path, calls: &[Recorded], directory: &Path) -> io::Result<()> {
    write(&directory.join(MEMORY), &fs::read(memory)?)?;
    record(calls, directory)
}

/// Writes recorded calls into a directory.
///
/// # Errors
/// If something can't be written.
pub fn record(calls: &[Recorded], directory: &Path) -> io::Result<()> {
    let lines: String = calls.iter().map(|call| call.line() + "\n").collect();
    write(&directory.join(ANSWERS), lines.as_bytes())
}

fn write(file: &Path, content: &[u8]) -> io::Result<()> {
    let mut packed = GzEncoder::new(fs::File::create(file)?, Compression::best());
    packed.write_all(content)?;
    packed.finish()?;
    Ok(())
}

/// Copies the memory of a directory, with its archive, to where a project has them.
///
/// # Errors
/// If something can't be read or written.
pub fn unpack(directory: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    fs::write(to.join("memory.db"), content(&directory.join(MEMORY))?)?;
    copy(&directory.join("archive"), &to.join("archive"))
}

fn content(file: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    GzDecoder::new(fs::File::open(file)?).read_to_end(&mut content)?;
    Ok(content)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let copy = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => self::copy(&entry.path(), &copy)?,
            false => _ = fs::copy(entry.path(), copy)?,
        }
    }
    Ok(())
}

fn difference(path: &str, then: &Value, now: &Value, left_out: &[&str]) -> Option<String> {
    match (then, now) {
        (Value::Object(then), Value::Object(now)) => then.iter().find_map(|(name, value)| {
            let path = format!("{path}/{name}");
            match now.get(name) {
                Some(_) if left_out.contains(&name.as_str()) => None,
                Some(now) => difference(&path, value, now, left_out),
                None => Some(format!("{path} is missing")),
            }
        }),
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
            let mut pairs = items.iter().zip(others).enumerate();
            pairs.find_map(|(index, (then, now))| {
                difference(&format!("{path}/{index}"), then, now, left_out)
            })
        }
        (Value::Number(a), Value::Number(b)) => {
            // The last digits of a logarithm are the machine's.
            let (x, y) = (a.as_f64()?, b.as_f64()?);
            let near = (x - y).abs() <= 1e-9 * x.abs().max(y.abs());
            (!near).then(|| format!("{path} was {a} and is {b}"))
        }
        _ => (then != now).then(|| format!("{path} was {then} and is {now}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_told_but_for_a_new_member() {
        let then = json!({"a": [1, {"b": "x"}], "c": 0.1});
        let recorded = Recorded {
            at: 0,
            method: "events.get".into(),
            arguments: json!({}),
            answer: then.clone(),
        };
        let differs = |now: Value| recorded.difference(&now).is_some();
        assert!(!differs(then));
        assert!(!differs(json!({"a": [1, {"b": "x", "new": 1}], "c": 0.1})));
        assert!(differs(json!({"a": [1, {"b": "y"}], "c": 0.1})));
        assert!(differs(json!({"a": [1, {"b": "x"}, 2], "c": 0.1})));
        assert!(differs(json!({"a": [1, {"b": "x"}], "c": 0.1001})));
        assert!(differs(json!({"a": [1, {}], "c": 0.1})));
        assert!(differs(json!({"a": [1, {"b": null}], "c": 0.1})));
    }
}
