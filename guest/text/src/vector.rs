//! Vectors of meaning: how near two are, and what lies between some.
//!
//! Owns the numbers, operation by operation, so that stores and engine give the same ones on every machine.

/// A vector that others are compared with.
pub struct Direction {
    vector: Vec<f32>,
    square: f64,
}

impl Direction {
    /// Prepares for comparisons with `vector`.
    pub fn new(vector: &[f32]) -> Direction {
        Direction {
            vector: vector.to_vec(),
            square: product(vector, vector),
        }
    }

    /// The cosine, in -1..=1. A vector of zeros has no direction and is 0 from everything.
    pub fn cosine(&self, other: &[f32]) -> f64 {
        // One root of both squares, and not two roots, is exact for vectors that are equal.
        let norm = (self.square * product(other, other)).sqrt();
        if norm == 0.0 {
            return 0.0;
        }
        // Adding zero makes a negative zero positive, so that the two are one score.
        (product(&self.vector, other) / norm).clamp(-1.0, 1.0) + 0.0
    }
}

/// The inner product, in f64 and in one fixed order: eight partial sums, which a compiler can vectorise
/// without changing the result.
fn product(a: &[f32], b: &[f32]) -> f64 {
    let mut sums = [0.0f64; 8];
    let (eights, others) = (
        a.chunks_exact(8).zip(b.chunks_exact(8)),
        (a.len().min(b.len()) / 8) * 8,
    );
    for (a, b) in eights {
        for lane in 0..8 {
            sums[lane] += f64::from(a[lane]) * f64::from(b[lane]);
        }
    }
    let rest = a[others..]
        .iter()
        .zip(&b[others..])
        .map(|(a, b)| f64::from(*a) * f64::from(*b));
    sums.iter().sum::<f64>() + rest.sum::<f64>()
}

/// The cosine of two vectors of one length, in -1..=1.
pub fn cosine(left: &[f32], right: &[f32]) -> f64 {
    Direction::new(left).cosine(right)
}

/// The mean of some vectors of one length, each as often as it counts.
pub fn mean<'v>(vectors: impl Iterator<Item = (&'v [f32], u32)>) -> Vec<f32> {
    let mut sum: Vec<f64> = Vec::new();
    let mut counted = 0;
    for (vector, count) in vectors.filter(|(vector, _)| !vector.is_empty()) {
        if sum.is_empty() {
            sum.resize(vector.len(), 0.0);
        }
        if vector.len() == sum.len() {
            counted += count;
            for (sum, value) in sum.iter_mut().zip(vector) {
                *sum += f64::from(*value) * f64::from(count);
            }
        }
    }
    let counted = f64::from(counted.max(1));
    sum.into_iter().map(|sum| (sum / counted) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosine_is_one_for_the_same_direction_and_zero_without_any() {
        assert_eq!(cosine(&[3.0, 4.0], &[6.0, 8.0]), 1.0);
        assert_eq!(cosine(&[1.0, 0.0], &[0.0, 1.0]), 0.0);
        assert_eq!(cosine(&[1.0, 1.0], &[-1.0, -1.0]), -1.0);
        assert_eq!(cosine(&[1.0, 0.0], &[0.0, 0.0]), 0.0);
    }

    #[test]
    fn the_mean_leaves_out_what_has_no_vector() {
        let vectors: [(&[f32], u32); 3] = [(&[1.0, 3.0], 3), (&[], 1), (&[5.0, 7.0], 1)];
        assert_eq!(mean(vectors.into_iter()), [2.0, 4.0]);
    }
}
