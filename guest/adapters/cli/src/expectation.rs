//! Expectations: which conditions hold after a command.
//!
//! Owns the conditions, their words and what is found instead. A condition holds, does not hold, or
//! is open. It is open where what was seen cannot tell: nothing is ever called violated because it
//! was not looked at.
//!
//! - A command that did not start has nothing to judge: all its conditions are open, the failure says
//!   enough.
//! - An exit code that is not the expected one is a violation only if it is 0; else it is the hard
//!   failure, which is not told twice. Without an exit code it is open.
//! - Of a shortened output head and tail are known. A pattern that is found there is found; one that
//!   is not may be in between, so both `matches` and `lacks` are open then. The cut itself makes up to
//!   three lines: its mark and two halves. There are at least as many lines as were counted without
//!   these, and more than three lines of wrong width are wrong for certain; else lines and columns
//!   are open. JSON is open unless already the first character is none of JSON's.
//! - An artifact is open if nobody looked at artifacts; if somebody did and does not name it, it is
//!   not there.

use serde::de::IgnoredAny;
use serde_json::Value;
use twiceshy_wit::adapter::{Error, Violation};

use crate::{
    columns,
    pattern::{self, Found, Pattern},
    payload::{Action, Artifact, Expectations, Lines, Observation, refused},
};

/// Conditions of one step, as many as the contract has violations.
const MOST: usize = 64;

/// A member's path, an artifact's path or an excerpt, in characters: enough to recognise it.
const EXCERPT_CHARS: usize = 120;

/// Lines that a cut in an output may have made: its mark and two halves of a line.
const CUT_LINES: u64 = 3;

/// What was made of the conditions of a step.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// The conditions that do not hold.
    pub(crate) violations: Vec<Violation>,
    /// How many conditions hold.
    pub(crate) met: usize,
    /// How many conditions do not hold; members of what is no JSON are more than their one violation.
    pub(crate) unmet: usize,
    /// Conditions were given, whether they could be judged or not.
    pub(crate) given: bool,
}

/// The conditions of a step, ready to be judged.
pub(crate) struct Conditions<'a> {
    expected: &'a Expectations,
    count: usize,
    patterns: Vec<Searched>,
    window: usize,
}

/// A pattern, the stream it is looked for in, and whether it should be there.
struct Searched {
    pattern: Pattern,
    in_stdout: bool,
    wanted: bool,
}

/// Whether a condition holds; if it does not, what was found instead.
enum Holds {
    Yes,
    No(String),
    Open,
}

impl<'a> Conditions<'a> {
    /// Reads the patterns and refuses what is beyond the limits.
    pub(crate) fn of(expected: &'a Expectations) -> Result<Self, Error> {
        let lists = [
            ("stdout-matches", &expected.stdout_matches, true, true),
            ("stdout-lacks", &expected.stdout_lacks, true, false),
            ("stderr-matches", &expected.stderr_matches, false, true),
            ("stderr-lacks", &expected.stderr_lacks, false, false),
        ];
        let count = lists.iter().map(|list| list.1.len()).sum::<usize>()
            + expected.json_members.len()
            + expected.artifacts.len()
            + usize::from(expected.exit.is_some())
            + usize::from(expected.stdout_json)
            + expected.lines.as_ref().map_or(0, |lines| {
                usize::from(lines.least.is_some()) + usize::from(lines.most.is_some())
            })
            + usize::from(expected.columns.is_some())
            + usize::from(expected.within_ms.is_some());
        if count > MOST {
            let cause = format!("there are {count} conditions, at most {MOST} are taken");
            return Err(refused("expectations", &cause));
        }
        let mut patterns = Vec::new();
        for (member, sources, in_stdout, wanted) in lists {
            for (index, source) in sources.iter().enumerate() {
                let member = format!("expectations.{member}[{index}]");
                let pattern = Pattern::read(&member, source)?;
                patterns.push(Searched {
                    pattern,
                    in_stdout,
                    wanted,
                });
            }
        }
        let expressions = patterns
            .iter()
            .filter(|searched| searched.pattern.is_regex())
            .count();
        Ok(Self {
            expected,
            count,
            patterns,
            window: pattern::window(expressions),
        })
    }

