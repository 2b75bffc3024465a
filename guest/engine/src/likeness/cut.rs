//! Cutting a text of any script into pieces: words, numbers, operators, ideographs.
//!
//! Owns where a piece begins and ends, and the folding by which two spellings of one letter are one. What a
//! piece means is the business of the wording.

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
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
pub(super) struct Piece {
    /// Folded: lower case, without marks, in one width.
    pub(super) text: String,
    pub(super) sort: Sort,
    /// Whether it stands in parentheses.
    pub(super) aside: bool,
    /// Whether it is a name of one capital, such as the A in *from A to B*.
    pub(super) letter: bool,
}

/// The longest word in characters: anything longer is data.
const WORD_CHARS: usize = 48;

/// The pieces of a text in their order.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let characters: Vec<char> = composed(text);
    let mut cutter = Cutter::default();
    for (at, &character) in characters.iter().enumerate() {
        let before = at.checked_sub(1).map_or(' ', |at| characters[at]);
        let after = characters.get(at + 1).copied().unwrap_or(' ');
        cutter.take(before, character, after);
    }
    cutter.finish();
    cutter.pieces
}

#[derive(Default)]
struct Cutter {
    pieces: Vec<Piece>,
    text: String,
    sort: Option<Sort>,
    capital: bool,
    depth: u32,
}

impl Cutter {
    fn take(&mut self, before: char, character: char, after: char) {
        match sort_of(before, character, after) {
            Some(sort) => {
                let hump = sort == Sort::Word
                    && character.is_uppercase()
                    && (before.is_lowercase() || (before.is_uppercase() && after.is_lowercase()));
                if self.sort != Some(sort) || hump || sort == Sort::Ideograph {
                    self.finish();
                }
                self.capital = self.text.is_empty() && character.is_uppercase();
                self.sort = Some(sort);
                fold(character, &mut self.text);
            }
            // A separator of thousands and an apostrophe stay within their piece.
            None if is_silent(before, character, after) => {}
            None => {
                self.finish();
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
        });
    }
}

fn sort_of(before: char, character: char, after: char) -> Option<Sort> {
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
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => {
            Some(Sort::Ideograph)
        }
        '\u{20000}'..='\u{3ffff}' => Some(Sort::Ideograph),
        character if character.is_alphanumeric() || is_mark(character) => Some(Sort::Word),
        _ => None,
    }
}

fn is_gap(character: char) -> bool {
    character.is_whitespace() || matches!(character, '(' | '=' | '[' | ',' | ':')
}

fn is_silent(before: char, character: char, after: char) -> bool {
    match character {
        ',' | '\'' | '_' if before.is_ascii_digit() => after.is_ascii_digit(),
        '\'' | '’' | '‘' | '\u{ad}' | '\u{200c}' | '\u{200d}' => before.is_alphabetic(),
        _ => false,
    }
}

/// Marks that are written over, under or between letters and do not end a word.
fn is_mark(character: char) -> bool {
    is_accent(character)
        || matches!(character, '\u{0900}'..='\u{0dff}' | '\u{0e31}'..='\u{0e4e}' | '\u{0eb1}'..='\u{0ecd}'
            | '\u{0f71}'..='\u{0f84}' | '\u{102b}'..='\u{103e}' | '\u{17b4}'..='\u{17d3}')
            && !matches!(character, '\u{0964}' | '\u{0965}' | '\u{0970}')
}

/// Marks that are left out: accents, points and vowel signs that writers may leave out as well.
fn is_accent(character: char) -> bool {
    matches!(character, '\u{0300}'..='\u{036f}' | '\u{0483}'..='\u{0489}' | '\u{0591}'..='\u{05c7}'
        | '\u{0610}'..='\u{061a}' | '\u{0640}' | '\u{064b}'..='\u{065f}' | '\u{0670}'
        | '\u{06d6}'..='\u{06ed}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}')
}

/// A character of the full-width forms as the ASCII character it is.
fn narrow(character: char) -> char {
    match character {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(character as u32 - 0xfee0).unwrap_or(character),
        other => other,
    }
}

/// Folds the case and the accent of a letter.
fn fold(character: char, into: &mut String) {
    // Upper and lower again meets what lower alone does not: ß, final sigma, dotless forms.
    for upper in narrow(character).to_uppercase() {
        for lower in upper.to_lowercase() {
            if !is_accent(lower) {
                into.push_str(plain(lower));
                if plain(lower).is_empty() {
                    into.push(lower);
                }
            }
        }
    }
}

/// The letter under the accent of a composed character; empty for a letter without one.
fn plain(letter: char) -> &'static str {
    match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' | 'ǎ' | '\u{1ea1}'..='\u{1eb7}' => {
            "a"
        }
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' | '\u{1eb9}'..='\u{1ec7}' => {
            "e"
        }
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' | '\u{1ec9}'..='\u{1ecb}' => {
            "i"
        }
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ŏ' | 'ő' | '\u{1ecd}'..='\u{1ee3}' => {
            "o"
        }
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ţ' | 'ť' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | '\u{1ee5}'..='\u{1ef1}' => {
            "u"
        }
        'ý' | 'ÿ' | '\u{1ef3}'..='\u{1ef9}' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'æ' => "ae",
        'œ' => "oe",
        'ά' => "α",
        'έ' => "ε",
        'ή' => "η",
        'ί' | 'ϊ' | 'ΐ' => "ι",
        'ό' => "ο",
        'ύ' | 'ϋ' => "υ",
        'ώ' => "ω",
        'ё' | 'э' => "е",
        'й' | 'ї' => "и",
        'أ' | 'إ' | 'آ' | 'ٱ' => "ا",
        'ى' => "ي",
        'ة' => "ه",
        _ => "",
    }
}

/// The text with what is written in parts put together, where the parts are not simply left out: voiced kana,
/// and the letters of a Korean syllable.
fn composed(text: &str) -> Vec<char> {
    let mut characters: Vec<char> = Vec::with_capacity(text.len());
    for character in text.chars() {
        let joined = characters.last().and_then(|&last| join(last, character));
        match joined {
            Some(joined) => {
                characters.pop();
                characters.push(joined);
            }
            None => characters.push(character),
        }
    }
    characters
}

fn join(last: char, next: char) -> Option<char> {
    let (left, right) = (last as u32, next as u32);
    match (left, right) {
        (0x3046..=0x30fd, 0x3099) => char::from_u32(left + 1),
        (0x306f..=0x30db, 0x309a) => char::from_u32(left + 2),
        // Korean: a leading consonant and a vowel, then a final consonant.
        (0x1100..=0x1112, 0x1161..=0x1175) => {
            char::from_u32(0xac00 + ((left - 0x1100) * 21 + right - 0x1161) * 28)
        }
        (0xac00..=0xd7a3, 0x11a8..=0x11c2) if (left - 0xac00).is_multiple_of(28) => {
            char::from_u32(left + right - 0x11a7)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        pieces(text)
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
        let asides: Vec<_> = pieces("split (complexity 11) it")
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
