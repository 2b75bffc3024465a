"""`twiceshy:memory/failure-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal



@dataclass(frozen=True, slots=True, kw_only=True)
class NewFailure:
    """A failed attempt to record."""

    module_category: str
    """The group the module belongs to, such as `agents/e`. May be empty. At most 256 bytes."""

    module_name: str
    """The module. 1 to 256 bytes."""

    hypothesis: str
    """What was attempted. 1 to 2,000 characters."""

    failure_type: str | None = None
    """`syntax`, `type`, `import`, `test` or `unknown`. Default: found from the details."""

    failure_details: str
    """The error text. Long texts are shortened in the middle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedAttempt:
    """A failed attempt at a hypothesis. Immutable."""

    id: str
    """Its id."""

    module_category: str
    """The group the module belongs to."""

    module_name: str
    """The module."""

    hypothesis: str
    """What was attempted."""

    failure_type: str
    """`syntax`, `type`, `import`, `test` or `unknown`."""

    failure_details: str
    """The error text."""

    fingerprint: str
    """The fingerprint of the details: the pattern it belongs to."""

    timestamp: int
    """When it was recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternFilter:
    """Which patterns to list. Members that are left out do not restrict."""

    module_name: str | None = None
    """Only failures of this module."""

    failure_type: str | None = None
    """Only failures of this type."""

    min_count: int | None = None
    """Only patterns that occurred at least this often. Default: 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailurePattern:
    """A way in which attempts fail."""

    fingerprint: str
    """The fingerprint that its failures share."""

    template: str
    """The readable form of its fingerprint."""

    failure_type: str
    """The type of its newest failure."""

    count: int
    """How many failures."""

    modules: Sequence[str] = ()
    """The modules it occurred in, sorted."""

    example_details: Sequence[str] = ()
    """Different details, verbatim, newest first. At most 5."""

    last_seen: int
    """When it last occurred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WarningQuery:
    """A hypothesis about to be attempted."""

    module_name: str
    """The module."""

    hypothesis: str
    """What is about to be attempted."""

    min_count: int | None = None
    """How often a pattern must have occurred to cause a warning. Default: 3."""

    days: int | None = None
    """Within how many days. Default: 30."""

    medium_from: int | None = None
    """The number of failures from which a warning has medium severity. Default: 5."""

    high_from: int | None = None
    """The number of failures from which it has high severity. Default: 10."""


Severity = Literal["low", "medium", "high"]
"""How serious a warning is.

* `low`: It happened.
* `medium`: It happens regularly.
* `high`: It fails almost every time.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureWarning:
    """A warning before an attempt."""

    hypothesis: str
    """The hypothesis about to be attempted."""

    failure_type: str
    """The type of failure to expect."""

    similar_failures: Sequence[FailurePattern] = ()
    """The failure patterns of earlier attempts, most frequent first."""

    confidence: float
    """How certain the warning is, from 0 to 1: `similarity · n / (n + 1) · e^(−age / days)`, with the similarity of
    the most similar hypothesis, the number of failures, and the age of the last failure.
    """

    severity: Severity
    """How serious it is, by the number of failures."""
