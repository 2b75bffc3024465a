//! The steps that an adapter is tried with.
//!
//! Owns three lots: ordinary ones, made from the adapter's own schemas; large ones, up to what the contract allows; and
//! hostile ones, which no schema allows. What an adapter must make of them is in `checks`.

use fastrand::Rng;
use serde_json::{Value, json};
use twiceshy_wit::adapter::{Goal, Manifest, Step};

use super::values::Values;
use crate::limits;

/// Steps of one run before another goal begins.
const STEPS_OF_A_RUN: usize = 8;

/// A step with its goal, and what is particular about it.
pub(super) struct Trial {
    pub(super) what: String,
    pub(super) goal: Goal,
    pub(super) step: Step,
}

/// The texts that a host hands over, by their names in the contract.
const PAYLOADS: [&str; 4] = ["expectations", "before", "action", "observation"];

impl Trial {
    fn payload(&mut self, name: &str) -> &mut String {
        match name {
            "expectations" => &mut self.goal.expectations,
            "before" => &mut self.step.before,
            "action" => &mut self.step.action,
            _ => &mut self.step.observation,
        }
    }
}

/// Makes steps from what an adapter says of itself.
pub(super) struct Steps {
    domain: String,
    schemas: [Value; 3],
    /// A step that the adapter judges, to be spoilt in one place: where it refuses all the rest, nothing is tried.
    sound: Option<Step>,
}

/// Makes a value larger by so many bytes, if it has anything that can grow.
type Stretch = fn(&mut Value, usize) -> bool;

impl Steps {
    /// What is not a schema is taken as one that allows anything.
    pub(super) fn new(manifest: &Manifest) -> Self {
        let schemas = [
            &manifest.action_schema,
            &manifest.observation_schema,
            &manifest.expectations_schema,
        ];
        Self {
            domain: manifest.domain.clone(),
            schemas: schemas.map(|text| serde_json::from_str(text).unwrap_or_else(|_| json!({}))),
            sound: None,
        }
    }

    /// Spoils this step from now on.
    pub(super) fn spoil(&mut self, sound: &Step) {
        self.sound = Some(sound.clone());
    }

    /// Runs of ordinary steps, the same every time. Some actions and some observations come again, as in a run that
    /// is stuck.
    pub(super) fn runs(&self, runs: usize) -> Vec<Vec<Trial>> {
        let [actions, observations, expectations] = &self.schemas;
        let mut actions = Values::new(actions, 1);
        let mut observations = Values::new(observations, 2);
        let mut expectations = Values::new(expectations, 3);
        let mut chance = Rng::with_seed(4);
        let mut run = |number: usize| {
            let expected = match number % 3 {
                0 => String::new(),
                _ => expectations.value().to_string(),
            };
            let mut trials: Vec<Trial> = Vec::new();
            for index in 0..STEPS_OF_A_RUN {
                let last = trials.last().filter(|_| chance.u8(..3) == 0);
                let action = last.map(|last| last.step.action.clone());
                let last = trials.last().filter(|_| chance.u8(..3) == 0);
                let observation = last.map(|last| last.step.observation.clone());
                let before = match trials.last() {
                    Some(last) if chance.bool() => last.step.observation.clone(),
                    Some(_) => String::new(),
                    None => observations.value().to_string(),
                };
                trials.push(Trial {
                    what: format!("step {} of run {}", index + 1, number + 1),
                    goal: Goal {
                        task: "anything".to_owned(),
                        domain: self.domain.clone(),
                        expectations: expected.clone(),
                    },
                    step: Step {
                        before,
                        action: action.unwrap_or_else(|| actions.value().to_string()),
                        observation: observation
                            .unwrap_or_else(|| observations.value().to_string()),
                    },
                });
            }
            trials
        };
        (0..runs).map(&mut run).collect()
    }

    /// An ordinary step, to be spoilt in one place.
    fn ordinary(&self, what: String) -> Trial {
        let [actions, observations, _] = &self.schemas;
        let made = || Step {
            before: String::new(),
            action: Values::new(actions, 6).value().to_string(),
            observation: Values::new(observations, 6).value().to_string(),
        };
        Trial {
            what,
            goal: Goal {
                task: "anything".to_owned(),
                domain: self.domain.clone(),
                expectations: String::new(),
            },
            step: self.sound.clone().unwrap_or_else(made),
        }
    }

