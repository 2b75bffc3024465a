//! The report as text for a terminal.

use std::fmt::Write;

use crate::{
    plan::{Arm, Phase},
    report::{Level, Report},
    tools::Tool,
};

/// Whether the text may have colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// It may.
    Colours,
    /// It may not.
    Plain,
}

impl Paint {
    /// A text in bold.
    pub fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    /// A text that stands back.
    pub fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    /// A text that says that something is well.
    pub fn good(self, text: &str) -> String {
        self.with("32", text)
    }

    /// A text that says that something is wrong.
    pub fn bad(self, text: &str) -> String {
        self.with("31", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        match self {
            Self::Colours => format!("\x1b[{code}m{text}\x1b[0m"),
            Self::Plain => text.to_owned(),
        }
    }
}

/// The tables of a report and its checks.
pub fn table(report: &Report, paint: Paint) -> String {
    let mut text = String::new();
    let head = format!(
        "{:<24} {:<17} {:>6} {:>6} {:>12}  {:>11} {:>7} {:>9} {:>6} {:>9}",
        "", "", "errors", "errors", "errors", "steps", "", "recurring", "shown", "retrieval"
    );
    let names = format!(
        "{:<24} {:<17} {:>6} {:>6} {:>12}  {:>11} {:>7} {:>9} {:>6} {:>9}",
        "phase", "arm", "run 1", "run 2", "later", "later", "passed", "errors", "", "precision"
    );
    let _ = writeln!(
        text,
        "{}\n{}",
        paint.bold(head.trim_end()),
        paint.bold(&names)
    );
    for phase in Phase::ALL {
        for tool in Tool::ALL {
            for arm in Arm::ALL {
                if let Some(line) = row(report, phase, tool, arm) {
                    let _ = writeln!(text, "{line}");
                }
            }
        }
    }
    let seeds = report.plan.seeds;
    let note = format!(
        "Means over {seeds} seeds with their 95 % confidence intervals; later: all runs of the phase from the third."
    );
    let _ = writeln!(text, "{}\n", paint.dim(&note));
    text.push_str(&plantings(report, paint));
    text.push_str(&checks(report, paint));
    text
}

fn row(report: &Report, phase: Phase, tool: Tool, arm: Arm) -> Option<String> {
    let curve = report.curve(arm, phase, tool);
    let first = curve.first()?;
    let of = |place: usize| match curve.get(place) {
        Some(level) => format!("{:.1}", level.tool_errors.mean),
        None => "-".to_owned(),
    };
    let later = report.later(arm, phase, tool);
    let (errors, steps) = match &later {
        Some(level) => (
            spread(level),
            format!("{:.1} of {}", level.steps.mean, level.needed_steps),
        ),
        None => (
            "-".to_owned(),
            format!("{:.1} of {}", first.steps.mean, first.needed_steps),
        ),
    };
    let whole = report.whole(arm, phase, tool)?;
    let precision = match whole.retrieval_precision {
        Some(share) => format!("{share:.2}"),
        None => "-".to_owned(),
    };
    Some(format!(
        "{:<24} {:<17} {:>6} {:>6} {:>12}  {:>11} {:>6.0}% {:>9.1} {:>6.1} {:>9}",
        format!("{} {}, {}", phase.letter(), phase.title(), tool.name()),
        arm.title(),
        of(0),
        of(1),
        errors,
        steps,
        100.0 * whole.pass_rate.mean,
        whole.recurring_errors.mean,
        whole.lesson_activations.mean,
        precision,
    ))
}

fn spread(level: &Level) -> String {
    let interval = level.tool_errors;
    format!(
        "{:.1} ±{:.1}",
        interval.mean,
        (interval.high - interval.low) / 2.0
    )
}

fn plantings(report: &Report, paint: Paint) -> String {
    let mut text = String::new();
    for fate in report.fates() {
        let gone = match fate.slowest {
            Some(slowest) => format!(
                "gone from {} after {:.1} runs that showed it, at most {slowest}",
                fate.gone, fate.mean
            ),
            None => "gone from none".to_owned(),
        };
        let _ = writeln!(
            text,
            "  {:<14} {:<9} shown in {} of {} memories, {gone}",
            fate.fault, fate.tool, fate.shown, fate.memories
        );
        let _ = writeln!(text, "    {}", paint.dim(fate.rule));
    }
    if text.is_empty() {
        return text;
    }
    format!("{}\n{text}\n", paint.bold("Planted lessons"))
}

fn checks(report: &Report, paint: Paint) -> String {
    let mut text = format!("{}\n", paint.bold("Checks"));
    for check in &report.checks {
        let mark = match check.ok {
            true => paint.good("ok    "),
            false => paint.bad("not ok"),
        };
        let _ = writeln!(text, "  {mark} {}", check.name);
        let _ = writeln!(
            text,
            "         {}; target: {}",
            check.measured, check.target
        );
    }
    text
}
