//! A function of the memory component, as data: what `twiceshy call --list` shows.
//!
//! Owns only the description. Calling is the component's `rpc` entry.

use serde::Serialize;

/// An exported function.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Function {
    /// The interface it belongs to, such as `lessons`.
    pub interface: &'static str,
    /// Its name within the interface, such as `propose`.
    pub name: &'static str,
    /// What it does.
    pub docs: &'static str,
    /// What it takes.
    pub parameters: &'static [Parameter],
    /// The JSON shape of what it gives.
    pub result: &'static str,
}

impl Function {
    /// The shape of its arguments as one JSON object.
    pub fn arguments(&self) -> String {
        match self.parameters {
            [only] if only.shape.starts_with('{') => only.shape.to_owned(),
            parameters => {
                let members: Vec<_> = parameters
                    .iter()
                    .map(|p| format!("{:?}: {}", p.name, p.shape))
                    .collect();
                format!("{{{}}}", members.join(", "))
            }
        }
    }
}

/// An argument of a function.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Parameter {
    /// The argument's name.
    pub name: &'static str,
    /// Its JSON shape: `?` marks what may be left out, `|` separates choices.
    pub shape: &'static str,
}

/// Reads a `json` member: a text is taken as it is, any other value as its JSON text.
pub(crate) fn json_text<'de, D: serde::Deserializer<'de>>(input: D) -> Result<String, D::Error> {
    use serde::Deserialize;
    Ok(match serde_json::Value::deserialize(input)? {
        serde_json::Value::String(text) => text,
        serde_json::Value::Null => String::new(),
        value => value.to_string(),
    })
}
