//! Arguments for any function of the contract: random, but such that most of them mean something.
//!
//! Owns the choice of values: ids that the memory has answered with, few texts, so that calls
//! meet. What a function does with them it does not know.

#![deny(missing_docs)]

pub mod fixture;
mod wild;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use twiceshy_wit::{Enum, Field, Function, Type, Variant};

pub use wild::wild_arguments;

/// Numbers that look random and come from a seed.
pub struct Dice(u64);

impl Dice {
    /// Numbers from a seed.
    pub fn new(seed: u64) -> Dice {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        dice.roll(7);
        dice
    }

    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.roll(from.len())]
    }
}

/// A text that means something to a database, a shell, a format or a terminal; another one for each number.
pub fn hostile(number: usize) -> String {
    const PARTS: [&str; 26] = [
        "'",
        "''",
        "\"",
        "\\",
        "\\'",
        ";",
        "--",
        "/*",
        "*/",
        "$$",
        "$1",
        "%s",
        "{}",
        "\\x00",
        "E'\\\\'",
        "' OR 1=1",
        "); DROP TABLE twiceshy.documents",
        "DELETE FROM twiceshy.documents",
        "\u{202e}",
        "\u{feff}",
        "\u{0}",
        "\u{1}",
        "\u{1b}[2J",
        "🦀",
        "\r\n",
        "COPY x FROM PROGRAM 'id'",
    ];
    let mut dice = Dice::new(number as u64);
    let parts: String = (0..=dice.roll(5)).map(|_| dice.pick(&PARTS)).collect();
    format!("{parts} {number}")
}

/// What brings content into a memory, and is called more often than the rest.
pub const MAKERS: [&str; 22] = [
    "runs.start",
    "runs.start",
    "runs.observe",
    "runs.observe",
    "runs.observe",
    "runs.finish",
    "runs.submit",
    "runs.submit",
    "episodes.add",
    "episodes.add",
    "lessons.propose",
    "lessons.set-status",
    "lessons.set-status",
    "lessons.set-status",
    "patterns.add",
    "patterns.record-application",
    "experience.evolve",
    "decisions.record",
    "failures.record",
    "working.init",
    "working.set",
    "skills.put",
];

/// The function of that name.
///
/// # Panics
/// If there is none.
pub fn named(name: &str) -> &'static Function {
    Function::named(name).unwrap_or_else(|| panic!("there is no function {name}"))
}

/// Whether a function takes content away, which leaves less for the others.
pub fn takes_away(name: &str) -> bool {
    name.contains("prune") || name == "episodes.soft-delete"
}

/// What the memory has said so far.
#[derive(Default)]
pub struct Known {
    /// The present time of the memory.
    pub now: u64,
    /// Ids by what they are ids of.
    ids: BTreeMap<String, Vec<String>>,
    /// The arguments with which a function last succeeded, and its answer.
    succeeded: BTreeMap<String, (Value, Value)>,
}

const TASKS: [&str; 8] = [
    "fix the login form of the shop",
    "fix the login form of the shop again",
    "sort the numbers in column 3 of report.csv",
    "deploy the service to the cluster",
    "migrate the database schema to version 7",
    "write tests for the parser",
    "日本語のレポートを直す",
    "rotate the key AKIAIOSFODNN7EXAMPLE of the bucket",
];

const ERRORS: [&str; 7] = [
    "error: unknown option `--numeric` at line 3",
    "error: unknown option `--reverse` at line 9",
    "Permission denied (os error 13): /srv/data/report-2291.csv",
    "thread 'main' panicked at src/main.rs:42:7: index out of bounds",
    "connection refused: 10.0.0.7:5432",
    "TypeError: expected str, got None",
    "timed out after 30 s",
];

const WORDS: [&str; 8] = [
    "cache",
    "retry",
    "schema",
    "parser",
    "login",
    "timeout",
    "ünïcode",
    "deploy",
];

/// What is told of a lesson that was put under review.
const UNDER_REVIEW: &str = "put under review";

const SKILL: &str = "# Skill: Parse a file\n\n## Steps\n1. Read the header\n2. Split the lines\n";

const CANDIDATES: &str = r#"[{"trigger_fingerprints": [], "rule_text": "WRONG: sort +n → CORRECT: sort -n", "scope_hint": "domain"}]"#;

impl Known {
    /// The arguments of a call.
    pub fn arguments(&self, function: &Function, dice: &mut Dice) -> Value {
        let members = function.parameters.iter().map(|parameter| {
            let value = self.value(&parameter.ty, parameter.name, function.interface, dice);
            (parameter.name.to_owned(), value)
        });
        let mut arguments = Value::Object(members.collect());
        // Now and then it is not what went before that is meant.
        if dice.roll(8) > 0 {
            self.follow(function, &mut arguments);
        }
        arguments
    }

