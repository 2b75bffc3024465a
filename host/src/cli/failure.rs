//! A failure of a command: what is said, and with which exit code the program ends.

use std::process::ExitCode;

use twiceshy::{PluginError, ProjectError, wit};

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: &'static str,
    message: String,
    code: u8,
}

impl Failure {
    /// Wrong usage or bad input.
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

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self {
            kind: "other",
            message: error.to_string(),
            code: 1,
        }
    }
}
