//! The task of a working memory: its goals and constraints, found in its words.
//!
//! Owns the reading of a task. Simple on purpose, and the same on every machine: a text is cut into sentences and
//! list items; one that begins with a verb of doing, or is an item of a list, is a goal; one that says `must`, `without`,
//! `never`, `no`, `only`, `at most` and the like, or compares with a number (`< 200ms`), is a constraint. A sentence that
//! is both is a goal, and its clause from the telling word on is the constraint. A caller may give them instead.

use twiceshy_wit::memory::{Error, ParsedTask};

use super::{
    checks::{LISTED, VALUE_BYTES, check_count, json_string, kept_list, too_long},
    head::PLAN,
};
use crate::{limits, payload};

/// Verbs with which a sentence asks for something, sorted.
const DOING: [&str; 74] = [
    "add",
    "adapt",
    "allow",
    "analyse",
    "analyze",
    "avoid",
    "benchmark",
    "build",
    "change",
    "check",
    "clean",
    "compare",
    "compute",
    "configure",
    "connect",
    "convert",
    "copy",
    "correct",
    "create",
    "debug",
    "define",
    "delete",
    "deploy",
    "design",
    "detect",
    "document",
    "enable",
    "ensure",
    "export",
    "extend",
    "extract",
    "find",
    "fix",
    "format",
    "generate",
    "handle",
    "implement",
    "import",
    "improve",
    "increase",
    "install",
    "integrate",
    "introduce",
    "investigate",
    "keep",
    "list",
    "load",
    "make",
    "measure",
    "merge",
    "migrate",
    "move",
    "optimise",
    "optimize",
    "parse",
    "port",
    "prepare",
    "provide",
    "publish",
    "read",
    "reduce",
    "refactor",
    "release",
    "remove",
    "rename",
    "replace",
    "report",
    "run",
    "send",
    "show",
    "support",
    "test",
    "update",
    "write",
];

/// Words that say what is to be heeded, each with the spaces around it.
const HEEDING: [&str; 22] = [
    " must ",
    " must not ",
    " mustn't ",
    " without ",
    " never ",
    " no ",
    " not ",
    " only ",
    " at most ",
    " at least ",
    " no more than ",
    " no less than ",
    " less than ",
    " more than ",
    " under ",
    " within ",
    " cannot ",
    " can't ",
    " don't ",
    " do not ",
    " should not ",
    " shouldn't ",
];

/// A task as it is put into the task context.
#[derive(Debug, Clone)]
pub(super) struct Loaded {
    pub(super) description: String,
    goals: Vec<String>,
    constraints: Vec<String>,
    criteria: Vec<String>,
    plan: Vec<String>,
}

impl Loaded {
    pub(super) fn new(task: &ParsedTask) -> Result<Self, Error> {
        let lists = [
            ("task.goals", &task.goals),
            ("task.constraints", &task.constraints),
            ("task.success-criteria", &task.success_criteria),
            ("task.plan", &task.plan),
        ];
        for (member, list) in lists {
            check_count(member, list.len(), LISTED)?;
            let longest = list.iter().map(String::len).max().unwrap_or(0);
            if longest > VALUE_BYTES {
                return Err(too_long(member, longest, VALUE_BYTES));
            }
        }
        check_count("task.variables", task.variables.len(), LISTED)?;
        let description = task.description.as_deref().unwrap_or_default();
        if description.len() > limits::TASK_BYTES {
            return Err(too_long(
                "task.description",
                description.len(),
                limits::TASK_BYTES,
            ));
        }
        Ok(Self {
            description: payload::kept_text(description.trim(), limits::TASK_BYTES),
            goals: task.goals.clone(),
            constraints: task.constraints.clone(),
            criteria: task.success_criteria.clone(),
            plan: task.plan.clone(),
        })
    }

    /// Its goals and constraints, found in its words if they are not given.
    fn read(&self) -> (Vec<String>, Vec<String>) {
        let (goals, constraints) = goals_and_constraints(&self.description);
        let or = |given: &[String], found: Vec<String>| match given.is_empty() {
            true => found,
            false => given.to_vec(),
        };
        (or(&self.goals, goals), or(&self.constraints, constraints))
    }

    /// The contents of the task context: id and body.
    pub(super) fn parts(&self) -> Vec<(&'static str, String)> {
        let (goals, constraints) = self.read();
        let mut parts = vec![("task-description", self.description.clone())];
        for (id, list) in [
            ("task-goals", &goals),
            ("task-constraints", &constraints),
            ("task-criteria", &self.criteria),
            (PLAN, &self.plan),
        ] {
            if !list.is_empty() {
                parts.push((id, kept_list(list)));
            }
        }
        parts
    }

    /// The variables that every task has.
    pub(super) fn variables(&self) -> Vec<(&'static str, String)> {
        let (goals, constraints) = self.read();
        let goal = goals
            .first()
            .map_or(self.description.as_str(), String::as_str);
        let goal = payload::kept_text(goal, limits::ACTION_BYTES);
        vec![
            ("primary_goal", json_string(&goal)),
            ("constraints", kept_list(&constraints)),
        ]
    }
}

