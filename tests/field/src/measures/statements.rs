//! Statements that a database refused: misconceptions that come again in other statements.
//!
//! They are given in two ways: as they are, in a domain of their own for which there is no adapter, and as words of the
//! command-line tool of the database.

use std::collections::BTreeSet;

use twiceshy_text::terms::term_set;
use twiceshy_wit::{
    adapter::{Failure as Refusal, Feedback, Step},
    memory::{Hint, Observed},
};

use super::{Failure, Inquiry, MEMORY, Measure, transfer::answer};
use crate::{
    advice::Advice,
    baseline::{Baseline, Past},
    data::{Part, Statement},
    report::{Answer, Row},
    setting::Mind,
};

/// The domain of statements that are given as they are.
const DOMAIN: &str = "sql";

/// How statements are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Statement,
    Command,
}

impl Form {
    fn line(self, database: &str, statement: &str) -> String {
        match self {
            Self::Statement => statement.to_owned(),
            Self::Command => format!("sqlite3 {database}.db \"{statement}\""),
        }
    }
}

/// Everything that is to be learned is learned, then others are asked about.
pub fn asked(inquiry: &Inquiry, measure: Measure, part: Part) -> Vec<Row> {
    let forms = [Form::Statement, Form::Command];
    forms
        .into_iter()
        .flat_map(|form| in_form(inquiry, measure, part, form))
        .collect()
}

fn in_form(inquiry: &Inquiry, measure: Measure, part: Part, form: Form) -> Vec<Row> {
    let of = |part: Part| {
        let statements = inquiry.data.statements.iter();
        statements.filter(move |statement| statement.part == part)
    };
    let row = |who: &'static str| match form {
        Form::Statement => Row::new(measure, "statement", who),
        Form::Command => inquiry.row(measure, who),
    };
    let mut mind = inquiry.mind();
    for statement in of(Part::Learn) {
        let wrong = form.line(&statement.database, &statement.wrong);
        let right = form.line(&statement.database, &statement.right);
        let error = Some(statement.error.as_str());
        tell(
            &mut mind,
            inquiry,
            form,
            &[(&wrong, error), (&right, None)],
            true,
        );
    }
    let past: Vec<_> = of(Part::Learn)
        .map(|statement| Past {
            error: statement.error.clone(),
            command: form.line(&statement.database, &statement.wrong),
            next: form.line(&statement.database, &statement.right),
        })
        .collect();
    let mut memory = row(MEMORY);
    let mut baselines: Vec<_> = Baseline::ALL
        .into_iter()
        .map(|baseline| (baseline.index(past.clone()), row(baseline.name())))
        .collect();
    for statement in of(part) {
        let question = Question::new(form, statement);
        let error = Some(statement.error.as_str());
        let mut asked = mind.copy();
        let hints = tell(
            &mut asked,
            inquiry,
            form,
            &[(&question.wrong, error)],
            false,
        );
        let failure = Failure {
            kind: &statement.mistake,
            command: &question.wrong,
            output: &statement.error,
            names: &[],
            expected: &question.expected,
        };
        let hint = hints[0].first();
        let said = question.answer(hint.map(Advice::of).as_ref());
        inquiry.count(&mut memory, said, &failure, hint);
        for (index, row) in &mut baselines {
            let best = index.best(&statement.error, &question.wrong);
            row.add(question.answer(best.map(Past::advice).as_ref()));
        }
    }
    let baselines = baselines.into_iter().map(|(_, row)| row);
    std::iter::once(memory).chain(baselines).collect()
}

/// A statement that somebody asks about.
struct Question {
    wrong: String,
    /// The right statement; none if nobody can know.
    expected: Vec<String>,
    /// The words that it brings.
    new: BTreeSet<String>,
}

impl Question {
    fn new(form: Form, statement: &Statement) -> Self {
        let wrong = form.line(&statement.database, &statement.wrong);
        let right = form.line(&statement.database, &statement.right);
        let before = term_set(&wrong);
        let new = term_set(&right).difference(&before).cloned().collect();
        Self {
            wrong,
            new,
            expected: match statement.part {
                Part::Never => Vec::new(),
                Part::Learn | Part::Ask => vec![right],
            },
        }
    }

    fn answer(&self, advice: Option<&Advice>) -> Answer {
        match advice {
            None => Answer::Silent,
            Some(_) if self.expected.is_empty() => Answer::Wrong,
            Some(advice) if advice.is_literally(&self.expected) => Answer::Literal,
            // What brings no word, as a comma less does, is right only as it is.
            Some(_) if self.new.is_empty() => Answer::Wrong,
            advice => answer(advice, &self.new),
        }
    }
}

/// Goes through a run of statements, each with its error if it was refused.
fn tell(
    mind: &mut Mind,
    inquiry: &Inquiry,
    form: Form,
    statements: &[(&str, Option<&str>)],
    is_finished: bool,
) -> Vec<Vec<Hint>> {
    match form {
        Form::Command => {
            let step = |(line, error): &(&str, Option<&str>)| match error {
                Some(error) => inquiry.way.failure(line, error),
                None => inquiry.way.success(line, ""),
            };
            let steps: Vec<_> = statements.iter().map(step).collect();
            mind.run("", &steps, is_finished)
        }
        Form::Statement => {
            let observed = |(statement, error): &(&str, Option<&str>)| Observed {
                step: Step {
                    before: String::new(),
                    action: serde_json::json!({ "statement": statement }).to_string(),
                    observation: serde_json::json!({ "error": error }).to_string(),
                },
                feedback: Feedback {
                    action_text: (*statement).to_owned(),
                    hard_failure: error.map(|error| Refusal {
                        reason: "refused".to_owned(),
                        evidence: error.to_owned(),
                    }),
                    constraint_failure: Vec::new(),
                    progress_signal: None,
                    efficiency_signal: None,
                },
            };
            let observed = statements.iter().map(observed).collect();
            mind.observe(DOMAIN, "", observed, is_finished)
        }
    }
}
