//! `twiceshy episodes`: runs that have ended, and what becomes of them.
//!
//! Owns the arguments and which function of the memory each of them is. How episodes are shown is in `report`.

mod report;

use std::{
    fs::File,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use twiceshy::{
    Memory, limits,
    wit::memory::{
        Aging, EpisodeFilter, EpisodeQuery, Episodes, Facet, FailureSignature, NewEpisode, Outcome,
        Phase,
    },
};

use super::{context::Context, date, failure::Failure, show, words::word};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy episodes list --domain cli --outcome failure --since 2026-01-01
  twiceshy episodes search 'convert the report' --only-successful
  make 2>&1 | twiceshy episodes failures -
  twiceshy episodes show run_0123456789abcdef
  twiceshy episodes learn episode.json --insight 'WRONG: sort by -n → CORRECT: sort by +n'
  twiceshy episodes age --dry-run

An episode is active for 30 days, mature up to 180, aged up to 365, then archived. Steps of aged episodes and accounts
of archived ones move to cold storage by `age`; they are read from there where they are needed.";

/// Episodes that are aged between two looks at the clock.
const AGED_AT_ONCE: u32 = 50;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List episodes by their attributes, newest first.
    #[command(
        after_long_help = "Examples:\n  twiceshy episodes list --session s1\n  \
        twiceshy episodes list --task-type refactoring --tag database --limit 5"
    )]
    List(List),
    /// Show all that is known of an episode. Counts as an access.
    #[command(after_long_help = "Example:\n  twiceshy episodes show run_0123456789abcdef --json")]
    Show(One),
    /// Find episodes that are relevant to a task, with what their relevance is made of.
    #[command(
        after_long_help = "Examples:\n  twiceshy episodes search 'convert the report'\n  \
        twiceshy episodes search 'convert the report' --domain cli --recent-days 7 --limit 3"
    )]
    Search(Search),
    /// Find episodes that failed in the same or a like way, and what worked there.
    #[command(
        after_long_help = "Examples:\n  twiceshy episodes failures 'cat: x: No such file or directory'\n  \
        make 2>&1 | twiceshy episodes failures -"
    )]
    Failures(Failures),
    /// Show the steps of an episode or of an open run, from cold storage too.
    #[command(
        after_long_help = "Example:\n  twiceshy episodes trace run_0123456789abcdef --first 200"
    )]
    Trace(Trace),
    /// Take in an episode that comes from elsewhere.
    #[command(after_long_help = NEW_EPISODE)]
    Add(FileOf),
    /// Take in an episode with what was learned from it.
    #[command(after_long_help = NEW_EPISODE)]
    Learn(Learn),
    /// Set an episode aside: it is not found any more.
    #[command(
        after_long_help = "Example:\n  twiceshy episodes delete run_0123456789abcdef --reason 'a duplicate'"
    )]
    Delete(Delete),
    /// Bring back an episode that was set aside.
    #[command(after_long_help = "Example:\n  twiceshy episodes undelete run_0123456789abcdef")]
    Undelete(One),
    /// Remove for good what was set aside long ago. What a lesson refers to stays.
    #[command(after_long_help = "Examples:\n  twiceshy episodes purge --dry-run\n  \
        twiceshy episodes purge --retention-days 90 --yes")]
    Purge(Purge),
    /// Bring an episode's steps and account back from cold storage.
    #[command(after_long_help = "Example:\n  twiceshy episodes restore run_0123456789abcdef")]
    Restore(One),
    /// Move steps and accounts of old episodes to cold storage.
    #[command(
        after_long_help = "Examples:\n  twiceshy episodes age --dry-run\n  twiceshy episodes age"
    )]
    Age(Age),
    /// Keep a file outside of the store, by its hash. Secrets in texts are masked.
    #[command(
        after_long_help = "Example:\n  twiceshy episodes keep report.md --media-type text/markdown"
    )]
    Keep(Keep),
    /// Write out a content that is kept.
    #[command(
        after_long_help = "Example:\n  twiceshy episodes artifact sha256:2cf2… --output report.md"
    )]
    Artifact(Artifact),
}

