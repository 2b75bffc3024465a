//! The flat entry of the memory: a method's name and a JSON text in, a JSON text out.
//!
//! Owns how arguments are read from JSON and how a result is written. What the functions do is the
//! business of the implementation of the traits in [`memory`](crate::memory).

use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

pub use crate::generated::dispatch::Memory;
use crate::{
    FUNCTIONS, Function,
    description::{Record, Type},
    generated::dispatch::dispatch,
    memory::Error,
};

/// Calls `interface.function` with a JSON object of its arguments.
///
/// # Errors
/// `invalid-argument` if there is no such function or an argument does not fit; otherwise what the
/// function itself says.
pub fn call(memory: &impl Memory, method: &str, arguments: &str) -> Result<String, Error> {
    let function = Function::named(method).ok_or_else(|| unknown(method))?;
    let arguments = Arguments::parse(function, arguments)?;
    dispatch(memory, &function.method(), arguments)
}

/// The arguments of one call, by name.
pub(crate) struct Arguments {
    function: &'static Function,
    members: Map<String, Value>,
}

impl Arguments {
    fn parse(function: &'static Function, text: &str) -> Result<Self, Error> {
        let method = function.method();
        let text = if text.trim().is_empty() { "{}" } else { text };
        let value = serde_json::from_str(text).map_err(|error| {
            Error::InvalidArgument(format!(
                "{method}: the arguments are not valid JSON: {error}"
            ))
        })?;
        let Value::Object(members) = value else {
            return Err(Error::InvalidArgument(format!(
                "{method}: the arguments must be a JSON object such as {}",
                function.arguments()
            )));
        };
        let mut members = with_hyphens(members);
        // Nothing is what an argument that is no record is left out by.
        let is_left_out = members.is_empty() && function.only_record().is_none();
        if let [only] = function.parameters
            && !is_left_out
            && !is_wrapped(only.name, function.only_record(), &members)
        {
            members = Map::from_iter([(only.name.to_owned(), Value::Object(members))]);
        }
        let is_one = |name: &str| function.parameters.iter().any(|one| one.name == name);
        if let Some(name) = members.keys().find(|name| !is_one(name)) {
            return Err(Error::InvalidArgument(format!(
                "{method}: there is no argument `{name}`; expected {}",
                function.arguments()
            )));
        }
        for parameter in function.parameters {
            if let Some(value) = members.get_mut(parameter.name) {
                name_as_contract(value, &parameter.ty);
            }
        }
        Ok(Self { function, members })
    }

    /// Takes an argument out. One that is not there is as empty as its type allows.
    pub(crate) fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, Error> {
        let given = self.members.remove(name);
        // A text is taken from an empty object only by mistake: `{}` for a name.
        let is_missing = given
            .as_ref()
            .is_none_or(|value| value.as_object().is_some_and(Map::is_empty));
        let value = given.unwrap_or_else(|| self.nothing(name));
        serde_path_to_error::deserialize(value).map_err(|error| {
            let path = error.path().to_string();
            let place = if path == "." {
                name.to_owned()
            } else {
                format!("{name}.{path}")
            };
            let (method, expected) = (self.function.method(), self.function.arguments());
            let cause = error.into_inner();
            Error::InvalidArgument(if is_missing && path == "." {
                format!(
                    "{method}: the argument `{name}` is missing or empty ({cause}); expected {expected}"
                )
            } else {
                format!("{method}: {place}: {cause}; expected {expected}")
            })
        })
    }

    /// What stands for an argument that was left out.
    fn nothing(&self, name: &str) -> Value {
        let mut parameters = self.function.parameters.iter();
        match parameters.find(|one| one.name == name).map(|one| one.ty) {
            Some(Type::Option(_)) => Value::Null,
            Some(Type::List(_)) => Value::Array(Vec::new()),
            _ => Value::Object(Map::new()),
        }
    }
}

/// Whether members hold a function's only argument under its name, and are not the members of the argument itself,
/// which may have one of the same name: `decisions.filter` takes `hypotheses`, and those have `hypotheses`.
fn is_wrapped(name: &str, record: Option<&Record>, members: &Map<String, Value>) -> bool {
    let Some(given) = members.get(name) else {
        return false;
    };
    match record.and_then(|record| record.field(name)) {
        Some(_) => members.len() == 1 && given.is_object(),
        None => true,
    }
}

/// Puts `-` for `_` in the names of members, so that `rule_text` is `rule-text`.
fn with_hyphens(members: Map<String, Value>) -> Map<String, Value> {
    let members = members.into_iter();
    members
        .map(|(name, value)| (name.replace('_', "-"), value))
        .collect()
}

/// Does so for all members that are the contract's. A JSON value of a domain keeps names of its own.
fn name_as_contract(value: &mut Value, ty: &Type) {
    match (value, ty) {
        (value, Type::Option(item)) => name_as_contract(value, item),
        (Value::Array(items), Type::List(item)) => {
            for one in items {
                name_as_contract(one, item);
            }
        }
        (Value::Object(members), Type::Record(record)) => {
            *members = with_hyphens(std::mem::take(members));
            for field in record.fields {
                if let Some(value) = members.get_mut(field.name) {
                    name_as_contract(value, &field.ty);
                }
            }
        }
        (Value::Object(members), Type::Variant(variant)) => {
            *members = with_hyphens(std::mem::take(members));
            for case in variant.cases {
                if let (Some(value), Some(payload)) = (members.get_mut(case.name), &case.payload) {
                    name_as_contract(value, payload);
                }
            }
        }
        _ => {}
    }
}

pub(crate) fn unknown(method: &str) -> Error {
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

pub(crate) fn reply(result: impl Serialize) -> Result<String, Error> {
    serde_json::to_string(&result).map_err(|error| Error::Other(format!("the result: {error}")))
}

/// Reads a `json` member: a text is taken as it is, any other value as its JSON text.
pub(crate) fn json_text<'de, D: Deserializer<'de>>(input: D) -> Result<String, D::Error> {
    Ok(match Value::deserialize(input)? {
        Value::String(text) => text,
        Value::Null => String::new(),
        value => value.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken<T: DeserializeOwned>(method: &str, text: &str, name: &str) -> Result<T, Error> {
        let function = Function::named(method).expect("a function");
        Arguments::parse(function, text)?.take(name)
    }

    #[test]
    fn an_option_may_be_left_out_and_a_text_may_not() {
        assert_eq!(
            taken("upkeep.metrics-of-days", "{}", "days"),
            Ok(None::<u32>)
        );
        let text: Result<String, _> = taken("lessons.get", "{}", "lesson");
        assert!(text.unwrap_err().message().contains("is missing or empty"));
    }

    #[test]
    fn members_of_a_domain_keep_their_names_and_those_of_the_contract_have_hyphens() {
        let text = r#"{"run": "r", "observed": {"step": {"action": {"a_b": 1}}, "feedback": {"action_text": "x"}}}"#;
        let observed: crate::memory::Observed =
            taken("runs.observe", text, "observed").expect("a step");
        assert_eq!(observed.step.action, r#"{"a_b":1}"#);
        assert_eq!(observed.feedback.action_text, "x");
    }
}
