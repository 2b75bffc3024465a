//! Whether two ideas are one: their words are laid side by side, and nothing that matters is left over.
//!
//! Owns the rules by which texts with other words may still say the same. **What is left over on both sides is another idea**, and so is a
//! quantity, a negation or a word that turns the meaning round which only one side has, or two things that change places.

use std::collections::BTreeSet;

use super::vocabulary::is_vague;
use super::{
    idea::{Side, Word, Worth},
    kin::{Kinship, Sense},
};
use crate::lexicon;

/// Texts of more words than this are compared by their words alone: a page is not one idea.
const WORDS: usize = 40;

/// How many of the telling words of an idea must be laid beside one of the other.
const ALIGNED: usize = 2;

/// From so many of them on, much else says that two ideas are one.
const SURE: usize = 4;

/// What one more word may make up of an idea, and two together.
const ONE_MORE: f64 = 0.25;
const TWO_MORE: f64 = 0.3;

/// How similar two ideas are, from 0.8 to 1; none if they are not one.
pub(super) fn similarity(left: &[Word], right: &[Word]) -> Option<f64> {
    if left.len().max(right.len()) > WORDS {
        return None;
    }
    let alignment = Alignment::of(left, right);
    alignment.is_one_idea().then(|| alignment.closeness())
}

/// Whether two ideas with the same words are opposites: something changed places, or another thing is denied.
pub(super) fn are_opposite(left: &[Word], right: &[Word]) -> bool {
    if left.len().max(right.len()) > WORDS {
        return false;
    }
    let alignment = Alignment::of(left, right);
    alignment.is_turned() || alignment.is_crossed() || alignment.denies_another()
}

/// Marks of which two ideas that are one share at least one, so that an index of them finds it: the words as stems, how they begin, and
/// the groups of words that say the same. Empty for a text that is compared by its words alone.
pub(super) fn marks(words: &[Word]) -> BTreeSet<String> {
    if words.len() > WORDS {
        return BTreeSet::new();
    }
    let of = |word: &Word| match word.worth {
        Worth::Number | Worth::Sign => vec![word.text.clone()],
        Worth::Telling | Worth::Soft => word.sense.marks(),
        Worth::Turning | Worth::Light => Vec::new(),
    };
    words.iter().flat_map(of).collect()
}

/// Words of two ideas side by side.
struct Alignment<'w> {
    left: &'w [Word],
    right: &'w [Word],
    /// Places on the left and on the right, and how the words there are one. A compound has several pairs.
    pairs: Vec<(usize, usize, Kinship)>,
    free_left: Vec<bool>,
    free_right: Vec<bool>,
    /// How each word on the left and each on the right are one, row by row.
    relations: Vec<Option<Kinship>>,
}

impl<'w> Alignment<'w> {
    fn of(left: &'w [Word], right: &'w [Word]) -> Self {
        // Which of two texts is named first changes nothing.
        let texts = |words: &'w [Word]| words.iter().map(|word| word.text.as_str());
        let (left, right) = match texts(left).le(texts(right)) {
            true => (left, right),
            false => (right, left),
        };
        let mut alignment = Self {
            left,
            right,
            pairs: Vec::new(),
            free_left: vec![true; left.len()],
            free_right: vec![true; right.len()],
            relations: left
                .iter()
                .flat_map(|left| right.iter().map(move |right| relation(left, right)))
                .collect(),
        };
        // The closest words first, and of those that are equally close the ones on the same side of a relation.
        for same_side in [true, false] {
            alignment.pair(same_side, |kinship| kinship == Kinship::Same);
        }
        alignment.compounds();
        for same_side in [true, false] {
            alignment.pair(same_side, |kinship| kinship <= Kinship::Slip);
        }
        for same_side in [true, false] {
            alignment.pair(same_side, |_| true);
        }
        alignment.pairs.sort_unstable();
        alignment
    }

    fn pair(&mut self, same_side: bool, is_close: impl Fn(Kinship) -> bool) {
        for (at, left) in self.left.iter().enumerate() {
            if !self.free_left[at] {
                continue;
            }
            let found = self.right.iter().enumerate().find_map(|(to, right)| {
                if !self.free_right[to] || (same_side && left.side != right.side) {
                    return None;
                }
                let relation = self.relations[at * self.right.len() + to];
                let kinship = relation.filter(|kinship| is_close(*kinship))?;
                Some((to, kinship))
            });
            if let Some((to, kinship)) = found {
                self.take(at, to, kinship);
            }
        }
    }

    fn take(&mut self, at: usize, to: usize, kinship: Kinship) {
        self.pairs.push((at, to, kinship));
        self.free_left[at] = false;
        self.free_right[to] = false;
    }

    /// What is one word on one side and two or more on the other: *waypoint* and *way point*, *LR* and *learning rate*.
    fn compounds(&mut self) {
        for at in 0..self.left.len() {
            if self.free_left[at]
                && let Some(found) = parts(&self.left[at], self.right, &self.free_right)
            {
                for to in found {
                    self.take(at, to, Kinship::Form);
                }
            }
        }
        for to in 0..self.right.len() {
            if self.free_right[to]
                && let Some(found) = parts(&self.right[to], self.left, &self.free_left)
            {
                for at in found {
                    self.take(at, to, Kinship::Form);
                }
            }
        }
    }

