//! Text for a terminal. Content from outside is data: it must not steer the terminal it is shown on.

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
    fn a_time_is_shown_as_its_date() {
        assert_eq!(time(0), "1970-01-01 00:00:00");
        assert_eq!(time(951_827_696_000), "2000-02-29 12:34:56");
        assert_eq!(time(1_794_787_200_000), "2026-11-16 00:00:00");
    }
}
