//! Ways: what worked in other runs of a task, as a way out when another run of it fails.
//!
//! A lesson is the same action changed a little. What gets a task done may be another action altogether, and whether it
//! does is known only from other runs of the very task. So a way is proposed in two cases alone: a run failed in the same
//! way, and this worked next; or it is something else than what failed, and the runs vote for it: what it brings has worked in
//! this run, or in many others. What the run has done already is no way out.

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

/// Votes that the words that a way brings must have, added up. One that worked in this run has one vote, any other the
/// share of the other runs that have it.
const VOTES: f64 = 3.0;

/// Other runs of which the share is taken, at least: what one of two runs does is not what all do.
const VOTERS: usize = 2;

/// Words that a way must bring after the same failure: less is a detail, and a matter of lessons.
const BRINGS: usize = 2;

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

/// Where a run stands when it has failed.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'s> {
    /// What has just failed.
    pub failed: &'s Mishap,
    /// What the run did before.
    pub before: &'s [Done],
}

/// An action of the run that stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// What was done, secrets masked.
    pub action: String,
    /// Whether it worked.
    pub worked: bool,
}

/// Why a way is proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The same failed in another run, and this worked next.
    Next,
    /// What it brings has worked in this run, or in many others.
    Voted,
}

/// What to do after a failure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WayOut<'w> {
    /// The way.
    pub way: &'w Way,
    /// Why it is proposed.
    pub reason: Reason,
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
/// use twiceshy_learning::ways::{Mishap, Standing, Way, way_out};
/// let way = |run: &str, action: &str| Way { run: run.into(), step: 1, action: action.into(), after: Vec::new() };
/// let ways = [
///     way("a", "find src -name '*.log' -mtime +7 -delete"),
///     way("b", "find src -name '*.log' -mtime +7 -delete"),
///     way("c", "find ./src -type f -name '*.log' -mtime +7 -delete"),
/// ];
/// let failed = Mishap { action: "rm --older-than 7 src".into(), fingerprint: "fp_1".into() };
/// let standing = Standing { failed: &failed, before: &[] };
/// assert_eq!(way_out(&ways, &standing).unwrap().way, &ways[1]);
/// assert_eq!(way_out(&ways[..1], &standing), None);
/// ```
pub fn way_out<'w>(ways: &'w [Way], standing: &Standing) -> Option<WayOut<'w>> {
    let vote = Vote::new(ways, standing);
    let found = |reason: Reason, at: usize| WayOut {
        way: &ways[at],
        reason,
    };
    let next = vote.best(|at| vote.next(at));
    let voted = || vote.best(|at| vote.voted(at));
    next.map(|at| found(Reason::Next, at))
        .or_else(|| voted().map(|at| found(Reason::Voted, at)))
}

/// The ways of other runs, what they have in common, and what they have that the failed action lacks.
struct Vote<'v> {
    ways: &'v [Way],
    standing: &'v Standing<'v>,
    words: Vec<BTreeSet<u32>>,
    /// The words of the action that failed.
    tried: BTreeSet<u32>,
    /// The words of what worked in this run.
    worked: BTreeSet<u32>,
    /// For each way, how similar the most similar action of each other run is.
    nearest: Vec<BTreeMap<&'v str, f64>>,
    /// For each word, the runs that have it.
    voters: BTreeMap<u32, BTreeSet<&'v str>>,
    runs: usize,
    /// For each way, how similar an action is that failed in the same way before it.
    same: Vec<f64>,
}

impl<'v> Vote<'v> {
    fn new(ways: &'v [Way], standing: &'v Standing) -> Self {
        let mut numbers = Words::default();
        let tried = numbers.of(&standing.failed.action);
        let words: Vec<_> = ways.iter().map(|way| numbers.of(&way.action)).collect();
        let worked = standing.before.iter().filter(|done| done.worked);
        let worked = worked.flat_map(|done| numbers.of(&done.action)).collect();
        let mut voters: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
        for (way, words) in ways.iter().zip(&words) {
            for word in words {
                voters.entry(*word).or_default().insert(&way.run);
            }
        }
        let mut same = |way: &Way| {
            let same = way.after.iter();
            same.filter(|mishap| mishap.fingerprint == standing.failed.fingerprint)
                .map(|mishap| similarity(&numbers.of(&mishap.action), &tried))
                .fold(0.0, f64::max)
        };
        let runs: BTreeSet<_> = ways.iter().map(|way| &way.run).collect();
        Self {
            same: ways.iter().map(&mut same).collect(),
            nearest: (0..ways.len())
                .map(|at| nearest(ways, &words, at))
                .collect(),
            runs: runs.len(),
            ways,
            standing,
            words,
            tried,
            worked,
            voters,
        }
    }

    /// The way that counts most, the latest of equals, without those that this run has tried.
    fn best<T: PartialOrd>(&self, count: impl Fn(usize) -> Option<T>) -> Option<usize> {
        let mut best: Option<(T, usize)> = None;
        for at in 0..self.ways.len() {
            let action = self.ways[at].action.as_str();
            let is_tried = |done: &Done| done.action.trim() == action;
            if self.standing.before.iter().any(is_tried) {
                continue;
            }
            if let Some(count) = count(at)
                && best.as_ref().is_none_or(|(most, _)| count >= *most)
            {
                best = Some((count, at));
            }
        }
        best.map(|(_, at)| at)
    }

    /// What a way has that the failed action lacks.
    fn brings(&self, at: usize) -> impl Iterator<Item = &u32> {
        self.words[at].difference(&self.tried)
    }

    /// How far other runs do the same: the most similar action of each, added up.
    fn agreement(&self, at: usize) -> f64 {
        self.nearest[at].values().sum()
    }

