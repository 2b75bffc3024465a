//! `twiceshy working`: the context of a task, within a budget of tokens.
//!
//! Owns the arguments, which task is meant, and which function of the memory each command is. How it is shown is in
//! `report`, how a page is written in `page`.

mod page;
mod report;

use std::{
    io::{self, Read},
    path::PathBuf,
    process::ExitCode,
};

use clap::{Args, Subcommand};
use serde_json::json;
use twiceshy::{
    Memory,
    wit::memory::{
        Budgets, EpisodeQuery, ExecutionState, FailedSubtask, Intermediate, ParsedTask, Rendering,
        Runs, SystemContext, Variable, VariableScope, VariableType, Working, WorkingSize,
    },
};

use super::{context::Context, failure::Failure, show, terminal_run, words::word};

pub(crate) const EXAMPLES: &str = "\
Examples:
  export TWICESHY_RUN=$(twiceshy task start 'add JWT authentication' | head -n 1)
  twiceshy working init --tool cargo --safety 'never push to main'
  twiceshy working task --plan 'choose a library' --plan 'write the encoder'
  twiceshy working state execution --subtask write_encoder --progress 0.4
  twiceshy working set jwt_library PyJWT --scope intermediate-values
  cargo test 2>&1 | twiceshy working add run_tests - --kind test_output
  twiceshy working render --tokens 4000
  twiceshy working continuity --output CONTINUITY.md

The task is that of --run, else of TWICESHY_RUN, else the one that is open at this terminal, else the only open one.
Sections: system-context, task-context, execution-state, intermediate-results, retrieved-context.
Scopes: global, task-scope, execution-scope, intermediate-values, metadata.";

/// What is read from standard input at most: more than any value may have.
const INPUT_BYTES: u64 = 8 << 20;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The open task; see below.
    #[arg(long, value_name = "ID", env = "TWICESHY_RUN", global = true)]
    run: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Begin an empty working memory with what the agent is and may do.
    #[command(
        after_long_help = "Example:\n  twiceshy working init --capability 'edit files' --tool cargo \
        --safety 'never push to main' --budget intermediate-results=12000"
    )]
    Init(Init),
    /// Take in the task; goals and constraints are found in its words if they are not given. Then look up what helps.
    #[command(
        after_long_help = "Example:\n  twiceshy working task 'Add JWT authentication. p95 < 200ms.' \
        --criterion 'all tests pass' --plan 'choose a library'"
    )]
    Task(Task),
    /// Set a variable; `null` takes it out.
    #[command(
        after_long_help = "Examples:\n  twiceshy working set target_file '\"auth.py\"'\n  \
        twiceshy working set files_modified '[\"auth.py\"]' --scope intermediate-values --type accumulator"
    )]
    Set(Set),
    /// Read a variable.
    #[command(after_long_help = "Example:\n  twiceshy working get target_file")]
    Get(Get),
    /// Say where the work stands.
    #[command(
        after_long_help = "Example:\n  twiceshy working state execution --subtask write_encoder --progress 0.4 \
        --completed choose_library --failed 'install=no such package'"
    )]
    State(State),
    /// Add the output of a subtask.
    #[command(
        after_long_help = "Example:\n  cargo test 2>&1 | twiceshy working add run_tests - --kind test_output \
        --needed-by write_report"
    )]
    Add(Add),
    /// Look up like episodes and patterns that apply.
    #[command(after_long_help = "Example:\n  twiceshy working retrieve 'token refresh' --limit 3")]
    Retrieve(Retrieve),
    /// Print a content in full.
    #[command(after_long_help = "Example:\n  twiceshy working fetch intermediate-values-run_tests")]
    Fetch {
        /// The content's id.
        item: String,
    },
    /// Move out what is cold. References stay.
    Prune,
    /// Take a snapshot to go back to.
    #[command(after_long_help = "Example:\n  twiceshy working snapshot 'before the refactoring'")]
    Snapshot {
        /// What to call it.
        #[arg(default_value = "", hide_default_value = true)]
        label: String,
    },
    /// Go back to a snapshot.
    Rollback {
        /// The snapshot's id.
        snapshot: String,
    },
    /// List the snapshots.
    Snapshots,
    /// Show all that is in it.
    Show,
    /// Print it as text for a prompt.
    #[command(after_long_help = "Example:\n  twiceshy working render --tokens 4000")]
    Render {
        /// At most so many tokens, by estimate.
        #[arg(long, value_name = "N")]
        tokens: Option<u32>,
    },
    /// Print it as a page, or write the page to a file.
    #[command(after_long_help = "Example:\n  twiceshy working continuity --output CONTINUITY.md")]
    Continuity {
        /// The file to write, instead of printing it. Written whole or not at all.
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// End it; only metadata is kept. The end of the task does the same.
    Clear,
    /// Show what is left of one that has ended.
    Metadata,
}

