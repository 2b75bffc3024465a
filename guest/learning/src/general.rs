//! General: the one rule that several rules are examples of.
//!
//! Two runs that failed alike leave two lessons that differ in a name: `git checkout foo → git checkout -b foo`, and the
//! same with `bar`. Together they say that the name does not matter. [`join`] puts a hole in its place (anti-unification),
//! if whoever reads the rule can fill it: from the action that failed, or from what it printed.
//! What a rule is about never becomes a hole: programs, what they are asked for, options, and all that the change itself
//! brings or takes away.

use crate::{
    advice,
    analogy::{Case, Named},
    form::{Kind, Lexed, Token, hole, hole_at},
};

/// The type of the holes that stand for plain operands.
const NAME: &str = "name";

/// A rule, with what it was learned from.
#[derive(Debug, Clone, Copy)]
pub struct Example<'a> {
    /// `WRONG: … → CORRECT: …`.
    pub rule_text: &'a str,
    /// What failed and what worked, as it was.
    pub cases: &'a [Case],
}

/// The rule that both are examples of. None if they differ in more than plain operands, or not at all.
///
/// ```
/// use twiceshy_learning::general::{Example, join};
/// let example = |rule_text| Example { rule_text, cases: &[] };
/// let left = example("WRONG: git checkout foo → CORRECT: git checkout -b foo");
/// let right = example("WRONG: git checkout bar → CORRECT: git checkout -b bar");
/// assert_eq!(
///     join(&left, &right).unwrap(),
///     "WRONG: git checkout <name> → CORRECT: git checkout -b <name>"
/// );
/// ```
pub fn join(left: &Example, right: &Example) -> Option<String> {
    let (ours, theirs) = (Rule::read(left)?, Rule::read(right)?);
    let mut names = Names {
        pairs: Vec::new(),
        texts: [left.rule_text, right.rule_text],
    };
    let (wrong_left, wrong_right) = (Lexed::new(&ours.wrong), Lexed::new(&theirs.wrong));
    for pair in differences(&wrong_left, &wrong_right)? {
        names.add(pair)?;
    }
    let (left_form, right_form) = (Lexed::new(&ours.correct), Lexed::new(&theirs.correct));
    for pair in differences(&left_form, &right_form)? {
        // What the action that failed does not have, both errors must say.
        let told = || is_told(left, pair.0) && is_told(right, pair.1);
        if !names.has(pair) && !told() {
            return None;
        }
        names.add(pair)?;
    }
    if names.pairs.iter().all(|(ours, theirs, _)| ours == theirs) {
        return None;
    }
    let wrong = names.filled_in(&wrong_left, &wrong_right);
    let correct = names.filled_in(&left_form, &right_form);
    changes_more_than_names(&wrong, &correct)
        .then(|| format!("WRONG: {wrong} → CORRECT: {correct}"))
}

/// What rules that may be joined have in common: the rule with every word that might become a hole left out. None for what
/// is no rule of two commands.
pub fn outline(rule_text: &str) -> Option<String> {
    let rule = Rule::read(&Example {
        rule_text,
        cases: &[],
    })?;
    let outline = |text: &str| -> String {
        let lexed = Lexed::new(text);
        let free = operands(&lexed);
        let tokens = lexed.tokens.iter().zip(free);
        tokens
            .map(|(token, free)| if free { "\0" } else { token.text })
            .collect()
    };
    Some(format!(
        "{}\u{1}{}",
        outline(&rule.wrong),
        outline(&rule.correct)
    ))
}

/// Both sides of a rule that says what to do instead of what.
struct Rule {
    wrong: String,
    correct: String,
}

impl Rule {
    fn read(example: &Example) -> Option<Self> {
        let advice = advice::parse(example.rule_text);
        let (wrong, correct) = (advice.wrong?, advice.correct?);
        let is_sentence = advice::is_prose(&wrong) || advice::is_prose(&correct);
        (!is_sentence).then_some(Self { wrong, correct })
    }
}

/// The tokens in which two actions differ, in order, and the holes that they share. None if they differ in something else than plain operands.
fn differences<'a>(left: &Lexed<'a>, right: &Lexed<'a>) -> Option<Vec<(&'a str, &'a str)>> {
    if left.tokens.len() != right.tokens.len() {
        return None;
    }
    let free = operands(left).into_iter().zip(operands(right));
    let tokens = left.tokens.iter().zip(&right.tokens).zip(free);
    let mut differences = Vec::new();
    for ((ours, theirs), free) in tokens {
        // A hole that both have stands for itself, and for nothing else.
        let is_hole = ours.kind == Kind::Hole && free == (true, true);
        if ours.text == theirs.text && !is_hole {
            continue;
        }
        if free != (true, true) {
            return None;
        }
        differences.push((ours.text, theirs.text));
    }
    Some(differences)
}

