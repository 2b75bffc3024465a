//! `twiceshy experience`: what like tasks brought, and the care of it.
//!
//! Owns the arguments and which function of the memory each of them is. How experience is shown is in `report`; what
//! becomes of it is the memory's business.

mod report;

use std::{
    io::{IsTerminal, Read},
    process::ExitCode,
};

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use twiceshy::{
    Memory, PluggedModel, limits,
    wit::memory::{
        Experience as _, ExperienceQuery, ExperienceSettings, FeedbackType, MemoryEdit, MemoryType,
        Metadata, NewExperience, RememRequest, StructuredFeedback,
    },
};

use super::{context::Context, failure::Failure, words::word};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy experience search 'sort the invoices'
  twiceshy experience add 'sort the invoices' --output 'sort -k2 invoices.csv' --feedback success
  twiceshy experience list --type procedural
  twiceshy experience synthesize 'sort the invoices'
  twiceshy experience edit '[{\"action\": \"merge\", \"ids\": [\"exp_…\", \"run_…\"], \"summary\": \"…\"}]'
  twiceshy experience settings
  EVOLVING_MEMORY_TOP_K=8 twiceshy experience search 'sort the invoices'
  twiceshy experience remem 'plan the migration' --tool 'psql: runs SQL'

Every run with a task becomes experience by itself when it ends. An embedder, named in [embedding] of the user's
config.toml or by EMBED_BASE_URL and EMBED_MODEL, compares meaning; without one, words are compared.";

#[derive(Debug, Subcommand)]
pub(crate) enum Experience {
    /// Find experiences of like tasks, most alike first. Counts as a use of them.
    Search(Search),
    /// Take in an experience: near-duplicates are merged, and the least relevant make room.
    Add(Box<Add>),
    /// List the newest experiences, as many as window-size says.
    Recent,
    /// List experiences, newest first.
    List(List),
    /// Show all that is known of one.
    Show(One),
    /// Print context for a task from experiences, as it goes into a prompt.
    Synthesize(Synthesize),
    /// Count what there is.
    Stats,
    /// Measure how alike the tasks are, and say what follows from that.
    Similarity,
    /// Make edits, all or none: prune, merge, update-tag.
    #[command(
        after_long_help = "Examples:\n  twiceshy experience edit '[{\"action\": \"prune\", \"ids\": [\"exp_…\"]}]'\n  \
        twiceshy experience edit - < edits.json\n\nMembers of an edit: action (prune, merge, update-tag), ids, summary \
        (for merge), tag (for update-tag).\nNothing is removed: what is pruned or merged away is archived."
    )]
    Edit(Edit),
    /// Archive what is beyond max-size now.
    Prune,
    /// Show every setting, and where its value comes from.
    Settings,
    /// Give vectors of the present embedder to experiences that have none or others.
    ReEmbed,
    /// Let the configured model think, refine the memory and answer. Needs remem-enabled.
    Remem(Remem),
}

