//! Secrets in XML and in lists of named values: an element, an attribute beside a name, a form's part.
//!
//! This module owns values whose name stands beside them rather than before them: `<add key="Password" value="X"/>`,
//! `<key>Password</key><string>X</string>`, and `name: DB_PASSWORD` above `value: X`.

use super::Span;
use super::bytes::*;
use super::names::{Sensitive, classify};
use super::values::{Style, is_made, is_secret};

const NAME: u16 = URLSAFE | DOT | COLON;
/// How far a name stands from its value at most, and how long an element may be.
const MAX_APART: usize = 200;
const MAX_ELEMENT: usize = 4096;

/// The value of the element whose `<` is at `i`.
pub(super) fn element_at(t: &[u8], i: usize) -> Option<Span> {
    let end = run(&t[..t.len().min(i + 100)], i + 1, NAME);
    if end == i + 1 {
        return None;
    }
    let tag = &t[i + 1..end];
    let (open, said) = match at(t, end) {
        b'>' => (end, classify(tag).or_else(|| key_before(t, i))?),
        // `<property name="password">`
        b' ' | b'\t' => {
            let limit = t.len().min(end + MAX_APART);
            let close = end
                + t[end..limit]
                    .iter()
                    .position(|b| matches!(b, b'>' | b'\n'))?;
            if t[close] != b'>' || t[close - 1] == b'/' {
                return None;
            }
            (close, named_in(&t[end..close]).or_else(|| classify(tag))?)
        }
        _ => return None,
    };
    let limit = t.len().min(open + MAX_ELEMENT);
    let mut start = run(&t[..limit], open + 1, SPACE);
    if t[start..].starts_with(b"<![CDATA[") {
        start += 9;
    }
    let len = t[start..limit]
        .iter()
        .position(|b| matches!(b, b'<' | b'\n' | b']' | b'\r'))?;
    let close = run(t, start + len, SPACE);
    let closed = t[close..].starts_with(b"</") || t[close..].starts_with(b"]]>");
    let v = &t[start..start + len];
    // Jenkins writes braces around what it has encrypted, and a word may stand before it.
    let hides = is_secret(v, true, Style::Tight, said)
        || v.split(|b| is(*b, SPACE) || matches!(b, b'{' | b'}'))
            .any(|word| is_made(word, false));
    (closed && hides).then_some(Span {
        start,
        end: start + len,
        kind: said.kind,
    })
}

/// Whether the next tag behind `i` is this one.
pub(super) fn closes(t: &[u8], i: usize, tag: &[u8]) -> bool {
    let look = &t[i..t.len().min(i + MAX_ELEMENT)];
    let next = look.iter().position(|b| *b == b'<');
    next.is_some_and(|next| look[next..].starts_with(tag))
}

/// What the attribute `name` or `key` of a tag announces.
fn named_in(attributes: &[u8]) -> Option<Sensitive> {
    for attribute in [&b" name="[..], b" key=", b" Name=", b" Key=", b" id="] {
        let Some(place) = position(attributes, attribute) else {
            continue;
        };
        let quote = place + attribute.len();
        if !is_at(attributes, quote, QUOTE) {
            continue;
        }
        let end = run(attributes, quote + 1, NAME | SPACE);
        if let Some(said) = classify(&attributes[quote + 1..end]) {
            return Some(said);
        }
    }
    None
}

/// What `<key>…</key>` right before the element at `i` announces, as in a property list.
fn key_before(t: &[u8], i: usize) -> Option<Sensitive> {
    let before = t[i.saturating_sub(MAX_APART)..i].trim_ascii_end();
    let before = before
        .strip_suffix(b"</key>")
        .or_else(|| before.strip_suffix(b"</name>"))?;
    let open = before.iter().rposition(|b| *b == b'>')?;
    classify(&before[open + 1..])
}

