//! Episodes that are taken in as a group are what they are one by one, to the byte.

#[allow(dead_code)]
#[path = "../../src/cli/bench/work.rs"]
mod work;

use std::sync::Arc;

use serde_json::{Value, json};
use twiceshy_engine::{Engine, Ports};
use twiceshy_store::{MapStore, Options, SqliteStore};
use twiceshy_wit::{
    host::{Archive, Clock, Embedder, Error, Level, Log, Model, Store},
    rpc,
};

/// When an episode ended, from 2024-01-01 on.
fn ended_at(number: u64) -> u64 {
    1_704_067_200_000 + number * work::APART_MS
}

/// A host with the static model and nothing else beside its store.
struct Host;

impl Embedder for Host {
    fn identity(&self) -> Result<String, Error> {
        Ok(twiceshy_meaning::IDENTITY.to_owned())
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        Ok(texts
            .iter()
            .map(|text| match twiceshy_meaning::embed(text) {
                vector if vector.is_empty() => vec![0.0; 256],
                vector => vector,
            })
            .collect())
    }
}

fn missing<T>() -> Result<T, Error> {
    Err(Error::Unavailable("not here".to_owned()))
}

impl Archive for Host {
    fn keep(&self, _: &[u8]) -> Result<String, Error> {
        missing()
    }

    fn fetch(&self, _: &str) -> Result<Vec<u8>, Error> {
        missing()
    }

    fn discard(&self, _: &str) -> Result<(), Error> {
        missing()
    }
}

impl Model for Host {
    fn complete(&self, _: &str, _: &str) -> Result<String, Error> {
        missing()
    }
}

impl Clock for Host {
    fn now(&self) -> u64 {
        1_795_000_000_000
    }
}

impl Log for Host {
    fn write(&self, _: Level, _: &str) {}
}

fn call(store: &dyn Store, method: &str, arguments: &Value) -> Value {
    let engine = Engine::new(Ports {
        store,
        archive: &Host,
        embedder: &Host,
        model: &Host,
        clock: &Host,
        log: &Host,
    });
    let answer = rpc::call(&engine, method, &arguments.to_string()).expect(method);
    serde_json::from_str(&answer).expect("JSON")
}

const EPISODES: u64 = 120;

fn fill(store: &dyn Store) {
    let settings = json!({
        "enabled": true, "max-size": 20, "top-k": 4, "window-size": 20, "enable-rag": true, "remem-enabled": false,
        "max-inner-steps": 5, "enable-smart-prune": true, "prune-threshold": 0.95, "relevance-decay": 0.99,
        "min-relevance": 0.1
    });
    call(
        store,
        "experience.configure",
        &json!({ "settings": settings }),
    );
    for number in 0..EPISODES {
        // Some tasks come again, some of them with the same failure.
        let mut episode = work::episode(number, 1_000, ended_at(number));
        if number % 3 == 0 {
            episode["episode"]["task"] = work::task(number % 7).into();
        }
        call(store, "episodes.add", &episode);
    }
}

/// Everything that an export says, and some answers.
fn said(store: &dyn Store) -> Vec<Value> {
    let mut said = Vec::new();
    let mut after = Value::Null;
    loop {
        let request = json!({"request": {"after": after}});
        let piece = call(store, "exchange.export-tree", &request);
        after = piece["next"].clone();
        said.push(piece);
        if after.is_null() {
            break;
        }
    }
    for number in (0..EPISODES).step_by(17) {
        let query = json!({"query": {"text": work::task(number), "limit": 10}});
        said.push(call(store, "episodes.search", &query));
    }
    said
}

#[test]
fn a_memory_that_was_filled_as_a_group_is_the_one_that_was_filled_one_by_one() {
    let directory = tempfile::tempdir().unwrap();
    let open = |name: &str| {
        let path = directory.path().join(name);
        Arc::new(SqliteStore::open(&path, Options::default()).unwrap())
    };
    let (single, grouped, map) = (open("single.db"), open("grouped.db"), MapStore::new());
    fill(&*single);
    fill(&map);
    let group = grouped.group();
    fill(&*grouped);
    group.end().unwrap();
    let expected = said(&*single);
    assert!(
        expected[0].to_string().len() > 10_000,
        "there is something to compare"
    );
    assert_eq!(expected, said(&*grouped));
    assert_eq!(expected, said(&map));
    grouped.optimize().unwrap();
    assert_eq!(
        expected,
        said(&*open("grouped.db")),
        "with indices that are made anew"
    );
    assert_eq!(grouped.integrity(), Ok(vec![]));
}

#[test]
fn of_a_memory_that_is_pruned_to_a_hundredth_a_twentieth_is_left() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    let options = Options {
        light: true,
        ..Options::default()
    };
    let store = Arc::new(SqliteStore::open(&path, options).unwrap());
    let all = 1_500;
    let group = store.group();
    for number in 0..all {
        call(
            &*store,
            "episodes.add",
            &work::episode(number, 1_000, ended_at(number)),
        );
    }
    group.end().unwrap();
    store.give_back().unwrap();
    let before = store.size_bytes().unwrap();
    let group = store.group();
    let time = ended_at(all - all / 100);
    call(
        &*store,
        "upkeep.prune",
        &json!({"before": time, "dry-run": false}),
    );
    group.end().unwrap();
    store.give_back().unwrap();
    let after = store.size_bytes().unwrap();
    assert!(
        after * 20 <= before,
        "{after} of {before} bytes are left: {:?}",
        store.usage()
    );
    assert_eq!(store.integrity(), Ok(vec![]));
}

#[test]
fn a_consolidation_gives_back_the_room_of_what_was_pruned() {
    let directory = tempfile::tempdir().unwrap();
    let options = Options {
        light: true,
        ..Options::default()
    };
    let store = Arc::new(SqliteStore::open(&directory.path().join("memory.db"), options).unwrap());
    let all = 400;
    let group = store.group();
    for number in 0..all {
        let episode = work::episode(number, 1_000, ended_at(number));
        call(&*store, "episodes.add", &episode);
    }
    group.end().unwrap();
    let prune = json!({"before": ended_at(all - 4), "dry-run": false});
    call(&*store, "upkeep.prune", &prune);
    let before = store.size_bytes().unwrap();
    let mut request = json!({});
    loop {
        let piece = call(
            &*store,
            "upkeep.consolidate",
            &json!({ "request": request }),
        );
        match piece["next"].as_str() {
            Some(next) => request["after"] = json!(next),
            None => break,
        }
    }
    let after = store.size_bytes().unwrap();
    assert!(after * 5 <= before, "{after} of {before} bytes are left");
}
