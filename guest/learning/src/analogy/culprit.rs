//! The culprit: what an error blames of the action that failed, and what a lesson put in its place.
//!
//! Where an error names its culprit, a lesson is about that culprit or about something else: however similar two actions are,
//! an unknown column `name` says nothing about an unknown column `age`. And however much two actions differ, what
//! stands for the culprit in one stands for it in the other.

use std::collections::BTreeSet;

use super::{
    ACTION_BYTES, Analogy, Failed,
    change::Use,
    grounds,
    named::Named,
    precedent::{Compared, Precedent},
    words::{Words, is_spelled_like},
};
use crate::form::common;

/// How much of the shorter action the other one must have besides the culprit.
const SHARED: f64 = 0.6;

/// How similar two actions must be besides the culprit for what one put in its place to be right in the other.
const CLOSE: f64 = 0.7;

/// How many words two actions have besides the culprit: both of them, the one that has fewer, and the two together.
struct Context {
    shared: usize,
    fewer: usize,
    all: usize,
}

impl Context {
    fn is_much(&self) -> bool {
        self.shared as f64 >= SHARED * self.fewer as f64
    }

    /// Whether both do nearly the same: what a short action shares with a long one may be what all actions have.
    fn is_close(&self) -> bool {
        // One word more, such as an option, is hardly a difference, however short both are.
        let is_one_more = self.shared == self.fewer && self.all <= 2 * self.shared + 1;
        self.shared > 0 && is_one_more || 2.0 * self.shared as f64 >= CLOSE * self.all as f64
    }
}

/// What two actions have in common besides a culprit.
fn context(wrong: &Words, action: &Words, culprit: &str) -> Context {
    let besides = |words: &Words| -> BTreeSet<String> {
        let spoken = (0..words.len()).filter(|at| !words.is_mark(*at));
        let spoken = spoken.map(|at| words.text(at));
        let besides = spoken.filter(|text| *text != culprit);
        besides.map(str::to_lowercase).collect()
    };
    let (left, right) = (besides(wrong), besides(action));
    Context {
        shared: left.intersection(&right).count(),
        fewer: left.len().min(right.len()),
        all: left.len() + right.len(),
    }
}

/// Whether two actions do nearly the same, a culprit aside.
pub(super) fn is_close(wrong: &Words, action: &Words, culprit: &str) -> bool {
    context(wrong, action, culprit).is_close()
}

/// The words of an action that its error blames, but for what is run.
pub fn blamed<'a>(failed: &Failed<'a>) -> Vec<&'a str> {
    let end = failed.action.floor_char_boundary(ACTION_BYTES);
    let words = Words::new(&failed.action[..end], false);
    blamed_words(&words, failed.named())
}

/// The words of an action that an error blames, but for what is run.
fn blamed_words<'a>(words: &Words<'a>, named: &Named) -> Vec<&'a str> {
    let operands = (0..words.len()).filter(|at| !words.is_mark(*at) && *at != words.program());
    let blamed = operands.map(|at| words.text(at));
    blamed.filter(|text| named.blames(text)).collect()
}

/// Whether both errors blame the same: what the first names of its action, and the change took away or put into another
/// form. What was taken away must be blamed again; of what only got another form, any value may be.
///
/// ```
/// use twiceshy_learning::analogy::{Case, Failed, Precedent, has_same_culprit};
/// let case = Case::new(
///     "grid filter a.csv size > 5",
///     "grid: unknown verb 'filter'",
///     "grid keep :a.csv @size above 5",
/// );
/// assert!(has_same_culprit(&Precedent::new(&case), &Failed::new("grid filter b.csv --all", "grid: unknown verb 'filter'")));
/// assert!(!has_same_culprit(&Precedent::new(&case), &Failed::new("grid sieve b.csv --all", "grid: unknown verb 'sieve'")));
/// ```
pub fn has_same_culprit(precedent: &Precedent, failed: &Failed) -> bool {
    let Some(compared) = Compared::new(precedent, failed, true) else {
        return false;
    };
    let Compared {
        wrong,
        action,
        then,
        now,
        ..
    } = &compared;
    let change = precedent.change(true);
    let is_kept = |word: usize| change.uses.contains(&Use::Kept(word));
    let is_head = |word: usize| wrong.program() == word;
    let mut culprits = (0..wrong.len())
        .filter(|word| !wrong.is_mark(*word) && !is_kept(*word) && !is_head(*word))
        .filter(|word| then.has(wrong.text(*word)))
        .peekable();
    let is_blamed = |word: usize| {
        let text = wrong.text(word);
        match change.taken[word] {
            true => now.has(text) && action.has(text),
            false => then
                .value_in_place(text, now)
                .is_some_and(|value| action.has(value)),
        }
    };
    // Another verb of the same program wants something else, unless the verb is what was wrong.
    let verb = wrong.verb();
    let has_verb = verb.is_some_and(|word| !is_kept(word))
        || verb.map(|word| wrong.text(word)) == action.verb().map(|at| action.text(at));
    // A verb and an option are words of the program itself; a name is right or wrong by what it is used with.
    let is_language = |word: usize| {
        let is_option = !wrong.is_operand(word);
        is_option
            || verb == Some(word)
                && action.verb().map(|at| action.text(at)) == Some(wrong.text(word))
    };
    let is_grounded = |word: usize| {
        let name = wrong.text(word);
        match grounds::is_same_owner(name, then, now) {
            Some(is_same_owner) => is_same_owner,
            None => is_language(word) || is_close(wrong, action, name),
        }
    };
    wrong.text(wrong.program()) == action.text(action.program())
        && has_verb
        && culprits.peek().is_some()
        && culprits.all(|word| is_blamed(word) && is_grounded(word))
}

