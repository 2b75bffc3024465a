//! How alike two episodes are, and groups of alike ones.
//!
//! Owns the measure: half of it is the task, by vectors where the host has an embedder and by words otherwise, half the
//! structure of what was done, by the longest common sequence of actions. Data of the day, such as paths and numbers,
//! count as what they are, not by their value.

use std::{cell::OnceCell, collections::BTreeSet};

use twiceshy_wit::memory::{Episode, Error, Outcome};

use crate::{
    form::{Kind, Lexed, common},
    ports::Engine,
    text,
};

/// An action in bytes, as it is compared.
const ACTION_BYTES: usize = 300;

/// Actions of one episode that are compared.
const ACTIONS: usize = 200;

/// Texts of one call to the embedder, and the bytes of each, as its contract has it.
const EMBEDDED: usize = 64;
const EMBEDDED_BYTES: usize = 8 << 10;

/// One action of an episode, without the data of the day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Action {
    pub(super) form: String,
    pub(super) failed: bool,
}

impl Action {
    /// The action in words; a failed one says so.
    pub(super) fn said(&self) -> String {
        match self.failed {
            true => format!("✗ {}", self.form),
            false => self.form.clone(),
        }
    }
}

/// An episode, ready to be compared.
pub(super) struct Shape {
    pub(super) episode: Episode,
    words: BTreeSet<String>,
    pub(super) vector: Vec<f32>,
    actions: OnceCell<Vec<Action>>,
}

impl Shape {
    pub(super) fn actions(&self, engine: &Engine) -> Result<&[Action], Error> {
        if self.actions.get().is_none() {
            let attempts = engine.attempts_of(&self.episode.id)?;
            let actions = attempts.iter().take(ACTIONS).map(|attempt| Action {
                form: form(&attempt.action),
                failed: attempt.failure.is_some(),
            });
            let _ = self.actions.set(actions.collect());
        }
        Ok(self.actions.get().map_or(&[], Vec::as_slice))
    }

    /// What was done, in order.
    pub(super) fn structure(&self, engine: &Engine) -> Result<Vec<String>, Error> {
        Ok(self.actions(engine)?.iter().map(Action::said).collect())
    }

    /// What worked, in order.
    pub(super) fn worked(&self, engine: &Engine) -> Result<Vec<String>, Error> {
        let worked = self.actions(engine)?.iter().filter(|action| !action.failed);
        Ok(worked.map(|action| action.form.clone()).collect())
    }

    pub(super) fn succeeded(&self) -> bool {
        self.episode.outcome == Outcome::Success
    }

    /// How alike the tasks are.
    fn task_likeness(&self, other: &Shape) -> f64 {
        let vectors = !self.vector.is_empty() && self.vector.len() == other.vector.len();
        if vectors {
            return cosine(&self.vector, &other.vector).clamp(0.0, 1.0);
        }
        match self.words.is_empty() && other.words.is_empty() {
            true => 1.0,
            false => text::likeness(&self.words, &other.words),
        }
    }

    /// How alike two episodes are, from 0 to 1; 0 if it is less than `least`.
    pub(super) fn likeness(
        &self,
        other: &Shape,
        least: f64,
        engine: &Engine,
    ) -> Result<f64, Error> {
        let task = self.task_likeness(other);
        // Steps are read only where they can decide.
        if 0.5 * task + 0.5 < least {
            return Ok(0.0);
        }
        let actions = order_likeness(&self.structure(engine)?, &other.structure(engine)?);
        let likeness = 0.5 * task + 0.5 * actions;
        Ok(if likeness < least { 0.0 } else { likeness })
    }
}

/// How alike two sequences are: twice what they have in common, in order, over what they have.
pub(super) fn order_likeness(left: &[String], right: &[String]) -> f64 {
    match left.len() + right.len() {
        0 => 1.0,
        all => 2.0 * common(left, right).len() as f64 / all as f64,
    }
}

/// What two sequences have in common, in order.
pub(super) fn shared(left: &[String], right: &[String]) -> Vec<String> {
    let pairs = common(left, right);
    pairs.into_iter().map(|(at, _)| left[at].clone()).collect()
}

