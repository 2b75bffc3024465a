//! `twiceshy adapter run`: recorded steps, and what an adapter says of them.
//!
//! Owns the arguments, where steps come from, and how feedback is shown. How steps are written down and replayed is in
//! `conformance`.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::Args;
use serde::Serialize;
use twiceshy::{
    conformance::{Answer, Entry, EntryGoal, Replay},
    wit::{
        adapter::{Error, Feedback},
        memory::{Episodes, Runs, TraceStep},
    },
};

use super::named;
use crate::cli::{call::Lines, context::Context, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy adapter run cli --steps steps.jsonl
  my-agent --trace | twiceshy adapter run my_adapter.wasm --steps -
  twiceshy adapter run my_adapter.wasm --steps steps.jsonl --json > golden/first.jsonl
  twiceshy adapter run cli --episode run_0123456789abcdef

Each line is one step; a goal begins a run, and what came before in it is shown to the adapter:
  {\"goal\": {\"task\": \"count the rows\"}, \"step\": {\"action\": {…}, \"observation\": {…}}}
  {\"step\": {\"before\": {…}, \"action\": {…}, \"observation\": {…}}}
Payloads are JSON values, or texts with JSON in them. A `feedback` that is there already is passed over, so that a
golden trace can be run, too; what --json prints is one.

Exit code: 0 if the adapter answered every step (that it refuses one is an answer), 1 if it failed, 2 if a line
could not be read.";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The component's file, or the name of an adapter that is at hand.
    #[arg(value_name = "FILE|NAME")]
    adapter: String,
    /// A file with one step a line; `-` for standard input.
    #[arg(long, value_name = "FILE", required_unless_present = "episode")]
    steps: Option<PathBuf>,
    /// The steps of an episode or an open run of the memory. Long payloads in it were shortened, and what was expected
    /// is not kept with them.
    #[arg(long, value_name = "ID", conflicts_with = "steps")]
    episode: Option<String>,
}

/// A step that can't be judged, as JSON.
#[derive(Serialize)]
struct Failed<'f> {
    line: usize,
    failed: &'f serde_json::Value,
}

pub(crate) fn run(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let adapter = named::load(context, &arguments.adapter)??;
    let mut session = Session {
        replay: Replay::new(&adapter),
        output: BufWriter::new(io::stdout().lock()),
        json: context.json,
        code: 0,
    };
    match (&arguments.steps, &arguments.episode) {
        (_, Some(episode)) => session.entries(episode_entries(context, episode)?)?,
        (Some(file), _) if file.as_os_str() == "-" => session.lines(io::stdin().lock())?,
        (Some(file), _) => {
            let opened = File::open(file)
                .map_err(|error| Failure::input(format!("{}: {error}", file.display())))?;
            session.lines(BufReader::new(opened))?;
        }
        (None, None) => {}
    }
    session.output.flush()?;
    Ok(ExitCode::from(session.code))
}

struct Session<'a, W> {
    replay: Replay<'a>,
    output: W,
    json: bool,
    code: u8,
}

impl<W: Write> Session<'_, W> {
    /// Answers every line in its order, and each before the next one is read.
    fn lines(&mut self, input: impl BufRead) -> Result<(), Failure> {
        for (number, line) in (1..).zip(Lines::new(input)) {
            let read = line?.and_then(|line| entry(&line));
            match read {
                Ok(None) => continue,
                Ok(Some(entry)) => self.entry(number, entry)?,
                Err(failure) => {
                    self.code = 2;
                    self.failed(number, &failure)?;
                }
            }
            self.output.flush()?;
        }
        Ok(())
    }

    fn entries(&mut self, entries: Vec<Entry>) -> Result<(), Failure> {
        for (number, entry) in (1..).zip(entries) {
            self.entry(number, entry)?;
        }
        Ok(())
    }

    fn entry(&mut self, number: usize, mut entry: Entry) -> Result<(), Failure> {
        if let Some(goal) = &entry.goal {
            self.replay.begin(goal);
        }
        match self.replay.step(&entry.step) {
            Err(error) => {
                self.code = self.code.max(1);
                self.failed(number, &Failure::from(error))
            }
            Ok(answer) if self.json => {
                (entry.feedback, entry.error) = match answer {
                    Ok(feedback) => (Some(feedback), None),
                    Err(error) => (None, Some(error)),
                };
                let line = serde_json::to_string(&entry);
                Ok(writeln!(self.output, "{}", line.map_err(other)?)?)
            }
            Ok(answer) => {
                for line in shown(number, &answer) {
                    writeln!(self.output, "{}", show::line(&line))?;
                }
                Ok(())
            }
        }
    }

    fn failed(&mut self, line: usize, failure: &Failure) -> Result<(), Failure> {
        if self.json {
            let failed = serde_json::to_string(&Failed {
                line,
                failed: &failure.json(),
            });
            writeln!(self.output, "{}", failed.map_err(other)?)?;
        } else {
            writeln!(
                self.output,
                "line {line}: {}",
                show::line(failure.message())
            )?;
        }
        Ok(())
    }
}

