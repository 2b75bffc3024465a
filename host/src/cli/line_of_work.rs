//! A line of work: which of the commands of one session belong together, and when that is over.
//!
//! Owns the rule, without a file and without a clock. A command that fails opens a line of work. It goes on until what failed
//! has worked, or was given up for other things; looking around (`ls`, `git status`) neither solves anything nor counts as
//! another thing. A long pause, another task or the end of the session ends it, too; and so does what fails once more after
//! something else was solved: what was learned then need not wait for what may never work. Commands are kept as hashes: no
//! word of them is written anywhere.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use twiceshy::{limits, wit::memory::Observed};
use twiceshy_shell::{Command, Connector, Line, is_looking_around, is_proven, takes_only_operands};
use xxhash_rust::xxh3::xxh3_64;

/// Other things that are done without coming back to what failed, until it is given up.
const ASIDE: u32 = 6;

/// The same, if what failed only looked at something.
const ASIDE_OF_A_LOOK: u32 = 3;

/// Words by which an error proposes another command in place of the one that failed.
const INSTEAD: [&str; 3] = ["instead", "did you mean", "you meant"];

/// Proposals of one error that are kept.
const PROPOSALS: usize = 8;

/// Words of at least this length may be mistyped ones of each other.
const TYPO_CHARS: usize = 4;

/// A command that was run, and how it went.
pub(crate) struct Act<'a> {
    /// Its text, as the adapter has it: of a list that failed, the part that failed.
    pub(crate) text: &'a str,
    pub(crate) failed: bool,
    /// There is no such program.
    pub(crate) is_missing: bool,
    /// What it failed with.
    pub(crate) evidence: &'a str,
}

impl<'a> Act<'a> {
    pub(crate) fn of(observed: &'a Observed, failed: bool, is_missing: bool) -> Self {
        let failure = observed.feedback.hard_failure.as_ref();
        Self {
            text: &observed.feedback.action_text,
            failed,
            is_missing,
            evidence: failure.map_or("", |failure| &failure.evidence),
        }
    }
}

/// What has failed and has not worked since.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Work {
    pending: Vec<Pending>,
    /// Something that failed has worked since.
    #[serde(default)]
    has_solved: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct Pending {
    attempt: Attempt,
    /// The text of the command, as a hash.
    #[serde(default)]
    text: u64,
    /// The commands that its error proposed instead, as hashes.
    #[serde(default)]
    proposed: Vec<u64>,
    /// How many other things were done since.
    aside: u32,
}

/// A command, without its words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Attempt {
    /// The program, and what it would be with one letter less.
    program: Vec<u64>,
    /// What the program shall do, likewise: a verb, or the script that it runs. Empty if that is not known.
    subject: Vec<u64>,
    /// Nothing if there are none.
    arguments: Option<u64>,
    looks: bool,
    is_missing: bool,
    /// It only says whether something is to be done.
    #[serde(default)]
    checks: bool,
    /// It has more than options behind its verb.
    #[serde(default)]
    has_data: bool,
    /// The program is named as a file or an address.
    is_path: bool,
    /// The arguments one by one, of a command that is at hand.
    #[serde(skip)]
    words: Vec<u64>,
    /// All of it, likewise.
    #[serde(skip)]
    whole: u64,
    /// It has options and no data, likewise.
    #[serde(skip)]
    is_bare: bool,
    /// Its first word says what the program shall do, likewise.
    #[serde(skip)]
    has_verb: bool,
}

/// What a command did to the work.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// Nothing that failed is left.
    pub(crate) is_done: bool,
    /// The commands that failed and have an answer now, as hashes of their texts.
    pub(crate) solved: Vec<u64>,
}

impl Work {
    /// Nothing has failed that did not work since.
    pub(crate) fn is_idle(&self) -> bool {
        self.pending.is_empty()
    }

    /// Whether a command begins other work: what is left fails once more, and something else was solved. Nothing of it is lost
    /// then: what will help against the failure comes after it.
    pub(crate) fn is_left_by(&self, act: &Act) -> bool {
        let line = twiceshy_shell::parse(act.text);
        let attempt = line.commands.last().map(Attempt::of);
        let is_again = |attempt: &Attempt| {
            let mut pending = self.pending.iter();
            pending.any(|pending| attempt.answers(&pending.attempt))
        };
        act.failed && self.has_solved && attempt.as_ref().is_some_and(is_again)
    }

