//! What holds for every command: it can be reached, its help has examples, and they can be typed.

use std::ffi::OsString;

use clap::Command;
use twiceshy::wit::FUNCTIONS;

use super::*;
use crate::cli::table::COMMANDS;

/// Every command that does something, with its words.
fn commands() -> Vec<(String, Command)> {
    let mut found = Vec::new();
    for top in whole().get_subcommands() {
        found.push((top.get_name().to_owned(), top.clone()));
        for part in top.get_subcommands() {
            found.push((
                format!("{} {}", top.get_name(), part.get_name()),
                part.clone(),
            ));
        }
    }
    found
}

/// A line of a shell as the arguments of the command in it, as far as it is one command.
fn arguments(line: &str) -> Vec<OsString> {
    let (mut words, mut word, mut quote, mut begun) = (Vec::new(), String::new(), None, false);
    for character in line.chars() {
        match (quote, character) {
            (Some(open), close) if open == close => quote = None,
            (Some(_), character) => word.push(character),
            (None, '\'' | '"') => (quote, begun) = (Some(character), true),
            (None, '|' | '<' | '>' | '#' | ')' | '&' | ';') => break,
            (None, ' ') => {
                if begun {
                    words.push(std::mem::take(&mut word).into());
                }
                begun = false;
            }
            (None, character) => {
                word.push(character);
                begun = true;
            }
        }
    }
    if begun {
        words.push(word.into());
    }
    words
}

/// The examples in a help text: what follows `twiceshy` in indented lines of the part about examples.
fn examples(help: &str) -> Vec<String> {
    let (mut found, mut inside, mut open): (Vec<String>, _, _) = (Vec::new(), false, false);
    for line in help.lines() {
        if open && let Some(last) = found.last_mut() {
            last.push_str(&format!(" {}", line.trim()));
        } else if line.starts_with("Example") {
            inside = true;
        } else if !line.starts_with("  ") {
            inside = false;
        } else if let Some(at) = line.find("twiceshy ").filter(|_| inside) {
            found.push(line[at..].to_owned());
        }
        open = found
            .last()
            .is_some_and(|line| line.matches('\'').count() % 2 == 1);
    }
    found
}

#[test]
fn every_function_of_the_contract_has_a_command() {
    let tree = whole();
    for function in FUNCTIONS {
        let interface = tree.find_subcommand(function.interface);
        let command = interface.and_then(|interface| interface.find_subcommand(function.name));
        assert!(
            command.is_some(),
            "{}.{}",
            function.interface,
            function.name
        );
        let about = generated::about(function);
        let verb = function.docs.split(' ').next().unwrap_or_default();
        assert!(
            verb.ends_with('s'),
            "{} {}: no verb: {about}",
            function.interface,
            function.name
        );
    }
}

/// 60 for the memory itself; the others are for agent hosts, recorded sessions, backups and settings, which no function of the
/// contract serves.
#[test]
fn at_most_80_commands_are_made_by_hand() {
    assert!(COMMANDS.len() <= 80, "{}", COMMANDS.len());
    for entry in COMMANDS {
        let alone = entry.about.split([' ', ',']).next().unwrap_or_default();
        let no_verb = ["The", "A", "An", "All", "One", "What", "How", "Only"];
        assert!(
            !no_verb.contains(&alone) && !entry.about.ends_with('.'),
            "{}",
            entry.about
        );
    }
}

#[test]
fn every_command_has_help_with_examples_that_can_be_typed() {
    for (path, mut command) in commands() {
        let help = command.render_long_help().to_string();
        let examples = examples(&help);
        let own = examples
            .iter()
            .filter(|example| example.starts_with(&format!("twiceshy {path}")));
        assert!(own.count() > 0, "{path} has no example:\n{help}");
        for example in &examples {
            let mut line = arguments(example);
            let typed = read(&line).or_else(|_| {
                // An example may leave the task to the environment.
                line.push("run_0123456789abcdef".into());
                read(&line)
            });
            let typed = typed.unwrap_or_else(|error| panic!("{path}: {example}\n{error}"));
            let [interface, name] = typed.path.as_slice() else {
                continue;
            };
            if table::entry(&typed.path.join(" ")).is_some() {
                continue;
            }
            let function = generated::functions(interface).find(|function| function.name == name);
            let function = function.unwrap_or_else(|| panic!("{path}: {example}"));
            if let Err(failure) = generated::try_out(function, &typed.matches) {
                panic!("{path}: {example}: {}", failure.message());
            }
        }
    }
}

#[test]
fn no_flag_of_a_generated_command_has_the_name_of_another() {
    for function in FUNCTIONS {
        let command = generated::command(function);
        let mut names: Vec<_> = command
            .get_arguments()
            .filter_map(clap::Arg::get_long)
            .collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(
            names.len(),
            count,
            "{}.{}",
            function.interface,
            function.name
        );
        for taken in ["json", "memory", "help"] {
            assert!(
                !names.contains(&taken),
                "{}.{}: --{taken}",
                function.interface,
                function.name
            );
        }
    }
    // Clap finds what else is wrong with a command.
    whole().debug_assert();
}

#[test]
fn only_the_command_that_is_named_is_built() {
    let tree = root(&["working", "view"]);
    let tops: Vec<_> = tree.get_subcommands().map(Command::get_name).collect();
    assert_eq!(tops, ["working"]);
    let parts = tree.get_subcommands().flat_map(Command::get_subcommands);
    assert_eq!(parts.map(Command::get_name).collect::<Vec<_>>(), ["view"]);
}

#[cfg(unix)]
#[test]
fn a_memory_whose_name_is_no_text_is_not_taken_for_the_command() {
    use std::os::unix::ffi::OsStringExt;
    let memory = OsString::from_vec(b"not utf-8 \xff".to_vec());
    let line: Vec<OsString> = vec![
        "twiceshy".into(),
        "--memory".into(),
        memory,
        "run".into(),
        "--".into(),
        "false".into(),
    ];
    assert_eq!(words(&line), ["run"]);
    assert!(read(&line).is_ok());
}
