"""`twiceshy:memory/consolidation-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .memory import Tally


Stage = Literal["episodes", "extraction", "validation", "refinement", "indices", "report"]
"""A stage of consolidation.

* `episodes`: Merges similar episodes, and moves old ones to cold storage.
* `extraction`: Extracts patterns and anti-patterns from recent episodes.
* `validation`: Tests and promotes patterns.
* `refinement`: Narrows declining patterns, merges similar ones and deprecates obsolete ones.
* `indices`: Updates the indices of the store.
* `report`: Writes the report.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationRequest:
    """What to consolidate."""

    stages: Sequence[Stage] = ()
    """Only these stages, in their order. Empty: all."""

    dry_run: bool | None = None
    """Whether to change nothing and report what would be done, in one call."""

    hours: int | None = None
    """Extract patterns from the episodes of this many last hours. Default: 24, or since the last consolidation if
    that is longer ago.
    """

    window_days: int | None = None
    """Only merge episodes that are at most this many days apart. Default: 7."""

    episode_similarity: float | None = None
    """The similarity from which episodes are merged. Default: 0.95."""

    pattern_similarity: float | None = None
    """The similarity from which patterns are the same. Default: 0.9."""

    confidence: float | None = None
    """The confidence from which a pattern is accepted. Default: 0.8."""

    undo_days: int | None = None
    """For how many days what earlier consolidations changed is kept, so that they can be undone. Default: 30."""

    after: str | None = None
    """Resumes a consolidation: the `next` of the previous answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationChange:
    """A change made by a consolidation, and why."""

    stage: Stage
    """The stage that made it."""

    memory: str
    """The id of what was changed."""

    change: str
    """What was done, in words."""

    reason: str
    """Why, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationReport:
    """The result of a finished consolidation."""

    stages: Sequence[Tally] = ()
    """How many changes each stage made."""

    patterns: Sequence[Tally] = ()
    """Patterns by status: the summary of the validation."""

    storage: Sequence[Tally] = ()
    """Documents by kind: what the memory holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidation:
    """A consolidation: what it did, or would do."""

    id: str
    """Its id. Needed to undo it."""

    started_at: int
    """When it began."""

    ended_at: int | None = None
    """When it ended. Missing while it is running."""

    dry_run: bool
    """Whether it was a dry run, which changes nothing."""

    stage: Stage
    """The stage it is in."""

    done: int
    """How many parts of this stage are done."""

    total: int
    """How many parts this stage has."""

    changes: Sequence[ConsolidationChange] = ()
    """What this call changed. At most 1,000."""

    next: str | None = None
    """Pass it as `after` to continue. Missing when the consolidation has ended."""

    report: ConsolidationReport | None = None
    """The result. Missing while it is running, and for a dry run."""

    undone: bool
    """Whether it was undone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """How many memories of each kind, phase and status there are."""

    documents: Sequence[Tally] = ()
    """Documents by kind, such as `episode` or `lesson`."""

    episodes: Sequence[Tally] = ()
    """Episodes by phase: `active`, `mature`, `aged`, `archived`, `deleted`."""

    lessons: Sequence[Tally] = ()
    """Lessons by status."""

    kinds: Sequence[Tally] = ()
    """Shown lessons by kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayMetrics:
    """How the runs of one day went, and what they cost."""

    day: str
    """The day, as `2026-01-06`."""

    episodes: int
    """Episodes that ended on that day."""

    successes: int
    """How many of them succeeded."""

    steps: int
    """Steps."""

    failures: int
    """Failed steps."""

    retries: int
    """Failures that recurred in the same run."""

    agents: int
    """Agents that worked on that day."""

    duration_seconds: float
    """Time spent, in seconds."""

    new_lessons: int
    """New lessons."""

    score: float | None = None
    """The mean score, if there is one."""

    efficiency: float | None = None
    """The mean efficiency signal, if there is one."""

    preference: float | None = None
    """Lessons that helped minus lessons that harmed, as a share of those judged. Missing if none was judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """How the last days went."""

    days: Sequence[DayMetrics] = ()
    """The days, newest last."""

    total: DayMetrics
    """The sum over all days."""
