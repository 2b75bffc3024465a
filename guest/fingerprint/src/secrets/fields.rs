//! Fields: a key's name, a separator or a blank, and the value that a telling name makes a secret.
//!
//! This module owns finding the name before a separator (`KEY=`, `"key":`, `key =>`) or in a flag
//! (`--key value`, `-u user:password`). What a name means is `names`' matter, what a value is `values`'.

use super::bytes::*;
use super::names::{Level, Sensitive, classify};
use super::values::{MAX_LOOK, Style, Value, extent, is_secret, stands_for_nothing};
use super::{Kind, Span, commands, headers, markup, tongues};

const NAME: u16 = URLSAFE | DOT;
/// How far before a separator a name may begin.
const MAX_NAME: usize = 96;

/// The name that ends before the separator at `sep`: its start and end.
fn name_before(t: &[u8], sep: usize, floor: usize) -> Option<(usize, usize)> {
    let back = |j: usize, f: fn(u8) -> bool| j > floor && f(t[j - 1]);
    let mut j = sep;
    while back(j, |b| matches!(b, b' ' | b'\t')) && sep - j < 32 {
        j -= 1;
    }
    // `key?: T`, `**key**:`, `cfg["key"] =`, `user[key]=`, `user%5Bkey%5D=`.
    while back(j, |b| matches!(b, b'?' | b'*')) && sep - j < 36 {
        j -= 1;
    }
    if back(j, |b| b == b']') {
        j -= 1;
    } else if t[floor..j].ends_with(b"%5D") || t[floor..j].ends_with(b"%5d") {
        j -= 3;
    }
    if back(j, |b| is(b, QUOTE)) {
        j -= 1;
        while back(j, |b| b == b'\\') && sep - j < 48 {
            j -= 1;
        }
    }
    if !back(j, |b| is(b, ALNUM | UNDER)) {
        return None;
    }
    let end = j;
    let start = run_back(t, end, floor.max(end.saturating_sub(MAX_NAME)), NAME);
    // `Unseal Key 1:` is one of several.
    let counted = end - start <= 2 && t[start..end].iter().all(|b| is(*b, DIGIT));
    if counted && start > floor && t[floor..start].ends_with(b"Key ") {
        let end = start - 1;
        return Some((widen(t, end - 3, end, floor), end));
    }
    Some((widen(t, start, end, floor), end))
}

/// `API key:` and `connection string:` are names of two words.
fn widen(t: &[u8], start: usize, end: usize, floor: usize) -> usize {
    let word = &t[start..end];
    let second = [&b"key"[..], b"keys", b"phrase", b"string"]
        .iter()
        .any(|w| word.eq_ignore_ascii_case(w));
    if !second || start < floor + 2 || t[start - 1] != b' ' {
        return start;
    }
    run_back(
        t,
        start - 1,
        floor.max((start - 1).saturating_sub(MAX_NAME)),
        NAME,
    )
}

/// The colon of `name: TYPE =` whose sign is at `sep`, if the type is that of a text.
fn type_before(t: &[u8], sep: usize, floor: usize) -> Option<usize> {
    const TYPES: [&[u8]; 9] = [
        b"&str",
        b"&'static str",
        b"str",
        b"String",
        b"String?",
        b"string",
        b"Optional[str]",
        b"str | None",
        b"Final[str]",
    ];
    let lowest = floor.max(sep.saturating_sub(24));
    let colon = lowest + t[lowest..sep].iter().rposition(|b| *b == b':')?;
    TYPES
        .contains(&t[colon + 1..sep].trim_ascii())
        .then_some(colon)
}

