"""`twiceshy:memory/link-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal



Relation = Literal[
    "derived-from",
    "related-to",
    "contradicts",
    "elaborates",
    "example-of",
    "supersedes",
    "superseded-by",
    "specializes",
    "generalizes",
    "complements",
]
"""A relation from one memory to another.

* `derived-from`: It was made from the other.
* `related-to`: They are about the same thing.
* `contradicts`: They can't both be right. Holds in both directions.
* `elaborates`: It says more about the other.
* `example-of`: It is a case of the other.
* `supersedes`: It takes the other's place.
* `superseded-by`: The other takes its place.
* `specializes`: It is a special case of the other.
* `generalizes`: It is a more general form of the other.
* `complements`: They help each other.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A relation between two memories: lessons, skills or episodes."""

    source: str
    """The memory from which the relation is stated."""

    relation: Relation
    """The relation."""

    target: str
    """The other memory."""

    reason: str
    """The reason, in words."""

    at: int
    """When the link was made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedMemory:
    """A memory that was reached through links."""

    id: str
    """Its id: a lesson, an episode or a skill."""

    kind: str
    """`lesson`, `episode` or `skill`."""

    summary: str
    """A summary in one line."""

    distance: int
    """How many links away it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """The memories that can be reached from one."""

    memories: Sequence[LinkedMemory] = ()
    """The memories, nearest first. The first one is the start."""

    links: Sequence[Link] = ()
    """The links between them."""

    more: bool
    """Whether the limit left out some memories."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """Where to start, and how far to go."""

    memory: str
    """The memory to start from."""

    depth: int | None = None
    """How many links to follow. Default: 2. Maximum: 8."""

    relations: Sequence[Relation] = ()
    """Only follow these relations. Empty: all."""

    limit: int | None = None
    """At most this many memories. Default: 50. Maximum: 1,000."""