#[derive(Debug, Args)]
struct Init {
    /// What the agent can do. May be repeated.
    #[arg(long, value_name = "TEXT")]
    capability: Vec<String>,
    /// A tool that it has. May be repeated.
    #[arg(long, value_name = "TEXT")]
    tool: Vec<String>,
    /// Its configuration as JSON.
    #[arg(
        long,
        value_name = "JSON",
        default_value = "",
        hide_default_value = true
    )]
    configuration: String,
    /// What it must not do. May be repeated.
    #[arg(long, value_name = "TEXT")]
    safety: Vec<String>,
    /// The budget of a section in tokens, such as intermediate-results=12000. May be repeated.
    #[arg(long, value_name = "SECTION=N", value_parser = budget)]
    budget: Vec<(String, u32)>,
}

#[derive(Debug, Args)]
struct Task {
    /// The task in words, instead of those that it was opened with.
    description: Option<String>,
    /// A goal. May be repeated.
    #[arg(long, value_name = "TEXT")]
    goal: Vec<String>,
    /// What has to be heeded. May be repeated.
    #[arg(long, value_name = "TEXT")]
    constraint: Vec<String>,
    /// How success is seen. May be repeated.
    #[arg(long, value_name = "TEXT")]
    criterion: Vec<String>,
    /// A step of the plan. May be repeated.
    #[arg(long, value_name = "TEXT")]
    plan: Vec<String>,
    /// Look nothing up.
    #[arg(long)]
    no_retrieve: bool,
}

#[derive(Debug, Args)]
struct Set {
    /// The variable.
    key: String,
    /// Its value as JSON; anything else is a text. `-` reads it from standard input.
    #[arg(allow_hyphen_values = true)]
    value: String,
    /// Where it holds.
    #[arg(long, value_parser = word::<VariableScope>, default_value = "task-scope")]
    scope: VariableScope,
    /// What it is for: task, intermediate, accumulator, control-flow or metadata.
    #[arg(long = "type", value_name = "TYPE", value_parser = word::<VariableType>)]
    kind: Option<VariableType>,
}

#[derive(Debug, Args)]
struct Get {
    /// The variable.
    key: String,
    /// Where it holds.
    #[arg(long, value_parser = word::<VariableScope>, default_value = "task-scope")]
    scope: VariableScope,
}

#[derive(Debug, Args)]
struct State {
    /// The phase, such as analysis, planning or execution.
    phase: String,
    /// The subtask being worked on.
    #[arg(long, value_name = "NAME")]
    subtask: Option<String>,
    /// How far it is, from 0 to 1.
    #[arg(long, value_name = "N")]
    progress: Option<f64>,
    /// A subtask that is done. May be repeated.
    #[arg(long, value_name = "NAME")]
    completed: Vec<String>,
    /// A subtask that is begun. May be repeated.
    #[arg(long, value_name = "NAME")]
    in_progress: Vec<String>,
    /// A subtask that failed, with its error. May be repeated.
    #[arg(long, value_name = "NAME=ERROR", value_parser = failed)]
    failed: Vec<(String, String)>,
}

#[derive(Debug, Args)]
struct Add {
    /// The subtask.
    subtask: String,
    /// What came out of it, as JSON; anything else is a text. `-` reads it from standard input.
    #[arg(allow_hyphen_values = true)]
    output: String,
    /// What it is, such as test_output.
    #[arg(long, default_value = "", hide_default_value = true)]
    kind: String,
    /// A later subtask that needs it. May be repeated.
    #[arg(long, value_name = "NAME")]
    needed_by: Vec<String>,
    /// How it came about, at length.
    #[arg(long, value_name = "TEXT")]
    trace: Option<String>,
}

