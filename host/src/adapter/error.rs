//! What went wrong with a plugin, in words and as a kind.

use std::fmt;

/// What went wrong with a plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PluginErrorKind {
    /// It crashed.
    Trap,
    /// It took too long.
    Timeout,
    /// It needs more memory than it may have.
    Memory,
    /// It refused the step, or something was refused to it.
    Refused,
    /// It does not fit this host.
    Incompatible,
    /// What it answered breaks the contract.
    BadOutput,
}

/// A plugin did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginError {
    /// The plugin's name.
    pub plugin: String,
    /// What went wrong.
    pub kind: PluginErrorKind,
    /// The cause, and what to do.
    pub message: String,
}

impl PluginError {
    pub(crate) fn new(plugin: &str, kind: PluginErrorKind, message: impl Into<String>) -> Self {
        Self {
            plugin: plugin.to_owned(),
            kind,
            message: message.into(),
        }
    }
}

impl PluginErrorKind {
    /// The kind's name, the same in every report.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trap => "trap",
            Self::Timeout => "timeout",
            Self::Memory => "memory",
            Self::Refused => "refused",
            Self::Incompatible => "incompatible",
            Self::BadOutput => "bad-output",
        }
    }

    /// Whether the plugin is to blame, whatever it was handed: a strike.
    pub(crate) fn is_strike(self) -> bool {
        matches!(
            self,
            Self::Trap | Self::Timeout | Self::Memory | Self::BadOutput
        )
    }
}

impl fmt::Display for PluginError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "adapter `{}`: {}: {}",
            self.plugin,
            self.kind.as_str(),
            self.message
        )
    }
}

impl std::error::Error for PluginError {}
