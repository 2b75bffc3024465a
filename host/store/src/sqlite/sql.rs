//! Owns pieces of SQL: text together with what is bound to it, and a test as a range of values.
//!
//! It does not know which pieces make a query.

use std::rc::Rc;

use rusqlite::ToSql;
use rusqlite::types::{self, ToSqlOutput};
use twiceshy_wit::host::{Test, Value};

/// A piece of SQL and what is bound to its question marks, in their order.
#[derive(Default)]
pub struct Sql {
    pub text: String,
    pub parameters: Vec<Parameter>,
}

impl Sql {
    pub fn new(text: impl Into<String>, parameters: impl IntoIterator<Item = Parameter>) -> Sql {
        Sql {
            text: text.into(),
            parameters: parameters.into_iter().collect(),
        }
    }

    pub fn push(&mut self, other: Sql) {
        self.text.push_str(&other.text);
        self.parameters.extend(other.parameters);
    }

    pub fn add(&mut self, text: &str, parameters: impl IntoIterator<Item = Parameter>) {
        self.text.push_str(text);
        self.parameters.extend(parameters);
    }
}

pub enum Parameter {
    One(types::Value),
    Many(Rc<Vec<types::Value>>),
}

impl ToSql for Parameter {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Parameter::One(value) => value.to_sql(),
            Parameter::Many(values) => values.to_sql(),
        }
    }
}

pub fn number(number: usize) -> Parameter {
    Parameter::One(types::Value::Integer(
        i64::try_from(number).unwrap_or(i64::MAX),
    ))
}

pub fn integer(number: i64) -> Parameter {
    Parameter::One(types::Value::Integer(number))
}

fn sql_value(value: &Value) -> types::Value {
    match value {
        Value::Text(text) => types::Value::Text(text.clone()),
        Value::Number(number) => types::Value::Real(*number),
    }
}

pub fn one(value: &Value) -> Parameter {
    Parameter::One(sql_value(value))
}

/// The values that pass a test, as a range of the column `value`; none if values can't pass it.
/// In SQLite, too, every number is before every text; the empty text is the border.
pub fn range(test: &Test) -> Option<Sql> {
    Some(match test {
        Test::Equals(value) => Sql::new("value = ?", [one(value)]),
        Test::AnyOf(values) => {
            let values = Rc::new(values.iter().map(sql_value).collect());
            Sql::new("value IN rarray(?)", [Parameter::Many(values)])
        }
        Test::AtLeast(value @ Value::Number(_)) => {
            Sql::new("value >= ? AND value < ''", [one(value)])
        }
        Test::AtMost(value @ Value::Number(_)) => Sql::new("value <= ?", [one(value)]),
        Test::AtLeast(value @ Value::Text(_)) => Sql::new("value >= ?", [one(value)]),
        Test::AtMost(value @ Value::Text(_)) => {
            Sql::new("value >= '' AND value <= ?", [one(value)])
        }
        Test::Missing => return None,
    })
}

/// A range as one of the entry `x`.
pub fn of_x(range: &str) -> String {
    range.replace("value", "x.value")
}

/// Where a walk in the order of an attribute may begin, although documents have several values of it: a
/// document that passes the test has a value there, so its first value in the order is there as well.
pub fn beginning(test: &Test, descending: bool) -> Option<Sql> {
    match (test, descending) {
        (Test::Equals(value) | Test::AtLeast(value), true) => {
            Some(Sql::new("value >= ?", [one(value)]))
        }
        (Test::Equals(value) | Test::AtMost(value), false) => {
            Some(Sql::new("value <= ?", [one(value)]))
        }
        _ => None,
    }
}
