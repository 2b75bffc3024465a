/** `twiceshy:memory/skill-types`: generated from the contract. */

import type { Timestamp } from './given.js';
import type { LessonStatus } from './lesson-types.js';

/** A common error and its fix. */
export interface ErrorFix {
  /** The error. */
  error: string;
  /** The fix. */
  fix: string;
}

/** A skill: a procedure in steps, as Markdown that a person can edit. It is a lesson of the kind `skill`. */
export interface Skill {
  /** Its id as a lesson. */
  id: string;
  /** Its name, also as a file name, such as `api-implementation`. */
  slug: string;
  /** Its title. */
  title: string;
  /** What is needed before. */
  prerequisites: string[];
  /** The steps. */
  steps: string[];
  /** Common errors and their fixes. */
  commonErrors: ErrorFix[];
  /** When it is done. */
  exitCriteria: string[];
  /** The text as it was written. */
  markdown: string;
  /** The version: 1 at first, one more after each change. */
  version: number;
  /** Its status. */
  status: LessonStatus;
  /** When it was last changed. */
  updatedAt: Timestamp;
}

/** A skill that was found. */
export interface SkillHit {
  /** The skill. */
  skill: Skill;
  /** How well it fits, from 0 to 1. */
  score: number;
  /** The keywords by which it was found. */
  keywords: string[];
}
