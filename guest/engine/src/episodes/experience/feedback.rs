//! Feedback: how a task went, in one word.
//!
//! Owns the words of the older form, which is text alone, and what the end of a run means in the newer one.

use twiceshy_wit::memory::{FeedbackType, Outcome};

/// How a text says that a task went, by its first word; none if it does not say.
pub(crate) fn kind_of(feedback: &str) -> Option<FeedbackType> {
    let word: String = feedback
        .trim_start()
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
        .flat_map(char::to_lowercase)
        .map(|c| if c == '_' { '-' } else { c })
        .collect();
    Some(match word.as_str() {
        "success" | "successful" | "succeeded" | "correct" | "passed" | "pass" | "done" | "ok" => {
            FeedbackType::Success
        }
        "failure" | "failed" | "fail" | "incorrect" | "wrong" | "error" => FeedbackType::Failure,
        "partial" | "partially" => FeedbackType::Partial,
        "in-progress" | "unfinished" => FeedbackType::InProgress,
        _ => return None,
    })
}

/// The end of a run in the words of feedback.
pub(crate) fn of_outcome(outcome: Outcome) -> FeedbackType {
    match outcome {
        Outcome::Success => FeedbackType::Success,
        Outcome::Failure => FeedbackType::Failure,
        Outcome::Partial => FeedbackType::Partial,
        Outcome::Abandoned => FeedbackType::InProgress,
    }
}

/// The outcome of the episode that an experience is.
pub(crate) fn outcome(kind: Option<FeedbackType>) -> Outcome {
    match kind {
        Some(FeedbackType::Success) => Outcome::Success,
        Some(FeedbackType::Failure) => Outcome::Failure,
        Some(FeedbackType::Partial) => Outcome::Partial,
        Some(FeedbackType::InProgress) | None => Outcome::Abandoned,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_says_how_it_went() {
        for (text, kind) in [
            ("success", Some(FeedbackType::Success)),
            (" Correct: 42", Some(FeedbackType::Success)),
            ("failed, the file is missing", Some(FeedbackType::Failure)),
            ("IN_PROGRESS", Some(FeedbackType::InProgress)),
            ("partial", Some(FeedbackType::Partial)),
            ("unsuccessful", None),
            ("", None),
        ] {
            assert_eq!(kind_of(text), kind, "{text}");
        }
    }
}
