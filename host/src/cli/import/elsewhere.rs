//! What other memories have written: knowledge graphs, exports and notes, as facts and rules that are claimed until they
//! have helped here.
//!
//! A new form is a row in `FORMS` and a reader.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use twiceshy::wit::memory::{LessonCandidate, LessonKind, Scope, Source};

use super::notes;
use crate::cli::share::IMPORTED;

/// A rule in characters, as the memory takes it.
const RULE_CHARS: usize = 1_000;

/// Files of a directory of notes, and how deep they may be.
const MOST_FILES: usize = 10_000;
const DEPTH: usize = 6;

/// A record of another memory, or why it is none.
pub(crate) struct Record {
    /// The file, and the line in it if one can be told.
    pub(crate) place: String,
    pub(crate) candidate: Result<LessonCandidate, String>,
}

/// A form in which others write.
pub(crate) struct Form {
    pub(crate) name: &'static str,
    recognizes: fn(&str, &Path) -> bool,
    read: fn(&str, &str) -> Vec<Record>,
}

/// Every form. A text is of the first that recognises it.
pub(crate) static FORMS: &[Form] = &[
    Form {
        name: "mcp-memory",
        recognizes: |text, _| {
            first(text).is_some_and(|value| {
                matches!(value["type"].as_str(), Some("entity" | "relation"))
                    && (value["observations"].is_array() || value["relationType"].is_string())
            })
        },
        read: graph,
    },
    Form {
        name: "claude-mem",
        recognizes: |text, _| {
            whole(text).is_some_and(|value| {
                value["observations"].is_array()
                    && (value["summaries"].is_array()
                        || value["sessions"].is_array()
                        || value["totalObservations"].is_number())
            })
        },
        read: claude_mem,
    },
    Form {
        name: "mem0",
        recognizes: |text, _| {
            let has_memory = |value: &Value| value["memory"].is_string();
            whole(text).is_some_and(|value| list(&value).iter().any(has_memory))
                || first(text).is_some_and(|value| has_memory(&value))
        },
        read: mem0,
    },
    Form {
        name: "notes",
        recognizes: |_, path| {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .to_lowercase();
            [".md", ".markdown", ".mdc", ".txt", ".xml"]
                .iter()
                .any(|end| name.ends_with(end))
        },
        read: from_notes,
    },
];

/// The form of a file by its text and its name.
pub(crate) fn form_of(text: &str, path: &Path) -> Option<&'static Form> {
    FORMS.iter().find(|form| (form.recognizes)(text, path))
}

impl Form {
    /// The records of a text.
    pub(crate) fn records(&self, text: &str, place: &str) -> Vec<Record> {
        (self.read)(text, place)
    }
}

/// What is in a directory of notes, as Anthropic's memory tool keeps them, by its path within it. Or why it is too much.
pub(crate) fn files(directory: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let mut found = Vec::new();
    collect(directory, "", DEPTH, &mut found)?;
    found.sort();
    Ok(found)
}

fn collect(
    directory: &Path,
    below: &str,
    depth: usize,
    found: &mut Vec<(String, PathBuf)>,
) -> Result<(), String> {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else {
            continue;
        };
        if name.starts_with('.') {
            continue;
        }
        let path = format!("{below}{name}");
        if !kind.is_dir() {
            found.push((path, entry.path()));
        } else if depth > 0 {
            collect(&entry.path(), &format!("{path}/"), depth - 1, found)?;
        } else {
            return Err(format!("{path} is more than {DEPTH} directories deep"));
        }
        if found.len() > MOST_FILES {
            return Err(format!("it has more than {MOST_FILES} files"));
        }
    }
    Ok(())
}

/// The JSON value of the first line that is not empty.
fn first(text: &str) -> Option<Value> {
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    serde_json::from_str(line).ok()
}

fn whole(text: &str) -> Option<Value> {
    let text = text.trim_start();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    serde_json::from_str(text).ok()
}

/// The records of an export: a list, or a list under one of the usual names.
fn list(value: &Value) -> &[Value] {
    let members = ["results", "memories", "data", "items"];
    let list = match value {
        Value::Array(list) => Some(list),
        value => members.iter().find_map(|name| value[*name].as_array()),
    };
    list.map(Vec::as_slice).unwrap_or_default()
}

