//! Dates as arguments: read as UTC, given as milliseconds since the Unix epoch.

/// A date such as `2026-01-31`, alone or with a time such as `T12:00` or ` 12:00:30`, and perhaps a `Z`.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a date such as 2026-01-31 or 2026-01-31T12:00");
    let given = text.trim().trim_end_matches(['Z', 'z']);
    let (date, time) = match given.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (given, None),
    };
    let days = days(date).ok_or_else(wrong)?;
    let seconds = match time {
        None => 0,
        Some(time) => seconds(time).ok_or_else(wrong)?,
    };
    Ok((days * 86_400 + seconds) * 1_000)
}

/// The parts of a text as numbers of a fixed width.
fn numbers(text: &str, separator: char, widths: &[usize]) -> Option<Vec<u64>> {
    let parts: Vec<_> = text.split(separator).collect();
    if parts.len() != widths.len() {
        return None;
    }
    let number = |(part, width): (&&str, &usize)| {
        let digits = part.len() == *width && part.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| part.parse().ok()).flatten()
    };
    parts.iter().zip(widths).map(number).collect()
}

/// Days since the Unix epoch.
fn days(date: &str) -> Option<u64> {
    let [year, month, day] = numbers(date, '-', &[4, 2, 2])?.try_into().ok()?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let february = if leap { 29 } else { 28 };
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let length = lengths.get(usize::try_from(month.checked_sub(1)?).ok()?)?;
    if year < 1970 || day == 0 || day > *length {
        return None;
    }
    let leaps = |year: u64| year / 4 - year / 100 + year / 400;
    let before_year = (year - 1970) * 365 + leaps(year - 1) - leaps(1969);
    let before_month: u64 = lengths.iter().take(month as usize - 1).sum();
    Some(before_year + before_month + day - 1)
}

/// Seconds since midnight.
fn seconds(time: &str) -> Option<u64> {
    let parts = numbers(time, ':', &[2, 2]).or_else(|| numbers(time, ':', &[2, 2, 2]))?;
    let second = parts.get(2).copied().unwrap_or(0);
    (parts[0] < 24 && parts[1] < 60 && second < 60)
        .then_some(parts[0] * 3_600 + parts[1] * 60 + second)
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
