//! The nouns of `twiceshy:memory/types` as data: generated from the contract.

use crate::description::*;

/// `new-run`
pub static NEW_RUN: Record = Record { name: "new-run", docs: docs!("A run to start: a task about to be worked on."), fields: &[
    Field { name: "id", ty: Type::Option(&Type::Text), docs: docs!("Its id: at most 64 letters, digits, dashes and underscores. Default: a new id.") },
    Field { name: "task", ty: Type::Text, docs: docs!("The task in words. May be empty. At most 16 KiB.") },
    Field { name: "domain", ty: Type::Text, docs: docs!("The domain of its steps, such as `cli`: at most 64 lowercase letters, digits and dashes.") },
    Field { name: "hold-out", ty: Type::Option(&Type::F64), docs: docs!("The hold-out: the share of runs, 0 to 0.5, from which a lesson is withheld so that its effect can be measured. Default: 0.1, and less the more is known about the lesson. 0 turns it off.") },
    Field { name: "hints", ty: Type::Option(&Type::U32), docs: docs!("How many hints to return after a failed step. Default: 3. Maximum: 32.") },
    Field { name: "session", ty: Type::Option(&Type::Text), docs: docs!("The session it belongs to. At most 128 bytes.") },
    Field { name: "agent", ty: Type::Option(&Type::Text), docs: docs!("Who works on it. At most 128 bytes.") },
    Field { name: "task-type", ty: Type::Option(&Type::Text), docs: docs!("What kind of task it is, such as `refactoring`. At most 64 bytes.") },
    Field { name: "tags", ty: Type::List(&Type::Text), docs: docs!("Tags of its episode. At most 32 of 64 bytes each.") },
] };

/// `run`
pub static RUN: Record = Record { name: "run", docs: docs!("A run: a task being worked on."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id.") },
    Field { name: "task", ty: Type::Text, docs: docs!("The task in words.") },
    Field { name: "domain", ty: Type::Text, docs: docs!("The domain of its steps.") },
    Field { name: "started-at", ty: Type::Timestamp, docs: docs!("When it started.") },
    Field { name: "steps", ty: Type::U32, docs: docs!("How many steps it has so far.") },
    Field { name: "failures", ty: Type::U32, docs: docs!("How many of them failed.") },
] };

/// `observed`
pub static OBSERVED: Record = Record { name: "observed", docs: docs!("A step and the feedback on it, from an adapter or from the host's own evaluator."), fields: &[
    Field { name: "step", ty: Type::Record(&super::adapter::STEP), docs: docs!("The step.") },
    Field { name: "feedback", ty: Type::Record(&super::adapter::FEEDBACK), docs: docs!("The feedback on it. The step failed if `hard-failure` is there, if `constraint-failure` has an entry, or if `progress-signal` is 0 or less.") },
] };

/// `trace-step`
pub static TRACE_STEP: Record = Record { name: "trace-step", docs: docs!("A step as it is stored."), fields: &[
    Field { name: "run", ty: Type::Text, docs: docs!("The run it belongs to.") },
    Field { name: "index", ty: Type::U32, docs: docs!("Its index in the run, from 0.") },
    Field { name: "domain", ty: Type::Text, docs: docs!("The domain of the run.") },
    Field { name: "at", ty: Type::Timestamp, docs: docs!("When it was observed.") },
    Field { name: "step", ty: Type::Record(&super::adapter::STEP), docs: docs!("The step. Long payloads are shortened in the middle.") },
    Field { name: "feedback", ty: Type::Record(&super::adapter::FEEDBACK), docs: docs!("The feedback on it.") },
    Field { name: "event-id", ty: Type::Option(&Type::Text), docs: docs!("The id of its event, if it failed.") },
    Field { name: "fingerprint", ty: Type::Option(&Type::Text), docs: docs!("The fingerprint of its failure, if it failed.") },
] };

