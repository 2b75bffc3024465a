//! Analogy: what a lesson means for another failure.
//!
//! A lesson was learned from an action that failed, what was printed, and an action that worked. When something similar
//! fails elsewhere, with other names, an analogy says what to do there: the same change, made to the action at hand.
//! It is strict on purpose. What the change takes away must be in the action that failed; what the change took from
//! the error text must be found in the new error text. If not, the lesson is about another cause, and there is none.

mod alignment;
mod change;
mod culprit;
mod grounds;
mod named;
mod precedent;
mod words;

use std::cell::OnceCell;

use serde::{Deserialize, Serialize};

use alignment::Alignment;
use change::{Change, Use, parent};
pub use culprit::{blamed, has_other_culprit, has_same_culprit, is_akin, substitute};
pub use grounds::leaves_culprit;
pub(crate) use named::Named;
use precedent::Compared;
pub use precedent::Precedent;
use words::Words;

/// An action in bytes as far as it is compared: what is longer is no form that anybody repeats.
const ACTION_BYTES: usize = 2 << 10;

/// How much of an error text is kept from its beginning, and from its end.
const HALF_BYTES: usize = 1 << 10;

/// Words of an action that are compared: aligning takes time by their square.
const MOST_WORDS: usize = 200;

/// How a lesson was learned: what failed, what it printed, and what worked. Secrets are masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// The action that failed.
    pub wrong: String,
    /// What it printed, without its middle if that is long; empty if it is not known.
    pub evidence: String,
    /// The action that worked.
    pub correct: String,
}

impl Case {
    /// A case with as much of the evidence as is kept.
    pub fn new(wrong: &str, evidence: &str, correct: &str) -> Self {
        let kept = match evidence.len() > 2 * HALF_BYTES {
            true => {
                let head = &evidence[..evidence.floor_char_boundary(HALF_BYTES)];
                let tail = &evidence[evidence.ceil_char_boundary(evidence.len() - HALF_BYTES)..];
                format!("{head}\n{tail}")
            }
            false => evidence.to_owned(),
        };
        Self {
            wrong: wrong.to_owned(),
            evidence: kept,
            correct: correct.to_owned(),
        }
    }
}

/// A failure at hand. What is read out of it is read once, however many lessons it is compared with.
#[derive(Debug)]
pub struct Failed<'a> {
    action: &'a str,
    evidence: &'a str,
    named: OnceCell<Named<'a>>,
    /// The action in words, with quotations as many words and as one.
    words: [OnceCell<Words<'a>>; 2],
}

impl<'a> Failed<'a> {
    /// An action that failed, and what it printed.
    pub fn new(action: &'a str, evidence: &'a str) -> Self {
        Self {
            action,
            evidence,
            named: OnceCell::new(),
            words: Default::default(),
        }
    }

    /// Whether nothing was printed that says anything.
    pub fn is_silent(&self) -> bool {
        self.named().is_empty()
    }

    fn named(&self) -> &Named<'a> {
        self.named.get_or_init(|| Named::new(self.evidence))
    }

    fn words(&self, whole: bool) -> &Words<'a> {
        self.words[usize::from(whole)].get_or_init(|| Words::new(self.action, whole))
    }
}

/// What a lesson says about a failure.
#[derive(Debug, Clone, PartialEq)]
pub struct Analogy {
    /// What to do, in the words of the failure.
    pub command: String,
    /// How similar the two failed actions are, from 0 to 1.
    pub likeness: f64,
    /// How similar their error texts are, from 0 to 1.
    pub evidence: f64,
}