/// The secret after the separator at `sep`, if the name before it announces one.
pub(super) fn field_at(t: &[u8], sep: usize, floor: usize) -> Option<Span> {
    let (mut left, mut right) = (sep, sep + 1);
    let mut compared = false;
    match t[sep] {
        b'=' => {
            match at(t, sep + 1) {
                b'=' => (right, compared) = (sep + 2, true),
                b'>' => right = sep + 2,
                b'~' => return None,
                _ => {}
            }
            while right < t.len() && t[right] == b'=' && compared && right < sep + 3 {
                right += 1;
            }
            match sep.checked_sub(1).map(|p| t[p]) {
                Some(b'!' | b'=') => (left, compared) = (sep - 1, true),
                Some(b'<' | b'>' | b'~' | b'^') => return None,
                Some(b':' | b'+' | b'|') => left = sep - 1,
                _ => {}
            }
        }
        // `%3D` and `%3A` of an encoded form.
        b'%' => right = sep + 3,
        _ => {
            if matches!(at(t, right), b'=' | b':') {
                return None;
            }
        }
    }
    let mut left = left.max(floor);
    if t[sep] == b'='
        && let Some(colon) = type_before(t, left, floor)
    {
        left = colon;
    }
    let (start, end, name) = match name_before(t, left, floor) {
        Some((start, end))
            if t[start..end].eq_ignore_ascii_case(b"value")
                || &t[start..end] == b"ParameterValue" =>
        {
            (start, end, markup::name_beside(t, start)?)
        }
        Some((start, end)) if &t[start..end] == b"default" && t[sep] == b'=' => {
            (start, end, markup::block_label(t, start)?)
        }
        Some((start, end)) if &t[start..end] == b"name" && t[sep] == b'=' => {
            return markup::form_part(t, right);
        }
        Some((start, end)) => match classify(&t[start..end]) {
            Some(name) => (start, end, name),
            None if tongues::may_end(&t[floor..start], &t[start..end]) => {
                foreign(t, left, floor).or_else(|| aside(t, sep, floor))?
            }
            None => aside(t, sep, floor)?,
        },
        None if t[floor..left]
            .trim_ascii_end()
            .last()
            .is_some_and(|b| *b >= 0x80 || is(*b, QUOTE)) =>
        {
            foreign(t, left, floor).or_else(|| aside(t, sep, floor))?
        }
        None => return None,
    };
    // An optional field of an interface, and an object's name among those of a service.
    let optional = t[sep] == b':' && left > floor && t[left - 1] == b'?';
    // `token2.js:42:17` is a place in a file.
    let place = t[sep] == b':' && is_at(t, sep + 1, DIGIT) && {
        let dot = t[start..end].iter().rposition(|b| *b == b'.');
        let after = run(t, sep + 1, DIGIT);
        dot.is_some_and(|dot| end - start - dot <= 5)
            && (after == t.len() || matches!(t[after], b':' | b')' | b' ' | b'\n' | b','))
    };
    let arn = t[sep] == b':' && t[floor..start].ends_with(b":") && is_arn(t, start, floor);
    if optional || place || arn {
        return None;
    }
    if name.kind == Kind::Token && name.bare && t[sep] == b':' && is_lexical_before(t, start, floor)
    {
        return None;
    }
    let mut i = skip_blanks(t, right);
    if t[sep] == b':' && matches!(at(t, i), b'\n' | b'\r') {
        return next_line(t, i, start, name);
    }
    if t[i..].starts_with(b"** ") {
        i = skip_blanks(t, i + 2);
    }
    let style = if start > floor && matches!(t[start - 1], b'?' | b'&') && t[sep] != b':' {
        Style::Query
    } else if i > right || end < left && matches!(t[left - 1], b' ' | b'\t') {
        Style::Spaced
    } else {
        Style::Tight
    };
    match name.level {
        Level::Authorization if !compared => return headers::authorization(t, i, start),
        Level::Cookie if !compared => return headers::cookie(t, i, start),
        _ => {}
    }
    if let Some(span) = scalar_block(t, i, start, name) {
        return Some(span);
    }
    if !is_at(t, end, QUOTE) && at(t, end) != b'\\' && closes_earlier(t, i, start) {
        return None;
    }
    let mut value = extent(t, i, start)?;
    if compared && !value.quoted {
        return None;
    }
    if style == Style::Spaced
        && let Some(literal) = literal_behind(t, value)
    {
        value = literal;
    }
    // A phrase in words goes to the end of its line; only there do blanks belong to the value.
    if is_phrase(&t[start..end]) && !value.quoted {
        let look = &t[..t.len().min(value.start + MAX_LOOK)];
        let line = &look[value.start..line_end(look, value.start)];
        let words = line.split(|b| is(*b, SPACE));
        let spoken = style != Style::Tight
            || t[sep] != b'='
            || words
                .into_iter()
                .all(|word| word.iter().all(|b| is(*b, LOWER)));
        if !spoken {
            return hide(t, value, style, name);
        }
        value.end = value.start + line.trim_ascii_end().len();
        value.quote = Some((b'\n', 0));
    }
    if style == Style::Query && !value.quoted {
        // The fragment of a URL is no part of its query.
        let v = &t[value.start..value.end];
        value.end = value.start + v.iter().position(|&b| b == b'#').unwrap_or(v.len());
    }
    hide(t, value, style, name)
}

