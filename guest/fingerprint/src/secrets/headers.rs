//! HTTP credentials: what `Authorization`, `Cookie` and the words `Bearer` and `Basic` carry.
//!
//! This module owns the reading of a header's value once the header is known, and of the schemes
//! where they stand alone. The scheme's name stays, since it says which door was refused; what
//! follows it goes. Finding the header's name is the scan's work.

use super::bytes::*;
use super::lexicon::{ERRORS, LITERALS, PROSE, listed};
use super::values::{MAX_LOOK, Value, closing, opening, stands_for_nothing};
use super::{Kind, Span, placeholder_len};

/// A header's value that begins at `i`: to its quote, or to the end of the line.
fn value_at(t: &[u8], i: usize, key: usize) -> Value {
    let mut quote = (b'\n', 0);
    let mut start = i;
    if let Some((open, mark, depth)) = opening(t, i) {
        (start, quote) = (open, (mark, depth));
    } else if key > 0 && is(t[key - 1], QUOTE) {
        // `-H 'Authorization: …'`: the quote before the name closes the value.
        let slashes = t[..key - 1]
            .iter()
            .rev()
            .take(8)
            .take_while(|b| **b == b'\\')
            .count();
        quote = (t[key - 1], slashes);
    }
    let look = &t[..t.len().min(start + MAX_LOOK)];
    let mut end = closing(look, start, quote.0, quote.1);
    if quote.0 == b'\n' {
        // An escaped line break of an outer string ends the header too.
        let line = &t[start..end];
        let broken = position(line, b"\\r").or_else(|| position(line, b"\\n"));
        end = start + broken.unwrap_or(line.len());
    }
    Value {
        start,
        end,
        quoted: true,
        quote: Some(quote),
    }
}

/// Goes on to the real end of a value that was only looked at in part.
fn finish(t: &[u8], value: Value, span: Span, all: bool) -> Span {
    let limit = value.to_its_end(t).end;
    let end = match limit == value.end {
        true => span.end,
        false if all => limit,
        false => credential_end(t, span.end, limit),
    };
    Span { end, ..span }
}

/// The end of the credential at `i`, not past `limit`.
fn credential_end(t: &[u8], i: usize, limit: usize) -> usize {
    let ends = |b: &u8| {
        is(*b, SPACE | QUOTE) || matches!(b, b'\\' | b',' | b';' | b'<' | b'>' | b')' | b']' | b'}')
    };
    t[i..limit].iter().position(ends).map_or(limit, |n| i + n)
}

/// What to hide of an `Authorization` value that begins at `i`, after the name at `key`.
pub(super) fn authorization(t: &[u8], i: usize, key: usize) -> Option<Span> {
    let value = value_at(t, i, key);
    let (span, all) = credential_in(t, value)?;
    Some(finish(t, value, span, all))
}

/// The credential of an `Authorization` value, and whether it is all of what follows the scheme.
fn credential_in(t: &[u8], value: Value) -> Option<(Span, bool)> {
    let Value { start, end, .. } = value;
    let part = |fits: bool, start, end, kind| fits.then_some((Span { start, end, kind }, false));
    let word = run(&t[..end], start, URLSAFE);
    let scheme = t[start..word].to_ascii_lowercase();
    let next = skip_blanks(&t[..end], word);
    if next == word || next == end {
        let stop = credential_end(t, start, end);
        let v = &t[start..stop];
        let fits = opaque(v, 8) && !stands_for_nothing(v);
        return part(fits, start, stop, Kind::Token);
    }
    if placeholder_len(&t[next..]).is_some() {
        return None;
    }
    let stop = credential_end(t, next, end);
    let v = &t[next..stop];
    let kind = match scheme.as_slice() {
        b"bearer" | b"jwt" => Kind::Bearer,
        b"basic" => Kind::Basic,
        b"token" | b"bot" | b"apikey" | b"api-key" | b"key" | b"negotiate" | b"ntlm"
        | b"splunk" | b"genie" => Kind::Token,
        _ => {
            // A scheme with parameters: which of them is the secret depends on the scheme.
            let rest = &t[next..end];
            let parameters = rest.contains(&b'=') && !listed(PROSE, v);
            let known = scheme.starts_with(b"aws4")
                || scheme.starts_with(b"digest")
                || scheme.starts_with(b"oauth");
            if parameters && (known || rest.iter().any(u8::is_ascii_digit)) {
                let end = next + rest.trim_ascii_end().len();
                return Some((
                    Span {
                        start: next,
                        end,
                        kind: Kind::Token,
                    },
                    true,
                ));
            }
            let fits = opaque(v, 8) && !listed(PROSE, &scheme);
            return part(fits, next, stop, Kind::Token);
        }
    };
    part(is_credential(v), next, stop, kind)
}

