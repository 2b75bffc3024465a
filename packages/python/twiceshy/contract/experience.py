"""`twiceshy:memory/experience`: generated from the contract."""

from collections.abc import Sequence

from .._calls import AsyncInterface, Interface
from .experience_types import (
    EditReport,
    Evolution,
    ExperienceEntry,
    ExperienceHit,
    ExperienceQuery,
    ExperienceSettings,
    ExperienceStats,
    MemoryEdit,
    MemoryType,
    NewExperience,
    ReEmbedding,
    SimilarityMetrics,
    Synthesis,
)
from .remem_types import RememRequest, RememResult


class Experience(Interface):
    """Experience that improves with use: search, synthesize, evolve. At most `max_size` entries are searched; pruned
    and merged entries are kept.
    """

    def search(self, query: ExperienceQuery) -> Sequence[ExperienceHit]:
        """Searches entries with similar tasks, successes and failures, most similar first. Counts as an access.
        Without `enable_rag`, returns the newest entries instead.
        """
        return self._list("experience.search", ExperienceHit, query=query)

    def synthesize(self, task: str, entries: Sequence[str] = ()) -> Synthesis:
        """Makes context for a task from some entries, with their strategy cards."""
        return self._call("experience.synthesize", Synthesis, task=task, entries=entries)

    def evolve(self, experience: NewExperience) -> Evolution:
        """Adds an experience: finds its type, merges near-duplicates into it, and prunes entries beyond `max_size`."""
        return self._call("experience.evolve", Evolution, experience=experience)

    def recent_window(self) -> Sequence[ExperienceEntry]:
        """Lists the `window_size` newest entries, newest first."""
        return self._list("experience.recent-window", ExperienceEntry)

    def entries(self, memory_type: MemoryType | None, limit: int) -> Sequence[ExperienceEntry]:
        """Lists entries of one type or of all, newest first. At most 1,000."""
        return self._list("experience.entries", ExperienceEntry, memory_type=memory_type, limit=limit)

    def get(self, entry: str) -> ExperienceEntry:
        """Returns an entry by its id. Changes nothing."""
        return self._call("experience.get", ExperienceEntry, entry=entry)

    def archived(self, limit: int) -> Sequence[ExperienceEntry]:
        """Lists entries that are not searched any more, because they were pruned or merged, newest first. At most
        1,000.
        """
        return self._list("experience.archived", ExperienceEntry, limit=limit)

    def restore(self, entry: str) -> Evolution:
        """Brings a pruned or merged entry back, so that it is searched again. Counts as an access, and prunes others
        if there are more than `max_size` then. What an entry took from it by merging stays there. An entry that
        is searched stays as it is.
        """
        return self._call("experience.restore", Evolution, entry=entry)

    def similarity_of_tasks(self) -> SimilarityMetrics:
        """Measures how similar the tasks are, and recommends what to prune."""
        return self._call("experience.similarity-of-tasks", SimilarityMetrics)

    def stats(self) -> ExperienceStats:
        """Counts the entries."""
        return self._call("experience.stats", ExperienceStats)

    def apply_edits(self, edits: Sequence[MemoryEdit] = ()) -> EditReport:
        """Makes all edits or none. If an edit does not fit, the report gives the reason, and nothing is changed."""
        return self._call("experience.apply-edits", EditReport, edits=edits)

    def prune(self) -> Sequence[str]:
        """Prunes down to `max_size` now. Returns the ids of the pruned entries."""
        return self._list("experience.prune", str)

    def settings(self) -> ExperienceSettings:
        """Returns the settings."""
        return self._call("experience.settings", ExperienceSettings)

    def configure(self, settings: ExperienceSettings) -> ExperienceSettings:
        """Changes the settings. `invalid-argument` names a setting that is out of range."""
        return self._call("experience.configure", ExperienceSettings, settings=settings)

    def re_embed(self, limit: int) -> ReEmbedding:
        """Computes vectors with the current embedder for entries that have none, or one of another length: at most
        `limit` entries (0: 64), newest first. Call it until none is left. `unavailable` without an embedder.
        """
        return self._call("experience.re-embed", ReEmbedding, limit=limit)

    def remem(self, request: RememRequest) -> RememResult:
        """Runs ReMem: the host's model thinks, edits experience and answers, and the result becomes experience.
        `unavailable` without a model, or if `remem_enabled` is false.
        """
        return self._call("experience.remem", RememResult, request=request)


