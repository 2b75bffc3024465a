//! Mutants: real components with bytes flipped, cut out, doubled, moved and spliced. Whatever such a component does,
//! it ends in an error or in an answer that the contract allows, and the process goes on.

use std::{collections::BTreeMap, sync::Mutex, thread, time::Instant};

use fastrand::Rng;
use twiceshy::{Adapter, AdapterLimits};

use super::{handmade, step, works};
use crate::support::compiled;

/// Most mutants are of small components: those that are still valid have to be compiled.
const SMALL: u64 = 10_000;
const LARGE: u64 = 100;

#[test]
fn ten_thousand_mutants_are_contained() {
    let small: Vec<_> = [
        "good",
        "fickle",
        "stateful",
        "brittle",
        "changing",
        "boundless",
    ]
    .map(handmade::other)
    .into();
    let large: Vec<_> = twiceshy_guests::ADAPTERS
        .iter()
        .map(|guest| guest.bytes.to_vec())
        .collect();
    let started = Instant::now();
    let next = Mutex::new(0..SMALL + LARGE);
    let ends = Mutex::new(BTreeMap::<&str, u64>::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(seed) = { next.lock().expect("a seed").next() } {
                    let parents = if seed < SMALL { &small } else { &large };
                    let end = end(&mutant(parents, seed));
                    *ends.lock().expect("the ends").entry(end).or_default() += 1;
                }
            });
        }
    });
    let ends = ends.into_inner().expect("the ends");
    println!(
        "{} mutants in {:.1} s: {ends:?}",
        ends.values().sum::<u64>(),
        started.elapsed().as_secs_f64()
    );
    assert_eq!(ends.values().sum::<u64>(), SMALL + LARGE);
    // The mutations are neither so coarse that nothing is ever run, nor so fine that nothing ever fails.
    for end in ["answered", "incompatible", "bad-output"] {
        assert!(ends.contains_key(end), "none was {end}: {ends:?}");
    }
    assert!(works(
        &Adapter::cli(&compiled()).expect("the adapter for commands")
    ));
}

/// How a component ends that may be anything.
fn end(bytes: &[u8]) -> &'static str {
    let limits = AdapterLimits {
        time_ms: 50,
        ..AdapterLimits::default()
    };
    let adapter = match Adapter::with_limits("mutant", bytes, limits) {
        Ok(adapter) => adapter,
        Err(error) => return error.kind.as_str(),
    };
    let (goal, step) = step();
    for _ in 0..2 {
        if let Err(error) = adapter.assess(&goal, &[], &step) {
            return error.kind.as_str();
        }
    }
    "answered"
}

/// One of the components with one to four mutations, the same for the same seed.
fn mutant(parents: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let mut chance = Rng::with_seed(seed);
    let mut bytes = parents[chance.usize(..parents.len())].clone();
    // One mutation often leaves a valid component, which is the more interesting one; several seldom do.
    let mutations = if chance.bool() { 1 } else { chance.u8(2..=4) };
    for _ in 0..mutations {
        let at = chance.usize(..bytes.len());
        let length = chance.usize(1..=32).min(bytes.len() - at);
        match chance.u8(..8) {
            // One bit, one byte, a small number: most often what is left is still a component.
            0 | 1 => bytes[at] ^= 1 << chance.u8(..8),
            2 => bytes[at] = chance.u8(..),
            3 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][chance.usize(..5)],
            4 => drop(bytes.drain(at..at + length)),
            5 => {
                let doubled = bytes[at..at + length].to_vec();
                bytes.splice(at..at, doubled);
            }
            6 => {
                let other = &parents[chance.usize(..parents.len())];
                let from = chance.usize(..other.len());
                let to = (from + length).min(other.len());
                bytes.splice(at..at + length, other[from..to].iter().copied());
            }
            _ => bytes.truncate(at.max(8)),
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}
