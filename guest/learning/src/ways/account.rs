//! The account of a run: what worked in it, and what had failed right before.

use std::collections::BTreeMap;

use twiceshy_text::{digest, terms::term_set};

use super::{Recovery, Way};
use crate::mining::{Attempt, RULE_CHARS};

/// An action in bytes: what is longer is no way that is read.
const ACTION_BYTES: usize = 900;

/// Failures before a way that it is an answer to, the last ones: what was tried long before has little to do with what worked.
const MISHAPS: usize = 8;

/// Recoveries of one run from one kind of failure that are kept, the last ones.
const RECOVERIES: usize = 4;

/// Habits of a run that are kept with a failure, the last ones.
const HABITS: usize = 8;

/// The ways of a run: what worked in it, each action once.
pub fn ways_of(run: &str, attempts: &[Attempt]) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    for attempt in attempts.iter().filter(|one| one.failure.is_none()) {
        let action = attempt.action.trim();
        if is_way(action) {
            ways.retain(|way| way.action != action);
            ways.push(Way {
                run: run.to_owned(),
                step: attempt.index,
                action: action.to_owned(),
            });
        }
    }
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

/// The words of an action in one short form, by which what two runs did is compared.
pub(super) fn habit(action: &str) -> String {
    let words: Vec<_> = term_set(action).into_iter().collect();
    digest(&[&words.join(" ")])
}

/// How a run of a task went on after its failures: for each fingerprint and each of the last actions that met it, what worked
/// after it, preferably what came next.
pub fn recoveries<'a>(
    run: &str,
    task: &str,
    attempts: &'a [Attempt],
) -> BTreeMap<&'a str, Vec<Recovery>> {
    let mut recoveries: BTreeMap<&str, Vec<Recovery>> = BTreeMap::new();
    let mut habits: Vec<String> = Vec::new();
    let mut after = Vec::new();
    for attempt in attempts {
        let action = attempt.action.trim();
        if let Some((fingerprint, _)) = &attempt.failure {
            let failed = &action[..action.floor_char_boundary(ACTION_BYTES)];
            after.push((fingerprint.as_str(), failed, habits.clone()));
            continue;
        }
        let mut after = std::mem::take(&mut after);
        habits.push(habit(action));
        habits.drain(..habits.len().saturating_sub(HABITS));
        if !is_way(action) {
            continue;
        }
        after.drain(..after.len().saturating_sub(MISHAPS));
        let last = after.len().saturating_sub(1);
        for (place, (fingerprint, failed, habits)) in after.into_iter().enumerate() {
            let direct = place == last;
            let known = recoveries.entry(fingerprint).or_default();
            // What came next says more than what came later.
            let is_said = |one: &Recovery| one.failed == failed && one.direct && !direct;
            if known.iter().any(is_said) {
                continue;
            }
            known.retain(|one| one.failed != failed);
            known.push(Recovery {
                run: run.to_owned(),
                step: attempt.index,
                failed: failed.to_owned(),
                action: action.to_owned(),
                task: task.to_owned(),
                direct,
                habits,
            });
        }
    }
    for known in recoveries.values_mut() {
        known.drain(..known.len().saturating_sub(RECOVERIES));
    }
    recoveries
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

    #[test]
    fn a_way_is_kept_once_and_each_failure_with_what_came_next() {
        let attempts = [
            attempt(0, "ip addr show", Some("fp_1")),
            attempt(1, "hostname -I | cut -d' ' -f1", None),
            attempt(3, "hostname -I | cut -d' ' -f1", None),
        ];
        let ways = ways_of("r", &attempts);
        assert_eq!(ways.len(), 1);
        assert_eq!(ways[0].step, 3);
        let known = &recoveries("r", "task_1", &attempts)["fp_1"][0];
        assert_eq!((known.failed.as_str(), known.step), ("ip addr show", 1));
        assert_eq!(
            (&known.action, known.task.as_str()),
            (&ways[0].action, "task_1")
        );
    }

    #[test]
    fn what_came_next_is_told_from_what_came_after_other_failures() {
        let attempts = [
            attempt(0, "which ffmpeg", Some("fp_1")),
            attempt(1, "wget ffmpeg.tar", Some("fp_2")),
            attempt(2, "pip install imageio", None),
        ];
        let known = recoveries("r", "", &attempts);
        assert!(!known["fp_1"][0].direct);
        assert!(known["fp_2"][0].direct);
    }

    #[test]
    fn a_run_that_went_on_for_long_still_tells_how_it_overcame_its_first_failure() {
        let mut attempts = vec![
            attempt(0, "ls -la", None),
            attempt(1, "sudo apt install jq", Some("fp_1")),
            attempt(2, "apt install jq", None),
        ];
        attempts.extend((3..40).map(|at| attempt(at, &format!("jq .{at} a.json"), None)));
        let known = &recoveries("r", "", &attempts)["fp_1"][0];
        assert_eq!(known.action, "apt install jq");
        assert_eq!(known.habits, [habit("ls -la")]);
    }

    #[test]
    fn of_one_kind_of_failure_each_action_has_what_came_next() {
        let mut attempts = Vec::new();
        for at in 0..10 {
            attempts.push(attempt(2 * at, &format!("cat {at}.txt"), Some("fp_1")));
            attempts.push(attempt(2 * at + 1, &format!("touch {at}.txt"), None));
        }
        let known = &recoveries("r", "", &attempts)["fp_1"];
        let actions: Vec<_> = known.iter().map(|one| one.action.as_str()).collect();
        assert_eq!(
            actions,
            ["touch 6.txt", "touch 7.txt", "touch 8.txt", "touch 9.txt"]
        );
        let again = [
            attempt(0, "make", Some("fp_2")),
            attempt(1, "make deps", None),
            attempt(2, "make", Some("fp_2")),
            attempt(3, "make all", Some("fp_3")),
            attempt(4, "ls", None),
        ];
        let known = &recoveries("r", "", &again)["fp_2"];
        assert_eq!((known.len(), known[0].action.as_str()), (1, "make deps"));
    }
}
