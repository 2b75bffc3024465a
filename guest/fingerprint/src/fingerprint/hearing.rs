//! What the words of one line say: that it is an error, that something failed, that it is only advice.
//!
//! It owns listening to a line, word by word; it is the innermost loop of a long log. It does not rank lines
//! and does not look at more than one of them.

use twiceshy_text::script::is_unspaced;

use super::words::{self, Class};

/// What the words of a line say.
#[derive(Default, Clone, Copy)]
pub(super) struct Said {
    /// It calls itself an error, where a tool does so.
    pub error: bool,
    /// It tells of a failure.
    pub cue: bool,
    /// A cue that a mere warning seldom has: `failed`, and not `no longer`, `unused`.
    pub hard: bool,
    /// It calls itself advice, progress or a warning.
    pub quiet: bool,
    /// It counts errors.
    pub summary: bool,
}

/// How much of a line is listened to: what calls itself an error does so early.
const HEARD: usize = 400;

const LETTER: u8 = 1;
const DIGIT: u8 = 2;
const FOREIGN: u8 = 4;

/// What a byte is, looked up instead of compared: this is the innermost loop of a long log.
static KINDS: [u8; 256] = {
    let mut out = [0; 256];
    let mut b = 0;
    while b < 256 {
        out[b] = match b as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            0x80.. => FOREIGN,
            _ => 0,
        };
        b += 1;
    }
    out
};

pub(super) fn listen(body: &str, until_quiet: bool) -> Said {
    let bytes = &body.as_bytes()[..body.len().min(HEARD)];
    let mut said = Said::default();
    let mut words = 0;
    let mut i = 0;
    while i < bytes.len() {
        match KINDS[bytes[i] as usize] {
            LETTER => {}
            FOREIGN => {
                i += hear_foreign(body, i, &mut said, &mut words);
                continue;
            }
            _ => {
                i += 1;
                continue;
            }
        }
        let start = i;
        while i < bytes.len()
            && (KINDS[bytes[i] as usize] & (LETTER | DIGIT) != 0
                || bytes[i] == b'\'' && bytes.get(i + 1).is_some_and(u8::is_ascii_alphabetic))
        {
            i += 1;
        }
        if i < bytes.len() && bytes[i] >= 0x80 {
            // `Błąd`, `Größe`: the word goes on in letters that are not ASCII.
            i = start + hear_foreign(body, start, &mut said, &mut words).max(i - start);
            while i < bytes.len() && KINDS[bytes[i] as usize] != 0 {
                i += 1;
            }
            if said.error {
                break;
            }
            continue;
        }
        let word = &bytes[start..i];
        words += 1;
        match words::class(word) {
            Some(Class::Severity) => hear_severity(bytes, start, i, words, &mut said),
            Some(Class::Cue) if !counted(bytes, start) => {
                said.cue = true;
                said.hard |= !is_soft(word);
            }
            Some(Class::Noun) if bad_status(word, &bytes[i..]) => said.cue = true,
            Some(Class::Warning) if words <= 4 && !said.error => said.quiet = true,
            Some(Class::Quiet) if words <= 2 && !said.error => said.quiet = true,
            None if names_exception(word) => hear_exception(bytes, start, i, words, &mut said),
            _ => {}
        }
        if said.error || said.quiet && until_quiet {
            break;
        }
    }
    said
}

/// Hears the word at `at`, which does not begin with an ASCII letter, and says how many bytes to go on.
fn hear_foreign(body: &str, at: usize, said: &mut Said, words: &mut usize) -> usize {
    if !body.is_char_boundary(at) {
        return 1;
    }
    let rest = &body[at..];
    let Some(c) = rest.chars().next() else {
        return 1;
    };
    let unspaced = is_unspaced(c);
    // Signs between words; asking for the class of every letter would cost more than all the rest.
    if matches!(c, '\u{80}'..='\u{bf}' | '\u{2000}'..='\u{2bff}') {
        return c.len_utf8();
    }
    *words += 1;
    match words::foreign(rest) {
        Some(Class::Severity) => said.error = true,
        Some(Class::Cue) => said.cue = true,
        Some(Class::Warning) if *words <= 3 => said.quiet = true,
        _ => {}
    }
    if unspaced {
        return c.len_utf8();
    }
    // The rest of the word, up to the next ASCII byte: endings say nothing.
    rest.bytes().take_while(|b| *b >= 0x80).count()
}

