//! Replays recorded failures of real tools and agents, and measures what the memory makes of them, beside three
//! baselines.
//!
//! The engine and the adapter are called natively by the program of this crate, and as components by the benchmark
//! `field` of the host; all else is the same code.
#![deny(missing_docs)]

pub mod advice;
mod baseline;
mod command;
mod data;
mod measures;
mod report;
pub mod setting;

use std::{fs, path::PathBuf, process::ExitCode, time::Instant};

use serde_json::json;

use command::Way;
use data::Data;
use measures::{Inquiry, Measure};
use setting::Setting;

const USAGE: &str = "usage: field [--only MEASURE]... [--way WAY]... [--show-wrong N] [--show-silent N] [--json] [--record FILE] [--data DIRECTORY] [--sql FILE] [--runs FILE]
MEASURE is stories, never, another, unrelated or transfer, with --sql also sql or sql-never, and with --runs also halves; default: all.
WAY is bash-c, argv, hook, hook-no-exit or all; default: bash-c.";

/// What was asked for.
#[derive(Default)]
struct Arguments {
    only: Vec<Measure>,
    ways: Vec<Way>,
    show_wrong: usize,
    show_silent: usize,
    json: bool,
    record: Option<PathBuf>,
    data: Option<PathBuf>,
    sql: Option<PathBuf>,
    runs: Option<PathBuf>,
}

impl Arguments {
    fn read(mut given: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self::default();
        while let Some(argument) = given.next() {
            let mut value = || {
                given
                    .next()
                    .ok_or_else(|| format!("{argument}: a value is missing"))
            };
            let number = |text: String| {
                text.parse()
                    .map_err(|_| format!("{argument}: {text} is not a number"))
            };
            match argument.as_str() {
                "--only" => {
                    let name = value()?;
                    let known = Measure::ALL.into_iter().find(|known| known.name() == name);
                    arguments
                        .only
                        .push(known.ok_or_else(|| format!("there is no measure {name}"))?);
                }
                "--way" => match value()?.as_str() {
                    "all" => arguments.ways.extend(Way::ALL),
                    name => {
                        let known = Way::ALL.into_iter().find(|known| known.name() == name);
                        arguments
                            .ways
                            .push(known.ok_or_else(|| format!("there is no way {name}"))?);
                    }
                },
                "--show-wrong" => arguments.show_wrong = number(value()?)?,
                "--show-silent" => arguments.show_silent = number(value()?)?,
                "--json" => arguments.json = true,
                "--record" => arguments.record = Some(value()?.into()),
                "--data" => arguments.data = Some(value()?.into()),
                "--sql" => arguments.sql = Some(value()?.into()),
                "--runs" => arguments.runs = Some(value()?.into()),
                // Cargo gives it to each benchmark.
                "--bench" => {}
                _ => return Err(format!("{argument} is not known\n{USAGE}")),
            }
        }
        if arguments.only.is_empty() {
            arguments.only = Measure::ALL.to_vec();
        }
        if arguments.sql.is_none() {
            arguments.only.retain(|measure| !measure.is_of_statements());
        }
        if arguments.runs.is_none() {
            arguments.only.retain(|measure| *measure != Measure::Halves);
        }
        if arguments.ways.is_empty() {
            arguments.ways = vec![Way::BashC];
        }
        Ok(arguments)
    }
}

/// Measures what the arguments of the program ask for.
pub fn main(setting: &dyn Setting) -> ExitCode {
    match measure(setting) {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("field: {trouble}");
            ExitCode::FAILURE
        }
    }
}

fn measure(setting: &dyn Setting) -> Result<(), String> {
    let arguments = Arguments::read(std::env::args().skip(1))?;
    let data = Data::read(
        arguments.data.as_deref(),
        arguments.sql.as_deref(),
        arguments.runs.as_deref(),
    )?;
    let mut rows = Vec::new();
    for measure in &arguments.only {
        for way in &arguments.ways {
            let begun = Instant::now();
            let inquiry = Inquiry {
                data: &data,
                setting,
                way: *way,
                show_wrong: arguments.show_wrong,
                show_silent: arguments.show_silent,
            };
            rows.extend(inquiry.measure(*measure));
            eprintln!(
                "{}, {}: {:.1} s",
                measure.name(),
                way.name(),
                begun.elapsed().as_secs_f64()
            );
        }
    }
    let record = json!({
        "setting": setting.name(),
        "stories": data.stories.len(),
        "corrections": data.corrections.len(),
        "runs": data.runs.len(),
        "rows": rows,
    });
    let text = serde_json::to_string_pretty(&record).map_err(|error| error.to_string())? + "\n";
    match arguments.json {
        true => print!("{text}"),
        false => println!("{}", report::table(&rows)),
    }
    if let Some(file) = arguments.record {
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}
