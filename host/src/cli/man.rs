//! `twiceshy man` and `twiceshy completions`: the table of commands for readers, shells and docs/COMMANDS.md.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::Args;

use super::{
    arguments::{Common, MANUAL},
    failure::Failure,
    generated, table,
    tree::{self, Part},
};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy man | man -l -
  twiceshy man episodes search | man -l -
  twiceshy man --markdown > docs/COMMANDS.md";

pub(crate) const COMPLETIONS_EXAMPLES: &str = "\
Example:
  twiceshy completions bash > ~/.local/share/bash-completion/completions/twiceshy";

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell.
    shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The words of a command; all of twiceshy without them.
    #[arg(value_name = "COMMAND", conflicts_with = "markdown")]
    words: Vec<String>,
    /// Print a table of all commands in Markdown.
    #[arg(long)]
    markdown: bool,
}

pub(crate) fn completions(arguments: &Completions, _: &Common) -> Result<ExitCode, Failure> {
    let mut output = Vec::new();
    clap_complete::generate(arguments.shell, &mut tree::whole(), "twiceshy", &mut output);
    io::stdout().write_all(&output)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn man(arguments: &Man, _: &Common) -> Result<ExitCode, Failure> {
    let mut output = Vec::new();
    if arguments.markdown {
        output = markdown().into_bytes();
    } else {
        let mut command = tree::whole().after_long_help(MANUAL);
        let mut name = "twiceshy".to_owned();
        for word in &arguments.words {
            let found = command.find_subcommand(word).cloned();
            command = found.ok_or_else(|| {
                Failure::usage(format!(
                    "`{name}` has no command `{word}`; see {name} --help"
                ))
            })?;
            name = format!("{name} {word}");
        }
        let command = command.bin_name(name.clone()).name(name.replace(' ', "-"));
        clap_mangen::Man::new(command).render(&mut output)?;
    }
    io::stdout().write_all(&output)?;
    Ok(ExitCode::SUCCESS)
}

/// docs/COMMANDS.md.
fn markdown() -> String {
    let mut page = "# Commands\n\n\
        Made by `twiceshy man --markdown` from the table of commands and from the contract in `wit/`. Every command \
        takes `--json`, `--memory DIR` and `--help`, which shows its flags with examples.\n"
        .to_owned();
    let row = |words: &str, about: &str| {
        format!(
            "| `twiceshy {words}` | {} |\n",
            about.trim_end_matches('.').replace('|', "\\|")
        )
    };
    let head = "\n| command | what it does |\n|---|---|\n";
    let groups = table::Group::ALL.into_iter();
    for (group, heading) in groups.chain([(table::Group::Rare, "Less often")]) {
        page.push_str(&format!("\n## {heading}\n{head}"));
        for entry in table::COMMANDS.iter().filter(|entry| entry.group == group) {
            if entry.run.is_some() {
                page.push_str(&row(entry.path, entry.about));
            }
            for (_, part) in table::parts(entry.path) {
                page.push_str(&row(part.path, part.about));
            }
        }
    }
    page.push_str(
        "\n## Everything else\n\n\
         One command for each function of the memory that has none above. Its flags are the members of what the function \
         takes; what stands in capitals may be given without its flag. Lists are repeated flags, records within lists are \
         JSON, `-` reads a text from standard input, and `--from FILE` takes all arguments as one JSON object.\n",
    );
    for interface in generated::interfaces() {
        let rows: String = tree::parts(interface)
            .iter()
            .filter_map(|part| match part {
                Part::Generated(function) => Some(row(&generated::usage(function), &part.about())),
                // What is part of a command of the first page is listed there.
                Part::ByHand(_, entry) => table::entry(interface)
                    .is_none()
                    .then(|| row(entry.path, entry.about)),
            })
            .collect();
        page.push_str(&format!(
            "\n### {interface}\n\n{}\n{head}{rows}",
            tree::about(interface)
        ));
    }
    page.push_str("\n## Exit codes and places\n\n```text\n");
    page.push_str(MANUAL);
    page.push_str("\n```\n");
    page
}
