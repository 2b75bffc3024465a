//! Instants as text: ISO 8601, as files outside have it.
//!
//! Owns reading and writing of dates. Inside, an instant is milliseconds since the Unix epoch. `jiff` and `time` are not
//! used: everything is in UTC and in one format, and their time zones, formats and errors would be carried for nothing.

/// A day in milliseconds.
pub const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// The days from one time to another; none if it is later.
pub fn days_between(from: u64, to: u64) -> f64 {
    to.saturating_sub(from) as f64 / DAY_MS as f64
}

/// How recent a time is, from 0 to 1: after so many days, 1/e.
pub fn recency(at: u64, now: u64, days: f64) -> f64 {
    crate::number::exp(-days_between(at, now) / days)
}

/// An instant in UTC, such as `2024-01-15T10:30:00Z`; with milliseconds only if it has some.
pub fn written(at: u64) -> String {
    let fraction = match at % 1_000 {
        0 => String::new(),
        some => format!(".{some:03}"),
    };
    format!("{}T{}{fraction}Z", day(at), clock(at))
}

/// An instant in UTC as people read it, such as `2024-01-15 10:30:00`.
pub fn shown(at: u64) -> String {
    format!("{} {}", day(at), clock(at))
}

/// The day of an instant, such as `2024-01-15`.
pub fn day(at: u64) -> String {
    let (year, month, day) = date(at / DAY_MS);
    format!("{year:04}-{month:02}-{day:02}")
}

fn clock(at: u64) -> String {
    let second = at % DAY_MS / 1_000;
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    format!("{hour:02}:{minute:02}:{:02}", second % 60)
}

/// The instant that a text names, with any offset; one without an offset is in UTC, a date alone is its
/// midnight. What is finer than a millisecond is cut off. None for anything else, and before 1970.
pub fn read(text: &str) -> Option<u64> {
    let text = text.trim();
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, time.trim()),
        None => (text, "00:00:00Z"),
    };
    let mut parts = date.split('-');
    let year = number(parts.next()?, 4)?;
    let month = number(parts.next()?, 2)?;
    let day = number(parts.next()?, 2)?;
    if parts.next().is_some() || !(1..=12).contains(&month) || day < 1 || day > days_in(year, month)
    {
        return None;
    }
    let (clock, offset) = offset(time)?;
    let (clock, fraction) = match clock.split_once(['.', ',']) {
        Some((clock, fraction)) => (clock, milliseconds(fraction)?),
        None => (clock, 0),
    };
    let mut parts = clock.split(':');
    let hour = number(parts.next()?, 2)?;
    let minute = number(parts.next()?, 2)?;
    let second = parts.next().map_or(Some(0), |second| number(second, 2))?;
    // A leap second is the first one of the next minute.
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let seconds = (days_since_epoch(year, month, day)? * 24 + hour) * 3_600 + minute * 60 + second;
    u64::try_from((seconds - offset) * 1_000 + fraction).ok()
}

/// A time of day without its offset, and the offset in seconds.
fn offset(time: &str) -> Option<(&str, i64)> {
    if let Some(clock) = time.strip_suffix(['Z', 'z']) {
        return Some((clock, 0));
    }
    let Some(at) = time.rfind(['+', '-', '\u{2212}']) else {
        return Some((time, 0));
    };
    let sign = if time[at..].starts_with('+') { 1 } else { -1 };
    let digits: String = time[at..]
        .chars()
        .skip(1)
        .filter(|digit| *digit != ':')
        .collect();
    let (hours, minutes) = match digits.len() {
        2 => (digits.as_str(), "00"),
        4 => digits.split_at(2),
        _ => return None,
    };
    let (hours, minutes) = (number(hours, 2)?, number(minutes, 2)?);
    (hours <= 23 && minutes <= 59).then_some((&time[..at], sign * (hours * 3_600 + minutes * 60)))
}

fn number(text: &str, digits: usize) -> Option<i64> {
    let fits = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok())?
}

fn milliseconds(fraction: &str) -> Option<i64> {
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let three: String = fraction.chars().chain("00".chars()).take(3).collect();
    three.parse().ok()
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Counts from March on, so that the leap day is the last of its year.
fn days_since_epoch(year: i64, month: i64, day: i64) -> Option<i64> {
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = 365 * year + year / 4 - year / 100 + year / 400 + of_year - 719_468;
    (year >= 0).then_some(days)
}

fn date(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: u64 = 1_705_314_600_000;

    #[test]
    fn an_instant_is_read_in_every_form_of_iso_8601() {
        for text in [
            "2024-01-15T10:30:00Z",
            "2024-01-15T10:30:00+00:00",
            "2024-01-15T12:30:00+02:00",
            "2024-01-15T05:00:00-0530",
            "2024-01-15 10:30:00",
            "2024-01-15T10:30",
            "2024-01-15T10:30:00.000999",
            "2024-01-15T11:30:00+01",
        ] {
            assert_eq!(read(text), Some(NOON), "{text}");
        }
        assert_eq!(read("2024-01-15T10:30:00.25Z"), Some(NOON + 250));
        assert_eq!(read("1970-01-01"), Some(0));
    }

    #[test]
    fn what_is_no_instant_is_refused() {
        for text in [
            "",
            "yesterday",
            "2024-13-01",
            "2023-02-29",
            "2024-01-15T25:00",
            "2024-1-5",
            "2024-01-15T10:30:00+99:99",
            "1969-12-31T23:59:59Z",
            "2024-01-15T10:30:00.Z",
            "1705314600",
            "+024-01-15",
            "2024-01-15T10:30:00é",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_as_the_same() {
        assert_eq!(written(NOON), "2024-01-15T10:30:00Z");
        for at in [
            0,
            1,
            NOON + 7,
            951_827_696_000,
            4_102_444_799_999,
            68_169_600_000,
        ] {
            assert_eq!(read(&written(at)), Some(at), "{}", written(at));
        }
    }
}
