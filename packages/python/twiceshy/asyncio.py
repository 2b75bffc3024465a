"""The memory for asyncio: each call waits in a thread, and the loop goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ._codec import Json
from .adapters import AsyncAdapters
from .contract.adapter import Feedback
from .contract.hint_types import Briefing, Reaction
from .contract.interfaces import AsyncInterfaces
from .contract.memory import Episode, Outcome, Referee
from .run import CommandResult, Run, current, ending_of

if TYPE_CHECKING:
    from contextvars import Token

    from .memory import Memory


class AsyncMemory(AsyncInterfaces):
    """A memory whose interfaces are awaited. `memory.aio` is one."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory._native)
        self._memory = memory

    def run(self, task: str, domain: str = "cli", **options: Any) -> AsyncRun:
        """Begins a run, to be used in an `async with` statement. It takes what `Memory.run` takes."""
        return AsyncRun(partial(self._memory.run, task, domain, **options))

    @cached_property
    def adapters(self) -> AsyncAdapters:
        """The adapters at hand, which make feedback of steps."""
        return AsyncAdapters(self._memory._native)


class AsyncRun:
    """An open run whose steps are awaited. It starts and ends with the block of its `async with` statement."""

    def __init__(self, start: partial[Run]) -> None:
        self._start = start
        self._run: Run | None = None
        self._token: Token[Run | None] | None = None

    @property
    def run(self) -> Run:
        """The run itself, once the block has begun."""
        if self._run is None:
            raise RuntimeError("the run has not begun; use it in an `async with` statement")
        return self._run

    @property
    def id(self) -> str:
        """Its id."""
        return self.run.id

    async def brief(self, limit: int | None = None, tokens: int | None = None) -> Briefing:
        """As `Run.brief`."""
        return await asyncio.to_thread(self.run.brief, limit, tokens)

    async def observe(
        self,
        action: Json,
        observation: Json = "",
        *,
        before: Json = "",
        expectations: Json = "",
        adapter: str | None = None,
        feedback: Feedback | None = None,
    ) -> Reaction:
        """As `Run.observe`."""
        return await asyncio.to_thread(
            self.run.observe,
            action,
            observation,
            before=before,
            expectations=expectations,
            adapter=adapter,
            feedback=feedback,
        )

    async def worked(self, action: str, result: Json = "") -> Reaction:
        """As `Run.worked`."""
        return await asyncio.to_thread(self.run.worked, action, result)

    async def failed(self, action: str, error: BaseException | str, reason: str = "") -> Reaction:
        """As `Run.failed`."""
        return await asyncio.to_thread(self.run.failed, action, error, reason)

    async def command(
        self,
        command: str | Sequence[str | PathLike[str]],
        *,
        cwd: str | PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        stdin: str | None = None,
        timeout: float | None = None,
        expectations: Json = "",
    ) -> CommandResult:
        """As `Run.command`."""
        return await asyncio.to_thread(
            self.run.command, command, cwd=cwd, env=env, stdin=stdin, timeout=timeout, expectations=expectations
        )

    async def finish(
        self, outcome: Outcome | None = None, score: float | None = None, referee: Referee | None = None
    ) -> Episode:
        """As `Run.finish`."""
        return await asyncio.to_thread(self.run.finish, outcome, score, referee)

    async def __aenter__(self) -> AsyncRun:
        self._run = await asyncio.to_thread(self._start)
        self._token = current.set(self._run)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._token is not None:
            current.reset(self._token)
        # Whoever cancels the task must not leave the run open.
        await asyncio.shield(asyncio.to_thread(self.run.finish, ending_of(error)))
