//! Two memories of one database: whoever calls any function with the ids of another's memory finds and changes nothing of
//! it, and no text of any argument is more than a text.
//!
//! A memory beside another's must answer as one that is alone: every call is also made to a memory in no database, and the
//! answers must be the same. The calls are made from the contract, so that a function that is new takes part by itself.
//! `tests/postgres/isolation` starts a server with two roles. `TWICESHY_HOSTILE` says how many hostile texts are tried: in
//! rounds, each with a memory of its own, because what they bring stays, and a function that looks at all of it takes longer
//! with each; several rounds at once.

#[path = "../../skipped.rs"]
mod skipped;
#[allow(dead_code)]
#[path = "../../../guest/engine/tests/support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use skipped::skipped;
use support::World;
use twiceshy_agreement::{Dice, Known, MAKERS, hostile, named};
use twiceshy_engine::{Engine, Ports};
use twiceshy_store::migration::{Contents, Entry, Whole};
use twiceshy_store::{MapStore, PostgresAddress, PostgresArchive, PostgresOptions, PostgresStore};
use twiceshy_wit::host::{Archive, Store};
use twiceshy_wit::{FUNCTIONS, Function, memory::Error, rpc};

/// A memory in the database, in the name of a role.
struct Tenant {
    world: World,
    store: Arc<PostgresStore>,
    archive: PostgresArchive,
}

impl Tenant {
    fn new(url: &str) -> Tenant {
        let address = PostgresAddress::parse(url).expect("an address");
        let store = PostgresStore::open(&address, PostgresOptions::default()).expect("a memory");
        let store = Arc::new(store);
        Tenant {
            world: World::new(),
            archive: PostgresArchive::new(store.clone()),
            store,
        }
    }

    fn call(&self, method: &str, arguments: &str) -> Result<String, Error> {
        call(&*self.store, &self.archive, &self.world, method, arguments)
    }

    /// All that the memory holds.
    fn holdings(&self) -> (Vec<(String, Vec<Entry>)>, BTreeSet<String>) {
        let kinds = self.store.kinds().expect("kinds").into_iter();
        let entries = |kind: String| {
            let entries = self.store.entries(&kind).expect("entries");
            (kind, entries)
        };
        let names = self.archive.names().expect("names");
        (kinds.map(entries).collect(), names)
    }
}

