//! Owns the account of the room that a store takes: documents by their kind, and what they are found by.

use rusqlite::Connection;

/// A part of a store, and the room that it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Usage {
    /// Documents of a kind by its name, or an index by what it is for.
    pub name: String,
    /// The bytes in the file. Those of documents are shared out by the length of their rows.
    pub bytes: u64,
    /// How many documents there are, if it is a kind of them.
    pub documents: Option<u64>,
}

/// The tables and indices beside the documents, by what they are for.
const INDICES: &[(&str, &[&str])] = &[
    (
        "index of attributes",
        &["attributes", "names", "sqlite_autoindex_names_1"],
    ),
    ("full-text index", &["texts", "terms", "postings", "fresh"]),
    (
        "vectors",
        &["vectors", "lengths", "coarse", "codes", "coded"],
    ),
    (
        "index of ids",
        &[
            "sqlite_autoindex_documents_1",
            "kinds",
            "sqlite_autoindex_kinds_1",
        ],
    ),
];

/// What takes how much, the largest first.
pub fn usage(connection: &Connection) -> rusqlite::Result<Vec<Usage>> {
    let tables: Vec<(String, u64)> = connection
        .prepare("SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let bytes = |names: &[&str]| -> u64 {
        let named = tables
            .iter()
            .filter(|(name, _)| names.contains(&name.as_str()));
        named.map(|(_, bytes)| bytes).sum()
    };
    let mut parts: Vec<Usage> = INDICES
        .iter()
        .map(|(name, tables)| Usage {
            name: (*name).to_owned(),
            bytes: bytes(tables),
            documents: None,
        })
        .collect();
    let mut kinds: Vec<(String, u64, u64)> = connection
        .prepare(
            "SELECT k.name, count(*), sum(length(id) + length(attributes) + length(body) + 12)
             FROM documents JOIN kinds k USING (kind) GROUP BY documents.kind",
        )?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let rows: u64 = kinds.iter().map(|kind| kind.2).sum();
    let share = bytes(&["documents"]) as f64 / rows.max(1) as f64;
    parts.extend(kinds.drain(..).map(|(name, documents, rows)| Usage {
        name,
        bytes: (rows as f64 * share) as u64,
        documents: Some(documents),
    }));
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
    parts.push(Usage {
        name: "free pages".to_owned(),
        bytes: pragma("freelist_count")? * pragma("page_size")?,
        documents: None,
    });
    parts.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
    Ok(parts)
}