/// What a word for a password in another language announces, and where it stands before `sep`.
fn foreign(t: &[u8], sep: usize, floor: usize) -> Option<(usize, usize, Sensitive)> {
    if sep <= floor {
        return None;
    }
    let lowest = floor.max(sep.saturating_sub(MAX_NAME));
    let start = lowest + tongues::word_before(&t[lowest..sep])?;
    let end = start + t[start..sep].trim_ascii_end().len();
    let name = Sensitive {
        kind: Kind::Password,
        level: Level::Foreign,
        bare: true,
    };
    Some((start, end, name))
}

/// The same with whose password it is before the colon at `sep`: `hasło do serwera: X`. Only what looks like a password by
/// itself is worth the look.
fn aside(t: &[u8], sep: usize, floor: usize) -> Option<(usize, usize, Sensitive)> {
    let blank = matches!(at(t, sep + 1), b' ' | b'\t');
    if t[sep] != b':' || !blank || !tongues::is_said(t, skip_blanks(t, sep + 1)) {
        return None;
    }
    let lowest = floor.max(sep.saturating_sub(MAX_NAME));
    let start = lowest + tongues::word_near(&t[lowest..sep])?;
    let name = Sensitive {
        kind: Kind::Password,
        level: Level::Foreign,
        bare: true,
    };
    Some((start, sep, name))
}

/// The literal behind a bare word that is the name of a command or a function: `$pw = ConvertTo-SecureString 'X'`.
fn literal_behind(t: &[u8], value: Value) -> Option<Value> {
    let v = &t[value.start..value.end];
    let is_name = !value.quoted
        && is(v[0], UPPER | LOWER)
        && v.iter().all(|b| is(*b, URLSAFE))
        && v.iter().any(|b| is(*b, DASH | UNDER));
    let next = skip_blanks(t, value.end);
    if !is_name || next == value.end || !is_at(t, next, QUOTE) {
        return None;
    }
    extent(t, next, value.start).filter(|literal| literal.quoted)
}

/// The secret after a full-width colon or equals sign at `i`.
pub(super) fn wide_field_at(t: &[u8], i: usize, floor: usize) -> Option<Span> {
    let named = || {
        let (start, end) = name_before(t, i, floor)?;
        Some((start, end, classify(&t[start..end])?))
    };
    let (start, _, name) = foreign(t, i, floor).or_else(named)?;
    let value = extent(t, skip_blanks(t, i + 3), start)?;
    hide(t, value, Style::Spaced, name)
}

/// A YAML value on the line after its key: one word, deeper than the key.
fn next_line(t: &[u8], i: usize, name: usize, said: Sensitive) -> Option<Span> {
    let line = t[..name]
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |p| p + 1);
    let before = &t[line..name];
    let is_key = before
        .iter()
        .all(|b| matches!(b, b' ' | b'-' | b'"' | b'\''));
    let text = run(t, i, SPACE);
    let start = t[..text].iter().rposition(|&b| b == b'\n')? + 1;
    let one = t[i..start].iter().filter(|b| **b == b'\n').count() == 1;
    if !is_key || !one || text - start <= before.len() || said.level != Level::Sure {
        return None;
    }
    let value = extent(t, text, name)?;
    let v = &t[value.start..value.end];
    let rest = value.end + usize::from(value.quoted);
    let alone = skip_blanks(t, rest) == line_end(t, rest);
    let nested = v.ends_with(b":") || v.starts_with(b"-");
    (alone && !nested).then(|| hide(t, value, Style::Spaced, said))?
}

fn hide(t: &[u8], value: Value, style: Style, name: Sensitive) -> Option<Span> {
    let v = &t[value.start..value.end];
    is_secret(v, value.quoted, style, name).then(|| whole(t, value, name.kind))
}

/// All of a value, as a place to hide.
fn whole(t: &[u8], value: Value, kind: Kind) -> Span {
    let Value { start, end, .. } = value.to_its_end(t);
    Span { start, end, kind }
}

fn is_phrase(name: &[u8]) -> bool {
    let ends =
        |w: &[u8]| name.len() >= w.len() && name[name.len() - w.len()..].eq_ignore_ascii_case(w);
    ends(b"phrase") || ends(b"mnemonic")
}

