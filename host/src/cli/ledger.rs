//! `twiceshy ledger`: where agents stand.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use twiceshy::wit::memory::{AgentContext, AgentState, Checkpoint, Coordination, Ledger};

use super::{context::Context, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy ledger check-in eng-001-backend --task task-042 --goal 'Implement CRUD for todos' \\
      --file src/routes/todos.ts --uncommitted --commit abc123 --tech express --pattern les_0123456789abcdef
  twiceshy ledger check-in eng-001-backend --completed
  twiceshy ledger show eng-001-backend
  twiceshy ledger list --json";

#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// Write down where an agent stands.
    #[command(
        after_long_help = "Example:\n  twiceshy ledger check-in eng-001-backend --task task-042 --completed"
    )]
    CheckIn(CheckIn),
    /// Show where an agent stands.
    Show {
        /// The agent.
        agent: String,
    },
    /// List where all agents stand, the one that said so last first.
    List {
        /// At most so many.
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: u32,
    },
}

#[derive(Debug, Args)]
pub(crate) struct CheckIn {
    /// The agent.
    agent: String,
    /// It has just completed a task: its count goes up by one.
    #[arg(long)]
    completed: bool,
    /// How many tasks it completed, instead of counting.
    #[arg(long, value_name = "N", conflicts_with = "completed")]
    tasks_completed: Option<u32>,
    /// The task it works on.
    #[arg(long, value_name = "TEXT")]
    task: Option<String>,
    /// A file it changed. May be repeated.
    #[arg(long, value_name = "PATH")]
    file: Vec<String>,
    /// There are changes that are not committed.
    #[arg(long)]
    uncommitted: bool,
    /// The last commit.
    #[arg(long, value_name = "HASH")]
    commit: Option<String>,
    /// What it works with. May be repeated.
    #[arg(long, value_name = "TEXT")]
    tech: Vec<String>,
    /// A lesson it learned, by id. May be repeated.
    #[arg(long, value_name = "ID")]
    pattern: Vec<String>,
    /// What it is after.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    goal: String,
}

pub(crate) fn ledger(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let ledger = match arguments {
        Arguments::CheckIn(arguments) => memory.check_in(&checkpoint(arguments))?,
        Arguments::Show { agent } => memory.ledger_of(agent)?,
        Arguments::List { limit } => {
            let ledgers = memory.ledgers(*limit)?;
            return context.print(&ledgers, || match ledgers.as_slice() {
                [] => vec!["No ledgers.".to_owned()],
                some => some.iter().map(head).collect(),
            });
        }
    };
    context.print(&ledger, || whole(&ledger))
}

fn checkpoint(arguments: &CheckIn) -> Checkpoint {
    Checkpoint {
        agent_id: arguments.agent.clone(),
        tasks_completed: arguments.tasks_completed,
        completed: Some(arguments.completed),
        current_task: arguments.task.clone(),
        state: AgentState {
            files_modified: arguments.file.clone(),
            uncommitted_changes: arguments.uncommitted,
            last_git_commit: arguments.commit.clone(),
        },
        context: AgentContext {
            tech_stack: arguments.tech.clone(),
            patterns_learned: arguments.pattern.clone(),
            current_goal: arguments.goal.clone(),
        },
    }
}

fn head(ledger: &Ledger) -> String {
    format!(
        "{}  {}  {} tasks completed  {}",
        show::time(ledger.last_checkpoint),
        ledger.agent_id,
        ledger.tasks_completed,
        show::cut(ledger.current_task.as_deref().unwrap_or("no task"), 60)
    )
}

fn whole(ledger: &Ledger) -> Vec<String> {
    let mut lines = vec![head(ledger)];
    let state = &ledger.state;
    let uncommitted = match state.uncommitted_changes {
        true => ", uncommitted changes",
        false => "",
    };
    lines.push(format!(
        "  checkpoint {}  commit {}{uncommitted}",
        ledger.checkpoints,
        show::line(state.last_git_commit.as_deref().unwrap_or("none"))
    ));
    let context = &ledger.context;
    for (name, list) in [
        ("files", &state.files_modified),
        ("works with", &context.tech_stack),
        ("learned", &context.patterns_learned),
    ] {
        if !list.is_empty() {
            lines.push(format!("  {name}: {}", show::line(&list.join(", "))));
        }
    }
    if !context.current_goal.is_empty() {
        lines.push(format!("  goal: {}", show::line(&context.current_goal)));
    }
    lines
}
