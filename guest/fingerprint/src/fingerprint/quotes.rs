//! Quotations in a message: where they begin and end, and whether what is quoted is volatile or meant.
//!
//! It owns the quotation marks of many languages, the apostrophe that is none, keys and values of JSON, and
//! quoted punctuation. It does not cut text outside of quotations.

use twiceshy_text::script::is_unspaced;

use super::lex::{Kind, Lexer, Mode};
use super::words;

impl Lexer {
    /// The end of the quotation that opens here: the index of its closing mark.
    fn closing(&self, open: char) -> Option<usize> {
        let closers: &[char] = match open {
            '"' => &['"'],
            '\'' => &['\''],
            '`' => &['`', '\''],
            '“' => &['”', '“'],
            '„' => &['“', '”', '„'],
            '‘' => &['’', '‘'],
            '«' => &['»'],
            '‹' => &['›'],
            '「' => &['」'],
            '『' => &['』'],
            '《' => &['》'],
            '＂' => &['＂'],
            _ => return None,
        };
        let is_letter = |n: usize| {
            self.chars
                .get(n)
                .is_some_and(|c| c.is_alphanumeric() && !is_unspaced(*c))
        };
        // An apostrophe inside a word opens nothing: can't, users'.
        if matches!(open, '\'' | '‘')
            && self
                .before()
                .is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c))
        {
            return None;
        }
        let mut n = self.at + 1;
        let limit = self
            .chars
            .len()
            .min(self.at + if open == '"' { 1000 } else { 300 });
        while n < limit {
            let c = self.chars[n];
            if c == '\\' && open == '"' {
                n += 2;
                continue;
            }
            let single = matches!(c, '\'' | '’');
            if closers.contains(&c) && !(single && is_letter(n + 1)) {
                // `'' quotes the quotation mark itself.
                let quotes_itself =
                    n == self.at + 1 && open == '`' && self.chars.get(n + 1) == Some(&'\'');
                return Some(if quotes_itself { n + 1 } else { n });
            }
            n += 1;
        }
        None
    }

    pub(super) fn quotation(&mut self, open: char) -> bool {
        let Some(end) = self.closing(open) else {
            return false;
        };
        let content = self.text(self.at + 1, end);
        let word_like = !content.is_empty()
            && content.len() <= 40
            && content
                .chars()
                .all(|c| c.is_alphanumeric() || "_-.$@".contains(c));
        let is_key = (open == '"' || open == '\'' && self.in_braces())
            && word_like
            && self.introduces_value(end + 1);
        let after_key = self.follows_message_key() || self.follows_panic();
        self.at = end + 1;
        if is_key {
            self.push(Kind::Fixed, content.to_lowercase());
        } else if after_key && self.depth < 2 && !content.is_empty() {
            let inner = Lexer {
                chars: content.chars().collect(),
                at: 0,
                spaced: self.spaced,
                mode: self.mode,
                depth: self.depth + 1,
                out: Vec::new(),
            };
            self.inline(inner);
        } else if let Some(operator) = comparison(&content) {
            // What is compared is volatile, how it is compared is not.
            self.push_hole("<str>");
            self.spaced = true;
            self.push(Kind::Fixed, operator.to_string());
            self.spaced = true;
            self.push_hole("<str>");
        } else if !content.is_empty()
            && content.chars().count() <= 6
            && !content
                .chars()
                .any(|c| c.is_alphanumeric() || c.is_whitespace() || c == '<')
        {
            self.push(Kind::Fixed, format!("'{content}'"));
        } else if self.mode == Mode::Payload
            && word_like
            && content.chars().count() <= 24
            && !content.chars().any(char::is_numeric)
        {
            self.push(Kind::Word, content.to_lowercase());
        } else {
            self.push_hole("<str>");
        }
        true
    }

    fn inline(&mut self, mut inner: Lexer) {
        inner.run();
        self.spaced = false;
        self.out.append(&mut inner.out);
    }

    /// Whether what stands at `n` is a colon and then a value, as in JSON or in a printed dictionary.
    fn introduces_value(&self, n: usize) -> bool {
        let rest = &self.chars[n.min(self.chars.len())..];
        let mut rest = rest.iter().copied().skip_while(|c| c.is_whitespace());
        if rest.next() != Some(':') {
            return false;
        }
        let value: String = rest.skip_while(|c| c.is_whitespace()).take(5).collect();
        let word = value.to_ascii_lowercase();
        value.is_empty()
            || value.starts_with(|c: char| c.is_ascii_digit() || "\"'{[-".contains(c))
            || ["true", "false", "null", "none"]
                .iter()
                .any(|w| word.starts_with(w))
    }

    /// Whether a bracket or a comma stands before, as before a key that is no quotation.
    fn in_braces(&self) -> bool {
        let before = self.chars[..self.at]
            .iter()
            .rev()
            .find(|c| !c.is_whitespace());
        matches!(before, Some('{' | ','))
    }

    fn follows_message_key(&self) -> bool {
        matches!(self.out.as_slice(), [.., key, sign] if matches!(sign.text.as_str(), ":" | "=") && key.kind != Kind::Hole
            && (self.reads_value_of(&key.text) && (sign.text == "=" || key.kind == Kind::Fixed)))
    }

    /// `panicked at 'the message', src/main.rs:1:2`: here the quotation is the message.
    fn follows_panic(&self) -> bool {
        matches!(self.out.as_slice(), [.., verb, at] if verb.text == "panicked" && at.text == "at")
    }

    /// In a message every key that can hold the message counts; in a payload only those that surely do.
    fn reads_value_of(&self, key: &str) -> bool {
        match self.mode {
            Mode::Message => words::is_message_key(key),
            Mode::Payload => matches!(key, "error" | "message" | "msg" | "reason"),
        }
    }
}

