//! One client: whose session it is, which run is open in it, and what happens when it goes.

use std::sync::Arc;

use twiceshy::wit::memory::{Feature, NewRun};

use super::workspace::Workspace;
use crate::cli::{failure::Failure, session::Session, session_run::SessionRun, show};

/// The longest name that the contract takes.
const NAME_BYTES: usize = 128;

/// A client and what it works with.
pub(crate) struct Connection {
    pub(crate) workspace: Arc<Workspace>,
    session: Session,
}

/// Who asks, as far as the request says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Caller {
    /// The program, such as `codex-mcp-client`.
    pub(crate) client: Option<String>,
}

impl Caller {
    /// The agent that works on the runs that it begins.
    fn agent(&self) -> Option<String> {
        let short = |name: &str| name[..name.floor_char_boundary(NAME_BYTES)].to_owned();
        self.client.as_deref().map(short)
    }

    /// What is known of it, for what is meant for some agents only.
    pub(crate) fn features(&self) -> Vec<Feature> {
        let agent = self.agent().into_iter();
        agent
            .map(|value| Feature {
                name: "agent".to_owned(),
                value,
            })
            .collect()
    }
}

impl Connection {
    pub(crate) fn new(workspace: Arc<Workspace>) -> Self {
        let session = Session::of_connection(workspace.next_connection());
        Self { workspace, session }
    }

    /// The session with this name, or that of the connection itself.
    pub(crate) fn session(&self, name: Option<&str>) -> Session {
        match name {
            Some(name) => Session::named(name, None),
            None => self.session.clone(),
        }
    }

    /// The open run of a session, while nobody else uses it.
    pub(crate) fn session_run(&self, name: Option<&str>, create: bool) -> Option<SessionRun> {
        SessionRun::of(self.workspace.project(), &self.session(name), create)
    }

    /// The run that is named, or else the one that is open in the session.
    pub(crate) fn open_run(
        &self,
        run: Option<&str>,
        session: Option<&str>,
    ) -> Result<String, Failure> {
        if let Some(run) = run {
            return Ok(run.to_owned());
        }
        let found = self.session_run(session, false);
        let open = found.and_then(|found| found.open().map(str::to_owned));
        open.ok_or_else(|| {
            Failure::input(
                "No task is open in this session. Call `start_task` first, or name one with `run`.",
            )
        })
    }

    /// A run that belongs to whoever asks.
    pub(crate) fn new_run(
        &self,
        caller: &Caller,
        task: &str,
        domain: &str,
        session: Option<&str>,
    ) -> NewRun {
        let settings = self.workspace.settings();
        let short = |name: &str| name[..name.floor_char_boundary(NAME_BYTES)].to_owned();
        NewRun {
            task: task.to_owned(),
            domain: domain.to_owned(),
            hold_out: Some(settings.hold_out),
            hints: Some(settings.hints),
            session: session.map(short),
            agent: caller.agent(),
            ..NewRun::default()
        }
    }

    /// Ends what the client has left open: it has gone.
    pub(crate) fn settle(&self) {
        if !self.workspace.project().exists() {
            return;
        }
        let Some(open) = self.session_run(None, false) else {
            return;
        };
        let settled = self
            .workspace
            .memory()
            .and_then(|memory| Ok(open.settle(memory)?));
        if let Err(failure) = settled {
            eprintln!(
                "twiceshy: the open task was not ended: {}",
                show::line(failure.message())
            );
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.settle();
    }
}
