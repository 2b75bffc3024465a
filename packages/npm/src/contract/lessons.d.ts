/** `twiceshy:memory/lessons`: generated from the contract. */

import type { Activation, ActivationFilter } from './activation-types.js';
import type { Given } from './given.js';
import type { Explanation, Lesson, LessonCandidate, LessonFilter, LessonStatus } from './lesson-types.js';

/** Lessons: units of knowledge and their lifecycle. */
export interface Lessons {
  /**
   * Adds a lesson as a candidate. A known lesson is not stored twice: its tags, runs and time of change are
   * updated, its status stays.
   */
  propose(lesson: Given<LessonCandidate>): Promise<Lesson>;
  /**
   * Asks the model for lessons from the recurring failures of an episode, checks its answer, and adds what is
   * valid as candidates. `unavailable` without a model.
   */
  distil(episode: string): Promise<Lesson[]>;
  /**
   * Adds what an agent learned in an episode: a JSON array of objects with exactly the members
   * `trigger_fingerprints` (of the episode; or `trigger_fingerprint` for a single one), `rule_text` and
   * `scope_hint`. Adds all of them or none.
   */
  handIn(episode: string, candidates: string): Promise<Lesson[]>;
  /**
   * Mines lessons from the steps of an episode without a model: from a failed action followed by a similar one
   * that works, and from recurring failures. Happens automatically at the end of each run; the same episode gives
   * the same lessons again.
   */
  mine(episode: string): Promise<Lesson[]>;
  /**
   * Changes the rule of a lesson. A changed rule is unproven, so it becomes a new candidate that supersedes the
   * old lesson, which is deprecated.
   */
  revise(lesson: string, ruleText: string, reason: string): Promise<Lesson>;
  /**
   * Lists activations, newest first: where lessons were shown or withheld. Of each lesson the newest are kept one by
   * one, and all of the last month.
   */
  activations(filter: Given<ActivationFilter>): Promise<Activation[]>;
  /** Explains a lesson: its activations, its episodes and the steps it was learned from. */
  explain(lesson: string): Promise<Explanation>;
  /** Lists lessons, most recently changed first. */
  find(filter: Given<LessonFilter>): Promise<Lesson[]>;
  /** Returns a lesson by its id. */
  get(lesson: string): Promise<Lesson>;
  /**
   * Changes the status of a lesson by hand. `conflict` if the lifecycle does not allow it: an archived lesson
   * stays archived, and nothing becomes a candidate again.
   */
  setStatus(lesson: string, status: LessonStatus, reason: string): Promise<Lesson>;
}
