//! How a host stands: whether it is connected, trusts us, and calls us.

use std::{
    fs,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::Serialize;
use twiceshy::Home;

use super::{
    super::{
        hook::{hosts, log::Log},
        show,
    },
    change, toml,
    wanted::{Machine, ROWS, Row},
};

/// How a host stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Standing {
    pub(crate) host: &'static str,
    pub(crate) title: &'static str,
    pub(crate) state: State,
    /// The same for a person.
    pub(crate) told: String,
    /// When it called last, in milliseconds since 1970.
    pub(crate) last_called: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum State {
    NotConnected,
    Outdated,
    NotTrusted,
    NeverCalled,
    Works,
    Troubled,
}

/// How the hosts on this machine stand.
pub(crate) fn standings(home: &Home, machine: &Machine) -> Vec<Standing> {
    let here = ROWS.iter().filter(|row| row.is_here(machine));
    here.map(|row| standing(row, home, machine)).collect()
}

/// How one host stands.
pub(super) fn standing(row: &Row, home: &Home, machine: &Machine) -> Standing {
    let last = Log::of(home).last(row.host);
    let (is_there, is_new) = change::presence(row, machine);
    let ago = last.as_ref().map(|entry| ago(entry.at)).unwrap_or_default();
    let (state, told) = match &last {
        _ if !is_there => (
            State::NotConnected,
            format!(
                "not connected; `twiceshy setup --host {}` does it",
                row.host
            ),
        ),
        _ if is_untrusted(row, machine) => (
            State::NotTrusted,
            format!("installed but not trusted: {}", row.advice),
        ),
        _ if !is_new => (
            State::Outdated,
            format!(
                "installed by another version or from another place; `twiceshy setup --host {}` renews it",
                row.host
            ),
        ),
        None => (
            State::NeverCalled,
            format!("installed, never called. {}", row.advice),
        ),
        Some(entry) => match &entry.trouble {
            Some(trouble) => (
                State::Troubled,
                format!("called {ago}, with trouble: {}", show::cut(trouble, 200)),
            ),
            None => (State::Works, format!("works, last called {ago}")),
        },
    };
    Standing {
        host: row.host,
        title: hosts::host(row.host).map_or(row.host, |host| host.title),
        state,
        told,
        last_called: last.map(|entry| entry.at),
    }
}

impl State {
    /// Whether somebody has to do something.
    pub(crate) fn is_problem(self) -> bool {
        matches!(self, Self::NotTrusted | Self::Troubled | Self::Outdated)
    }
}

/// Codex says in its settings which hooks the user reviewed.
fn is_untrusted(row: &Row, machine: &Machine) -> bool {
    if row.host != "codex" {
        return false;
    }
    let home = machine.codex();
    let text = fs::read_to_string(home.join("config.toml")).unwrap_or_default();
    let hooks = home.join("hooks.json");
    let hooks = fs::canonicalize(&hooks).unwrap_or(hooks);
    !toml::has_trust(&text, &hooks.display().to_string())
}

/// How long ago a time was, in words.
fn ago(at: u64) -> String {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let seconds = now.saturating_sub(Duration::from_millis(at)).as_secs();
    match seconds {
        0..60 => format!("{seconds} s ago"),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..172_800 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}
