//! Characters: which script one belongs to, and what it is to a word.
//!
//! Owns every table of code points, for everything that cuts a text: terms, wordings, fingerprints, actions. The tables of
//! `unicode-segmentation` and `unicode-normalization` are not used: they know nothing of the humps of identifiers, and
//! terms, wordings and fingerprints that stores keep were cut and folded by these.

/// One character of a script in which each stands for a word or a syllable of its own: Han.
pub fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Scripts that are written without spaces between words: Han, kana, Thai, Lao.
pub fn is_dense(character: char) -> bool {
    is_ideograph(character)
        || matches!(character, '\u{3040}'..='\u{30ff}' | '\u{0e00}'..='\u{0eff}')
}

/// Scripts that a number or a Latin name may touch without a space: the dense ones, Korean, and their forms and marks.
pub fn is_unspaced(character: char) -> bool {
    is_dense(character)
        || matches!(character, '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
            | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ffef}')
}

/// Marks that belong to the letter before them, where a message or an action is cut into tokens. Fewer than
/// [`is_mark`] has: the ids of fingerprints depend on it.
pub fn is_joined(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}'
        | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{200c}' | '\u{200d}')
}

/// Marks that are written over, under or between letters and do not end a word.
pub fn is_mark(character: char) -> bool {
    is_accent(character)
        || matches!(character, '\u{0900}'..='\u{0dff}' | '\u{0e31}'..='\u{0e4e}' | '\u{0eb1}'..='\u{0ecd}'
            | '\u{0f71}'..='\u{0f84}' | '\u{102b}'..='\u{103e}' | '\u{17b4}'..='\u{17d3}')
            && !matches!(character, '\u{0964}' | '\u{0965}' | '\u{0970}')
}

/// Marks that are left out: accents, points and vowel signs that writers may leave out as well.
pub fn is_accent(character: char) -> bool {
    matches!(character, '\u{0300}'..='\u{036f}' | '\u{0483}'..='\u{0489}' | '\u{0591}'..='\u{05c7}'
        | '\u{0610}'..='\u{061a}' | '\u{0640}' | '\u{064b}'..='\u{065f}' | '\u{0670}'
        | '\u{06d6}'..='\u{06ed}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}')
}

/// The apostrophe within a word, as it is typed and as it is printed.
pub fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '’')
}

/// Whether an identifier comes apart before this character: `dataProcessor`, `HTTPServer`.
pub fn is_hump(before: char, character: char, after: char) -> bool {
    character.is_uppercase()
        && (before.is_lowercase() || (before.is_uppercase() && after.is_lowercase()))
}

/// A character of the full-width forms as the ASCII character it is.
pub fn narrow(character: char) -> char {
    match character {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(character as u32 - 0xfee0).unwrap_or(character),
        other => other,
    }
}

/// Folds the case and the accent of a letter.
pub fn fold(character: char, into: &mut String) {
    if character.is_ascii() {
        return into.push(character.to_ascii_lowercase());
    }
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
pub fn composed(text: &str) -> Vec<char> {
    let mut characters: Vec<char> = Vec::with_capacity(text.len());
    for character in text.chars() {
        let joined = match character {
            // No part of anything.
            '\0'..'\u{1161}' => None,
            _ => characters.last().and_then(|&last| join(last, character)),
        };
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
