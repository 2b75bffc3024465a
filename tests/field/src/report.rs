//! The figures: what was asked, what was right, and a table of it.

use std::fmt::Write;

use serde::Serialize;

use crate::measures::Measure;

/// What came of one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The first hint is right, word for word as it is given.
    Literal,
    /// The first hint is right once the names at hand are put into it.
    Right,
    /// The first hint leads elsewhere.
    Wrong,
    /// There is no hint.
    Silent,
}

/// What somebody made of the questions of one measure.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Row {
    /// What is measured.
    pub measure: Measure,
    /// How commands were given.
    pub way: &'static str,
    /// Who was asked.
    pub who: &'static str,
    /// How many questions there were.
    pub asked: usize,
    /// How many first hints were right.
    pub right: usize,
    /// How many of these were right word for word.
    pub literal: usize,
    /// How many first hints led elsewhere.
    pub wrong: usize,
    /// How often there was no hint.
    pub silent: usize,
}

impl Row {
    /// Counts nothing yet.
    pub fn new(measure: Measure, way: &'static str, who: &'static str) -> Self {
        Self {
            measure,
            way,
            who,
            asked: 0,
            right: 0,
            literal: 0,
            wrong: 0,
            silent: 0,
        }
    }

    /// Counts an answer.
    pub fn add(&mut self, answer: Answer) {
        self.asked += 1;
        match answer {
            Answer::Literal => {
                self.right += 1;
                self.literal += 1;
            }
            Answer::Right => self.right += 1,
            Answer::Wrong => self.wrong += 1,
            Answer::Silent => self.silent += 1,
        }
    }
}

/// A table of the figures, for people.
pub fn table(rows: &[Row]) -> String {
    let mut table = String::new();
    let mut before = None;
    for row in rows {
        if before != Some(row.measure) {
            before = Some(row.measure);
            let _ = writeln!(table, "\n{}", row.measure.title());
            let _ = writeln!(
                table,
                "  {:<13} {:<27} {:>5} {:>12} {:>12} {:>12} {:>12}",
                "", "", "asked", "right", "as given", "wrong", "silent"
            );
        }
        let share = |count: usize| {
            let share = count as f64 / row.asked.max(1) as f64;
            format!("{share:.3} {count:>5}")
        };
        let _ = writeln!(
            table,
            "  {:<13} {:<27} {:>5} {:>12} {:>12} {:>12} {:>12}",
            row.way,
            row.who,
            row.asked,
            share(row.right),
            share(row.literal),
            share(row.wrong),
            share(row.silent)
        );
    }
    table
}
