/** `twiceshy:memory/failures`: generated from the contract. */

import type { FailedAttempt, FailurePattern, FailureWarning, NewFailure, PatternFilter, WarningQuery } from './failure-types.js';
import type { Given } from './given.js';

/** Failed attempts, and the patterns in how they fail. */
export interface Failures {
  /** Records a failed attempt. */
  record(failure: Given<NewFailure>): Promise<FailedAttempt>;
  /** Returns `syntax`, `type`, `import`, `test` or `unknown` for the details of a failure, by whole words. Pure. */
  categorize(details: string): Promise<string>;
  /**
   * Groups failures with the same fingerprint, most frequent first. Takes time in proportion to the number of
   * failures that match the filter.
   */
  patterns(filter: Given<PatternFilter>): Promise<FailurePattern[]>;
  /**
   * Warns before an attempt: one warning for each type of failure that recurred when the same hypothesis was
   * attempted on this module, most certain first. Empty if it never failed.
   */
  checkWarnings(query: Given<WarningQuery>): Promise<FailureWarning[]>;
}
