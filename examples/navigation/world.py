"""The world: a MiniGrid environment as an agent sees it.

Owns how an observation of MiniGrid becomes names of things on a map. What the things mean is nobody's business
here: a `wall` is a word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gymnasium
import minigrid  # noqa: F401 (it registers the environments)
from minigrid.core.actions import Actions
from minigrid.core.constants import IDX_TO_OBJECT, STATE_TO_IDX

Cell = tuple[int, int]

# Where the four headings lead, in MiniGrid's order: each is a quarter to the right of the one before.
HEADINGS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))

FLOOR = "floor"


@dataclass(frozen=True)
class View:
    """What is seen at one moment."""

    position: Cell
    heading: int
    carrying: str | None
    things: dict[Cell, str]

    @property
    def front(self) -> Cell:
        """The cell right before the agent."""
        x, y = HEADINGS[self.heading]
        return self.position[0] + x, self.position[1] + y


@dataclass(frozen=True)
class Moved:
    """What came of an action."""

    view: View
    # The mission is fulfilled.
    reached: bool
    # It ended the world, and not by fulfilling the mission.
    died: bool
    # It hit something, as far as the world says so.
    hit: bool
    # Nothing more can be done: also because time is up.
    over: bool


class World:
    """One environment, in one layout at a time."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._env = gymnasium.make(name)
        space: Any = self._env.action_space
        self.actions = [action.name for action in Actions if action < space.n]

    def start(self, layout: int) -> tuple[str, View]:
        """Begins anew in a layout: the mission in words, and what is seen."""
        seen, _ = self._env.reset(seed=layout)
        return str(seen["mission"]), self._view(seen)

    def act(self, action: str) -> Moved:
        """Does something."""
        seen, reward, terminated, truncated, _ = self._env.step(Actions[action])
        reached = float(reward) > 0
        return Moved(
            view=self._view(seen),
            reached=reached,
            died=terminated and not reached,
            hit=float(reward) < 0,
            over=terminated or truncated,
        )

    def close(self) -> None:
        """Ends it."""
        self._env.close()

    def _view(self, seen: dict[str, Any]) -> View:
        at: Any = self._env.unwrapped
        position = (int(at.agent_pos[0]), int(at.agent_pos[1]))
        heading = int(seen["direction"])
        image = seen["image"]
        own = (image.shape[0] // 2, image.shape[1] - 1)
        held = _name(image[own])
        return View(
            position=position,
            heading=heading,
            carrying=None if held == FLOOR else held,
            things=dict(_cells(image, position, heading)),
        )


def _cells(image: Any, position: Cell, heading: int) -> Iterator[tuple[Cell, str]]:
    """What is seen, by where it is: the picture has the agent at the bottom in the middle, looking up."""
    ahead, right = HEADINGS[heading], HEADINGS[(heading + 1) % 4]
    width, depth = image.shape[0], image.shape[1]
    for across in range(width):
        for down in range(depth):
            far, aside = depth - 1 - down, across - width // 2
            name = _name(image[across, down])
            if name is not None and (far, aside) != (0, 0):
                yield (
                    (
                        position[0] + far * ahead[0] + aside * right[0],
                        position[1] + far * ahead[1] + aside * right[1],
                    ),
                    name,
                )


def _name(encoded: Any) -> str | None:
    """The name of a thing, with its state if it has one; none if it is not seen."""
    kind = IDX_TO_OBJECT[int(encoded[0])]
    if kind == "unseen":
        return None
    if kind == "empty":
        return FLOOR
    if kind == "door":
        states = {number: state for state, number in STATE_TO_IDX.items()}
        return f"{states[int(encoded[2])]} door"
    return kind