/// The operator of a quotation that is one comparison: `left == right`.
fn comparison(content: &str) -> Option<&str> {
    let parts: Vec<&str> = content.split_whitespace().take(4).collect();
    match parts.as_slice() {
        [_, operator @ ("==" | "!=" | "<" | ">" | "<=" | ">="), _] => Some(operator),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::fingerprint::lex::{Mode, tokens};

    fn texts(line: &str, mode: Mode) -> Vec<String> {
        tokens(line, mode).into_iter().map(|t| t.text).collect()
    }

    #[test]
    fn a_quotation_ends_at_its_own_mark_and_not_inside_a_word() {
        assert_eq!(
            texts("near 'it's here' now", Mode::Message),
            ["near", "<str>", "now"]
        );
        assert_eq!(
            texts("the users' list", Mode::Message),
            ["the", "users", "list"]
        );
        assert_eq!(
            texts(r#"say "a \"b\" c" end"#, Mode::Message),
            ["say", "<str>", "end"]
        );
    }

    #[test]
    fn keys_are_kept_and_only_messages_among_values_are_read() {
        let line = r#"{"error": "disk full", "host": "db7"}"#;
        assert_eq!(
            texts(line, Mode::Message),
            [
                "{", "error", ":", "disk", "full", ",", "host", ":", "<str>", "}"
            ]
        );
        assert_eq!(
            texts("{'msg': 'gone', 'at': 'x'}", Mode::Message),
            ["{", "msg", ":", "gone", ",", "at", ":", "<str>", "}"]
        );
    }

    #[test]
    fn a_quoted_comparison_keeps_its_operator() {
        assert_eq!(
            texts("assertion `left == right` failed", Mode::Message),
            ["assertion", "<str>", "==", "<str>", "failed"]
        );
    }

    #[test]
    fn the_quoted_message_of_a_panic_is_read() {
        assert_eq!(
            texts("panicked at 'out of oil', src/a.rs:1:2", Mode::Message),
            ["panicked", "at", "out", "of", "oil", ",", "<path>"]
        );
    }

    #[test]
    fn a_quoted_name_before_a_message_is_no_key() {
        assert_eq!(texts("\"total\": not found", Mode::Message)[0], "<str>");
    }

    #[test]
    fn a_payload_keeps_short_words_and_a_message_does_not() {
        assert_eq!(
            texts(r#""mode": "drive""#, Mode::Payload),
            ["mode", ":", "drive"]
        );
        assert_eq!(
            texts(r#""mode": "drive""#, Mode::Message),
            ["mode", ":", "<str>"]
        );
    }
}
