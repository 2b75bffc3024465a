"""`twiceshy:memory/events`: generated from the contract."""

from collections.abc import Sequence

from .._calls import AsyncInterface, Interface
from .memory import Event, EventFilter, Fingerprint


class Events(Interface):
    """Events: failed steps, and the fingerprints that tell whether two failures are the same."""

    def fingerprint_of(self, text: str) -> Fingerprint:
        """Computes the fingerprint of an error text of any size, in linear time. Pure."""
        return self._call("events.fingerprint-of", Fingerprint, text=text)

    def find(self, filter: EventFilter = EventFilter()) -> Sequence[Event]:
        """Lists events, newest first."""
        return self._list("events.find", Event, filter=filter)

    def get(self, event_id: str) -> Event:
        """Returns an event by its id."""
        return self._call("events.get", Event, event_id=event_id)


class AsyncEvents(AsyncInterface):
    """Events: failed steps, and the fingerprints that tell whether two failures are the same."""

    async def fingerprint_of(self, text: str) -> Fingerprint:
        """Computes the fingerprint of an error text of any size, in linear time. Pure."""
        return await self._call("events.fingerprint-of", Fingerprint, text=text)

    async def find(self, filter: EventFilter = EventFilter()) -> Sequence[Event]:
        """Lists events, newest first."""
        return await self._list("events.find", Event, filter=filter)

    async def get(self, event_id: str) -> Event:
        """Returns an event by its id."""
        return await self._call("events.get", Event, event_id=event_id)
