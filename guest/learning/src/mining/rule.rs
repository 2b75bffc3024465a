//! From two actions to one rule: `WRONG: … → CORRECT: …`, generalised over their data.
//!
//! Owns which data become holes. What both actions have is the task's, and a hole stands for it on both sides;
//! what only one of them has is the fix itself and stays as it was written. Filling the holes with their
//! values gives both actions back, byte by byte.

use std::ops::Range;

use crate::form::{Kind, Lexed, common, hole};

/// Two actions as forms, and what their holes stood for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Generalised {
    pub(crate) wrong: String,
    pub(crate) correct: String,
    /// Each hole with its value, in the order of WRONG.
    pub(crate) holes: Vec<(String, String)>,
}

/// A place that becomes a hole: tokens of one side, and the type of the hole.
#[derive(Debug, Clone)]
struct Place {
    tokens: Range<usize>,
    base: &'static str,
}

/// Both actions with holes for the data that they share.
pub(crate) fn generalise(wrong: &str, correct: &str) -> Generalised {
    let (left, right) = (Lexed::new(wrong), Lexed::new(correct));
    let pairs = Pairs::new(&left, &right);
    let mut places = (Vec::new(), Vec::new());
    pairs.quoted(&left, &right, &mut places);
    pairs.data(&left, &right, &mut places);
    pairs.names(&left, &right, &mut places);
    let mut names = Names::new([wrong, correct]);
    let wrong = names.filled_in(&left, places.0);
    let correct = names.filled_in(&right, places.1);
    Generalised {
        wrong,
        correct,
        holes: names
            .known
            .into_iter()
            .map(|(_, value, hole)| (hole, value))
            .collect(),
    }
}

/// One action as a form: all its data become holes.
pub(crate) fn shape(action: &str) -> String {
    let lexed = Lexed::new(action);
    let solid = lexed.solid();
    let mut places: Vec<_> = lexed
        .quoted
        .iter()
        .filter(|quoted| quoted.len() == 1 && lexed.tokens[quoted.start].kind == Kind::Word)
        .map(|quoted| Place {
            tokens: quoted.clone(),
            base: "str",
        })
        .collect();
    places.extend(solid.iter().skip(1).filter_map(|at| {
        let Kind::Data(base) = lexed.tokens[*at].kind else {
            return None;
        };
        Some(Place {
            tokens: *at..at + 1,
            base,
        })
    }));
    Names::new([action, ""]).filled_in(&lexed, places)
}

/// Which token of one action is which of the other.
struct Pairs {
    /// For each token of WRONG its partner.
    right_of: Vec<Option<usize>>,
    /// For each token of CORRECT its partner.
    left_of: Vec<Option<usize>>,
    /// The first token of each side: what is run, never data.
    programs: (Option<usize>, Option<usize>),
}

type Places = (Vec<Place>, Vec<Place>);

