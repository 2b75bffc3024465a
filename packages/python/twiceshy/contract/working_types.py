"""`twiceshy:memory/working-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .._codec import Json
from .working_input_types import ExecutionState, Variable, VariableType


Section = Literal["system-context", "task-context", "execution-state", "intermediate-results", "retrieved-context"]
"""A section of working memory, with its own budget.

* `system-context`: What the agent is and may do. Static, 2,000 tokens.
* `task-context`: The task, its goals, constraints, criteria and plan. Hot, 5,000 tokens.
* `execution-state`: The state of the work. Dynamic, 3,000 tokens.
* `intermediate-results`: Results of subtasks and computed values. Warm, 8,000 tokens.
* `retrieved-context`: Episodes, patterns and knowledge that were looked up. Cold, 2,000 tokens.
"""


Temperature = Literal["hot", "warm", "cold"]
"""How close an item is to the current work.

* `hot`: Always in the prompt.
* `warm`: In the prompt if there is room.
* `cold`: In the prompt as a summary or a reference.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundVariable:
    """A variable that was asked for."""

    found: bool
    """Whether it exists."""

    value: Json = ""
    """Its value. `null` if it does not exist."""

    kind: VariableType | None = None
    """What it is for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingItem:
    """One item of working memory."""

    id: str
    """Its id within the run."""

    section: Section
    """Its section."""

    temperature: Temperature
    """How close it is to the current work."""

    tokens: int
    """Its size in tokens (an estimate)."""

    text: str
    """Its text, or a summary of it."""

    is_reference: bool
    """Whether the text is only a summary, and the whole content is kept elsewhere."""

    accesses: int
    """How often it was read."""

    at: int
    """When it was added."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionSize:
    """How full a section is."""

    section: Section
    """The section."""

    tokens: int
    """How many tokens it has (an estimate)."""

    budget: int
    """Its budget in tokens."""

    items: int
    """How many items it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingMemory:
    """What working memory holds."""

    run: str
    """The run."""

    started_at: int
    """When it began."""

    tokens: int
    """Tokens in total (an estimate)."""

    budget: int
    """The whole budget in tokens."""

    sections: Sequence[SectionSize] = ()
    """The sections."""

    items: Sequence[WorkingItem] = ()
    """The items, by section."""

    variables: Sequence[Variable] = ()
    """The variables."""

    state: ExecutionState | None = None
    """The state of the work."""

    warnings: Sequence[str] = ()
    """Warnings from when space was needed, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingSize:
    """The size after a change."""

    tokens: int
    """Tokens in total (an estimate)."""

    budget: int
    """The whole budget in tokens."""

    pruned: Sequence[str] = ()
    """The ids of what was moved out to make space."""

    warning: str | None = None
    """`Context limit reached despite pruning`, if items had to be cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A snapshot: a state to go back to."""

    id: str
    """Its id."""

    label: str
    """Its label."""

    at: int
    """When it was taken."""

    tokens: int
    """Its size in tokens (an estimate)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingMetadata:
    """The metadata of a working memory that was cleared."""

    run: str
    """The run."""

    variables: Sequence[Variable] = ()
    """The variables of the scope `metadata`."""

    operations: int
    """How many operations there were."""

    peak_tokens: int
    """The most tokens it had at any time."""

    started_at: int
    """When it began."""

    cleared_at: int
    """When it was cleared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """How to render working memory for a prompt."""

    tokens: int | None = None
    """At most this many tokens. Default: the whole budget."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """Working memory as text."""

    text: str
    """The text: hot items first, then warm ones, cold ones as references."""

    tokens: int
    """Its size in tokens (an estimate)."""

    left_out: Sequence[str] = ()
    """The ids of what did not fit."""
