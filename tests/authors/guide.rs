//! `docs/ADAPTERS.md` as something to follow: its commands, what they print, and the code that it shows.
//!
//! Owns reading the page and comparing. A part goes from `<!-- follow: NAME -->` to `<!-- follow: end -->`; in it, a
//! block `sh` is run, and a block `text` right after it is what it prints, in which `…` stands for anything, and a
//! line with nothing else for any number of lines.

use std::fs;

use crate::support::repository;

/// A block of commands, and what it prints.
#[derive(Debug)]
pub struct Block {
    pub line: usize,
    pub commands: String,
    pub prints: Option<String>,
}

/// The blocks of a part, in their order.
pub fn part(name: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut within = false;
    let mut after_commands = false;
    for piece in pieces() {
        match piece {
            Piece::Part(part) => within = part == name,
            Piece::Prose if within => after_commands = false,
            Piece::Fenced(line, language, text) if within => {
                let is_output = language == "text" && after_commands;
                after_commands = language == "sh";
                match language.as_str() {
                    "sh" => blocks.push(Block {
                        line,
                        commands: text,
                        prints: None,
                    }),
                    "text" if is_output => {
                        blocks.last_mut().expect("commands before").prints = Some(text);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    assert!(!blocks.is_empty(), "the guide has no part {name:?}");
    blocks
}

/// The pieces of code in a language.
pub fn code(language: &str) -> Vec<String> {
    let of_language = |piece| match piece {
        Piece::Fenced(_, of, text) if of == language => Some(text),
        _ => None,
    };
    pieces().into_iter().filter_map(of_language).collect()
}

enum Piece {
    Part(String),
    Fenced(usize, String, String),
    Prose,
}

fn pieces() -> Vec<Piece> {
    let page = fs::read_to_string(repository().join("docs/ADAPTERS.md")).expect("the guide");
    let mut pieces = Vec::new();
    let mut lines = (1..).zip(page.lines());
    while let Some((number, line)) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let fenced = lines.by_ref().map(|(_, line)| line);
            let text: Vec<_> = fenced.take_while(|line| *line != "```").collect();
            let text = format!("{}\n", text.join("\n"));
            pieces.push(Piece::Fenced(number, language.to_owned(), text));
        } else if let Some(part) = line.strip_prefix("<!-- follow: ") {
            pieces.push(Piece::Part(part.trim_end_matches(" -->").to_owned()));
        } else if !line.trim().is_empty() {
            pieces.push(Piece::Prose);
        }
    }
    pieces
}

/// Whether what was printed is what the page shows.
pub fn is_as_shown(shown: &str, printed: &str) -> bool {
    let shown: Vec<_> = shown.lines().map(str::trim_end).collect();
    let printed: Vec<_> = printed.trim_end().lines().map(str::trim_end).collect();
    lines_fit(&shown, &printed)
}

fn lines_fit(shown: &[&str], printed: &[&str]) -> bool {
    match shown {
        [] => printed.is_empty(),
        ["…", rest @ ..] => {
            (0..=printed.len()).any(|skipped| lines_fit(rest, &printed[skipped..]))
        }
        [line, rest @ ..] => match printed {
            [first, others @ ..] => fits(line, first) && lines_fit(rest, others),
            [] => false,
        },
    }
}

fn fits(shown: &str, printed: &str) -> bool {
    let mut parts = shown.split('…');
    let Some(mut left) = printed.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let parts: Vec<_> = parts.collect();
    let Some((last, between)) = parts.split_last() else {
        return left.is_empty();
    };
    for part in between {
        match left.find(part) {
            Some(place) => left = &left[place + part.len()..],
            None => return false,
        }
    }
    left.ends_with(last)
}

#[test]
fn a_hole_stands_for_anything_and_nothing_else_does() {
    assert!(is_as_shown("…\na … c\n", "x\ny\na b c\n"));
    assert!(is_as_shown("a\n…\n", "a\n"));
    assert!(is_as_shown("a…b…c", "abbc"));
    assert!(!is_as_shown("a\n", "a\nb\n"));
    assert!(!is_as_shown("a…c", "abd"));
    assert!(!is_as_shown("…\nb\n", "a\n"));
}
