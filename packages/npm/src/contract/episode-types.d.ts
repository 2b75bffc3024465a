/** `twiceshy:memory/episode-types`: generated from the contract. */

import type { Json, Timestamp } from './given.js';
import type { Episode, Outcome, Phase } from './memory-types.js';

/** A number with a name, such as `tokens_used` or `coverage`. */
export interface Measure {
  /** What is measured. 1 to 64 bytes. */
  name: string;
  /** The value. */
  value: number;
}

/** A change of plan during the work. */
export interface Adaptation {
  /** The step at which it was made, if known. */
  step?: number;
  /** What was changed. */
  change: string;
  /** The reason. */
  reason: string;
}

/** An error of a run and what resolved it. */
export interface EncounteredError {
  /** The kind of error, such as `TypeScript compilation`. */
  kind: string;
  /** Its message. */
  message: string;
  /** What resolved it. Empty if nothing did. */
  resolution: string;
}

/** A content that is kept outside the store, or a file that is only named. */
export interface Artifact {
  /** Its name, such as `src/routes/todos.ts`. */
  name: string;
  /** Its media type. Empty if unknown. */
  mediaType: string;
  /** `sha256:` and 64 hexadecimal digits, if its content is kept. Missing if it is only named. */
  hash?: string;
  /** The size of the content in bytes. */
  bytes: number;
}

/**
 * The account of an episode: how the task was understood, how it was carried out, what the result was, and
 * reflections on it. All members may be left out. Immutable.
 */
export interface Account {
  /** The goals of the task. At most 64. */
  goals: string[];
  /** The constraints. At most 64. */
  constraints: string[];
  /** The criteria of success. At most 64. */
  successCriteria: string[];
  /** The circumstances: an object with any members. */
  context: Json;
  /** The phase of the work, such as `development`. */
  phase?: string;
  /** The files involved. At most 256. */
  filesInvolved: string[];
  /** How hard it seemed, from 0 to 1. */
  complexity?: number;
  /** The plan, step by step. At most 256. */
  plan: string[];
  /** Changes of plan. At most 64. */
  adaptations: Adaptation[];
  /** The resources it used: tokens, calls, cost. At most 64. */
  resourceUsage: Measure[];
  /** The main result. A long one is shortened in the middle, and kept whole as an artifact. */
  primaryOutput?: string;
  /** What else it changed. At most 64. */
  sideEffects: string[];
  /** Measures of the quality of the result. At most 64. */
  qualityMetrics: Measure[];
  /** What was learned. At most 64. */
  insights: string[];
  /** Lessons learned from it, by id. At most 64. */
  patternsDiscovered: string[];
  /** The errors and what resolved them. At most 64. */
  errorsEncountered: EncounteredError[];
  /** Reflections on its efficiency. */
  performanceAnalysis?: string;
  /** What it produced. At most 256. */
  artifacts: Artifact[];
  /** The commit that it ended with. */
  gitCommit?: string;
}

/** What is known about a run besides its steps. Becomes part of its episode. */
export interface Description {
  /** What kind of task it is, such as `refactoring`. */
  taskType?: string;
  /** The tools that were used. At most 64. */
  toolsUsed: string[];
  /** The strategies that were applied: patterns by id, or in words. At most 64. */
  strategiesApplied: string[];
  /** Its tags. At most 32. */
  tags: string[];
  /** A summary. Default: made from the rest. */
  summary?: string;
  /** Its account. */
  account?: Account;
}

/** The part of an episode that a vector represents. */
export type Facet =
  /** The task. */
  | 'task'
  /** The result. */
  | 'outcome'
  /** The whole episode. */
  | 'full';

/** Whether an episode is at hand, in cold storage, or deleted. */
export type ArchivalStatus =
  /** At hand. */
  | 'active'
  /** Its account is in cold storage. */
  | 'archived'
  /** Deleted, but recoverable. */
  | 'deleted';

