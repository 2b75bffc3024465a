//! References: what refers to an episode, so that it is not removed while something rests on it.
//!
//! Owns looking for them among documents of any kind, by the attributes that name an episode. What the documents say
//! is the business of their own nouns, which stand above episodes.

use std::collections::BTreeSet;

use twiceshy_wit::{
    host::Order,
    memory::{Error, Link},
};

use crate::store::{Kind, Reader, equals, newest};

/// Lessons and episodes that refer to one, as the contract has it.
const REFERENCES: u32 = 256;

/// What refers to an episode: lessons that were learned in it, links, and episodes that it stands for.
pub(crate) fn references_to(reader: &Reader, episode: &str) -> Result<Vec<String>, Error> {
    let learned = reader.ids(
        Kind::Lesson,
        equals("origin", episode),
        newest("updated-at"),
        REFERENCES,
    )?;
    // What is withdrawn with a deleted one, which was learned in it alone.
    let withdrawn = reader.ids(
        Kind::Withdrawn,
        equals("alone", episode),
        Order::ById,
        REFERENCES,
    )?;
    let linked = reader.find::<Link>(vec![equals("lesson", episode)], newest("at"), REFERENCES)?;
    let other_sides = linked.into_iter().map(|link| {
        if link.source == episode {
            link.target
        } else {
            link.source
        }
    });
    let stands_for = reader.ids(
        Kind::Lifecycle,
        equals("consolidated-into", episode),
        Order::ById,
        REFERENCES,
    )?;
    let references: BTreeSet<_> = learned
        .into_iter()
        .chain(withdrawn)
        .chain(other_sides)
        .chain(stands_for)
        .collect();
    Ok(references.into_iter().take(REFERENCES as usize).collect())
}
