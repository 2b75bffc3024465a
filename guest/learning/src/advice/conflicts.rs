//! Conflicts: when two rules that answer the same failure can't both be right.
//!
//! Owns the comparison of two rule texts. They contradict each other if one says to do what the other says not to,
//! if they take opposite sides of a question about the same thing, or if they put different things in the same place
//! of the same command. Two that agree, elaborate each other or speak of different things do not.

use std::{cell::OnceCell, collections::BTreeSet};

use super::{Advice, clauses, clauses::Clause, is_prose, normalised, parse};
use crate::form::{Kind, Lexed, Token, common, hole_at};

/// Two clauses speak of the same thing if they share so much of what they say.
const SAME_THING: f64 = 0.6;

/// Where they take opposite sides, less is enough: the question itself is shared.
const SAME_QUESTION: f64 = 0.45;

/// Whether two rule texts, whose lessons share a trigger, propose fixes that exclude each other.
///
/// ```
/// use twiceshy_learning::advice::conflict;
/// assert!(conflict("Use tabs for indentation.", "Never use tabs for indentation."));
/// assert!(!conflict("Do not use tabs.", "Never use tabs."));
/// ```
pub fn conflict(left: &str, right: &str) -> bool {
    Stance::new(left, &parse(left)).conflicts_with(right)
}

/// A rule text that is read once and compared with many.
pub struct Stance<'r> {
    rule: &'r str,
    advice: &'r Advice,
    normalised: String,
    fix: Option<Fix<'r>>,
    /// Read when it is first needed: most rules are two commands each.
    said: OnceCell<Vec<Clause>>,
}

impl<'r> Stance<'r> {
    /// Reads a rule text, given what [`parse`] makes of it.
    pub fn new(rule: &'r str, advice: &'r Advice) -> Self {
        Self {
            rule,
            advice,
            normalised: normalised(rule),
            fix: Fix::new(advice),
            said: OnceCell::new(),
        }
    }

    /// Whether another rule text, whose lesson shares a trigger, proposes a fix that excludes this one; see [`conflict`].
    pub fn conflicts_with(&self, other: &str) -> bool {
        let advice = parse(other);
        let other = Stance::new(other, &advice);
        if self.normalised == other.normalised {
            return false;
        }
        if let (Some(first), Some(second)) = (&self.fix, &other.fix) {
            return first.excludes(second);
        }
        let (first, second) = (self.said(), other.said());
        first
            .iter()
            .any(|one| second.iter().any(|other| contradict(one, other)))
    }

    fn said(&self) -> &[Clause] {
        self.said.get_or_init(|| said(self.rule, self.advice))
    }
}

/// What a rule text says, clause by clause.
fn said(rule: &str, advice: &Advice) -> Vec<Clause> {
    let (Some(wrong), Some(correct)) = (&advice.wrong, &advice.correct) else {
        return match (&advice.wrong, &advice.correct) {
            (Some(wrong), None) => {
                let mut clauses = clauses::of(super::warned_form(wrong));
                clauses
                    .iter_mut()
                    .for_each(|clause| clause.negative = !clause.negative);
                clauses
            }
            (None, Some(correct)) => clauses::of(correct),
            _ => clauses::of(rule),
        };
    };
    if !is_prose(wrong) && !is_prose(correct) {
        let made = clauses::of_forms(wrong, correct);
        // Two phrases without a verb are still prose: their words tell more than their tokens.
        if Lexed::new(wrong)
            .tokens
            .iter()
            .all(|token| matches!(token.kind, Kind::Word | Kind::Space))
        {
            return [made, labelled(wrong, correct)].concat();
        }
        return made;
    }
    labelled(wrong, correct)
}

/// The clauses of a WRONG and a CORRECT in words: what both have is what they are about, not what they say of it.
fn labelled(wrong: &str, correct: &str) -> Vec<Clause> {
    let (mut warned, mut advised) = (clauses::of(wrong), clauses::of(correct));
    let terms = |clauses: &[Clause]| -> BTreeSet<String> {
        clauses
            .iter()
            .flat_map(|clause| clause.terms.clone())
            .collect()
    };
    let (theirs, ours) = (terms(&warned), terms(&advised));
    for clause in &mut advised {
        clause.key.retain(|term| !theirs.contains(term));
    }
    for clause in &mut warned {
        clause.negative = !clause.negative;
        clause.key.retain(|term| !ours.contains(term));
    }
    // A side that both have is no difference.
    for clause in &mut warned {
        let held = |question: &str, side: &str| {
            advised
                .iter()
                .any(|other| other.sides.get(question) == Some(&side))
        };
        clause.sides.retain(|question, side| !held(question, side));
    }
    warned.extend(advised);
    warned
}

