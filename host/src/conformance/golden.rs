//! Golden traces: recorded steps with the feedback that they must get.
//!
//! Owns the files of an author's directory, `*.jsonl` and `*.json`, what differs from them, and rewriting them. A
//! file is one or more JSON objects, each a step, or a goal with `steps`. How steps are replayed is in `trace`.

use std::{
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    Check,
    trace::{Answer, Entry, EntryGoal, Replay},
};
use crate::Adapter;

/// Checks an adapter against the golden traces of a directory. With `update`, what differs is rewritten.
pub(super) fn check(adapter: &Adapter, directory: &Path, update: bool) -> Check {
    let mut check = Check::new("golden");
    let files = match files(directory) {
        Ok(files) => files,
        Err(error) => {
            check.fail(format!(
                "{}: {error}; name a directory with traces",
                directory.display()
            ));
            return check;
        }
    };
    if files.is_empty() {
        check.fail(format!(
            "{} has no *.jsonl and no *.json file; record one with `twiceshy adapter run … --json`",
            directory.display()
        ));
    }
    let (mut steps, mut updated) = (0, 0);
    for file in files {
        match File::read(&file).map(|read| read.replay(adapter)) {
            Err(problem) => check.fail(problem),
            Ok((replayed, differences)) => {
                steps += replayed.steps;
                if differences.is_empty() {
                    continue;
                }
                if !update || replayed.failed {
                    differences
                        .into_iter()
                        .for_each(|difference| check.fail(difference));
                } else if let Err(error) = replayed.write(&file) {
                    check.fail(format!("{}: {error}", file.display()));
                } else {
                    updated += 1;
                }
            }
        }
    }
    check.note = match updated {
        0 => format!("{steps} steps"),
        updated => format!("{steps} steps; {updated} files rewritten: check what changed"),
    };
    check
}

fn files(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "jsonl" || extension == "json")
        {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// A file of golden traces.
struct File {
    name: String,
    objects: Vec<Object>,
    steps: usize,
    /// Whether there is something that can't be written down as golden.
    failed: bool,
}

/// One object of a file: where it begins, its own text, and its steps.
struct Object {
    line: usize,
    text: String,
    value: Map<String, Value>,
    changed: bool,
}

/// A goal with several steps.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Several {
    #[serde(default)]
    goal: Option<EntryGoal>,
    steps: Vec<Entry>,
}

impl File {
    fn read(path: &Path) -> Result<Self, String> {
        let name = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
        let mut objects = Vec::new();
        let mut reader =
            serde_json::Deserializer::from_str(&text).into_iter::<Map<String, Value>>();
        loop {
            let skipped = text[reader.byte_offset()..].len()
                - text[reader.byte_offset()..].trim_start().len();
            let from = reader.byte_offset() + skipped;
            let line = text[..from].lines().count()
                + usize::from(text[..from].ends_with('\n') || from == 0);
            match reader.next() {
                None => break,
                Some(Ok(value)) => objects.push(Object {
                    line,
                    text: text[from..reader.byte_offset()].to_owned(),
                    value,
                    changed: false,
                }),
                Some(Err(error)) => {
                    return Err(format!(
                        "{name}:{}: not a JSON object: {error}",
                        error.line()
                    ));
                }
            }
        }
        Ok(Self {
            name,
            objects,
            steps: 0,
            failed: false,
        })
    }

    /// Replays every step, and says what differs. What was said instead is entered in its place.
    fn replay(mut self, adapter: &Adapter) -> (Self, Vec<String>) {
        let mut replay = Replay::new(adapter);
        let mut differences = Vec::new();
        for object in &mut self.objects {
            let place = format!("{}:{}", self.name, object.line);
            let mut tell = |place: &str, what: &str| differences.push(format!("{place}: {what}"));
            let (goal, entries) = match object.entries() {
                Ok(read) => read,
                Err(error) => {
                    tell(
                        &place,
                        &format!("{error}; write {{\"goal\": …, \"step\": …, \"feedback\": …}}"),
                    );
                    self.failed = true;
                    continue;
                }
            };
            if let Some(goal) = goal {
                replay.begin(&goal);
            }
            let several = object.value.contains_key("steps");
            for (index, entry) in entries.iter().enumerate() {
                self.steps += 1;
                let place = match several {
                    true => format!("{place}, step {}", index + 1),
                    false => place.clone(),
                };
                if let Some(goal) = &entry.goal {
                    replay.begin(goal);
                }
                match replay.step(&entry.step) {
                    Err(error) => {
                        tell(&place, &error.to_string());
                        self.failed = true;
                    }
                    Ok(answer) => {
                        if let Some(difference) = difference(entry, &answer) {
                            tell(&place, &difference);
                            object.enter(several.then_some(index), &answer);
                        }
                    }
                }
            }
        }
        (self, differences)
    }

