//! Whether two actions want the same: the one that failed, and one that worked later.
//!
//! Owns the likeness of two actions by what they say, not by when they were tried: the same program, the same
//! verb, most of the operands. A success that only works on other data is no fix, and neither is an unrelated
//! one. Which success is taken, and what is learned from it, is decided elsewhere.

use crate::{
    analogy::Named,
    form::{Kind, Lexed, Token},
};

/// Marks say less than words: so much of a word's weight.
const MARK: f64 = 0.25;

/// Another number in the same place is half the same.
const OTHER_NUMBER: f64 = 0.5;

/// From this likeness on two actions of one program want the same.
const SAME: f64 = 0.51;

/// Half of what they say is the same.
const HALF: f64 = 0.5;

/// From this likeness on they do, if the failure speaks of grammar and nothing else worked in between.
const SAME_BY_GRAMMAR: f64 = 0.3;

/// A fix that only adds may add so many words, or as many as there were.
const ADDED: usize = 4;

/// Letters of an option that its name has at least where an error speaks of it without its dashes.
const SHORTEST_NAME: usize = 4;

/// The option by which a program only says whether something is to be done.
const CHECK: &str = "--check";

/// Words of each side that are compared letter by letter.
const SPELLED: usize = 12;

/// How an action is compared: its tokens without space, program first.
pub(crate) struct Intent<'a> {
    tokens: Vec<Token<'a>>,
    /// What stands alone between quotation marks: data, whatever its shape.
    alone: Vec<bool>,
    /// What stands between quotation marks at all.
    quoted: Vec<bool>,
}

/// What surrounds the comparison.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment<'a> {
    /// What kinds of failure the first action met.
    pub(crate) tags: &'a [String],
    /// What its error text names.
    pub(crate) named: &'a Named<'a>,
    /// Whether nothing else worked between the two.
    pub(crate) next: bool,
    /// Whether both only look around.
    pub(crate) looks: bool,
    /// Whether the second only looks around, and the first does not as far as one can tell.
    pub(crate) only_looks: bool,
    /// Whether the actions are told in words, where quotation marks stand around names; in a command they are a matter of
    /// the shell.
    pub(crate) told: bool,
}

