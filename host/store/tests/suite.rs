//! The rules of the contract as data: every request that the cases make, and every answer, for a store in any language.
//!
//! One line of JSON is `{"case": NAME}`, which begins with an empty store, or a request in the names of the contract:
//! `{"call": …, "arguments": {…}, "ok": …}`, or `"error"` with the kind of refusal instead of `"ok"`. A number that is
//! `null` stands for one that is not a number. `UPDATE_SUITE=1 cargo test -p twiceshy-store suite` writes it again.

use std::fs;
use std::io::{Read, Write as _};
use std::path::PathBuf;
use std::sync::Mutex;

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use twiceshy_documents::{ByteMap, ByteStore};
use twiceshy_store::conformance::cases;
use twiceshy_store::{MapStore, Options, SqliteStore};
use twiceshy_wit::host::{Change, Condition, Error, Found, Key, Query, Store, Stored};

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/runtimes/store.jsonl.gz")
}

/// A store that writes down what it is asked, and what it answers.
#[derive(Default)]
struct Recorder {
    store: MapStore,
    lines: Mutex<String>,
}

impl Recorder {
    fn noted<T: Serialize>(
        &self,
        call: &str,
        arguments: Value,
        answer: Result<T, Error>,
    ) -> Result<T, Error> {
        let mut line = json!({"call": call, "arguments": arguments});
        line["ok"] = json!(answer.as_ref().ok());
        if let Err(error) = &answer {
            line.as_object_mut().unwrap().remove("ok");
            line["error"] = json!(error.kind());
        }
        self.lines.lock().unwrap().push_str(&format!("{line}\n"));
        answer
    }
}

impl Store for Recorder {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, Error> {
        self.noted("get-many", json!({"keys": keys}), self.store.get_many(keys))
    }

    fn commit(&self, batch: &[Change]) -> Result<(), Error> {
        self.noted("commit", json!({"batch": batch}), self.store.commit(batch))
    }

    fn commit_lightly(&self, batch: &[Change]) -> Result<(), Error> {
        self.noted(
            "commit-lightly",
            json!({"batch": batch}),
            self.store.commit_lightly(batch),
        )
    }

    fn find(&self, query: &Query) -> Result<Vec<Found>, Error> {
        self.noted("find", json!({"query": query}), self.store.find(query))
    }

    fn count(&self, kind: &str, conditions: &[Condition]) -> Result<u32, Error> {
        let arguments = json!({"kind": kind, "conditions": conditions});
        self.noted("count", arguments, self.store.count(kind, conditions))
    }

    fn optimize(&self) -> Result<(), Error> {
        self.noted("optimize", json!({}), self.store.optimize())
    }
}

fn recorded() -> String {
    let mut lines = String::new();
    for case in cases() {
        let recorder = Recorder::default();
        (case.check)(&recorder);
        lines.push_str(&format!("{}\n", json!({"case": case.name})));
        lines.push_str(&recorder.lines.into_inner().unwrap());
    }
    lines
}

fn committed() -> String {
    let mut lines = String::new();
    let file = fs::File::open(path()).expect("the suite");
    GzDecoder::new(file)
        .read_to_string(&mut lines)
        .expect("text");
    lines
}

#[test]
fn the_suite_of_stores_is_what_the_cases_ask() {
    let recorded = recorded();
    if std::env::var_os("UPDATE_SUITE").is_some() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(recorded.as_bytes()).unwrap();
        fs::write(path(), encoder.finish().unwrap()).unwrap();
    }
    assert!(
        recorded == committed(),
        "tests/runtimes/store.jsonl.gz is stale; `UPDATE_SUITE=1 cargo test -p twiceshy-store suite` writes it again"
    );
}

#[test]
fn every_store_answers_the_suite_alike() {
    let lines = committed();
    let directory = tempfile::tempdir().unwrap();
    let mut number = 0;
    let mut in_sqlite = || {
        number += 1;
        SqliteStore::open(
            &directory.path().join(format!("{number}.db")),
            Options::default(),
        )
        .unwrap()
    };
    let mut stores: Vec<Box<dyn Store>> = Vec::new();
    let mut case = String::new();
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        if let Some(name) = line.get("case") {
            case = name.to_string();
            let over_bytes = ByteStore::new(ByteMap::new());
            stores = vec![
                Box::new(MapStore::new()),
                Box::new(over_bytes),
                Box::new(in_sqlite()),
            ];
            continue;
        }
        // Rust has no such number in JSON; the cases themselves ask for it.
        if has_null(&line["arguments"]) {
            continue;
        }
        for store in &stores {
            let answer = asked(&**store, &line);
            let expected = line
                .get("ok")
                .ok_or(line["error"].as_str().unwrap_or_default());
            assert!(
                answer.as_ref().map_err(|kind| *kind) == expected,
                "{case}: {answer:?} is not {expected:?}"
            );
        }
    }
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(members) => members.values().any(has_null),
        _ => false,
    }
}

/// The answer to a request, or the kind of its refusal.
fn asked(store: &dyn Store, line: &Value) -> Result<Value, &'static str> {
    let arguments = line["arguments"].as_object().expect("arguments");
    match line["call"].as_str().expect("a call") {
        "get-many" => answer(store.get_many(&argument::<Vec<_>>(arguments, "keys"))),
        "commit" => answer(store.commit(&argument::<Vec<_>>(arguments, "batch"))),
        "commit-lightly" => answer(store.commit_lightly(&argument::<Vec<_>>(arguments, "batch"))),
        "find" => answer(store.find(&argument(arguments, "query"))),
        "count" => {
            let kind: String = argument(arguments, "kind");
            answer(store.count(&kind, &argument::<Vec<_>>(arguments, "conditions")))
        }
        "optimize" => answer(store.optimize()),
        other => panic!("there is no call {other}"),
    }
}

fn answer<T: Serialize>(result: Result<T, Error>) -> Result<Value, &'static str> {
    result
        .map(|answer| json!(answer))
        .map_err(|error| error.kind())
}

fn argument<T: DeserializeOwned>(arguments: &Map<String, Value>, name: &str) -> T {
    let value = arguments.get(name).cloned().expect("an argument");
    serde_json::from_value(value).expect("an argument of its type")
}
