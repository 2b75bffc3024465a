//! The nouns of `twiceshy:memory/lesson-types` as data: generated from the contract.

use crate::description::*;

/// `lesson-kind`
pub static LESSON_KIND: Enum = Enum { name: "lesson-kind", docs: docs!("What kind of knowledge a lesson is."), cases: &[
    Case { name: "rule", payload: None, docs: docs!("Do this instead of that.") },
    Case { name: "anti-pattern", payload: None, docs: docs!("Something that does not work, with no known fix.") },
    Case { name: "fact", payload: None, docs: docs!("A fact.") },
    Case { name: "strategy", payload: None, docs: docs!("A way to go about a kind of task.") },
    Case { name: "decomposition", payload: None, docs: docs!("How to divide a task into parts.") },
    Case { name: "sequence", payload: None, docs: docs!("An order of actions.") },
    Case { name: "tool-selection", payload: None, docs: docs!("Which tool to use.") },
    Case { name: "failure", payload: None, docs: docs!("How something fails.") },
    Case { name: "recovery", payload: None, docs: docs!("How to recover from a failure.") },
    Case { name: "optimization", payload: None, docs: docs!("How to do something better.") },
    Case { name: "domain", payload: None, docs: docs!("Knowledge about a domain.") },
    Case { name: "skill", payload: None, docs: docs!("A procedure in steps.") },
] };

/// `scope`
pub static SCOPE: Enum = Enum { name: "scope", docs: docs!("The tasks that a lesson is for."), cases: &[
    Case { name: "task", payload: None, docs: docs!("The task it was learned in.") },
    Case { name: "domain", payload: None, docs: docs!("All tasks of its domain.") },
    Case { name: "global", payload: None, docs: docs!("All domains.") },
] };

/// `lesson-status`
pub static LESSON_STATUS: Enum = Enum { name: "lesson-status", docs: docs!("The status of a lesson in its lifecycle."), cases: &[
    Case { name: "candidate", payload: None, docs: docs!("Proposed, not yet proven. Shown.") },
    Case { name: "promoted", payload: None, docs: docs!("Proven to help. Shown.") },
    Case { name: "under-review", payload: None, docs: docs!("In doubt. Not shown.") },
    Case { name: "suppressed", payload: None, docs: docs!("Found not to help, or to harm. Not shown.") },
    Case { name: "deprecated", payload: None, docs: docs!("No longer right. Not shown.") },
    Case { name: "archived", payload: None, docs: docs!("Kept for audit only. Not shown.") },
] };

/// `source`
pub static SOURCE: Enum = Enum { name: "source", docs: docs!("Who proposed a lesson."), cases: &[
    Case { name: "person", payload: None, docs: docs!("A person.") },
    Case { name: "agent", payload: None, docs: docs!("The agent that did the task.") },
    Case { name: "model", payload: None, docs: docs!("A language model.") },
    Case { name: "trace", payload: None, docs: docs!("Nobody: it was mined from the steps of a run.") },
] };

/// `trust`
pub static TRUST: Enum = Enum { name: "trust", docs: docs!("How far the sources of a lesson are trusted before its effect is measured."), cases: &[
    Case { name: "claimed", payload: None, docs: docs!("An agent or a model claims it.") },
    Case { name: "observed", payload: None, docs: docs!("It was seen in the steps of a run.") },
    Case { name: "vouched", payload: None, docs: docs!("A person vouches for it.") },
] };

/// `origin`
pub static ORIGIN: Record = Record { name: "origin", docs: docs!("Where a lesson comes from."), fields: &[
    Field { name: "run", ty: Type::Text, docs: docs!("The run it was learned in. Empty if there is none.") },
    Field { name: "steps", ty: Type::List(&Type::U32), docs: docs!("The steps of that run that show it, ascending. At most 16.") },
    Field { name: "source", ty: Type::Enum(&super::lesson_types::SOURCE), docs: docs!("Who proposed it.") },
    Field { name: "at", ty: Type::Timestamp, docs: docs!("When it was proposed.") },
] };

/// `lesson-candidate`
pub static LESSON_CANDIDATE: Record = Record { name: "lesson-candidate", docs: docs!("A lesson to propose. Only `rule-text` is required."), fields: &[
    Field { name: "rule-text", ty: Type::Text, docs: docs!("The rule: what to do, if possible as `WRONG: … → CORRECT: …`. 1 to 1,000 characters.") },
    Field { name: "trigger-fingerprints", ty: Type::List(&Type::Text), docs: docs!("The fingerprints that trigger it. At most 32.") },
    Field { name: "trigger-texts", ty: Type::List(&Type::Text), docs: docs!("Error texts that trigger it: their fingerprints are added to the triggers. At most 32.") },
    Field { name: "tags", ty: Type::List(&Type::Text), docs: docs!("The kinds of failure it is for. Those of known triggers are added. At most 32.") },
    Field { name: "scope-hint", ty: Type::Option(&Type::Enum(&super::lesson_types::SCOPE)), docs: docs!("The tasks it is for. Default: `domain`, or `global` if there is no domain.") },
    Field { name: "kind", ty: Type::Option(&Type::Enum(&super::lesson_types::LESSON_KIND)), docs: docs!("What kind of knowledge it is. Default: `rule`.") },
    Field { name: "domain", ty: Type::Option(&Type::Text), docs: docs!("The domain it was learned in.") },
    Field { name: "task", ty: Type::Option(&Type::Text), docs: docs!("The task it was learned in. Required for the scope `task`.") },
    Field { name: "run", ty: Type::Option(&Type::Text), docs: docs!("The run it was learned in.") },
    Field { name: "steps", ty: Type::List(&Type::U32), docs: docs!("The steps of that run that show it. At most 16.") },
    Field { name: "source", ty: Type::Option(&Type::Enum(&super::lesson_types::SOURCE)), docs: docs!("Who proposes it. Default: `agent`.") },
] };

