//! What a hint tells somebody to do after the failure at hand.
//!
//! A hint, or an entry of a baseline, is a wrong command and a right one, with holes (`<path>`) or with the names of the day on
//! which it was learned. Who reads it puts the names of the failure at hand in their place; that is done here by aligning the
//! wrong command with the one that failed, so that all that are measured are read in the same way.

use std::collections::BTreeMap;

use twiceshy_wit::memory::Hint;

use crate::{command, data::renamed};

/// A wrong command and a right one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// What failed.
    pub wrong: Option<String>,
    /// What to do instead; missing where there is only a warning.
    pub correct: Option<String>,
}

impl Advice {
    /// The advice of a hint.
    pub fn of(hint: &Hint) -> Self {
        Self::read(&hint.text)
    }

    /// The advice of a rule.
    pub fn read(text: &str) -> Self {
        match text.split_once(" → CORRECT: ") {
            Some((wrong, correct)) => Self {
                wrong: Some(wrong.strip_prefix("WRONG: ").unwrap_or(wrong).to_owned()),
                correct: Some(correct.to_owned()),
            },
            None => Self {
                wrong: text.strip_prefix("AVOID: ").map(str::to_owned),
                correct: None,
            },
        }
    }

    /// Whether the right command, exactly as it is given, is one of these.
    pub fn is_literally(&self, expected: &[String]) -> bool {
        let correct = self.correct.as_deref().map(command::normal);
        correct.is_some_and(|correct| expected.iter().any(|line| command::normal(line) == correct))
    }

    /// Whether the right command is one of these, after the names of the failure at hand were put into it: those of the command
    /// that failed, or `names`, which the error tells.
    pub fn leads_to(&self, failed: &str, names: &[(String, String)], expected: &[String]) -> bool {
        let Some(correct) = &self.correct else {
            return false;
        };
        let correct = command::without_shell(correct);
        let mut readings = vec![correct.clone(), renamed(&correct, names)];
        if let Some(wrong) = &self.wrong {
            let wrong = command::without_shell(wrong);
            for cut in [words, tokens] {
                let (wrong, failed, correct) = (cut(&wrong), cut(failed), cut(&correct));
                for reading in [
                    filled(&wrong, &failed, &correct),
                    merged(&wrong, &failed, &correct),
                ] {
                    readings.push(renamed(&reading, names));
                    readings.push(reading);
                }
            }
        }
        let expected: Vec<_> = expected.iter().map(|line| command::normal(line)).collect();
        readings
            .iter()
            .any(|reading| expected.contains(&command::normal(reading)))
    }
}

/// A line cut at blanks, which are kept.
fn words(line: &str) -> Vec<String> {
    cut(line, |c| !c.is_whitespace())
}

/// A line cut into words, numbers, blanks, single marks, and holes.
fn tokens(line: &str) -> Vec<String> {
    let is_word = |c: char| (c.is_alphanumeric() || c == '_') && !c.is_ascii_digit();
    let mut tokens: Vec<String> = Vec::new();
    for token in cut(line, is_word) {
        // Digits are single marks so far.
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        match tokens.last_mut() {
            Some(last) if is_number(last) && is_number(&token) => last.push_str(&token),
            _ => tokens.push(token),
        }
    }
    tokens
}

fn cut(line: &str, is_inner: impl Fn(char) -> bool) -> Vec<String> {
    let mut cut = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let same = |is: &dyn Fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
        let end = match hole(rest) {
            Some(length) => length,
            None if is_inner(first) => {
                let end = same(&is_inner);
                let hole = rest[..end]
                    .char_indices()
                    .find(|(at, _)| hole(&rest[*at..]).is_some());
                hole.map_or(end, |(at, _)| at)
            }
            None if first.is_whitespace() => same(&char::is_whitespace),
            None => first.len_utf8(),
        };
        cut.push(rest[..end].to_owned());
        rest = &rest[end..];
    }
    cut
}