/// `error` is a headline when it stands where a tool puts it, and only a cue in the middle of prose.
fn hear_severity(bytes: &[u8], start: usize, end: usize, words: usize, said: &mut Said) {
    let word = &bytes[start..end];
    // A level is written in capitals and may stand behind any number.
    if counted(bytes, start) && !word.iter().all(u8::is_ascii_uppercase) {
        said.summary = true;
        return;
    }
    let before = start.checked_sub(1).map(|n| bytes[n]);
    let after = bytes.get(end).copied();
    let placed = words == 1
        || word[0].is_ascii_uppercase()
        || word == b"panicked"
        || matches!(after, Some(b':' | b'[' | b']' | b'!' | b'"'))
        || bytes[..start].ends_with(b": ")
        || bytes[..start].ends_with(b"  ");
    let part_of_name = matches!(before, Some(b'_' | b'-' | b'.' | b'/'))
        || matches!(after, Some(b'_' | b'-' | b'.' | b'/' | b'('));
    if placed && !part_of_name {
        said.error = true;
    } else {
        said.cue = true;
    }
}

/// Cues that ordinary advice is full of.
fn is_soft(word: &[u8]) -> bool {
    let soft: [&[u8]; 13] = [
        b"not",
        b"no",
        b"unused",
        b"without",
        b"many",
        b"few",
        b"extra",
        b"already",
        b"never",
        b"required",
        b"requires",
        b"expected",
        b"don't",
    ];
    soft.iter().any(|s| s.eq_ignore_ascii_case(word))
}

/// `status 503`, `code: 404`: a status that servers give to what went wrong.
fn bad_status(word: &[u8], after: &[u8]) -> bool {
    if !(word.eq_ignore_ascii_case(b"status") || word.eq_ignore_ascii_case(b"code")) {
        return false;
    }
    let from = after
        .iter()
        .take(3)
        .take_while(|b| matches!(b, b' ' | b':' | b'=' | b'"'))
        .count();
    matches!(&after[from..], [b'4' | b'5', b'0'..=b'9', b'0'..=b'9', rest @ ..] if !rest.first().is_some_and(u8::is_ascii_alphanumeric))
}

/// `TypeError`, `java.io.IOException`: a class of errors by its name.
fn names_exception(word: &[u8]) -> bool {
    let tail = |suffix: &[u8]| word.len() > suffix.len() && word.ends_with(suffix);
    word[0].is_ascii_uppercase()
        && (tail(b"Error") || tail(b"Exception") || tail(b"Panic") || tail(b"Failure"))
}

fn hear_exception(bytes: &[u8], start: usize, end: usize, words: usize, said: &mut Said) {
    let ends_clause = matches!(bytes.get(end), None | Some(b':' | b')' | b'[' | b']'));
    if ends_clause
        || words == 1
        || bytes[..start].ends_with(b".") && !bytes[..start].contains(&b' ')
    {
        said.error = true;
    } else {
        said.cue = true;
    }
}

/// `1 error`, `0 failed`: a count, as summaries have it; `12:5  error` is not one.
fn counted(bytes: &[u8], start: usize) -> bool {
    let Some(before) = bytes[..start].strip_suffix(b" ") else {
        return false;
    };
    let digits = before
        .iter()
        .rev()
        .take_while(|b| b.is_ascii_digit())
        .count();
    // `409 Conflict` is a status and not a count.
    if digits == 3 && matches!(before[before.len() - 3], b'4' | b'5') {
        return false;
    }
    let lead = before.len().checked_sub(digits + 1).map(|n| before[n]);
    (digits > 0 && !matches!(lead, Some(b':' | b'.' | b',' | b'#' | b'-')))
        || before.ends_with(b"no")
        || before.ends_with(b"without")
}

#[cfg(test)]
mod tests {
    use super::listen;

    #[test]
    fn a_line_calls_itself_an_error_only_where_a_tool_does_so() {
        assert!(listen("error: x", false).error);
        assert!(listen("a.c:1:2: error: x", false).error);
        assert!(listen("2026-03-01 ERROR x", false).error);
        assert!(listen("java.io.IOException: x", false).error);
        assert!(listen("Błąd: x", false).error);
        assert!(!listen("it ran without error today", false).error);
        assert!(!listen("see error_log for it", false).error);
    }

    #[test]
    fn advice_and_warnings_are_quiet() {
        assert!(listen("warning: unused variable", false).quiet);
        assert!(listen("npm warn deprecated x", false).quiet);
        assert!(listen("INFO all is well", false).quiet);
        assert!(!listen("error: see the warning above", false).quiet);
    }

    #[test]
    fn counts_are_summaries_and_a_status_is_none() {
        assert!(listen("2 errors and 1 error", false).summary);
        assert!(!listen("0 failed", false).cue);
        assert!(listen("409 Conflict", false).cue);
        assert!(listen("answered with status 503", false).cue);
        assert!(!listen("answered with status 200", false).cue);
    }
}
