"""twiceshy: a learning memory for agents. Once bitten, twice shy.

    import twiceshy

    memory = twiceshy.open()
    with memory.run("count the rows") as run:
        result = run.command(["wc", "-l", "rows.csv"])
        print(result.reaction.text)

`twiceshy.open()` is the memory that the program `twiceshy` uses in this directory. The nouns are in `twiceshy.contract`,
the exceptions in `twiceshy.errors`.
"""

from typing import TYPE_CHECKING, Any

from .errors import (
    AdapterError as AdapterError,
    BusyError as BusyError,
    ConflictError as ConflictError,
    DeniedError as DeniedError,
    InvalidArgumentError as InvalidArgumentError,
    NotFoundError as NotFoundError,
    OtherError as OtherError,
    StorageError as StorageError,
    TwiceshyError as TwiceshyError,
    UnavailableError as UnavailableError,
)
from .memory import Memory as Memory
from .memory import in_memory as in_memory
from .memory import open as open

if TYPE_CHECKING:
    from .asyncio import AsyncMemory as AsyncMemory
    from .asyncio import AsyncRun as AsyncRun
    from .run import CommandResult as CommandResult
    from .run import Run as Run

_LATER = {"AsyncMemory": "asyncio", "AsyncRun": "asyncio", "CommandResult": "run", "Run": "run"}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "__version__":
        return import_module("importlib.metadata").version("twiceshy")
    if name in _LATER:
        return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
