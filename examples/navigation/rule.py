"""Rules: what an agent understands of a lesson.

Owns taking `WRONG: … → CORRECT: …` and `AVOID: …` apart into a situation and actions. Nothing is understood of a rule
that is written otherwise.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ACTION = r"\[(?P<{0}_situation>[^\]]*)\] (?P<{0}>[^\s:]+)"
_FIX = re.compile(r"WRONG: " + _ACTION.format("wrong") + r" → CORRECT: " + _ACTION.format("right") + r"$")
_WARNING = re.compile(r"AVOID: " + _ACTION.format("wrong") + r":")


@dataclass(frozen=True)
class Rule:
    """What not to do in a situation, and what to do instead if that is known."""

    situation: str
    wrong: str
    right: str | None

    @classmethod
    def read(cls, text: str) -> Rule | None:
        """Reads a rule text."""
        if fix := _FIX.match(text):
            same = fix["wrong_situation"] == fix["right_situation"]
            return cls(fix["wrong_situation"], fix["wrong"], fix["right"] if same else None)
        if warning := _WARNING.match(text):
            return cls(warning["wrong_situation"], warning["wrong"], None)
        return None


def situation(ahead: str, carrying: str | None) -> str:
    """A situation as lessons name it."""
    return f"{ahead}, carrying {carrying}" if carrying else ahead
