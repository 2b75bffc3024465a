//! Experience: like tasks and how they went. What is made and asked again and again is here.

mod entries;
mod helps;
#[path = "../benches/experience/household.rs"]
mod household;
mod pruning;
mod remem;
mod restoring;
mod runs;
mod search;
#[path = "../benches/experience/trial.rs"]
mod trial;

use crate::chance;
use crate::support::*;
use twiceshy_wit::{
    host::{self, Store},
    memory::*,
};

fn new(input: &str, output: &str, feedback: &str) -> NewExperience {
    NewExperience {
        input: input.to_owned(),
        output: output.to_owned(),
        feedback: feedback.to_owned(),
        ..NewExperience::default()
    }
}

fn evolve(world: &World, input: &str, output: &str, feedback: &str) -> Evolution {
    world
        .engine()
        .evolve(&new(input, output, feedback))
        .expect("taken in")
}

fn query(text: &str) -> ExperienceQuery {
    ExperienceQuery {
        text: text.to_owned(),
        memory_type: None,
        tag: None,
        domain: None,
        limit: None,
    }
}

fn search(world: &World, text: &str) -> Vec<ExperienceHit> {
    Experience::search(&world.engine(), &query(text)).expect("searched")
}

fn entry(world: &World, id: &str) -> ExperienceEntry {
    Experience::get(&world.engine(), id).expect("an entry")
}

fn inputs(entries: &[ExperienceEntry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.input.as_str()).collect()
}

fn configure(world: &World, change: impl FnOnce(&mut ExperienceSettings)) {
    let engine = world.engine();
    let mut settings = Experience::settings(&engine).expect("settings");
    change(&mut settings);
    engine.configure(&settings).expect("settings that fit");
}

/// Tasks that have no word and few letters in common.
const TASKS: [&str; 6] = [
    "sort the invoice table",
    "deploy gateway behind proxy",
    "parse kubernetes yaml",
    "benchmark quick hashing",
    "translate menu into french",
    "find memory leak",
];

fn logged(world: &World, name: &str) -> Vec<String> {
    let log = world.log.borrow();
    let lines = log.iter().filter(|line| line.starts_with(name));
    lines.cloned().collect()
}

/// Short names for what the traits share with others.
trait Shortly {
    fn stats_of(&self) -> ExperienceStats;
    fn engine_prune(&self) -> Vec<String>;
    fn find_all_episodes(&self) -> usize;
}

impl Shortly for twiceshy_engine::Engine<'_> {
    fn stats_of(&self) -> ExperienceStats {
        Experience::stats(self).expect("figures")
    }

    fn engine_prune(&self) -> Vec<String> {
        Experience::prune(self).expect("pruned")
    }

    fn find_all_episodes(&self) -> usize {
        Episodes::find(self, &EpisodeFilter::default())
            .expect("listed")
            .len()
    }
}
