//! An embedder behind the port: the service or the directory that the user's settings name, or the static model that ships
//! with the program.
//!
//! Owns the choice, the request for vectors and the checks on them. Two forms are spoken: OpenAI's, which many services share, and
//! Ollama's. Nothing is contacted, and no model loaded, before a vector is asked for.

mod bundled;
mod local;
mod settings;

use std::time::Instant;

use serde_json::{Value, json};
use twiceshy_wit::host::{Embedder, Error};

pub use bundled::BundledEmbedder;
pub use local::LocalEmbedder;
pub use settings::EmbeddingSettings;

use crate::service::{Names, Service, check_key};

/// What an answer may have for each text: a long vector, written at length.
const BYTES_FOR_EACH: usize = 1 << 20;

/// Components of a vector at most: the longest in use have a quarter of it.
const MOST_COMPONENTS: usize = 16_384;

/// What the settings are called.
const NAMES: Names = Names {
    address: "[embedding] base-url or EMBED_BASE_URL",
    model: "[embedding] path and model",
    key: "[embedding] api-key or EMBED_API_KEY",
    no_key: "give it in EMBED_API_KEY, or name its variable in [embedding] api-key",
    time: "[embedding] timeout-seconds or EMBED_TIMEOUT",
    size: "the answer is not a vector; check [embedding] base-url and path",
};

/// The embedder that is used: the one that the settings name, or the static model that ships with the program.
#[derive(Debug, Clone)]
pub enum ChosenEmbedder {
    /// A service.
    Service(PluggedEmbedder),
    /// A model in a directory.
    Local(LocalEmbedder),
    /// The static model.
    Bundled(BundledEmbedder),
}

impl ChosenEmbedder {
    /// The embedder that settings name.
    pub fn of(settings: &EmbeddingSettings) -> Self {
        match &settings.directory {
            Some(directory) => Self::Local(LocalEmbedder::new(directory)),
            None => Self::Service(PluggedEmbedder::new(settings.clone())),
        }
    }

    /// What it is, for a person.
    pub fn name(&self) -> String {
        match self {
            Self::Service(service) => service.name(),
            Self::Local(local) => local.name(),
            Self::Bundled(bundled) => bundled.name(),
        }
    }
}

impl Embedder for ChosenEmbedder {
    fn identity(&self) -> Result<String, Error> {
        match self {
            Self::Service(service) => service.identity(),
            Self::Local(local) => local.identity(),
            Self::Bundled(bundled) => bundled.identity(),
        }
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        match self {
            Self::Service(service) => service.embed(texts),
            Self::Local(local) => local.embed(texts),
            Self::Bundled(bundled) => bundled.embed(texts),
        }
    }
}

/// The embedder that the settings name.
#[derive(Debug, Clone)]
pub struct PluggedEmbedder {
    settings: EmbeddingSettings,
}

impl PluggedEmbedder {
    /// The embedder of these settings, which were checked when they were read.
    pub fn new(settings: EmbeddingSettings) -> Self {
        Self { settings }
    }

    /// What it is, for a person.
    pub fn name(&self) -> String {
        format!("{} at {}", self.settings.model, self.settings.address())
    }

    fn service(&self) -> Result<Service<'_>, Error> {
        let settings = &self.settings;
        let key = match settings.key() {
            None => None,
            Some(key) => Some(check_key(&key?, NAMES.key)?),
        };
        let mut headers: Vec<_> = settings
            .headers
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        headers.extend(key.as_ref().map(|key| {
            let name = settings.api_header.clone();
            let value = match name.eq_ignore_ascii_case("authorization") {
                true => format!("Bearer {key}"),
                false => key.clone(),
            };
            (name, value)
        }));
        Ok(Service {
            address: settings.address(),
            headers,
            key,
            names: NAMES,
        })
    }

    /// One request for some texts.
    fn ask(
        &self,
        service: &Service<'_>,
        body: &Value,
        texts: usize,
        started: Instant,
    ) -> Result<Vec<Vec<f32>>, Error> {
        let time = self.settings.time();
        let left = time.saturating_sub(started.elapsed());
        if left.is_zero() {
            return Err(service.late(time));
        }
        let response = service.post(&self.settings.path, body, left)?;
        if !response.status().is_success() {
            return Err(service.refused(response));
        }
        let most = BYTES_FOR_EACH * texts;
        let Some(body) = service.read(response, most, left)? else {
            return Err(service.too_much(most));
        };
        vectors(&body)
            .filter(|vectors| vectors.len() == texts)
            .ok_or_else(|| service.garbage("an embedding service", &body))
    }
}

