//! Text for a terminal. Content from outside is data: it must not steer the terminal it is shown on.

/// A text on one line, without control characters and escape codes.
pub(crate) fn line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' | '\t' => line.push(' '),
            // Also the marks that turn the direction of writing.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            character if character.is_control() => {}
            character => line.push(character),
        }
    }
    line
}

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
    let seconds = milliseconds / 1_000;
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Days since 0000-03-01 in the proleptic Gregorian calendar, counted in eras of 400 years.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}",
        second / 3_600,
        second / 60 % 60,
        second % 60
    )
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
