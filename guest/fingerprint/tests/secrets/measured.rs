//! Precision and recall of masking on two labelled sets: texts with a secret, and harmless texts that resemble one.
//!
//! Each text goes in by every path that a memory has: as plain text, inside a JSON text, as the words of a command, and
//! as a script for `sh -c`. A secret counts as hidden only if no piece of it is left on any of them; a harmless text counts
//! as kept only if no path changes it.

use std::fmt::Write as _;

use twiceshy_fingerprint::secrets::{mask, mask_json};

/// One line of a set.
struct Case {
    part: String,
    kind: String,
    text: String,
    hidden: Vec<String>,
}

/// Characters that look drawn by lot, the same for the same line.
struct Lot(u64);

impl Lot {
    fn drawn(&mut self, alphabet: &str, length: usize) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        let mut next = || {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            alphabet[(self.0 >> 33) as usize % alphabet.len()]
        };
        (0..length).map(|_| next()).collect()
    }

    /// What stands for a hole such as `any 36`.
    fn fill(&mut self, hole: &str) -> Option<String> {
        const HEX: &str = "0123456789abcdef";
        let (name, rest) = hole.split_once(' ').unwrap_or((hole, ""));
        let length = || rest.parse::<usize>().ok();
        Some(match name {
            "any" => {
                // A key without a digit or a capital letter is a rarity that no rule of ours is about.
                let body = self.drawn(
                    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                    length()?.saturating_sub(3),
                );
                "k7R".chars().take(length()?).collect::<String>() + &body
            }
            "low" => {
                "q7".to_owned() + &self.drawn("abcdefghijklmnopqrstuvwxyz0123456789", length()? - 2)
            }
            "hex" => "3f".to_owned() + &self.drawn(HEX, length()? - 2),
            "HEX" => self.drawn("0123456789ABCDEF", length()?),
            "caps" => {
                "Z4".to_owned() + &self.drawn("ABCDEFGHJKLMNPQRSTUVWXYZ234567", length()? - 2)
            }
            "dig" => "7".to_owned() + &self.drawn("0123456789", length()? - 1),
            "uuid" => [8, 4, 4, 4, 12].map(|n| self.drawn(HEX, n)).join("-"),
            "b64" => base64(rest.as_bytes()),
            _ => return None,
        })
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let mut group = [0; 3];
        group[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for place in 0..4 {
            match place <= chunk.len() {
                true => out.push(char::from(
                    LETTERS[(bits >> (18 - 6 * place)) as usize & 63],
                )),
                false => out.push('='),
            }
        }
    }
    out
}

/// The cases of a set.
fn cases(set: &str) -> Vec<Case> {
    let mut part = String::new();
    let mut cases = Vec::new();
    for (number, line) in set.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix("== ") {
            part = name.to_owned();
            continue;
        }
        let (kind, template) = line.split_once("  ").expect("a kind and a text");
        let mut lot = Lot(0x9e37_79b9_7f4a_7c15 ^ (number as u64 + 1) << 20);
        lot.drawn("x", 16);
        let mut text = String::new();
        let mut left = template.trim_start();
        while let Some(at) = left.find('{') {
            let end = left[at..].find('}').map(|end| at + end);
            let filled = end.and_then(|end| lot.fill(&left[at + 1..end]));
            text.push_str(&left[..at]);
            match (filled, end) {
                (Some(body), Some(end)) => {
                    text.push_str(&body);
                    left = &left[end + 1..];
                }
                _ => {
                    text.push('{');
                    left = &left[at + 1..];
                }
            }
        }
        text.push_str(left);
        let text = text.replace('·', "").replace('⏎', "\n");
        let hidden = text
            .split('⟦')
            .skip(1)
            .map(|rest| rest.split('⟧').next().expect("an end").to_owned())
            .collect();
        cases.push(Case {
            part: part.clone(),
            kind: kind.to_owned(),
            text: text.replace(['⟦', '⟧'], ""),
            hidden,
        });
    }
    cases
}

/// The words of a command line, as a shell would cut them; nothing if it has no plain reading.
fn words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(letter),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, '|' | ';' | '&' | '<' | '>' | '\n' | '(' | '\\' | '`') => return None,
            (None, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    (quote.is_none() && words.len() > 1).then_some(words)
}