#[derive(Debug, Args)]
struct Retrieve {
    /// What to look for; the task if nothing is said.
    #[arg(default_value = "", hide_default_value = true)]
    text: String,
    /// At most so many episodes; 5 if nothing is said.
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
}

pub(crate) fn working(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let run = match &arguments.run {
        Some(run) => run.clone(),
        None => open_task(context, &memory)?,
    };
    let run = run.as_str();
    let size = match &arguments.command {
        Command::Init(init) => memory.init(run, &system_context(init)?)?,
        Command::Task(task) => return load_task(context, &memory, run, task),
        Command::Set(set) => memory.set(
            run,
            &Variable {
                key: set.key.clone(),
                value: input(&set.value)?,
                scope: set.scope,
                kind: set.kind,
            },
        )?,
        Command::Get(get) => {
            let found = Working::get(&memory, run, &get.key, get.scope)?;
            return context.print(&found, || vec![show::line(&found.value)]);
        }
        Command::State(state) => memory.push_state(run, &execution_state(state))?,
        Command::Add(add) => memory.add_intermediate(
            run,
            &Intermediate {
                subtask: add.subtask.clone(),
                output: input(&add.output)?,
                kind: add.kind.clone(),
                needed_by: add.needed_by.clone(),
                trace: add.trace.clone(),
            },
        )?,
        Command::Retrieve(retrieve) => {
            let query = EpisodeQuery {
                text: retrieve.text.clone(),
                limit: retrieve.limit,
                ..EpisodeQuery::default()
            };
            let items = Working::retrieve(&memory, run, &query)?;
            return context.print(&items, || report::items(&items));
        }
        Command::Fetch { item } => {
            let text = memory.fetch(run, item)?;
            return context.print(&text, || text.lines().map(show::line).collect());
        }
        Command::Prune => Working::prune(&memory, run)?,
        Command::Snapshot { label } => {
            let snapshot = memory.take_snapshot(run, label)?;
            return context.print(&snapshot, || vec![report::snapshot(&snapshot)]);
        }
        Command::Rollback { snapshot } => memory.rollback(run, snapshot)?,
        Command::Snapshots => {
            let snapshots = memory.snapshots(run)?;
            return context.print(&snapshots, || report::snapshots(&snapshots));
        }
        Command::Show => {
            let all = memory.view(run)?;
            return context.print(&all, || report::whole(&all));
        }
        Command::Render { tokens } => {
            let rendered = memory.render(run, &Rendering { tokens: *tokens })?;
            return context.print(&rendered, || {
                rendered.text.lines().map(show::line).collect()
            });
        }
        Command::Continuity { output } => {
            return continuity(context, &memory, run, output.as_ref());
        }
        Command::Clear => {
            let metadata = memory.clear(run)?;
            return context.print(&metadata, || report::metadata(&metadata));
        }
        Command::Metadata => {
            let metadata = memory.metadata(run)?;
            return context.print(&metadata, || report::metadata(&metadata));
        }
    };
    changed(context, &size)
}

/// The task that is meant if nobody says: the one that is open at this terminal, or the only one.
fn open_task(context: &Context, memory: &Memory) -> Result<String, Failure> {
    if let Some(run) = terminal_run::open_at_this_terminal(&context.project) {
        return Ok(run);
    }
    let mut open = memory.open(2)?;
    match open.len() {
        1 => Ok(open.remove(0).id),
        0 => Err(Failure::input(
            "no task is open; open one with `twiceshy task start TEXT`",
        )),
        _ => Err(Failure::input(
            "several tasks are open; say which one with --run ID or TWICESHY_RUN; `twiceshy task list` shows them",
        )),
    }
}

