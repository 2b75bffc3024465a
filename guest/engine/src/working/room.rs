//! Room: what is moved out when a section is full, and in which order.
//!
//! Owns the order: results older than five subtasks that nothing needs any more, then detailed traces, then
//! unread retrieved context. Each is moved out whole and leaves a short reference. If that is not enough, the
//! oldest references are removed, which can still be fetched by their ids; then a warning says that the limit is reached, and what
//! is left is cut to its head and tail, the coldest and largest first.

use twiceshy_wit::memory::{Error, Section, Temperature, VariableScope, VariableType};

use super::{
    draft::Draft,
    head::{Entry, Head, RECENT, SECTIONS, Sort},
    short::short,
};
use crate::insertion;

/// What is said when pruning is not enough.
pub(super) const WARNING: &str = "Context limit reached despite pruning";

/// Contents of one working memory: what is written for all of them fits into one commit.
pub(super) const ENTRIES: usize = 256;

/// References that are kept in sight; older ones are fetched by their ids.
const REFERENCES: usize = 64;

/// A reference in tokens.
const REFERENCE_TOKENS: u32 = 24;

/// The summary of a trace in tokens.
const TRACE_TOKENS: u32 = 48;

/// Below this a text says nothing any more.
const LEAST_TOKENS: u32 = 8;

/// Warnings that are remembered.
const WARNINGS: usize = 16;

/// What may be moved out, in the order in which it is.
#[derive(Debug, Clone, Copy)]
enum Candidate {
    /// Results older than five subtasks that nothing refers to.
    OldResults,
    /// Detailed traces.
    Traces,
    /// Context that was looked up and not read.
    Unread,
}

const CANDIDATES: [Candidate; 3] = [Candidate::OldResults, Candidate::Traces, Candidate::Unread];

impl Candidate {
    fn is(self, head: &Head, entry: &Entry) -> bool {
        match self {
            Self::OldResults => {
                let value = entry.sort == Sort::Variable
                    && entry.scope == Some(VariableScope::IntermediateValues)
                    && entry.kind == Some(VariableType::Intermediate);
                (entry.sort == Sort::Result || value)
                    && head.back(entry) > RECENT
                    && entry.needed_by.is_empty()
            }
            Self::Traces => entry.sort == Sort::Trace,
            Self::Unread => entry.is_retrieved() && entry.accesses == 0,
        }
    }
}

