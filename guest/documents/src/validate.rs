//! Owns the limits of the contract: what a well-formed key, batch and question look like.
//!
//! Every store asks here before it does anything, so that all of them refuse the same inputs with the
//! same words. What depends on the stored documents (versions, the length of a kind's vectors) is not
//! known here.

use std::fmt::Arguments;

use twiceshy_wit::host::{Change, Condition, Document, Error, Key, Order, Query, Test, Value};

/// The most keys in one read, and the most changes in one batch.
pub const MOST_AT_ONCE: usize = 1_000;
/// The longest kind and the longest attribute name, in bytes.
pub const LONGEST_NAME: usize = 32;
/// The longest id, in bytes.
pub const LONGEST_ID: usize = 256;
/// The longest text of an attribute, in bytes.
pub const LONGEST_VALUE: usize = 1024;
/// The longest body, in bytes.
pub const LONGEST_BODY: usize = 8 * 1024 * 1024;
/// The most documents in one answer.
pub const LARGEST_LIMIT: u32 = 10_000;
/// The most conditions in one question. The contract names no bound; one is needed so that every store
/// can promise to answer.
pub const MOST_CONDITIONS: usize = 100;

/// What is wrong, with the member it is wrong with, which is put into words only then.
type Checked = Result<(), Error>;

fn invalid(member: Arguments, cause: impl std::fmt::Display) -> Error {
    Error::InvalidArgument(format!("{member}: {cause}"))
}

/// Checks the keys of a read.
pub fn keys(keys: &[Key]) -> Checked {
    at_most(format_args!("keys"), keys.len(), MOST_AT_ONCE)?;
    for (index, one) in keys.iter().enumerate() {
        key(format_args!("keys[{index}]"), one)?;
    }
    Ok(())
}

/// Checks a batch of changes.
pub fn batch(batch: &[Change]) -> Checked {
    at_most(format_args!("batch"), batch.len(), MOST_AT_ONCE)?;
    for (index, change) in batch.iter().enumerate() {
        match change {
            Change::Put(put) => document(format_args!("batch[{index}].document"), &put.document)?,
            Change::Remove(removal) => key(format_args!("batch[{index}].key"), &removal.key)?,
        }
    }
    Ok(())
}

/// Checks a question.
pub fn query(query: &Query) -> Checked {
    conditions(&query.kind, &query.conditions)?;
    match &query.order {
        Order::ById => {}
        Order::ByAttribute(order) => name(format_args!("order.attribute"), &order.attribute)?,
        Order::ByText(terms) => no_nul(format_args!("order.by-text"), terms)?,
        Order::ByNearest(vector) if vector.is_empty() => {
            return Err(invalid(
                format_args!("order.by-nearest"),
                "the vector is empty; pass one as long as the others of the kind",
            ));
        }
        Order::ByNearest(vector) => finite(format_args!("order.by-nearest"), vector)?,
    }
    if query.limit > LARGEST_LIMIT {
        return Err(invalid(
            format_args!("limit"),
            format_args!(
                "{} is more than {LARGEST_LIMIT}; use a smaller limit and `offset`",
                query.limit
            ),
        ));
    }
    Ok(())
}

/// Checks a kind and the conditions on its documents.
pub fn conditions(kind: &str, conditions: &[Condition]) -> Checked {
    name(format_args!("kind"), kind)?;
    at_most(
        format_args!("conditions"),
        conditions.len(),
        MOST_CONDITIONS,
    )?;
    for (index, condition) in conditions.iter().enumerate() {
        let member = format_args!("conditions[{index}]");
        name(format_args!("{member}.attribute"), &condition.attribute)?;
        match &condition.test {
            Test::Equals(one) | Test::AtLeast(one) | Test::AtMost(one) => {
                value(format_args!("{member}.test"), one)?
            }
            Test::AnyOf(values) => {
                values
                    .iter()
                    .try_for_each(|one| value(format_args!("{member}.test"), one))?;
            }
            Test::Missing => {}
        }
    }
    Ok(())
}

/// Refuses a vector of another length than the other vectors of its kind.
pub fn same_length(member: &str, kind: &str, length: usize, others: usize) -> Checked {
    if length == others {
        return Ok(());
    }
    Err(invalid(
        format_args!("{member}"),
        format_args!(
            "the vector has {length} components, but those of kind `{kind}` have {others}; replace all vectors of \
             the kind together, or use another kind"
        ),
    ))
}