/// `fingerprint`
pub static FINGERPRINT: Record = Record { name: "fingerprint", docs: docs!("A fingerprint: a failure without its volatile parts, such as paths, numbers and names."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id: the same failure has the same id on every machine and day.") },
    Field { name: "template", ty: Type::Text, docs: docs!("The readable form, with typed holes such as `<path>` in place of volatile parts.") },
    Field { name: "tags", ty: Type::List(&Type::Text), docs: docs!("The kinds of failure it is, in words that fit any domain, sorted.") },
] };

/// `event`
pub static EVENT: Record = Record { name: "event", docs: docs!("An event: a failed step."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id.") },
    Field { name: "run", ty: Type::Text, docs: docs!("The run it happened in.") },
    Field { name: "step", ty: Type::U32, docs: docs!("The index of the step in the run, from 0.") },
    Field { name: "at", ty: Type::Timestamp, docs: docs!("When it happened.") },
    Field { name: "domain", ty: Type::Text, docs: docs!("The domain of the step.") },
    Field { name: "fingerprint", ty: Type::Text, docs: docs!("The id of its fingerprint.") },
    Field { name: "template", ty: Type::Text, docs: docs!("The readable form of its fingerprint.") },
    Field { name: "tags", ty: Type::List(&Type::Text), docs: docs!("The kinds of failure it is, sorted. `no_progress` means that the same failure happened before.") },
    Field { name: "action-text", ty: Type::Text, docs: docs!("The action, in one line.") },
    Field { name: "reason", ty: Type::Text, docs: docs!("Why it counts as failed: the hard failure's reason, or the conditions that do not hold.") },
    Field { name: "evidence", ty: Type::Text, docs: docs!("The error text, shortened in the middle.") },
    Field { name: "hard-failure", ty: Type::Bool, docs: docs!("Whether the step failed on the hard-failure channel.") },
    Field { name: "constraint-failure", ty: Type::Bool, docs: docs!("Whether the step failed on the constraint-failure channel.") },
    Field { name: "progress-signal", ty: Type::Option(&Type::F64), docs: docs!("The progress signal of the step.") },
    Field { name: "progress-delta", ty: Type::Option(&Type::F64), docs: docs!("The difference from the previous progress signal in the run.") },
    Field { name: "efficiency-signal", ty: Type::Option(&Type::F64), docs: docs!("The efficiency signal of the step.") },
    Field { name: "efficiency-delta", ty: Type::Option(&Type::F64), docs: docs!("The difference from the previous efficiency signal in the run.") },
    Field { name: "occurrence", ty: Type::U32, docs: docs!("How often this fingerprint was seen in this memory so far, this event included.") },
    Field { name: "occurrence-in-run", ty: Type::U32, docs: docs!("How often it was seen in this run so far, this event included.") },
    Field { name: "runs", ty: Type::U32, docs: docs!("In how many runs it was seen so far, this run included.") },
] };

/// `event-filter`
pub static EVENT_FILTER: Record = Record { name: "event-filter", docs: docs!("Which events to list. Members that are left out do not restrict."), fields: &[
    Field { name: "fingerprint", ty: Type::Option(&Type::Text), docs: docs!("Only events with this fingerprint.") },
    Field { name: "run", ty: Type::Option(&Type::Text), docs: docs!("Only events of this run.") },
    Field { name: "domain", ty: Type::Option(&Type::Text), docs: docs!("Only events of this domain.") },
    Field { name: "tag", ty: Type::Option(&Type::Text), docs: docs!("Only events with this tag.") },
    Field { name: "limit", ty: Type::Option(&Type::U32), docs: docs!("At most this many. Default: 50. Maximum: 1,000.") },
] };

