//! The template of a message: what stays when everything volatile is taken out.
//!
//! It owns the structure of messages: prefixes of logs, slots in which a name stands, lists, the length of a
//! template. It does not choose the line and does not know what single tokens look like.

use super::lex::{self, Kind, Mode, Token};
use super::slots::{is, mask_segments, mask_slots, mask_values};
use super::words::{self, Class};

/// No template is longer, in characters.
pub(crate) const LONGEST: usize = 400;

/// A message in the course of being masked.
pub(crate) struct Message {
    tokens: Vec<Token>,
}

impl Message {
    /// Reads one cleaned line.
    pub(crate) fn read(line: &str) -> Self {
        let mut tokens = lex::tokens(line, Mode::Message);
        // Where nothing but names is left, the names are all the meaning there is.
        if !tokens
            .iter()
            .any(|t| matches!(t.kind, Kind::Word | Kind::Fixed))
        {
            tokens = lex::tokens(line, Mode::Payload);
        }
        merge_times(&mut tokens);
        strip_prefix(&mut tokens);
        strip_pid(&mut tokens);
        cut_suggestion(&mut tokens);
        Self { tokens }
    }

    /// Whether the line only says where or how badly, so that the line below it holds the message.
    pub(crate) fn is_bare(&self) -> bool {
        let says = |t: &Token| match t.kind {
            Kind::Fixed => {
                t.text.bytes().all(|b| b.is_ascii_alphabetic() || b == b'.') && t.text.len() > 4
            }
            Kind::Word => !matches!(
                words::class(t.text.as_bytes()),
                Some(Class::Severity | Class::Stop | Class::Noun)
            ),
            _ => false,
        };
        let ends_with_place = matches!(self.tokens.as_slice(), [.., place, colon] if colon.text == ":" && matches!(place.text.as_str(), "<path>" | ")" | "<num>"));
        // `What went wrong:` announces a message and is none.
        let announces = is(self.tokens.last(), ":")
            && self.tokens.len() <= 6
            && self.tokens.iter().all(|t| t.kind != Kind::Hole);
        ends_with_place || announces || !self.tokens.iter().any(says)
    }

    /// Takes the line below as the rest of the message.
    pub(crate) fn append(&mut self, line: &str) {
        let mut more = lex::tokens(line, Mode::Message);
        if let Some(first) = more.first_mut() {
            first.spaced = true;
        }
        self.tokens.append(&mut more);
    }

    /// The template: names in their slots masked, lists shortened, the length bounded.
    pub(crate) fn template(mut self) -> String {
        mask_values(&mut self.tokens);
        mask_slots(&mut self.tokens);
        mask_segments(&mut self.tokens);
        drop_asides(&mut self.tokens);
        collapse(&mut self.tokens);
        render(&self.tokens, LONGEST)
    }
}

/// The template of a state or an action, of at most `longest` characters.
pub(crate) fn payload(text: &str, longest: usize) -> String {
    let mut tokens = lex::tokens(text, Mode::Payload);
    merge_times(&mut tokens);
    collapse(&mut tokens);
    render(&tokens, longest)
}

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// Joins what together is one time: `Mar 12 10:11:12`, `2026-03-01 10:11:12 UTC`.
fn merge_times(tokens: &mut Vec<Token>) {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while i < tokens.len() {
        let t = &tokens[i];
        let next = tokens.get(i + 1);
        if MONTHS.contains(&t.text.as_str()) && is(next, "<num>") {
            // A date of this kind opens lines of the system log, and the host stands behind it.
            let clock = is(tokens.get(i + 2), "<time>");
            out.push(Token {
                kind: Kind::Hole,
                text: "<time>".into(),
                spaced: t.spaced,
            });
            i += if clock { 3 } else { 2 };
            i += usize::from(clock && is(tokens.get(i), "<num>"));
            if clock
                && out.len() == 1
                && tokens.get(i).is_some_and(|t| t.kind != Kind::Punct)
                && tokens
                    .get(i + 1)
                    .is_some_and(|t| matches!(t.kind, Kind::Word | Kind::Fixed))
            {
                i += 1;
            }
            continue;
        }
        let zone = matches!(
            t.text.as_str(),
            "utc" | "gmt" | "z" | "am" | "pm" | "cet" | "cest" | "est" | "pst"
        );
        let after_time = is(out.last(), "<time>");
        if after_time && (zone || t.text == "<time>")
            || (DAYS.contains(&t.text.as_str())
                && (is(next, "<time>") || next.is_some_and(|n| MONTHS.contains(&n.text.as_str()))))
        {
            i += 1;
            continue;
        }
        out.push(t.clone());
        i += 1;
    }
    *tokens = out;
}

