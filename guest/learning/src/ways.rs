//! Ways: what worked in other runs, as a way out when a run fails.
//!
//! A lesson is the same action changed a little. What gets a task done may be another action altogether, and whether it
//! does is known only from what other runs did: runs of the very task, and runs that failed in the same way. They vote, and so
//! does the run at hand by what worked in it. A run votes for a way as far as that would have told it what it did: a
//! way that brings half of what an action brings would have led to it. What the run has done already is no way out.

mod account;
mod twins;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use twiceshy_shell::{is_success_bought, parse};
use twiceshy_text::terms::term_set;

pub use account::{recoveries, ways_of};
pub use twins::twin;

/// Ways of one run that its task keeps, the last ones: they are where the task was done.
pub const WAYS: usize = 8;

/// Recoveries from one kind of failure that are kept, the latest ones.
pub const RECOVERIES: usize = 64;

/// From this similarity on two actions, one of which failed like the other, are the same try.
const SAME: f64 = 0.8;

/// Runs that failed in the same way and vote, those with the most similar actions.
const KIN: usize = 12;

/// What the vote of such a run weighs if it tried something else. All others weigh one.
const DISTANT: f64 = 0.5;

/// By this the vote of such a run counts more if the same agent did it, whose next step is the best guess at what comes next.
const SAME_AGENT: f64 = 2.0;

/// By this it counts less if it was another agent. Where nobody said who it was, it counts as it is.
const OTHER_AGENT: f64 = 0.5;

/// What the vote of the run at hand weighs: it knows its own habits best.
const OWN: f64 = 4.0;

/// Votes against every way: what one or two say is not what all do.
const DOUBT: f64 = 3.0;

/// A run of the task that went on for so many steps did much that has nothing to do with this failure: what it did is a way out only if
/// other runs agree, with this many votes at least.
const LONG: u32 = 10;
const AGREED: f64 = 1.0;

/// So many steps after the place where the run at hand stands, a way of another run may have been gone. What came long after, such as
/// looking at the result, is not what comes next.
const AHEAD: u32 = 5;

/// The share of all votes that a way must have.
const SHARE: f64 = 0.4;

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
}

/// What worked after a failure of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recovery {
    /// The run.
    pub run: String,
    /// The step that worked.
    pub step: u32,
    /// What had failed, secrets masked.
    pub failed: String,
    /// What worked, secrets masked.
    pub action: String,
    /// The task of the run; empty if nobody said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub task: String,
    /// Who did it; empty if nobody said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub agent: String,
    /// Whether it came next, with nothing in between.
    #[serde(default, skip_serializing_if = "is_false")]
    pub direct: bool,
    /// What had worked in the run before, each in a short form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub habits: Vec<String>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// Where a run stands when it has failed.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'s> {
    /// The action that has just failed.
    pub failed: &'s str,
    /// What the run did before.
    pub before: &'s [Done],
    /// How many steps the run has taken; none if no run is known.
    pub steps: Option<u32>,
    /// Who works on it; empty if nobody said.
    pub agent: &'s str,
}

/// An action of the run that stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// What was done, secrets masked.
    pub action: String,
    /// Whether it worked.
    pub worked: bool,
}

/// What to do after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WayOut<'w> {
    /// The run in which it worked.
    pub run: &'w str,
    /// Its step.
    pub step: u32,
    /// What was done.
    pub action: &'w str,
}