/// The length of the hole that a text begins with.
fn hole(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('<')?;
    let letters = inside.find(|c: char| !c.is_ascii_lowercase())?;
    let after = inside[letters..].trim_start_matches(|c: char| c.is_ascii_digit());
    (letters > 1 && after.starts_with('>')).then(|| text.len() - after.len() + 1)
}

/// The right command with the changes that lead from the wrong command to the failed one: both start from the wrong command,
/// and what each changed is changed. Where both changed the same, the right command's words are filled as [`filled`] does.
fn merged(wrong: &[String], failed: &[String], correct: &[String]) -> String {
    let (to_failed, to_correct) = (common(wrong, failed), common(wrong, correct));
    let bindings = aligned(wrong, failed);
    let mut merged = String::new();
    let (mut w, mut f, mut c) = (0, 0, 0);
    loop {
        // The next token of the wrong command that both have kept.
        let kept =
            (w..wrong.len()).find_map(|at| Some((at, *to_failed.get(&at)?, *to_correct.get(&at)?)));
        let (next_w, next_f, next_c) = kept.unwrap_or((wrong.len(), failed.len(), correct.len()));
        let [of_wrong, of_failed, of_correct] =
            [&wrong[w..next_w], &failed[f..next_f], &correct[c..next_c]];
        if of_correct == of_wrong {
            merged.extend(of_failed.iter().map(String::as_str));
        } else {
            let bound = |token: &String| bindings.get(token).unwrap_or(token).clone();
            merged.extend(of_correct.iter().map(bound));
        }
        let Some(_) = kept else {
            return merged;
        };
        merged.push_str(&wrong[next_w]);
        (w, f, c) = (next_w + 1, next_f + 1, next_c + 1);
    }
}

/// The longest common subsequence of two lists: for each place in the first that it has, the place in the second.
fn common(left: &[String], right: &[String]) -> BTreeMap<usize, usize> {
    let width = right.len() + 1;
    let mut lengths = vec![0_usize; (left.len() + 1) * width];
    for l in (0..left.len()).rev() {
        for r in (0..right.len()).rev() {
            lengths[l * width + r] = match left[l] == right[r] {
                true => lengths[(l + 1) * width + r + 1] + 1,
                false => lengths[(l + 1) * width + r].max(lengths[l * width + r + 1]),
            };
        }
    }
    let (mut l, mut r) = (0, 0);
    let mut pairs = BTreeMap::new();
    while l < left.len() && r < right.len() {
        if left[l] == right[r] {
            pairs.insert(l, r);
            (l, r) = (l + 1, r + 1);
        } else if lengths[(l + 1) * width + r] >= lengths[l * width + r + 1] {
            l += 1;
        } else {
            r += 1;
        }
    }
    pairs
}

/// What stands for one token of the wrong command in the failed one.
type Bindings = BTreeMap<String, String>;

/// The right command, with what the failed one has in place of the tokens of the wrong one.
fn filled(wrong: &[String], failed: &[String], correct: &[String]) -> String {
    let bindings = aligned(wrong, failed);
    let bound = |token: &String| bindings.get(token).unwrap_or(token).clone();
    correct.iter().map(bound).collect()
}

/// More tokens than this are not aligned: nobody reads a command of that length word by word.
const LONGEST: usize = 200;

