//! Owns the form of attributes in the database: name and value as bytes whose order is the order of the contract.
//!
//! An entry is the name, a zero, and the value: 1 and a number in eight bytes, or 2 and a text. Bytes are compared as
//! they are, whatever the database takes for the order of words, and one index serves every test and every order.

use twiceshy_wit::host::{Attribute, Test, Value};

const NUMBER: u8 = 1;
const TEXT: u8 = 2;

/// The entry of an attribute.
pub fn entry(name: &str, value: &Value) -> Vec<u8> {
    let mut bytes = beginning(name);
    match value {
        Value::Number(number) => {
            bytes.push(NUMBER);
            // Both zeros are one value. Of numbers below zero all bits are turned, of others the first.
            let bits = (number + 0.0).to_bits();
            let ordered = match bits >> 63 {
                0 => bits | 1 << 63,
                _ => !bits,
            };
            bytes.extend(ordered.to_be_bytes());
        }
        Value::Text(text) => {
            bytes.push(TEXT);
            bytes.extend(text.as_bytes());
        }
    }
    bytes
}

/// The entries of a document, in their order, each once.
pub fn entries(attributes: &[Attribute]) -> Vec<Vec<u8>> {
    let mut entries: Vec<Vec<u8>> = attributes
        .iter()
        .map(|attribute| entry(&attribute.name, &attribute.value))
        .collect();
    entries.sort_unstable();
    entries.dedup();
    entries
}

/// The name of an entry.
pub fn name(entry: &[u8]) -> &str {
    let end = entry.iter().position(|byte| *byte == 0);
    std::str::from_utf8(&entry[..end.unwrap_or(entry.len())]).unwrap_or_default()
}

/// The attribute of an entry; none if it is damaged.
#[cfg(feature = "sqlite")]
pub fn attribute(entry: &[u8]) -> Option<Attribute> {
    let end = entry.iter().position(|byte| *byte == 0)?;
    let (tag, value) = entry[end + 1..].split_first()?;
    let value = match *tag {
        NUMBER => {
            let ordered = u64::from_be_bytes(value.try_into().ok()?);
            let bits = match ordered >> 63 {
                1 => ordered & !(1 << 63),
                _ => !ordered,
            };
            Value::Number(f64::from_bits(bits))
        }
        TEXT => Value::Text(std::str::from_utf8(value).ok()?.to_owned()),
        _ => return None,
    };
    Some(Attribute {
        name: std::str::from_utf8(&entry[..end]).ok()?.to_owned(),
        value,
    })
}

/// What all entries of a name are at least.
pub fn beginning(name: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(name.len() + 10);
    bytes.extend(name.as_bytes());
    bytes.push(0);
    bytes
}

/// What all entries of a name are below.
pub fn end(name: &str) -> Vec<u8> {
    let mut bytes = name.as_bytes().to_vec();
    bytes.push(1);
    bytes
}

fn of_type(name: &str, tag: u8) -> Vec<u8> {
    let mut bytes = beginning(name);
    bytes.push(tag);
    bytes
}

/// The entries that pass a test.
#[derive(Debug, Clone, PartialEq)]
pub enum Passing {
    /// Those that are at least the first and below the second.
    Between(Vec<u8>, Vec<u8>),
    /// These.
    Among(Vec<Vec<u8>>),
    /// The document must have none that is at least the first and below the second.
    Missing(Vec<u8>, Vec<u8>),
}

/// The entries that pass a test on the attribute of a name.
pub fn passing(name: &str, test: &Test) -> Passing {
    match test {
        Test::Equals(value) => Passing::Among(vec![entry(name, value)]),
        Test::AnyOf(values) => {
            Passing::Among(values.iter().map(|value| entry(name, value)).collect())
        }
        Test::AtLeast(value) => {
            let end = match value {
                Value::Number(_) => of_type(name, TEXT),
                Value::Text(_) => end(name),
            };
            Passing::Between(entry(name, value), end)
        }
        Test::AtMost(value) => {
            let tag = match value {
                Value::Number(_) => NUMBER,
                Value::Text(_) => TEXT,
            };
            Passing::Between(of_type(name, tag), after(entry(name, value)))
        }
        Test::Missing => Passing::Missing(beginning(name), end(name)),
    }
}

/// The least bytes that are more than these.
pub fn after(mut entry: Vec<u8>) -> Vec<u8> {
    entry.push(0);
    entry
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use twiceshy_documents::conditions::{compare, passes};

    fn value() -> impl Strategy<Value = Value> {
        prop_oneof![
            prop::num::f64::NORMAL.prop_map(Value::Number),
            prop::sample::select(vec![-1.0, -0.0, 0.0, 1.0, f64::MIN, f64::MAX, 5e-324])
                .prop_map(Value::Number),
            "[\u{0}-\u{3}a-c\u{e9}]{0,4}".prop_map(|text| Value::Text(text.replace('\0', ""))),
        ]
    }

    fn test() -> impl Strategy<Value = Test> {
        prop_oneof![
            value().prop_map(Test::Equals),
            prop::collection::vec(value(), 0..3).prop_map(Test::AnyOf),
            value().prop_map(Test::AtLeast),
            value().prop_map(Test::AtMost),
            Just(Test::Missing),
        ]
    }

    fn accepts(passing: &Passing, all: &[Vec<u8>]) -> bool {
        match passing {
            Passing::Between(least, end) => all.iter().any(|one| one >= least && one < end),
            Passing::Among(wanted) => all.iter().any(|one| wanted.contains(one)),
            Passing::Missing(least, end) => !all.iter().any(|one| one >= least && one < end),
        }
    }

    proptest! {
        #[test]
        fn entries_are_in_the_order_of_their_values(a in value(), b in value()) {
            prop_assert_eq!(compare(&a, &b), entry("x", &a).cmp(&entry("x", &b)));
        }

        #[cfg(feature = "sqlite")]
        #[test]
        fn an_attribute_is_read_as_it_was_written(value in value()) {
            let read = attribute(&entry("x-y", &value)).unwrap();
            prop_assert_eq!(&read.name, "x-y");
            prop_assert!(compare(&read.value, &value).is_eq(), "{:?} of {:?}", read.value, value);
        }

        #[test]
        fn a_test_lets_the_same_through_as_an_entry(values in prop::collection::vec(value(), 0..4), test in test()) {
            let attribute = |name: &str, value: &Value| Attribute { name: name.into(), value: value.clone() };
            let mut attributes: Vec<Attribute> = values.iter().map(|value| attribute("x", value)).collect();
            attributes.push(attribute("x-y", &Value::Number(1.0)));
            attributes.push(attribute("w", &Value::Text("a".into())));
            prop_assert_eq!(accepts(&passing("x", &test), &entries(&attributes)), passes(&test, values.iter()));
        }
    }
}
