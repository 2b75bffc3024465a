/** `twiceshy:memory/consolidation-types`: generated from the contract. */

import type { Timestamp } from './given.js';
import type { Tally } from './memory-types.js';

/** A stage of consolidation. */
export type Stage =
  /** Merges similar episodes, and moves old ones to cold storage. */
  | 'episodes'
  /** Extracts patterns and anti-patterns from recent episodes. */
  | 'extraction'
  /** Tests and promotes patterns. */
  | 'validation'
  /** Narrows declining patterns, merges similar ones and deprecates obsolete ones. */
  | 'refinement'
  /** Updates the indices of the store. */
  | 'indices'
  /** Writes the report. */
  | 'report';

/** What to consolidate. */
export interface ConsolidationRequest {
  /** Only these stages, in their order. Empty: all. */
  stages: Stage[];
  /** Whether to change nothing and report what would be done, in one call. */
  dryRun?: boolean;
  /**
   * Extract patterns from the episodes of this many last hours. Default: 24, or since the last consolidation
   * if that is longer ago.
   */
  hours?: number;
  /** Only merge episodes that are at most this many days apart. Default: 7. */
  windowDays?: number;
  /** The similarity from which episodes are merged. Default: 0.95. */
  episodeSimilarity?: number;
  /** The similarity from which patterns are the same. Default: 0.9. */
  patternSimilarity?: number;
  /** The confidence from which a pattern is accepted. Default: 0.8. */
  confidence?: number;
  /** For how many days what earlier consolidations changed is kept, so that they can be undone. Default: 30. */
  undoDays?: number;
  /** Resumes a consolidation: the `next` of the previous answer. */
  after?: string;
}

/** A change made by a consolidation, and why. */
export interface ConsolidationChange {
  /** The stage that made it. */
  stage: Stage;
  /** The id of what was changed. */
  memory: string;
  /** What was done, in words. */
  change: string;
  /** Why, in words. */
  reason: string;
}

/** The result of a finished consolidation. */
export interface ConsolidationReport {
  /** How many changes each stage made. */
  stages: Tally[];
  /** Patterns by status: the summary of the validation. */
  patterns: Tally[];
  /** Documents by kind: what the memory holds. */
  storage: Tally[];
}

/** A consolidation: what it did, or would do. */
export interface Consolidation {
  /** Its id. Needed to undo it. */
  id: string;
  /** When it began. */
  startedAt: Timestamp;
  /** When it ended. Missing while it is running. */
  endedAt?: Timestamp;
  /** Whether it was a dry run, which changes nothing. */
  dryRun: boolean;
  /** The stage it is in. */
  stage: Stage;
  /** How many parts of this stage are done. */
  done: number;
  /** How many parts this stage has. */
  total: number;
  /** What this call changed. At most 1,000. */
  changes: ConsolidationChange[];
  /** Pass it as `after` to continue. Missing when the consolidation has ended. */
  next?: string;
  /** The result. Missing while it is running, and for a dry run. */
  report?: ConsolidationReport;
  /** Whether it was undone. */
  undone: boolean;
}

/** How many memories of each kind, phase and status there are. */
export interface Inventory {
  /** Documents by kind, such as `episode` or `lesson`. */
  documents: Tally[];
  /** Episodes by phase: `active`, `mature`, `aged`, `archived`, `deleted`. */
  episodes: Tally[];
  /** Lessons by status. */
  lessons: Tally[];
  /** Shown lessons by kind. */
  kinds: Tally[];
}

/** How the runs of one day went, and what they cost. */
export interface DayMetrics {
  /** The day, as `2026-01-06`. */
  day: string;
  /** Episodes that ended on that day. */
  episodes: number;
  /** How many of them succeeded. */
  successes: number;
  /** Steps. */
  steps: number;
  /** Failed steps. */
  failures: number;
  /** Failures that recurred in the same run. */
  retries: number;
  /** Agents that worked on that day. */
  agents: number;
  /** Time spent, in seconds. */
  durationSeconds: number;
  /** New lessons. */
  newLessons: number;
  /** The mean score, if there is one. */
  score?: number;
  /** The mean efficiency signal, if there is one. */
  efficiency?: number;
  /** Lessons that helped minus lessons that harmed, as a share of those judged. Missing if none was judged. */
  preference?: number;
}

/** How the last days went. */
export interface Metrics {
  /** The days, newest last. */
  days: DayMetrics[];
  /** The sum over all days. */
  total: DayMetrics;
}