    fn is_one_idea(&self) -> bool {
        let telling = |words: &[Word]| words.iter().filter(|word| is_weighed(word)).count();
        let fewest = telling(self.left).min(telling(self.right));
        self.weighed_pairs() >= ALIGNED.min(fewest).max(1)
            && !self.leaves_something_over()
            && !self.denies_another()
            && !self.is_turned()
            && !self.is_crossed()
    }

    fn leaves_something_over(&self) -> bool {
        // What is said once more says nothing new.
        let over = |words: &'w [Word], free: &[bool], others: &'w [Word]| -> Vec<&'w Word> {
            let both = words.iter().zip(free);
            both.filter(|(_, free)| **free)
                .map(|(word, _)| word)
                .filter(|word| !is_repeated(word, words, free, others))
                .collect()
        };
        let left = over(self.left, &self.free_left, self.right);
        let right = over(self.right, &self.free_right, self.left);
        // A figure in parentheses may be missing, but not be another.
        let has_numbers = |words: &[&Word]| words.iter().any(|word| word.worth == Worth::Number);
        if has_numbers(&left) && has_numbers(&right) {
            return true;
        }
        // What it is good for may be left unsaid, but not be something else.
        let says_more = |words: &[&Word]| words.iter().any(|word| word.purpose && is_weighed(word));
        let both_say_why = says_more(&left) && says_more(&right);
        let matters = |word: &&&Word| !word.aside && (both_say_why || !word.purpose);
        let main = |words: &[&'w Word]| -> Vec<&'w Word> {
            words.iter().filter(matters).copied().collect()
        };
        let (left, right) = (main(&left), main(&right));
        let count =
            |words: &[&Word], worth: Worth| words.iter().filter(|word| word.worth == worth).count();
        let is_exact =
            |word: &&&Word| matches!(word.worth, Worth::Turning | Worth::Number | Worth::Sign);
        if left.iter().chain(&right).any(|word| is_exact(&word)) {
            return true;
        }
        let kinds = (count(&left, Worth::Soft), count(&right, Worth::Soft));
        // Two kinds of thing are two things, unless one of them says next to nothing.
        let are_vague = |words: &[&Word]| {
            words
                .iter()
                .all(|word| word.worth != Worth::Soft || is_vague(&word.text))
        };
        if kinds.0 > 0 && kinds.1 > 0 && !are_vague(&left) && !are_vague(&right) {
            return true;
        }
        match (count(&left, Worth::Telling), count(&right, Worth::Telling)) {
            (0, 0) => false,
            (_, 0) => (kinds.1 > 0 && kinds.0 == 0) || !self.is_harmless(&left, self.left),
            (0, _) => (kinds.0 > 0 && kinds.1 == 0) || !self.is_harmless(&right, self.right),
            _ => true,
        }
    }

    /// How many words that say what it is about have been laid beside others.
    fn weighed_pairs(&self) -> usize {
        let is_weighed = |(at, _, _): &&(usize, usize, Kinship)| is_weighed(&self.left[*at]);
        self.pairs.iter().filter(is_weighed).count()
    }

    /// Whether what is left over on one side leaves an idea what it is: one word of many, or two of very many.
    fn is_harmless(&self, over: &[&Word], all: &[Word]) -> bool {
        let over: Vec<_> = over
            .iter()
            .filter(|word| word.worth == Worth::Telling)
            .collect();
        if over.iter().any(|word| word.is_weighty) {
            return false;
        }
        let chars = |word: &Word| word.text.chars().count() + 1;
        let all: usize = all.iter().filter(|word| is_weighed(word)).map(chars).sum();
        let share = over.iter().map(|word| chars(word)).sum::<usize>() as f64 / all.max(1) as f64;
        match over.len() {
            0 | 1 => share <= ONE_MORE,
            2 => share <= TWO_MORE && self.weighed_pairs() >= SURE,
            _ => false,
        }
    }

    /// Whether what one side says no to is something else on the other.
    fn denies_another(&self) -> bool {
        let denied = |words: &[Word], at: usize| {
            let behind = words[at + 1..]
                .iter()
                .position(|word| word.worth == Worth::Telling);
            behind.map(|behind| at + 1 + behind)
        };
        let is_not = |(at, to, _): &&(usize, usize, Kinship)| {
            self.left[*at].text == lexicon::NOT && self.right[*to].text == lexicon::NOT
        };
        self.pairs.iter().filter(is_not).any(|(at, to, _)| {
            match (denied(self.left, *at), denied(self.right, *to)) {
                (Some(left), Some(right)) => {
                    let are_one =
                        |pair: &(usize, usize, Kinship)| pair.0 == left && pair.1 == right;
                    (!self.free_left[left] || !self.free_right[right])
                        && !self.pairs.iter().any(are_one)
                }
                _ => false,
            }
        })
    }