/// Makes the change of a lesson to another action that failed. None if it can't be made, or changes nothing.
///
/// ```
/// use twiceshy_learning::analogy::{Case, Failed, Precedent, apply};
/// let case = Case::new(
///     "cp notes.txt backup/",
///     "cp: cannot create regular file 'backup/': Not a directory",
///     "mkdir -p backup/ && cp notes.txt backup/",
/// );
/// let failed = Failed::new(
///     "cp -v a.csv out/",
///     "cp: cannot create regular file 'out/': Not a directory",
/// );
/// assert_eq!(apply(&Precedent::new(&case), &failed).unwrap().command, "mkdir -p out/ && cp -v a.csv out/");
/// ```
pub fn apply(precedent: &Precedent, failed: &Failed) -> Option<Analogy> {
    // What is quoted on both sides is one word; where the change is made inside, it is many.
    let case = precedent.case();
    let kept = |quoted: &&str| case.correct.contains(quoted);
    let mut new = words::quotations(&case.correct).into_iter();
    let whole = words::quotations(&case.wrong).iter().all(kept)
        && !new.any(|quoted| words::is_put_around(quoted, &case.wrong));
    let Compared {
        wrong,
        correct,
        then,
        action,
        now,
    } = Compared::new(precedent, failed, whole)?;
    let change = precedent.change(whole);
    let alignment = Alignment::new(wrong, action, change, (then, now))?;
    // What took the place of one owner's name says nothing about another's.
    let is_elsewhere = |word: usize| {
        let name = wrong.text(word);
        change.taken[word] && grounds::is_same_owner(name, then, now) == Some(false)
    };
    if (0..wrong.len()).any(is_elsewhere) {
        return None;
    }
    let partner = |word: usize| alignment.partner(word);
    let actions = (wrong, correct, action);
    if grounds::is_in_other_role(actions, change, partner, (then, now)) {
        return None;
    }
    let is_close = |name: &str| culprit::is_close(wrong, action, name);
    if grounds::is_out_of_place(wrong, correct, change, (then, now), is_close) {
        return None;
    }
    // Where the change was made already, it is not what is missing.
    let mut brought = change.brings(correct).peekable();
    if change.only_adds() && brought.peek().is_some() && brought.all(|word| action.has(word)) {
        return None;
    }
    // What was brought in for one culprit is not what another one needs.
    let is_other_culprit = |(old, new): &(&str, &str)| then.blames(old) && now.blames(new);
    let renamed = alignment.renamed(wrong, action);
    let is_foreign = |word: &&str| !then.blames(word) && !now.blames(word);
    let foreign = change.brings_operands(correct);
    // What is gone was blamed itself, and is blamed again: the new stands for that.
    let is_taken_culprit = |word: usize| {
        change.taken[word] && then.blames(wrong.text(word)) && now.blames(wrong.text(word))
    };
    if renamed.iter().any(is_other_culprit)
        && foreign.iter().any(is_foreign)
        && !(0..wrong.len()).any(is_taken_culprit)
    {
        return None;
    }
    // Of a cause that the action does not show, only what it was done to tells anything.
    let is_of_kind = |(old, new): &(&str, &str)| words::is_of_kind(old, new);
    if change.only_adds()
        && !change.brings(correct).any(|word| then.has(word))
        && grounds::has_other_cause((wrong, then), (action, now))
        && !renamed.iter().all(is_of_kind)
    {
        return None;
    }
    let command = written(wrong, correct, action, change, &alignment, (then, now))?;
    if words::is_same(&command, failed.action) {
        return None;
    }
    Some(Analogy {
        command,
        likeness: alignment.likeness(wrong, action, (then, now)),
        evidence: then.likeness(now, &renamed),
    })
}

/// The action that worked, with the words of the action at hand in place of those that it was learned with.
fn written(
    wrong: &Words,
    correct: &Words,
    action: &Words,
    change: &Change,
    alignment: &Alignment,
    (then, now): (&Named, &Named),
) -> Option<String> {
    let brought: Vec<_> = change.brings(correct).collect();
    let mut draft = Draft {
        action,
        out: String::new(),
        last: None,
    };
    // What the action at hand has besides stays where it is: behind the word that it follows there. What the change
    // brings anyway is not said twice.
    let extras = alignment.extras();
    let besides = |draft: &mut Draft, place: Option<usize>| {
        let behind = |after: Option<usize>| after.and_then(|after| change.place_of(after)) == place;
        for (after, words) in &extras {
            if behind(*after) {
                let new = words
                    .iter()
                    .filter(|at| !brought.contains(&action.text(**at)));
                new.for_each(|at| draft.push_own(*at, true));
            }
        }
    };
    besides(&mut draft, None);
    let renamed = renamed_values(&brought, then, now)?;
    let mut left_out = false;
    for (place, used) in change.uses.iter().enumerate() {
        // The space before a word that is left out stays.
        let gap = std::mem::take(&mut left_out) || correct.has_gap(place) || place == 0;
        let own = |word: usize| alignment.partner(word);
        let text = |word: usize| Some(action.text(own(word)?));
        match used {
            // An operand that the action at hand lacks is left out of what is advised as well.
            Use::Kept(word) => match own(*word) {
                // Where the change is in the spaces, they are those of the action that worked.
                Some(at) if wrong.has_gap(*word) != correct.has_gap(place) => {
                    draft.push(gap, action.text(at));
                }
                Some(at) => draft.push_own(at, gap),
                None => left_out = gap,
            },
            Use::Copied(word) => draft.push(gap, text(*word)?),
            Use::Within {
                before,
                word,
                after,
            } => {
                let made = format!("{before}{}{after}", text(*word)?);
                // `foo.io` becomes an address, `foo` does not.
                if words::is_plain(text(*word)?) != words::is_plain(wrong.text(*word)) {
                    return None;
                }
                let proposed = then.has(correct.text(place)) && !is_structural(before, after);
                // What the error proposed once, it must propose again.
                if proposed && made != correct.text(place) && !now.has(&made) {
                    return None;
                }
                draft.push(gap, &made);
            }
            Use::Part {
                before,
                word,
                after,
            } => {
                let part = text(*word)?.strip_prefix(before.as_str())?;
                draft.push(gap, part.strip_suffix(after.as_str())?);
            }
            Use::Respelled { word, old, new } => {
                let own = text(*word)?;
                // Without that mark there is nothing to write otherwise.
                if !own.contains(*old) {
                    return None;
                }
                draft.push(gap, &own.replace(*old, &new.to_string()));
            }
            Use::Parent(word) => draft.push(gap, parent(text(*word)?)?),
            Use::Replacing(word) if text(*word)? != wrong.text(*word) => {
                let word = text(*word)?;
                let proposal = now.proposal(word, then);
                draft.push(
                    gap,
                    proposal.or_else(|| now.choice(word, correct.text(place)))?,
                );
            }
            Use::Replacing(_) | Use::New => {
                draft.push(gap, &renamed_in(correct.text(place), &renamed));
            }
        }
        besides(&mut draft, Some(place));
    }
    Some(draft.out)
}

