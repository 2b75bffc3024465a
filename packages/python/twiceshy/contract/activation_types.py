"""`twiceshy:memory/activation-types`: generated from the contract."""

from dataclasses import dataclass
from typing import Literal



Moment = Literal["before-run", "on-error"]
"""When a lesson is shown.

* `before-run`: In the briefing, before a run or between its steps.
* `on-error`: After a failed step.
"""


Verdict = Literal["helped", "harmed", "neutral", "no-opportunity"]
"""The effect of a lesson on one run.

* `helped`: The run went better than runs without the lesson.
* `harmed`: The run went worse.
* `neutral`: The lesson made no difference.
* `no-opportunity`: The lesson was not relevant: none of its failures happened or was to be expected.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivationOutcome:
    """How a run with a lesson went, compared with runs without it."""

    verdict: Verdict
    """The verdict."""

    utility: float | None = None
    """`0.65·error-reduction + 0.35·step-efficiency-gain`, or with a referee's score `0.50·error-reduction +
    0.30·step-efficiency-gain + 0.20·referee-score-gain`.
    """

    error_reduction: float
    """The lesson's share in the failures avoided, from -1 to 1."""

    step_efficiency_gain: float
    """The lesson's share in the steps saved, from -1 to 1."""

    referee_score_gain: float | None = None
    """The lesson's share in the better score, if a referee other than the signals gave one."""

    errors: int
    """Failures of this run that the lesson is about."""

    baseline_errors: float
    """How many such failures were expected without the lesson."""

    baseline_runs: int
    """The number of runs that this expectation is based on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Activation:
    """An activation: a lesson was shown in a run, or withheld from it for comparison."""

    id: str
    """Its id."""

    lesson: str
    """The lesson."""

    run: str
    """The run."""

    step: int
    """How many steps the run had when the lesson was first shown."""

    moment: Moment
    """At what moment it was first shown."""

    fingerprint: str | None = None
    """The failure after which it was first shown, by fingerprint."""

    withheld: bool
    """Whether it was withheld during the whole run."""

    showings: int
    """How often it was shown, or would have been shown."""

    at: int
    """When it was first shown."""

    score: float
    """The score with which it was chosen."""

    outcome: ActivationOutcome | None = None
    """Its effect. Missing until the run has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierActivations:
    """Activations of a lesson that are no longer kept one by one: what they add up to. Of which runs they were,
    after which failure each came and what it was worth is not known any more; nothing that a lesson is judged by
    is lost.
    """

    shown_runs: int
    """Runs in which it was shown."""

    showings: int
    """How often it was shown in them."""

    withheld_runs: int
    """Runs from which it was withheld for comparison."""

    helped: int
    """Runs in which it was shown and helped."""

    harmed: int
    """Runs in which it was shown and harmed."""

    neutral: int
    """Runs in which it was shown and made no difference."""

    since: int
    """When the first of them was."""

    until: int
    """When the last of them was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivationFilter:
    """Which activations to list. Members that are left out do not restrict."""

    lesson: str | None = None
    """Only activations of this lesson."""

    run: str | None = None
    """Only activations of this run."""

    limit: int | None = None
    """At most this many. Default: 50. Maximum: 1,000."""
