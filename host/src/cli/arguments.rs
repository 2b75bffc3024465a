//! The arguments of the program, and their help.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  refused or failed: no such thing, a conflict, a component that failed, something for `doctor` to report
  2  wrong usage or bad input: unknown function, malformed JSON, a value that does not fit
  3  the memory can't be used: locked, full, read-only, damaged, written by a newer version
`twiceshy run` ends as its command does: with its exit code, with 128 + N if signal N killed it,
with 127 if there is no such command, with 126 if it can't be started, with 124 if --timeout ended it.

Places:
  .twiceshy/         the memory of a project, found upward from the working directory like .git
  TWICESHY_MEMORY    another memory, as --memory
  TWICESHY_RUN       the open task that `twiceshy run` adds its commands to, as --run
  TWICESHY_HOME      compiled components, adapters and the user's config.toml; default ~/.local/share/twiceshy
  config.toml        in either: hints, capture-kib, busy-timeout-ms, hold-out, log-level, [evolving-memory];
                     in the user's: [model], [embedding], [adapters.NAME]
  config.yaml        beside it: evolvingMemory, logLevel; in the user's: embedding
  EVOLVING_MEMORY_*  the settings of experience, over those of files; EMBED_* those of the embedder";

/// A learning memory for agents: what failed before comes back with what helps.
#[derive(Debug, Parser)]
#[command(name = "twiceshy", version, after_long_help = EXIT_CODES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Common {
    /// The directory of the memory, instead of the .twiceshy found upward from here.
    #[arg(long, value_name = "DIR", global = true, env = "TWICESHY_MEMORY")]
    pub(crate) memory: Option<PathBuf>,
    /// Print JSON for a program instead of text for a person.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a command as if twiceshy were not there; after a failure, show what is known about it.
    #[command(after_long_help = RUN_EXAMPLES)]
    Run(Run),
    /// Work on one task over several commands, and end it with a score.
    #[command(after_long_help = super::task::EXAMPLES)]
    Task(super::task::Arguments),
    /// Watch an agent learn two tools it has never seen, in a memory of its own.
    #[command(after_long_help = super::demo::EXAMPLES)]
    Demo(super::demo::Demo),
    /// Measure whether the memory helps, with many seeds and confidence intervals.
    #[command(after_long_help = super::experiment::EXAMPLES)]
    Experiment(super::experiment::Experiment),
    /// Make a memory here. Not needed: the first write makes one.
    #[command(
        after_long_help = "Examples:\n  twiceshy init\n  twiceshy init --memory ~/notes/.twiceshy"
    )]
    Init,
    /// Show how much the memory holds.
    #[command(after_long_help = "Examples:\n  twiceshy status\n  twiceshy status --json")]
    Status,
    /// Show how much there is of everything, what it takes on disk, and how the last days went.
    #[command(after_long_help = super::stats::EXAMPLES)]
    Stats(super::stats::Arguments),
    /// Find and keep runs that have ended.
    #[command(after_long_help = super::episodes::EXAMPLES)]
    Episodes(super::episodes::Arguments),
    /// List failed steps, newest first.
    #[command(after_long_help = EVENTS_EXAMPLES)]
    Events(Events),
    /// List, show, teach, edit, move and relate lessons.
    #[command(after_long_help = super::lessons::EXAMPLES)]
    Lessons(super::lessons::Arguments),
    /// Add, find, apply, validate, refine and merge patterns: lessons with applicability and statistics.
    #[command(after_long_help = super::patterns::EXAMPLES)]
    Patterns(super::patterns::Arguments),
    /// Relate lessons, skills and episodes, and walk along their relations.
    #[command(subcommand, after_long_help = super::links::EXAMPLES)]
    Links(super::links::Links),
    /// List, show, find, edit and retire skills: procedures as Markdown files.
    #[command(after_long_help = super::skills::EXAMPLES)]
    Skills(super::skills::Arguments),
    /// Write the memory as a directory tree, or a part of it as JSON Lines.
    #[command(after_long_help = super::export::EXAMPLES)]
    Export(super::export::Arguments),
    /// Take in a directory tree or JSON Lines.
    #[command(after_long_help = super::import::EXAMPLES)]
    Import(super::import::Arguments),
    /// Show what a lesson rests on, down to the very steps.
    #[command(after_long_help = super::why::EXAMPLES)]
    Why(super::why::Arguments),
    /// Show what is known for a task or an error: patterns, episodes, skills, facts and what to avoid.
    #[command(after_long_help = super::recall::EXAMPLES)]
    Recall(super::recall::Arguments),
    /// Report how well the memory does its work.
    #[command(after_long_help = super::health::EXAMPLES)]
    Health(super::health::Arguments),
    /// Take care of the memory: make like things one, find and test patterns. Best done every night.
    #[command(after_long_help = super::consolidate::EXAMPLES)]
    Consolidate(super::consolidate::Arguments),
    /// Remove what is older than a date: the only way to remove anything.
    #[command(after_long_help = super::prune::EXAMPLES)]
    Prune(super::prune::Arguments),
    /// Show what an error text is, without what is volatile in it: one JSON object per line.
    #[command(after_long_help = FINGERPRINT_EXAMPLES)]
    Fingerprint(Fingerprint),
    /// Call any function of the memory component with JSON.
    #[command(after_long_help = CALL_EXAMPLES)]
    Call(Call),
    /// List, inspect and install adapters: what turns steps into feedback, in a sandbox.
    #[command(subcommand, after_long_help = super::adapter::EXAMPLES)]
    Adapter(super::adapter::Adapter),
    /// Check store, cache, components, permissions and model, and say how to mend what is wrong.
    #[command(after_long_help = "Examples:\n  twiceshy doctor\n  twiceshy doctor --model --json")]
    Doctor(Doctor),
    /// Record decisions about hypotheses, and ask what was decided before.
    #[command(subcommand, after_long_help = super::decide::EXAMPLES)]
    Decide(super::decide::Decide),
    /// Record failed attempts, and be warned before the next one.
    #[command(subcommand, after_long_help = super::failures::EXAMPLES)]
    Failures(super::failures::Failures),
    /// Keep the context of a task within a budget of tokens.
    #[command(after_long_help = super::working::EXAMPLES)]
    Working(super::working::Arguments),
    /// Write down where agents stand, and read it.
    #[command(subcommand, after_long_help = super::ledger::EXAMPLES)]
    Ledger(super::ledger::Arguments),
    /// Hand work over from one agent to another.
    #[command(subcommand, after_long_help = super::handoff::EXAMPLES)]
    Handoff(super::handoff::Arguments),
    /// Search like tasks and how they went; take in, merge, prune and refine experience.
    #[command(subcommand, after_long_help = super::experience::EXAMPLES)]
    Experience(super::experience::Experience),
    /// Print the completions for a shell.
    #[command(
        after_long_help = "Example:\n  twiceshy completions bash > ~/.local/share/bash-completion/completions/twiceshy"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

