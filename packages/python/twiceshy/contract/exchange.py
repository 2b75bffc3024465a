"""`twiceshy:memory/exchange`: generated from the contract."""

from collections.abc import Sequence

from .._calls import AsyncInterface, Interface
from .exchange_types import ExportRequest, Exported, ImportRequest, Imported, LineKind, TreeFile, TreeImport, TreePiece


class Exchange(Interface):
    """Export to files that other programs can read, and import from them, without loss. The formats are a directory
    tree and JSON Lines. A damaged input is refused with the file, the line and the reason, and nothing is
    changed.
    """

    def export_tree(self, request: ExportRequest = ExportRequest()) -> TreePiece:
        """Exports the memory as a directory tree, in parts: `episodic/`, `semantic/`, `skills/`, `ledgers/`,
        `handoffs/`, `learnings/` and `metrics/`. Each record has the standard members of this layout; everything
        else is in its one member `twiceshy`, or in `twiceshy/`. Begin without `after` and pass on `next` until it
        is missing. Vectors of episodes are left out; an embedder can compute them again.
        """
        return self._call("exchange.export-tree", TreePiece, request=request)

    def import_tree(self, files: Sequence[TreeFile], check_only: bool) -> TreeImport:
        """Imports the files of such a tree, also of one that another system wrote with the same layout. At most 24
        MiB at once. All files are checked before anything is written. They are then written in parts, each
        atomic, so that an interrupted import can simply be repeated. `check_only` changes nothing.

        What the memory has already stays as it is. Changes by hand since the export are taken over, except
        measurements (confidence, usage) and the steps of episodes. Records without `twiceshy` are added as by
        `episodes.add` and `patterns.add`. `learnings/` and `metrics/` are derived from the rest; learnings from
        other systems become anti-patterns.
        """
        return self._call("exchange.import-tree", TreeImport, files=files, check_only=check_only)

    def export_lines(self, kind: LineKind, request: ExportRequest = ExportRequest()) -> Exported:
        """Exports one kind of memories as JSON Lines, in parts, with names in `snake_case` and times as ISO 8601.
        Begin without `after` and pass on `next` until it is missing.
        """
        return self._call("exchange.export-lines", Exported, kind=kind, request=request)

    def import_lines(self, kind: LineKind, request: ImportRequest) -> Imported:
        """Imports JSON Lines. Empty lines are skipped. A damaged line is refused with its number, and nothing is
        changed. What the memory has already stays as it is. Lessons and experience of other systems, without
        `twiceshy`, become candidates and new experience.
        """
        return self._call("exchange.import-lines", Imported, kind=kind, request=request)


class AsyncExchange(AsyncInterface):
    """Export to files that other programs can read, and import from them, without loss. The formats are a directory
    tree and JSON Lines. A damaged input is refused with the file, the line and the reason, and nothing is
    changed.
    """

    async def export_tree(self, request: ExportRequest = ExportRequest()) -> TreePiece:
        """Exports the memory as a directory tree, in parts: `episodic/`, `semantic/`, `skills/`, `ledgers/`,
        `handoffs/`, `learnings/` and `metrics/`. Each record has the standard members of this layout; everything
        else is in its one member `twiceshy`, or in `twiceshy/`. Begin without `after` and pass on `next` until it
        is missing. Vectors of episodes are left out; an embedder can compute them again.
        """
        return await self._call("exchange.export-tree", TreePiece, request=request)

    async def import_tree(self, files: Sequence[TreeFile], check_only: bool) -> TreeImport:
        """Imports the files of such a tree, also of one that another system wrote with the same layout. At most 24
        MiB at once. All files are checked before anything is written. They are then written in parts, each
        atomic, so that an interrupted import can simply be repeated. `check_only` changes nothing.

        What the memory has already stays as it is. Changes by hand since the export are taken over, except
        measurements (confidence, usage) and the steps of episodes. Records without `twiceshy` are added as by
        `episodes.add` and `patterns.add`. `learnings/` and `metrics/` are derived from the rest; learnings from
        other systems become anti-patterns.
        """
        return await self._call("exchange.import-tree", TreeImport, files=files, check_only=check_only)

    async def export_lines(self, kind: LineKind, request: ExportRequest = ExportRequest()) -> Exported:
        """Exports one kind of memories as JSON Lines, in parts, with names in `snake_case` and times as ISO 8601.
        Begin without `after` and pass on `next` until it is missing.
        """
        return await self._call("exchange.export-lines", Exported, kind=kind, request=request)

    async def import_lines(self, kind: LineKind, request: ImportRequest) -> Imported:
        """Imports JSON Lines. Empty lines are skipped. A damaged line is refused with its number, and nothing is
        changed. What the memory has already stays as it is. Lessons and experience of other systems, without
        `twiceshy`, become candidates and new experience.
        """
        return await self._call("exchange.import-lines", Imported, kind=kind, request=request)
