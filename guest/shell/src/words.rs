//! Words: what the shell makes of one that is written with quotes.
//!
//! Owns the removal of quotes. Expansions stay as they are written, because nobody knows their values here.

use crate::syntax;

/// A word without its quotes.
pub(crate) fn unquote(raw: &str) -> String {
    if !raw.contains(['\'', '"', '\\']) {
        return raw.to_owned();
    }
    let mut word = String::with_capacity(raw.len());
    let mut at = 0;
    while at < raw.len() {
        let rest = &raw[at..];
        match rest.as_bytes()[0] {
            b'\'' => {
                let inner = &rest[1..];
                let end = inner.find('\'').unwrap_or(inner.len());
                word.push_str(&inner[..end]);
                at += end + 2;
            }
            b'"' => at += 1 + double(&rest[1..], &mut word),
            b'$' if rest[1..].starts_with('\'') => at += 2 + escaped(&rest[2..], &mut word),
            b'$' if rest[1..].starts_with('"') => at += 2 + double(&rest[2..], &mut word),
            b'$' | b'`' => at = expansion(raw, at, &mut word),
            b'\\' => {
                let next = rest[1..].chars().next();
                word.extend(next.filter(|c| *c != '\n'));
                at += 1 + next.map_or(0, char::len_utf8);
            }
            _ => {
                let end = rest.find(['\'', '"', '$', '`', '\\']).unwrap_or(rest.len());
                word.push_str(&rest[..end]);
                at += end;
            }
        }
    }
    word
}

/// Nothing in the word is replaced by the shell: no variable, no substitution.
pub(crate) fn is_fixed(raw: &str) -> bool {
    let mut rest = raw;
    let mut doubled = false;
    while let Some(at) = rest.find(['\'', '"', '$', '`', '\\']) {
        rest = &rest[at..];
        let skipped = match rest.as_bytes()[0] {
            b'"' => {
                doubled = !doubled;
                Some(1)
            }
            b'\'' if doubled => Some(1),
            b'\'' => rest[1..].find('\'').map(|end| end + 2),
            b'$' if !doubled && rest[1..].starts_with('\'') => {
                Some(2 + escaped(&rest[2..], &mut String::new()))
            }
            b'$' | b'`' => return false,
            _ => rest[1..].chars().next().map(|c| 1 + c.len_utf8()),
        };
        rest = &rest[skipped.unwrap_or(rest.len()).min(rest.len())..];
    }
    true
}

/// What stands in double quotes; returns how much of it was read, with the quote that closes it.
fn double(text: &str, word: &mut String) -> usize {
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        match rest.as_bytes()[0] {
            b'"' => return at + 1,
            b'\\' => {
                let next = rest[1..].chars().next();
                match next {
                    Some('\n') => {}
                    Some(c @ ('$' | '`' | '"' | '\\')) => word.push(c),
                    other => {
                        word.push('\\');
                        word.extend(other);
                    }
                }
                at += 1 + next.map_or(0, char::len_utf8);
            }
            b'`' => at = expansion(text, at, word),
            b'$' if !rest[1..].starts_with(['\'', '"']) => at = expansion(text, at, word),
            b'$' => {
                word.push('$');
                at += 1;
            }
            _ => {
                let end = rest.find(['"', '$', '`', '\\']).unwrap_or(rest.len());
                word.push_str(&rest[..end]);
                at += end;
            }
        }
    }
    at
}

/// An expansion, as it is written; returns where it ends.
fn expansion(text: &str, at: usize, word: &mut String) -> usize {
    let end = syntax::word_end(text, at).unwrap_or(text.len());
    let end = end.max(at + 1);
    word.push_str(&text[at..end]);
    end
}

/// What stands in `$'…'`; returns how much of it was read, with the quote that closes it.
fn escaped(text: &str, word: &mut String) -> usize {
    let mut bytes = Vec::new();
    let source = text.as_bytes();
    let mut at = 0;
    let mut end = source.len();
    while at < source.len() {
        match source[at] {
            b'\'' => {
                end = at + 1;
                break;
            }
            b'\\' if at + 1 < source.len() => {
                at += 1;
                let simple = match source[at] {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    b'a' => 7,
                    b'b' => 8,
                    b'e' | b'E' => 27,
                    b'f' => 12,
                    b'v' => 11,
                    b'0'..=b'7' => {
                        let (value, length) = number(&source[at..], 8, 3);
                        at += length - 1;
                        // A byte, as the shell has it.
                        (value & 0xff) as u8
                    }
                    digit @ (b'x' | b'u' | b'U') => {
                        let most = match digit {
                            b'x' => 2,
                            b'u' => 4,
                            _ => 8,
                        };
                        let (value, length) = number(&source[at + 1..], 16, most);
                        at += length;
                        if digit != b'x' {
                            let c = char::from_u32(value).unwrap_or('\u{fffd}');
                            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                            at += 1;
                            continue;
                        }
                        (value & 0xff) as u8
                    }
                    other => other,
                };
                bytes.push(simple);
                at += 1;
            }
            byte => {
                bytes.push(byte);
                at += 1;
            }
        }
    }
    word.push_str(&String::from_utf8_lossy(&bytes));
    end
}

/// The number at the beginning, and how many digits it has.
fn number(text: &[u8], radix: u32, most: usize) -> (u32, usize) {
    let mut value = 0u32;
    let mut length = 0;
    for byte in text.iter().take(most) {
        let Some(digit) = char::from(*byte).to_digit(radix) else {
            break;
        };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        length += 1;
    }
    (value, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_removed_and_expansions_stay() {
        for (raw, word) in [
            ("plain", "plain"),
            ("'a b'", "a b"),
            ("a\\ b", "a b"),
            ("\"a \\\"b\\\" \\n\"", "a \"b\" \\n"),
            ("\"$HOME/x\"'y'", "$HOME/xy"),
            ("\"$(echo \"a b\")\"c", "$(echo \"a b\")c"),
            ("$'it\\'s\\n\\x41\\101\\u00e9'", "it's\nAAé"),
            ("\"$'x'\"", "$'x'"),
            ("`date +'%s'`", "`date +'%s'`"),
            ("--out=\"a b\".txt", "--out=a b.txt"),
            ("''", ""),
            ("größe\\ß", "größeß"),
        ] {
            assert_eq!(unquote(raw), word, "{raw}");
        }
    }

    #[test]
    fn a_word_is_fixed_if_the_shell_replaces_nothing_in_it() {
        for raw in ["a", "'$x'", "$'\\x24'", "\\$x", "\"a b\"", "'it'\\''s'"] {
            assert!(is_fixed(raw), "{raw}");
        }
        for raw in ["$x", "\"$x\"", "`date`", "'a'$(b)", "\"'$x'\""] {
            assert!(!is_fixed(raw), "{raw}");
        }
    }
}
