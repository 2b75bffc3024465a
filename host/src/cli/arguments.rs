//! The arguments of the program, and their help.

use std::path::PathBuf;

use clap::Args;

/// What is true of every command: the end of the manual.
pub(crate) const MANUAL: &str = "\
Exit codes:
  0  done
  1  refused or failed: no such thing, a conflict, a component that failed, something for `doctor` to report
  2  wrong usage or bad input: unknown function, malformed JSON, a value that does not fit
  3  the memory can't be used: locked, full, read-only, damaged, written by a newer version
`twiceshy run` ends as its command does: with its exit code, with 128 + N if signal N killed it,
with 127 if there is no such command, with 126 if it can't be started, with 124 if --timeout ended it.

Places:
  .twiceshy/         the memory of a project, found upward from the working directory like .git
  TWICESHY_MEMORY    another memory, as --memory: a directory, or the address of a service (see twiceshy serve)
  TWICESHY_TOKEN     the token for that service; otherwise it is read from ~/.local/share/twiceshy/token
  TWICESHY_RUN       the open task that `twiceshy run` adds its commands to, as --run
  TWICESHY_HOME      compiled components, adapters and the user's config.toml; default ~/.local/share/twiceshy
  config.toml        in either: hints, capture-kib, busy-timeout-ms, hold-out, consolidate-hours, undo-days, log-level,
                     [evolving-memory]; in the user's: memory, [model], [embedding], [adapters.NAME]
  config.yaml        beside it: evolvingMemory, logLevel; in the user's: embedding
  EVOLVING_MEMORY_*  the settings of experience, over those of files; EMBED_* those of the embedder";

#[derive(Debug, Clone, Args)]
pub(crate) struct Common {
    /// The directory of the memory, or the https:// address of a service, instead of the .twiceshy found upward from here.
    #[arg(
        long,
        value_name = "PLACE",
        global = true,
        env = "TWICESHY_MEMORY",
        hide_env_values = true,
        help_heading = "Everywhere"
    )]
    pub(crate) memory: Option<PathBuf>,
    /// Print JSON for a program instead of text for a person.
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) json: bool,
}

pub(crate) const RUN_EXAMPLES: &str = "\
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
  within=MS         this many milliseconds at most
  steps=N           this many tries at most until it works
  error-text        nothing bad in error text: without it, a command that exits 0 and prints an error has failed";

pub(crate) const EVENTS_EXAMPLES: &str = "\
Examples:
  twiceshy events
  twiceshy events --tag not_found --limit 5
  twiceshy events --fingerprint fp_0123456789abcdef --json";

pub(crate) const FINGERPRINT_EXAMPLES: &str = "\
Examples:
  make 2>&1 | twiceshy fingerprint
  twiceshy fingerprint --jsonl < errors.jsonl     # {\"text\": \"…\"} on each line";

pub(crate) const CALL_EXAMPLES: &str = "\
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
    /// End the command and its children after this many seconds, with exit code 124.
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
    // Flags up to the command are ours, so that a mistyped one is refused; those behind it are the command's.
    #[arg(required = true, trailing_var_arg = true, value_name = "CMD")]
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
    /// Only failures with this fingerprint.
    #[arg(long, value_name = "ID")]
    pub(crate) fingerprint: Option<String>,
    /// Only failures with this tag.
    #[arg(long)]
    pub(crate) tag: Option<String>,
    /// Only failures of this run.
    #[arg(long, value_name = "ID")]
    pub(crate) run: Option<String>,
    /// Only failures of this domain.
    #[arg(long)]
    pub(crate) domain: Option<String>,
    /// How many at most.
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
    /// List every function with its arguments, or those of one interface, or one.
    #[arg(long, conflicts_with = "lines")]
    pub(crate) list: bool,
    /// Print JSON Schemas of arguments and results: of every function, of one interface, or of one.
    #[arg(long, conflicts_with = "lines")]
    pub(crate) schema: bool,
    /// Read one request per line on standard input and answer each with one line.
    #[arg(long, conflicts_with = "function")]
    pub(crate) lines: bool,
    /// The function, such as lessons.propose.
    #[arg(value_name = "INTERFACE.FUNCTION", required_unless_present_any = ["list", "schema", "lines"])]
    pub(crate) function: Option<String>,
    /// Its arguments by name as a JSON object; `-` reads it from standard input.
    #[arg(
        value_name = "JSON ARGS",
        default_value = "{}",
        hide_default_value = true
    )]
    pub(crate) arguments: String,
}
