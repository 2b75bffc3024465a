//! `twiceshy lessons`: what was learned, and a person's say in it.
//!
//! Owns the arguments and which function of the memory each of them is. How lessons are shown is in `report`;
//! what becomes of them is the memory's business.

mod report;

use std::process::ExitCode;

use clap::Args;
use twiceshy::wit::memory::{
    LessonCandidate, LessonFilter, LessonKind, LessonStatus, Lessons, Scope, Source,
};

use super::{context::Context, failure::Failure, words::word};

use report::summary;
pub(crate) use report::{link as link_line, origin, usefulness};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy lessons
  twiceshy lessons list --status promoted --domain cli
  twiceshy lessons show les_0123456789abcdef
  twiceshy lessons add --rule 'WRONG: sort by -n → CORRECT: sort by +n' --trigger-text 'sort: bad key -n'
  twiceshy lessons set-status les_0123456789abcdef suppressed 'wrong since version 2'
  twiceshy lessons revise les_0123456789abcdef 'WRONG: sort by -n → CORRECT: sort by -k1n' 'says which key'
  twiceshy lessons hand-in run_0123456789abcdef - < lessons.json
  twiceshy links relate les_0123456789abcdef contradicts les_fedcba9876543210

A lesson's life: candidate → promoted → under-review → promoted | suppressed | deprecated → archived.
It moves by what is measured; `set-status` moves it by hand.
`twiceshy why LESSON` shows what it rests on.";

pub(crate) const ADD_EXAMPLES: &str = "\
Example:
  twiceshy lessons add --rule 'WRONG: sort by -n → CORRECT: sort by +n' --trigger-text 'sort: bad key -n' --domain cli";

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only with this status: candidate, promoted, under-review, suppressed, deprecated, archived.
    #[arg(long, value_parser = word::<LessonStatus>)]
    status: Option<LessonStatus>,
    /// Only lessons for this fingerprint.
    #[arg(long, value_name = "ID")]
    fingerprint: Option<String>,
    /// Only lessons of this domain.
    #[arg(long)]
    domain: Option<String>,
    /// How many at most.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
}

#[derive(Debug, Args)]
pub(crate) struct One {
    /// The lesson's id.
    lesson: String,
}

#[derive(Debug, Args)]
pub(crate) struct Add {
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

pub(crate) fn list(context: &Context, arguments: &List) -> Result<ExitCode, Failure> {
    let filter = LessonFilter {
        status: arguments.status,
        fingerprint: arguments.fingerprint.clone(),
        domain: arguments.domain.clone(),
        limit: Some(arguments.limit),
    };
    let lessons = Lessons::find(&context.memory()?, &filter)?;
    context.print(&lessons, || match lessons.is_empty() {
        true => vec!["No lessons.".to_owned()],
        false => lessons.iter().flat_map(summary).collect(),
    })
}

pub(crate) fn show(context: &Context, one: &One) -> Result<ExitCode, Failure> {
    let lesson = Lessons::get(&context.memory()?, &one.lesson)?;
    context.print(&lesson, || report::whole(&lesson))
}

pub(crate) fn add(context: &Context, add: &Add) -> Result<ExitCode, Failure> {
    let lesson = context.memory()?.propose(&candidate(add))?;
    context.print(&lesson, || summary(&lesson))
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
