//! Owns how a document is kept as bytes: what it is found by apart from its content, and the keys of both.
//!
//! A question reads the heads of a kind once, and the contents of what it returns alone. Keys are plain ASCII, so that
//! every language and every database puts them in the same order.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use twiceshy_wit::host::{Document, Error, Key, Value};

use crate::rank::counted;

/// Under which the number of the latest document is kept.
pub(crate) const ARRIVALS: &str = "m/arrivals";
/// Under which the form of everything is kept.
pub(crate) const FORM: &str = "m/form";
/// The form that is written here.
pub(crate) const CURRENT_FORM: u32 = 1;

/// What a document is found by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Head {
    /// Grows with every document that is new, and stays when it is written again.
    pub number: u64,
    pub version: u32,
    pub attributes: Vec<(String, Value)>,
    /// Each term of the text once, with how often it occurs.
    pub terms: Vec<(String, u64)>,
    pub vector: Vec<f32>,
}

impl Head {
    pub fn new(document: &Document, version: u32, number: u64) -> Self {
        let attributes = document.attributes.iter();
        Self {
            number,
            version,
            attributes: attributes
                .map(|one| (one.name.clone(), one.value.clone()))
                .collect(),
            terms: counted(&document.text).into_iter().collect(),
            vector: document.vector.clone(),
        }
    }
}

/// The content of a document.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Body<'a> {
    pub version: u32,
    pub body: &'a str,
}

/// How many documents of a kind have a vector of each length: one length, except in the middle of a batch.
pub(crate) type Lengths = Vec<(u64, u64)>;

/// A record as bytes.
pub(crate) fn to_bytes(record: &impl Serialize) -> Result<Vec<u8>, Error> {
    postcard::to_allocvec(record).map_err(|error| Error::Other(format!("a record: {error}")))
}

/// A record from bytes.
pub(crate) fn from_bytes<T: DeserializeOwned>(key: &str, bytes: &[u8]) -> Result<T, Error> {
    postcard::from_bytes(bytes).map_err(|error| corrupt(key, error))
}

/// A content from bytes.
pub(crate) fn body_from<'a>(key: &str, bytes: &'a [u8]) -> Result<Body<'a>, Error> {
    postcard::from_bytes(bytes).map_err(|error| corrupt(key, error))
}

pub(crate) fn corrupt(key: &str, cause: impl std::fmt::Display) -> Error {
    Error::Corrupt(format!(
        "the bytes under `{key}` are not what was written there: {cause}; restore the memory from a backup"
    ))
}

pub(crate) fn head_key(key: &Key) -> String {
    named("h", &key.kind, &key.id)
}

pub(crate) fn body_key(key: &Key) -> String {
    named("b", &key.kind, &key.id)
}

pub(crate) fn lengths_key(kind: &str) -> String {
    format!("v/{kind}")
}

/// The key of a content of the archive, by its name.
pub(crate) fn archive_key(name: &str) -> String {
    format!("c/{name}")
}

/// The first key of a kind's heads, and the first one after them: whatever is between begins with the first.
pub(crate) fn heads_of(kind: &str) -> (String, String) {
    (format!("h/{kind}:"), format!("h/{kind};"))
}

/// The least key after a key: no key has a character before the space.
pub(crate) fn after(key: &str) -> String {
    format!("{key} ")
}

fn named(what: &str, kind: &str, id: &str) -> String {
    let mut key = format!("{what}/{kind}:");
    for byte in id.bytes() {
        match byte {
            b' '..b'~' => key.push(char::from(byte)),
            _ => {
                let _ = write!(key, "~{byte:02x}");
            }
        }
    }
    key
}

/// The id of a head's key.
pub(crate) fn id_of(key: &str) -> Result<String, Error> {
    let unreadable = || corrupt(key, "no such key was written");
    let escaped = key.split_once(':').ok_or_else(unreadable)?.1;
    let mut parts = escaped.split('~');
    let mut id: Vec<u8> = parts.next().unwrap_or_default().into();
    for part in parts {
        let (digits, plain) = part.split_at_checked(2).ok_or_else(unreadable)?;
        id.push(u8::from_str_radix(digits, 16).map_err(|_| unreadable())?);
        id.extend_from_slice(plain.as_bytes());
    }
    String::from_utf8(id).map_err(|_| unreadable())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_of_any_characters_is_a_key_of_ascii_and_comes_back() {
        for id in [
            "", " ", "a:b/c", "~", "~7e", "日本", "e\u{308}", "\u{1}", "\u{7f}", "🦀x",
        ] {
            let key = head_key(&Key {
                kind: "note".into(),
                id: id.into(),
            });
            assert!(
                key.bytes().all(|byte| (b' '..=b'~').contains(&byte)),
                "{key}"
            );
            assert_eq!(id_of(&key).as_deref(), Ok(id));
            let (first, end) = heads_of("note");
            assert!(first <= key && key < end);
        }
    }

    #[test]
    fn the_heads_of_a_kind_are_apart_from_those_of_kinds_with_the_same_beginning() {
        let (first, end) = heads_of("note");
        for kind in ["note-x", "note0", "notes", "not"] {
            let key = head_key(&Key {
                kind: kind.into(),
                id: "a".into(),
            });
            assert!(key < first || key >= end, "{key}");
        }
    }

    #[test]
    fn bytes_of_something_else_are_corrupt() {
        assert!(matches!(
            from_bytes::<Head>("h/x:1", &[255; 3]),
            Err(Error::Corrupt(_))
        ));
        assert!(matches!(id_of("h/x:~z"), Err(Error::Corrupt(_))));
    }
}
