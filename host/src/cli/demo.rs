//! `twiceshy demo`: a person's first contact. An agent learns two tools it has never seen.
//!
//! Owns the story that is told. The runs are those of `twiceshy experiment`, few of them; the story is about
//! the first seed, the tables and checks are about all.

use std::{
    process::ExitCode,
    sync::{Mutex, PoisonError},
};

use clap::Args;
use twiceshy_experiment::{Arm, Happening, Paint, Phase, Plan, Planting, Ran, RunMetrics, Told};

use super::{
    arguments::Common,
    experiment::{Bench, Output},
    failure::Failure,
    show,
};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy demo
  twiceshy demo --html demo.html
  twiceshy demo --keep demo-memories && twiceshy --memory demo-memories/planted-1 status
  twiceshy demo --json

Nothing of yours is read or written; the memories are in this process and end with it, unless --keep.
Exit codes: 0 if all checks are met, 1 if one is not, 130 if it was interrupted.";

/// What is done: enough for every check, little enough to watch.
const PLAN: Plan = Plan {
    seeds: 8,
    first_seed: 1,
    runs: [12, 12, 4, 4],
    evaluator: true,
};

const BEGINNING: &str = "\
An agent is given two command-line tools that it has never seen, gridtool and fluxtool. It knows other tools,
so it guesses, fails, and tries again. It forgets everything between two runs. Only the memory carries over.";

/// Lessons that are shown in full; the rest is counted.
const SHOWN_LESSONS: usize = 3;

#[derive(Debug, Args)]
pub(crate) struct Demo {
    #[command(flatten)]
    output: Output,
}

pub(crate) fn demo(arguments: &Demo, common: &Common) -> Result<ExitCode, Failure> {
    let bench = Bench::new(common, &arguments.output)?;
    let paint = bench.paint();
    let teller = Mutex::new(Teller {
        paint,
        in_detail: false,
    });
    let tells = bench.tells_people();
    if tells {
        println!("{}\n\n{BEGINNING}", paint.bold("twiceshy demo"));
    }
    let watch = |happening: &Happening<'_>| {
        if tells {
            let mut teller = teller.lock().unwrap_or_else(PoisonError::into_inner);
            teller.hear(happening);
        }
    };
    // The story is about one seed, so it is told by one thread; the others follow without a word.
    let story = Plan { seeds: 1, ..PLAN };
    let first = bench.perform(&story, None, &watch)?;
    let rest = Plan {
        seeds: PLAN.seeds - 1,
        first_seed: PLAN.first_seed + 1,
        ..PLAN
    };
    if tells && !first.interrupted {
        println!("\nThe same with {} more seeds:\n", rest.seeds);
    }
    let report = first.with(bench.perform(&rest, None, &|_| {})?);
    bench.publish(&report)
}

/// Who tells the story.
struct Teller {
    paint: Paint,
    /// Whether every step of the present run is told.
    in_detail: bool,
}

impl Teller {
    fn hear(&mut self, happening: &Happening<'_>) {
        match happening {
            Happening::Started {
                arm,
                phase,
                run,
                tool,
                task,
                briefing,
                ..
            } => {
                let title = match (arm, phase, run) {
                    (Arm::Memory, Phase::A | Phase::B, 1) => {
                        format!(
                            "{} for the first time, with its documentation at hand",
                            tool.name()
                        )
                    }
                    (Arm::Memory, Phase::A | Phase::B, 2) => {
                        format!(
                            "{} again, without documentation, with what is remembered",
                            tool.name()
                        )
                    }
                    (Arm::Planted, Phase::A, 1) => {
                        "The same from the beginning, but somebody has handed in bad lessons"
                            .to_owned()
                    }
                    _ => String::new(),
                };
                self.in_detail = !title.is_empty();
                if self.in_detail {
                    println!("\n{}", self.paint.bold(&title));
                    if *run == 1 && *arm == Arm::Memory {
                        println!("{}", self.paint.dim(task));
                    }
                    self.tell_briefing(briefing);
                }
            }
            Happening::Stepped { command, ran, told } if self.in_detail => {
                self.tell_step(command, ran, told);
            }
            Happening::Ended { metrics, plantings } => {
                if self.in_detail {
                    println!("  {}", self.paint.bold(&sum(metrics)));
                }
                self.tell_plantings(metrics, plantings);
            }
            _ => {}
        }
    }

    /// What the memory tells before a run.
    fn tell_briefing(&self, briefing: &Told) {
        for hint in briefing.hints.iter().take(SHOWN_LESSONS) {
            let rule = show::line(&hint.lesson.rule_text);
            println!("  {} {rule}", self.paint.dim("remembered:"));
        }
        if briefing.hints.len() > SHOWN_LESSONS {
            let more = format!("and {} more lessons", briefing.hints.len() - SHOWN_LESSONS);
            println!("  {}", self.paint.dim(&more));
        }
    }

    /// A command, and if it failed, why, and what the memory tells about it.
    fn tell_step(&self, command: &[String], ran: &Ran, told: &Told) {
        let line = show::line(&command.join(" "));
        if ran.exit == 0 {
            println!("  {} {line}", self.paint.good("✓"));
            return;
        }
        println!("  {} {line}", self.paint.bad("✗"));
        println!(
            "      {}",
            self.paint.dim(&show::line(ran.stderr.trim_end()))
        );
        for hint in &told.hints {
            let rule = show::line(&hint.lesson.rule_text);
            println!("      {} {rule}", self.paint.dim("hint:"));
        }
    }

    /// What happens to bad lessons, when it happens.
    fn tell_plantings(&self, metrics: &RunMetrics, plantings: &[Planting]) {
        let run = format!(
            "{}, {} run {}",
            metrics.phase.letter(),
            metrics.tool.name(),
            metrics.run
        );
        for planting in plantings {
            let rule = show::line(planting.rule);
            if planting.first_shown == Some(metrics.ordinal) {
                println!(
                    "  {run}: shown, {}: {rule}",
                    self.paint.bad(planting.fault.name())
                );
            }
            if planting.gone == Some(metrics.ordinal) {
                println!(
                    "  {run}: {} after {} runs: {rule}\n      {}",
                    self.paint.good(&planting.status),
                    planting.shown_runs,
                    self.paint.dim(&show::line(&planting.reason))
                );
            }
        }
    }
}

fn sum(metrics: &RunMetrics) -> String {
    let errors = match metrics.tool_errors {
        0 => "no errors".to_owned(),
        1 => "1 error".to_owned(),
        errors => format!("{errors} errors"),
    };
    format!(
        "{errors} in {} steps; {} are needed",
        metrics.steps, metrics.needed_steps
    )
}