#[derive(Debug, Args)]
pub(crate) struct Search {
    /// The task or question.
    text: String,
    /// Only of this type: factual, procedural or episodic.
    #[arg(long = "type", value_name = "TYPE", value_parser = word::<MemoryType>)]
    memory_type: Option<MemoryType>,
    /// Only with this tag.
    #[arg(long)]
    tag: Option<String>,
    /// Only of this domain.
    #[arg(long)]
    domain: Option<String>,
    /// At most so many; top-k of the settings if not said.
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct Add {
    /// The task or question; `-` reads the whole experience as JSON from standard input.
    input: String,
    /// The answer.
    #[arg(long, default_value = "", hide_default_value = true)]
    output: String,
    /// How it went, in words, such as success or failure.
    #[arg(long, default_value = "", hide_default_value = true)]
    feedback: String,
    /// How it went, as structured feedback: success, failure, partial or in-progress.
    #[arg(long, value_name = "KIND", value_parser = word::<FeedbackType>)]
    outcome: Option<FeedbackType>,
    /// How far it came, from 0 to 1.
    #[arg(long, value_name = "RATE", requires = "outcome")]
    progress: Option<f64>,
    /// Steps that it took.
    #[arg(long, value_name = "N", requires = "outcome")]
    steps: Option<u32>,
    /// Steps that it would take at best.
    #[arg(long, value_name = "N", requires = "outcome")]
    steps_optimal: Option<u32>,
    /// For a reader of the structured feedback.
    #[arg(long, value_name = "TEXT", requires = "outcome")]
    message: Option<String>,
    /// `When confronted with …, do …. Avoid ….`; one is made of a success.
    #[arg(long, value_name = "TEXT")]
    card: Option<String>,
    /// What is to be remembered; made from the rest, or by the configured model.
    #[arg(long, value_name = "TEXT")]
    summary: Option<String>,
    /// How the answer came about.
    #[arg(long, value_name = "TEXT")]
    trace: Option<String>,
    /// Its domain.
    #[arg(long)]
    domain: Option<String>,
    /// A tag. May be repeated.
    #[arg(long)]
    tag: Vec<String>,
    /// What else is known, as name=value. May be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = metadata)]
    metadata: Vec<Metadata>,
    /// What it is about: factual, procedural or episodic; found from its words.
    #[arg(long = "type", value_name = "TYPE", value_parser = word::<MemoryType>)]
    memory_type: Option<MemoryType>,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only of this type: factual, procedural or episodic.
    #[arg(long = "type", value_name = "TYPE", value_parser = word::<MemoryType>)]
    memory_type: Option<MemoryType>,
    /// At most so many.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
}

#[derive(Debug, Args)]
pub(crate) struct One {
    /// The entry's id.
    entry: String,
}

#[derive(Debug, Args)]
pub(crate) struct Synthesize {
    /// The task.
    task: String,
    /// An entry to make it from. May be repeated. Without any, the most alike.
    #[arg(long, value_name = "ID")]
    entry: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Edit {
    /// The edits as a JSON array; `-` reads it from standard input.
    edits: String,
}

#[derive(Debug, Args)]
pub(crate) struct Remem {
    /// The task.
    task: String,
    /// A tool that whoever uses the answer has, in words. May be repeated.
    #[arg(long, value_name = "TEXT")]
    tool: Vec<String>,
    /// Steps of the inner loop; those of the settings if not said.
    #[arg(long, value_name = "N")]
    steps: Option<u32>,
}

pub(crate) fn experience(context: &Context, command: &Experience) -> Result<ExitCode, Failure> {
    let memory = context.memory_with(model(context))?;
    match command {
        Experience::Search(search) => {
            let hits = memory.search(&query(search))?;
            context.print(&hits, || report::hits(&hits))
        }
        Experience::Add(add) => {
            context.settings.experience.hand_to(&memory)?;
            let evolution = memory.evolve(&new(add)?)?;
            context.print(&evolution, || report::evolution(&evolution))
        }
        Experience::Recent => {
            let entries = memory.recent_window()?;
            context.print(&entries, || report::list(&entries))
        }
        Experience::List(list) => {
            let entries = memory.entries(list.memory_type, list.limit)?;
            context.print(&entries, || report::list(&entries))
        }
        Experience::Show(one) => {
            let entry = twiceshy::wit::memory::Experience::get(&memory, &one.entry)?;
            context.print(&entry, || report::whole(&entry))
        }
        Experience::Synthesize(synthesize) => {
            let mut entries = synthesize.entry.clone();
            if entries.is_empty() {
                let hits = memory.search(&like(&synthesize.task))?;
                entries = hits.into_iter().map(|hit| hit.entry.id).collect();
            }
            let synthesis = memory.synthesize(&synthesize.task, &entries)?;
            context.print(&synthesis, || match synthesis.text.is_empty() {
                true => vec!["No experience.".to_owned()],
                false => vec![synthesis.text.clone()],
            })
        }
        Experience::Stats => {
            let stats = memory.stats()?;
            context.print(&stats, || report::stats(&stats))
        }
        Experience::Similarity => {
            let metrics = memory.similarity_of_tasks()?;
            context.print(&metrics, || report::similarity(&metrics))
        }
        Experience::Edit(edit) => {
            let report = memory.apply_edits(&edits(edit)?)?;
            if report.refused.is_empty() {
                return context.print(&report, || report::edits(&report));
            }
            Err(Failure::input(format!(
                "nothing was changed: {}",
                report.refused.join("; ")
            )))
        }
        Experience::Prune => {
            let pruned = twiceshy::wit::memory::Experience::prune(&memory)?;
            context.print(&pruned, || {
                report::or_none(pruned.iter().cloned(), "Nothing is beyond max-size.")
            })
        }
        Experience::Settings => {
            let listed = context
                .settings
                .experience
                .listed(memory.settings()?, DEFAULTS);
            context.print(&listed, || report::settings(&listed))
        }
        Experience::ReEmbed => re_embed(context, &memory),
        Experience::Remem(remem) => {
            context.settings.experience.hand_to(&memory)?;
            let result = memory.remem(&RememRequest {
                task: remem.task.clone(),
                tools: remem.tool.clone(),
                max_inner_steps: remem.steps,
            })?;
            context.print(&result, || report::remem(&result))
        }
    }
}

/// What the document gives as defaults, and what a memory has until somebody says otherwise.
const DEFAULTS: ExperienceSettings = ExperienceSettings {
    enabled: true,
    max_size: 1_000,
    top_k: 4,
    window_size: 20,
    enable_rag: true,
    remem_enabled: false,
    max_inner_steps: 5,
    enable_smart_prune: true,
    prune_threshold: 0.95,
    relevance_decay: 0.99,
    min_relevance: 0.1,
};

/// Entries that get vectors between two looks at the progress.
const AT_ONCE: u32 = 64;

/// Gives vectors to all entries. What is done stays done if it is interrupted.
fn re_embed(context: &Context, memory: &Memory) -> Result<ExitCode, Failure> {
    let mut done = memory.re_embed(AT_ONCE)?;
    let visible = std::io::stderr().is_terminal() && !context.json && done.left > 0;
    let bar = ProgressBar::with_draw_target(
        Some(u64::from(done.embedded + done.left)),
        if visible {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        },
    );
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} vectors {eta}") {
        bar.set_style(style);
    }
    while done.left > 0 {
        bar.set_position(u64::from(done.embedded));
        let more = memory.re_embed(AT_ONCE)?;
        done.embedded += more.embedded;
        (done.left, done.dimensions) = (more.left, more.dimensions);
        if more.embedded == 0 {
            break;
        }
    }
    bar.finish_and_clear();
    context.print(&done, || {
        vec![format!(
            "{} experiences have a new vector of {} components, {} have none",
            done.embedded, done.dimensions, done.left
        )]
    })
}

