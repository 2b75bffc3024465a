//! Relevance: what an entry is worth, and which ones go.
//!
//! Owns the formula and the choice. Pure: nothing is kept of a score, so that asking often changes nothing.

use super::entry::Use;
use crate::limits;

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

impl Choice {
    /// Whether nothing that was last used at that time or later goes, if of `uses`, all that were used earlier, so many
    /// have to: what is worth least is worth as much as if nobody had found it.
    pub(crate) fn is_settled(self, uses: &[Use], beyond: usize, used_at: u64) -> bool {
        let Self::Relevance { decay, least, now } = self else {
            return uses.len() >= beyond;
        };
        let bound = relevance(decay, days_between(used_at, now), 0);
        let less = uses
            .iter()
            .filter(|used| used.relevance(decay, now) < bound);
        bound >= least && less.count() >= beyond
    }
}

/// The days from one time to another; none if it is later.
pub(crate) fn days_between(from: u64, to: u64) -> f64 {
    to.saturating_sub(from) as f64 / limits::DAY_MS as f64
}

/// The entries that go if so many have to, the first to go first. None goes while none has to.
pub(crate) fn surplus(mut uses: Vec<Use>, beyond: usize, choice: Choice) -> Vec<Use> {
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
        assert!(surplus(uses(), 0, choice).is_empty(), "all have room");
        // Both that are below the least go, though one would do.
        assert_eq!(ids(&surplus(uses(), 1, choice)), ["ancient", "stale"]);
        assert_eq!(
            ids(&surplus(uses(), 3, choice)),
            ["ancient", "stale", "week"]
        );
        assert_eq!(
            ids(&surplus(uses(), 2, Choice::Oldest)),
            ["ancient", "old-but-used"]
        );
    }

    #[test]
    fn looking_ends_where_nothing_can_be_worth_less() {
        let now = 100 * DAY;
        let choice = Choice::Relevance {
            decay: 0.99,
            least: 0.1,
            now,
        };
        let uses = [
            used("a", 10 * DAY, 0, None),
            used("b", 0, 50, Some(11 * DAY)),
        ];
        assert!(choice.is_settled(&uses, 1, 12 * DAY));
        // The second is worth more than one that was used a day later and never before.
        assert!(!choice.is_settled(&uses, 2, 12 * DAY));
        assert!(choice.is_settled(&uses, 2, 60 * DAY));
        // What is worth too little goes in any case.
        let late = Choice::Relevance {
            decay: 0.9,
            least: 0.1,
            now,
        };
        assert!(!late.is_settled(&uses, 1, 60 * DAY));
        assert!(late.is_settled(&uses, 1, 90 * DAY));
        assert!(Choice::Oldest.is_settled(&uses, 2, 12 * DAY));
    }
}
