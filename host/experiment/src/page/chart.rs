//! One chart: the failed commands of each run of a phase, a line with its band for each arm.

use std::fmt::Write;

use crate::{
    plan::{Arm, Phase},
    report::Report,
    tools::Tool,
};

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 230.0;
const LEFT: f64 = 34.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 30.0;

/// The class by which an arm has its colour.
pub(super) fn class(arm: Arm) -> &'static str {
    match arm {
        Arm::Memory => "memory",
        Arm::NoMemory => "no-memory",
        Arm::Planted => "planted",
    }
}

/// The chart of a phase and a tool.
pub(super) fn chart(report: &Report, phase: Phase, tool: Tool) -> String {
    let curves = Arm::ALL.map(|arm| (arm, report.curve(arm, phase, tool)));
    let levels = || curves.iter().flat_map(|(_, curve)| curve);
    let most = levels()
        .map(|level| level.tool_errors.high)
        .fold(1.0, f64::max);
    let runs = levels().filter_map(|level| level.run).max().unwrap_or(1);
    let x = |run: u32| {
        let place = f64::from(run.saturating_sub(1)) / f64::from(runs.saturating_sub(1).max(1));
        LEFT + place * (WIDTH - LEFT - RIGHT)
    };
    let y = |errors: f64| TOP + (1.0 - errors / most) * (HEIGHT - TOP - BOTTOM);
    let title = format!("{} {}, {}", phase.letter(), phase.title(), tool.name());
    let mut svg = format!(
        "<figure><figcaption>{title}</figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"failed commands by run, {title}\">\n"
    );
    let step = (most / 4.0).ceil().max(1.0);
    for tick in (0..)
        .map(|tick| f64::from(tick) * step)
        .take_while(|tick| *tick <= most)
    {
        let at = y(tick);
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{tick:.0}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0
        );
    }
    for run in (1..=runs).filter(|run| runs <= 12 || run % 2 == 1) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{run}</text>",
            x(run),
            HEIGHT - BOTTOM + 16.0
        );
    }
    for (arm, curve) in &curves {
        let points: Vec<_> = curve
            .iter()
            .filter_map(|level| Some((x(level.run?), level.tool_errors)))
            .collect();
        let path = |value: &dyn Fn(&(f64, crate::statistics::Interval)) -> f64| -> Vec<String> {
            let points = points.iter();
            points
                .map(|point| format!("{:.1},{:.1}", point.0, y(value(point))))
                .collect()
        };
        let mut band = path(&|point| point.1.high);
        let mut low = path(&|point| point.1.low);
        low.reverse();
        band.append(&mut low);
        let _ = writeln!(
            svg,
            "<g class=\"{}\"><polygon class=\"band\" points=\"{}\"/><polyline class=\"line\" points=\"{}\"/>",
            class(*arm),
            band.join(" "),
            path(&|point| point.1.mean).join(" ")
        );
        for (at, errors) in &points {
            let _ = writeln!(
                svg,
                "<circle class=\"dot\" cx=\"{at:.1}\" cy=\"{:.1}\" r=\"3\"><title>{}: {:.2} ({:.2} to {:.2})</title></circle>",
                y(errors.mean),
                arm.title(),
                errors.mean,
                errors.low,
                errors.high
            );
        }
        svg.push_str("</g>\n");
    }
    svg + "</svg></figure>\n"
}
