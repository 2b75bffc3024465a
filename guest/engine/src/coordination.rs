//! Coordination: where agents stand, and what they pass to each other.
//!
//! Owns ledgers, one for each agent, and handoffs, numbered as they are made. Nothing is worked out here: an agent
//! says where it stands, and another one reads it. Both are checked by version, so that agents in several processes
//! lose no count and share no number.

use twiceshy_wit::{
    host::{Attribute, Condition},
    memory::*,
};

use crate::{
    limits, payload,
    refusal::{self, Unit},
    secrets::is_secret,
    store::{Desk, Kind, Noun, Read, Reader, ascending, equals, newest, number, query, text},
};

/// An agent's name in bytes.
const AGENT_BYTES: usize = 64;

/// Entries of a list: a handoff names what matters.
const LISTED: usize = 256;

/// A text in bytes.
const TEXT_BYTES: usize = 16 << 10;

/// One entry of a list in bytes.
const ENTRY_BYTES: usize = 4 << 10;

/// Whether a handoff waits, as it is found.
const WAITING: &str = "waiting";
const TAKEN: &str = "taken";

impl Noun for Ledger {
    const KIND: Kind = Kind::Ledger;

    fn id(&self) -> String {
        self.agent_id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        vec![number("last-checkpoint", self.last_checkpoint as f64)]
    }
}

impl Noun for Handoff {
    const KIND: Kind = Kind::Handoff;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let state = match self.taken_up_at {
            None => WAITING,
            Some(_) => TAKEN,
        };
        vec![
            text("to", &self.to_agent),
            text("from", &self.from_agent),
            text("state", state),
            number("number", f64::from(number_of(&self.id))),
        ]
    }
}

pub(crate) fn check_in(desk: &mut Desk, checkpoint: &Checkpoint) -> Result<Ledger, Error> {
    check_agent("checkpoint.agent-id", &checkpoint.agent_id)?;
    let state = kept_state(&checkpoint.state)?;
    let context = kept_context(&checkpoint.context)?;
    let current_task = kept_option("checkpoint.current-task", &checkpoint.current_task)?;
    let now = desk.now();
    desk.commit(|batch| {
        let before = batch.load::<Ledger>(&checkpoint.agent_id)?;
        let (checkpoints, completed) = before.as_ref().map_or((0, 0), |read| {
            (read.noun.checkpoints, read.noun.tasks_completed)
        });
        let one_more = u32::from(checkpoint.completed == Some(true));
        let ledger = Ledger {
            agent_id: checkpoint.agent_id.clone(),
            last_checkpoint: now,
            checkpoints: checkpoints.saturating_add(1),
            tasks_completed: checkpoint
                .tasks_completed
                .unwrap_or(completed.saturating_add(one_more)),
            current_task: current_task.clone(),
            state: state.clone(),
            context: context.clone(),
        };
        batch.put(&ledger);
        Ok(ledger)
    })
}

pub(crate) fn ledger_of(reader: &Reader, agent_id: &str) -> Result<Ledger, Error> {
    match reader.load::<Ledger>(agent_id)? {
        Some(read) => Ok(read.noun),
        None => Err(Error::NotFound(format!(
            "Agent `{}` has no ledger. `coordination.check-in` writes one.",
            payload::kept_text(agent_id, 100)
        ))),
    }
}

pub(crate) fn ledgers(reader: &Reader, limit: u32) -> Result<Vec<Ledger>, Error> {
    let query = query::<Ledger>(
        Vec::new(),
        newest("last-checkpoint"),
        limits::listed(Some(limit)),
    );
    Ok(reader
        .search::<Ledger>(&query)?
        .into_iter()
        .map(|(read, _)| read.noun)
        .collect())
}

pub(crate) fn hand_over(desk: &mut Desk, handoff: &NewHandoff) -> Result<Handoff, Error> {
    check_agent("handoff.from-agent", &handoff.from_agent)?;
    check_agent("handoff.to-agent", &handoff.to_agent)?;
    let context = kept_handoff(&handoff.context)?;
    let now = desk.now();
    desk.commit(|batch| {
        // The next free number: the first to commit gets it.
        let last = query::<Handoff>(Vec::new(), newest("number"), 1);
        let last = batch.search::<Handoff>(&last)?;
        let next = last
            .first()
            .map_or(1, |(read, _)| number_of(&read.noun.id) + 1);
        let handoff = Handoff {
            id: format!("handoff-{next:03}"),
            from_agent: handoff.from_agent.clone(),
            to_agent: handoff.to_agent.clone(),
            timestamp: now,
            context: context.clone(),
            taken_up_at: None,
        };
        batch.add(&handoff);
        Ok(handoff)
    })
}

pub(crate) fn handoff_of(reader: &Reader, handoff: &str) -> Result<Handoff, Error> {
    Ok(kept_handoff_of(reader, handoff)?.noun)
}

