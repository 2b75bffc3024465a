//! A memory behind `twiceshy serve`: each call is a request.
//!
//! Owns the address, the token and what an answer means. **Nothing is asked twice:** a write whose answer was lost may have
//! happened, and the error says so.

use std::{env, fs, io::Read, time::Duration};

use serde::de::DeserializeOwned;
use serde_json::Value;
use twiceshy_store::authorities;
use twiceshy_wit::memory::Error;
use ureq::{Agent, Body, http::Response, tls::TlsConfig};

use crate::{Home, foreign, limits, service};

/// The variable with the token.
const TOKEN: &str = "TWICESHY_TOKEN";

/// The file with the token, in the user's directory.
const TOKEN_FILE: &str = "token";

/// How long a call may take, unless somebody is kept waiting by it.
const TIME: Duration = Duration::from_secs(60);

/// The largest answer.
const ANSWER_BYTES: u64 = 256 << 20;

/// A service and the way in.
pub struct RemoteMemory {
    address: String,
    token: String,
    /// How long a call may take.
    time: Duration,
    agent: Agent,
}

impl std::fmt::Debug for RemoteMemory {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("RemoteMemory")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl RemoteMemory {
    /// Whether a memory's name is the address of a service.
    pub fn is_address(name: &str) -> bool {
        ["http://", "https://"]
            .iter()
            .any(|scheme| name.starts_with(scheme))
    }

    /// The memory behind a service, with the token of the environment or of the user's directory.
    ///
    /// # Errors
    /// `denied` if there is no token, or if it would be sent over the network unencrypted; `invalid-argument` if the
    /// address is none.
    pub fn connect(address: &str, home: &Home) -> Result<Self, Error> {
        Self::with_token(address, &token(home)?)
    }

    /// The same with a token at hand.
    ///
    /// # Errors
    /// As [`connect`](Self::connect).
    pub fn with_token(address: &str, token: &str) -> Result<Self, Error> {
        let address = address.trim_end_matches('/');
        let host = service::host(address);
        if !Self::is_address(address) || host.is_empty() || host.contains('@') {
            return Err(Error::InvalidArgument(format!(
                "`{}` is not the address of a service; write it as https://HOST:PORT",
                service::shown(address)
            )));
        }
        if address.starts_with("http://") && !service::is_local(host) {
            return Err(Error::Denied(format!(
                "{address} would get the token unencrypted; use https://, or a tunnel to this machine"
            )));
        }
        let token = service::check_key(token, TOKEN)
            .map_err(|error| Error::Denied(error.message().to_owned()))?;
        Ok(Self {
            address: address.to_owned(),
            token,
            time: TIME,
            agent: agent(host, TIME)?,
        })
    }

    /// The same for whoever can't wait for a service that does not answer: each call takes so long at most.
    ///
    /// # Errors
    /// As [`connect`](Self::connect).
    pub fn within(self, time: Duration) -> Result<Self, Error> {
        let agent = agent(service::host(&self.address), time)?;
        Ok(Self {
            time,
            agent,
            ..self
        })
    }

    /// Where it is.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Calls a function with its arguments by name, and reads its result.
    pub(crate) fn ask<T: DeserializeOwned>(
        &self,
        method: &str,
        arguments: &Value,
    ) -> Result<T, Error> {
        let result = self.call(method, &arguments.to_string())?;
        serde_json::from_str(&result).map_err(|error| {
            Error::Other(format!(
                "{}: the answer to {method} does not fit the contract ({error}); is it of another version?",
                self.address
            ))
        })
    }

    /// Calls a function with a JSON object of its arguments; gives its result as JSON.
    pub(crate) fn call(&self, method: &str, arguments: &str) -> Result<String, Error> {
        if arguments.len() > limits::REQUEST_BYTES {
            return Err(Error::InvalidArgument(format!(
                "{method}: the arguments have more than {} MiB; send less at once",
                limits::REQUEST_BYTES >> 20
            )));
        }
        let arguments = if arguments.trim().is_empty() {
            "{}"
        } else {
            arguments
        };
        let response = self
            .agent
            .post(format!("{}/v1/call/{method}", self.address))
            .header("content-type", "application/json")
            .header("authorization", format!("Bearer {}", self.token))
            .send(arguments)
            .map_err(|error| self.trouble(&error))?;
        let status = response.status();
        let body = self.body(response)?;
        match status.is_success() {
            true => Ok(body),
            false => Err(self.refusal(status.as_u16(), &body)),
        }
    }