/// `outcome`
pub static OUTCOME: Enum = Enum { name: "outcome", docs: docs!("How a run ended."), cases: &[
    Case { name: "success", payload: None, docs: docs!("The goal was reached.") },
    Case { name: "failure", payload: None, docs: docs!("The goal was not reached.") },
    Case { name: "partial", payload: None, docs: docs!("The goal was reached in part.") },
    Case { name: "abandoned", payload: None, docs: docs!("The run was given up; nobody can tell.") },
] };

/// `referee`
pub static REFEREE: Enum = Enum { name: "referee", docs: docs!("Who scored a run, independently of who worked on it."), cases: &[
    Case { name: "deterministic", payload: None, docs: docs!("An evaluator that gives the same score for the same result, such as a command or expectations.") },
    Case { name: "model", payload: None, docs: docs!("A language model.") },
    Case { name: "signals", payload: None, docs: docs!("The feedback on the run's own steps.") },
] };

/// `ending`
pub static ENDING: Record = Record { name: "ending", docs: docs!("How to end a run."), fields: &[
    Field { name: "outcome", ty: Type::Option(&Type::Enum(&super::memory::OUTCOME)), docs: docs!("The outcome. Default: `success` or `failure` by the last step, or `abandoned` if there are no steps.") },
    Field { name: "score", ty: Type::Option(&Type::F64), docs: docs!("The score of a referee, from 0 to 1. Default: the score of the model, if there is one and the run has a task; otherwise a score computed from the feedback on the steps.") },
    Field { name: "referee", ty: Type::Option(&Type::Enum(&super::memory::REFEREE)), docs: docs!("Who gave the score. Default: `deterministic`, if there is a score.") },
] };

/// `phase`
pub static PHASE: Enum = Enum { name: "phase", docs: docs!("The phase of an episode by its age."), cases: &[
    Case { name: "active", payload: None, docs: docs!("Up to 30 days old. Fully searchable, preferred.") },
    Case { name: "mature", payload: None, docs: docs!("Up to 180 days old. Fully searchable, may be consolidated.") },
    Case { name: "aged", payload: None, docs: docs!("Up to 365 days old. Its steps are in cold storage; it is found only if it is highly relevant.") },
    Case { name: "archived", payload: None, docs: docs!("Older. Its steps and its account are in cold storage; it is found only on request.") },
    Case { name: "deleted", payload: None, docs: docs!("Deleted, but recoverable until `purge` removes it for good.") },
] };

/// `episode`
pub static EPISODE: Record = Record { name: "episode", docs: docs!("An episode: a run that has ended. Immutable."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id, which is the id of the run.") },
    Field { name: "task", ty: Type::Text, docs: docs!("The task in words.") },
    Field { name: "domain", ty: Type::Text, docs: docs!("The domain of its steps.") },
    Field { name: "started-at", ty: Type::Timestamp, docs: docs!("When the run started.") },
    Field { name: "ended-at", ty: Type::Timestamp, docs: docs!("When it ended.") },
    Field { name: "outcome", ty: Type::Enum(&super::memory::OUTCOME), docs: docs!("How it ended.") },
    Field { name: "score", ty: Type::Option(&Type::F64), docs: docs!("The score from 0 to 1. Missing for a run without steps.") },
    Field { name: "referee", ty: Type::Enum(&super::memory::REFEREE), docs: docs!("Who gave the score.") },
    Field { name: "steps", ty: Type::U32, docs: docs!("How many steps it took.") },
    Field { name: "failures", ty: Type::U32, docs: docs!("How many of them failed.") },
    Field { name: "fingerprints", ty: Type::List(&Type::Text), docs: docs!("The fingerprints of its failures, each once, in the order of their first appearance. At most 256.") },
    Field { name: "lessons", ty: Type::List(&Type::Text), docs: docs!("The lessons that were shown in it, each once. At most 256.") },
    Field { name: "session", ty: Type::Text, docs: docs!("The session it belongs to. Empty if unknown.") },
    Field { name: "agent", ty: Type::Text, docs: docs!("Who worked on it. Empty if unknown.") },
    Field { name: "task-type", ty: Type::Text, docs: docs!("What kind of task it is. Empty if unknown.") },
    Field { name: "tools-used", ty: Type::List(&Type::Text), docs: docs!("The tools that were used. At most 64.") },
    Field { name: "strategies-applied", ty: Type::List(&Type::Text), docs: docs!("The strategies that were applied. At most 64.") },
    Field { name: "tags", ty: Type::List(&Type::Text), docs: docs!("Its tags, sorted. At most 32.") },
    Field { name: "summary", ty: Type::Text, docs: docs!("A summary in a few lines.") },
] };

