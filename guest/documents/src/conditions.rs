//! Owns the order of attribute values, and whether a document passes the conditions of a question.

use std::cmp::Ordering;

use twiceshy_wit::host::{Condition, Test, Value};

/// Numbers by value, with both zeros equal, then texts by their bytes. Numbers are finite here.
pub fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
        (Value::Number(_), Value::Text(_)) => Ordering::Less,
        (Value::Text(_), Value::Number(_)) => Ordering::Greater,
        (Value::Text(a), Value::Text(b)) => a.as_bytes().cmp(b.as_bytes()),
    }
}

/// Whether two values are both texts, or both numbers.
pub fn same_type(a: &Value, b: &Value) -> bool {
    matches!(a, Value::Text(_)) == matches!(b, Value::Text(_))
}

/// Whether the values of one attribute pass a test.
pub fn passes<'a>(test: &Test, mut values: impl Iterator<Item = &'a Value>) -> bool {
    match test {
        Test::Equals(wanted) => values.any(|value| compare(value, wanted).is_eq()),
        Test::AnyOf(all) => {
            values.any(|value| all.iter().any(|wanted| compare(value, wanted).is_eq()))
        }
        Test::AtLeast(least) => {
            values.any(|value| same_type(value, least) && compare(value, least).is_ge())
        }
        Test::AtMost(most) => {
            values.any(|value| same_type(value, most) && compare(value, most).is_le())
        }
        Test::Missing => values.next().is_none(),
    }
}

/// Whether a document passes all conditions, given the values that it has of each attribute.
pub fn passes_all<'a, V: Iterator<Item = &'a Value>>(
    conditions: &'a [Condition],
    values: impl Fn(&'a str) -> V,
) -> bool {
    conditions
        .iter()
        .all(|condition| passes(&condition.test, values(&condition.attribute)))
}