class AsyncExperience(AsyncInterface):
    """Experience that improves with use: search, synthesize, evolve. At most `max_size` entries are searched; pruned
    and merged entries are kept.
    """

    async def search(self, query: ExperienceQuery) -> Sequence[ExperienceHit]:
        """Searches entries with similar tasks, successes and failures, most similar first. Counts as an access.
        Without `enable_rag`, returns the newest entries instead.
        """
        return await self._list("experience.search", ExperienceHit, query=query)

    async def synthesize(self, task: str, entries: Sequence[str] = ()) -> Synthesis:
        """Makes context for a task from some entries, with their strategy cards."""
        return await self._call("experience.synthesize", Synthesis, task=task, entries=entries)

    async def evolve(self, experience: NewExperience) -> Evolution:
        """Adds an experience: finds its type, merges near-duplicates into it, and prunes entries beyond `max_size`."""
        return await self._call("experience.evolve", Evolution, experience=experience)

    async def recent_window(self) -> Sequence[ExperienceEntry]:
        """Lists the `window_size` newest entries, newest first."""
        return await self._list("experience.recent-window", ExperienceEntry)

    async def entries(self, memory_type: MemoryType | None, limit: int) -> Sequence[ExperienceEntry]:
        """Lists entries of one type or of all, newest first. At most 1,000."""
        return await self._list("experience.entries", ExperienceEntry, memory_type=memory_type, limit=limit)

    async def get(self, entry: str) -> ExperienceEntry:
        """Returns an entry by its id. Changes nothing."""
        return await self._call("experience.get", ExperienceEntry, entry=entry)

    async def archived(self, limit: int) -> Sequence[ExperienceEntry]:
        """Lists entries that are not searched any more, because they were pruned or merged, newest first. At most
        1,000.
        """
        return await self._list("experience.archived", ExperienceEntry, limit=limit)

    async def restore(self, entry: str) -> Evolution:
        """Brings a pruned or merged entry back, so that it is searched again. Counts as an access, and prunes others
        if there are more than `max_size` then. What an entry took from it by merging stays there. An entry that
        is searched stays as it is.
        """
        return await self._call("experience.restore", Evolution, entry=entry)

    async def similarity_of_tasks(self) -> SimilarityMetrics:
        """Measures how similar the tasks are, and recommends what to prune."""
        return await self._call("experience.similarity-of-tasks", SimilarityMetrics)

    async def stats(self) -> ExperienceStats:
        """Counts the entries."""
        return await self._call("experience.stats", ExperienceStats)

    async def apply_edits(self, edits: Sequence[MemoryEdit] = ()) -> EditReport:
        """Makes all edits or none. If an edit does not fit, the report gives the reason, and nothing is changed."""
        return await self._call("experience.apply-edits", EditReport, edits=edits)

    async def prune(self) -> Sequence[str]:
        """Prunes down to `max_size` now. Returns the ids of the pruned entries."""
        return await self._list("experience.prune", str)

    async def settings(self) -> ExperienceSettings:
        """Returns the settings."""
        return await self._call("experience.settings", ExperienceSettings)

    async def configure(self, settings: ExperienceSettings) -> ExperienceSettings:
        """Changes the settings. `invalid-argument` names a setting that is out of range."""
        return await self._call("experience.configure", ExperienceSettings, settings=settings)

    async def re_embed(self, limit: int) -> ReEmbedding:
        """Computes vectors with the current embedder for entries that have none, or one of another length: at most
        `limit` entries (0: 64), newest first. Call it until none is left. `unavailable` without an embedder.
        """
        return await self._call("experience.re-embed", ReEmbedding, limit=limit)

    async def remem(self, request: RememRequest) -> RememResult:
        """Runs ReMem: the host's model thinks, edits experience and answers, and the result becomes experience.
        `unavailable` without a model, or if `remem_enabled` is false.
        """
        return await self._call("experience.remem", RememResult, request=request)
