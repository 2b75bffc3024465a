//! Owns what is written beside the documents of a batch: attributes, texts and vectors, and what of it is entered later.

use std::collections::BTreeSet;

use tokio_postgres::types::Type;
use twiceshy_wit::host::Document;

use super::commit::Present;
use super::entries;
use super::rows::{Row, Written, literal};
use super::session::Statement;
use crate::{coarse, indexed};

/// Vectors by columns: kind, document, components; and short form and code, of those that are entered at once.
type Vectors = (Vec<i32>, Vec<i64>, Vec<Vec<u8>>, Vec<Vec<u8>>, Vec<String>);

/// The rows of the tables beside the documents, by columns in the order of the parameters of `twiceshy.make_commit`.
#[derive(Default)]
pub struct Beside {
    /// Whether attributes and vectors are entered at once.
    is_bulk: bool,
    /// Documents that are removed or written again.
    touched: (Vec<i32>, Vec<i64>),
    /// Attributes that are new, and that are no more: kind, entry, document.
    entered: (Vec<i32>, Vec<Vec<u8>>, Vec<i64>),
    left: (Vec<i32>, Vec<Vec<u8>>, Vec<i64>),
    /// What is entered later.
    fresh: Fresh,
    /// Texts that are no more.
    gone: (Vec<i32>, Vec<i64>, Vec<String>),
    /// Vectors that are new, and that are no more.
    vectors: Vectors,
    no_vectors: (Vec<i32>, Vec<i64>),
    /// Attributes of which a document has several values.
    repeated: BTreeSet<(i32, String)>,
}

/// What is entered later, by columns: kind, document, text, entries, and whether it has a vector.
#[derive(Default)]
struct Fresh {
    kinds: Vec<i32>,
    docs: Vec<i64>,
    texts: Vec<Option<String>>,
    entries: Vec<Option<String>>,
    vectors: Vec<bool>,
}

impl Fresh {
    /// Notes what is to be entered of a document, if there is anything. Without entries there is no vector.
    fn push(&mut self, row: &Row, text: &str, entries: Option<String>, has_vector: bool) {
        let text = (!text.is_empty()).then(|| text.to_owned());
        if text.is_none() && entries.is_none() {
            return;
        }
        self.kinds.push(row.kind);
        self.docs.push(row.doc);
        self.texts.push(text);
        self.entries.push(entries);
        self.vectors.push(has_vector);
    }
}

impl Beside {
    /// Nothing yet. `is_bulk` says that attributes and vectors are entered at once.
    pub fn new(is_bulk: bool) -> Beside {
        Beside {
            is_bulk,
            ..Beside::default()
        }
    }

    /// Takes away what is beside a document that is removed.
    pub fn take(&mut self, kind: i32, before: &Present) {
        self.touch(kind, before.doc);
        for entry in &before.entries {
            self.leave(kind, entry, before.doc);
        }
        self.remove_text(kind, before);
        self.remove_vector(kind, before);
    }

    /// Brings what is beside a document that is new.
    pub fn add(&mut self, row: &Row, document: &Document, written: &Written) {
        self.note_repeated(row.kind, &written.entries);
        self.add_vector(row, &document.vector);
        let kind = document.key.kind.as_str();
        let indexed = (written.entries.iter()).filter(|entry| is_indexed(kind, entry));
        if self.is_bulk {
            indexed.for_each(|entry| self.enter(row, entry));
            self.fresh.push(row, &written.text, None, false);
            return;
        }
        let indexed = literal(indexed);
        let entries = (row.has_vector || indexed.len() > 2).then_some(indexed);
        self.fresh.push(row, &written.text, entries, row.has_vector);
    }

    /// Exchanges what is beside a document that is written again.
    pub fn change(&mut self, row: &Row, document: &Document, before: &Present, written: &Written) {
        self.touch(row.kind, row.doc);
        self.note_repeated(row.kind, &written.entries);
        let gone = |entry: &&Vec<u8>| !written.entries.contains(entry);
        for entry in before.entries.iter().filter(gone) {
            self.leave(row.kind, entry, row.doc);
        }
        let kind = document.key.kind.as_str();
        let new = |entry: &&Vec<u8>| !before.entries.contains(entry) && is_indexed(kind, entry);
        for entry in written.entries.iter().filter(new) {
            self.enter(row, entry);
        }
        let mut text = "";
        if before.text != written.text {
            self.remove_text(row.kind, before);
            text = &written.text;
        }
        self.remove_vector(row.kind, before);
        self.add_vector(row, &document.vector);
        let has_vector = row.has_vector && !self.is_bulk;
        let no_entries = has_vector.then(|| "{}".to_owned());
        self.fresh.push(row, text, no_entries, has_vector);
    }

