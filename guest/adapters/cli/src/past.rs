//! Earlier steps: which of them ran the same command or one like it, and what is still known of them.
//!
//! Owns the comparison of commands. An earlier step may have been shortened or masked since, so one that
//! cannot be read is passed over, and of what was seen only single members are looked at.

use serde::Deserialize;
use twiceshy_adapter::{Feedback, PastStep, read};
use twiceshy_shell::Line;

use crate::payload::Action;

/// What is still known of an earlier observation.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Kept {
    pub(crate) stdout: Option<String>,
    pub(crate) stderr: Option<String>,
    pub(crate) duration_ms: Option<u64>,
    pub(crate) cost: Option<f64>,
}

/// What is still known of an earlier observation.
pub(crate) fn kept(past: &PastStep) -> Kept {
    serde_json::from_str(&past.step.observation).unwrap_or_default()
}

/// The steps that ran the very same command in the same place, oldest first.
pub(crate) fn same<'a>(
    action: &'a Action,
    recent: &'a [PastStep],
) -> impl DoubleEndedIterator<Item = &'a PastStep> {
    recent
        .iter()
        .filter(move |past| action_of(past).is_some_and(|past| past == *action))
}

/// The steps that ran a command of the same shape, oldest first.
pub(crate) fn like<'a>(
    action: &'a Action,
    recent: &'a [PastStep],
) -> impl DoubleEndedIterator<Item = &'a PastStep> {
    recent
        .iter()
        .filter(move |past| action_of(past).is_some_and(|past| is_same_shape(action, &past)))
}

/// The step failed, outright or by a condition.
pub(crate) fn has_failed(feedback: &Feedback) -> bool {
    feedback.hard_failure.is_some() || !feedback.constraint_failure.is_empty()
}

fn action_of(past: &PastStep) -> Option<Action> {
    read("action", &past.step.action).ok()
}

/// The same program, directory and arguments, except for the names of files.
fn is_same_shape(one: &Action, other: &Action) -> bool {
    let (line, other_line) = (&one.command.line, &other.command.line);
    let (Some(words), Some(other_words)) = (words(line), words(other_line)) else {
        return one == other;
    };
    one.directory == other.directory
        && line.place == other_line.place
        && words.len() == other_words.len()
        && words.first() == other_words.first()
        && words.iter().zip(other_words).skip(1).all(|(one, other)| {
            one == other || {
                let (flag, value) = flag_and_value(one);
                let (other_flag, other_value) = flag_and_value(other);
                flag == other_flag && names_file(value) && names_file(other_value)
            }
        })
}

/// The words of a line that is one command; a list has none.
fn words(line: &Line) -> Option<&[String]> {
    let mut commands = line.commands.iter();
    let mut own = commands.by_ref().filter(|one| !one.is_change_of_place());
    match (own.next(), own.next()) {
        (Some(only), None) if !only.is_opaque => Some(&only.words),
        _ => None,
    }
}

/// `--out=a.csv` is the flag `--out=` with a value, `a.csv` a value without a flag.
fn flag_and_value(argument: &str) -> (&str, &str) {
    match argument.find('=') {
        Some(at) if argument.starts_with('-') => argument.split_at(at + 1),
        _ => ("", argument),
    }
}

/// Looks like a path. Words may be subcommands, numbers say how much work there is, and what has
/// white space may be a whole script: none of these may differ between two comparable runs.
fn names_file(value: &str) -> bool {
    value.contains(['/', '.'])
        && !value.starts_with('-')
        && !value.contains(char::is_whitespace)
        && value.contains(|c: char| !c.is_ascii_digit() && c != '.')
}

/// Means to make earlier steps.
#[cfg(test)]
pub(crate) mod tests {
    use twiceshy_adapter::{Failure, Step};

    use super::*;

    pub(crate) fn action(words: &[&str]) -> Action {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        Action {
            command: crate::action::Command::of_words(&words),
            directory: None,
        }
    }

    pub(crate) fn failed(reason: &str, evidence: &str) -> Failure {
        Failure {
            reason: reason.into(),
            evidence: evidence.into(),
        }
    }

    /// An earlier step with these members in its observation.
    pub(crate) fn past(words: &[&str], members: &str, hard_failure: Option<Failure>) -> PastStep {
        PastStep {
            step: Step {
                before: String::new(),
                action: serde_json::json!({"command": words}).to_string(),
                observation: format!(r#"{{"exit": 0, "stderr": "", {members}}}"#),
            },
            feedback: Feedback {
                action_text: String::new(),
                hard_failure,
                constraint_failure: Vec::new(),
                progress_signal: None,
                efficiency_signal: None,
            },
        }
    }

    #[test]
    fn an_earlier_step_that_cannot_be_read_is_passed_over() {
        let mut odd = past(&["make"], r#""stdout": "x""#, None);
        odd.step.action = "[".into();
        assert_eq!(
            like(&action(&["make"]), std::slice::from_ref(&odd)).count(),
            0
        );
        odd.step.observation = r#""{\"exit\" […]""#.into();
        assert_eq!(kept(&odd).stdout, None);
    }

    #[test]
    fn commands_have_the_same_shape_up_to_the_names_of_files() {
        let same = |one: &[&str], other: &[&str]| is_same_shape(&action(one), &action(other));
        assert!(same(&["sort", "-u", "a.txt"], &["sort", "-u", "b/c.txt"]));
        assert!(same(
            &["cc", "--out=a.o", "a.c"],
            &["cc", "--out=b.o", "b.c"]
        ));
        assert!(!same(&["sort", "-u", "a.txt"], &["sort", "-n", "a.txt"]));
        assert!(!same(&["vcs", "status"], &["vcs", "clone"]));
        assert!(!same(&["sleep", "1"], &["sleep", "0.5"]));
        assert!(!same(&["sh", "-c", "ls a.txt"], &["sh", "-c", "sleep 9.5"]));
        assert!(!same(&["cc", "--out=a.o"], &["cc", "--in=a.o"]));
        assert!(!same(&["sort", "a.txt"], &["sort", "a.txt", "b.txt"]));
    }
}
