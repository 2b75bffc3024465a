//! Context: everything that may help with a task, in one bundle.
//!
//! Owns what a request may contain and the order of work: memories of every kind are [gathered](gather), each is given
//! how well it [fits](fit), and the best of them that fit into a budget become the [bundle]. It changes nothing:
//! a bundle is for planning. What a run is really shown, and what is measured for it, is the business of
//! [`runs`](crate::runs) and its briefing, which shows lessons alone.

mod bundle;
mod fit;
pub(crate) mod gather;
mod words;
mod work;

use twiceshy_wit::memory::{ContextRequest, Error, TaskBundle};

use crate::{insertion, limits, payload::check_domain, refusal, secrets, store::Desk};
use bundle::Room;

/// Memories of a bundle if the caller does not say, beside what to avoid.
const MEMORIES: u32 = 5;

/// Memories of a bundle at most, as the contract has it.
const MOST_MEMORIES: u32 = 50;

/// The size of a bundle in tokens if the caller does not say.
const TOKENS: u32 = 1_500;

/// Features of a task at most, as the contract of patterns has it.
const FEATURES: usize = 64;

/// The kind of a task and the type of an action in bytes.
const NAME_BYTES: usize = 256;

/// All that may help with a task.
pub(crate) fn context_for(desk: &Desk, request: &ContextRequest) -> Result<TaskBundle, Error> {
    check(request)?;
    let request = &clean(request);
    let action = request.action.as_deref().unwrap_or_default();
    let work = request
        .work
        .unwrap_or_else(|| work::found(&request.task, action, &request.features));
    let weights = work::weights(work);
    let candidates = gather::gathered(desk, request, work)?;
    let fitting = fit::fitting(request, candidates, desk.now());
    let room = Room {
        memories: memories(request) as usize,
        tokens: request.tokens.unwrap_or(TOKENS),
    };
    Ok(bundle::made(work, weights, fitting, room))
}

/// How many memories are shown at most, beside what to avoid.
fn memories(request: &ContextRequest) -> u32 {
    request.limit.unwrap_or(MEMORIES).min(MOST_MEMORIES)
}

/// Refuses what is outside of the contract.
fn check(request: &ContextRequest) -> Result<(), Error> {
    let task = &request.task;
    if task.trim().is_empty() || task.len() > limits::TASK_BYTES {
        return Err(Error::InvalidArgument(format!(
            "`request.task` has {} bytes; describe the task in 1 to {} bytes",
            task.trim().len(),
            limits::TASK_BYTES
        )));
    }
    check_domain("request.domain", &request.domain)?;
    for (member, value) in [
        ("task-type", &request.task_type),
        ("action", &request.action),
    ] {
        if value.as_ref().is_some_and(|value| value.len() > NAME_BYTES) {
            return Err(Error::InvalidArgument(format!(
                "`request.{member}` has more than {NAME_BYTES} bytes; shorten it"
            )));
        }
    }
    refusal::entries("request.features", request.features.len(), FEATURES)?;
    if request.limit == Some(0) {
        return Err(Error::InvalidArgument(
            "`request.limit` is 0; it must be at least 1, or left out".to_owned(),
        ));
    }
    Ok(())
}

/// The request without secrets, and without what the memory itself has said before.
fn clean(request: &ContextRequest) -> ContextRequest {
    let clean = |text: &str| secrets::mask(&insertion::without(text)).into_owned();
    ContextRequest {
        task: clean(&request.task),
        action: request.action.as_deref().map(clean),
        ..request.clone()
    }
}
