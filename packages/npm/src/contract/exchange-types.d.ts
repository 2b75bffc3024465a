/** `twiceshy:memory/exchange-types`: generated from the contract. */


/** Which part of an export to return. */
export interface ExportRequest {
  /** The `next` of the part before it. Left out for the first part. */
  after?: string;
}

/** A part of an export. */
export interface Exported {
  /** The text of this part. */
  text: string;
  /** How many records it has. */
  records: number;
  /** Pass it as `after` to get the next part. Missing if this was the last part. */
  next?: string;
}

/** A file to import. */
export interface ImportRequest {
  /** The file's text. At most 24 MiB. */
  text: string;
  /** Whether to check it only. */
  checkOnly?: boolean;
}

/** What an import did. */
export interface Imported {
  /** How many records the file has. */
  records: number;
  /** How many of them were added, or would be. */
  added: number;
  /** How many the memory had already. */
  known: number;
}

/** A file of an exported tree. */
export interface TreeFile {
  /** Its path within the tree, with `/`: never absolute, no `..`. */
  path: string;
  /** Its text. */
  text: string;
}

/** A part of an exported tree. */
export interface TreePiece {
  /** Whole files. */
  files: TreeFile[];
  /** Pass it as `after` to get the next part. Missing if this was the last part. */
  next?: string;
}

/** What an import did, or would do. */
export interface TreeImport {
  /** Memories that were added. */
  added: number;
  /** Memories that existed and were changed by hand in the files. */
  changed: number;
  /** Memories that existed unchanged. */
  known: number;
  /**
   * What was ignored: files that are not part of the layout, a damaged index (it is rebuilt), links to missing
   * memories. Each with its path and the reason.
   */
  ignored: string[];
}

/** What the lines of an export contain. */
export type LineKind =
  /** Failed steps, as `memory_events.jsonl`. */
  | 'events'
  /** Lessons with evidence and links, as `memory_lessons.jsonl`. */
  | 'lessons'
  /** Episodes with steps and accounts. */
  | 'episodes'
  /** Experience entries. */
  | 'experience';
