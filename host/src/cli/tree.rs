//! The tree of commands, from the table and from the contract.
//!
//! A hook is a process for every step of an agent, so only the command that is named is built: the others are names.

use std::{ffi::OsString, process::ExitCode};

use clap::{ArgMatches, Args, Command, FromArgMatches, error::ErrorKind};
use twiceshy::wit::Function;

use super::{
    arguments::Common,
    context::Context,
    failure::Failure,
    generated, show,
    table::{self, Entry, Group},
};

const ABOUT: &str = "A learning memory for agents: what failed before comes back with what helps.";

/// What was typed.
pub(crate) struct Typed {
    pub(crate) common: Common,
    /// The words of the command.
    pub(crate) path: Vec<String>,
    matches: ArgMatches,
}

/// Reads the arguments of the process. Help and wrong usage are answered here, with an exit code.
pub(crate) fn parse(mut arguments: Vec<OsString>) -> Result<Typed, ExitCode> {
    if arguments.get(1).is_some_and(|word| word == "help") {
        arguments.remove(1);
        arguments.push("--help".into());
    }
    read(&arguments).map_err(|error| answer(&error, wants_json(&arguments)))
}

fn read(arguments: &[OsString]) -> Result<Typed, clap::Error> {
    let words = words(arguments);
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let mut matches = root(&words).try_get_matches_from(arguments)?;
    let common = Common::from_arg_matches(&matches)?;
    let mut path = Vec::new();
    while let Some((word, inner)) = matches.remove_subcommand() {
        path.push(word);
        matches = inner;
    }
    Ok(Typed {
        common,
        path,
        matches,
    })
}

/// Says what clap has to say, as JSON if that was asked for.
fn answer(error: &clap::Error, json: bool) -> ExitCode {
    if !json || !error.use_stderr() {
        // What was typed may be the name of a file that somebody else chose: it is repeated only as far as it can't steer
        // the terminal.
        let plain = error.to_string();
        let shown: Vec<_> = plain.split('\n').map(show::line).collect();
        let shown = shown.join("\n");
        match !error.use_stderr() || shown == plain {
            true => drop(error.print()),
            false => eprint!("{shown}"),
        }
        return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Failure::usage("no command is given; twiceshy --help lists them").report(true);
    }
    let text = error.to_string();
    let told =
        |part: &&str| !part.starts_with("Usage:") && !part.starts_with("For more information");
    let parts = text.split("\n\n").filter(told);
    let parts = parts.map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let message = parts.collect::<Vec<_>>().join("; ");
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    Failure::usage(message).report(true)
}

/// Does what was typed.
pub(crate) fn run(typed: &Typed) -> Result<ExitCode, Failure> {
    let Typed {
        common,
        path,
        matches,
    } = typed;
    let words = path.join(" ");
    if let Some(run) = table::entry(&words).and_then(|entry| entry.run) {
        // Whoever calls functions is told of functions.
        return run(common, matches).map_err(|failure| match words == "call" {
            true => failure,
            false => failure.in_commands(),
        });
    }
    let [interface, name] = path.as_slice() else {
        return Err(Failure::usage(format!(
            "`{words}` needs another word; see twiceshy {words} --help"
        )));
    };
    let function = generated::functions(interface).find(|function| function.name == name);
    let function =
        function.ok_or_else(|| Failure::usage(format!("there is no command `{words}`")))?;
    generated::run(&Context::new(common)?, function, matches).map_err(Failure::in_commands)
}

/// The first two words that are no flags: those of the command, if it is one.
fn words(arguments: &[OsString]) -> Vec<String> {
    let mut words = Vec::new();
    // A directory's name may be no text; it still is the value of its flag.
    let texts: Vec<_> = arguments
        .iter()
        .map(|text| text.to_string_lossy())
        .collect();
    let mut rest = texts.iter().skip(1).map(AsRef::<str>::as_ref);
    while let Some(word) = rest.next() {
        match word {
            "--" => break,
            "--help" | "-h" if words.is_empty() => break,
            "--memory" => drop(rest.next()),
            flag if flag.starts_with('-') => {}
            word => words.push(word.to_owned()),
        }
        if words.len() == 2 {
            break;
        }
    }
    words
}

/// Whether arguments are those of this command, however wrong they are.
pub(crate) fn is_of(arguments: &[OsString], command: &str) -> bool {
    words(arguments).first().is_some_and(|word| word == command)
}

/// Whether twiceshy, and not a command that it runs, is asked for JSON.
fn wants_json(arguments: &[OsString]) -> bool {
    let mut words = 0;
    let runs = is_of(arguments, "run");
    let texts: Vec<_> = arguments
        .iter()
        .map(|text| text.to_string_lossy())
        .collect();
    let mut rest = texts.iter().skip(1).map(AsRef::<str>::as_ref).peekable();
    while let Some(word) = rest.next() {
        match word {
            "--json" => return true,
            "--" => return false,
            "--quiet" | "--model" => {}
            // A flag of `run` has a value, which is not the command.
            flag if flag.starts_with("--") && !flag.contains('=') && runs => {
                if rest.peek().is_some_and(|next| !next.starts_with('-')) {
                    rest.next();
                }
            }
            flag if flag.starts_with('-') => {}
            _ if runs && words == 1 => return false,
            _ => words += 1,
        }
    }
    false
}

