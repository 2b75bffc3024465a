//! A household: tasks of four turns, each with six ways to do it, one of which works.
//!
//! Owns what the tasks say and what solves them. What an agent knows of it is the business of the trial.

use super::chance::Chance;

/// Turns of a task.
pub const TURNS: usize = 4;

/// Ways to do each turn.
pub const WAYS: usize = 6;

/// The share of a family's turns that are done in the family's way.
const FAITHFUL: f64 = 0.85;

/// How the tasks of each family are worded.
const FAMILIES: [&str; 6] = [
    "heat some THING on the stove until it is hot and serve it",
    "wash the THING with soap, dry it and lay it away",
    "look closely at the THING under the desk lamp",
    "cool a slice of THING and store it in the fridge",
    "repair the broken THING with glue and paint it",
    "pack the THING into a box and send it by post",
];

/// What a family's task is about.
const THINGS: [&str; 12] = [
    "soup", "plate", "clock", "melon", "chair", "vase", "bread", "kettle", "mirror", "apple",
    "shelf", "lantern",
];

/// What tasks that resemble nothing are worded with, two and two.
const ODD: [&str; 64] = [
    "audit", "beacon", "cipher", "dynamo", "eclipse", "ferry", "glacier", "harvest", "index",
    "jigsaw", "kernel", "lattice", "meadow", "nimbus", "orchard", "pendulum", "quarry", "rivet",
    "saddle", "tunnel", "umbra", "vortex", "walnut", "xylem", "yonder", "zephyr", "anchor",
    "ballast", "canyon", "drizzle", "ember", "falcon", "gasket", "hinge", "ivory", "jasmine",
    "kelp", "lumber", "magnet", "nectar", "oxide", "piston", "quiver", "ravine", "sextant",
    "trellis", "urchin", "velvet", "willow", "yacht", "zodiac", "abacus", "bramble", "copper",
    "dagger", "easel", "flint", "gravel", "hazel", "inlet", "joist", "knoll", "ledger", "mortar",
];

/// What can be done in each turn.
const VERBS: [&str; TURNS] = ["walk", "grasp", "apply", "finish"];
const MANNERS: [&str; WAYS] = ["left", "right", "twice", "slowly", "halfway", "upside-down"];

/// A task, and the way that works in each turn.
pub struct Task {
    pub words: String,
    pub solution: [usize; TURNS],
}

/// The way to do a turn, in words.
pub fn action(turn: usize, way: usize) -> String {
    format!("{} {}", VERBS[turn], MANNERS[way])
}

/// The tasks of a household, of which this share is of a family.
pub fn tasks(chance: Chance, share: f64, count: u64) -> Vec<Task> {
    (0..count)
        .map(|number| task(chance, share, number))
        .collect()
}

fn task(chance: Chance, share: f64, number: u64) -> Task {
    let pick = |purpose, at, among: usize| (chance.bits(purpose, number, at) as usize) % among;
    let own = |turn: usize| pick(1, turn as u64, WAYS);
    if chance.uniform(2, number, 0) >= share {
        let part = |at| ODD[pick(3, at, ODD.len())];
        let word = |at: u64| format!("{}{}", part(2 * at), part(2 * at + 1));
        let words: Vec<_> = (0..5).map(word).collect();
        return Task {
            words: words.join(" "),
            solution: std::array::from_fn(own),
        };
    }
    let family = pick(4, 0, FAMILIES.len());
    let usual = |turn: usize| (chance.bits(5, family as u64, turn as u64) as usize) % WAYS;
    Task {
        words: FAMILIES[family].replace("THING", THINGS[pick(6, 0, THINGS.len())]),
        solution: std::array::from_fn(|turn| {
            match chance.uniform(7, number, turn as u64) < FAITHFUL {
                true => usual(turn),
                false => own(turn),
            }
        }),
    }
}
