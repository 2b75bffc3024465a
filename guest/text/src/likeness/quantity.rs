//! Quantities: numbers with their units, so that *1 kHz* is *1000 Hz* and *two* is *2*.

/// A number as it is usually written: without a sign of plus, and without an empty fraction.
pub(super) fn plain_number(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(number) => number.to_string(),
        Err(_) => text.to_owned(),
    }
}

/// A number with a unit in the smallest unit of its kind, so that *1 kHz* is *1000 Hz*.
pub(super) fn quantity(number: &str, unit: &str) -> Option<String> {
    let (factor, base) = match unit {
        "ms" | "msec" | "millisecond" | "milliseconds" => (1.0, "ms"),
        "s" | "sec" | "secs" | "second" | "seconds" | "sekunden" | "secondes" | "segundos"
        | "секунд" | "сек" | "с" => (1e3, "ms"),
        "m" | "min" | "mins" | "minute" | "minutes" | "minuten" | "minutos" | "минут" => {
            (6e4, "ms")
        }
        "h" | "hr" | "hrs" | "hour" | "hours" | "stunden" | "heures" | "horas" | "часов" => {
            (3.6e6, "ms")
        }
        "d" | "day" | "days" | "tage" | "jours" | "dias" | "дней" => (8.64e7, "ms"),
        "b" | "byte" | "bytes" => (1.0, "b"),
        "k" | "thousand" | "tausend" => (1e3, ""),
        "million" | "millions" => (1e6, ""),
        "kb" | "kib" | "kilobyte" | "kilobytes" => (1024.0, "b"),
        "mb" | "mib" | "megabyte" | "megabytes" => (1024.0 * 1024.0, "b"),
        "gb" | "gib" | "gigabyte" | "gigabytes" => (1024.0 * 1024.0 * 1024.0, "b"),
        "hz" | "hertz" => (1.0, "hz"),
        "khz" | "kilohertz" => (1e3, "hz"),
        "mhz" | "megahertz" => (1e6, "hz"),
        "percent" | "prozent" | "pct" => (1.0, "%"),
        "x" | "times" | "mal" | "fois" | "veces" | "vezes" | "раз" | "razy" => (1.0, ""),
        _ => return None,
    };
    let number: f64 = number.parse().ok()?;
    Some(format!("{}{base}", number * factor))
}

/// A number written as a word.
pub(super) fn number_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "two" | "zwei" | "deux" | "dos" | "dois" | "два" | "dwa" => "2",
        "three" | "drei" | "trois" | "tres" | "три" | "trzy" => "3",
        "four" | "vier" | "quatre" | "cuatro" | "quatro" | "четыре" => "4",
        "five" | "funf" | "cinq" | "cinco" | "пять" => "5",
        "six" | "sechs" | "seis" | "шесть" => "6",
        "seven" | "sieben" | "sept" | "siete" => "7",
        "eight" | "acht" | "huit" | "ocho" => "8",
        "nine" | "neun" | "neuf" | "nueve" => "9",
        "ten" | "zehn" | "dix" | "diez" | "десять" => "10",
        "twelve" => "12",
        "twenty" => "20",
        "thirty" => "30",
        "fifty" => "50",
        "hundred" => "100",
        "thousand" => "1000",
        _ => return None,
    })
}
