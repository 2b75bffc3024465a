//! An agent with a memory, in a page: it tries commands, each is assessed in the sandbox and observed
//! by the memory, and a lesson that answers the failure changes what it tries next.
//!
//! ```sh
//! cargo run --example agent_loop
//! ```

use std::{error::Error, process::Command, time::Instant};

use serde_json::json;
use twiceshy::{
    Adapter, Cache, Home, MapStore, Memory, MemoryComponent,
    wit::{
        adapter::{Goal, Step},
        memory::{Ending, LessonCandidate, Lessons, NewRun, Observed, Reaction, Runs},
    },
};

fn main() -> Result<(), Box<dyn Error>> {
    // Compiled once for this machine, then loaded in about a millisecond.
    let cache = Cache::new(Home::find().cache(), |name| eprintln!("compiling {name}"));
    let cli = Adapter::cli(&cache)?;
    let memory = MemoryComponent::bundled(&cache)?
        .over(MapStore::new())
        .build();

    // The first run fails; somebody who knows better leaves a lesson.
    let run = memory.start(&new_run())?;
    let failed = attempt(&memory, &cli, &run.id, &["ls", "--no-such-flag"])?;
    let event = failed.failure.ok_or("the command should have failed")?;
    println!("failed: {} [{}]", event.template, event.tags.join(" "));
    memory.finish(
        &run.id,
        &Ending {
            outcome: None,
            score: None,
            referee: None,
        },
    )?;
    let lesson: LessonCandidate = serde_json::from_value(json!({
        "rule-text": "WRONG: ls --no-such-flag → CORRECT: ls -l",
        "trigger-fingerprints": [event.fingerprint],
        "domain": "cli",
        "source": "person",
    }))?;
    memory.propose(&lesson)?;

    // The second run fails the same way elsewhere, is told, and succeeds.
    let run = memory.start(&new_run())?;
    let failed = attempt(&memory, &cli, &run.id, &["ls", "--no-such-flag", "/"])?;
    let hint = failed
        .hints
        .first()
        .ok_or("the lesson should have come back")?;
    println!("hint:   {} (score {:.2})", hint.text, hint.score);
    let worked = attempt(&memory, &cli, &run.id, &["ls", "-l", "/"])?;
    assert!(worked.failure.is_none());
    let episode = memory.finish(
        &run.id,
        &Ending {
            outcome: None,
            score: Some(1.0),
            referee: None,
        },
    )?;
    println!(
        "ended:  {} after {} steps",
        episode.outcome.as_str(),
        episode.steps
    );
    Ok(())
}

fn new_run() -> NewRun {
    NewRun {
        id: None,
        task: "list the files".into(),
        domain: "cli".into(),
        // Nothing is withheld, so that the story is the same each time.
        hold_out: Some(0.0),
        ..NewRun::default()
    }
}

/// Runs a command, has it assessed, and tells the memory.
fn attempt(
    memory: &Memory,
    cli: &Adapter,
    run: &str,
    command: &[&str],
) -> Result<Reaction, Box<dyn Error>> {
    let started = Instant::now();
    let output = Command::new(command[0]).args(&command[1..]).output()?;
    let step = Step {
        before: String::new(),
        action: json!({ "command": command }).to_string(),
        observation: json!({
            "exit": output.status.code(),
            "stdout": String::from_utf8_lossy(&output.stdout),
            "stderr": String::from_utf8_lossy(&output.stderr),
            "duration-ms": u64::try_from(started.elapsed().as_millis())?,
        })
        .to_string(),
    };
    let goal = Goal {
        task: new_run().task,
        domain: "cli".into(),
        expectations: String::new(),
    };
    let feedback = cli.assess(&goal, &[], &step)?;
    Ok(memory.observe(run, &Observed { step, feedback })?)
}