const RUN_EXAMPLES: &str = "\
Examples:
  twiceshy run -- cargo build
  twiceshy run --task 'export the report' --expect artifact=report.csv -- ./export.sh
  twiceshy run --expect exit=0,1 -- grep -r needle src
  twiceshy run --timeout 60 -- ./deploy.sh
  twiceshy run --task 'make it fast' --referee './benchmark.sh' -- make

At a terminal, a command that fails and what is typed after it until it works are one run, so that what was
wrong and what was right is learned. Elsewhere every command is a run of its own, unless --run says which task
it belongs to.

What can be expected (repeat --expect for more):
  exit=N[,N…]       one of these exit codes
  stdout=REGEX      a match in standard output; stdout!=REGEX for none
  stderr=REGEX      a match in standard error; stderr!=REGEX for none
  json              JSON on standard output; json=NAME[,NAME…] with these members, such as a.b
  lines=N           N lines on standard output; lines=N.. at least, lines=..N at most
  schema=FILE       JSON on standard output that fits the JSON Schema in the file
  columns=N         N columns in every line of standard output
  artifact=PATH     a file that exists afterwards and was written
  changed=PATH      a file that exists afterwards with other bytes than before
  within=MS         at most so many milliseconds
  steps=N           at most so many tries until it works
  error-text        nothing bad in error text: without it, a command that exits 0 and prints an error has failed";

