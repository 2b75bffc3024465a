//! Command lines: which commands one has, which of them failed, and what its exit code is worth.
//!
//! An agent rarely runs a command as it is: `bash -lc "cd app && timeout 60 npm test 2>&1 | tail -20"`. [`parse`] takes the
//! wrappers off, remembers the place, and gives the commands in order, each as it is written and as words. On top of that:
//! [`failed_command`] finds the one that failed, [`is_success_bought`] says whether an exit code of 0 shows that anything
//! worked, [`is_answer`] whether another one is merely the answer of a probe, and [`is_looking_around`] whether a command
//! changes nothing. [`join`] writes words as a line, and [`one_line`] a script of several lines as one.
//!
//! Pure, without a dependency, and made for the size of a component and a few microseconds for a line. The parsers that
//! there are do not fit: brush-parser needs a random seed, a logger and a cache, yash-syntax is under the GPL, conch-parser
//! is not kept any more, and the others only split words.
//!
//! ```
//! let line = twiceshy_shell::parse(r#"bash -lc "cd app && timeout 60 npm test""#);
//! assert_eq!(line.text, "npm test");
//! assert_eq!(line.place.as_deref(), Some("app"));
//! assert_eq!(line.commands[1].words, ["npm", "test"]);
//! assert_eq!(line.commands[1].wrappers, ["bash", "timeout"]);
//! ```
#![deny(missing_docs)]

mod facts;
mod failed;
mod layout;
mod line;
mod quote;
mod success;
mod syntax;
mod words;
mod wrappers;

use std::{borrow::Cow, ops::Range};

pub use facts::{
    is_answer, is_editor, is_looking_around, is_probe, is_rehearsal, takes_only_operands,
};
pub use failed::failed_command;
pub use layout::one_line;
pub use quote::join;
pub use success::{is_proven, is_success_bought};

/// What stands between two commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connector {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `;`
    Then,
    /// `|` or `|&`
    Pipe,
    /// `&`
    Background,
    /// The end of a line.
    Line,
}

/// A command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The line as one would retype it: without wrappers and without the place.
    pub text: String,
    /// Where it runs, by the `cd` that it begins with.
    pub place: Option<String>,
    /// Its commands in order, also those of groups and of scripts within it. Never empty.
    pub commands: Vec<Command>,
    /// It ends with the first command that fails: `set -e`, `bash -ec`.
    pub stops_at_failure: bool,
    /// A pipeline fails with any of its commands: `set -o pipefail`.
    pub has_pipefail: bool,
}

/// One command of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// As it is written, without wrappers; it can be pasted. What may change what it does (assignments, `sudo`,
    /// redirections) stays.
    pub text: String,
    /// The program and its arguments without their quotes. Expansions are as written. Empty if there are only
    /// assignments or redirections.
    pub words: Vec<String>,
    /// `NAME=value` before the program, also by `env`; without quotes.
    pub assignments: Vec<(String, String)>,
    /// Where its streams lead.
    pub redirections: Vec<Redirection>,
    /// The programs around it, the outermost first, whether they stay in the text or not: `bash`, `sudo`, `timeout`.
    pub wrappers: Vec<String>,
    /// What left the text before it, as it was written: `timeout 60`.
    pub prefix: String,
    /// Where it runs, by the commands before it.
    pub place: Option<String>,
    /// What leads to the next command; none at the end of the line.
    pub connector: Option<Connector>,
    /// `!` stands before it.
    pub is_negated: bool,
    /// A loop, a condition, a function, or something that can't be read: its text is all there is.
    pub is_opaque: bool,
    /// Where it stands in the line that was parsed, with its wrappers. Commands of a script within the line share
    /// the place of the script.
    pub span: Range<usize>,
}

/// Where a stream of a command leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirection {
    /// With the number of the stream: `2>`, `>>`, `<<<`.
    pub operator: String,
    /// The file, the number of a stream, or the end of a here-document; without quotes.
    pub target: String,
}

impl Command {
    /// The name of the program without its directory; empty if there is none.
    pub fn program(&self) -> &str {
        self.words.first().map_or("", |program| base_name(program))
    }

    /// The word that says what the program shall do: `push` in `git -C app push origin`.
    pub fn verb(&self) -> Option<&str> {
        let mut words = self.words.iter().skip(1);
        while let Some(word) = words.next() {
            if [
                "-C",
                "-c",
                "-n",
                "--prefix",
                "--context",
                "--namespace",
                "--manifest-path",
            ]
            .contains(&word.as_str())
            {
                words.next();
            } else if !word.starts_with(['-', '+']) {
                let is_word = word.starts_with(|c: char| c.is_ascii_alphabetic())
                    && word
                        .chars()
                        .all(|c| c.is_ascii_alphanumeric() || "-_:".contains(c));
                return is_word.then_some(word);
            }
        }
        None
    }

    /// It runs with the rights of somebody else.
    pub fn is_elevated(&self) -> bool {
        self.wrappers
            .iter()
            .any(|name| name == "sudo" || name == "doas")
    }

    /// It only changes where the next commands run.
    pub fn is_change_of_place(&self) -> bool {
        matches!(self.program(), "cd" | "pushd" | "popd")
    }
}

/// Reads a command line. What can't be read is one command whose words are split at blanks.
pub fn parse(line: &str) -> Line {
    line::read(line)
}

/// The line as one would retype it: without wrappers and without the place.
///
/// ```
/// use twiceshy_shell::unwrapped;
/// assert_eq!(unwrapped("cd app && env CI=1 timeout 60 npm test"), "CI=1 npm test");
/// assert_eq!(unwrapped("npm test"), "npm test");
/// ```
pub fn unwrapped(line: &str) -> Cow<'_, str> {
    let text = parse(line).text;
    match text == line {
        true => Cow::Borrowed(line),
        false => Cow::Owned(text),
    }
}

/// The name of a file without its directory.
pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
