//! What a run belongs to, as arguments: its session, who works on it, and words by which to find it.

use clap::Args;
use twiceshy::wit::memory::NewRun;

use super::session::Session;

#[derive(Debug, Args)]
#[group(id = "belonging")]
pub(crate) struct Arguments {
    /// The session it belongs to.
    #[arg(long, value_name = "NAME", env = "TWICESHY_SESSION")]
    session: Option<String>,
    /// Who works on it.
    #[arg(long, value_name = "NAME", env = "TWICESHY_AGENT")]
    agent: Option<String>,
    /// What kind of task it is, such as refactoring.
    #[arg(long, value_name = "KIND")]
    task_type: Option<String>,
    /// A word by which to find its episode. May be repeated.
    #[arg(long, value_name = "WORD")]
    tag: Vec<String>,
}

impl Arguments {
    /// The session that the commands of a run are of, if somebody says so or one can tell.
    pub(crate) fn session(&self) -> Option<Session> {
        Session::here(said(&self.session).as_deref(), said(&self.agent).as_deref())
    }

    /// A run that belongs where they say. An empty variable of the environment says nothing.
    pub(crate) fn of(&self, run: NewRun) -> NewRun {
        NewRun {
            session: said(&self.session),
            agent: said(&self.agent),
            task_type: said(&self.task_type),
            tags: self.tag.clone(),
            ..run
        }
    }
}

fn said(text: &Option<String>) -> Option<String> {
    text.clone().filter(|text| !text.trim().is_empty())
}
