//! How similar two episodes are, and groups of similar ones.
//!
//! Owns the measure: half of it is the task, by vectors where the host has an embedder and by words otherwise, half the
//! structure of what was done, by the longest common sequence of actions. Data of the day, such as paths and numbers,
//! count as what they are, not by their value.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
};

use twiceshy_wit::memory::{Episode, Error, Outcome};

use crate::{
    episodes::{attempts, experience::similarity::Task},
    form::{Kind, Lexed, common},
    similarity::Scale,
    store::{Desk, Reader},
    text,
};

/// An action in bytes, as it is compared.
const ACTION_BYTES: usize = 300;

/// Actions of one episode that are compared.
const ACTIONS: usize = 200;

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
    pub(super) task: Task,
    /// What made the vector of its task.
    pub(super) model: String,
    actions: OnceCell<Vec<Action>>,
}

impl Shape {
    pub(super) fn actions(&self, reader: &Reader) -> Result<&[Action], Error> {
        if self.actions.get().is_none() {
            let attempts = attempts::attempts_of(reader, &self.episode.id)?;
            let actions = attempts.iter().take(ACTIONS).map(|attempt| Action {
                form: form(&attempt.action),
                failed: attempt.failure.is_some(),
            });
            let _ = self.actions.set(actions.collect());
        }
        Ok(self.actions.get().map_or(&[], Vec::as_slice))
    }

    /// What was done, in order.
    pub(super) fn structure(&self, reader: &Reader) -> Result<Vec<String>, Error> {
        Ok(self.actions(reader)?.iter().map(Action::said).collect())
    }

    /// What worked, in order.
    pub(super) fn worked(&self, reader: &Reader) -> Result<Vec<String>, Error> {
        let worked = self.actions(reader)?.iter().filter(|action| !action.failed);
        Ok(worked.map(|action| action.form.clone()).collect())
    }

    pub(super) fn succeeded(&self) -> bool {
        self.episode.outcome == Outcome::Success
    }

    /// How similar two episodes are, from 0 to 1; 0 if it is less than `least`.
    pub(super) fn likeness(
        &self,
        other: &Shape,
        least: f64,
        reader: &Reader,
    ) -> Result<f64, Error> {
        let (own, others) = (&self.task, &other.task);
        let task = match own.words.is_empty() && others.words.is_empty() {
            true if own.vector.len() != others.vector.len() || own.vector.is_empty() => 1.0,
            _ => own.similarity_to(others),
        };
        // Steps are read only where they can decide.
        if 0.5 * task + 0.5 < least {
            return Ok(0.0);
        }
        let actions = order_likeness(&self.structure(reader)?, &other.structure(reader)?);
        let likeness = 0.5 * task + 0.5 * actions;
        Ok(if likeness < least { 0.0 } else { likeness })
    }
}

/// How similar two sequences are: twice what they have in common, in order, over what they have.
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

/// Episodes, ready to be compared.
pub(super) fn shapes(desk: &Desk, episodes: Vec<Episode>) -> Vec<Shape> {
    let vectors = task_vectors(desk, &episodes);
    let model = desk.model_of_vectors().unwrap_or_default();
    let scale = match vectors.iter().any(|vector| !vector.is_empty()) {
        true => desk.scale().unwrap_or_default(),
        false => Scale::default(),
    };
    let shape = |(episode, vector): (Episode, Vec<f32>)| Shape {
        task: Task {
            said: episode.task.clone(),
            words: text::telling(&form(&episode.task)),
            vector,
            scale,
        },
        actions: OnceCell::new(),
        model: model.clone(),
        episode,
    };
    episodes.into_iter().zip(vectors).map(shape).collect()
}

/// The vector of each episode's task; empty without an embedder. The same task is asked for once.
fn task_vectors(desk: &Desk, episodes: &[Episode]) -> Vec<Vec<f32>> {
    let different: BTreeSet<_> = episodes.iter().map(|episode| &episode.task).collect();
    let different: Vec<_> = different.into_iter().collect();
    let vectors = desk.vectors_of(&different);
    let known: BTreeMap<_, _> = different.into_iter().zip(vectors).collect();
    let of = |episode: &Episode| known.get(&episode.task).cloned().unwrap_or_default();
    episodes.iter().map(of).collect()
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
}
