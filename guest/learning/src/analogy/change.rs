//! The change from an action that failed to one that worked: where each word of the second comes from.

use std::collections::BTreeMap;

use super::{
    named::Named,
    words::{Words, is_mark, is_plain, is_spelled_like},
};
use crate::form::common;

/// Letters of a word that may be found inside another one.
const INSIDE: usize = 2;

/// Where a word of the action that worked comes from. Numbers are places in the action that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Use {
    /// The same word, in its place.
    Kept(usize),
    /// The same word once more, or elsewhere.
    Copied(usize),
    /// The word inside another one: `remote/` + word.
    Within {
        before: String,
        word: usize,
        after: String,
    },
    /// A part of the word: `./` + part.
    Part {
        before: String,
        word: usize,
        after: String,
    },
    /// The word with another mark in the place of each that it has of one kind: `tests.test_a` for `tests/test_a`.
    Respelled { word: usize, old: char, new: char },
    /// The directory that the word lies in.
    Parent(usize),
    /// Another word in place of one that the error named, as the error proposed it.
    Replacing(usize),
    /// A new word.
    New,
}

/// A change.
#[derive(Debug)]
pub(super) struct Change {
    /// For each word of the action that worked, where it comes from.
    pub(super) uses: Vec<Use>,
    /// For each word of the action that failed, whether it is gone.
    pub(super) taken: Vec<bool>,
    /// For each word of the action that failed, whether it is needed to write the other one.
    pub(super) needed: Vec<bool>,
    /// For each word of the action that failed, whether the error proposed another in its place.
    pub(super) replaced: Vec<bool>,
    /// For each word of the action that failed, whether the other one has it as an operand, whatever it was before.
    pub(super) data: Vec<bool>,
}

impl Change {
    pub(super) fn new(wrong: &Words, correct: &Words, then: &Named) -> Self {
        let mut uses: Vec<Option<Use>> = vec![None; correct.len()];
        let mut taken = vec![true; wrong.len()];
        let mut needed = vec![false; wrong.len()];
        for (word, place) in common(&wrong.texts(), &correct.texts()) {
            uses[place] = Some(Use::Kept(word));
            taken[word] = false;
        }
        for (place, used) in uses
            .iter_mut()
            .enumerate()
            .filter(|(_, used)| used.is_none())
        {
            let text = correct.text(place);
            if is_mark(text) {
                continue;
            }
            let same = (0..wrong.len()).find(|word| wrong.text(*word) == text);
            let found = match same {
                Some(word) => Some((word, Use::Copied(word))),
                None => inside(wrong, text)
                    .or_else(|| parent_of(wrong, text))
                    .or_else(|| respelled(wrong, text)),
            };
            if let Some((word, found)) = found {
                *used = Some(found);
                taken[word] = false;
                needed[word] = true;
            }
        }
        // What is put between quotation marks as one must be there to be put there.
        for (place, used) in uses.iter().enumerate() {
            if let Some(Use::Kept(word)) = used
                && correct.is_within_quotes(place)
                && !wrong.is_within_quotes(*word)
            {
                needed[*word] = true;
            }
        }
        let replaced = replaced(wrong, correct, &mut uses, &taken, then);
        let mut data = vec![false; wrong.len()];
        for (place, used) in uses.iter().enumerate() {
            let asked_for = (correct.opens(place) || place > 0 && correct.opens(place - 1))
                && !correct.is_set(place);
            if let Some(word) = used.as_ref().and_then(Use::source)
                && (!asked_for || matches!(used, Some(Use::Within { .. })))
            {
                data[word] = true;
            }
        }
        Self {
            data,
            uses: uses
                .into_iter()
                .map(|used| used.unwrap_or(Use::New))
                .collect(),
            taken,
            needed,
            replaced,
        }
    }
}

impl Change {
    /// Whether nothing is taken away.
    pub(super) fn only_adds(&self) -> bool {
        !self.taken.contains(&true)
    }

