"""The experiment: the same agent with and without a memory, in several environments and layouts.

Owns the plan: which environments, which layouts, in which order. For each seed and environment there is one memory,
which is empty at first. The runs of learning go through a few layouts in turn; the runs after them are in layouts
that no run has seen before.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from agent import Agent, Run
from memory import Forgetting, Memory, Program, Remembering
from world import World

# Layouts that the runs of learning go through in turn.
LAYOUTS = 3

ARMS = ("with", "without")


@dataclass(frozen=True)
class Environment:
    """An environment, and the word for what its mission asks to get at."""

    name: str
    target: str = "goal"

    @property
    def short(self) -> str:
        """Its name without what all of them have."""
        return self.name.removeprefix("MiniGrid-").rpartition("-v")[0]


ENVIRONMENTS = tuple(
    Environment(*given)
    for given in (
        ("MiniGrid-SimpleCrossingS9N2-v0",),
        ("MiniGrid-FourRooms-v0",),
        ("MiniGrid-MultiRoom-N4-S5-v1",),
        ("MiniGrid-Unlock-v0", "door"),
        ("MiniGrid-DoorKey-6x6-v0",),
        ("MiniGrid-DoorKey-8x8-v0",),
        ("MiniGrid-LavaGapS6-v0",),
        ("MiniGrid-LavaCrossingS9N2-v0",),
        ("MiniGrid-Dynamic-Obstacles-6x6-v0",),
    )
)


@dataclass(frozen=True)
class Plan:
    """How much is done."""

    environments: tuple[Environment, ...] = ENVIRONMENTS
    seeds: int = 10
    learning: int = 9
    held_out: int = 6


@dataclass(frozen=True)
class Record:
    """One run, and where it stands in the plan."""

    environment: str
    seed: int
    arm: str
    number: int
    held_out: bool
    run: Run


def records(plan: Plan, executable: str) -> Iterator[Record]:
    """Does everything, run by run."""
    for environment in plan.environments:
        world = World(environment.name)
        for seed in range(plan.seeds):
            for arm in ARMS:
                with tempfile.TemporaryDirectory() as directory:
                    program = Program(executable, Path(directory))
                    name = f"{environment.short}-{seed}"
                    memory = Remembering(program, name) if arm == "with" else Forgetting(program)
                    yield from _series(plan, environment, world, seed, arm, memory)
                    program.close()
        world.close()


def _series(
    plan: Plan, environment: Environment, world: World, seed: int, arm: str, memory: Memory
) -> Iterator[Record]:
    """The runs on one memory."""
    for number in range(plan.learning + plan.held_out):
        held_out = number >= plan.learning
        layout = 1000 * (seed + 1) + (LAYOUTS + number if held_out else number % LAYOUTS)
        # Both arms have the same habits in the same run.
        chance = Random(f"{environment.name} {seed} {number}")
        run = Agent(world, memory, environment.target, chance).run(layout)
        yield Record(environment.short, seed, arm, number + 1, held_out, run)