/// The cheapest alignment: equal tokens cost nothing, a hole may stand for several tokens, a word for another word, and what is
/// left out or added costs the most.
fn aligned(wrong: &[String], failed: &[String]) -> Bindings {
    if wrong.len() > LONGEST || failed.len() > LONGEST {
        return Bindings::new();
    }
    let is_blank = |token: &str| token.trim().is_empty();
    let is_word = |token: &str| token.contains(char::is_alphanumeric);
    // For each place the cost of the rest, and how many tokens of both sides are taken there.
    let width = failed.len() + 1;
    let mut best = vec![(0.0_f64, 0, 0); (wrong.len() + 1) * width];
    for w in (0..=wrong.len()).rev() {
        for f in (0..=failed.len()).rev() {
            if w == wrong.len() && f == failed.len() {
                continue;
            }
            let mut choice = (f64::INFINITY, 0, 0);
            let mut consider = |cost: f64, taken: (usize, usize)| {
                let cost = cost + best[(w + taken.0) * width + f + taken.1].0;
                if cost < choice.0 {
                    choice = (cost, taken.0, taken.1);
                }
            };
            if w < wrong.len() && f < failed.len() {
                if wrong[w] == failed[f] {
                    consider(0.0, (1, 1));
                } else if is_word(&wrong[w]) {
                    let (first, further) = match hole(&wrong[w]) {
                        Some(_) => (0.3, 0.01),
                        None => (1.0, 0.2),
                    };
                    for length in 1..=failed.len() - f {
                        let blanks = failed[f..f + length].iter().filter(|token| is_blank(token));
                        let blanks = 0.5 * blanks.count() as f64;
                        consider(first + further * length as f64 + blanks, (1, length));
                    }
                }
            }
            if w < wrong.len() {
                consider(1.1, (1, 0));
            }
            if f < failed.len() {
                consider(1.1, (0, 1));
            }
            best[w * width + f] = choice;
        }
    }
    let mut bindings = Bindings::new();
    let (mut w, mut f) = (0, 0);
    while w < wrong.len() || f < failed.len() {
        let (_, of_wrong, of_failed) = best[w * width + f];
        if of_wrong == 1 && of_failed > 0 {
            let bound = failed[f..f + of_failed].concat();
            let is_same = bound == wrong[w];
            let binding = bindings
                .entry(wrong[w].clone())
                .or_insert_with(|| bound.clone());
            // A word that also stands for itself elsewhere is a name here.
            if !is_same && *binding == wrong[w] {
                *binding = bound;
            }
        }
        (w, f) = (w + of_wrong, f + of_failed);
    }
    bindings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leads(wrong: &str, correct: &str, failed: &str, expected: &str) -> bool {
        let advice = Advice {
            wrong: Some(wrong.to_owned()),
            correct: Some(correct.to_owned()),
        };
        advice.leads_to(failed, &[], &[expected.to_owned()])
    }

    #[test]
    fn holes_and_names_are_filled_from_the_failed_command() {
        assert!(leads(
            "gcc <path>",
            "gcc <path> -lm",
            "gcc demo.c",
            "gcc demo.c -lm"
        ));
        assert!(leads(
            "cd foo",
            "mkdir -p foo && cd foo",
            "cd build",
            "mkdir -p build && cd build"
        ));
        assert!(leads(
            "bash -c \"touch /a/b\"",
            "bash -c \"mkdir -p /a && touch /a/b\"",
            "touch /srv/log",
            "mkdir -p /srv && touch /srv/log"
        ));
        assert!(leads(
            "sed -e s/foo/bar",
            "sed -e s/foo/bar/",
            "sed -e s/cat/dog",
            "sed -e s/cat/dog/"
        ));
    }

    #[test]
    fn what_the_failed_command_has_besides_stays() {
        assert!(leads("cat cat", "ls cat", "cat src", "ls src"));
        assert!(leads(
            "git rm foo",
            "git rm -r foo",
            "git rm docs assets",
            "git rm -r docs assets"
        ));
        assert!(leads(
            "b <num>a",
            "b -D <num>a && b -a",
            "b 0a",
            "b -D 0a && b -a"
        ));
    }

    #[test]
    fn advice_for_another_mistake_leads_elsewhere() {
        assert!(!leads(
            "adb puhs a.bin",
            "adb push a.bin",
            "adb logcta",
            "adb logcat"
        ));
        assert!(!leads(
            "git rm foo",
            "git rm -r foo",
            "git rm bar",
            "git rm --cached bar"
        ));
    }
}