impl Embedder for PluggedEmbedder {
    fn identity(&self) -> Result<String, Error> {
        Ok(format!("service {}", self.settings.model))
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let service = self.service()?;
        let started = Instant::now();
        let model = &self.settings.model;
        let vectors = if self.settings.takes_one() {
            let mut vectors = Vec::with_capacity(texts.len());
            for text in texts {
                let body = json!({ "model": model, "prompt": text });
                vectors.extend(self.ask(&service, &body, 1, started)?);
            }
            vectors
        } else {
            let body = json!({ "model": model, "input": texts });
            self.ask(&service, &body, texts.len(), started)?
        };
        checked(vectors).map_err(|what| {
            Error::Other(format!(
                "{} gave {what}; check [embedding] model",
                self.name()
            ))
        })
    }
}

/// The vectors of an answer, in the order of the texts; none if it has another form.
fn vectors(body: &[u8]) -> Option<Vec<Vec<f32>>> {
    let answer: Value = serde_json::from_slice(body).ok()?;
    if let Some(items) = answer["data"].as_array() {
        let mut vectors = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let index = item["index"].as_u64().unwrap_or(place as u64);
            vectors.push((index, vector(&item["embedding"])?));
        }
        vectors.sort_by_key(|(index, _)| *index);
        return Some(vectors.into_iter().map(|(_, vector)| vector).collect());
    }
    if let Some(items) = answer["embeddings"].as_array() {
        return items.iter().map(vector).collect();
    }
    Some(vec![vector(&answer["embedding"])?])
}

fn vector(value: &Value) -> Option<Vec<f32>> {
    let components = value.as_array()?.iter();
    components
        .map(|component| component.as_f64().map(|number| number as f32))
        .collect()
}

/// Refuses vectors that nothing can be compared with.
fn checked(vectors: Vec<Vec<f32>>) -> Result<Vec<Vec<f32>>, String> {
    let length = vectors.first().map_or(0, Vec::len);
    if !(1..=MOST_COMPONENTS).contains(&length) {
        return Err(format!(
            "a vector of {length} components, not of 1 to {MOST_COMPONENTS}"
        ));
    }
    if vectors.iter().any(|vector| vector.len() != length) {
        return Err("vectors of unequal length".to_owned());
    }
    let finite = |vector: &Vec<f32>| vector.iter().all(|component| component.is_finite());
    if !vectors.iter().all(finite) {
        return Err("a vector with a component that is not a number".to_owned());
    }
    Ok(vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_read_in_every_form() {
        for body in [
            r#"{"data": [{"index": 1, "embedding": [3]}, {"index": 0, "embedding": [1.5]}]}"#,
            r#"{"data": [{"embedding": [1.5]}, {"embedding": [3]}]}"#,
            r#"{"embeddings": [[1.5], [3]]}"#,
        ] {
            assert_eq!(
                vectors(body.as_bytes()),
                Some(vec![vec![1.5], vec![3.0]]),
                "{body}"
            );
        }
        assert_eq!(
            vectors(br#"{"embedding": [1, 2]}"#),
            Some(vec![vec![1.0, 2.0]])
        );
        for body in [
            "{}",
            "[]",
            "null",
            r#"{"embedding": ["1"]}"#,
            r#"{"embedding": [null]}"#,
            r#"{"data": [7]}"#,
            "NaN",
        ] {
            assert_eq!(vectors(body.as_bytes()), None, "{body}");
        }
    }

    #[test]
    fn what_can_not_be_compared_is_refused() {
        assert!(checked(vec![vec![]]).is_err());
        assert!(checked(vec![vec![1.0], vec![1.0, 2.0]]).is_err());
        assert!(checked(vec![vec![f32::INFINITY]]).is_err());
        assert!(checked(vec![vec![0.0; MOST_COMPONENTS + 1]]).is_err());
        assert!(checked(vec![vec![1.0, 0.5]]).is_ok());
    }
}