/// What becomes of a text on every path, with the path's name; the first is the plain one.
fn masked(case: &Case) -> Vec<(&'static str, String, String)> {
    let json = |value: serde_json::Value| {
        let text = value.to_string();
        let masked = mask_json(&text).into_owned();
        (text, masked)
    };
    let text = &case.text;
    let mut all = vec![("text", text.clone(), mask(text).into_owned())];
    let (before, after) = json(serde_json::json!({ "exit": 1, "stderr": text }));
    all.push(("json", before, after));
    let (before, after) = json(serde_json::json!({ "command": ["sh", "-c", text] }));
    all.push(("sh -c", before, after));
    // A line of a command as its words: only what reads as one.
    if let Some(words) = words(text)
        && words[0]
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_')
        && !case.kind.starts_with("prose")
        && !text.ends_with(':')
        && !words[1].starts_with(['=', ':'])
    {
        let (before, after) = json(serde_json::json!({ "command": words }));
        all.push(("argv", before, after));
    }
    all
}

/// A piece of a secret that is still there.
fn leak(case: &Case, masked: &str) -> Option<String> {
    let kept_anyway = case
        .hidden
        .iter()
        .fold(case.text.clone(), |text, hidden| text.replace(hidden, ""));
    case.hidden.iter().find_map(|hidden| {
        let letters: Vec<char> = hidden.chars().collect();
        let size = letters.len().min(8);
        letters
            .windows(size)
            .map(|window| window.iter().collect::<String>())
            .find(|piece| {
                let plain = piece
                    .chars()
                    .all(|c| !c.is_whitespace() && c != '-' && c != '\\');
                (plain || size < 8) && masked.contains(piece) && !kept_anyway.contains(piece)
            })
    })
}

/// What a part of both sets measures.
struct Figures {
    secrets: usize,
    hidden: usize,
    harmless: usize,
    kept: usize,
    report: String,
}

impl Figures {
    fn of(part: &str) -> Self {
        let mut report = String::new();
        let (mut secrets, mut hidden, mut harmless, mut kept) = (0, 0, 0, 0);
        for case in cases(include_str!("../corpus/secrets.txt")) {
            if case.part != part {
                continue;
            }
            secrets += 1;
            assert!(!case.hidden.is_empty(), "{}", case.kind);
            let leaks: Vec<_> = masked(&case)
                .into_iter()
                .filter_map(|(path, _, masked)| Some((path, leak(&case, &masked)?, masked)))
                .collect();
            hidden += usize::from(leaks.is_empty());
            if let Some((_, piece, masked)) = leaks.first() {
                let paths: Vec<_> = leaks.iter().map(|(path, ..)| *path).collect();
                writeln!(
                    report,
                    "  shown  {}: {piece:?} by {paths:?} in {masked}",
                    case.kind
                )
                .expect("a text");
            }
        }
        for case in cases(include_str!("../corpus/lookalikes.txt")) {
            if case.part != part {
                continue;
            }
            harmless += 1;
            assert!(case.hidden.is_empty(), "{}", case.kind);
            let changed = masked(&case)
                .into_iter()
                .find(|(_, text, masked)| text != masked);
            kept += usize::from(changed.is_none());
            if let Some((path, _, masked)) = changed {
                writeln!(report, "  hidden {} by {path}: {masked}", case.kind).expect("a text");
            }
        }
        Self {
            secrets,
            hidden,
            harmless,
            kept,
            report,
        }
    }

    fn recall(&self) -> f64 {
        self.hidden as f64 / self.secrets as f64
    }

    fn precision(&self) -> f64 {
        self.hidden as f64 / (self.hidden + self.harmless - self.kept) as f64
    }
}

#[test]
fn secrets_of_many_kinds_are_hidden_and_what_resembles_them_is_kept() {
    let parts =
        ["own", "rules", "fresh", "stranger", "visitor"].map(|part| (part, Figures::of(part)));
    let (mut secrets, mut harmless) = (0, 0);
    for (part, figures) in &parts {
        secrets += figures.secrets;
        harmless += figures.harmless;
        println!(
            "{part}: recall {:.3} ({} of {}), precision {:.3} ({} of {} harmless ones changed)\n{}",
            figures.recall(),
            figures.hidden,
            figures.secrets,
            figures.precision(),
            figures.harmless - figures.kept,
            figures.harmless,
            figures.report
        );
    }
    assert!(secrets >= 150 && harmless >= 150, "{secrets} {harmless}");
    for (part, figures) in &parts {
        assert!(figures.recall() >= 0.98, "{part}: {}", figures.report);
        assert!(figures.precision() >= 0.98, "{part}: {}", figures.report);
    }
}
