//! Secrets in text: recognising them and masking them before anything is stored or shown.
//!
//! This module owns the two doors, [`mask`] and [`mask_json`], and the rewriting of a text once the
//! places to hide are known. It does not decide what a secret looks like: shapes, key names, values,
//! headers, URLs, key blocks, hashes, commands, calls, markup, rows and phrases each have their own
//! sub-module, and `scan` walks a text once with all of them. Error language has to survive, because failures are fingerprinted from it, so every
//! rule prefers a narrow reading over a guess.

mod announced;
mod ansi;
mod blocks;
mod bytes;
mod calls;
mod commands;
mod fields;
mod followed;
mod hashes;
mod headers;
mod json;
mod lexicon;
mod markup;
mod names;
mod phrases;
mod rows;
mod scan;
mod shapes;
mod tongues;
mod urls;
mod values;

use std::borrow::Cow;

/// What a masked place held; named in its placeholder so that a reader still knows what stood there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    ApiKey,
    Basic,
    Bearer,
    Cookie,
    Jwt,
    Password,
    PrivateKey,
    Secret,
    Token,
    Webhook,
}

impl Kind {
    const ALL: [Kind; 10] = [
        Kind::ApiKey,
        Kind::Basic,
        Kind::Bearer,
        Kind::Cookie,
        Kind::Jwt,
        Kind::Password,
        Kind::PrivateKey,
        Kind::Secret,
        Kind::Token,
        Kind::Webhook,
    ];

    const fn placeholder(self) -> &'static str {
        match self {
            Kind::ApiKey => "<secret:api-key>",
            Kind::Basic => "<secret:basic>",
            Kind::Bearer => "<secret:bearer>",
            Kind::Cookie => "<secret:cookie>",
            Kind::Jwt => "<secret:jwt>",
            Kind::Password => "<secret:password>",
            Kind::PrivateKey => "<secret:private-key>",
            Kind::Secret => "<secret>",
            Kind::Token => "<secret:token>",
            Kind::Webhook => "<secret:webhook>",
        }
    }
}

/// A place to hide: byte offsets on character boundaries.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    end: usize,
    kind: Kind,
}

/// Hiding one secret may uncover the edge of another; a text settles in one or two rounds, and the
/// bound keeps a hostile one from costing more than a constant factor.
const ROUNDS: usize = 16;

/// Whether a text holds a secret: for names, which are refused rather than masked.
pub fn is_secret(text: &str) -> bool {
    matches!(mask(text), Cow::Owned(_))
}

/// Masks secrets in plain text; borrowed when nothing was found.
///
/// Every secret value is replaced as a whole by `<secret>` or `<secret:kind>`. Masking a masked text
/// changes nothing.
pub fn mask(text: &str) -> Cow<'_, str> {
    let spans = find(text);
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = rewrite(text, &spans);
    for _ in 1..ROUNDS {
        let spans = find(&out);
        if spans.is_empty() {
            break;
        }
        out = rewrite(&out, &spans);
    }
    Cow::Owned(out)
}

/// Masks secrets in a JSON text; text that is not JSON is treated by [`mask`].
///
/// A member's name makes its value sensitive, as does a flag such as `"--password"` before an array
/// element; every other string is masked as plain text. Only the strings that hold secrets are
/// rewritten: key order, spacing and numbers stay byte for byte.
pub fn mask_json(text: &str) -> Cow<'_, str> {
    let mut out = match json::mask(text) {
        Some(Cow::Owned(masked)) => masked,
        Some(Cow::Borrowed(_)) => return Cow::Borrowed(text),
        None => return mask(text),
    };
    for _ in 1..ROUNDS {
        match json::mask(&out) {
            Some(Cow::Owned(masked)) => out = masked,
            _ => break,
        }
    }
    Cow::Owned(out)
}

/// The places to hide in `text`, in order and apart from each other.
fn find(text: &str) -> Vec<Span> {
    let spans = match ansi::strip(text) {
        None => scan::scan(text, &[]),
        Some(plain) => plain.restore(scan::scan(&plain.text, plain.cuts())),
    };
    settle(text, spans)
}

/// Orders spans, joins those that touch each other's bytes and drops what is already a placeholder.
///
/// **Spans begin and end between characters**, whatever looked for them byte by byte.
fn settle(text: &str, mut spans: Vec<Span>) -> Vec<Span> {
    for span in &mut spans {
        span.start = text.floor_char_boundary(span.start);
        span.end = text.ceil_char_boundary(span.end);
    }
    spans.retain(|s| s.start < s.end && !is_placeholder(&text.as_bytes()[s.start..s.end]));
    spans.sort_by_key(|s| (s.start, s.end));
    let mut out: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match out.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => out.push(span),
        }
    }
    out
}

fn rewrite(text: &str, spans: &[Span]) -> String {
    let mut out = String::with_capacity(text.len() + spans.len() * 8);
    let mut from = 0;
    for span in spans {
        out.push_str(&text[from..span.start]);
        out.push_str(span.kind.placeholder());
        from = span.end;
    }
    out.push_str(&text[from..]);
    out
}

/// The length of the placeholder that `t` begins with, if it begins with one.
fn placeholder_len(t: &[u8]) -> Option<usize> {
    if !t.starts_with(b"<secret") {
        return None;
    }
    let mut kinds = Kind::ALL.iter().map(|k| k.placeholder());
    kinds.find(|p| t.starts_with(p.as_bytes())).map(str::len)
}

fn is_placeholder(t: &[u8]) -> bool {
    placeholder_len(t) == Some(t.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_secrets_is_borrowed() {
        assert!(matches!(mask("error: no such file"), Cow::Borrowed(_)));
        assert!(matches!(mask_json("{\"a\": 1.0}"), Cow::Borrowed(_)));
        assert!(matches!(mask(""), Cow::Borrowed("")));
    }

    #[test]
    fn a_placeholder_names_the_kind_and_is_left_alone() {
        let once = mask("password=hunter2").into_owned();
        assert_eq!(once, "password=<secret:password>");
        assert!(matches!(mask(&once), Cow::Borrowed(_)));
        for kind in Kind::ALL {
            assert!(is_placeholder(kind.placeholder().as_bytes()));
        }
    }

    #[test]
    fn overlapping_places_become_one() {
        let spans = vec![
            Span {
                start: 2,
                end: 6,
                kind: Kind::Jwt,
            },
            Span {
                start: 0,
                end: 4,
                kind: Kind::Bearer,
            },
        ];
        let spans = settle("abcdefgh", spans);
        assert_eq!(rewrite("abcdefgh", &spans), "<secret:bearer>gh");
    }
}