/// What two lists of tokens share, and what they do not.
struct Shared<'a> {
    weight: f64,
    words: usize,
    left: Vec<(Token<'a>, bool)>,
    right: Vec<(Token<'a>, bool)>,
}

impl<'a> Intent<'a> {
    pub(crate) fn new(lexed: &Lexed<'a>) -> Self {
        let solid = lexed.solid();
        let alone = |at: &usize| lexed.quoted.contains(&(*at..at + 1));
        let quoted = |at: &usize| lexed.quoted.iter().any(|range| range.contains(at));
        Self {
            tokens: solid.iter().map(|at| lexed.tokens[*at]).collect(),
            alone: solid.iter().map(alone).collect(),
            quoted: solid.iter().map(quoted).collect(),
        }
    }

    /// What is run.
    pub(crate) fn program(&self) -> Option<&'a str> {
        self.tokens.first().map(|token| token.text)
    }

    /// What the program is asked for: the first word that is no option.
    pub(crate) fn verb(&self) -> Option<&'a str> {
        let words = self.tokens.iter().skip(1);
        let mut words = words.filter(|token| token.kind == Kind::Word && !token.is_flag());
        words.next().map(|token| token.text)
    }

    /// Whether `other` asks the same program for something else by its options: it has another one instead (`cmake --build x`
    /// and `cmake -B x`), has options and no data at all (`git am --abort`), or does what this one only checks.
    pub(crate) fn is_otherwise_in(&self, other: &Self) -> bool {
        let flags = |intent: &Self| -> Vec<&'a str> {
            let flags = intent.tokens.iter().filter(|token| token.is_flag());
            flags.map(|token| token.text).collect()
        };
        let has_data = |intent: &Self| {
            let mut words = intent.tokens.iter().skip(1);
            words.any(|token| {
                token.speaks() && !token.is_flag() && Some(token.text) != intent.verb()
            })
        };
        let (own, others) = (flags(self), flags(other));
        let lacks = |flags: &[&str], wanted: &[&str]| wanted.iter().any(|one| !flags.contains(one));
        let is_exchanged = lacks(&own, &others) && lacks(&others, &own);
        let is_bare = has_data(self) && !has_data(other) && !others.is_empty();
        is_exchanged || is_bare || own.contains(&CHECK) && !others.contains(&CHECK)
    }

    /// How similar this action, which failed, and `other`, which worked, are in what they want; none if they are
    /// about different things.
    pub(crate) fn likeness(&self, other: &Self, moment: Moment) -> Option<f64> {
        let (program, wanted) = (self.program()?, other.program()?);
        // Only a space was missing, or too many.
        if self.letters() == other.letters() && self.tokens.len() != other.tokens.len() {
            return Some(1.0);
        }
        let same_program = is_spelled_alike(program, wanted);
        let from = usize::from(same_program);
        let shared = self.shared(other, from);
        let likeness = shared.likeness(self.weight(from) + other.weight(from));
        let is_elsewhere = is_other_data(&shared) && !self.has_other_means(&shared, moment);
        if is_elsewhere || shared.only_leaves_out(moment) {
            return None;
        }
        if !same_program {
            // `sudo apt …`, `python -m pytest …`: all that failed is still there.
            let wrapped = shared.words_left() == 0
                && shared.words > 0
                && shared.is_small_addition()
                && !moment.only_looks;
            let unwrapped = program == "sudo" && shared.words_left() == 1 && shared.words > 0;
            let only_program = moment.next && shared.words_left() == 1 && shared.words_added() == 1;
            let is_slip = moment.named.has(program) && is_slip(program, wanted);
            let replaced = has(moment.tags, &["unknown_command"])
                && (shared.words >= 2 && likeness >= SAME || shared.words == 1 && only_program);
            // To look at the same in another way is to look at it: `cat src` and `ls src`.
            let looked = moment.looks && only_program && shared.words > 0;
            let same = wrapped || unwrapped || replaced || looked || is_slip && only_program;
            return same.then_some(likeness);
        }
        if shared.does_what_the_error_says(moment) {
            return Some(likeness.max(SAME));
        }
        if shared.words == 0 {
            let respelled = self.tokens.len() == 1 && other.tokens.len() == 1;
            let renumbered = moment.next && shared.is_empty() && shared.weight > 0.0;
            return (respelled || renumbered).then_some(likeness);
        }
        if shared.words_left() == 0 && shared.is_small_addition() {
            return Some(likeness.max(SAME));
        }
        let same_verb = match (self.verb(), other.verb()) {
            (Some(verb), Some(wanted)) => is_spelled_alike(verb, wanted),
            (None, None) => true,
            _ => false,
        };
        let grammar = if same_verb {
            &GRAMMAR[2..]
        } else {
            &GRAMMAR[..3]
        };
        // To do only a part of it is easier, but no other way to write it.
        let by_grammar = moment.next
            && likeness >= SAME_BY_GRAMMAR
            && shared.words_added() > 0
            && has(moment.tags, grammar);
        // With another verb, one shared operand is not enough: `git add x` and `git diff x` want different things.
        let by_words = likeness >= SAME && (same_verb || shared.words >= 2);
        // `tool --check x` and then `tool --write x`: the same is done to it in another way.
        let by_option = moment.next && same_verb && shared.exchanges_an_option();
        // `tool --old x` and then `tool --new x`: a name that is not known was given another way.
        let by_name = same_verb
            && moment.next
            && likeness >= HALF
            && shared.words_added() > 0
            && has(moment.tags, &["unknown_symbol"]);
        (by_words || by_option || by_grammar || by_name).then_some(likeness)
    }

    /// Whether the next try is about the same thing by other means: the error speaks of something whose name stayed, and of
    /// nothing that is gone. `open "door" with "key"`: if the door is locked, another key is no other door.
    fn has_other_means(&self, shared: &Shared, moment: Moment) -> bool {
        let is_gone = |token: &Token| shared.left.iter().any(|(gone, _)| gone.text == token.text);
        let names = self.tokens.iter().zip(&self.quoted);
        let mut names = names.filter(|(token, quoted)| **quoted && token.speaks());
        let mut gone = shared.left.iter().map(|(token, _)| token.text);
        moment.told
            && moment.next
            && names.any(|(token, _)| moment.named.has(token.text) && !is_gone(token))
            && !gone.any(|text| moment.named.has(text))
    }

    /// Whether this action has what `right` has and `wrong` has not, and nothing of the opposite.
    pub(crate) fn has_fix(&self, wrong: &Self, right: &Self) -> bool {
        let texts = |intent: &Self| -> Vec<&'a str> {
            intent.tokens.iter().map(|token| token.text).collect()
        };
        let (own, before, after) = (texts(self), texts(wrong), texts(right));
        let brought: Vec<_> = after.iter().filter(|text| !before.contains(text)).collect();
        let taken: Vec<_> = before.iter().filter(|text| !after.contains(text)).collect();
        if brought.is_empty() {
            // Only an order, or only something left out: the rest must tell that it is the same action.
            let all = self.weight(0) + right.weight(0);
            let alike = self.shared(right, 0).likeness(all) >= SAME;
            return own == after
                || alike && !taken.is_empty() && !taken.iter().any(|text| own.contains(text));
        }
        self.program() == right.program()
            && brought.iter().all(|text| own.contains(text))
            && !taken.iter().any(|text| own.contains(text))
    }

    /// All that is written, without spaces.
    fn letters(&self) -> String {
        self.tokens.iter().map(|token| token.text).collect()
    }

    fn weight(&self, from: usize) -> f64 {
        self.tokens.iter().skip(from).map(weight).sum()
    }

    fn shared(&self, other: &Self, from: usize) -> Shared<'a> {
        let side = |intent: &Self| -> Vec<(Token<'a>, bool)> {
            let marked = intent
                .tokens
                .iter()
                .copied()
                .zip(intent.alone.iter().copied());
            marked.skip(from).collect()
        };
        let mut shared = Shared {
            weight: 0.0,
            words: 0,
            left: side(self),
            right: side(other),
        };
        shared.take(1.0, usize::MAX, |l, r| l.text == r.text);
        shared.take(1.0, usize::MAX, |l, r| {
            l.speaks() && l.text.to_lowercase() == r.text.to_lowercase()
        });
        shared.take(1.0, SPELLED, is_respelled);
        shared
    }
}

