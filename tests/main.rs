//! End-to-end tests: the program as a user runs it, the crate as an embedder holds it.
//!
//! One binary with a module for each topic, so that linking is paid for once.

mod support;

// The program.
mod authors;
mod call;
mod commands;
mod computer_use;
mod consolidate;
mod coordination;
mod crash;
mod decide;
mod embedder;
mod episodes;
mod exchange;
mod experience;
mod experiment;
mod foreign;
mod forgetting;
mod health;
mod hook;
mod keeping;
mod learn;
mod learning;
mod lessons;
mod links;
mod loop_through_the_sandbox;
mod mcp;
mod migrate;
mod model;
mod navigation;
mod old_memory;
mod patterns;
mod prune;
mod real_tools;
mod recall;
mod reindex;
mod run;
mod secrets;
mod setup;
mod skills;
mod skipped;
mod stats;
mod storage;
mod stories;
mod task;
mod waiting;
mod working;

// The components and the contracts.
mod acceptance;
mod adapters;
mod cache;
mod components;
mod conformance;
mod embedding;
mod figures;
mod hostile;
mod licences;
mod neutrality;
mod reproducible;
mod seeds;
mod serve;
mod typed_path;
