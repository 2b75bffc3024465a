//! Expendable entries: those that go when a memory is full.
//!
//! Owns where they are looked for: among the entries that nobody found yet and among the uses of the others, each from the
//! one that was not used for longest on. What an entry is worth is in [relevance](super::relevance).

use twiceshy_wit::memory::{Error, ExperienceEntry};

use super::{
    entry::KeptExperience,
    relevance::{Choice, UNUSED, Use, active, surplus},
};
use crate::{
    limits,
    store::{Reader, ascending, at_least, query},
};

/// How many uses are read first beside those that have to go; then twice as many each time. Mostly the first few show
/// which.
const USES: usize = 4;

/// The entries that go if so many have to, the first to go first. Reads from the one that was not used for longest
/// until nothing else can go, not all of them: this is asked whenever an entry comes to a full memory.
pub(crate) fn expendable(
    reader: &Reader,
    beyond: usize,
    choice: Choice,
    may_go: impl Fn(&Use) -> bool,
) -> Result<Vec<Use>, Error> {
    let order = match choice {
        Choice::Relevance { .. } => "used-at",
        Choice::Oldest => "created-at",
    };
    let mut limit = beyond + USES;
    loop {
        let page = u32::try_from(limit).unwrap_or(u32::MAX);
        let (used, unused) = (longest_used(reader, order, page)?, unused(reader, page)?);
        // Of each kind that goes on, what is not read was used at the time of the last one or later.
        let pages = [&used, &unused].into_iter();
        let bound = pages
            .filter(|page| page.len() == limit)
            .filter_map(|page| page.last().map(Use::used_at))
            .min();
        // An entry of an earlier version may have a use and not say so.
        let known = reader.load_by_id::<Use>(unused.iter().map(|none| &none.id))?;
        let unused = unused
            .into_iter()
            .filter(|none| !known.contains_key(&none.id));
        let uses: Vec<_> = used.into_iter().chain(unused).filter(&may_go).collect();
        let is_settled = bound.is_none_or(|bound| choice.is_settled(&uses, beyond, bound));
        if is_settled || limit >= limits::EXPERIENCES as usize {
            return Ok(surplus(uses, beyond, choice));
        }
        limit = (2 * limit).min(limits::EXPERIENCES as usize);
    }
}

/// Entries that were found, from the one that was not for longest on.
fn longest_used(reader: &Reader, order: &str, limit: u32) -> Result<Vec<Use>, Error> {
    let page = query::<Use>(vec![active()], ascending(order), limit);
    let found = reader.search::<Use>(&page)?;
    Ok(found.into_iter().map(|(read, _)| read.noun).collect())
}

/// Entries that nobody found yet, the oldest first.
fn unused(reader: &Reader, limit: u32) -> Result<Vec<Use>, Error> {
    let page = query::<KeptExperience>(vec![at_least(UNUSED, 0.0)], ascending(UNUSED), limit);
    let found = reader.search::<KeptExperience>(&page)?.into_iter();
    let entries: Vec<_> = found.map(|(read, _)| read.noun.entry).collect();
    let none = |entry: &ExperienceEntry| Use::none(&entry.id, entry.created_at);
    Ok(entries.iter().map(none).collect())
}
