//! A failure of a command: what is said, and with which exit code the program ends.

use std::process::ExitCode;

use twiceshy::{
    JudgingError, PluginError, ProjectError,
    wit::{self, FUNCTIONS},
};

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: &'static str,
    message: String,
    code: u8,
}

impl Failure {
    /// A command that was typed wrongly.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self {
            kind: "usage",
            message: message.into(),
            code: 2,
        }
    }

    /// Bad input.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self {
            kind: "invalid-argument",
            message: message.into(),
            code: 2,
        }
    }

    /// Anything that the other kinds do not say.
    pub(crate) fn other(message: impl Into<String>) -> Self {
        Self {
            kind: "other",
            message: message.into(),
            code: 1,
        }
    }

    /// The failure as the `error` member of an answer.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::json!({ "kind": self.kind, "message": self.message })
    }

    /// The same for whoever typed a command: functions of the contract are called by the commands that they are.
    pub(crate) fn in_commands(mut self) -> Self {
        for function in FUNCTIONS {
            let name = format!("{}.{}", function.interface, function.name);
            if !self.message.contains(&name) {
                continue;
            }
            let command = format!("`twiceshy {} {}`", function.interface, function.name);
            if let Some(rest) = self.message.strip_prefix(&format!("{name}: ")) {
                self.message = rest.to_owned();
            }
            self.message = self.message.replace(&format!("`{name}`"), &command);
        }
        self
    }

    /// The same, with the file that it is about.
    pub(crate) fn about(mut self, file: &str) -> Self {
        self.message = format!("{file}: {}", self.message);
        self
    }

    /// The same for a place that is named by another flag.
    pub(crate) fn with_flag(mut self, flag: &str, other: &str) -> Self {
        self.message = self.message.replace(flag, other);
        self
    }

    /// The kind, by its name in the contract.
    pub(crate) fn kind(&self) -> &'static str {
        self.kind
    }

    /// What happened, in words.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Tells whoever called, and gives the exit code.
    pub(crate) fn report(&self, json: bool) -> ExitCode {
        if json {
            eprintln!("{}", serde_json::json!({ "error": self.json() }));
        } else {
            eprintln!("twiceshy: {}", super::show::line(&self.message));
        }
        ExitCode::from(self.code)
    }
}

impl From<wit::memory::Error> for Failure {
    fn from(error: wit::memory::Error) -> Self {
        use wit::memory::Error::{Busy, InvalidArgument, Storage};
        let code = match error {
            InvalidArgument(_) => 2,
            Busy(_) | Storage(_) => 3,
            _ => 1,
        };
        Self {
            kind: error.kind(),
            message: error.message().to_owned(),
            code,
        }
    }
}

impl From<wit::host::Error> for Failure {
    fn from(error: wit::host::Error) -> Self {
        Self {
            kind: error.kind(),
            message: error.message().to_owned(),
            code: 3,
        }
    }
}

impl From<ProjectError> for Failure {
    fn from(error: ProjectError) -> Self {
        let (kind, code) = match error {
            ProjectError::Configuration(..) => ("invalid-argument", 2),
            _ => ("storage", 3),
        };
        Self {
            kind,
            message: error.to_string(),
            code,
        }
    }
}

impl From<PluginError> for Failure {
    fn from(error: PluginError) -> Self {
        Self {
            kind: error.kind.as_str(),
            message: error.to_string(),
            code: 1,
        }
    }
}

impl From<JudgingError> for Failure {
    fn from(error: JudgingError) -> Self {
        match error {
            JudgingError::Memory(error) => error.into(),
            JudgingError::Adapter(error) => error.into(),
            // Nothing else keeps a step from being observed yet.
            other => Self::other(other.to_string()),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self {
            kind: "other",
            message: error.to_string(),
            code: 1,
        }
    }
}
