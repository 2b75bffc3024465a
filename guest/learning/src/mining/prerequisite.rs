//! What has to be done before: an action fails, something else is done, and then the same action works.
//!
//! `git push` fails, `git pull` works, `git push` works: `WRONG: git push → CORRECT: git pull && git push`. What only
//! looks around is not what helped. Of several things that were done, those are taken that have to do with the failure.

use std::collections::BTreeSet;

use super::{Failure, Fix, LATER, Run, fits};
use crate::analogy::Named;

/// Actions that one lesson says to do before at most.
const MOST: usize = 3;

impl Run<'_> {
    /// How an action came to work that works after a failure as it is; none if nothing tells.
    pub(super) fn prerequisite_of(&self, failure: &Failure) -> Option<Fix> {
        let wrong = &self.prepared[failure.place];
        if !self.attempts[failure.place].is_command {
            return None;
        }
        let worked = |place: &usize| {
            let prepared = &self.prepared[*place];
            self.attempts[*place].failure.is_none()
                && !prepared.line.is_success_bought
                && (prepared.action == wrong.action
                    || prepared.line.proven().any(|part| part == wrong.action))
        };
        let place = (failure.place + 1..self.attempts.len()).find(worked)?;
        let last = &self.prepared[place];
        let done = self.done_between(failure.place, place);
        let telling: Vec<_> = match done.as_slice() {
            // Both were done at once: that is the whole of it.
            _ if last.line.has_before(wrong.action) => Vec::new(),
            [] => return None,
            [one] => vec![*one],
            several => {
                let related: Vec<_> = several
                    .iter()
                    .copied()
                    .filter(|action| self.is_related(failure, action))
                    .collect();
                if related.is_empty() || related.len() > MOST {
                    return None;
                }
                related
            }
        };
        let all = telling.into_iter().chain([last.action]);
        let correct = all.collect::<Vec<_>>().join(" && ");
        let between = (place - failure.place - 1).min(10);
        (!last.is_cut && fits(wrong.action, &correct)).then_some(Fix {
            place,
            correct,
            worth: 1.0 - LATER * between as f64,
        })
    }

    /// What was done between two places and changed something, each once.
    fn done_between(&self, from: usize, to: usize) -> Vec<&str> {
        let mut known = BTreeSet::new();
        let places = from + 1..to;
        let wanted = |place: usize| {
            let intent = &self.prepared[place].intent;
            (intent.program(), intent.verb())
        };
        places
            .filter(|place| {
                let prepared = &self.prepared[*place];
                if prepared
                    .intent
                    .program()
                    .is_some_and(twiceshy_shell::is_editor)
                {
                    return false;
                }
                // The same on other data is another try, not what made the first one work, unless the error said to do it.
                let is_told = self.attempts[from].evidence.contains(prepared.action);
                let intent = &self.prepared[from].intent;
                let is_otherwise = intent.is_otherwise_in(&prepared.intent);
                (is_told || is_otherwise || wanted(*place) != wanted(from))
                    && self.attempts[*place].failure.is_none()
                    && self.attempts[*place].is_command
                    && !prepared.is_cut
                    && !prepared.line.is_looking_around
                    && !prepared.line.is_success_bought
            })
            .map(|place| self.prepared[place].action)
            .filter(|action| known.insert(*action))
            .collect()
    }

    /// Whether an action has to do with a failure: it has the same program, a word of the action that failed, or one
    /// that the error names.
    fn is_related(&self, failure: &Failure, action: &str) -> bool {
        let wrong = self.prepared[failure.place].action;
        let named = Named::new(&self.attempts[failure.place].evidence);
        let tried: BTreeSet<_> = wrong.split_whitespace().collect();
        action
            .split_whitespace()
            .filter(|word| !word.starts_with('-') && word.len() > 1)
            .any(|word| tried.contains(word) || named.has(word))
    }
}