/// What the name beside a `value` announces; the name of `value` begins at `i`.
///
/// The nearest `name` or `key` before it counts, on the same line or the one above.
pub(super) fn name_beside(t: &[u8], i: usize) -> Option<Sensitive> {
    let lowest = i.saturating_sub(MAX_APART);
    let before = &t[lowest..i];
    // Another value in between has used up the name.
    let from = [&b"value"[..], b"Value", b"\n\n", b"<"]
        .iter()
        .filter_map(|stop| before.windows(stop.len()).rposition(|w| w == *stop))
        .max()
        .map_or(0, |place| place + 1);
    let before = &before[from..];
    let place = (0..before.len()).rev().find(|&j| {
        let word = [&b"name"[..], b"Name", b"key", b"Key", b"ParameterKey"]
            .into_iter()
            .find(|word| before[j..].starts_with(word));
        word.is_some_and(|word| {
            let end = j + word.len();
            let apart = j == 0 || !is(before[j - 1], WORD);
            let sign = skip_blanks(before, end + usize::from(is_at(before, end, QUOTE)));
            apart && matches!(at(before, sign), b':' | b'=')
        })
    })?;
    let sign = place
        + before[place..]
            .iter()
            .position(|b| matches!(b, b':' | b'='))?;
    let mut start = skip_blanks(before, sign + 1);
    start += usize::from(is_at(before, start, QUOTE));
    let end = run(before, start, URLSAFE | DOT);
    classify(&before[start..end])
}

/// What the label of the block around `i` announces: `variable "db_password" {`.
pub(super) fn block_label(t: &[u8], i: usize) -> Option<Sensitive> {
    const OPENS: &[u8] = b"variable \"";
    let before = &t[i.saturating_sub(MAX_APART)..i];
    let label = before.windows(OPENS.len()).rposition(|w| w == OPENS)? + OPENS.len();
    let end = run(before, label, URLSAFE | DOT);
    let inside = before[end..].contains(&b'{') && !before[end..].contains(&b'}');
    inside.then(|| classify(&before[label..end]))?
}

/// The part of a form after `name="password"`, whose name ends before `i`: the line after an empty one.
pub(super) fn form_part(t: &[u8], i: usize) -> Option<Span> {
    if !is_at(t, i, QUOTE) {
        return None;
    }
    let end = run(t, i + 1, URLSAFE | DOT);
    if at(t, end) != t[i] {
        return None;
    }
    let said = classify(&t[i + 1..end])?;
    let rest = &t[end + 1..];
    let gap = [&b"\r\n\r\n"[..], b"\n\n"]
        .into_iter()
        .find(|gap| rest.starts_with(gap))?;
    let start = end + 1 + gap.len();
    let stop = line_end(t, start);
    is_secret(&t[start..stop], true, Style::Tight, said).then_some(Span {
        start,
        end: stop,
        kind: said.kind,
    })
}

#[cfg(test)]
mod tests {
    use super::super::mask;

    #[test]
    fn an_element_that_is_called_as_a_placeholder_is_none() {
        let once = mask("<secret>hunter2x</secret> <secret> hunter2x").into_owned();
        assert_eq!(once, "<secret><secret></secret> <secret> hunter2x");
        assert_eq!(mask(&once), once);
        let jenkins = "<secret>{AQAAABAAA ve4aj6v38uiadaq9hcgpupp2b3lh2k8}</secret>";
        assert_eq!(mask(jenkins), "<secret><secret></secret>");
    }

    #[test]
    fn a_name_beside_a_value_tells_what_it_is() {
        for text in [
            "<add key=\"DbPassword\" value=\"§\" />",
            "<property name=\"password\">§</property>",
            "<password>\n  §\n</password>",
            "<password><![CDATA[§]]></password>",
            "<key>Password</key>\n<string>§</string>",
            "- name: DB_PASSWORD\n  value: §",
            "- name: DB_PASSWORD\n  value: \"§\"",
            "form-data; name=\"password\"\r\n\r\n§\r\n--x",
        ] {
            let text = text.replace('§', "hunter2");
            let masked = mask(&text);
            assert_eq!(masked, text.replace("hunter2", "<secret:password>"));
        }
    }

    #[test]
    fn values_of_other_names_stay() {
        for text in [
            "<add key=\"Timeout\" value=\"30s1\" />",
            "<password><minLength>8</minLength></password>",
            "- name: DB_PASSWORD\n  valueFrom:\n    name: db2",
            "- name: LOG_LEVEL\n  value: debug1",
            "- name: DB_PASSWORD\n  value: \"\"\n- name: LEVEL\n  value: debug1",
        ] {
            assert_eq!(mask(text), text);
        }
    }
}
