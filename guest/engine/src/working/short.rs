//! Short forms of long texts, made without a model.
//!
//! Owns how a text is brought to a number of tokens: its head and its tail, cut between characters, with a mark for
//! what is left out. The same text always gives the same short form.

use crate::insertion::{self, quarters};

/// The mark for what is left out.
const MARK: &str = " […] ";

/// A text within so many tokens, by estimate. The beginning says what it is and gets two thirds.
pub(super) fn short(text: &str, tokens: u32) -> String {
    if insertion::tokens(text) <= tokens {
        return text.to_owned();
    }
    let room = u64::from(tokens.saturating_sub(insertion::tokens(MARK))) * 4;
    let head = room * 2 / 3;
    let cut = fitting(text.chars(), head);
    let (head, rest) = text.split_at(cut);
    let tail = fitting(rest.chars().rev(), room - room * 2 / 3);
    format!("{}{MARK}{}", head, &rest[rest.len() - tail..])
}

/// How many bytes of some characters cost at most so many quarters of a token.
fn fitting(characters: impl Iterator<Item = char>, mut room: u64) -> usize {
    let mut bytes = 0;
    for character in characters {
        match room.checked_sub(quarters(character)) {
            Some(left) => room = left,
            None => break,
        }
        bytes += character.len_utf8();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_short_form_has_the_head_and_the_tail() {
        let text = format!("begin {} end", "word ".repeat(1_000));
        let short = short(&text, 20);
        assert!(
            short.starts_with("begin word") && short.ends_with("word  end"),
            "{short}"
        );
        assert!(short.contains("[…]") && insertion::tokens(&short) <= 20);
    }

    proptest! {
        #[test]
        fn a_short_form_is_never_longer_than_it_may_be(text in "\\PC{0,200}", tokens in 2u32..60) {
            let short = short(&text, tokens);
            prop_assert!(insertion::tokens(&short) <= tokens, "{}", short);
        }
    }
}
