//! Owns the version of a document: whether a change may happen, and what number comes next.
//!
//! It does not know how a store finds the present version, nor how it makes the change.

use twiceshy_wit::host::{Error, Key, Precondition};

/// Says whether a change of `key`, which now has the version `present`, may happen.
pub fn check(key: &Key, present: Option<u32>, precondition: &Precondition) -> Result<(), Error> {
    let Key { kind, id } = key;
    let cause = match (precondition, present) {
        (Precondition::Anything, _) | (Precondition::Absent, None) => return Ok(()),
        (Precondition::At(expected), Some(version)) if *expected == version => return Ok(()),
        (Precondition::Absent, Some(version)) => {
            format!("should not exist, but has version {version}")
        }
        (Precondition::At(expected), Some(version)) => {
            format!("should have version {expected}, but has {version}")
        }
        (Precondition::At(expected), None) => {
            format!("should have version {expected}, but does not exist")
        }
    };
    Err(Error::Conflict(format!(
        "{kind} `{id}` {cause}; nothing was changed; read it again, then retry"
    )))
}

/// The version of a document after it is written.
pub fn next(key: &Key, present: Option<u32>) -> Result<u32, Error> {
    present.unwrap_or(0).checked_add(1).ok_or_else(|| {
        Error::Other(format!(
            "{} `{}` was written {} times, which is the largest version; remove it first",
            key.kind,
            key.id,
            u32::MAX
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_says_what_was_expected_and_what_is_there() {
        let key = Key {
            kind: "lesson".into(),
            id: "a".into(),
        };
        let message = |present, precondition| match check(&key, present, &precondition) {
            Err(Error::Conflict(message)) => message,
            other => panic!("no conflict: {other:?}"),
        };
        assert!(
            message(Some(3), Precondition::At(2))
                .starts_with("lesson `a` should have version 2, but has 3;")
        );
        assert!(message(None, Precondition::At(2)).contains("but does not exist"));
        assert!(
            message(Some(1), Precondition::Absent).contains("should not exist, but has version 1")
        );
    }

    #[test]
    fn versions_count_from_one_and_end_at_the_largest() {
        let key = Key {
            kind: "lesson".into(),
            id: "a".into(),
        };
        assert_eq!(next(&key, None), Ok(1));
        assert_eq!(next(&key, Some(1)), Ok(2));
        assert!(next(&key, Some(u32::MAX)).is_err());
    }
}
