//! The three payloads: what was asked, what came back, what is wanted. A payload that does not fit is refused.

use std::fmt;

use serde::Deserialize;
use serde_json::Value;
use twiceshy_adapter::{Error, refused};

/// JSON Schema of [`Action`].
pub const ACTION_SCHEMA: &str = include_str!("schema/action.json");

/// JSON Schema of [`Observation`].
pub const OBSERVATION_SCHEMA: &str = include_str!("schema/observation.json");

/// JSON Schema of [`Expectations`].
pub const EXPECTATIONS_SCHEMA: &str = include_str!("schema/expectations.json");

/// One request to the API.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// What is asked of the API.
    pub method: Method,
    /// With its query, such as `/items?page=2`.
    pub path: String,
    /// What was sent, if anything.
    #[serde(default)]
    pub body: Value,
}

/// The methods of HTTP that an API is asked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    Get,
    Head,
    Post,
    Put,
    Patch,
    Delete,
    Options,
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&format!("{self:?}").to_uppercase())
    }
}

/// What came back, and how far the agent is.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observation {
    /// The HTTP status; none where no answer came.
    pub status: Option<u16>,
    /// The answer as JSON, or its text where it is none.
    #[serde(default)]
    pub body: Value,
    /// Why no answer came, such as `connection refused`.
    pub error: Option<String>,
    /// How many items the agent holds by now.
    pub items: Option<u32>,
    /// How many requests it has sent by now.
    pub requests: Option<u32>,
}

/// What an answer must have, and what the task is worth.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectations {
    /// Members that an answer must have.
    #[serde(default)]
    pub members: Vec<String>,
    /// How many items are wanted.
    pub items: Option<u32>,
    /// How many requests they should take.
    pub requests: Option<u32>,
}

impl Action {
    /// The request in one line.
    pub fn text(&self) -> String {
        let line = format!("{} {}", self.method, self.path);
        let words: Vec<_> = line.split_whitespace().collect();
        words.join(" ").chars().take(500).collect()
    }
}

impl Observation {
    /// Refuses what the type alone lets through.
    pub fn check(&self) -> Result<(), Error> {
        match self.status {
            Some(status) if !(100..600).contains(&status) => {
                Err(refused("observation.status", "it is not from 100 to 599"))
            }
            _ => Ok(()),
        }
    }
}