/// What a task's words say is to be reached, and to be heeded.
fn goals_and_constraints(text: &str) -> (Vec<String>, Vec<String>) {
    let mut goals = Vec::new();
    let mut constraints = Vec::new();
    for Sentence { text, listed } in sentences(text) {
        let telling = telling(&text);
        let asks = begins_with_doing(&text);
        match telling {
            // `Add a cache without a new dependency` is a goal, and from `without` on a constraint.
            Some(at) if asks && at > 0 => {
                constraints.push(text[at..].trim().to_owned());
                goals.push(text);
            }
            Some(_) => constraints.push(text),
            None if asks || listed => goals.push(text),
            None => {}
        }
    }
    if goals.is_empty() {
        // A task that only tells is about what it says first.
        let first = sentences(text).into_iter().next();
        goals.extend(first.map(|sentence| sentence.text));
    }
    goals.truncate(LISTED);
    constraints.truncate(LISTED);
    (goals, constraints)
}

struct Sentence {
    text: String,
    /// Whether it is an item of a list.
    listed: bool,
}

/// The sentences and list items of a text.
fn sentences(text: &str) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        let item = without_bullet(line);
        let listed = item.len() < line.len();
        let mut rest = item;
        while !rest.is_empty() {
            let end = sentence_end(rest);
            let sentence = rest[..end].trim().trim_end_matches(['.', '!', ';', ':']);
            // A heading such as `Requirements:` says nothing by itself.
            let heading = rest[..end].trim().ends_with(':');
            if !sentence.is_empty() && !heading {
                sentences.push(Sentence {
                    text: sentence.to_owned(),
                    listed,
                });
            }
            rest = rest[end..].trim_start();
        }
    }
    sentences
}

/// A line without the mark of a list item: `-`, `*`, `•`, `1.`, `2)`, `[ ]`.
fn without_bullet(line: &str) -> &str {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = digits > 0 && line[digits..].starts_with(['.', ')']);
    let rest = if numbered {
        &line[digits + 1..]
    } else {
        line.strip_prefix(['-', '*', '•']).unwrap_or(line)
    };
    match rest.starts_with(' ') {
        true => {
            let rest = rest.trim_start();
            let boxes = ["[ ]", "[x]", "[X]"];
            let checked = boxes.iter().find_map(|mark| rest.strip_prefix(mark));
            checked.unwrap_or(rest).trim_start()
        }
        false => line,
    }
}

/// Where the first sentence of a text ends: behind a mark that a space or nothing follows.
fn sentence_end(text: &str) -> usize {
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let after = at + character.len_utf8();
        match character {
            '。' | '！' | '？' => return after,
            '.' | '!' | '?' | ';'
                if characters
                    .peek()
                    .is_none_or(|(_, next)| next.is_whitespace()) =>
            {
                return after;
            }
            _ => {}
        }
    }
    text.len()
}

fn begins_with_doing(text: &str) -> bool {
    let mut words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase);
    match words.next().as_deref() {
        Some("please" | "then" | "also" | "and") => words
            .next()
            .is_some_and(|word| DOING.contains(&word.as_str())),
        Some(word) => DOING.contains(&word),
        None => false,
    }
}

/// Where a sentence begins to say what is to be heeded.
fn telling(text: &str) -> Option<usize> {
    // Of equal length, so that the places fit; the spaces let words at both ends be found.
    let padded = format!(" {} ", text.to_ascii_lowercase().replace([',', '('], " "));
    let word = HEEDING
        .iter()
        .filter_map(|word| padded.find(word))
        .min()
        .filter(|at| text.is_char_boundary(*at));
    word.into_iter().chain(comparison(text)).min()
}

/// Where a comparison with a number stands: `< 200ms`, `>= 90 %`, `≤ 5`.
fn comparison(text: &str) -> Option<usize> {
    text.char_indices()
        .filter(|(_, c)| matches!(c, '<' | '>' | '≤' | '≥'))
        .find(|(at, c)| {
            let rest = text[at + c.len_utf8()..]
                .trim_start_matches('=')
                .trim_start();
            rest.starts_with(|c: char| c.is_ascii_digit())
        })
        .map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> (Vec<String>, Vec<String>) {
        goals_and_constraints(text)
    }

    #[test]
    fn verbs_of_doing_and_list_items_are_goals() {
        let (goals, constraints) = found(
            "Add JWT authentication. The service is old.\nSteps:\n- an encoder\n2. write the tests",
        );
        assert_eq!(
            goals,
            ["Add JWT authentication", "an encoder", "write the tests"]
        );
        assert!(constraints.is_empty(), "{constraints:?}");
    }

    #[test]
    fn what_is_to_be_heeded_is_a_constraint() {
        let (goals, constraints) = found(
            "Speed up the search without a new dependency. Responses must stay JSON. p95 < 200ms. No downtime.",
        );
        assert_eq!(goals, ["Speed up the search without a new dependency"]);
        assert_eq!(
            constraints,
            [
                "Speed up the search without a new dependency",
                "Responses must stay JSON",
                "p95 < 200ms",
                "No downtime"
            ]
        );
        let (goals, constraints) = found("Add a cache without a new dependency");
        assert_eq!(goals, ["Add a cache without a new dependency"]);
        assert_eq!(constraints, ["without a new dependency"]);
    }

    #[test]
    fn a_task_that_only_tells_is_about_its_first_sentence() {
        assert_eq!(
            found("The build is red. It was green.").0,
            ["The build is red"]
        );
        assert_eq!(found(""), (Vec::new(), Vec::new()));
        assert_eq!(found("修复登录。不要改接口。").0, ["修复登录。"]);
    }

    #[test]
    fn verbs_are_sorted_and_each_is_there_once() {
        let mut sorted = DOING.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let mut all = DOING.to_vec();
        all.sort_unstable();
        assert_eq!(all, sorted);
    }
}
