//! What somebody else says, made fit for an error message of ours: one short line without secrets.
//!
//! A server may quote the key it was sent, and a command may print its environment. Both can only know
//! secrets that were in our own environment, so those are what is hidden, by their values.

use std::env;

/// The longest quotation, in characters.
const LONGEST: usize = 300;

/// A value shorter than this is no secret, and hiding it would tear words apart.
const SHORTEST_SECRET: usize = 6;

/// Words in the name of a variable that holds a secret.
const TELLING: [&str; 7] = [
    "KEY",
    "TOKEN",
    "SECRET",
    "PASS",
    "CREDENTIAL",
    "AUTH",
    "COOKIE",
];

/// One line of a foreign text, bounded, with the values of secret variables and `key` hidden.
pub(crate) fn quoted(text: &str, key: Option<&str>) -> String {
    let mut text = text.to_owned();
    let mut secrets: Vec<String> = env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| {
            let name = name.to_ascii_uppercase();
            TELLING.iter().any(|word| name.contains(word))
        })
        .map(|(_, value)| value.trim().to_owned())
        .filter(|value| value.len() >= SHORTEST_SECRET)
        .chain(key.map(str::to_owned))
        .filter(|value| !value.is_empty())
        .collect();
    // The longest first: one may be a part of another.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    for secret in secrets {
        text = text.replace(&secret, "<secret>");
    }
    let mut line: String = text
        .split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    if let Some((end, _)) = line.char_indices().nth(LONGEST) {
        line.truncate(end);
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_is_one_short_line() {
        assert_eq!(quoted(" a\r\n\tb\u{1b}[1m ", None), "a b [1m");
        assert_eq!(quoted(&"ä".repeat(500), None).chars().count(), LONGEST + 1);
    }

    #[test]
    fn a_key_is_hidden_even_at_the_cut() {
        let text = format!("{}the-key-of-mine and more", "x ".repeat(LONGEST / 2 - 4));
        let quotation = quoted(&text, Some("the-key-of-mine"));
        assert!(!quotation.contains("the-key"), "{quotation}");
        assert!(quotation.contains("<secret>") || quotation.ends_with('…'));
    }
}