    /// Takes in a command.
    pub(crate) fn take(&mut self, act: &Act) -> Progress {
        let line = twiceshy_shell::parse(act.text);
        let looks = line.commands.iter().all(is_looking_around);
        let attempts: Vec<_> = match act.failed {
            true => line.commands.last().into_iter().map(Attempt::of).collect(),
            false => worked(&line).map(Attempt::of).collect(),
        };
        let mut solved = Vec::new();
        self.pending.retain_mut(|pending| {
            let answers = |attempt: &Attempt| {
                attempt.answers(&pending.attempt) || pending.proposed.contains(&attempt.whole)
            };
            if attempts.iter().any(answers) {
                if !act.failed {
                    solved.push(pending.text);
                }
                return false;
            }
            pending.aside += u32::from(!looks);
            pending.aside
                < match pending.attempt.looks {
                    true => ASIDE_OF_A_LOOK,
                    false => ASIDE,
                }
        });
        self.has_solved |= !solved.is_empty();
        if act.failed {
            let attempts = attempts.into_iter().map(|attempt| Attempt {
                is_missing: act.is_missing,
                ..attempt
            });
            let text = text_hash(act.text);
            self.pending.extend(attempts.map(|attempt| Pending {
                attempt,
                text,
                proposed: proposed(act.evidence),
                aside: 0,
            }));
        }
        Progress {
            is_done: self.pending.is_empty(),
            solved,
        }
    }
}

/// The commands that an error proposes instead of the one that failed, as hashes.
fn proposed(evidence: &str) -> Vec<u64> {
    let proposes = |line: &&str| {
        let line = line.to_lowercase();
        INSTEAD.iter().any(|words| line.contains(words))
    };
    let quoted = |line: &str| -> Vec<u64> {
        let parts: Vec<_> = line.split(['"', '`', '\'', '‘', '’', '“', '”']).collect();
        let commands = parts.iter().skip(1).filter(|part| part.contains(' '));
        let commands = commands.map(|part| twiceshy_shell::parse(part).commands);
        commands.flatten().map(|command| whole(&command)).collect()
    };
    let mut proposed: Vec<_> = evidence.lines().filter(proposes).flat_map(quoted).collect();
    proposed.truncate(PROPOSALS);
    proposed
}

/// A whole command as a hash.
fn whole(command: &Command) -> u64 {
    hash(command.words.iter().map(String::as_str))
}

/// A command's text as a hash, by which it is known again.
pub(crate) fn text_hash(text: &str) -> u64 {
    hash([text])
}

/// Whether work is over before another command: after a long pause, or for another task.
pub(crate) fn is_over(pause: Duration, same_task: bool) -> bool {
    pause >= limits::SESSION_PAUSE || !same_task
}

/// The commands of a line that worked, as far as one can tell: not what `|| true` speaks for. Who reads a pipeline's end
/// has seen how it went.
fn worked(line: &Line) -> impl Iterator<Item = &Command> {
    line.commands
        .iter()
        .enumerate()
        .filter(|(at, command)| command.connector == Some(Connector::Pipe) || is_proven(line, *at))
        .map(|(_, command)| command)
}

impl Attempt {
    fn of(command: &Command) -> Self {
        let arguments = command.words.get(1..).unwrap_or_default();
        let words = arguments.iter().map(String::as_str);
        Self {
            program: near(command.program()),
            subject: subject(command),
            arguments: (!arguments.is_empty()).then(|| hash(words.clone())),
            looks: is_looking_around(command),
            is_missing: false,
            checks: arguments.iter().any(|word| word == "--check"),
            has_data: behind_verb(command).any(|word| !word.starts_with('-')),
            is_bare: behind_verb(command).count() > 0
                && behind_verb(command).all(|word| word.starts_with('-')),
            has_verb: command.verb().is_some() && !takes_only_operands(command.program()),
            is_path: command
                .words
                .first()
                .is_some_and(|word| word.contains(['/', '.'])),
            words: words.map(|word| hash([base_name(word)])).collect(),
            whole: whole(command),
        }
    }