    /// The words that are new.
    pub(super) fn brings<'c>(&self, correct: &'c Words) -> impl Iterator<Item = &'c str> {
        let new = (0..correct.len()).filter(|place| self.uses[*place] == Use::New);
        new.map(|place| correct.text(place))
    }

    /// The new words that are operands of what failed: neither an option or its value, a setting, nor what a command runs or is asked for,
    /// nor words of a language such as SQL, which stand within quotation marks before what they are about.
    pub(super) fn brings_operands<'c>(&self, correct: &'c Words) -> Vec<&'c str> {
        let is_head = |place: usize| correct.opens(place) || place > 0 && correct.opens(place - 1);
        let begins = |place: usize| (0..=place).rev().find(|at| correct.opens(*at));
        // What failed is the command that has most of its words.
        let mut kept: BTreeMap<_, usize> = BTreeMap::new();
        let used = (0..correct.len()).filter(|place| self.uses[*place].source().is_some());
        used.for_each(|place| *kept.entry(begins(place)).or_default() += 1);
        let failed = kept.into_iter().max_by_key(|(_, words)| *words);
        let failed = failed.and_then(|(begin, _)| begin);
        let is_value = |place: usize| {
            place > 0
                && self.uses[place - 1] == Use::New
                && correct.text(place - 1).starts_with('-')
                && !correct.is_mark(place - 1)
        };
        let is_language = |place: usize| {
            let follows = |later: &usize| {
                matches!(self.uses[*later], Use::Kept(_)) && correct.is_operand(*later)
            };
            self.only_adds()
                && is_plain(correct.text(place))
                && correct.is_within_quotes(place)
                && (place + 1..correct.len()).any(|later| follows(&later))
        };
        (0..correct.len())
            .filter(|place| self.uses[*place] == Use::New)
            .filter(|place| correct.is_operand(*place) && !is_head(*place))
            .filter(|place| *place > correct.program() || !correct.has_settings())
            .filter(|place| !is_value(*place) && !is_language(*place))
            .filter(|place| begins(*place) == failed)
            .map(|place| correct.text(place))
            .collect()
    }

    /// The place in the action that worked at which a word of the other one stands, or what took its place ends.
    pub(super) fn place_of(&self, word: usize) -> Option<usize> {
        let places = || self.uses.iter().enumerate();
        let find = |wanted: &dyn Fn(&Use) -> bool| {
            let found = places().find(|(_, used)| wanted(used));
            found.map(|(place, _)| place)
        };
        let own = find(&|used| *used == Use::Kept(word))
            .or_else(|| find(&|used| used.source() == Some(word)));
        // What is new behind it stands for what is gone behind it.
        if own.is_some() && self.taken.get(word + 1) == Some(&true) {
            return own;
        }
        let before = || {
            let before = (0..word).rev().find(|word| !self.taken[*word])?;
            self.place_of(before)
        };
        let from = own.or_else(before).map_or(0, |place| place + 1);
        // What is new right behind it belongs to it.
        let is_new = |(_, used): &(usize, &Use)| matches!(used, Use::New | Use::Replacing(_));
        (from + places().skip(from).take_while(is_new).count()).checked_sub(1)
    }
}

impl Use {
    /// The word that is used.
    pub(super) fn source(&self) -> Option<usize> {
        match self {
            Self::Kept(word) | Self::Copied(word) | Self::Parent(word) | Self::Replacing(word) => {
                Some(*word)
            }
            Self::Within { word, .. } | Self::Part { word, .. } | Self::Respelled { word, .. } => {
                Some(*word)
            }
            Self::New => None,
        }
    }
}