/// Whether the quote at `i` closes a string that holds the name: `"Enter password: "`.
///
/// An apostrophe before the name makes the count odd too, so what follows the quote decides as well.
fn closes_earlier(t: &[u8], i: usize, name: usize) -> bool {
    let quote = i + t[i..].iter().take(8).take_while(|b| **b == b'\\').count();
    if !is_at(t, quote, QUOTE) {
        return false;
    }
    let follows = at(t, quote + 1);
    let before = &t[name.saturating_sub(256)..name];
    let line = before
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |p| p + 1);
    let count = before[line..].iter().filter(|b| **b == t[quote]).count();
    count % 2 == 1
        && (follows <= 0x20 || matches!(follows, b',' | b']' | b'}' | b')' | b';' | b'\\'))
}

/// Whether `i` is within `arn:aws:secretsmanager:…`, which names a secret and holds none.
fn is_arn(t: &[u8], i: usize, floor: usize) -> bool {
    let start = run_back(t, i, floor.max(i.saturating_sub(MAX_NAME)), URLSAFE | COLON);
    t[start..i].starts_with(b"arn:")
}

/// Whether the word before the name makes `token` a parser's: `unexpected token: …`.
fn is_lexical_before(t: &[u8], name: usize, floor: usize) -> bool {
    let end = name.saturating_sub(1).max(floor);
    let start = run_back(t, end, floor.max(end.saturating_sub(24)), LOWER | UPPER);
    let word = t[start..end].to_ascii_lowercase();
    [
        &b"unexpected"[..],
        b"expected",
        b"illegal",
        b"unrecognized",
        b"unknown",
        b"next",
        b"syntax",
        b"parse",
    ]
    .contains(&word.as_slice())
}

/// A YAML block scalar after `|` or `>` at `i`: its more deeply indented lines.
fn scalar_block(t: &[u8], i: usize, name: usize, said: Sensitive) -> Option<Span> {
    if !matches!(at(t, i), b'|' | b'>') || said.level != Level::Sure {
        return None;
    }
    let sign = i + 1 + usize::from(matches!(at(t, i + 1), b'-' | b'+'));
    let eol = line_end(t, i);
    if skip_blanks(t, sign) != eol || eol == t.len() {
        return None;
    }
    let depth = name
        - run_back(t, name, 0, SPACE | QUOTE).max(
            t[..name]
                .iter()
                .rposition(|&b| b == b'\n')
                .map_or(0, |p| p + 1),
        );
    let first = run(t, eol, SPACE);
    let (mut end, mut line) = (eol, eol);
    while line < t.len() {
        let text = run(t, line, SPACE);
        let indent = t[line..text]
            .iter()
            .rev()
            .take_while(|b| **b == b' ')
            .count();
        if text == line || text == t.len() || indent <= depth {
            break;
        }
        end = line_end(t, text);
        line = end;
    }
    let v = t.get(first..end)?;
    let hidden = v.is_empty() || stands_for_nothing(v) || v.starts_with(b"-----BEGIN");
    (!hidden).then_some(Span {
        start: first,
        end,
        kind: said.kind,
    })
}

/// The value after the flag whose first dash is at `i`, which ends at `.1`.
pub(super) fn flag_at(t: &[u8], i: usize) -> Option<Span> {
    let dashes = run(t, i, DASH);
    let end = run(t, dashes, NAME);
    let (count, name) = (dashes - i, &t[dashes..end]);
    if count > 2 || name.is_empty() {
        return None;
    }
    if count == 1
        && let Some(span) = commands::flag_at(t, i)
    {
        return Some(span);
    }
    let user = if count == 1 {
        name == b"u"
    } else {
        matches!(name, b"user" | b"proxy-user")
    };
    if user && at(t, end) == b'=' && count == 2 {
        return user_password(t, extent(t, end + 1, i)?);
    }
    let value = flag_value(t, end)?;
    if user {
        return (!commands::runs_as(t, i)).then(|| user_password(t, extent(t, value, i)?))?;
    }
    if count == 1 && name.len() < 4 {
        return None;
    }
    let said = classify(name).or_else(|| commands::long_flag(t, i, name))?;
    if said.level == Level::Cookie {
        return headers::cookie(t, value, i);
    }
    let value = extent(t, value, i)?;
    let v = &t[value.start..value.end];
    // Another flag, or BuildKit's `--secret id=…`, which names a file.
    if v.starts_with(b"-")
        || v.starts_with(b"id=")
        || v.starts_with(b"type=")
        || name.starts_with(b"no-")
    {
        return None;
    }
    hide(t, value, Style::Flag, said)
}