    /// Says which conditions hold, in the order in which the schema lists them.
    pub(crate) fn judge(&self, action: &Action, seen: &Observation) -> Verdict {
        let expected = self.expected;
        let mut verdict = Verdict {
            given: self.count > 0,
            ..Verdict::default()
        };
        if seen.start_error.is_some() {
            return verdict;
        }
        if let Some(codes) = &expected.exit {
            let wanted: Vec<_> = codes.iter().take(16).map(i64::to_string).collect();
            verdict.add(
                || format!("exit is {}", wanted.join(" or ")),
                exit_holds(expected, seen),
            );
        }
        for searched in &self.patterns {
            let (stream, text) = match searched.in_stdout {
                true => ("stdout", &seen.stdout),
                false => ("stderr", &seen.stderr),
            };
            let verb = if searched.wanted { "matches" } else { "lacks" };
            let holds = match (searched.pattern.find(text, self.window), searched.wanted) {
                (Found::In(_), true) => Holds::Yes,
                (Found::In(line), false) => Holds::No(format!("found in {}", excerpt(line))),
                (Found::Unknown, _) => Holds::Open,
                (Found::Nowhere, _) if seen.shortened => Holds::Open,
                (Found::Nowhere, true) => Holds::No(ending(stream, text)),
                (Found::Nowhere, false) => Holds::Yes,
            };
            verdict.add(
                || format!("{stream} {verb} {}", named(searched.pattern.source())),
                holds,
            );
        }
        self.judge_json(seen, &mut verdict);
        if let Some(lines) = &expected.lines {
            judge_lines(lines, seen, &mut verdict);
        }
        if let Some(columns) = expected.columns {
            let holds = columns_hold(columns.get() as usize, seen);
            verdict.add(
                || {
                    format!(
                        "every line of stdout has {}",
                        counted(columns.get().into(), "column")
                    )
                },
                holds,
            );
        }
        let artifacts = match (&seen.artifacts, expected.artifacts.as_slice()) {
            (None, _) | (_, []) => None,
            // In one spelling once, not once for each that is expected: somebody may look at many.
            (Some(seen), _) => Some(
                seen.iter()
                    .map(|artifact| (resolved(&artifact.path, action), artifact))
                    .collect::<Vec<_>>(),
            ),
        };
        for path in &expected.artifacts {
            let (state, holds) = artifact_holds(&resolved(path, action), artifacts.as_deref());
            verdict.add(|| format!("artifact {} {state}", named(path)), holds);
        }
        if let Some(within) = expected.within_ms {
            let holds = match seen.duration_ms <= within {
                true => Holds::Yes,
                false => Holds::No(format!("took {} ms", seen.duration_ms)),
            };
            verdict.add(|| format!("finishes within {within} ms"), holds);
        }
        verdict
    }

    fn judge_json(&self, seen: &Observation, verdict: &mut Verdict) {
        let (asked, members) = (self.expected.stdout_json, &self.expected.json_members);
        if !asked && members.is_empty() {
            return;
        }
        let text = seen.stdout.trim();
        let is_json = match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) if !seen.shortened => Holds::Yes,
            Err(_) if text.is_empty() => Holds::No("stdout is empty".into()),
            Err(error) if !seen.shortened || !starts_like_json(text) => {
                Holds::No(format!("{error}: {}", excerpt(text)))
            }
            _ => Holds::Open,
        };
        match is_json {
            Holds::No(_) => {
                // One violation for one cause, however many members are asked for.
                verdict.unmet += members.len() - usize::from(!asked);
                verdict.add(|| "stdout is JSON".into(), is_json);
            }
            Holds::Open => {}
            Holds::Yes => {
                verdict.met += usize::from(asked);
                // What is JSON but cannot be held (nested too deep, a number too large) stays open.
                let Ok(value) = serde_json::from_str::<Value>(text) else {
                    return;
                };
                for path in members {
                    let holds = match has_member(&value, path) {
                        true => Holds::Yes,
                        false => Holds::No(shape(&value)),
                    };
                    verdict.add(
                        || format!("stdout has the JSON member {}", named(path)),
                        holds,
                    );
                }
            }
        }
    }
}

impl Verdict {
    fn add(&mut self, condition: impl FnOnce() -> String, holds: Holds) {
        match holds {
            Holds::Yes => self.met += 1,
            Holds::Open => {}
            Holds::No(evidence) => {
                self.unmet += 1;
                self.violations.push(Violation {
                    condition: condition(),
                    evidence,
                });
            }
        }
    }
}

fn exit_holds(expected: &Expectations, seen: &Observation) -> Holds {
    match seen.exit {
        Some(exit) if expected.allows(exit) => Holds::Yes,
        Some(0) => Holds::No("exit 0".into()),
        // The hard failure already says so.
        _ => Holds::Open,
    }
}