    /// A payload that fits: the one of an ordinary step, else one that is made.
    fn fitting(&self, payload: &str) -> Value {
        let mut ordinary = self.ordinary(String::new());
        serde_json::from_str(ordinary.payload(payload))
            .unwrap_or_else(|_| Values::new(self.schema(payload), 8).value())
    }

    /// The schema of a payload.
    fn schema(&self, payload: &str) -> &Value {
        match payload {
            "action" => &self.schemas[0],
            "expectations" => &self.schemas[2],
            _ => &self.schemas[1],
        }
    }

    /// Steps with one payload of so many bytes, once by a long text and once by many items.
    pub(super) fn large(&self, size: usize) -> Vec<Trial> {
        let mut trials = Vec::new();
        for name in PAYLOADS {
            let mut values = Values::new(self.schema(name), 5);
            // One of so many has a text and a list somewhere, if the schema has them at all.
            let some: Vec<_> = (0..32).map(|_| values.value()).collect();
            let stretches: [(&str, Stretch); 2] =
                [("a long text", lengthen), ("many items", multiply)];
            for (how, stretch) in stretches {
                let stretched = some.iter().find_map(|value| {
                    let mut value = value.clone();
                    let room = size.checked_sub(value.to_string().len())?;
                    stretch(&mut value, room).then_some(value)
                });
                // Where the schema has no text at all, a member that it does not know is long.
                let unknown = || {
                    let text = "x".repeat(size - r#"{"a":""}"#.len());
                    (how == "a long text").then(|| json!({ "a": text }))
                };
                if let Some(value) = stretched.or_else(unknown) {
                    let mut trial = self.ordinary(format!("{name} with {how}"));
                    *trial.payload(name) = value.to_string();
                    trials.push(trial);
                }
            }
        }
        trials
    }

    /// Steps that no schema allows.
    pub(super) fn hostile(&self) -> Vec<Trial> {
        let mut trials = Vec::new();
        for name in PAYLOADS {
            for (what, text) in hostile_texts() {
                let mut trial = self.ordinary(format!("{name}: {what}"));
                *trial.payload(name) = text;
                trials.push(trial);
            }
            for (what, value) in spoilt(&self.fitting(name)) {
                let mut trial = self.ordinary(format!("{name}: {what}"));
                *trial.payload(name) = value.to_string();
                trials.push(trial);
            }
        }
        let goals = [
            ("another domain", "no-such-domain", "anything".to_owned()),
            ("no domain", "", "anything".to_owned()),
            ("no task", &self.domain, String::new()),
            (
                "a task with control characters",
                &self.domain,
                "\0\u{1b}[2J\u{202e}\r\n".to_owned(),
            ),
            ("a long task", &self.domain, "x".repeat(1 << 20)),
        ];
        for (what, domain, task) in goals {
            let mut trial = self.ordinary(format!("goal: {what}"));
            trial.goal.domain = domain.to_owned();
            trial.goal.task = task;
            trials.push(trial);
        }
        trials
    }
}

/// Texts that are no payload of any adapter, or should not be.
fn hostile_texts() -> Vec<(&'static str, String)> {
    let most = limits::PAYLOAD_BYTES;
    let mut texts: Vec<_> = [
        ("empty", ""),
        ("white space", " \n\t "),
        ("null", "null"),
        ("a list", "[]"),
        ("a number", "0"),
        ("a text", "\"text\""),
        ("an empty object", "{}"),
        ("half an object", "{"),
        ("not JSON", "exit code 1: no such file"),
        ("two objects", "{} {}"),
        ("a NUL", "\0"),
        ("a mark of byte order", "\u{feff}{}"),
        ("raw control characters", "{\"a\": \"\u{1}\u{1b}[31m\"}"),
        ("half of a pair of surrogates", r#"{"a": "\ud800"}"#),
        ("a member twice", r#"{"a": 1, "a": 2}"#),
        ("a number beyond all numbers", r#"{"a": 1e999999}"#),
        (
            "the name of a prototype",
            r#"{"__proto__": {"a": 1}, "constructor": 1}"#,
        ),
    ]
    .map(|(what, text)| (what, text.to_owned()))
    .into();
    texts.extend([
        (
            "a number of 10,000 digits",
            format!("{{\"a\": {}}}", "9".repeat(10_000)),
        ),
        ("lists in lists, 100,000 deep", "[".repeat(100_000)),
        (
            "objects in objects, 50,000 deep",
            format!("{}1{}", "{\"a\":".repeat(50_000), "}".repeat(50_000)),
        ),
        ("4 MiB of blanks", " ".repeat(most)),
        ("4 MiB of brackets", "[".repeat(most)),
        ("4 MiB of text", format!("\"{}\"", "x".repeat(most - 2))),
        (
            "4 MiB of escapes",
            format!("\"{}\"", "\\u0000".repeat((most - 2) / 6)),
        ),
        (
            "4 MiB of numbers",
            format!("[{}0]", "0,".repeat(most / 2 - 2)),
        ),
    ]);
    texts
}

/// A value that fits, spoilt: without a member, with one too many, with members of other types.
fn spoilt(value: &Value) -> Vec<(String, Value)> {
    let Value::Object(members) = value else {
        return Vec::new();
    };
    let mut spoilt = Vec::new();
    let mut more = members.clone();
    more.insert("no-such-member".to_owned(), json!({"a": [null]}));
    spoilt.push(("a member too many".to_owned(), Value::Object(more)));
    for name in members.keys() {
        let mut fewer = members.clone();
        fewer.remove(name);
        spoilt.push((format!("without `{name}`"), Value::Object(fewer)));
        for other in [
            json!(null),
            json!(true),
            json!(-1),
            json!(u64::MAX),
            json!(1e308),
            json!(""),
            json!("\0\u{1b}]0;title\u{7}"),
            json!([]),
            json!([[[]]]),
            json!({}),
        ] {
            let what = format!("`{name}` as {other}");
            let mut changed = members.clone();
            changed.insert(name.clone(), other);
            spoilt.push((what, Value::Object(changed)));
        }
    }
    spoilt
}

/// Makes some text in a value so much longer. Says whether there was one.
fn lengthen(value: &mut Value, by: usize) -> bool {
    match value {
        Value::String(text) if !text.is_empty() => {
            text.push_str(&"x".repeat(by));
            true
        }
        Value::Array(items) => items.iter_mut().any(|item| lengthen(item, by)),
        Value::Object(members) => members.values_mut().any(|member| lengthen(member, by)),
        _ => false,
    }
}

/// Repeats the items of some list until it takes so much more room. Says whether there was one.
fn multiply(value: &mut Value, by: usize) -> bool {
    match value {
        Value::Array(items) if !items.is_empty() => {
            let last = items[items.len() - 1].clone();
            let times = by / (last.to_string().len() + 1);
            items.extend(std::iter::repeat_n(last, times));
            true
        }
        Value::Object(members) => members.values_mut().any(|member| multiply(member, by)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps() -> Steps {
        let schema = r#"{"type": "object", "required": ["text", "list"], "properties": {
            "text": {"type": "string", "minLength": 1}, "list": {"type": "array", "minItems": 1, "items": {"type": "integer"}}}}"#;
        Steps::new(&Manifest {
            domain: "any".into(),
            action_schema: schema.into(),
            observation_schema: schema.into(),
            expectations_schema: schema.into(),
            ..Manifest::default()
        })
    }

    #[test]
    fn no_payload_is_larger_than_the_contract_allows() {
        let steps = steps();
        let mut largest = 0;
        let large = || steps.large(limits::PAYLOAD_BYTES);
        for mut trial in large().into_iter().chain(steps.hostile()) {
            for name in PAYLOADS {
                let size = trial.payload(name).len();
                assert!(size <= limits::PAYLOAD_BYTES, "{}: {size}", trial.what);
                largest = largest.max(size);
            }
        }
        assert!(largest > limits::PAYLOAD_BYTES - 100);
        assert_eq!(large().len(), 8);
    }

    #[test]
    fn runs_are_the_same_every_time_and_repeat_themselves_somewhere() {
        let [once, again] = [steps(), steps()].map(|steps| steps.runs(20));
        let actions = |runs: &[Vec<Trial>]| -> Vec<String> {
            runs.iter()
                .flatten()
                .map(|trial| trial.step.action.clone())
                .collect()
        };
        assert_eq!(actions(&once), actions(&again));
        assert!(actions(&once).windows(2).any(|pair| pair[0] == pair[1]));
    }
}