/// The value of an option of a Windows tool whose slash is at `i`: `/p:X`, `/pass:X`, `/password:X`.
pub(super) fn option_at(t: &[u8], i: usize) -> Option<Span> {
    let end = run(t, i + 1, ALNUM);
    let named = [&b"p"[..], b"pass", b"password", b"pw", b"rp"]
        .iter()
        .any(|name| t[i + 1..end].eq_ignore_ascii_case(name));
    if !named || at(t, end) != b':' {
        return None;
    }
    let value = extent(t, end + 1, i)?;
    let v = &t[value.start..value.end];
    // A single letter names too much: `/p:Configuration=Release` sets a property.
    let property = end == i + 2 && v.contains(&b'=');
    (!stands_for_nothing(v) && !property).then(|| whole(t, value, Kind::Password))
}

/// Where the value of a flag that ends at `end` begins: after blanks, or as a list's next element.
fn flag_value(t: &[u8], end: usize) -> Option<usize> {
    let mut j = end;
    while at(t, j) == b'\\' {
        j += 1;
    }
    if !is_at(t, j, QUOTE) {
        let i = skip_blanks(t, end);
        return (i > end && j == end && i < t.len()).then_some(i);
    }
    let comma = skip_blanks(t, j + 1);
    let i = run(t, comma + usize::from(at(t, comma) == b','), SPACE);
    let opens = at(t, i) == b'\\' || is_at(t, i, QUOTE);
    (i > j + 1 && opens).then_some(i)
}

/// The form of a date, which `date -u` takes: no user has such a name.
pub(super) fn is_format(user: &[u8]) -> bool {
    user.starts_with(b"+%")
}

/// The part after the colon of `user:password`; two numbers are a container's user and group.
fn user_password(t: &[u8], value: Value) -> Option<Span> {
    let v = &t[value.start..value.end];
    let colon = v.iter().position(|&b| b == b':')?;
    let (user, password) = (&v[..colon], &v[colon + 1..]);
    if is_format(user) {
        return None;
    }
    let ids = password.iter().all(|b| is(*b, DIGIT)) && user.iter().all(|b| is(*b, DIGIT));
    let address = password.starts_with(b"//") || (user.len() == 1 && password.starts_with(b"\\"));
    (!ids && !address && !stands_for_nothing(password)).then(|| Span {
        start: value.start + colon + 1,
        end: value.to_its_end(t).end,
        kind: Kind::Password,
    })
}

#[cfg(test)]
mod tests {
    use super::super::mask;

    #[test]
    fn every_way_to_write_a_field_is_read() {
        for text in [
            "password=§",
            "password = §",
            "password: §",
            "\"password\": \"§\"",
            "'password' => '§'",
            ":password => '§'",
            "export PASSWORD=\"§\"",
            "set PASSWORD=§",
            "cfg[\"password\"] = \"§\"",
            "user[password]=§&x=1",
            "user%5Bpassword%5D=§",
            "password := \"§\"",
            "**Password:** §",
            "<password>§</password>",
            "{\\\"password\\\":\\\"§\\\"}",
            "password%3D§",
            "if password == \"§\"",
            "machine x login bob password §",
            "CREATE USER bob IDENTIFIED BY '§'",
            "ALTER ROLE bob WITH PASSWORD '§'",
            "--password §",
            "--password=§",
            "[\"--password\", \"§\"]",
            "curl -u bob:§ https://x",
            "password: |\n  §\n",
        ] {
            let text = text.replace('§', "hunter2!");
            let want = text.replace("hunter2!", "<secret:password>");
            assert_eq!(mask(&text), want);
        }
    }

    #[test]
    fn a_phrase_in_words_goes_to_the_end_of_its_line() {
        let text = "passphrase: correct horse battery staple\nnext: line";
        assert_eq!(mask(text), "passphrase: <secret:password>\nnext: line");
    }

    #[test]
    fn flags_of_manuals_and_containers_stay() {
        for text in [
            "docker run -u 1000:1000 img",
            "--password <PASSWORD>",
            "--token TOKEN",
            "use --token to pass",
            "the argument '--password' is required",
            "--password-stdin x",
            "--secret id=npm,src=x",
            "--token --verbose",
            "--no-password x1y2z3",
        ] {
            assert_eq!(mask(text), text);
        }
    }
}
