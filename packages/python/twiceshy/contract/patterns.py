"""`twiceshy:memory/patterns`: generated from the contract."""

from collections.abc import Sequence

from .._calls import AsyncInterface, Interface
from .lesson_types import LessonKind, LessonStatus
from .memory import Outcome
from .pattern_types import (
    ApplicablePattern,
    NewPattern,
    Pattern,
    PatternUpdate,
    PatternVersion,
    SimilarPattern,
    TaskFeatures,
)
from .validation_types import Validation, ValidationGate


class Patterns(Interface):
    """Patterns: lessons with conditions of use, content and statistics. A pattern and its lesson are one: they are
    shown, promoted and suppressed together.
    """

    def add(self, pattern: NewPattern) -> Pattern:
        """Adds a pattern as a candidate. A pattern with the same content is not stored twice: its episodes are added
        to the known one.
        """
        return self._call("patterns.add", Pattern, pattern=pattern)

    def get(self, pattern: str) -> Pattern:
        """Returns a pattern by its id. Any lesson can be read as a pattern."""
        return self._call("patterns.get", Pattern, pattern=pattern)

    def find(self, kind: LessonKind | None, status: LessonStatus | None, limit: int) -> Sequence[Pattern]:
        """Lists patterns of a kind and status (default: any), most recently changed first. At most 1,000."""
        return self._list("patterns.find", Pattern, kind=kind, status=status, limit=limit)

    def find_applicable(self, task: TaskFeatures) -> Sequence[ApplicablePattern]:
        """Finds patterns that apply to a task, best first: promoted ones, and candidates as well if a category is
        given. Changes nothing.
        """
        return self._list("patterns.find-applicable", ApplicablePattern, task=task)

    def update(self, pattern: str, update: PatternUpdate) -> Pattern:
        """Changes a pattern. Its version goes up by one, and the old version is kept."""
        return self._call("patterns.update", Pattern, pattern=pattern, update=update)

    def history(self, pattern: str) -> Sequence[PatternVersion]:
        """Lists the versions that were replaced, oldest first."""
        return self._list("patterns.history", PatternVersion, pattern=pattern)

    def record_application(self, pattern: str, episode: str, outcome: Outcome) -> Pattern:
        """Records that a pattern was applied in an episode, and the outcome. The same episode counts once."""
        return self._call("patterns.record-application", Pattern, pattern=pattern, episode=episode, outcome=outcome)

    def gate(self) -> ValidationGate:
        """Returns the conditions for validating a pattern."""
        return self._call("patterns.gate", ValidationGate)

    def set_gate(self, gate: ValidationGate) -> ValidationGate:
        """Changes the conditions for validating a pattern, from the next validation on."""
        return self._call("patterns.set-gate", ValidationGate, gate=gate)

    def validate(self, pattern: str) -> Validation:
        """Tests a pattern by its applications in the last 90 days, and changes its status accordingly. The status of
        a suppressed, deprecated or archived pattern stays.
        """
        return self._call("patterns.validate", Validation, pattern=pattern)

    def validate_all(self, after: str, limit: int, dry_run: bool) -> Sequence[Validation]:
        """Tests all patterns that are candidates, promoted or under review: at most `limit`, in the order of their
        ids, beginning after the id `after`.
        """
        return self._list("patterns.validate-all", Validation, after=after, limit=limit, dry_run=dry_run)

    def refine(self, pattern: str, update: PatternUpdate) -> Pattern:
        """Ends a review in favour of a pattern: narrows its applicability as the update says, resets its evidence,
        and promotes it again.
        """
        return self._call("patterns.refine", Pattern, pattern=pattern, update=update)

    def deprecate(self, pattern: str, reason: str, superseded_by: str) -> Pattern:
        """Deprecates a pattern. It is kept, with the pattern that supersedes it (empty: none)."""
        return self._call("patterns.deprecate", Pattern, pattern=pattern, reason=reason, superseded_by=superseded_by)

    def similar(self, pattern: str, least: float) -> Sequence[SimilarPattern]:
        """Finds patterns with similar content and applicability, most similar first, with a similarity of at least
        `least`.
        """
        return self._list("patterns.similar", SimilarPattern, pattern=pattern, least=least)

    def merge(self, patterns: Sequence[str], reason: str) -> Pattern:
        """Merges several patterns into the most certain one: joins their evidence, widens its applicability to all
        of them, and deprecates the others with a link `superseded-by`.
        """
        return self._call("patterns.merge", Pattern, patterns=patterns, reason=reason)

    def prune(self, dry_run: bool) -> Sequence[Validation]:
        """Puts uncertain, rarely used and contradicted patterns under review, and archives those that were not used
        in 180 days. Deletes nothing. Returns what was changed, or would be.
        """
        return self._list("patterns.prune", Validation, dry_run=dry_run)


