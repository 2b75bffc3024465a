//! The settings of a model: which one, and how long and how much it may answer.
//!
//! Owns their names and what is refused of them. Which files they may stand in is the project's business.

use std::time::Duration;

use serde::Deserialize;

use crate::service::is_local;

/// A minute: a small model on a small machine takes that long for a few lines.
const TIMEOUT_MS: u64 = 60_000;

/// Eight lessons of 1,000 characters are far below.
const MOST_BYTES: usize = 1 << 20;

/// The table `[model]` of a configuration file. Either a command or an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ModelSettings {
    /// A program and its arguments. It gets `{"prompt": …, "schema": …}` on standard input and answers on
    /// standard output.
    pub command: Option<Vec<String>>,
    /// The address of an OpenAI-compatible service, such as `http://127.0.0.1:8080/v1`.
    pub endpoint: Option<String>,
    /// The name of the model at the endpoint.
    pub name: Option<String>,
    /// The name of the environment variable that holds the endpoint's key; never the key itself.
    pub key_env: Option<String>,
    /// How long an answer may take as a whole, in milliseconds.
    #[serde(default = "timeout_ms")]
    pub timeout_ms: u64,
    /// How many bytes an answer may have.
    #[serde(default = "most_bytes")]
    pub most_bytes: usize,
    /// Whether `twiceshy run` asks it, too. Without, a command never waits for a model.
    #[serde(default)]
    pub on_run: bool,
}

/// The two kinds of model.
pub(super) enum Kind<'a> {
    Command(&'a [String]),
    Endpoint {
        endpoint: &'a str,
        name: &'a str,
        key_env: Option<&'a str>,
    },
}

fn timeout_ms() -> u64 {
    TIMEOUT_MS
}

fn most_bytes() -> usize {
    MOST_BYTES
}

impl ModelSettings {
    /// The kind of model. Settings that were not checked count as a command that does not exist.
    pub(super) fn kind(&self) -> Kind<'_> {
        match (&self.endpoint, &self.name, &self.command) {
            (Some(endpoint), Some(name), _) => Kind::Endpoint {
                endpoint: endpoint.trim_end_matches('/'),
                name,
                key_env: self.key_env.as_deref(),
            },
            (_, _, Some(command)) if !command.is_empty() => Kind::Command(command),
            _ => Kind::Command(std::slice::from_ref(const { &String::new() })),
        }
    }

    pub(super) fn time(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }

    /// What is wrong with them, if anything is. The value of `key-env` is never repeated: it may be a key that
    /// was put there by mistake.
    ///
    /// # Errors
    /// The name of the setting and what it must be.
    pub(crate) fn check(&self) -> Result<(), String> {
        match (&self.command, &self.endpoint) {
            (Some(command), None) => {
                if command.first().is_none_or(String::is_empty) {
                    return Err("[model] command must name a program".to_owned());
                }
                for (given, name) in [(&self.name, "name"), (&self.key_env, "key-env")] {
                    if given.is_some() {
                        return Err(format!(
                            "[model] {name} is for an endpoint, not for a command"
                        ));
                    }
                }
            }
            (None, Some(endpoint)) => self.check_endpoint(endpoint)?,
            _ => return Err("[model] needs either command or endpoint".to_owned()),
        }
        if !(1..=600_000).contains(&self.timeout_ms) {
            return Err("[model] timeout-ms must be from 1 to 600000".to_owned());
        }
        if !(1..=16 << 20).contains(&self.most_bytes) {
            return Err("[model] most-bytes must be from 1 to 16777216".to_owned());
        }
        Ok(())
    }

    fn check_endpoint(&self, endpoint: &str) -> Result<(), String> {
        let rest = endpoint
            .strip_prefix("https://")
            .or_else(|| endpoint.strip_prefix("http://"));
        let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next());
        let Some(host) = host.filter(|host| !host.is_empty()) else {
            return Err(
                "[model] endpoint must be an address such as http://127.0.0.1:8080/v1".to_owned(),
            );
        };
        if host.contains('@')
            || endpoint.contains(['?', '#'])
            || endpoint.contains(char::is_whitespace)
        {
            return Err(
                "[model] endpoint must hold only scheme, host, port and path; name the variable with the key in key-env"
                    .to_owned(),
            );
        }
        if self.name.as_deref().is_none_or(str::is_empty) {
            return Err(
                "[model] name is missing: the name of the model at the endpoint".to_owned(),
            );
        }
        let Some(key_env) = &self.key_env else {
            return Ok(());
        };
        let is_name = |name: &str| {
            !name.is_empty()
                && !name.starts_with(|first: char| first.is_ascii_digit())
                && name
                    .chars()
                    .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        };
        if !is_name(key_env) {
            return Err(
                "[model] key-env must be the name of an environment variable; a key itself does not belong in a file"
                    .to_owned(),
            );
        }
        if endpoint.starts_with("http://") && !is_local(host) {
            return Err(
                "[model] endpoint would receive the key unencrypted; use https, or leave key-env out"
                    .to_owned(),
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> Result<(), String> {
        toml::from_str::<ModelSettings>(text)
            .map_err(|error| error.to_string())?
            .check()
    }

    #[test]
    fn a_command_or_an_endpoint_is_taken() {
        for text in [
            "command = ['ask']",
            "endpoint = 'http://127.0.0.1:8080/v1'\nname = 'small'",
            "endpoint = 'http://[::1]:8080/v1'\nname = 'small'\nkey-env = 'A_KEY'",
            "endpoint = 'https://models.example/v1'\nname = 'm'\nkey-env = 'A_KEY'\ntimeout-ms = 5\nmost-bytes = 9\non-run = true",
            "endpoint = 'http://models.example/v1'\nname = 'm'",
        ] {
            assert_eq!(checked(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn wrong_settings_are_refused_by_name() {
        for (text, named) in [
            ("", "command or endpoint"),
            ("command = []", "command"),
            ("command = ['']", "command"),
            ("command = 'ask'", "command"),
            (
                "command = ['a']\nendpoint = 'http://h'\nname = 'm'",
                "either",
            ),
            ("command = ['a']\nkey-env = 'K'", "key-env"),
            ("endpoint = 'h:80'\nname = 'm'", "endpoint"),
            ("endpoint = 'http:///v1'\nname = 'm'", "endpoint"),
            ("endpoint = 'http://u:p@h/v1'\nname = 'm'", "endpoint"),
            ("endpoint = 'http://h/v1?key=1'\nname = 'm'", "endpoint"),
            ("endpoint = 'http://h/v1'", "name"),
            (
                "endpoint = 'http://h/v1'\nname = 'm'\nkey-env = 'K'",
                "https",
            ),
            ("command = ['a']\ntimeout-ms = 0", "timeout-ms"),
            ("command = ['a']\nmost-bytes = 0", "most-bytes"),
            ("command = ['a']\nkey = 'x'", "key"),
        ] {
            let error = checked(text).expect_err(text);
            assert!(error.contains(named), "{text}: {error}");
        }
    }

    #[test]
    fn a_key_in_the_place_of_its_name_is_not_repeated() {
        let text = "endpoint = 'https://h/v1'\nname = 'm'\nkey-env = 'sk-123-abc'";
        let error = checked(text).expect_err("a key");
        assert!(!error.contains("sk-123"), "{error}");
    }
}
