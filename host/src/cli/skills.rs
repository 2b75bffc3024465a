//! `twiceshy skills`: procedures as Markdown that a person can read and edit.
//!
//! Owns the arguments and what is shown. The files are followed in [`files`]; what a skill says is the memory's
//! business.

mod files;

use std::{env, io::Read, process::ExitCode};

use clap::{Args, Subcommand};
use twiceshy::{
    Memory,
    wit::memory::{Skill, SkillHit, Skills},
};

pub(crate) use files::{follow, replace};

use super::{context::Context, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy skills
  twiceshy skills show api-implementation
  twiceshy skills find 'implement an endpoint of the API'
  twiceshy skills put api-implementation docs/api.md
  twiceshy skills edit api-implementation
  twiceshy skills from-pattern les_0123456789abcdef release
  twiceshy skills retire api-implementation --reason 'the framework does it now'

A skill is a Markdown file:
  # Skill: API Endpoint Implementation
  ## Prerequisites
  - OpenAPI spec exists
  ## Steps
  1. Read the endpoint's spec
  2. Write the handler
  ## Common Errors & Fixes
  - Missing return type: add `: void` to the handler
  ## Exit Criteria
  - All contract tests pass

The files are in .twiceshy/skills/NAME.md. Edit, add or remove them as you like: the next command that recalls or
lists skills takes over what has changed. A file that is no skill is reported with its line and left alone; a version
that was replaced, and a skill whose file was removed, stay on record.";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the skills that are in use.
    List,
    /// Show a skill, or the versions of it that were replaced.
    Show(Show),
    /// Find skills by keywords of a task.
    Find(Find),
    /// Take in a skill from a file.
    Put(Put),
    /// Edit a skill with $VISUAL or $EDITOR; a new one begins with a template.
    Edit(One),
    /// Take a skill out of use and remove its file. It stays on record.
    Retire(Retire),
    /// Make a skill of a pattern that has steps.
    FromPattern(FromPattern),
    /// Take over what was changed in the files, and write what was changed in the memory.
    Sync,
}

#[derive(Debug, Args)]
struct One {
    /// The skill's name, such as api-implementation.
    skill: String,
}

#[derive(Debug, Args)]
struct Show {
    /// The skill's name, such as api-implementation.
    skill: String,
    /// Show the versions that were replaced, oldest first.
    #[arg(long)]
    history: bool,
}

#[derive(Debug, Args)]
struct Find {
    /// The task in words.
    task: String,
    /// At most so many.
    #[arg(long, value_name = "N", default_value_t = 5)]
    limit: u32,
}

#[derive(Debug, Args)]
struct Put {
    /// The skill's name: lowercase letters, digits and dashes.
    skill: String,
    /// The Markdown; `-` reads standard input.
    file: String,
}

#[derive(Debug, Args)]
struct Retire {
    /// The skill's name.
    skill: String,
    /// Why, for whoever looks later.
    #[arg(long)]
    reason: String,
}

#[derive(Debug, Args)]
struct FromPattern {
    /// The pattern's id.
    pattern: String,
    /// The name to give the skill.
    skill: String,
}

pub(crate) fn skills(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    // A file wins over the store, so it is looked at before anything is said or changed.
    let followed = follow(context, &memory);
    let one = |skill: &Skill| context.print(skill, || whole(skill));
    match arguments.command.as_ref().unwrap_or(&Command::List) {
        Command::List => {
            let skills = Skills::all(&memory)?;
            context.print(&skills, || or_none(skills.iter().map(line), "No skills."))
        }
        Command::Show(arguments) if arguments.history => {
            let history = Skills::history(&memory, &arguments.skill)?;
            context.print(&history, || {
                let versions = history.iter().flat_map(whole);
                or_none(versions, "It was never changed.")
            })
        }
        Command::Show(arguments) => one(&Skills::get(&memory, &arguments.skill)?),
        Command::Find(find) => {
            let hits = Skills::find(&memory, &find.task, find.limit)?;
            context.print(&hits, || or_none(hits.iter().map(hit), "No skill fits."))
        }
        Command::Put(put) => {
            let text = read(&put.file)?;
            let skill = Skills::put(&memory, &put.skill, &text)?;
            files::write(context, &skill)?;
            one(&skill)
        }
        Command::Edit(arguments) => {
            let skill = edit(context, &memory, &arguments.skill)?;
            one(&skill)
        }
        Command::Retire(arguments) => {
            let skill = Skills::retire(&memory, &arguments.skill, &arguments.reason)?;
            files::remove(context, &skill.slug)?;
            one(&skill)
        }
        Command::FromPattern(arguments) => {
            let skill = Skills::make_of_pattern(&memory, &arguments.pattern, &arguments.skill)?;
            files::write(context, &skill)?;
            one(&skill)
        }
        Command::Sync => {
            let mut followed = followed;
            followed.written = files::write_back(context, &Skills::all(&memory)?)?;
            context.print(&followed, || followed.lines())
        }
    }
}

