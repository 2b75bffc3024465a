/** `twiceshy:memory/failure-types`: generated from the contract. */

import type { Timestamp } from './given.js';

/** A failed attempt to record. */
export interface NewFailure {
  /** The group the module belongs to, such as `agents/e`. May be empty. At most 256 bytes. */
  moduleCategory: string;
  /** The module. 1 to 256 bytes. */
  moduleName: string;
  /** What was attempted. 1 to 2,000 characters. */
  hypothesis: string;
  /** `syntax`, `type`, `import`, `test` or `unknown`. Default: found from the details. */
  failureType?: string;
  /** The error text. Long texts are shortened in the middle. */
  failureDetails: string;
}

/** A failed attempt at a hypothesis. Immutable. */
export interface FailedAttempt {
  /** Its id. */
  id: string;
  /** The group the module belongs to. */
  moduleCategory: string;
  /** The module. */
  moduleName: string;
  /** What was attempted. */
  hypothesis: string;
  /** `syntax`, `type`, `import`, `test` or `unknown`. */
  failureType: string;
  /** The error text. */
  failureDetails: string;
  /** The fingerprint of the details: the pattern it belongs to. */
  fingerprint: string;
  /** When it was recorded. */
  timestamp: Timestamp;
}

/** Which patterns to list. Members that are left out do not restrict. */
export interface PatternFilter {
  /** Only failures of this module. */
  moduleName?: string;
  /** Only failures of this type. */
  failureType?: string;
  /** Only patterns that occurred at least this often. Default: 1. */
  minCount?: number;
}

/** A way in which attempts fail. */
export interface FailurePattern {
  /** The fingerprint that its failures share. */
  fingerprint: string;
  /** The readable form of its fingerprint. */
  template: string;
  /** The type of its newest failure. */
  failureType: string;
  /** How many failures. */
  count: number;
  /** The modules it occurred in, sorted. */
  modules: string[];
  /** Different details, verbatim, newest first. At most 5. */
  exampleDetails: string[];
  /** When it last occurred. */
  lastSeen: Timestamp;
}

/** A hypothesis about to be attempted. */
export interface WarningQuery {
  /** The module. */
  moduleName: string;
  /** What is about to be attempted. */
  hypothesis: string;
  /** How often a pattern must have occurred to cause a warning. Default: 3. */
  minCount?: number;
  /** Within how many days. Default: 30. */
  days?: number;
  /** The number of failures from which a warning has medium severity. Default: 5. */
  mediumFrom?: number;
  /** The number of failures from which it has high severity. Default: 10. */
  highFrom?: number;
}

/** How serious a warning is. */
export type Severity =
  /** It happened. */
  | 'low'
  /** It happens regularly. */
  | 'medium'
  /** It fails almost every time. */
  | 'high';

/** A warning before an attempt. */
export interface FailureWarning {
  /** The hypothesis about to be attempted. */
  hypothesis: string;
  /** The type of failure to expect. */
  failureType: string;
  /** The failure patterns of earlier attempts, most frequent first. */
  similarFailures: FailurePattern[];
  /**
   * How certain the warning is, from 0 to 1: `similarity · n / (n + 1) · e^(−age / days)`, with the similarity
   * of the most similar hypothesis, the number of failures, and the age of the last failure.
   */
  confidence: number;
  /** How serious it is, by the number of failures. */
  severity: Severity;
}
