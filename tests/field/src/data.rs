//! The recorded data: corrections, stories and runs of agents, read from a directory outside the repository.

use std::{
    cmp::Reverse,
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, de::DeserializeOwned};

/// Names the directory, unless an argument does.
const VARIABLE: &str = "TWICESHY_REAL";

/// A mistake at a terminal, what was printed, and the commands that are right.
#[derive(Debug, Clone, Deserialize)]
pub struct Correction {
    /// The kind of mistake.
    pub rule: String,
    /// The mistaken command line.
    pub wrong: String,
    /// What it printed.
    pub output: String,
    /// The right command lines.
    pub fixes: Vec<String>,
}

/// A mistake that was corrected once, and the same mistake elsewhere.
#[derive(Debug, Clone, Deserialize)]
pub struct Story {
    /// The kind of mistake.
    pub rule: String,
    /// The mistaken command line.
    pub wrong: String,
    /// What it printed.
    pub output: String,
    /// The command line that worked.
    pub fix: String,
    /// The mistake elsewhere.
    pub wrong2: String,
    /// The right way there.
    pub fix2: String,
}

/// A run of a language model at a shell.
#[derive(Debug, Clone, Deserialize)]
pub struct ShellRun {
    /// The name of the run, with that of the model.
    pub run: String,
    /// What was to be done.
    pub task: String,
    /// Who did it, if the name does not tell.
    #[serde(default)]
    pub agent: Option<String>,
    /// What was done.
    pub steps: Vec<ShellStep>,
}

/// One line at a shell.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ShellStep {
    /// The line.
    pub action: String,
    /// What came of it.
    pub observation: String,
    /// Whether it worked.
    pub valid: bool,
}

/// What a failed statement is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// It is learned, with its right form.
    Learn,
    /// It has a misconception that was learned.
    Ask,
    /// Its misconception was never learned.
    Never,
}

/// A statement that a database refused, and the right one.
#[derive(Debug, Clone, Deserialize)]
pub struct Statement {
    /// What it is for.
    pub part: Part,
    /// The database.
    pub database: String,
    /// The misconception.
    pub mistake: String,
    /// The statement that was refused.
    pub wrong: String,
    /// What the database said.
    pub error: String,
    /// The statement that works.
    pub right: String,
}

/// Everything that is replayed.
#[derive(Debug)]
pub struct Data {
    /// Statements that databases refused, if any are given.
    pub statements: Vec<Statement>,
    /// Mistakes with their right commands.
    pub corrections: Vec<Correction>,
    /// Mistakes that come twice.
    pub stories: Vec<Story>,
    /// Runs of language models.
    pub runs: Vec<ShellRun>,
    /// Runs of which every other one is learned, if any are given.
    pub halves: Vec<ShellRun>,
}

impl Data {
    /// Reads the data from a directory: the given one, or the one that the environment names, or the usual one
    /// beside the repository. Statements are in a file of their own, and so are runs that are measured by halves.
    pub fn read(
        directory: Option<&Path>,
        statements: Option<&Path>,
        halves: Option<&Path>,
    ) -> Result<Self, String> {
        let usual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real");
        let directory = directory
            .map(Path::to_owned)
            .or_else(|| env::var_os(VARIABLE).map(PathBuf::from))
            .unwrap_or(usual);
        if !directory.is_dir() {
            return Err(format!(
                "{}: the recorded data is not there; name its directory with --data or {VARIABLE}",
                directory.display()
            ));
        }
        let mut runs: Vec<ShellRun> = lines(&directory.join("shell_runs.jsonl"))?;
        // Models that are stuck repeat themselves, which is one failure and not ten.
        for run in &mut runs {
            run.steps.dedup();
        }
        Ok(Self {
            statements: statements.map_or(Ok(Vec::new()), lines)?,
            halves: halves.map_or(Ok(Vec::new()), lines)?,
            corrections: lines(&directory.join("corrections.jsonl"))?,
            stories: lines(&directory.join("stories.jsonl"))?,
            runs,
        })
    }
}

fn lines<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let line = |(index, line): (usize, &str)| {
        serde_json::from_str(line)
            .map_err(|error| format!("{}:{}: {error}", file.display(), index + 1))
    };
    text.lines().enumerate().map(line).collect()
}

impl Story {
    /// What the mistake elsewhere prints: the recorded output with the names of elsewhere.
    pub fn output2(&self) -> String {
        renamed(&self.output, &self.names())
    }

