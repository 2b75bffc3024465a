//! Cutting a text of any script into pieces: words, numbers, operators, ideographs.
//!
//! Owns where a piece begins and ends. There is one cutter for two readings: [`terms`](crate::terms) are cut for an index
//! that is kept and must stay as they are, [`likeness`](crate::likeness) looks closer, at signs, accents and clauses. What
//! a piece means is the business of those two.

use crate::script::{
    composed, fold, is_apostrophe, is_dense, is_hump, is_ideograph, is_mark, narrow,
};

/// How closely a text is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// For an index: words and digits in lower case, and the characters of dense scripts.
    Searched,
    /// For a comparison: letters folded, numbers with their sign, operators, clauses and asides.
    Compared,
}

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    /// Letters of a script that is written with spaces.
    Word,
    /// Digits, with their sign and fraction.
    Number,
    /// An operator such as `<=`, or an arrow.
    Operator,
    /// One character of a script that is written without spaces.
    Ideograph,
    /// A run of hiragana: endings and particles around what carries the meaning.
    Kana,
    /// The end of a clause.
    Break,
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// In lower case; where texts are compared also without marks and in one width.
    pub(crate) text: String,
    pub(crate) sort: Sort,
    /// Whether it stands in parentheses.
    pub(crate) aside: bool,
    /// Whether it is a name of one capital, such as the A in *from A to B*.
    pub(crate) letter: bool,
    /// Whether nothing stands between it and the piece before.
    pub(crate) touches: bool,
}

/// The longest word in characters: anything longer is data.
const WORD_CHARS: usize = 48;

/// The pieces of a text in their order.
pub(crate) fn pieces(text: &str, reading: Reading) -> Vec<Piece> {
    let mut cutter = Cutter {
        reading,
        pieces: Vec::new(),
        text: String::new(),
        sort: None,
        capital: false,
        depth: 0,
        silent: false,
        apart: true,
        touches: false,
    };
    match reading {
        Reading::Compared if !text.is_ascii() => cutter.cut(composed(text).into_iter()),
        _ => cutter.cut(text.chars()),
    }
    cutter.pieces
}

struct Cutter {
    reading: Reading,
    pieces: Vec<Piece>,
    text: String,
    sort: Option<Sort>,
    capital: bool,
    depth: u32,
    /// Whether the character before was left out.
    silent: bool,
    /// Whether the character before belongs to no piece.
    apart: bool,
    touches: bool,
}

impl Cutter {
    fn cut(&mut self, characters: impl Iterator<Item = char>) {
        let mut characters = characters.peekable();
        let mut before = ' ';
        while let Some(character) = characters.next() {
            let after = characters.peek().copied().unwrap_or(' ');
            self.take(before, character, after);
            before = character;
        }
        self.finish();
    }

    fn take(&mut self, before: char, character: char, after: char) {
        // Most characters by far: a small letter behind another one, which no reading takes apart or changes.
        let is_within = before.is_ascii_lowercase() && character.is_ascii_lowercase();
        if is_within && self.sort == Some(Sort::Word) && !self.silent {
            self.text.push(character);
            self.capital = false;
            return;
        }
        let sort = match self.reading {
            Reading::Searched => searched(character),
            Reading::Compared => compared(before, character, after),
        };
        match sort {
            Some(sort) => {
                let hump = sort == Sort::Word && is_hump(before, character, after);
                if !self.goes_on(sort) || hump {
                    self.finish();
                    self.touches = !self.apart;
                }
                self.capital = self.text.is_empty() && character.is_uppercase();
                self.sort = Some(sort);
                match self.reading {
                    Reading::Searched if character.is_ascii() => {
                        self.text.push(character.to_ascii_lowercase());
                    }
                    Reading::Searched => self.text.extend(character.to_lowercase()),
                    Reading::Compared => fold(character, &mut self.text),
                }
            }
            None if self.is_silent(before, character, after) => {}
            None => self.end(character, after),
        }
        self.silent = sort.is_none() && self.sort.is_some();
        self.apart = sort.is_none();
    }

    /// Whether a character of a sort belongs to the piece before it.
    fn goes_on(&self, sort: Sort) -> bool {
        match self.reading {
            // What an apostrophe joins is one term: `f'1'` has been `f1` from the first index on.
            Reading::Searched if self.silent && sort != Sort::Ideograph => {
                self.sort != Some(Sort::Ideograph)
            }
            _ => self.sort == Some(sort) && sort != Sort::Ideograph,
        }
    }

    /// Whether a character is left out and the piece goes on: an apostrophe, a separator of thousands.
    fn is_silent(&self, before: char, character: char, after: char) -> bool {
        match (self.reading, character) {
            (Reading::Searched, _) => is_apostrophe(character) && before.is_alphabetic(),
            (_, ',' | '\'' | '_') if before.is_ascii_digit() => after.is_ascii_digit(),
            (_, '\'' | '’' | '‘' | '\u{ad}' | '\u{200c}' | '\u{200d}') => {
                before.is_alphabetic()
            }
            _ => false,
        }
    }

