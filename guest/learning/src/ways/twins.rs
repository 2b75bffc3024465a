//! Twins: other runs of the task that went the same way, and met the same error with the very same action.
//!
//! A vote needs many runs. Where the same agent, or one that did something that this run has done, too, tried the same, which failed in
//! the same way, and the very next thing that was done worked, one run says enough. What worked only after other failures is no answer to
//! this one, and what somebody with other habits did next is as often something else.

use std::collections::BTreeSet;

use twiceshy_shell::{is_success_bought, parse};

use super::{Done, Known, Recovery, Standing, WayOut, Words, account::habit, similarity};

/// From this similarity on two actions are the very same, but for what changes from day to day.
const SAME: f64 = 0.9;

/// What worked right after the very same action had failed in the same way, in other runs of the task: of several the one that most
/// of them lead to, then the latest. `kin` is what worked in any run after a failure of the same kind.
pub fn twin<'w>(kin: &'w [Recovery], task: &str, standing: &Standing) -> Option<WayOut<'w>> {
    let mut numbers = Words::default();
    let tried = forms(standing.failed, &mut numbers);
    let whole = tried.first()?;
    let worked = standing.before.iter().filter(|done| done.worked);
    let habits: BTreeSet<_> = worked.map(|done| habit(&done.action)).collect();
    let is_twin = |one: &&Recovery| {
        let is_same_agent = !one.agent.is_empty() && one.agent == standing.agent;
        let mut theirs = one.habits.iter();
        one.direct
            && !task.is_empty()
            && one.task == task
            && (is_same_agent || theirs.any(|habit| habits.contains(habit)))
    };
    let mut twins = Vec::new();
    for one in kin.iter().filter(is_twin) {
        let failed = numbers.of(&one.failed);
        let is_same = tried.iter().any(|tried| similarity(&failed, tried) >= SAME);
        let words = numbers.of(&one.action);
        let brings = &words - whole;
        if is_same && !brings.is_empty() {
            let way = WayOut {
                run: &one.run,
                step: one.step,
                action: &one.action,
            };
            twins.push(Known { way, words, brings });
        }
    }
    let votes = |one: &Known| {
        let led = twins.iter().filter(|twin| one.leads_to(&twin.brings));
        led.count()
    };
    let is_tried = |one: &Known| {
        let mut done = standing.before.iter();
        done.any(|done: &Done| done.action.trim() == one.way.action)
    };
    let found = twins
        .iter()
        .filter(|one| !is_tried(one) && !is_success_bought(&parse(one.way.action)))
        .max_by_key(|one| votes(one))?;
    // Where they went different ways, none of them is what comes next.
    (2 * votes(found) >= twins.len()).then_some(found.way)
}

/// An action and the commands that it consists of, any of which may be what failed.
fn forms(action: &str, numbers: &mut Words) -> Vec<BTreeSet<u32>> {
    let line = parse(action);
    let commands = line.commands.iter().map(|command| command.text.as_str());
    let all = std::iter::once(action).chain(commands);
    all.map(|text| numbers.of(text))
        .filter(|words| !words.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: &str = "task_1";
    const FAILED: &str = "sudo apt update && sudo apt install -y nginx";

    /// What came next in another run of the task, which had looked around first.
    fn recovery(run: &str, failed: &str, action: &str) -> Recovery {
        Recovery {
            run: run.to_owned(),
            step: 2,
            failed: failed.to_owned(),
            action: action.to_owned(),
            task: TASK.to_owned(),
            agent: String::new(),
            direct: true,
            habits: vec![habit("ls -la /srv")],
        }
    }

    fn done(action: &str) -> Done {
        Done {
            action: action.to_owned(),
            worked: true,
        }
    }

    fn told<'w>(kin: &'w [Recovery], failed: &str, before: &[Done]) -> Option<&'w str> {
        let standing = Standing {
            failed,
            before,
            steps: None,
            agent: "",
        };
        twin(kin, TASK, &standing).map(|found| found.action)
    }

    #[test]
    fn one_run_of_the_task_is_enough_if_the_very_same_failed_and_the_next_thing_worked() {
        let way = "apt update && apt install -y nginx-light";
        let kin = [recovery("a", FAILED, way)];
        let before = [done("ls -la /srv")];
        assert_eq!(told(&kin, FAILED, &before), Some(way));
        assert_eq!(told(&kin, "sudo service nginx start", &before), None);
        let elsewhere = [Recovery {
            task: "task_2".to_owned(),
            ..recovery("a", FAILED, way)
        }];
        assert_eq!(told(&elsewhere, FAILED, &before), None);
        let later = [Recovery {
            direct: false,
            ..recovery("a", FAILED, way)
        }];
        assert_eq!(
            told(&later, FAILED, &before),
            None,
            "others failed in between"
        );
    }

    #[test]
    fn a_run_that_did_nothing_that_this_one_did_is_no_twin() {
        let kin = [recovery("a", FAILED, "apt install -y nginx-light")];
        assert_eq!(told(&kin, FAILED, &[]), None);
        assert_eq!(told(&kin, FAILED, &[done("whoami")]), None);
        let failed = [Done {
            worked: false,
            ..done("ls -la /srv")
        }];
        assert_eq!(told(&kin, FAILED, &failed), None);
    }

    #[test]
    fn the_same_agent_is_a_twin_whatever_it_did_before() {
        let by = |agent: &str| Recovery {
            agent: agent.to_owned(),
            ..recovery("a", FAILED, "apt install -y nginx-light")
        };
        let standing = |agent| Standing {
            failed: FAILED,
            before: &[],
            steps: None,
            agent,
        };
        let kin = [by("one")];
        assert!(twin(&kin, TASK, &standing("one")).is_some());
        assert_eq!(twin(&kin, TASK, &standing("other")), None);
        assert_eq!(
            twin(&[by("")], TASK, &standing("")),
            None,
            "nobody knows who"
        );
    }

    #[test]
    fn the_command_of_a_list_that_failed_is_the_very_same() {
        let kin = [recovery("a", "nginx -t", "cat /etc/nginx/nginx.conf")];
        let list = "nginx -t && systemctl start nginx && systemctl status nginx";
        let before = [done("ls -la /srv")];
        assert_eq!(told(&kin, list, &before), Some("cat /etc/nginx/nginx.conf"));
    }

    #[test]
    fn runs_that_went_different_ways_say_nothing_and_the_latest_of_the_most_speaks() {
        let ways = ["man tool", "cat notes.txt", "strings tool.bin"];
        let kin = ways.map(|way| recovery(way, "tool --help", way));
        let before = [done("ls -la /srv")];
        assert_eq!(told(&kin, "tool --help", &before), None);
        let mut kin = kin.to_vec();
        kin.push(recovery("d", "tool --help", "man tool"));
        assert_eq!(told(&kin, "tool --help", &before), Some("man tool"));
    }

    #[test]
    fn what_was_done_already_or_may_not_have_worked_is_no_answer() {
        let kin = [recovery("a", "tool --help", "man tool")];
        let before = [done("ls -la /srv"), done("man tool")];
        assert_eq!(told(&kin, "tool --help", &before[..1]), Some("man tool"));
        assert_eq!(told(&kin, "tool --help", &before), None);
        let bought = [recovery("a", "tool --help", "man tool || true")];
        assert_eq!(told(&bought, "tool --help", &before[..1]), None);
    }
}
