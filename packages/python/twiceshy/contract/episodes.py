"""`twiceshy:memory/episodes`: generated from the contract."""

from collections.abc import Sequence

from .._calls import AsyncInterface, Interface
from .episode_search_types import EpisodeHit, EpisodeQuery, FailureSignature, SimilarFailure
from .episode_types import Aging, Artifact, FullEpisode, LearningSummary, Lifecycle, NewEpisode
from .memory import Episode, EpisodeFilter, TraceStep


class Episodes(Interface):
    """Runs that have ended."""

    def add(self, episode: NewEpisode) -> Episode:
        """Adds an episode from elsewhere as if it had been observed: its failed actions become events, and lessons
        are mined from it. `conflict` if its id is taken.
        """
        return self._call("episodes.add", Episode, episode=episode)

    def find(self, filter: EpisodeFilter = EpisodeFilter()) -> Sequence[Episode]:
        """Lists episodes by their attributes, newest first. Deleted and consolidated ones are left out, unless the
        filter asks for their phase.
        """
        return self._list("episodes.find", Episode, filter=filter)

    def get(self, episode: str) -> Episode:
        """Returns an episode by its id. Changes nothing."""
        return self._call("episodes.get", Episode, episode=episode)

    def retrieve(self, episode: str) -> FullEpisode:
        """Returns everything that is known about an episode, even from cold storage. Counts as an access."""
        return self._call("episodes.retrieve", FullEpisode, episode=episode)

    def trace(self, episode: str, first: int) -> Sequence[TraceStep]:
        """Returns the steps of an episode or of an open run, in order, beginning with the step `first`, even from
        cold storage. At most 200.
        """
        return self._list("episodes.trace", TraceStep, episode=episode, first=first)

    def search(self, query: EpisodeQuery) -> Sequence[EpisodeHit]:
        """Searches episodes by meaning or words, or by attributes only, ranked by relevance. At least the 20 most
        similar are ranked. Changes nothing.
        """
        return self._list("episodes.search", EpisodeHit, query=query)

    def similar_failures(self, failure: FailureSignature) -> Sequence[SimilarFailure]:
        """Finds episodes with the same or a similar failure, and what worked there. Changes nothing."""
        return self._list("episodes.similar-failures", SimilarFailure, failure=failure)

    def lifecycle_of(self, episode: str) -> Lifecycle:
        """Returns what happened to an episode after the end of its run. Changes nothing."""
        return self._call("episodes.lifecycle-of", Lifecycle, episode=episode)

    def age(self, limit: int, dry_run: bool) -> Aging:
        """Moves the steps and accounts of old episodes to cold storage, at most `limit` episodes, oldest first.
        `dry_run` only counts. `unavailable` if the host has no archive.
        """
        return self._call("episodes.age", Aging, limit=limit, dry_run=dry_run)

    def restore(self, episode: str) -> Lifecycle:
        """Brings the steps and the account of an episode back from cold storage. They stay at hand for at least 30
        days.
        """
        return self._call("episodes.restore", Lifecycle, episode=episode)

    def soft_delete(self, episode: str, reason: str) -> Lifecycle:
        """Deletes an episode. It is no longer found, and can be brought back until it is purged. Lessons that were
        learned in it alone are withdrawn with it; its lifecycle names them.
        """
        return self._call("episodes.soft-delete", Lifecycle, episode=episode, reason=reason)

    def undelete(self, episode: str) -> Lifecycle:
        """Brings back a deleted episode, with the lessons that were withdrawn with it. What it was merged with
        before stays apart.
        """
        return self._call("episodes.undelete", Lifecycle, episode=episode)

    def purge(self, retention_days: int | None, dry_run: bool) -> Sequence[str]:
        """Removes for good the episodes that were deleted longer ago than `retention_days` (default: 30), and
        returns their ids. One in which alone a lesson was learned stays, and so does one with links: `purge_one`
        removes it. `dry_run` removes nothing.
        """
        return self._list("episodes.purge", str, retention_days=retention_days, dry_run=dry_run)

    def purge_one(self, episode: str, with_lessons: bool) -> Sequence[str]:
        """Removes one episode for good, deleted before or not. `conflict` if a lesson was learned in it alone; with
        `with_lessons` these lessons are removed with it, and their ids returned.
        """
        return self._list("episodes.purge-one", str, episode=episode, with_lessons=with_lessons)

    def keep_artifact(self, name: str, media_type: str, content: bytes = b"") -> Artifact:
        """Keeps a content outside the store, under its hash. Secrets in texts are masked first. At most 16 MiB."""
        return self._call("episodes.keep-artifact", Artifact, name=name, media_type=media_type, content=content)

    def artifact_content(self, hash: str) -> bytes:
        """Returns a content by its hash."""
        return self._call("episodes.artifact-content", bytes, hash=hash)

    def learn(self, episode: NewEpisode, insights: Sequence[str] = ()) -> LearningSummary:
        """Stores an episode with reflections on it, and updates lessons and patterns, in one call."""
        return self._call("episodes.learn", LearningSummary, episode=episode, insights=insights)


