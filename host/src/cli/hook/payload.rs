//! What a host tells of its session, in words that are the same for all hosts.
//!
//! Owns the normalised event and what hosts have in common. How one host says it is in `hosts`.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

/// Names of tools that run a command line, in small letters and without the server or group in front of them.
const SHELLS: [&str; 15] = [
    "bash",
    "shell",
    "local_shell",
    "exec_command",
    "shell_command",
    "execute_command",
    "execute_bash",
    "run_command",
    "run_commands",
    "run_shell_command",
    "run_terminal_cmd",
    "run_in_terminal",
    "runinterminal",
    "powershell",
    "terminal",
];

/// Members of a tool's input that are contents, not choices: they say nothing about why a call failed, and are long.
const CONTENTS: [&str; 10] = [
    "content",
    "contents",
    "diff",
    "edits",
    "file_text",
    "input",
    "instruction",
    "patch",
    "description",
    "prompt",
];

/// The longest value of a tool's input that names the call, in characters.
const NAMING_CHARS: usize = 120;

/// The longest command line that is looked at, in bytes.
const COMMAND_BYTES: usize = 256 << 10;

/// An event of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Payload {
    /// The id of the session; empty if the host gives none.
    pub(crate) session: String,
    /// The sub-agent in it.
    pub(crate) agent: Option<String>,
    /// Where the session works.
    pub(crate) directory: Option<PathBuf>,
    pub(crate) happening: Happening,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Happening {
    /// A session begins, or goes on.
    Start,
    /// What was inserted into the context is gone.
    Compacted,
    /// A person said what to do.
    Prompt(String),
    /// A tool is about to be called.
    Before(Call),
    /// Tools were called.
    After(Vec<Outcome>),
    /// The agent has nothing more to do for now.
    Pause,
    /// The session is over.
    End,
    /// Nothing that counts, and why.
    Nothing(&'static str),
}

/// A call of a tool.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Call {
    /// By which it is known again if the host tells of it twice.
    pub(crate) id: Option<String>,
    pub(crate) tool: String,
    pub(crate) input: Value,
}

/// A call, and how it went.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Outcome {
    pub(crate) call: Call,
    pub(crate) end: End,
    pub(crate) exit: Option<i64>,
    pub(crate) signal: Option<i64>,
    /// What it printed; hosts rarely keep the streams apart.
    pub(crate) output: String,
    /// What it printed on standard error, if that is known.
    pub(crate) errors: String,
    pub(crate) duration_ms: u64,
}

/// How a call went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum End {
    Worked,
    Failed,
    /// The host does not say: the output decides.
    Unknown,
    /// Somebody stopped it, or it still runs: it is no evidence.
    NoEvidence,
}

impl Call {
    /// The command line, if the tool runs one. Of a very long one, the beginning.
    pub(crate) fn command(&self) -> Option<String> {
        let name = self.tool.rsplit(['.', '/', ':']).next().unwrap_or_default();
        if !SHELLS.contains(&name.to_ascii_lowercase().as_str()) {
            return None;
        }
        let command = ["command", "cmd", "script"]
            .iter()
            .map(|member| &self.input[member])
            .find(|value| !value.is_null())?;
        match command {
            Value::String(line) => Some(line.clone()),
            Value::Array(words) => {
                let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
                Some(twiceshy_shell::join(
                    &words
                        .iter()
                        .map(|word| (*word).to_owned())
                        .collect::<Vec<_>>(),
                ))
            }
            _ => None,
        }
        .filter(|line| !line.trim().is_empty())
        .map(|mut line| {
            line.truncate(line.floor_char_boundary(COMMAND_BYTES));
            line
        })
    }

    /// The call as a line: the command, or the tool with those of its arguments that are choices.
    pub(crate) fn line(&self) -> String {
        if let Some(command) = self.command() {
            return command;
        }
        let mut words = vec![self.tool.clone()];
        for (name, value) in self.input.as_object().into_iter().flatten() {
            let is_content = CONTENTS.contains(&name.to_ascii_lowercase().as_str())
                || name.starts_with("old")
                || name.starts_with("new");
            let text = match value {
                _ if is_content => continue,
                Value::Null => continue,
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            if text.is_empty() || text.contains('\n') || text.chars().count() > NAMING_CHARS {
                continue;
            }
            words.push(format!("--{name}"));
            words.push(text);
        }
        twiceshy_shell::join(&words)
    }

    /// Whether the call hands a task to another agent. How that went is in the steps of that agent.
    fn is_delegation(&self) -> bool {
        let name = self.tool.to_ascii_lowercase();
        ["agent", "task", "spawn_agent", "invoke_agent"].contains(&name.as_str())
    }

    /// Whether the call only starts something that goes on by itself.
    fn is_background(&self) -> bool {
        [
            "run_in_background",
            "is_background",
            "background",
            "isBackground",
        ]
        .iter()
        .any(|member| self.input[member] == Value::Bool(true))
    }
}

impl Outcome {
    pub(crate) fn new(call: Call, end: End) -> Self {
        let is_elsewhere = call.is_delegation() && end == End::Worked;
        let end = match call.is_background() || is_elsewhere {
            true => End::NoEvidence,
            false => end,
        };
        Self {
            call,
            end,
            exit: None,
            signal: None,
            output: String::new(),
            errors: String::new(),
            duration_ms: 0,
        }
    }

