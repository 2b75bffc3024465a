"""The agent: it explores, finds a way to what it looks for, and tries what it can where something stops it.

Owns one run. It knows no rules of the world: not that a door is opened, a key picked up or lava deadly. Its map holds
what it has seen in this run; its beliefs, what it tried in this run and what the memory told. Without a memory it is
the same agent, and is told nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import route
from beliefs import FORWARD, TURNS, Beliefs, Prospect
from memory import Json, Memory
from world import FLOOR, HEADINGS, Cell, Moved, View, World

# What a way costs through a cell, in moves.
COSTS = {Prospect.OPEN: 1, Prospect.HANDLED: 2, Prospect.DOUBTFUL: 10}


@dataclass(frozen=True)
class Run:
    """How a run went."""

    errors: int
    steps: int
    reached: bool
    # Rules that were told, before the run and in it, as far as they were understood.
    told: int


class Agent:
    """An agent in one run."""

    def __init__(self, world: World, memory: Memory, target: str, chance: Random) -> None:
        self._world = world
        self._memory = memory
        self._target = target
        self._beliefs = Beliefs(world.actions, chance)
        self._map: dict[Cell, str] = {}
        self._waited = 0

    def run(self, layout: int) -> Run:
        """Works on the mission until it is fulfilled, impossible, or time is up."""
        mission, view = self._world.start(layout)
        told = self._beliefs.hear(self._memory.start(mission))
        self._look(view)
        errors = steps = 0
        reached = False
        while (action := self._choose(view)) is not None:
            moved = self._world.act(action)
            answer = self._memory.observe(step(view, action, moved))
            steps += 1
            errors += answer.failed
            told += self._beliefs.hear(answer.rules)
            self._beliefs.see(view.things[view.front], view.carrying, action, answer.failed)
            view = moved.view
            self._look(view)
            reached = moved.reached
            if moved.over:
                break
        self._memory.finish(reached)
        return Run(errors, steps, reached, told)

    def _look(self, view: View) -> None:
        # Where one stands at the beginning, one has never looked.
        self._map.setdefault(view.position, FLOOR)
        self._map.update(view.things)

    def _choose(self, view: View) -> str | None:
        """The next action: on the way to the target, else to something new; first where nothing speaks against it."""
        costs: dict[str, int | None] = {}

        def cost(cell: Cell) -> int | None:
            thing = self._map.get(cell)
            if thing is None:
                return None
            if thing not in costs:
                costs[thing] = COSTS.get(self._beliefs.prospect(thing, view.carrying))
            return costs[thing]

        def clear(cell: Cell) -> int | None:
            price = cost(cell)
            return None if price == COSTS[Prospect.DOUBTFUL] else price

        start = (view.position, view.heading)
        wishes = [self._is_frontier, lambda cell: self._is_promising(cell, view)]
        if any(self._is_target(cell) for cell in self._map):
            wishes.insert(0, self._is_target)
        for price in (clear, cost):
            move = route.first_move(start, price, wishes)
            if move is not None:
                self._waited = 0
                return self._beliefs.next_action(self._map[view.front], view.carrying) if move == FORWARD else move
        # There is nothing to do but to look around, once: what is in the way may go away.
        self._waited += 1
        return "left" if self._waited <= len(HEADINGS) else None

    def _is_target(self, cell: Cell) -> bool:
        return self._target in self._map[cell].split()

    def _is_frontier(self, cell: Cell) -> bool:
        return any((cell[0] + x, cell[1] + y) not in self._map for x, y in HEADINGS)

    def _is_promising(self, cell: Cell, view: View) -> bool:
        return self._beliefs.is_promising(self._map[cell], view.carrying)


def step(before: View, action: str, moved: Moved) -> Json:
    """A step in the words of the navigation adapter."""
    after = observation(moved.view)
    after["reached"] = moved.reached
    after["ended"] = moved.died
    if moved.hit:
        after["collision"] = before.things[before.front]
    turn = {"turn": TURNS[action]} if action in TURNS else {}
    return {"before": observation(before), "action": {"name": action, **turn}, "observation": after}


def observation(view: View) -> Json:
    """What is seen, in the words of the navigation adapter."""
    return {
        "position": view.position,
        "heading": view.heading * 90,
        "ahead": view.things[view.front],
        "carrying": [view.carrying] if view.carrying else [],
    }