fn document(member: Arguments, document: &Document) -> Checked {
    key(format_args!("{member}.key"), &document.key)?;
    at_most_bytes(format_args!("{member}.body"), &document.body, LONGEST_BODY)?;
    no_nul(format_args!("{member}.body"), &document.body)?;
    for (index, attribute) in document.attributes.iter().enumerate() {
        name(
            format_args!("{member}.attributes[{index}].name"),
            &attribute.name,
        )?;
        value(
            format_args!("{member}.attributes[{index}].value"),
            &attribute.value,
        )?;
    }
    no_nul(format_args!("{member}.text"), &document.text)?;
    finite(format_args!("{member}.vector"), &document.vector)
}

fn key(member: Arguments, key: &Key) -> Checked {
    name(format_args!("{member}.kind"), &key.kind)?;
    at_most_bytes(format_args!("{member}.id"), &key.id, LONGEST_ID)?;
    no_nul(format_args!("{member}.id"), &key.id)
}

fn name(member: Arguments, name: &str) -> Checked {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if !name.is_empty() && name.len() <= LONGEST_NAME && name.bytes().all(allowed) {
        return Ok(());
    }
    let shown: String = name.chars().take(LONGEST_NAME + 1).collect();
    Err(invalid(
        member,
        format_args!(
            "{shown:?} is not a name; use 1 to {LONGEST_NAME} lowercase letters, digits and dashes"
        ),
    ))
}

fn value(member: Arguments, value: &Value) -> Checked {
    match value {
        Value::Number(number) if number.is_finite() => Ok(()),
        Value::Number(number) => Err(invalid(
            member,
            format_args!("{number} is not a finite number"),
        )),
        Value::Text(text) => {
            at_most_bytes(member, text, LONGEST_VALUE)?;
            no_nul(member, text)
        }
    }
}

fn finite(member: Arguments, vector: &[f32]) -> Checked {
    match vector.iter().position(|component| !component.is_finite()) {
        None => Ok(()),
        Some(index) => Err(invalid(
            member,
            format_args!(
                "component {index} is {}, not a finite number",
                vector[index]
            ),
        )),
    }
}

/// A NUL ends a text for some databases and is refused by others; one rule for all is to have none.
fn no_nul(member: Arguments, text: &str) -> Checked {
    match text.find('\0') {
        None => Ok(()),
        Some(at) => Err(invalid(
            member,
            format_args!("has a NUL at byte {at}, which can't be stored; remove it"),
        )),
    }
}

fn at_most(member: Arguments, length: usize, most: usize) -> Checked {
    if length <= most {
        return Ok(());
    }
    Err(invalid(
        member,
        format_args!(
            "has {length} entries, and at most {most} are allowed at once; use several calls"
        ),
    ))
}

fn at_most_bytes(member: Arguments, text: &str, most: usize) -> Checked {
    if text.len() <= most {
        return Ok(());
    }
    Err(invalid(
        member,
        format_args!(
            "is {} bytes long, and at most {most} are allowed",
            text.len()
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(result: Checked) -> String {
        match result {
            Err(Error::InvalidArgument(message)) => message,
            other => panic!("not refused as an invalid argument: {other:?}"),
        }
    }

    #[test]
    fn a_refusal_names_the_member_and_the_way_out() {
        let keys: Vec<Key> = ["event", "Event"]
            .map(|kind| Key {
                kind: kind.into(),
                id: "1".into(),
            })
            .into();
        assert_eq!(
            refusal(super::keys(&keys)),
            "keys[1].kind: \"Event\" is not a name; use 1 to 32 lowercase letters, digits and dashes"
        );
    }

    #[test]
    fn a_name_is_1_to_32_lowercase_letters_digits_and_dashes() {
        for good in ["a", "rule-text", "0", "-", &"x".repeat(32)] {
            assert_eq!(name(format_args!("name"), good), Ok(()), "{good}");
        }
        for bad in ["", "A", "a_b", "a b", "é", "a.b", &"x".repeat(33)] {
            refusal(name(format_args!("name"), bad));
        }
    }

    #[test]
    fn a_number_is_finite() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            refusal(value(format_args!("value"), &Value::Number(bad)));
        }
        assert_eq!(value(format_args!("value"), &Value::Number(-0.0)), Ok(()));
    }
}
