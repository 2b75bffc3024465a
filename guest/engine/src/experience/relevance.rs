//! Relevance: what an entry is worth, and which ones go.
//!
//! Owns the formula and the choice. Pure: nothing is kept of a score, so that asking often changes nothing.

use super::entry::Use;

/// `decay^days · (1 + 0.1·ln(1 + accesses))`.
pub(crate) fn relevance(decay: f64, days: f64, accesses: u32) -> f64 {
    decay.powf(days) * (1.0 + 0.1 * (1.0 + f64::from(accesses)).ln())
}

/// How entries are chosen to go.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Choice {
    /// Those that are worth less than `least`, then the ones worth least.
    Relevance { decay: f64, least: f64, now: u64 },
    /// The oldest.
    Oldest,
}

/// The entries that go so that `room` stay, the first to go first. None goes while all have room.
pub(crate) fn surplus(mut uses: Vec<Use>, room: usize, choice: Choice) -> Vec<Use> {
    let beyond = uses.len().saturating_sub(room);
    if beyond == 0 {
        return Vec::new();
    }
    let by_age = |left: &Use, right: &Use| {
        let age = left.created_at.cmp(&right.created_at);
        age.then_with(|| left.id.cmp(&right.id))
    };
    let mut going = beyond;
    match choice {
        Choice::Oldest => uses.sort_by(by_age),
        Choice::Relevance { decay, least, now } => {
            uses.sort_by(|left, right| {
                let worth = |used: &Use| used.relevance(decay, now);
                let order = worth(left).total_cmp(&worth(right));
                order.then_with(|| by_age(left, right))
            });
            let worthless = |used: &&Use| used.relevance(decay, now) < least;
            going = beyond.max(uses.iter().take_while(worthless).count());
        }
    }
    uses.truncate(going);
    uses
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 86_400_000;

    fn used(id: &str, created: u64, accesses: u32, last: Option<u64>) -> Use {
        Use {
            access_count: accesses,
            last_accessed_at: last,
            ..Use::none(id, created)
        }
    }

    fn ids(uses: &[Use]) -> Vec<&str> {
        uses.iter().map(|used| used.id.as_str()).collect()
    }

    #[test]
    fn relevance_has_the_figures_of_the_formula() {
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-9, "{value}");
        near(relevance(0.99, 0.0, 0), 1.0);
        near(relevance(0.99, 1.0, 0), 0.99);
        near(relevance(0.99, 10.0, 0), 0.904_382_075_008_804_4);
        // ln(1 + 9) = 2.302585…
        near(relevance(0.99, 0.0, 9), 1.230_258_509_299_404_5);
        near(
            relevance(0.99, 10.0, 9),
            0.904_382_075_008_804_4 * 1.230_258_509_299_404_5,
        );
        // Without access, 0.1 is reached within the 230th day.
        assert!(relevance(0.99, 229.0, 0) > 0.1 && relevance(0.99, 230.0, 0) < 0.1);
    }

    #[test]
    fn what_is_worth_too_little_goes_first_and_then_the_lowest() {
        let now = 400 * DAY;
        let uses = || {
            vec![
                used("ancient", 0, 0, None),
                used("old-but-used", 0, 9, Some(399 * DAY)),
                used("week", 393 * DAY, 0, None),
                used("new", 400 * DAY, 0, None),
                used("stale", 100 * DAY, 3, Some(110 * DAY)),
            ]
        };
        let choice = Choice::Relevance {
            decay: 0.99,
            least: 0.1,
            now,
        };
        assert!(surplus(uses(), 5, choice).is_empty(), "all have room");
        // Both that are below the least go, though one would do.
        assert_eq!(ids(&surplus(uses(), 4, choice)), ["ancient", "stale"]);
        assert_eq!(
            ids(&surplus(uses(), 2, choice)),
            ["ancient", "stale", "week"]
        );
        assert_eq!(
            ids(&surplus(uses(), 3, Choice::Oldest)),
            ["ancient", "old-but-used"]
        );
    }
}
