//! Chance: numbers that depend only on a seed and on what they are for.

/// A source of chance.
#[derive(Clone, Copy)]
pub struct Chance {
    pub seed: u64,
}

impl Chance {
    /// 64 bits for a purpose.
    pub fn bits(&self, purpose: u64, first: u64, second: u64) -> u64 {
        let mut state = self.seed;
        for part in [purpose, first, second] {
            state = mixed(state ^ mixed(part.wrapping_add(0x9e37_79b9_7f4a_7c15)));
        }
        state
    }

    /// A number from 0 to 1 for a purpose.
    pub fn uniform(&self, purpose: u64, first: u64, second: u64) -> f64 {
        (self.bits(purpose, first, second) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number from the normal distribution, nearly: the sum of twelve uniform ones.
    pub fn normal(&self, purpose: u64, first: u64) -> f64 {
        (0..12)
            .map(|n| self.uniform(purpose, first, n))
            .sum::<f64>()
            - 6.0
    }
}

/// SplitMix64.
fn mixed(state: u64) -> u64 {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

/// The number of events at a rate, by inversion: a higher rate never gives fewer for the same luck.
pub fn poisson(rate: f64, luck: f64) -> u32 {
    let mut probability = (-rate).exp();
    let mut below = probability;
    let mut count = 0;
    while luck >= below && count < 100 {
        count += 1;
        probability *= rate / f64::from(count);
        below += probability;
    }
    count
}