fn load_task(
    context: &Context,
    memory: &Memory,
    run: &str,
    task: &Task,
) -> Result<ExitCode, Failure> {
    let size = memory.load_task(
        run,
        &ParsedTask {
            description: task.description.clone(),
            goals: task.goal.clone(),
            constraints: task.constraint.clone(),
            success_criteria: task.criterion.clone(),
            plan: task.plan.clone(),
            variables: Vec::new(),
        },
    )?;
    let found = match task.no_retrieve {
        true => Vec::new(),
        false => {
            let query = EpisodeQuery {
                text: task.description.clone().unwrap_or_default(),
                ..EpisodeQuery::default()
            };
            // The task is in by now, and whoever gave it must know.
            Working::retrieve(memory, run, &query).unwrap_or_else(|error| {
                eprintln!(
                    "twiceshy: nothing looked up: {}",
                    show::line(error.message())
                );
                Vec::new()
            })
        }
    };
    context.print(&json!({ "size": size, "retrieved": found }), || {
        let mut lines = report::size(&size);
        if !found.is_empty() {
            lines.extend(report::items(&found));
        }
        lines
    })
}

fn continuity(
    context: &Context,
    memory: &Memory,
    run: &str,
    output: Option<&PathBuf>,
) -> Result<ExitCode, Failure> {
    let text = memory.continuity(run)?;
    match output {
        None => context.print(&text, || text.lines().map(show::line).collect()),
        Some(file) => {
            page::write(file, &text)?;
            let name = file.display().to_string();
            context.print(&json!({ "file": name }), || {
                vec![format!("Wrote {}.", show::line(&name))]
            })
        }
    }
}

fn changed(context: &Context, size: &WorkingSize) -> Result<ExitCode, Failure> {
    if let Some(warning) = &size.warning {
        eprintln!("twiceshy: {}", show::line(warning));
    }
    context.print(size, || report::size(size))
}

fn system_context(init: &Init) -> Result<SystemContext, Failure> {
    let mut budgets = None;
    for (section, tokens) in &init.budget {
        let budgets: &mut Budgets = budgets.get_or_insert(Budgets {
            system_context: 2_000,
            task_context: 5_000,
            execution_state: 3_000,
            intermediate_results: 8_000,
            retrieved_context: 2_000,
        });
        *match section.replace('_', "-").as_str() {
            "system-context" => &mut budgets.system_context,
            "task-context" => &mut budgets.task_context,
            "execution-state" => &mut budgets.execution_state,
            "intermediate-results" => &mut budgets.intermediate_results,
            "retrieved-context" => &mut budgets.retrieved_context,
            other => {
                return Err(Failure::input(format!(
                    "there is no section `{other}`; there are system-context, task-context, execution-state, \
                     intermediate-results and retrieved-context"
                )));
            }
        } = *tokens;
    }
    Ok(SystemContext {
        capabilities: init.capability.clone(),
        tools: init.tool.clone(),
        configuration: init.configuration.clone(),
        safety_bounds: init.safety.clone(),
        budgets,
    })
}

fn execution_state(state: &State) -> ExecutionState {
    let failed = state.failed.iter();
    ExecutionState {
        phase: state.phase.clone(),
        current_subtask: state.subtask.clone(),
        progress: state.progress,
        completed: state.completed.clone(),
        in_progress: state.in_progress.clone(),
        failed: failed
            .map(|(subtask, error)| FailedSubtask {
                subtask: subtask.clone(),
                error: error.clone(),
            })
            .collect(),
    }
}

/// A value from the command line, or from standard input for `-`.
fn input(value: &str) -> Result<String, Failure> {
    if value != "-" {
        return Ok(value.to_owned());
    }
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .take(INPUT_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::input(format!("standard input: {error}")))?;
    if bytes.len() as u64 > INPUT_BYTES {
        return Err(Failure::input(format!(
            "standard input has more than {} MiB; keep it in a file and give its name",
            INPUT_BYTES >> 20
        )));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn budget(text: &str) -> Result<(String, u32), String> {
    let (section, tokens) = text
        .split_once('=')
        .ok_or_else(|| format!("`{text}` is not SECTION=N, such as intermediate-results=12000"))?;
    let tokens = tokens
        .parse()
        .map_err(|error| format!("`{tokens}` is no number of tokens: {error}"))?;
    Ok((section.to_owned(), tokens))
}

fn failed(text: &str) -> Result<(String, String), String> {
    let (subtask, error) = text
        .split_once('=')
        .ok_or_else(|| format!("`{text}` is not NAME=ERROR, such as install='no such package'"))?;
    Ok((subtask.to_owned(), error.to_owned()))
}
