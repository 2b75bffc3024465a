//! Relevance: how often an entry was found, what it is worth, and which entries are pruned.
//!
//! Owns the use of an entry, the formula and the choice. Nothing is kept of a score, so that asking often changes nothing.

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Attribute, Condition},
    memory::Error,
};

use crate::{
    instant::days_between,
    limits,
    store::{Kind, Noun, Reader, ascending, equals, number, query, text},
};

/// How often an entry was found.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Use {
    pub(crate) id: String,
    pub(crate) created_at: u64,
    pub(crate) access_count: u32,
    pub(crate) last_accessed_at: Option<u64>,
    pub(crate) archived: bool,
}

impl Noun for Use {
    const KIND: Kind = Kind::ExperienceUse;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let mut attributes = vec![
            text("state", state(self.archived)),
            number("created-at", self.created_at as f64),
        ];
        // Who looks for the entry that was used longest ago does not have to pass all that are archived.
        if !self.archived {
            attributes.push(number("used-at", self.used_at() as f64));
        }
        attributes
    }
}

/// The attribute of an entry that is searched and that nobody found yet: when it was made.
pub(crate) const UNUSED: &str = "unused-since";

pub(super) fn state(archived: bool) -> &'static str {
    if archived { "archived" } else { "active" }
}

/// A condition that an entry is searched.
pub(crate) fn active() -> Condition {
    equals("state", state(false))
}

/// A condition that an entry is kept and not searched.
pub(crate) fn archived() -> Condition {
    equals("state", state(true))
}

impl Use {
    /// The use of an entry that nobody found yet.
    pub(crate) fn none(id: &str, created_at: u64) -> Self {
        Self {
            id: id.to_owned(),
            created_at,
            access_count: 0,
            last_accessed_at: None,
            archived: false,
        }
    }

    /// Whether nobody found the entry yet.
    pub(crate) fn is_none(&self) -> bool {
        self.access_count == 0 && self.last_accessed_at.is_none()
    }

    /// When it was last found, or else made.
    pub(crate) fn used_at(&self) -> u64 {
        self.last_accessed_at.unwrap_or(self.created_at)
    }

    /// What the entry is worth now.
    pub(crate) fn relevance(&self, decay: f64, now: u64) -> f64 {
        relevance(decay, days_between(self.used_at(), now), self.access_count)
    }
}

/// `decay^days · (1 + 0.1·ln(1 + accesses))`.
pub(crate) fn relevance(decay: f64, days: f64, accesses: u32) -> f64 {
    twiceshy_text::number::pow(decay, days)
        * (1.0 + 0.1 * twiceshy_text::number::ln(1.0 + f64::from(accesses)))
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

/// The uses of all entries that are searched, oldest first.
pub(crate) fn active_uses(reader: &Reader) -> Result<Vec<Use>, Error> {
    let all = query::<Use>(vec![active()], ascending("created-at"), limits::EXPERIENCES);
    let found = reader.search::<Use>(&all)?;
    Ok(found.into_iter().map(|(read, _)| read.noun).collect())
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
