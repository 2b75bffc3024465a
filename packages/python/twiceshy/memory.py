"""A memory: the one of a project, which the program `twiceshy` uses, too, or one that is forgotten with the process."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from ._native import NativeMemory
from .contract.interfaces import Interfaces

if TYPE_CHECKING:
    from .adapters import Adapters
    from .asyncio import AsyncMemory
    from .run import Run
    from .watch import Watched

Clock = Callable[[], int]
"""A clock: milliseconds since the Unix epoch."""


class Memory(Interfaces):
    """A memory. Its attributes are the interfaces of the contract: `runs`, `lessons`, `recall` and so on. Any number of
    threads may call it at once, and any number of processes may have the same one open.
    """

    def __init__(self, native: NativeMemory) -> None:
        super().__init__(native)
        self._native = native

    def run(
        self,
        task: str,
        domain: str = "cli",
        *,
        id: str | None = None,
        session: str | None = None,
        agent: str | None = None,
        task_type: str | None = None,
        tags: Sequence[str] = (),
        hints: int | None = None,
        hold_out: float | None = None,
    ) -> Run:
        """Starts a run, to be used in a `with` statement. `hints` and `hold_out` are those of the settings, unless
        they are given.
        """
        from .contract.memory import NewRun
        from .run import Run

        new = NewRun(
            id=id,
            task=task,
            domain=domain,
            session=session,
            agent=agent,
            task_type=task_type,
            tags=tags,
            hints=self._native.hints if hints is None else hints,
            hold_out=self._native.hold_out if hold_out is None else hold_out,
        )
        return Run(self, new)

    @property
    def watch(self) -> Watched:
        """A decorator for functions: an exception is a failed step, a return is a success. See `twiceshy.watch`."""
        from .watch import Watched

        return Watched(self)

    @cached_property
    def adapters(self) -> Adapters:
        """The adapters at hand, which make feedback of steps."""
        from .adapters import Adapters

        return Adapters(self._native)

    @cached_property
    def aio(self) -> AsyncMemory:
        """The same memory for asyncio."""
        from .asyncio import AsyncMemory

        return AsyncMemory(self)

    @property
    def directory(self) -> Path | None:
        """Where it is, or will be; nowhere if it is forgotten with the process, or kept by a service or a database."""
        return self._native.directory

    @property
    def switched_off(self) -> str | None:
        """Why nothing is remembered, if the settings or `TWICESHY_OFF` say so. Everything works all the same, and is
        forgotten with the process.
        """
        return self._native.switched_off

    @property
    def capture_bytes(self) -> int:
        """How much of each output of a command is kept."""
        return self._native.capture_bytes

    def close(self) -> None:
        """Lets go of its files. Whatever calls it afterwards is refused."""
        self._native.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<twiceshy.Memory {self._native.place or 'of this process'}>"


def open(
    directory: str | PathLike[str] | None = None,
    *,
    start: str | PathLike[str] | None = None,
    clock: Clock | None = None,
) -> Memory:
    """The memory in `directory`, or the one that the program `twiceshy` uses in `start`. Without both, the one that
    `TWICESHY_MEMORY` names, or the one of the working directory. Nothing is made before the first write. A memory that
    came with a clone is refused until `twiceshy trust` accepts it.

    In place of a directory, `https://…` is a memory behind `twiceshy serve`, with the token of `TWICESHY_TOKEN` or of the
    user's directory, and `postgres://…` one in a database.
    """
    if directory is None and start is None:
        directory = os.environ.get("TWICESHY_MEMORY") or None
    if directory is not None:
        # As it is given: a path would take one of the slashes of an address away.
        return Memory(NativeMemory(directory=os.fspath(directory), clock=clock))
    return Memory(NativeMemory(start=Path.cwd() if start is None else Path(start).absolute(), clock=clock))


def in_memory(*, clock: Clock | None = None) -> Memory:
    """A memory that is forgotten with the process."""
    return Memory(NativeMemory(clock=clock))
