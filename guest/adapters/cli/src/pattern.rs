//! Patterns: the regular expressions of expectations, and where they are found.
//!
//! Owns their limits. The search is linear in the text, but a hostile pattern makes every byte of it
//! expensive, so the size of a pattern and the text that all patterns of a step search together are
//! bounded. A pattern without special characters is a plain text and is looked for everywhere.
//! What is beyond the bound is not known, which is another answer than not found.

use regex_lite::{Regex, RegexBuilder};
use twiceshy_adapter::{Error, refused};

/// A pattern in bytes: a long line fits.
const PATTERN_BYTES: usize = 1 << 10;

/// A compiled pattern in bytes: some hundred states, each of which may cost time on each byte.
const COMPILED_BYTES: usize = 16 << 10;

/// What all regular expressions of a step search together, in bytes of text.
const SEARCHED_BYTES: usize = 512 << 10;

/// What one regular expression searches at most, in bytes of text.
const WINDOW_BYTES: usize = 256 << 10;

/// What looking for a pattern gives.
#[derive(Debug, PartialEq)]
pub(crate) enum Found<'a> {
    /// It is in this line.
    In(&'a str),
    /// It is nowhere in the text.
    Nowhere,
    /// It is not in the part that was searched.
    Unknown,
}

/// A text or regular expression to look for.
#[derive(Debug)]
pub(crate) struct Pattern {
    source: String,
    /// None for a plain text.
    regex: Option<Regex>,
}

impl Pattern {
    /// Reads a pattern that stands at `member`.
    pub(crate) fn read(member: &str, source: &str) -> Result<Self, Error> {
        let refuse = |cause: &str| {
            let shown: String = source.chars().take(80).collect();
            refused(member, &format!("the pattern {shown:?} {cause}"))
        };
        if source.len() > PATTERN_BYTES {
            return Err(refuse(&format!(
                "has {} bytes, and at most {PATTERN_BYTES} are allowed",
                source.len()
            )));
        }
        let regex = if source.contains(|c| r"\.+*?()|[]{}^$".contains(c)) {
            let built = RegexBuilder::new(source)
                .multi_line(true)
                .crlf(true)
                .size_limit(COMPILED_BYTES)
                .nest_limit(32)
                .build()
                .map_err(|error| refuse(&format!("is not valid: {error}")))?;
            Some(built)
        } else {
            None
        };
        Ok(Self {
            source: source.to_owned(),
            regex,
        })
    }

    /// The pattern as it was written.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// Looking for it is expensive.
    pub(crate) fn is_regex(&self) -> bool {
        self.regex.is_some()
    }

    /// Looks for the pattern in a text; a regular expression is looked for in at most `window` bytes.
    pub(crate) fn find<'a>(&self, text: &'a str, window: usize) -> Found<'a> {
        let Some(regex) = &self.regex else {
            return text
                .find(&self.source)
                .map_or(Found::Nowhere, |at| Found::In(line_at(text, at)));
        };
        if text.len() <= window {
            return regex.find(text).map_or(Found::Nowhere, |found| {
                Found::In(line_at(text, found.start()))
            });
        }
        // Head and tail in whole lines, if there are any: no anchor should hold at the cut.
        let head = &text[..text.floor_char_boundary(window / 3)];
        let head = &head[..head.rfind('\n').map_or(head.len(), |at| at + 1)];
        let tail = &text[text.ceil_char_boundary(text.len() - window / 3 * 2)..];
        let tail = &tail[tail.find('\n').map_or(0, |at| at + 1)..];
        [head, tail]
            .into_iter()
            .find_map(|part| Some(Found::In(line_at(part, regex.find(part)?.start()))))
            .unwrap_or(Found::Unknown)
    }
}

/// How much text each of some regular expressions may search.
pub(crate) fn window(expressions: usize) -> usize {
    (SEARCHED_BYTES / expressions.max(1)).min(WINDOW_BYTES)
}

fn line_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    text[start..end].trim_end_matches('\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find<'a>(pattern: &str, text: &'a str) -> Found<'a> {
        Pattern::read("p", pattern)
            .expect("a pattern")
            .find(text, window(1))
    }

    #[test]
    fn a_pattern_is_found_with_its_line() {
        let text = "one\r\n5 passed in 0.1s\nend";
        assert_eq!(find("passed", text), Found::In("5 passed in 0.1s"));
        assert_eq!(find(r"^\d+ passed", text), Found::In("5 passed in 0.1s"));
        assert_eq!(find("one$", text), Found::In("one"));
        assert_eq!(find("(?i)END", text), Found::In("end"));
        assert_eq!(find(r"failed|error", text), Found::Nowhere);
        assert_eq!(find("", ""), Found::In(""));
    }

    #[test]
    fn a_bad_pattern_is_refused_with_its_text_and_the_cause() {
        let big = "x".repeat(PATTERN_BYTES + 1);
        for pattern in [
            "(",
            "[z-a]",
            r"\p{Greek}",
            "a{1000}{1000}",
            &"(".repeat(50),
            &big,
        ] {
            let Err(Error::InvalidInput(told)) = Pattern::read("expectations.x[0]", pattern) else {
                panic!("{pattern}");
            };
            assert!(
                told.starts_with("expectations.x[0]: the pattern \""),
                "{told}"
            );
            assert!(told.contains(&pattern[..1]) && told.len() < 300, "{told}");
        }
    }

    #[test]
    fn a_plain_text_is_looked_for_everywhere_and_an_expression_in_head_and_tail() {
        let mut text = "line of output\n".repeat(20_000);
        text.push_str("the needle\n");
        text.push_str(&"line of output\n".repeat(200_000));
        text.push_str("last 7 lines\n");
        assert_eq!(find("needle", &text), Found::In("the needle"));
        assert_eq!(find("ne+dle", &text), Found::Unknown);
        assert_eq!(find(r"^last \d", &text), Found::In("last 7 lines"));
        assert_eq!(find(r"\Aline", &text), Found::In("line of output"));
    }

    #[test]
    fn a_hostile_pattern_on_a_huge_text_looks_at_a_part_of_it() {
        let text = format!("{}\n{}", "a".repeat(2 << 20), "a".repeat(2 << 20));
        for source in ["(a|a|a|a|a){30}c", "(.*)*(.*)*(.*)*b", "(a*)*c"] {
            assert_eq!(find(source, &text), Found::Unknown, "{source}");
        }
    }
}
