//! A precedent: a case as failures are compared with it.
//!
//! Cutting the actions of a case into words and finding its change take longer than most of the questions that are asked about
//! them, and each failure asks several. So what is read out of a case is read once.

use std::cell::OnceCell;

use super::{ACTION_BYTES, Case, Failed, MOST_WORDS, change::Change, named::Named, words::Words};

/// A case that failures are compared with.
#[derive(Debug)]
pub struct Precedent<'c> {
    case: &'c Case,
    named: OnceCell<Named<'c>>,
    /// Its actions in words, with quotations as many words and as one.
    actions: [OnceCell<Actions<'c>>; 2],
}

/// The actions of a case in words.
#[derive(Debug)]
pub(super) struct Actions<'c> {
    pub(super) wrong: Words<'c>,
    pub(super) correct: Words<'c>,
    change: OnceCell<Change>,
}

impl<'c> Precedent<'c> {
    /// A case, of which nothing is read yet.
    pub fn new(case: &'c Case) -> Self {
        Self {
            case,
            named: OnceCell::new(),
            actions: Default::default(),
        }
    }

    /// The case itself.
    pub fn case(&self) -> &'c Case {
        self.case
    }

    pub(super) fn named(&self) -> &Named<'c> {
        self.named.get_or_init(|| Named::new(&self.case.evidence))
    }

    pub(super) fn actions(&self, whole: bool) -> &Actions<'c> {
        self.actions[usize::from(whole)].get_or_init(|| Actions {
            wrong: Words::new(&self.case.wrong, whole),
            correct: Words::new(&self.case.correct, whole),
            change: OnceCell::new(),
        })
    }

    /// What was changed of the action that failed.
    pub(super) fn change(&self, whole: bool) -> &Change {
        let actions = self.actions(whole);
        let change = || Change::new(&actions.wrong, &actions.correct, self.named());
        actions.change.get_or_init(change)
    }
}

/// A case and a failure, cut into words.
pub(super) struct Compared<'p> {
    pub(super) wrong: &'p Words<'p>,
    pub(super) correct: &'p Words<'p>,
    pub(super) then: &'p Named<'p>,
    pub(super) action: &'p Words<'p>,
    pub(super) now: &'p Named<'p>,
}

impl<'p> Compared<'p> {
    /// None if one of them is empty or too long to be compared.
    pub(super) fn new(precedent: &'p Precedent, failed: &'p Failed, whole: bool) -> Option<Self> {
        let case = precedent.case;
        let texts = [case.wrong.as_str(), case.correct.as_str(), failed.action];
        if texts.iter().any(|text| text.len() > ACTION_BYTES) {
            return None;
        }
        let Actions { wrong, correct, .. } = precedent.actions(whole);
        let action = failed.words(whole);
        let fits = |words: &Words| !words.is_empty() && words.len() <= MOST_WORDS;
        if !(fits(wrong) && fits(correct) && fits(action)) {
            return None;
        }
        Some(Self {
            wrong,
            correct,
            then: precedent.named(),
            action,
            now: failed.named(),
        })
    }

    /// Whether the error at hand blames a word, and the action at hand has it.
    pub(super) fn is_blamed(&self, text: &str) -> bool {
        self.now.blames(text) && self.action.has_name(text)
    }

    /// The words that the first error blames and the change took away.
    pub(super) fn culprits(&self, change: &Change) -> Vec<&'p str> {
        let gone = (0..self.wrong.len()).filter(|word| change.taken[*word]);
        gone.filter(|word| !self.wrong.is_mark(*word))
            .map(|word| self.wrong.text(word))
            .filter(|text| self.then.blames(text))
            .collect()
    }
}
