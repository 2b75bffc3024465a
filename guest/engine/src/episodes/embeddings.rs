//! Embeddings: an episode's vectors, by which it is found in other words.
//!
//! Owns which texts they stand for and how they are kept: each is a small document beside the episode, with the
//! episode's own attributes. Without an embedder there are none, and words alone count.

use std::cell::OnceCell;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Attribute, Change, Precondition},
    memory::{Account, Episode, Error, Facet},
};

use crate::{
    documents::{Kind, Noun, put, text},
    ports::Engine,
};

/// A text in bytes, as the embedder's contract has it.
const TEXT_BYTES: usize = 8 << 10;

/// What an episode has a vector for.
pub(super) const FACETS: [Facet; 3] = [Facet::Task, Facet::Outcome, Facet::Full];

/// A vector of an episode, as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct KeptEmbedding {
    pub(crate) episode: String,
    pub(crate) facet: Facet,
    #[serde(skip)]
    attributes: Vec<Attribute>,
    #[serde(skip)]
    vector: Vec<f32>,
}

impl Noun for KeptEmbedding {
    const KIND: Kind = Kind::Embedding;

    fn id(&self) -> String {
        embedding_id(&self.episode, self.facet)
    }

    fn attributes(&self) -> Vec<Attribute> {
        let mut attributes = self.attributes.clone();
        attributes.push(text("episode", &self.episode));
        attributes.push(text("facet", self.facet.as_str()));
        attributes
    }

    fn vector(&self) -> Vec<f32> {
        self.vector.clone()
    }
}

/// The id of the document with a vector of an episode.
pub(crate) fn embedding_id(episode: &str, facet: Facet) -> String {
    format!("{episode}.{}", facet.as_str())
}

/// The vectors of an episode about to be written, made when they are first needed.
#[derive(Default)]
pub(crate) struct Embeddings {
    vectors: OnceCell<Vec<Vec<f32>>>,
}

impl Embeddings {
    /// The changes that write the vectors of an episode.
    pub(crate) fn changes(
        &self,
        engine: &Engine,
        episode: &Episode,
        account: Option<&Account>,
    ) -> Vec<Change> {
        let texts = || FACETS.map(|facet| facet_text(facet, episode, account));
        let vectors = self.vectors.get_or_init(|| engine.vectors_of(&texts()));
        let written = FACETS.into_iter().zip(vectors).map(|(facet, vector)| {
            let embedding = KeptEmbedding {
                episode: episode.id.clone(),
                facet,
                attributes: super::restrictions(episode),
                vector: vector.clone(),
            };
            put(&embedding, Precondition::Anything)
        });
        written.collect()
    }

    fn are_there(&self) -> bool {
        self.vectors
            .get()
            .is_some_and(|vectors| !vectors.is_empty())
    }
}

impl Engine<'_> {
    /// Writes an episode with its vectors, or without them if the store refuses those.
    pub(crate) fn with_embeddings<T>(
        &self,
        write: impl Fn(&Embeddings) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let embeddings = Embeddings::default();
        match write(&embeddings) {
            // Another embedder than before makes vectors of another length, which a store refuses.
            Err(Error::InvalidArgument(reason)) if embeddings.are_there() => {
                self.warn(&format!("an episode is kept without its vectors: {reason}"));
                write(&Embeddings {
                    vectors: OnceCell::from(Vec::new()),
                })
            }
            written => written,
        }
    }

    /// One vector for each text, if the host has an embedder.
    fn vectors_of(&self, texts: &[String]) -> Vec<Vec<f32>> {
        match self.ports.embedder.embed(texts) {
            Ok(vectors) if vectors.len() == texts.len() => vectors,
            Ok(vectors) => {
                self.warn(&format!(
                    "the embedder gave {} vectors for {} texts",
                    vectors.len(),
                    texts.len()
                ));
                Vec::new()
            }
            Err(_) => Vec::new(),
        }
    }
}

/// The text that a vector of an episode stands for.
pub(super) fn facet_text(facet: Facet, episode: &Episode, account: Option<&Account>) -> String {
    let output = account.and_then(|account| account.primary_output.as_deref());
    let text = match facet {
        Facet::Task => episode.task.clone(),
        Facet::Outcome => {
            let parts = [
                Some(episode.outcome.as_str()),
                Some(&episode.summary),
                output,
            ];
            parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
        }
        Facet::Full => {
            let mut parts = vec![episode.task.as_str(), &episode.task_type, &episode.summary];
            if let Some(account) = account {
                let lists = [
                    &account.goals,
                    &account.constraints,
                    &account.plan,
                    &account.insights,
                ];
                parts.extend(lists.into_iter().flatten().map(String::as_str));
            }
            parts.extend(output);
            parts.retain(|part| !part.is_empty());
            parts.join("\n")
        }
    };
    text[..text.floor_char_boundary(TEXT_BYTES)].to_owned()
}