    pub(crate) fn with_output(mut self, output: impl Into<String>) -> Self {
        self.output = output.into();
        self
    }

    /// With an exit code, which says how it went. No code says nothing.
    pub(crate) fn with_exit(mut self, exit: Option<i64>) -> Self {
        if let (Some(exit), true) = (exit, self.end != End::NoEvidence) {
            self.exit = Some(exit);
            self.end = match exit {
                0 => End::Worked,
                _ => End::Failed,
            };
        }
        self
    }

    /// A call that somebody stopped or refused is no evidence.
    pub(crate) fn unless(mut self, stopped: bool) -> Self {
        if stopped || is_refusal(&self.output) {
            self.end = End::NoEvidence;
        }
        self
    }
}

/// Whether an error only says that a person did not want the call.
fn is_refusal(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("The user doesn't want to")
        || text.starts_with("[Request interrupted by user")
        || text.starts_with("User rejected")
}

/// The text of a member, by the first of these names that is there.
pub(crate) fn text(value: &Value, names: &[&str]) -> Option<String> {
    let found = names.iter().find_map(|name| value[name].as_str());
    found.filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The first of these members that is there.
pub(crate) fn member<'v>(value: &'v Value, names: &[&str]) -> &'v Value {
    let found = names.iter().map(|name| &value[name]);
    found
        .into_iter()
        .find(|value| !value.is_null())
        .unwrap_or(&Value::Null)
}

/// All text in a content: a string, a list of parts, or an object with such a list.
pub(crate) fn plain(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<_> = parts
                .iter()
                .map(plain)
                .filter(|text| !text.is_empty())
                .collect();
            texts.join("\n")
        }
        Value::Object(members) => {
            let inner = ["text", "content", "llmContent"];
            let inner = inner.iter().find_map(|name| members.get(*name));
            inner.map(plain).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// What a person typed; none if it was a machine: a notice that something ended, a reminder, the text of a hook.
pub(crate) fn typed(prompt: &str) -> Option<String> {
    let mut rest = prompt.trim();
    // Hosts put what hooks added in front.
    for mark in ["hook_context", "system-reminder", "system_reminder"] {
        while let Some(inner) = rest.strip_prefix(&format!("<{mark}>")) {
            let (_, after) = inner.split_once(&format!("</{mark}>"))?;
            rest = after.trim_start();
        }
    }
    let by_machine = [
        "<task-notification",
        "<hook_prompt",
        "<local-command-",
        "<command-name>",
        "<user-prompt-submit-hook>",
    ];
    let is_machine = by_machine.iter().any(|mark| rest.starts_with(mark));
    // `opencode run` quotes what it is given.
    let rest = match rest.len() > 1 && rest.starts_with('"') && rest.ends_with('"') {
        true => rest[1..rest.len() - 1].trim(),
        false => rest,
    };
    (!rest.is_empty() && !is_machine).then(|| rest.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(tool: &str, input: Value) -> Call {
        Call {
            id: None,
            tool: tool.to_owned(),
            input,
        }
    }

    #[test]
    fn a_call_of_a_shell_is_its_command_and_another_one_its_choices() {
        let line = |tool, input| call(tool, input).line();
        assert_eq!(
            line("Bash", json!({"command": "ls -l", "description": "x"})),
            "ls -l"
        );
        assert_eq!(line("file_system.bash", json!({"command": "ls"})), "ls");
        assert_eq!(
            line("shell", json!({"command": ["cat", "a b"]})),
            "cat \"a b\""
        );
        assert_eq!(
            line(
                "Edit",
                json!({"file_path": "a.rs", "old_string": "x", "new_string": "y"})
            ),
            "Edit --file_path a.rs"
        );
        assert_eq!(
            line(
                "file_editor",
                json!({"command": "view", "path": "/a", "view_range": null})
            ),
            "file_editor --command view --path /a"
        );
    }

    #[test]
    fn what_no_person_typed_is_no_prompt() {
        assert_eq!(
            typed("<task-notification>\n<id>7</id></task-notification>"),
            None
        );
        assert_eq!(typed("  "), None);
        assert_eq!(
            typed("<hook_context>ours</hook_context>\n\nread it").as_deref(),
            Some("read it")
        );
        assert_eq!(typed("\"read it\"").as_deref(), Some("read it"));
        assert_eq!(typed("\"").as_deref(), Some("\""));
    }

    #[test]
    fn what_a_person_stopped_is_no_evidence() {
        let failed = || Outcome::new(call("Bash", json!({"command": "make"})), End::Failed);
        assert_eq!(failed().unless(true).end, End::NoEvidence);
        let refused = failed().with_output("The user doesn't want to proceed with this tool use.");
        assert_eq!(refused.unless(false).end, End::NoEvidence);
        let background = call("Bash", json!({"command": "x", "run_in_background": true}));
        assert_eq!(
            Outcome::new(background, End::Worked).with_exit(Some(1)).end,
            End::NoEvidence
        );
    }
}
