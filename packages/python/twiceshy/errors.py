"""Why a call failed: the exceptions of the package, one class for each case of the contract."""

from .contract.errors import (
    BY_KIND as BY_KIND,
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


class AdapterError(TwiceshyError):
    """An adapter refused a step, failed, or broke its contract. The step was not observed."""

    def __init__(self, message: str, adapter: str = "", kind: str = "") -> None:
        super().__init__(message)
        self.adapter = adapter
        """The adapter's name."""
        self.kind = kind
        """What went wrong: `trap`, `timeout`, `memory`, `refused`, `incompatible` or `bad-output`."""

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        return AdapterError, (str(self), self.adapter, self.kind)
