"""`twiceshy:memory/runs`: generated from the contract."""

from collections.abc import Sequence

from .._calls import AsyncInterface, Interface
from .adapter import PastStep
from .episode_types import Description
from .hint_types import Briefing, BriefingRequest, Reaction, Submitted
from .memory import Ending, Episode, NewRun, Observed, Run


class Runs(Interface):
    """Runs: tasks being worked on. Call `start`, then `observe` after each step, then `finish`; or `submit` for a
    whole run at once. Several processes may observe steps of one run.
    """

    def start(self, run: NewRun) -> Run:
        """Starts a run. `conflict` if its id is taken."""
        return self._call("runs.start", Run, run=run)

    def brief(self, run: str, request: BriefingRequest = BriefingRequest()) -> Briefing:
        """Returns the lessons to know before the run, or between its steps, by task, domain and recent failures.
        Each of them is an activation: it is recorded as shown in this run.
        """
        return self._call("runs.brief", Briefing, run=run, request=request)

    def observe(self, run: str, observed: Observed) -> Reaction:
        """Observes one step. A failed step becomes an event, and what is known about the failure comes back as
        hints. Each hint is an activation: it is recorded as shown in this run.
        """
        return self._call("runs.observe", Reaction, run=run, observed=observed)

    def finish(self, run: str, ending: Ending = Ending()) -> Episode:
        """Ends a run. It becomes an episode and takes no more steps. Lessons are mined from its steps, and the
        lessons that were shown or withheld are judged by how it went: they may be promoted or suppressed.
        """
        return self._call("runs.finish", Episode, run=run, ending=ending)

    def submit(self, run: NewRun, steps: Sequence[Observed] = (), ending: Ending = Ending()) -> Submitted:
        """Starts a run, observes its steps and ends it, all in one commit. At most 200 steps. The hints in the
        reactions come too late to help, so they are not activations.
        """
        return self._call("runs.submit", Submitted, run=run, steps=steps, ending=ending)

    def describe(self, run: str, description: Description = Description()) -> Run:
        """Adds to an open run what is known besides its steps. It replaces what was given before; members that are
        left out or empty stay.
        """
        return self._call("runs.describe", Run, run=run, description=description)

    def get(self, run: str) -> Run:
        """Returns an open run by its id."""
        return self._call("runs.get", Run, run=run)

    def open(self, limit: int) -> Sequence[Run]:
        """Lists open runs, most recently started first. At most 1,000."""
        return self._list("runs.open", Run, limit=limit)

    def recent_steps(self, domain: str, limit: int) -> Sequence[PastStep]:
        """Returns the newest steps of a domain, oldest first: what an adapter gets as `recent`. At most 16, of the
        16 runs that were started last and are open, and of the 16 episodes that ended last.
        """
        return self._list("runs.recent-steps", PastStep, domain=domain, limit=limit)

    def latest_steps(self, run: str, limit: int) -> Sequence[PastStep]:
        """Returns the last steps of one run, oldest first: what an adapter gets as `recent` in domains where each
        step continues the one before. At most 16.
        """
        return self._list("runs.latest-steps", PastStep, run=run, limit=limit)


class AsyncRuns(AsyncInterface):
    """Runs: tasks being worked on. Call `start`, then `observe` after each step, then `finish`; or `submit` for a
    whole run at once. Several processes may observe steps of one run.
    """

    async def start(self, run: NewRun) -> Run:
        """Starts a run. `conflict` if its id is taken."""
        return await self._call("runs.start", Run, run=run)

    async def brief(self, run: str, request: BriefingRequest = BriefingRequest()) -> Briefing:
        """Returns the lessons to know before the run, or between its steps, by task, domain and recent failures.
        Each of them is an activation: it is recorded as shown in this run.
        """
        return await self._call("runs.brief", Briefing, run=run, request=request)

    async def observe(self, run: str, observed: Observed) -> Reaction:
        """Observes one step. A failed step becomes an event, and what is known about the failure comes back as
        hints. Each hint is an activation: it is recorded as shown in this run.
        """
        return await self._call("runs.observe", Reaction, run=run, observed=observed)

    async def finish(self, run: str, ending: Ending = Ending()) -> Episode:
        """Ends a run. It becomes an episode and takes no more steps. Lessons are mined from its steps, and the
        lessons that were shown or withheld are judged by how it went: they may be promoted or suppressed.
        """
        return await self._call("runs.finish", Episode, run=run, ending=ending)

    async def submit(self, run: NewRun, steps: Sequence[Observed] = (), ending: Ending = Ending()) -> Submitted:
        """Starts a run, observes its steps and ends it, all in one commit. At most 200 steps. The hints in the
        reactions come too late to help, so they are not activations.
        """
        return await self._call("runs.submit", Submitted, run=run, steps=steps, ending=ending)

    async def describe(self, run: str, description: Description = Description()) -> Run:
        """Adds to an open run what is known besides its steps. It replaces what was given before; members that are
        left out or empty stay.
        """
        return await self._call("runs.describe", Run, run=run, description=description)

    async def get(self, run: str) -> Run:
        """Returns an open run by its id."""
        return await self._call("runs.get", Run, run=run)

    async def open(self, limit: int) -> Sequence[Run]:
        """Lists open runs, most recently started first. At most 1,000."""
        return await self._list("runs.open", Run, limit=limit)

    async def recent_steps(self, domain: str, limit: int) -> Sequence[PastStep]:
        """Returns the newest steps of a domain, oldest first: what an adapter gets as `recent`. At most 16, of the
        16 runs that were started last and are open, and of the 16 episodes that ended last.
        """
        return await self._list("runs.recent-steps", PastStep, domain=domain, limit=limit)

    async def latest_steps(self, run: str, limit: int) -> Sequence[PastStep]:
        """Returns the last steps of one run, oldest first: what an adapter gets as `recent` in domains where each
        step continues the one before. At most 16.
        """
        return await self._list("runs.latest-steps", PastStep, run=run, limit=limit)
