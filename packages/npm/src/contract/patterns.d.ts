/** `twiceshy:memory/patterns`: generated from the contract. */

import type { Given } from './given.js';
import type { LessonKind, LessonStatus } from './lesson-types.js';
import type { Outcome } from './memory-types.js';
import type { ApplicablePattern, NewPattern, Pattern, PatternUpdate, PatternVersion, SimilarPattern, TaskFeatures } from './pattern-types.js';
import type { Validation, ValidationGate } from './validation-types.js';

/**
 * Patterns: lessons with conditions of use, content and statistics. A pattern and its lesson are one: they are
 * shown, promoted and suppressed together.
 */
export interface Patterns {
  /**
   * Adds a pattern as a candidate. A pattern with the same content is not stored twice: its episodes are added to
   * the known one.
   */
  add(pattern: Given<NewPattern>): Promise<Pattern>;
  /** Returns a pattern by its id. Any lesson can be read as a pattern. */
  get(pattern: string): Promise<Pattern>;
  /** Lists patterns of a kind and status (default: any), most recently changed first. At most 1,000. */
  find(kind: LessonKind, status: LessonStatus, limit: number): Promise<Pattern[]>;
  /**
   * Finds patterns that apply to a task, best first: promoted ones, and candidates as well if a category is given.
   * Changes nothing.
   */
  findApplicable(task: Given<TaskFeatures>): Promise<ApplicablePattern[]>;
  /** Changes a pattern. Its version goes up by one, and the old version is kept. */
  update(pattern: string, update: Given<PatternUpdate>): Promise<Pattern>;
  /** Lists the versions that were replaced, oldest first. */
  history(pattern: string): Promise<PatternVersion[]>;
  /** Records that a pattern was applied in an episode, and the outcome. The same episode counts once. */
  recordApplication(pattern: string, episode: string, outcome: Outcome): Promise<Pattern>;
  /** Returns the conditions for validating a pattern. */
  gate(): Promise<ValidationGate>;
  /** Changes the conditions for validating a pattern, from the next validation on. */
  setGate(gate: Given<ValidationGate>): Promise<ValidationGate>;
  /**
   * Tests a pattern by its applications in the last 90 days, and changes its status accordingly. The status of a
   * suppressed, deprecated or archived pattern stays.
   */
  validate(pattern: string): Promise<Validation>;
  /**
   * Tests all patterns that are candidates, promoted or under review: at most `limit`, in the order of their ids,
   * beginning after the id `after`.
   */
  validateAll(after: string, limit: number, dryRun: boolean): Promise<Validation[]>;
  /**
   * Ends a review in favour of a pattern: narrows its applicability as the update says, resets its evidence, and
   * promotes it again.
   */
  refine(pattern: string, update: Given<PatternUpdate>): Promise<Pattern>;
  /** Deprecates a pattern. It is kept, with the pattern that supersedes it (empty: none). */
  deprecate(pattern: string, reason: string, supersededBy: string): Promise<Pattern>;
  /**
   * Finds patterns with similar content and applicability, most similar first, with a similarity of at least
   * `least`.
   */
  similar(pattern: string, least: number): Promise<SimilarPattern[]>;
  /**
   * Merges several patterns into the most certain one: joins their evidence, widens its applicability to all of
   * them, and deprecates the others with a link `superseded-by`.
   */
  merge(patterns: string[], reason: string): Promise<Pattern>;
  /**
   * Puts uncertain, rarely used and contradicted patterns under review, and archives those that were not used in
   * 180 days. Deletes nothing. Returns what was changed, or would be.
   */
  prune(dryRun: boolean): Promise<Validation[]>;
}
