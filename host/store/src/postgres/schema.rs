//! Owns the shape of the database: its tables, its version, and the way from one version to the next.
//!
//! All memories of a database share the tables, and a row says which memory it is of. Row-level security shows a role the
//! rows of its own memories alone; the owner of the tables, who made them, sees all. Processes that start at once wait
//! for each other by a lock of the server, and the first does the work.

use std::time::Instant;

use tokio_postgres::error::SqlState;

use super::address::PostgresAddress;
use super::failure::{Failure, Unusable};
use super::session::{Session, Statement};

/// The steps from an empty database to today's. The version of a schema is the number of steps made. A step that was
/// released is never changed; a new one is added at the end.
pub const MIGRATIONS: &[&str] = &[
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
    include_str!("schema/4.sql"),
    include_str!("schema/5.sql"),
    include_str!("schema/6.sql"),
];

/// The lock under which the tables are made: `2shy`, and then what for.
const MAKING: &str = "SELECT pg_advisory_xact_lock(846424185, 0)";

/// The lock under which the vectors of a kind become longer or shorter, or what is fresh of it is entered: its second number
/// is the kind.
pub const VECTORS: i32 = 846_424_186;
/// See [`VECTORS`].
pub const FRESH: i32 = 846_424_187;
/// The lock that every commit shares, and that whoever moves a memory elsewhere takes alone: its second number is the
/// memory.
pub const WRITERS: i32 = 846_424_188;

/// The schema of a database as it is found: its version, 0 if there is nothing of ours.
fn version(session: &mut Session, deadline: Instant) -> Result<i32, Failure> {
    let sql = "SELECT coalesce(max(version), 0) FROM twiceshy.versions";
    match session.one(Statement::new(sql), deadline) {
        Ok(rows) => Ok(rows.first().map_or(0, |row| row.get(0))),
        Err(Failure::Refused(said))
            if [SqlState::UNDEFINED_TABLE, SqlState::INVALID_SCHEMA_NAME].contains(said.code()) =>
        {
            Ok(0)
        }
        Err(failure) => Err(failure),
    }
}

/// Brings a database to the last of `migrations`, if it is not there yet.
pub fn prepare(
    session: &mut Session,
    address: &PostgresAddress,
    migrations: &[&str],
    deadline: Instant,
) -> Result<Result<(), Unusable>, Failure> {
    let wanted = i32::try_from(migrations.len()).unwrap_or(i32::MAX);
    let found = version(session, deadline)?;
    if found > wanted {
        return Ok(Err(newer(address, found, wanted)));
    }
    if found == wanted {
        return Ok(Ok(()));
    }
    let sql = "SELECT current_setting('server_encoding'), current_setting('server_version_num')::int, pg_is_in_recovery()";
    let rows = session.one(Statement::new(sql), deadline)?;
    if let Some(row) = rows.first() {
        let (encoding, server, is_replica): (String, i32, bool) =
            (row.get(0), row.get(1), row.get(2));
        if encoding != "UTF8" {
            return Ok(Err(Unusable(format!(
                "the database {address} keeps texts as {encoding}; make one with `createdb --encoding=UTF8`"
            ))));
        }
        if server < 140_000 {
            return Ok(Err(Unusable(format!(
                "the database {address} is of PostgreSQL {}, and 14 or later is needed",
                server / 10_000
            ))));
        }
        if is_replica {
            return Ok(Err(Unusable(format!(
                "the database {address} is a replica without the tables of this twiceshy; open the primary first"
            ))));
        }
    }
    let begun = session.run(&[Statement::new("BEGIN"), Statement::new(MAKING)], deadline);
    let made = begun.and_then(|_| {
        // Another process may have done the work while this one waited.
        session.run(&[Statement::new("SAVEPOINT looking")], deadline)?;
        let found = version(session, deadline)?;
        session.run(&[Statement::new("ROLLBACK TO looking")], deadline)?;
        if found > wanted {
            return Ok(Err(newer(address, found, wanted)));
        }
        for (index, step) in migrations.iter().enumerate().skip(found.max(0) as usize) {
            for sql in statements(step) {
                session.one(Statement::new(sql), deadline)?;
            }
            let sql = format!(
                "INSERT INTO twiceshy.versions (version) VALUES ({})",
                index + 1
            );
            session.one(Statement::new(sql), deadline)?;
        }
        session.run(&[Statement::new("COMMIT")], deadline)?;
        Ok(Ok(()))
    });
    if !matches!(made, Ok(Ok(()))) {
        session.roll_back();
    }
    made
}

/// The statements of a step: a line that is empty separates them.
fn statements(step: &str) -> impl Iterator<Item = &str> {
    step.split("\n\n")
        .map(str::trim)
        .filter(|sql| !sql.is_empty())
}

fn newer(address: &PostgresAddress, found: i32, wanted: i32) -> Unusable {
    Unusable(format!(
        "the database {address} was written by a newer twiceshy (schema {found}, this one knows {wanted}); upgrade twiceshy"
    ))
}
