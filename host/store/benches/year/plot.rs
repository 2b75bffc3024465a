//! The year as a picture: one SVG with a small chart for each figure, without scripts.

use super::calendar::Day;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 120.0;
const LEFT: f64 = 90.0;
const GAP: f64 = 56.0;

/// A line of a chart.
type Line<'d> = (&'d str, &'d str, Vec<f64>);

/// All charts, one below the other. Ratios are means over a week, so that single days do not hide the course.
pub fn svg(days: &[Day]) -> String {
    let of = |value: &dyn Fn(&Day) -> f64| days.iter().map(value).collect::<Vec<_>>();
    let ratio = |part: &dyn Fn(&Day) -> u32, whole: &dyn Fn(&Day) -> u32| {
        let window = |at: usize| &days[at.saturating_sub(6)..=at];
        let sum = |of: &dyn Fn(&Day) -> u32, at: usize| -> f64 {
            window(at).iter().map(|day| f64::from(of(day))).sum()
        };
        (0..days.len())
            .map(|at| sum(part, at) / sum(whole, at).max(1.0))
            .collect::<Vec<_>>()
    };
    let mib = 1024.0 * 1024.0;
    let charts: [(&str, Vec<Line>); 5] = [
        (
            "failed steps for each run",
            vec![("failures", "#b3261e", ratio(&|d| d.failures, &|d| d.runs))],
        ),
        (
            "recall: share of known failures with their way out; share of briefed lessons about the tool",
            vec![
                ("recalled", "#1b6e3c", ratio(&|d| d.recalled, &|d| d.known)),
                (
                    "relevant",
                    "#1f5fa8",
                    ratio(&|d| d.relevant, &|d| d.briefed),
                ),
            ],
        ),
        (
            "time of one recall, microseconds (median, 95 %)",
            vec![
                ("median", "#1b6e3c", of(&|d| f64::from(d.recall_us_median))),
                ("95 %", "#b3261e", of(&|d| f64::from(d.recall_us_p95))),
            ],
        ),
        (
            "size, MiB",
            vec![
                ("store", "#1f5fa8", of(&|d| d.store_bytes as f64 / mib)),
                ("archive", "#8a6d00", of(&|d| d.archive_bytes as f64 / mib)),
            ],
        ),
        (
            "the night's consolidation, seconds",
            vec![("night", "#5b3a8c", of(&|d| f64::from(d.night_ms) / 1_000.0))],
        ),
    ];
    let height = charts.len() as f64 * (HEIGHT + GAP) + GAP;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\"><rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
        LEFT + WIDTH + 110.0
    );
    for (at, (title, lines)) in charts.iter().enumerate() {
        svg.push_str(&chart(title, lines, GAP / 2.0 + at as f64 * (HEIGHT + GAP)));
    }
    svg.push_str("</svg>\n");
    svg
}

fn chart(title: &str, lines: &[Line], top: f64) -> String {
    let values = || {
        lines
            .iter()
            .flat_map(|(_, _, values)| values.iter().copied())
    };
    let most = values().fold(0.0, f64::max).max(1e-9);
    let (top, bottom) = (top + 18.0, top + 18.0 + HEIGHT);
    let mut svg = format!(
        "<text x=\"{LEFT}\" y=\"{:.0}\" font-weight=\"bold\">{title}</text>\
         <rect x=\"{LEFT}\" y=\"{top:.0}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#ccc\"/>\
         <text x=\"{}\" y=\"{:.0}\" text-anchor=\"end\">{}</text>\
         <text x=\"{}\" y=\"{bottom:.0}\" text-anchor=\"end\">0</text>",
        top - 5.0,
        LEFT - 6.0,
        top + 10.0,
        said(most),
        LEFT - 6.0
    );
    for (place, (name, colour, values)) in lines.iter().enumerate() {
        let step = WIDTH / (values.len().max(2) - 1) as f64;
        let points: Vec<_> = values
            .iter()
            .enumerate()
            .map(|(at, value)| {
                format!(
                    "{:.1},{:.1}",
                    LEFT + at as f64 * step,
                    bottom - value / most * HEIGHT
                )
            })
            .collect();
        svg.push_str(&format!(
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" points=\"{}\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\" fill=\"{colour}\">{name}</text>",
            points.join(" "),
            LEFT + WIDTH + 8.0,
            top + 14.0 + 16.0 * place as f64
        ));
    }
    svg
}

fn said(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 1.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}
