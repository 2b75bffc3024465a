//! The health report as one HTML page that needs nothing else: no script, no font, no address.
//!
//! Everything in it comes from outside, so everything is escaped.

use twiceshy::wit::memory::Health;
use twiceshy_text::html::{self, escaped};

use super::{answered, by_status, figures};
use crate::cli::lessons;

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}\
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #8884;vertical-align:top}\
td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\
code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}\
.bar{display:flex;height:1.2rem;border-radius:.3rem;overflow:hidden;background:#8883}\
.bar i{display:block}\
.candidate{background:#4c8bf5}.promoted{background:#2e9e5b}.under-review{background:#e0a100}\
.suppressed{background:#c7443a}.deprecated{background:#8a6d5b}.archived{background:#888}\
.bad{color:#c7443a;font-weight:600}small{opacity:.7}";

/// The page.
pub(super) fn page(memory: &str, health: &Health) -> String {
    let mut page = format!(
        "<h1>Memory health</h1>\n<p><code>{}</code></p>\n",
        escaped(memory)
    );
    page.push_str(&lessons_bar(health));
    let rows = figures(health)
        .into_iter()
        .map(|(name, figure, meaning)| vec![text(name), number(&figure), text(meaning)]);
    page.push_str(&table("Figures", &["", "", ""], rows));
    let rows = health.recurring.iter().map(|failure| {
        vec![
            number(&failure.occurrences.to_string()),
            number(&failure.runs.to_string()),
            code(&failure.fingerprint.template),
            if failure.lessons.is_empty() {
                "<td class=\"bad\">no lesson</td>".to_owned()
            } else {
                code(&answered(failure))
            },
        ]
    });
    page.push_str(&table(
        "Failures that recur",
        &["times", "runs", "failure", "answered by"],
        rows,
    ));
    let rows = health.stability.iter().map(|task| {
        vec![
            format!(
                "<td>{}{} <small>{}</small></td>",
                if task.regressed {
                    "<span class=\"bad\">regressed</span> "
                } else {
                    ""
                },
                escaped(&task.task),
                escaped(&task.domain)
            ),
            number(&task.runs.to_string()),
            number(&format!(
                "{} → {} (best {})",
                task.first_failures, task.last_failures, task.best_failures
            )),
            number(&format!("{} → {}", task.first_steps, task.last_steps)),
            number(&format!("{:.0} %", task.pass_rate * 100.0)),
        ]
    });
    page.push_str(&table(
        "Tasks",
        &["task", "runs", "failures", "steps", "passed"],
        rows,
    ));
    let rows = health.doubtful.iter().map(|lesson| {
        vec![
            code(&lesson.id),
            text(&lesson.rule_text),
            text(&lessons::usefulness(&lesson.usefulness)),
        ]
    });
    page.push_str(&table(
        "Lessons in doubt",
        &["lesson", "rule", "what it did"],
        rows,
    ));
    let rows = health
        .contradictions
        .iter()
        .map(|link| vec![code(&link.source), code(&link.target), text(&link.reason)]);
    page.push_str(&table(
        "Lessons that contradict each other",
        &["one", "other", "why"],
        rows,
    ));
    let rows = health.stale.iter().map(|lesson| vec![code(lesson)]);
    page.push_str(&table("Lessons that nobody uses", &["lesson"], rows));
    html::page("Memory health", STYLE, &page)
}

fn lessons_bar(health: &Health) -> String {
    let lessons = by_status(&health.lessons);
    let present = || lessons.iter().filter(|(_, count)| *count > 0);
    let parts: String = present()
        .map(|(status, count)| {
            format!("<i class=\"{status}\" style=\"flex:{count}\" title=\"{count} {status}\"></i>")
        })
        .collect();
    let words: Vec<_> = present()
        .map(|(status, count)| format!("{count} {status}"))
        .collect();
    format!(
        "<h2>Lessons</h2>\n<div class=\"bar\">{parts}</div>\n<p>{}</p>\n",
        words.join(", ")
    )
}

/// A table with its title; nothing if it has no rows.
fn table(title: &str, heads: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let rows: String = rows
        .map(|cells| format!("<tr>{}</tr>\n", cells.concat()))
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let heads: String = heads
        .iter()
        .map(|head| format!("<th>{head}</th>"))
        .collect();
    format!("<h2>{title}</h2>\n<table>\n<tr>{heads}</tr>\n{rows}</table>\n")
}

fn text(content: &str) -> String {
    format!("<td>{}</td>", escaped(content))
}

fn code(content: &str) -> String {
    format!("<td><code>{}</code></td>", escaped(content))
}

fn number(content: &str) -> String {
    format!("<td class=\"n\">{}</td>", escaped(content))
}
