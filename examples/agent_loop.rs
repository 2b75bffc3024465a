//! An agent with a memory, in a page: it tries commands, each is judged in the sandbox and observed by the memory. What
//! one agent learned by trial and error, the next one is told when the same thing fails.
//!
//! ```sh
//! cargo run --example agent_loop
//! ```

use std::{error::Error, process::Command, time::Instant};

use twiceshy::{
    Adapters, AgentRun, Cache, Home, MapStore, MemoryComponent,
    wit::memory::{Ending, NewRun, Reaction},
};

fn main() -> Result<(), Box<dyn Error>> {
    // Compiled once for this machine, then loaded in about a millisecond.
    let cache = || Cache::new(Home::find().cache(), |name| eprintln!("compiling {name}"));
    let adapters = Adapters::bundled(cache());
    // `ProjectMemory::find(".")` instead of a `MapStore` shares the memory of the program in this directory.
    let component = MemoryComponent::bundled(&cache())?;
    let memory = component.over(MapStore::new()).build();
    let task = NewRun {
        task: "list the files".into(),
        domain: "cli".into(),
        // Nothing is withheld, so that the story is the same each time.
        hold_out: Some(0.0),
        ..NewRun::default()
    };

    // The first agent does not know the tool, and finds its way.
    let run = AgentRun::start(&memory, &adapters, &task)?;
    let failed = attempt(&run, &["ls", "-l", "--no-such-flag", "."])?;
    let event = failed.failure.ok_or("the command should have failed")?;
    println!("failed: {} [{}]", event.template, event.tags.join(" "));
    attempt(&run, &["ls", "-l", "."])?;
    run.finish(&Ending::default())?;

    // The second one makes the same mistake elsewhere, and is told.
    let run = AgentRun::start(&memory, &adapters, &task)?;
    let failed = attempt(&run, &["ls", "-l", "--no-such-flag", "/"])?;
    let hint = failed
        .hints
        .first()
        .ok_or("the lesson should have come back")?;
    println!("hint:   {} (score {:.2})", hint.text, hint.score);
    attempt(&run, &["ls", "-l", "/"])?;
    let episode = run.finish(&Ending::default())?;
    let outcome = episode.outcome.as_str();
    println!("ended:  {outcome} after {} steps", episode.steps);
    Ok(())
}

/// Runs a command, has it judged, and tells the memory.
fn attempt(run: &AgentRun<'_>, command: &[&str]) -> Result<Reaction, Box<dyn Error>> {
    let started = Instant::now();
    let output = Command::new(command[0]).args(&command[1..]).output()?;
    let judged = run.observe_command(command, &output, started.elapsed())?;
    Ok(judged.reaction)
}
