"""Figures: means over seeds with their 95 % intervals, and what they say.

Owns the statistics. A mean is over seeds, so that the runs on one memory count as one observation; intervals are by
bootstrap, with a fixed seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from agent import Run
from experiment import ARMS, Record

RESAMPLES = 2000


@dataclass(frozen=True)
class Mean:
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """The mean of observations."""
        chance = Random(0)
        count = len(values)
        means = sorted(sum(chance.choices(values, k=count)) / count for _ in range(RESAMPLES))
        return cls(sum(values) / count, means[RESAMPLES // 40], means[-RESAMPLES // 40 - 1])


@dataclass(frozen=True)
class Arm:
    """How the runs of one arm went."""

    # Errors a run, for each number of a run.
    errors_by_run: list[Mean]
    first: Mean
    learned: Mean
    held_out: Mean
    steps: Mean
    success: Mean


@dataclass(frozen=True)
class Figures:
    """One environment: both arms, and the difference in errors on layouts never seen before, seed by seed."""

    environment: str
    with_memory: Arm
    without: Arm
    difference: Mean


def figures(records: Sequence[Record]) -> list[Figures]:
    """The figures of each environment, in the order in which they were done."""
    names = list(dict.fromkeys(record.environment for record in records))
    return [_figures(name, [record for record in records if record.environment == name]) for name in names]


def _figures(name: str, records: Sequence[Record]) -> Figures:
    arms = {arm: [record for record in records if record.arm == arm] for arm in ARMS}
    with_memory, without = (
        _by_seed([one for one in arms[arm] if one.held_out], lambda run: run.errors) for arm in ARMS
    )
    return Figures(
        environment=name,
        with_memory=_arm(arms["with"]),
        without=_arm(arms["without"]),
        difference=Mean.of([one - other for one, other in zip(with_memory, without)]),
    )


def _arm(records: Sequence[Record]) -> Arm:
    learning = [record for record in records if not record.held_out]
    held_out = [record for record in records if record.held_out]
    last = max(record.number for record in learning)
    numbers = sorted({record.number for record in records})

    def errors(run: Run) -> float:
        return run.errors

    def of_run(number: int) -> Mean:
        return Mean.of(_by_seed([record for record in records if record.number == number], errors))

    return Arm(
        errors_by_run=[of_run(number) for number in numbers],
        first=of_run(1),
        learned=Mean.of(_by_seed([record for record in learning if record.number > last - 3], errors)),
        held_out=Mean.of(_by_seed(held_out, errors)),
        steps=Mean.of(_by_seed(held_out, lambda run: run.steps)),
        success=Mean.of(_by_seed(held_out, lambda run: run.reached)),
    )


def _by_seed(records: Sequence[Record], value: Callable[[Run], float]) -> list[float]:
    """The mean of a value for each seed."""
    seeds = sorted({record.seed for record in records})
    of_seed = [[value(record.run) for record in records if record.seed == seed] for seed in seeds]
    return [sum(values) / len(values) for values in of_seed]
