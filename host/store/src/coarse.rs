//! Owns the short form of vectors, one byte for each component, by which the nearest are looked for.
//!
//! A short form says how near a vector is to within a bound that it carries itself. What may be among the nearest by that
//! bound is compared in full, so that the answer is exact; the rest is never read. It does not know the full vectors.

/// The largest component of a short form, and of a direction that is asked for.
const LARGEST: f64 = 127.0;
const LARGEST_ASKED: f64 = 2047.0;

/// What rounding in the arithmetic itself may amount to, and more.
const ROUNDING: f64 = 1e-5;

/// Bytes before the components: a factor and the bound, each f32.
const HEAD: usize = 8;

/// A vector in whole steps of its own size; how long it is, and how far that is from it.
struct Steps {
    steps: Vec<i16>,
    step: f64,
    length: f64,
    error: f64,
}

fn in_steps(vector: &[f32], largest: f64) -> Steps {
    let greatest = vector.iter().fold(0.0f64, |greatest, component| {
        greatest.max(f64::from(component.abs()))
    });
    let step = greatest / largest;
    let (mut square, mut error) = (0.0, 0.0);
    let in_step = |component: &f32| {
        let exact = f64::from(*component);
        let steps = if step > 0.0 {
            (exact / step).round()
        } else {
            0.0
        };
        square += exact * exact;
        error += (exact - steps * step).powi(2);
        steps as i16
    };
    Steps {
        steps: vector.iter().map(in_step).collect(),
        step,
        length: square.sqrt(),
        error: error.sqrt(),
    }
}

/// The short form of a vector.
pub fn short(vector: &[f32]) -> Vec<u8> {
    let Steps {
        steps,
        step,
        length,
        error,
    } = in_steps(vector, LARGEST);
    // A vector without a length is near to nothing, and exactly so.
    let (factor, bound) = if length > 0.0 && length.is_finite() {
        (step / length, error / length)
    } else {
        (0.0, 2.0)
    };
    let head = [factor as f32, (bound * 1.001) as f32 + f32::EPSILON];
    let mut bytes: Vec<u8> = head.into_iter().flat_map(f32::to_le_bytes).collect();
    bytes.extend(steps.into_iter().map(|step| (step as i8) as u8));
    bytes
}

/// A direction that short forms are compared with.
pub struct Asked {
    steps: Vec<i16>,
    factor: f64,
    bound: f64,
}

impl Asked {
    pub fn new(vector: &[f32]) -> Asked {
        let Steps {
            steps,
            step,
            length,
            error,
        } = in_steps(vector, LARGEST_ASKED);
        if length > 0.0 && length.is_finite() {
            return Asked {
                steps,
                factor: step / length,
                bound: error / length,
            };
        }
        Asked {
            steps,
            factor: 0.0,
            bound: 2.0,
        }
    }

    /// The most that the cosine similarity of the vector with this short form can be.
    pub fn at_most(&self, short: &[u8]) -> f64 {
        let Some((head, steps)) = short.split_at_checked(HEAD) else {
            return 1.0;
        };
        let number = |at: usize| {
            let bytes = head[at..at + 4].try_into().unwrap_or_default();
            f64::from(f32::from_le_bytes(bytes))
        };
        let (factor, bound) = (number(0), number(4));
        let near = product(&self.steps, steps) as f64 * self.factor * factor;
        near + bound + self.bound * (1.0 + bound) + ROUNDING
    }
}

/// The inner product of steps.
fn product(asked: &[i16], steps: &[u8]) -> i64 {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor can do what the function is compiled for.
        return unsafe { product_by_avx2(asked, steps) };
    }
    product_of_all(asked, steps)
}

/// The same by instructions that not every processor of the kind has; whole numbers come out the same.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn product_by_avx2(asked: &[i16], steps: &[u8]) -> i64 {
    product_of_all(asked, steps)
}

#[inline(always)]
fn product_of_all(asked: &[i16], steps: &[u8]) -> i64 {
    let mut product = 0i64;
    for (asked, steps) in asked.chunks(1024).zip(steps.chunks(1024)) {
        let sum: i32 = asked
            .iter()
            .zip(steps)
            .map(|(asked, step)| i32::from(*asked) * i32::from(*step as i8))
            .sum();
        product += i64::from(sum);
    }
    product
}

/// The components of a vector as it is kept.
pub fn components(bytes: &[u8]) -> Vec<f32> {
    let (components, _) = bytes.as_chunks();
    components
        .iter()
        .map(|component| f32::from_le_bytes(*component))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use twiceshy_documents::rank::Direction;

    fn vector() -> impl Strategy<Value = Vec<f32>> {
        let component = prop_oneof![
            8 => -1.0f32..1.0,
            1 => Just(0.0f32),
            1 => prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL,
        ];
        prop::collection::vec(component, 40)
    }

    proptest! {
        #[test]
        fn a_vector_is_never_nearer_than_its_short_form_says(asked in vector(), other in vector()) {
            let exact = Direction::new(&asked).cosine(&other);
            let most = Asked::new(&asked).at_most(&short(&other));
            prop_assert!(most >= exact, "{most} < {exact}");
        }
    }

    #[test]
    fn the_bound_of_a_short_form_is_close() {
        let wave = |phase: f32| -> Vec<f32> {
            (0..384)
                .map(|at| (at as f32 * 0.37 + phase).sin())
                .collect()
        };
        let asked = wave(0.0);
        for phase in [0.0, 0.5, 1.0, 2.0, 3.0] {
            let other = wave(phase);
            let exact = Direction::new(&asked).cosine(&other);
            let most = Asked::new(&asked).at_most(&short(&other));
            assert!(most >= exact && most - exact < 0.02, "{most} for {exact}");
        }
    }
}