class AsyncPatterns(AsyncInterface):
    """Patterns: lessons with conditions of use, content and statistics. A pattern and its lesson are one: they are
    shown, promoted and suppressed together.
    """

    async def add(self, pattern: NewPattern) -> Pattern:
        """Adds a pattern as a candidate. A pattern with the same content is not stored twice: its episodes are added
        to the known one.
        """
        return await self._call("patterns.add", Pattern, pattern=pattern)

    async def get(self, pattern: str) -> Pattern:
        """Returns a pattern by its id. Any lesson can be read as a pattern."""
        return await self._call("patterns.get", Pattern, pattern=pattern)

    async def find(self, kind: LessonKind | None, status: LessonStatus | None, limit: int) -> Sequence[Pattern]:
        """Lists patterns of a kind and status (default: any), most recently changed first. At most 1,000."""
        return await self._list("patterns.find", Pattern, kind=kind, status=status, limit=limit)

    async def find_applicable(self, task: TaskFeatures) -> Sequence[ApplicablePattern]:
        """Finds patterns that apply to a task, best first: promoted ones, and candidates as well if a category is
        given. Changes nothing.
        """
        return await self._list("patterns.find-applicable", ApplicablePattern, task=task)

    async def update(self, pattern: str, update: PatternUpdate) -> Pattern:
        """Changes a pattern. Its version goes up by one, and the old version is kept."""
        return await self._call("patterns.update", Pattern, pattern=pattern, update=update)

    async def history(self, pattern: str) -> Sequence[PatternVersion]:
        """Lists the versions that were replaced, oldest first."""
        return await self._list("patterns.history", PatternVersion, pattern=pattern)

    async def record_application(self, pattern: str, episode: str, outcome: Outcome) -> Pattern:
        """Records that a pattern was applied in an episode, and the outcome. The same episode counts once."""
        return await self._call("patterns.record-application", Pattern, pattern=pattern, episode=episode, outcome=outcome)

    async def gate(self) -> ValidationGate:
        """Returns the conditions for validating a pattern."""
        return await self._call("patterns.gate", ValidationGate)

    async def set_gate(self, gate: ValidationGate) -> ValidationGate:
        """Changes the conditions for validating a pattern, from the next validation on."""
        return await self._call("patterns.set-gate", ValidationGate, gate=gate)

    async def validate(self, pattern: str) -> Validation:
        """Tests a pattern by its applications in the last 90 days, and changes its status accordingly. The status of
        a suppressed, deprecated or archived pattern stays.
        """
        return await self._call("patterns.validate", Validation, pattern=pattern)

    async def validate_all(self, after: str, limit: int, dry_run: bool) -> Sequence[Validation]:
        """Tests all patterns that are candidates, promoted or under review: at most `limit`, in the order of their
        ids, beginning after the id `after`.
        """
        return await self._list("patterns.validate-all", Validation, after=after, limit=limit, dry_run=dry_run)

    async def refine(self, pattern: str, update: PatternUpdate) -> Pattern:
        """Ends a review in favour of a pattern: narrows its applicability as the update says, resets its evidence,
        and promotes it again.
        """
        return await self._call("patterns.refine", Pattern, pattern=pattern, update=update)

    async def deprecate(self, pattern: str, reason: str, superseded_by: str) -> Pattern:
        """Deprecates a pattern. It is kept, with the pattern that supersedes it (empty: none)."""
        return await self._call("patterns.deprecate", Pattern, pattern=pattern, reason=reason, superseded_by=superseded_by)

    async def similar(self, pattern: str, least: float) -> Sequence[SimilarPattern]:
        """Finds patterns with similar content and applicability, most similar first, with a similarity of at least
        `least`.
        """
        return await self._list("patterns.similar", SimilarPattern, pattern=pattern, least=least)

    async def merge(self, patterns: Sequence[str], reason: str) -> Pattern:
        """Merges several patterns into the most certain one: joins their evidence, widens its applicability to all
        of them, and deprecates the others with a link `superseded-by`.
        """
        return await self._call("patterns.merge", Pattern, patterns=patterns, reason=reason)

    async def prune(self, dry_run: bool) -> Sequence[Validation]:
        """Puts uncertain, rarely used and contradicted patterns under review, and archives those that were not used
        in 180 days. Deletes nothing. Returns what was changed, or would be.
        """
        return await self._list("patterns.prune", Validation, dry_run=dry_run)