/// The tree as far as these words need it.
fn root(words: &[&str]) -> Command {
    let root = Command::new("twiceshy")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .arg_required_else_help(true);
    let root = Common::augment_args(root);
    match words {
        [name, rest @ ..] if is_command(name) => {
            root.subcommand(command(name, rest.first().copied()))
        }
        _ => root
            .override_help(first_page())
            .subcommands(names().into_iter().map(stub)),
    }
}

/// The tree with everything in it.
pub(crate) fn whole() -> Command {
    let mut root = root(&[]);
    for name in names() {
        let parts = parts(name).into_iter().map(Part::command);
        let whole = top(name).subcommands(parts.collect::<Vec<_>>());
        root = root.mut_subcommand(name, |_| whole);
    }
    root
}

/// Every first word: commands made by hand, then the interfaces of the contract.
pub(crate) fn names() -> Vec<&'static str> {
    let by_hand = table::COMMANDS.iter().map(|entry| entry.path);
    let mut names: Vec<_> = by_hand.filter(|path| !path.contains(' ')).collect();
    for interface in generated::interfaces() {
        if !names.contains(&interface) {
            names.push(interface);
        }
    }
    names
}

fn is_command(name: &str) -> bool {
    table::entry(name).is_some() || generated::functions(name).next().is_some()
}

/// What a command is made of: by hand, or of the contract.
pub(crate) enum Part {
    ByHand(&'static str, &'static Entry),
    Generated(&'static Function),
}

impl Part {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::ByHand(name, _) => name,
            Self::Generated(function) => function.name,
        }
    }

    pub(crate) fn about(&self) -> String {
        match self {
            Self::ByHand(_, entry) => entry.about.to_owned(),
            Self::Generated(function) => generated::about(function),
        }
    }

    fn command(self) -> Command {
        match self {
            Self::ByHand(name, entry) => by_hand(name, entry),
            Self::Generated(function) => generated::command(function),
        }
    }
}

/// The parts of a command, those by hand first.
pub(crate) fn parts(name: &str) -> Vec<Part> {
    let mut parts: Vec<_> = table::parts(name)
        .map(|(name, entry)| Part::ByHand(name, entry))
        .collect();
    for function in generated::functions(name) {
        if parts.iter().all(|part| part.name() != function.name) {
            parts.push(Part::Generated(function));
        }
    }
    parts
}

fn by_hand(name: &'static str, entry: &'static Entry) -> Command {
    (entry.arguments)(Command::new(name))
        .about(entry.about)
        .long_about(None::<&str>)
        .after_long_help(entry.examples)
}

fn stub(name: &'static str) -> Command {
    Command::new(name).about(about(name))
}

/// What a command does, by its first word.
pub(crate) fn about(name: &str) -> String {
    match table::entry(name) {
        Some(entry) => entry.about.to_owned(),
        None => generated::about_interface(name),
    }
}

/// A command by its first word, without its parts.
fn top(name: &'static str) -> Command {
    let command = match table::entry(name) {
        Some(entry) => by_hand(name, entry),
        None => Command::new(name)
            .about(generated::about_interface(name))
            .after_long_help(generated::examples(name)),
    };
    let acts = table::entry(name).is_some_and(|entry| entry.run.is_some());
    match (parts(name).is_empty(), acts) {
        (true, _) => command,
        (false, true) => command
            .args_conflicts_with_subcommands(true)
            .subcommand_negates_reqs(true),
        (false, false) => command
            .subcommand_required(true)
            .arg_required_else_help(true),
    }
}

/// A command by its first word, with the part that the second one names, or with the names of all.
fn command(name: &str, second: Option<&str>) -> Command {
    let name = names()
        .into_iter()
        .find(|known| *known == name)
        .unwrap_or_default();
    let mut parts = parts(name);
    let named = parts.iter().position(|part| second == Some(part.name()));
    match named {
        Some(at) => top(name).subcommand(parts.swap_remove(at).command()),
        None => {
            let stubs = parts
                .iter()
                .map(|part| Command::new(part.name()).about(part.about()));
            top(name).subcommands(stubs.collect::<Vec<_>>())
        }
    }
}

/// What `twiceshy --help` says.
pub(crate) fn first_page() -> String {
    let mut page = format!("{ABOUT}\n\nUsage: twiceshy [--memory DIR] [--json] COMMAND …\n\n");
    for (group, heading) in Group::ALL {
        page.push_str(&format!("{heading}:\n"));
        for entry in table::COMMANDS.iter().filter(|entry| entry.group == group) {
            page.push_str(&format!("  {:<12} {}\n", entry.path, entry.about));
        }
    }
    let rare = table::COMMANDS
        .iter()
        .filter(|entry| entry.group == Group::Rare);
    let rare: Vec<_> = rare.map(|entry| entry.path).collect();
    page.push_str(&format!("Less often: {}\n", rare.join(", ")));
    let more = names()
        .into_iter()
        .filter(|name| table::entry(name).is_none());
    page.push_str(&format!(
        "\nEverything else the memory can do, such as `twiceshy decisions check`:\n  {}\n\n\
         --memory DIR names another memory than the .twiceshy found upward from here.\n\
         `twiceshy COMMAND --help` shows flags and examples, `twiceshy man` exit codes and places.\n",
        more.collect::<Vec<_>>().join(", ")
    ));
    page
}

#[cfg(test)]
mod tests;