fn is_level(token: &Token) -> bool {
    matches!(
        token.text.as_str(),
        "error"
            | "err"
            | "fatal"
            | "critical"
            | "crit"
            | "severe"
            | "warning"
            | "warn"
            | "info"
            | "debug"
            | "trace"
            | "notice"
            | "e"
            | "w"
            | "f"
    ) && token.kind != Kind::Hole
}

/// Takes away what a logger puts before a message: time, level, process, thread, the name of the logger.
fn strip_prefix(tokens: &mut Vec<Token>) {
    let mut from = 0;
    let mut logged = false;
    loop {
        let rest = &tokens[from..];
        let step = match rest {
            // `W0312 10:11:12.1 123 file.go:3] message`: level and date in one, the place behind.
            [t, time, ..] if t.text == "<id>" && time.text == "<time>" => 1,
            [t, close, ..] if logged && t.text == "<path>" && close.text == "]" => 2,
            [t, ..] if t.text == "<time>" => {
                logged = true;
                1
            }
            [open, ..] if matches!(open.text.as_str(), "[" | "(") => match bracket(rest) {
                Some(end)
                    if rest[1..end].iter().all(|t| {
                        t.kind != Kind::Word && t.kind != Kind::Fixed
                            || is_level(t)
                            || words_of_thread(&rest[1..end], logged)
                    }) && rest.len() > end + 2 =>
                {
                    logged = true;
                    end + 1
                }
                _ => 0,
            },
            // The place before a severity is written in many ways and says nothing about the error.
            [place, sign, level, _, ..]
                if place.text == "<path>"
                    && matches!(sign.text.as_str(), ":" | "-")
                    && is_level(level) =>
            {
                2
            }
            [place, level, _, ..]
                if matches!(place.text.as_str(), "<num>" | "<path>") && is_level(level) =>
            {
                1
            }
            [t, sign, ..] if is_level(t) && sign.text == ":" && rest.len() > 3 => 2,
            [t, next, ..]
                if logged && is_level(t) && next.kind != Kind::Fixed && rest.len() > 2 =>
            {
                1
            }
            [t, next, ..]
                if logged
                    && t.kind == Kind::Hole
                    && matches!(t.text.as_str(), "<num>" | "<id>" | "<hex>")
                    && (matches!(next.text.as_str(), ":" | "-" | "<num>" | "--")
                        || t.text == "<num>") =>
            {
                1
            }
            [t, ..]
                if logged
                    && t.kind == Kind::Punct
                    && matches!(t.text.as_str(), ":" | "-" | "|" | "," | "]" | "*") =>
            {
                1
            }
            _ => 0,
        };
        if step == 0 {
            break;
        }
        from += step;
    }
    if from < tokens.len() {
        tokens.drain(..from);
    }
}

/// After a time, one or two words in brackets are the name of a thread or a module.
fn words_of_thread(inside: &[Token], logged: bool) -> bool {
    logged && inside.len() <= 3
}

/// The index of the bracket that closes the one at the start.
fn bracket(tokens: &[Token]) -> Option<usize> {
    let close = if tokens[0].text == "[" { "]" } else { ")" };
    tokens.iter().take(8).position(|t| t.text == close)
}

/// `name[123]:` loses its process id.
fn strip_pid(tokens: &mut Vec<Token>) {
    if let [name, open, pid, close, colon, ..] = tokens.as_slice()
        && matches!(name.kind, Kind::Word | Kind::Fixed)
        && open.text == "["
        && pid.text == "<num>"
        && close.text == "]"
        && colon.text == ":"
    {
        tokens.drain(1..4);
    }
}

