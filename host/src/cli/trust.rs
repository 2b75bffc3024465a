//! `twiceshy trust`: accepts a memory that came from somebody else, after showing what is in it.

use std::{
    io::{self, BufRead, IsTerminal, Write},
    process::ExitCode,
};

use clap::Args;
use serde_json::json;
use twiceshy::{Cache, MemoryComponent, ProjectStore, Standing, wit::memory::Upkeep};

use super::{context::Context, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "A memory that was not made here, because it came with a clone or an archive, is neither \
read nor written until you accept it: its lessons and skills would be shown to your agents. Look at them first.

Examples:
  twiceshy trust
  twiceshy trust --yes

Without --yes it shows what is in the memory, and asks.";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Accept it without asking.
    #[arg(long)]
    yes: bool,
}

pub(crate) fn trust(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let why = match context.standing() {
        Standing::Foreign(why) => why,
        Standing::Leading(why) => return Err(Failure::input(why)),
        _ => return say(context, "is your own already", false, true),
    };
    if !context.json {
        println!("{}.", show::line(&why));
        for line in contents(context)? {
            println!("{line}");
        }
    }
    if !arguments.yes && !agreed()? {
        return say(
            context,
            "stays foreign: it is neither read nor written",
            false,
            false,
        );
    }
    context
        .ownership()
        .accept(&context.project)
        .map_err(|error| {
            let home = context.home.directory().display();
            Failure::other(format!(
                "{home}: {error}; it must be writable, or set TWICESHY_HOME"
            ))
        })?;
    say(context, "is accepted", true, true)
}

/// What is in a foreign memory: only counts, which can't tell anybody what to do.
fn contents(context: &Context) -> Result<Vec<String>, Failure> {
    if !context.project.exists() {
        return Ok(Vec::new());
    }
    let cache = Cache::new(context.home.cache(), |_| {});
    let store = ProjectStore::new(context.project.clone(), &context.settings);
    let status = MemoryComponent::bundled(&cache)?
        .over(store)
        .build()
        .status()?;
    Ok(vec![format!(
        "It holds {} lessons, {} episodes and {} events.",
        status.lessons, status.episodes, status.events
    )])
}

/// Asks whoever sits at the terminal; nobody there is no agreement.
fn agreed() -> Result<bool, Failure> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        eprintln!("twiceshy: pass --yes to accept it");
        return Ok(false);
    }
    eprint!("Accept it? [y/N] ");
    io::stderr().flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn say(context: &Context, what: &str, accepted: bool, own: bool) -> Result<ExitCode, Failure> {
    let directory = context.project.directory().display();
    match context.json {
        true => println!(
            "{}",
            json!({ "memory": directory.to_string(), "accepted": accepted, "own": own })
        ),
        false => println!("The memory {} {what}.", show::line(&directory.to_string())),
    }
    Ok(if own {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
