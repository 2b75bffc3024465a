/** `twiceshy:memory/recall`: generated from the contract. */

import type { ContextRequest, TaskBundle } from './context-types.js';
import type { Given } from './given.js';
import type { FailureContext, Hint, TaskContext } from './hint-types.js';

/** What the memory knows that may help now. */
export interface Recall {
  /**
   * Recalls lessons for a failure: first those that exactly this fingerprint triggers, then by score. Changes
   * nothing.
   */
  onError(failure: Given<FailureContext>): Promise<Hint[]>;
  /** Recalls lessons for a task before it begins: by its words, its domain and recent failures. Changes nothing. */
  forTask(task: Given<TaskContext>): Promise<Hint[]>;
  /**
   * Collects what may help with a task: patterns, similar episodes, skills, facts and what to avoid. Weighed by
   * the kind of work, each memory once, within a budget of tokens. Changes nothing.
   */
  context(request: Given<ContextRequest>): Promise<TaskBundle>;
}
