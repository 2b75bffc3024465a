//! Sessions: which commands are typed or run by the same hand.
//!
//! Owns the name of a session, and whether it is over. Who starts commands says so itself (`--session`), or a host of agents
//! does in its environment; else it is the process behind the command: the shell that somebody types at, or the agent
//! that starts a new shell for every command. Hooks and servers name theirs by the id that they are given, which is the
//! one that the host puts into its environment: what a hook sees and what `twiceshy run` runs is one session.

mod ancestors;

use std::env;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use ancestors::{Found, Process};

/// Says that every command is a run of its own.
const ALONE: &str = "TWICESHY_ALONE";

/// How hosts of agents name a session in the environment of what they start.
const HOST_SESSIONS: [&str; 2] = ["CLAUDE_CODE_SESSION_ID", "GEMINI_SESSION_ID"];

/// Who starts commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Session {
    name: String,
    owner: Option<Owner>,
}

/// The process whose end is the end of its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Owner {
    process: u32,
    /// When it started, in ticks since the machine did: numbers of processes are used again.
    started: u64,
}

impl Session {
    /// The session that this process was started in; none if nobody can tell.
    pub(crate) fn here(said: Option<&str>, agent: Option<&str>) -> Option<Self> {
        if env::var_os(ALONE).is_some_and(|value| !value.is_empty() && value != "0") {
            return None;
        }
        if let Some(said) = said {
            return Some(Self::named(said, agent));
        }
        let given = HOST_SESSIONS.iter().find_map(|name| {
            let id = env::var(name).ok().filter(|id| !id.is_empty())?;
            Some(Self::named(&id, agent))
        });
        given.or_else(|| Self::of_processes(agent))
    }

    /// The session with this id, of one agent in it if it has several.
    pub(crate) fn named(id: &str, agent: Option<&str>) -> Self {
        Self {
            name: format!("named {id}\0{}", agent.unwrap_or_default()),
            owner: None,
        }
    }

    /// The session of one connection to this process, a server. It ends with the process at the latest.
    pub(crate) fn of_connection(number: u64) -> Self {
        let process = std::process::id();
        let started = ancestors::start_of(process).flatten();
        Self {
            name: format!("connection {process} {started:?} {number}"),
            owner: started.map(|started| Owner { process, started }),
        }
    }

    fn of_processes(agent: Option<&str>) -> Option<Self> {
        let (name, owner) = match ancestors::starter()? {
            Found::Process(Process { id, started, .. }) => {
                let owner = Owner {
                    process: id,
                    started,
                };
                (format!("process {id} {started}"), Some(owner))
            }
            Found::Outside(namespace) => (format!("outside {namespace}"), None),
        };
        Some(Self {
            name: format!("{name}\0{}", agent.unwrap_or_default()),
            owner,
        })
    }

    /// The name of its file: a hash, so that no id is in it.
    pub(crate) fn file_name(&self) -> String {
        format!("{:016x}", xxh3_64(self.name.as_bytes()))
    }

    pub(crate) fn owner(&self) -> Option<Owner> {
        self.owner
    }
}

/// Hashes of the processes above this one, a hook or a server, that are there for a host of agents, the nearest first. Empty if nobody
/// can tell.
pub(crate) fn host_processes() -> Vec<u64> {
    let hash = |one: Process| xxh3_64(format!("{} {}", one.id, one.started).as_bytes());
    ancestors::line().into_iter().map(hash).collect()
}

impl Owner {
    /// The process has ended. One that can't be looked at is taken to run.
    pub(crate) fn is_gone(&self) -> bool {
        ancestors::start_of(self.process).is_some_and(|started| started != Some(self.started))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_known_by_its_id_and_its_agent() {
        let file = |id, agent| Session::named(id, agent).file_name();
        assert_eq!(file("a", None), file("a", None));
        assert_ne!(file("a", None), file("b", None));
        assert_ne!(file("a", None), file("a", Some("helper")));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_that_has_ended_is_gone() {
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .expect("it starts");
        let started = ancestors::start_of(child.id()).flatten().expect("it runs");
        let owner = Owner {
            process: child.id(),
            started,
        };
        assert!(!owner.is_gone());
        let other = Owner {
            started: started + 1,
            ..owner
        };
        assert!(other.is_gone(), "another process has its number");
        child.kill().expect("ours");
        child.wait().expect("it ends");
        assert!(owner.is_gone());
    }
}