fn call(
    store: &dyn Store,
    archive: &dyn Archive,
    world: &World,
    method: &str,
    arguments: &str,
) -> Result<String, Error> {
    let answers = ["go on", r#"{"action": "ACT", "content": "done"}"#].into_iter();
    world
        .answers
        .replace(answers.map(|answer| Ok(answer.to_owned())).collect());
    let engine = Engine::new(Ports {
        store,
        archive,
        embedder: world,
        model: world,
        clock: world,
        log: world,
    });
    rpc::call(&engine, method, arguments)
}

/// Answers are the same; of refusals the kind is, because words name the place.
fn same(a: &Result<String, Error>, b: &Result<String, Error>) -> bool {
    match (a, b) {
        (Err(a), Err(b)) => a.kind() == b.kind(),
        _ => a == b,
    }
}

fn method(function: &Function) -> String {
    format!("{}.{}", function.interface, function.name)
}

/// The addresses of two memories of two roles.
fn addresses() -> Option<(String, String)> {
    let both = (
        std::env::var("TWICESHY_ANNA").ok(),
        std::env::var("TWICESHY_BEN").ok(),
    );
    match both {
        (Some(anna), Some(ben)) => Some((anna, ben)),
        _ => {
            skipped(
                "TWICESHY_ANNA and TWICESHY_BEN name no memories; see tests/postgres/isolation",
            );
            None
        }
    }
}

/// Brings content into a memory. Returns what its ids are.
fn fill(tenant: &Tenant) -> Known {
    let mut known = Known::default();
    let makers = std::iter::repeat_n(MAKERS, 6).flatten();
    for (seed, name) in (1..).zip(makers) {
        tenant.world.pass(1_000);
        known.now = tenant.world.clock.get();
        let given = known.arguments(named(name), &mut Dice::new(seed));
        if let Ok(answer) = tenant.call(name, &given.to_string()) {
            let answer: Value = serde_json::from_str(&answer).expect("an answer is JSON");
            known.learn(name, given, &answer);
        }
    }
    known
}

#[test]
fn another_role_finds_and_changes_nothing_by_any_function() {
    let Some((anna, ben)) = addresses() else {
        return;
    };
    let (anna, ben, alone) = (Tenant::new(&anna), Tenant::new(&ben), World::new());
    let lonely = MapStore::new();
    let mut known = fill(&anna);
    let before = anna.holdings();
    let ids: BTreeSet<&str> = before
        .0
        .iter()
        .flat_map(|(_, entries)| entries.iter().map(|entry| entry.id.as_str()))
        .filter(|id| id.len() > 8)
        .collect();
    assert!(ids.len() > 40, "only {} ids", ids.len());
    let (mut with_ids, mut called) = (0, BTreeSet::new());
    for round in 0..4u64 {
        for (index, function) in FUNCTIONS.iter().enumerate() {
            let method = method(function);
            ben.world.pass(1_000);
            alone.pass(1_000);
            known.now = ben.world.clock.get();
            let mut dice = Dice::new(round * 1_000 + index as u64 + 7);
            let arguments = known.arguments(function, &mut dice).to_string();
            with_ids += usize::from(ids.iter().any(|id| arguments.contains(id)));
            let beside = ben.call(&method, &arguments);
            let by_itself = call(&lonely, &alone, &alone, &method, &arguments);
            assert!(
                same(&beside, &by_itself),
                "{method} {arguments}: {beside:?}, and alone: {by_itself:?}"
            );
            called.insert(method);
        }
    }
    assert_eq!(called.len(), FUNCTIONS.len());
    assert!(
        with_ids > 60,
        "only {with_ids} calls had an id of another's"
    );
    assert_eq!(
        anna.holdings(),
        before,
        "something of another's was changed"
    );
    println!(
        "{} functions, {} calls, {with_ids} of them with ids of another's: nothing read, nothing changed",
        called.len(),
        4 * FUNCTIONS.len()
    );
}

/// Puts hostile texts into those texts of the arguments that are chosen, each another one. Returns how many there are in all.
fn poison(value: &mut Value, mut next: impl FnMut(usize) -> Option<String>) -> usize {
    fn walk(value: &mut Value, at: &mut usize, next: &mut dyn FnMut(usize) -> Option<String>) {
        match value {
            Value::String(old) => {
                if let Some(text) = next(*at) {
                    *old = text;
                }
                *at += 1;
            }
            Value::Array(items) => items.iter_mut().for_each(|item| walk(item, at, next)),
            Value::Object(members) => members
                .values_mut()
                .for_each(|member| walk(member, at, next)),
            _ => {}
        }
    }
    let mut at = 0;
    walk(value, &mut at, &mut next);
    at
}

/// Hostile texts of a round, and rounds that are made at once.
const AT_ONCE: usize = 1_000;
const ROUNDS: usize = 4;

/// What rounds came to.
#[derive(Default)]
struct Tried {
    texts: usize,
    calls: usize,
    accepted: usize,
}

/// Tries so many hostile texts in a memory of its own, beside one in no database.
fn round(ben: &str, number: usize, count: usize) -> Tried {
    let ben = Tenant::new(&format!("{ben}-hostile-{number}"));
    let (lonely, alone) = (MapStore::new(), World::new());
    let makers: Vec<&Function> = MAKERS.iter().map(|name| named(name)).collect();
    let mut known = Known::default();
    let mut tried = Tried::default();
    // No text comes twice.
    let first = number * 1_000_000;
    while tried.texts < count {
        tried.calls += 1;
        let number = first + tried.calls;
        // Every function in turn, from another one on in each round, and now and then one that brings content.
        let function = match number % 4 {
            0 => makers[number / 4 % makers.len()],
            _ => &FUNCTIONS[(number + first / 7_919) % FUNCTIONS.len()],
        };
        let method = method(function);
        for world in [&ben.world, &alone] {
            world.pass(1_000);
        }
        known.now = alone.clock.get();
        let mut dice = Dice::new(number as u64);
        let mut given = known.arguments(function, &mut dice);
        let texts = poison(&mut given.clone(), |_| None).max(1);
        // One of the texts, so that all others are as they should be; some of them, or all.
        let one = dice.roll(texts);
        let share = [0, 0, 50, 100][number % 4];
        poison(&mut given, |at| {
            let is_chosen = at == one || dice.roll(100) < share;
            is_chosen.then(|| {
                tried.texts += 1;
                hostile(first + tried.texts)
            })
        });
        let arguments = given.to_string();
        let beside = ben.call(&method, &arguments);
        let by_itself = call(&lonely, &alone, &alone, &method, &arguments);
        assert!(
            same(&beside, &by_itself),
            "{method} {arguments}: {beside:?}, and in no database: {by_itself:?}"
        );
        if let Ok(answer) = &by_itself {
            tried.accepted += 1;
            let answer: Value = serde_json::from_str(answer).expect("an answer is JSON");
            known.learn(&method, given, &answer);
        }
    }
    assert_eq!(ben.store.integrity(), Ok(vec![]));
    tried
}

#[test]
fn a_hostile_text_in_any_argument_is_nothing_but_a_text() {
    let Some((anna, ben)) = addresses() else {
        return;
    };
    let count = std::env::var("TWICESHY_HOSTILE");
    let count: usize = count.map_or(1_500, |count| count.parse().expect("a number"));
    // A memory of its own, with content that must stay as it is: roles may have several.
    let anna = Tenant::new(&format!("{anna}-hostile"));
    fill(&anna);
    let before = anna.holdings();
    let (next, rounds) = (AtomicUsize::new(0), count.div_ceil(AT_ONCE));
    let work = || {
        let mut all = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= rounds {
                return all;
            }
            all.push(round(&ben, number, AT_ONCE.min(count - number * AT_ONCE)));
            eprintln!("round {} of {rounds}", number + 1);
        }
    };
    let all: Vec<Tried> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..ROUNDS).map(|_| scope.spawn(work)).collect();
        let tried = |worker: std::thread::ScopedJoinHandle<Vec<Tried>>| {
            worker.join().expect("the same answers in all rounds")
        };
        workers.into_iter().flat_map(tried).collect()
    });
    let sum = |of: fn(&Tried) -> usize| all.iter().map(of).sum::<usize>();
    let (texts, calls, accepted) = (
        sum(|one| one.texts),
        sum(|one| one.calls),
        sum(|one| one.accepted),
    );
    assert!(
        accepted * 10 > calls,
        "only {accepted} of {calls} calls got past the checks"
    );
    assert_eq!(anna.holdings(), before);
    println!(
        "{texts} hostile texts in {calls} calls of {rounds} rounds, {accepted} calls accepted: the same answers as in no database"
    );
}
