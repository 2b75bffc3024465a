"""`twiceshy:memory/episode-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .._codec import Json
from .memory import Episode, Outcome, Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A number with a name, such as `tokens_used` or `coverage`."""

    name: str
    """What is measured. 1 to 64 bytes."""

    value: float
    """The value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adaptation:
    """A change of plan during the work."""

    step: int | None = None
    """The step at which it was made, if known."""

    change: str
    """What was changed."""

    reason: str
    """The reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncounteredError:
    """An error of a run and what resolved it."""

    kind: str
    """The kind of error, such as `TypeScript compilation`."""

    message: str
    """Its message."""

    resolution: str
    """What resolved it. Empty if nothing did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """A content that is kept outside the store, or a file that is only named."""

    name: str
    """Its name, such as `src/routes/todos.ts`."""

    media_type: str
    """Its media type. Empty if unknown."""

    hash: str | None = None
    """`sha256:` and 64 hexadecimal digits, if its content is kept. Missing if it is only named."""

    bytes: int
    """The size of the content in bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The account of an episode: how the task was understood, how it was carried out, what the result was, and
    reflections on it. All members may be left out. Immutable.
    """

    goals: Sequence[str] = ()
    """The goals of the task. At most 64."""

    constraints: Sequence[str] = ()
    """The constraints. At most 64."""

    success_criteria: Sequence[str] = ()
    """The criteria of success. At most 64."""

    context: Json = ""
    """The circumstances: an object with any members."""

    phase: str | None = None
    """The phase of the work, such as `development`."""

    files_involved: Sequence[str] = ()
    """The files involved. At most 256."""

    complexity: float | None = None
    """How hard it seemed, from 0 to 1."""

    plan: Sequence[str] = ()
    """The plan, step by step. At most 256."""

    adaptations: Sequence[Adaptation] = ()
    """Changes of plan. At most 64."""

    resource_usage: Sequence[Measure] = ()
    """The resources it used: tokens, calls, cost. At most 64."""

    primary_output: str | None = None
    """The main result. A long one is shortened in the middle, and kept whole as an artifact."""

    side_effects: Sequence[str] = ()
    """What else it changed. At most 64."""

    quality_metrics: Sequence[Measure] = ()
    """Measures of the quality of the result. At most 64."""

    insights: Sequence[str] = ()
    """What was learned. At most 64."""

    patterns_discovered: Sequence[str] = ()
    """Lessons learned from it, by id. At most 64."""

    errors_encountered: Sequence[EncounteredError] = ()
    """The errors and what resolved them. At most 64."""

    performance_analysis: str | None = None
    """Reflections on its efficiency."""

    artifacts: Sequence[Artifact] = ()
    """What it produced. At most 256."""

    git_commit: str | None = None
    """The commit that it ended with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What is known about a run besides its steps. Becomes part of its episode."""

    task_type: str | None = None
    """What kind of task it is, such as `refactoring`."""

    tools_used: Sequence[str] = ()
    """The tools that were used. At most 64."""

    strategies_applied: Sequence[str] = ()
    """The strategies that were applied: patterns by id, or in words. At most 64."""

    tags: Sequence[str] = ()
    """Its tags. At most 32."""

    summary: str | None = None
    """A summary. Default: made from the rest."""

    account: Account | None = None
    """Its account."""


Facet = Literal["task", "outcome", "full"]
"""The part of an episode that a vector represents.

* `task`: The task.
* `outcome`: The result.
* `full`: The whole episode.
"""


ArchivalStatus = Literal["active", "archived", "deleted"]
"""Whether an episode is at hand, in cold storage, or deleted.

* `active`: At hand.
* `archived`: Its account is in cold storage.
* `deleted`: Deleted, but recoverable.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifecycle:
    """What happened to an episode after the end of its run. The episode itself does not change."""

    phase: Phase
    """Its phase, by its age."""

    archival_status: ArchivalStatus
    """Whether it is at hand."""

    access_count: int
    """How often it was retrieved."""

    last_accessed: int | None = None
    """When it was last retrieved."""

    referenced_by: Sequence[str] = ()
    """Lessons and episodes that refer to it. At most 256."""

    cold_trace: str | None = None
    """The name of its steps in cold storage, if they were moved there."""

    cold_account: str | None = None
    """The name of its account in cold storage, if it was moved there."""

    consolidated_into: str | None = None
    """The episode that now stands for it."""

    deleted_at: int | None = None
    """When it was deleted."""

    delete_reason: str | None = None
    """Why it was deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """How an episode of a group differs from the one that stands for it."""

    episode: str
    """The episode."""

    difference: str
    """The difference, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """What several similar episodes, for which one stands, have in common."""

    representative: str
    """The episode that stands for them."""

    instances: int
    """How many there are."""

    common_structure: Sequence[str] = ()
    """The actions that they share, in order."""

    variations: Sequence[Variation] = ()
    """How each of them differs. At most 256."""

    average_duration: float
    """The mean duration in milliseconds."""

    success_rate: float
    """The share of successes."""

    common_patterns: Sequence[str] = ()
    """The lessons that several of them have in common."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FullEpisode:
    """Everything that is known about an episode."""

    episode: Episode
    """The episode."""

    account: Account
    """Its account."""

    lifecycle: Lifecycle
    """What happened to it since it ended."""

    consolidated: Consolidated | None = None
    """What it has in common with the episodes it stands for, if there are any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceEntry:
    """One action of an imported episode."""

    after: int
    """Milliseconds since the start."""

    action: str
    """What was done, such as `run_test`."""

    target: str | None = None
    """What it was done to."""

    result: str | None = None
    """The result, such as `pass` or `fail`."""

    error: str | None = None
    """The error, if it failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEpisode:
    """An episode from elsewhere, to store as it is."""

    id: str | None = None
    """Its id, with the same rules as for a run. Default: a new id."""

    task: str
    """The task in words. 1 byte to 16 KiB."""

    domain: str
    """The domain, such as `cli`."""

    session: str | None = None
    """The session it belongs to."""

    agent: str | None = None
    """Who did it."""

    task_type: str | None = None
    """What kind of task it is, such as `refactoring`."""

    tools_used: Sequence[str] = ()
    """The tools that were used. At most 64."""

    strategies_applied: Sequence[str] = ()
    """The strategies that were applied: lessons by id, or in words. At most 64."""

    tags: Sequence[str] = ()
    """Its tags. At most 32."""

    summary: str | None = None
    """A summary. Default: made from the rest."""

    started_at: int | None = None
    """When it began. Default: computed from its end and the time of its last action."""

    ended_at: int | None = None
    """When it ended. Default: the time of its last action, or now if its beginning is unknown. Never later than now."""

    outcome: Outcome
    """How it ended."""

    score: float | None = None
    """The score from 0 to 1, if there is one."""

    trace: Sequence[TraceEntry] = ()
    """What was done, in order. At most 200. Failed actions become events, as in a run."""

    account: Account | None = None
    """Its account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aging:
    """What aging did, or would do."""

    traces: int
    """Episodes whose steps moved to cold storage."""

    accounts: int
    """Episodes whose account moved to cold storage."""

    kib: int
    """KiB that left the store."""

    more: bool
    """Whether there is more to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningSummary:
    """What was learned from an episode."""

    episode: Episode
    """The episode."""

    new_lessons: Sequence[str] = ()
    """Lessons that are new."""

    reinforced_lessons: Sequence[str] = ()
    """Known lessons that got one more origin."""

    applied_patterns: Sequence[str] = ()
    """Patterns whose application was recorded."""

    text: str
    """The summary in words."""
