//! Passwords that stand a blank behind their name: `bindpw X`, `SetEnv DB_PASSWORD X`, `(setq smtp-password "X")`.
//!
//! This module owns lines of settings and sentences that put nothing but a blank between the two. Prose does the same
//! (`password column2`), so a value has to look like a password by itself and, without quotes, to end its line.

use super::bytes::*;
use super::lexicon::{ERRORS, PROSE, listed};
use super::names::{Level, classify};
use super::values::{Value, extent, is_password, stands_for_nothing};
use super::{Kind, Span, calls};

/// What the names end with.
const ENDS: [&[u8]; 5] = [b"password", b"passwd", b"passphrase", b"pw", b"pass"];

/// Beginnings of what a program calls a type or a method of hashing.
const TECHNICAL: [&[u8]; 13] = [
    b"varchar",
    b"nvarchar",
    b"string",
    b"int",
    b"uint",
    b"float",
    b"utf",
    b"sha",
    b"md",
    b"bytes",
    b"base",
    b"bcrypt",
    b"pbkdf",
];

const SHORTEST: usize = 6;

/// Whether a word that ends so may be such a name: nearly all of a text ends here.
#[inline]
pub(super) fn may_end(word: &[u8], next: u8) -> bool {
    matches!(next, b' ' | b'\t')
        && word.len() > 3
        && matches!(word[word.len() - 1] | 0x20, b'd' | b'e' | b'w' | b's')
        && ENDS.iter().any(|end| {
            let from = word.len().saturating_sub(end.len());
            word[from..].eq_ignore_ascii_case(end)
        })
}

/// The password behind the name whose last word is between `i` and `end`.
pub(super) fn value_at(t: &[u8], i: usize, end: usize, floor: usize) -> Option<Span> {
    let start = run_back(t, i, floor.max(i.saturating_sub(64)), URLSAFE | DOT);
    let name = &t[start..end];
    let value = extent(t, skip_blanks(t, end), start)?;
    let v = &t[value.start..value.end];
    // A function that asks for one has nothing to hide.
    let asks = !name.contains(&b'-') && listed(calls::ASKING, calls::first_word(name));
    // A flag is read with its dashes, elsewhere.
    if name[0] == b'-' || asks || !looks_chosen(v) {
        return None;
    }
    let is_pass = name.eq_ignore_ascii_case(b"pass");
    let said = classify(name)
        .filter(|said| said.kind == Kind::Password && (said.level == Level::Sure || is_pass))?;
    let fits = match value.quoted {
        true => !is_pass,
        false => {
            ends_line(t, value) && (!said.bare || is_told(t, start, is_pass))
                || !is_pass && is_handed(t, start) && is_strong(v)
        }
    };
    fits.then(|| Span {
        start: value.start,
        end: value.to_its_end(t).end,
        kind: Kind::Password,
    })
}

/// Whether somebody may have chosen this as a password: letters and digits, and nothing of a path, a name of a file or of code.
fn looks_chosen(v: &[u8]) -> bool {
    let m = mix(v);
    let file = v.iter().rposition(|b| *b == b'.').is_some_and(|dot| {
        dot > 0
            && (1..=5).contains(&(v.len() - dot - 1))
            && v[dot + 1..].iter().all(|b| is(*b, ALNUM))
    });
    v.len() >= SHORTEST
        && is_password(v)
        && m.digit > 0
        && m.upper + m.lower > 0
        && !file
        && !v
            .iter()
            .any(|b| matches!(b, b'/' | b'(' | b'=' | b':' | b'<' | b'[' | b'{' | b'|'))
        && !v.starts_with(b"-")
        && !TECHNICAL.iter().any(|word| starts_ci(v, 0, word))
        && !listed(ERRORS, v)
        && !listed(PROSE, v)
        && !stands_for_nothing(v)
}

/// Whether nobody writes such a word but as a password: letters of both cases and digits, or a mark among them.
fn is_strong(v: &[u8]) -> bool {
    let m = mix(v);
    let marks = v.iter().filter(|b| b"!@#$%^&*?+~".contains(b)).count();
    v.len() >= 8 && m.lower > 0 && (m.upper > 0 && m.digit >= 2 || marks > 0)
}

/// Whether a sentence hands the password over: `as admin with password X`.
fn is_handed(t: &[u8], start: usize) -> bool {
    let before = t[start.saturating_sub(16)..start].trim_ascii_end();
    [&b" with"[..], b" using", b" and", b" mit"]
        .iter()
        .any(|word| before.ends_with(word))
}

/// Whether nothing but the end of a quoted script follows on the line.
fn ends_line(t: &[u8], value: Value) -> bool {
    let rest = skip_blanks(t, value.end);
    rest == line_end(t, rest) || matches!(at(t, value.end), b'"' | b'\'' | b'\\')
}

/// Whether a plain word announces a password here: it begins a line of settings, or a user stands before it.
fn is_told(t: &[u8], start: usize, is_pass: bool) -> bool {
    let before = &t[start.saturating_sub(64)..start];
    let line = before
        .rsplit(|b| matches!(b, b'\n' | b'\r'))
        .next()
        .unwrap_or(before);
    let mut words = line
        .rsplit(|b| is(*b, SPACE))
        .filter(|word| !word.is_empty());
    let (last, second) = (words.next(), words.next());
    let user = |word: Option<&[u8]>| {
        word.is_some_and(|word| matches!(word, b"user" | b"username" | b"login"))
    };
    match last {
        None => !is_pass && line.len() < 64,
        Some(b"set") => !is_pass,
        Some(b"and") => !is_pass && (user(second) || user(words.next())),
        Some(_) => user(second),
    }
}

#[cfg(test)]
mod tests {
    use super::super::mask;

    #[test]
    fn a_password_a_blank_behind_its_name_is_hidden() {
        for text in [
            "bindpw §",
            "SetEnv DB_PASSWORD §",
            "password       §",
            "user admin insecure-password §",
            "grafana-cli admin reset-admin-password §",
            "(setq smtp-password \"§\")",
            "{:db-password \"§\"}",
            "storePassword '§'",
            "ALTER ROLE app WITH LOGIN PASSWORD '§';",
            "log in with user admin and password §",
            "rclone config create r sftp user bob pass §",
        ] {
            let masked = mask(&text.replace('§', "hunter2x")).into_owned();
            assert_eq!(masked, text.replace('§', "<secret:password>"));
        }
    }

    #[test]
    fn a_password_that_a_sentence_hands_over_is_hidden_in_its_middle() {
        for password in ["Hunter22x", "hunter+2wo"] {
            let text = format!("log in as admin with password {password} and restart it");
            let masked = mask(&text).into_owned();
            assert_eq!(masked, text.replace(password, "<secret:password>"));
        }
    }

    #[test]
    fn words_behind_a_password_that_are_none_stay() {
        for text in [
            "ask bob for the password of staging2",
            "no such field: password column2",
            "FAILED test_wrong_password case12",
            "check_password user1234",
            "password varchar255",
            "grep -n password \"auth2.py\"",
            "password '/etc/pw2file'",
            "the reset_password handler2 is missing",
            "db_password sha256-hashed",
            "sign in with password column2 and go on",
        ] {
            assert_eq!(mask(text), text);
        }
    }
}
