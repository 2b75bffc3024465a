//! Owns documents as rows of a commit.

use tokio_postgres::types::Type;
use twiceshy_documents::rank::terms;
use twiceshy_wit::host::Document;

use super::commit::Present;
use super::entries;
use super::session::Statement;
use crate::bodies;

/// The bytes of all bodies of one call. The protocol allows a gibibyte.
const BYTES: usize = 32 << 20;

/// A document as it is kept.
pub struct Written {
    pub text: String,
    pub entries: Vec<Vec<u8>>,
    body: Vec<u8>,
}

impl Written {
    pub fn new(document: &Document) -> Written {
        let text = terms(&document.text).collect::<Vec<_>>().join(" ");
        Written {
            entries: entries::entries(&document.attributes),
            body: bodies::packed(&document.body, &text),
            text,
        }
    }
}

/// A document on its way into a row.
pub struct Row<'d> {
    /// Its number, or its place in the batch if it is new.
    pub doc: i64,
    pub kind: i32,
    pub id: &'d str,
    pub version: u32,
    pub has_vector: bool,
}

/// Documents that are written, by columns.
#[derive(Default)]
pub struct Rows {
    docs: Vec<i64>,
    kinds: Vec<i32>,
    ids: Vec<String>,
    versions: Vec<i64>,
    texts: Vec<bool>,
    vectors: Vec<bool>,
    entries: Vec<String>,
    bodies: Vec<Vec<u8>>,
    bytes: usize,
    /// Bodies that follow one by one, because all of them are too large for one call.
    later: Vec<Statement>,
}

impl Rows {
    /// Adds a row, and returns what is there then.
    pub fn put(&mut self, row: &Row, written: Written) -> Present {
        let mut body = written.body;
        if self.bytes + body.len() > BYTES && !self.docs.is_empty() {
            let sql = "UPDATE twiceshy.documents SET body = $3 WHERE kind = $1 AND id = $2";
            self.later.push(
                Statement::new(sql)
                    .steady()
                    .with(row.kind, Type::INT4)
                    .with(row.id.to_owned(), Type::TEXT)
                    .with(std::mem::take(&mut body), Type::BYTEA),
            );
        }
        self.bytes += body.len();
        self.docs.push(row.doc);
        self.kinds.push(row.kind);
        self.ids.push(row.id.to_owned());
        self.versions.push(i64::from(row.version));
        self.texts.push(!written.text.is_empty());
        self.vectors.push(row.has_vector);
        self.entries.push(literal(&written.entries));
        self.bodies.push(body);
        Present {
            doc: row.doc,
            version: row.version,
            has_vector: row.has_vector,
            entries: written.entries,
            text: written.text,
        }
    }

    /// Binds the columns to a call, and returns what has to follow it.
    pub fn bind(self, call: &mut Statement) -> Vec<Statement> {
        call.bind(self.docs, Type::INT8_ARRAY);
        call.bind(self.kinds, Type::INT4_ARRAY);
        call.bind(self.ids, Type::TEXT_ARRAY);
        call.bind(self.versions, Type::INT8_ARRAY);
        call.bind(self.texts, Type::BOOL_ARRAY);
        call.bind(self.vectors, Type::BOOL_ARRAY);
        call.bind(self.entries, Type::TEXT_ARRAY);
        call.bind(self.bodies, Type::BYTEA_ARRAY);
        self.later
    }
}

/// Entries as the server reads an array of them: arrays of several lengths can't be bound as one.
pub fn literal<'e>(entries: impl IntoIterator<Item = &'e Vec<u8>>) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut all = String::from("{");
    for entry in entries {
        if all.len() > 1 {
            all.push(',');
        }
        all.push_str("\"\\\\x");
        for byte in entry {
            for half in [byte >> 4, byte & 15] {
                all.push(char::from(DIGITS[usize::from(half)]));
            }
        }
        all.push('"');
    }
    all.push('}');
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_an_array_of_bytes_in_the_words_of_the_server() {
        assert_eq!(literal(&[]), "{}");
        let entries = [vec![0, 0xff], b"a\"".to_vec()];
        assert_eq!(literal(&entries), r#"{"\\x00ff","\\x6122"}"#);
    }
}