fn contradict(one: &Clause, other: &Clause) -> bool {
    if let (Some((first, second)), Some((third, fourth))) = (&one.order, &other.order) {
        let alike = |a: &BTreeSet<String>, b: &BTreeSet<String>| share(a, b) >= 0.5;
        let reversed = alike(first, fourth) && alike(second, third);
        let same = alike(first, third) && alike(second, fourth);
        let same_polarity = one.negative == other.negative;
        if if same_polarity {
            reversed && !same
        } else {
            same && !reversed
        } {
            return true;
        }
        if !same {
            return false;
        }
    }
    let opposite = one
        .sides
        .iter()
        .any(|(question, side)| other.sides.get(question).is_some_and(|taken| taken != side));
    let alike = one
        .sides
        .iter()
        .any(|(question, side)| other.sides.get(question) == Some(side));
    let about = share(&one.terms, &other.terms);
    let nothing_else = one.terms.is_empty() || other.terms.is_empty();
    if one.negative == other.negative {
        if opposite {
            return nothing_else || about >= SAME_QUESTION;
        }
        return numbers_differ(one, other);
    }
    if opposite {
        return false;
    }
    let touches = |clause: &Clause| {
        clause.terms.is_empty()
            || clause
                .key
                .iter()
                .any(|term| one.terms.contains(term) && other.terms.contains(term))
    };
    if alike {
        return nothing_else || about >= SAME_QUESTION;
    }
    // A side that only one of them takes is a difference like a word.
    if one.sides.len() + other.sides.len() > 0 && about < 1.0 {
        return false;
    }
    let met = one.terms.intersection(&other.terms).count();
    let fewer = one.terms.len().min(other.terms.len());
    let covered = met > 0 && met == fewer && one.terms.len().abs_diff(other.terms.len()) <= 2;
    (about >= SAME_THING || covered) && touches(one) && touches(other)
}

/// The same with another number: both can't be the right one.
fn numbers_differ(one: &Clause, other: &Clause) -> bool {
    let split = |terms: &BTreeSet<String>| -> (BTreeSet<String>, BTreeSet<String>) {
        let number = |term: &String| term.starts_with(|c: char| c.is_ascii_digit());
        terms.iter().cloned().partition(number)
    };
    let ((numbers, about), (others, same)) = (split(&one.terms), split(&other.terms));
    !numbers.is_empty()
        && !others.is_empty()
        && numbers.is_disjoint(&others)
        && !about.is_empty()
        && share(&about, &same) >= 0.8
}

/// How much two sets share: twice what they have in common over what they have.
fn share(left: &BTreeSet<String>, right: &BTreeSet<String>) -> f64 {
    twiceshy_text::terms::similarity(left, right)
}

/// A fix that is written as two commands.
struct Fix<'a> {
    wrong: Vec<Token<'a>>,
    correct: Vec<Token<'a>>,
}

/// A place in WRONG, and what CORRECT has there instead.
struct Edit<'a, 'b> {
    from: usize,
    to: usize,
    instead: &'b [Token<'a>],
}

