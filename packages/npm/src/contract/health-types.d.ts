/** `twiceshy:memory/health-types`: generated from the contract. */

import type { Timestamp } from './given.js';
import type { Lesson } from './lesson-types.js';
import type { Link } from './link-types.js';
import type { Fingerprint } from './memory-types.js';

/** How much a memory holds. */
export interface MemoryStatus {
  /** Failed steps. */
  events: number;
  /** Runs that have ended. */
  episodes: number;
  /** Lessons, whatever their status. */
  lessons: number;
  /** Runs that are open. */
  runs: number;
  /** Different failures. */
  fingerprints: number;
  /** Activations that are kept one by one: lessons shown in runs, or withheld from them. */
  activations: number;
  /** Decisions. */
  decisions: number;
  /** Failed attempts. */
  failures: number;
}

/** How many lessons have each status. */
export interface LessonsByStatus {
  /** Candidates: proposed, not yet proven. */
  candidate: number;
  /** Promoted: proven to help. */
  promoted: number;
  /** Under review: in doubt. */
  underReview: number;
  /** Suppressed: found not to help. */
  suppressed: number;
  /** Deprecated: no longer right. */
  deprecated: number;
  /** Archived: kept for audit. */
  archived: number;
}

/** A failure that recurs. */
export interface RecurringFailure {
  /** Its fingerprint. */
  fingerprint: Fingerprint;
  /** How often it was seen. */
  occurrences: number;
  /** In how many runs. */
  runs: number;
  /** When it was last seen. */
  lastAt: Timestamp;
  /** The lessons that it triggers and that are shown. */
  lessons: string[];
}

/** How the runs of one task went over time. */
export interface TaskStability {
  /** The task in words. */
  task: string;
  /** The domain of its steps. */
  domain: string;
  /** How many of its newest runs are considered. At most 50. */
  runs: number;
  /** Failures in the first of them. */
  firstFailures: number;
  /** The fewest failures in any of them. */
  bestFailures: number;
  /** Failures in the last of them. */
  lastFailures: number;
  /** Steps in the first of them. */
  firstSteps: number;
  /** Steps in the last of them. */
  lastSteps: number;
  /** The share of them that succeeded. */
  passRate: number;
  /**
   * Whether the last three have more failures than the best three before them, by more than half a failure per
   * run.
   */
  regressed: boolean;
}

/** How well a memory works. */
export interface Health {
  /** Lessons by status. */
  lessons: LessonsByStatus;
  /** How often lessons were shown. */
  shown: number;
  /** How often lessons were withheld for comparison. */
  withheld: number;
  /** Lessons that helped, counted once per run. */
  helped: number;
  /** Lessons that harmed, counted once per run. */
  harmed: number;
  /** Lessons that were shown and relevant, counted once per run. */
  judged: number;
  /**
   * The share of `judged` that helped: a proxy for the precision of retrieval. Missing until something was
   * judged.
   */
  retrievalPrecision?: number;
  /** The mean utility of the lessons that are shown. Missing until one was shown. */
  utility?: number;
  /** Failures per run in the older half of the newest 200 episodes. */
  failuresPerRunBefore?: number;
  /** Failures per run in the newer half of them. */
  failuresPerRunNow?: number;
  /** The most frequent recurring failures. At most 20. */
  recurring: RecurringFailure[];
  /** Pairs of shown lessons that contradict each other. At most 20. */
  contradictions: Link[];
  /** Lessons that harm or are in doubt. At most 20. */
  doubtful: Lesson[];
  /** Lessons that were unused for so long that the end of the next run archives them. At most 20. */
  stale: string[];
  /** How the tasks of the newest 200 episodes went, regressed tasks first. At most 20. */
  stability: TaskStability[];
}

/** What pruning removed, or would remove. */
export interface Pruned {
  /** Episodes, with their steps, events and activations. */
  episodes: number;
  /** Steps of those episodes. */
  steps: number;
  /** Events of those episodes. */
  events: number;
  /** Activations of those episodes. */
  activations: number;
  /** Lessons that were archived. */
  lessons: number;
  /** Decisions. */
  decisions: number;
  /** Failed attempts. */
  failures: number;
}

/** How far a memory has vectors of the present embedder. */
export interface Reindexing {
  /** The id of the embedder. */
  model: string;
  /** What was looked at: `episodes`, `lessons` or `experience`. */
  memories: string;
  /** How many of them were looked at so far. */
  done: number;
  /** How many of them there are. */
  total: number;
  /** Vectors that this call made. */
  embedded: number;
  /** Vectors of another embedder that this call removed, because their length differs. */
  removed: number;
  /** Pass it as `after` to continue. Missing when everything was looked at. */
  next?: string;
}

/** A problem in the memory. */
export interface Finding {
  /** The document it is about, as `kind/id`. */
  document: string;
  /** What is wrong with it, and what to do. */
  problem: string;
}
