"""`twiceshy:memory/remem-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .experience_types import EditReport


@dataclass(frozen=True, slots=True, kw_only=True)
class RememRequest:
    """A task for ReMem, the loop in which the model may edit experience before it acts."""

    task: str
    """The task."""

    tools: Sequence[str] = ()
    """The tools that the caller has, in words. Only the caller uses them."""

    max_inner_steps: int | None = None
    """How many steps the loop may take. Default: as in the settings."""


RememAction = Literal["think", "refine-memory", "act"]
"""What the loop does in one step.

* `think`: Reason and divide the task.
* `refine-memory`: Edit the experience.
* `act`: Answer.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RememStep:
    """A step of the loop."""

    action: RememAction
    """What it did."""

    content: str
    """What the model said."""

    edits: EditReport | None = None
    """What its edits did, if there were any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RememResult:
    """The result of the loop."""

    output: str
    """The answer."""

    trace: Sequence[RememStep] = ()
    """The steps."""

    complete: bool
    """Whether the model answered before its steps were used up."""

    entries: Sequence[str] = ()
    """The entries that the model was shown last."""

    stored: str | None = None
    """The entry that it became, with its strategy card."""
