//! Owns what is written beside the documents of a batch: attributes, texts, vectors, and how many texts there are.

use std::collections::{BTreeMap, BTreeSet};

use tokio_postgres::types::Type;

use super::session::Statement;
use super::{entries, texts, vector_index};
use crate::{coarse, indexed};

/// Vectors by columns: kind, document, components, short form, code.
type Vectors = (Vec<i32>, Vec<i64>, Vec<Vec<u8>>, Vec<Vec<u8>>, Vec<String>);

/// The rows of the tables beside the documents.
#[derive(Default)]
pub struct Beside {
    /// Attributes that are new, and that are no more: kind, entry, document.
    pub entered: (Vec<i32>, Vec<Vec<u8>>, Vec<i64>),
    left: (Vec<i32>, Vec<Vec<u8>>, Vec<i64>),
    /// Texts that are new, and that are no more.
    fresh: (Vec<i32>, Vec<i64>, Vec<String>),
    gone: (Vec<i32>, Vec<i64>, Vec<String>),
    /// Vectors that are new, and that are no more.
    vectors: Vectors,
    pub no_vectors: (Vec<i32>, Vec<i64>),
    /// Attributes of which a document has several values.
    repeated: BTreeSet<(i32, String)>,
    /// By kind how many texts and terms there are more.
    totals: BTreeMap<i32, (i64, i64)>,
}

impl Beside {
    pub fn enter(&mut self, kind: i32, kind_name: &str, entry: &[u8], doc: i64) {
        if indexed::NOT_INDEXED.contains(&(kind_name, entries::name(entry))) {
            return;
        }
        self.entered.0.push(kind);
        self.entered.1.push(entry.to_vec());
        self.entered.2.push(doc);
    }

    /// One that is not indexed is not there, which does no harm.
    pub fn leave(&mut self, kind: i32, entry: &[u8], doc: i64) {
        self.left.0.push(kind);
        self.left.1.push(entry.to_vec());
        self.left.2.push(doc);
    }

    /// Notes which attributes have several values in a document, by its entries, which are in their order.
    pub fn note_repeated(&mut self, kind: i32, all: &[Vec<u8>]) {
        let names = all.iter().map(|entry| entries::name(entry));
        for (name, next) in names.clone().zip(names.skip(1)) {
            if name == next {
                self.repeated.insert((kind, name.to_owned()));
            }
        }
    }

    pub fn add_text(&mut self, kind: i32, doc: i64, text: &str) {
        if text.is_empty() {
            return;
        }
        self.count(kind, 1, text);
        self.fresh.0.push(kind);
        self.fresh.1.push(doc);
        self.fresh.2.push(text.to_owned());
    }

