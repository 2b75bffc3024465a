//! Owns the attributes of documents: packed beside each document, and as entries of the index by which it is found.
//!
//! The index is ordered by name and value; what a document that is at hand has is read from its packed form, by
//! functions that this module adds to SQL. So each attribute is in one index, not in two.

use std::cmp::Ordering;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, params};
use twiceshy_wit::host::{Attribute, Test, Value};

use super::database::Database;
use crate::postings::{append, number};

/// A value of a packed attribute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Packed<'a> {
    /// A number.
    Number(f64),
    /// A text.
    Text(&'a str),
}

impl ToSql for Packed<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Packed::Text(text) => text.to_sql(),
            Packed::Number(number) => number.to_sql(),
        }
    }
}

/// Numbers by value, then texts by their bytes. Numbers are finite here.
fn compare(a: &Packed, b: &Packed) -> Ordering {
    match (a, b) {
        (Packed::Number(a), Packed::Number(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
        (Packed::Number(_), Packed::Text(_)) => Ordering::Less,
        (Packed::Text(_), Packed::Number(_)) => Ordering::Greater,
        (Packed::Text(a), Packed::Text(b)) => a.as_bytes().cmp(b.as_bytes()),
    }
}

/// The attributes of a document in packed form: for each the number of its name, and its value.
pub fn packed(
    database: &Database,
    kind: i64,
    attributes: &[Attribute],
) -> rusqlite::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(attributes.len() * 12);
    for Attribute { name, value } in attributes {
        let name = database.name_or_new(kind, name)?;
        match value {
            Value::Text(text) => append_raw(&mut bytes, name, ValueRef::Text(text.as_bytes())),
            // Both zeros are one value, and the one that is kept is the positive.
            Value::Number(number) => append_raw(&mut bytes, name, ValueRef::Real(number + 0.0)),
        }
    }
    Ok(bytes)
}

/// Appends an attribute to a packed form. The length of a text is counted from 1; 0 stands before a number.
pub fn append_raw(bytes: &mut Vec<u8>, name: i64, value: ValueRef) {
    append(bytes, name as u64);
    let mut append_number = |number: f64| {
        bytes.push(0);
        bytes.extend(number.to_le_bytes());
    };
    match value {
        ValueRef::Real(number) => append_number(number),
        ValueRef::Integer(number) => append_number(number as f64),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            append(bytes, text.len() as u64 + 1);
            bytes.extend(text);
        }
        ValueRef::Null => append_number(0.0),
    }
}