class AsyncEpisodes(AsyncInterface):
    """Runs that have ended."""

    async def add(self, episode: NewEpisode) -> Episode:
        """Adds an episode from elsewhere as if it had been observed: its failed actions become events, and lessons
        are mined from it. `conflict` if its id is taken.
        """
        return await self._call("episodes.add", Episode, episode=episode)

    async def find(self, filter: EpisodeFilter = EpisodeFilter()) -> Sequence[Episode]:
        """Lists episodes by their attributes, newest first. Deleted and consolidated ones are left out, unless the
        filter asks for their phase.
        """
        return await self._list("episodes.find", Episode, filter=filter)

    async def get(self, episode: str) -> Episode:
        """Returns an episode by its id. Changes nothing."""
        return await self._call("episodes.get", Episode, episode=episode)

    async def retrieve(self, episode: str) -> FullEpisode:
        """Returns everything that is known about an episode, even from cold storage. Counts as an access."""
        return await self._call("episodes.retrieve", FullEpisode, episode=episode)

    async def trace(self, episode: str, first: int) -> Sequence[TraceStep]:
        """Returns the steps of an episode or of an open run, in order, beginning with the step `first`, even from
        cold storage. At most 200.
        """
        return await self._list("episodes.trace", TraceStep, episode=episode, first=first)

    async def search(self, query: EpisodeQuery) -> Sequence[EpisodeHit]:
        """Searches episodes by meaning or words, or by attributes only, ranked by relevance. At least the 20 most
        similar are ranked. Changes nothing.
        """
        return await self._list("episodes.search", EpisodeHit, query=query)

    async def similar_failures(self, failure: FailureSignature) -> Sequence[SimilarFailure]:
        """Finds episodes with the same or a similar failure, and what worked there. Changes nothing."""
        return await self._list("episodes.similar-failures", SimilarFailure, failure=failure)

    async def lifecycle_of(self, episode: str) -> Lifecycle:
        """Returns what happened to an episode after the end of its run. Changes nothing."""
        return await self._call("episodes.lifecycle-of", Lifecycle, episode=episode)

    async def age(self, limit: int, dry_run: bool) -> Aging:
        """Moves the steps and accounts of old episodes to cold storage, at most `limit` episodes, oldest first.
        `dry_run` only counts. `unavailable` if the host has no archive.
        """
        return await self._call("episodes.age", Aging, limit=limit, dry_run=dry_run)

    async def restore(self, episode: str) -> Lifecycle:
        """Brings the steps and the account of an episode back from cold storage. They stay at hand for at least 30
        days.
        """
        return await self._call("episodes.restore", Lifecycle, episode=episode)

    async def soft_delete(self, episode: str, reason: str) -> Lifecycle:
        """Deletes an episode. It is no longer found, and can be brought back until it is purged. Lessons that were
        learned in it alone are withdrawn with it; its lifecycle names them.
        """
        return await self._call("episodes.soft-delete", Lifecycle, episode=episode, reason=reason)

    async def undelete(self, episode: str) -> Lifecycle:
        """Brings back a deleted episode, with the lessons that were withdrawn with it. What it was merged with
        before stays apart.
        """
        return await self._call("episodes.undelete", Lifecycle, episode=episode)

    async def purge(self, retention_days: int | None, dry_run: bool) -> Sequence[str]:
        """Removes for good the episodes that were deleted longer ago than `retention_days` (default: 30), and
        returns their ids. One in which alone a lesson was learned stays, and so does one with links: `purge_one`
        removes it. `dry_run` removes nothing.
        """
        return await self._list("episodes.purge", str, retention_days=retention_days, dry_run=dry_run)

    async def purge_one(self, episode: str, with_lessons: bool) -> Sequence[str]:
        """Removes one episode for good, deleted before or not. `conflict` if a lesson was learned in it alone; with
        `with_lessons` these lessons are removed with it, and their ids returned.
        """
        return await self._list("episodes.purge-one", str, episode=episode, with_lessons=with_lessons)

    async def keep_artifact(self, name: str, media_type: str, content: bytes = b"") -> Artifact:
        """Keeps a content outside the store, under its hash. Secrets in texts are masked first. At most 16 MiB."""
        return await self._call("episodes.keep-artifact", Artifact, name=name, media_type=media_type, content=content)

    async def artifact_content(self, hash: str) -> bytes:
        """Returns a content by its hash."""
        return await self._call("episodes.artifact-content", bytes, hash=hash)

    async def learn(self, episode: NewEpisode, insights: Sequence[str] = ()) -> LearningSummary:
        """Stores an episode with reflections on it, and updates lessons and patterns, in one call."""
        return await self._call("episodes.learn", LearningSummary, episode=episode, insights=insights)
