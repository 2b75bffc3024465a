//! `twiceshy skills`: procedures as Markdown that a person can read and edit.
//!
//! Owns the commands that are about files. The files are followed in [`files`]; what a skill says is the memory's
//! business.

mod files;

use std::{env, io::Read, process::ExitCode};

use clap::Args;
use twiceshy::wit::memory::{Skill, Skills};

pub(crate) use files::{follow, replace};

use super::{context::Context, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy skills
  twiceshy skills get api-implementation
  twiceshy skills find 'implement an endpoint of the API'
  twiceshy skills put api-implementation docs/api.md
  twiceshy skills edit api-implementation
  twiceshy skills make-of-pattern les_0123456789abcdef release
  twiceshy skills retire api-implementation 'the framework does it now'

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
pub(crate) struct One {
    /// The skill's name, such as api-implementation.
    skill: String,
}

#[derive(Debug, Args)]
pub(crate) struct Put {
    /// The skill's name: lowercase letters, digits and dashes.
    skill: String,
    /// The Markdown; `-` reads standard input.
    file: String,
}

/// Lists the skills that are in use.
pub(crate) fn list(context: &Context) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    follow(context, &memory);
    let skills = Skills::all(&memory)?;
    context.print(&skills, || match skills.is_empty() {
        true => vec!["No skills.".to_owned()],
        false => skills.iter().map(line).collect(),
    })
}

/// Takes in a skill from a file.
pub(crate) fn put(context: &Context, arguments: &Put) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    follow(context, &memory);
    let skill = Skills::put(&memory, &arguments.skill, &read(&arguments.file)?)?;
    files::write(context, &skill)?;
    print(context, &skill)
}

/// Takes over what was changed in the files, and writes what was changed in the memory.
pub(crate) fn sync(context: &Context) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let mut followed = follow(context, &memory);
    followed.written = files::write_back(context, &Skills::all(&memory)?)?;
    context.print(&followed, || followed.lines())
}

/// Brings the file of a skill in line with what a function made of it, given the function's answer.
pub(crate) fn bring_up_to_date(
    context: &Context,
    function: &str,
    answer: &str,
) -> Result<(), Failure> {
    let skill =
        || serde_json::from_str::<Skill>(answer).map_err(|error| Failure::other(error.to_string()));
    match function {
        "make-of-pattern" => files::write(context, &skill()?),
        "retire" => files::remove(context, &skill()?.slug),
        _ => Ok(()),
    }
}

fn print(context: &Context, skill: &Skill) -> Result<ExitCode, Failure> {
    context.print(skill, || vec![line(skill)])
}

/// Lets a person edit the file of a skill, and takes it over.
pub(crate) fn edit(context: &Context, arguments: &One) -> Result<ExitCode, Failure> {
    let (memory, slug) = (&context.memory()?, arguments.skill.as_str());
    follow(context, memory);
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
        None => print(context, &Skills::get(memory, slug)?),
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
