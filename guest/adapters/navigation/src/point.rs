//! Points of a world of one to three dimensions, and distances between them.

/// A position: one to three finite numbers.
pub(crate) type Point = [f64];

/// Positions that are nearer to each other are the same: rounding of a simulation, not a move.
const SAME: f64 = 1e-6;

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

/// Whether two positions are the same.
pub(crate) fn is_same(one: &Point, other: &Point) -> bool {
    distance(one, other).is_some_and(|distance| distance < SAME)
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
        assert!(is_same(&[1.0, 1.0], &[1.0, 1.000_000_1]));
    }
}