/// What a tool guesses that was meant depends on names that happen to be near.
fn cut_suggestion(tokens: &mut Vec<Token>) {
    let guess = |w: &[Token]| {
        matches!(w[0].text.as_str(), "did" | "perhaps" | "maybe") && w[1].text == "you"
    };
    if let Some(at) = tokens.windows(2).position(guess)
        && at >= 3
    {
        tokens.truncate(at);
    }
}

/// Takes away brackets with nothing but holes behind a hole: `process <num> (<id>)`, `host (<addr>)`, `host ()`.
fn drop_asides(tokens: &mut Vec<Token>) {
    let mut i = 1;
    while i < tokens.len() {
        let inside = tokens[i..]
            .iter()
            .skip(1)
            .take_while(|t| t.kind == Kind::Hole)
            .count();
        let aside = tokens[i].text == "("
            && tokens[i].spaced
            && tokens[i - 1].kind == Kind::Hole
            && inside <= 3
            && is(tokens.get(i + 1 + inside), ")");
        if aside {
            tokens.drain(i..i + 2 + inside);
        } else {
            i += 1;
        }
    }
}

/// A list of holes of one kind is one hole: how many there are is volatile too.
fn collapse(tokens: &mut Vec<Token>) {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    for t in tokens.drain(..) {
        if t.kind == Kind::Hole {
            let joints = out
                .iter()
                .rev()
                .take_while(|o| {
                    matches!(
                        o.text.as_str(),
                        "," | "/"
                            | "|"
                            | ":"
                            | "+"
                            | "-"
                            | "."
                            | "and"
                            | "or"
                            | ";"
                            | "@"
                            | "*"
                            | "#"
                    )
                })
                .count();
            if let Some(at) = out.len().checked_sub(joints + 1)
                && joints <= 2
                && out[at].kind == Kind::Hole
                && out[at].text == t.text
            {
                out.truncate(at + 1);
                continue;
            }
        }
        out.push(t);
    }
    *tokens = out;
}

/// Puts the tokens together again, one space at most between two, and bounds the length at a token.
fn render(tokens: &[Token], longest: usize) -> String {
    let end = tokens
        .iter()
        .rposition(|t| t.kind != Kind::Punct || matches!(t.text.as_str(), ")" | "]" | "}"))
        .map_or(0, |n| n + 1);
    let start = tokens
        .iter()
        .position(|t| t.kind != Kind::Punct || matches!(t.text.as_str(), "(" | "[" | "{"))
        .unwrap_or(0);
    let mut out = String::new();
    let mut length = 0;
    for t in tokens.get(start..end).unwrap_or_default() {
        let size = t.text.chars().count() + usize::from(t.spaced);
        if length + size > longest {
            // One endless word still says something by how it begins.
            if out.is_empty() {
                out.extend(t.text.chars().take(longest));
            }
            break;
        }
        if t.spaced && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&t.text);
        length += size;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Message, payload};

    #[test]
    fn a_line_that_only_says_where_is_bare() {
        assert!(Message::read("thread 'main' panicked at src/main.rs:1:2:").is_bare());
        assert!(Message::read("a.hs:3:8: error: [GHC-88464]").is_bare());
        assert!(Message::read("* What went wrong:").is_bare());
        assert!(!Message::read("KeyError: 'x'").is_bare());
        assert!(!Message::read("cat: x: No such file or directory").is_bare());
    }

    #[test]
    fn a_list_of_holes_is_one_hole() {
        let template = Message::read("choose from 'a', 'b' or 'c' instead").template();
        assert_eq!(template, "choose from <str> instead");
    }

    #[test]
    fn brackets_with_only_holes_behind_a_hole_say_nothing() {
        let template = Message::read("killed process 12 (cc1plus) by host 10.0.0.1 ()").template();
        assert_eq!(template, "killed process <num> by host <addr>");
    }

    #[test]
    fn names_are_kept_where_they_are_all_there_is() {
        assert_eq!(Message::read("reStartCounter").template(), "restartcounter");
    }

    #[test]
    fn a_payload_is_cut_at_a_token() {
        assert_eq!(payload("alpha beta gamma", 11), "alpha beta");
    }
}