fn judge_lines(lines: &Lines, seen: &Observation, verdict: &mut Verdict) {
    let count = seen
        .stdout
        .lines()
        .filter(|line| !line.trim().is_empty())
        .count() as u64;
    let certain = if seen.shortened {
        count.saturating_sub(CUT_LINES)
    } else {
        count
    };
    if let Some(least) = lines.least {
        let holds = match certain >= least {
            true => Holds::Yes,
            false if seen.shortened => Holds::Open,
            false => Holds::No(format!("counted {count}")),
        };
        verdict.add(
            || format!("stdout has at least {}", counted(least, "line")),
            holds,
        );
    }
    if let Some(most) = lines.most {
        let holds = match certain > most {
            true => Holds::No(format!("counted {count}")),
            false if seen.shortened => Holds::Open,
            false => Holds::Yes,
        };
        verdict.add(
            || format!("stdout has at most {}", counted(most, "line")),
            holds,
        );
    }
}

fn columns_hold(expected: usize, seen: &Observation) -> Holds {
    match columns::odd(&seen.stdout, expected) {
        None if seen.shortened => Holds::Open,
        None => Holds::Yes,
        Some(odd) if seen.shortened && odd.lines as u64 <= CUT_LINES => Holds::Open,
        Some(odd) => Holds::No(format!(
            "counted {} in line {}: {}",
            odd.columns,
            odd.number,
            excerpt(odd.line)
        )),
    }
}

/// The state that an artifact should be in, and whether it is.
fn artifact_holds(path: &str, seen: Option<&[(String, &Artifact)]>) -> (&'static str, Holds) {
    let Some(seen) = seen else {
        return ("exists", Holds::Open);
    };
    // The last word counts where one is named twice.
    let named = seen.iter().rfind(|(seen, _)| seen == path);
    match named.map(|(_, artifact)| artifact) {
        None => (
            "exists",
            Holds::No("it is not among the artifacts that were seen".into()),
        ),
        Some(artifact) if !artifact.exists => ("exists", Holds::No("it does not exist".into())),
        Some(artifact) if artifact.changed == Some(false) => {
            ("is changed", Holds::No("it is as before".into()))
        }
        Some(_) => ("exists", Holds::Yes),
    }
}

/// A path in one spelling: from the command's directory, without empty parts and dots.
fn resolved(path: &str, action: &Action) -> String {
    let directory = match &action.directory {
        Some(directory) if !path.starts_with('/') => directory.as_str(),
        _ => "",
    };
    let rooted = directory.starts_with('/') || path.starts_with('/');
    let parts: Vec<_> = directory
        .split('/')
        .chain(path.split('/'))
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    format!("{}{}", if rooted { "/" } else { "" }, parts.join("/"))
}

/// The first character of a JSON value.
fn starts_like_json(text: &str) -> bool {
    text.starts_with(|c: char| "{[\"-tfn".contains(c) || c.is_ascii_digit())
}

/// The member at a path of names with dots between them; a name may itself have dots at the end.
fn has_member(value: &Value, path: &str) -> bool {
    let (mut value, mut path) = (value, path);
    loop {
        let child = |name: &str| match value {
            Value::Object(members) => members.get(name),
            Value::Array(items) => items.get(name.parse::<usize>().ok()?),
            _ => None,
        };
        if child(path).is_some() {
            return true;
        }
        let Some((name, rest)) = path.split_once('.') else {
            return false;
        };
        let Some(inner) = child(name) else {
            return false;
        };
        (value, path) = (inner, rest);
    }
}

/// What there is instead of a value with the member.
fn shape(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let names: Vec<_> = members.keys().take(12).map(String::as_str).collect();
            format!("found an object with {}", excerpt(&names.join(", ")))
        }
        Value::Array(items) => format!("found an array of {}", items.len()),
        _ => "found no object".into(),
    }
}

/// The last line of a stream: what was printed instead usually stands there.
fn ending(stream: &str, text: &str) -> String {
    match text.lines().rfind(|line| !line.trim().is_empty()) {
        Some(line) => format!("{stream} ends with {}", excerpt(line)),
        None => format!("{stream} is empty"),
    }
}

/// A quoted piece of output in one line. In quotes it is known as volatile, so that two failures of one
/// condition have one fingerprint.
fn excerpt(text: &str) -> String {
    format!("{:?}", shortened(text.trim()))
}