const NEW_EPISODE: &str = "\
The file is a JSON object; only task, domain and outcome are needed:
  {\"task\": \"convert the report\", \"domain\": \"cli\", \"outcome\": \"success\",
   \"trace\": [{\"after\": 0, \"action\": \"convert\", \"target\": \"report.md\", \"result\": \"fail\", \"error\": \"no decoder\"},
             {\"after\": 900, \"action\": \"pandoc\", \"target\": \"report.md\", \"result\": \"pass\"}],
   \"account\": {\"goals\": [\"a PDF\"], \"insights\": [\"pandoc knows Markdown\"]}}

Examples:
  twiceshy episodes add episode.json
  twiceshy episodes learn - --insight 'WRONG: convert <path> → CORRECT: pandoc <path>' < episode.json";

#[derive(Debug, Args)]
struct Attributes {
    /// Only of this domain.
    #[arg(long)]
    domain: Option<String>,
    /// Only with this outcome: success, failure, partial or abandoned.
    #[arg(long, value_parser = word::<Outcome>)]
    outcome: Option<Outcome>,
    /// Only of this kind of task.
    #[arg(long, value_name = "KIND")]
    task_type: Option<String>,
    /// Only of this session.
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// Only by this agent.
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Only with this tag.
    #[arg(long, value_name = "WORD")]
    tag: Option<String>,
    /// Only where this tool was used.
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// Only those that failed in this way.
    #[arg(long, value_name = "ID")]
    fingerprint: Option<String>,
    /// Only ended then or later: a date such as 2026-01-31, or with a time, in UTC.
    #[arg(long, value_name = "DATE", value_parser = date::parse)]
    since: Option<u64>,
    /// Only ended then or before.
    #[arg(long, value_name = "DATE", value_parser = date::parse)]
    until: Option<u64>,
}

#[derive(Debug, Args)]
struct List {
    #[command(flatten)]
    attributes: Attributes,
    /// Only where this strategy was applied.
    #[arg(long, value_name = "WORDS")]
    strategy: Option<String>,
    /// Only in this phase: active, mature, aged, archived or deleted.
    #[arg(long, value_parser = word::<Phase>)]
    phase: Option<Phase>,
    /// At most so many.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
}

#[derive(Debug, Args)]
struct Search {
    /// The task in words. Without it, by the other arguments alone, newest first.
    #[arg(default_value = "", hide_default_value = true)]
    text: String,
    #[command(flatten)]
    attributes: Attributes,
    /// Only successes.
    #[arg(long)]
    only_successful: bool,
    /// Only those of the last 30 days.
    #[arg(long)]
    recent: bool,
    /// Only those of the last so many days.
    #[arg(long, value_name = "N")]
    recent_days: Option<u32>,
    /// Also archived ones.
    #[arg(long)]
    archived: bool,
    /// Which part is compared in meaning, where an embedder is there: task, outcome or full.
    #[arg(long, value_parser = word::<Facet>)]
    facet: Option<Facet>,
    /// The domain that is preferred, if none is demanded.
    #[arg(long, value_name = "DOMAIN")]
    prefer_domain: Option<String>,
    /// At most so many.
    #[arg(long, value_name = "N", default_value_t = 5)]
    limit: u32,
}

#[derive(Debug, Args)]
struct Failures {
    /// The error text; `-` reads it from standard input. May be left out with --fingerprint.
    #[arg(required_unless_present = "fingerprint")]
    text: Option<String>,
    /// The fingerprint, if it is known.
    #[arg(long, value_name = "ID")]
    fingerprint: Option<String>,
    /// Only of this domain.
    #[arg(long)]
    domain: Option<String>,
    /// At most so many.
    #[arg(long, value_name = "N", default_value_t = 5)]
    limit: u32,
}

#[derive(Debug, Args)]
struct One {
    /// The episode's id.
    episode: String,
}

#[derive(Debug, Args)]
struct Trace {
    /// The episode's id.
    episode: String,
    /// From this step on.
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u32,
}

#[derive(Debug, Args)]
struct FileOf {
    /// The file; `-` for standard input.
    file: PathBuf,
}

#[derive(Debug, Args)]
struct Learn {
    /// The file; `-` for standard input.
    file: PathBuf,
    /// What was learned, in words or as `WRONG: … → CORRECT: …`. May be repeated.
    #[arg(long, value_name = "TEXT")]
    insight: Vec<String>,
}

#[derive(Debug, Args)]
struct Delete {
    /// The episode's id.
    episode: String,
    /// Why, for whoever looks later.
    #[arg(long)]
    reason: String,
}

#[derive(Debug, Args)]
struct Purge {
    /// Only what was set aside longer ago than so many days; 30 if not given.
    #[arg(long, value_name = "N")]
    retention_days: Option<u32>,
    /// Only show what would be removed.
    #[arg(long, required_unless_present = "yes")]
    dry_run: bool,
    /// Remove it. There is no way back.
    #[arg(long, conflicts_with = "dry_run")]
    yes: bool,
}

#[derive(Debug, Args)]
struct Age {
    /// At most so many episodes, oldest first.
    #[arg(long, value_name = "N", default_value_t = u32::MAX, hide_default_value = true)]
    limit: u32,
    /// Only show what would be moved.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Args)]
struct Keep {
    /// The file; `-` for standard input.
    file: PathBuf,
    /// What it is called, if not by its file's name.
    #[arg(long)]
    name: Option<String>,
    /// Its media type, such as text/markdown.
    #[arg(
        long,
        value_name = "TYPE",
        default_value = "",
        hide_default_value = true
    )]
    media_type: String,
}

#[derive(Debug, Args)]
struct Artifact {
    /// `sha256:` and 64 hexadecimal digits.
    hash: String,
    /// Where to write it, instead of standard output. A file that is there is not overwritten.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn episodes(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let lifecycle = |lifecycle| context.print(&lifecycle, || report::lifecycle(&lifecycle));
    match &arguments.command {
        Command::List(arguments) => {
            let episodes = Episodes::find(&memory, &filter(arguments))?;
            context.print(&episodes, || {
                or_none(episodes.iter().flat_map(report::head).collect())
            })
        }
        Command::Show(one) => {
            let full = Episodes::retrieve(&memory, &one.episode)?;
            context.print(&full, || report::whole(&full))
        }
        Command::Search(arguments) => {
            let hits = Episodes::search(&memory, &query(arguments))?;
            context.print(&hits, || {
                or_none(hits.iter().flat_map(report::hit).collect())
            })
        }
        Command::Failures(arguments) => {
            let found = memory.similar_failures(&signature(arguments)?)?;
            context.print(&found, || {
                or_none(found.iter().flat_map(report::failure).collect())
            })
        }
        Command::Trace(arguments) => {
            let steps = memory.trace(&arguments.episode, arguments.first)?;
            context.print(&steps, || or_none(steps.iter().map(report::step).collect()))
        }
        Command::Add(arguments) => {
            let episode = Episodes::add(&memory, &new_episode(&arguments.file)?)?;
            context.print(&episode, || report::head(&episode))
        }
        Command::Learn(arguments) => {
            let learned = memory.learn(&new_episode(&arguments.file)?, &arguments.insight)?;
            context.print(&learned, || report::learned(&learned))
        }
        Command::Delete(arguments) => lifecycle(Episodes::delete(
            &memory,
            &arguments.episode,
            &arguments.reason,
        )?),
        Command::Undelete(one) => lifecycle(memory.undelete(&one.episode)?),
        Command::Restore(one) => lifecycle(memory.restore(&one.episode)?),
        Command::Purge(arguments) => purge(context, &memory, arguments),
        Command::Age(arguments) => age(context, &memory, arguments),
        Command::Keep(arguments) => keep(context, &memory, arguments),
        Command::Artifact(arguments) => artifact(&memory, arguments),
    }
}

fn or_none(lines: Vec<String>) -> Vec<String> {
    match lines.is_empty() {
        true => vec!["Nothing was found.".to_owned()],
        false => lines,
    }
}

fn filter(list: &List) -> EpisodeFilter {
    let by = &list.attributes;
    EpisodeFilter {
        domain: by.domain.clone(),
        outcome: by.outcome,
        fingerprint: by.fingerprint.clone(),
        task_type: by.task_type.clone(),
        session: by.session.clone(),
        agent: by.agent.clone(),
        tag: by.tag.clone(),
        tool: by.tool.clone(),
        strategy: list.strategy.clone(),
        since: by.since,
        until: by.until,
        phase: list.phase,
        limit: Some(list.limit),
    }
}

fn query(search: &Search) -> EpisodeQuery {
    let by = &search.attributes;
    EpisodeQuery {
        text: search.text.clone(),
        domain: by.domain.clone(),
        task_type: by.task_type.clone(),
        outcome: by.outcome,
        session: by.session.clone(),
        agent: by.agent.clone(),
        tag: by.tag.clone(),
        tool: by.tool.clone(),
        fingerprint: by.fingerprint.clone(),
        since: by.since,
        until: by.until,
        only_successful: Some(search.only_successful),
        prefer_recent: Some(search.recent || search.recent_days.is_some()),
        recent_days: search.recent_days,
        archived: Some(search.archived),
        facet: search.facet,
        preferred_domain: search.prefer_domain.clone(),
        limit: Some(search.limit),
    }
}

fn signature(failures: &Failures) -> Result<FailureSignature, Failure> {
    let evidence = match failures.text.as_deref() {
        Some("-") => String::from_utf8_lossy(&read(Path::new("-"))?).into_owned(),
        text => text.unwrap_or_default().to_owned(),
    };
    Ok(FailureSignature {
        evidence,
        fingerprint: failures.fingerprint.clone(),
        domain: failures.domain.clone(),
        limit: Some(failures.limit),
    })
}

fn new_episode(file: &Path) -> Result<NewEpisode, Failure> {
    serde_json::from_slice(&read(file)?).map_err(|error| {
        Failure::input(format!(
            "{} is not an episode: {error}; twiceshy episodes add --help shows one",
            file.display()
        ))
    })
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let most = limits::REQUEST_BYTES as u64;
    let mut bytes = Vec::new();
    let read = match file.as_os_str() == "-" {
        true => io::stdin().lock().take(most + 1).read_to_end(&mut bytes),
        false => File::open(file).and_then(|file| file.take(most + 1).read_to_end(&mut bytes)),
    };
    read.map_err(|error| Failure::input(format!("{}: {error}", file.display())))?;
    if bytes.len() as u64 > most {
        return Err(Failure::input(format!(
            "{} has more than {} MiB; hand in less at once",
            file.display(),
            most >> 20
        )));
    }
    Ok(bytes)
}

fn purge(context: &Context, memory: &Memory, arguments: &Purge) -> Result<ExitCode, Failure> {
    let gone = memory.purge(arguments.retention_days, arguments.dry_run)?;
    let removed = !arguments.dry_run;
    context.print(&json!({ "removed": removed, "episodes": gone }), || {
        let what = match removed {
            true => "Removed for good",
            false => "To be removed for good",
        };
        let mut lines = vec![format!("{what}: {} episodes", gone.len())];
        lines.extend(gone.iter().map(|id| format!("  {}", show::line(id))));
        lines
    })
}

/// Moves what is old, some at a time: whoever interrupts it loses nothing, and it goes on from there.
fn age(context: &Context, memory: &Memory, arguments: &Age) -> Result<ExitCode, Failure> {
    let bar = ProgressBar::new_spinner().with_style(
        ProgressStyle::with_template("{spinner} {pos} episodes moved {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner()),
    );
    let mut total = Aging {
        traces: 0,
        accounts: 0,
        kib: 0,
        more: false,
    };
    let mut left = arguments.limit;
    loop {
        // A dry run counts in one go: what it counted is still there afterwards.
        let some = match arguments.dry_run {
            true => left,
            false => left.min(AGED_AT_ONCE),
        };
        let aging = memory.age(some, arguments.dry_run)?;
        total.traces += aging.traces;
        total.accounts += aging.accounts;
        total.kib = total.kib.saturating_add(aging.kib);
        total.more = aging.more;
        left -= some;
        bar.set_position(u64::from(total.traces.max(total.accounts)));
        bar.set_message(format!("({} KiB)", total.kib));
        if !aging.more || left == 0 || arguments.dry_run {
            break;
        }
    }
    bar.finish_and_clear();
    context.print(&total, || {
        let what = match arguments.dry_run {
            true => "To be moved to cold storage",
            false => "Moved to cold storage",
        };
        let more = if total.more { "; there are more" } else { "" };
        vec![format!(
            "{what}: the steps of {} episodes and {} accounts, {} KiB{more}",
            total.traces, total.accounts, total.kib
        )]
    })
}

fn keep(context: &Context, memory: &Memory, arguments: &Keep) -> Result<ExitCode, Failure> {
    let content = read(&arguments.file)?;
    let name = arguments.name.clone().unwrap_or_else(|| {
        let name = arguments.file.file_name();
        name.map_or("-".to_owned(), |name| name.to_string_lossy().into_owned())
    });
    let artifact = memory.keep_artifact(&name, &arguments.media_type, &content)?;
    context.print(&artifact, || {
        vec![artifact.hash.clone().unwrap_or_default()]
    })
}

fn artifact(memory: &Memory, arguments: &Artifact) -> Result<ExitCode, Failure> {
    let content = memory.artifact_content(&arguments.hash)?;
    match &arguments.output {
        None => io::stdout().write_all(&content)?,
        Some(path) => File::create_new(path)
            .and_then(|mut file| file.write_all(&content))
            .map_err(|error| Failure::input(format!("{}: {error}", path.display())))?,
    }
    Ok(ExitCode::SUCCESS)
}
