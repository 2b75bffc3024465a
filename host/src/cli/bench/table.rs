//! The figures of a bench as lines for a reader.

use super::Row;

/// A head and one line for each figure.
pub(super) fn lines(rows: &[Row]) -> Vec<String> {
    let mut lines = vec![format!(
        "{:>9} {:<26} {:>12} {:>10} {:>12} {:>12} {:>7}  unit",
        "episodes", "figure", "value", "p99", "processor ms", "bare SQLite", "growth"
    )];
    let number = |number: Option<f64>| match number {
        None => "—".to_owned(),
        Some(number) if number.abs() >= 100.0 => format!("{number:.0}"),
        Some(number) => format!("{number:.3}"),
    };
    lines.extend(rows.iter().map(|row| {
        format!(
            "{:>9} {:<26} {:>12} {:>10} {:>12} {:>12} {:>7}  {}",
            row.episodes,
            row.name,
            number(Some(row.value)),
            number(row.p99),
            number(row.processor),
            number(row.baseline),
            row.growth
                .map_or("—".to_owned(), |growth| format!("{growth:.2}")),
            row.unit
        )
    }));
    lines
}
