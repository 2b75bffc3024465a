//! A service at an address: how it is called over HTTP within bounds, and what each way to fail means.
//!
//! Owns the connection, its time and size, and the messages. The key goes into one header of a request to the
//! configured address and nowhere else: redirects are not followed, and no message holds it. What is asked, and what
//! the answer means, is the business of the model and of the embedder.

mod address;

use std::{
    io::{self, Read},
    time::Duration,
};

use serde_json::Value;
use twiceshy_wit::host::Error;
use ureq::{Agent, Body, http::Response};

use crate::foreign;
pub(crate) use address::{host, is_local, is_near, shown};

/// What the envelope may add to an answer, and what is read of a refusal.
pub(crate) const ENVELOPE_BYTES: usize = 64 << 10;

/// What the settings of a service are called, for messages that say what to fix.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Names {
    /// Where the address stands.
    pub(crate) address: &'static str,
    /// Where the model's name stands.
    pub(crate) model: &'static str,
    /// Where the key comes from.
    pub(crate) key: &'static str,
    /// What to do if a key is asked for and there is none.
    pub(crate) no_key: &'static str,
    /// Where the time stands.
    pub(crate) time: &'static str,
    /// What to do about an answer that is too large.
    pub(crate) size: &'static str,
}

/// A service.
#[derive(Debug)]
pub(crate) struct Service<'a> {
    pub(crate) address: &'a str,
    /// Sent with every request, the one with the key among them.
    pub(crate) headers: Vec<(String, String)>,
    /// The key, so that no message holds it.
    pub(crate) key: Option<String>,
    pub(crate) names: Names,
}

