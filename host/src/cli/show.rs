//! Text for a terminal. Content from outside is data: it must not steer the terminal it is shown on.

use serde::Serialize;
use twiceshy_text::instant;

pub(crate) use twiceshy_text::control::line;

/// A text on one line, cut to a number of characters.
pub(crate) fn cut(text: &str, characters: usize) -> String {
    let line = line(text);
    if line.chars().count() <= characters {
        return line;
    }
    line.chars()
        .take(characters.saturating_sub(1))
        .chain(['…'])
        .collect()
}

/// JSON in which nothing can steer the terminal it is shown on: a program that reads it gets the same characters.
pub(crate) fn json(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string(value)?;
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        // All that steers stands within strings, where it may be written by its number.
        match line(character.encode_utf8(&mut [0; 4])).is_empty() {
            true => {
                let units = character.encode_utf16(&mut [0; 2]).to_vec();
                shown.extend(units.iter().map(|unit| format!("\\u{unit:04x}")));
            }
            false => shown.push(character),
        }
    }
    Ok(shown)
}

/// A number of milliseconds since the Unix epoch as a date and time in UTC.
pub(crate) fn time(milliseconds: u64) -> String {
    instant::shown(milliseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shown_text_can_not_steer_the_terminal() {
        assert_eq!(line("a\x1b[31mb\r\nc\u{202e}d\x07"), "a[31mb  cd");
        assert_eq!(cut("abcdef", 4), "abc…");
    }

    #[test]
    fn json_steers_no_terminal_and_says_the_same() {
        let told = "a\u{202e}b\u{9b}2J\u{7f}\u{e0072}\n\u{1b}[2J é 文";
        let shown = json(&told).expect("JSON");
        assert_eq!(
            shown,
            r#""a\u202eb\u009b2J\u007f\udb40\udc72\n\u001b[2J é 文""#
        );
        assert_eq!(serde_json::from_str::<String>(&shown).expect("JSON"), told);
    }

    #[test]
    fn a_time_is_shown_as_its_date() {
        assert_eq!(time(0), "1970-01-01 00:00:00");
        assert_eq!(time(951_827_696_000), "2000-02-29 12:34:56");
        assert_eq!(time(1_794_787_200_000), "2026-11-16 00:00:00");
    }
}
