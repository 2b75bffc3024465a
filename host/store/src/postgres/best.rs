//! Owns the page of an answer by score: the best documents that pass all conditions.
//!
//! Conditions are tested from the best score down, until the page is full. Where a condition is narrow, or where testing
//! takes long, the narrowest says who is left.

use std::collections::HashSet;

use tokio_postgres::types::Type;
use twiceshy_documents::rank::best_first;
use twiceshy_wit::host::Found;

use super::failure::Failure;
use super::find::{Page, Search};
use super::pieces::{Counted, Piece};
use super::session::{Session, Statement};
use super::texts;

/// A document and its score.
pub type Ranked = (i64, f64);

/// How many candidates are tested at first.
const FIRST_LOOK: usize = 64;

impl Search<'_> {
    pub(super) fn by_text(
        &self,
        session: &mut Session,
        text: &str,
        page: Page,
    ) -> Result<Vec<Found>, Failure> {
        let pieces = self.pieces();
        let bound = self.effort.few.max(page.0.saturating_add(page.1));
        let question = texts::Question::new(self.kind, text);
        let mut statements = self.moment();
        statements.push(question.statement());
        statements.push(self.counting(&pieces, None, bound));
        let mut rows = session.run(&statements, self.deadline)?;
        let count = rows.pop().unwrap_or_default();
        let answer = rows.pop().unwrap_or_default();
        let counted = self.counted(session, pieces, bound, &count)?;
        // A condition that no document meets needs no scores.
        if counted.is_unmet() {
            return Ok(Vec::new());
        }
        let scored = question.scored(session, &answer, self.effort.budget, self.deadline)?;
        self.best(session, scored, &counted, page)
    }

    /// The best of those that are scored and pass.
    fn best(
        &self,
        session: &mut Session,
        mut scored: Vec<Ranked>,
        counted: &Counted,
        (offset, limit): Page,
    ) -> Result<Vec<Found>, Failure> {
        let wanted = offset.saturating_add(limit);
        if let Some(piece) = counted.narrowest(usize::MAX) {
            self.retain(session, &mut scored, piece)?;
        }
        let mut chosen: Vec<Ranked> = Vec::new();
        let (mut tested, mut doubted) = (0, false);
        while chosen.len() < wanted && !scored.is_empty() {
            if tested >= self.effort.steps && !doubted {
                doubted = true;
                let counted = self.count_pieces(session, None, self.effort.many)?;
                if let Some(piece) = counted.narrowest(self.effort.many) {
                    self.retain(session, &mut scored, piece)?;
                    continue;
                }
            }
            let look = match self.conditions.is_empty() {
                true => wanted,
                false => FIRST_LOOK.max(2 * (wanted - chosen.len())).max(tested),
            };
            let top = take_best(&mut scored, look);
            tested += top.len();
            chosen.extend(self.passing(session, top)?);
        }
        chosen.truncate(wanted);
        let page = chosen.split_off(offset.min(chosen.len()));
        self.read(session, &page)
    }

    /// Keeps those that are documents of a piece.
    fn retain(
        &self,
        session: &mut Session,
        scored: &mut Vec<Ranked>,
        piece: &Piece,
    ) -> Result<(), Failure> {
        let mut sql = Statement::new("SELECT doc FROM ");
        let kind = sql.bind(self.kind, Type::INT4);
        self.documents_of(&mut sql, &kind, piece, None);
        sql.push(" c");
        let rows = session.one(sql, self.deadline)?;
        let docs: HashSet<i64> = rows.iter().map(|row| row.get(0)).collect();
        scored.retain(|(doc, _)| docs.contains(doc));
        Ok(())
    }

    /// Keeps those that pass all conditions, in their order.
    pub(super) fn passing(
        &self,
        session: &mut Session,
        ranked: Vec<Ranked>,
    ) -> Result<Vec<Ranked>, Failure> {
        if self.conditions.is_empty() || ranked.is_empty() {
            return Ok(ranked);
        }
        let docs: Vec<i64> = ranked.iter().map(|(doc, _)| *doc).collect();
        let mut sql =
            Statement::new("SELECT d.doc FROM twiceshy.documents d WHERE d.doc = ANY (").steady();
        let docs = sql.bind(docs, Type::INT8_ARRAY);
        sql.push(&docs);
        sql.push(")");
        self.tests(&mut sql);
        let rows = session.one(sql, self.deadline)?;
        let passing: HashSet<i64> = rows.iter().map(|row| row.get(0)).collect();
        Ok(ranked
            .into_iter()
            .filter(|(doc, _)| passing.contains(doc))
            .collect())
    }
}

/// Takes out the best so many, in their order.
pub fn take_best(scored: &mut Vec<Ranked>, count: usize) -> Vec<Ranked> {
    let rest = match count < scored.len() {
        true => {
            scored.select_nth_unstable_by(count, order);
            scored.split_off(count)
        }
        false => Vec::new(),
    };
    let mut top = std::mem::replace(scored, rest);
    top.sort_unstable_by(order);
    top
}

/// The order of an answer by score.
pub fn order(a: &Ranked, b: &Ranked) -> std::cmp::Ordering {
    best_first((a.1, a.0), (b.1, b.0))
}
