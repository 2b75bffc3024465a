"""Steps by way of an adapter: a sandboxed component makes feedback of what an agent did and saw."""

from collections.abc import Sequence
from dataclasses import dataclass

from ._calls import AsyncInterface, Interface
from ._codec import Json
from .contract.adapter import Feedback, Goal, PastStep, Step
from .contract.hint_types import Reaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A step that was judged and observed."""

    feedback: Feedback
    """What was said of the step."""

    reaction: Reaction
    """What the memory makes of it."""

    adapter_error: str | None = None
    """Why the adapter failed, if it did and the given feedback was taken instead."""


class Adapters(Interface):
    """The adapters at hand: those of the project, those of the user, and the bundled ones."""

    def assess(self, adapter: str, goal: Goal, step: Step, recent: Sequence[PastStep] = ()) -> Feedback:
        """Judges one step by an adapter, and keeps nothing."""
        return self._call("adapters.assess", Feedback, adapter=adapter, goal=goal, recent=recent, step=step)

    def observe(
        self,
        run: str,
        step: Step,
        expectations: Json = "",
        adapter: str | None = None,
        feedback: Feedback | None = None,
    ) -> Judged:
        """Judges one step of an open run and observes it. Without `adapter`, by the one for the run's domain. If it
        fails, the given `feedback` is taken, or there is an error and nothing is observed.
        """
        return self._call(
            "adapters.observe",
            Judged,
            run=run,
            step=step,
            expectations=expectations,
            adapter=adapter,
            feedback=feedback,
        )


class AsyncAdapters(AsyncInterface):
    """The same from asyncio."""

    async def assess(self, adapter: str, goal: Goal, step: Step, recent: Sequence[PastStep] = ()) -> Feedback:
        """Judges one step by an adapter, and keeps nothing."""
        return await self._call("adapters.assess", Feedback, adapter=adapter, goal=goal, recent=recent, step=step)

    async def observe(
        self,
        run: str,
        step: Step,
        expectations: Json = "",
        adapter: str | None = None,
        feedback: Feedback | None = None,
    ) -> Judged:
        """Judges one step of an open run and observes it. Without `adapter`, by the one for the run's domain. If it
        fails, the given `feedback` is taken, or there is an error and nothing is observed.
        """
        return await self._call(
            "adapters.observe",
            Judged,
            run=run,
            step=step,
            expectations=expectations,
            adapter=adapter,
            feedback=feedback,
        )
