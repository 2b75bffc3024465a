//! The flat entry of the memory: a method's name and a JSON text in, a JSON text out.
//!
//! Owns how arguments are read from JSON and how a result is written. What the functions do is the
//! business of whoever implements the traits in [`memory`](crate::memory).

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::{
    FUNCTIONS,
    memory::{self, Error, *},
};

include!(concat!(env!("OUT_DIR"), "/memory_trait.rs"));

/// Calls `interface.function` with a JSON object of its arguments.
///
/// # Errors
/// `invalid-argument` if there is no such function or an argument does not fit; otherwise what the
/// function itself says.
pub fn call(memory: &impl Memory, method: &str, arguments: &str) -> Result<String, Error> {
    let method = method.replace('_', "-");
    let method = method.as_str();
    include!(concat!(env!("OUT_DIR"), "/dispatch.rs"))
}

/// The arguments of one call, by name.
struct Arguments<'a> {
    method: &'a str,
    members: Map<String, Value>,
}

impl<'a> Arguments<'a> {
    fn parse(method: &'a str, text: &str, names: &[&str]) -> Result<Self, Error> {
        let text = if text.trim().is_empty() { "{}" } else { text };
        let value = serde_json::from_str(text).map_err(|error| {
            Error::InvalidArgument(format!(
                "{method}: the arguments are not valid JSON: {error}"
            ))
        })?;
        let Value::Object(mut members) = with_contract_names(value) else {
            return Err(Error::InvalidArgument(format!(
                "{method}: the arguments must be a JSON object such as {}",
                usage(method)
            )));
        };
        // A function of one argument takes the argument's own members, too.
        if let [name] = names
            && !members.contains_key(*name)
        {
            members = Map::from_iter([((*name).to_owned(), Value::Object(members))]);
        }
        Ok(Self { method, members })
    }

    fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, Error> {
        let given = self.members.remove(name);
        let missing = given.is_none();
        let value = given.unwrap_or_else(|| Value::Object(Map::new()));
        // A text is taken from an empty object only by mistake: `{}` for a name.
        let missing = missing || value.as_object().is_some_and(Map::is_empty);
        serde_path_to_error::deserialize(value).map_err(|error| {
            let path = error.path().to_string();
            let place = if path == "." {
                name.to_owned()
            } else {
                format!("{name}.{path}")
            };
            let cause = error.into_inner();
            Error::InvalidArgument(if missing && path == "." {
                format!(
                    "{}: the argument `{name}` is missing or empty ({cause}); expected {}",
                    self.method,
                    usage(self.method)
                )
            } else {
                format!(
                    "{}: {place}: {cause}; expected {}",
                    self.method,
                    usage(self.method)
                )
            })
        })
    }

    fn end(self) -> Result<(), Error> {
        match self.members.keys().next() {
            None => Ok(()),
            Some(name) => Err(Error::InvalidArgument(format!(
                "{}: there is no argument `{name}`; expected {}",
                self.method,
                usage(self.method)
            ))),
        }
    }
}

/// Puts `-` for `_` in the names of members, so that `rule_text` is `rule-text`.
fn with_contract_names(value: Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(
            members
                .into_iter()
                .map(|(name, value)| {
                    let value = if PAYLOADS.contains(&name.as_str()) {
                        value
                    } else {
                        with_contract_names(value)
                    };
                    (name.replace('_', "-"), value)
                })
                .collect(),
        ),
        Value::Array(items) => Value::Array(items.into_iter().map(with_contract_names).collect()),
        other => other,
    }
}

/// Members whose value is a payload of a domain, with names of its own.
const PAYLOADS: [&str; 7] = [
    "before",
    "action",
    "observation",
    "expectations",
    "value",
    "output",
    "configuration",
];

/// The shape of a function's arguments, for an error message.
fn usage(method: &str) -> String {
    let function = FUNCTIONS
        .iter()
        .find(|function| method.split_once('.') == Some((function.interface, function.name)));
    function.map_or_else(String::new, crate::Function::arguments)
}

fn unknown(method: &str) -> Error {
    let interface = method.split('.').next().unwrap_or_default();
    let near: Vec<_> = FUNCTIONS
        .iter()
        .filter(|function| function.interface == interface)
        .map(|function| format!("{}.{}", function.interface, function.name))
        .collect();
    Error::InvalidArgument(if near.is_empty() {
        let mut interfaces: Vec<_> = FUNCTIONS
            .iter()
            .map(|function| function.interface)
            .collect();
        interfaces.dedup();
        format!(
            "there is no function `{method}`; the interfaces are {}",
            interfaces.join(", ")
        )
    } else {
        format!(
            "there is no function `{method}`; `{interface}` has {}",
            near.join(", ")
        )
    })
}

fn reply(result: impl Serialize) -> Result<String, Error> {
    serde_json::to_string(&result).map_err(|error| Error::Other(format!("the result: {error}")))
}
