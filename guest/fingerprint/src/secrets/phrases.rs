//! Phrases: a secret that follows a word without a separator.
//!
//! This module owns `.netrc`, the statements of SQL, the lines of protocols and of shells that set a variable
//! (`ENV NAME X`, `setenv NAME X`, `set -x NAME X`), and prose such as *the password is X*. It is asked at word starts, and
//! a table of byte pairs turns away nearly all of those.

use super::bytes::*;
use super::lexicon::{ERRORS, PROSE, SENTENCE, listed};
use super::names::{Level, classify};
use super::tongues;
use super::values::{Style, Value, extent, is_password, is_secret, stands_for_nothing};
use super::{Kind, Span, commands};

/// Words that begin a phrase, and whether they do so in any case.
const FIRSTS: [(&str, bool); 38] = [
    ("add-mask::", false),
    ("password", true),
    ("passwd", true),
    ("passphrase", true),
    ("passcode", true),
    ("pw ", false),
    ("credentials", true),
    ("creds", true),
    ("PASS ", false),
    ("printf ", false),
    ("identified", true),
    ("requirepass", false),
    ("rabbitmqctl ", false),
    ("masterauth", false),
    ("AUTH ", false),
    ("ENV ", false),
    ("echo ", false),
    ("setenv ", false),
    ("setx ", true),
    ("set ", true),
    ("secret ", false),
    ("convertto-securestring", true),
    ("htpasswd ", false),
    ("net ", false),
    ("wpa_passphrase ", false),
    ("mysqladmin ", false),
    ("vault ", false),
    ("snyk ", false),
    ("nuget ", false),
    ("db2 ", false),
    ("SETUSER ", false),
    ("es ", false),
    ("est ", false),
    ("ist ", false),
    ("lautet ", false),
    ("jest ", false),
    ("je ", false),
    ("là ", false),
];

/// Which byte pairs can begin a phrase, one bit each.
static PAIRS: [u64; 1024] = {
    let mut bits = [0u64; 1024];
    let mut n = 0;
    while n < FIRSTS.len() {
        let word = FIRSTS[n].0.as_bytes();
        let mut cases = 0;
        while cases < if FIRSTS[n].1 { 4 } else { 1 } {
            let a = if cases & 1 == 0 {
                word[0]
            } else {
                word[0].to_ascii_uppercase()
            };
            let b = if cases & 2 == 0 {
                word[1]
            } else {
                word[1].to_ascii_uppercase()
            };
            let pair = (a as usize) << 8 | b as usize;
            bits[pair >> 6] |= 1 << (pair & 63);
            cases += 1;
        }
        n += 1;
    }
    bits
};

/// Whether the two bytes at a word's start can begin a phrase.
#[inline]
pub(super) fn may_begin(a: u8, b: u8) -> bool {
    let pair = (a as usize) << 8 | b as usize;
    PAIRS[pair >> 6] >> (pair & 63) & 1 != 0
}

/// The secret of the phrase at `i`, a word start.
pub(super) fn phrase_at(t: &[u8], i: usize) -> Option<Span> {
    let second = at(t, i + 1) | 0x20;
    let (first, _) = FIRSTS.iter().find(|(first, any)| {
        let word = first.as_bytes();
        word[0] | 0x20 == t[i] | 0x20
            && word[1] | 0x20 == second
            && if *any {
                starts_ci(t, i, word)
            } else {
                t[i..].starts_with(word)
            }
    })?;
    let after = i + first.trim_end().len();
    match *first {
        "password" | "passwd" | "passphrase" | "passcode" => said_after(t, i, after)
            .or_else(|| named_before(t, i, after))
            .or_else(|| spoken(t, i, after)),
        "pw " => said_after(t, i, after),
        "credentials" | "creds" => pair(t, after),
        // GitHub's runner is told by it what never to print.
        "add-mask::" => {
            let value = extent(t, after, i)?;
            (!stands_for_nothing(&t[value.start..value.end])).then(|| whole(t, value))
        }
        "secret " => cisco(t, i, after),
        "identified" => identified(t, after),
        "requirepass" | "masterauth" => {
            let is_set = words_before(t, i)
                .next()
                .is_some_and(|word| word.eq_ignore_ascii_case(b"set"));
            line_of_one(t, i, after, !is_set)
        }
        "AUTH " => auth_line(t, i, after),
        "PASS " if is_login(t, i) => line_of_one(t, i, after, true),
        "ENV " => variable(t, after, false),
        "setenv " | "setx " => variable(t, after, false),
        "set " => variable(t, after, true),
        "convertto-securestring" => {
            let i = skip_blanks(t, after);
            let i = match starts_ci(t, i, b"-string") {
                true => skip_blanks(t, i + 7),
                false => i,
            };
            quoted_at(t, i)
        }
        "echo " | "printf " => commands::piped_at(t, i),
        "SETUSER " => access_list(t, after),
        "es " | "est " | "ist " | "lautet " | "jest " | "je " | "là " => {
            tongues::value_after(t, i, after)
        }
        _ => commands::place_at(t, i),
    }
}

