//! Consolidation: what is learned and tidied at night, and taken back. What is made and asked again and again is here.

mod bounds;
mod course;
mod episodes;
mod generality;
mod growth;
mod patterns;
mod thresholds;
mod undoing;

use crate::support::{DAY, START, World, ending, failure, success};
use proptest::prelude::*;
use std::{cell::Cell, collections::BTreeMap};
use twiceshy_engine::{Engine, Ports};
use twiceshy_wit::{
    host::{self, Change, Condition, Found, Key, Order, Query, Store, Stored},
    memory::*,
};

/// Every kind of document but those that tell of consolidations themselves.
const KINDS: [&str; 24] = [
    "run",
    "step",
    "event",
    "fingerprint",
    "episode",
    "account",
    "lifecycle",
    "consolidated",
    "embedding",
    "lesson",
    "evidence",
    "activation",
    "link",
    "reward",
    "task",
    "pattern",
    "pattern-body",
    "pattern-version",
    "application",
    "skill",
    "skill-version",
    "decision",
    "failure",
    "wording",
];

/// Every document of a memory by its name.
fn documents(world: &World) -> BTreeMap<(String, String), String> {
    let mut all = BTreeMap::new();
    for kind in KINDS {
        let query = Query {
            kind: kind.to_owned(),
            conditions: Vec::new(),
            order: Order::ById,
            offset: 0,
            limit: 10_000,
        };
        for found in world.store.find(&query).expect("documents") {
            let Key { kind, id } = found.document.key;
            all.insert((kind, id), found.document.body);
        }
    }
    all
}

/// A run of the kind `release`, some time after another, step by step.
fn work(world: &World, id: &str, task: &str, steps: &[Observed], outcome: Outcome) -> Episode {
    let engine = world.engine();
    let run = NewRun {
        id: Some(id.to_owned()),
        task: task.to_owned(),
        domain: "cli".to_owned(),
        hold_out: Some(0.0),
        task_type: Some("release".to_owned()),
        ..NewRun::default()
    };
    engine.start(&run).expect("a run");
    for step in steps {
        world.pass(1_000);
        engine.observe(id, step).expect("a step");
    }
    let ending = Ending {
        outcome: Some(outcome),
        ..ending()
    };
    engine.finish(id, &ending).expect("an end")
}

/// Tagging, building and pushing: the same in any version.
fn release(version: u32) -> Vec<Observed> {
    vec![
        success(&format!("git tag v{version}.0")),
        success("cargo build --release"),
        success(&format!("scp out/app-{version}.tar.gz host:/srv")),
    ]
}

fn released(world: &World, id: &str, version: u32) -> Episode {
    let task = format!("release version {version}");
    work(world, id, &task, &release(version), Outcome::Success)
}

fn request() -> ConsolidationRequest {
    ConsolidationRequest::default()
}

/// Goes on until it is over; gives what was changed and the last answer.
fn go_on(
    engine: &Engine,
    mut request: ConsolidationRequest,
) -> Result<(Vec<ConsolidationChange>, Consolidation), Error> {
    let mut changes = Vec::new();
    loop {
        let piece = engine.consolidate(&request)?;
        changes.extend(piece.changes.clone());
        match &piece.next {
            Some(next) => request.after = Some(next.clone()),
            None => return Ok((changes, piece)),
        }
    }
}

fn consolidate(world: &World) -> Vec<ConsolidationChange> {
    go_on(&world.engine(), request())
        .expect("a consolidation")
        .0
}

fn undo(world: &World, id: &str) -> Vec<ConsolidationChange> {
    let engine = world.engine();
    let mut after = String::new();
    let mut changes = Vec::new();
    loop {
        let piece = engine.undo_consolidation(id, &after).expect("a piece");
        changes.extend(piece.changes.clone());
        match piece.next {
            Some(next) => after = next,
            None => {
                assert!(piece.undone);
                return changes;
            }
        }
    }
}

fn words(changes: &[ConsolidationChange]) -> Vec<String> {
    let word = |change: &ConsolidationChange| format!("{} {}", change.memory, change.change);
    let mut words: Vec<_> = changes.iter().map(word).collect();
    words.sort();
    words
}

fn in_stage(changes: &[ConsolidationChange], stage: Stage) -> Vec<String> {
    let in_stage = changes.iter().filter(|change| change.stage == stage);
    words(&in_stage.cloned().collect::<Vec<_>>())
}

/// Three releases that are alike, and one episode of each way to differ from them.
fn some_releases() -> World {
    let world = World::new();
    released(&world, "first", 1);
    world.pass(DAY);
    released(&world, "second", 2);
    world.pass(DAY);
    released(&world, "third", 3);
    world
}

/// A memory in which every stage has something to do.
fn full_world(salt: u32) -> World {
    let world = World::new();
    for version in 1..=3 {
        released(&world, &format!("old{version}"), version + salt);
        world.pass(DAY / 2);
    }
    world.pass(200 * DAY);
    for version in 1..=3 {
        let mut steps = vec![failure("git tag 1.0", "fatal: tag 1.0 has no leading v")];
        steps.extend(release(version));
        work(
            &world,
            &format!("ripe{version}"),
            &format!("release version {version}"),
            &steps,
            Outcome::Success,
        );
    }
    world.pass(40 * DAY);
    for version in 1..=7 {
        released(&world, &format!("new{version}"), version + salt);
    }
    world
}
