//! Dates as arguments: read as UTC unless they say otherwise, given as milliseconds since the Unix epoch.

use twiceshy_text::instant;

/// A date such as `2026-01-31`, alone or with a time such as `T12:00` or ` 12:00:30`, and perhaps an offset.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    instant::read(text)
        .ok_or_else(|| format!("`{text}` is not a date such as 2026-01-31 or 2026-01-31T12:00"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::show;

    #[test]
    fn a_date_is_read_as_it_is_shown() {
        for (text, shown) in [
            ("1970-01-01", "1970-01-01 00:00:00"),
            ("2000-02-29T12:34:56Z", "2000-02-29 12:34:56"),
            ("2026-11-16 00:00", "2026-11-16 00:00:00"),
            ("2100-03-01", "2100-03-01 00:00:00"),
            ("9999-12-31", "9999-12-31 00:00:00"),
        ] {
            assert_eq!(show::time(parse(text).expect(text)), shown);
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in [
            "",
            "yesterday",
            "2026",
            "2026-1-1",
            "2026-13-01",
            "2026-00-10",
            "2026-02-29",
            "2026-04-31",
            "1969-12-31",
            "2026-01-01T",
            "2026-01-01T24:00",
            "2026-01-01T1:00",
            "-2026-01-01",
            "+026-01-01",
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(text), "{error}");
        }
    }
}
