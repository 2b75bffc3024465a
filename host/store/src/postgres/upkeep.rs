//! Owns the look at a memory as a whole: its size, what takes how much of it, and whether its tables agree.

use tokio_postgres::Row;
use tokio_postgres::types::Type;
use twiceshy_wit::host::{Error, Store};

use super::PostgresStore;
use super::session::Statement;

/// What must not be found in a memory: the words for it, and the question that finds it.
const PROBLEMS: &[(&str, &str)] = &[
    (
        "texts are counted that are not there, or the other way round",
        "SELECT k.name FROM twiceshy.kinds k WHERE k.memory = $1
         AND (SELECT count(*) FROM twiceshy.documents d WHERE d.kind = k.kind AND d.has_text)
         <> (SELECT coalesce(sum(texts), 0) FROM twiceshy.totals t WHERE t.kind = k.kind)
          + (SELECT count(*) FROM twiceshy.fresh f WHERE f.kind = k.kind AND f.text IS NOT NULL)
          - (SELECT count(*) FROM twiceshy.gone g WHERE g.kind = k.kind)",
    ),
    (
        "documents have a vector that is not there, or the other way round",
        "SELECT k.name FROM twiceshy.kinds k WHERE k.memory = $1
         AND ((SELECT count(*) FROM twiceshy.documents d WHERE d.kind = k.kind AND d.has_vector)
              <> (SELECT count(*) FROM twiceshy.vectors v WHERE v.kind = k.kind)
           OR (SELECT count(*) FROM twiceshy.vectors v WHERE v.kind = k.kind)
              <> (SELECT count(*) FROM twiceshy.shorts s WHERE s.kind = k.kind)
               + (SELECT count(*) FROM twiceshy.fresh f WHERE f.kind = k.kind AND f.has_vector))",
    ),
    (
        "attributes are indexed of documents that are not there",
        "SELECT DISTINCT k.name FROM twiceshy.kinds k JOIN twiceshy.attributes a USING (kind)
         WHERE k.memory = $1 AND NOT EXISTS (SELECT FROM twiceshy.documents d WHERE d.doc = a.doc)",
    ),
];

/// The tables that hold words of documents.
const TABLES: [&str; 9] = [
    "documents",
    "attributes",
    "fresh",
    "gone",
    "terms",
    "postings",
    "vectors",
    "shorts",
    "archive",
];

impl PostgresStore {
    /// The bytes of all documents and what they are found by, without the server's own overhead.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub fn size_bytes(&self) -> Result<u64, Error> {
        Ok(self.usage()?.iter().map(|usage| usage.bytes).sum())
    }

    /// What takes how much, the largest first.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub fn usage(&self) -> Result<Vec<crate::Usage>, Error> {
        let sum = |name: &str, table: &str, column: &str| {
            format!(
                "SELECT '{name}', coalesce(sum(octet_length({column})), 0)::bigint, NULL::bigint
                 FROM twiceshy.{table} WHERE memory = $1"
            )
        };
        let sql = [
            "SELECT k.name, coalesce(sum(octet_length(d.body)), 0)::bigint, count(d.doc)
             FROM twiceshy.kinds k LEFT JOIN twiceshy.documents d USING (kind) WHERE k.memory = $1 GROUP BY k.name"
                .to_owned(),
            sum("index of attributes", "attributes", "entered"),
            sum("full-text index", "postings", "entries"),
            sum("full-text index", "terms", "tail"),
            sum("vectors", "vectors", "vector"),
            sum("vectors", "shorts", "short"),
        ];
        let rows = self.with_primary(|session, deadline| {
            let sql = format!(
                "SELECT name, sum(bytes)::bigint, sum(documents)::bigint FROM ({}) u(name, bytes, documents)
                 GROUP BY name ORDER BY 2 DESC, 1",
                sql.join(" UNION ALL ")
            );
            session.one(Statement::new(sql).with(self.memory()?, Type::INT4), deadline)
        })?;
        let number = |number: i64| u64::try_from(number).unwrap_or_default();
        let usage = |row: &Row| crate::Usage {
            name: row.get(0),
            bytes: number(row.get(1)),
            documents: row.get::<_, Option<i64>>(2).map(number),
        };
        Ok(rows.iter().map(usage).collect())
    }

    /// What is wrong with the tables; nothing if all is well.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub fn integrity(&self) -> Result<Vec<String>, Error> {
        self.with_primary(|session, deadline| {
            let mut found = Vec::new();
            for (words, sql) in PROBLEMS {
                let statement = Statement::new(*sql).with(self.memory()?, Type::INT4);
                let rows = session.one(statement, deadline)?;
                found.extend(rows.iter().map(|row| {
                    let kind: String = row.get(0);
                    format!("{kind}: {words}; restore a backup of the database")
                }));
            }
            Ok(found)
        })
    }

    /// What the server is: its version, whether it has vectors of its own, and whether it waits for a replica.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub fn about(&self) -> Result<String, Error> {
        let rows = self.with_primary(|session, deadline| {
            let sql = "SELECT current_setting('server_version'),
                       EXISTS (SELECT FROM pg_extension WHERE extname = 'vector'),
                       current_setting('synchronous_standby_names') <> '',
                       EXISTS (SELECT FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl)";
            session.one(Statement::new(sql), deadline)
        })?;
        let Some(row) = rows.first() else {
            return Ok(String::new());
        };
        let said = |is: bool, yes: &str, no: &str| if is { yes.to_owned() } else { no.to_owned() };
        Ok(format!(
            "PostgreSQL {}, {}, {}, {}",
            row.get::<_, String>(0),
            said(row.get(1), "pgvector", "no pgvector"),
            said(
                row.get(2),
                "commits wait for a replica",
                "commits do not wait for a replica"
            ),
            said(row.get(3), "encrypted", "not encrypted"),
        ))
    }

    /// Leaves no word of what was removed in the indices, and gives its room back to the tables. What the server's log
    /// and backups still hold is the server's own affair.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub fn rewrite(&self) -> Result<(), Error> {
        self.optimize()?;
        self.with_primary(|session, deadline| {
            for table in TABLES {
                // A role that may not do it is told so by the server in a notice, and autovacuum does it later.
                session.one(Statement::new(format!("VACUUM twiceshy.{table}")), deadline)?;
            }
            Ok(())
        })
    }
}
