"""`twiceshy:memory/episode-search-types`: generated from the contract."""

from dataclasses import dataclass

from .episode_types import Facet
from .memory import Episode, Outcome, Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeQuery:
    """Which episodes to search for."""

    text: str
    """The task in words. Empty: search by the other members only, newest first."""

    domain: str | None = None
    """Only episodes of this domain."""

    task_type: str | None = None
    """Only episodes with this type of task."""

    outcome: Outcome | None = None
    """Only episodes with this outcome."""

    session: str | None = None
    """Only episodes of this session."""

    agent: str | None = None
    """Only episodes of this agent."""

    tag: str | None = None
    """Only episodes with this tag."""

    tool: str | None = None
    """Only episodes in which this tool was used."""

    fingerprint: str | None = None
    """Only episodes that had this failure, by its fingerprint."""

    since: int | None = None
    """Only episodes that ended at this time or later."""

    until: int | None = None
    """Only episodes that ended at this time or earlier."""

    only_successful: bool | None = None
    """Only successful episodes."""

    prefer_recent: bool | None = None
    """Only episodes of the last days: 30, or `recent_days`."""

    recent_days: int | None = None
    """How many days count as recent."""

    archived: bool | None = None
    """Whether to search archived episodes, too."""

    facet: Facet | None = None
    """Which part to compare by meaning, if there are vectors. Default: the task."""

    preferred_domain: str | None = None
    """The domain to prefer, if `domain` does not restrict."""

    limit: int | None = None
    """At most this many. Default: 5. Maximum: 100."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevanceParts:
    """The parts of an episode's relevance, each from 0 to 1: `0.5·similarity + 0.2·recency + 0.15·success +
    0.1·access + 0.05·same-domain`.
    """

    similarity: float
    """How similar the tasks are."""

    recency: float
    """`e^(-age in days / 30)`."""

    success: float
    """1 if it succeeded."""

    access: float
    """`min(ln(1 + access-count) / 10, 1)`."""

    same_domain: float
    """1 if it has the domain in question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeHit:
    """An episode that was found."""

    episode: Episode
    """The episode."""

    score: float
    """Its relevance."""

    parts: RelevanceParts
    """The parts of the relevance."""

    phase: Phase
    """How old it is, and what follows from that."""

    by_meaning: bool
    """Whether it was compared by meaning (vectors) or by words only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureSignature:
    """A failure to find similar ones for."""

    evidence: str
    """The error text. May be empty if `fingerprint` is given."""

    fingerprint: str | None = None
    """Its fingerprint, if known."""

    domain: str | None = None
    """Only episodes of this domain."""

    limit: int | None = None
    """At most this many. Default: 5. Maximum: 100."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarFailure:
    """An episode with a similar failure."""

    episode: Episode
    """The episode."""

    similarity: float
    """How similar the failures are, from 0 to 1. 1 means the same fingerprint."""

    fingerprint: str
    """The failure, by its fingerprint."""

    step: int
    """The step that failed."""

    action_text: str
    """What was done."""

    resolution: str
    """What worked later in that episode. Empty if nothing did."""
