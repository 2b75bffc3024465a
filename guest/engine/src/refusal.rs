//! Refusals: why the engine refuses an argument, as a type that becomes text here and nowhere else.
//!
//! Owns the wording: what was wrong with which member, and what to do. What is allowed is the business of the nouns'
//! own modules.

use std::{fmt, ops::RangeInclusive};

use twiceshy_wit::memory::Error;

use crate::secrets;

/// How many characters of an unknown id an error repeats.
const SHOWN_CHARACTERS: usize = 100;

/// An argument that is refused, or a memory that does not exist.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Refusal {
    /// A member of the arguments is not valid.
    Member {
        /// Its name in the contract, such as `run.task`.
        member: String,
        cause: Cause,
    },
    /// There is no such memory.
    Unknown {
        /// What it is, such as `lesson`.
        noun: &'static str,
        id: String,
        /// The function of the contract that lists all of them.
        listed_by: &'static str,
    },
}

/// What is wrong with a member.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cause {
    Empty {
        advice: &'static str,
    },
    TooLarge {
        size: usize,
        unit: Unit,
        most: usize,
        advice: &'static str,
    },
    OutOfRange {
        value: String,
        least: String,
        most: String,
    },
}

/// What the size of a member is counted in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Unit {
    Entries,
    Bytes,
    Characters,
}

/// Refuses a text that is empty or only white space. The advice says what to give instead.
pub(crate) fn not_empty(member: &str, text: &str, advice: &'static str) -> Result<(), Refusal> {
    match text.trim().is_empty() {
        true => Err(Refusal::member(member, Cause::Empty { advice })),
        false => Ok(()),
    }
}

/// Refuses a text or a list that is too large. The advice says what to do about it.
pub(crate) fn at_most(
    member: &str,
    size: usize,
    unit: Unit,
    most: usize,
    advice: &'static str,
) -> Result<(), Refusal> {
    let cause = Cause::TooLarge {
        size,
        unit,
        most,
        advice,
    };
    match size > most {
        true => Err(Refusal::member(member, cause)),
        false => Ok(()),
    }
}

/// Refuses a text of too many bytes.
pub(crate) fn bytes(member: &str, size: usize, most: usize) -> Result<(), Refusal> {
    at_most(member, size, Unit::Bytes, most, "shorten it")
}

/// Refuses a list of too many entries.
pub(crate) fn entries(member: &str, size: usize, most: usize) -> Result<(), Refusal> {
    at_most(member, size, Unit::Entries, most, "leave some out")
}

/// Refuses a number that is out of its range, and anything that is not a number.
pub(crate) fn within<N: PartialOrd + fmt::Display>(
    member: &str,
    value: N,
    range: RangeInclusive<N>,
) -> Result<(), Refusal> {
    let cause = Cause::OutOfRange {
        value: value.to_string(),
        least: range.start().to_string(),
        most: range.end().to_string(),
    };
    match range.contains(&value) {
        true => Ok(()),
        false => Err(Refusal::member(member, cause)),
    }
}

/// The error for a memory that does not exist.
pub(crate) fn unknown(noun: &'static str, id: &str, listed_by: &'static str) -> Error {
    let id = secrets::mask(id).chars().take(SHOWN_CHARACTERS).collect();
    Refusal::Unknown {
        noun,
        id,
        listed_by,
    }
    .into()
}

impl Refusal {
    fn member(member: &str, cause: Cause) -> Self {
        Self::Member {
            member: member.to_owned(),
            cause,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Member { member, cause } => match cause {
                Cause::Empty { advice } => write!(formatter, "`{member}` is empty; {advice}"),
                Cause::TooLarge {
                    size,
                    unit,
                    most,
                    advice,
                } => write!(
                    formatter,
                    "`{member}` has {size} {unit}, and at most {most} are allowed; {advice}"
                ),
                Cause::OutOfRange { value, least, most } => write!(
                    formatter,
                    "`{member}` is {value}; it must be from {least} to {most}"
                ),
            },
            Self::Unknown {
                noun,
                id,
                listed_by,
            } => write!(
                formatter,
                "There is no {noun} `{id}`. `{listed_by}` lists all of them."
            ),
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Entries => "entries",
            Self::Bytes => "bytes",
            Self::Characters => "characters",
        })
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Member { .. } => Self::InvalidArgument(refusal.to_string()),
            Refusal::Unknown { .. } => Self::NotFound(refusal.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_is_wrong_with_what_and_what_to_do() {
        let text = |refused: Result<(), Refusal>| refused.unwrap_err().to_string();
        assert_eq!(
            text(not_empty("rule-text", " \n", "say what to do")),
            "`rule-text` is empty; say what to do"
        );
        assert_eq!(
            text(at_most("tags", 33, Unit::Entries, 32, "leave some out")),
            "`tags` has 33 entries, and at most 32 are allowed; leave some out"
        );
        assert_eq!(
            text(within("score", f64::NAN, 0.0..=1.0)),
            "`score` is NaN; it must be from 0 to 1"
        );
        assert_eq!(within("score", 1.0, 0.0..=1.0), Ok(()));
    }

    #[test]
    fn an_unknown_id_is_masked_and_cut_before_it_is_repeated() {
        let id = format!(
            "ghp_0123456789abcdefghij0123456789abcdef {}",
            "x".repeat(500)
        );
        let Error::NotFound(text) = unknown("lesson", &id, "lessons.find") else {
            panic!("another error")
        };
        assert!(!text.contains("ghp_"), "{text}");
        assert!(text.len() < 200, "{text}");
    }
}