/** What happened to an episode after the end of its run. The episode itself does not change. */
export interface Lifecycle {
  /** Its phase, by its age. */
  phase: Phase;
  /** Whether it is at hand. */
  archivalStatus: ArchivalStatus;
  /** How often it was retrieved. */
  accessCount: number;
  /** When it was last retrieved. */
  lastAccessed?: Timestamp;
  /** Lessons and episodes that refer to it. At most 256. */
  referencedBy: string[];
  /** The name of its steps in cold storage, if they were moved there. */
  coldTrace?: string;
  /** The name of its account in cold storage, if it was moved there. */
  coldAccount?: string;
  /** The episode that now stands for it. */
  consolidatedInto?: string;
  /** When it was deleted. */
  deletedAt?: Timestamp;
  /** Why it was deleted. */
  deleteReason?: string;
}

/** How an episode of a group differs from the one that stands for it. */
export interface Variation {
  /** The episode. */
  episode: string;
  /** The difference, in words. */
  difference: string;
}

/** What several similar episodes, for which one stands, have in common. */
export interface Consolidated {
  /** The episode that stands for them. */
  representative: string;
  /** How many there are. */
  instances: number;
  /** The actions that they share, in order. */
  commonStructure: string[];
  /** How each of them differs. At most 256. */
  variations: Variation[];
  /** The mean duration in milliseconds. */
  averageDuration: number;
  /** The share of successes. */
  successRate: number;
  /** The lessons that several of them have in common. */
  commonPatterns: string[];
}

/** Everything that is known about an episode. */
export interface FullEpisode {
  /** The episode. */
  episode: Episode;
  /** Its account. */
  account: Account;
  /** What happened to it since it ended. */
  lifecycle: Lifecycle;
  /** What it has in common with the episodes it stands for, if there are any. */
  consolidated?: Consolidated;
}

/** One action of an imported episode. */
export interface TraceEntry {
  /** Milliseconds since the start. */
  after: number;
  /** What was done, such as `run_test`. */
  action: string;
  /** What it was done to. */
  target?: string;
  /** The result, such as `pass` or `fail`. */
  result?: string;
  /** The error, if it failed. */
  error?: string;
}

/** An episode from elsewhere, to store as it is. */
export interface NewEpisode {
  /** Its id, with the same rules as for a run. Default: a new id. */
  id?: string;
  /** The task in words. 1 byte to 16 KiB. */
  task: string;
  /** The domain, such as `cli`. */
  domain: string;
  /** The session it belongs to. */
  session?: string;
  /** Who did it. */
  agent?: string;
  /** What kind of task it is, such as `refactoring`. */
  taskType?: string;
  /** The tools that were used. At most 64. */
  toolsUsed: string[];
  /** The strategies that were applied: lessons by id, or in words. At most 64. */
  strategiesApplied: string[];
  /** Its tags. At most 32. */
  tags: string[];
  /** A summary. Default: made from the rest. */
  summary?: string;
  /** When it began. Default: computed from its end and the time of its last action. */
  startedAt?: Timestamp;
  /**
   * When it ended. Default: the time of its last action, or now if its beginning is unknown. Never later than
   * now.
   */
  endedAt?: Timestamp;
  /** How it ended. */
  outcome: Outcome;
  /** The score from 0 to 1, if there is one. */
  score?: number;
  /** What was done, in order. At most 200. Failed actions become events, as in a run. */
  trace: TraceEntry[];
  /** Its account. */
  account?: Account;
}

/** What aging did, or would do. */
export interface Aging {
  /** Episodes whose steps moved to cold storage. */
  traces: number;
  /** Episodes whose account moved to cold storage. */
  accounts: number;
  /** KiB that left the store. */
  kib: number;
  /** Whether there is more to do. */
  more: boolean;
}

/** What was learned from an episode. */
export interface LearningSummary {
  /** The episode. */
  episode: Episode;
  /** Lessons that are new. */
  newLessons: string[];
  /** Known lessons that got one more origin. */
  reinforcedLessons: string[];
  /** Patterns whose application was recorded. */
  appliedPatterns: string[];
  /** The summary in words. */
  text: string;
}