/// For each token, whether it is a plain operand: a word, or the hole of one, that is neither what is run, nor what that is
/// asked for, nor an option, nor a part of something longer.
fn operands(lexed: &Lexed) -> Vec<bool> {
    let tokens = &lexed.tokens;
    let mut free = vec![false; tokens.len()];
    // How many words stand between the beginning of a command and here.
    let mut place = 0;
    let mut program = "";
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Space => {}
            Kind::Mark if matches!(token.text, "|" | ";" | "&" | "(") => place = 0,
            Kind::Quote | Kind::Mark => {}
            _ if token.is_flag() => {}
            _ => {
                let is_wrapper = place == 0 && token.text == "sudo";
                let is_verb = place == 1 && !twiceshy_shell::takes_only_operands(program);
                free[at] = place > 0 && !is_verb && is_plain(token) && stands_alone(tokens, at);
                if place == 0 {
                    program = token.text;
                }
                place += usize::from(!is_wrapper);
            }
        }
    }
    free
}

fn is_plain(token: &Token) -> bool {
    match token.kind {
        Kind::Word => token.text.chars().any(char::is_alphabetic),
        Kind::Hole => hole_at(token.text).is_some_and(|(_, base)| base == NAME),
        _ => false,
    }
}

/// Whether a token is a word by itself, or all that a quotation has.
fn stands_alone(tokens: &[Token], at: usize) -> bool {
    let edge = |beside: Option<&Token>| {
        beside.is_none_or(|token| matches!(token.kind, Kind::Space | Kind::Quote))
    };
    edge(at.checked_sub(1).map(|before| &tokens[before])) && edge(tokens.get(at + 1))
}

/// Whether all errors of an example name a word. What is a hole already was told before.
fn is_told(example: &Example, word: &str) -> bool {
    let is_named = |case: &Case| Named::new(&case.evidence).has(word);
    hole_at(word).is_some() || !example.cases.is_empty() && example.cases.iter().all(is_named)
}

/// Whether a rule says something apart from its holes: a word or a mark that only one of its sides has.
fn changes_more_than_names(wrong: &str, correct: &str) -> bool {
    let said = |text: &str| -> Vec<String> {
        let lexed = Lexed::new(text);
        let solid = lexed.solid().into_iter().map(|at| lexed.tokens[at]);
        let kept = solid.filter(|token| token.kind != Kind::Hole);
        kept.map(|token| token.text.to_owned()).collect()
    };
    said(wrong) != said(correct)
}

/// The words that differ, in pairs, each with its hole.
struct Names<'a> {
    pairs: Vec<(&'a str, &'a str, String)>,
    /// Both rules: a new hole has a name that neither has.
    texts: [&'a str; 2],
}

impl<'a> Names<'a> {
    fn has(&self, pair: (&str, &str)) -> bool {
        self.hole_of(pair).is_some()
    }

    fn hole_of(&self, (left, right): (&str, &str)) -> Option<&str> {
        let mut pairs = self.pairs.iter();
        let found = pairs.find(|(ours, theirs, _)| *ours == left && *theirs == right)?;
        Some(&found.2)
    }

    /// Gives a pair its hole. None if one of its words already stands for another: then the two rules do not say the same.
    fn add(&mut self, pair: (&'a str, &'a str)) -> Option<()> {
        if self.has(pair) {
            return Some(());
        }
        let taken = |(ours, theirs, _): &(&str, &str, String)| *ours == pair.0 || *theirs == pair.1;
        if self.pairs.iter().any(taken) {
            return None;
        }
        let known = [pair.0, pair.1]
            .into_iter()
            .find(|word| hole_at(word).is_some());
        let name = match known {
            Some(known) => known.to_owned(),
            None => {
                let is_free = |name: &String| {
                    !self.texts.iter().any(|text| text.contains(name.as_str()))
                        && !self.pairs.iter().any(|(_, _, taken)| taken == name)
                };
                (1..).map(|number| hole(NAME, number)).find(is_free)?
            }
        };
        self.pairs.push((pair.0, pair.1, name));
        Some(())
    }