fn candidate(text: &str, kind: LessonKind, origin: &str) -> Result<LessonCandidate, String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = text.chars().count();
    if text.is_empty() {
        return Err("it says nothing".to_owned());
    }
    if length > RULE_CHARS {
        return Err(format!(
            "it has {length} characters, and a fact or rule has at most {RULE_CHARS}; divide it"
        ));
    }
    Ok(LessonCandidate {
        rule_text: text,
        trigger_fingerprints: Vec::new(),
        trigger_texts: Vec::new(),
        tags: Vec::new(),
        scope_hint: Some(Scope::Global),
        kind: Some(kind),
        domain: None,
        task: Some(format!("{IMPORTED}{origin}")),
        run: None,
        steps: Vec::new(),
        // Whoever wrote it, nothing here shows that it helps.
        source: Some(Source::Agent),
    })
}

fn record(place: String, text: &str, kind: LessonKind) -> Record {
    Record {
        candidate: candidate(text, kind, &place),
        place,
    }
}

fn refused(place: String, why: impl Into<String>) -> Record {
    Record {
        place,
        candidate: Err(why.into()),
    }
}

/// A knowledge graph as the official MCP memory server keeps it: entities with observations, and relations.
fn graph(text: &str, place: &str) -> Vec<Record> {
    let mut records = Vec::new();
    for (number, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let place = format!("{place}:{}", number + 1);
        let value: Value = match serde_json::from_str(line) {
            Ok(value) => value,
            Err(error) => {
                records.push(refused(place, format!("it is not JSON: {error}")));
                continue;
            }
        };
        let member = |name: &str| {
            value[name]
                .as_str()
                .map(str::trim)
                .filter(|text| !text.is_empty())
        };
        match (
            value["type"].as_str(),
            member("name"),
            &value["observations"],
        ) {
            (Some("entity"), Some(name), Value::Array(observations)) => {
                let about = match member("entityType") {
                    Some(kind) => format!("{name} ({kind})"),
                    None => name.to_owned(),
                };
                for observation in observations {
                    records.push(match observation.as_str() {
                        Some(said) => {
                            record(place.clone(), &format!("{about}: {said}"), LessonKind::Fact)
                        }
                        None => refused(place.clone(), "an observation is not a text"),
                    });
                }
            }
            (Some("relation"), _, _) => records.push(
                match (member("from"), member("relationType"), member("to")) {
                    (Some(from), Some(relation), Some(to)) => {
                        let said = format!("{from} {} {to}", relation.replace('_', " "));
                        record(place, &said, LessonKind::Fact)
                    }
                    _ => refused(place, "a relation needs from, relationType and to"),
                },
            ),
            _ => records.push(refused(
                place,
                "it is neither an entity with a name and observations nor a relation",
            )),
        }
    }
    records
}

/// An export of mem0: a list of memories, whole or one on each line.
fn mem0(text: &str, place: &str) -> Vec<Record> {
    let of = |place: String, value: &Value| match value["memory"].as_str() {
        Some(memory) => record(place, memory, LessonKind::Fact),
        None => refused(place, "`memory` is missing or not a text"),
    };
    match whole(text).filter(|value| !list(value).is_empty()) {
        Some(value) => {
            let numbered = list(&value).iter().enumerate();
            numbered
                .map(|(number, value)| of(format!("{place}: record {}", number + 1), value))
                .collect()
        }
        None => {
            let lines = text
                .lines()
                .enumerate()
                .filter(|(_, line)| !line.trim().is_empty());
            let read = |(number, line): (usize, &str)| {
                let place = format!("{place}:{}", number + 1);
                match serde_json::from_str::<Value>(line) {
                    Ok(value) => of(place, &value),
                    Err(error) => refused(place, format!("it is not JSON: {error}")),
                }
            };
            lines.map(read).collect()
        }
    }
}

