//! A command for every function of the contract: its flags, its help and its answer come from the contract alone.
//!
//! Owns the commands that nobody made by hand. A new function of the contract is a new command without a line here.

mod flags;
mod schema;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{ArgMatches, Command};
use twiceshy::{
    Memory,
    wit::{FUNCTIONS, Function, INTERFACES, memory::Runs},
};

use super::{
    context::Context, experience, failure::Failure, render, render::Answer, session_run, skills,
};

/// The interfaces of the contract, in its order.
pub(crate) fn interfaces() -> Vec<&'static str> {
    let mut names: Vec<_> = FUNCTIONS
        .iter()
        .map(|function| function.interface)
        .collect();
    names.dedup();
    names
}

/// The functions of an interface.
pub(crate) fn functions(interface: &str) -> impl Iterator<Item = &'static Function> {
    FUNCTIONS
        .iter()
        .filter(move |function| function.interface == interface)
}

/// What a function does, in one line that begins with a verb: `Takes …` of the contract is `Take …` here.
pub(crate) fn about(function: &Function) -> String {
    let docs = function.docs;
    let end = docs.find(". ").map_or(docs.len(), |end| end + 1);
    let (verb, rest) = docs[..end].split_once(' ').unwrap_or((&docs[..end], ""));
    let verb = match verb {
        "Returns" => "Show",
        verb if ["ches", "shes", "sses", "xes", "oes"]
            .iter()
            .any(|end| verb.ends_with(end)) =>
        {
            &verb[..verb.len() - 2]
        }
        verb => verb.strip_suffix('s').unwrap_or(verb),
    };
    format!("{verb} {}", rest.trim_end_matches('.'))
}

/// What an interface is for, in one line.
pub(crate) fn about_interface(interface: &str) -> String {
    let found = INTERFACES.iter().find(|known| known.name == interface);
    let docs = found.map_or("", |known| known.docs);
    let sentence = docs
        .split(". ")
        .next()
        .unwrap_or_default()
        .trim_end_matches('.');
    // Many begin with the name that is said here already.
    let rest = match sentence.split_once(": ") {
        Some((name, rest)) if name.to_lowercase().contains(interface) => rest,
        _ => sentence,
    };
    let mut characters = rest.chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    let rest: String = first.into_iter().chain(characters).collect();
    format!("Use {interface}: {rest}")
}

/// An example of each of the first functions of an interface.
pub(crate) fn examples(interface: &str) -> String {
    let examples = functions(interface).take(3).map(|function| {
        let path = format!("{} {}", function.interface, function.name);
        format!(
            "\n  {}",
            flags::example(&path, &flags::of(&schema::parameters(function)))
        )
    });
    format!("Examples:{}", examples.collect::<String>())
}

/// How the command of a function is written, without `twiceshy`.
pub(crate) fn usage(function: &Function) -> String {
    let path = format!("{} {}", function.interface, function.name);
    flags::usage(&path, &flags::of(&schema::parameters(function)))
}

/// The command of a function, with its flags.
pub(crate) fn command(function: &'static Function) -> Command {
    let flags = flags::of(&schema::parameters(function));
    let path = format!("{} {}", function.interface, function.name);
    let example = flags::example(&path, &flags);
    let command = Command::new(function.name)
        .about(about(function))
        .long_about(function.docs)
        .override_usage(format!("twiceshy {}", flags::usage(&path, &flags)))
        .after_long_help(format!("Examples:\n  {example}\n  {example} --json"));
    flags::add(command, &flags)
}

/// Calls a function with what was typed.
pub(crate) fn run(
    context: &Context,
    function: &'static Function,
    matches: &ArgMatches,
) -> Result<ExitCode, Failure> {
    let parameters = schema::parameters(function);
    let flags = flags::of(&parameters);
    let memory = match function.interface {
        "experience" => experience::memory(context)?,
        _ => context.memory()?,
    };
    let arguments = flags::arguments(&flags, &parameters, matches, || open_task(context, &memory))?;
    let of_skills = function.interface == "skills";
    if of_skills {
        // A file wins over the store, so it is looked at before anything is said or changed.
        skills::follow(context, &memory);
    }
    let method = format!("{}.{}", function.interface, function.name);
    let answer = memory
        .call(&method, &arguments.to_string())
        .map_err(|error| {
            let failure = Failure::from(error).in_commands();
            match flags::file(matches) {
                Some(file) => failure.about(file),
                None => failure,
            }
        })?;
    context.store().erase_after(&method)?;
    if of_skills {
        skills::bring_up_to_date(context, function.name, &answer)?;
    }
    let read: Answer =
        serde_json::from_str(&answer).map_err(|error| Failure::other(error.to_string()))?;
    match context.json {
        true => writeln!(io::stdout(), "{answer}")?,
        false => writeln!(io::stdout(), "{}", render::lines(&read).join("\n"))?,
    }
    // An answer that names what was refused is not what was asked for.
    Ok(
        match read
            .member("refused")
            .is_some_and(|refused| !refused.is_empty())
        {
            true => ExitCode::FAILURE,
            false => ExitCode::SUCCESS,
        },
    )
}

/// The task that is meant if nobody says: the one that is open in this session, or the only one.
pub(crate) fn open_task(context: &Context, memory: &Memory) -> Result<String, Failure> {
    if let Some(run) = session_run::open_here(&context.project) {
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

/// Reads what was typed as the arguments of a function, without calling it.
#[cfg(test)]
pub(crate) fn try_out(function: &'static Function, matches: &ArgMatches) -> Result<(), Failure> {
    let parameters = schema::parameters(function);
    let flags = flags::of(&parameters);
    match flags::reads_files(&flags, matches) {
        true => Ok(()),
        false => {
            flags::arguments(&flags, &parameters, matches, || Ok("run_1".to_owned())).map(drop)
        }
    }
}