    /// Whether this command is another try of a failed one.
    fn answers(&self, failed: &Self) -> bool {
        let same_program = self.program.first() == failed.program.first();
        let same_arguments = self.arguments == failed.arguments;
        if same_program && same_arguments {
            return true;
        }
        let unknown = self.subject.is_empty() && failed.subject.is_empty();
        let corrected = are_near(&self.subject, &failed.subject);
        if self.looks && !failed.looks && !failed.is_missing {
            // `git branch` for `git brnch`, but not `git push --help` for `git push`.
            return same_program && corrected && self.subject.first() != failed.subject.first();
        }
        // The same with another program, which may have been mistyped.
        if same_arguments && self.arguments.is_some() {
            return true;
        }
        if failed.is_missing {
            // `python3 x.py` for `x.py`
            let run = failed.is_path
                && failed
                    .program
                    .first()
                    .is_some_and(|one| self.words.contains(one));
            return run || (are_near(&self.program, &failed.program) && (unknown || corrected));
        }
        // What was to be checked is not right before it is checked again, and `git am --abort` does nothing of `git am a.patch`.
        if failed.checks && !self.checks || self.is_bare && failed.has_data {
            return false;
        }
        // Who looks at something else looks for the same, unless the program is asked for another thing.
        let has_verbs = self.has_verb && !failed.subject.is_empty();
        let looks = self.looks && failed.looks && !has_verbs;
        same_program && (looks || unknown || corrected)
    }
}

/// The arguments of a command but for its verb.
fn behind_verb(command: &Command) -> impl Iterator<Item = &str> {
    let verb = command.verb();
    let mut words = command.words.iter().skip(1).map(String::as_str).peekable();
    words.next_if(|word| Some(*word) == verb);
    words
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// What a program shall do: its verb, which may be mistyped, or the script or module that an interpreter runs.
fn subject(command: &Command) -> Vec<u64> {
    let program = command.program();
    match program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "python" | "node" | "ruby" | "perl" | "php" | "bash" | "sh" | "zsh" | "java" | "deno"
        | "bun" | "Rscript" => {
            let mut words = command.words.iter().skip(1);
            let script =
                words.find(|word| !word.starts_with('-') || matches!(word.as_str(), "-c" | "-e"));
            script
                .map(|script| hash([script.as_str()]))
                .into_iter()
                .collect()
        }
        _ => {
            let verb = command.verb();
            // `npm run build` builds.
            let script = command
                .words
                .iter()
                .skip_while(|word| *word != "run")
                .nth(1);
            let script = script.filter(|_| verb == Some("run")).map(String::as_str);
            script.or(verb).map(near).unwrap_or_default()
        }
    }
}

/// A word and the words that it would be with one letter less, as hashes: two that are one slip of the finger apart have
/// one in common. The word itself comes first.
fn near(word: &str) -> Vec<u64> {
    let mut hashes = vec![hash([word])];
    let count = word.chars().count();
    if (TYPO_CHARS..=24).contains(&count) {
        hashes.extend((0..count).map(|left_out| {
            let kept = word.chars().enumerate().filter(|(at, _)| *at != left_out);
            hash([kept.map(|(_, c)| c).collect::<String>().as_str()])
        }));
    }
    hashes
}

fn are_near(one: &[u64], other: &[u64]) -> bool {
    one.iter().any(|hash| other.contains(hash))
}

