//! Vectors: what the host's embedder makes of texts, the one place that asks it, and what happens if the store refuses them.
//!
//! Owns what a cosine says. Embedders differ in what they give unrelated texts, from 0 to 0.8, so a cosine says nothing by
//! itself: each text is embedded together with sentences that have nothing to do with any task, and a cosine
//! counts from where those end. **Vectors are compared only with vectors of the same embedder**: each is kept with the id
//! of what made it.

use std::cell::RefCell;

use twiceshy_text::vector::Direction;
use twiceshy_wit::{host::Condition, memory::Error};

use crate::similarity::Scale;

use super::{desk::Desk, documents::equals, errors::from_host};

/// A text that is embedded, in bytes, as the port has it.
const EMBEDDED_BYTES: usize = 8 << 10;

/// Texts that are embedded at once, as the port has it.
pub(crate) const EMBEDDED: usize = 64;

/// The attribute with the id of what made a document's vector.
pub(crate) const MODEL: &str = "model";

/// The beginning of the ids of embedders that add up words.
const OF_WORDS: &str = "static";

/// Sentences that have nothing to do with each other, or with most tasks.
const UNRELATED: [&str; 16] = [
    "The committee approved the budget for the coming fiscal year.",
    "Knead the dough until it is smooth, then let it rise overnight.",
    "The comet will be visible above the horizon before dawn.",
    "She scored the winning goal in the final minute of the match.",
    "The patient was given antibiotics after the operation.",
    "Prune the roses in early spring before new leaves appear.",
    "The orchestra rehearsed the second movement twice.",
    "Two ships were delayed in the harbour because of fog.",
    "The court rejected the appeal on procedural grounds.",
    "The kernel driver returned an unexpected interrupt status.",
    "Add an index to the column so that the query plan improves.",
    "The button should stay disabled until the form is valid.",
    "A new release of the library was published on Tuesday.",
    "The museum opens at nine and closes at five in winter.",
    "Glaciers in the valley have retreated by several metres.",
    "He forgot his umbrella on the train to the coast.",
];

/// What an embedder made of the unrelated sentences.
#[derive(Default)]
struct UnrelatedVectors {
    model: String,
    vectors: Vec<Vec<f32>>,
}

thread_local! {
    /// Of the embedder that was asked last.
    static UNRELATED_VECTORS: RefCell<UnrelatedVectors> = RefCell::default();
}

/// Whether an embedder of this id only adds up words.
pub(crate) fn is_of_words(model: &str) -> bool {
    model.starts_with(OF_WORDS)
}

/// A vector with the id of what made it; empty if nothing did.
#[derive(Debug, Clone, Default)]
pub(crate) struct Made {
    pub(crate) vector: Vec<f32>,
    pub(crate) model: String,
}

/// What a text means: its vector, what made it, and up to which cosine others have nothing to do with it. Without a vector
/// it is not known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Meaning {
    pub(crate) vector: Vec<f32>,
    pub(crate) model: String,
    /// What a cosine with it says.
    pub(crate) scale: Scale,
}

impl Meaning {
    /// Whether the embedder only adds up words.
    pub(crate) fn is_of_words(&self) -> bool {
        is_of_words(&self.model)
    }

    /// Whether there is nothing to compare.
    pub(crate) fn is_empty(&self) -> bool {
        self.vector.is_empty()
    }

    /// A condition that a document's vector can be compared with this one.
    pub(crate) fn is_comparable(&self) -> Condition {
        equals(MODEL, &self.model)
    }
}

