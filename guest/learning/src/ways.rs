//! Ways: what worked in other runs of a task, as a way out when another run of it fails.
//!
//! A lesson is the same action changed a little. What gets a task done may be another action altogether, and whether it
//! does is known only from other runs of the very task. So a way is proposed in two cases alone: a run failed in the same
//! way, and this worked next; or several runs agree on it, and what failed here is something else.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use twiceshy_shell::{is_success_bought, parse};
use twiceshy_text::terms::term_set;

use crate::mining::{Attempt, RULE_CHARS};

/// An action in bytes: what is longer is no way that is read.
const ACTION_BYTES: usize = 512;

/// Ways of one run that are kept, the last ones: they are where the task was done.
pub const WAYS: usize = 8;

/// From this similarity on two actions, one of which failed like the other, are the same try.
const SAME: f64 = 0.8;

/// Up to this similarity what failed is something else than a way.
const OTHER: f64 = 0.5;

/// How similar actions of other runs must be to a way, added up: one of them at least half.
const AGREED: f64 = 0.5;

/// Words that a way must bring after the same failure, and if it is something else: less is a detail, and a matter of lessons.
const BRINGS: usize = 2;
const BRINGS_OTHER: usize = 3;

/// An action that worked in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Way {
    /// The run.
    pub run: String,
    /// Its step.
    pub step: u32,
    /// What was done, secrets masked.
    pub action: String,
    /// What failed right before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Mishap>,
}

/// An action that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mishap {
    /// What was tried, secrets masked.
    pub action: String,
    /// The fingerprint of its failure.
    pub fingerprint: String,
}

/// What to do after a failure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WayOut<'w> {
    /// The way.
    pub way: &'w Way,
    /// Whether the same failed before it worked; if not, several runs agree on it.
    pub is_next: bool,
}

/// The ways of a run: what worked in it and what had failed right before, each action once.
pub fn ways_of(run: &str, attempts: &[Attempt]) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    let mut after: Vec<Mishap> = Vec::new();
    for attempt in attempts {
        let action = attempt.action.trim();
        if let Some((fingerprint, _)) = &attempt.failure {
            after.push(Mishap {
                action: action[..action.floor_char_boundary(ACTION_BYTES)].to_owned(),
                fingerprint: fingerprint.clone(),
            });
            continue;
        }
        let mut after = std::mem::take(&mut after);
        if !is_way(action) {
            continue;
        }
        if let Some(place) = ways.iter().position(|way| way.action == action) {
            let known = ways.remove(place);
            let new = |mishap: &Mishap| !after.contains(mishap);
            let earlier: Vec<_> = known.after.into_iter().filter(new).collect();
            after.splice(0..0, earlier);
        }
        // The last ones: what was tried long before has little to do with what worked.
        after.drain(..after.len().saturating_sub(WAYS));
        ways.push(Way {
            run: run.to_owned(),
            step: attempt.index,
            action: action.to_owned(),
            after,
        });
    }
    ways.drain(..ways.len().saturating_sub(WAYS));
    ways
}

/// Whether an action that worked shows how something is done.
fn is_way(action: &str) -> bool {
    // What is cut, or speaks as a rule does, could not be read back.
    let is_whole = !action.contains("[…]") && !action.ends_with('…');
    let lower = action.to_lowercase();
    is_whole
        && action.len() <= ACTION_BYTES.min(RULE_CHARS)
        && !lower.contains("wrong:")
        && !lower.contains("correct:")
}

/// What other runs of a task say after a failure in it: the way out that fits best, if any does.
///
/// ```
/// use twiceshy_learning::ways::{Mishap, Way, way_out};
/// let way = |run: &str, action: &str| Way { run: run.into(), step: 1, action: action.into(), after: Vec::new() };
/// let ways = [
///     way("a", "find src -name '*.log' -mtime +7 -delete"),
///     way("b", "find ./src -type f -name '*.log' -mtime +7 -delete"),
/// ];
/// let failed = Mishap { action: "rm --older-than 7 src".into(), fingerprint: "fp_1".into() };
/// assert_eq!(way_out(&ways, &failed).unwrap().way, &ways[1]);
/// assert_eq!(way_out(&ways[..1], &failed), None);
/// ```
pub fn way_out<'w>(ways: &'w [Way], failed: &Mishap) -> Option<WayOut<'w>> {
    let mut words = Words::default();
    let tried = words.of(&failed.action);
    let sets: Vec<_> = ways.iter().map(|way| words.of(&way.action)).collect();
    let brings = |at: usize| sets[at].difference(&tried).count();
    let mut next: Option<(f64, usize)> = None;
    for (at, way) in ways.iter().enumerate() {
        let same = way
            .after
            .iter()
            .filter(|mishap| mishap.fingerprint == failed.fingerprint)
            .map(|mishap| similarity(&words.of(&mishap.action), &tried))
            .fold(0.0, f64::max);
        // Nobody else says that it worked: `make || true` may not have.
        let is_proven = || !is_success_bought(&parse(&way.action));
        let is_new = same >= SAME && brings(at) >= BRINGS;
        if is_new && next.is_none_or(|(best, _)| same >= best) && is_proven() {
            next = Some((same, at));
        }
    }
    if let Some((_, at)) = next {
        let way = &ways[at];
        return Some(WayOut { way, is_next: true });
    }
    let mut agreed: Option<(f64, usize)> = None;
    for (at, way) in ways.iter().enumerate() {
        let agreement = agreement(ways, &sets, at, &way.run);
        if agreed.is_none_or(|(best, _)| agreement >= best) {
            agreed = Some((agreement, at));
        }
    }
    let (agreement, at) = agreed?;
    let is_other = similarity(&sets[at], &tried) <= OTHER && brings(at) >= BRINGS_OTHER;
    (agreement >= AGREED && is_other).then_some(WayOut {
        way: &ways[at],
        is_next: false,
    })
}