fn hash<'a>(words: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut bytes = Vec::new();
    for word in words {
        bytes.extend_from_slice(word.as_bytes());
        bytes.push(0);
    }
    xxh3_64(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Commands in order, those that fail marked with `!` and those whose program is missing with `?`. Gives the number of
    /// the one that the work ended with, from 1.
    fn ends_with(commands: &[&str]) -> Option<usize> {
        let mut work = Work::default();
        let ends = commands.iter().position(|command| {
            let text = command.trim_start_matches(['!', '?']);
            let act = Act {
                text,
                failed: command.starts_with(['!', '?']),
                is_missing: command.starts_with('?'),
                evidence: "",
            };
            work.take(&act).is_done
        });
        ends.map(|at| at + 1)
    }

    #[test]
    fn work_ends_when_what_failed_has_worked() {
        for (commands, last) in [
            (&["!git push", "git push"][..], Some(2)),
            (&["!git push", "git pull", "git push"], Some(3)),
            (&["!git psuh", "git push"], Some(2)),
            (&["!git comit -m x", "git commit -m x"], Some(2)),
            (&["?gti push", "git push"], Some(2)),
            (&["?python x.py", "python3 x.py"], Some(2)),
            (&["!gcc a.c", "gcc a.c -lm"], Some(2)),
            (&["!ls /no", "ls ."], Some(2)),
            (&["!mv a b/", "mkdir -p b && mv a b/"], Some(2)),
            (&["!apt install x", "sudo apt install x"], Some(2)),
            (
                &["!npm test", "npm install", "!npm test", "npm test"],
                Some(4),
            ),
            (&["!npm test", "npm test 2>&1 | tail -5"], Some(2)),
            (
                &["!python3 x.py", "pip install numpy", "python3 x.py"],
                Some(3),
            ),
            (&["!ls /no", "!cat /no", "ls .", "cat a"], Some(4)),
            (&["!git brnch", "git branch"], Some(2)),
            (&["!npm run biuld", "npm run build"], Some(2)),
            (&["!cat src/", "ls src/"], Some(2)),
            (&["!mv a b", "cp a b"], Some(2)),
            (
                &["?manage.py migrate", "python3 manage.py migrate"],
                Some(2),
            ),
            (
                &["?https://a.org/b.git", "git clone https://a.org/b.git"],
                Some(2),
            ),
            (&["?frob", "apt install frob", "frob"], Some(3)),
            (&["!git push", "git push --force"], Some(2)),
            (&["!cat a", "cat b"], Some(2)),
            (
                &["!cargo fmt --check", "cargo fmt", "cargo fmt --check"],
                Some(3),
            ),
            (
                &["!git am a.patch", "git am --abort", "git am a.patch"],
                Some(3),
            ),
            (&["!git log x", "git branch", "git log x --"], Some(3)),
        ] {
            assert_eq!(ends_with(commands), last, "{commands:?}");
        }
    }

    #[test]
    fn looking_around_and_other_things_do_not_end_it() {
        for commands in [
            &[
                "!git push",
                "git branch",
                "git status",
                "git log",
                "ls",
                "git pull",
            ][..],
            &["!git push", "git push --help", "man git"],
            &["!git push", "git push || true"],
            &["!npm test", "npm --version", "npm run build"],
            &[
                "!python3 x.py",
                "python3 --version",
                "python3 -c 'print(1)'",
                "python3 y.py",
            ],
            &["!make all", "make clean"],
            &["?gti push", "git pull"],
            &["!npm run lint", "npm run build"],
            &["?frob", "make", "apt install frob"],
            &["!./configure", "chmod +x ./configure"],
        ] {
            assert_eq!(ends_with(commands), None, "{commands:?}");
        }
        let mut commands = vec!["!git push"];
        commands.extend(["ls"; 50]);
        assert_eq!(ends_with(&commands), None);
    }

    #[test]
    fn what_the_error_proposed_instead_is_the_answer() {
        let is_done_by = |evidence: &str, command: &str| {
            let mut work = Work::default();
            let act = |text, failed, evidence| Act {
                text,
                failed,
                is_missing: false,
                evidence,
            };
            work.take(&act("yarn install redux", true, evidence));
            work.take(&act(command, false, "")).is_done
        };
        let instead = "error `install` was replaced.\nRun \"yarn add redux\" instead.";
        assert!(is_done_by(instead, "yarn  add redux"));
        assert!(!is_done_by(instead, "yarn add react"));
        let before = "error: not allowed; run \"yarn add redux\" before.";
        assert!(!is_done_by(before, "yarn add redux"));
    }

    #[test]
    fn what_fails_again_after_something_else_was_solved_begins_other_work() {
        let act = |text, failed| Act {
            text,
            failed,
            is_missing: false,
            evidence: "",
        };
        let mut work = Work::default();
        work.take(&act("npm test", true));
        assert!(!work.is_left_by(&act("npm test", true)), "nothing solved");
        work.take(&act("git comit -m x", true));
        work.take(&act("git commit -m x", false));
        assert!(!work.is_left_by(&act("npm test", false)), "it works");
        assert!(!work.is_left_by(&act("git push", true)), "not again");
        assert!(work.is_left_by(&act("npm test", true)));
    }

    #[test]
    fn what_nobody_comes_back_to_is_given_up() {
        let mut commands = vec!["!git push"];
        commands.extend(["make"; 20]);
        assert_eq!(ends_with(&commands), Some(7));
        let mut commands = vec!["!cat notes.txt"];
        commands.extend(["make"; 20]);
        assert_eq!(ends_with(&commands), Some(4));
    }

    #[test]
    fn a_long_pause_or_another_task_is_the_end() {
        let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
        assert!(!is_over(minutes(5), true));
        assert!(is_over(minutes(16), true));
        assert!(is_over(minutes(0), false));
    }
}
