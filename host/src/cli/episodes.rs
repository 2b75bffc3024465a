//! `twiceshy episodes`: runs that have ended, and what becomes of them.
//!
//! Owns the arguments and which function of the memory each of them is. How episodes are shown is in `report`.

mod report;

use std::{
    fs::File,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use twiceshy::{
    Memory,
    wit::memory::{Aging, EpisodeFilter, EpisodeQuery, Episodes, Facet, Outcome, Phase},
};

use super::{context::Context, date, failure::Failure, input, show, words::word};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy episodes list --domain cli --outcome failure --since 2026-01-01
  twiceshy episodes search 'convert the report' --only-successful
  make 2>&1 | twiceshy episodes similar-failures -
  twiceshy episodes show run_0123456789abcdef
  twiceshy episodes add --from episode.json
  twiceshy episodes learn --episode episode.json --insight 'WRONG: sort by -n → CORRECT: sort by +n'
  twiceshy episodes age --dry-run

An episode is active for 30 days, mature up to 180, aged up to 365, then archived. Steps of aged episodes and accounts
of archived ones move to cold storage by `age`; they are read from there where they are needed.";

/// Episodes that are aged between two looks at the clock.
const AGED_AT_ONCE: u32 = 50;

pub(crate) const LIST_EXAMPLES: &str = "\
Examples:
  twiceshy episodes list --session s1
  twiceshy episodes list --task-type refactoring --tag database --limit 5";

pub(crate) const SEARCH_EXAMPLES: &str = "\
Examples:
  twiceshy episodes search 'convert the report'
  twiceshy episodes search 'convert the report' --domain cli --recent-days 7 --limit 3";

#[derive(Debug, Args)]
struct Attributes {
    /// Only episodes of this domain.
    #[arg(long)]
    domain: Option<String>,
    /// Only with this outcome: success, failure, partial or abandoned.
    #[arg(long, value_parser = word::<Outcome>)]
    outcome: Option<Outcome>,
    /// Only episodes of this kind of task.
    #[arg(long, value_name = "KIND")]
    task_type: Option<String>,
    /// Only episodes of this session.
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
    /// Only episodes with this failure.
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
pub(crate) struct List {
    #[command(flatten)]
    attributes: Attributes,
    /// Only where this strategy was applied.
    #[arg(long, value_name = "WORDS")]
    strategy: Option<String>,
    /// Only in this phase: active, mature, aged, archived or deleted.
    #[arg(long, value_parser = word::<Phase>)]
    phase: Option<Phase>,
    /// How many at most.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Search {
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
    /// Only episodes of this many last days.
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
    /// How many at most.
    #[arg(long, value_name = "N", default_value_t = 5)]
    limit: u32,
}

#[derive(Debug, Args)]
pub(crate) struct One {
    /// The episode's id.
    episode: String,
}

#[derive(Debug, Args)]
pub(crate) struct Trace {
    /// The episode's id.
    episode: String,
    /// From this step on.
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Purge {
    /// Episodes to remove, deleted before or not; without any, all that were deleted long ago.
    #[arg(value_name = "EPISODE", conflicts_with = "retention_days")]
    episodes: Vec<String>,
    /// Remove the lessons, too, that were learned in these episodes alone.
    #[arg(long, requires = "episodes")]
    with_lessons: bool,
    /// Only what was deleted longer ago than this many days; 30 if not given.
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
pub(crate) struct Age {
    /// How many episodes at most, oldest first.
    #[arg(long, value_name = "N", default_value_t = u32::MAX, hide_default_value = true)]
    limit: u32,
    /// Only show what would be moved.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Keep {
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
pub(crate) struct Artifact {
    /// `sha256:` and 64 hexadecimal digits.
    hash: String,
    /// Where to write it, instead of standard output. A file that is there is not overwritten.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn list(context: &Context, arguments: &List) -> Result<ExitCode, Failure> {
    let episodes = Episodes::find(&context.memory()?, &filter(arguments))?;
    context.print(&episodes, || {
        or_none(episodes.iter().flat_map(report::head).collect())
    })
}

pub(crate) fn show(context: &Context, one: &One) -> Result<ExitCode, Failure> {
    let full = Episodes::retrieve(&context.memory()?, &one.episode)?;
    context.print(&full, || report::whole(&full))
}

pub(crate) fn search(context: &Context, arguments: &Search) -> Result<ExitCode, Failure> {
    let hits = Episodes::search(&context.memory()?, &query(arguments))?;
    context.print(&hits, || {
        or_none(hits.iter().flat_map(report::hit).collect())
    })
}

pub(crate) fn trace(context: &Context, arguments: &Trace) -> Result<ExitCode, Failure> {
    let steps = context
        .memory()?
        .trace(&arguments.episode, arguments.first)?;
    context.print(&steps, || or_none(steps.iter().map(report::step).collect()))
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

pub(crate) fn purge(context: &Context, arguments: &Purge) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let removed = !arguments.dry_run;
    let mut purged = Purged::default();
    let done = match arguments.episodes.as_slice() {
        [] => purged.long_ago(&memory, arguments),
        episodes => purged.named(&memory, episodes, arguments),
    };
    // What went before one of them was refused leaves no word, either.
    if removed && (done.is_ok() || !purged.episodes.is_empty()) {
        context.store().erase()?;
    }
    done?;
    let told = json!({
        "removed": removed, "episodes": purged.episodes, "lessons": purged.lessons,
        "kept": purged.kept.iter().map(|(episode, because)| {
            json!({ "episode": episode, "because-of": because })
        }).collect::<Vec<_>>(),
    });
    context.print(&told, || purged.lines(removed))
}

/// What was removed for good, or would be.
#[derive(Default)]
struct Purged {
    episodes: Vec<String>,
    /// Lessons that were learned in them alone.
    lessons: Vec<String>,
    /// Episodes that stay, each with what refers to it.
    kept: Vec<(String, Vec<String>)>,
}

impl Purged {
    /// Everything that was deleted long ago and that nothing refers to.
    fn long_ago(&mut self, memory: &Memory, arguments: &Purge) -> Result<(), Failure> {
        let deleted = EpisodeFilter {
            phase: Some(Phase::Deleted),
            limit: Some(LISTED),
            ..EpisodeFilter::default()
        };
        let deleted = Episodes::find(memory, &deleted)?;
        self.episodes = memory.purge(arguments.retention_days, arguments.dry_run)?;
        for episode in &deleted {
            if self.episodes.contains(&episode.id) {
                continue;
            }
            let because = memory.lifecycle_of(&episode.id)?.referenced_by;
            if !because.is_empty() {
                self.kept.push((episode.id.clone(), because));
            }
        }
        Ok(())
    }

    /// Some episodes by their ids.
    fn named(
        &mut self,
        memory: &Memory,
        episodes: &[String],
        arguments: &Purge,
    ) -> Result<(), Failure> {
        for episode in episodes {
            if arguments.dry_run {
                let because = memory.lifecycle_of(episode)?.referenced_by;
                match because.is_empty() || arguments.with_lessons {
                    true => self.episodes.push(episode.clone()),
                    false => self.kept.push((episode.clone(), because)),
                }
                continue;
            }
            let lessons = memory.purge_one(episode, arguments.with_lessons);
            let lessons = lessons.map_err(|error| {
                Failure::from(error).with_flag("`with-lessons`", "`--with-lessons`")
            })?;
            self.episodes.push(episode.clone());
            self.lessons.extend(lessons);
        }
        Ok(())
    }

    fn lines(&self, removed: bool) -> Vec<String> {
        let what = match removed {
            true => "Removed for good",
            false => "To be removed for good",
        };
        let mut lines = vec![format!("{what}: {} episodes", self.episodes.len())];
        lines.extend(
            self.episodes
                .iter()
                .map(|id| format!("  {}", show::line(id))),
        );
        if !self.lessons.is_empty() {
            lines.push(format!(
                "{} lessons that were learned there alone:",
                self.lessons.len()
            ));
            lines.extend(
                self.lessons
                    .iter()
                    .map(|id| format!("  {}", show::line(id))),
            );
        }
        if !self.kept.is_empty() {
            lines.push(format!(
                "Kept: {} deleted episodes that something refers to. `twiceshy episodes purge EPISODE --with-lessons --yes` \
                 removes one with what was learned in it alone.",
                self.kept.len()
            ));
            lines.extend(self.kept.iter().map(|(episode, because)| {
                format!(
                    "  {}: {}",
                    show::line(episode),
                    show::line(&because.join(", "))
                )
            }));
        }
        lines
    }
}

/// Deleted episodes that are looked at.
const LISTED: u32 = 1_000;

/// Moves what is old, some at a time: whoever interrupts it loses nothing, and it goes on from there.
pub(crate) fn age(context: &Context, arguments: &Age) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
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

pub(crate) fn keep(context: &Context, arguments: &Keep) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let content = input::bytes(&arguments.file)?;
    let name = arguments.name.clone().unwrap_or_else(|| {
        let name = arguments.file.file_name();
        name.map_or("-".to_owned(), |name| name.to_string_lossy().into_owned())
    });
    let artifact = memory.keep_artifact(&name, &arguments.media_type, &content)?;
    context.print(&artifact, || {
        vec![artifact.hash.clone().unwrap_or_default()]
    })
}

pub(crate) fn artifact(context: &Context, arguments: &Artifact) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let content = memory.artifact_content(&arguments.hash)?;
    match &arguments.output {
        None => io::stdout().write_all(&content)?,
        Some(path) => File::create_new(path)
            .and_then(|mut file| file.write_all(&content))
            .map_err(|error| Failure::input(format!("{}: {error}", path.display())))?,
    }
    Ok(ExitCode::SUCCESS)
}