    fn body(&self, mut response: Response<Body>) -> Result<String, Error> {
        let mut body = String::new();
        let reader = response.body_mut().with_config().limit(u64::MAX).reader();
        let read = reader.take(ANSWER_BYTES + 1).read_to_string(&mut body);
        read.map_err(|error| self.trouble(&error.into()))?;
        if body.len() as u64 > ANSWER_BYTES {
            return Err(Error::Other(format!(
                "{}: the answer has more than {} MiB; ask for less at once",
                self.address,
                ANSWER_BYTES >> 20
            )));
        }
        Ok(body)
    }

    /// What an answer that is no success means: the memory's own error, if it is one.
    fn refusal(&self, status: u16, body: &str) -> Error {
        let answer: Value = serde_json::from_str(body).unwrap_or_default();
        let Some(message) = answer["error"]["message"].as_str() else {
            let said = foreign::quoted(body, Some(&self.token));
            return Error::Other(format!(
                "{} did not answer as a twiceshy service does ({status}): {said}; check the address",
                self.address
            ));
        };
        let message = foreign::quoted(message, Some(&self.token));
        match answer["error"]["kind"].as_str().unwrap_or_default() {
            "not-found" => Error::NotFound(message),
            "invalid-argument" => Error::InvalidArgument(message),
            "conflict" => Error::Conflict(message),
            "busy" => Error::Busy(message),
            "storage" => Error::Storage(message),
            "unavailable" => Error::Unavailable(message),
            "denied" if status == 401 => Error::Denied(format!(
                "{} does not know this token; set {TOKEN}, or have a new one made",
                self.address
            )),
            "denied" => Error::Denied(message),
            _ => Error::Other(message),
        }
    }

    fn trouble(&self, error: &ureq::Error) -> Error {
        if let ureq::Error::Timeout(_) = error {
            return Error::Busy(format!(
                "{} did not answer within {} ms; a write may have happened; try again later",
                self.address,
                self.time.as_millis()
            ));
        }
        let said = foreign::quoted(&error.to_string(), Some(&self.token));
        Error::Busy(format!(
            "{} can't be reached, or its answer was lost ({said}); a write may have happened; try again later",
            self.address
        ))
    }
}

/// What asks a host, within a time for each call.
fn agent(host: &str, time: Duration) -> Result<Agent, Error> {
    let mut config = Agent::config_builder()
        .timeout_global(Some(time))
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .user_agent(concat!("twiceshy/", env!("CARGO_PKG_VERSION")));
    // What is on this machine is not reached through another one.
    if service::is_local(host) {
        config = config.proxy(None);
    }
    if let Some(authorities) = authorities().map_err(Error::InvalidArgument)? {
        config = config.tls_config(TlsConfig::builder().root_certs(authorities).build());
    }
    Ok(config.build().new_agent())
}

/// The token of the environment, or of the user's directory.
fn token(home: &Home) -> Result<String, Error> {
    if let Ok(token) = env::var(TOKEN)
        && !token.is_empty()
    {
        return Ok(token);
    }
    let file = home.directory().join(TOKEN_FILE);
    fs::read_to_string(&file).map_err(|_| {
        Error::Denied(format!(
            "there is no token for the service; set {TOKEN}, or write it to {}",
            file.display()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_never_leaves_this_machine_unencrypted() {
        let connect = |address| RemoteMemory::with_token(address, "0123456789abcdef");
        for address in [
            "https://memory.example",
            "http://127.0.0.1:8809/",
            "http://localhost:1",
        ] {
            assert!(connect(address).is_ok(), "{address}");
        }
        for address in ["http://memory.example", "http://10.0.0.5:8809"] {
            assert!(
                matches!(connect(address), Err(Error::Denied(_))),
                "{address}"
            );
        }
        for address in ["ftp://x", "https://", "https://user:secret@host", "notes"] {
            assert!(
                matches!(connect(address), Err(Error::InvalidArgument(_))),
                "{address}"
            );
        }
        assert!(RemoteMemory::with_token("https://h", "two words").is_err());
    }
}
