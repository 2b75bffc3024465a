//! Points of a world of one to three dimensions, and distances between them.

/// A position: one to three finite numbers.
pub(crate) type Point = [f64];

/// The distance as the crow flies. Positions of unequal dimensions have none.
pub(crate) fn distance(from: &Point, to: &Point) -> Option<f64> {
    (from.len() == to.len()).then(|| {
        let squares = from.iter().zip(to).map(|(from, to)| (from - to).powi(2));
        squares.sum::<f64>().sqrt()
    })
}

/// The distance in a grid without diagonals.
pub(crate) fn blocks(from: &Point, to: &Point) -> Option<f64> {
    (from.len() == to.len()).then(|| {
        let steps = from.iter().zip(to).map(|(from, to)| (from - to).abs());
        steps.sum()
    })
}

/// The straight way from one position to another.
#[derive(Clone, Copy)]
pub(crate) struct Line<'p> {
    pub(crate) from: &'p Point,
    pub(crate) to: &'p Point,
}

impl Line<'_> {
    /// The distance of the line from a point.
    pub(crate) fn distance(self, point: &Point) -> Option<f64> {
        let Self { from, to } = self;
        if from.len() != to.len() {
            return None;
        }
        let long = distance(from, to)?;
        let from_start = point.iter().zip(from).zip(from.iter().zip(to));
        let along: f64 = from_start
            .map(|((point, start), (from, to))| (point - start) * (to - from))
            .sum();
        // A line of no length is a point.
        let share = match long > 0.0 {
            true => (along / (long * long)).clamp(0.0, 1.0),
            false => 0.0,
        };
        let nearest: Vec<f64> = from
            .iter()
            .zip(to)
            .map(|(from, to)| from + share * (to - from))
            .collect();
        distance(&nearest, point)
    }

    /// Whether any part of the line is in a box.
    pub(crate) fn crosses(self, least: &Point, most: &Point) -> bool {
        let Self { from, to } = self;
        if [to, least, most].iter().any(|one| one.len() != from.len()) {
            return false;
        }
        // The part of the line that is between the two sides, one dimension after the other.
        let (mut enters, mut leaves) = (0.0f64, 1.0f64);
        for at in 0..from.len() {
            let along = to[at] - from[at];
            if along == 0.0 {
                if !(least[at]..=most[at]).contains(&from[at]) {
                    return false;
                }
                continue;
            }
            let sides = (
                (least[at] - from[at]) / along,
                (most[at] - from[at]) / along,
            );
            enters = enters.max(sides.0.min(sides.1));
            leaves = leaves.min(sides.0.max(sides.1));
        }
        enters <= leaves
    }
}

/// By how much one has turned from a heading to another, in degrees: the shorter way round, from -180 to 180.
pub(crate) fn turned(from: f64, to: f64) -> f64 {
    let round = (to - from).rem_euclid(360.0);
    if round > 180.0 { round - 360.0 } else { round }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_measured_in_any_dimension_and_never_across_dimensions() {
        assert_eq!(distance(&[0.0, 0.0], &[3.0, 4.0]), Some(5.0));
        assert_eq!(blocks(&[0.0, 0.0], &[3.0, 4.0]), Some(7.0));
        assert_eq!(distance(&[1.0], &[1.0, 2.0]), None);
        assert_eq!(blocks(&[0.0, 0.0, 1.0], &[0.0, 0.0, 3.0]), Some(2.0));
    }

    #[test]
    fn a_line_is_as_far_from_a_point_as_its_nearest_part() {
        let line = Line {
            from: &[0.0, 0.0],
            to: &[4.0, 0.0],
        };
        for (point, expected) in [([2.0, 1.0], 1.0), ([7.0, 4.0], 5.0), ([-3.0, 4.0], 5.0)] {
            assert_eq!(line.distance(&point), Some(expected), "{point:?}");
        }
        let still = Line {
            from: &[1.0],
            to: &[1.0],
        };
        assert_eq!(still.distance(&[3.0]), Some(2.0));
        assert_eq!(still.distance(&[3.0, 1.0]), None);
    }

    #[test]
    fn a_line_crosses_a_box_if_any_part_of_it_is_inside() {
        let line = Line {
            from: &[0.0, 0.0],
            to: &[4.0, 4.0],
        };
        for (least, most, expected) in [
            ([1.0, 1.0], [2.0, 2.0], true),
            ([1.0, 2.5], [1.5, 3.0], false),
            ([5.0, 5.0], [6.0, 6.0], false),
            ([-1.0, -1.0], [5.0, 5.0], true),
        ] {
            assert_eq!(line.crosses(&least, &most), expected, "{least:?}");
        }
        let along = Line {
            from: &[0.0, 1.0],
            to: &[4.0, 1.0],
        };
        assert!(along.crosses(&[2.0, 0.0], &[3.0, 2.0]));
        assert!(!along.crosses(&[2.0, 2.0], &[3.0, 3.0]));
    }

    #[test]
    fn a_turn_is_the_shorter_way_round() {
        for (from, to, expected) in [
            (350.0, 10.0, 20.0),
            (10.0, 350.0, -20.0),
            (0.0, 360.0, 0.0),
            (-90.0, 270.0, 0.0),
            (0.0, 180.0, 180.0),
        ] {
            assert_eq!(turned(from, to), expected, "{from} to {to}");
        }
    }
}