/// The configured model; under the name that the settings of experience give it, if they do.
fn model(context: &Context) -> Option<PluggedModel> {
    let mut settings = context.settings.model.clone()?;
    if let Some(name) = context.settings.experience.model()
        && settings.endpoint.is_some()
    {
        settings.name = Some(name.to_owned());
    }
    Some(PluggedModel::new(settings))
}

fn query(search: &Search) -> ExperienceQuery {
    ExperienceQuery {
        text: search.text.clone(),
        memory_type: search.memory_type,
        tag: search.tag.clone(),
        domain: search.domain.clone(),
        limit: search.limit,
    }
}

fn like(task: &str) -> ExperienceQuery {
    ExperienceQuery {
        text: task.to_owned(),
        memory_type: None,
        tag: None,
        domain: None,
        limit: None,
    }
}

fn new(add: &Add) -> Result<NewExperience, Failure> {
    if add.input == "-" {
        let text = standard_input()?;
        return serde_json::from_str(&text)
            .map_err(|error| Failure::input(format!("standard input is no experience: {error}")));
    }
    let structured_feedback = add.outcome.map(|kind| StructuredFeedback {
        kind,
        correct: kind == FeedbackType::Success,
        progress_rate: add
            .progress
            .unwrap_or(f64::from(u8::from(kind == FeedbackType::Success))),
        steps_used: add.steps.unwrap_or(0),
        steps_optimal: add.steps_optimal,
        message: add.message.clone().unwrap_or_default(),
    });
    Ok(NewExperience {
        input: add.input.clone(),
        output: add.output.clone(),
        feedback: add.feedback.clone(),
        structured_feedback,
        strategy_card: add.card.clone(),
        summary: add.summary.clone(),
        raw_trace: add.trace.clone(),
        domain: add.domain.clone(),
        tags: add.tag.clone(),
        metadata: add.metadata.clone(),
        memory_type: add.memory_type,
    })
}

fn metadata(text: &str) -> Result<Metadata, String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| format!("`{text}` is not of the form name=value"))?;
    Ok(Metadata {
        name: name.to_owned(),
        value: value.to_owned(),
    })
}

fn edits(edit: &Edit) -> Result<Vec<MemoryEdit>, Failure> {
    let text = match edit.edits.as_str() {
        "-" => standard_input()?,
        text => text.to_owned(),
    };
    serde_json::from_str(&text)
        .map_err(|error| Failure::input(format!("the edits are no JSON array of edits: {error}")))
}

fn standard_input() -> Result<String, Failure> {
    let most = limits::REQUEST_BYTES as u64;
    let mut text = String::new();
    let read = std::io::stdin()
        .lock()
        .take(most + 1)
        .read_to_string(&mut text);
    read.map_err(|error| Failure::input(format!("standard input: {error}")))?;
    if text.len() as u64 > most {
        return Err(Failure::input(format!(
            "standard input has more than {} MiB",
            most >> 20
        )));
    }
    Ok(text)
}
