//! Recall and precision of masking on a set that others wrote.
//!
//! `cargo run -p twiceshy-fingerprint --example masking -- FILE [--half 0|1] [--shown]`: FILE has one JSON object a line,
//! with `source`, `kind`, `text` and `hidden`, the secrets in the text; it is empty for a harmless text.
//! `recipes/secrets/collect.py` makes such a file. A secret is hidden if no eight letters of it are left in the text, nor in
//! the text as output inside JSON. `--half` takes every second kind, so that rules are changed by looking at one half
//! and measured on the other; `--shown` prints what is left, and what was hidden for no reason.

use std::{collections::BTreeMap, fs};

use twiceshy_fingerprint::secrets::{mask, mask_json};

/// How many letters of a secret in a row give it away.
const PIECE: usize = 8;

#[derive(serde::Deserialize)]
struct Case {
    source: String,
    kind: String,
    text: String,
    hidden: Vec<String>,
}

#[derive(Default)]
struct Figures {
    secrets: usize,
    hidden: usize,
    harmless: usize,
    kept: usize,
    kinds: BTreeMap<String, bool>,
}

impl Case {
    /// The half that a kind is in: a digest of its name, so that a set that grows is divided in the same way.
    fn half(&self) -> u32 {
        let digest = self.kind.bytes().fold(0x811c_9dc5_u32, |sum, byte| {
            (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
        (digest >> 16) & 1
    }

    /// The text as the memory would keep it: by itself, and as the output of a command.
    fn masked(&self) -> [(String, String); 2] {
        let json = serde_json::json!({ "exit": 1, "stderr": self.text }).to_string();
        let in_json = mask_json(&json).into_owned();
        [
            (self.text.clone(), mask(&self.text).into_owned()),
            (json, in_json),
        ]
    }

    fn is_left(&self, masked: &str) -> bool {
        let rest = (self.hidden.iter()).fold(self.text.clone(), |text, one| text.replace(one, ""));
        self.hidden.iter().any(|secret| {
            let letters: Vec<char> = secret.chars().collect();
            letters.windows(letters.len().min(PIECE)).any(|window| {
                let piece: String = window.iter().collect();
                masked.contains(&piece) && !rest.contains(&piece)
            })
        })
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut file, mut half, mut shown) = (None, None, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--half" => half = arguments.next().and_then(|one| one.parse::<u32>().ok()),
            "--shown" => shown = true,
            _ => file = Some(argument),
        }
    }
    let file = file.expect("usage: masking FILE [--half 0|1] [--shown]");
    let mut sources: BTreeMap<String, Figures> = BTreeMap::new();
    for line in fs::read_to_string(&file).expect("a file").lines() {
        let case: Case = serde_json::from_str(line).expect("a case");
        if half.is_some_and(|half| half != case.half()) {
            continue;
        }
        let figures = sources.entry(case.source.clone()).or_default();
        let masked = case.masked();
        if case.hidden.is_empty() {
            let is_kept = masked.iter().all(|(before, after)| before == after);
            figures.harmless += 1;
            figures.kept += usize::from(is_kept);
            if shown && !is_kept {
                println!("changed {}: {:?}", case.kind, masked[0].1);
            }
            continue;
        }
        let is_hidden = !masked.iter().any(|(_, after)| case.is_left(after));
        figures.secrets += 1;
        figures.hidden += usize::from(is_hidden);
        *figures.kinds.entry(case.kind.clone()).or_insert(true) &= is_hidden;
        if shown && !is_hidden {
            println!("left {}: {:?} in {:?}", case.kind, case.hidden, case.text);
        }
    }
    for (source, figures) in sources {
        let whole = figures.kinds.values().filter(|hidden| **hidden).count();
        println!(
            "{source}: {} of {} secrets hidden (recall {:.3}), {whole} of {} kinds without any left; {} of {} harmless texts changed",
            figures.hidden,
            figures.secrets,
            figures.hidden as f64 / figures.secrets as f64,
            figures.kinds.len(),
            figures.harmless - figures.kept,
            figures.harmless,
        );
    }
}