/// What other runs say after a failure: the way out that has the most votes, if it has enough. `ways` are those of other runs
/// of the task, `kin` what worked in any run after a failure of the same kind.
///
/// ```
/// use twiceshy_learning::ways::{Standing, Way, way_out};
/// let way = |run: &str, action: &str| Way { run: run.into(), step: 1, action: action.into() };
/// let ways = [
///     way("a", "find src -name '*.log' -mtime +7 -delete"),
///     way("b", "find src -name '*.log' -mtime +7 -delete"),
///     way("c", "find ./src -type f -name '*.log' -mtime +7 -delete"),
/// ];
/// let standing = Standing { failed: "rm --older-than 7 src", before: &[], steps: None, agent: "" };
/// assert_eq!(way_out(&ways, &[], &standing).unwrap().run, "c");
/// assert_eq!(way_out(&ways[..1], &[], &standing), None);
/// ```
pub fn way_out<'w>(
    ways: &'w [Way],
    kin: &'w [Recovery],
    standing: &Standing,
) -> Option<WayOut<'w>> {
    let mut numbers = Words::default();
    let tried = numbers.of(standing.failed);
    let last = standing
        .steps
        .map_or(u32::MAX, |steps| steps.saturating_add(AHEAD));
    let of_task: Vec<_> = ways.iter().filter(|way| way.step <= last).collect();
    let long = ways.iter().filter(|way| way.step >= LONG);
    let long: BTreeSet<_> = long.map(|way| way.run.as_str()).collect();
    // Who went the very same way is told of a script, of which only a part is known; it is nothing to vote on.
    let kin: Vec<_> = kin
        .iter()
        .filter(|one| !account::is_part(&one.action))
        .collect();
    let known: Vec<Known> = of_task
        .iter()
        .map(|way| (way.run.as_str(), way.step, way.action.as_str()))
        .chain(
            kin.iter()
                .map(|one| (one.run.as_str(), one.step, one.action.as_str())),
        )
        .map(|(run, step, action)| {
            let words = numbers.of(action);
            let brings = &words - &tried;
            Known {
                way: WayOut { run, step, action },
                words,
                brings,
            }
        })
        .collect();
    let (of_task, of_kin) = known.split_at(of_task.len());
    let worked = standing.before.iter().filter(|done| done.worked);
    let own: Vec<_> = worked
        .map(|done| &numbers.of(&done.action) - &tried)
        .filter(|brings| !brings.is_empty())
        .collect();
    let mut similar = |one: &&Recovery| similarity(&numbers.of(&one.failed), &tried);
    let similar: Vec<f64> = kin.iter().map(&mut similar).collect();
    let weights = kin.iter().zip(&similar);
    let weights = weights.map(|(one, similar)| weight(one, *similar, standing.agent));
    let weights: Vec<f64> = weights.collect();
    let voters = Voters {
        task: by_run(of_task),
        kin: nearest(of_kin, &similar, &weights),
        own,
    };
    let mut best: Option<(f64, usize, WayOut)> = None;
    for (place, one) in known.iter().enumerate() {
        let is_tried = |done: &Done| done.action.trim() == one.way.action;
        // Nobody else says that it worked: `make || true` may not have.
        if one.brings.is_empty()
            || standing.before.iter().any(is_tried)
            || is_success_bought(&parse(one.way.action))
        {
            continue;
        }
        let Votes { share, of_others } = voters.votes(one);
        let is_of_long_run = place < of_task.len() && long.contains(one.way.run);
        if is_of_long_run && of_others < AGREED {
            continue;
        }
        let dropped = tried.difference(&one.words).count();
        let is_better = |(most, least, _): &(f64, usize, WayOut)| {
            share > *most || (share == *most && dropped <= *least)
        };
        if share >= SHARE && best.as_ref().is_none_or(is_better) {
            best = Some((share, dropped, one.way));
        }
    }
    best.map(|(_, _, way)| way)
}

/// Something that worked elsewhere.
struct Known<'w> {
    way: WayOut<'w>,
    words: BTreeSet<u32>,
    /// What it has that the failed action lacks.
    brings: BTreeSet<u32>,
}

impl Known<'_> {
    /// Whether it would have led to an action that brings this.
    fn leads_to(&self, brings: &BTreeSet<u32>) -> bool {
        2 * self.words.intersection(brings).count() >= brings.len()
    }
}

/// Those who know what to do next.
struct Voters<'v> {
    /// The ways of each other run of the task.
    task: BTreeMap<&'v str, Vec<&'v Known<'v>>>,
    /// What worked in runs that failed in the same way, and what their votes weigh.
    kin: Vec<(&'v Known<'v>, f64)>,
    /// What was brought by actions that worked in the run at hand.
    own: Vec<BTreeSet<u32>>,
}

/// The votes that something has.
struct Votes {
    /// Their share of all votes.
    share: f64,
    /// Those of other runs than the one that did it and the one at hand.
    of_others: f64,
}

impl Voters<'_> {
    fn votes(&self, one: &Known) -> Votes {
        let (mut all, mut of_others) = (DOUBT, 0.0);
        let mut vote = |weight: f64, actions: &mut dyn Iterator<Item = &BTreeSet<u32>>| {
            let led: Vec<_> = actions.map(|brings| one.leads_to(brings)).collect();
            if led.is_empty() {
                return 0.0;
            }
            all += weight;
            let yes = led.iter().filter(|is_led| **is_led).count();
            weight * yes as f64 / led.len() as f64
        };
        let mut votes = vote(OWN, &mut self.own.iter());
        let mut add = |run: &str, vote: f64| {
            votes += vote;
            of_others += if run == one.way.run { 0.0 } else { vote };
        };
        for (run, ways) in &self.task {
            add(run, vote(1.0, &mut ways.iter().map(|way| &way.brings)));
        }
        for (kin, weight) in &self.kin {
            add(
                kin.way.run,
                vote(*weight, &mut std::iter::once(&kin.brings)),
            );
        }
        Votes {
            share: votes / all,
            of_others,
        }
    }
}

