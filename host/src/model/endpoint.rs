//! A model behind an OpenAI-compatible address.
//!
//! Owns the request, the envelope of the answer and what each way to fail means. The key goes into one
//! header of a request to the configured address and nowhere else: redirects are not followed, and no
//! message holds it.

use std::{
    env,
    io::{self, Read},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use twiceshy_wit::host::Error;
use ureq::{Agent, Body, http::Response};

use super::{Question, foreign, late, settings::is_local, too_much};

/// What the envelope may add to an answer, and what is read of a refusal.
const ENVELOPE_BYTES: usize = 64 << 10;

/// How long a look at the address may take: whoever asks for it waits.
const LOOK: Duration = Duration::from_secs(5);

/// An address and the key for it.
pub(super) struct Endpoint<'a> {
    address: &'a str,
    key: Option<String>,
}

impl<'a> Endpoint<'a> {
    /// The endpoint, with its key from the environment.
    pub(super) fn new(address: &'a str, key_env: Option<&str>) -> Result<Self, Error> {
        let key = match key_env {
            None => None,
            Some(name) => Some(key(name)?),
        };
        Ok(Self { address, key })
    }

    /// Whether somebody answers there and takes the key. Costs no completion.
    pub(super) fn reachable(&self, time: Duration) -> Result<(), Error> {
        let time = time.min(LOOK);
        let mut request = self.agent(time).get(format!("{}/models", self.address));
        if let Some(key) = &self.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        let response = request.call().map_err(|error| self.trouble(error, time))?;
        match response.status().as_u16() {
            // An endpoint need not list its models.
            200..=299 | 404 | 405 => Ok(()),
            _ => Err(self.refused(response)),
        }
    }

    /// Asks for a completion. One that refuses the form of the answer is asked once more without it.
    pub(super) fn ask(&self, name: &str, question: &Question<'_>) -> Result<String, Error> {
        let started = Instant::now();
        let response = self.post(&request(name, question, true), question.time)?;
        let response = match response.status().as_u16() {
            400 | 422 => {
                let left = question.time.saturating_sub(started.elapsed());
                if left.is_zero() {
                    return Err(late(self.address, question.time));
                }
                self.post(&request(name, question, false), left)?
            }
            _ => response,
        };
        if !response.status().is_success() {
            return Err(self.refused(response));
        }
        let body = self.read(response, question)?;
        self.content(&body, question.most_bytes)
    }

    fn agent(&self, time: Duration) -> Agent {
        let mut config = Agent::config_builder()
            // From the first lookup to the last byte of the body, however it trickles.
            .timeout_global(Some(time))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .user_agent(concat!("twiceshy/", env!("CARGO_PKG_VERSION")));
        let host = self.address.split("//").nth(1).unwrap_or_default();
        // What is on this machine is not reached through another one.
        if is_local(host.split('/').next().unwrap_or_default()) {
            config = config.proxy(None);
        }
        config.build().new_agent()
    }

    fn post(&self, body: &Value, time: Duration) -> Result<Response<Body>, Error> {
        let mut request = self
            .agent(time)
            .post(format!("{}/chat/completions", self.address))
            .header("content-type", "application/json");
        if let Some(key) = &self.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        request
            .send(body.to_string())
            .map_err(|error| self.trouble(error, time))
    }

    /// The body, never more of it than an answer may have.
    fn read(
        &self,
        mut response: Response<Body>,
        question: &Question<'_>,
    ) -> Result<Vec<u8>, Error> {
        // An answer within a JSON text may have every character escaped.
        let most = question
            .most_bytes
            .saturating_mul(2)
            .saturating_add(ENVELOPE_BYTES);
        let mut body = Vec::new();
        let reader = response.body_mut().with_config().limit(u64::MAX).reader();
        reader
            .take(most as u64 + 1)
            .read_to_end(&mut body)
            .map_err(|error| self.trouble(error.into(), question.time))?;
        if body.len() > most {
            return Err(too_much(self.address, question.most_bytes));
        }
        Ok(body)
    }

