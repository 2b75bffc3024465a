//! Writes the memory of `tests/fixtures/memory`, with one document at least of every kind, and what is answered of it.
//!
//! Owns the memory and its clock; `story` fills it: a year and some months of work, told in calls of the contract with a clock that is set by
//! hand. It is run once for a version whose memories later ones have to read, never to make a test pass:
//!
//! `cargo run -p twiceshy-agreement --example old_memory -- tests/fixtures/memory`

#[allow(dead_code)]
#[path = "../../../../guest/engine/tests/support/mod.rs"]
mod support;

mod questions;
mod story;

use std::{fs, path::Path};

use serde_json::Value;
use support::{DAY, World};
use twiceshy_agreement::{
    Known,
    fixture::{self, Recorded},
};
use twiceshy_engine::{Engine, Ports};
use twiceshy_store::{DirectoryArchive, MapStore, Options, SqliteStore};
use twiceshy_wit::{host::Store, memory::Error, rpc};

/// The memory that is told the story.
struct Story {
    world: World,
    store: Box<dyn Store>,
    archive: DirectoryArchive,
    known: Known,
    calls: Vec<Recorded>,
}

impl Story {
    fn answer(&mut self, method: &str, arguments: &Value) -> Result<String, Error> {
        self.world.pass(1_000);
        let engine = Engine::new(Ports {
            store: &*self.store,
            archive: &self.archive,
            embedder: &self.world,
            model: &self.world,
            clock: &self.world,
            log: &self.world,
        });
        rpc::call(&engine, method, &arguments.to_string())
    }

    /// Makes a call that has to succeed; gives its result.
    fn tell(&mut self, method: &str, arguments: Value) -> Value {
        let answer = self.answer(method, &arguments);
        let answer = answer.unwrap_or_else(|error| panic!("{method} {arguments}: {error}"));
        let answer: Value = serde_json::from_str(&answer).expect("an answer is JSON");
        self.known.learn(method, arguments, &answer);
        answer
    }

    /// Makes a call and keeps it with its answer. What is not taken at all is left out: it may be taken one day.
    fn ask(&mut self, method: &str, arguments: Value) {
        let answer = self.answer(method, &arguments);
        if matches!(answer, Err(Error::InvalidArgument(_))) {
            return;
        }
        self.calls.push(Recorded {
            at: self.world.clock.get(),
            method: method.to_owned(),
            arguments,
            answer: Recorded::answer(answer),
        });
    }

    fn days(&self, days: u64) {
        self.world.pass(days * DAY);
    }

    /// A model that says something next.
    fn model_says(&self, answer: &str) {
        self.world
            .answers
            .borrow_mut()
            .push_back(Ok(answer.to_owned()));
    }

    fn id(&mut self, method: &str, arguments: Value) -> String {
        id(&self.tell(method, arguments))
    }
}

fn id(answer: &Value) -> String {
    answer["id"].as_str().expect("an id").to_owned()
}

fn main() {
    let directory = std::env::args().nth(1).expect("the directory to write to");
    let directory = Path::new(&directory);
    let scratch = tempfile::tempdir().expect("a directory");
    let [file, asked] = ["memory.db", "asked.db"].map(|name| scratch.path().join(name));
    let open = |file: &Path| -> Box<dyn Store> {
        Box::new(SqliteStore::open(file, Options::default()).expect("a store"))
    };
    let mut story = Story {
        world: World::new(),
        store: open(&file),
        archive: DirectoryArchive::new(directory.join("archive")),
        known: Known::default(),
        calls: Vec::new(),
    };
    story.world.embeds.set(true);
    let mut ids = story::runs(&mut story);
    story::lessons(&mut story, &ids);
    ids.extend(story::episodes(&mut story));
    story::patterns(&mut story, &ids);
    story::judgements(&mut story);
    story::open_work(&mut story);
    story::upkeep(&mut story, &ids);
    story::lately(&mut story);
    // Whoever asks leaves traces of it: the memory is kept as it was before.
    story.store.optimize().expect("the log is carried over");
    story.store = Box::new(MapStore::new());
    fs::copy(&file, &asked).expect("a copy");
    story.store = open(&asked);
    questions::ask(&mut story);
    fixture::pack(&file, &story.calls, directory).expect("the fixture");
}