/// Tags of failures that are about how something is written: the first three may be about a verb, all but the first
/// two about what follows it.
const GRAMMAR: [&str; 8] = [
    "unknown_command",
    "unknown_symbol",
    "syntax_structure",
    "operator_mismatch",
    "arity_mismatch",
    "function_case",
    "sort_direction",
    "column_reference",
];

fn has(tags: &[String], wanted: &[&str]) -> bool {
    tags.iter().any(|tag| wanted.contains(&tag.as_str()))
}

impl<'a> Shared<'a> {
    /// Pairs what is left on both sides, as far as `alike` says so.
    fn take(&mut self, share: f64, most: usize, alike: impl Fn(&Token, &Token) -> bool) {
        let mut left = std::mem::take(&mut self.left);
        let mut looked_at = 0;
        left.retain(|(token, _)| {
            if looked_at == most {
                return true;
            }
            looked_at += 1;
            let partner = self
                .right
                .iter()
                .take(most)
                .position(|(candidate, _)| alike(token, candidate));
            let Some(partner) = partner else {
                return true;
            };
            self.right.remove(partner);
            self.weight += weight(token) * share;
            self.words += usize::from(token.speaks());
            false
        });
        self.left = left;
    }

    fn likeness(&self, all: f64) -> f64 {
        let numbers = |side: &[(Token, bool)]| {
            let number = |(token, _): &&(Token, bool)| token.kind == Kind::Data("num");
            side.iter().filter(number).count()
        };
        let numbers = numbers(&self.left).min(numbers(&self.right)) as f64;
        if all == 0.0 {
            return 1.0;
        }
        2.0 * (self.weight + numbers * OTHER_NUMBER) / all
    }

