//! Expectations: which conditions hold after a command.
//!
//! Owns the conditions, their words and what is found instead. A condition holds, does not hold, or
//! is open. It is open where what was seen cannot tell: nothing is ever called violated because it
//! was not looked at.
//!
//! - A command that did not start has nothing to judge: all its conditions are open, the failure says
//!   enough.
//! - An exit code that is not the expected one is a violation only if it is 0; else it is the hard
//!   failure, which is not reported twice. Without an exit code it is open.
//! - Of a shortened output head and tail are known. A pattern that is found there is found; one that
//!   is not may be in between, so both `matches` and `lacks` are open then. The cut itself makes up to
//!   three lines: its mark and two halves. There are at least as many lines as were counted without
//!   these, and more than three lines of wrong width are wrong for certain; else lines and columns
//!   are open. JSON is open unless already the first character is none of JSON's.
//! - An artifact is open if nobody looked at artifacts; if somebody did and does not name it, it is
//!   not there. Whether its bytes are other ones is open where nobody compared them.
//! - A cost that nobody counted is open. Steps that nobody counted are tries.

use serde::de::IgnoredAny;
use serde_json::Value;
use twiceshy_adapter::{Error, Seen, Violation, refused};

use crate::{
    Cli, columns, efficiency,
    pattern::{self, Found, Pattern},
    payload::{Action, Artifact, Expectations, Lines, Observation},
    shape::Shape,
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
    shape: Option<Shape>,
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
            + expected.changed.len()
            + usize::from(expected.exit.is_some())
            + usize::from(expected.stdout_json)
            + usize::from(expected.json_schema.is_some())
            + expected.lines.as_ref().map_or(0, |lines| {
                usize::from(lines.least.is_some()) + usize::from(lines.most.is_some())
            })
            + usize::from(expected.columns.is_some())
            + usize::from(expected.within_ms.is_some())
            + usize::from(expected.within_steps.is_some())
            + usize::from(expected.within_cost.is_some());
        if count > MOST {
            let cause = format!("there are {count} conditions, and at most {MOST} are allowed");
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
        let shape = match &expected.json_schema {
            Some(schema) => Some(Shape::read("expectations.json-schema", schema)?),
            None => None,
        };
        let expressions = patterns
            .iter()
            .filter(|searched| searched.pattern.is_regex())
            .count()
            + shape.as_ref().map_or(0, Shape::patterns);
        Ok(Self {
            expected,
            count,
            patterns,
            shape,
            window: pattern::window(expressions),
        })
    }

    /// Says which conditions hold, in the order in which the schema lists them.
    pub(crate) fn judge(&self, step: &Seen<Cli>) -> Verdict {
        let (expected, seen) = (self.expected, &step.observation);
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
        self.judge_artifacts(&step.action, seen, &mut verdict);
        if let Some(within) = expected.within_ms {
            let holds = match seen.duration_ms <= within {
                true => Holds::Yes,
                false => Holds::No(format!("took {} ms", seen.duration_ms)),
            };
            verdict.add(|| format!("finishes within {within} ms"), holds);
        }
        if let Some(within) = expected.within_steps {
            let steps = efficiency::steps(&step.action, seen, step.recent);
            let holds = match steps <= within {
                true => Holds::Yes,
                false => Holds::No(format!("took {steps}")),
            };
            verdict.add(
                || format!("takes at most {}", counted(within, "step")),
                holds,
            );
        }
        if let Some(within) = expected.within_cost {
            let holds = match seen.cost {
                Some(cost) if cost <= within => Holds::Yes,
                Some(cost) => Holds::No(format!("cost {cost}")),
                None => Holds::Open,
            };
            verdict.add(|| format!("costs at most {within}"), holds);
        }
        verdict
    }

    fn judge_artifacts(&self, action: &Action, seen: &Observation, verdict: &mut Verdict) {
        let (artifacts, changed) = (&self.expected.artifacts, &self.expected.changed);
        let known = match &seen.artifacts {
            Some(known) if !artifacts.is_empty() || !changed.is_empty() => Some(
                // In one spelling once, not once for each that is expected: somebody may look at many.
                known
                    .iter()
                    .map(|artifact| (resolved(&artifact.path, action), artifact))
                    .collect::<Vec<_>>(),
            ),
            _ => None,
        };
        for (paths, bytes) in [(artifacts, false), (changed, true)] {
            for path in paths {
                let (state, holds) =
                    artifact_holds(&resolved(path, action), bytes, known.as_deref());
                verdict.add(|| format!("artifact {} {state}", named(path)), holds);
            }
        }
    }

    fn judge_json(&self, seen: &Observation, verdict: &mut Verdict) {
        let (asked, members) = (self.expected.stdout_json, &self.expected.json_members);
        // Those that can't be judged of what is no JSON.
        let further = members.len() + usize::from(self.shape.is_some());
        if !asked && further == 0 {
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
                verdict.unmet += further - usize::from(!asked);
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
                if let Some(shape) = &self.shape {
                    let holds = match shape.misfit(&value, self.window) {
                        None => Holds::Yes,
                        Some(misfit) => Holds::No(named(&misfit)),
                    };
                    verdict.add(|| "stdout fits its JSON schema".into(), holds);
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

/// The state that an artifact should be in, and whether it is; `bytes` asks for other ones than before.
fn artifact_holds(
    path: &str,
    bytes: bool,
    seen: Option<&[(String, &Artifact)]>,
) -> (&'static str, Holds) {
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
        Some(artifact) if bytes => match artifact.same_bytes {
            Some(true) => (
                "is changed",
                Holds::No("it was written again with the same bytes".into()),
            ),
            Some(false) => ("is changed", Holds::Yes),
            None => ("is changed", Holds::Open),
        },
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
mod tests;
