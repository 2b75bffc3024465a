//! Records: nouns that are written once, and found by their time and by the wording of a text in them.
//!
//! Owns the attributes that decisions and failures have in common and the ways to go through them. Which wordings
//! are alike is the business of [`wordings`](crate::wordings).

use twiceshy_wit::{
    host::{Attribute, Condition},
    memory::Error,
};

use crate::{
    documents::{Noun, Read, ascending, begins_with, from_on, query, text, up_to},
    limits,
    ports::{Engine, from_store},
    wordings::KeptWording,
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

impl Engine<'_> {
    /// So many days before now.
    pub(crate) fn days_ago(&self, days: u32) -> u64 {
        self.now().saturating_sub(u64::from(days) * limits::DAY_MS)
    }

    /// The newest records with a wording under an attribute, made at a time or later.
    pub(crate) fn newest_with<R: Record>(
        &self,
        attribute: &str,
        wording: &str,
        since: u64,
        limit: u32,
    ) -> Result<Vec<R>, Error> {
        let conditions = begins_with(attribute, &format!("{wording}:"), &newest_first(since));
        let found = self.search::<R>(&query::<R>(conditions, ascending(attribute), limit))?;
        Ok(found.into_iter().map(|(read, _)| read.noun).collect())
    }

    /// Goes through records in the order of time. One that can't be read is left out with a warning.
    pub(crate) fn each_record<R: Record>(
        &self,
        conditions: &[Condition],
        mut look: impl FnMut(R),
    ) -> Result<(), Error> {
        let mut last = None;
        loop {
            let mut conditions = conditions.to_vec();
            conditions.extend(last.as_deref().map(behind));
            let page = query::<R>(conditions, ascending(AT), PAGE);
            let found = self.ports.store.find(&page).map_err(from_store)?;
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
                        self.warn(&format!("skipped: {}", error.message()));
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
}