/// `usefulness`
pub static USEFULNESS: Record = Record { name: "usefulness", docs: docs!("The evidence on a lesson: what showing it did, compared with runs without it."), fields: &[
    Field { name: "activations", ty: Type::U32, docs: docs!("How often it was shown.") },
    Field { name: "shown-runs", ty: Type::U32, docs: docs!("In how many runs it was shown.") },
    Field { name: "withheld-runs", ty: Type::U32, docs: docs!("From how many runs it was withheld for comparison.") },
    Field { name: "helped", ty: Type::U32, docs: docs!("Runs in which it helped.") },
    Field { name: "harmed", ty: Type::U32, docs: docs!("Runs in which it harmed.") },
    Field { name: "judged", ty: Type::U32, docs: docs!("Runs in which it was shown and was relevant.") },
    Field { name: "utility", ty: Type::Option(&Type::F64), docs: docs!("The mean utility of the runs in which it was shown, from -1 to 1.") },
    Field { name: "withheld-utility", ty: Type::Option(&Type::F64), docs: docs!("The same for the runs from which it was withheld.") },
    Field { name: "recurrence-drop", ty: Type::Option(&Type::F64), docs: docs!("The share by which its failures became fewer, compared with runs without it.") },
    Field { name: "regressions", ty: Type::U32, docs: docs!("Runs that went badly wrong while it was shown.") },
    Field { name: "losses", ty: Type::U32, docs: docs!("How often a contradicting lesson did better.") },
    Field { name: "last-shown-at", ty: Type::Option(&Type::Timestamp), docs: docs!("When it was last shown.") },
] };

/// `lesson`
pub static LESSON: Record = Record { name: "lesson", docs: docs!("A lesson: a unit of knowledge."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id. The same rule with the same triggers and scope is the same lesson.") },
    Field { name: "rule-text", ty: Type::Text, docs: docs!("The rule: what to do.") },
    Field { name: "kind", ty: Type::Enum(&super::lesson_types::LESSON_KIND), docs: docs!("What kind of knowledge it is.") },
    Field { name: "scope", ty: Type::Enum(&super::lesson_types::SCOPE), docs: docs!("The tasks it is for.") },
    Field { name: "domain", ty: Type::Text, docs: docs!("The domain it was learned in. Empty if there is none.") },
    Field { name: "task", ty: Type::Text, docs: docs!("The task it was learned in. Empty if there is none.") },
    Field { name: "trigger-fingerprints", ty: Type::List(&Type::Text), docs: docs!("The fingerprints that trigger it, sorted.") },
    Field { name: "tags", ty: Type::List(&Type::Text), docs: docs!("The kinds of failure it is for, sorted.") },
    Field { name: "status", ty: Type::Enum(&super::lesson_types::LESSON_STATUS), docs: docs!("Its status.") },
    Field { name: "status-reason", ty: Type::Text, docs: docs!("Why it has this status.") },
    Field { name: "reliability", ty: Type::F64, docs: docs!("How reliable it is, from 0 to 1. Begins at 0.5.") },
    Field { name: "origins", ty: Type::List(&Type::Record(&super::lesson_types::ORIGIN)), docs: docs!("Its origins, oldest first. At most 64.") },
    Field { name: "trust", ty: Type::Enum(&super::lesson_types::TRUST), docs: docs!("How far its sources are trusted.") },
    Field { name: "usefulness", ty: Type::Record(&super::lesson_types::USEFULNESS), docs: docs!("Its evidence: what showing it did.") },
    Field { name: "created-at", ty: Type::Timestamp, docs: docs!("When it was first proposed.") },
    Field { name: "updated-at", ty: Type::Timestamp, docs: docs!("When it was last changed.") },
] };

/// `explanation`
pub static EXPLANATION: Record = Record { name: "explanation", docs: docs!("Everything that a lesson is based on."), fields: &[
    Field { name: "lesson", ty: Type::Record(&super::lesson_types::LESSON), docs: docs!("The lesson.") },
    Field { name: "links", ty: Type::List(&Type::Record(&super::link_types::LINK)), docs: docs!("Its links to other lessons, in both directions.") },
    Field { name: "activations", ty: Type::List(&Type::Record(&super::activation_types::ACTIVATION)), docs: docs!("Its newest activations. At most 50.") },
    Field { name: "earlier", ty: Type::Option(&Type::Record(&super::activation_types::EARLIER_ACTIVATIONS)), docs: docs!("What its older activations add up to, if any were summed up.") },
    Field { name: "episodes", ty: Type::List(&Type::Record(&super::memory::EPISODE)), docs: docs!("The episodes it was learned in or shown in, newest first. At most 50.") },
    Field { name: "steps", ty: Type::List(&Type::Record(&super::memory::TRACE_STEP)), docs: docs!("The steps it was learned from. At most 50.") },
] };

/// `lesson-filter`
pub static LESSON_FILTER: Record = Record { name: "lesson-filter", docs: docs!("Which lessons to list. Members that are left out do not restrict."), fields: &[
    Field { name: "status", ty: Type::Option(&Type::Enum(&super::lesson_types::LESSON_STATUS)), docs: docs!("Only lessons with this status.") },
    Field { name: "fingerprint", ty: Type::Option(&Type::Text), docs: docs!("Only lessons that this fingerprint triggers.") },
    Field { name: "domain", ty: Type::Option(&Type::Text), docs: docs!("Only lessons of this domain.") },
    Field { name: "limit", ty: Type::Option(&Type::U32), docs: docs!("At most this many. Default: 50. Maximum: 1,000.") },
] };

