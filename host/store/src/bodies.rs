//! Owns the form in which the content of a document is kept: its body and the terms of its text, compressed together.
//!
//! Bodies are short and similar to each other, so that a dictionary of what they have in common says most of each. A
//! dictionary that a store was written with is never changed; a new one gets a number of its own. Texts are made of
//! the words of bodies, so that beside its body a text takes hardly any room.

use std::cell::RefCell;
use std::sync::LazyLock;

use zstd::bulk::{Compressor, Decompressor};
use zstd::dict::{DecoderDictionary, EncoderDictionary};
use zstd::zstd_safe::CParameter;

use crate::postings::{append, number};

/// What bodies have in common: docs/BENCHMARKS.md says how it was trained.
const DICTIONARY: &[u8] = include_bytes!("bodies.dictionary");

/// The first byte of a content: as it is, or compressed by the dictionary.
const PLAIN: u8 = 0;
const COMPRESSED: u8 = 1;

/// Contents that are shorter stay as they are.
const SHORT: usize = 48;

/// More than the contract allows: a damaged length does not take all memory.
const LONGEST: u64 = 64 << 20;

static ENCODER: LazyLock<EncoderDictionary<'static>> =
    LazyLock::new(|| EncoderDictionary::copy(DICTIONARY, LEVEL));
static DECODER: LazyLock<DecoderDictionary<'static>> =
    LazyLock::new(|| DecoderDictionary::copy(DICTIONARY));

/// How hard to compress. Beyond 3, time grows and size hardly shrinks.
const LEVEL: i32 = 3;

thread_local! {
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// A content as it is kept.
pub fn packed(body: &str, text: &str) -> Vec<u8> {
    let mut plain = Vec::with_capacity(body.len() + text.len() + 8);
    append(&mut plain, text.len() as u64);
    plain.extend(text.as_bytes());
    plain.extend(body.as_bytes());
    let mut bytes = vec![PLAIN];
    if plain.len() >= SHORT
        && let Some(short) = compressed(&plain)
        && short.len() < plain.len()
    {
        bytes[0] = COMPRESSED;
        append(&mut bytes, plain.len() as u64);
        bytes.extend(short);
    } else {
        bytes.extend(plain);
    }
    bytes
}

fn compressed(plain: &[u8]) -> Option<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|kept| {
        let compressor = match kept {
            Some(compressor) => compressor,
            None => {
                let mut new = Compressor::with_prepared_dictionary(&ENCODER).ok()?;
                // The length is kept before it, and the database and the host check the rest.
                for parameter in [
                    CParameter::ContentSizeFlag(false),
                    CParameter::DictIdFlag(false),
                    CParameter::ChecksumFlag(false),
                ] {
                    new.set_parameter(parameter).ok()?;
                }
                kept.insert(new)
            }
        };
        compressor.compress(plain).ok()
    })
}

/// A content that can't be read.
#[derive(Debug)]
pub struct Damaged;

#[cfg(feature = "sqlite")]
impl From<Damaged> for rusqlite::Error {
    fn from(_: Damaged) -> Self {
        rusqlite::types::FromSqlError::Other("a document's content is damaged".into()).into()
    }
}

/// The body and the terms of a content.
pub fn unpacked(bytes: &[u8]) -> Result<Content, Damaged> {
    content(bytes).ok_or(Damaged)
}

/// What a document says.
#[derive(Debug, PartialEq)]
pub struct Content {
    /// Text first, then body.
    both: String,
    text_bytes: usize,
}

impl Content {
    pub fn text(&self) -> &str {
        &self.both[..self.text_bytes]
    }

    pub fn into_text(mut self) -> String {
        self.both.truncate(self.text_bytes);
        self.both
    }

    pub fn into_body(mut self) -> String {
        self.both.drain(..self.text_bytes);
        self.both
    }
}

fn content(bytes: &[u8]) -> Option<Content> {
    let (form, mut rest) = bytes.split_first()?;
    let mut plain = match *form {
        PLAIN => rest.to_vec(),
        COMPRESSED => {
            let length = number(&mut rest).filter(|length| *length <= LONGEST)? as usize;
            let plain = decompressed(rest, length)?;
            (plain.len() == length).then_some(plain)?
        }
        _ => return None,
    };
    let mut left = &plain[..];
    let text_bytes = usize::try_from(number(&mut left)?).ok()?;
    let head = plain.len() - left.len();
    plain.drain(..head);
    let both = String::from_utf8(plain).ok()?;
    both.is_char_boundary(text_bytes)
        .then_some(Content { both, text_bytes })
}

fn decompressed(short: &[u8], length: usize) -> Option<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|kept| {
        let decompressor = match kept {
            Some(decompressor) => decompressor,
            None => kept.insert(Decompressor::with_prepared_dictionary(&DECODER).ok()?),
        };
        decompressor.decompress(short, length).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_content_is_read_as_it_was_written(body in ".{0,300}", text in "[a-zё ]{0,90}", times in 1usize..4) {
            let body = body.repeat(times);
            let kept = packed(&body, &text);
            let content = unpacked(&kept).unwrap();
            prop_assert_eq!(content.text(), &text);
            prop_assert_eq!(content.into_body(), body);
        }

        #[test]
        fn what_is_damaged_is_refused_or_something_else_but_never_a_crash(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = unpacked(&bytes);
        }
    }

    #[test]
    fn a_body_of_a_step_takes_a_fraction_of_its_room() {
        let body = r#"{"run":"run_0123456789abcdef","index":3,"domain":"cli","at":1704067200000,"step":{"before":"","action":"{\"action\":\"cargo test\",\"target\":null}","observation":"{\"error\":null,\"result\":\"ok\"}"},"feedback":{"action-text":"cargo test","hard-failure":null,"constraint-failure":[],"progress-signal":null,"efficiency-signal":null},"event-id":null,"fingerprint":null}"#;
        let kept = packed(body, "");
        assert!(
            kept.len() * 3 < body.len(),
            "{} of {}",
            kept.len(),
            body.len()
        );
    }
}
