"""`twiceshy:memory/upkeep`: generated from the contract."""

from collections.abc import Sequence

from .._calls import AsyncInterface, Interface
from .consolidation_types import Consolidation, ConsolidationRequest, Inventory, Metrics
from .health_types import Finding, Health, MemoryStatus, Pruned, Reindexing


class Upkeep(Interface):
    """The upkeep of a memory."""

    def status(self) -> MemoryStatus:
        """Counts what the memory holds."""
        return self._call("upkeep.status", MemoryStatus)

    def verify(self) -> Sequence[Finding]:
        """Checks the whole memory for inconsistencies. Changes nothing. Takes time in proportion to the size of the
        memory. At most 100 findings.
        """
        return self._list("upkeep.verify", Finding)

    def report(self) -> Health:
        """Reports how well the memory works: lessons and their effects, recurring failures, and how tasks went."""
        return self._call("upkeep.report", Health)

    def prune(self, before: int, dry_run: bool) -> Pruned:
        """Removes what is older than a time: episodes that ended before it, with all that belongs to them, archived
        lessons that were last changed before it, and decisions and failures recorded before it. `dry_run` only
        counts. Works in parts: if it is interrupted, the memory stays consistent, and calling it again continues.
        """
        return self._call("upkeep.prune", Pruned, before=before, dry_run=dry_run)

    def consolidate(self, request: ConsolidationRequest = ConsolidationRequest()) -> Consolidation:
        """Consolidates the memory in six stages: episodes, extraction, validation, refinement, indices, report. Each
        call does a limited amount of work; pass on `next` as `after` until it is missing. No memory is thrown
        away, and repeating a stage changes nothing. The first stage also sums up activations that are old and
        many, and the stage `indices` removes what undoing older consolidations needed.

        Only one consolidation runs at a time. Without `after`, the call is `busy` if another one was active in
        the last minute, and resumes one that was interrupted before.
        """
        return self._call("upkeep.consolidate", Consolidation, request=request)

    def consolidations(self, limit: int) -> Sequence[Consolidation]:
        """Lists consolidations, newest first, each with its first 1,000 changes. At most 100."""
        return self._list("upkeep.consolidations", Consolidation, limit=limit)

    def undo_consolidation(self, consolidation: str, after: str) -> Consolidation:
        """Undoes a consolidation, last change first. Changes that were made together are undone together, or left
        alone if anything was changed since; the answer says which and why. Each call does a limited amount of
        work: `after` is empty at first, then the `next` of the previous answer. `conflict` if what it changed is
        no longer kept.
        """
        return self._call("upkeep.undo-consolidation", Consolidation, consolidation=consolidation, after=after)

    def reindex(self, after: str) -> Reindexing:
        """Embeds anew what has no vector of the present embedder: episodes, lessons (skills among them) and
        experience. Each call does a limited amount of work: `after` is empty at first, then the `next` of the
        previous answer. What has its vector is left alone, so that an interrupted reindexing can begin again.
        Until it has ended, what has no vector of the present embedder is found by words. `unavailable` without an
        embedder.
        """
        return self._call("upkeep.reindex", Reindexing, after=after)

    def take_inventory(self) -> Inventory:
        """Counts memories by kind, phase and status. Changes nothing."""
        return self._call("upkeep.take-inventory", Inventory)

    def metrics_of_days(self, days: int | None = None) -> Metrics:
        """Returns how each of the last days went, including today, in UTC. Default: 7 days. Maximum: 400."""
        return self._call("upkeep.metrics-of-days", Metrics, days=days)


class AsyncUpkeep(AsyncInterface):
    """The upkeep of a memory."""

    async def status(self) -> MemoryStatus:
        """Counts what the memory holds."""
        return await self._call("upkeep.status", MemoryStatus)

    async def verify(self) -> Sequence[Finding]:
        """Checks the whole memory for inconsistencies. Changes nothing. Takes time in proportion to the size of the
        memory. At most 100 findings.
        """
        return await self._list("upkeep.verify", Finding)

    async def report(self) -> Health:
        """Reports how well the memory works: lessons and their effects, recurring failures, and how tasks went."""
        return await self._call("upkeep.report", Health)

    async def prune(self, before: int, dry_run: bool) -> Pruned:
        """Removes what is older than a time: episodes that ended before it, with all that belongs to them, archived
        lessons that were last changed before it, and decisions and failures recorded before it. `dry_run` only
        counts. Works in parts: if it is interrupted, the memory stays consistent, and calling it again continues.
        """
        return await self._call("upkeep.prune", Pruned, before=before, dry_run=dry_run)

    async def consolidate(self, request: ConsolidationRequest = ConsolidationRequest()) -> Consolidation:
        """Consolidates the memory in six stages: episodes, extraction, validation, refinement, indices, report. Each
        call does a limited amount of work; pass on `next` as `after` until it is missing. No memory is thrown
        away, and repeating a stage changes nothing. The first stage also sums up activations that are old and
        many, and the stage `indices` removes what undoing older consolidations needed.

        Only one consolidation runs at a time. Without `after`, the call is `busy` if another one was active in
        the last minute, and resumes one that was interrupted before.
        """
        return await self._call("upkeep.consolidate", Consolidation, request=request)

    async def consolidations(self, limit: int) -> Sequence[Consolidation]:
        """Lists consolidations, newest first, each with its first 1,000 changes. At most 100."""
        return await self._list("upkeep.consolidations", Consolidation, limit=limit)

    async def undo_consolidation(self, consolidation: str, after: str) -> Consolidation:
        """Undoes a consolidation, last change first. Changes that were made together are undone together, or left
        alone if anything was changed since; the answer says which and why. Each call does a limited amount of
        work: `after` is empty at first, then the `next` of the previous answer. `conflict` if what it changed is
        no longer kept.
        """
        return await self._call("upkeep.undo-consolidation", Consolidation, consolidation=consolidation, after=after)

    async def reindex(self, after: str) -> Reindexing:
        """Embeds anew what has no vector of the present embedder: episodes, lessons (skills among them) and
        experience. Each call does a limited amount of work: `after` is empty at first, then the `next` of the
        previous answer. What has its vector is left alone, so that an interrupted reindexing can begin again.
        Until it has ended, what has no vector of the present embedder is found by words. `unavailable` without an
        embedder.
        """
        return await self._call("upkeep.reindex", Reindexing, after=after)

    async def take_inventory(self) -> Inventory:
        """Counts memories by kind, phase and status. Changes nothing."""
        return await self._call("upkeep.take-inventory", Inventory)

    async def metrics_of_days(self, days: int | None = None) -> Metrics:
        """Returns how each of the last days went, including today, in UTC. Default: 7 days. Maximum: 400."""
        return await self._call("upkeep.metrics-of-days", Metrics, days=days)
