//! Stage 3: patterns are tested by what their applications say.
//!
//! Owns the order in which they are gone through. The test itself, and where it moves a pattern, is the business of the
//! patterns.

use twiceshy_wit::memory::{Error, Patterns};

use super::{KeptConsolidation, Piece, journal::Journal};
use crate::{documents::Kind, ports::Engine};

/// Patterns of one piece.
const PAGE: u32 = 100;

impl Engine<'_> {
    pub(super) fn validate_patterns(
        &self,
        plan: &KeptConsolidation,
        journal: &Journal,
    ) -> Result<Piece, Error> {
        journal.because("its applications of the last 90 days say so");
        let total = self.count(Kind::Pattern, &[])?;
        let tested = self.validate_all(&plan.position, PAGE, false)?;
        let done = plan.done + tested.len() as u32;
        let more = tested.len() == PAGE as usize;
        Ok(Piece {
            next: tested
                .last()
                .filter(|_| more)
                .map(|last| last.pattern.clone()),
            done,
            total,
        })
    }
}
