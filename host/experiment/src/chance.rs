//! Chance that is the same every time: a number drawn for a seed and a name.
//!
//! A draw depends on nothing but what it is for, so two arms of the experiment that come to the same point
//! draw the same number, in whatever order they come to it.

/// A source of draws.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chance(u64);

impl Chance {
    /// The source for a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(mixed(seed ^ 0x7477_6963_6573_6879))
    }

    /// The source for something more particular.
    pub(crate) fn of(self, name: &str) -> Self {
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(mixed(self.0.rotate_left(17) ^ hash))
    }

    /// A number from 0 up to but not including 1.
    pub(crate) fn share(self) -> f64 {
        (mixed(self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The next source in a row of draws.
    pub(crate) fn next(self) -> Self {
        Self(mixed(self.0.wrapping_add(0x9e37_79b9_7f4a_7c15)))
    }

    /// A place in a list of this length, which is not empty.
    pub(crate) fn place(self, length: usize) -> usize {
        ((self.share() * length as f64) as usize).min(length - 1)
    }
}

/// The finaliser of splitmix64.
fn mixed(mut value: u64) -> u64 {
    value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_the_same_for_the_same_name_and_spread_evenly_over_names() {
        let chance = Chance::new(7);
        assert_eq!(
            chance.of("a").share().to_bits(),
            chance.of("a").share().to_bits()
        );
        let mut tenths = [0_u32; 10];
        for index in 0..10_000 {
            tenths[chance.of(&index.to_string()).of("x").place(10)] += 1;
        }
        for tenth in tenths {
            assert!((900..1_100).contains(&tenth), "{tenths:?}");
        }
    }
}