    /// What worked right after the same failure.
    fn next(&self, at: usize) -> Option<(f64, f64)> {
        let is_new = self.same[at] >= SAME && self.brings(at).count() >= BRINGS;
        // Nobody else says that it worked: `make || true` may not have.
        (is_new && !is_success_bought(&parse(&self.ways[at].action)))
            .then(|| (self.same[at], self.agreement(at)))
    }

    /// What brings words that worked in this run, or in many others.
    fn voted(&self, at: usize) -> Option<(f64, f64)> {
        let others = VOTERS.max(self.runs - 1) as f64;
        let votes = |word: &u32| match self.worked.contains(word) {
            true => 1.0,
            false => (self.voters[word].len() - 1) as f64 / others,
        };
        let votes: f64 = self.brings(at).map(votes).sum();
        let is_other = similarity(&self.words[at], &self.tried) <= OTHER;
        (votes >= VOTES && is_other).then(|| (votes, self.agreement(at)))
    }
}

/// How similar the most similar action of each other run is to a way.
fn nearest<'v>(ways: &'v [Way], words: &[BTreeSet<u32>], at: usize) -> BTreeMap<&'v str, f64> {
    let mut nearest: BTreeMap<&str, f64> = BTreeMap::new();
    let others = ways.iter().zip(words);
    for (way, words_of_way) in others.filter(|(way, _)| way.run != ways[at].run) {
        let place = nearest.entry(&way.run).or_default();
        *place = place.max(similarity(&words[at], words_of_way));
    }
    nearest
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

    fn way(run: &str, action: &str) -> Way {
        Way {
            run: run.to_owned(),
            step: 0,
            action: action.to_owned(),
            after: Vec::new(),
        }
    }

    fn done(action: &str, worked: bool) -> Done {
        Done {
            action: action.to_owned(),
            worked,
        }
    }

    /// The way out after a failure that printed nothing and had nothing before it.
    fn out<'w>(ways: &'w [Way], failed: &Mishap) -> Option<WayOut<'w>> {
        let standing = Standing {
            failed,
            before: &[],
        };
        way_out(ways, &standing)
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
        let found = out(&ways, &mishap("ip addr show dev eth1", "fp_1")).expect("a way out");
        assert_eq!(found.reason, Reason::Next);
        assert_eq!(found.way.action, "hostname -I | cut -d' ' -f1");
        let elsewhere = mishap("ip addr show dev eth1", "fp_2");
        assert_eq!(out(&ways, &elsewhere), None);
        let otherwise = mishap("ip route", "fp_1");
        assert_eq!(out(&ways, &otherwise), None);
        let bought = ways_of(
            "r",
            &[
                attempt(0, "ip addr show dev eth0", Some("fp_1")),
                attempt(1, "hostname -I | cut -f1 || true", None),
            ],
        );
        assert_eq!(out(&bought, &mishap("ip addr show dev eth1", "fp_1")), None);
    }

    #[test]
    fn what_is_nearly_done_already_needs_no_other_way() {
        let action = "sort -n sizes.txt | tail -n 5 | cut -f 2";
        let ways = ["a", "b", "c", "d"].map(|run| way(run, action));
        let nearly = mishap("sort -n sizes.txt | tail -n 5 | cut -f2-", "fp_1");
        assert_eq!(out(&ways, &nearly), None);
        let other = mishap("largest --five sizes.txt", "fp_1");
        assert!(out(&ways, &other).is_some_and(|found| found.reason == Reason::Voted));
    }

    #[test]
    fn the_way_that_most_runs_go_is_proposed() {
        let ways = [
            way("a", "du -a src | sort -n | tail -n 5"),
            way("b", "du -a ./src | sort -n | tail -n 5"),
            way("c", "ls -lS src | head -n 6 | awk '{print $9}'"),
        ];
        let failed = mishap("largest --five", "fp_1");
        assert_eq!(out(&ways, &failed).expect("a way").way.run, "b");
    }

    #[test]
    fn a_run_that_has_done_something_is_led_on_by_what_worked_in_it() {
        let ways = [
            way("a", "od -A n -t x1 -N 16 notes.bin | tr -d ' '"),
            way(
                "b",
                "python3 -c \"print(open('notes.bin','rb').read(16).hex())\"",
            ),
            way(
                "c",
                "python3 -c \"print(open('notes.bin', 'rb').read(16).hex())\"",
            ),
        ];
        let failed = mishap("xxd -p -l 16 notes.bin", "fp_1");
        let before = [done("od -A n -t x1 -N 8 notes.bin", true)];
        let found = way_out(
            &ways,
            &Standing {
                failed: &failed,
                before: &before,
            },
        );
        let found = found.expect("a way out");
        assert_eq!((found.way.run.as_str(), found.reason), ("a", Reason::Voted));
        let alone = out(&ways, &failed).map(|found| found.way.run.as_str());
        assert_eq!(alone, Some("c"), "without that, what two runs agree on");
    }

    #[test]
    fn what_the_run_has_tried_already_is_no_way_out() {
        let ways = [
            way("a", "find /srv/logs -name '*.log' -mtime +7 -delete"),
            way("b", "find /srv/logs -name '*.log' -mtime +7 -delete"),
        ];
        let failed = mishap("logrotate --older-than 7d", "fp_1");
        assert!(out(&ways, &failed).is_some());
        let before = [done(
            "find /srv/logs -name '*.log' -mtime +7 -delete",
            false,
        )];
        let standing = Standing {
            failed: &failed,
            before: &before,
        };
        assert_eq!(way_out(&ways, &standing), None);
    }
}
