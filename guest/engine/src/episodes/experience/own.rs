//! What an entry has itself: what it was before it took in others.
//!
//! Owns which parts of an entry merging changes, and that these can be put back.

use serde::{Deserialize, Serialize};
use twiceshy_wit::memory::{ExperienceEntry, StructuredFeedback};

/// Of all that merging changes, what an entry has itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Own {
    summary: String,
    pub(super) tags: Vec<String>,
    /// How many members of its metadata are its own: the first ones.
    metadata: usize,
    has_trace: bool,
    structured_feedback: Option<StructuredFeedback>,
    strategy_card: String,
    is_view: bool,
    /// Entries beside it whose mistake its card names.
    pub(super) avoids: Vec<String>,
}

impl Own {
    /// What an entry has that took in nothing yet.
    pub(super) fn of(entry: &ExperienceEntry, is_view: bool) -> Self {
        Self {
            summary: entry.summary.clone(),
            tags: entry.tags.clone(),
            metadata: entry.metadata.len(),
            has_trace: !entry.raw_trace.is_empty(),
            structured_feedback: entry.structured_feedback.clone(),
            strategy_card: entry.strategy_card.clone(),
            is_view,
            avoids: Vec::new(),
        }
    }

    /// Makes an entry what it was by itself, and says whether all of that is what its episode says.
    pub(super) fn put_back(self, entry: &mut ExperienceEntry) -> bool {
        entry.summary = self.summary;
        entry.tags = self.tags;
        entry.metadata.truncate(self.metadata);
        if !self.has_trace {
            entry.raw_trace.clear();
        }
        entry.structured_feedback = self.structured_feedback;
        entry.strategy_card = self.strategy_card;
        self.is_view
    }
}