    /// Makes a call mean what an earlier one left: what is undone was done before, what is read was written.
    fn follow(&self, function: &Function, arguments: &mut Value) {
        let before = |method: &str| self.succeeded.get(method);
        let run_of = |method: &str| before(method).map(|(given, _)| given["run"].clone());
        match (function.interface, function.name) {
            ("links", "unrelate") => {
                if let Some((related, _)) = before("links.relate") {
                    *arguments = related.clone();
                }
            }
            ("episodes", "undelete") => {
                if let Some((deleted, _)) = before("episodes.soft-delete") {
                    arguments["episode"] = deleted["episode"].clone();
                }
            }
            ("patterns", "refine") => {
                if let Some((reviewed, _)) = before(UNDER_REVIEW) {
                    arguments["pattern"] = reviewed["lesson"].clone();
                    let domains = &mut arguments["update"]["applicability"];
                    *domains = json!({"domains": ["cli"], "problem-types": ["sorting"]});
                }
            }
            ("working", "init") => {}
            ("working", "metadata") => {
                if let Some(run) = run_of("working.clear") {
                    arguments["run"] = run;
                }
            }
            ("working", "rollback") => {
                if let Some((taken, snapshot)) = before("working.take-snapshot") {
                    arguments["run"] = taken["run"].clone();
                    arguments["snapshot"] = snapshot["id"].clone();
                }
            }
            ("working", _) => {
                if let Some(run) = run_of("working.init") {
                    arguments["run"] = run;
                }
            }
            _ => {}
        }
    }

    fn value(&self, ty: &Type, name: &str, interface: &str, dice: &mut Dice) -> Value {
        match ty {
            Type::Text => Value::String(self.text(name, interface, dice)),
            Type::U8 | Type::U32 | Type::U64 | Type::Timestamp => json!(self.integer(name, dice)),
            Type::F32 | Type::F64 => {
                json!(dice.pick::<f64>(&[&0.0, &0.25, &0.5, &0.75, &0.9, &1.0]))
            }
            Type::Bool => json!(dice.roll(2) == 0),
            Type::Json => match dice.roll(3) {
                0 => json!({"command": [dice.pick(&WORDS), "--flag"]}),
                1 => json!({"exit": dice.roll(2), "output": dice.pick(&ERRORS)}),
                _ => json!(dice.pick(&WORDS)),
            },
            Type::List(item) => {
                let count = dice.roll(4);
                let items = (0..count).map(|_| self.value(item, name, interface, dice));
                items.collect()
            }
            Type::Record(record) => {
                let mut members = Map::new();
                for Field { name, ty, .. } in record.fields {
                    if !ty.may_be_left_out() || dice.roll(3) > 0 {
                        let value = self.value(ty, name, interface, dice);
                        members.insert((*name).to_owned(), value);
                    }
                }
                Value::Object(members)
            }
            Type::Option(item) => {
                // An id of one's own choice is the exception.
                if name == "id" || dice.roll(3) == 0 {
                    return Value::Null;
                }
                self.value(item, name, interface, dice)
            }
            Type::Enum(Enum { cases, .. }) | Type::Variant(Variant { cases, .. }) => {
                let case = &cases[dice.roll(cases.len())];
                match &case.payload {
                    Some(payload) => {
                        json!({ case.name: self.value(payload, case.name, interface, dice) })
                    }
                    None => json!(case.name),
                }
            }
        }
    }

    fn integer(&self, name: &str, dice: &mut Dice) -> u64 {
        match name {
            "since" | "until" | "before" | "at" | "ended-at" => {
                self.now - dice.roll(5_000_000) as u64
            }
            "started-at" => self.now - 5_000_000 - dice.roll(5_000_000) as u64,
            "limit" | "tokens" | "max-size" => 1 + dice.roll(200) as u64,
            "system-context"
            | "task-context"
            | "execution-state"
            | "intermediate-results"
            | "retrieved-context" => 200 + dice.roll(2_000) as u64,
            _ => dice.roll(6) as u64,
        }
    }