/// The words before `i`, the last one first.
fn words_before(t: &[u8], i: usize) -> impl Iterator<Item = &[u8]> {
    t[i.saturating_sub(200)..i]
        .rsplit(|b| is(*b, SPACE))
        .filter(|w| !w.is_empty())
}

fn is_first_on_line(t: &[u8], i: usize) -> bool {
    let before = &t[..i];
    let line = before
        .iter()
        .rposition(|b| matches!(b, b'\n' | b'\r'))
        .map_or(0, |n| n + 1);
    // A prompt may stand there, with the name of a host.
    let prompt = before[line..].ends_with(b"> ") && !before[line..i - 2].contains(&b' ');
    if prompt && i - line < 64 {
        return true;
    }
    i - line < 32
        && before[line..]
            .iter()
            .all(|b| is(*b, SPACE) || matches!(b, b'>' | b'<' | b'-' | b'*' | b'"' | b'\''))
}

/// A literal between quotes at `i`, behind blanks.
fn quoted_at(t: &[u8], i: usize) -> Option<Span> {
    let i = skip_blanks(t, i);
    if !is_at(t, i, QUOTE) {
        return None;
    }
    let value = extent(t, i, i)?;
    (!stands_for_nothing(&t[value.start..value.end])).then(|| whole(t, value))
}

fn whole(t: &[u8], value: Value) -> Span {
    let Value { start, end, .. } = value.to_its_end(t);
    Span {
        start,
        end,
        kind: Kind::Password,
    }
}

/// `IDENTIFIED BY 'X'`, `IDENTIFIED WITH plugin BY 'X'`.
fn identified(t: &[u8], after: usize) -> Option<Span> {
    let line = &t[after..line_end(t, after).min(after + 96)];
    let by = (0..line.len()).find(|&j| {
        starts_ci(line, j, b"by") && is_at(line, j + 2, SPACE) && j > 0 && is(line[j - 1], SPACE)
    })?;
    let plugin = line[..by].trim_ascii();
    let fits = plugin.is_empty()
        || starts_ci(plugin, 0, b"with") && plugin.iter().all(|b| is(*b, WORD | SPACE | QUOTE));
    let behind = after + by + 2;
    let bare = || {
        let value = extent(t, skip_blanks(t, behind), after)?;
        let v = &t[value.start..value.end];
        let v = v.strip_suffix(b";").unwrap_or(v);
        (!value.quoted && is_password(v)).then_some(Span {
            start: value.start,
            end: value.start + v.len(),
            kind: Kind::Password,
        })
    };
    fits.then(|| quoted_at(t, behind).or_else(bare))?
}

/// `ACL SETUSER bob on >X`: behind the sign is the password.
fn access_list(t: &[u8], after: usize) -> Option<Span> {
    let line = line_end(t, after).min(after + 160);
    let mut word = skip_blanks(t, after);
    while word < line {
        let end = word
            + t[word..line]
                .iter()
                .position(|b| is(*b, SPACE | QUOTE))
                .unwrap_or(line - word);
        if t[word] == b'>' && end > word + 1 {
            return (!stands_for_nothing(&t[word + 1..end])).then_some(Span {
                start: word + 1,
                end,
                kind: Kind::Password,
            });
        }
        word = skip_blanks(t, end.max(word + 1));
    }
    None
}