    /// Whether a word is on opposite sides of a relation.
    fn is_turned(&self) -> bool {
        let sides =
            |(at, to, _): &(usize, usize, Kinship)| (self.left[*at].side, self.right[*to].side);
        let is_opposite = |pair| {
            matches!(
                sides(pair),
                (Side::Old, Side::New)
                    | (Side::New, Side::Old)
                    | (Side::Early, Side::Late)
                    | (Side::Late, Side::Early)
            )
        };
        let is = |pair, left, right| sides(pair) == (left, right);
        let tool_to_plain = self
            .pairs
            .iter()
            .any(|pair| is(pair, Side::Tool, Side::Plain));
        let plain_to_tool = self
            .pairs
            .iter()
            .any(|pair| is(pair, Side::Plain, Side::Tool));
        self.pairs.iter().any(is_opposite) || (tool_to_plain && plain_to_tool)
    }

    /// Whether two things changed places while what is between them stayed: *freeze A and train B*, *freeze B and train A*. A thing that
    /// is moved as a whole, as in *with B, do A*, changes nothing, and neither does a verb that becomes a noun: *write logs*, *log writing*.
    fn is_crossed(&self) -> bool {
        let mut places: Vec<usize> = self.pairs.iter().map(|(_, to, _)| *to).collect();
        places.sort_unstable();
        let order: Vec<usize> = self
            .pairs
            .iter()
            .map(|(_, to, _)| places.partition_point(|place| place < to))
            .collect();
        let moved = |at: &usize| order[*at] != *at;
        let (Some(first), Some(last)) =
            ((0..order.len()).find(moved), (0..order.len()).rfind(moved))
        else {
            return false;
        };
        let mut runs = vec![first];
        runs.extend((first + 1..=last).filter(|at| order[*at] != order[at - 1] + 1));
        let [_, middle, end] = runs.as_slice() else {
            return false;
        };
        let is_descending = order[first] > order[*middle] && order[*middle] > order[*end];
        let is_as_it_was = |at: usize| {
            let (left, right) = (&self.left[self.pairs[at].0], &self.right[self.pairs[at].1]);
            let is_bound = left.side != Side::Plain && left.side == right.side;
            !is_bound && is_same_form(&left.text, &right.text)
        };
        is_descending && (first..*middle).chain(*end..last + 1).all(is_as_it_was)
    }

    /// From 0.8, where all words are others that say the same, to 1.
    fn closeness(&self) -> f64 {
        let same = self
            .pairs
            .iter()
            .filter(|pair| pair.2 <= Kinship::Form)
            .count();
        let all = self.left.len().max(self.right.len()).max(1);
        0.8 + 0.2 * (same.min(all) as f64 / all as f64)
    }
}

fn is_weighed(word: &Word) -> bool {
    matches!(word.worth, Worth::Telling | Worth::Number | Worth::Sign)
}

/// How the words at two places are one.
fn relation(left: &Word, right: &Word) -> Option<Kinship> {
    if left.text == right.text {
        return Some(Kinship::Same);
    }
    if [left.worth, right.worth].contains(&Worth::Number) {
        return None;
    }
    left.sense.kinship(&right.sense)
}

/// Whether two words are the same but for a plural.
fn is_same_form(left: &str, right: &str) -> bool {
    let singular = |word: &str| {
        word.strip_suffix('s')
            .map_or(word.to_owned(), str::to_owned)
    };
    singular(left) == singular(right)
}

/// The places of free words that together are one word.
fn parts(whole: &Word, words: &[Word], free: &[bool]) -> Option<Vec<usize>> {
    let letters: Vec<char> = whole.text.chars().collect();
    if whole.worth == Worth::Number || letters.len() < 2 {
        return None;
    }
    let free: Vec<usize> = (0..words.len())
        .filter(|at| free[*at] && words[*at].worth != Worth::Number)
        .collect();
    let joined = |pair: &&[usize]| {
        let together = format!("{}{}", words[pair[0]].text, words[pair[1]].text);
        pair[0] + 1 == pair[1]
            && together.chars().next() == whole.text.chars().next()
            && Sense::of(&together)
                .kinship(&whole.sense)
                .is_some_and(|kinship| kinship <= Kinship::Form)
    };
    if let Some(pair) = free.windows(2).find(joined) {
        return Some(pair.to_vec());
    }
    let initials = |run: &&[usize]| {
        let first = |at: &usize| words[*at].text.chars().next();
        run.iter().map(first).eq(letters.iter().copied().map(Some))
            && run.windows(2).all(|two| two[0] + 1 == two[1])
    };
    if !(2..=4).contains(&letters.len()) {
        return None;
    }
    free.windows(letters.len())
        .find(initials)
        .map(<[usize]>::to_vec)
}

/// Whether a word that is left over has been laid beside one of the others already, at another place of its text.
fn is_repeated(word: &Word, words: &[Word], free: &[bool], others: &[Word]) -> bool {
    let is_it = |other: &Word| relation(word, other) == Some(Kinship::Same);
    let mut both = words.iter().zip(free);
    word.worth == Worth::Telling
        && both.any(|(other, free)| !free && is_it(other))
        && others.iter().any(is_it)
}
