"""How an interface of the contract calls the memory, directly and from asyncio."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from ._codec import decode, decode_list, encode

T = TypeVar("T")


class Caller(Protocol):
    """What takes calls: the native memory, or whatever stands for it in a test."""

    def call(self, method: str, arguments: str) -> str:
        """Calls `interface.function` with a JSON object of its arguments; gives its result as JSON."""


class Interface:
    """A group of functions that are called directly. Other threads run meanwhile."""

    __slots__ = ("_caller",)

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def _call(self, method: str, answer: type[T], /, **arguments: Any) -> T:
        return decode(self._caller.call(method, encode(arguments)), answer)

    def _list(self, method: str, item: type[T], /, **arguments: Any) -> Sequence[T]:
        return decode_list(self._caller.call(method, encode(arguments)), item)

    def _do(self, method: str, /, **arguments: Any) -> None:
        self._caller.call(method, encode(arguments))


class AsyncInterface:
    """The same from asyncio: a call waits in a thread. What is cancelled meanwhile is done all the same."""

    __slots__ = ("_caller",)

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def _answer(self, method: str, arguments: dict[str, Any]) -> str:
        # Only who uses asyncio waits until it is loaded.
        from asyncio import to_thread

        return await to_thread(self._caller.call, method, encode(arguments))

    async def _call(self, method: str, answer: type[T], /, **arguments: Any) -> T:
        return decode(await self._answer(method, arguments), answer)

    async def _list(self, method: str, item: type[T], /, **arguments: Any) -> Sequence[T]:
        return decode_list(await self._answer(method, arguments), item)

    async def _do(self, method: str, /, **arguments: Any) -> None:
        await self._answer(method, arguments)