/// A password that the words before it announce: `.netrc`, SQL, the line of a router, a tool's `password X`.
fn named_before(t: &[u8], i: usize, after: usize) -> Option<Span> {
    if !starts_ci(t, i, b"password") || !is_at(t, after, SPACE) {
        return None;
    }
    let start = run(t, after, SPACE);
    let mut words = words_before(t, i);
    let (last, second) = (words.next()?, words.next().unwrap_or(b""));
    let third = words.next().unwrap_or(b"");
    let is = |word: &[u8], name: &[u8]| word.eq_ignore_ascii_case(name);
    let role =
        (is(third, b"role") || is(third, b"user")) || is(second, b"role") && is(third, b"alter");
    if is(last, b"with") || is(last, b"encrypted") || is(last, b"unencrypted") || role {
        return quoted_at(t, after).or_else(|| cisco(t, i, after));
    }
    let wrong = [
        &b"wrong"[..],
        b"invalid",
        b"incorrect",
        b"bad",
        b"using",
        b"use",
        b"default",
        b"temporary",
        b"old",
        b"new",
    ];
    if wrong.iter().any(|word| is(last, word)) {
        let value = extent(t, start, i).filter(|value| value.quoted)?;
        let v = &t[value.start..value.end];
        let plain = !v.contains(&b' ') && v.len() >= 4;
        return (plain && !stands_for_nothing(v) && !listed(ERRORS, v) && !listed(PROSE, v))
            .then(|| whole(t, value));
    }
    let netrc = matches!(second, b"login" | b"machine" | b"account") || last == b"default";
    let wifi = t[i.saturating_sub(120)..i]
        .windows(5)
        .any(|w| w == b"nmcli" || w == b"iwctl");
    if netrc || wifi {
        let value = extent(t, start, i)?;
        return (!stands_for_nothing(&t[value.start..value.end])).then(|| whole(t, value));
    }
    cisco(t, i, after)
}

/// `username bob password 0 X`, `enable secret 5 X`: a number says how it is written.
fn cisco(t: &[u8], i: usize, after: usize) -> Option<Span> {
    let digit = skip_blanks(t, after);
    let start = skip_blanks(t, digit + 1);
    let known = words_before(t, i)
        .take(3)
        .any(|w| matches!(w, b"username" | b"enable" | b"user"));
    let numbered = is_at(t, digit, DIGIT) && start > digit + 1;
    if !known || !numbered {
        return None;
    }
    let value = extent(t, start, i)?;
    (!stands_for_nothing(&t[value.start..value.end])).then(|| whole(t, value))
}

/// *the password is X*, *password for bob was X*: what follows has to look like one.
fn said_after(t: &[u8], i: usize, after: usize) -> Option<Span> {
    if !is_at(t, after, SPACE) || at(t, after) == b'\n' {
        return None;
    }
    let limit = line_end(t, after).min(after + 96);
    let mut j = skip_blanks(t, after);
    for _ in 0..6 {
        let end = run(&t[..limit], j, WORD | DASH | DOT);
        let word = &t[j..end];
        let next = skip_blanks(t, end);
        if matches!(word, b"is" | b"was" | b"are") && next > end {
            j = next;
            if starts_ci(t, j, b"now ") || starts_ci(t, j, b"set ") {
                j = skip_blanks(t, j + 4);
            }
            if starts_ci(t, j, b"to ") {
                j = skip_blanks(t, j + 3);
            }
            let value = extent(t, j, i)?;
            let v = &t[value.start..value.end];
            let v = v
                .strip_suffix(b".")
                .or_else(|| v.strip_suffix(b","))
                .unwrap_or(v);
            let known = listed(PROSE, v) || listed(ERRORS, v) || stands_for_nothing(v);
            let quoted = value.quoted && v.len() >= 4 && !v.contains(&b' ');
            let made = |name: &[u8]| starts_ci(v, 0, name);
            let plain = is_password(v)
                && v.len() >= 5
                && !v.iter().all(|b| is(*b, DIGIT | DASH | DOT | COLON))
                && !(made(b"sha")
                    || made(b"md5")
                    || made(b"utf")
                    || made(b"base64")
                    || made(b"bcrypt"))
                && !v.contains(&b'/');
            return (!known && (quoted || plain)).then(|| Span {
                start: value.start,
                end: match value.quoted {
                    true => value.to_its_end(t).end,
                    false => value.start + v.len(),
                },
                kind: Kind::Password,
            });
        }
        // Between the two there may be whose it is, and nothing else.
        let whose =
            matches!(word, b"for" | b"of" | b"user" | b"the" | b"account" | b"to") || j > after + 4;
        if word.is_empty() || next == end || next >= limit || !whose {
            return None;
        }
        j = next;
    }
    None
}

