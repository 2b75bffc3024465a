//! The report of what was learned: counts, and the lessons that would have saved most.

use std::collections::BTreeMap;

use serde::Serialize;
use twiceshy::wit::memory::Submitted;

use crate::cli::show;

/// Lessons that are shown.
const MOST_LESSONS: usize = 10;

/// Troubles with files that are told one by one.
const MOST_TROUBLES: usize = 5;

/// What was read and learned.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Report {
    pub(crate) dry_run: bool,
    pub(crate) interrupted: bool,
    /// Files that sessions were read from.
    pub(crate) files: u32,
    /// Files beside them that are no transcripts.
    pub(crate) others: u32,
    /// Sessions with something new.
    pub(crate) sessions: u32,
    /// Sessions that were read before.
    pub(crate) known: u32,
    /// Sessions that were observed while they happened.
    pub(crate) live: u32,
    /// Sessions of other projects.
    pub(crate) elsewhere: u32,
    pub(crate) runs: u32,
    pub(crate) steps: u32,
    pub(crate) failures: u32,
    /// Failures that had happened before.
    pub(crate) repeats: u32,
    /// Failures for which a lesson from an earlier run was there.
    pub(crate) answered: u32,
    /// Lessons that are new.
    pub(crate) lessons: u32,
    /// The lessons that would have saved most, best first.
    pub(crate) best: Vec<Saving>,
    /// Steps that could not be judged, and records that could not be read.
    pub(crate) unjudged: u32,
    pub(crate) damaged: u32,
    /// Files that could not be read, with the reason.
    pub(crate) troubles: Vec<String>,
    /// Hosts that were looked for and are not on this machine.
    pub(crate) missing_hosts: Vec<&'static str>,
    #[serde(skip)]
    pub(crate) savings: BTreeMap<String, Saving>,
}

/// What a lesson would have saved.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Saving {
    lesson: String,
    rule: String,
    /// Later failures that it answers.
    failures: u32,
    /// Runs that had one of them.
    runs: u32,
}

impl Report {
    /// Counts a run that was taken in.
    pub(crate) fn add(&mut self, submitted: &Submitted) {
        let episode = &submitted.episode;
        self.runs += 1;
        self.steps += episode.steps;
        self.failures += episode.failures;
        let mut helpful = BTreeMap::new();
        for reaction in &submitted.reactions {
            let Some(event) = &reaction.failure else {
                continue;
            };
            self.repeats += u32::from(event.occurrence > 1);
            // What the run itself taught came too late for it.
            let from_earlier = reaction.hints.iter().find(|hint| {
                let origins = &hint.lesson.origins;
                origins.iter().any(|origin| origin.run != episode.id)
            });
            if let Some(hint) = from_earlier {
                self.answered += 1;
                *helpful.entry(&hint.lesson.id).or_insert(0) += 1;
                self.savings
                    .entry(hint.lesson.id.clone())
                    .or_insert_with(|| Saving {
                        lesson: hint.lesson.id.clone(),
                        rule: hint.lesson.rule_text.clone(),
                        failures: 0,
                        runs: 0,
                    });
            }
        }
        for (lesson, failures) in helpful {
            if let Some(saving) = self.savings.get_mut(lesson) {
                saving.failures += failures;
                saving.runs += 1;
            }
        }
    }

    /// Puts the lessons that would have saved most into their order.
    pub(crate) fn finish(&mut self) {
        let mut best: Vec<_> = self.savings.values().cloned().collect();
        best.sort_by(|left, right| {
            let rank = |one: &Saving| (one.failures, one.runs);
            rank(right)
                .cmp(&rank(left))
                .then(left.lesson.cmp(&right.lesson))
        });
        best.truncate(MOST_LESSONS);
        self.best = best;
    }

    /// The report for a person.
    pub(crate) fn lines(&self) -> Vec<String> {
        let would = if self.dry_run {
            " would be learned"
        } else {
            ""
        };
        let mut lines = vec![format!(
            "{} in {}, {}{}, {}{would}.",
            counted(self.steps, "command"),
            counted(self.sessions, "session"),
            counted(self.failures, "failure"),
            match self.failures {
                0 => String::new(),
                failures => format!(
                    ", {} % of them repeats",
                    100 * u64::from(self.repeats) / u64::from(failures)
                ),
            },
            counted(self.lessons, "lesson"),
        )];
        if !self.best.is_empty() {
            lines.push("These would have saved most:".to_owned());
            lines.extend(self.best.iter().map(|saving| {
                format!(
                    "  {:>4} × {} [{}]",
                    saving.failures,
                    show::cut(&saving.rule, 150),
                    saving.lesson
                )
            }));
        }
        let left_out = [
            (self.known, "read before"),
            (self.live, "observed while they happened"),
            (
                self.elsewhere,
                "of other projects (--everywhere takes them, too)",
            ),
        ];
        for (count, what) in left_out.into_iter().filter(|(count, _)| *count > 0) {
            lines.push(format!("Left out: {} {what}.", counted(count, "session")));
        }
        if self.damaged + self.unjudged > 0 {
            lines.push(format!(
                "Skipped: {} that can't be read, {} that can't be judged.",
                counted(self.damaged, "record"),
                counted(self.unjudged, "command")
            ));
        }
        let troubles = self.troubles.iter().take(MOST_TROUBLES);
        lines.extend(troubles.map(|trouble| format!("Not read: {}", show::line(trouble))));
        if self.troubles.len() > MOST_TROUBLES {
            let more = self.troubles.len() - MOST_TROUBLES;
            lines.push(format!("Not read: {more} more files (--json lists all)"));
        }
        if self.interrupted {
            lines.push(
                "Interrupted: what was learned stays; the same command continues.".to_owned(),
            );
        } else if self.dry_run {
            lines.push("Nothing was written (--dry-run).".to_owned());
        }
        if self.files == 0 && self.troubles.is_empty() && !self.missing_hosts.is_empty() {
            lines.push(format!(
                "Nothing to read: no sessions of {} are on this machine.",
                self.missing_hosts.join(", ")
            ));
        }
        lines
    }
}

fn counted(count: u32, noun: &str) -> String {
    let digits = count.to_string();
    let mut shown = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    let plural = if count == 1 { "" } else { "s" };
    format!("{shown} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_written_as_people_read_them() {
        assert_eq!(counted(1, "lesson"), "1 lesson");
        assert_eq!(counted(1_840, "failure"), "1,840 failures");
        assert_eq!(counted(1_234_567, "step"), "1,234,567 steps");
    }
}