/// `episode-filter`
pub static EPISODE_FILTER: Record = Record { name: "episode-filter", docs: docs!("Which episodes to list. Members that are left out do not restrict."), fields: &[
    Field { name: "domain", ty: Type::Option(&Type::Text), docs: docs!("Only episodes of this domain.") },
    Field { name: "outcome", ty: Type::Option(&Type::Enum(&super::memory::OUTCOME)), docs: docs!("Only episodes with this outcome.") },
    Field { name: "fingerprint", ty: Type::Option(&Type::Text), docs: docs!("Only episodes that had this failure, by its fingerprint.") },
    Field { name: "task-type", ty: Type::Option(&Type::Text), docs: docs!("Only episodes with this type of task.") },
    Field { name: "session", ty: Type::Option(&Type::Text), docs: docs!("Only episodes of this session.") },
    Field { name: "agent", ty: Type::Option(&Type::Text), docs: docs!("Only episodes of this agent.") },
    Field { name: "tag", ty: Type::Option(&Type::Text), docs: docs!("Only episodes with this tag.") },
    Field { name: "tool", ty: Type::Option(&Type::Text), docs: docs!("Only episodes in which this tool was used.") },
    Field { name: "strategy", ty: Type::Option(&Type::Text), docs: docs!("Only episodes in which this strategy was applied.") },
    Field { name: "since", ty: Type::Option(&Type::Timestamp), docs: docs!("Only episodes that ended at this time or later.") },
    Field { name: "until", ty: Type::Option(&Type::Timestamp), docs: docs!("Only episodes that ended at this time or earlier.") },
    Field { name: "phase", ty: Type::Option(&Type::Enum(&super::memory::PHASE)), docs: docs!("Only episodes in this phase.") },
    Field { name: "limit", ty: Type::Option(&Type::U32), docs: docs!("At most this many. Default: 50. Maximum: 1,000.") },
] };

/// `error`
pub static ERROR: Variant = Variant { name: "error", docs: docs!("Why a call failed. A failed call changes nothing."), cases: &[
    Case { name: "not-found", payload: Some(Type::Text), docs: docs!("Something does not exist; names it.") },
    Case { name: "invalid-argument", payload: Some(Type::Text), docs: docs!("An argument is invalid; names the member, the cause and what to do.") },
    Case { name: "conflict", payload: Some(Type::Text), docs: docs!("The call does not fit the current state, such as a step for a run that has ended.") },
    Case { name: "busy", payload: Some(Type::Text), docs: docs!("Another process holds the store or the work for too long. Retry later.") },
    Case { name: "storage", payload: Some(Type::Text), docs: docs!("The store can't be written or read: it is full, read-only or damaged.") },
    Case { name: "unavailable", payload: Some(Type::Text), docs: docs!("The call needs something that this host does not offer.") },
    Case { name: "denied", payload: Some(Type::Text), docs: docs!("The host offers what the call needs, but not to this memory.") },
    Case { name: "other", payload: Some(Type::Text), docs: docs!("Anything else.") },
] };

/// `tally`
pub static TALLY: Record = Record { name: "tally", docs: docs!("How often something occurs."), fields: &[
    Field { name: "name", ty: Type::Text, docs: docs!("What is counted.") },
    Field { name: "count", ty: Type::U32, docs: docs!("How often.") },
] };

