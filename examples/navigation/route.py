"""Routes: the cheapest way over a map of what was seen.

Owns the search for a way, turns included. What a cell costs is said by the caller.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence

from world import HEADINGS, Cell

Pose = tuple[Cell, int]


def first_move(start: Pose, cost: Callable[[Cell], int | None], wishes: Sequence[Callable[[Cell], bool]]) -> str | None:
    """The first move of the cheapest way into a cell that is wished for: `left`, `right`, `forward`, or none.

    An earlier wish comes before a later one, however far it is. A cell without a cost can't be entered.
    """
    queue: list[tuple[int, int, Pose, str]] = [(0, 0, start, "")]
    done: set[Pose] = set()
    found: dict[int, str] = {}
    pushed = 0
    while queue and 0 not in found:
        spent, _, pose, first = heapq.heappop(queue)
        if pose in done:
            continue
        done.add(pose)
        cell, heading = pose
        if cell != start[0]:
            for place, wish in enumerate(wishes):
                if place not in found and wish(cell):
                    found[place] = first
        ahead = (cell[0] + HEADINGS[heading][0], cell[1] + HEADINGS[heading][1])
        moves = [("left", (cell, (heading - 1) % 4), 1), ("right", (cell, (heading + 1) % 4), 1)]
        price = cost(ahead)
        if price is not None:
            moves.insert(0, ("forward", (ahead, heading), price))
        for move, pose, price in moves:
            if pose not in done:
                pushed += 1
                heapq.heappush(queue, (spent + price, pushed, pose, first or move))
    return found[min(found)] if found else None
