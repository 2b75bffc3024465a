//! Members of exchanged records: names in `snake_case`, instants as ISO 8601, and numbers within their range.
//!
//! Owns how members are written and read. Invalid values are refused while they are read, so that the error
//! knows its line.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value};
use twiceshy_wit::memory::Error;

use crate::{instant, payload};

/// Members that are instants, as the contract names them.
const INSTANTS: [&str; 12] = [
    "at",
    "created-at",
    "updated-at",
    "started-at",
    "ended-at",
    "last-shown-at",
    "last-accessed-at",
    "last-validated",
    "last-used",
    "last-checkpoint",
    "taken-up-at",
    "timestamp",
];

/// The last instant that is written with a year of four digits.
const LAST: u64 = 253_402_300_799_999;

/// An instant, written as ISO 8601.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At(pub(super) u64);

impl Serialize for At {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&instant::written(self.0.min(LAST)))
    }
}

impl<'de> Deserialize<'de> for At {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        instant::read(&text).map(Self).ok_or_else(|| {
            let text = payload::kept_text(&text, 100);
            D::Error::custom(format!(
                "{text:?} must be a time such as 2026-01-06T10:30:00Z"
            ))
        })
    }
}

/// A number that is finite and not negative.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub(super) struct Amount(pub(super) f64);

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // 342, not 342.0.
        match self.0.fract() == 0.0 && self.0 < 1e15 {
            true => serializer.serialize_u64(self.0 as u64),
            false => serializer.serialize_f64(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        match number.is_finite() && number >= 0.0 {
            true => Ok(Self(number)),
            false => Err(D::Error::custom(format!("{number} must not be negative"))),
        }
    }
}

/// A number from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize)]
pub(super) struct Share(pub(super) f64);

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        match (0.0..=1.0).contains(&number) {
            true => Ok(Self(number)),
            false => Err(D::Error::custom(format!("{number} must be from 0 to 1"))),
        }
    }
}

/// A word of an enumeration in `snake_case`, such as a relation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Word<T>(pub(super) T);

impl<T: Serialize> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let word = serde_json::to_value(&self.0).unwrap_or_default();
        serializer.serialize_str(&word.as_str().unwrap_or_default().replace('-', "_"))
    }
}

impl<'de, T: serde::de::DeserializeOwned> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let word = Value::String(text.replace('_', "-"));
        serde_json::from_value(word).map(Self).map_err(|error| {
            // The names that there are, as the file has them.
            D::Error::custom(error.to_string().replace('-', "_"))
        })
    }
}

/// A record of the contract as lines have it: names in `snake_case`, instants as text.
pub(super) fn outward(value: Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.into_iter().map(outward).collect()),
        Value::Object(members) => {
            let outward = members.into_iter().map(|(name, value)| {
                let value = match value.as_u64() {
                    Some(at) if INSTANTS.contains(&name.as_str()) && at <= LAST => {
                        Value::String(instant::written(at))
                    }
                    _ => outward(value),
                };
                (name.replace('-', "_"), value)
            });
            Value::Object(outward.collect())
        }
        plain => plain,
    }
}

/// The way back. Words of enumerations may be in `snake_case`, too; they are left as they are.
pub(super) fn inward(value: Value) -> Result<Value, String> {
    Ok(match value {
        Value::Array(items) => {
            Value::Array(items.into_iter().map(inward).collect::<Result<_, _>>()?)
        }
        Value::Object(members) => {
            let mut inside = Map::new();
            for (name, value) in members {
                let name = name.replace('_', "-");
                let value = match value {
                    Value::String(text) if INSTANTS.contains(&name.as_str()) => {
                        let at = instant::read(&text).ok_or_else(|| {
                            let text = payload::kept_text(&text, 100);
                            let member = name.replace('-', "_");
                            format!("{member} is {text:?}; it must be a time such as 2026-01-06T10:30:00Z")
                        })?;
                        at.into()
                    }
                    value => inward(value)?,
                };
                inside.insert(name, value);
            }
            Value::Object(inside)
        }
        plain => plain,
    })
}

/// A refusal with the place in what was handed in. Nothing is changed by it.
pub(super) fn refused(place: &str, reason: impl std::fmt::Display) -> Error {
    Error::InvalidArgument(format!("{place}: {reason}; nothing was imported"))
}

/// The lines that say something, with their numbers from 1.
pub(super) fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    lines
        .map(|(at, line)| (at + 1, line))
        .filter(|(_, line)| !line.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use twiceshy_wit::memory::Relation;

    #[test]
    fn a_record_goes_out_and_comes_back_as_it_was() {
        let inside = json!({"rule-text": "a-b", "at": 1_704_067_200_123u64, "parts": [{"last-shown-at": null}],
            "updated-at": u64::MAX >> 12});
        let outside = outward(inside.clone());
        assert_eq!(outside["at"], "2024-01-01T00:00:00.123Z");
        assert_eq!(outside["rule_text"], "a-b");
        assert_eq!(inward(outside), Ok(inside));
    }

    #[test]
    fn what_is_no_number_or_time_is_refused_with_its_line() {
        #[derive(Debug, Deserialize)]
        #[allow(dead_code, reason = "only read")]
        struct Row {
            seconds: Amount,
            share: Share,
            at: At,
            relation: Word<Relation>,
        }
        let row = |seconds: &str, share: &str, at: &str, relation: &str| {
            let text = format!(
                "{{\n\"seconds\": {seconds},\n\"share\": {share},\n\"at\": {at},\n\"relation\": {relation}\n}}"
            );
            serde_json::from_str::<Row>(&text).map_err(|error| error.to_string())
        };
        let (at, relation) = ("\"2024-01-01\"", "\"derived_from\"");
        assert!(row("1", "0.5", at, relation).is_ok());
        for (result, part) in [
            (row("null", "0.5", at, relation), "line 2"),
            (row("\"5\"", "0.5", at, relation), "line 2"),
            (
                row("-1", "0.5", at, relation),
                "-1 must not be negative at line 2",
            ),
            (
                row("1", "1.5", at, relation),
                "1.5 must be from 0 to 1 at line 3",
            ),
            (row("1", "0.5", "\"soon\"", relation), "line 4"),
            (row("1", "0.5", at, "\"hates\""), "derived_from"),
        ] {
            let error = result.expect_err(part);
            assert!(error.contains(part), "{error}");
        }
    }
}
