"""`twiceshy:memory/skill-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass

from .lesson_types import LessonStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFix:
    """A common error and its fix."""

    error: str
    """The error."""

    fix: str
    """The fix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A skill: a procedure in steps, as Markdown that a person can edit. It is a lesson of the kind `skill`."""

    id: str
    """Its id as a lesson."""

    slug: str
    """Its name, also as a file name, such as `api-implementation`."""

    title: str
    """Its title."""

    prerequisites: Sequence[str] = ()
    """What is needed before."""

    steps: Sequence[str] = ()
    """The steps."""

    common_errors: Sequence[ErrorFix] = ()
    """Common errors and their fixes."""

    exit_criteria: Sequence[str] = ()
    """When it is done."""

    markdown: str
    """The text as it was written."""

    version: int
    """The version: 1 at first, one more after each change."""

    status: LessonStatus
    """Its status."""

    updated_at: int
    """When it was last changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillHit:
    """A skill that was found."""

    skill: Skill
    """The skill."""

    score: float
    """How well it fits, from 0 to 1."""

    keywords: Sequence[str] = ()
    """The keywords by which it was found."""
