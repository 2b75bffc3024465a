//! Which word of one failed action is which of another.

use super::{
    change::Change,
    named::Named,
    words::{Words, is_plain},
};

/// What two words are worth that are the same.
const SAME: f64 = 4.0;

/// What another word in the same place is worth.
const OTHER: f64 = 1.0;

/// What a word costs that only the action at hand has.
const EXTRA: f64 = -0.2;

/// What a word costs that the action at hand lacks.
const MISSING: f64 = -0.5;

/// The pairs of words.
#[derive(Debug)]
pub(super) struct Alignment {
    /// For each word of the lesson's action its partner.
    partners: Vec<Option<usize>>,
    /// How many words the action at hand has.
    len: usize,
}

impl Alignment {
    /// Aligns two failed actions; none if what a change needs or takes away has no partner.
    pub(super) fn new(
        wrong: &Words,
        action: &Words,
        change: &Change,
        named: (&Named, &Named),
    ) -> Option<Self> {
        // What is run and what it is asked for have no partner but each other. Most lessons end here.
        let heads = [
            (Some(wrong.program()), Some(action.program())),
            (wrong.verb(), action.verb()),
        ];
        let is_apart = |(left, right)| match (left, right) {
            (Some(left), Some(right)) => {
                paired(wrong, action, change, named, (left, right)) == f64::NEG_INFINITY
            }
            (left, right) => left != right,
        };
        if heads.into_iter().any(is_apart) {
            return None;
        }
        let missing: Vec<_> = (0..wrong.len())
            .map(|word| missing(wrong, change, named.0, word))
            .collect();
        let extra: Vec<_> = (0..action.len()).map(|at| extra(action, at)).collect();
        let width = action.len() + 1;
        let mut best = vec![f64::NEG_INFINITY; (wrong.len() + 1) * width];
        let at = |l: usize, r: usize| l * width + r;
        best[0] = 0.0;
        for l in 0..=wrong.len() {
            for r in 0..=action.len() {
                let mut value = best[at(l, r)];
                if r > 0 {
                    value = value.max(best[at(l, r - 1)] + extra[r - 1]);
                }
                if l > 0 {
                    value = value.max(best[at(l - 1, r)] + missing[l - 1]);
                }
                if l > 0 && r > 0 {
                    value = value.max(
                        best[at(l - 1, r - 1)]
                            + paired(wrong, action, change, named, (l - 1, r - 1)),
                    );
                }
                best[at(l, r)] = value;
            }
        }
        let mut partners = vec![None; wrong.len()];
        let (mut l, mut r) = (wrong.len(), action.len());
        if best[at(l, r)] == f64::NEG_INFINITY {
            return None;
        }
        while l > 0 || r > 0 {
            let value = best[at(l, r)];
            if l > 0
                && r > 0
                && value
                    == best[at(l - 1, r - 1)] + paired(wrong, action, change, named, (l - 1, r - 1))
            {
                (l, r) = (l - 1, r - 1);
                partners[l] = Some(r);
            } else if r > 0 && value == best[at(l, r - 1)] + extra[r - 1] {
                r -= 1;
            } else {
                l -= 1;
            }
        }
        let aligned = Self {
            partners,
            len: action.len(),
        };
        let is_other = aligned.has_other_options(wrong, action)
            || aligned.has_other_role(wrong, action, named.0);
        (!is_other).then_some(aligned)
    }

    /// Whether what the error named is the value of an option here and an operand there: `-C dir` and `archive.tar`. Then
    /// the option has no partner, and neither has the operand in whose place the other one stands.
    fn has_other_role(&self, wrong: &Words, action: &Words, then: &Named) -> bool {
        let is_option = |word: usize| !wrong.is_mark(word) && !wrong.is_operand(word);
        let lost_operand = |word: usize| self.partners[word].is_none() && wrong.is_operand(word);
        (1..wrong.len()).any(|word| {
            let renamed = self.partners[word].is_some_and(|at| action.text(at) != wrong.text(word));
            renamed
                && then.has(wrong.text(word))
                && is_option(word - 1)
                && self.partners[word - 1].is_none()
                && (0..wrong.len()).any(lost_operand)
        })
    }

    /// Whether the action at hand has other options instead: then it asks for something else.
    fn has_other_options(&self, wrong: &Words, action: &Words) -> bool {
        let is_option = |words: &Words, at: usize| !words.is_mark(at) && !words.is_operand(at);
        let lacks =
            (0..wrong.len()).any(|word| self.partners[word].is_none() && is_option(wrong, word));
        let has = |at: usize| !self.partners.contains(&Some(at)) && is_option(action, at);
        lacks && (0..self.len).any(has)
    }

    pub(super) fn partner(&self, word: usize) -> Option<usize> {
        self.partners[word]
    }

