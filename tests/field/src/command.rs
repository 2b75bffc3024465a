//! A command line as it reaches the adapter: as words, through a shell, or as the hook of an agent has it.

use serde_json::{Value, json};
use twiceshy_wit::adapter::Step;

/// How commands are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Word by word. A line that only a shell can run goes through `bash -c`.
    Argv,
    /// `bash -c "…"`, as agents do.
    BashC,
    /// The whole line as one string, as an agent's tool has it, with its exit code.
    Hook,
    /// The same without an exit code, because not every agent tells.
    HookWithoutExit,
}

impl Way {
    /// All ways, with the usual one first.
    pub const ALL: [Self; 4] = [Self::BashC, Self::Argv, Self::Hook, Self::HookWithoutExit];

    /// Its name in arguments and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Argv => "argv",
            Self::BashC => "bash-c",
            Self::Hook => "hook",
            Self::HookWithoutExit => "hook-no-exit",
        }
    }

    /// Whether a line is told at all: a hook says nothing of one that has nothing in it.
    pub fn tells(self, line: &str) -> bool {
        let is_hook = matches!(self, Self::Hook | Self::HookWithoutExit);
        !is_hook || !line.trim().is_empty()
    }

    fn command(self, line: &str) -> Value {
        let through_bash = || json!(["bash", "-c", line]);
        match self {
            Self::Argv => plain_words(line).map_or_else(through_bash, |words| json!(words)),
            Self::BashC => through_bash(),
            Self::Hook | Self::HookWithoutExit => json!(line),
        }
    }

    /// The step of a line that failed and printed this.
    pub fn failure(self, line: &str, output: &str) -> Step {
        self.step(line, 1, "", output)
    }

    /// The step of a line that worked and printed this.
    pub fn success(self, line: &str, output: &str) -> Step {
        self.step(line, 0, output, "")
    }

    fn step(self, line: &str, exit: i32, stdout: &str, stderr: &str) -> Step {
        let exit = (self != Self::HookWithoutExit).then_some(exit);
        Step {
            before: String::new(),
            action: json!({ "command": self.command(line) }).to_string(),
            observation:
                json!({ "exit": exit, "stdout": stdout, "stderr": stderr, "duration-ms": 5 })
                    .to_string(),
        }
    }
}

/// The words of a line, if it is one plain command that needs no shell.
fn plain_words(line: &str) -> Option<Vec<String>> {
    let (words, needs_shell) = cut(line)?;
    (!needs_shell && !words.is_empty()).then_some(words)
}

/// The words of a line by the quoting rules of a shell; nothing if a quote is not closed. Operators are words of their own
/// only where blanks surround them.
pub fn words(line: &str) -> Option<Vec<String>> {
    cut(line).map(|(words, _)| words)
}

/// The words, and whether something stands outside quotes that only a shell understands.
fn cut(line: &str) -> Option<(Vec<String>, bool)> {
    let (mut words, mut word, mut needs_shell) = (Vec::new(), None::<String>, false);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '"' => break,
                        '\\' => match chars.next()? {
                            c @ ('"' | '\\' | '$' | '`') => word.push(c),
                            c => word.extend(['\\', c]),
                        },
                        c => word.push(c),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(chars.next()?),
            ' ' | '\t' => words.extend(word.take()),
            c => {
                needs_shell |= "|&;<>()`\n".contains(c);
                word.get_or_insert_default().push(c);
            }
        }
    }
    words.extend(word);
    Some((words, needs_shell))
}

/// A line without the shell that it was given to.
pub fn without_shell(line: &str) -> String {
    match words(line).as_deref() {
        Some([shell, flag, script])
            if ["bash", "sh"].contains(&shell.as_str())
                && ["-c", "-lc"].contains(&flag.as_str()) =>
        {
            script.clone()
        }
        // A hook's whole line, quoted as one word.
        Some([whole]) if whole.contains(char::is_whitespace) => whole.clone(),
        _ => line.to_owned(),
    }
}

/// What two lines have in common that differ only in blanks, quoting, and the shell that they were given to.
pub fn normal(line: &str) -> String {
    let line = without_shell(line.trim());
    let words =
        words(&line).unwrap_or_else(|| line.split_whitespace().map(str::to_owned).collect());
    words.join("\u{1f}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_line_is_words_and_any_other_needs_a_shell() {
        assert_eq!(
            Way::Argv.command(r#"a "b c" d\ e"#),
            json!(["a", "b c", "d e"])
        );
        assert_eq!(Way::Argv.command("a && b"), json!(["bash", "-c", "a && b"]));
        assert_eq!(Way::Argv.command("it's"), json!(["bash", "-c", "it's"]));
        assert_eq!(Way::Hook.command("a b"), json!("a b"));
    }

    #[test]
    fn a_hook_tells_nothing_of_an_empty_line() {
        assert!(!Way::Hook.tells(" ") && !Way::HookWithoutExit.tells(""));
        assert!(Way::Hook.tells("a") && Way::BashC.tells("") && Way::Argv.tells(""));
    }

    #[test]
    fn quoting_and_the_shell_make_no_difference() {
        assert_eq!(normal(r#"bash -c "git  push 'x'""#), normal("git push x"));
        assert_eq!(normal(r#""git push x""#), normal("git push x"));
        assert_ne!(normal("git push 'x y'"), normal("git push x y"));
    }
}