    fn filled_in(&self, left: &Lexed, right: &Lexed) -> String {
        let tokens = left.tokens.iter().zip(&right.tokens);
        let text = |(ours, theirs): (&Token, &Token)| {
            let hole = self.hole_of((ours.text, theirs.text));
            hole.unwrap_or(ours.text).to_owned()
        };
        tokens.map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(left: &str, right: &str) -> Option<String> {
        let example = |rule_text| Example {
            rule_text,
            cases: &[],
        };
        let (there, back) = (
            join(&example(left), &example(right)),
            join(&example(right), &example(left)),
        );
        assert_eq!(there, back, "{left} / {right}");
        assert!(
            there.is_none() || outline(left) == outline(right),
            "{left} / {right}"
        );
        there
    }

    #[test]
    fn plain_operands_become_holes() {
        for (left, right, expected) in [
            (
                "WRONG: pip install flask → CORRECT: pip install --user flask",
                "WRONG: pip install numpy → CORRECT: pip install --user numpy",
                "WRONG: pip install <name> → CORRECT: pip install --user <name>",
            ),
            (
                "WRONG: cd build → CORRECT: mkdir -p build && cd build",
                "WRONG: cd out → CORRECT: mkdir -p out && cd out",
                "WRONG: cd <name> → CORRECT: mkdir -p <name> && cd <name>",
            ),
            (
                "WRONG: git push origin main <path> → CORRECT: git push -u origin main <path>",
                "WRONG: git push fork topic <path> → CORRECT: git push -u fork topic <path>",
                "WRONG: git push <name> <name2> <path> → CORRECT: git push -u <name> <name2> <path>",
            ),
        ] {
            assert_eq!(joined(left, right).as_deref(), Some(expected));
        }
    }

    #[test]
    fn another_example_of_a_general_rule_changes_nothing_of_it() {
        let general = "WRONG: git checkout <name> → CORRECT: git checkout -b <name>";
        let third = "WRONG: git checkout third → CORRECT: git checkout -b third";
        assert_eq!(joined(general, third).as_deref(), Some(general));
    }

    #[test]
    fn what_the_change_is_about_never_becomes_a_hole() {
        for (left, right) in [
            // What was misspelled is the lesson.
            (
                "WRONG: npm run biuld → CORRECT: npm run build",
                "WRONG: npm run lnit → CORRECT: npm run lint",
            ),
            // What is asked for, and what is run.
            (
                "WRONG: git push x → CORRECT: git push -u x",
                "WRONG: git pull x → CORRECT: git pull -u x",
            ),
            (
                "WRONG: pip install x → CORRECT: pip install --user x",
                "WRONG: npm install x → CORRECT: npm install --user x",
            ),
            // Options, and parts of longer words.
            (
                "WRONG: tool go --fast x → CORRECT: tool go -y --fast x",
                "WRONG: tool go --slow x → CORRECT: tool go -y --slow x",
            ),
            (
                "WRONG: tool set a=one → CORRECT: tool put a=one",
                "WRONG: tool set a=two → CORRECT: tool put a=two",
            ),
            // One name on one side, two on the other.
            (
                "WRONG: tool mv a a → CORRECT: tool mv -f a a",
                "WRONG: tool mv b c → CORRECT: tool mv -f b c",
            ),
            (
                "WRONG: git checkout foo → CORRECT: git checkout -b foo",
                "WRONG: git checkout foo → CORRECT: git checkout -b foo",
            ),
        ] {
            assert_eq!(joined(left, right), None, "{left} / {right}");
        }
    }

    #[test]
    fn what_only_correct_has_must_be_told_by_both_errors() {
        let case = |module: &str, evidence: &str| {
            let wrong = "python3 app.py";
            let correct = format!("pip install {module} && python3 app.py");
            Case::new(wrong, evidence, &correct)
        };
        let rule = |module: &str| {
            format!("WRONG: python3 <path> → CORRECT: pip install {module} && python3 <path>")
        };
        let (flask, numpy) = (rule("flask"), rule("numpy"));
        let told = [
            case("flask", "ModuleNotFoundError: No module named 'flask'"),
            case("numpy", "ModuleNotFoundError: No module named 'numpy'"),
        ];
        let example = |rule_text, cases| Example { rule_text, cases };
        assert_eq!(
            join(&example(&flask, &told[..1]), &example(&numpy, &told[1..])).as_deref(),
            Some("WRONG: python3 <path> → CORRECT: pip install <name> && python3 <path>")
        );
        let silent = [case("numpy", "Segmentation fault")];
        assert_eq!(
            join(&example(&flask, &told[..1]), &example(&numpy, &silent)),
            None
        );
        assert_eq!(join(&example(&flask, &[]), &example(&numpy, &[])), None);
    }
}