/// How far other runs do the same: the most similar action of each, added up.
fn agreement(ways: &[Way], sets: &[BTreeSet<u32>], at: usize, run: &str) -> f64 {
    let mut nearest: BTreeMap<&str, f64> = BTreeMap::new();
    for (other, way) in ways.iter().enumerate().filter(|(_, way)| way.run != run) {
        let place = nearest.entry(&way.run).or_default();
        *place = place.max(similarity(&sets[at], &sets[other]));
    }
    nearest.values().sum()
}

/// Words as numbers: they are compared often.
#[derive(Debug, Default)]
struct Words(BTreeMap<String, u32>);

impl Words {
    fn of(&mut self, action: &str) -> BTreeSet<u32> {
        let next = |known: &BTreeMap<_, _>| known.len() as u32;
        let number = |word: String| {
            let number = next(&self.0);
            *self.0.entry(word).or_insert(number)
        };
        term_set(action).into_iter().map(number).collect()
    }
}

/// Twice what two sets share over what they have.
fn similarity(left: &BTreeSet<u32>, right: &BTreeSet<u32>) -> f64 {
    let all = left.len() + right.len();
    2.0 * left.intersection(right).count() as f64 / all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(index: u32, action: &str, failure: Option<&str>) -> Attempt {
        Attempt {
            index,
            action: action.to_owned(),
            is_command: true,
            failure: failure.map(|id| (id.to_owned(), String::new())),
            evidence: String::new(),
            known_runs: 1,
            harmful: false,
        }
    }

    fn mishap(action: &str, fingerprint: &str) -> Mishap {
        Mishap {
            action: action.to_owned(),
            fingerprint: fingerprint.to_owned(),
        }
    }

    #[test]
    fn a_way_knows_what_failed_right_before_it() {
        let ways = ways_of(
            "r",
            &[
                attempt(0, "ip addr show", Some("fp_1")),
                attempt(1, "hostname -I | cut -d' ' -f1", None),
                attempt(3, "hostname -I | cut -d' ' -f1", None),
            ],
        );
        assert_eq!(ways.len(), 1);
        assert_eq!(ways[0].step, 3);
        assert_eq!(ways[0].after, [mishap("ip addr show", "fp_1")]);
    }

    #[test]
    fn what_worked_after_the_same_failure_is_a_way_out_without_a_second_run() {
        let ways = ways_of(
            "r",
            &[
                attempt(0, "ip addr show dev eth0", Some("fp_1")),
                attempt(1, "hostname -I | cut -d' ' -f1", None),
            ],
        );
        let found = way_out(&ways, &mishap("ip addr show dev eth1", "fp_1")).expect("a way out");
        assert!(found.is_next);
        assert_eq!(found.way.action, "hostname -I | cut -d' ' -f1");
        let elsewhere = mishap("ip addr show dev eth1", "fp_2");
        assert_eq!(way_out(&ways, &elsewhere), None);
        let otherwise = mishap("ip route", "fp_1");
        assert_eq!(way_out(&ways, &otherwise), None);
        let bought = ways_of(
            "r",
            &[
                attempt(0, "ip addr show dev eth0", Some("fp_1")),
                attempt(1, "hostname -I | cut -f1 || true", None),
            ],
        );
        assert_eq!(
            way_out(&bought, &mishap("ip addr show dev eth1", "fp_1")),
            None
        );
    }

    #[test]
    fn what_is_nearly_done_already_needs_no_other_way() {
        let way = |run: &str| Way {
            run: run.to_owned(),
            step: 0,
            action: "sort -n sizes.txt | tail -n 5 | cut -f 2".to_owned(),
            after: Vec::new(),
        };
        let ways = [way("a"), way("b")];
        let nearly = mishap("sort -n sizes.txt | tail -n 5 | cut -f2-", "fp_1");
        assert_eq!(way_out(&ways, &nearly), None);
        let other = mishap("largest --five sizes.txt", "fp_1");
        assert!(way_out(&ways, &other).is_some_and(|found| !found.is_next));
    }
}
