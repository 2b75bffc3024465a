"""`twiceshy:memory/coordination`: generated from the contract."""

from collections.abc import Sequence

from .._calls import AsyncInterface, Interface
from .coordination_types import Checkpoint, Handoff, HandoffFilter, Ledger, NewHandoff


class Coordination(Interface):
    """Where agents stand, and what they pass to each other."""

    def check_in(self, checkpoint: Checkpoint) -> Ledger:
        """Records where an agent stands."""
        return self._call("coordination.check-in", Ledger, checkpoint=checkpoint)

    def ledger_of(self, agent_id: str) -> Ledger:
        """Returns the ledger of an agent."""
        return self._call("coordination.ledger-of", Ledger, agent_id=agent_id)

    def ledgers(self, limit: int) -> Sequence[Ledger]:
        """Lists all ledgers, most recently written first. At most 1,000."""
        return self._list("coordination.ledgers", Ledger, limit=limit)

    def hand_over(self, handoff: NewHandoff) -> Handoff:
        """Hands work over to another agent."""
        return self._call("coordination.hand-over", Handoff, handoff=handoff)

    def handoff_of(self, handoff: str) -> Handoff:
        """Returns a handoff by its id."""
        return self._call("coordination.handoff-of", Handoff, handoff=handoff)

    def handoffs(self, filter: HandoffFilter = HandoffFilter()) -> Sequence[Handoff]:
        """Lists handoffs, oldest first."""
        return self._list("coordination.handoffs", Handoff, filter=filter)

    def take_up(self, handoff: str, agent_id: str) -> Handoff:
        """Accepts a handoff. `conflict` if it was accepted before or is meant for another agent."""
        return self._call("coordination.take-up", Handoff, handoff=handoff, agent_id=agent_id)


class AsyncCoordination(AsyncInterface):
    """Where agents stand, and what they pass to each other."""

    async def check_in(self, checkpoint: Checkpoint) -> Ledger:
        """Records where an agent stands."""
        return await self._call("coordination.check-in", Ledger, checkpoint=checkpoint)

    async def ledger_of(self, agent_id: str) -> Ledger:
        """Returns the ledger of an agent."""
        return await self._call("coordination.ledger-of", Ledger, agent_id=agent_id)

    async def ledgers(self, limit: int) -> Sequence[Ledger]:
        """Lists all ledgers, most recently written first. At most 1,000."""
        return await self._list("coordination.ledgers", Ledger, limit=limit)

    async def hand_over(self, handoff: NewHandoff) -> Handoff:
        """Hands work over to another agent."""
        return await self._call("coordination.hand-over", Handoff, handoff=handoff)

    async def handoff_of(self, handoff: str) -> Handoff:
        """Returns a handoff by its id."""
        return await self._call("coordination.handoff-of", Handoff, handoff=handoff)

    async def handoffs(self, filter: HandoffFilter = HandoffFilter()) -> Sequence[Handoff]:
        """Lists handoffs, oldest first."""
        return await self._list("coordination.handoffs", Handoff, filter=filter)

    async def take_up(self, handoff: str, agent_id: str) -> Handoff:
        """Accepts a handoff. `conflict` if it was accepted before or is meant for another agent."""
        return await self._call("coordination.take-up", Handoff, handoff=handoff, agent_id=agent_id)
