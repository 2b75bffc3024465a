//! `twiceshy init`: makes a memory where the first write would make it, or right here.

use std::process::ExitCode;

use clap::Args;
use twiceshy::{Project, ProjectStore};

use super::{context::Context, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy init
  twiceshy init --here
  twiceshy init --memory ~/notes/.twiceshy

Without --here the memory is at the root of the version-controlled tree; worktrees of one repository share that of the
main tree. With --here the working directory gets a memory of its own, which everything below it uses.";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Make it in the working directory, such as a worktree that is not to share the memory of the others.
    #[arg(long)]
    here: bool,
}

pub(crate) fn init(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let project = match arguments.here {
        true => Project::at(std::env::current_dir()?.join(".twiceshy")),
        false => context.project.clone(),
    };
    let existed = project.exists();
    ProjectStore::new(project.clone(), &context.settings)
        .owned(context.ownership())
        .make()?;
    let directory = project.place();
    let shown = show::line(&directory);
    if context.json {
        println!(
            "{}",
            serde_json::json!({ "memory": directory, "made": !existed })
        );
    } else if existed {
        println!("The memory {shown} is there already.");
    } else {
        println!("Made the memory {shown}\nTry: twiceshy run -- ls /nowhere");
    }
    Ok(ExitCode::SUCCESS)
}
