"""`twiceshy:memory/health-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass

from .lesson_types import Lesson
from .link_types import Link
from .memory import Fingerprint


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStatus:
    """How much a memory holds."""

    events: int
    """Failed steps."""

    episodes: int
    """Runs that have ended."""

    lessons: int
    """Lessons, whatever their status."""

    runs: int
    """Runs that are open."""

    fingerprints: int
    """Different failures."""

    activations: int
    """Activations that are kept one by one: lessons shown in runs, or withheld from them."""

    decisions: int
    """Decisions."""

    failures: int
    """Failed attempts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonsByStatus:
    """How many lessons have each status."""

    candidate: int
    """Candidates: proposed, not yet proven."""

    promoted: int
    """Promoted: proven to help."""

    under_review: int
    """Under review: in doubt."""

    suppressed: int
    """Suppressed: found not to help."""

    deprecated: int
    """Deprecated: no longer right."""

    archived: int
    """Archived: kept for audit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecurringFailure:
    """A failure that recurs."""

    fingerprint: Fingerprint
    """Its fingerprint."""

    occurrences: int
    """How often it was seen."""

    runs: int
    """In how many runs."""

    last_at: int
    """When it was last seen."""

    lessons: Sequence[str] = ()
    """The lessons that it triggers and that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStability:
    """How the runs of one task went over time."""

    task: str
    """The task in words."""

    domain: str
    """The domain of its steps."""

    runs: int
    """How many of its newest runs are considered. At most 50."""

    first_failures: int
    """Failures in the first of them."""

    best_failures: int
    """The fewest failures in any of them."""

    last_failures: int
    """Failures in the last of them."""

    first_steps: int
    """Steps in the first of them."""

    last_steps: int
    """Steps in the last of them."""

    pass_rate: float
    """The share of them that succeeded."""

    regressed: bool
    """Whether the last three have more failures than the best three before them, by more than half a failure per
    run.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """How well a memory works."""

    lessons: LessonsByStatus
    """Lessons by status."""

    shown: int
    """How often lessons were shown."""

    withheld: int
    """How often lessons were withheld for comparison."""

    helped: int
    """Lessons that helped, counted once per run."""

    harmed: int
    """Lessons that harmed, counted once per run."""

    judged: int
    """Lessons that were shown and relevant, counted once per run."""

    retrieval_precision: float | None = None
    """The share of `judged` that helped: a proxy for the precision of retrieval. Missing until something was judged."""

    utility: float | None = None
    """The mean utility of the lessons that are shown. Missing until one was shown."""

    failures_per_run_before: float | None = None
    """Failures per run in the older half of the newest 200 episodes."""

    failures_per_run_now: float | None = None
    """Failures per run in the newer half of them."""

    recurring: Sequence[RecurringFailure] = ()
    """The most frequent recurring failures. At most 20."""

    contradictions: Sequence[Link] = ()
    """Pairs of shown lessons that contradict each other. At most 20."""

    doubtful: Sequence[Lesson] = ()
    """Lessons that harm or are in doubt. At most 20."""

    stale: Sequence[str] = ()
    """Lessons that were unused for so long that the end of the next run archives them. At most 20."""

    stability: Sequence[TaskStability] = ()
    """How the tasks of the newest 200 episodes went, regressed tasks first. At most 20."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """What pruning removed, or would remove."""

    episodes: int
    """Episodes, with their steps, events and activations."""

    steps: int
    """Steps of those episodes."""

    events: int
    """Events of those episodes."""

    activations: int
    """Activations of those episodes."""

    lessons: int
    """Lessons that were archived."""

    decisions: int
    """Decisions."""

    failures: int
    """Failed attempts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reindexing:
    """How far a memory has vectors of the present embedder."""

    model: str
    """The id of the embedder."""

    memories: str
    """What was looked at: `episodes`, `lessons` or `experience`."""

    done: int
    """How many of them were looked at so far."""

    total: int
    """How many of them there are."""

    embedded: int
    """Vectors that this call made."""

    removed: int
    """Vectors of another embedder that this call removed, because their length differs."""

    next: str | None = None
    """Pass it as `after` to continue. Missing when everything was looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A problem in the memory."""

    document: str
    """The document it is about, as `kind/id`."""

    problem: str
    """What is wrong with it, and what to do."""
