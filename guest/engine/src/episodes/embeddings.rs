//! Embeddings: the vectors of an episode, by which it is found even if the words differ.
//!
//! Owns which texts they represent and how they are kept: each is a small document beside the episode, with the
//! episode's own attributes. Without an embedder there are none, and words alone count.

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::Attribute,
    memory::{Account, Episode, Error, Facet},
};

use super::account::KeptAccount;
use crate::store::{Batch, Desk, Kind, MODEL, Noun, beginning, is_of_words, text};

/// What an episode has a vector for.
pub(super) const FACETS: [Facet; 3] = [Facet::Task, Facet::Outcome, Facet::Full];

/// A vector of an episode, as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct KeptEmbedding {
    pub(crate) episode: String,
    pub(crate) facet: Facet,
    /// What made the vector; empty in memories of an earlier version, which nobody compares with.
    #[serde(default)]
    pub(crate) model: String,
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
        attributes.push(text(MODEL, &self.model));
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

/// The vectors of an episode about to be written, asked for before its commit is prepared.
#[derive(Default)]
pub(crate) struct Embeddings {
    model: String,
    all: Vec<Embedded>,
}

/// A text of an episode with its vector.
struct Embedded {
    facet: Facet,
    text: String,
    vector: Vec<f32>,
}

impl Embeddings {
    /// Asks the host's embedder, if there is one.
    pub(crate) fn ask(desk: &Desk, episode: &Episode, account: Option<&Account>) -> Self {
        let Some(model) = desk.model_of_vectors() else {
            return Self::default();
        };
        let facets = facets_of(&model);
        let text = |facet: &Facet| facet_text(*facet, episode, account);
        let texts: Vec<_> = facets.iter().map(text).collect();
        let vectors = desk.any_vectors_of(&texts);
        let embedded = facets.iter().copied().zip(texts).zip(vectors);
        let all = embedded
            .map(|((facet, text), vector)| Embedded {
                facet,
                text,
                vector,
            })
            .collect();
        Self { model, all }
    }

    /// Puts the vectors of an episode. One whose text is another by now is left out: words find the episode.
    pub(crate) fn put(&self, batch: &mut Batch, episode: &Episode, account: Option<&Account>) {
        for embedded in &self.all {
            if facet_text(embedded.facet, episode, account) == embedded.text {
                // The episode owns its vectors.
                batch.put_owned(&KeptEmbedding {
                    episode: episode.id.clone(),
                    facet: embedded.facet,
                    model: self.model.clone(),
                    attributes: super::restrictions(episode),
                    vector: embedded.vector.clone(),
                });
            }
        }
    }
}

/// Writes an episode with its vectors, or without them if the store refuses those.
pub(crate) fn with_embeddings<T>(
    desk: &mut Desk,
    embeddings: &Embeddings,
    write: impl Fn(&mut Desk, &Embeddings) -> Result<T, Error>,
) -> Result<T, Error> {
    let has_vectors = !embeddings.all.is_empty();
    desk.with_vectors(
        "an episode was",
        has_vectors,
        |desk, with_vectors| match with_vectors {
            true => write(desk, embeddings),
            false => write(desk, &Embeddings::default()),
        },
    )
}

/// What an episode has a vector for by an embedder. What one that only adds up words says of a long text, the index of
/// words says better.
fn facets_of(model: &str) -> &'static [Facet] {
    match is_of_words(model) {
        true => &FACETS[..1],
        false => &FACETS,
    }
}

/// Gives episodes the vectors that an embedder has not made yet, and says how many. All texts are asked for at once.
pub(crate) fn embed_anew(desk: &mut Desk, model: &str, episodes: &[Episode]) -> Result<u32, Error> {
    let each = || {
        episodes
            .iter()
            .flat_map(|episode| facets_of(model).iter().map(move |facet| (episode, *facet)))
    };
    let ids: Vec<_> = each()
        .map(|(episode, facet)| embedding_id(&episode.id, facet))
        .collect();
    let known = desk.load_by_id::<KeptEmbedding>(&ids)?;
    let has = |id: &str| known.get(id).is_some_and(|read| read.noun.model == model);
    let wanted: Vec<_> = each().zip(&ids).filter(|(_, id)| !has(id)).collect();
    if wanted.is_empty() {
        return Ok(0);
    }
    let accounts = desk.load_by_id::<KeptAccount>(episodes.iter().map(|episode| &episode.id))?;
    let text = |((episode, facet), _): &((&Episode, Facet), &String)| {
        let account = accounts.get(&episode.id).map(|read| &read.noun.account);
        facet_text(*facet, episode, account)
    };
    let texts: Vec<_> = wanted.iter().map(text).collect();
    let vectors = desk.embed(&texts)?;
    desk.commit(|batch| {
        // An episode may be gone by now, and somebody else may have given it the vector.
        let there =
            batch.load_by_id::<Episode>(wanted.iter().map(|((episode, _), _)| &episode.id))?;
        let known = batch.load_by_id::<KeptEmbedding>(wanted.iter().map(|(_, id)| *id))?;
        let mut given = 0;
        for (((episode, facet), id), vector) in wanted.iter().zip(&vectors) {
            let is_known = known.get(*id).is_some_and(|read| read.noun.model == model);
            if there.contains_key(&episode.id) && !is_known {
                batch.put(&KeptEmbedding {
                    episode: episode.id.clone(),
                    facet: *facet,
                    model: model.to_owned(),
                    attributes: super::restrictions(episode),
                    vector: vector.clone(),
                });
                given += 1;
            }
        }
        Ok(given)
    })
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
    beginning(&text).to_owned()
}
