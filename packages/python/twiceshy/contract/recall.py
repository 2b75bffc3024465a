"""`twiceshy:memory/recall`: generated from the contract."""

from collections.abc import Sequence

from .._calls import AsyncInterface, Interface
from .context_types import ContextRequest, TaskBundle
from .hint_types import FailureContext, Hint, TaskContext


class Recall(Interface):
    """What the memory knows that may help now."""

    def on_error(self, failure: FailureContext) -> Sequence[Hint]:
        """Recalls lessons for a failure: first those that exactly this fingerprint triggers, then by score. Changes
        nothing.
        """
        return self._list("recall.on-error", Hint, failure=failure)

    def for_task(self, task: TaskContext) -> Sequence[Hint]:
        """Recalls lessons for a task before it begins: by its words, its domain and recent failures. Changes
        nothing.
        """
        return self._list("recall.for-task", Hint, task=task)

    def context(self, request: ContextRequest) -> TaskBundle:
        """Collects what may help with a task: patterns, similar episodes, skills, facts and what to avoid. Weighed
        by the kind of work, each memory once, within a budget of tokens. Changes nothing.
        """
        return self._call("recall.context", TaskBundle, request=request)


class AsyncRecall(AsyncInterface):
    """What the memory knows that may help now."""

    async def on_error(self, failure: FailureContext) -> Sequence[Hint]:
        """Recalls lessons for a failure: first those that exactly this fingerprint triggers, then by score. Changes
        nothing.
        """
        return await self._list("recall.on-error", Hint, failure=failure)

    async def for_task(self, task: TaskContext) -> Sequence[Hint]:
        """Recalls lessons for a task before it begins: by its words, its domain and recent failures. Changes
        nothing.
        """
        return await self._list("recall.for-task", Hint, task=task)

    async def context(self, request: ContextRequest) -> TaskBundle:
        """Collects what may help with a task: patterns, similar episodes, skills, facts and what to avoid. Weighed
        by the kind of work, each memory once, within a budget of tokens. Changes nothing.
        """
        return await self._call("recall.context", TaskBundle, request=request)
