//! Owns the search for damage in a database file, for `twiceshy doctor`.
//!
//! It says what is wrong; it repairs nothing.

use rusqlite::{Connection, ErrorCode, params};

use super::failure::Failure;
use super::{attributes, coarse, codes, texts, vectors};
use crate::bodies;

/// What must not be there, each as a query with one line for each problem.
const RULES: &[&str] = &[
    "SELECT 'attribute `' || n.attribute || '` belongs to no document (row ' || doc || ')'
     FROM attributes a JOIN names n USING (name)
     WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.doc = a.doc AND d.kind = n.kind)",
    "SELECT 'attribute `' || n.attribute || '` of row ' || doc || ' is in the index and not in the document'
     FROM attributes a JOIN names n USING (name) JOIN documents d USING (doc)
     WHERE NOT has_attribute(d.attributes, a.name)",
    "SELECT k.name || ' `' || id || '` has version ' || version || ', which is none'
     FROM documents JOIN kinds k USING (kind) WHERE version NOT BETWEEN 1 AND 4294967295",
    "SELECT 'row ' || doc || ' has a kind without a name' FROM documents d
     WHERE NOT EXISTS (SELECT 1 FROM kinds k WHERE k.kind = d.kind)",
    "SELECT 'a vector belongs to no document (row ' || doc || ')' FROM vectors v
     WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.doc = v.doc)",
    "SELECT k.name || ' `' || id || '` has a vector of ' || length(vector) || ' bytes, and others of its kind do not'
     FROM vectors JOIN documents USING (doc) JOIN kinds k USING (kind)
     WHERE length(vector) % 4 <> 0 OR NOT EXISTS
        (SELECT 1 FROM lengths l WHERE l.kind = k.kind AND l.length = length(vector) / 4)",
    "SELECT 'the vectors of ' || k.name || ' are not counted right' FROM lengths l JOIN kinds k USING (kind)
     WHERE documents <> (SELECT count(*) FROM vectors v JOIN documents d USING (doc)
        WHERE d.kind = l.kind AND length(v.vector) / 4 = l.length)",
    "SELECT 'attribute `' || n.attribute || '` of ' || k.name || ' `' || d.id || '` has several values, which is not noted'
     FROM attributes a JOIN names n USING (name) JOIN kinds k ON k.kind = n.kind JOIN documents d USING (doc)
     WHERE NOT n.repeated GROUP BY a.doc, a.name HAVING count(*) > 1",
    "SELECT 'the texts of kind `' || k.name || '` have no index'
     FROM documents d JOIN kinds k USING (kind) WHERE has_text GROUP BY d.kind
     HAVING NOT EXISTS (SELECT 1 FROM texts t WHERE t.kind = d.kind)",
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
    let contents = contents(connection)?;
    if !contents.is_empty() {
        problems.extend(contents);
        return Ok(problems);
    }
    problems.extend(coarse::problems(connection)?);
    for kind in vectors::kinds(connection)? {
        if !codes::is_sound(connection, kind)? {
            problems.push(format!(
                "the binary codes of kind {kind} are not those of its vectors"
            ));
        }
    }
    for kind in texts::kinds(connection)? {
        if !texts::matches(connection, kind)? {
            let name = "SELECT name FROM kinds WHERE kind = ?1";
            let name: String = connection.query_row(name, [kind], |row| row.get(0))?;
            problems.push(format!(
                "the full-text index of kind `{name}` does not match its texts"
            ));
        }
    }
    Ok(problems)
}

/// Documents whose content can't be read, or whose attributes are not all in the index.
fn contents(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut problems = Vec::new();
    let mut entered = connection
        .prepare("SELECT 1 FROM attributes WHERE name = ?1 AND value = ?2 AND doc = ?3")?;
    let sql = "SELECT k.name, id, doc, attributes, has_text, body FROM documents JOIN kinds k USING (kind)";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (kind, id, doc): (String, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        match bodies::unpacked(row.get_ref(5)?.as_blob()?) {
            Err(_) => problems.push(format!("{kind} `{id}` has a damaged content")),
            Ok(content) if content.text().is_empty() == row.get::<_, bool>(4)? => {
                problems.push(format!("{kind} `{id}` has a text, which is not noted"));
            }
            Ok(_) => {}
        }
        for (name, value) in attributes::unpacked(row.get_ref(3)?.as_blob()?) {
            let indexed: bool = connection
                .prepare_cached("SELECT coalesce((SELECT indexed FROM names WHERE name = ?1), 1)")?
                .query_row([name], |row| row.get(0))?;
            if entered.exists(params![name, value, doc])? != indexed {
                let is = if indexed { "is not" } else { "does not belong" };
                problems.push(format!("an attribute of {kind} `{id}` {is} in the index"));
            }
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
