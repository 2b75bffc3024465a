//! The digest of a document: the same for the same document, whichever store keeps it.

use sha2::{Digest as _, Sha256};

use super::Kept;
use crate::postgres::entries;

/// The SHA-256 of a document with its key, its version, and all by which it is found.
pub type Digest = [u8; 32];

/// The digest of a document. Attributes count as a set, as they do for every question.
pub fn of_document(kept: &Kept) -> Digest {
    let document = &kept.document;
    let mut hash = Sha256::new();
    // Each part after its length, so that no two documents give the same bytes.
    let mut part = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(document.key.kind.as_bytes());
    part(document.key.id.as_bytes());
    part(&kept.version.to_le_bytes());
    part(document.body.as_bytes());
    part(document.text.as_bytes());
    let attributes = entries::entries(&document.attributes);
    part(&attributes.len().to_le_bytes());
    for entry in attributes {
        part(&entry);
    }
    let components: Vec<u8> = document
        .vector
        .iter()
        .flat_map(|component| component.to_le_bytes())
        .collect();
    part(&components);
    hash.finalize().into()
}

/// Bytes in hexadecimal digits.
pub fn shown(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use twiceshy_wit::host::{Attribute, Document, Key, Value};

    fn kept() -> Kept {
        let attribute = |name: &str, value| Attribute {
            name: name.into(),
            value,
        };
        Kept {
            document: Document {
                key: Key {
                    kind: "note".into(),
                    id: "a".into(),
                },
                body: "body".into(),
                attributes: vec![
                    attribute("x", Value::Number(1.0)),
                    attribute("y", Value::Text("z".into())),
                ],
                text: "some words".into(),
                vector: vec![0.5, -1.0],
            },
            version: 3,
        }
    }

    #[test]
    fn every_part_of_a_document_changes_its_digest() {
        let changes: [fn(&mut Kept); 8] = [
            |kept| kept.version = 4,
            |kept| kept.document.key.id.push('b'),
            |kept| kept.document.key.kind.push('b'),
            |kept| kept.document.body.push('b'),
            |kept| kept.document.text.push('b'),
            |kept| kept.document.attributes[0].value = Value::Number(2.0),
            |kept| kept.document.attributes.truncate(1),
            |kept| kept.document.vector[1] = 1.0,
        ];
        for (index, change) in changes.into_iter().enumerate() {
            let mut other = kept();
            change(&mut other);
            assert_ne!(of_document(&other), of_document(&kept()), "change {index}");
        }
    }

    #[test]
    fn the_order_of_attributes_does_not_count() {
        let mut other = kept();
        other.document.attributes.reverse();
        assert_eq!(of_document(&other), of_document(&kept()));
    }
}