/// A command that is being written.
struct Draft<'a> {
    action: &'a Words<'a>,
    out: String,
    /// The word of the action at hand that was written last.
    last: Option<usize>,
}

impl Draft<'_> {
    fn push(&mut self, gap: bool, text: &str) {
        if gap && !self.out.is_empty() {
            self.out.push(' ');
        }
        self.out.push_str(text);
        self.last = None;
    }

    /// Writes a word of the action at hand, with the space that it has there if it follows the same word.
    fn push_own(&mut self, at: usize, gap: bool) {
        let follows = at > 0 && self.last == Some(at - 1);
        let gap = if follows {
            self.action.has_gap(at)
        } else {
            gap
        };
        self.push(gap, self.action.text(at));
        self.last = Some(at);
    }
}

/// The words that the change brought in and that came from the error text, with what the new one has in their place.
/// None if it has nothing there: the lesson is about another cause.
fn renamed_values<'n>(
    brought: &[&str],
    then: &Named,
    now: &Named<'n>,
) -> Option<Vec<(String, &'n str)>> {
    let mut renamed = Vec::new();
    for (place, word) in brought.iter().enumerate() {
        // A number that came from nowhere, such as that of a process, was right on that day only; a setting (`--edition 2021`)
        // stays.
        let is_number = word.len() >= 4 && word.bytes().all(|b| b.is_ascii_digit());
        let mut before = brought[..place].iter().rev().filter(|word| **word != "=");
        let is_setting = before.next().is_some_and(|word| word.starts_with("--"));
        if is_number && !is_setting && !then.has(word) {
            return None;
        }
        // What is quoted, such as an edit, says what was there on that day.
        let is_of_then = |part: &str| then.has(part) && !now.has(part);
        let mut parts = word.split(|c: char| !c.is_alphanumeric() && c != '_');
        if !now.is_empty() && word.starts_with(['"', '\'']) && parts.any(is_of_then) {
            return None;
        }
        if !now.is_empty() && then.has(word) && !now.has(word) {
            renamed.push(((*word).to_owned(), then.value_in_place(word, now)?));
        }
        // What the error named may be a part of a path: `./vendor/left-pad` for 'left-pad'.
        let is_path = !then.has(word) && !word.starts_with(['"', '\'', '-']) && word.contains('/');
        let named =
            |part: &&str| part.chars().count() > 2 && words::is_plain(part) && is_of_then(part);
        if let Some(part) = word
            .rsplit('/')
            .find(named)
            .filter(|_| is_path && !now.is_empty())
        {
            let value = then.value_in_place(part, now)?;
            if !words::is_plain(value) {
                return None;
            }
            renamed.push((part.to_owned(), value));
        }
    }
    Some(renamed)
}

/// A word with what it has of the old error text replaced.
fn renamed_in(word: &str, renamed: &[(String, &str)]) -> String {
    let found = renamed.iter().find_map(|(old, new)| {
        if word == old {
            return Some((*new).to_owned());
        }
        let (before, after) = change::split_around(word, old)?;
        Some(format!("{before}{new}{after}"))
    });
    found.unwrap_or_else(|| word.to_owned())
}

/// Whether what surrounds a word is a matter of form: `a.csv` in `<a.csv>` or `./a.csv`.
fn is_structural(before: &str, after: &str) -> bool {
    let plain = |text: &str| !text.chars().any(char::is_alphanumeric);
    plain(before) && plain(after)
        || before.ends_with(['/', '.', '@', ':', '='])
        || after.starts_with(['.', '/', ':', '@', '='])
}

#[cfg(test)]
mod tests;
