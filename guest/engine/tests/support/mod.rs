//! A memory for tests: the engine over a store that can be chosen, a clock that is set by hand, a scripted
//! model and an embedder that can be switched on.

mod store;

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, VecDeque},
};

use sha2::{Digest, Sha256};
use twiceshy_engine::{Engine, Ports};
use twiceshy_wit::{
    adapter::{Failure, Feedback, Step, Violation},
    host::{self, Level},
    memory::{Ending, LessonCandidate, LessonKind, NewPattern, NewRun, Observed},
};

pub use store::TestStore;

/// 2024-01-01, in milliseconds.
pub const START: u64 = 1_704_067_200_000;

/// A day, in milliseconds.
#[allow(dead_code, reason = "not every test file needs it")]
pub const DAY: u64 = 24 * 60 * 60 * 1_000;

#[derive(Default)]
pub struct World {
    pub store: TestStore,
    pub clock: Cell<u64>,
    pub answers: RefCell<VecDeque<Result<String, host::Error>>>,
    pub prompts: RefCell<Vec<String>>,
    pub embeds: Cell<bool>,
    pub dimensions: Cell<usize>,
    /// Whether the embedder knows words by the static model, not letters.
    pub reads_words: Cell<bool>,
    /// The cosine that this embedder gives to texts without a letter in common.
    pub unrelated: Cell<f64>,
    pub archive: RefCell<BTreeMap<String, Vec<u8>>>,
    pub log: RefCell<Vec<String>>,
}

impl World {
    pub fn new() -> Self {
        let world = Self::default();
        world.clock.set(START);
        world.dimensions.set(26);
        world
    }

    pub fn engine(&self) -> Engine<'_> {
        Engine::new(Ports {
            store: &self.store,
            archive: self,
            embedder: self,
            model: self,
            clock: self,
            log: self,
        })
    }

    #[allow(dead_code, reason = "not every test lets time pass")]
    pub fn pass(&self, milliseconds: u64) {
        self.clock.set(self.clock.get() + milliseconds);
    }
}

impl host::Clock for World {
    fn now(&self) -> u64 {
        self.clock.get()
    }
}

impl host::Log for World {
    fn write(&self, _: Level, message: &str) {
        self.log.borrow_mut().push(message.to_owned());
    }
}

impl host::Archive for World {
    fn keep(&self, content: &[u8]) -> Result<String, host::Error> {
        let hash = Sha256::digest(content);
        let name = hash
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>();
        let name = format!("sha256:{name}");
        let mut archive = self.archive.borrow_mut();
        archive.insert(name.clone(), content.to_vec());
        Ok(name)
    }

    fn fetch(&self, name: &str) -> Result<Vec<u8>, host::Error> {
        let archive = self.archive.borrow_mut();
        let content = archive.get(name).cloned();
        content.ok_or_else(|| host::Error::Corrupt(format!("there is no {name}")))
    }

    fn discard(&self, name: &str) -> Result<(), host::Error> {
        self.archive.borrow_mut().remove(name);
        Ok(())
    }
}

impl host::Embedder for World {
    fn identity(&self) -> Result<String, host::Error> {
        Ok(match self.unrelated.get() {
            0.0 => "letters".to_owned(),
            raised => format!("letters raised by {raised}"),
        })
    }