impl Pairs {
    fn new(left: &Lexed, right: &Lexed) -> Self {
        let mut pairs = Self {
            right_of: vec![None; left.tokens.len()],
            left_of: vec![None; right.tokens.len()],
            programs: (None, None),
        };
        let (from, to) = (left.solid(), right.solid());
        pairs.programs = (from.first().copied(), to.first().copied());
        let texts = |lexed: &Lexed<'_>, solid: &[usize]| -> Vec<String> {
            solid
                .iter()
                .map(|at| lexed.tokens[*at].text.to_owned())
                .collect()
        };
        for (l, r) in common(&texts(left, &from), &texts(right, &to)) {
            pairs.join(from[l], to[r]);
        }
        // What has moved is still the same data.
        for &l in &from {
            let token = left.tokens[l];
            if pairs.right_of[l].is_none() && matches!(token.kind, Kind::Data(_)) {
                let partner = to
                    .iter()
                    .find(|r| pairs.left_of[**r].is_none() && right.tokens[**r] == token);
                if let Some(&r) = partner {
                    pairs.join(l, r);
                }
            }
        }
        pairs
    }

    fn join(&mut self, left: usize, right: usize) {
        self.right_of[left] = Some(right);
        self.left_of[right] = Some(left);
    }

    /// A quoted text that the other side has too, quoted or not, is one hole.
    fn quoted(&self, left: &Lexed, right: &Lexed, places: &mut Places) {
        for quoted in &left.quoted {
            let other = run_of(quoted, &self.right_of);
            self.same_text(left, right, Some(quoted.clone()), other, places);
        }
        for quoted in &right.quoted {
            let other = run_of(quoted, &self.left_of);
            self.same_text(left, right, other, Some(quoted.clone()), places);
        }
    }

    fn same_text(
        &self,
        left: &Lexed,
        right: &Lexed,
        wrong: Option<Range<usize>>,
        correct: Option<Range<usize>>,
        places: &mut Places,
    ) {
        let (Some(wrong), Some(correct)) = (wrong, correct) else {
            return;
        };
        if is_covered(&wrong, &places.0)
            || is_covered(&correct, &places.1)
            || self.programs.0.is_some_and(|at| wrong.contains(&at))
            || self.programs.1.is_some_and(|at| correct.contains(&at))
            || left.text(wrong.clone()) != right.text(correct.clone())
        {
            return;
        }
        let base = match (wrong.len(), left.tokens[wrong.start].kind) {
            (1, Kind::Data(base)) => base,
            // What is masked or a hole already stays as it is.
            (1, Kind::Hole | Kind::Mark) => return,
            _ => "str",
        };
        places.0.push(Place {
            tokens: wrong,
            base,
        });
        places.1.push(Place {
            tokens: correct,
            base,
        });
    }

    /// Data that both sides have are holes.
    fn data(&self, left: &Lexed, right: &Lexed, places: &mut Places) {
        for (l, r) in self.joined() {
            if let Kind::Data(base) = left.tokens[l].kind
                && left.tokens[l] == right.tokens[r]
            {
                self.single(l, r, base, places);
            }
        }
    }

    /// A word that the fix puts a mark before, as in `amount` and `@amount`, is somebody's name: the mark is
    /// the lesson, not the word. So is one that has the same sign on both sides. The first word after a mark
    /// that separates is a verb and stays.
    fn names(&self, left: &Lexed, right: &Lexed, places: &mut Places) {
        let new_mark = |lexed: &Lexed, at: usize, partner: &[Option<usize>]| {
            at > 0
                && matches!(lexed.tokens[at - 1].kind, Kind::Mark | Kind::Quote)
                && partner[at - 1].is_none()
        };
        let signed = |lexed: &Lexed, at: usize| {
            at > 0 && ["@", "$", "#"].contains(&lexed.tokens[at - 1].text)
        };
        for (l, r) in self.joined() {
            let token = left.tokens[l];
            if token.kind == Kind::Word
                && !token.is_flag()
                && token.text.chars().any(char::is_alphabetic)
                && !opens(left, l)
                && !opens(right, r)
                && (new_mark(left, l, &self.right_of)
                    || new_mark(right, r, &self.left_of)
                    || signed(left, l) && signed(right, r))
            {
                self.single(l, r, "name", places);
            }
        }
    }

    fn single(&self, left: usize, right: usize, base: &'static str, places: &mut Places) {
        let (wrong, correct) = (left..left + 1, right..right + 1);
        if self.programs.0 == Some(left)
            || self.programs.1 == Some(right)
            || is_covered(&wrong, &places.0)
            || is_covered(&correct, &places.1)
        {
            return;
        }
        places.0.push(Place {
            tokens: wrong,
            base,
        });
        places.1.push(Place {
            tokens: correct,
            base,
        });
    }

    fn joined(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let joined = |(l, r): (usize, &Option<usize>)| Some((l, (*r)?));
        self.right_of.iter().enumerate().filter_map(joined)
    }
}

/// Whether the token opens a command or a stage of one: a verb, as far as anybody can tell.
fn opens(lexed: &Lexed, at: usize) -> bool {
    let before = lexed.tokens[..at]
        .iter()
        .rev()
        .find(|token| token.kind != Kind::Space);
    before.is_none_or(|token| matches!(token.text, "|" | ";" | "&" | ">"))
}

/// The tokens on the other side that a run of tokens became: without a gap, and in order.
fn run_of(run: &Range<usize>, partner: &[Option<usize>]) -> Option<Range<usize>> {
    let first = partner[run.start]?;
    let last = partner[run.end - 1]?;
    (first <= last).then_some(first..last + 1)
}

fn is_covered(run: &Range<usize>, places: &[Place]) -> bool {
    places
        .iter()
        .any(|place| place.tokens.start < run.end && run.start < place.tokens.end)
}