    /// Writes the file with what was entered. What did not change stays as its author wrote it.
    fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = String::new();
        let lines = path
            .extension()
            .is_some_and(|extension| extension == "jsonl");
        for object in &self.objects {
            match object.changed {
                false => text.push_str(&object.text),
                true => text.push_str(&ordered(&object.value, lines)),
            }
            text.push('\n');
        }
        fs::write(path, text)
    }
}

impl Object {
    fn entries(&self) -> Result<(Option<EntryGoal>, Vec<Entry>), serde_json::Error> {
        let value = Value::Object(self.value.clone());
        if self.value.contains_key("steps") {
            let several = Several::deserialize(value)?;
            return Ok((several.goal, several.steps));
        }
        Ok((None, vec![Entry::deserialize(value)?]))
    }

    /// Enters an answer in the place of the one that was expected.
    fn enter(&mut self, index: Option<usize>, answer: &Answer) {
        let entry = match index {
            None => Some(&mut self.value),
            Some(index) => self.value["steps"][index].as_object_mut(),
        };
        let Some(entry) = entry else { return };
        entry.remove("feedback");
        entry.remove("error");
        let (name, value) = written(answer);
        entry.insert(name.to_owned(), value);
        self.changed = true;
    }
}

/// An answer as the member that it is of an entry.
fn written(answer: &Answer) -> (&'static str, Value) {
    let json = |value: Result<Value, serde_json::Error>| value.unwrap_or_default();
    match answer {
        Ok(feedback) => ("feedback", json(serde_json::to_value(feedback))),
        Err(error) => ("error", json(serde_json::to_value(error))),
    }
}

/// What an answer has that was not expected, and the other way round, each by its place; nothing if all is as expected.
fn difference(entry: &Entry, answer: &Answer) -> Option<String> {
    let expected = match (&entry.feedback, &entry.error) {
        (Some(feedback), None) => Ok(feedback.clone()),
        (None, Some(error)) => Err(error.clone()),
        (Some(_), Some(_)) => {
            return Some("it has both `feedback` and `error`; leave one out".to_owned());
        }
        (None, None) => {
            return Some("it has no `feedback`; --update writes what the adapter says".to_owned());
        }
    };
    if expected == *answer {
        return None;
    }
    let mut text = match answer {
        Ok(feedback) => format!("`{}`", feedback.action_text),
        Err(_) => "refused".to_owned(),
    };
    text.push_str(" is not judged as expected; - expected, + found");
    for line in lines(&expected, answer) {
        write!(text, "\n    {line}").expect("a text");
    }
    Some(text)
}

/// Two answers held against each other, member by member.
pub(super) fn lines(expected: &Answer, found: &Answer) -> Vec<String> {
    let flat = |answer| {
        let (name, value) = written(answer);
        let mut members = Vec::new();
        flatten(name.to_owned(), &value, &mut members);
        members
    };
    let (expected, found) = (flat(expected), flat(found));
    let mut lines = Vec::new();
    for (member, value) in &expected {
        match found.iter().find(|(other, _)| other == member) {
            Some((_, other)) if other == value => {}
            Some((_, other)) => lines.extend([
                format!("- {member}: {value}"),
                format!("+ {member}: {other}"),
            ]),
            None => lines.push(format!("- {member}: {value}")),
        }
    }
    for (member, value) in &found {
        if !expected.iter().any(|(other, _)| other == member) {
            lines.push(format!("+ {member}: {value}"));
        }
    }
    lines
}

fn flatten(place: String, value: &Value, members: &mut Vec<(String, String)>) {
    match value {
        Value::Object(object) if !object.is_empty() => {
            for (name, value) in object {
                flatten(format!("{place}.{name}"), value, members);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            for (index, value) in list.iter().enumerate() {
                flatten(format!("{place}[{index}]"), value, members);
            }
        }
        value => members.push((place, value.to_string())),
    }
}

/// An object with its members in the order in which they are read: goal, step, feedback.
fn ordered(object: &Map<String, Value>, on_one_line: bool) -> String {
    let mut names: Vec<_> = object.keys().collect();
    let rank = |name: &str| {
        ["goal", "step", "steps", "feedback", "error"]
            .iter()
            .position(|known| *known == name)
    };
    names.sort_by_key(|name| rank(name));
    let members: Vec<_> = names
        .into_iter()
        .map(|name| {
            let value = &object[name];
            match on_one_line {
                true => format!("{name:?}: {value}"),
                false => format!("  {name:?}: {}", indented(value)),
            }
        })
        .collect();
    match on_one_line {
        true => format!("{{{}}}", members.join(", ")),
        false => format!("{{\n{}\n}}", members.join(",\n")),
    }
}

fn indented(value: &Value) -> String {
    format!("{value:#}").replace('\n', "\n  ")
}