    /// Counts letters: texts with the same letters are near, whatever their words are.
    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, host::Error> {
        if !self.embeds.get() {
            return Err(host::Error::Unavailable("switched off".into()));
        }
        let count = |text: &String| {
            if self.reads_words.get() {
                let known = twiceshy_meaning::embed(text);
                return if known.is_empty() {
                    vec![0.0; 256]
                } else {
                    known
                };
            }
            let mut vector = vec![0.0; self.dimensions.get()];
            for byte in text
                .to_ascii_lowercase()
                .bytes()
                .filter(u8::is_ascii_lowercase)
            {
                vector[usize::from(byte - b'a') % self.dimensions.get()] += 1.0;
            }
            vector
        };
        let raise = |vector: Vec<f32>| {
            let unrelated = self.unrelated.get() as f32;
            let length = vector.iter().map(|part| part * part).sum::<f32>().sqrt();
            if unrelated == 0.0 || length == 0.0 {
                return vector;
            }
            let share = (1.0 - unrelated).sqrt() / length;
            let mut raised: Vec<_> = vector.iter().map(|part| part * share).collect();
            raised.push(unrelated.sqrt());
            raised
        };
        Ok(texts.iter().map(count).map(raise).collect())
    }
}

impl host::Model for World {
    fn complete(&self, prompt: &str, _: &str) -> Result<String, host::Error> {
        self.prompts.borrow_mut().push(prompt.to_owned());
        let answer = self.answers.borrow_mut().pop_front();
        answer.unwrap_or_else(|| Err(host::Error::Unavailable("no model".into())))
    }
}

#[allow(dead_code, reason = "not every test file needs it")]
pub fn run(task: &str) -> NewRun {
    NewRun {
        task: task.to_owned(),
        domain: "cli".to_owned(),
        hold_out: Some(0.0),
        ..NewRun::default()
    }
}

#[allow(dead_code, reason = "not every test file needs it")]
pub fn ending() -> Ending {
    Ending {
        outcome: None,
        score: None,
        referee: None,
    }
}

/// A step that worked.
pub fn success(action: &str) -> Observed {
    Observed {
        step: Step {
            before: String::new(),
            action: serde_json::json!({ "command": [action] }).to_string(),
            observation: r#"{"exit": 0}"#.to_owned(),
        },
        feedback: Feedback {
            action_text: action.to_owned(),
            hard_failure: None,
            constraint_failure: Vec::new(),
            progress_signal: None,
            efficiency_signal: None,
        },
    }
}

/// A step that failed outright.
#[allow(dead_code, reason = "not every test file needs it")]
pub fn failure(action: &str, evidence: &str) -> Observed {
    let mut observed = success(action);
    observed.step.observation = serde_json::json!({ "exit": 1, "stderr": evidence }).to_string();
    observed.feedback.hard_failure = Some(Failure {
        reason: "exit 1".to_owned(),
        evidence: evidence.to_owned(),
    });
    observed
}

/// A step after which a condition does not hold.
#[allow(dead_code, reason = "not every test file needs it")]
pub fn violation(action: &str, condition: &str) -> Observed {
    let mut observed = success(action);
    observed.feedback.constraint_failure = vec![Violation {
        condition: condition.to_owned(),
        evidence: String::new(),
    }];
    observed
}

/// A lesson that an agent proposes for an error text.
#[allow(dead_code, reason = "not every test file needs it")]
pub fn proposal(rule: &str, trigger: &str) -> LessonCandidate {
    LessonCandidate {
        rule_text: rule.to_owned(),
        trigger_fingerprints: Vec::new(),
        trigger_texts: vec![trigger.to_owned()],
        tags: Vec::new(),
        scope_hint: None,
        kind: None,
        domain: None,
        task: None,
        run: None,
        steps: Vec::new(),
        source: None,
    }
}

/// A pattern with nothing but its name, its kind and what it says.
#[allow(dead_code, reason = "not every test file needs it")]
pub fn pattern(kind: LessonKind, summary: &str) -> NewPattern {
    NewPattern {
        id: None,
        name: format!("about {summary}"),
        kind,
        summary: summary.to_owned(),
        explanation: None,
        correct_approach: None,
        incorrect_approach: None,
        applicability: None,
        content: None,
        guidance: None,
        scope: None,
        domain: None,
        tags: Vec::new(),
        trigger_fingerprints: Vec::new(),
        source_episodes: Vec::new(),
        confidence: None,
        source: None,
    }
}