fn other(error: serde_json::Error) -> Failure {
    Failure::other(error.to_string())
}

/// A line as a step; nothing if it is empty.
fn entry(line: &[u8]) -> Result<Option<Entry>, Failure> {
    if line.trim_ascii().is_empty() {
        return Ok(None);
    }
    // A list would be taken as the members of the object in their order.
    if !line.trim_ascii_start().starts_with(b"{") {
        return Err(Failure::input("not a JSON object with a `step`"));
    }
    let read = serde_json::from_slice(line);
    read.map(Some)
        .map_err(|error| Failure::input(format!("not a JSON object with a `step`: {error}")))
}

/// The steps of an episode, with its task as the goal of the first.
fn episode_entries(context: &Context, episode: &str) -> Result<Vec<Entry>, Failure> {
    let memory = context.memory()?;
    let mut steps: Vec<TraceStep> = Vec::new();
    loop {
        let first = u32::try_from(steps.len()).unwrap_or(u32::MAX);
        let more = memory.trace(episode, first)?;
        if more.is_empty() {
            break;
        }
        steps.extend(more);
    }
    let task = match Episodes::get(&memory, episode) {
        Ok(episode) => episode.task,
        // It may not have ended yet.
        Err(_) => Runs::get(&memory, episode)?.task,
    };
    let domain = steps.first().map(|step| step.domain.clone());
    let mut goal = Some(EntryGoal {
        task,
        domain,
        ..EntryGoal::default()
    });
    let entry = |step: TraceStep| Entry {
        goal: goal.take(),
        step: step.step,
        feedback: None,
        error: None,
    };
    Ok(steps.into_iter().map(entry).collect())
}

fn shown(number: usize, answer: &Answer) -> Vec<String> {
    let mut lines = Vec::new();
    match answer {
        Err(error) => {
            let (how, text) = match error {
                Error::InvalidInput(text) => ("invalid-input", text),
                Error::Unsupported(text) => ("unsupported", text),
                Error::Other(text) => ("other", text),
            };
            lines.push(format!("{number:>4}  refused ({how}): {text}"));
        }
        Ok(feedback) => {
            lines.push(format!("{number:>4}  {}", feedback.action_text));
            lines.extend(
                channels(feedback)
                    .into_iter()
                    .map(|line| format!("      {line}")),
            );
        }
    }
    lines
}

/// What the four channels say; one word if they are all silent.
fn channels(feedback: &Feedback) -> Vec<String> {
    let mut lines = Vec::new();
    let with = |text: &str, evidence: &str| match evidence {
        "" => text.to_owned(),
        evidence => format!("{text}: {evidence}"),
    };
    if let Some(failure) = &feedback.hard_failure {
        lines.push(format!(
            "hard-failure        {}",
            with(&failure.reason, &failure.evidence)
        ));
    }
    for violation in &feedback.constraint_failure {
        lines.push(format!(
            "constraint-failure  {}",
            with(&violation.condition, &violation.evidence)
        ));
    }
    for (name, signal) in [
        ("progress-signal", feedback.progress_signal),
        ("efficiency-signal", feedback.efficiency_signal),
    ] {
        if let Some(signal) = signal {
            lines.push(format!("{name:<18}  {signal:.2}"));
        }
    }
    if lines.is_empty() {
        lines.push("nothing to say".to_owned());
    }
    lines
}
