/** `twiceshy:memory/decision-types`: generated from the contract. */

import type { Timestamp } from './given.js';
import type { Tally } from './memory-types.js';

/** A decision to record. */
export interface NewDecision {
  /** What the hypothesis is about, such as `data_processor`. 1 to 256 bytes. */
  module: string;
  /** The change that was considered. 1 to 2,000 characters. */
  hypothesis: string;
  /** What the improvement does. At most 4,000 characters. */
  description?: string;
  /** `accepted`, `rejected` or `held`. */
  outcome: string;
  /** Why. Required. */
  rationale?: string;
  /** The message of the failed check or the verdict, verbatim. Only for `rejected`. */
  rejectionReason?: string;
}

/** A decision: a hypothesis that was accepted, rejected or held. Immutable. */
export interface Decision {
  /** Its id. */
  id: string;
  /** What the hypothesis is about. */
  module: string;
  /** The change that was considered. */
  hypothesis: string;
  /** What the improvement does. Empty if unknown. */
  description: string;
  /** `accepted`, `rejected` or `held`. */
  outcome: string;
  /** Why. Missing only in decisions that were imported from an old file. */
  rationale?: string;
  /** Why it was rejected, verbatim. */
  rejectionReason?: string;
  /** When it was recorded. */
  timestamp: Timestamp;
}

/** A hypothesis to look up among the decisions. */
export interface DecisionQuery {
  /** The module it is about. */
  module: string;
  /** The hypothesis. */
  hypothesis: string;
  /** What the improvement does. Compared as well. */
  description?: string;
  /** For how many days an acceptance counts as recent. Default: 7. */
  days?: number;
}

/** The decision that was found for a hypothesis. */
export interface DecisionMatch {
  /** Whether there is such a decision. */
  found: boolean;
  /** The decision. */
  record?: Decision;
  /** How similar it is, from 0.8 to 1. 0 if there is none. */
  similarity: number;
}

/** What was decided about a hypothesis before. */
export interface DecisionCheck {
  /** Whether it was rejected, at any time. */
  rejected: boolean;
  /** Whether it was accepted recently. */
  acceptedRecently: boolean;
  /** How similar the decision is, from 0.8 to 1. 0 if there is none. */
  similarity: number;
  /** The rejection, or else the acceptance. */
  record?: Decision;
  /** Whether to skip it: it was rejected or recently accepted. */
  shouldSkip: boolean;
}

/** A question about a hypothesis or a module. */
export interface DecisionQuestion {
  /** The module it is about. */
  module: string;
  /** The hypothesis. May be empty for `get-patterns`. */
  hypothesis?: string;
  /** What the improvement does. Compared as well. */
  description?: string;
  /** `was-rejected`, `was-accepted` or `get-patterns`. */
  queryType: string;
  /** For how many days an acceptance counts as recent. Default: 7. */
  days?: number;
}

/** Hypotheses about one module, to be filtered. */
export interface HypothesisList {
  /** The module they are about. */
  module: string;
  /** The hypotheses. At most 1,000. */
  hypotheses: string[];
  /** For how many days an acceptance counts as recent. Default: 7. */
  days?: number;
  /** Keeps hypotheses that were rejected before, to explore more boldly. */
  keepRejected?: boolean;
}

/** A hypothesis that was dropped. */
export interface DroppedHypothesis {
  /** The hypothesis. */
  hypothesis: string;
  /** The reason, in words. */
  reason: string;
  /** How similar the decision is. */
  similarity: number;
  /** The decision against it. */
  record: Decision;
}

/** Hypotheses, filtered. */
export interface FilteredHypotheses {
  /** The hypotheses with no decision against them, unchanged and in their order. */
  kept: string[];
  /** The other hypotheses. */
  dropped: DroppedHypothesis[];
}

/** Which decisions to list. Members that are left out do not restrict. */
export interface DecisionFilter {
  /** Only decisions about this module. */
  module?: string;
  /** Only decisions with this outcome: `accepted`, `rejected` or `held`. */
  outcome?: string;
  /** Only decisions recorded at this time or later. */
  since?: Timestamp;
  /** At most this many. Default: 50. Maximum: 1,000. */
  limit?: number;
}

/** A reason for which hypotheses are rejected. */
export interface RejectionPattern {
  /**
   * Its name: `Principle violation`, `Test failure`, `Type error`, `Syntax error`, `Import error` or
   * `Other`.
   */
  pattern: string;
  /** How many rejections. */
  count: number;
  /** Different reasons, verbatim, newest first. At most 5. */
  examples: string[];
}

/** The answer to a question. */
export interface DecisionAnswer {
  /** Whether anything was found. */
  found: boolean;
  /** The decision, unless patterns were asked for. */
  record?: Decision;
  /** How similar it is, from 0.8 to 1. 0 if there is none. */
  similarity: number;
  /** The patterns, if they were asked for. */
  patterns: RejectionPattern[];
}

/** Decisions about one module. */
export interface ModuleDecisions {
  /** The module. */
  module: string;
  /** How many were accepted. */
  accepted: number;
  /** How many were rejected. */
  rejected: number;
  /** How many are held. */
  held: number;
  /** Rejected over accepted and rejected, from 0 to 1. */
  rejectRate: number;
}

/** Decisions of one period. */
export interface DecisionPeriod {
  /** When it begins. */
  start: Timestamp;
  /** How many were accepted. */
  accepted: number;
  /** How many were rejected. */
  rejected: number;
  /** Accepted over accepted and rejected, from 0 to 1. */
  acceptanceRate: number;
}

/** Counts over all decisions. */
export interface DecisionStats {
  /** All decisions. */
  totalRecords: number;
  /** How many were accepted. */
  accepted: number;
  /** How many were rejected. */
  rejected: number;
  /** How many are held. */
  held: number;
  /** The modules by name. */
  modules: ModuleDecisions[];
  /** Rejections by the name of their pattern, most frequent first. */
  rejectionReasons: Tally[];
  /** The modules with at least 3 decisions, highest reject rate first. At most 10. */
  hardestModules: ModuleDecisions[];
  /**
   * At most 10 periods of equal length from the first to the last decision. Periods without decisions are left
   * out. A rising rate means that the work converges.
   */
  acceptance: DecisionPeriod[];
  /** When the last decision was recorded. */
  lastUpdated?: Timestamp;
}