const EVENTS_EXAMPLES: &str = "\
Examples:
  twiceshy events
  twiceshy events --tag not_found --limit 5
  twiceshy events --fingerprint fp_0123456789abcdef --json";

const FINGERPRINT_EXAMPLES: &str = "\
Examples:
  make 2>&1 | twiceshy fingerprint
  twiceshy fingerprint --jsonl < errors.jsonl     # {\"text\": \"…\"} on each line";

const CALL_EXAMPLES: &str = "\
Examples:
  twiceshy call --list
  twiceshy call upkeep.status
  twiceshy call lessons.propose '{\"rule-text\": \"WRONG: sort by -n → CORRECT: sort by +n\",
                                  \"trigger-texts\": [\"sort: bad key -n\"]}'
  twiceshy call --lines < requests.txt

With --lines, each line of standard input is one request, either as on the command line
  lessons.get {\"lesson\": \"les_0123456789abcdef\"}
or as JSON
  {\"method\": \"lessons.get\", \"args\": {\"lesson\": \"les_0123456789abcdef\"}, \"id\": 7}
and is answered by one line, in order: {\"ok\": …} or {\"error\": {\"kind\": …, \"message\": …}},
with the id if there was one. The exit code is 0 when input ends, whatever the answers were.";

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// What the command is for, in words. Lessons of one task are told apart from those of others by it.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) task: String,
    /// The open task that the command is a step of; see twiceshy task --help.
    #[arg(long, value_name = "ID", env = "TWICESHY_RUN")]
    pub(crate) run: Option<String>,
    /// What must hold afterwards; see below. May be repeated.
    #[arg(long, value_name = "WHAT")]
    pub(crate) expect: Vec<String>,
    /// End the command and all that belongs to it after so many seconds, and exit with 124.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<std::time::Duration>,
    #[command(flatten)]
    pub(crate) belonging: super::belonging::Arguments,
    #[command(flatten)]
    pub(crate) referee: super::referee::Arguments,
    /// Let the configured model score the run if no referee does. Takes as long as the model does.
    #[arg(long)]
    pub(crate) model: bool,
    /// Show no hints.
    #[arg(long)]
    pub(crate) quiet: bool,
    /// The command and its arguments.
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "CMD"
    )]
    pub(crate) command: Vec<std::ffi::OsString>,
}

/// Reads a number of seconds above nothing.
fn seconds(text: &str) -> Result<std::time::Duration, String> {
    text.parse()
        .ok()
        .filter(|seconds| *seconds > 0.0)
        .and_then(|seconds| std::time::Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "not a number of seconds above 0".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Really ask the configured model for an answer, which may cost something.
    #[arg(long)]
    pub(crate) model: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Events {
    /// Only of this fingerprint.
    #[arg(long, value_name = "ID")]
    pub(crate) fingerprint: Option<String>,
    /// Only with this tag.
    #[arg(long)]
    pub(crate) tag: Option<String>,
    /// Only of this run.
    #[arg(long, value_name = "ID")]
    pub(crate) run: Option<String>,
    /// Only of this domain.
    #[arg(long)]
    pub(crate) domain: Option<String>,
    /// At most so many.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Fingerprint {
    /// Each line of standard input is a JSON object with a `text`.
    #[arg(long)]
    pub(crate) jsonl: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Call {
    /// List every function with its arguments.
    #[arg(long, conflicts_with_all = ["lines", "function"])]
    pub(crate) list: bool,
    /// Read one request per line on standard input and answer each with one line.
    #[arg(long, conflicts_with = "function")]
    pub(crate) lines: bool,
    /// The function, such as lessons.propose.
    #[arg(value_name = "INTERFACE.FUNCTION", required_unless_present_any = ["list", "lines"])]
    pub(crate) function: Option<String>,
    /// Its arguments by name as a JSON object; `-` reads it from standard input.
    #[arg(
        value_name = "JSON ARGS",
        default_value = "{}",
        hide_default_value = true
    )]
    pub(crate) arguments: String,
}
