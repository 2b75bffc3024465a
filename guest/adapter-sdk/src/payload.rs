//! Payloads: JSON texts that a host hands to an adapter.
//!
//! Owns how one is read, and how what does not fit is refused: by the path of the member and the cause, so
//! that the caller can fix it. What the members are is the adapter's business.

use crate::contract::Error;
use serde::de::DeserializeOwned;

/// A payload in bytes at most, as the contract has it.
pub const PAYLOAD_BYTES: usize = 4 << 20;

/// Reads a payload by its name, such as `observation`.
///
/// # Errors
/// `invalid-input` if it is not a JSON object of that type; names the member and the cause.
pub fn read<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, Error> {
    if text.len() > PAYLOAD_BYTES {
        let size = text.len();
        let cause = format!("it has {size} bytes, and at most {PAYLOAD_BYTES} are allowed");
        return Err(refused(name, &cause));
    }
    // A derived reader also takes a list with the members in their order, which no schema means.
    if !text.trim_start().starts_with('{') {
        return Err(refused(name, "it must be a JSON object"));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let member = match path.as_str() {
            "." => name.to_owned(),
            path => format!("{name}.{path}"),
        };
        refused(&member, &error.into_inner().to_string())
    })?;
    reader
        .end()
        .map_err(|error| refused(name, &error.to_string()))?;
    Ok(value)
}

/// The error for a member that is not what it should be.
pub fn refused(member: &str, cause: &str) -> Error {
    Error::InvalidInput(format!("{member}: {cause}"))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Pose {
        at: Vec<f64>,
    }

    fn cause(text: &str) -> String {
        match read::<Pose>("before", text) {
            Err(Error::InvalidInput(cause)) => cause,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_does_not_fit_is_named_by_its_path() {
        assert!(cause(r#"{"at": [1, "x"]}"#).starts_with("before.at[1]: "));
        assert!(cause(r#"{"at": [], "to": 1}"#).contains("`to`"));
        assert!(cause("{}").contains("`at`"));
    }

    #[test]
    fn what_is_no_object_or_goes_on_after_it_is_refused() {
        for text in ["", " ", "[]", "[[1]]", "null", r#"{"at": []} {}"#, "{"] {
            assert!(cause(text).starts_with("before"), "{text}");
        }
        assert_eq!(read(" ", r#" {"at": [1.5]} "#), Ok(Pose { at: vec![1.5] }));
    }

    #[test]
    fn a_payload_beyond_the_contract_is_refused() {
        let text = format!("{{\"at\": [{}1]}}", " ".repeat(PAYLOAD_BYTES));
        assert!(cause(&text).contains("at most 4194304"));
    }
}
