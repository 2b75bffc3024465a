//! The form of an action: what of it is words, and what is data of the day.
//!
//! Owns cutting an action into tokens that go together again exactly, the typed holes that stand for data
//! (`<num>`, `<path2>`), and the question whether an action has a given form. Which data become holes is
//! decided by mining; what a form advises is the business of advice.

mod lex;
mod matching;

pub(crate) use lex::{Kind, Lexed, Token};
pub(crate) use matching::Pattern;

/// The types that a hole may have.
const TYPES: [&str; 9] = [
    "num", "path", "str", "name", "id", "hash", "url", "date", "time",
];

/// The bytes that a hole's number may have: no form has a thousand holes of one type.
const HOLE_DIGITS: usize = 3;

/// The hole at the beginning of `text`: its length in bytes and its type.
pub(crate) fn hole_at(text: &str) -> Option<(usize, &'static str)> {
    let inside = text.strip_prefix('<')?;
    let letters = inside
        .bytes()
        .take(5)
        .take_while(u8::is_ascii_lowercase)
        .count();
    let base = TYPES.into_iter().find(|base| *base == &inside[..letters])?;
    let digits = inside[letters..]
        .bytes()
        .take(HOLE_DIGITS + 1)
        .take_while(u8::is_ascii_digit)
        .count();
    let closed = inside[letters + digits..].starts_with('>');
    (closed && digits <= HOLE_DIGITS).then_some((letters + digits + 2, base))
}

/// The hole of a type with a number; the first of its type has none.
pub(crate) fn hole(base: &str, number: usize) -> String {
    match number {
        0 | 1 => format!("<{base}>"),
        number => format!("<{base}{number}>"),
    }
}