    pub fn remove_text(&mut self, kind: i32, doc: i64, text: &str) {
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

    pub fn add_vector(&mut self, kind: i32, doc: i64, vector: &[f32]) {
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

    pub fn statements(self, memory: i32) -> Vec<Statement> {
        let mut all = Vec::new();
        if !self.repeated.is_empty() {
            let (kinds, names): (Vec<i32>, Vec<String>) = self.repeated.into_iter().unzip();
            all.push(
                Statement::new(
                    "INSERT INTO twiceshy.repeated (memory, kind, name)
                     SELECT $1, kind, name FROM unnest($2, $3) u(kind, name)
                     WHERE NOT EXISTS (SELECT FROM twiceshy.repeated r WHERE r.kind = u.kind AND r.name = u.name)
                     ON CONFLICT DO NOTHING",
                )
                .with(memory, Type::INT4)
                .with(kinds, Type::INT4_ARRAY)
                .with(names, Type::TEXT_ARRAY),
            );
        }
        if !self.left.0.is_empty() {
            all.push(
                Statement::new(
                    "DELETE FROM twiceshy.attributes a USING unnest($1, $2, $3) u(kind, entry, doc)
                     WHERE a.kind = u.kind AND a.entry = u.entry AND a.doc = u.doc",
                )
                .with(self.left.0, Type::INT4_ARRAY)
                .with(self.left.1, Type::BYTEA_ARRAY)
                .with(self.left.2, Type::INT8_ARRAY),
            );
        }
        if !self.entered.0.is_empty() {
            all.push(
                Statement::new(
                    "INSERT INTO twiceshy.attributes (memory, kind, entry, doc)
                     SELECT $1, kind, entry, doc FROM unnest($2, $3, $4) u(kind, entry, doc)",
                )
                .with(memory, Type::INT4)
                .with(self.entered.0, Type::INT4_ARRAY)
                .with(self.entered.1, Type::BYTEA_ARRAY)
                .with(self.entered.2, Type::INT8_ARRAY),
            );
        }
        if !self.gone.0.is_empty() {
            // What is fresh is in no list. Who enters fresh texts just now is waited for.
            all.push(
                Statement::new(
                    "WITH texts AS MATERIALIZED (SELECT * FROM unnest($2, $3, $4) u(kind, doc, text)),
                     removed AS (DELETE FROM twiceshy.fresh f USING texts t WHERE f.kind = t.kind AND f.doc = t.doc
                                 RETURNING f.doc)
                     INSERT INTO twiceshy.gone (memory, kind, doc, text)
                     SELECT $1, kind, doc, text FROM texts WHERE doc NOT IN (SELECT doc FROM removed)",
                )
                .with(memory, Type::INT4)
                .with(self.gone.0, Type::INT4_ARRAY)
                .with(self.gone.1, Type::INT8_ARRAY)
                .with(self.gone.2, Type::TEXT_ARRAY),
            );
        }
        if !self.fresh.0.is_empty() {
            all.push(
                Statement::new(
                    "INSERT INTO twiceshy.fresh (memory, kind, doc, text)
                     SELECT $1, kind, doc, text FROM unnest($2, $3, $4) u(kind, doc, text)",
                )
                .with(memory, Type::INT4)
                .with(self.fresh.0, Type::INT4_ARRAY)
                .with(self.fresh.1, Type::INT8_ARRAY)
                .with(self.fresh.2, Type::TEXT_ARRAY),
            );
        }
        if !self.no_vectors.0.is_empty() {
            for table in ["vectors", "shorts"] {
                all.push(
                    Statement::new(format!(
                        "DELETE FROM twiceshy.{table} v USING unnest($1, $2) u(kind, doc)
                         WHERE v.kind = u.kind AND v.doc = u.doc"
                    ))
                    .with(self.no_vectors.0.clone(), Type::INT4_ARRAY)
                    .with(self.no_vectors.1.clone(), Type::INT8_ARRAY),
                );
            }
        }
        if !self.vectors.0.is_empty() {
            let (kinds, docs, vectors, shorts, codes) = self.vectors;
            let is_bulk = docs.len() > vector_index::MOST_FRESH;
            all.push(
                Statement::new(
                    "INSERT INTO twiceshy.vectors (memory, kind, doc, vector)
                     SELECT $1, kind, doc, vector FROM unnest($2, $3, $4) u(kind, doc, vector)",
                )
                .with(memory, Type::INT4)
                .with(kinds.clone(), Type::INT4_ARRAY)
                .with(docs.clone(), Type::INT8_ARRAY)
                .with(vectors, Type::BYTEA_ARRAY),
            );
            all.push(
                Statement::new(
                    "INSERT INTO twiceshy.shorts (memory, kind, doc, short, code, is_entered)
                     SELECT $1, kind, doc, short, code::varbit,
                        $6 OR to_regclass('twiceshy.near_' || kind || '_' || length(code)) IS NULL
                     FROM unnest($2, $3, $4, $5) u(kind, doc, short, code)",
                )
                .with(memory, Type::INT4)
                .with(kinds, Type::INT4_ARRAY)
                .with(docs, Type::INT8_ARRAY)
                .with(shorts, Type::BYTEA_ARRAY)
                .with(codes, Type::TEXT_ARRAY)
                .with(is_bulk, Type::BOOL),
            );
        }
        let totals: Vec<_> = self
            .totals
            .into_iter()
            .filter(|total| total.1 != (0, 0))
            .collect();
        if !totals.is_empty() {
            all.push(
                Statement::new(
                    "INSERT INTO twiceshy.totals AS t (memory, kind, slot, texts, tokens)
                     SELECT $1, kind, pg_backend_pid() % 16, texts, tokens FROM unnest($2, $3, $4) u(kind, texts, tokens)
                     ON CONFLICT (kind, slot) DO UPDATE
                     SET texts = t.texts + excluded.texts, tokens = t.tokens + excluded.tokens",
                )
                .with(memory, Type::INT4)
                .with(totals.iter().map(|total| total.0).collect::<Vec<i32>>(), Type::INT4_ARRAY)
                .with(totals.iter().map(|total| total.1.0).collect::<Vec<i64>>(), Type::INT8_ARRAY)
                .with(totals.iter().map(|total| total.1.1).collect::<Vec<i64>>(), Type::INT8_ARRAY),
            );
        }
        all.into_iter().map(Statement::steady).collect()
    }
}

/// A bit for each component: whether it is above zero.
pub fn code(vector: &[f32]) -> String {
    let bit = |component: &f32| if *component > 0.0 { '1' } else { '0' };
    vector.iter().map(bit).collect()
}
