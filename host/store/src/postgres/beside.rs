//! Owns what is written beside the documents of a batch: attributes, texts, vectors, and how many texts there are.

use std::collections::{BTreeMap, BTreeSet};

use tokio_postgres::types::Type;
use twiceshy_wit::host::Document;

use super::commit::Present;
use super::rows::{Row, Written};
use super::session::Statement;
use super::{entries, texts, vector_index};
use crate::{coarse, indexed};

/// Vectors by columns: kind, document, components, short form, code.
type Vectors = (Vec<i32>, Vec<i64>, Vec<Vec<u8>>, Vec<Vec<u8>>, Vec<String>);

/// The rows of the tables beside the documents, by columns in the order of the parameters of `twiceshy.make_commit`.
#[derive(Default)]
pub struct Beside {
    /// Attributes that are new, and that are no more: kind, entry, document.
    entered: (Vec<i32>, Vec<Vec<u8>>, Vec<i64>),
    left: (Vec<i32>, Vec<Vec<u8>>, Vec<i64>),
    /// Texts that are new, and that are no more.
    fresh: (Vec<i32>, Vec<i64>, Vec<String>),
    gone: (Vec<i32>, Vec<i64>, Vec<String>),
    /// Vectors that are new, and that are no more.
    vectors: Vectors,
    no_vectors: (Vec<i32>, Vec<i64>),
    /// Attributes of which a document has several values.
    repeated: BTreeSet<(i32, String)>,
    /// By kind how many texts and terms there are more.
    totals: BTreeMap<i32, (i64, i64)>,
}

impl Beside {
    /// Takes away what is beside a document that is removed.
    pub fn take(&mut self, kind: i32, before: &Present) {
        for entry in &before.entries {
            self.leave(kind, entry, before.doc);
        }
        self.remove_text(kind, before.doc, &before.text);
        self.remove_vector(kind, before);
    }

    /// Brings what is beside a document that is new.
    pub fn add(&mut self, row: &Row, document: &Document, written: &Written) {
        self.note_repeated(row.kind, &written.entries);
        for entry in &written.entries {
            self.enter(row.kind, &document.key.kind, entry, row.doc);
        }
        self.add_text(row.kind, row.doc, &written.text);
        self.add_vector(row.kind, row.doc, &document.vector);
    }

    /// Exchanges what is beside a document that is written again.
    pub fn change(&mut self, row: &Row, document: &Document, before: &Present, written: &Written) {
        self.note_repeated(row.kind, &written.entries);
        let gone = |entry: &&Vec<u8>| !written.entries.contains(entry);
        for entry in before.entries.iter().filter(gone) {
            self.leave(row.kind, entry, row.doc);
        }
        let new = |entry: &&Vec<u8>| !before.entries.contains(entry);
        for entry in written.entries.iter().filter(new) {
            self.enter(row.kind, &document.key.kind, entry, row.doc);
        }
        if before.text != written.text {
            self.remove_text(row.kind, row.doc, &before.text);
            self.add_text(row.kind, row.doc, &written.text);
        }
        self.remove_vector(row.kind, before);
        self.add_vector(row.kind, row.doc, &document.vector);
    }

    fn remove_vector(&mut self, kind: i32, before: &Present) {
        if before.has_vector {
            self.no_vectors.0.push(kind);
            self.no_vectors.1.push(before.doc);
        }
    }

    fn enter(&mut self, kind: i32, kind_name: &str, entry: &[u8], doc: i64) {
        if indexed::NOT_INDEXED.contains(&(kind_name, entries::name(entry))) {
            return;
        }
        self.entered.0.push(kind);
        self.entered.1.push(entry.to_vec());
        self.entered.2.push(doc);
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

    fn add_text(&mut self, kind: i32, doc: i64, text: &str) {
        if text.is_empty() {
            return;
        }
        self.count(kind, 1, text);
        self.fresh.0.push(kind);
        self.fresh.1.push(doc);
        self.fresh.2.push(text.to_owned());
    }

    fn remove_text(&mut self, kind: i32, doc: i64, text: &str) {
        if text.is_empty() {
            return;
        }
        self.count(kind, -1, text);
        self.gone.0.push(kind);
        self.gone.1.push(doc);
        self.gone.2.push(text.to_owned());
    }

    fn count(&mut self, kind: i32, sign: i64, text: &str) {
        let total = self.totals.entry(kind).or_default();
        total.0 += sign;
        total.1 += sign * i64::try_from(texts::length(text)).unwrap_or(i64::MAX);
    }

    fn add_vector(&mut self, kind: i32, doc: i64, vector: &[f32]) {
        if vector.is_empty() {
            return;
        }
        let bytes = vector.iter().flat_map(|component| component.to_le_bytes());
        self.vectors.0.push(kind);
        self.vectors.1.push(doc);
        self.vectors.2.push(bytes.collect());
        self.vectors.3.push(coarse::short(vector));
        self.vectors.4.push(code(vector));
    }

    /// Binds the columns to a call.
    pub fn bind(self, call: &mut Statement) {
        call.bind(self.left.0, Type::INT4_ARRAY);
        call.bind(self.left.1, Type::BYTEA_ARRAY);
        call.bind(self.left.2, Type::INT8_ARRAY);
        call.bind(self.entered.0, Type::INT4_ARRAY);
        call.bind(self.entered.1, Type::BYTEA_ARRAY);
        call.bind(self.entered.2, Type::INT8_ARRAY);
        let (kinds, names): (Vec<i32>, Vec<String>) = self.repeated.into_iter().unzip();
        call.bind(kinds, Type::INT4_ARRAY);
        call.bind(names, Type::TEXT_ARRAY);
        for (kinds, docs, texts) in [self.gone, self.fresh] {
            call.bind(kinds, Type::INT4_ARRAY);
            call.bind(docs, Type::INT8_ARRAY);
            call.bind(texts, Type::TEXT_ARRAY);
        }
        call.bind(self.no_vectors.0, Type::INT4_ARRAY);
        call.bind(self.no_vectors.1, Type::INT8_ARRAY);
        let (kinds, docs, vectors, shorts, codes) = self.vectors;
        let is_bulk = docs.len() > vector_index::MOST_FRESH;
        call.bind(kinds, Type::INT4_ARRAY);
        call.bind(docs, Type::INT8_ARRAY);
        call.bind(vectors, Type::BYTEA_ARRAY);
        call.bind(shorts, Type::BYTEA_ARRAY);
        call.bind(codes, Type::TEXT_ARRAY);
        call.bind(is_bulk, Type::BOOL);
        let changed = self.totals.into_iter().filter(|total| total.1 != (0, 0));
        let (mut kinds, mut texts, mut tokens) = (vec![], vec![], vec![]);
        for (kind, total) in changed {
            kinds.push(kind);
            texts.push(total.0);
            tokens.push(total.1);
        }
        call.bind(kinds, Type::INT4_ARRAY);
        call.bind(texts, Type::INT8_ARRAY);
        call.bind(tokens, Type::INT8_ARRAY);
    }
}

/// A bit for each component: whether it is above zero.
pub fn code(vector: &[f32]) -> String {
    let bit = |component: &f32| if *component > 0.0 { '1' } else { '0' };
    vector.iter().map(bit).collect()
}
