//! The form of an action: what of it is words, and what is data of the day.
//!
//! Owns cutting an action into tokens that go together again exactly, the typed holes that stand for data
//! (`<num>`, `<path2>`), and the question whether an action has a given form. Which data become holes is
//! decided by mining; what a form advises is the business of advice.

mod lex;
mod matching;

pub use lex::{Kind, Lexed, Token};
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

/// The longest common subsequence of two lists, as pairs of places.
pub fn common<T: PartialEq>(left: &[T], right: &[T]) -> Vec<(usize, usize)> {
    let head = left.iter().zip(right).take_while(|(l, r)| l == r).count();
    let (from, to) = (&left[head..], &right[head..]);
    let tail = from.iter().rev().zip(to.iter().rev());
    let tail = tail.take_while(|(l, r)| l == r).count();
    let (from, to) = (&from[..from.len() - tail], &to[..to.len() - tail]);
    let width = to.len() + 1;
    let mut lengths = vec![0u16; (from.len() + 1) * width];
    for l in (0..from.len()).rev() {
        for r in (0..to.len()).rev() {
            lengths[l * width + r] = if from[l] == to[r] {
                lengths[(l + 1) * width + r + 1] + 1
            } else {
                lengths[(l + 1) * width + r].max(lengths[l * width + r + 1])
            };
        }
    }
    let mut pairs: Vec<_> = (0..head).map(|at| (at, at)).collect();
    let (mut l, mut r) = (0, 0);
    while l < from.len() && r < to.len() {
        if from[l] == to[r] {
            pairs.push((head + l, head + r));
            l += 1;
            r += 1;
        } else if lengths[(l + 1) * width + r] >= lengths[l * width + r + 1] {
            l += 1;
        } else {
            r += 1;
        }
    }
    pairs.extend((0..tail).map(|at| (left.len() - tail + at, right.len() - tail + at)));
    pairs
}