    /// The names that differ between the two places, with what stands for them in the second.
    pub fn names(&self) -> Vec<(String, String)> {
        let mut names = differences(&self.wrong, &self.wrong2);
        names.extend(differences(&self.fix, &self.fix2));
        let parts: Vec<_> = names
            .iter()
            .flat_map(|(from, to)| parts(from, to))
            .collect();
        names.extend(parts);
        // The longest first: a path before the words in it, and of equals the whole word before the part of another.
        names.sort_by_key(|(from, _)| Reverse(from.len()));
        let mut seen = BTreeSet::new();
        names.retain(|(from, to)| from != to && seen.insert(from.clone()));
        names
    }
}

impl ShellRun {
    /// Who did it, as a host knows it.
    pub fn agent(&self) -> &str {
        self.agent.as_deref().unwrap_or_else(|| self.model())
    }

    /// The model, or the way of prompting it, that the run is of.
    pub fn model(&self) -> &str {
        let name = self.run.strip_prefix("ic_bash_").unwrap_or(&self.run);
        let name = name.strip_prefix("multiturn_").unwrap_or(name);
        let end = name.find("_10_turns").or_else(|| name.find("_fs_"));
        &name[..end.unwrap_or(name.len())]
    }
}

/// Words that stand in the same place of two lines and differ.
fn differences(left: &str, right: &str) -> Vec<(String, String)> {
    let words = |line: &str| -> Vec<String> {
        let word = |word: &str| word.trim_matches(['"', '\'']).to_owned();
        line.split_whitespace().map(word).collect()
    };
    let (left, right) = (words(left), words(right));
    match left.len() == right.len() {
        true => left
            .into_iter()
            .zip(right)
            .filter(|(from, to)| from != to)
            .collect(),
        false => Vec::new(),
    }
}

/// The parts of two words that differ, if they have as many: between slashes, and between any marks.
fn parts(from: &str, to: &str) -> Vec<(String, String)> {
    let marks: [fn(char) -> bool; 2] = [|c| c == '/', |c| !c.is_alphanumeric() && c != '_'];
    let mut parts = Vec::new();
    for mark in marks {
        let (from, to): (Vec<_>, Vec<_>) = (from.split(mark).collect(), to.split(mark).collect());
        if from.len() == to.len() && from.len() > 1 {
            let telling = |(from, to): &(&str, &str)| from != to && from.chars().count() > 1;
            let pairs = from.into_iter().zip(to).filter(telling);
            parts.extend(pairs.map(|(from, to)| (from.to_owned(), to.to_owned())));
        }
    }
    parts
}

/// A text with each name replaced where it is a whole word; names that come first in the list go first.
pub fn renamed(text: &str, names: &[(String, String)]) -> String {
    let is_inner = |c: char| c.is_alphanumeric() || c == '_';
    let mut result = String::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let fits = |from: &&(String, String)| {
            let Some(after) = rest.strip_prefix(from.0.as_str()) else {
                return false;
            };
            let begins = !from.0.starts_with(is_inner) || !is_inner(before);
            let ends = !from.0.ends_with(is_inner) || !after.starts_with(is_inner);
            !from.0.is_empty() && begins && ends
        };
        if let Some((from, to)) = names.iter().find(fits) {
            result.push_str(to);
            rest = &rest[from.len()..];
            before = from.chars().next_back().unwrap_or(' ');
        } else {
            result.push(first);
            rest = &rest[first.len_utf8()..];
            before = first;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_elsewhere_has_the_names_of_elsewhere() {
        let story = Story {
            rule: String::new(),
            wrong: "cp foo bar/baz/".into(),
            output: "cp: cannot create 'bar/baz/': no barn, foo or fool".into(),
            fix: "mkdir -p bar/baz/ && cp foo bar/baz/".into(),
            wrong2: "cp notes.txt backup/old/".into(),
            fix2: "mkdir -p backup/old/ && cp notes.txt backup/old/".into(),
        };
        assert_eq!(
            story.output2(),
            "cp: cannot create 'backup/old/': no barn, notes.txt or fool"
        );
    }

    #[test]
    fn a_run_is_of_the_model_in_its_name() {
        let run = |run: &str| ShellRun {
            run: run.into(),
            task: String::new(),
            agent: None,
            steps: Vec::new(),
        };
        assert_eq!(
            run("ic_bash_multiturn_one-2_10_turns_fs_1__6").model(),
            "one-2"
        );
        assert_eq!(run("ic_bash_plan_solve_fs_1__6").model(), "plan_solve");
    }
}
