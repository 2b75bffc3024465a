/** `twiceshy:memory/context-types`: generated from the contract. */

import type { Feature } from './pattern-types.js';

/** The kind of work, which decides how memories are weighed. */
export type Work =
  /** Looking around. */
  | 'exploration'
  /** Building. */
  | 'implementation'
  /** Finding faults. */
  | 'debugging'
  /** Judging. */
  | 'review'
  /** Changing without changing what it does. */
  | 'refactoring';

/** A task to find context for. */
export interface ContextRequest {
  /** The task in words. 1 byte to 16 KiB. */
  task: string;
  /** Its domain. */
  domain: string;
  /** The type of task. Default: found from its words. */
  taskType?: string;
  /** The kind of work. Default: found from its words. */
  work?: Work;
  /** The type of action that comes next, to find what to avoid. */
  action?: string;
  /** Anything else that is known about it. */
  features: Feature[];
  /** At most this many memories, besides those to avoid. Default: 5. Maximum: 50. */
  limit?: number;
  /** At most this many tokens (an estimate). Default: 1,500. */
  tokens?: number;
}

/** The kind of a memory. */
export type MemoryKind =
  /** Knowledge: a lesson or pattern. */
  | 'semantic'
  /** An episode with a similar task. */
  | 'episodic'
  /** A procedure. */
  | 'skill'
  /** What to avoid. */
  | 'anti-pattern'
  /** A fact. */
  | 'fact';

/** A memory that may help with a task. */
export interface ContextItem {
  /** Its id. */
  id: string;
  /** Its kind. */
  kind: MemoryKind;
  /** A summary in one or two lines. */
  summary: string;
  /** The score: the weight of its kind times how well it fits. */
  score: number;
  /** How well it fits, from 0 to 1. */
  fit: number;
  /** Why it was chosen, in words. */
  why: string;
  /** How to read more. */
  more: string;
}

/** The weights of the kinds of memory. */
export interface ContextWeights {
  /** Knowledge. */
  semantic: number;
  /** Episodes with similar tasks. */
  episodic: number;
  /** Procedures. */
  skills: number;
}

/** Context for a task. */
export interface TaskBundle {
  /** What kind of work it is. */
  work: Work;
  /** The weights of the kinds of memory. */
  weights: ContextWeights;
  /** Patterns and lessons, best first. */
  applicablePatterns: ContextItem[];
  /** Episodes with similar tasks, best first. */
  similarEpisodes: ContextItem[];
  /** Facts. */
  domainKnowledge: ContextItem[];
  /** Procedures. */
  applicableSkills: ContextItem[];
  /** What to avoid. */
  avoidThese: ContextItem[];
  /** All of it as text for a prompt, with ids, marked so that the memory never learns from its own words. */
  text: string;
  /** Its size in tokens (an estimate). */
  tokens: number;
  /** The ids of what did not fit. */
  leftOut: string[];
}