/// What each run of the task did, without what brings nothing.
fn by_run<'v>(ways: &'v [Known<'v>]) -> BTreeMap<&'v str, Vec<&'v Known<'v>>> {
    let mut runs: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for way in ways.iter().filter(|way| !way.brings.is_empty()) {
        runs.entry(way.way.run).or_default().push(way);
    }
    runs
}

/// What the vote of a run that failed in the same way weighs, whose failed action is so similar.
fn weight(one: &Recovery, similar: f64, agent: &str) -> f64 {
    let by_action = if similar >= SAME { 1.0 } else { DISTANT };
    let by_agent = match (one.agent.as_str(), agent) {
        ("", _) | (_, "") => 1.0,
        (theirs, ours) if theirs == ours => SAME_AGENT,
        _ => OTHER_AGENT,
    };
    by_action * by_agent
}

/// What worked after the most similar actions that failed in the same way, once for each run, and what that weighs.
fn nearest<'v>(
    kin: &'v [Known<'v>],
    similar: &[f64],
    weights: &[f64],
) -> Vec<(&'v Known<'v>, f64)> {
    let places = (0..kin.len()).filter(|place| !kin[*place].brings.is_empty());
    let mut places: Vec<_> = places.collect();
    places.sort_by(|left, right| similar[*right].total_cmp(&similar[*left]));
    let mut runs = BTreeSet::new();
    places.retain(|place| runs.insert(kin[*place].way.run));
    places.truncate(KIN);
    let voter = |place: usize| (&kin[place], weights[place]);
    places.into_iter().map(voter).collect()
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

    fn way(run: &str, action: &str) -> Way {
        Way {
            run: run.to_owned(),
            step: 0,
            action: action.to_owned(),
        }
    }

    fn done(action: &str, worked: bool) -> Done {
        Done {
            action: action.to_owned(),
            worked,
        }
    }

    /// The way out in a run that had nothing before its failure.
    fn out<'w>(ways: &'w [Way], failed: &str) -> Option<WayOut<'w>> {
        way_out(
            ways,
            &[],
            &Standing {
                failed,
                before: &[],
                steps: None,
                agent: "",
            },
        )
    }

    /// The way out after a failure, by runs of other tasks that failed in the same way.
    fn by_kin<'w>(kin: &'w [Recovery], failed: &str) -> Option<&'w str> {
        let standing = Standing {
            failed,
            before: &[],
            steps: None,
            agent: "",
        };
        way_out(&[], kin, &standing).map(|found| found.action)
    }

    fn recovery(run: &str, failed: &str, action: &str) -> Recovery {
        Recovery {
            run: run.to_owned(),
            step: 1,
            failed: failed.to_owned(),
            action: action.to_owned(),
            task: String::new(),
            agent: String::new(),
            direct: false,
            habits: Vec::new(),
        }
    }

    #[test]
    fn the_way_that_most_runs_go_is_proposed() {
        let ways = [
            way("a", "du -a src | sort -n -k 1"),
            way("b", "du -a ./src | sort -n -k 1"),
            way("d", "du -a src/ | sort -n -k 1"),
            way("e", "du -a src | sort -n -k1"),
            way("c", "ls -lS src | head -n 6 | awk '{print $9}'"),
        ];
        let found = out(&ways, "largest --five").expect("a way");
        assert!(found.action.starts_with("du"), "{found:?}");
        assert_eq!(out(&ways[3..], "largest --five"), None, "one against one");
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
            way(
                "d",
                "python3 -c \"print(open('notes.bin', 'rb').read(16).hex())\"",
            ),
        ];
        let failed = "xxd -p -l 16 notes.bin";
        let before = [done("od -A n -t x1 -N 8 notes.bin", true)];
        let standing = Standing {
            failed,
            before: &before,
            steps: None,
            agent: "",
        };
        let found = way_out(&ways, &[], &standing).expect("a way out");
        assert_eq!(found.run, "a");
        let alone = out(&ways, failed).map(|found| found.run);
        assert_eq!(alone, Some("d"), "without that, what most runs agree on");
        let mut long = ways.clone();
        long[0].step = LONG;
        let of_others = way_out(&long, &[], &standing).map(|found| found.run);
        assert_ne!(
            of_others,
            Some("a"),
            "what a long run alone did is no agreement"
        );
    }

    #[test]
    fn the_vote_of_the_same_agent_counts_most() {
        let by = |run: &str, agent: &str, action: &str| Recovery {
            agent: agent.to_owned(),
            ..recovery(run, "select name from users", action)
        };
        let kin = [
            by("a", "one", "show tables"),
            by("b", "one", "show tables"),
            by("c", "other", "describe users"),
            by("d", "other", "describe users"),
        ];
        let told = |agent| {
            let standing = Standing {
                failed: "select name from users",
                before: &[],
                steps: None,
                agent,
            };
            way_out(&[], &kin, &standing).map(|found| found.action)
        };
        assert_eq!(told("one"), Some("show tables"));
        assert_eq!(told("other"), Some("describe users"));
        assert_eq!(told("third"), None);
        assert_eq!(told(""), None);
    }

    #[test]
    fn a_script_of_which_only_a_part_is_known_is_nothing_to_vote_on() {
        let script = "cat > fit.py <<EOF\nimport json\n[…]";
        let kin = ["a", "b", "c"].map(|run| recovery(run, "python3 fit.py", script));
        assert_eq!(by_kin(&kin, "python3 fit.py"), None);
        let whole = ["a", "b", "c"].map(|run| recovery(run, "python3 fit.py", &script[..30]));
        assert!(by_kin(&whole, "python3 fit.py").is_some());
    }

    #[test]
    fn what_runs_of_other_tasks_agree_on_after_the_same_failure_is_a_way_out() {
        let kin = [
            recovery("a", "select name from users", "show tables"),
            recovery("b", "select count(*) from orders", "show tables"),
            recovery("c", "select max(age) from people", "show tables"),
            recovery("d", "select 1 from shops", "describe shop"),
            recovery("e", "select id from staff", "show tables"),
        ];
        assert_eq!(
            by_kin(&kin[..3], "select sum(pay) from jobs"),
            None,
            "three say little"
        );
        assert_eq!(
            by_kin(&kin, "select sum(pay) from jobs"),
            None,
            "and not all of them"
        );
        let many: Vec<_> = (0..6)
            .map(|run| recovery(&run.to_string(), "select name from users", "show tables"))
            .collect();
        assert_eq!(
            by_kin(&many, "select sum(pay) from jobs"),
            Some("show tables")
        );
        assert_eq!(
            by_kin(&many[..2], "select name from users"),
            Some("show tables"),
            "two that tried the very same"
        );
        assert_eq!(
            by_kin(&many[..1], "select name from users"),
            None,
            "one run is one run"
        );
        let bought: Vec<_> = (0..6)
            .map(|run| recovery(&run.to_string(), "make", "make all || true"))
            .collect();
        assert_eq!(by_kin(&bought, "make"), None, "nobody says that it worked");
    }

    #[test]
    fn what_the_run_has_tried_already_is_no_way_out() {
        let ways =
            ["a", "b", "c"].map(|run| way(run, "find /srv/logs -name '*.log' -mtime +7 -delete"));
        let failed = "logrotate --older-than 7d";
        assert!(out(&ways, failed).is_some());
        let before = [done(
            "find /srv/logs -name '*.log' -mtime +7 -delete",
            false,
        )];
        let standing = Standing {
            failed,
            before: &before,
            steps: None,
            agent: "",
        };
        assert_eq!(way_out(&ways, &[], &standing), None);
    }

    #[test]
    fn each_run_has_one_vote_however_often_it_failed_in_that_way() {
        let kin: Vec<_> = (0..6)
            .map(|at| recovery("a", &format!("select {at} from users"), "show tables"))
            .collect();
        assert_eq!(by_kin(&kin, "select sum(pay) from jobs"), None);
    }

    #[test]
    fn what_others_did_long_after_this_point_is_no_way_out() {
        let late = ["a", "b", "c", "d"].map(|run| Way {
            step: 20,
            ..way(run, "ls -la out && cat out/report.txt")
        });
        let at = |steps: u32| {
            let standing = Standing {
                failed: "report --help",
                before: &[],
                steps: Some(steps),
                agent: "",
            };
            way_out(&late, &[], &standing).map(|found| found.step)
        };
        assert_eq!(at(2), None);
        assert_eq!(at(20 - AHEAD), Some(20));
    }
}
