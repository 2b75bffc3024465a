//! Fit: whether a lesson is about what has just failed, and what it says there.
//!
//! The same error text may answer quite different actions, and a similar one may have quite another cause. So a lesson that
//! says what to do instead of what is shown only if its change can be made to the action that failed, or at least if that
//! action has everything that the change takes away. **A lesson about another cause is silent, however similar its words.**

use std::{cell::OnceCell, collections::BTreeSet};

use twiceshy_wit::memory::Source;

use crate::{
    advice,
    analogy::{self, Analogy, Case, Failed, Precedent},
    lessons::KeptLesson,
    limits,
    similarity::SAME_ERROR,
    text,
};

/// What has just failed.
pub(crate) struct Incident {
    pub(crate) action: String,
    pub(crate) evidence: String,
}

/// How a lesson fits what has just failed.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fit {
    /// Its change can be made to the action that failed.
    Applies {
        /// What to do.
        command: String,
        /// How similar the two failures are, from 0 to 1.
        degree: f64,
        /// Whether the error is the same, though it may have another fingerprint.
        same_error: bool,
    },
    /// The action has all that the rule takes away, but the rule can't be made to it word by word. How similar the two
    /// actions are, from 0 to 1.
    InForm(f64),
    /// It is about another action.
    Misses,
    /// It speaks of an action in a sentence: how similar its words and the action's are, from 0 to 1.
    InWords(f64),
    /// It does not say of which action it speaks, or what failed is not known.
    Unknown,
}

/// Whether two actions are the same but for the width of their spaces.
fn is_same_action(left: &str, right: &str) -> bool {
    left.split_whitespace().eq(right.split_whitespace())
}

/// Whether a lesson was found in the steps of a run.
fn is_mined(kept: &KeptLesson) -> bool {
    let mut origins = kept.lesson.origins.iter();
    !kept.cases.is_empty() || origins.any(|origin| origin.source == Source::Trace)
}

/// What has just failed, as lessons are compared with it: what is read out of it is read once for all of them.
pub(crate) struct AtHand<'i> {
    action: &'i str,
    failed: Failed<'i>,
    terms: OnceCell<BTreeSet<String>>,
}

impl AtHand<'_> {
    /// How a lesson fits. `answered` says whether it names the fingerprint of the failure.
    pub(super) fn fit(&self, kept: &KeptLesson, answered: bool) -> Fit {
        let rule = advice::parse(&kept.lesson.rule_text);
        let (Some(wrong), Some(correct)) = (rule.wrong, rule.correct) else {
            return Fit::Unknown;
        };
        if self.action.trim().is_empty() {
            return Fit::Unknown;
        }
        let own = || self.terms.get_or_init(|| text::term_set(self.action));
        let in_words = || text::similarity(own(), &text::term_set(&wrong));
        // A sentence for another error is about this action only if it has a word of it: `cat a guessed name` says nothing
        // about `python3 app.py`, however similar the complaint.
        let in_prose = || match in_words() {
            0.0 if !answered => Fit::Misses,
            similarity => Fit::InWords(similarity),
        };
        let failed = &self.failed;
        let seen: Vec<_> = kept.cases.iter().map(Precedent::new).collect();
        let is_told = |one: &Precedent| !one.case().evidence.is_empty();
        let mut told = seen.iter().filter(|one| is_told(one)).peekable();
        if told.peek().is_some() && told.all(|one| analogy::has_other_culprit(one, failed)) {
            return Fit::Misses;
        }
        // What still has what its error blamed was no fix, unless the very same action comes again.
        let is_fix = |one: &Precedent| {
            is_same_action(&one.case().wrong, self.action) || !analogy::leaves_culprit(one)
        };
        let is_prose = || advice::is_prose(&wrong) || advice::is_prose(&correct);
        if seen.is_empty() && is_prose() {
            return in_prose();
        }
        let written = Case::new(&wrong, "", &correct);
        let written = [Precedent::new(&written)];
        let (precedents, fixes) = match seen.is_empty() {
            true => (&written[..], written.iter().collect()),
            false => (&seen[..], seen.iter().filter(|one| is_fix(one)).collect()),
        };
        let fixes: Vec<&Precedent> = fixes;
        if fixes.is_empty() {
            return Fit::Misses;
        }
        let degree = |analogy: &Analogy| (analogy.likeness + analogy.evidence) / 2.0;
        let best = fixes
            .into_iter()
            // What is not known to have failed with any error did not fail with this one.
            .filter(|one| answered || is_told(one) || failed.is_silent())
            .filter_map(|one| Some((one, analogy_of(one, failed)?)))
            .filter(|(_, analogy)| answered || analogy.evidence >= SAME_ERROR)
            .max_by(|(_, left), (_, right)| degree(left).total_cmp(&degree(right)));
        if let Some((one, analogy)) = best {
            // Without its error text a rule is as similar as its action.
            let degree = match is_told(one) {
                false => analogy.likeness,
                true => degree(&analogy),
            };
            return Fit::Applies {
                command: analogy.command,
                degree,
                same_error: analogy.evidence >= SAME_ERROR,
            };
        }
        if !seen.is_empty() && is_prose() {
            return in_prose();
        }
        let is_blamed = |one: &Precedent| is_told(one) && analogy::has_same_culprit(one, failed);
        let is_akin = |one: &Precedent| !is_told(one) || analogy::is_akin(one, failed);
        let is_wrong =
            precedents.iter().any(is_akin) && advice::is_wrong_there(&wrong, &correct, self.action);
        match is_wrong {
            true => Fit::InForm(in_words()),
            false if answered && precedents.iter().any(is_blamed) => Fit::InForm(in_words()),
            // Who writes a rule down for a failure may word it loosely; what was seen is meant as it is.
            false if answered && !is_mined(kept) => Fit::InWords(in_words()),
            false => Fit::Misses,
        }
    }
}

/// What a case says: its whole change, or else what it has in place of what the same error blames.
fn analogy_of(precedent: &Precedent, failed: &Failed) -> Option<Analogy> {
    let substitute = || {
        let substitute = analogy::substitute(precedent, failed)?;
        (substitute.evidence >= SAME_ERROR).then_some(substitute)
    };
    analogy::apply(precedent, failed).or_else(substitute)
}

impl Incident {
    /// The same, to be compared with lessons.
    pub(crate) fn at_hand(&self) -> AtHand<'_> {
        AtHand {
            action: &self.action,
            failed: Failed::new(&self.action, &self.evidence),
            terms: OnceCell::new(),
        }
    }

    /// The words of the action, by which lessons about it are found.
    pub(super) fn words(&self) -> String {
        text::asked(&self.action).join(" ")
    }

    /// Whether a text has a word of the action, or the action has no words. A single letter is no word.
    pub(super) fn has_word_in(&self, text: &str) -> bool {
        let words = text::telling(text);
        let mut own = text::telling(&self.action);
        own.retain(|word| word.chars().nth(1).is_some());
        own.is_empty() || own.iter().any(|word| words.contains(word))
    }

    /// The words of the action that its error blames.
    pub(super) fn blamed(&self) -> String {
        let blamed = analogy::blamed(&Failed::new(&self.action, &self.evidence));
        text::asked(&blamed.join(" ")).join(" ")
    }

    /// The rule with the names at hand, if it is short enough to be read.
    pub(super) fn rule(&self, command: &str) -> Option<String> {
        let rule = format!("WRONG: {} → CORRECT: {command}", self.action.trim());
        (rule.chars().count() <= limits::RULE_CHARS).then_some(rule)
    }
}