impl Desk<'_> {
    /// What a text means; nothing without an embedder, or if it knows no word of the text. **An embedder that only adds
    /// up words says too little to show or to merge something by**: it is asked where words decide as well.
    pub(crate) fn meaning_of(&self, text: &str) -> Meaning {
        match self.has_reading_embedder() {
            true => self.meaning_beside_words(text),
            false => Meaning::default(),
        }
    }

    /// The same by any embedder.
    pub(crate) fn meaning_beside_words(&self, text: &str) -> Meaning {
        let nothing = Meaning::default();
        let Some(model) = self.model_of_vectors().filter(|_| !text.trim().is_empty()) else {
            return nothing;
        };
        let Some((vector, cosines)) = self.beside_unrelated(&model, text) else {
            return nothing;
        };
        if vector.iter().all(|component| *component == 0.0) {
            return nothing;
        }
        Meaning {
            vector,
            model,
            scale: Scale::of_unrelated(&cosines),
        }
    }

    /// The vector of a text, and its cosines with those of the unrelated sentences. These are asked for once: an embedder
    /// says the same of the same text.
    fn beside_unrelated(&self, model: &str, text: &str) -> Option<(Vec<f32>, Vec<f64>)> {
        UNRELATED_VECTORS.with_borrow_mut(|kept| {
            let known = if kept.model == model {
                kept.vectors.len()
            } else {
                0
            };
            let mut vector = match known {
                0 => None,
                _ => Some(self.any_vectors_of(&[text]).pop()?),
            };
            // Another length is that of another embedder under the same name.
            if vector.as_ref().map(Vec::len) != kept.vectors.first().map(Vec::len) || known == 0 {
                let texts: Vec<_> = std::iter::once(text).chain(UNRELATED).collect();
                let mut vectors = self.any_vectors_of(&texts).into_iter();
                vector = vectors.next();
                kept.model = model.to_owned();
                kept.vectors = vectors.collect();
            }
            let vector = vector?;
            let own = Direction::new(&vector);
            let cosines = kept.vectors.iter().map(|other| own.cosine(other)).collect();
            Some((vector, cosines))
        })
    }

    /// What a cosine of any two texts says by the embedder that reads whole texts; none without one.
    pub(crate) fn scale(&self) -> Option<Scale> {
        let vectors = self.vectors_of(&UNRELATED);
        let cosines: Vec<_> = vectors
            .iter()
            .enumerate()
            .flat_map(|(at, one)| {
                let one = Direction::new(one);
                vectors[..at].iter().map(move |other| one.cosine(other))
            })
            .collect();
        (!cosines.is_empty()).then(|| Scale::of_unrelated(&cosines))
    }

    /// The vector of a text with the id of what made it, by an embedder that reads the whole text.
    pub(crate) fn made_vector_of(&self, text: &str) -> Made {
        self.made_vectors_of(&[text]).pop().unwrap_or_default()
    }

    /// The same for many texts: one for each, or none at all.
    pub(crate) fn made_vectors_of<T: AsRef<str>>(&self, texts: &[T]) -> Vec<Made> {
        let model = self.model_of_vectors().unwrap_or_default();
        let made = |vector| Made {
            vector,
            model: model.clone(),
        };
        self.vectors_of(texts).into_iter().map(made).collect()
    }

    /// Whether there is an embedder that reads whole texts, whose word alone counts.
    pub(crate) fn has_reading_embedder(&self) -> bool {
        let model = self.model_of_vectors();
        model.is_some_and(|model| !is_of_words(&model))
    }

    /// The id of what makes vectors; none without an embedder.
    pub(crate) fn model_of_vectors(&self) -> Option<String> {
        match self.embedder.identity().map_err(from_host) {
            Ok(model) => Some(model),
            Err(Error::Unavailable(_)) => None,
            Err(error) => {
                let reason = error.message();
                self.warn(&format!("texts are compared by their words: {reason}"));
                None
            }
        }
    }

    /// One vector for each text by an embedder that reads the whole text; none at all without one, or where it
    /// fails, which is logged.
    pub(crate) fn vectors_of<T: AsRef<str>>(&self, texts: &[T]) -> Vec<Vec<f32>> {
        match self.model_of_vectors() {
            Some(model) if !is_of_words(&model) => self.any_vectors_of(texts),
            _ => Vec::new(),
        }
    }

    /// The same by any embedder.
    pub(crate) fn any_vectors_of<T: AsRef<str>>(&self, texts: &[T]) -> Vec<Vec<f32>> {
        match self.embed(texts) {
            Ok(vectors) => vectors,
            Err(Error::Unavailable(_)) => Vec::new(),
            Err(error) => {
                let reason = error.message();
                self.warn(&format!("texts are compared by their words: {reason}"));
                Vec::new()
            }
        }
    }

    /// One vector for each text, all of one length.
    pub(crate) fn embed<T: AsRef<str>>(&self, texts: &[T]) -> Result<Vec<Vec<f32>>, Error> {
        let mut vectors = Vec::with_capacity(texts.len());
        for some in texts.chunks(EMBEDDED) {
            let cut = |text: &T| beginning(text.as_ref()).to_owned();
            let cut: Vec<_> = some.iter().map(cut).collect();
            vectors.extend(self.embedder.embed(&cut).map_err(from_host)?);
        }
        let length = vectors.first().map_or(1, Vec::len);
        let fits = |vector: &Vec<f32>| {
            vector.len() == length && vector.iter().all(|component| component.is_finite())
        };
        if vectors.len() != texts.len() || length == 0 || !vectors.iter().all(fits) {
            return Err(Error::Other(
                "the embedder returned too few vectors, empty ones, or vectors of different lengths"
                    .to_owned(),
            ));
        }
        Ok(vectors)
    }

    /// Writes something with its vectors, or without them if the store refuses those: it keeps vectors of one length,
    /// and another embedder than before makes others.
    pub(crate) fn with_vectors<T>(
        &mut self,
        what_was: &str,
        has_vectors: bool,
        mut write: impl FnMut(&mut Self, bool) -> Result<T, Error>,
    ) -> Result<T, Error> {
        match write(self, true) {
            Err(Error::InvalidArgument(reason)) if has_vectors => {
                self.warn(&format!("{what_was} stored without vectors: {reason}"));
                write(self, false)
            }
            written => written,
        }
    }
}

/// What of a text is embedded.
pub(crate) fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(EMBEDDED_BYTES)]
}
