"""`twiceshy:memory/pattern-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .content_types import Guidance, PatternContent
from .lesson_types import Lesson, LessonKind, Scope, Source


FeatureTest = Literal["equals", "differs", "contains", "at-least", "at-most", "present", "absent"]
"""A test on a feature.

* `equals`: Equal to the value, ignoring case.
* `differs`: Present, and not equal to the value.
* `contains`: Contains the value.
* `at-least`: A number, at least the value.
* `at-most`: A number, at most the value.
* `present`: Present.
* `absent`: Not present.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A condition on one feature of a task."""

    feature: str
    """The feature, such as `language`."""

    test: FeatureTest
    """The test."""

    value: str
    """The value; empty for `present` and `absent`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A feature of a task."""

    name: str
    """Its name, such as `language`."""

    value: str
    """Its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applicability:
    """When a pattern applies. Empty members do not restrict."""

    problem_types: Sequence[str] = ()
    """The types of task it is for. At most 32."""

    domains: Sequence[str] = ()
    """The domains it is for. At most 32."""

    least_complexity: float | None = None
    """The least complexity it is for, from 0 to 1."""

    most_complexity: float | None = None
    """The greatest complexity it is for, from 0 to 1."""

    required_capabilities: Sequence[str] = ()
    """What the agent must be able to do. At most 32."""

    context_conditions: Sequence[Requirement] = ()
    """All of these must hold. At most 32."""

    anti_conditions: Sequence[Requirement] = ()
    """None of these may hold. At most 32."""

    conditions: Sequence[str] = ()
    """Conditions in words, for a reader. At most 32."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternEvidence:
    """The evidence from the applications of a pattern."""

    supporting_episodes: Sequence[str] = ()
    """Episodes that support it, newest last. At most 256."""

    counter_episodes: Sequence[str] = ()
    """Episodes that contradict it, newest last. At most 256."""

    applications: int
    """Applications in the last 90 days, since its evidence was last reset; each episode counts once. At most 1,000."""

    successes: int
    """How many of them succeeded."""

    success_rate: float
    """Successes over applications. 0 without applications."""

    average_time_saving: float
    """How much faster an application is than the same type of task without it, in milliseconds. 0 if unknown."""

    average_cost_saving: float
    """How much cheaper an application is. 0 if unknown."""

    success_rate_improvement: float
    """The success rate minus the base rate. 0 if unknown."""

    base_rate: float | None = None
    """The share of successes among the newest episodes of the same type of task and domain without it. Missing if
    there are fewer than 5.
    """

    confidence: float
    """`0.5·success-rate + 0.3·(1 − e^(−n/20)) + 0.2·(1 − p)`, from 0 to 1. Without applications, what was claimed
    when it was added.
    """

    significance: float
    """The one-sided binomial p-value against a rate of 0.5; 1 without applications."""

    base_significance: float | None = None
    """The p-value against the base rate. Missing if that is unknown."""

    last_validated: int | None = None
    """When it was last validated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A pattern: a lesson with conditions of use and statistics of its applications."""

    lesson: Lesson
    """The lesson. Its id, kind, scope and status are those of the pattern."""

    name: str
    """Its name."""

    version: int
    """The version: 1 at first, one more after each update."""

    summary: str
    """A summary in one or two sentences."""

    explanation: str
    """A longer explanation."""

    correct_approach: str
    """The right way, if there is also a wrong way."""

    incorrect_approach: str
    """The wrong way."""

    applicability: Applicability
    """When it applies."""

    content: PatternContent | None = None
    """What it says to do."""

    guidance: Guidance
    """How to use it."""

    evidence: PatternEvidence
    """The evidence from its applications."""

    usage_count: int
    """How often it was applied or shown."""

    last_used: int | None = None
    """When it was last used."""

    superseded_by: str | None = None
    """The pattern that supersedes it."""

    deprecation_reason: str | None = None
    """Why it is deprecated."""

    specializes: str | None = None
    """The pattern it is a special case of."""

    generalizes: Sequence[str] = ()
    """The patterns it is a more general form of."""

    contradicts: Sequence[str] = ()
    """The patterns it is incompatible with."""

    complements: Sequence[str] = ()
    """The patterns it works well with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPattern:
    """A pattern to add. Only `name`, `kind` and `summary` are required."""

    id: str | None = None
    """Its id, with the same rules as for a run. Default: computed from its content."""

    name: str
    """Its name. 1 to 200 characters."""

    kind: LessonKind
    """What kind of lesson it is."""

    summary: str
    """A summary in one or two sentences. 1 to 1,000 characters."""

    explanation: str | None = None
    """A longer explanation. At most 16 KiB."""

    correct_approach: str | None = None
    """The right way, if there is also a wrong way."""

    incorrect_approach: str | None = None
    """The wrong way."""

    applicability: Applicability | None = None
    """When it applies."""

    content: PatternContent | None = None
    """What it says to do."""

    guidance: Guidance | None = None
    """How to use it."""

    scope: Scope | None = None
    """The tasks it is for. Default: `global`."""

    domain: str | None = None
    """The domain it was learned in."""

    tags: Sequence[str] = ()
    """The kinds of failure it is for. At most 32."""

    trigger_fingerprints: Sequence[str] = ()
    """The fingerprints that trigger it. At most 32."""

    source_episodes: Sequence[str] = ()
    """The episodes it comes from. At most 64."""

    confidence: float | None = None
    """How certain it is, from 0 to 1, until it is applied. Default: 0."""

    source: Source | None = None
    """Who proposes it. Default: `agent`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternUpdate:
    """What to change in a pattern. Members that are left out stay."""

    name: str | None = None
    """Its name."""

    summary: str | None = None
    """A summary in one or two sentences."""

    explanation: str | None = None
    """A longer explanation."""

    correct_approach: str | None = None
    """The right way."""

    incorrect_approach: str | None = None
    """The wrong way."""

    applicability: Applicability | None = None
    """When it applies."""

    content: PatternContent | None = None
    """What it says to do."""

    guidance: Guidance | None = None
    """How to use it."""

    reason: str
    """Why it is changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFeatures:
    """A task to find patterns for."""

    task: str
    """The task in words. May be empty."""

    task_type: str
    """The type of task. Empty: only patterns for any type."""

    domain: str
    """Its domain. Empty: only patterns for any domain."""

    complexity: float | None = None
    """How hard it is, from 0 to 1. Default: not considered."""

    capabilities: Sequence[str] = ()
    """What the agent can do. Empty: not considered."""

    features: Sequence[Feature] = ()
    """Anything else that is known about it besides `task`, `task_type`, `domain` and `complexity`. At most 64."""

    category: LessonKind | None = None
    """Only patterns of this kind. Then candidates are included."""

    limit: int | None = None
    """At most this many. Default: 5. Maximum: 100."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankParts:
    """The parts of a pattern's rank, each from 0 to 1: `0.4·confidence + 0.3·success-rate + 0.15·usage + 0.1·recency
    + 0.05·match-quality`.
    """

    confidence: float
    """How certain it is."""

    success_rate: float
    """How often it works."""

    usage: float
    """`min(ln(1 + usage-count) / 10, 1)`."""

    recency: float
    """`e^(-days since validation / 90)`."""

    match_quality: float
    """How well it fits the task: the mean of the conditions that it names (type, domain, complexity and others; each
    0 or 1) and of the similarity in words, if the task has words.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicablePattern:
    """A pattern that applies."""

    pattern: Pattern
    """The pattern."""

    score: float
    """Its rank."""

    parts: RankParts
    """What that is made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternVersion:
    """A version of a pattern that was replaced by an update."""

    version: int
    """Its number."""

    pattern: Pattern
    """The pattern as it was."""

    reason: str
    """Why it was changed."""

    until: int
    """When it was replaced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarPattern:
    """A pattern that is similar to another."""

    pattern: Pattern
    """The pattern."""

    similarity: float
    """How similar it is, from 0 to 1."""