impl Draft<'_> {
    /// Makes every section fit.
    pub(super) fn fit(&mut self) -> Result<(), Error> {
        for section in SECTIONS {
            self.make_room(section)?;
        }
        let references = |head: &Head| {
            let all = head.entries.iter();
            all.filter(|entry| entry.is_reference() && is_result(entry))
                .count()
        };
        while references(&self.head) > REFERENCES || self.head.entries.len() > ENTRIES {
            if !self.drop_oldest(None)? {
                return Err(Error::Conflict(format!(
                    "Working memory has {} items, and at most {ENTRIES} are allowed. Remove variables by setting \
                     them to null.",
                    self.head.entries.len()
                )));
            }
        }
        Ok(())
    }

    fn make_room(&mut self, section: Section) -> Result<(), Error> {
        for candidate in CANDIDATES {
            if self.head.fits(section) {
                return Ok(());
            }
            self.move_candidates(candidate, Some(section))?;
        }
        while !self.head.fits(section) && self.drop_oldest(Some(section))? {}
        if self.head.fits(section) {
            return Ok(());
        }
        self.warn(section);
        while !self.head.fits(section) {
            if !self.cut_one(section)? {
                return Err(Error::Conflict(format!(
                    "Section {} has {} tokens even with everything cut, and at most {} are allowed. Remove \
                     variables by setting them to null, or create it with larger budgets.",
                    section.as_str(),
                    self.head.size(section),
                    self.head.budget(section)
                )));
            }
        }
        Ok(())
    }

    /// Moves out all that may be, whether there is room or not.
    pub(super) fn prune_all(&mut self) -> Result<(), Error> {
        for candidate in CANDIDATES {
            self.move_candidates(candidate, None)?;
        }
        Ok(())
    }

    /// Moves out candidates, the oldest first; of one section until it fits.
    fn move_candidates(
        &mut self,
        candidate: Candidate,
        section: Option<Section>,
    ) -> Result<(), Error> {
        let head = &self.head;
        let ids: Vec<_> = head
            .entries
            .iter()
            .filter(|entry| section.is_none_or(|section| entry.section == section))
            .filter(|entry| !entry.is_reference() && candidate.is(head, entry))
            .map(|entry| entry.id.clone())
            .collect();
        for id in ids {
            if section.is_some_and(|section| self.head.fits(section)) {
                break;
            }
            let Some(place) = self.head.find(&id) else {
                continue;
            };
            let body = self.body(self.head.entries[place].number)?;
            let tokens = match candidate {
                Candidate::Traces => TRACE_TOKENS,
                Candidate::OldResults | Candidate::Unread => REFERENCE_TOKENS,
            };
            // A reference that is hardly shorter than what it refers to frees nothing.
            if insertion::tokens(&body) > tokens + LEAST_TOKENS {
                self.shorten(place, short(&body, tokens))?;
                self.pruned.push(id);
            }
        }
        Ok(())
    }

    /// Makes way for context that is looked up now: what was looked up before and nobody read goes out of sight.
    /// Whether the section fits then.
    pub(super) fn make_way(&mut self, section: Section, keep: &[String]) -> Result<bool, Error> {
        while !self.head.fits(section) {
            let unread = self.head.entries.iter().position(|entry| {
                Candidate::Unread.is(&self.head, entry) && !keep.contains(&entry.id)
            });
            let Some(place) = unread else {
                return Ok(false);
            };
            self.move_out(place)?;
            let entry = self.take_out(place);
            self.pruned.push(entry.id);
        }
        Ok(true)
    }

    /// Takes the oldest reference, or what is as short as one, out of sight. It can still be fetched by its id.
    fn drop_oldest(&mut self, section: Option<Section>) -> Result<bool, Error> {
        let head = &self.head;
        let oldest = head
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| section.is_none_or(|section| entry.section == section))
            .filter(|(_, entry)| {
                let may_go = CANDIDATES.iter().any(|candidate| candidate.is(head, entry));
                may_go && is_result(entry)
            })
            .min_by_key(|(_, entry)| (entry.age, entry.at, entry.number))
            .map(|(place, _)| place);
        let Some(place) = oldest else {
            return Ok(false);
        };
        self.move_out(place)?;
        let entry = self.take_out(place);
        if !self.pruned.contains(&entry.id) {
            self.pruned.push(entry.id);
        }
        Ok(true)
    }

    /// Cuts one content of a section to about half: the coldest, and of those the largest.
    fn cut_one(&mut self, section: Section) -> Result<bool, Error> {
        let head = &self.head;
        let least = |entry: &Entry| entry.cost("") + LEAST_TOKENS;
        let chosen = head
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.section == section && entry.sort != Sort::State)
            // The note that it is a short form costs something, too.
            .filter(|(_, entry)| entry.tokens > least(entry) + LEAST_TOKENS)
            .max_by_key(|(place, entry)| {
                let coldness = match head.temperature(entry) {
                    Temperature::Hot => 0,
                    Temperature::Warm => 1,
                    Temperature::Cold => 2,
                };
                (coldness, entry.tokens, usize::MAX - place)
            })
            .map(|(place, _)| place);
        let Some(place) = chosen else {
            return Ok(false);
        };
        let entry = &self.head.entries[place];
        let over = self.head.size(section) - self.head.budget(section);
        let text = entry.tokens - entry.cost("");
        // No more than is needed, and no less than a half of it stays.
        let target = (text / 2).max(text.saturating_sub(over + LEAST_TOKENS));
        let id = entry.id.clone();
        let body = self.body(entry.number)?;
        self.shorten(place, short(&body, target.max(LEAST_TOKENS)))?;
        if !self.pruned.contains(&id) {
            self.pruned.push(id);
        }
        Ok(true)
    }

    /// Brings one content to a number of tokens before it is put beside others.
    pub(super) fn bound(&mut self, id: &str, tokens: u32) -> Result<(), Error> {
        let Some(place) = self.head.find(id) else {
            return Ok(());
        };
        let entry = &self.head.entries[place];
        if entry.tokens > tokens {
            let room = tokens.saturating_sub(entry.cost("") + LEAST_TOKENS);
            let body = self.body(entry.number)?;
            self.shorten(place, short(&body, room.max(LEAST_TOKENS)))?;
            self.pruned.push(id.to_owned());
        }
        Ok(())
    }

    fn warn(&mut self, section: Section) {
        self.warning = Some(WARNING.to_owned());
        let said = format!("{WARNING}: {}", section.as_str());
        let warnings = &mut self.head.warnings;
        if warnings.last() != Some(&said) {
            warnings.push(said);
        }
        if warnings.len() > WARNINGS {
            warnings.remove(0);
        }
    }
}

/// Whether its reference may go: it is found again by its id alone.
fn is_result(entry: &Entry) -> bool {
    entry.section == Section::IntermediateResults || entry.is_retrieved()
}
