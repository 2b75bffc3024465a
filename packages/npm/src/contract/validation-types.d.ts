/** `twiceshy:memory/validation-types`: generated from the contract. */

import type { LessonStatus } from './lesson-types.js';
import type { PatternEvidence } from './pattern-types.js';

/** The result of a validation. */
export type ValidationAnswer =
  /** The evidence is sufficient and significant, and the confidence high. */
  | 'validated'
  /** Not yet certain. */
  | 'candidate'
  /** It was validated before, and no longer is. */
  | 'needs-review'
  /** Fewer applications in the last 90 days than required. */
  | 'insufficient-evidence';

/** The conditions for validating a pattern. One for the whole memory. */
export interface ValidationGate {
  /** The least number of applications: 1 to 1,000. Initially 5. */
  leastApplications: number;
  /** The least success rate. Initially 0.5. */
  leastSuccessRate: number;
  /** The p-value must be below this. Initially 0.05. */
  significance: number;
  /** The confidence must be above this. Initially 0.7. */
  confidence: number;
}

/** A validation of a pattern. */
export interface Validation {
  /** The pattern. */
  pattern: string;
  /** The result. */
  answer: ValidationAnswer;
  /** Its status before. */
  fromStatus: LessonStatus;
  /** Its status now. */
  toStatus: LessonStatus;
  /** The evidence for it. */
  evidence: PatternEvidence;
  /** The reason, in words. */
  reason: string;
}
