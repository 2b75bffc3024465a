//! The graph as a drawing: whoever needs something stands above it, and lines that only shorten a longer way are
//! left out.

use std::fmt::Write;

use super::graph::Level;

const ROW: f64 = 56.0;
const BOX: (f64, f64) = (112.0, 30.0);
/// Room for a line that passes a row, and between two things in a row.
const PASSING: f64 = 16.0;
const GAP: f64 = 14.0;

/// A box, or a place where a line passes a row.
struct Spot {
    row: usize,
    /// The module, if it is a box.
    module: Option<usize>,
    x: f64,
}

impl Spot {
    fn width(&self) -> f64 {
        self.module.map_or(PASSING, |_| BOX.0)
    }
}

/// Draws a level. `below` are the names of crates of their own; each stands under all the others.
pub fn draw(level: &Level, below: &[&str]) -> String {
    let rows = rows(level, below);
    let mut spots: Vec<Spot> = rows
        .iter()
        .enumerate()
        .map(|(module, row)| Spot {
            row: *row,
            module: Some(module),
            x: 0.0,
        })
        .collect();
    // Each line as the spots that it goes through, from above.
    let mut lines = Vec::new();
    for (from, to) in level.without_shortcuts() {
        let mut line = vec![from];
        for row in (rows[to] + 1..rows[from]).rev() {
            line.push(spots.len());
            spots.push(Spot {
                row,
                module: None,
                x: 0.0,
            });
        }
        line.push(to);
        lines.push(line);
    }
    let width = arrange(&mut spots, &lines);
    let most = *rows.iter().max().expect("a module");
    let y = |row: usize| 40.0 + (most - row) as f64 * ROW;
    let height = y(0) + 40.0;

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\">\n\
         <title>Who needs whom among the modules of the engine, and the crates below it</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for line in &lines {
        let mut path = String::new();
        for (index, at) in line.iter().enumerate() {
            let spot = &spots[*at];
            let half = if spot.module.is_some() {
                BOX.1 / 2.0
            } else {
                0.0
            };
            let (top, bottom) = (y(spot.row) - half, y(spot.row) + half);
            if index == 0 {
                write!(path, "M{:.0} {bottom:.0}", spot.x).expect("a string");
            } else {
                let above = &spots[line[index - 1]];
                let half = if above.module.is_some() {
                    BOX.1 / 2.0
                } else {
                    0.0
                };
                let middle = (y(above.row) + half + top) / 2.0;
                write!(
                    path,
                    "C{:.0} {middle:.0} {1:.0} {middle:.0} {1:.0} {top:.0}",
                    above.x, spot.x
                )
                .expect("a string");
            }
        }
        writeln!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"#999\"/>").expect("a string");
    }
    for spot in &spots {
        let Some(module) = spot.module else { continue };
        let name = &level.names[module];
        let fill = if below.contains(&name.as_str()) {
            "#fdebd8"
        } else {
            "#e3edf7"
        };
        let (x, middle) = (spot.x, y(spot.row));
        writeln!(
            svg,
            "<rect x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{:.0}\" rx=\"5\" fill=\"{fill}\" stroke=\"#567\"/>\
             <text x=\"{x:.0}\" y=\"{:.0}\" fill=\"#222\">{name}</text>",
            x - BOX.0 / 2.0,
            middle - BOX.1 / 2.0,
            BOX.0,
            BOX.1,
            middle + 5.0
        )
        .expect("a string");
    }
    svg.push_str("</svg>\n");
    svg
}

/// The row of each, from below: what needs nothing is lowest, and no module of the engine stands beside a crate.
fn rows(level: &Level, below: &[&str]) -> Vec<usize> {
    let is_crate = |at: usize| below.contains(&level.names[at].as_str());
    let crates = level.heights(|_| 0);
    let lowest = (0..level.names.len())
        .filter(|at| is_crate(*at))
        .map(|at| crates[at] + 1)
        .max();
    level.heights(|at| if is_crate(at) { 0 } else { lowest.unwrap_or(0) })
}

/// Gives every spot its place in its row: near those that it is joined to. Answers how wide it all is.
fn arrange(spots: &mut [Spot], lines: &[Vec<usize>]) -> f64 {
    let most = spots.iter().map(|spot| spot.row).max().expect("a spot");
    let mut order: Vec<Vec<usize>> = vec![Vec::new(); most + 1];
    for (at, spot) in spots.iter().enumerate() {
        order[spot.row].push(at);
    }
    let wide = |row: &[usize], spots: &[Spot]| {
        row.iter().map(|at| spots[*at].width() + GAP).sum::<f64>() + GAP
    };
    let width = order.iter().map(|row| wide(row, spots)).fold(0.0, f64::max);
    for round in 0..24 {
        let downwards = round % 2 == 0;
        for step in 0..=most {
            let row = if downwards { most - step } else { step };
            let pull = |at: usize| {
                let mut near = Vec::new();
                for pair in lines.iter().flat_map(|line| line.windows(2)) {
                    let (from, to) = if downwards {
                        (pair[0], pair[1])
                    } else {
                        (pair[1], pair[0])
                    };
                    if to == at {
                        near.push(spots[from].x);
                    }
                }
                if near.is_empty() {
                    spots[at].x
                } else {
                    near.iter().sum::<f64>() / near.len() as f64
                }
            };
            let mut pulled: Vec<(f64, usize)> =
                order[row].iter().map(|at| (pull(*at), *at)).collect();
            pulled.sort_by(|left, right| left.0.total_cmp(&right.0));
            order[row] = pulled.iter().map(|(_, at)| *at).collect();
            let free = (width - wide(&order[row], spots)) / (order[row].len() + 1) as f64;
            let mut x = GAP + free;
            for at in &order[row] {
                let half = spots[*at].width() / 2.0;
                spots[*at].x = x + half;
                x += 2.0 * half + GAP + free;
            }
        }
    }
    width
}
