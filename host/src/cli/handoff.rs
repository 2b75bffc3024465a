//! `twiceshy handoff`: what agents pass to each other.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use twiceshy::wit::memory::{Coordination, Handoff, HandoffContext, HandoffFilter, NewHandoff};

use super::{context::Context, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy handoff send eng-001-backend qa-001-testing --done 'Implemented POST /api/todos endpoint' \\
      --artifact src/routes/todos.ts --git 'commit abc123' --test 'contract tests' --pattern les_0123456789abcdef
  twiceshy handoff inbox qa-001-testing
  twiceshy handoff take handoff-001 qa-001-testing
  twiceshy handoff list --json";

#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// Hand over to another agent.
    #[command(
        after_long_help = "Example:\n  twiceshy handoff send eng-001-backend qa-001-testing \
        --done 'Implemented POST /api/todos endpoint' --test 'contract tests'"
    )]
    Send(Send),
    /// List what waits for an agent, oldest first.
    Inbox {
        /// The agent.
        agent: String,
        /// At most so many.
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: u32,
    },
    /// Take up what was handed over.
    Take {
        /// The handoff's id.
        handoff: String,
        /// Who takes it up.
        agent: String,
    },
    /// Show a handoff.
    Show {
        /// The handoff's id.
        handoff: String,
    },
    /// List handoffs, oldest first.
    List(List),
}

#[derive(Debug, Args)]
pub(crate) struct Send {
    /// Who hands over.
    from: String,
    /// Who takes over.
    to: String,
    /// What was done.
    #[arg(long, value_name = "TEXT")]
    done: String,
    /// What came of it, such as a file. May be repeated.
    #[arg(long, value_name = "TEXT")]
    artifact: Vec<String>,
    /// Where the repository stands.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    git: String,
    /// What is to be tested. May be repeated.
    #[arg(long, value_name = "TEXT")]
    test: Vec<String>,
    /// What is known not to work. May be repeated.
    #[arg(long, value_name = "TEXT")]
    issue: Vec<String>,
    /// A lesson that matters, by id. May be repeated.
    #[arg(long, value_name = "ID")]
    pattern: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only to this agent.
    #[arg(long, value_name = "AGENT")]
    to: Option<String>,
    /// Only from this agent.
    #[arg(long, value_name = "AGENT")]
    from: Option<String>,
    /// Only those that wait.
    #[arg(long)]
    waiting: bool,
    /// At most so many.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
}

pub(crate) fn handoff(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let list = |filter: HandoffFilter| {
        let handoffs = memory.handoffs(&filter)?;
        context.print(&handoffs, || match handoffs.as_slice() {
            [] => vec!["No handoffs.".to_owned()],
            some => some.iter().map(head).collect(),
        })
    };
    let handoff = match arguments {
        Arguments::Send(send) => memory.hand_off(&NewHandoff {
            from_agent: send.from.clone(),
            to_agent: send.to.clone(),
            context: HandoffContext {
                what_was_done: send.done.clone(),
                artifacts: send.artifact.clone(),
                git_state: send.git.clone(),
                needs_testing: send.test.clone(),
                known_issues: send.issue.clone(),
                relevant_patterns: send.pattern.clone(),
            },
        })?,
        Arguments::Inbox { agent, limit } => {
            return list(HandoffFilter {
                to_agent: Some(agent.clone()),
                from_agent: None,
                waiting: Some(true),
                limit: Some(*limit),
            });
        }
        Arguments::Take { handoff, agent } => memory.take_up(handoff, agent)?,
        Arguments::Show { handoff } => memory.handoff_of(handoff)?,
        Arguments::List(arguments) => {
            return list(HandoffFilter {
                to_agent: arguments.to.clone(),
                from_agent: arguments.from.clone(),
                waiting: arguments.waiting.then_some(true),
                limit: Some(arguments.limit),
            });
        }
    };
    context.print(&handoff, || whole(&handoff))
}

fn head(handoff: &Handoff) -> String {
    let state = match handoff.taken_up_at {
        None => "waits".to_owned(),
        Some(at) => format!("taken up {}", show::time(at)),
    };
    format!(
        "{}  {}  {} → {}  {state}  {}",
        handoff.id,
        show::time(handoff.timestamp),
        handoff.from_agent,
        handoff.to_agent,
        show::cut(&handoff.context.what_was_done, 60)
    )
}

fn whole(handoff: &Handoff) -> Vec<String> {
    let context = &handoff.context;
    let mut lines = vec![head(handoff)];
    let mut line = |name: &str, text: &str| lines.push(format!("  {name}: {}", show::line(text)));
    line("done", &context.what_was_done);
    if !context.git_state.is_empty() {
        line("git", &context.git_state);
    }
    for (name, list) in [
        ("artifact", &context.artifacts),
        ("to be tested", &context.needs_testing),
        ("known issue", &context.known_issues),
        ("pattern", &context.relevant_patterns),
    ] {
        list.iter().for_each(|entry| line(name, entry));
    }
    lines
}
