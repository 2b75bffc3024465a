"""`twiceshy:memory/coordination-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass



@dataclass(frozen=True, slots=True, kw_only=True)
class AgentState:
    """The state of an agent's working tree."""

    files_modified: Sequence[str] = ()
    """The files it changed."""

    uncommitted_changes: bool
    """Whether there are uncommitted changes."""

    last_git_commit: str | None = None
    """The last commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """What an agent knows about its work."""

    tech_stack: Sequence[str] = ()
    """The technologies it works with."""

    patterns_learned: Sequence[str] = ()
    """Lessons it learned, by id."""

    current_goal: str
    """Its current goal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A checkpoint: where an agent stands, in its own words."""

    agent_id: str
    """The agent. 1 to 64 letters, digits, dashes, dots and underscores."""

    tasks_completed: int | None = None
    """How many tasks it completed. Default: one more than before if `completed` is true, otherwise the same as
    before.
    """

    completed: bool | None = None
    """Whether it has just completed a task."""

    current_task: str | None = None
    """The task it works on."""

    state: AgentState
    """The state of its working tree."""

    context: AgentContext
    """What it knows about its work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """A ledger: where an agent stands."""

    agent_id: str
    """The agent."""

    last_checkpoint: int
    """When it last checked in."""

    checkpoints: int
    """How often it checked in."""

    tasks_completed: int
    """How many tasks it completed."""

    current_task: str | None = None
    """The task it works on."""

    state: AgentState
    """The state of its working tree."""

    context: AgentContext
    """What it knows about its work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffContext:
    """What one agent passes to another."""

    what_was_done: str
    """What was done."""

    artifacts: Sequence[str] = ()
    """Results, such as files."""

    git_state: str
    """The state of the repository."""

    needs_testing: Sequence[str] = ()
    """What has to be tested."""

    known_issues: Sequence[str] = ()
    """Known problems."""

    relevant_patterns: Sequence[str] = ()
    """Lessons that matter, by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewHandoff:
    """A handoff to create."""

    from_agent: str
    """The agent that hands over."""

    to_agent: str
    """The agent that takes over."""

    context: HandoffContext
    """What is passed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    """A handoff: what one agent passes to another."""

    id: str
    """Its id: `handoff-001` and so on."""

    from_agent: str
    """The agent that hands over."""

    to_agent: str
    """The agent that takes over."""

    timestamp: int
    """When it was created."""

    context: HandoffContext
    """What is passed."""

    taken_up_at: int | None = None
    """When it was accepted. Missing while it waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffFilter:
    """Which handoffs to list. Members that are left out do not restrict."""

    to_agent: str | None = None
    """Only handoffs to this agent."""

    from_agent: str | None = None
    """Only handoffs from this agent."""

    waiting: bool | None = None
    """Only handoffs that wait."""

    limit: int | None = None
    """At most this many. Default: 50. Maximum: 1,000."""
