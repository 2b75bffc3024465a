//! Records: nouns that are written once, and found by their time and by the wording of a text in them.
//!
//! Owns the attributes that decisions and failures have in common and the ways to go through them. Which wordings
//! are similar is the business of [`wordings`](crate::decisions::wordings).

use twiceshy_wit::{
    host::{Attribute, Condition},
    memory::Error,
};

use crate::{
    decisions::wordings::KeptWording,
    limits,
    store::{Noun, Read, Reader, ascending, begins_with, from_on, from_store, query, text, up_to},
};

/// Records that are read in one go.
const PAGE: u32 = 1_000;

/// The attribute of a record's place in time.
pub(crate) const AT: &str = "at";

/// A noun that is written once.
pub(crate) trait Record: Noun {
    /// When it was recorded.
    fn at(&self) -> u64;

    /// Its place in the order of time, which no other record has.
    fn place(&self) -> String {
        place(self.at(), &self.id())
    }

    /// The attribute of its place.
    fn place_attribute(&self) -> Attribute {
        text(AT, &self.place())
    }

    /// The attribute by which it is found by a wording, the newest record first.
    fn wording_attribute(&self, name: &str, wording: &KeptWording) -> Attribute {
        let value = format!("{}:{}:{}", wording.id(), newest_first(self.at()), self.id());
        text(name, &value)
    }
}

fn place(at: u64, id: &str) -> String {
    format!("{at:016}.{id}")
}

fn newest_first(at: u64) -> String {
    format!("{:016x}", u64::MAX - at)
}

/// A condition that a record was made then or later.
pub(crate) fn since(at: u64) -> Condition {
    from_on(AT, &place(at, ""))
}

/// A condition that a record was made before a time.
pub(crate) fn until(at: u64) -> Condition {
    // Nothing of that time itself stands before its own beginning.
    up_to(AT, &place(at, ""))
}

/// A condition that a record comes after another one in the order of time.
pub(crate) fn behind(place: &str) -> Condition {
    from_on(AT, &format!("{place}!"))
}

/// So many days before now.
pub(crate) fn days_ago(reader: &Reader, days: u32) -> u64 {
    reader
        .now()
        .saturating_sub(u64::from(days) * limits::DAY_MS)
}

/// The newest records with a wording under an attribute, made at a time or later.
pub(crate) fn newest_with<R: Record>(
    reader: &Reader,
    attribute: &str,
    wording: &str,
    since: u64,
    limit: u32,
) -> Result<Vec<R>, Error> {
    let conditions = begins_with(attribute, &format!("{wording}:"), &newest_first(since));
    let found = reader.search::<R>(&query::<R>(conditions, ascending(attribute), limit))?;
    Ok(found.into_iter().map(|(read, _)| read.noun).collect())
}

/// Goes through records in the order of time. One that can't be read is left out with a warning.
pub(crate) fn each_record<R: Record>(
    reader: &Reader,
    conditions: &[Condition],
    mut look: impl FnMut(R),
) -> Result<(), Error> {
    let mut last = None;
    loop {
        let mut conditions = conditions.to_vec();
        conditions.extend(last.as_deref().map(behind));
        let page = query::<R>(conditions, ascending(AT), PAGE);
        let found = reader.store.find(&page).map_err(from_store)?;
        let full = found.len() == PAGE as usize;
        let mut unreadable = None;
        let mut read_any = false;
        for found in found {
            match Read::<R>::parse(&found.document) {
                Ok(read) => {
                    last = Some(read.noun.place());
                    read_any = true;
                    look(read.noun);
                }
                Err(error) => {
                    reader.warn(&format!("skipped: {}", error.message()));
                    unreadable = Some(error);
                }
            }
        }
        match unreadable {
            // Nothing says where to go on.
            Some(error) if full && !read_any => return Err(error),
            _ if !full => return Ok(()),
            _ => {}
        }
    }
}

/// Examples of one pattern, as the contract has it.
const EXAMPLES: usize = 5;

/// Puts an example first, each once, at most five.
pub(crate) fn latest(examples: &mut Vec<String>, example: String) {
    if example.is_empty() {
        return;
    }
    examples.retain(|known| *known != example);
    examples.insert(0, example);
    examples.truncate(EXAMPLES);
}