    /// What the model said, out of the envelope.
    fn content(&self, body: &[u8], most_bytes: usize) -> Result<String, Error> {
        let garbage = || {
            let begin = String::from_utf8_lossy(&body[..body.len().min(1_000)]).into_owned();
            Error::Other(format!(
                "{} did not answer as an OpenAI-compatible endpoint does, but with: {}; check [model] endpoint",
                self.address,
                self.quoted(&begin)
            ))
        };
        let envelope: Value = serde_json::from_slice(body).map_err(|_| garbage())?;
        let choice = &envelope["choices"][0];
        let message = &choice["message"];
        if let Some(refusal) = message["refusal"].as_str() {
            return Err(Error::Other(format!(
                "the model refused to answer: {}",
                self.quoted(refusal)
            )));
        }
        if choice["finish_reason"] == "length" {
            return Err(Error::Other(format!(
                "the model at {} ran out of room before the end of its answer; give it a larger context",
                self.address
            )));
        }
        let content = match &message["content"] {
            Value::String(text) => text.clone(),
            // Some answer in parts.
            Value::Array(parts) => parts
                .iter()
                .filter_map(|part| part["text"].as_str())
                .collect(),
            _ => return Err(garbage()),
        };
        if content.len() > most_bytes {
            return Err(too_much(self.address, most_bytes));
        }
        Ok(content)
    }

    /// What an answer that is no success means.
    fn refused(&self, mut response: Response<Body>) -> Error {
        let status = response.status();
        let address = self.address;
        // Whoever refuses a key may quote parts of it: nothing of that answer is shown.
        if matches!(status.as_u16(), 401 | 403) {
            return Error::Denied(if self.key.is_some() {
                format!(
                    "{address} refuses the key ({status}); check the variable that [model] key-env names"
                )
            } else {
                format!(
                    "{address} asks for a key ({status}); name the variable that holds it in [model] key-env"
                )
            });
        }
        if status.is_redirection() {
            let place = response
                .headers()
                .get("location")
                .and_then(|place| place.to_str().ok())
                .unwrap_or("nowhere");
            return Error::Other(format!(
                "{address} redirects to {}, which is not followed; put the right address into [model] endpoint",
                self.quoted(place)
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
                "{address} has no such model or path ({status}){said}; check [model] endpoint and name"
            )),
            408 | 425 | 429 | 503 | 504 | 529 => Error::Busy(format!(
                "{address} is busy ({status}){said}; try again later"
            )),
            500..=599 => Error::Other(format!(
                "{address} failed ({status}){said}; try again later, or look at its own log"
            )),
            _ => Error::Other(format!(
                "{address} refuses the request ({status}){said}; check [model] endpoint and name"
            )),
        }
    }

    /// What trouble on the way means.
    fn trouble(&self, error: ureq::Error, time: Duration) -> Error {
        let address = self.address;
        match error {
            ureq::Error::Timeout(_) => late(address, time),
            ureq::Error::Io(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock
                ) =>
            {
                late(address, time)
            }
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Error::Other(format!(
                    "{address} ended the connection in the middle of its answer; try again later, or look at its own log"
                ))
            }
            ureq::Error::Protocol(_) | ureq::Error::LargeResponseHeader(..) => {
                Error::Other(format!(
                    "{address} does not speak HTTP as it should ({}); check [model] endpoint",
                    self.quoted(&error.to_string())
                ))
            }
            error => Error::Other(format!(
                "{address} can't be reached ({}); start it, or mend [model] endpoint",
                self.quoted(&error.to_string())
            )),
        }
    }

    fn quoted(&self, text: &str) -> String {
        foreign::quoted(text, self.key.as_deref())
    }
}

/// The key out of the environment.
fn key(name: &str) -> Result<String, Error> {
    let key = env::var(name).unwrap_or_default();
    let key = key.trim();
    if key.is_empty() {
        return Err(Error::Denied(format!(
            "the environment variable {name}, which [model] key-env names, is not set; set it, or remove key-env"
        )));
    }
    if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::Denied(format!(
            "the environment variable {name} holds characters that no key has; set it anew"
        )));
    }
    Ok(key.to_owned())
}

/// A request for a completion. The schema is in words, too: an endpoint may take the form and not keep to it.
fn request(name: &str, question: &Question<'_>, with_form: bool) -> Value {
    let schema = question.schema;
    let mut request = json!({
        "model": name,
        "stream": false,
        "messages": [
            { "role": "system", "content": format!(
                "Answer with one JSON text and nothing else. It must be valid by this JSON Schema: {schema}") },
            { "role": "user", "content": question.prompt },
        ],
    });
    if with_form {
        // Some models refuse a temperature of their caller's choice as they refuse a form.
        request["temperature"] = 0.into();
        if let Ok(schema) = serde_json::from_str::<Value>(schema) {
            request["response_format"] = json!({
                "type": "json_schema",
                "json_schema": { "name": "answer", "schema": schema },
            });
        }
    }
    request
}
