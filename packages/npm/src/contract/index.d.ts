/** The contract of the memory: generated from the `.wit` files. */

import type { Runs, Events, Episodes, Lessons, Recall, Upkeep, Decisions, Failures, Patterns, Skills, Links, Working, Coordination, Experience, Exchange } from './index.js';

export type * from './adapter-types.js';
export type * from './activation-types.js';
export type * from './consolidation-types.js';
export type * from './content-types.js';
export type * from './context-types.js';
export type * from './coordination.js';
export type * from './coordination-types.js';
export type * from './decision-types.js';
export type * from './decisions.js';
export type * from './episode-search-types.js';
export type * from './episode-types.js';
export type * from './episodes.js';
export type * from './events.js';
export type * from './exchange.js';
export type * from './exchange-types.js';
export type * from './experience.js';
export type * from './experience-types.js';
export type * from './failure-types.js';
export type * from './failures.js';
export type * from './health-types.js';
export type * from './hint-types.js';
export type * from './lesson-types.js';
export type * from './lessons.js';
export type * from './link-types.js';
export type * from './links.js';
export type * from './pattern-types.js';
export type * from './patterns.js';
export type * from './recall.js';
export type * from './remem-types.js';
export type * from './runs.js';
export type * from './skill-types.js';
export type * from './skills.js';
export type * from './memory-types.js';
export type * from './upkeep.js';
export type * from './validation-types.js';
export type * from './working.js';
export type * from './working-input-types.js';
export type * from './working-types.js';
export type * from './given.js';

/** Every function of the memory, by interface. */
export interface Interfaces {
  /**
   * Runs: tasks being worked on. Call `start`, then `observe` after each step, then `finish`; or `submit` for a whole
   * run at once. Several processes may observe steps of one run.
   */
  readonly runs: Runs;
  /** Events: failed steps, and the fingerprints that tell whether two failures are the same. */
  readonly events: Events;
  /** Runs that have ended. */
  readonly episodes: Episodes;
  /** Lessons: units of knowledge and their lifecycle. */
  readonly lessons: Lessons;
  /** What the memory knows that may help now. */
  readonly recall: Recall;
  /** The upkeep of a memory. */
  readonly upkeep: Upkeep;
  /**
   * Hypotheses that were accepted, rejected or held, and why, so that nobody repeats an attempt without knowing. The
   * memory only informs; whether to try a hypothesis is up to the caller. Decisions are only ever added. The message
   * of a storage error begins with `STORAGE_ERROR`, that of an unknown outcome with `INVALID_OUTCOME`.
   */
  readonly decisions: Decisions;
  /** Failed attempts, and the patterns in how they fail. */
  readonly failures: Failures;
  /**
   * Patterns: lessons with conditions of use, content and statistics. A pattern and its lesson are one: they are
   * shown, promoted and suppressed together.
   */
  readonly patterns: Patterns;
  /** Skills: procedures that a person can read and edit. */
  readonly skills: Skills;
  /** Typed relations between memories: lessons, patterns, skills and episodes. */
  readonly links: Links;
  /**
   * Working memory: the context of one run, within a budget of tokens. It outlives processes and is cleared when the
   * run ends.
   */
  readonly working: Working;
  /** Where agents stand, and what they pass to each other. */
  readonly coordination: Coordination;
  /**
   * Experience that improves with use: search, synthesize, evolve. At most `max-size` entries are searched; pruned and
   * merged entries are kept.
   */
  readonly experience: Experience;
  /**
   * Export to files that other programs can read, and import from them, without loss. The formats are a directory tree
   * and JSON Lines. A damaged input is refused with the file, the line and the reason, and nothing is changed.
   */
  readonly exchange: Exchange;
}
