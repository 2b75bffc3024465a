"""Why a call failed: one class for each case of the contract. Generated from the contract."""


class TwiceshyError(Exception):
    """Why a call failed. A failed call changes nothing."""

    kind: str = ""
    """The name of the case in the contract."""


class NotFoundError(TwiceshyError):
    """Something does not exist; names it."""

    kind = "not-found"


class InvalidArgumentError(TwiceshyError):
    """An argument is invalid; names the member, the cause and what to do."""

    kind = "invalid-argument"


class ConflictError(TwiceshyError):
    """The call does not fit the current state, such as a step for a run that has ended."""

    kind = "conflict"


class BusyError(TwiceshyError):
    """Another process holds the store or the work for too long. Retry later."""

    kind = "busy"


class StorageError(TwiceshyError):
    """The store can't be written or read: it is full, read-only or damaged."""

    kind = "storage"


class UnavailableError(TwiceshyError):
    """The call needs something that this host does not offer."""

    kind = "unavailable"


class DeniedError(TwiceshyError):
    """The host offers what the call needs, but not to this memory."""

    kind = "denied"


class OtherError(TwiceshyError):
    """Anything else."""

    kind = "other"


BY_KIND: dict[str, type[TwiceshyError]] = {
    "not-found": NotFoundError,
    "invalid-argument": InvalidArgumentError,
    "conflict": ConflictError,
    "busy": BusyError,
    "storage": StorageError,
    "unavailable": UnavailableError,
    "denied": DeniedError,
    "other": OtherError,
}
"""The classes by the names of their cases."""
