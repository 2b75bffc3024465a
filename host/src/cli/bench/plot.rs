//! The figures of a benchmark as a picture: one small chart for each, both axes in powers of ten, without scripts.

use super::Row;

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 160.0;
const MARGIN: f64 = 56.0;
const COLUMNS: usize = 3;

/// All charts, three in a row. A dashed line grows with the number of episodes, for comparison.
pub(super) fn svg(rows: &[Row]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        if !names.contains(&row.name.as_str()) {
            names.push(&row.name);
        }
    }
    let lines = names.len().div_ceil(COLUMNS);
    let (cell_width, cell_height) = (WIDTH + MARGIN, HEIGHT + MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        cell_width * COLUMNS as f64 + MARGIN,
        cell_height * lines as f64 + MARGIN / 2.0
    );
    for (at, name) in names.iter().enumerate() {
        let (x, y) = (
            MARGIN + (at % COLUMNS) as f64 * cell_width,
            MARGIN / 2.0 + (at / COLUMNS) as f64 * cell_height,
        );
        let own: Vec<&Row> = rows.iter().filter(|row| row.name == *name).collect();
        svg.push_str(&chart(name, &own, x, y));
    }
    svg.push_str("</svg>\n");
    svg
}

fn chart(name: &str, rows: &[&Row], left: f64, top: f64) -> String {
    let sizes = || rows.iter().map(|row| row.episodes as f64);
    let values = || {
        let both = rows.iter().flat_map(|row| [Some(row.value), row.baseline]);
        both.flatten().filter(|value| *value > 0.0)
    };
    let lowest = values().fold(f64::MAX, f64::min).log10().floor();
    let highest = values()
        .fold(f64::MIN, f64::max)
        .log10()
        .ceil()
        .max(lowest + 1.0);
    let (first, last) = (
        sizes().fold(f64::MAX, f64::min).log10(),
        sizes().fold(f64::MIN, f64::max).log10(),
    );
    let x = |size: f64| left + (size.log10() - first) / (last - first).max(1.0) * WIDTH;
    let y = |value: f64| top + HEIGHT - (value.log10() - lowest) / (highest - lowest) * HEIGHT;
    let unit = rows.first().map_or("", |row| row.unit);
    let mut svg = format!(
        "<text x=\"{left}\" y=\"{}\" font-weight=\"bold\">{name}, {unit}</text>\n",
        top - 6.0
    );
    for power in lowest as i32..=highest as i32 {
        let at = y(10f64.powi(power));
        svg.push_str(&format!(
            "<line x1=\"{left}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
            left + WIDTH,
            left - 4.0,
            at + 4.0,
            10f64.powi(power)
        ));
    }
    for size in sizes() {
        svg.push_str(&format!(
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{size}</text>\n",
            x(size),
            top + HEIGHT + 14.0
        ));
    }
    let mut line = |color: &str, value: &dyn Fn(&Row) -> Option<f64>| {
        let points = rows
            .iter()
            .filter_map(|row| Some((row.episodes as f64, value(row)?)));
        let points: Vec<_> = points
            .filter(|(_, value)| *value > 0.0)
            .map(|(size, value)| format!("{:.1},{:.1}", x(size), y(value)))
            .collect();
        svg.push_str(&format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\n",
            points.join(" ")
        ));
    };
    line("#b9b9b9", &|row| row.baseline);
    line("#1f5fa8", &|row| Some(row.value));
    svg
}
