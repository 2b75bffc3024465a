"""A decorator that makes each call of a function a step: an exception is a failed step, a return is a success.

The step belongs to the run that is open here (`with memory.run(…)`); without one, the call is a run of its own. What is
known about a failure is added to the exception as a note, so that it is in the traceback and in `error.__notes__`.
Trouble of the memory itself is logged and never reaches the caller.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
import reprlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast, overload

from .errors import TwiceshyError
from .run import Run, current, describe

if TYPE_CHECKING:
    from .memory import Memory

P = ParamSpec("P")
R = TypeVar("R")

logger = logging.getLogger("twiceshy")

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 200


class Watched:
    """The decorator `memory.watch`, with or without parentheses."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    @overload
    def __call__(self, function: Callable[P, R], /) -> Callable[P, R]: ...

    @overload
    def __call__(
        self, /, *, name: str | None = None, domain: str = "python"
    ) -> Callable[[Callable[P, R]], Callable[P, R]]: ...

    def __call__(
        self, function: Callable[P, R] | None = None, /, *, name: str | None = None, domain: str = "python"
    ) -> Callable[P, R] | Callable[[Callable[P, R]], Callable[P, R]]:
        if function is None:
            return lambda given: self._wrap(given, name or given.__name__, domain)
        return self._wrap(function, function.__name__, domain)

    def _wrap(self, function: Callable[P, R], name: str, domain: str) -> Callable[P, R]:
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def awaited(*args: P.args, **kwargs: P.kwargs) -> Any:
                try:
                    result = await function(*args, **kwargs)
                except Exception as error:
                    await asyncio.to_thread(self.note, domain, name, call_text(name, args, kwargs), error)
                    raise
                await asyncio.to_thread(self.note, domain, name, call_text(name, args, kwargs))
                return result

            return cast(Callable[P, R], awaited)

        @functools.wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                result = function(*args, **kwargs)
            except Exception as error:
                self.note(domain, name, call_text(name, args, kwargs), error)
                raise
            self.note(domain, name, call_text(name, args, kwargs))
            return result

        return called

    def note(self, domain: str, task: str, action: str, error: BaseException | str | None = None) -> str:
        """Observes a step of the open run, or of a run of its own, and gives what the agent should read. An exception
        gets it as a note.
        """
        try:
            run = current.get()
            if run is not None and run.episode is None:
                text = _observe(run, action, error)
            else:
                own = self._memory.run(task, domain)
                text = _observe(own, action, error)
                own.finish()
        except TwiceshyError as trouble:
            logger.warning("not remembered: %s", trouble)
            return ""
        if text and isinstance(error, BaseException):
            error.add_note(text)
        return text


def _observe(run: Run, action: str, error: BaseException | str | None) -> str:
    if error is None:
        run.worked(action)
        return ""
    return run.failed(action, error).text


def call_text(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """A call in one line, its long arguments shortened."""
    parts = [_short.repr(one) for one in args]
    parts += [f"{key}={_short.repr(one)}" for key, one in kwargs.items()]
    return f"{name}({', '.join(parts)})"


__all__ = ["Watched", "call_text", "describe"]