    fn text(&self, name: &str, interface: &str, dice: &mut Dice) -> String {
        // Now and then something that fits nowhere.
        if dice.roll(40) == 0 {
            return dice.pick(&WORDS).to_owned();
        }
        let of_one_kind = |kinds: &[&str], dice: &mut Dice| {
            let all: Vec<&String> = kinds
                .iter()
                .filter_map(|kind| self.ids.get(*kind))
                .flatten()
                .collect();
            match all.len() {
                0 => "nothing-yet".to_owned(),
                count => all[count - 1 - dice.roll(count.min(12))].clone(),
            }
        };
        let written = match (interface, name) {
            (_, "run" | "episode") => return of_one_kind(&["run"], dice),
            (_, "lesson" | "pattern" | "patterns" | "superseded-by") => {
                return of_one_kind(&["les", "pat"], dice);
            }
            (_, "source" | "target" | "memory") => return of_one_kind(&["les"], dice),
            (_, "id") => return of_one_kind(&["les", "run"], dice),
            ("experience", "entry" | "entries" | "ids") => return of_one_kind(&["exp"], dice),
            (_, "item" | "snapshot" | "handoff" | "consolidation" | "event-id" | "hash") => {
                return of_one_kind(&[name], dice);
            }
            (_, "fingerprint" | "trigger-fingerprints" | "recent-fingerprints") => {
                return of_one_kind(&["fp"], dice);
            }
            ("decisions" | "exchange", "text") => return of_one_kind(&["file"], dice),
            ("exchange", "path") => "semantic/patterns.json",
            (_, "after") => return String::new(),
            ("skills", "slug") => ["parse-csv", "deploy-service"][dice.roll(2)],
            ("skills", "markdown") => SKILL,
            (_, "domain" | "domains") => ["cli", "code"][dice.roll(2)],
            (_, "module" | "module-name" | "module-category") => {
                ["loader", "trainer"][dice.roll(2)]
            }
            ("decisions", "outcome") => ["accepted", "rejected", "held"][dice.roll(3)],
            (_, "query-type") => ["was-rejected", "was-accepted", "get-patterns"][dice.roll(3)],
            (_, "failure-type") => ["timeout", "other"][dice.roll(2)],
            (_, "agent" | "agent-id" | "from-agent" | "to-agent") => ["anna", "ben"][dice.roll(2)],
            (
                _,
                "session" | "task-type" | "tag" | "tags" | "tool" | "tools-used" | "key" | "phase"
                | "kind" | "label",
            ) => dice.pick(&WORDS),
            (_, "evidence" | "error" | "failure-details" | "details" | "observation" | "text") => {
                dice.pick(&ERRORS)
            }
            (_, "media-type") => "text/plain",
            (_, "rule-text" | "summary") => {
                return format!(
                    "WRONG: {} --x → CORRECT: {} -x",
                    dice.pick(&WORDS),
                    dice.pick(&WORDS)
                );
            }
            (_, "candidates") => CANDIDATES,
            (_, "action" | "action-text") => {
                return format!("{} --{}", dice.pick(&WORDS), dice.pick(&WORDS));
            }
            _ => return format!("{} {}", dice.pick(&TASKS), dice.pick(&WORDS)),
        };
        written.to_owned()
    }

    /// Remembers the ids of an answer, by what stands before their underscore and by the member they are in; and the
    /// files that are given out.
    pub fn learn(&mut self, method: &str, arguments: Value, answer: &Value) {
        if method == "lessons.set-status" && arguments["status"] == "under-review" {
            let reviewed = (arguments.clone(), answer.clone());
            self.succeeded.insert(UNDER_REVIEW.to_owned(), reviewed);
        }
        self.succeeded
            .insert(method.to_owned(), (arguments, answer.clone()));
        let mut found = Vec::new();
        if let Some(Value::String(file)) = answer.get("text") {
            found.push(("file".to_owned(), file.clone()));
        }
        let of = match method {
            "coordination.hand-over" => "handoff",
            "working.take-snapshot" => "snapshot",
            "episodes.keep-artifact" => "hash",
            "events.find" => "event-id",
            "upkeep.consolidate" => "consolidation",
            "working.retrieve" | "working.view" => "item",
            _ => "",
        };
        collect(answer, of, &mut found);
        for (kind, id) in found {
            let ids = self.ids.entry(kind).or_default();
            ids.retain(|known| *known != id);
            ids.push(id);
        }
    }
}

fn collect(value: &Value, name: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, name, found)),
        Value::Object(members) => {
            for (member, value) in members {
                let of = match member.as_str() {
                    "id" | "hash" => name,
                    _ if value.is_string() => "",
                    other => match name {
                        "" => other.strip_suffix('s').unwrap_or(other),
                        name => name,
                    },
                };
                collect(value, of, found);
            }
        }
        Value::String(id) if id.len() < 80 => {
            if !name.is_empty() {
                found.push((name.to_owned(), id.clone()));
            }
            let (prefix, rest) = id.split_once('_').unwrap_or_default();
            let hexadecimal = rest.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !prefix.is_empty() && rest.len() >= 8 && hexadecimal {
                found.push((prefix.to_owned(), id.clone()));
            }
        }
        _ => {}
    }
}