/// A name or pattern of the caller in one line, without quotes: it belongs to the condition.
fn named(text: &str) -> String {
    let mut name = String::new();
    for c in shortened(text).chars() {
        match c.is_control() {
            true => name.extend(c.escape_default()),
            false => name.push(c),
        }
    }
    name
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(EXCERPT_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(expected: &str, members: &str) -> Verdict {
        let action =
            Action::read(r#"{"command": ["x"], "directory": "/work"}"#).expect("an action");
        let seen = format!(r#"{{"stderr": "", "duration-ms": 20, "exit": 0, {members}}}"#);
        let seen = Observation::read(&seen).expect("an observation");
        let expected = Expectations::read(expected).expect("expectations");
        Conditions::of(&expected)
            .expect("conditions")
            .judge(&action, &seen)
    }

    fn told(expected: &str, members: &str) -> Vec<String> {
        let verdict = judged(expected, members);
        let told = verdict.violations.into_iter();
        told.map(|violation| format!("{}: {}", violation.condition, violation.evidence))
            .collect()
    }

    #[test]
    fn every_condition_that_does_not_hold_says_what_was_found_instead() {
        let cases = [
            (
                r#"{"exit": [1, 2]}"#,
                r#""stdout": """#,
                "exit is 1 or 2: exit 0",
            ),
            (
                r#"{"stdout-matches": ["\\d+ passed"]}"#,
                r#""stdout": "a\n2 failed\n\n""#,
                r#"stdout matches \d+ passed: stdout ends with "2 failed""#,
            ),
            (
                r#"{"stderr-matches": ["a\\nb"]}"#,
                r#""stdout": """#,
                "stderr matches a\\nb: stderr is empty",
            ),
            (
                r#"{"stderr-matches": ["done"]}"#,
                r#""stdout": "done""#,
                "stderr matches done: stderr is empty",
            ),
            (
                r#"{"stdout-lacks": ["WARN"]}"#,
                r#""stdout": "ok\n WARN x\n""#,
                r#"stdout lacks WARN: found in "WARN x""#,
            ),
            (
                r#"{"stdout-json": true}"#,
                r#""stdout": " \n""#,
                "stdout is JSON: stdout is empty",
            ),
            (
                r#"{"stdout-json": true}"#,
                r#""stdout": "{} {}""#,
                r#"stdout is JSON: trailing characters at line 1 column 4: "{} {}""#,
            ),
            (
                r#"{"json-members": ["b.d"]}"#,
                r#""stdout": "{\"b\": {\"c\": 1}}""#,
                "stdout has the JSON member b.d: found an object with \"b\"",
            ),
            (
                r#"{"json-members": ["2.a"]}"#,
                r#""stdout": "[{\"a\": 1}]""#,
                "stdout has the JSON member 2.a: found an array of 1",
            ),
            (
                r#"{"lines": {"least": 3}}"#,
                r#""stdout": "a\n\nb\n""#,
                "stdout has at least 3 lines: counted 2",
            ),
            (
                r#"{"lines": {"most": 1}}"#,
                r#""stdout": "a\nb""#,
                "stdout has at most 1 line: counted 2",
            ),
            (
                r#"{"columns": 2}"#,
                r#""stdout": "a,b\n1,2,3\n""#,
                r#"every line of stdout has 2 columns: counted 3 in line 2: "1,2,3""#,
            ),
            (
                r#"{"artifacts": ["a"]}"#,
                r#""stdout": "", "artifacts": [{"path": "a", "exists": false}]"#,
                "artifact a exists: it does not exist",
            ),
            (
                r#"{"artifacts": ["a"]}"#,
                r#""stdout": "", "artifacts": []"#,
                "artifact a exists: it is not among the artifacts that were seen",
            ),
            (
                r#"{"artifacts": ["a"]}"#,
                r#""stdout": "", "artifacts": [{"path": "a", "exists": true, "changed": false}]"#,
                "artifact a is changed: it is as before",
            ),
            (
                r#"{"within-ms": 10}"#,
                r#""stdout": """#,
                "finishes within 10 ms: took 20 ms",
            ),
        ];
        for (expected, members, words) in cases {
            assert_eq!(told(expected, members), [words]);
        }
    }

    #[test]
    fn conditions_that_hold_are_counted() {
        let expected = r#"{"exit": [0], "stdout-matches": ["^\\{"], "stdout-lacks": ["error"], "stderr-lacks": ["."],
            "stdout-json": true, "json-members": ["a", "b.c", "d.0.e", "f.g", "n"],
            "lines": {"least": 1, "most": 1}, "columns": 1, "artifacts": ["./out//x", "/work/out/x"], "within-ms": 20}"#;
        let stdout =
            r#""stdout": "{\"a\":1,\"b\":{\"c\":[]},\"d\":[{\"e\":0}],\"f.g\":2,\"n\":null}""#;
        let members = format!(
            r#"{stdout}, "artifacts": [{{"path": "out/x", "exists": true, "changed": null}}]"#
        );
        let verdict = judged(
            &expected.replace("\"columns\": 1,", "\"columns\": 5,"),
            &members,
        );
        assert!(verdict.violations.is_empty(), "{:?}", verdict.violations);
        assert_eq!((verdict.met, verdict.unmet), (16, 0));
    }

    #[test]
    fn what_a_shortened_output_cannot_tell_is_open() {
        let expected = r#"{"stdout-matches": ["middle"], "stdout-lacks": ["middle"], "stdout-json": true,
            "json-members": ["a"], "lines": {"least": 2, "most": 4}, "columns": 1}"#;
        let verdict = judged(
            expected,
            r#""stdout": "{\"a\": \n[…]\n1 }\nx y", "shortened": true"#,
        );
        assert_eq!((verdict.met, verdict.unmet, verdict.given), (0, 0, true));
    }

    #[test]
    fn what_a_shortened_output_can_tell_is_told() {
        let expected = r#"{"stdout-matches": ["head"], "stdout-lacks": ["tail"], "stdout-json": true,
            "lines": {"least": 3, "most": 2}, "columns": 2}"#;
        let verdict = judged(
            expected,
            r#""stdout": "head\na\nb\nc\nd\n[…]\ntail", "shortened": true"#,
        );
        let told: Vec<_> = verdict
            .violations
            .iter()
            .map(|violation| violation.condition.as_str())
            .collect();
        assert_eq!(verdict.met, 2);
        assert_eq!(
            told,
            [
                "stdout lacks tail",
                "stdout is JSON",
                "stdout has at most 2 lines",
                "every line of stdout has 2 columns"
            ]
        );
    }

    #[test]
    fn what_nobody_looked_at_is_open() {
        let unseen = judged(r#"{"artifacts": ["a"]}"#, r#""stdout": """#);
        assert_eq!((unseen.met, unseen.unmet), (0, 0));
        let never_started = judged(
            r#"{"stdout-matches": ["a"]}"#,
            r#""stdout": "", "start-error": "no""#,
        );
        assert_eq!(
            (never_started.met, never_started.unmet, never_started.given),
            (0, 0, true)
        );
    }

    #[test]
    fn members_of_what_is_no_json_are_one_violation_and_count_each() {
        for (expected, unmet) in [
            (r#"{"json-members": ["a", "b"]}"#, 2),
            (r#"{"stdout-json": true, "json-members": ["a", "b"]}"#, 3),
        ] {
            let verdict = judged(expected, r#""stdout": "oops""#);
            assert_eq!((verdict.violations.len(), verdict.unmet), (1, unmet));
        }
    }

    #[test]
    fn json_that_is_deep_or_odd_is_json() {
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        for text in [deep.as_str(), "1e999"] {
            let verdict = judged(
                r#"{"stdout-json": true, "json-members": ["a"]}"#,
                &format!(r#""stdout": "{text}""#),
            );
            assert_eq!((verdict.met, verdict.unmet), (1, 0));
        }
    }

    #[test]
    fn more_conditions_than_the_contract_has_violations_are_refused() {
        let expected = Expectations {
            artifacts: vec!["a".into(); MOST],
            ..Expectations::default()
        };
        assert!(Conditions::of(&expected).is_ok());
        let expected = Expectations {
            within_ms: Some(1),
            ..expected
        };
        assert!(matches!(
            Conditions::of(&expected),
            Err(Error::InvalidInput(_))
        ));
    }

    #[test]
    fn evidence_is_short_whatever_was_printed() {
        let long = "x".repeat(100_000);
        let expected = r#"{"stdout-matches": ["y"], "stdout-lacks": ["x"], "stdout-json": true, "columns": 2}"#;
        let told = told(expected, &format!(r#""stdout": "{long}""#));
        assert_eq!(told.len(), 4);
        assert!(told.iter().all(|line| line.len() < 300), "{told:?}");
    }
}
