//! The measures: each asks many questions, of the memory and of the baselines.

mod statements;
mod stories;
mod transfer;
mod unrelated;

use serde::Serialize;
use twiceshy_wit::memory::Hint;

use crate::{
    advice::Advice,
    command::Way,
    data::{Data, Part},
    report::{Answer, Row},
    setting::{Mind, Setting},
};

/// What can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Mistakes that were learned come again under other names.
    Stories,
    /// Mistakes come whose rule was never learned.
    Never,
    /// Mistakes come whose rule was learned with other fixes.
    Another,
    /// Unrelated commands work after a failure.
    Unrelated,
    /// One model fails, and the others have been there.
    Transfer,
    /// Every other run of a file is learned, and the rest is asked about.
    Halves,
    /// Statements are refused for a misconception that was learned from others.
    Sql,
    /// Statements are refused for a misconception that was never learned.
    SqlNever,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Stories,
        Self::Never,
        Self::Another,
        Self::Unrelated,
        Self::Transfer,
        Self::Halves,
        Self::Sql,
        Self::SqlNever,
    ];

    /// Whether it needs a file of statements.
    pub fn is_of_statements(self) -> bool {
        matches!(self, Self::Sql | Self::SqlNever)
    }

    /// Its name in arguments.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stories => "stories",
            Self::Never => "never",
            Self::Another => "another",
            Self::Unrelated => "unrelated",
            Self::Transfer => "transfer",
            Self::Halves => "halves",
            Self::Sql => "sql",
            Self::SqlNever => "sql-never",
        }
    }

    /// What it is, in a table.
    pub fn title(self) -> &'static str {
        match self {
            Self::Stories => {
                "stories: all lessons in one memory, the same mistake with other names"
            }
            Self::Never => "never: a kind of mistake that was never learned (any hint is wrong)",
            Self::Another => "another: a known kind of mistake with another fix than those learned",
            Self::Unrelated => {
                "unrelated: a success that has nothing to do with the failure (a lesson of it is wrong)"
            }
            Self::Transfer => {
                "transfer: the first hint brings what works next, learned from other models"
            }
            Self::Halves => {
                "halves: the first hint brings what works next, learned from the other half of the runs"
            }
            Self::Sql => "sql: a misconception that was learned comes again in other statements",
            Self::SqlNever => {
                "sql-never: a misconception that was never learned (any hint is wrong)"
            }
        }
    }
}

/// The name of the memory in tables; the others are baselines.
const MEMORY: &str = "twiceshy";

/// What is to be measured.
pub struct Inquiry<'a> {
    /// The recorded data.
    pub data: &'a Data,
    /// The engine and the adapter.
    pub setting: &'a dyn Setting,
    /// How commands are given.
    pub way: Way,
    /// Prints so many hints of the memory that lead elsewhere, for each measure.
    pub show_wrong: usize,
    /// Prints so many failures that should get a hint and get none, for each measure.
    pub show_silent: usize,
}

impl Inquiry<'_> {
    /// Measures one thing.
    pub fn measure(&self, measure: Measure) -> Vec<Row> {
        match measure {
            Measure::Stories => stories::known(self),
            Measure::Never => stories::never_learned(self),
            Measure::Another => stories::another_fix(self),
            Measure::Unrelated => unrelated::successes(self),
            Measure::Transfer => transfer::between_models(self),
            Measure::Halves => transfer::between_halves(self),
            Measure::Sql => statements::asked(self, measure, Part::Ask),
            Measure::SqlNever => statements::asked(self, measure, Part::Never),
        }
    }

    fn row(&self, measure: Measure, who: &'static str) -> Row {
        Row::new(measure, self.way.name(), who)
    }

    fn mind(&self) -> Mind<'_> {
        Mind::new(self.setting)
    }

    /// Counts the memory's answer, and shows it if somebody wants to see such.
    fn count(&self, row: &mut Row, answer: Answer, failure: &Failure, hint: Option<&Hint>) {
        row.add(answer);
        let is_shown = match answer {
            Answer::Wrong => row.wrong <= self.show_wrong,
            Answer::Silent => !failure.expected.is_empty() && row.silent <= self.show_silent,
            Answer::Literal | Answer::Right => false,
        };
        if is_shown {
            let output: Vec<_> = failure.output.lines().take(6).collect();
            println!(
                "{} [{}] {answer:?}\n  failed    {}\n  printed   {}\n  hint      {}\n  expected  {}",
                row.measure.name(),
                failure.kind,
                failure.command,
                output.join("\n            "),
                hint.map_or("none", |hint| &hint.text),
                match failure.expected {
                    [] => "no hint".to_owned(),
                    expected => expected.join("  or  "),
                },
            );
        }
    }
}

/// A failure that somebody is asked about.
struct Failure<'a> {
    kind: &'a str,
    command: &'a str,
    output: &'a str,
    /// The names of the failure that its error tells.
    names: &'a [(String, String)],
    /// The command lines that are right; if there are none, any hint is wrong.
    expected: &'a [String],
}

impl Failure<'_> {
    fn answer(&self, advice: Option<&Advice>) -> Answer {
        match advice {
            None => Answer::Silent,
            Some(advice) if advice.is_literally(self.expected) => Answer::Literal,
            Some(advice) if advice.leads_to(self.command, self.names, self.expected) => {
                Answer::Right
            }
            Some(_) => Answer::Wrong,
        }
    }
}

/// Calls `ask` with each item and a memory that learned all items but this one. Halves are learned together, so that this costs
/// the logarithm of what learning anew for each would.
fn leave_one_out<'s>(
    mind: Mind<'s>,
    items: std::ops::Range<usize>,
    learn: &mut dyn FnMut(&mut Mind<'s>, usize),
    ask: &mut dyn FnMut(&Mind<'s>, usize),
) {
    match items.len() {
        0 => {}
        1 => ask(&mind, items.start),
        length => {
            let middle = items.start + length / 2;
            let halves = [items.start..middle, middle..items.end];
            for (left_out, learned) in [(0, 1), (1, 0)] {
                let mut mind = mind.copy();
                halves[learned]
                    .clone()
                    .for_each(|item| learn(&mut mind, item));
                leave_one_out(mind, halves[left_out].clone(), learn, ask);
            }
        }
    }
}
