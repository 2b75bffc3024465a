//! A language model behind the port: the one that the user's settings name.
//!
//! Owns asking a model and turning its trouble into the port's errors. Two kinds can be plugged in, a
//! command and an OpenAI-compatible endpoint. What is asked, and whether the answer is any good, is the
//! engine's business: nothing a model says is trusted here or there. Nothing is started or contacted
//! before it is asked.
//!
//! Of the port's errors, `busy` is what passes by itself, `denied` is about the key, and `other` is
//! everything else. `unavailable` would say that there is no model, and nobody would learn that the one
//! they have plugged in does not work.

mod answer;
#[cfg(unix)]
mod command;
mod endpoint;
mod settings;

use std::time::Duration;

use twiceshy_wit::host::{Error, Model};

pub use settings::ModelSettings;

use crate::service;
use endpoint::Endpoint;
use settings::Kind;

/// The model that the settings name.
#[derive(Debug, Clone)]
pub struct PluggedModel {
    settings: ModelSettings,
}

/// What every kind of model is asked with.
struct Question<'a> {
    prompt: &'a str,
    schema: &'a str,
    /// For the whole of it, from the first byte sent to the last one read.
    time: Duration,
    most_bytes: usize,
}

impl PluggedModel {
    /// The model of these settings, which were checked when they were read.
    pub fn new(settings: ModelSettings) -> Self {
        Self { settings }
    }

    /// What it is, for a person: the command's name, or the address and the model's name.
    pub fn name(&self) -> String {
        match self.settings.kind() {
            Kind::Command(command) => format!("the command `{}`", command[0]),
            Kind::Endpoint { endpoint, name, .. } => format!("{name} at {endpoint}"),
        }
    }

    /// Whether it can be asked, found out without asking: that the command is there, or that somebody
    /// answers at the address and takes the key.
    ///
    /// # Errors
    /// What is in the way, and what to do about it.
    pub fn reachable(&self) -> Result<(), Error> {
        match self.settings.kind() {
            #[cfg(unix)]
            Kind::Command(command) => command::reachable(command),
            #[cfg(not(unix))]
            Kind::Command(_) => Err(no_commands()),
            Kind::Endpoint {
                endpoint, key_env, ..
            } => Endpoint::new(endpoint, key_env)?.reachable(self.settings.time()),
        }
    }
}

impl Model for PluggedModel {
    fn complete(&self, prompt: &str, schema: &str) -> Result<String, Error> {
        let question = Question {
            prompt,
            schema,
            time: self.settings.time(),
            most_bytes: self.settings.most_bytes,
        };
        let text = match self.settings.kind() {
            #[cfg(unix)]
            Kind::Command(command) => command::ask(command, &question)?,
            #[cfg(not(unix))]
            Kind::Command(_) => return Err(no_commands()),
            Kind::Endpoint {
                endpoint,
                name,
                key_env,
            } => Endpoint::new(endpoint, key_env)?.ask(name, &question)?,
        };
        answer::bare(&text).map(str::to_owned).ok_or_else(|| {
            Error::Other(format!(
                "{} gave an empty answer; call it by hand to see why",
                self.name()
            ))
        })
    }
}

#[cfg(not(unix))]
fn no_commands() -> Error {
    Error::Unavailable("[model] command needs a Unix; use endpoint instead".to_owned())
}

/// What a model that did not answer in time means.
#[cfg(unix)]
fn late(who: &str, time: Duration) -> Error {
    service::late(who, time, endpoint::NAMES.time)
}

/// What a model that answers too much means.
#[cfg(unix)]
fn too_much(who: &str, most_bytes: usize) -> Error {
    service::too_much(who, most_bytes, endpoint::NAMES.size)
}
