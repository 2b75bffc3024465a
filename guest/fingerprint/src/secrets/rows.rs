//! Rows that SQL inserts: the value that stands where a column named as a secret does.
//!
//! This module owns pairing the columns of `INSERT INTO t (name, password) VALUES ('bob', 'X')` with the values of each
//! row. Assignments such as `SET password = 'X'` are fields like any other.

use super::bytes::*;
use super::names::{Level, classify};
use super::values::stands_for_nothing;
use super::{Kind, Span};

/// How far before `VALUES` the columns may begin, and how many columns and rows are looked at.
const MAX_BACK: usize = 2048;
const MAX_COLUMNS: usize = 64;
const MAX_ROWS: usize = 1024;

/// The secrets of the rows after the word `VALUES` at `i`.
pub(super) fn values_at(t: &[u8], i: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    let Some(columns) = columns_before(t, i) else {
        return spans;
    };
    let mut j = run(t, i + b"values".len(), SPACE);
    for _ in 0..MAX_ROWS {
        if at(t, j) != b'(' {
            break;
        }
        let Some((values, end)) = list_at(t, j) else {
            break;
        };
        for (place, &(start, end)) in values.iter().enumerate() {
            if let Some((_, kind)) = columns.iter().find(|(column, _)| *column == place) {
                spans.extend(literal(t, start, end, *kind));
            }
        }
        j = run(t, end, SPACE);
        if at(t, j) != b',' {
            break;
        }
        j = run(t, j + 1, SPACE);
    }
    spans
}

/// The columns before `VALUES` whose names announce a secret, by their places.
fn columns_before(t: &[u8], i: usize) -> Option<Vec<(usize, Kind)>> {
    let close = t[..i].iter().rposition(|b| !is(*b, SPACE))?;
    if t[close] != b')' {
        return None;
    }
    let lowest = close.saturating_sub(MAX_BACK);
    let open = lowest + t[lowest..close].iter().rposition(|b| *b == b'(')?;
    let names = t[open + 1..close].split(|b| *b == b',');
    let columns: Vec<_> = names
        .take(MAX_COLUMNS)
        .enumerate()
        .filter_map(|(place, name)| {
            let name = name.trim_ascii();
            let name: Vec<u8> = name
                .iter()
                .copied()
                .filter(|b| !is(*b, QUOTE) && !matches!(b, b'[' | b']'))
                .collect();
            let said = classify(&name)?;
            (said.level == Level::Sure
                || said.level == Level::Likely
                || said.level == Level::Assigned)
                .then_some((place, said.kind))
        })
        .collect();
    (!columns.is_empty()).then_some(columns)
}

/// The values of the row that opens at `i`, and its end; nothing if it does not close.
fn list_at(t: &[u8], i: usize) -> Option<(Vec<(usize, usize)>, usize)> {
    let limit = t.len().min(i + 65_536);
    let (mut values, mut start, mut j, mut depth) = (Vec::new(), i + 1, i + 1, 0);
    while j < limit {
        match t[j] {
            b'\'' => {
                j += 1;
                // A quote is written twice, or behind a backslash.
                while j < limit && (t[j] != b'\'' || at(t, j + 1) == b'\'') {
                    j += if matches!(t[j], b'\\' | b'\'') { 2 } else { 1 };
                }
            }
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            b')' => {
                values.push((start, j));
                return Some((values, j + 1));
            }
            b',' if depth == 0 => {
                values.push((start, j));
                start = j + 1;
            }
            _ => {}
        }
        j += 1;
    }
    None
}

/// The text between the quotes of a value, if it is one to hide.
fn literal(t: &[u8], start: usize, end: usize, kind: Kind) -> Option<Span> {
    let lead = t[start..end].iter().take_while(|b| is(**b, SPACE)).count();
    let start = start + lead;
    let end = start + t[start..end].trim_ascii_end().len();
    let inner = (start + 1, end.checked_sub(1)?);
    let quoted = end > start + 2 && is(t[start], QUOTE) && t[end - 1] == t[start];
    (quoted && !stands_for_nothing(&t[inner.0..inner.1])).then_some(Span {
        start: inner.0,
        end: inner.1,
        kind,
    })
}

#[cfg(test)]
mod tests {
    use super::super::mask;

    #[test]
    fn only_the_column_of_the_secret_is_hidden_in_every_row() {
        assert_eq!(
            mask("insert into t (a, password) values ('x, y', 'it''s'), (f(1, 2), 'b') ;"),
            "insert into t (a, password) values ('x, y', '<secret:password>'), (f(1, 2), '<secret:password>') ;"
        );
    }

    #[test]
    fn parameters_and_other_columns_stay() {
        for text in [
            "INSERT INTO t (a, password) VALUES (?, ?)",
            "INSERT INTO t (a, b) VALUES ('x', 'y')",
            "values ('a', 'b')",
            "INSERT INTO t (a, password) VALUES ('x'",
        ] {
            assert_eq!(mask(text), text);
        }
    }
}