/// Whether a case has a culprit that the failure at hand does not blame: then it is about something else.
///
/// ```
/// use twiceshy_learning::analogy::{Case, Failed, Precedent, has_other_culprit};
/// let case = Case::new("get nam from user", "no column 'nam'", "get name from user");
/// assert!(has_other_culprit(&Precedent::new(&case), &Failed::new("get nam, ag from user", "no column 'ag'")));
/// assert!(!has_other_culprit(&Precedent::new(&case), &Failed::new("get nam, id from user", "no column 'nam'")));
/// ```
pub fn has_other_culprit(precedent: &Precedent, failed: &Failed) -> bool {
    let Some(compared) = Compared::new(precedent, failed, false) else {
        return false;
    };
    let change = precedent.change(false);
    // What the error itself proposed in its place, it may propose for another.
    if change.replaced.contains(&true) {
        return false;
    }
    let culprits = compared.culprits(change);
    !culprits.is_empty() && !culprits.iter().any(|text| compared.is_blamed(text))
}

/// Whether a failure is like that of a case though the change can't be made to it: both errors blame the same, or neither blames
/// anything, and the actions have much in common.
pub fn is_akin(precedent: &Precedent, failed: &Failed) -> bool {
    let Some(compared) = Compared::new(precedent, failed, false) else {
        return false;
    };
    let Compared {
        wrong,
        action,
        then: error,
        now: error_now,
        ..
    } = compared;
    let then: BTreeSet<_> = blamed_words(wrong, error).into_iter().collect();
    let now: BTreeSet<_> = blamed_words(action, error_now).into_iter().collect();
    let blames_the_same = match then.is_empty() && now.is_empty() {
        true => true,
        false => !then.is_disjoint(&now),
    };
    let is_elsewhere = |name: &&str| grounds::is_same_owner(name, error, error_now) == Some(false);
    blames_the_same && !now.iter().any(is_elsewhere) && context(wrong, action, "").is_much()
}

/// Puts what a lesson has in place of its culprit into another action for which the same is blamed, however else the two
/// differ. None if the culprit is another, or nothing stands in its place alone.
///
/// ```
/// use twiceshy_learning::analogy::{Case, Failed, Precedent, substitute};
/// let case = Case::new(
///     "SELECT name FROM teachers ORDER BY age",
///     "Table 'school.teachers' doesn't exist",
///     "SELECT name FROM teacher ORDER BY age",
/// );
/// let failed = Failed::new(
///     "SELECT name, teachers.age FROM teachers WHERE age IN (32, 33)",
///     "Table 'school.teachers' doesn't exist",
/// );
/// assert_eq!(
///     substitute(&Precedent::new(&case), &failed).unwrap().command,
///     "SELECT name, teacher.age FROM teacher WHERE age IN (32, 33)"
/// );
/// ```
pub fn substitute(precedent: &Precedent, failed: &Failed) -> Option<Analogy> {
    let compared = Compared::new(precedent, failed, false)?;
    let Compared {
        wrong,
        correct,
        action,
        then,
        now,
    } = &compared;
    if wrong.text(wrong.program()) != action.text(action.program()) {
        return None;
    }
    let mut culprits = compared.culprits(precedent.change(false));
    culprits.retain(|text| compared.is_blamed(text));
    culprits.sort_unstable();
    culprits.dedup();
    let [culprit] = culprits.as_slice() else {
        return None;
    };
    let instead = in_place_of(culprit, wrong, correct)?;
    let context = context(wrong, action, culprit);
    // What is misspelled is so everywhere; another name may be right elsewhere.
    // An option that a program refuses has the same name in whatever else it is asked.
    let are_options = culprit.starts_with('-') && instead.starts_with('-');
    let is_everywhere = are_options || is_spelled_like(culprit, instead);
    let is_right_here = match grounds::is_same_owner(culprit, then, now) {
        Some(is_same_owner) => is_same_owner,
        None => is_everywhere || context.is_close(),
    };
    if !is_right_here {
        return None;
    }
    Some(Analogy {
        command: action.with(culprit, instead),
        likeness: 2.0 * (context.shared + 1) as f64 / (context.all + 2) as f64,
        evidence: then.likeness(now, &[]),
    })
}

/// What the action that worked has in every place of the culprit, if that is the same word each time.
fn in_place_of<'a>(culprit: &str, wrong: &Words, correct: &Words<'a>) -> Option<&'a str> {
    let mut pairs = common(&wrong.texts(), &correct.texts());
    pairs.push((wrong.len(), correct.len()));
    let mut found = None;
    let (mut from, mut to) = (0, 0);
    for (word, place) in pairs {
        let spoken = |words: &Words, places: std::ops::Range<usize>| -> Vec<usize> {
            places.filter(|at| !words.is_mark(*at)).collect()
        };
        let gone = spoken(wrong, from..word);
        let new = spoken(correct, to..place);
        (from, to) = (word + 1, place + 1);
        for (nth, at) in gone.iter().enumerate() {
            if wrong.text(*at) != culprit {
                continue;
            }
            let instead = match gone.len() == new.len() {
                true => correct.text(new[nth]),
                // Where words came or went besides, only its spelling tells which stands for it.
                false => new
                    .iter()
                    .map(|place| correct.text(*place))
                    .find(|text| is_spelled_like(culprit, text))?,
            };
            if found.is_some_and(|found| found != instead) {
                return None;
            }
            found = Some(instead);
        }
    }
    found
}
