"""Beliefs: what an agent takes to be so in one run, from what it tried and from what it was told.

Owns, for each situation, which action leads on, which ones do not, and whether to go around. A situation is what
stands right before the agent and what it carries. Of the actions the agent knows only what its own legs do: `forward`
leads on, `left` and `right` turn away. What the others are for, it finds out or is told.
"""

from __future__ import annotations

from enum import Enum, auto
from random import Random

from rule import Rule, situation

FORWARD = "forward"

# The turns, in degrees.
TURNS = {"left": -90, "right": 90}


class Prospect(Enum):
    """What is to be expected of something in the way."""

    # It was passed before, or there is no reason why not.
    OPEN = auto()
    # Something else than going on has to be done first, and is known.
    HANDLED = auto()
    # It did not let one pass with other things in hand; with these it was not tried.
    DOUBTFUL = auto()
    # Nothing leads through.
    CLOSED = auto()


class Beliefs:
    """What is believed in one run."""

    def __init__(self, actions: list[str], chance: Random) -> None:
        others = [action for action in actions if action != FORWARD and action not in TURNS]
        chance.shuffle(others)
        # What is tried where nothing is known, in this order.
        self._habits = [FORWARD, *others]
        self._works: dict[str, str] = {}
        self._fails: dict[str, set[str]] = {}
        self._told: dict[str, list[Rule]] = {}
        # Things that were found closed with something in hand, or with nothing.
        self._closed: set[str] = set()

    def hear(self, rules: list[str]) -> int:
        """Takes rules to heart, the newest first; how many were understood."""
        heard = [rule for rule in map(Rule.read, rules) if rule is not None]
        for rule in reversed(heard):
            known = self._told.setdefault(rule.situation, [])
            if rule in known:
                known.remove(rule)
            known.insert(0, rule)
        return len(heard)

    def see(self, ahead: str, carrying: str | None, action: str, failed: bool) -> None:
        """Takes in what came of an action."""
        here = situation(ahead, carrying)
        if action in TURNS:
            return
        if failed:
            self._fails.setdefault(here, set()).add(action)
            if self._works.get(here) == action:
                del self._works[here]
            if self.next_action(ahead, carrying) is None:
                self._closed.add(ahead)
        else:
            self._works[here] = action

    def next_action(self, ahead: str, carrying: str | None) -> str | None:
        """What to do to get on; none if nothing is left to try."""
        here = situation(ahead, carrying)
        if here in self._works:
            return self._works[here]
        fails = self._fails.get(here, set())
        told = self._told.get(here, [])
        for rule in told:
            if rule.right is not None and rule.right not in TURNS and rule.right not in fails:
                return rule.right
        # Who is told to turn away, or to stay away, goes around.
        if any(rule.right in TURNS or (rule.right is None and rule.wrong == FORWARD) for rule in told):
            return None
        wrong = {rule.wrong for rule in told}
        return next((habit for habit in self._habits if habit not in fails and habit not in wrong), None)

    def prospect(self, thing: str, carrying: str | None) -> Prospect:
        """What is to be expected of a thing in the way."""
        here = situation(thing, carrying)
        action = self.next_action(thing, carrying)
        if action is None:
            return Prospect.CLOSED
        if here in self._works or here in self._told:
            return Prospect.OPEN if action == FORWARD else Prospect.HANDLED
        is_doubtful = thing in self._closed or self.next_action(thing, None) is None
        return Prospect.DOUBTFUL if is_doubtful else Prospect.OPEN

    def is_promising(self, thing: str, carrying: str | None) -> bool:
        """Whether something can be done with a thing itself, or was never tried."""
        here = situation(thing, carrying)
        action = self.next_action(thing, carrying)
        return action is not None and (here not in self._works or action != FORWARD)
