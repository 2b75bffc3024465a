//! The behaviour of the engine, a module for each noun. One binary, because each one is compiled and linked by itself.

mod architecture;
#[path = "../../learning/benches/lifecycle/chance.rs"]
#[allow(dead_code, reason = "the benchmark draws other numbers, too")]
mod chance;
mod commits;
mod consolidation;
mod context;
mod coordination;
mod decisions;
mod episodes;
mod exchange;
mod exchange_tree;
mod experience;
mod failures;
mod files;
mod forgetting;
mod learning;
mod lessons;
mod links;
mod meaning;
mod metrics;
mod modules;
mod patterns;
mod promises;
mod ranking;
mod recall;
mod runs;
mod skills;
mod support;
mod wordings;
mod working;
mod year;
