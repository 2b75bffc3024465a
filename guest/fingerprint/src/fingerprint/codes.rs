//! Codes in a message: numbers and short tokens that are meaning because of where they stand.
//!
//! It owns the places in which a code stands: behind `status`, `errno`, `error`, in brackets behind another
//! code, before the phrase of a status. It does not know what a code looks like.

use super::lex::{Kind, Lexer, Token};
use super::words::{self, Class};

impl Lexer {
    /// Whether a number here is a code: it follows a word such as `status`, `errno`, `error`.
    pub(super) fn code_place(&self) -> bool {
        let is_code_word =
            |t: &Token| t.kind != Kind::Hole && (words::is_code_word(&t.text) || t.text == "error");
        match self.out.as_slice() {
            [.., word] if is_code_word(word) => true,
            [.., word, sign] if matches!(sign.text.as_str(), "=" | ":") => {
                words::is_code_word(&word.text) && word.text != "error" && word.text != "err"
            }
            [.., word, sign] if matches!(sign.text.as_str(), "[" | "(" | "#") => is_code_word(word),
            _ => false,
        }
    }

    /// `ERROR 1146 (42S02)`, `error: [GHC-88464]`: a code in brackets behind another or behind a severity word.
    pub(super) fn in_code_bracket(&self) -> bool {
        let severe = |t: &Token| words::class(t.text.as_bytes()) == Some(Class::Severity);
        match self.out.as_slice() {
            [.., word, bracket]
                if matches!(bracket.text.as_str(), "(" | "[")
                    && (word.kind == Kind::Fixed || severe(word)) =>
            {
                true
            }
            [.., word, colon, bracket] => {
                colon.text == ":" && matches!(bracket.text.as_str(), "(" | "[") && severe(word)
            }
            _ => false,
        }
    }

    /// Whether the token just read begins a clause and a colon follows it: `ORA-00942: …`.
    pub(super) fn opens_clause(&self) -> bool {
        self.peek(0) == Some(':') && self.out.last().is_none_or(|t| t.text == ":")
    }

    /// `404 Not Found`, `500 Server Error`: a status by the phrase behind it.
    pub(super) fn is_http_status(&self, raw: &str) -> bool {
        if raw.len() != 3 || !raw.starts_with(['4', '5']) {
            return false;
        }
        let phrase: String = self.chars[self.at..].iter().take(16).collect();
        let phrase = phrase.to_ascii_lowercase();
        let phrases = [
            " not found",
            " not acceptable",
            " client error",
            " server error",
            " internal server",
            " bad request",
            " bad gateway",
            " service unavail",
            " too many",
            " unauthorized",
            " forbidden",
            " gateway time",
            " conflict",
            " gone",
            " method not",
            " payload too",
            " unprocessable",
            " precondition",
        ];
        phrases.iter().any(|p| phrase.starts_with(p))
    }
}

#[cfg(test)]
mod tests {
    use crate::fingerprint::lex::{Mode, tokens};

    fn text(line: &str) -> String {
        let texts: Vec<String> = tokens(line, Mode::Message)
            .into_iter()
            .map(|t| t.text)
            .collect();
        texts.join(" ")
    }

    #[test]
    fn a_number_is_a_code_only_behind_a_word_for_codes() {
        assert_eq!(
            text("exit status 2 after 3 tries"),
            "exit status 2 after <num> tries"
        );
        assert_eq!(text("error 1146 (42S02): x"), "error 1146 ( 42s02 ) : x");
        assert_eq!(text("HTTP/1.1 404 Not Found"), "http 404 not found");
        assert_eq!(text("error: 12 of them"), "error : <num> of them");
    }
}
