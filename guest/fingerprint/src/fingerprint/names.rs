//! Identifiers: which of them are somebody's names, and which are names of errors.
//!
//! It owns the difference between `fetchUser`, which is volatile, and `NotFound`, `no_progress`, `ENOENT`,
//! which are meaning. It does not know where in a message an identifier stands.

use super::words;

/// What a token is by its shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Volatile: the token becomes this hole.
    Hole(&'static str),
    /// An identifier that carries no failure meaning.
    Name,
    /// A word of the language, or a name that speaks of failure.
    Word,
}

/// Identifiers become names, unless one of their parts speaks of failure (`NotFound`, `no_progress`, `SQLITE_BUSY`).
pub(super) fn name(token: &str) -> Shape {
    let bytes = token.as_bytes();
    if token.starts_with(['$', '&', '%', '@', '*'])
        && bytes
            .get(1)
            .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
    {
        return Shape::Name;
    }
    if bytes[0] == b'-' && bytes.iter().any(u8::is_ascii_alphabetic) && bytes.len() > 1 {
        return Shape::Hole("<opt>");
    }
    if is_errno(bytes) {
        return Shape::Word;
    }
    let qualified =
        token.contains("::") || token.trim_end_matches('.').contains('.') || token.contains("->");
    if qualified {
        let last = token
            .rsplit(['.', ':', '>'])
            .find(|p| !p.is_empty())
            .unwrap_or(token);
        let abbreviation = token.split('.').all(|p| p.len() <= 1);
        // A template has the names of errors in lowercase.
        let last_lower = names_error(last);
        return if last_lower || abbreviation || (is_compound(last) && speaks_of_failure(last)) {
            Shape::Word
        } else {
            Shape::Name
        };
    }
    if is_compound(token) {
        return if speaks_of_failure(token) {
            Shape::Word
        } else {
            Shape::Name
        };
    }
    Shape::Word
}

/// `keyerror`, `ioexception`: the name of an error as a template holds it.
pub(crate) fn names_error(token: &str) -> bool {
    ["error", "exception", "violation"]
        .iter()
        .any(|s| token.len() > s.len() && token.ends_with(s))
}

/// Names of system errors: `ENOENT`, `ECONNREFUSED`, `SIGSEGV`.
fn is_errno(bytes: &[u8]) -> bool {
    bytes.len() >= 4
        && bytes.iter().all(u8::is_ascii_uppercase)
        && (bytes[0] == b'E' || bytes.starts_with(b"SIG"))
}

/// Whether an identifier is put together from parts: `snake_case`, `camelCase`, `tally2`.
fn is_compound(token: &str) -> bool {
    let bytes = token.as_bytes();
    let camel = bytes
        .windows(2)
        .any(|w| w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase())
        || bytes.windows(3).any(|w| {
            w[0].is_ascii_uppercase()
                && w[1].is_ascii_uppercase()
                && w[2].is_ascii_lowercase()
                && bytes.len() > 4
        });
    let digit = bytes.iter().any(u8::is_ascii_digit) && bytes.iter().any(u8::is_ascii_alphabetic);
    camel || digit || token.contains('_')
}

/// Whether a part of the identifier is a failure word.
pub(crate) fn speaks_of_failure(token: &str) -> bool {
    if token.bytes().any(|b| b.is_ascii_digit())
        && !token.contains('_')
        && !token.ends_with("Error")
        && !token.ends_with("Exception")
    {
        return false;
    }
    parts(token).any(|p| {
        words::is_failure(p.as_bytes())
            || matches!(
                p.to_ascii_lowercase().as_str(),
                "progress" | "progressed" | "timedout" | "notfound"
            )
    }) || token.bytes().all(|b| b.is_ascii_uppercase() || b == b'_') && token.starts_with("ERR")
}

/// The parts of an identifier: cut at `_` and `-`, and where the case rises.
fn parts(token: &str) -> impl Iterator<Item = &str> {
    token.split(['_', '-']).flat_map(|piece| {
        let bytes = piece.as_bytes();
        let mut cuts = vec![0];
        for i in 1..bytes.len() {
            let rise = bytes[i].is_ascii_uppercase()
                && (bytes[i - 1].is_ascii_lowercase()
                    || bytes.get(i + 1).is_some_and(u8::is_ascii_lowercase));
            if rise && piece.is_char_boundary(i) {
                cuts.push(i);
            }
        }
        cuts.push(bytes.len());
        (1..cuts.len())
            .map(|i| &piece[cuts[i - 1]..cuts[i]])
            .collect::<Vec<_>>()
    })
}

/// `E0308`, `TS2322`, `ORA-00942`, `42S02`: what an error code looks like when it stands where codes stand.
pub(crate) fn is_code(token: &str) -> bool {
    let bytes = token.as_bytes();
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    let upper = bytes.iter().filter(|b| b.is_ascii_uppercase()).count();
    let joints = bytes.iter().filter(|b| matches!(b, b'-' | b'_')).count();
    digits + upper + joints == bytes.len()
        && (2..=8).contains(&digits)
        && (1..=8).contains(&upper)
        && joints <= 1
        && bytes[0].is_ascii_alphanumeric()
}

/// A code as a template holds it: `e0308`, `ts2322`, `ora-00942`. Few letters, many digits, so that `line12` is none.
pub(crate) fn is_lower_code(token: &str) -> bool {
    let letters = token.bytes().filter(u8::is_ascii_lowercase).count();
    let digits = token.bytes().filter(u8::is_ascii_digit).count();
    letters <= 4
        && digits >= 3
        && is_code(&token.to_ascii_uppercase())
        && token.bytes().all(|b| !b.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::shape::of;

    #[test]
    fn names_are_told_from_words_and_from_names_of_errors() {
        for t in [
            "total_rows",
            "fetchUser",
            "TALLY2",
            "line12",
            "com.acme.Shop",
            "std::string",
            "$x",
        ] {
            assert_eq!(of(t), Shape::Name, "{t}");
        }
        for t in [
            "word",
            "ValueError",
            "java.lang.NullPointerException",
            "no_progress",
            "constraint_failed",
            "SQLITE_BUSY",
            "ENOENT",
            "NotFound",
            "and/or",
            "e.g",
            "мир",
        ] {
            assert_eq!(of(t), Shape::Word, "{t}");
        }
    }

    #[test]
    fn codes_are_known_by_their_form() {
        assert!(
            ["E0308", "TS2322", "ORA-00942", "42S02", "GHC-88464"]
                .iter()
                .all(|c| is_code(c))
        );
        assert!(["line12", "TALLY2", "E1", "12"].iter().all(|c| !is_code(c)));
    }
}
