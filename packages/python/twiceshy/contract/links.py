"""`twiceshy:memory/links`: generated from the contract."""

from collections.abc import Sequence

from .._calls import AsyncInterface, Interface
from .link_types import Link, Neighbourhood, Walk


class Links(Interface):
    """Typed relations between memories: lessons, patterns, skills and episodes."""

    def relate(self, link: Link) -> Link:
        """Links two memories. The memory sets the time itself."""
        return self._call("links.relate", Link, link=link)

    def unrelate(self, link: Link) -> None:
        """Removes a link."""
        self._do("links.unrelate", link=link)

    def of_memory(self, id: str) -> Sequence[Link]:
        """Lists the links of a memory, in both directions. At most 1,000."""
        return self._list("links.of-memory", Link, id=id)

    def around(self, walk: Walk) -> Neighbourhood:
        """Returns what can be reached from a memory through its links."""
        return self._call("links.around", Neighbourhood, walk=walk)

    def contradictions(self, limit: int) -> Sequence[Link]:
        """Lists unresolved contradictions, where both lessons are shown. Newest first."""
        return self._list("links.contradictions", Link, limit=limit)


class AsyncLinks(AsyncInterface):
    """Typed relations between memories: lessons, patterns, skills and episodes."""

    async def relate(self, link: Link) -> Link:
        """Links two memories. The memory sets the time itself."""
        return await self._call("links.relate", Link, link=link)

    async def unrelate(self, link: Link) -> None:
        """Removes a link."""
        await self._do("links.unrelate", link=link)

    async def of_memory(self, id: str) -> Sequence[Link]:
        """Lists the links of a memory, in both directions. At most 1,000."""
        return await self._list("links.of-memory", Link, id=id)

    async def around(self, walk: Walk) -> Neighbourhood:
        """Returns what can be reached from a memory through its links."""
        return await self._call("links.around", Neighbourhood, walk=walk)

    async def contradictions(self, limit: int) -> Sequence[Link]:
        """Lists unresolved contradictions, where both lessons are shown. Newest first."""
        return await self._list("links.contradictions", Link, limit=limit)