/// Lets a person edit the file of a skill, and takes it over.
fn edit(context: &Context, memory: &Memory, slug: &str) -> Result<Skill, Failure> {
    let known = Skills::get(memory, slug).ok();
    let path = files::prepare(context, slug, known.as_ref())?;
    let editor = ["VISUAL", "EDITOR"]
        .iter()
        .find_map(|name| env::var(name).ok());
    let Some(editor) = editor.filter(|editor| !editor.trim().is_empty()) else {
        return Err(Failure::input(format!(
            "neither VISUAL nor EDITOR names an editor; edit {} yourself, the next command takes it over",
            path.display()
        )));
    };
    // As git does it: the variable may hold a command with arguments.
    let status = std::process::Command::new("sh")
        .arg("-c")
        .arg(format!("{editor} \"$@\""))
        .arg(&editor)
        .arg(&path)
        .status()
        .map_err(|error| Failure::other(format!("the editor can't be started: {error}")))?;
    if !status.success() {
        return Err(Failure::other(format!(
            "the editor ended with {status}; {} is as it left it",
            path.display()
        )));
    }
    let followed = follow(context, memory);
    let name = format!("{slug}.md");
    match followed.left_alone.iter().find(|left| left.file == name) {
        Some(left) => Err(Failure::input(format!(
            "{}: {}; the file is as you left it, edit it again",
            path.display(),
            left.reason
        ))),
        None => Ok(Skills::get(memory, slug)?),
    }
}

fn read(file: &str) -> Result<String, Failure> {
    let unreadable = |error: std::io::Error| Failure::input(format!("{file}: {error}"));
    let mut bytes = Vec::new();
    let most = files::MOST_BYTES + 1;
    match file {
        "-" => std::io::stdin().lock().take(most).read_to_end(&mut bytes),
        _ => std::fs::File::open(file)
            .map_err(unreadable)?
            .take(most)
            .read_to_end(&mut bytes),
    }
    .map_err(unreadable)?;
    if bytes.len() as u64 == most {
        let kib = files::MOST_BYTES >> 10;
        return Err(Failure::input(format!(
            "{file} has more than {kib} KiB; make two skills of it"
        )));
    }
    String::from_utf8(bytes).map_err(|_| Failure::input(format!("{file} is not valid UTF-8")))
}

fn or_none(lines: impl Iterator<Item = String>, none: &str) -> Vec<String> {
    let lines: Vec<_> = lines.collect();
    match lines.is_empty() {
        true => vec![none.to_owned()],
        false => lines,
    }
}

fn line(skill: &Skill) -> String {
    format!(
        "{:24}  {} ({} steps, version {}, {})",
        show::line(&skill.slug),
        show::cut(&skill.title, 80),
        skill.steps.len(),
        skill.version,
        skill.status.as_str()
    )
}

fn hit(hit: &SkillHit) -> String {
    let words = hit.keywords.join(", ");
    format!(
        "{:.2}  {}: {}",
        hit.score,
        line(&hit.skill),
        show::cut(&words, 80)
    )
}

fn whole(skill: &Skill) -> Vec<String> {
    let head = format!(
        "{}, version {}, {}, changed {} ({})",
        show::line(&skill.slug),
        skill.version,
        skill.status.as_str(),
        show::time(skill.updated_at),
        show::line(&skill.id)
    );
    let text = skill.markdown.lines().map(show::line);
    std::iter::once(head)
        .chain([String::new()])
        .chain(text)
        .collect()
}
