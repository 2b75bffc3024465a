//! The summary of an episode in a few lines.
//!
//! Owns how it is made if the caller gave none. Pure.

use std::collections::BTreeSet;

use twiceshy_wit::memory::{Account, Episode};

use crate::mining::{self, Attempt};

/// The task in characters.
const TASK_CHARS: usize = 240;

/// An action, a failure or an insight in characters.
const PART_CHARS: usize = 160;

/// How many failures a summary names.
const FAILURES: usize = 3;

/// How many insights a summary names: they stay when the account is in cold storage.
const INSIGHTS: usize = 5;

/// The task, how it ended, what failed, what worked instead, and what was learned.
pub(crate) fn made(episode: &Episode, attempts: &[Attempt], account: Option<&Account>) -> String {
    let mut lines = Vec::new();
    let task = cut(&episode.task, TASK_CHARS);
    let steps = match episode.steps {
        0 => String::new(),
        1 => ", 1 step".to_owned(),
        steps => format!(", {steps} steps"),
    };
    let failed = match episode.failures {
        0 => String::new(),
        failures => format!(", {failures} failed"),
    };
    let task = if task.is_empty() {
        "A run without a task"
    } else {
        &task
    };
    lines.push(format!(
        "{task}: {}{steps}{failed}",
        episode.outcome.as_str()
    ));
    let mut told = BTreeSet::new();
    let failed: Vec<_> = (0..attempts.len())
        .filter(|place| {
            let failure = attempts[*place].failure.as_ref();
            failure.is_some_and(|(fingerprint, _)| told.insert(fingerprint))
        })
        .take(FAILURES)
        .collect();
    let worked = match failed.as_slice() {
        [] => Vec::new(),
        failed => mining::resolutions(attempts, failed),
    };
    for (place, worked) in failed.iter().zip(worked) {
        let mut line = format!("Failed: {}", cut(&attempts[*place].action, PART_CHARS));
        if let Some((_, template)) = &attempts[*place].failure
            && !template.is_empty()
        {
            line.push_str(&format!(" ({})", cut(template, PART_CHARS)));
        }
        if let Some(worked) = worked {
            let worked = cut(&attempts[worked].action, PART_CHARS);
            line.push_str(&format!("; worked: {worked}"));
        }
        lines.push(line);
    }
    if failed.is_empty()
        && let Some(last) = attempts.last()
    {
        lines.push(format!("Worked: {}", cut(&last.action, PART_CHARS)));
    }
    let insights = account.map_or(&[][..], |account| &account.insights);
    let learned = insights.iter().take(INSIGHTS);
    lines.extend(learned.map(|insight| format!("Learned: {}", cut(insight, PART_CHARS))));
    lines.join("\n")
}

/// What a summary says beside the task: the first line of one that was made here begins with it, and an index that has the
/// words of the task twice takes its beginning for what it is about.
pub(crate) fn beside_task(episode: &Episode) -> &str {
    let task = cut(&episode.task, TASK_CHARS);
    let rest = episode.summary.strip_prefix(task.as_str());
    match rest.and_then(|rest| rest.strip_prefix(": ")) {
        Some(rest) if !task.is_empty() => rest,
        _ => &episode.summary,
    }
}

/// The beginning of a text in one line.
fn cut(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
