//! `twiceshy lessons`: what was learned, and a person's say in it.
//!
//! Owns the arguments and which function of the memory each of them is. How lessons are shown is in `report`;
//! what becomes of them is the memory's business.

mod report;

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, Subcommand};
use twiceshy::wit::memory::{
    Lesson, LessonCandidate, LessonFilter, LessonKind, LessonStatus, Lessons, Link, Links,
    Relation, Scope, Source,
};

use super::{context::Context, failure::Failure, input, show, words::word};

use report::summary;
pub(crate) use report::{link as link_line, origin, usefulness};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy lessons
  twiceshy lessons list --status promoted --domain cli
  twiceshy lessons show les_0123456789abcdef
  twiceshy lessons add --rule 'WRONG: sort by -n → CORRECT: sort by +n' --trigger-text 'sort: bad key -n'
  twiceshy lessons suppress les_0123456789abcdef --reason 'wrong since version 2'
  twiceshy lessons link les_0123456789abcdef contradicts les_fedcba9876543210

A lesson's life: candidate → promoted → under-review → promoted | suppressed | deprecated → archived.
It moves by what is measured; promote, review, suppress, deprecate and archive move it by hand.
`twiceshy why LESSON` shows what it rests on.";

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    list: List,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List lessons, the ones changed last first.
    List(List),
    /// Show all that is known of a lesson.
    Show(One),
    /// Teach a lesson yourself.
    #[command(
        after_long_help = "Example:\n  twiceshy lessons add --rule 'WRONG: sort by -n → CORRECT: sort by +n' \
        --trigger-text 'sort: bad key -n' --domain cli"
    )]
    Add(Add),
    /// Say a lesson in other words: a new candidate takes the place of the old one.
    Edit(Edit),
    /// Rely on a lesson from now on.
    Promote(Move),
    /// Doubt a lesson: it is not shown until it is promoted or suppressed.
    Review(Move),
    /// Show a lesson no more.
    Suppress(Move),
    /// A lesson was right once and is no longer.
    Deprecate(Move),
    /// Keep a lesson for audit only.
    Archive(Move),
    /// Relate two lessons.
    #[command(after_long_help = RELATIONS)]
    Link(Relate),
    /// Take a relation back.
    #[command(after_long_help = RELATIONS)]
    Unlink(Relate),
    /// List the relations of a lesson.
    Links(One),
    /// Take in what an agent learned in an episode, as strict JSON.
    #[command(
        after_long_help = "The file holds an array of objects with exactly these members:\n  \
        [{\"trigger_fingerprints\": [\"fp_…\"], \"rule_text\": \"WRONG: … → CORRECT: …\", \"scope_hint\": \"domain\"}]\n\n\
        Example:\n  twiceshy lessons hand-in run_0123456789abcdef lessons.json"
    )]
    HandIn(HandIn),
    /// Find lessons in the steps of an episode again, without a model.
    Mine(Episode),
    /// Ask the configured model for lessons from an episode.
    Distil(Episode),
}

const RELATIONS: &str = "\
Relations:
  derived-from, related-to, contradicts, elaborates, example-of, supersedes, superseded-by, specializes,
  generalizes, complements

Example:
  twiceshy lessons link les_0123456789abcdef supersedes les_fedcba9876543210 --reason 'says more'";

#[derive(Debug, Args)]
struct List {
    /// Only with this status: candidate, promoted, under-review, suppressed, deprecated, archived.
    #[arg(long, value_parser = word::<LessonStatus>)]
    status: Option<LessonStatus>,
    /// Only those that answer this fingerprint.
    #[arg(long, value_name = "ID")]
    fingerprint: Option<String>,
    /// Only of this domain.
    #[arg(long)]
    domain: Option<String>,
    /// At most so many.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
}

#[derive(Debug, Args)]
struct One {
    /// The lesson's id.
    lesson: String,
}

#[derive(Debug, Args)]
struct Add {
    /// What to do, in the form `WRONG: … → CORRECT: …` where possible.
    #[arg(long)]
    rule: String,
    /// An error text that it answers. May be repeated.
    #[arg(long, value_name = "TEXT")]
    trigger_text: Vec<String>,
    /// A fingerprint that it answers. May be repeated.
    #[arg(long, value_name = "ID")]
    trigger: Vec<String>,
    /// A kind of failure that it answers, such as not_found. May be repeated.
    #[arg(long)]
    tag: Vec<String>,
    /// How far it reaches: task, domain or global.
    #[arg(long, value_parser = word::<Scope>)]
    scope: Option<Scope>,
    /// What kind of knowledge it is: rule, anti-pattern, fact, strategy, decomposition, sequence,
    /// tool-selection, failure, recovery, optimization, domain or skill.
    #[arg(long, value_parser = word::<LessonKind>)]
    kind: Option<LessonKind>,
    /// The domain it is for.
    #[arg(long)]
    domain: Option<String>,
    /// The task it is for, in words.
    #[arg(long)]
    task: Option<String>,
    /// The run it was learned in.
    #[arg(long, value_name = "ID")]
    run: Option<String>,
}