/// The names of holes: one for each value, counted within its type.
struct Names<'a> {
    known: Vec<(&'static str, String, String)>,
    /// The actions themselves: what looks like a hole in them is not one of ours.
    actions: [&'a str; 2],
}

impl<'a> Names<'a> {
    fn new(actions: [&'a str; 2]) -> Self {
        Self {
            known: Vec::new(),
            actions,
        }
    }

    fn of(&mut self, base: &'static str, value: String) -> String {
        let known = self
            .known
            .iter()
            .find(|(b, v, _)| *b == base && *v == value);
        if let Some((_, _, name)) = known {
            return name.clone();
        }
        let mut number = self.known.iter().filter(|(b, _, _)| *b == base).count() + 1;
        let free = |name: &str| {
            !self.actions.iter().any(|action| action.contains(name))
                && !self.known.iter().any(|(_, _, known)| known == name)
        };
        while !free(&hole(base, number)) {
            number += 1;
        }
        let name = hole(base, number);
        self.known.push((base, value, name.clone()));
        name
    }

    fn filled_in(&mut self, lexed: &Lexed, mut places: Vec<Place>) -> String {
        places.sort_by_key(|place| place.tokens.start);
        let mut form = String::new();
        let mut from = 0;
        for place in places {
            form.push_str(&lexed.text(from..place.tokens.start));
            let value = lexed.text(place.tokens.clone());
            form.push_str(&self.of(place.base, value));
            from = place.tokens.end;
        }
        form.push_str(&lexed.text(from..lexed.tokens.len()));
        form
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::form::hole_at;

    fn rule(wrong: &str, correct: &str) -> String {
        let made = generalise(wrong, correct);
        format!("{} → {}", made.wrong, made.correct)
    }

    #[test]
    fn shared_data_are_holes_and_the_fix_stays_literal() {
        for (wrong, correct, expected) in [
            (
                "gridtool \"LOAD sales.csv\"",
                "gridtool \"LOAD <sales.csv>\"",
                "gridtool \"LOAD <path>\" → gridtool \"LOAD <<path>>\"",
            ),
            (
                "gridtool 'FILTER amount > 5'",
                "gridtool 'FILTER @amount is-above 5'",
                "gridtool 'FILTER <name> > <num>' → gridtool 'FILTER @<name> is-above <num>'",
            ),
            (
                "tool --rows 5 --retry 5",
                "tool --rows 5 --retry 3",
                "tool --rows <num> --retry 5 → tool --rows <num> --retry 3",
            ),
            (
                "mv --to b.txt a.txt",
                "mv a.txt b.txt",
                "mv --to <path> <path2> → mv <path2> <path>",
            ),
            (
                "LOAD my file.csv",
                "LOAD \"my file.csv\"",
                "LOAD <str> → LOAD \"<str>\"",
            ),
            (
                "load 'a b' 3",
                "LOAD 'a b' 3",
                "load '<str>' <num> → LOAD '<str>' <num>",
            ),
            ("print x", "print(x)", "print <name> → print(<name>)"),
            (
                "set rows=5",
                "set --rows 5",
                "set rows=<num> → set --rows <num>",
            ),
        ] {
            assert_eq!(rule(wrong, correct), expected);
        }
    }

    #[test]
    fn what_looks_like_a_hole_in_an_action_is_not_one_of_ours() {
        assert_eq!(
            rule("x <num> -a 5", "x <num> -b 5"),
            "x <num> -a <num2> → x <num> -b <num2>"
        );
    }

    #[test]
    fn a_shape_has_holes_for_all_data() {
        assert_eq!(
            shape("grep -n \"todo\" src/main.rs 5"),
            "grep -n \"<str>\" <path> <num>"
        );
        assert_eq!(shape("./run.sh fast"), "./run.sh fast");
    }

    /// A form with its holes filled, which must be the action again.
    fn filled(form: &str, holes: &[(String, String)]) -> String {
        let mut text = String::new();
        let mut rest = form;
        while let Some(c) = rest.chars().next() {
            let hole = hole_at(rest).map(|(end, _)| &rest[..end]);
            let value = hole.and_then(|hole| holes.iter().find(|(name, _)| name == hole));
            let end = match value {
                Some((name, value)) => {
                    text.push_str(value);
                    name.len()
                }
                None => {
                    text.push(c);
                    c.len_utf8()
                }
            };
            rest = &rest[end..];
        }
        text
    }

    fn holes_of(form: &str, holes: &[(String, String)]) -> Vec<String> {
        let of_ours = holes.iter().filter(|(name, _)| form.contains(name));
        of_ours.map(|(name, _)| name.clone()).collect()
    }

    /// Actions made of pieces that the cutting reacts to, and of anything.
    fn action() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            4 => prop::sample::select(vec![
                "gridtool", "LOAD", "sales.csv", "5", "12.5", "<", ">", "\"", "'", "|", "--rows", "=", "@", "amount",
                "<num>", "<num2>", "<path>", "src/main.rs", "evt-1001", " ", " ", "(", ")", ",", "<secret:token>", "-",
                "https://a.org/x", "10:30:00", "2>&1", "«", "»", "文件", "\\", "\n", "`", "it's",
            ]).prop_map(str::to_owned),
            1 => any::<String>(),
        ];
        prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn filling_the_holes_gives_both_actions_back(wrong in action(), correct in action()) {
            let made = generalise(&wrong, &correct);
            prop_assert_eq!(filled(&made.wrong, &made.holes), wrong);
            prop_assert_eq!(filled(&made.correct, &made.holes), correct);
        }

        #[test]
        fn a_reader_can_fill_every_hole_of_correct(wrong in action(), correct in action()) {
            let made = generalise(&wrong, &correct);
            let known = holes_of(&made.wrong, &made.holes);
            for hole in holes_of(&made.correct, &made.holes) {
                prop_assert!(known.contains(&hole), "{} is not in {}", hole, made.wrong);
            }
        }
    }
}
