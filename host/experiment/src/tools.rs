//! The tools that the experiment is about: what a run of one is, and the files it sees.
//!
//! gridtool works on tables, fluxtool on signals. Their syntax is unlike that of any other tool, so that
//! nobody who uses them, neither a program nor a model, can know it beforehand. Their errors are honest:
//! they name what was refused, and seldom say what would have been right.

mod flux;
mod grid;

use std::{collections::BTreeMap, fs, path::PathBuf};

use serde::{Deserialize, Serialize};

/// One of the two tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tool {
    /// Tables.
    Gridtool,
    /// Signals.
    Fluxtool,
}

/// What a tool did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ran {
    /// The exit code: 0, or 2 if it refused.
    pub exit: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// The files that a tool sees.
pub trait Files {
    /// The content of a file; none if there is no such file or it is not text.
    fn read(&self, name: &str) -> Option<String>;

    /// Makes or replaces a file.
    ///
    /// # Errors
    /// If it can't be written, why.
    fn write(&mut self, name: &str, content: &str) -> Result<(), String>;
}

/// Files that are nowhere but in memory.
impl Files for BTreeMap<String, String> {
    fn read(&self, name: &str) -> Option<String> {
        self.get(name).cloned()
    }

    fn write(&mut self, name: &str, content: &str) -> Result<(), String> {
        self.insert(name.to_owned(), content.to_owned());
        Ok(())
    }
}

/// Real files, named from a directory.
#[derive(Debug, Clone)]
pub struct Directory(pub PathBuf);

impl Files for Directory {
    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.0.join(name)).ok()
    }

    fn write(&mut self, name: &str, content: &str) -> Result<(), String> {
        fs::write(self.0.join(name), content).map_err(|error| error.to_string())
    }
}

impl Tool {
    /// Both tools.
    pub const ALL: [Self; 2] = [Self::Gridtool, Self::Fluxtool];

    /// The name of its program.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gridtool => "gridtool",
            Self::Fluxtool => "fluxtool",
        }
    }

    /// The tool of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// What a person would read about it.
    pub fn docs(self) -> &'static str {
        match self {
            Self::Gridtool => include_str!("tools/gridtool.txt"),
            Self::Fluxtool => include_str!("tools/fluxtool.txt"),
        }
    }

    /// Runs it once with these arguments, its own name left out. A pure function of what it is given; a
    /// refused statement changes no file.
    pub fn run(self, arguments: &[String], stdin: &str, files: &mut dyn Files) -> Ran {
        let done = match (self, arguments) {
            (_, [only]) if only == "--help" => Ok(self.docs().to_owned()),
            (Self::Gridtool, _) => grid::statement(arguments, stdin, files),
            (Self::Fluxtool, _) => flux::pipeline(arguments, stdin, files),
        };
        match done {
            Ok(stdout) => Ran {
                exit: 0,
                stdout,
                stderr: String::new(),
            },
            Err(refusal) => Ran {
                exit: 2,
                stdout: String::new(),
                stderr: format!("{}: {refusal}\n", self.name()),
            },
        }
    }

    /// The tool as a program: arguments, standard input and files of the machine.
    pub fn main(self) -> std::process::ExitCode {
        use std::io::{IsTerminal, Read, Write};
        let arguments: Vec<_> = std::env::args_os()
            .skip(1)
            .map(|argument| argument.to_string_lossy().into_owned())
            .collect();
        let mut input = String::new();
        // Only a statement that reads it waits for standard input.
        if arguments.iter().any(|argument| argument.ends_with('-'))
            && !std::io::stdin().is_terminal()
        {
            let _ = std::io::stdin().read_to_string(&mut input);
        }
        let ran = self.run(&arguments, &input, &mut Directory(PathBuf::from(".")));
        // Nobody may be there to read it, which is not the tool's failure.
        let _ = std::io::stdout().write_all(ran.stdout.as_bytes());
        let _ = std::io::stderr().write_all(ran.stderr.as_bytes());
        std::process::ExitCode::from(u8::try_from(ran.exit).unwrap_or(u8::MAX))
    }
}

/// The words of a statement, taken one after the other.
struct Words<'a> {
    words: &'a [String],
    at: usize,
}

impl<'a> Words<'a> {
    fn new(words: &'a [String]) -> Self {
        Self { words, at: 0 }
    }

    /// The next word; `missing` says what the statement lacks if there is none.
    fn next(&mut self, missing: &str) -> Result<&'a str, String> {
        let word = self.words.get(self.at).ok_or_else(|| missing.to_owned())?;
        self.at += 1;
        Ok(word)
    }

    /// Whether all words were taken.
    fn at_end(&self) -> bool {
        self.at >= self.words.len()
    }
}

#[cfg(test)]
mod tests;