/// An export of claude-mem: observations with facts, and what was learned in each session.
fn claude_mem(text: &str, place: &str) -> Vec<Record> {
    let Some(value) = whole(text) else {
        return vec![refused(place.to_owned(), "it is not JSON")];
    };
    let mut records = Vec::new();
    let members = |name: &str| value[name].as_array().cloned().unwrap_or_default();
    for (number, observation) in members("observations").iter().enumerate() {
        let place = format!("{place}: observation {}", number + 1);
        let title = observation["title"].as_str().unwrap_or_default();
        // The list is a text in the database, and in its exports.
        let facts = match &observation["facts"] {
            Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
            facts => facts.clone(),
        };
        let facts: Vec<_> = facts
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        match (facts.as_slice(), observation["narrative"].as_str()) {
            ([], Some(narrative)) if !narrative.trim().is_empty() => {
                records.push(record(
                    place,
                    &format!("{title}: {narrative}"),
                    LessonKind::Fact,
                ));
            }
            ([], _) if title.is_empty() => {
                records.push(refused(place, "it has no title, no facts and no narrative"))
            }
            ([], _) => records.push(record(place, title, LessonKind::Fact)),
            (facts, _) => records.extend(
                facts
                    .iter()
                    .map(|fact| record(place.clone(), fact, LessonKind::Fact)),
            ),
        }
    }
    for (number, summary) in members("summaries").iter().enumerate() {
        let place = format!("{place}: summary {}", number + 1);
        if let Some(learned) = summary["learned"]
            .as_str()
            .filter(|text| !text.trim().is_empty())
        {
            records.push(record(place, learned, LessonKind::Fact));
        }
    }
    records
}

fn from_notes(text: &str, place: &str) -> Vec<Record> {
    let notes = notes::notes(text).into_iter();
    notes
        .map(|note| record(format!("{place}:{}", note.line), &note.text, note.kind))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str, text: &str) -> Vec<String> {
        let form = form_of(text, Path::new(name)).expect("a known form");
        let show = |record: Record| match record.candidate {
            Ok(candidate) => format!("{} {}", record.place, candidate.rule_text),
            Err(why) => format!("{} ! {why}", record.place),
        };
        form.records(text, name).into_iter().map(show).collect()
    }

    #[test]
    fn a_knowledge_graph_is_facts_and_a_bad_record_is_told_with_its_line() {
        let text = "{\"type\":\"entity\",\"name\":\"Ana\",\"entityType\":\"person\",\"observations\":[\"likes tea\",\"works at night\"]}\n\n{\"type\":\"relation\",\"from\":\"Ana\",\"to\":\"Site\",\"relationType\":\"works_on\"}\n{bad\n{\"type\":\"entity\"}\n";
        assert_eq!(
            said("memory.jsonl", text),
            [
                "memory.jsonl:1 Ana (person): likes tea",
                "memory.jsonl:1 Ana (person): works at night",
                "memory.jsonl:3 Ana works on Site",
                "memory.jsonl:4 ! it is not JSON: key must be a string at line 1 column 2",
                "memory.jsonl:5 ! it is neither an entity with a name and observations nor a relation",
            ]
        );
    }

    #[test]
    fn exports_of_mem0_and_claude_mem_are_facts() {
        assert_eq!(
            said(
                "a.json",
                "{\"results\":[{\"id\":\"1\",\"memory\":\"likes tea\"},{\"id\":\"2\"}]}"
            ),
            [
                "a.json: record 1 likes tea",
                "a.json: record 2 ! `memory` is missing or not a text"
            ]
        );
        assert_eq!(
            said("a.jsonl", "{\"memory\":\"likes tea\"}\n"),
            ["a.jsonl:1 likes tea"]
        );
        let text = "{\"totalObservations\":1,\"observations\":[{\"title\":\"Cache\",\"facts\":\"[\\\"the cache is cold\\\"]\"},{\"title\":\"Port\",\"narrative\":\"it is 80\"},{}],\"summaries\":[{\"learned\":\"tests need a port\"}]}";
        assert_eq!(
            said("mem.json", text),
            [
                "mem.json: observation 1 the cache is cold",
                "mem.json: observation 2 Port: it is 80",
                "mem.json: observation 3 ! it has no title, no facts and no narrative",
                "mem.json: summary 1 tests need a port",
            ]
        );
    }

    #[test]
    fn a_note_that_is_too_long_is_told_and_not_cut() {
        let text = format!("- use {}\n- use tea\n", "x ".repeat(600));
        let found = said("CLAUDE.md", &text);
        assert!(found[0].starts_with("CLAUDE.md:1 ! it has 1"), "{found:?}");
        assert_eq!(found[1], "CLAUDE.md:2 use tea");
    }
}
