//! `twiceshy health`: how well the memory does its work, as text, as JSON or as a page.

mod page;

use std::{fs, path::PathBuf, process::ExitCode};

use clap::Args;
use twiceshy::wit::memory::{Health, LessonsByStatus, RecurringFailure, TaskStability, Upkeep};

use super::{context::Context, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy health
  twiceshy health --json
  twiceshy health --html health.html

Exits with 0 whatever the report says; a task that became worse is marked REGRESSED.";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Write the report as one self-contained HTML page, too.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(crate) fn health(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let health = context.memory()?.report()?;
    if let Some(file) = &arguments.html {
        let memory = context.project.directory().display().to_string();
        fs::write(file, page::page(&memory, &health)).map_err(|error| {
            Failure::other(format!("{}: {error}; choose another file", file.display()))
        })?;
    }
    context.print(&health, || match &arguments.html {
        Some(file) => vec![format!("Wrote {}", file.display())],
        None => lines(&health),
    })
}

/// Where lessons stand, in the order of their life.
fn by_status(lessons: &LessonsByStatus) -> [(&'static str, u32); 6] {
    [
        ("candidate", lessons.candidate),
        ("promoted", lessons.promoted),
        ("under-review", lessons.under_review),
        ("suppressed", lessons.suppressed),
        ("deprecated", lessons.deprecated),
        ("archived", lessons.archived),
    ]
}

/// The figures of the report, each with its name and what it means.
fn figures(health: &Health) -> Vec<(&'static str, String, &'static str)> {
    let number =
        |number: Option<f64>| number.map_or("—".to_owned(), |number| format!("{number:.2}"));
    vec![
        ("shown", health.shown.to_string(), "showings of lessons"),
        (
            "withheld",
            health.withheld.to_string(),
            "withheld in order to compare",
        ),
        (
            "judged",
            health.judged.to_string(),
            "lessons in runs where they had something to do",
        ),
        ("helped", health.helped.to_string(), "of these"),
        ("harmed", health.harmed.to_string(), "of these"),
        (
            "precision",
            number(health.retrieval_precision),
            "helped of judged: the retrieval precision proxy",
        ),
        (
            "utility",
            number(health.utility),
            "mean of the lessons that are shown",
        ),
        (
            "before",
            number(health.failures_per_run_before),
            "failures a run, older half",
        ),
        (
            "now",
            number(health.failures_per_run_now),
            "failures a run, newer half",
        ),
    ]
}

fn lines(health: &Health) -> Vec<String> {
    let lessons: Vec<_> = by_status(&health.lessons)
        .into_iter()
        .map(|(status, count)| format!("{count} {status}"))
        .collect();
    let mut lines = vec![format!("lessons     {}", lessons.join(", "))];
    for (name, figure, meaning) in figures(health) {
        lines.push(format!("{name:<11} {figure:>8}  {meaning}"));
    }
    section(
        &mut lines,
        "failures that recur",
        &health.recurring,
        recurring,
    );
    section(
        &mut lines,
        "lessons that contradict each other",
        &health.contradictions,
        |link| {
            format!(
                "{} and {}  {}",
                show::line(&link.source),
                show::line(&link.target),
                show::cut(&link.reason, 80)
            )
        },
    );
    section(&mut lines, "lessons in doubt", &health.doubtful, |lesson| {
        format!(
            "{}  {}  {}",
            show::line(&lesson.id),
            super::lessons::usefulness(&lesson.usefulness),
            show::cut(&lesson.rule_text, 80)
        )
    });
    section(
        &mut lines,
        "lessons that nobody uses",
        &health.stale,
        |id| show::line(id),
    );
    section(&mut lines, "tasks", &health.stability, task);
    lines
}

fn section<T>(lines: &mut Vec<String>, title: &str, items: &[T], line: impl Fn(&T) -> String) {
    if items.is_empty() {
        return;
    }
    lines.push(String::new());
    lines.push(title.to_owned());
    lines.extend(items.iter().map(|item| format!("  {}", line(item))));
}

fn recurring(failure: &RecurringFailure) -> String {
    format!(
        "{}× in {} runs  {}  {}  {}",
        failure.occurrences,
        failure.runs,
        show::line(&failure.fingerprint.id),
        answered(failure),
        show::cut(&failure.fingerprint.template, 80)
    )
}

fn answered(failure: &RecurringFailure) -> String {
    if failure.lessons.is_empty() {
        "no lesson".to_owned()
    } else {
        show::line(&failure.lessons.join(" "))
    }
}

fn task(task: &TaskStability) -> String {
    format!(
        "{}{} runs  failures {} → {} (best {})  steps {} → {}  passed {:.0} %  {}: {}",
        if task.regressed { "REGRESSED  " } else { "" },
        task.runs,
        task.first_failures,
        task.last_failures,
        task.best_failures,
        task.first_steps,
        task.last_steps,
        task.pass_rate * 100.0,
        show::line(&task.domain),
        show::cut(&task.task, 60)
    )
}