/// A passphrase of several words between quotes: `the passphrase "correct donkey pencil clip"`.
fn spoken(t: &[u8], i: usize, after: usize) -> Option<Span> {
    let handed = [&b"the"[..], b"with", b"this", b"my", b"use", b"using"];
    let before = words_before(t, i).next()?;
    if !starts_ci(t, i, b"passphrase") || !handed.contains(&before) || !is_at(t, after, SPACE) {
        return None;
    }
    let value = extent(t, skip_blanks(t, after), i).filter(|value| value.quoted)?;
    let v = &t[value.start..value.end];
    let words: Vec<_> = v.split(|b| *b == b' ').collect();
    let plain = |word: &&[u8]| !word.is_empty() && word.iter().all(|b| is(*b, ALNUM | DASH));
    let said = (3..=12).contains(&words.len())
        && words.iter().all(plain)
        && !words.iter().any(|word| listed(SENTENCE, word))
        && !listed(PROSE, words[0]);
    said.then(|| whole(t, value))
}

/// `credentials for the printer: admin / X`: a user, and what looks like a password by itself.
fn pair(t: &[u8], after: usize) -> Option<Span> {
    let limit = line_end(t, after).min(after + 64);
    let colon = after + t[after..limit].iter().position(|b| *b == b':')?;
    let between = &t[after..colon];
    if !between.iter().all(|b| is(*b, WORD | DASH | SPACE)) || at(t, colon + 1) != b' ' {
        return None;
    }
    let user = skip_blanks(t, colon + 1);
    let end = run(t, user, URLSAFE | DOT);
    let end = end + usize::from(at(t, end) == b'@') * (run(t, end + 1, URLSAFE | DOT) - end);
    let sign = skip_blanks(t, end);
    if end == user
        || !matches!(at(t, sign), b'/' | b':')
        || (sign == end) != is_at(t, sign + 1, WORD)
    {
        return None;
    }
    let value = extent(t, skip_blanks(t, sign + 1), user)?;
    let v = &t[value.start..value.end];
    let v = v
        .strip_suffix(b".")
        .or_else(|| v.strip_suffix(b","))
        .unwrap_or(v);
    let port = v.iter().all(|b| is(*b, DIGIT));
    (v.len() >= 6 && is_password(v) && !port && !v.contains(&b'/')).then_some(Span {
        start: value.start,
        end: value.start + v.len(),
        kind: Kind::Password,
    })
}

/// A line that has only one word left: `requirepass X`, `PASS X`.
fn line_of_one(t: &[u8], i: usize, after: usize, first: bool) -> Option<Span> {
    let start = skip_blanks(t, after);
    if start == after || first && !is_first_on_line(t, i) && !is_quoted_alone(t, i) {
        return None;
    }
    let value = extent(t, start, i)?;
    let v = &t[value.start..value.end];
    let rest = value.end + usize::from(value.quoted);
    let alone =
        skip_blanks(t, rest) == line_end(t, rest) || matches!(at(t, rest), b'"' | b'\'' | b'\\');
    (alone && !stands_for_nothing(v) && !listed(ERRORS, v) && !listed(PROSE, v))
        .then(|| whole(t, value))
}

/// Whether a word at `i` is the first one of a quoted script.
fn is_quoted_alone(t: &[u8], i: usize) -> bool {
    i > 0 && is(t[i - 1], QUOTE)
}

