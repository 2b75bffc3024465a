//! The bounds of feedback: how long its texts are, how many conditions it names, and that an action is one line.
//!
//! Owns keeping what an author says within the contract, so that a huge error text is a long one and not a broken
//! answer. A signal out of range, or an action without a text, is the author's mistake and stays one.

use crate::contract::{Error, Feedback};

/// Feedback with texts as the contract allows.
pub(crate) fn bounded(mut feedback: Feedback) -> Feedback {
    one_line(&mut feedback.action_text);
    cut(&mut feedback.action_text, 4 << 10);
    if let Some(failure) = &mut feedback.hard_failure {
        cut(&mut failure.reason, 1 << 10);
        cut(&mut failure.evidence, 1 << 20);
    }
    feedback.constraint_failure.truncate(64);
    for violation in &mut feedback.constraint_failure {
        cut(&mut violation.condition, 4 << 10);
        cut(&mut violation.evidence, 16 << 10);
    }
    feedback
}

/// A refusal that can be read: its cause may quote what was handed in.
pub(crate) fn bounded_refusal(mut refusal: Error) -> Error {
    let (Error::InvalidInput(text) | Error::Unsupported(text) | Error::Other(text)) = &mut refusal;
    cut(text, 4 << 10);
    refusal
}

/// Puts a space for each character that ends a line or can't be seen.
fn one_line(text: &mut String) {
    if text.contains(char::is_control) {
        *text = text.replace(char::is_control, " ");
    }
}

/// Cuts a text to so many bytes, between two characters.
fn cut(text: &mut String, most: usize) {
    text.truncate(text.floor_char_boundary(most));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Failure, Violation};

    #[test]
    fn an_action_is_one_line_whatever_was_done() {
        let mut text = "GET /a\r\n\u{0}\u{85}b c".to_owned();
        one_line(&mut text);
        assert_eq!(text, "GET /a    b c");
    }

    #[test]
    fn a_refusal_does_not_hand_back_all_that_it_refuses() {
        let refusal = bounded_refusal(Error::Other("x".repeat(4 << 20)));
        assert_eq!(refusal, Error::Other("x".repeat(4 << 10)));
    }

    #[test]
    fn what_is_too_long_is_cut_between_two_characters() {
        let long = "ä".repeat(2 << 20);
        let violation = Violation {
            condition: long.clone(),
            evidence: long.clone(),
        };
        let feedback = bounded(Feedback {
            action_text: format!("a{long}"),
            hard_failure: Some(Failure {
                reason: long.clone(),
                evidence: long,
            }),
            constraint_failure: vec![violation; 100],
            progress_signal: None,
            efficiency_signal: None,
        });
        assert_eq!(feedback.action_text.len(), (4 << 10) - 1);
        assert_eq!(feedback.hard_failure.unwrap().evidence.len(), 1 << 20);
        assert_eq!(feedback.constraint_failure.len(), 64);
        assert_eq!(feedback.constraint_failure[63].condition.len(), 4 << 10);
    }
}
