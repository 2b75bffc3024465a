"""`twiceshy:memory/decisions`: generated from the contract."""

from collections.abc import Sequence

from .._calls import AsyncInterface, Interface
from .decision_types import (
    Decision,
    DecisionAnswer,
    DecisionCheck,
    DecisionFilter,
    DecisionMatch,
    DecisionQuery,
    DecisionQuestion,
    DecisionStats,
    FilteredHypotheses,
    HypothesisList,
    NewDecision,
    RejectionPattern,
)
from .exchange_types import ExportRequest, Exported, ImportRequest, Imported


class Decisions(Interface):
    """Hypotheses that were accepted, rejected or held, and why, so that nobody repeats an attempt without knowing.
    The memory only informs; whether to try a hypothesis is up to the caller. Decisions are only ever added. The
    message of a storage error begins with `STORAGE_ERROR`, that of an unknown outcome with `INVALID_OUTCOME`.
    """

    def record(self, decision: NewDecision) -> Decision:
        """Records a decision. `invalid-argument` if the rationale is missing: a decision that nobody can understand
        later teaches nothing.
        """
        return self._call("decisions.record", Decision, decision=decision)

    def was_rejected(self, query: DecisionQuery) -> DecisionMatch:
        """Finds the rejection of the same hypothesis about a module, however long ago: the most similar one, and of
        equally similar ones the newest. Two texts are the same hypothesis if their similarity is at least 0.8,
        which is fixed. The hypothesis and the description are both compared.
        """
        return self._call("decisions.was-rejected", DecisionMatch, query=query)

    def was_recently_accepted(self, query: DecisionQuery) -> DecisionMatch:
        """Finds the acceptance of the same hypothesis within the last days (default: 7)."""
        return self._call("decisions.was-recently-accepted", DecisionMatch, query=query)

    def check(self, query: DecisionQuery) -> DecisionCheck:
        """Finds both: a rejection, and a recent acceptance."""
        return self._call("decisions.check", DecisionCheck, query=query)

    def query(self, question: DecisionQuestion) -> DecisionAnswer:
        """Answers one of three questions, by `query_type`."""
        return self._call("decisions.query", DecisionAnswer, question=question)

    def filter(self, hypotheses: HypothesisList) -> FilteredHypotheses:
        """Drops the hypotheses that were rejected before or accepted recently, each with the reason. The others stay
        unchanged and in their order.
        """
        return self._call("decisions.filter", FilteredHypotheses, hypotheses=hypotheses)

    def get_records(self, filter: DecisionFilter = DecisionFilter()) -> Sequence[Decision]:
        """Lists decisions, newest first."""
        return self._list("decisions.get-records", Decision, filter=filter)

    def failure_patterns(self, module: str) -> Sequence[RejectionPattern]:
        """Lists why hypotheses about a module (empty: any module) were rejected, most frequent reason first."""
        return self._list("decisions.failure-patterns", RejectionPattern, module=module)

    def stats(self) -> DecisionStats:
        """Counts all decisions. Takes time in proportion to their number."""
        return self._call("decisions.stats", DecisionStats)

    def export_file(self, request: ExportRequest = ExportRequest()) -> Exported:
        """Exports all decisions as an `.evolve_memory.json` of version 1.0.0, oldest first, in parts. Begin without
        `after` and pass on `next` until it is missing. The texts, one after the other, are the file.
        """
        return self._call("decisions.export-file", Exported, request=request)

    def import_file(self, request: ImportRequest) -> Imported:
        """Imports an `.evolve_memory.json` of version 1.0.0. The whole text is checked before anything is recorded;
        with `check_only`, nothing is recorded. Decisions that the memory has already are skipped. The rationale
        may be missing, as in old files. Members that the format does not name are not kept.
        """
        return self._call("decisions.import-file", Imported, request=request)


class AsyncDecisions(AsyncInterface):
    """Hypotheses that were accepted, rejected or held, and why, so that nobody repeats an attempt without knowing.
    The memory only informs; whether to try a hypothesis is up to the caller. Decisions are only ever added. The
    message of a storage error begins with `STORAGE_ERROR`, that of an unknown outcome with `INVALID_OUTCOME`.
    """

    async def record(self, decision: NewDecision) -> Decision:
        """Records a decision. `invalid-argument` if the rationale is missing: a decision that nobody can understand
        later teaches nothing.
        """
        return await self._call("decisions.record", Decision, decision=decision)

    async def was_rejected(self, query: DecisionQuery) -> DecisionMatch:
        """Finds the rejection of the same hypothesis about a module, however long ago: the most similar one, and of
        equally similar ones the newest. Two texts are the same hypothesis if their similarity is at least 0.8,
        which is fixed. The hypothesis and the description are both compared.
        """
        return await self._call("decisions.was-rejected", DecisionMatch, query=query)

    async def was_recently_accepted(self, query: DecisionQuery) -> DecisionMatch:
        """Finds the acceptance of the same hypothesis within the last days (default: 7)."""
        return await self._call("decisions.was-recently-accepted", DecisionMatch, query=query)

    async def check(self, query: DecisionQuery) -> DecisionCheck:
        """Finds both: a rejection, and a recent acceptance."""
        return await self._call("decisions.check", DecisionCheck, query=query)

    async def query(self, question: DecisionQuestion) -> DecisionAnswer:
        """Answers one of three questions, by `query_type`."""
        return await self._call("decisions.query", DecisionAnswer, question=question)

    async def filter(self, hypotheses: HypothesisList) -> FilteredHypotheses:
        """Drops the hypotheses that were rejected before or accepted recently, each with the reason. The others stay
        unchanged and in their order.
        """
        return await self._call("decisions.filter", FilteredHypotheses, hypotheses=hypotheses)

    async def get_records(self, filter: DecisionFilter = DecisionFilter()) -> Sequence[Decision]:
        """Lists decisions, newest first."""
        return await self._list("decisions.get-records", Decision, filter=filter)

    async def failure_patterns(self, module: str) -> Sequence[RejectionPattern]:
        """Lists why hypotheses about a module (empty: any module) were rejected, most frequent reason first."""
        return await self._list("decisions.failure-patterns", RejectionPattern, module=module)

    async def stats(self) -> DecisionStats:
        """Counts all decisions. Takes time in proportion to their number."""
        return await self._call("decisions.stats", DecisionStats)

    async def export_file(self, request: ExportRequest = ExportRequest()) -> Exported:
        """Exports all decisions as an `.evolve_memory.json` of version 1.0.0, oldest first, in parts. Begin without
        `after` and pass on `next` until it is missing. The texts, one after the other, are the file.
        """
        return await self._call("decisions.export-file", Exported, request=request)

    async def import_file(self, request: ImportRequest) -> Imported:
        """Imports an `.evolve_memory.json` of version 1.0.0. The whole text is checked before anything is recorded;
        with `check_only`, nothing is recorded. Decisions that the memory has already are skipped. The rationale
        may be missing, as in old files. Members that the format does not name are not kept.
        """
        return await self._call("decisions.import-file", Imported, request=request)
