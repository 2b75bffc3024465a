/** `twiceshy:memory/exchange`: generated from the contract. */

import type { ExportRequest, Exported, ImportRequest, Imported, LineKind, TreeFile, TreeImport, TreePiece } from './exchange-types.js';
import type { Given } from './given.js';

/**
 * Export to files that other programs can read, and import from them, without loss. The formats are a directory tree
 * and JSON Lines. A damaged input is refused with the file, the line and the reason, and nothing is changed.
 */
export interface Exchange {
  /**
   * Exports the memory as a directory tree, in parts: `episodic/`, `semantic/`, `skills/`, `ledgers/`,
   * `handoffs/`, `learnings/` and `metrics/`. Each record has the standard members of this layout; everything else
   * is in its one member `twiceshy`, or in `twiceshy/`. Begin without `after` and pass on `next` until it is
   * missing. Vectors of episodes are left out; an embedder can compute them again.
   */
  exportTree(request: Given<ExportRequest>): Promise<TreePiece>;
  /**
   * Imports the files of such a tree, also of one that another system wrote with the same layout. At most 24 MiB
   * at once. All files are checked before anything is written. They are then written in parts, each atomic, so
   * that an interrupted import can simply be repeated. `check-only` changes nothing.
   * 
   * What the memory has already stays as it is. Changes by hand since the export are taken over, except
   * measurements (confidence, usage) and the steps of episodes. Records without `twiceshy` are added as by
   * `episodes.add` and `patterns.add`. `learnings/` and `metrics/` are derived from the rest; learnings from other
   * systems become anti-patterns.
   */
  importTree(files: Given<TreeFile[]>, checkOnly: boolean): Promise<TreeImport>;
  /**
   * Exports one kind of memories as JSON Lines, in parts, with names in `snake_case` and times as ISO 8601. Begin
   * without `after` and pass on `next` until it is missing.
   */
  exportLines(kind: LineKind, request: Given<ExportRequest>): Promise<Exported>;
  /**
   * Imports JSON Lines. Empty lines are skipped. A damaged line is refused with its number, and nothing is
   * changed. What the memory has already stays as it is. Lessons and experience of other systems, without
   * `twiceshy`, become candidates and new experience.
   */
  importLines(kind: LineKind, request: Given<ImportRequest>): Promise<Imported>;
}
