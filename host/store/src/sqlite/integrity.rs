//! Owns the search for damage in a database file, for `twiceshy doctor`.
//!
//! It says what is wrong; it repairs nothing.

use rusqlite::{Connection, ErrorCode};

use super::failure::Failure;
use super::{coarse, texts};

/// What must not be there, each as a query with one line for each problem.
const RULES: &[&str] = &[
    "SELECT 'attribute `' || name || '` of kind `' || kind || '` belongs to no document (row ' || doc || ')'
     FROM attributes a WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.doc = a.doc AND d.kind = a.kind)",
    "SELECT kind || ' `' || id || '` has version ' || version || ', which is none'
     FROM documents WHERE version NOT BETWEEN 1 AND 4294967295",
    "SELECT kind || ' `' || id || '` has a vector of ' || length(vector) || ' bytes, others of its kind have '
        || (SELECT min(length(vector)) FROM documents o INDEXED BY vectors
            WHERE o.kind = d.kind AND o.vector IS NOT NULL)
     FROM documents d WHERE vector IS NOT NULL AND (length(vector) % 4 <> 0 OR length(vector) <>
        (SELECT min(length(vector)) FROM documents o INDEXED BY vectors
         WHERE o.kind = d.kind AND o.vector IS NOT NULL))",
    "SELECT 'attribute `' || a.name || '` of ' || a.kind || ' `' || d.id || '` has several values, which is not noted'
     FROM attributes a JOIN documents d USING (doc)
     WHERE NOT EXISTS (SELECT 1 FROM repeated r WHERE r.kind = a.kind AND r.name = a.name)
     GROUP BY a.doc, a.name HAVING count(*) > 1",
    "SELECT 'the texts of kind `' || kind || '` have no index'
     FROM documents WHERE text <> '' GROUP BY kind
     HAVING NOT EXISTS (SELECT 1 FROM texts t WHERE t.kind = documents.kind)",
];

/// Looks for problems.
pub fn problems(connection: &Connection) -> Result<Vec<String>, Failure> {
    // Everything else may stumble over what is reported here.
    let mut problems = match lines(connection, "PRAGMA integrity_check") {
        Err(error) if is_damage(&error) => return Ok(vec![error.to_string()]),
        lines => lines?,
    };
    problems.retain(|line| line != "ok");
    if !problems.is_empty() {
        return Ok(problems);
    }
    for rule in RULES {
        problems.extend(lines(connection, rule)?);
    }
    problems.extend(coarse::problems(connection)?);
    for kind in texts::kinds(connection)? {
        if !texts::matches(connection, &kind)? {
            problems.push(format!(
                "the full-text index of kind `{kind}` does not match its texts"
            ));
        }
    }
    Ok(problems)
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

fn lines(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare(sql)?
        .query_map([], |row| row.get(0))?
        .collect()
}