/// A word of the action that failed inside `text`, or `text` inside one: the longest.
fn inside(wrong: &Words, text: &str) -> Option<(usize, Use)> {
    let operands = (0..wrong.len()).filter(|word| wrong.is_operand(*word));
    let found = operands.filter_map(|word| {
        let whole = wrong.text(word);
        if let Some((before, after)) = split_around(text, whole) {
            let used = Use::Within {
                before,
                word,
                after,
            };
            return Some((whole.len(), word, used));
        }
        let (before, after) = split_around(whole, text)?;
        // What is left out must be dress: `./` of a path, the marks around a name.
        (is_mark(&before) && is_mark(&after)).then_some((
            text.len(),
            word,
            Use::Part {
                before,
                word,
                after,
            },
        ))
    });
    let best = found.max_by_key(|(letters, word, _)| (*letters, std::cmp::Reverse(*word)))?;
    Some((best.1, best.2))
}

/// The word of the action that failed that lies in the directory `text`.
fn parent_of(wrong: &Words, text: &str) -> Option<(usize, Use)> {
    let found =
        (0..wrong.len()).find(|word| parent(wrong.text(*word)) == Some(text.trim_end_matches('/')));
    found.map(|word| (word, Use::Parent(word)))
}

/// The word of the action that failed that is `text` but for one mark, which is another one wherever it stands.
fn respelled(wrong: &Words, text: &str) -> Option<(usize, Use)> {
    let mut operands = (0..wrong.len()).filter(|word| wrong.is_operand(*word));
    operands.find_map(|word| {
        let whole = wrong.text(word);
        let mut differing = whole
            .chars()
            .zip(text.chars())
            .filter(|(old, new)| old != new);
        let (old, new) = differing.next()?;
        let are_marks = [old, new].iter().all(char::is_ascii_punctuation);
        let is_all = whole.chars().map(|c| if c == old { new } else { c });
        (are_marks && is_all.eq(text.chars())).then_some((word, Use::Respelled { word, old, new }))
    })
}

/// The directory that a path lies in.
pub(super) fn parent(path: &str) -> Option<&str> {
    let (parent, _) = path.rsplit_once('/')?;
    (!parent.is_empty()).then_some(parent)
}

/// What stands around `part` in `whole`, if `part` does not begin or end within a word.
pub(super) fn split_around(whole: &str, part: &str) -> Option<(String, String)> {
    if part.chars().count() < INSIDE || whole == part {
        return None;
    }
    whole.match_indices(part).find_map(|(at, _)| {
        let (before, after) = (&whole[..at], &whole[at + part.len()..]);
        // `player` is no part of `player_name`: that is another name.
        let is_inner = |c: char| c.is_alphanumeric() || c == '_';
        let free = !before.ends_with(is_inner) && !after.starts_with(is_inner);
        free.then(|| (before.to_owned(), after.to_owned()))
    })
}

/// Pairs each word that is gone with a new one in its place, where the error names the one and proposes the other.
fn replaced(
    wrong: &Words,
    correct: &Words,
    uses: &mut [Option<Use>],
    taken: &[bool],
    then: &Named,
) -> Vec<bool> {
    let mut replaced = vec![false; wrong.len()];
    let kept_before = |uses: &[Option<Use>], place: usize| {
        uses[..place].iter().rev().find_map(|used| match used {
            Some(Use::Kept(word)) => Some(*word),
            _ => None,
        })
    };
    for word in (0..wrong.len()).filter(|word| taken[*word] && wrong.is_operand(*word)) {
        let before = (0..word).rev().find(|word| !taken[*word]);
        let place = (0..correct.len()).find(|place| {
            uses[*place].is_none()
                && !correct.is_mark(*place)
                && kept_before(uses, *place) == before
        });
        // `HEAD:lib.rs` is not named, and `HEAD:./lib.rs` is proposed. Of plain words there are too many.
        if let Some(place) = place
            && (then.has(wrong.text(word))
                || !is_plain(wrong.text(word))
                    && is_spelled_like(wrong.text(word), correct.text(place)))
            && then.has(correct.text(place))
        {
            uses[place] = Some(Use::Replacing(word));
            replaced[word] = true;
        }
    }
    replaced
}
