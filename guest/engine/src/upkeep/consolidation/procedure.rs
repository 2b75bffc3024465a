//! The procedure that similar episodes have in common.
//!
//! Owns how it is derived from their steps and how certain it is. Pure, but for the steps it reads. What becomes of it is the
//! business of [extraction](super::extraction).

use twiceshy_wit::memory::{Error, Outcome};

use super::similarity::{Shape, shared};

use crate::store::Reader;

/// A procedure has steps: from so many on it says more than the task.
const LEAST_STEPS: usize = 2;

/// Steps of a procedure that anybody follows.
const MOST_STEPS: usize = 50;

/// Actions in order that worked in several episodes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Procedure {
    pub(super) steps: Vec<String>,
    /// The episodes in which all of it was done, in order, and how they ended.
    pub(super) episodes: Vec<(String, Outcome)>,
}

impl Procedure {
    /// The procedure that the successes of a group have in common, if there is one.
    pub(super) fn of(group: &[&Shape], reader: &Reader) -> Result<Option<Self>, Error> {
        let mut steps: Option<Vec<String>> = None;
        for shape in group.iter().filter(|shape| shape.succeeded()) {
            let worked = shape.worked(reader)?;
            steps = Some(match steps {
                None => worked,
                Some(steps) => shared(&steps, &worked),
            });
        }
        let Some(mut steps) = steps else {
            return Ok(None);
        };
        // The same action several times in a row is one step.
        steps.dedup();
        steps.retain(|step| !step.is_empty());
        if steps.len() < LEAST_STEPS || steps.len() > MOST_STEPS {
            return Ok(None);
        }
        let mut episodes = Vec::new();
        for shape in group {
            let mut worked = shape.worked(reader)?;
            worked.dedup();
            if shared(&steps, &worked).len() == steps.len() {
                episodes.push((shape.episode.id.clone(), shape.episode.outcome));
            }
        }
        Ok((episodes.len() >= 2).then_some(Self { steps, episodes }))
    }

    /// How sure it is that it works the next time.
    pub(super) fn confidence(&self) -> f64 {
        confidence(&self.episodes)
    }
}

/// The rule of succession: `(s + 1) / (n + 2)` for `s` successes in `n` episodes. Three successes of three are the least
/// that comes to 0.8; beside one failure it takes seven.
pub(super) fn confidence(episodes: &[(String, Outcome)]) -> f64 {
    let worked = episodes.iter();
    let worked = worked.filter(|(_, outcome)| *outcome == Outcome::Success);
    (worked.count() as f64 + 1.0) / (episodes.len() as f64 + 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(successes: usize, failures: usize) -> f64 {
        let ended = |outcome, count| std::iter::repeat_n(("run".to_owned(), outcome), count);
        let episodes = ended(Outcome::Success, successes).chain(ended(Outcome::Failure, failures));
        confidence(&episodes.collect::<Vec<_>>())
    }

    #[test]
    fn confidence_grows_with_what_worked_and_falls_with_what_did_not() {
        assert_eq!(of(2, 0), 0.75);
        assert_eq!(of(3, 0), 0.8);
        assert_eq!(of(7, 1), 0.8);
        assert_eq!(of(8, 2), 0.75);
        assert_eq!(of(0, 0), 0.5);
    }
}