    /// What the action at hand has besides, each run of words with the word of the lesson's action that it follows.
    pub(super) fn extras(&self) -> Vec<(Option<usize>, Vec<usize>)> {
        let mut extras: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
        let mut after = None;
        for at in 0..self.len {
            match self
                .partners
                .iter()
                .position(|partner| *partner == Some(at))
            {
                Some(word) => after = Some(word),
                None => match extras.last_mut() {
                    Some((known, words)) if *known == after => words.push(at),
                    _ => extras.push((after, vec![at])),
                },
            }
        }
        extras
    }

    /// The words of the two actions that are each other's partners and differ.
    pub(super) fn renamed<'w>(
        &self,
        wrong: &Words<'w>,
        action: &Words<'w>,
    ) -> Vec<(&'w str, &'w str)> {
        let pairs = self.partners.iter().enumerate();
        let pairs = pairs.filter_map(|(word, at)| Some((wrong.text(word), action.text((*at)?))));
        let bare = |(left, right): (&'w str, &'w str)| match (
            left.strip_prefix("./"),
            right.strip_prefix("./"),
        ) {
            (Some(left), Some(right)) => (left, right),
            _ => (left, right),
        };
        pairs
            .filter(|(left, right)| left != right)
            .flat_map(|pair| [pair, bare(pair)])
            .collect()
    }

    /// How similar the two actions are, from 0 to 1. Another word counts half, and more where both errors name it:
    /// the names differ, and what happened is the same.
    pub(super) fn likeness(
        &self,
        wrong: &Words,
        action: &Words,
        (then, now): (&Named, &Named),
    ) -> f64 {
        let weight = |words: &Words| (0..words.len()).map(|at| words.weight(at)).sum::<f64>();
        let shared: f64 = self
            .partners
            .iter()
            .enumerate()
            .filter_map(|(word, partner)| Some((word, (*partner)?)))
            .map(|(word, at)| {
                let (left, right) = (wrong.text(word), action.text(at));
                let share = if left == right {
                    1.0
                } else if then.has(left) && now.has(right) {
                    0.75
                } else {
                    0.5
                };
                share * wrong.weight(word)
            })
            .sum();
        2.0 * shared / (weight(wrong) + weight(action))
    }
}

/// What it costs that a word of the action at hand has no partner. What its program is asked for must have one.
fn extra(action: &Words, at: usize) -> f64 {
    if action.verb() == Some(at) || action.program() == at {
        f64::NEG_INFINITY
    } else {
        EXTRA
    }
}

/// What it costs that a word of the lesson's action has no partner. What the error named must have one.
fn missing(wrong: &Words, change: &Change, then: &Named, word: usize) -> f64 {
    let is_head = wrong.program() == word || wrong.verb() == Some(word);
    if change.taken[word] || change.needed[word] || is_head {
        f64::NEG_INFINITY
    } else if wrong.is_mark(word) {
        MISSING / 2.0
    } else if wrong.is_operand(word) && then.has(wrong.text(word)) {
        f64::NEG_INFINITY
    } else {
        MISSING
    }
}

/// What it is worth to pair two words.
fn paired(
    wrong: &Words,
    action: &Words,
    change: &Change,
    (then, now): (&Named, &Named),
    (word, at): (usize, usize),
) -> f64 {
    let (left, right) = (wrong.text(word), action.text(at));
    // What is run is compared with what is run, and what it is asked for with what it is asked for.
    let roles = |words: &Words, at: usize| (words.program() == at, words.verb() == Some(at));
    if roles(wrong, word) != roles(action, at) {
        return f64::NEG_INFINITY;
    }
    // What was blamed then and is gone must be blamed now: else something else is wrong.
    if change.taken[word] && !now.is_empty() && then.blames(left) && !now.blames(right) {
        return f64::NEG_INFINITY;
    }
    if left == right {
        return SAME * wrong.weight(word);
    }
    if !wrong.is_operand(word) || !action.is_operand(at) {
        return f64::NEG_INFINITY;
    }
    let both_named = then.has(left) && now.has(right);
    // What was blamed then stands where something is blamed now.
    if then.has(left) && !both_named && !now.is_empty() {
        return f64::NEG_INFINITY;
    }
    let words = is_plain(left) || is_plain(right);
    let other_is_fine = if word == wrong.program() {
        // What is run is the same, unless it becomes an operand of something else; then all the rest is the same.
        // A script of one's own may have any name.
        at == action.program()
            && (!words
                || change.data[word]
                    && wrong.len() == action.len()
                    && is_plain(left) == is_plain(right))
    } else if wrong.verb() == Some(word) {
        both_named || !words || change.data[word]
    } else {
        true
    };
    // What is gone is what was wrong: it must be there again, unless the error says what is wrong now.
    let culprit = change.replaced[word] && (now.has(right) || !then.has(left));
    if !other_is_fine || (change.taken[word] && !culprit) {
        return f64::NEG_INFINITY;
    }
    OTHER
}
