"""`twiceshy:memory/exchange-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal



@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """Which part of an export to return."""

    after: str | None = None
    """The `next` of the part before it. Left out for the first part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A part of an export."""

    text: str
    """The text of this part."""

    records: int
    """How many records it has."""

    next: str | None = None
    """Pass it as `after` to get the next part. Missing if this was the last part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    """A file to import."""

    text: str
    """The file's text. At most 24 MiB."""

    check_only: bool | None = None
    """Whether to check it only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import did."""

    records: int
    """How many records the file has."""

    added: int
    """How many of them were added, or would be."""

    known: int
    """How many the memory had already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeFile:
    """A file of an exported tree."""

    path: str
    """Its path within the tree, with `/`: never absolute, no `..`."""

    text: str
    """Its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreePiece:
    """A part of an exported tree."""

    files: Sequence[TreeFile] = ()
    """Whole files."""

    next: str | None = None
    """Pass it as `after` to get the next part. Missing if this was the last part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeImport:
    """What an import did, or would do."""

    added: int
    """Memories that were added."""

    changed: int
    """Memories that existed and were changed by hand in the files."""

    known: int
    """Memories that existed unchanged."""

    ignored: Sequence[str] = ()
    """What was ignored: files that are not part of the layout, a damaged index (it is rebuilt), links to missing
    memories. Each with its path and the reason.
    """


LineKind = Literal["events", "lessons", "episodes", "experience"]
"""What the lines of an export contain.

* `events`: Failed steps, as `memory_events.jsonl`.
* `lessons`: Lessons with evidence and links, as `memory_lessons.jsonl`.
* `episodes`: Episodes with steps and accounts.
* `experience`: Experience entries.
"""