impl Service<'_> {
    pub(crate) fn get(&self, path: &str, time: Duration) -> Result<Response<Body>, Error> {
        let mut request = self.agent(time).get(format!("{}{path}", self.address));
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request.call().map_err(|error| self.trouble(error, time))
    }

    pub(crate) fn post(
        &self,
        path: &str,
        body: &Value,
        time: Duration,
    ) -> Result<Response<Body>, Error> {
        let mut request = self
            .agent(time)
            .post(format!("{}{path}", self.address))
            .header("content-type", "application/json");
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request
            .send(body.to_string())
            .map_err(|error| self.trouble(error, time))
    }

    fn agent(&self, time: Duration) -> Agent {
        let mut config = Agent::config_builder()
            // From the first lookup to the last byte of the body, however it trickles.
            .timeout_global(Some(time))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .user_agent(concat!("twiceshy/", env!("CARGO_PKG_VERSION")));
        // What is on this machine is not reached through another one.
        if is_local(host(self.address)) {
            config = config.proxy(None);
        }
        config.build().new_agent()
    }

    /// The body, never more of it than `most` bytes; none if there is more.
    pub(crate) fn read(
        &self,
        mut response: Response<Body>,
        most: usize,
        time: Duration,
    ) -> Result<Option<Vec<u8>>, Error> {
        let mut body = Vec::new();
        let reader = response.body_mut().with_config().limit(u64::MAX).reader();
        reader
            .take(most as u64 + 1)
            .read_to_end(&mut body)
            .map_err(|error| self.trouble(error.into(), time))?;
        Ok(Some(body).filter(|body| body.len() <= most))
    }

    /// What an answer that is no success means.
    pub(crate) fn refused(&self, mut response: Response<Body>) -> Error {
        let status = response.status();
        let (address, names) = (self.address, self.names);
        // Whoever refuses a key may quote parts of it: nothing of that answer is shown.
        if matches!(status.as_u16(), 401 | 403) {
            return Error::Denied(if self.key.is_some() {
                format!("{address} refuses the key ({status}); check {}", names.key)
            } else {
                format!("{address} asks for a key ({status}); {}", names.no_key)
            });
        }
        if status.is_redirection() {
            let place = response
                .headers()
                .get("location")
                .and_then(|place| place.to_str().ok())
                .unwrap_or("nowhere");
            return Error::Other(format!(
                "{address} redirects to {}, and redirects are not followed; put the right address into {}",
                self.quoted(place),
                names.address
            ));
        }
        let mut body = Vec::new();
        // What can't be read of a refusal is not missed.
        let _ = response
            .body_mut()
            .as_reader()
            .take(ENVELOPE_BYTES as u64)
            .read_to_end(&mut body);
        let said = String::from_utf8_lossy(&body);
        let said = serde_json::from_str::<Value>(&said)
            .ok()
            .and_then(|value| {
                let message = value["error"]["message"]
                    .as_str()
                    .or(value["error"].as_str());
                message.map(str::to_owned)
            })
            .unwrap_or_else(|| said.into_owned());
        let said = match self.quoted(&said) {
            said if said.is_empty() => String::new(),
            said => format!(": {said}"),
        };
        match status.as_u16() {
            404 => Error::Other(format!(
                "{address} has no such model or path ({status}){said}; check {} and {}",
                names.address, names.model
            )),
            408 | 425 | 429 | 503 | 504 | 529 => Error::Busy(format!(
                "{address} is busy ({status}){said}; try again later"
            )),
            500..=599 => Error::Other(format!(
                "{address} failed ({status}){said}; try again later, or look at its own log"
            )),
            _ => Error::Other(format!(
                "{address} refuses the request ({status}){said}; check {} and {}",
                names.address, names.model
            )),
        }
    }

    /// What trouble on the way means.
    fn trouble(&self, error: ureq::Error, time: Duration) -> Error {
        let address = self.address;
        match error {
            ureq::Error::Timeout(_) => self.late(time),
            ureq::Error::Io(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock
                ) =>
            {
                self.late(time)
            }
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Error::Other(format!(
                    "{address} ended the connection in the middle of its answer; try again later, or look at its own log"
                ))
            }
            ureq::Error::Protocol(_) | ureq::Error::LargeResponseHeader(..) => {
                Error::Other(format!(
                    "{address} did not answer with valid HTTP ({}); check {}",
                    self.quoted(&error.to_string()),
                    self.names.address
                ))
            }
            error => Error::Other(format!(
                "{address} can't be reached ({}); start it, or fix {}",
                self.quoted(&error.to_string()),
                self.names.address
            )),
        }
    }

    /// An answer that is not what such a service gives, with its beginning.
    pub(crate) fn garbage(&self, kind: &str, body: &[u8]) -> Error {
        let begin = String::from_utf8_lossy(&body[..body.len().min(1_000)]).into_owned();
        Error::Other(format!(
            "{} did not answer as {kind} does, but with: {}; check {}",
            self.address,
            self.quoted(&begin),
            self.names.address
        ))
    }

    pub(crate) fn late(&self, time: Duration) -> Error {
        late(self.address, time, self.names.time)
    }

    pub(crate) fn too_much(&self, most_bytes: usize) -> Error {
        too_much(self.address, most_bytes, self.names.size)
    }

    pub(crate) fn quoted(&self, text: &str) -> String {
        foreign::quoted(text, self.key.as_deref())
    }
}

/// What somebody who did not answer in time means; `setting` is where the time stands.
pub(crate) fn late(who: &str, time: Duration, setting: &str) -> Error {
    Error::Busy(format!(
        "{who} did not answer within {} ms; try again later, or raise {setting}",
        time.as_millis()
    ))
}

/// What somebody who answers too much means; `advice` is what to do.
pub(crate) fn too_much(who: &str, most_bytes: usize, advice: &str) -> Error {
    Error::Other(format!(
        "{who} answered with more than {most_bytes} bytes; {advice}"
    ))
}

/// Refuses characters that would break a header, naming where the key comes from.
pub(crate) fn check_key(key: &str, from: &str) -> Result<String, Error> {
    let key = key.trim();
    if key.is_empty() {
        return Err(Error::Denied(format!("{from} is empty; set it")));
    }
    if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::Denied(format!(
            "{from} holds characters that are not valid in a key; set it again"
        )));
    }
    Ok(key.to_owned())
}