#[derive(Debug, Args)]
struct Edit {
    /// The lesson's id.
    lesson: String,
    /// What to do, in other words.
    #[arg(long)]
    rule: String,
    /// Why it is changed.
    #[arg(long)]
    reason: String,
}

#[derive(Debug, Args)]
struct Move {
    /// The lesson's id.
    lesson: String,
    /// Why, for whoever looks later.
    #[arg(long)]
    reason: String,
}

#[derive(Debug, Args)]
struct Relate {
    /// The lesson that it is about.
    lesson: String,
    /// How it relates.
    #[arg(value_parser = word::<Relation>)]
    relation: Relation,
    /// The other lesson.
    other: String,
    /// Why.
    #[arg(long, default_value = "", hide_default_value = true)]
    reason: String,
}

#[derive(Debug, Args)]
struct HandIn {
    /// The episode's id.
    episode: String,
    /// The file; `-` for standard input.
    file: PathBuf,
}

#[derive(Debug, Args)]
struct Episode {
    /// The episode's id.
    episode: String,
}

pub(crate) fn lessons(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let moved = |arguments: &Move, status| {
        memory
            .set_status(&arguments.lesson, status, &arguments.reason)
            .map_err(Failure::from)
    };
    let lesson = match arguments.command.as_ref() {
        None => return list(context, &memory, &arguments.list),
        Some(Command::List(arguments)) => return list(context, &memory, arguments),
        Some(Command::Show(one)) => {
            let lesson = Lessons::get(&memory, &one.lesson)?;
            return context.print(&lesson, || report::whole(&lesson));
        }
        Some(Command::Link(relate)) => {
            let link = memory.relate(&link(relate))?;
            return context.print(&link, || vec![report::link(&link, &link.source)]);
        }
        Some(Command::Unlink(relate)) => {
            memory.unrelate(&link(relate))?;
            let gone = format!(
                "{} no longer {} {}",
                relate.lesson,
                relate.relation.as_str(),
                relate.other
            );
            return context.print(&(), || vec![show::line(&gone)]);
        }
        Some(Command::Links(one)) => {
            // A lesson that there is not has no relations either, but that is no answer.
            Lessons::get(&memory, &one.lesson)?;
            let links = memory.of_memory(&one.lesson)?;
            return context.print(&links, || {
                or_none(
                    links.iter().map(|link| report::link(link, &one.lesson)),
                    "No relations.",
                )
            });
        }
        Some(Command::HandIn(arguments)) => {
            let text = input::read(&arguments.file)?;
            return found(context, &memory.hand_in(&arguments.episode, &text)?);
        }
        Some(Command::Mine(episode)) => {
            return found(context, &memory.mine(&episode.episode)?);
        }
        Some(Command::Distil(episode)) => {
            return found(context, &memory.distil(&episode.episode)?);
        }
        Some(Command::Add(add)) => memory.propose(&candidate(add))?,
        Some(Command::Edit(edit)) => memory.revise(&edit.lesson, &edit.rule, &edit.reason)?,
        Some(Command::Promote(arguments)) => moved(arguments, LessonStatus::Promoted)?,
        Some(Command::Review(arguments)) => moved(arguments, LessonStatus::UnderReview)?,
        Some(Command::Suppress(arguments)) => moved(arguments, LessonStatus::Suppressed)?,
        Some(Command::Deprecate(arguments)) => moved(arguments, LessonStatus::Deprecated)?,
        Some(Command::Archive(arguments)) => moved(arguments, LessonStatus::Archived)?,
    };
    context.print(&lesson, || summary(&lesson))
}

fn list(context: &Context, memory: &impl Lessons, arguments: &List) -> Result<ExitCode, Failure> {
    let lessons = memory.find(&LessonFilter {
        status: arguments.status,
        fingerprint: arguments.fingerprint.clone(),
        domain: arguments.domain.clone(),
        limit: Some(arguments.limit),
    })?;
    context.print(&lessons, || {
        or_none(lessons.iter().flat_map(summary), "No lessons.")
    })
}

/// What came of looking for lessons.
fn found(context: &Context, lessons: &[Lesson]) -> Result<ExitCode, Failure> {
    context.print(&lessons, || {
        or_none(
            lessons.iter().flat_map(summary),
            "Nothing to learn was found.",
        )
    })
}

pub(crate) fn or_none(lines: impl Iterator<Item = String>, none: &str) -> Vec<String> {
    let lines: Vec<_> = lines.collect();
    if lines.is_empty() {
        vec![none.to_owned()]
    } else {
        lines
    }
}

fn candidate(add: &Add) -> LessonCandidate {
    LessonCandidate {
        rule_text: add.rule.clone(),
        trigger_fingerprints: add.trigger.clone(),
        trigger_texts: add.trigger_text.clone(),
        tags: add.tag.clone(),
        scope_hint: add.scope,
        kind: add.kind,
        domain: add.domain.clone(),
        task: add.task.clone(),
        run: add.run.clone(),
        steps: Vec::new(),
        source: Some(Source::Person),
    }
}

fn link(relate: &Relate) -> Link {
    Link {
        source: relate.lesson.clone(),
        relation: relate.relation,
        target: relate.other.clone(),
        reason: relate.reason.clone(),
        at: 0,
    }
}
