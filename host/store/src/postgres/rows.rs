//! Owns documents as rows of statements: many rows in one statement, and no statement too large.

use tokio_postgres::types::Type;
use twiceshy_documents::rank::terms;
use twiceshy_wit::host::Document;

use super::entries;
use super::session::Statement;
use crate::bodies;

/// Rows of one statement: each has so many parameters, and the protocol has 65,535.
const ROWS: usize = 256;

/// A statement of up to so many rows will be sent again; of more there are too many kinds.
const STEADY: usize = 8;

/// The bytes of one statement. The protocol allows a gibibyte.
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

/// The beginning of a statement over rows, and its end.
pub type Frame = (&'static str, &'static str);

pub const INSERT: Frame = (
    "INSERT INTO twiceshy.documents (memory, kind, id, doc, version, has_text, has_vector, entries, body) VALUES ",
    "",
);
pub const CHANGE: Frame = (
    "UPDATE twiceshy.documents d SET version = u.version, has_text = u.has_text, has_vector = u.has_vector,
        entries = u.entries, body = u.body FROM (VALUES ",
    ") u(doc, version, has_text, has_vector, entries, body) WHERE d.doc = u.doc",
);

/// Rows of documents on their way into statements.
pub struct Rows {
    frame: Frame,
    statements: Vec<Statement>,
    open: Option<(Statement, usize, usize)>,
}

impl Rows {
    pub fn new(frame: Frame) -> Rows {
        Rows {
            frame,
            statements: Vec::new(),
            open: None,
        }
    }

    pub fn insert(
        &mut self,
        (memory, kind, id): (i32, i32, &str),
        doc: i64,
        version: i64,
        written: Written,
        has_vector: bool,
    ) {
        let bytes = written.body.len();
        let id = id.to_owned();
        self.row(bytes, |statement| {
            vec![
                statement.bind(memory, Type::INT4),
                statement.bind(kind, Type::INT4),
                statement.bind(id, Type::TEXT),
                statement.bind(doc, Type::INT8),
                statement.bind(version, Type::INT8),
                statement.bind(!written.text.is_empty(), Type::BOOL),
                statement.bind(has_vector, Type::BOOL),
                statement.bind(written.entries, Type::BYTEA_ARRAY),
                statement.bind(written.body, Type::BYTEA),
            ]
        });
    }

    pub fn change(&mut self, doc: i64, version: i64, written: Written, has_vector: bool) {
        let bytes = written.body.len();
        self.row(bytes, |statement| {
            vec![
                statement.bind(doc, Type::INT8),
                statement.bind(version, Type::INT8),
                statement.bind(!written.text.is_empty(), Type::BOOL),
                statement.bind(has_vector, Type::BOOL),
                statement.bind(written.entries, Type::BYTEA_ARRAY),
                statement.bind(written.body, Type::BYTEA),
            ]
        });
    }

    fn row(&mut self, bytes: usize, bind: impl FnOnce(&mut Statement) -> Vec<String>) {
        let is_full =
            |(_, rows, held): &(Statement, usize, usize)| *rows >= ROWS || held + bytes > BYTES;
        if self.open.as_ref().is_some_and(is_full) {
            self.close();
        }
        let frame = self.frame;
        let (statement, rows, held) = self
            .open
            .get_or_insert_with(|| (Statement::new(frame.0), 0, 0));
        let values = bind(statement);
        let separator = if *rows > 0 { ", " } else { "" };
        statement.push(&format!("{separator}({})", values.join(", ")));
        *rows += 1;
        *held += bytes;
    }

    fn close(&mut self) {
        if let Some((mut statement, rows, _)) = self.open.take() {
            statement.push(self.frame.1);
            if rows <= STEADY {
                statement = statement.steady();
            }
            self.statements.push(statement);
        }
    }

    pub fn end(mut self) -> Vec<Statement> {
        self.close();
        self.statements
    }
}