/// Whether what follows a scheme is a credential rather than the next word of a sentence.
fn is_credential(v: &[u8]) -> bool {
    let word = v.strip_suffix(b".").unwrap_or(v);
    !(stands_for_nothing(v)
        || v.len() < 3
        || v.starts_with(b"realm")
        || listed(PROSE, word)
        || listed(ERRORS, word)
        || listed(LITERALS, word))
}

/// What to hide of a `Cookie` or `Set-Cookie` value: all of it, when it holds an assignment.
pub(super) fn cookie(t: &[u8], i: usize, key: usize) -> Option<Span> {
    let value = value_at(t, i, key);
    let Value { start, end, .. } = value;
    let name = run(&t[..end], start, URLSAFE | DOT);
    let len = t[start..end].trim_ascii_end().len();
    if name == start || name + 1 >= start + len || t[name] != b'=' {
        return None;
    }
    // A longer one is data even when it begins with a variable.
    let pair = &t[name + 1..start + len];
    let hidden = pair.len() <= 64 && stands_for_nothing(pair);
    let span = Span {
        start,
        end: start + len,
        kind: Kind::Cookie,
    };
    (!hidden).then(|| finish(t, value, span, true))
}

/// A scheme and its credential standing alone at `i`: `Bearer …`, `Basic …`, `Token …`.
pub(super) fn scheme_at(t: &[u8], i: usize, before: &[u8]) -> Option<Span> {
    const SCHEMES: [(&[u8], Kind); 3] = [
        (b"bearer", Kind::Bearer),
        (b"basic", Kind::Basic),
        (b"token", Kind::Token),
    ];
    let (word, kind) = SCHEMES.into_iter().find(|(w, _)| starts_ci(t, i, w))?;
    let after = i + word.len();
    let start = if t[after..].starts_with(b"%20") {
        after + 3
    } else {
        skip_blanks(t, after)
    };
    if start == after {
        return None;
    }
    let end = credential_end(t, start, t.len().min(start + 16384));
    let v = &t[start..end];
    let fits = match kind {
        Kind::Bearer => opaque(v, 8) || (v.len() >= 24 && varied(v)),
        Kind::Basic => is_basic_pair(v),
        _ => {
            let lexical = before.ends_with(b"nexpected")
                || before.ends_with(b"xpected")
                || before.ends_with(b"nvalid");
            !lexical
                && v.len() >= 20
                && opaque(v, 20)
                && v.iter().all(|b| is(*b, URLSAFE | DOT | BASE64))
        }
    };
    (fits && !stands_for_nothing(v) && position(v, b"://").is_none()).then_some(Span {
        start,
        end,
        kind,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auth(text: &str) -> Option<&str> {
        let i = text.find(": ")? + 2;
        authorization(text.as_bytes(), i, 0).map(|s| &text[s.start..s.end])
    }

    #[test]
    fn the_scheme_stays_and_the_credential_goes() {
        assert_eq!(auth("Authorization: Bearer abc.def"), Some("abc.def"));
        assert_eq!(auth("Authorization: Basic dTpw"), Some("dTpw"));
        assert_eq!(
            auth("Authorization: 0123456789abcdef"),
            Some("0123456789abcdef")
        );
        let digest = "Authorization: Digest username=\"bob\", response=\"0a1b\"";
        assert_eq!(auth(digest), Some("username=\"bob\", response=\"0a1b\""));
    }

    #[test]
    fn words_about_authorization_stay() {
        for text in [
            "Authorization: required",
            "Authorization: Bearer token missing",
            "authorization: header not found",
            "Authorization: Basic realm=\"x\"",
            "Authorization: Bearer $TOKEN",
            "Authorization: ",
        ] {
            assert_eq!(auth(text), None, "{text}");
        }
    }

    #[test]
    fn schemes_alone_need_a_credential() {
        assert!(scheme_at(b"Basic authentication", 0, b"").is_none());
        assert!(scheme_at(b"bearer authentication", 0, b"").is_none());
        assert!(scheme_at(b"Bearer abcdef123456", 0, b"").is_some());
        assert!(scheme_at(b"token identifier", 0, b"").is_none());
        assert!(scheme_at(b"Basic dXNlcjpwYXNz", 0, b"").is_some());
    }

    #[test]
    fn a_cookie_needs_an_assignment() {
        assert!(cookie(b"sid=abc; theme=dark", 0, 0).is_some());
        assert!(cookie(b"not set", 0, 0).is_none());
        assert!(cookie(b"", 0, 0).is_none());
    }
}
