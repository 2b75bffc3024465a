//! Working memory: the context of one run within a budget of tokens. What is made and asked again and again is here.

mod contents;
mod pages;
mod retrieval;
mod room;
mod snapshots;
mod variables;

use crate::support::{World, ending, failure, proposal, run, success};
use proptest::prelude::*;
use twiceshy_engine::{Engine, insertion};
use twiceshy_wit::{host::Store, memory::*};

const RUN: &str = "run-1";

/// A run that is open, with a working memory.
fn begun(world: &World) -> Engine<'_> {
    begun_with(world, None)
}

fn begun_with(world: &World, budgets: Option<Budgets>) -> Engine<'_> {
    let engine = world.engine();
    let mut new = run("Add JWT authentication to auth.py");
    new.id = Some(RUN.to_owned());
    engine.start(&new).expect("a run");
    let context = SystemContext {
        capabilities: vec!["edit files".to_owned()],
        tools: vec!["cargo".to_owned(), "git".to_owned()],
        configuration: r#"{"model": "small"}"#.to_owned(),
        safety_bounds: vec!["never push to main".to_owned()],
        budgets,
    };
    engine.init(RUN, &context).expect("a working memory");
    engine
}

fn variable(scope: VariableScope, key: &str, value: &str) -> Variable {
    Variable {
        key: key.to_owned(),
        value: value.to_owned(),
        scope,
        kind: None,
    }
}

fn output(subtask: &str, output: &str) -> Intermediate {
    Intermediate {
        subtask: subtask.to_owned(),
        output: serde_json::Value::from(output).to_string(),
        kind: "generated_code".to_owned(),
        needed_by: Vec::new(),
        trace: None,
    }
}

fn at(phase: &str, subtask: Option<&str>) -> ExecutionState {
    ExecutionState {
        phase: phase.to_owned(),
        current_subtask: subtask.map(str::to_owned),
        progress: None,
        completed: Vec::new(),
        in_progress: Vec::new(),
        failed: Vec::new(),
    }
}

fn item<'m>(memory: &'m WorkingMemory, id: &str) -> &'m WorkingItem {
    let found = memory.items.iter().find(|item| item.id == id);
    found.unwrap_or_else(|| panic!("no {id} in {:?}", ids(memory)))
}

fn ids(memory: &WorkingMemory) -> Vec<&str> {
    memory.items.iter().map(|item| item.id.as_str()).collect()
}

fn value(engine: &Engine, scope: VariableScope, key: &str) -> Option<String> {
    let found = Working::get(engine, RUN, key, scope).expect("readable");
    found.found.then_some(found.value)
}

/// Words that cost so many tokens, all different.
fn words(tokens: usize) -> String {
    let text: String = (0..tokens).map(|number| format!("w{number:05} ")).collect();
    text[..tokens * 4].to_owned()
}
