//! A session for every runtime: calls of the whole memory with their answers, and the time of each.
//!
//! One line of JSON is `{"at": …, "method": …, "arguments": {…}, "ok": …}`, or `"error"` with the kind of refusal instead of
//! `"ok"`. There is no embedder and no model.

use std::cell::Cell;

use serde_json::{Value, json};
use twiceshy_agreement::{Dice, Known, MAKERS, named, takes_away};
use twiceshy_documents::{ByteMap, ByteStore};
use twiceshy_engine::{Engine, Ports};
use twiceshy_wit::host::{Archive, Clock, Embedder, Error, Level, Log, Model, Store};
use twiceshy_wit::{FUNCTIONS, rpc};

/// A host that has a clock and nothing else.
struct Bare(Cell<u64>);

impl Clock for Bare {
    fn now(&self) -> u64 {
        self.0.get()
    }
}

impl Log for Bare {
    fn write(&self, _level: Level, _message: &str) {}
}

fn unavailable<T>() -> Result<T, Error> {
    Err(Error::Unavailable("there is none".into()))
}

impl Embedder for Bare {
    fn identity(&self) -> Result<String, Error> {
        unavailable()
    }

    fn embed(&self, _texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        unavailable()
    }
}

impl Model for Bare {
    fn complete(&self, _prompt: &str, _schema: &str) -> Result<String, Error> {
        unavailable()
    }
}

/// The answer of a memory over a store, as a line has it.
pub fn answer(
    store: &dyn Store,
    archive: &dyn Archive,
    at: u64,
    method: &str,
    arguments: &Value,
) -> Value {
    let bare = Bare(Cell::new(at));
    let engine = Engine::new(Ports {
        store,
        archive,
        embedder: &bare,
        model: &bare,
        clock: &bare,
        log: &bare,
    });
    match rpc::call(&engine, method, &arguments.to_string()) {
        Ok(answer) => json!({"ok": serde_json::from_str::<Value>(&answer).expect("JSON")}),
        Err(error) => json!({"error": error.kind()}),
    }
}

/// Makers of content and any functions in turn, with arguments from a seed.
pub fn recorded() -> String {
    let (store, mut known) = (ByteStore::new(ByteMap::new()), Known::default());
    let (mut at, mut lines) = (1_704_110_400_000, String::new());
    for seed in 0..600_u64 {
        let mut dice = Dice::new(seed + 7);
        let function = match dice.roll(3) {
            0 => &FUNCTIONS[dice.roll(FUNCTIONS.len())],
            _ => named(MAKERS[dice.roll(MAKERS.len())]),
        };
        if takes_away(&function.method()) && seed < 500 {
            continue;
        }
        at += match dice.roll(60) {
            0 => 7 * 86_400_000,
            _ => dice.roll(5_000) as u64,
        };
        known.now = at;
        let (method, arguments) = (function.method(), known.arguments(function, &mut dice));
        let mut line = answer(&store, &store, at, &method, &arguments);
        if let Some(ok) = line.get("ok") {
            known.learn(&method, arguments.clone(), ok);
        }
        line["at"] = json!(at);
        line["method"] = json!(method);
        line["arguments"] = arguments;
        lines.push_str(&format!("{line}\n"));
    }
    lines
}
