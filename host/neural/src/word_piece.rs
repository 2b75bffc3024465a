//! WordPiece: how a text becomes numbers of a vocabulary, as BERT's own tokenizer does it.

use std::collections::HashMap;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A word of more characters is unknown as a whole.
const WORD_CHARS: usize = 100;

/// A vocabulary with what stands for the beginning, the end and the unknown.
pub(crate) struct WordPiece {
    words: HashMap<String, u32>,
    first: u32,
    last: u32,
    unknown: u32,
    lower_case: bool,
}

impl WordPiece {
    pub(crate) fn new(words: HashMap<String, u32>, lower_case: bool) -> Result<Self, String> {
        let number = |word: &str| match words.get(word) {
            Some(number) => Ok(*number),
            None => Err(format!(
                "has no `{word}`; it is not a vocabulary of WordPiece"
            )),
        };
        Ok(Self {
            first: number("[CLS]")?,
            last: number("[SEP]")?,
            unknown: number("[UNK]")?,
            lower_case,
            words,
        })
    }

    /// One more than the largest number.
    pub(crate) fn len(&self) -> usize {
        self.words
            .values()
            .max()
            .map_or(0, |number| *number as usize + 1)
    }

    /// The numbers of a text between those of its beginning and its end, `most` at most.
    pub(crate) fn tokens(&self, text: &str, most: usize) -> Vec<u32> {
        let mut tokens = vec![self.first];
        let mut word = String::new();
        for character in self.normal(text) {
            let alone = is_punctuation(character) || is_ideograph(character);
            if alone || character.is_whitespace() {
                self.cut(&std::mem::take(&mut word), &mut tokens);
                if alone {
                    self.cut(character.encode_utf8(&mut [0; 4]), &mut tokens);
                }
                // What lies behind the end is never read.
                if tokens.len() >= most {
                    break;
                }
            } else {
                word.push(character);
            }
        }
        self.cut(&word, &mut tokens);
        tokens.truncate(most - 1);
        tokens.push(self.last);
        tokens
    }

    /// The characters that count: without controls, and where case does not matter without marks.
    fn normal<'t>(&'t self, text: &'t str) -> Box<dyn Iterator<Item = char> + 't> {
        let clean = text.chars().filter_map(|character| match character {
            '\t' | '\n' | '\r' => Some(' '),
            '\0' | '\u{fffd}' => None,
            character if character.is_control() || is_format(character) => None,
            character => Some(character),
        });
        match self.lower_case {
            true => Box::new(
                clean
                    .nfd()
                    .filter(|character| !is_combining_mark(*character))
                    .flat_map(char::to_lowercase),
            ),
            false => Box::new(clean),
        }
    }

    /// Adds the longest pieces of a word from the left, or the unknown if a part of it is.
    fn cut(&self, word: &str, tokens: &mut Vec<u32>) {
        if word.is_empty() {
            return;
        }
        if word.chars().count() > WORD_CHARS {
            return tokens.push(self.unknown);
        }
        let before = tokens.len();
        let mut rest = word;
        let mut piece = String::new();
        while !rest.is_empty() {
            let ends = rest
                .char_indices()
                .map(|(at, character)| at + character.len_utf8());
            let ends: Vec<_> = ends.collect();
            let found = ends.into_iter().rev().find_map(|end| {
                piece.clear();
                if rest.len() < word.len() {
                    piece.push_str("##");
                }
                piece.push_str(&rest[..end]);
                Some((end, *self.words.get(&piece)?))
            });
            let Some((end, number)) = found else {
                tokens.truncate(before);
                return tokens.push(self.unknown);
            };
            tokens.push(number);
            rest = &rest[end..];
        }
    }
}

/// A character that stands for itself: ASCII that is neither letter nor digit, and the punctuation of Unicode.
fn is_punctuation(character: char) -> bool {
    match character {
        character if character.is_ascii() => character.is_ascii_punctuation(),
        '\u{a1}' | '\u{a7}' | '\u{ab}' | '\u{b6}' | '\u{b7}' | '\u{bb}' | '\u{bf}' => true,
        '\u{37e}' | '\u{387}' | '\u{55a}'..='\u{55f}' | '\u{589}' | '\u{58a}' => true,
        '\u{5be}' | '\u{5c0}' | '\u{5c3}' | '\u{5f3}' | '\u{5f4}' => true,
        '\u{60c}' | '\u{60d}' | '\u{61b}' | '\u{61e}' | '\u{61f}' | '\u{66a}'..='\u{66d}' => true,
        '\u{6d4}' | '\u{964}' | '\u{965}' | '\u{e4f}' | '\u{e5a}' | '\u{e5b}' => true,
        '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{2043}' | '\u{2045}'..='\u{2051}' => true,
        '\u{2053}'..='\u{205e}' | '\u{207d}' | '\u{207e}' | '\u{208d}' | '\u{208e}' => true,
        '\u{2308}'..='\u{230b}' | '\u{2329}' | '\u{232a}' | '\u{2768}'..='\u{2775}' => true,
        '\u{27e6}'..='\u{27ef}' | '\u{2983}'..='\u{2998}' | '\u{2e00}'..='\u{2e4f}' => true,
        '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' => true,
        '\u{3030}' | '\u{303d}' | '\u{30a0}' | '\u{30fb}' | '\u{fe10}'..='\u{fe19}' => true,
        '\u{fe30}'..='\u{fe52}' | '\u{fe54}'..='\u{fe61}' | '\u{fe63}' | '\u{fe68}' => true,
        '\u{fe6a}' | '\u{fe6b}' | '\u{ff01}'..='\u{ff03}' | '\u{ff05}'..='\u{ff0a}' => true,
        '\u{ff0c}'..='\u{ff0f}' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff1f}' | '\u{ff20}' => true,
        '\u{ff3b}'..='\u{ff3d}'
        | '\u{ff3f}'
        | '\u{ff5b}'
        | '\u{ff5d}'
        | '\u{ff5f}'..='\u{ff65}' => true,
        _ => false,
    }
}

/// An ideograph, which is a word by itself.
fn is_ideograph(character: char) -> bool {
    matches!(character,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2ceaf}'
        | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

/// A character that only says how others are shown.
fn is_format(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{feff}'
        | '\u{e000}'..='\u{f8ff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0001}' | '\u{e0020}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cutter() -> WordPiece {
        let words = [
            "[CLS]", "[SEP]", "[UNK]", "un", "##believ", "##able", ",", "cafe", "日", "本",
        ];
        let words = words
            .iter()
            .zip(0..)
            .map(|(word, at)| ((*word).to_owned(), at));
        WordPiece::new(words.collect(), true).expect("a vocabulary")
    }

    #[test]
    fn words_come_apart_into_the_longest_pieces() {
        assert_eq!(
            cutter().tokens("Unbelievable, Café", 16),
            [0, 3, 4, 5, 6, 7, 1]
        );
        assert_eq!(cutter().tokens("日本\u{200b}", 16), [0, 8, 9, 1]);
        assert_eq!(cutter().tokens("unx cafe", 16), [0, 2, 7, 1]);
        assert_eq!(cutter().tokens("", 16), [0, 1]);
    }

    #[test]
    fn a_long_text_is_cut_before_its_end() {
        assert_eq!(cutter().tokens("cafe , cafe , cafe", 4), [0, 7, 6, 1]);
    }

    #[test]
    fn a_vocabulary_of_another_kind_is_refused() {
        assert!(WordPiece::new(HashMap::new(), true).is_err());
    }
}
