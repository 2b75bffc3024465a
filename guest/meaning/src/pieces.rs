//! Pieces: how a text is cut for the table: words, parts of identifiers, numbers and single ideographs, each as the longest
//! pieces that the table knows.

use twiceshy_text::script::{composed, fold, is_accent, is_dense, is_hump};

/// The longest word in characters: anything longer is data.
const WORD_CHARS: usize = 48;

/// The words of a text in their order, folded: without case and accents.
pub fn words(text: &str) -> Vec<String> {
    let characters = composed(text);
    let mut words = Vec::new();
    let mut word = String::new();
    let end = |word: &mut String, words: &mut Vec<String>| {
        if !word.is_empty() && word.chars().count() <= WORD_CHARS {
            words.push(std::mem::take(word));
        }
        word.clear();
    };
    for (at, &character) in characters.iter().enumerate() {
        let before = at.checked_sub(1).map_or(' ', |at| characters[at]);
        let after = characters.get(at + 1).copied().unwrap_or(' ');
        if is_dense(character) {
            end(&mut word, &mut words);
            words.push(character.to_string());
        } else if character.is_alphanumeric() || is_accent(character) && !word.is_empty() {
            let turns = before.is_ascii_digit() != character.is_ascii_digit();
            if is_hump(before, character, after) || turns {
                end(&mut word, &mut words);
            }
            fold(character, &mut word);
        } else {
            end(&mut word, &mut words);
        }
    }
    end(&mut word, &mut words);
    words
}

/// The places of the pieces of a word in a vocabulary, longest first from the left; none if a part of it is unknown.
pub fn places(word: &str, place: impl Fn(&str) -> Option<usize>) -> Option<Vec<usize>> {
    let mut places = Vec::new();
    let mut from = 0;
    while from < word.len() {
        let ends = word[from..]
            .char_indices()
            .map(|(at, letter)| from + at + letter.len_utf8());
        let ends: Vec<_> = ends.collect();
        let (end, found) = ends.into_iter().rev().find_map(|end| {
            let piece = &word[from..end];
            let found = match from {
                0 => place(piece),
                _ => place(&format!("##{piece}")),
            };
            Some((end, found?))
        })?;
        places.push(found);
        from = end;
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_numbers_and_scripts_come_apart() {
        assert_eq!(
            words("DataProcessor.process2 Déjà 日本 can't"),
            [
                "data",
                "processor",
                "process",
                "2",
                "deja",
                "日",
                "本",
                "can",
                "t"
            ]
        );
    }

    #[test]
    fn the_longest_piece_is_taken_first() {
        let known = ["un", "##believ", "##able", "##b", "b"];
        let place = |piece: &str| known.iter().position(|known| *known == piece);
        assert_eq!(places("unbelievable", place), Some(vec![0, 1, 2]));
        assert_eq!(places("unx", place), None);
    }
}
