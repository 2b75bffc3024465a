"""`twiceshy:memory/hint-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .lesson_types import Lesson
from .memory import Episode, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureContext:
    """A failure to recall lessons for."""

    evidence: str
    """The error text."""

    fingerprint: str | None = None
    """Its fingerprint, if known. Default: computed from the evidence."""

    action_text: str | None = None
    """The action that failed, in one line. Of the lessons for the same failure, those about a similar action come
    first.
    """

    domain: str
    """The domain of the failed step."""

    task: str
    """The task being worked on. May be empty."""

    limit: int | None = None
    """At most this many. Default: 3. Maximum: 32."""

    tokens: int | None = None
    """At most this many tokens of rules (an estimate). Default: no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskContext:
    """A task to recall lessons for, before it begins."""

    task: str
    """The task in words."""

    domain: str
    """The domain of its steps."""

    recent_fingerprints: Sequence[str] = ()
    """The fingerprints of recent failures, newest first. At most 32."""

    limit: int | None = None
    """At most this many. Default: 8. Maximum: 32."""

    tokens: int | None = None
    """At most this many tokens of rules (an estimate). Default: no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefingRequest:
    """The size of a briefing."""

    limit: int | None = None
    """At most this many lessons. Default: 8. Maximum: 32."""

    tokens: int | None = None
    """At most this many tokens (an estimate). Default: 1,000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreParts:
    """The parts of a score, each from 0 to 1: `0.40·fingerprint-match + 0.25·tag-overlap + 0.20·text-similarity +
    0.10·reliability + 0.05·recency`.
    """

    fingerprint_match: float
    """1 if exactly this fingerprint triggers the lesson."""

    tag_overlap: float
    """The share of common tags."""

    text_similarity: float
    """How similar the words are."""

    reliability: float
    """How reliable the lesson is."""

    recency: float
    """How new its evidence is."""


Lane = Literal["strict", "cross-domain"]
"""Where a hint comes from.

* `strict`: The lesson is for this domain, or for all domains.
* `cross-domain`: The lesson is for another domain, and no lesson for this domain fits well.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A hint: a lesson that may help now."""

    lesson: Lesson
    """The lesson."""

    text: str
    """What it says here: its rule with the names of the failure at hand, so that what is right can be pasted. Its
    rule as it is, if nothing failed yet or the rule has no such form.
    """

    score: float
    """The score with which it was chosen."""

    parts: ScoreParts
    """The parts of the score."""

    lane: Lane
    """Whether it is from this domain or from another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """A briefing: the lessons to know before a run."""

    hints: Sequence[Hint] = ()
    """The lessons, best first."""

    text: str
    """The lessons as text for an agent's context, marked so that the memory never learns from its own words. Empty
    if there are none.
    """

    tokens: int
    """The size of the text in tokens (an estimate)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """How the memory reacts to a step."""

    index: int
    """The index of the step in the run, from 0."""

    failure: Event | None = None
    """The event, if the step failed."""

    hints: Sequence[Hint] = ()
    """Hints, best first. Empty if the step did not fail."""

    text: str
    """The hints as text for an agent's context, marked so that the memory never learns from its own words. Empty if
    there are none.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """A whole run that was submitted at once."""

    episode: Episode
    """The episode it became."""

    reactions: Sequence[Reaction] = ()
    """The reaction to each step."""