    fn end(&mut self, character: char, after: char) {
        self.finish();
        if self.reading == Reading::Searched {
            return;
        }
        match character {
            '(' | '（' => self.depth += 1,
            ')' | '）' => self.depth = self.depth.saturating_sub(1),
            '%' | '％' => self.push("percent".to_owned(), Sort::Word, false),
            '.' | ':' | ',' if !after.is_whitespace() => {}
            ',' | ';' | '.' | ':' | '，' | '；' | '。' | '、' | '،' | '؛' => {
                self.push(String::new(), Sort::Break, false);
            }
            _ => {}
        }
    }

    fn finish(&mut self) {
        let text = std::mem::take(&mut self.text);
        let capital = std::mem::take(&mut self.capital);
        if let Some(sort) = self.sort.take()
            && !text.is_empty()
        {
            let letter = capital && text.chars().count() == 1;
            self.push(text, sort, letter);
        }
    }

    fn push(&mut self, mut text: String, sort: Sort, letter: bool) {
        if let Some((cut, _)) = text.char_indices().nth(WORD_CHARS) {
            text.truncate(cut);
        }
        self.pieces.push(Piece {
            text,
            sort,
            aside: self.depth > 0,
            letter,
            touches: self.touches,
        });
    }
}

fn searched(character: char) -> Option<Sort> {
    match character {
        character if character.is_ascii_digit() => Some(Sort::Number),
        character if is_dense(character) => Some(Sort::Ideograph),
        character if character.is_alphanumeric() => Some(Sort::Word),
        _ => None,
    }
}

fn compared(before: char, character: char, after: char) -> Option<Sort> {
    let character = narrow(character);
    let fraction = character == '.' && before.is_ascii_digit() && after.is_ascii_digit();
    let sign = character == '-' && after.is_ascii_digit() && is_gap(before);
    if character.is_ascii_digit() || fraction || sign {
        return Some(Sort::Number);
    }
    match character {
        // A plus or a sharp behind a letter belongs to a name: C++, C#.
        '+' | '#' if before.is_alphabetic() || before == '+' => Some(Sort::Word),
        '<' | '>' | '=' | '!' | '*' | '&' | '|' | '^' | '~' | '+' => Some(Sort::Operator),
        '-' if after == '>' => Some(Sort::Operator),
        '→' | '⇒' => Some(Sort::Operator),
        '\u{3041}'..='\u{309f}' => Some(Sort::Kana),
        character if is_ideograph(character) => Some(Sort::Ideograph),
        character if character.is_alphanumeric() || is_mark(character) => Some(Sort::Word),
        _ => None,
    }
}

fn is_gap(character: char) -> bool {
    character.is_whitespace() || matches!(character, '(' | '=' | '[' | ',' | ':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        pieces(text, Reading::Compared)
            .into_iter()
            .filter(|piece| piece.sort != Sort::Break)
            .map(|piece| piece.text)
            .collect()
    }

    #[test]
    fn identifiers_of_every_style_are_the_same_words() {
        for text in [
            "DataProcessor.process",
            "data_processor_process",
            "data-processor process",
            "dataProcessor::process",
            "DATA_PROCESSOR.PROCESS",
        ] {
            assert_eq!(texts(text), ["data", "processor", "process"], "{text}");
        }
        assert_eq!(texts("HTTPServer2"), ["http", "server", "2"]);
        assert_eq!(texts("C++ to C#"), ["c++", "to", "c#"]);
    }

    #[test]
    fn a_number_is_one_piece_with_its_sign_and_fraction() {
        assert_eq!(
            texts("4,096 bytes, -1, 0.5 and 3.11"),
            ["4096", "bytes", "-1", "0.5", "and", "3.11"]
        );
        assert_eq!(texts("30s 50%"), ["30", "s", "50", "percent"]);
    }

    #[test]
    fn spellings_of_one_letter_are_one() {
        for (left, right) in [
            ("café", "cafe\u{301}"),
            ("Straße", "STRASSE"),
            ("Σίσυφος", "ΣΙΣΥΦΟΣ"),
            ("ＡＢＣ", "abc"),
            ("İstanbul", "istanbul"),
            ("ガ", "カ\u{3099}"),
            ("한", "\u{1112}\u{1161}\u{11ab}"),
            ("مُحَلِّل", "محلل"),
            ("ёлка", "елка"),
        ] {
            assert_eq!(texts(left), texts(right), "{left} {right}");
        }
    }

    #[test]
    fn parentheses_make_an_aside() {
        let asides: Vec<_> = pieces("split (complexity 11) it", Reading::Compared)
            .into_iter()
            .map(|piece| piece.aside)
            .collect();
        assert_eq!(asides, [false, true, true, false]);
    }

    #[test]
    fn an_indic_word_stays_whole() {
        assert_eq!(texts("क्षमता बढ़ाएँ").len(), 2);
    }
}