    fn words_added(&self) -> usize {
        self.right
            .iter()
            .filter(|(token, _)| token.speaks())
            .count()
    }

    /// Whether the second does less, and nothing says that what it leaves out was in the way.
    fn only_leaves_out(&self, moment: Moment) -> bool {
        let said = |(token, _): &(Token, bool)| {
            // `attempt to write a readonly database` speaks of `-readonly`.
            let bare = token.text.trim_start_matches('-');
            let is_option = token.is_flag() && bare.len() >= SHORTEST_NAME;
            moment.named.has(token.text)
                || is_option && moment.named.has(bare)
                || matches!(token.text, "sudo" | "$")
        };
        let mut left = self.left.iter().filter(|(token, _)| token.speaks());
        self.words_left() > 0
            && self.words_added() == 0
            && !has(moment.tags, &["arity_mismatch", "syntax_structure"])
            && !left.any(said)
    }

    /// Whether the next try does what the error says: all that is gone is what the error names, and the rest stayed or is
    /// spelled similarly; or the error itself names what is new.
    fn does_what_the_error_says(&self, moment: Moment) -> bool {
        let texts = |side: &[(Token<'a>, bool)]| -> Vec<&'a str> {
            let speaking = side.iter().filter(|(token, _)| token.speaks());
            speaking.map(|(token, _)| token.text).collect()
        };
        let (gone, new) = (texts(&self.left), texts(&self.right));
        let named = |text: &&str| moment.named.has(text);
        let respelled = |new: &&str| gone.iter().any(|gone| is_slip(gone, new));
        let rest_stayed = self.words > 0 || new.iter().all(|new| named(new) || respelled(new));
        let culprit_is_gone = !gone.is_empty() && gone.iter().all(named) && rest_stayed;
        let way_was_named = gone.len() <= 1 && new.iter().all(named);
        let most = if way_was_named { ADDED } else { 2 };
        // `To see a list, run …` is no way out; a slip of the pen is one, whatever was meant.
        let only_looks = moment.only_looks && !new.iter().all(respelled);
        moment.next
            && !only_looks
            && (1..=most).contains(&new.len())
            && (culprit_is_gone || way_was_named)
    }

    /// Whether one option stands in place of another and nothing else differs.
    fn exchanges_an_option(&self) -> bool {
        let is_option = |side: &[(Token, bool)]| match side {
            [(token, _)] => token.is_flag(),
            _ => false,
        };
        self.words > 0 && is_option(&self.left) && is_option(&self.right)
    }

    fn words_left(&self) -> usize {
        self.left.iter().filter(|(token, _)| token.speaks()).count()
    }

    /// Whether nothing but numbers differs.
    fn is_empty(&self) -> bool {
        let number = |(token, _): &(Token, bool)| token.kind == Kind::Data("num");
        self.left.len() == self.right.len() && self.left.iter().chain(&self.right).all(number)
    }

    fn is_small_addition(&self) -> bool {
        self.words_added() <= ADDED.max(self.words)
    }
}

/// Whether the two differ in data alone, and the data are unlike: the same was done to something else.
fn is_other_data(shared: &Shared) -> bool {
    let is_data = |(token, alone): &(Token, bool)| {
        *alone || matches!(token.kind, Kind::Data(base) if base != "num")
    };
    !shared.left.is_empty()
        && shared.left.len() == shared.right.len()
        && shared.left.iter().chain(&shared.right).all(is_data)
}

fn weight(token: &Token) -> f64 {
    if token.speaks() { 1.0 } else { MARK }
}

/// The same word or path in another spelling.
fn is_respelled(left: &Token, right: &Token) -> bool {
    match (left.kind, right.kind) {
        (Kind::Word, Kind::Word) => is_spelled_alike(left.text, right.text),
        (Kind::Data("path"), Kind::Data("path")) => is_same_file(left.text, right.text),
        // `project` and `~/srv/project`, `example.org` and `https://example.org`.
        (_, Kind::Data("path" | "url")) if is_end(left.text, right.text) => true,
        (Kind::Data("path" | "url"), _) if is_end(right.text, left.text) => true,
        // `sales` and `sales.csv`.
        (Kind::Word, Kind::Data("path")) => is_beginning(left.text, right.text),
        (Kind::Data("path"), Kind::Word) => is_beginning(right.text, left.text),
        _ => false,
    }
}

/// Whether a word may be another one in a slip of the pen.
fn is_slip(left: &str, right: &str) -> bool {
    strsim::normalized_damerau_levenshtein(left, right) >= HALF
}

fn is_end(word: &str, path: &str) -> bool {
    let rest = path.strip_suffix(word);
    word.len() >= 3 && rest.is_some_and(|rest| rest.ends_with(['/', ':', '@']))
}

fn is_beginning(word: &str, path: &str) -> bool {
    let rest = path.strip_prefix(word);
    word.len() >= 3 && rest.is_some_and(|rest| rest.starts_with('.') || rest == "/")
}

/// The same file in another directory, or a name with its letters in another order.
fn is_same_file(left: &str, right: &str) -> bool {
    let name = |path: &str| {
        path.rsplit(['/', '\\'])
            .next()
            .unwrap_or(path)
            .to_lowercase()
    };
    let (left, right) = (left.trim_end_matches('/'), right.trim_end_matches('/'));
    // What lies within a directory is less of it, not another name for it.
    let within =
        |short: &str, long: &str| !short.is_empty() && long.ends_with(&format!("/{short}"));
    name(left) == name(right)
        || within(left, right)
        || within(right, left)
        || has_same_letters(left, right)
}

/// Whether two words are one in two spellings: upper and lower case, letters turned round, a few letters more.
fn is_spelled_alike(left: &str, right: &str) -> bool {
    let (left, right) = (left.to_lowercase(), right.to_lowercase());
    if left == right || has_same_letters(&left, &right) {
        return true;
    }
    let (bare, other) = (left.trim_start_matches('-'), right.trim_start_matches('-'));
    let (short, long) = if bare.len() <= other.len() {
        (bare, other)
    } else {
        (other, bare)
    };
    let letters = short.chars().count();
    if long.starts_with(short) && long.chars().count() - letters <= letters.min(2) {
        return true;
    }
    // One letter for another is as often another name (`test_a`, `test_b`) as a slip.
    let numbered = |word: &str| word.chars().any(char::is_numeric);
    letters >= 4
        && !numbered(&left)
        && !numbered(&right)
        && strsim::normalized_damerau_levenshtein(bare, other)
            >= if letters >= 7 { 0.5 } else { 0.6 }
}

fn has_same_letters(left: &str, right: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.to_lowercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    left.len() == right.len() && left.chars().count() >= 2 && sorted(left) == sorted(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(failed: &str, worked: &str, tags: &[&str], next: bool) -> bool {
        let (failed, worked) = (Lexed::new(failed), Lexed::new(worked));
        let tags: Vec<_> = tags.iter().map(|tag| (*tag).to_owned()).collect();
        let named = Named::new("");
        let moment = Moment {
            tags: &tags,
            named: &named,
            next,
            looks: false,
            only_looks: false,
            told: false,
        };
        Intent::new(&failed)
            .likeness(&Intent::new(&worked), moment)
            .is_some()
    }

    #[test]
    fn the_same_in_other_words_is_the_same_intent() {
        for (failed, worked) in [
            ("git push", "git push --set-upstream origin main"),
            ("gti status", "git status"),
            ("pip install reqeusts", "pip install requests"),
            ("pip install sklearn", "pip install scikit-learn"),
            ("apt install jq", "sudo apt install jq"),
            ("pytest tests", "python3 -m pytest tests"),
            ("cat main.rs", "cat src/main.rs"),
            ("SELECT nme FROM users", "SELECT name FROM users"),
            ("ls --colour=always src", "ls --color=always src"),
        ] {
            assert!(alike(failed, worked, &[], false), "{failed} / {worked}");
        }
    }

    #[test]
    fn the_same_on_other_data_and_the_unrelated_are_not() {
        for (failed, worked) in [
            ("gridtool LOAD sales.csv", "ls"),
            ("cat notes.txt", "cat other.md"),
            ("pytest tests/test_a.py", "pytest tests/test_b.py"),
            ("git checkout foo", "git checkout bar"),
            ("grep \"foo\" src", "grep \"bar\" src"),
            ("rm build.log", "ls build.log"),
            ("git add src/a.rs", "git diff src/a.rs"),
            ("pip install numpy", "pip install pandas"),
            ("gridtool", "gridtool LOAD sales.csv"),
        ] {
            assert!(!alike(failed, worked, &[], true), "{failed} / {worked}");
        }
    }

    #[test]
    fn another_means_to_the_same_thing_is_the_same_intent() {
        let tried = |failed: &str, worked: &str, error: &str, told: bool| {
            let (failed, worked) = (Lexed::new(failed), Lexed::new(worked));
            let named = Named::new(error);
            let moment = Moment {
                tags: &[],
                named: &named,
                next: true,
                looks: false,
                only_looks: false,
                told,
            };
            let likeness = Intent::new(&failed).likeness(&Intent::new(&worked), moment);
            likeness.is_some()
        };
        let (failed, worked) = (r#"open "east" with "brass""#, r#"open "east" with "iron""#);
        assert!(tried(failed, worked, r#"door "east" is locked"#, true));
        assert!(!tried(failed, worked, r#"key "brass" is broken"#, true));
        assert!(!tried(failed, worked, "nothing happened", true));
        assert!(!tried(failed, worked, r#"door "east" is locked"#, false));
        let elsewhere = r#"open "west" with "brass""#;
        assert!(!tried(failed, elsewhere, r#"door "east" is locked"#, true));
    }

    #[test]
    fn an_option_that_the_error_speaks_of_may_be_left_out() {
        let tried = |error: &str| {
            let [failed, worked] = ["-readonly a.db 'delete from t'", "a.db 'delete from t'"]
                .map(|rest| format!("sqlite3 {rest}"));
            let (failed, worked) = (Lexed::new(&failed), Lexed::new(&worked));
            let moment = Moment {
                tags: &[],
                named: &Named::new(error),
                next: true,
                looks: false,
                only_looks: false,
                told: false,
            };
            let likeness = Intent::new(&failed).likeness(&Intent::new(&worked), moment);
            likeness.is_some()
        };
        assert!(tried("attempt to write a readonly database (8)"));
        assert!(!tried("no such table: t"));
    }

    #[test]
    fn a_failure_of_grammar_lets_the_next_try_differ_more() {
        let (failed, worked) = (
            "gridtool 'sort by amount desc'",
            "gridtool 'ARRANGE @amount down'",
        );
        assert!(alike(failed, worked, &["syntax_structure"], true));
        assert!(!alike(failed, worked, &["syntax_structure"], false));
        assert!(!alike(failed, worked, &["not_found"], true));
        assert!(alike(
            "npm install left-pad",
            "yarn install left-pad",
            &["unknown_command"],
            true
        ));
        assert!(!alike(
            "npm install left-pad",
            "yarn install left-pad",
            &["network"],
            true
        ));
    }
}