/// `AUTH X` of Redis and `AUTH PLAIN X` of SMTP.
fn auth_line(t: &[u8], i: usize, after: usize) -> Option<Span> {
    let start = skip_blanks(t, after);
    let word = run(t, start, ALNUM);
    let scheme = matches!(&t[start..word], b"PLAIN" | b"LOGIN" | b"XOAUTH2" | b"SCRAM");
    if scheme {
        return line_of_one(t, i, word, true).filter(|span| span.end - span.start >= 8);
    }
    line_of_one(t, i, after, true).filter(|span| {
        let v = &t[span.start..span.end];
        is_password(v) || v.len() >= 16
    })
}

/// Whether `PASS` at `i` is the line of a login: a user stands above it, or a server's word around it.
fn is_login(t: &[u8], i: usize) -> bool {
    let before = &t[i.saturating_sub(160)..i];
    before.split(|b| *b == b'\n').any(|line| {
        line.starts_with(b"USER ") || line.starts_with(b"331 ") || line.starts_with(b"+OK")
    })
}

/// `ENV NAME X` and its relatives: a variable whose name announces a secret, a blank, and the value.
fn variable(t: &[u8], after: usize, named: bool) -> Option<Span> {
    let mut start = skip_blanks(t, after);
    // `set -gx`, `setx /M`.
    while matches!(at(t, start), b'-' | b'/') {
        let end = run(t, start + 1, ALNUM | DASH);
        start = skip_blanks(t, end.max(start + 1));
    }
    let mut end = start;
    // The name of a setting may be that of a place: `//registry.example/:_authToken`.
    while is_at(t, end, URLSAFE | DOT | COLON) || at(t, end) == b'/' {
        end += 1;
    }
    let name = &t[start..end];
    let value = skip_blanks(t, end);
    let built = name
        .iter()
        .any(|b| is(*b, UNDER | DASH | DOT | COLON | UPPER));
    if name.is_empty() || value == end || value >= t.len() || named && !built {
        return None;
    }
    let said = classify(name).filter(|said| matches!(said.level, Level::Sure | Level::Likely))?;
    let value = extent(t, value, start)?;
    let v = &t[value.start..value.end];
    let fits = !v.starts_with(b"-") && v != b"=" && is_secret(v, value.quoted, Style::Flag, said);
    fits.then(|| Span {
        kind: said.kind,
        ..whole(t, value)
    })
}

#[cfg(test)]
mod tests {
    use super::super::mask;

    #[test]
    fn a_secret_after_a_word_is_hidden() {
        for text in [
            "the password is §, please change it",
            "password for user bob is '§'",
            "IDENTIFIED WITH sha BY '§'",
            "ALTER ROLE bob PASSWORD '§'",
            "ENV DB_PASSWORD §",
            "setenv DB_PASSWORD §",
            "set -gx DB_PASSWORD §",
            "setx DB_PASSWORD §",
            "requirepass §",
            "AUTH §\n+OK",
            "USER bob\nPASS §\n230 ok",
            "username bob password 0 §",
            "wrong password '§' for bob",
            "the root pw is §, keep it to yourself",
            "credentials for the printer: admin / §",
            "credentials for staging: bob:§",
            "redis-cli CONFIG SET requirepass §",
        ] {
            let text = text.replace('§', "hunter2");
            let masked = mask(&text);
            assert_eq!(masked, text.replace("hunter2", "<secret:password>"));
        }
    }

    #[test]
    fn prose_about_passwords_stays() {
        for text in [
            "the password is incorrect",
            "password is too short (minimum is 8 characters)",
            "Your password is valid until 2027-01-01",
            "password was changed 3 days ago",
            "AUTH failed: check your settings",
            "PASS src/login.test.js",
            "ENV TOKENIZERS_PARALLELISM false",
            "set password to something else",
            "password is sha256-hashed",
            "log in with password column2 first",
            "credentials: see docs/login2",
            "credentials missing: host1:8080",
            "use the passphrase \"is not set yet\" to test it",
        ] {
            assert_eq!(mask(text), text);
        }
    }
}