/// The names and values of a packed form. What is damaged ends it.
pub fn unpacked(mut bytes: &[u8]) -> impl Iterator<Item = (i64, Packed<'_>)> {
    std::iter::from_fn(move || {
        let name = number(&mut bytes)? as i64;
        let length = number(&mut bytes)?;
        let value = match length.checked_sub(1) {
            None => {
                let (value, rest) = bytes.split_first_chunk::<8>()?;
                bytes = rest;
                Packed::Number(f64::from_le_bytes(*value))
            }
            Some(length) => {
                let (value, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
                bytes = rest;
                Packed::Text(std::str::from_utf8(value).ok()?)
            }
        };
        Some((name, value))
    })
}

/// Enters a document into the index by its packed attributes, those that `is_indexed` says.
pub fn enter(
    connection: &Connection,
    is_indexed: impl Fn(i64) -> rusqlite::Result<bool>,
    doc: i64,
    packed: &[u8],
) -> rusqlite::Result<()> {
    let mut insert = connection.prepare_cached(
        "INSERT OR IGNORE INTO attributes (name, value, doc) VALUES (?1, ?2, ?3)",
    )?;
    let mut names = Vec::new();
    for (name, value) in unpacked(packed) {
        if is_indexed(name)? {
            insert.execute(params![name, value, doc])?;
        }
        if !names.contains(&name) {
            names.push(name);
        } else {
            connection
                .prepare_cached("UPDATE names SET repeated = 1 WHERE name = ?1 AND repeated = 0")?
                .execute([name])?;
        }
    }
    Ok(())
}

/// Takes a document out of the index.
pub fn leave(database: &Database, doc: i64, packed: &[u8]) -> rusqlite::Result<()> {
    let mut delete = database
        .prepare_cached("DELETE FROM attributes WHERE name = ?1 AND value = ?2 AND doc = ?3")?;
    for (name, value) in unpacked(packed) {
        if database.is_indexed(name)? {
            delete.execute(params![name, value, doc])?;
        }
    }
    Ok(())
}

/// Takes a document from what it was found by to what it is found by now.
pub fn exchange(
    database: &Database,
    doc: i64,
    before: &[u8],
    after: &[u8],
) -> rusqlite::Result<()> {
    if before == after {
        return Ok(());
    }
    let mut delete = database
        .prepare_cached("DELETE FROM attributes WHERE name = ?1 AND value = ?2 AND doc = ?3")?;
    for (name, value) in unpacked(before) {
        if !unpacked(after).any(|one| one == (name, value)) && database.is_indexed(name)? {
            delete.execute(params![name, value, doc])?;
        }
    }
    enter(database, |name| database.is_indexed(name), doc, after)
}

/// Whether the values that a packed form has under a name pass a test.
pub fn passes(packed: &[u8], name: i64, test: &Test) -> bool {
    let own = || {
        let values = unpacked(packed).filter(|(one, _)| *one == name);
        values.map(|(_, value)| value)
    };
    let has = |bound: &Value, is_right: fn(Ordering) -> bool| {
        let bound = packed_value(bound);
        own().any(|value| is_same_type(&value, &bound) && is_right(compare(&value, &bound)))
    };
    match test {
        Test::Equals(value) => has(value, Ordering::is_eq),
        Test::AtLeast(least) => has(least, Ordering::is_ge),
        Test::AtMost(most) => has(most, Ordering::is_le),
        Test::AnyOf(values) => values.iter().any(|value| has(value, Ordering::is_eq)),
        Test::Missing => own().next().is_none(),
    }
}

fn packed_value(value: &Value) -> Packed<'_> {
    match value {
        Value::Text(text) => Packed::Text(text),
        Value::Number(number) => Packed::Number(*number),
    }
}

fn is_same_type(a: &Packed, b: &Packed) -> bool {
    matches!(a, Packed::Text(_)) == matches!(b, Packed::Text(_))
}

/// Adds the functions that read packed attributes to a connection's SQL.
pub fn add_functions(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("has_attribute", 2, flags, |context| {
        Ok(values(context)?.next().is_some())
    })?;
    connection.create_scalar_function("has_value", 3, flags, |context| {
        has(context, Ordering::is_eq)
    })?;
    connection.create_scalar_function("has_at_least", 3, flags, |context| {
        has(context, Ordering::is_ge)
    })?;
    connection.create_scalar_function("has_at_most", 3, flags, |context| {
        has(context, Ordering::is_le)
    })?;
    connection.create_scalar_function("least_value", 2, flags, |context| {
        Ok(owned(values(context)?.min_by(compare)))
    })?;
    connection.create_scalar_function("greatest_value", 2, flags, |context| {
        Ok(owned(values(context)?.max_by(compare)))
    })
}

fn owned(value: Option<Packed>) -> rusqlite::types::Value {
    match value {
        None => rusqlite::types::Value::Null,
        Some(Packed::Number(number)) => number.into(),
        Some(Packed::Text(text)) => text.to_owned().into(),
    }
}

/// The values of the name that is asked for.
fn values<'c>(context: &'c Context<'_>) -> rusqlite::Result<impl Iterator<Item = Packed<'c>>> {
    let asked: i64 = context.get(1)?;
    let bytes = context.get_raw(0).as_blob_or_null()?.unwrap_or_default();
    Ok(unpacked(bytes)
        .filter(move |(name, _)| *name == asked)
        .map(|(_, value)| value))
}

/// Whether one of the values, of the same type as the bound, is on its right side.
fn has(context: &Context<'_>, is_right: fn(Ordering) -> bool) -> rusqlite::Result<bool> {
    let bound = match context.get_raw(2) {
        ValueRef::Text(text) => Packed::Text(std::str::from_utf8(text).unwrap_or_default()),
        ValueRef::Real(number) => Packed::Number(number),
        ValueRef::Integer(number) => Packed::Number(number as f64),
        _ => return Ok(false),
    };
    let is_right =
        |value: Packed| is_same_type(&value, &bound) && is_right(compare(&value, &bound));
    Ok(values(context)?.any(is_right))
}
