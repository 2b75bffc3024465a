"""`twiceshy:memory/failures`: generated from the contract."""

from collections.abc import Sequence

from .._calls import AsyncInterface, Interface
from .failure_types import FailedAttempt, FailurePattern, FailureWarning, NewFailure, PatternFilter, WarningQuery


class Failures(Interface):
    """Failed attempts, and the patterns in how they fail."""

    def record(self, failure: NewFailure) -> FailedAttempt:
        """Records a failed attempt."""
        return self._call("failures.record", FailedAttempt, failure=failure)

    def categorize(self, details: str) -> str:
        """Returns `syntax`, `type`, `import`, `test` or `unknown` for the details of a failure, by whole words.
        Pure.
        """
        return self._call("failures.categorize", str, details=details)

    def patterns(self, filter: PatternFilter = PatternFilter()) -> Sequence[FailurePattern]:
        """Groups failures with the same fingerprint, most frequent first. Takes time in proportion to the number of
        failures that match the filter.
        """
        return self._list("failures.patterns", FailurePattern, filter=filter)

    def check_warnings(self, query: WarningQuery) -> Sequence[FailureWarning]:
        """Warns before an attempt: one warning for each type of failure that recurred when the same hypothesis was
        attempted on this module, most certain first. Empty if it never failed.
        """
        return self._list("failures.check-warnings", FailureWarning, query=query)


class AsyncFailures(AsyncInterface):
    """Failed attempts, and the patterns in how they fail."""

    async def record(self, failure: NewFailure) -> FailedAttempt:
        """Records a failed attempt."""
        return await self._call("failures.record", FailedAttempt, failure=failure)

    async def categorize(self, details: str) -> str:
        """Returns `syntax`, `type`, `import`, `test` or `unknown` for the details of a failure, by whole words.
        Pure.
        """
        return await self._call("failures.categorize", str, details=details)

    async def patterns(self, filter: PatternFilter = PatternFilter()) -> Sequence[FailurePattern]:
        """Groups failures with the same fingerprint, most frequent first. Takes time in proportion to the number of
        failures that match the filter.
        """
        return await self._list("failures.patterns", FailurePattern, filter=filter)

    async def check_warnings(self, query: WarningQuery) -> Sequence[FailureWarning]:
        """Warns before an attempt: one warning for each type of failure that recurred when the same hypothesis was
        attempted on this module, most certain first. Empty if it never failed.
        """
        return await self._list("failures.check-warnings", FailureWarning, query=query)