    fn touch(&mut self, kind: i32, doc: i64) {
        self.touched.0.push(kind);
        self.touched.1.push(doc);
    }

    fn remove_vector(&mut self, kind: i32, before: &Present) {
        if before.has_vector {
            self.no_vectors.0.push(kind);
            self.no_vectors.1.push(before.doc);
        }
    }

    fn enter(&mut self, row: &Row, entry: &[u8]) {
        self.entered.0.push(row.kind);
        self.entered.1.push(entry.to_vec());
        self.entered.2.push(row.doc);
    }

    /// One that is not indexed is not there, which does no harm.
    fn leave(&mut self, kind: i32, entry: &[u8], doc: i64) {
        self.left.0.push(kind);
        self.left.1.push(entry.to_vec());
        self.left.2.push(doc);
    }

    /// Notes which attributes have several values in a document, by its entries, which are in their order.
    fn note_repeated(&mut self, kind: i32, all: &[Vec<u8>]) {
        let names = all.iter().map(|entry| entries::name(entry));
        for (name, next) in names.clone().zip(names.skip(1)) {
            if name == next {
                self.repeated.insert((kind, name.to_owned()));
            }
        }
    }

    fn remove_text(&mut self, kind: i32, before: &Present) {
        if before.text.is_empty() {
            return;
        }
        self.gone.0.push(kind);
        self.gone.1.push(before.doc);
        self.gone.2.push(before.text.clone());
    }

    fn add_vector(&mut self, row: &Row, vector: &[f32]) {
        if vector.is_empty() {
            return;
        }
        let bytes = vector.iter().flat_map(|component| component.to_le_bytes());
        self.vectors.0.push(row.kind);
        self.vectors.1.push(row.doc);
        self.vectors.2.push(bytes.collect());
        if self.is_bulk {
            self.vectors.3.push(coarse::short(vector));
            self.vectors.4.push(code(vector));
        }
    }

    /// Binds the documents that are removed or written again, in the order of their keys.
    pub fn bind_touched(&mut self, call: &mut Statement) {
        let (kinds, docs) = std::mem::take(&mut self.touched);
        call.bind(kinds, Type::INT4_ARRAY);
        call.bind(docs, Type::INT8_ARRAY);
    }

    /// Binds the columns to a call. Returns which attributes it notes as those of which a document has several values: those
    /// that were not noted before.
    pub fn bind(
        self,
        call: &mut Statement,
        is_noted: impl Fn(&(i32, String)) -> bool,
    ) -> Vec<(i32, String)> {
        call.bind(self.left.0, Type::INT4_ARRAY);
        call.bind(self.left.1, Type::BYTEA_ARRAY);
        call.bind(self.left.2, Type::INT8_ARRAY);
        call.bind(self.entered.0, Type::INT4_ARRAY);
        call.bind(self.entered.1, Type::BYTEA_ARRAY);
        call.bind(self.entered.2, Type::INT8_ARRAY);
        let mut repeated: Vec<(i32, String)> = self.repeated.into_iter().collect();
        repeated.retain(|name| !is_noted(name));
        let (kinds, names): (Vec<i32>, Vec<String>) = repeated.iter().cloned().unzip();
        call.bind(kinds, Type::INT4_ARRAY);
        call.bind(names, Type::TEXT_ARRAY);
        call.bind(self.gone.0, Type::INT4_ARRAY);
        call.bind(self.gone.1, Type::INT8_ARRAY);
        call.bind(self.gone.2, Type::TEXT_ARRAY);
        call.bind(self.no_vectors.0, Type::INT4_ARRAY);
        call.bind(self.no_vectors.1, Type::INT8_ARRAY);
        let (kinds, docs, vectors, shorts, codes) = self.vectors;
        call.bind(kinds, Type::INT4_ARRAY);
        call.bind(docs, Type::INT8_ARRAY);
        call.bind(vectors, Type::BYTEA_ARRAY);
        call.bind(shorts, Type::BYTEA_ARRAY);
        call.bind(codes, Type::TEXT_ARRAY);
        call.bind(self.fresh.kinds, Type::INT4_ARRAY);
        call.bind(self.fresh.docs, Type::INT8_ARRAY);
        call.bind(self.fresh.texts, Type::TEXT_ARRAY);
        call.bind(self.fresh.entries, Type::TEXT_ARRAY);
        call.bind(self.fresh.vectors, Type::BOOL_ARRAY);
        repeated
    }
}

/// Whether some question begins with an entry.
fn is_indexed(kind: &str, entry: &[u8]) -> bool {
    !indexed::NOT_INDEXED.contains(&(kind, entries::name(entry)))
}

/// A bit for each component: whether it is above zero.
pub fn code(vector: &[f32]) -> String {
    let bit = |component: &f32| if *component > 0.0 { '1' } else { '0' };
    vector.iter().map(bit).collect()
}
