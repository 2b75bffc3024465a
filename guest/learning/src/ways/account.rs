//! The account of a run: what worked in it, and what had failed right before.

use std::collections::BTreeMap;

use twiceshy_text::{digest, terms::term_set};

use super::{Recovery, Way};
use crate::mining::{Attempt, RULE_CHARS};

/// An action in bytes: what is longer is no way that is read.
const ACTION_BYTES: usize = 900;

/// What is kept of a script that is longer, in bytes: its beginning and its end tell what was done, and fit into a hint.
const PART_BYTES: usize = 800;

/// Stands for what was left out of a text.
const LEFT_OUT: &str = "[…]";

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

/// Whether only a part of an action is kept: it tells what was done, and can't be done again as it is.
pub(super) fn is_part(action: &str) -> bool {
    action.contains(LEFT_OUT)
}

/// What worked, as it is kept after a failure: of a long script the lines with which it begins and ends.
fn kept(action: &str) -> Option<String> {
    if is_way(action) {
        return Some(action.to_owned());
    }
    let script = unfolded(action);
    let half = PART_BYTES / 2;
    let (head, tail) = script.split_once(LEFT_OUT).unwrap_or((&script, &script));
    let head = &head[..head.floor_char_boundary(half)];
    let tail = &tail[tail.ceil_char_boundary(tail.len().saturating_sub(half))..];
    let ((head, _), (_, tail)) = (head.rsplit_once('\n')?, tail.split_once('\n')?);
    let is_long = action.len() > ACTION_BYTES;
    (is_long && is_way(head) && is_way(tail))
        .then(|| format!("{}\n{LEFT_OUT}\n{}", head.trim_end(), tail.trim_end()))
}

/// A script with the lines of its here-document, which an action has on one line; where it goes comes first: `cat > a <<'EOF'`.
fn unfolded(action: &str) -> String {
    let Some((command, folded)) = action.split_once("<<< $'") else {
        return action.to_owned();
    };
    let mut lines = String::new();
    let mut rest = folded.chars();
    while let Some(c) = rest.next() {
        match c {
            '\'' => break,
            '\\' => match rest.next() {
                Some('n') => lines.push('\n'),
                Some('t') => lines.push('\t'),
                Some(c) => lines.push(c),
                None => {}
            },
            c => lines.push(c),
        }
    }
    let target = rest.as_str().split(['\n', ';', '&', '|']).next();
    let target = target.unwrap_or_default().trim();
    let words = [command.trim(), target, "<<'EOF'"].into_iter();
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    format!("{}\n{lines}", words.join(" "))
}

/// Whether an action that worked shows how something is done, so that it can be done again.
fn is_way(action: &str) -> bool {
    // What is cut, or speaks as a rule does, could not be read back.
    let is_whole = !is_part(action) && !action.ends_with('…');
    let lower = action.to_lowercase();
    is_whole
        && !action.contains("<secret>")
        && action.len() <= ACTION_BYTES.min(RULE_CHARS)
        && !lower.contains("wrong:")
        && !lower.contains("correct:")
}

/// The words of an action in one short form, by which what two runs did is compared.
pub(super) fn habit(action: &str) -> String {
    let words: Vec<_> = term_set(action).into_iter().collect();
    digest(&[&words.join(" ")])
}

/// How a run of a task, by an agent, went on after its failures: for each fingerprint and each of the last actions that met it, what worked
/// after it, preferably what came next.
pub fn recoveries<'a>(
    run: &str,
    task: &str,
    agent: &str,
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
        let Some(worked) = kept(action) else {
            continue;
        };
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
                action: worked.clone(),
                task: task.to_owned(),
                agent: agent.to_owned(),
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
        let known = &recoveries("r", "task_1", "", &attempts)["fp_1"][0];
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
        let known = recoveries("r", "", "", &attempts);
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
        let known = &recoveries("r", "", "", &attempts)["fp_1"][0];
        assert_eq!(known.action, "apt install jq");
        assert_eq!(known.habits, [habit("ls -la")]);
    }

    #[test]
    fn of_a_long_script_beginning_and_end_are_kept_after_the_failure_that_it_overcame() {
        let script = format!(
            "cat <<< $'import json\\n{}fit()' > fit.py",
            "pass\\n".repeat(400)
        );
        let attempts = [
            attempt(0, "python3 fit_raman.py", Some("fp_1")),
            attempt(1, &script, None),
        ];
        let known = &recoveries("r", "task_1", "a", &attempts)["fp_1"][0];
        assert!(
            known
                .action
                .starts_with("cat > fit.py <<'EOF'\nimport json\npass")
        );
        assert!(known.action.ends_with("pass\nfit()"), "{}", known.action);
        assert!(is_part(&known.action) && known.action.len() <= ACTION_BYTES);
        assert_eq!(known.agent, "a");
        assert!(ways_of("r", &attempts).is_empty());
        let line = [
            attempt(0, "python3 fit_raman.py", Some("fp_1")),
            attempt(1, &"python3 ".repeat(200), None),
        ];
        assert!(
            recoveries("r", "", "", &line).is_empty(),
            "one line says nothing without its end"
        );
    }

    #[test]
    fn what_has_a_masked_secret_in_it_can_not_be_done_again() {
        let attempts = [
            attempt(0, "aws sts get-caller-identity", Some("fp_1")),
            attempt(1, "aws configure set aws_secret_access_key <secret>", None),
        ];
        assert!(ways_of("r", &attempts).is_empty());
        assert!(recoveries("r", "task_1", "", &attempts).is_empty());
    }

    #[test]
    fn of_one_kind_of_failure_each_action_has_what_came_next() {
        let mut attempts = Vec::new();
        for at in 0..10 {
            attempts.push(attempt(2 * at, &format!("cat {at}.txt"), Some("fp_1")));
            attempts.push(attempt(2 * at + 1, &format!("touch {at}.txt"), None));
        }
        let known = &recoveries("r", "", "", &attempts)["fp_1"];
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
        let known = &recoveries("r", "", "", &again)["fp_2"];
        assert_eq!((known.len(), known[0].action.as_str()), (1, "make deps"));
    }
}