impl<'a> Fix<'a> {
    fn new(advice: &'a Advice) -> Option<Self> {
        let (wrong, correct) = (advice.wrong.as_deref()?, advice.correct.as_deref()?);
        if is_prose(wrong) || is_prose(correct) {
            return None;
        }
        let solid = |text: &'a str| {
            let lexed = Lexed::new(text);
            lexed
                .solid()
                .into_iter()
                .map(|at| lexed.tokens[at])
                .collect()
        };
        Some(Self {
            wrong: solid(wrong),
            correct: solid(correct),
        })
    }

    fn excludes(&self, other: &Self) -> bool {
        if is_same_form(&self.correct, &other.wrong) || is_same_form(&self.wrong, &other.correct) {
            return true;
        }
        let (mine, theirs) = (self.difference(), other.difference());
        let meets = |left: &[Token], right: &[Token]| {
            left.iter()
                .any(|token| token.speaks() && right.contains(token))
        };
        let (undoes, undone) = (meets(&mine.1, &theirs.0), meets(&mine.0, &theirs.1));
        let same_program = self.wrong.first().map(|token| token.text)
            == other.wrong.first().map(|token| token.text);
        if undoes && undone || same_program && (undoes || undone) {
            return true;
        }
        if is_same_form(&self.correct, &other.correct) {
            return false;
        }
        if !is_same_form(&self.wrong, &other.wrong) {
            return same_program && self.replaces_otherwise(other);
        }
        let (edits, others) = (self.edits(), other.edits());
        edits
            .iter()
            .any(|edit| others.iter().any(|other| edit.excludes(other)))
    }

    /// Whether two fixes of different commands put different things in the place of the same.
    fn replaces_otherwise(&self, other: &Self) -> bool {
        let replaced = |fix: &Self, edit: &Edit| -> Vec<String> {
            let tokens = &fix.wrong[edit.from..edit.to];
            tokens.iter().map(|token| token.text.to_owned()).collect()
        };
        let (edits, others) = (self.edits(), other.edits());
        edits.iter().any(|edit| {
            let taken = replaced(self, edit);
            !taken.is_empty()
                && !edit.instead.is_empty()
                && others.iter().any(|theirs| {
                    replaced(other, theirs) == taken
                        && !theirs.instead.is_empty()
                        && !is_within(edit.instead, theirs.instead)
                        && !is_within(theirs.instead, edit.instead)
                })
        })
    }

    /// What it takes away, and what it brings in.
    fn difference(&self) -> (Vec<Token<'a>>, Vec<Token<'a>>) {
        let only = |these: &[Token<'a>], those: &[Token<'a>]| -> Vec<Token<'a>> {
            these
                .iter()
                .filter(|token| !those.contains(token))
                .copied()
                .collect()
        };
        (
            only(&self.wrong, &self.correct),
            only(&self.correct, &self.wrong),
        )
    }

    fn edits(&self) -> Vec<Edit<'a, '_>> {
        let texts = |tokens: &[Token]| -> Vec<String> {
            tokens.iter().map(|token| token.text.to_owned()).collect()
        };
        let mut pairs = common(&texts(&self.wrong), &texts(&self.correct));
        pairs.push((self.wrong.len(), self.correct.len()));
        let (mut edits, mut from) = (Vec::new(), (0, 0));
        for (wrong, correct) in pairs {
            if wrong > from.0 || correct > from.1 {
                edits.push(Edit {
                    from: from.0,
                    to: wrong,
                    instead: &self.correct[from.1..correct],
                });
            }
            from = (wrong + 1, correct + 1);
        }
        edits
    }
}

/// Whether all of some tokens are found in others, in their order.
fn is_within(short: &[Token], long: &[Token]) -> bool {
    let mut long = long.iter();
    short
        .iter()
        .all(|token| long.any(|candidate| is_same_token(token, candidate)))
}

impl Edit<'_, '_> {
    /// Whether two edits of the same command can't both be made.
    fn excludes(&self, other: &Self) -> bool {
        let inserts = self.from == self.to && other.from == other.to;
        let overlap = self.from < other.to && other.from < self.to;
        if !(overlap || inserts && self.from == other.from) {
            return false;
        }
        let agree =
            is_within(self.instead, other.instead) || is_within(other.instead, self.instead);
        if !inserts {
            // To leave something out and to put something else there are two fixes.
            return !agree || self.instead.is_empty() != other.instead.is_empty();
        }
        let flag = |edit: &Self| {
            edit.instead
                .first()
                .filter(|token| token.is_flag())
                .map(|token| token.text.to_owned())
        };
        match (flag(self), flag(other)) {
            // Different options can be given together; the same with another value can't.
            (Some(mine), Some(theirs)) => mine == theirs && !agree,
            (None, None) => !agree,
            _ => false,
        }
    }
}

/// Whether two commands are of one form: the same words, and data or holes of the same type in the same places.
fn is_same_form(left: &[Token], right: &[Token]) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| is_same_token(left, right))
}

fn is_same_token(left: &Token, right: &Token) -> bool {
    let base = |token: &Token| match token.kind {
        Kind::Hole => hole_at(token.text).map(|(_, base)| (base, true)),
        Kind::Data(base) => Some((base, false)),
        Kind::Word => Some(("name", false)),
        _ => None,
    };
    if left.text == right.text {
        return true;
    }
    match (base(left), base(right)) {
        (Some((mine, hole)), Some((theirs, other))) => (hole || other) && mine == theirs,
        _ => false,
    }
}
