"""`twiceshy:memory/content-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from .._codec import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyContent:
    """How to approach a kind of problem."""

    CASE: ClassVar[str] = "strategy"

    approach: str
    """The approach."""

    key_principles: Sequence[str] = ()
    """What matters."""

    trade_offs: str
    """What it costs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateContent:
    """A structure to fill in."""

    CASE: ClassVar[str] = "template"

    structure: Json = ""
    """The structure, such as subtasks with `{placeholders}`."""

    parameters: Sequence[str] = ()
    """The placeholders."""

    instantiation_rules: Sequence[str] = ()
    """How to fill them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeuristicContent:
    """If this, then that."""

    CASE: ClassVar[str] = "heuristic"

    condition: str
    """When."""

    action: str
    """What to do."""

    rationale: str
    """Why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureContent:
    """Steps to follow."""

    CASE: ClassVar[str] = "procedure"

    steps: Sequence[str] = ()
    """The steps, in order."""

    branching_logic: Sequence[str] = ()
    """Where it branches."""

    termination_conditions: Sequence[str] = ()
    """When it ends."""


PatternContent = StrategyContent | TemplateContent | HeuristicContent | ProcedureContent
"""What a pattern says to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guidance:
    """How to use a pattern."""

    when_to_apply: str
    """When."""

    how_to_apply: str
    """How to apply it."""

    expected_benefits: Sequence[str] = ()
    """What is gained."""

    potential_risks: Sequence[str] = ()
    """What may go wrong."""

    alternative_patterns: Sequence[str] = ()
    """Patterns to use instead, by id."""