pub(crate) fn handoffs(reader: &Reader, filter: &HandoffFilter) -> Result<Vec<Handoff>, Error> {
    let state = filter
        .waiting
        .map(|waiting| if waiting { WAITING } else { TAKEN });
    let restrictions = [
        ("to", filter.to_agent.as_deref()),
        ("from", filter.from_agent.as_deref()),
        ("state", state),
    ];
    let conditions: Vec<Condition> = restrictions
        .into_iter()
        .filter_map(|(name, value)| Some(equals(name, value?)))
        .collect();
    let query = query::<Handoff>(
        conditions,
        ascending("number"),
        limits::listed(filter.limit),
    );
    Ok(reader
        .search::<Handoff>(&query)?
        .into_iter()
        .map(|(read, _)| read.noun)
        .collect())
}

pub(crate) fn take_up(desk: &mut Desk, handoff: &str, agent_id: &str) -> Result<Handoff, Error> {
    check_agent("agent-id", agent_id)?;
    let now = desk.now();
    desk.commit(|batch| {
        let mut noun = kept_handoff_of(batch, handoff)?.noun;
        if noun.to_agent != agent_id {
            return Err(Error::Conflict(format!(
                "Handoff {} is for agent `{}`, not for `{agent_id}`. `coordination.handoffs` lists the ones for you.",
                noun.id, noun.to_agent
            )));
        }
        if noun.taken_up_at.is_some() {
            return Err(Error::Conflict(format!(
                "Handoff {} was accepted before. `coordination.handoffs` lists the ones that wait.",
                noun.id
            )));
        }
        noun.taken_up_at = Some(now);
        batch.put(&noun); Ok(noun)
    })
}

fn kept_handoff_of(reader: &Reader, handoff: &str) -> Result<Read<Handoff>, Error> {
    reader
        .load::<Handoff>(handoff)?
        .ok_or_else(|| refusal::unknown("handoff", handoff, "coordination.handoffs"))
}

/// The number in a handoff's id.
fn number_of(id: &str) -> u32 {
    id.strip_prefix("handoff-")
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

fn check_agent(member: &str, agent: &str) -> Result<(), Error> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    if agent.is_empty()
        || agent.len() > AGENT_BYTES
        || !agent.chars().all(allowed)
        || is_secret(agent)
    {
        return Err(Error::InvalidArgument(format!(
            "`{member}` is `{}`; it must be 1 to {AGENT_BYTES} letters, digits, dashes, dots or underscores",
            payload::kept_text(agent, 100)
        )));
    }
    Ok(())
}

fn kept_state(state: &AgentState) -> Result<AgentState, Error> {
    Ok(AgentState {
        files_modified: kept_list("checkpoint.state.files-modified", &state.files_modified)?,
        uncommitted_changes: state.uncommitted_changes,
        last_git_commit: kept_option("checkpoint.state.last-git-commit", &state.last_git_commit)?,
    })
}

fn kept_context(context: &AgentContext) -> Result<AgentContext, Error> {
    Ok(AgentContext {
        tech_stack: kept_list("checkpoint.context.tech-stack", &context.tech_stack)?,
        patterns_learned: kept_list(
            "checkpoint.context.patterns-learned",
            &context.patterns_learned,
        )?,
        current_goal: kept("checkpoint.context.current-goal", &context.current_goal)?,
    })
}

fn kept_handoff(context: &HandoffContext) -> Result<HandoffContext, Error> {
    Ok(HandoffContext {
        what_was_done: kept("handoff.context.what-was-done", &context.what_was_done)?,
        artifacts: kept_list("handoff.context.artifacts", &context.artifacts)?,
        git_state: kept("handoff.context.git-state", &context.git_state)?,
        needs_testing: kept_list("handoff.context.needs-testing", &context.needs_testing)?,
        known_issues: kept_list("handoff.context.known-issues", &context.known_issues)?,
        relevant_patterns: kept_list(
            "handoff.context.relevant-patterns",
            &context.relevant_patterns,
        )?,
    })
}

fn kept_list(member: &str, list: &[String]) -> Result<Vec<String>, Error> {
    refusal::entries(member, list.len(), LISTED)?;
    list.iter()
        .map(|entry| within(member, entry, ENTRY_BYTES))
        .collect()
}

fn kept_option(member: &str, value: &Option<String>) -> Result<Option<String>, Error> {
    let value = value.as_deref();
    value.map(|value| kept(member, value)).transpose()
}

fn kept(member: &str, value: &str) -> Result<String, Error> {
    within(member, value, TEXT_BYTES)
}

/// A text without secrets. One that is too long is refused: what is passed on must not lose its middle unseen.
fn within(member: &str, value: &str, most: usize) -> Result<String, Error> {
    refusal::at_most(
        member,
        value.len(),
        Unit::Bytes,
        most,
        "shorten it or name a file",
    )?;
    // A mask may be longer than what it hides.
    Ok(payload::kept_text(value, 2 * most))
}
