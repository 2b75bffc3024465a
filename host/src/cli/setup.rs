//! `twiceshy setup`: connects the agent hosts on this machine, and takes that back.
//!
//! It shows what it would change and asks. Our entries carry a mark; what others put into a file stays, with its comments.
//! Whether a hook is trusted is the user's to say: it tells how, and never does it for them.

mod change;
pub(crate) mod check;
mod json;
mod toml;
mod wanted;

use std::{
    env,
    io::{self, BufRead, IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::Args;
use serde_json::{Value, json};
use twiceshy::Home;

use super::{
    arguments::Common,
    context::{self, Context},
    failure::Failure,
    hook::hosts,
    judge, show, table,
};
use change::{Desk, Plan};
pub(crate) use wanted::Machine;
use wanted::{ROWS, Row};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy setup                        # finds hosts, shows what it would change, and asks
  twiceshy setup --host codex --yes
  twiceshy setup --dry-run --json
  twiceshy setup --check                # whether hosts are connected, trust the hook, and call it
  twiceshy setup --undo                 # leaves the files as they were

It registers the hook (see twiceshy hook --help) and the server of tools (twiceshy mcp) in the user's settings of
Claude Code, Codex, Gemini CLI, Qwen Code, OpenCode, Copilot CLI, Cursor, Cline, Visual Studio Code, Kimi Code,
Mistral Vibe and OpenHands. docs/HOSTS.md says which files these are, and what each host passes on.";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only this host, such as codex, whether it is found or not. May be repeated.
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Take back what setup did.
    #[arg(long, conflicts_with = "check")]
    undo: bool,
    /// Say how the hosts stand, and change nothing.
    #[arg(long)]
    check: bool,
    /// Show what would be changed, and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Change without asking.
    #[arg(long)]
    yes: bool,
    /// Register the hook only, not the server of tools.
    #[arg(long)]
    no_mcp: bool,
}

pub(crate) fn setup(arguments: &Arguments, common: &Common) -> Result<ExitCode, Failure> {
    let home = Home::find();
    let machine = Machine::here(!arguments.no_mcp || arguments.undo)?;
    let desk = Desk::of(&home);
    let rows = arguments.rows(&machine, &desk)?;
    if arguments.check {
        return report(&rows, &home, &machine, common.json);
    }
    let plan = |row: &Row| match arguments.undo {
        true => desk.return_plan(row, &machine),
        false => change::connection(row, &machine),
    };
    let plans: Vec<_> = rows.iter().map(|row| (*row, plan(row))).collect();
    if !common.json {
        show_plans(&plans, arguments.undo);
    }
    let is_due = plans.iter().any(|(_, plan)| !plan.changes.is_empty());
    let made = match is_due && !arguments.dry_run && arguments.is_wanted(common.json)? {
        false => Vec::new(),
        true => {
            let _lock = desk.lock()?;
            let mut made = Vec::new();
            for row in &rows {
                // Planned again, now that nobody else is at it.
                let plan = plan(row);
                match arguments.undo {
                    true => desk.disconnect(row, &plan)?,
                    false => desk.connect(row, &plan, &machine)?,
                }
                made.push(row.host);
            }
            made
        }
    };
    if common.json {
        println!("{}", told(&plans, &made));
    } else if !made.is_empty() {
        conclude(&rows, arguments.undo);
    }
    if !made.is_empty() && !arguments.undo {
        // The first hook would take seconds otherwise.
        drop(judge::load(Context::new(common)?, |name| {
            context::announce(name, false)
        })?);
    }
    let failed = plans.iter().any(|(_, plan)| !plan.troubles.is_empty());
    Ok(ExitCode::from(u8::from(failed)))
}

impl Machine {
    /// This machine, with this program.
    pub(crate) fn here(with_server: bool) -> Result<Self, Failure> {
        let home = env::var_os("HOME").filter(|home| !home.is_empty());
        let home =
            home.ok_or_else(|| Failure::other("HOME is not set; set it to your home directory"))?;
        let program = env::current_exe()
            .map_err(|error| Failure::other(format!("where this program is: {error}")))?;
        Ok(Self {
            home: PathBuf::from(home),
            program,
            with_server: with_server && table::entry("mcp").is_some(),
        })
    }
}

impl Arguments {
    /// The hosts that are meant: those that are named, or those that are here.
    fn rows(&self, machine: &Machine, desk: &Desk) -> Result<Vec<&'static Row>, Failure> {
        if self.host.is_empty() {
            // One that was named once is known by its receipt.
            let is_meant = |row: &&Row| row.is_here(machine) || desk.has_receipt(row);
            return Ok(ROWS.iter().filter(is_meant).collect());
        }
        let named = |name: &String| {
            let known = hosts::host(name).map_or(name.as_str(), |host| host.name);
            wanted::row(known).ok_or_else(|| {
                let names: Vec<_> = ROWS.iter().map(|row| row.host).collect();
                Failure::input(format!(
                    "--host: there is no host `{name}`; there are {}",
                    names.join(", ")
                ))
            })
        };
        self.host.iter().map(named).collect()
    }

    /// Whether the person wants it. Nobody is asked who can't answer.
    fn is_wanted(&self, json: bool) -> Result<bool, Failure> {
        if self.yes {
            return Ok(true);
        }
        if json || !io::stdin().is_terminal() {
            return Err(Failure::usage(
                "nobody is there to be asked; pass --yes to change these files, or --dry-run to only see the changes",
            ));
        }
        print!("Change these files? [y/N] ");
        io::stdout().flush()?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
    }
}

