"""`twiceshy:memory/context-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .pattern_types import Feature


Work = Literal["exploration", "implementation", "debugging", "review", "refactoring"]
"""The kind of work, which decides how memories are weighed.

* `exploration`: Looking around.
* `implementation`: Building.
* `debugging`: Finding faults.
* `review`: Judging.
* `refactoring`: Changing without changing what it does.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRequest:
    """A task to find context for."""

    task: str
    """The task in words. 1 byte to 16 KiB."""

    domain: str
    """Its domain."""

    task_type: str | None = None
    """The type of task. Default: found from its words."""

    work: Work | None = None
    """The kind of work. Default: found from its words."""

    action: str | None = None
    """The type of action that comes next, to find what to avoid."""

    features: Sequence[Feature] = ()
    """Anything else that is known about it."""

    limit: int | None = None
    """At most this many memories, besides those to avoid. Default: 5. Maximum: 50."""

    tokens: int | None = None
    """At most this many tokens (an estimate). Default: 1,500."""


MemoryKind = Literal["semantic", "episodic", "skill", "anti-pattern", "fact"]
"""The kind of a memory.

* `semantic`: Knowledge: a lesson or pattern.
* `episodic`: An episode with a similar task.
* `skill`: A procedure.
* `anti-pattern`: What to avoid.
* `fact`: A fact.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextItem:
    """A memory that may help with a task."""

    id: str
    """Its id."""

    kind: MemoryKind
    """Its kind."""

    summary: str
    """A summary in one or two lines."""

    score: float
    """The score: the weight of its kind times how well it fits."""

    fit: float
    """How well it fits, from 0 to 1."""

    why: str
    """Why it was chosen, in words."""

    more: str
    """How to read more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextWeights:
    """The weights of the kinds of memory."""

    semantic: float
    """Knowledge."""

    episodic: float
    """Episodes with similar tasks."""

    skills: float
    """Procedures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskBundle:
    """Context for a task."""

    work: Work
    """What kind of work it is."""

    weights: ContextWeights
    """The weights of the kinds of memory."""

    applicable_patterns: Sequence[ContextItem] = ()
    """Patterns and lessons, best first."""

    similar_episodes: Sequence[ContextItem] = ()
    """Episodes with similar tasks, best first."""

    domain_knowledge: Sequence[ContextItem] = ()
    """Facts."""

    applicable_skills: Sequence[ContextItem] = ()
    """Procedures."""

    avoid_these: Sequence[ContextItem] = ()
    """What to avoid."""

    text: str
    """All of it as text for a prompt, with ids, marked so that the memory never learns from its own words."""

    tokens: int
    """Its size in tokens (an estimate)."""

    left_out: Sequence[str] = ()
    """The ids of what did not fit."""
