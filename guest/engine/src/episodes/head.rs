//! The head of a future episode: what callers say about a run besides its task and steps.
//!
//! Owns the checks on it, and how later values replace earlier ones. What is too long for a head is the
//! business of the [account](super::account).

use serde::{Deserialize, Serialize};
use twiceshy_wit::memory::{Description, Episode, Error, Feature, NewEpisode, NewRun};

use crate::{
    limits, payload,
    refusal::{self, Unit},
};

/// A session or an agent in bytes.
const NAME_BYTES: usize = 128;

/// A kind of task, or a tag, in bytes.
const WORD_BYTES: usize = 64;

/// Tags of one episode.
const TAGS: usize = 32;

/// Tools, or strategies, of one episode.
const LISTED: usize = 64;

/// A summary in bytes: a few lines.
const SUMMARY_BYTES: usize = 2 << 10;

/// What is said of a run, checked and masked.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(crate) struct Head {
    pub(crate) session: String,
    pub(crate) agent: String,
    pub(crate) task_type: String,
    pub(crate) tools_used: Vec<String>,
    pub(crate) strategies_applied: Vec<String>,
    pub(crate) tags: Vec<String>,
    /// Empty: it is made when the run ends.
    pub(crate) summary: String,
}

impl Head {
    /// What is said of a run that begins.
    pub(crate) fn of_run(run: &NewRun) -> Result<Self, Error> {
        Ok(Self {
            session: name("run.session", run.session.as_deref(), NAME_BYTES)?,
            agent: name("run.agent", run.agent.as_deref(), NAME_BYTES)?,
            task_type: name("run.task-type", run.task_type.as_deref(), WORD_BYTES)?,
            tags: sorted(names("run.tags", &run.tags, TAGS, WORD_BYTES)?),
            ..Self::default()
        })
    }

    /// What is said of an episode that comes from elsewhere.
    pub(crate) fn of_episode(episode: &NewEpisode) -> Result<Self, Error> {
        let NewEpisode {
            session,
            agent,
            task_type,
            tools_used,
            strategies_applied,
            tags,
            summary,
            ..
        } = episode;
        Ok(Self {
            session: name("episode.session", session.as_deref(), NAME_BYTES)?,
            agent: name("episode.agent", agent.as_deref(), NAME_BYTES)?,
            task_type: name("episode.task-type", task_type.as_deref(), WORD_BYTES)?,
            tools_used: names("episode.tools-used", tools_used, LISTED, NAME_BYTES)?,
            strategies_applied: names(
                "episode.strategies-applied",
                strategies_applied,
                LISTED,
                limits::ACTION_BYTES,
            )?,
            tags: sorted(names("episode.tags", tags, TAGS, WORD_BYTES)?),
            summary: self::summary(summary.as_deref()),
        })
    }

    /// Takes in what is said later: what is none or empty stays as it was.
    pub(crate) fn describe(&mut self, description: &Description) -> Result<(), Error> {
        let task_type = description.task_type.as_deref();
        let task_type = name("description.task-type", task_type, WORD_BYTES)?;
        let tools = names(
            "description.tools-used",
            &description.tools_used,
            LISTED,
            NAME_BYTES,
        )?;
        let strategies = names(
            "description.strategies-applied",
            &description.strategies_applied,
            LISTED,
            limits::ACTION_BYTES,
        )?;
        let tags = names("description.tags", &description.tags, TAGS, WORD_BYTES)?;
        replace(&mut self.task_type, task_type);
        replace(&mut self.summary, summary(description.summary.as_deref()));
        replace_list(&mut self.tools_used, tools);
        replace_list(&mut self.strategies_applied, strategies);
        replace_list(&mut self.tags, sorted(tags));
        Ok(())
    }

    /// What it says as features of the task, besides its type.
    pub(crate) fn features(&self) -> Vec<Feature> {
        let agent = Some(&self.agent).filter(|agent| !agent.is_empty());
        let agent = agent.map(|agent| ("agent", agent));
        let tools = self.tools_used.iter().map(|tool| ("tool", tool));
        let tags = self.tags.iter().map(|tag| ("tag", tag));
        let all = agent.into_iter().chain(tools).chain(tags);
        all.map(|(name, value)| Feature {
            name: name.to_owned(),
            value: value.clone(),
        })
        .collect()
    }

    /// Writes it into the episode that the run becomes.
    pub(crate) fn enter(&self, episode: &mut Episode) {
        episode.session.clone_from(&self.session);
        episode.agent.clone_from(&self.agent);
        episode.task_type.clone_from(&self.task_type);
        episode.tools_used.clone_from(&self.tools_used);
        episode
            .strategies_applied
            .clone_from(&self.strategies_applied);
        episode.tags.clone_from(&self.tags);
        if !self.summary.is_empty() {
            episode.summary.clone_from(&self.summary);
        }
    }
}

fn replace(place: &mut String, said: String) {
    if !said.is_empty() {
        *place = said;
    }
}

pub(crate) fn replace_list<T>(place: &mut Vec<T>, said: Vec<T>) {
    if !said.is_empty() {
        *place = said;
    }
}

fn summary(text: Option<&str>) -> String {
    payload::kept_text(text.unwrap_or_default().trim(), SUMMARY_BYTES)
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names.dedup();
    names
}

/// A name of one line, empty if there is none.
fn name(member: &str, said: Option<&str>, most: usize) -> Result<String, Error> {
    let said = said.unwrap_or_default().trim();
    refusal::bytes(member, said.len(), most)?;
    if said.contains(char::is_control) {
        return Err(Error::InvalidArgument(format!(
            "`{member}` has a line break or another control character; give it in one line"
        )));
    }
    Ok(payload::kept_text(said, most.max(WORD_BYTES)))
}

/// Names of one line, each once, in their order.
fn names(
    member: &str,
    said: &[String],
    most: usize,
    most_bytes: usize,
) -> Result<Vec<String>, Error> {
    too_many(member, said.len(), most)?;
    let mut names: Vec<String> = Vec::with_capacity(said.len());
    for (at, said) in said.iter().enumerate() {
        let member = format!("{member}[{at}]");
        let said = name(&member, Some(said), most_bytes)?;
        if said.is_empty() {
            return Err(Error::InvalidArgument(format!(
                "`{member}` is empty; leave it out"
            )));
        }
        if !names.contains(&said) {
            names.push(said);
        }
    }
    Ok(names)
}

/// Refuses a list that is too long.
pub(crate) fn too_many(member: &str, there_are: usize, most: usize) -> Result<(), Error> {
    refusal::at_most(
        member,
        there_are,
        Unit::Entries,
        most,
        "give the most important ones",
    )?;
    Ok(())
}
