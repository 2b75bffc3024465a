//! A model behind an OpenAI-compatible address.
//!
//! Owns the request and the envelope of the answer. Calling it within bounds is the business of `service`.

use std::{
    env,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use twiceshy_wit::host::Error;

use super::Question;
use crate::service::{self, ENVELOPE_BYTES, Names, Service};

/// How long checking the address may take: the user waits for it.
const LOOK: Duration = Duration::from_secs(5);

/// What the settings are called.
pub(super) const NAMES: Names = Names {
    address: "[model] endpoint",
    model: "name",
    key: "the variable that [model] key-env names",
    no_key: "name the variable that holds it in [model] key-env",
    time: "[model] timeout-ms",
    size: "raise [model] most-bytes if that is right",
};

/// An address and the key for it.
pub(super) struct Endpoint<'a> {
    service: Service<'a>,
}

impl<'a> Endpoint<'a> {
    /// The endpoint, with its key from the environment.
    pub(super) fn new(address: &'a str, key_env: Option<&str>) -> Result<Self, Error> {
        let key = match key_env {
            None => None,
            Some(name) => Some(key(name)?),
        };
        let header = |key: &String| ("authorization".to_owned(), format!("Bearer {key}"));
        Ok(Self {
            service: Service {
                address,
                headers: key.iter().map(header).collect(),
                key,
                names: NAMES,
            },
        })
    }

    /// Whether somebody answers there and takes the key. Costs no completion.
    pub(super) fn reachable(&self, time: Duration) -> Result<(), Error> {
        let response = self.service.get("/models", time.min(LOOK))?;
        match response.status().as_u16() {
            // An endpoint need not list its models.
            200..=299 | 404 | 405 => Ok(()),
            _ => Err(self.service.refused(response)),
        }
    }

    /// Asks for a completion. One that refuses the form of the answer is asked once more without it.
    pub(super) fn ask(&self, name: &str, question: &Question<'_>) -> Result<String, Error> {
        const PATH: &str = "/chat/completions";
        let started = Instant::now();
        let service = &self.service;
        let response = service.post(PATH, &request(name, question, true), question.time)?;
        let response = match response.status().as_u16() {
            400 | 422 => {
                let left = question.time.saturating_sub(started.elapsed());
                if left.is_zero() {
                    return Err(service.late(question.time));
                }
                service.post(PATH, &request(name, question, false), left)?
            }
            _ => response,
        };
        if !response.status().is_success() {
            return Err(service.refused(response));
        }
        // An answer within a JSON text may have every character escaped.
        let most = question
            .most_bytes
            .saturating_mul(2)
            .saturating_add(ENVELOPE_BYTES);
        match service.read(response, most, question.time)? {
            Some(body) => self.content(&body, question.most_bytes),
            None => Err(service.too_much(question.most_bytes)),
        }
    }

    /// What the model said, out of the envelope.
    fn content(&self, body: &[u8], most_bytes: usize) -> Result<String, Error> {
        let service = &self.service;
        let garbage = || service.garbage("an OpenAI-compatible endpoint", body);
        let envelope: Value = serde_json::from_slice(body).map_err(|_| garbage())?;
        let choice = &envelope["choices"][0];
        let message = &choice["message"];
        if let Some(refusal) = message["refusal"].as_str() {
            return Err(Error::Other(format!(
                "the model refused to answer: {}",
                service.quoted(refusal)
            )));
        }
        if choice["finish_reason"] == "length" {
            return Err(Error::Other(format!(
                "the model at {} reached its token limit before the end of its answer; give it a larger context",
                service.address
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
            return Err(service.too_much(most_bytes));
        }
        Ok(content)
    }
}

/// The key out of the environment.
fn key(name: &str) -> Result<String, Error> {
    let key = env::var(name).unwrap_or_default();
    if key.trim().is_empty() {
        return Err(Error::Denied(format!(
            "the environment variable {name}, named by [model] key-env, is not set; set it, or remove key-env"
        )));
    }
    service::check_key(&key, &format!("the environment variable {name}"))
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