/// An action without the data of the day.
pub(super) fn form(action: &str) -> String {
    let action = &action[..action.floor_char_boundary(ACTION_BYTES)];
    let mut form = String::with_capacity(action.len());
    for token in &Lexed::new(action).tokens {
        match token.kind {
            Kind::Data(base) => form.extend(["<", base, ">"]),
            Kind::Space => form.push(' '),
            _ => form.push_str(token.text),
        }
    }
    form.trim().to_owned()
}

fn cosine(left: &[f32], right: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        a.iter()
            .zip(b)
            .map(|(a, b)| f64::from(*a) * f64::from(*b))
            .sum()
    };
    let lengths = dot(left, left).sqrt() * dot(right, right).sqrt();
    if lengths == 0.0 {
        0.0
    } else {
        dot(left, right) / lengths
    }
}

/// The mean of some vectors of one length, each as often as it counts.
pub(super) fn mean<'v>(vectors: impl Iterator<Item = (&'v [f32], u32)>) -> Vec<f32> {
    let mut sum: Vec<f64> = Vec::new();
    let mut counted = 0;
    for (vector, count) in vectors.filter(|(vector, _)| !vector.is_empty()) {
        if sum.is_empty() {
            sum.resize(vector.len(), 0.0);
        }
        if vector.len() == sum.len() {
            counted += count;
            for (sum, value) in sum.iter_mut().zip(vector) {
                *sum += f64::from(*value) * f64::from(count);
            }
        }
    }
    let counted = f64::from(counted.max(1));
    sum.into_iter().map(|sum| (sum / counted) as f32).collect()
}

impl Engine<'_> {
    /// Episodes, ready to be compared.
    pub(super) fn shapes(&self, episodes: Vec<Episode>) -> Vec<Shape> {
        let vectors = self.task_vectors(&episodes);
        let shape = |(episode, vector): (Episode, Vec<f32>)| Shape {
            words: text::telling(&form(&episode.task)),
            vector,
            actions: OnceCell::new(),
            episode,
        };
        episodes.into_iter().zip(vectors).map(shape).collect()
    }

    /// The vector of each episode's task; empty without an embedder. The same task is asked for once.
    fn task_vectors(&self, episodes: &[Episode]) -> Vec<Vec<f32>> {
        let text = |episode: &Episode| {
            let task = &episode.task;
            task[..task.floor_char_boundary(EMBEDDED_BYTES)].to_owned()
        };
        let different: BTreeSet<_> = episodes.iter().map(text).collect();
        let different: Vec<_> = different.into_iter().collect();
        let mut known = std::collections::BTreeMap::new();
        for texts in different.chunks(EMBEDDED) {
            match self.ports.embedder.embed(texts) {
                Ok(vectors) if vectors.len() == texts.len() => {
                    known.extend(texts.iter().cloned().zip(vectors));
                }
                _ => break,
            }
        }
        let of = |episode: &Episode| known.get(&text(episode)).cloned().unwrap_or_default();
        episodes.iter().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(words: &str) -> Vec<String> {
        words.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_data_of_the_day_do_not_make_a_difference() {
        assert_eq!(form("cat  src/main.rs -n 5"), "cat <path> -n <num>");
        assert_eq!(form("cat src/lib.rs -n 7"), form("cat a/b.rs  -n 12"));
    }

    #[test]
    fn sequences_are_alike_by_what_they_have_in_common_in_order() {
        assert_eq!(order_likeness(&list("a b c"), &list("a b c")), 1.0);
        assert_eq!(order_likeness(&list("a b c d"), &list("a c b d")), 0.75);
        assert_eq!(order_likeness(&[], &[]), 1.0);
        assert_eq!(order_likeness(&list("a"), &[]), 0.0);
        assert_eq!(shared(&list("a b c"), &list("b x c")), list("b c"));
    }

    #[test]
    fn the_mean_leaves_out_what_has_no_vector() {
        let vectors: [(&[f32], u32); 3] = [(&[1.0, 3.0], 3), (&[], 1), (&[5.0, 7.0], 1)];
        assert_eq!(mean(vectors.into_iter()), [2.0, 4.0]);
        assert_eq!(cosine(&[1.0, 0.0], &[0.0, 1.0]), 0.0);
        assert!((cosine(&[1.0, 1.0], &[2.0, 2.0]) - 1.0).abs() < 1e-9);
    }
}
