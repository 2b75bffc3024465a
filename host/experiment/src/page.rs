//! The report as one HTML page: learning curves, tables, the fate of planted lessons.
//!
//! The page refers to nothing outside of itself and has no script. Text that comes from elsewhere is data
//! and is escaped.

mod chart;

use std::fmt::Write;

use twiceshy_text::html::{self, escaped};

use crate::{
    plan::{Arm, Phase},
    report::{Level, Report},
    statistics::Interval,
    tools::Tool,
};

const STYLE: &str = include_str!("page/style.css");

/// The page.
pub fn page(report: &Report) -> String {
    let mut body = String::new();
    let plan = &report.plan;
    let verdict = match report.ok {
        true => "all checks are met",
        false => "some checks are not met",
    };
    let _ = writeln!(
        body,
        "<h1>twiceshy: does the memory help?</h1>\n<p>{} runs of {} seeds in three arms; {verdict}.{}</p>",
        report.runs.len(),
        plan.seeds,
        match report.interrupted {
            true => " <strong>Interrupted: about the seeds that were finished.</strong>",
            false => "",
        }
    );
    body.push_str(&checks(report));
    body.push_str("<h2>Learning curves</h2>\n<p>Failed commands in each run, means over seeds with their 95 % \
                   confidence bands.</p>\n<p class=\"legend\">");
    for arm in Arm::ALL {
        let _ = write!(
            body,
            "<span class=\"{}\">{}</span> ",
            chart::class(arm),
            arm.title()
        );
    }
    body.push_str("</p>\n<div class=\"charts\">\n");
    for (phase, tool) in places(report) {
        body.push_str(&chart::chart(report, phase, tool));
    }
    body.push_str("</div>\n");
    body.push_str(&levels(report));
    body.push_str(&fates(report));
    html::page("twiceshy: does the memory help?", STYLE, &body)
}

/// The phases and tools that have runs.
fn places(report: &Report) -> Vec<(Phase, Tool)> {
    let all = Phase::ALL
        .into_iter()
        .flat_map(|phase| Tool::ALL.map(|tool| (phase, tool)));
    all.filter(|(phase, tool)| report.whole(Arm::Memory, *phase, *tool).is_some())
        .collect()
}

fn checks(report: &Report) -> String {
    let mut text =
        "<h2>Checks</h2>\n<table>\n<tr><th>required<th>measured<th>target<th>\n".to_owned();
    for check in &report.checks {
        let (class, word) = match check.ok {
            true => ("good", "ok"),
            false => ("bad", "not ok"),
        };
        let _ = writeln!(
            text,
            "<tr><td>{}<td>{}<td>{}<td class=\"{class}\">{word}",
            escaped(&check.name),
            escaped(&check.measured),
            escaped(&check.target)
        );
    }
    text + "</table>\n"
}

fn levels(report: &Report) -> String {
    let mut text = "<h2>Phases</h2>\n<table>\n<tr><th>phase<th>arm<th>errors, run 1<th>errors, run 2\
                    <th>errors, later<th>steps, later<th>passed<th>score<th>recurring errors<th>lessons shown\
                    <th>retrieval precision<th>promoted<th>suppressed\n"
        .to_owned();
    for (phase, tool) in places(report) {
        for arm in Arm::ALL {
            let (curve, Some(whole)) = (
                report.curve(arm, phase, tool),
                report.whole(arm, phase, tool),
            ) else {
                continue;
            };
            let errors = |level: Option<&&Level>| {
                level.map_or("–".to_owned(), |level| range(level.tool_errors))
            };
            let later = report.later(arm, phase, tool);
            let last = curve.last().copied().unwrap_or(whole);
            let _ = writeln!(
                text,
                "<tr><td>{} {}, {}<td><span class=\"{}\">{}</span><td>{}<td>{}<td>{}<td>{}<td>{:.0} %<td>{:.2}<td>{}<td>{}<td>{}<td>{:.1}<td>{:.1}",
                phase.letter(),
                phase.title(),
                tool.name(),
                chart::class(arm),
                arm.title(),
                errors(curve.first()),
                errors(curve.get(1)),
                later
                    .as_ref()
                    .map_or("–".to_owned(), |level| range(level.tool_errors)),
                later.as_ref().map_or("–".to_owned(), |level| {
                    format!("{:.1} of {}", level.steps.mean, level.needed_steps)
                }),
                100.0 * whole.pass_rate.mean,
                whole.score.mean,
                range(whole.recurring_errors),
                range(whole.lesson_activations),
                whole
                    .retrieval_precision
                    .map_or("–".to_owned(), |share| format!("{share:.2}")),
                last.promoted.mean,
                last.suppressed.mean,
            );
        }
    }
    text + "</table>\n"
}

fn fates(report: &Report) -> String {
    let fates = report.fates();
    if fates.is_empty() {
        return String::new();
    }
    let mut text = "<h2>Planted lessons</h2>\n<table>\n<tr><th>fault<th>tool<th>rule<th>memories that showed it\
                    <th>gone<th>runs that showed it, mean and most<th>why, in one of them\n"
        .to_owned();
    for fate in fates {
        let _ = writeln!(
            text,
            "<tr><td>{}<td>{}<td><code>{}</code><td>{} of {}<td>{}<td>{}<td>{}",
            fate.fault,
            fate.tool,
            escaped(fate.rule),
            fate.shown,
            fate.memories,
            fate.gone,
            fate.slowest
                .map_or("–".to_owned(), |most| format!("{:.1}, {most}", fate.mean)),
            escaped(&fate.reason)
        );
    }
    text + "</table>\n"
}

fn range(interval: Interval) -> String {
    format!(
        "{:.1} <small>{:.1}–{:.1}</small>",
        interval.mean, interval.low, interval.high
    )
}