fn title(row: &Row) -> &'static str {
    hosts::host(row.host).map_or(row.host, |host| host.title)
}

fn show_plans(plans: &[(&Row, Plan)], is_undo: bool) {
    if plans.is_empty() && is_undo {
        println!("No agent host was found on this machine: there is nothing to take back.");
    } else if plans.is_empty() {
        println!(
            "No agent host was found on this machine. `twiceshy setup --host NAME` connects one that is not found."
        );
    }
    for (row, plan) in plans {
        let done = match (plan.changes.is_empty(), is_undo) {
            _ if !plan.troubles.is_empty() => "",
            (false, _) => "",
            (true, false) => ": connected already",
            (true, true) => ": nothing of ours is there",
        };
        println!("{}{done}", title(row));
        for change in &plan.changes {
            let path = change.path.display().to_string();
            println!("  {} {}", change.what(), show::line(&path));
            for line in change.diff().lines() {
                println!("    {}", show::line(line));
            }
        }
        for trouble in &plan.troubles {
            println!("  not possible: {}", show::line(trouble));
        }
    }
}

fn conclude(rows: &[&Row], is_undo: bool) {
    println!();
    if is_undo {
        println!(
            "The files are as they were. Memories stay; `rm -r .twiceshy` in a project removes its memory."
        );
        return;
    }
    for row in rows {
        println!("{}: {}", title(row), row.advice);
    }
    println!(
        "`twiceshy watch` shows what the hooks do, `twiceshy setup --check` whether they are called, `twiceshy setup --undo` takes it back."
    );
    if table::entry("learn").is_some() {
        println!(
            "`twiceshy learn` reads the transcripts that these hosts have kept, so that the memory starts full."
        );
    }
}

fn told(plans: &[(&Row, Plan)], made: &[&str]) -> Value {
    let hosts = plans.iter().map(|(row, plan)| {
        let changes = plan.changes.iter().map(
            |change| json!({ "path": change.path, "what": change.what(), "diff": change.diff() }),
        );
        json!({
            "host": row.host,
            "changes": changes.collect::<Vec<_>>(),
            "troubles": plan.troubles,
            "done": made.contains(&row.host),
            "advice": row.advice,
        })
    });
    json!({ "hosts": hosts.collect::<Vec<_>>() })
}

fn report(rows: &[&Row], home: &Home, machine: &Machine, json: bool) -> Result<ExitCode, Failure> {
    let standings: Vec<_> = rows
        .iter()
        .map(|row| check::standing(row, home, machine))
        .collect();
    let mut output = io::stdout().lock();
    if json {
        writeln!(output, "{}", json!({ "hosts": standings }))?;
    } else if standings.is_empty() {
        writeln!(output, "No agent host was found on this machine.")?;
    } else {
        for one in &standings {
            writeln!(output, "{:<20} {}", one.title, show::line(&one.told))?;
        }
    }
    let is_bad = standings.iter().any(|one| one.state.is_problem());
    Ok(ExitCode::from(u8::from(is_bad)))
}
