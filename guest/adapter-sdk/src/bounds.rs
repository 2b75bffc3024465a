//! The bounds of feedback: how long its texts are, and how many conditions it names.
//!
//! Owns keeping what an author says within the contract, so that a huge error text is a long one and not a broken
//! answer. A signal out of range is the author's mistake and stays one.

use crate::contract::Feedback;

/// Feedback with texts as long as the contract allows.
pub(crate) fn bounded(mut feedback: Feedback) -> Feedback {
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

/// Cuts a text to so many bytes, between two characters.
fn cut(text: &mut String, most: usize) {
    text.truncate(text.floor_char_boundary(most));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Failure, Violation};

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
