"""`twiceshy:memory/decision-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass

from .memory import Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDecision:
    """A decision to record."""

    module: str
    """What the hypothesis is about, such as `data_processor`. 1 to 256 bytes."""

    hypothesis: str
    """The change that was considered. 1 to 2,000 characters."""

    description: str | None = None
    """What the improvement does. At most 4,000 characters."""

    outcome: str
    """`accepted`, `rejected` or `held`."""

    rationale: str | None = None
    """Why. Required."""

    rejection_reason: str | None = None
    """The message of the failed check or the verdict, verbatim. Only for `rejected`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision: a hypothesis that was accepted, rejected or held. Immutable."""

    id: str
    """Its id."""

    module: str
    """What the hypothesis is about."""

    hypothesis: str
    """The change that was considered."""

    description: str
    """What the improvement does. Empty if unknown."""

    outcome: str
    """`accepted`, `rejected` or `held`."""

    rationale: str | None = None
    """Why. Missing only in decisions that were imported from an old file."""

    rejection_reason: str | None = None
    """Why it was rejected, verbatim."""

    timestamp: int
    """When it was recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionQuery:
    """A hypothesis to look up among the decisions."""

    module: str
    """The module it is about."""

    hypothesis: str
    """The hypothesis."""

    description: str | None = None
    """What the improvement does. Compared as well."""

    days: int | None = None
    """For how many days an acceptance counts as recent. Default: 7."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionMatch:
    """The decision that was found for a hypothesis."""

    found: bool
    """Whether there is such a decision."""

    record: Decision | None = None
    """The decision."""

    similarity: float
    """How similar it is, from 0.8 to 1. 0 if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionCheck:
    """What was decided about a hypothesis before."""

    rejected: bool
    """Whether it was rejected, at any time."""

    accepted_recently: bool
    """Whether it was accepted recently."""

    similarity: float
    """How similar the decision is, from 0.8 to 1. 0 if there is none."""

    record: Decision | None = None
    """The rejection, or else the acceptance."""

    should_skip: bool
    """Whether to skip it: it was rejected or recently accepted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionQuestion:
    """A question about a hypothesis or a module."""

    module: str
    """The module it is about."""

    hypothesis: str | None = None
    """The hypothesis. May be empty for `get-patterns`."""

    description: str | None = None
    """What the improvement does. Compared as well."""

    query_type: str
    """`was_rejected`, `was-accepted` or `get-patterns`."""

    days: int | None = None
    """For how many days an acceptance counts as recent. Default: 7."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HypothesisList:
    """Hypotheses about one module, to be filtered."""

    module: str
    """The module they are about."""

    hypotheses: Sequence[str] = ()
    """The hypotheses. At most 1,000."""

    days: int | None = None
    """For how many days an acceptance counts as recent. Default: 7."""

    keep_rejected: bool | None = None
    """Keeps hypotheses that were rejected before, to explore more boldly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedHypothesis:
    """A hypothesis that was dropped."""

    hypothesis: str
    """The hypothesis."""

    reason: str
    """The reason, in words."""

    similarity: float
    """How similar the decision is."""

    record: Decision
    """The decision against it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilteredHypotheses:
    """Hypotheses, filtered."""

    kept: Sequence[str] = ()
    """The hypotheses with no decision against them, unchanged and in their order."""

    dropped: Sequence[DroppedHypothesis] = ()
    """The other hypotheses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionFilter:
    """Which decisions to list. Members that are left out do not restrict."""

    module: str | None = None
    """Only decisions about this module."""

    outcome: str | None = None
    """Only decisions with this outcome: `accepted`, `rejected` or `held`."""

    since: int | None = None
    """Only decisions recorded at this time or later."""

    limit: int | None = None
    """At most this many. Default: 50. Maximum: 1,000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectionPattern:
    """A reason for which hypotheses are rejected."""

    pattern: str
    """Its name: `Principle violation`, `Test failure`, `Type error`, `Syntax error`, `Import error` or `Other`."""

    count: int
    """How many rejections."""

    examples: Sequence[str] = ()
    """Different reasons, verbatim, newest first. At most 5."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionAnswer:
    """The answer to a question."""

    found: bool
    """Whether anything was found."""

    record: Decision | None = None
    """The decision, unless patterns were asked for."""

    similarity: float
    """How similar it is, from 0.8 to 1. 0 if there is none."""

    patterns: Sequence[RejectionPattern] = ()
    """The patterns, if they were asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleDecisions:
    """Decisions about one module."""

    module: str
    """The module."""

    accepted: int
    """How many were accepted."""

    rejected: int
    """How many were rejected."""

    held: int
    """How many are held."""

    reject_rate: float
    """Rejected over accepted and rejected, from 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPeriod:
    """Decisions of one period."""

    start: int
    """When it begins."""

    accepted: int
    """How many were accepted."""

    rejected: int
    """How many were rejected."""

    acceptance_rate: float
    """Accepted over accepted and rejected, from 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionStats:
    """Counts over all decisions."""

    total_records: int
    """All decisions."""

    accepted: int
    """How many were accepted."""

    rejected: int
    """How many were rejected."""

    held: int
    """How many are held."""

    modules: Sequence[ModuleDecisions] = ()
    """The modules by name."""

    rejection_reasons: Sequence[Tally] = ()
    """Rejections by the name of their pattern, most frequent first."""

    hardest_modules: Sequence[ModuleDecisions] = ()
    """The modules with at least 3 decisions, highest reject rate first. At most 10."""

    acceptance: Sequence[DecisionPeriod] = ()
    """At most 10 periods of equal length from the first to the last decision. Periods without decisions are left
    out. A rising rate means that the work converges.
    """

    last_updated: int | None = None
    """When the last decision was recorded."""
