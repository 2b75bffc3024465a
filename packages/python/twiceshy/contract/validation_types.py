"""`twiceshy:memory/validation-types`: generated from the contract."""

from dataclasses import dataclass
from typing import Literal

from .lesson_types import LessonStatus
from .pattern_types import PatternEvidence


ValidationAnswer = Literal["validated", "candidate", "needs-review", "insufficient-evidence"]
"""The result of a validation.

* `validated`: The evidence is sufficient and significant, and the confidence high.
* `candidate`: Not yet certain.
* `needs-review`: It was validated before, and no longer is.
* `insufficient-evidence`: Fewer applications in the last 90 days than required.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationGate:
    """The conditions for validating a pattern. One for the whole memory."""

    least_applications: int
    """The least number of applications: 1 to 1,000. Initially 5."""

    least_success_rate: float
    """The least success rate. Initially 0.5."""

    significance: float
    """The p-value must be below this. Initially 0.05."""

    confidence: float
    """The confidence must be above this. Initially 0.7."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """A validation of a pattern."""

    pattern: str
    """The pattern."""

    answer: ValidationAnswer
    """The result."""

    from_status: LessonStatus
    """Its status before."""

    to_status: LessonStatus
    """Its status now."""

    evidence: PatternEvidence
    """The evidence for it."""

    reason: str
    """The reason, in words."""
