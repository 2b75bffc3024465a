/** `twiceshy:memory/pattern-types`: generated from the contract. */

import type { Guidance, PatternContent } from './content-types.js';
import type { Timestamp } from './given.js';
import type { Lesson, LessonKind, Scope, Source } from './lesson-types.js';

/** A test on a feature. */
export type FeatureTest =
  /** Equal to the value, ignoring case. */
  | 'equals'
  /** Present, and not equal to the value. */
  | 'differs'
  /** Contains the value. */
  | 'contains'
  /** A number, at least the value. */
  | 'at-least'
  /** A number, at most the value. */
  | 'at-most'
  /** Present. */
  | 'present'
  /** Not present. */
  | 'absent';

/** A condition on one feature of a task. */
export interface Requirement {
  /** The feature, such as `language`. */
  feature: string;
  /** The test. */
  test: FeatureTest;
  /** The value; empty for `present` and `absent`. */
  value: string;
}

/** A feature of a task. */
export interface Feature {
  /** Its name, such as `language`. */
  name: string;
  /** Its value. */
  value: string;
}

/** When a pattern applies. Empty members do not restrict. */
export interface Applicability {
  /** The types of task it is for. At most 32. */
  problemTypes: string[];
  /** The domains it is for. At most 32. */
  domains: string[];
  /** The least complexity it is for, from 0 to 1. */
  leastComplexity?: number;
  /** The greatest complexity it is for, from 0 to 1. */
  mostComplexity?: number;
  /** What the agent must be able to do. At most 32. */
  requiredCapabilities: string[];
  /** All of these must hold. At most 32. */
  contextConditions: Requirement[];
  /** None of these may hold. At most 32. */
  antiConditions: Requirement[];
  /** Conditions in words, for a reader. At most 32. */
  conditions: string[];
}

/** The evidence from the applications of a pattern. */
export interface PatternEvidence {
  /** Episodes that support it, newest last. At most 256. */
  supportingEpisodes: string[];
  /** Episodes that contradict it, newest last. At most 256. */
  counterEpisodes: string[];
  /**
   * Applications in the last 90 days, since its evidence was last reset; each episode counts once. At most
   * 1,000.
   */
  applications: number;
  /** How many of them succeeded. */
  successes: number;
  /** Successes over applications. 0 without applications. */
  successRate: number;
  /** How much faster an application is than the same type of task without it, in milliseconds. 0 if unknown. */
  averageTimeSaving: number;
  /** How much cheaper an application is. 0 if unknown. */
  averageCostSaving: number;
  /** The success rate minus the base rate. 0 if unknown. */
  successRateImprovement: number;
  /**
   * The share of successes among the newest episodes of the same type of task and domain without it. Missing
   * if there are fewer than 5.
   */
  baseRate?: number;
  /**
   * `0.5·success-rate + 0.3·(1 − e^(−n/20)) + 0.2·(1 − p)`, from 0 to 1. Without applications, what was
   * claimed when it was added.
   */
  confidence: number;
  /** The one-sided binomial p-value against a rate of 0.5; 1 without applications. */
  significance: number;
  /** The p-value against the base rate. Missing if that is unknown. */
  baseSignificance?: number;
  /** When it was last validated. */
  lastValidated?: Timestamp;
}

/** A pattern: a lesson with conditions of use and statistics of its applications. */
export interface Pattern {
  /** The lesson. Its id, kind, scope and status are those of the pattern. */
  lesson: Lesson;
  /** Its name. */
  name: string;
  /** The version: 1 at first, one more after each update. */
  version: number;
  /** A summary in one or two sentences. */
  summary: string;
  /** A longer explanation. */
  explanation: string;
  /** The right way, if there is also a wrong way. */
  correctApproach: string;
  /** The wrong way. */
  incorrectApproach: string;
  /** When it applies. */
  applicability: Applicability;
  /** What it says to do. */
  content?: PatternContent;
  /** How to use it. */
  guidance: Guidance;
  /** The evidence from its applications. */
  evidence: PatternEvidence;
  /** How often it was applied or shown. */
  usageCount: number;
  /** When it was last used. */
  lastUsed?: Timestamp;
  /** The pattern that supersedes it. */
  supersededBy?: string;
  /** Why it is deprecated. */
  deprecationReason?: string;
  /** The pattern it is a special case of. */
  specializes?: string;
  /** The patterns it is a more general form of. */
  generalizes: string[];
  /** The patterns it is incompatible with. */
  contradicts: string[];
  /** The patterns it works well with. */
  complements: string[];
}

/** A pattern to add. Only `name`, `kind` and `summary` are required. */
export interface NewPattern {
  /** Its id, with the same rules as for a run. Default: computed from its content. */
  id?: string;
  /** Its name. 1 to 200 characters. */
  name: string;
  /** What kind of lesson it is. */
  kind: LessonKind;
  /** A summary in one or two sentences. 1 to 1,000 characters. */
  summary: string;
  /** A longer explanation. At most 16 KiB. */
  explanation?: string;
  /** The right way, if there is also a wrong way. */
  correctApproach?: string;
  /** The wrong way. */
  incorrectApproach?: string;
  /** When it applies. */
  applicability?: Applicability;
  /** What it says to do. */
  content?: PatternContent;
  /** How to use it. */
  guidance?: Guidance;
  /** The tasks it is for. Default: `global`. */
  scope?: Scope;
  /** The domain it was learned in. */
  domain?: string;
  /** The kinds of failure it is for. At most 32. */
  tags: string[];
  /** The fingerprints that trigger it. At most 32. */
  triggerFingerprints: string[];
  /** The episodes it comes from. At most 64. */
  sourceEpisodes: string[];
  /** How certain it is, from 0 to 1, until it is applied. Default: 0. */
  confidence?: number;
  /** Who proposes it. Default: `agent`. */
  source?: Source;
}

/** What to change in a pattern. Members that are left out stay. */
export interface PatternUpdate {
  /** Its name. */
  name?: string;
  /** A summary in one or two sentences. */
  summary?: string;
  /** A longer explanation. */
  explanation?: string;
  /** The right way. */
  correctApproach?: string;
  /** The wrong way. */
  incorrectApproach?: string;
  /** When it applies. */
  applicability?: Applicability;
  /** What it says to do. */
  content?: PatternContent;
  /** How to use it. */
  guidance?: Guidance;
  /** Why it is changed. */
  reason: string;
}

/** A task to find patterns for. */
export interface TaskFeatures {
  /** The task in words. May be empty. */
  task: string;
  /** The type of task. Empty: only patterns for any type. */
  taskType: string;
  /** Its domain. Empty: only patterns for any domain. */
  domain: string;
  /** How hard it is, from 0 to 1. Default: not considered. */
  complexity?: number;
  /** What the agent can do. Empty: not considered. */
  capabilities: string[];
  /** Anything else that is known about it besides `task`, `task-type`, `domain` and `complexity`. At most 64. */
  features: Feature[];
  /** Only patterns of this kind. Then candidates are included. */
  category?: LessonKind;
  /** At most this many. Default: 5. Maximum: 100. */
  limit?: number;
}

/**
 * The parts of a pattern's rank, each from 0 to 1:
 * `0.4·confidence + 0.3·success-rate + 0.15·usage + 0.1·recency + 0.05·match-quality`.
 */
export interface RankParts {
  /** How certain it is. */
  confidence: number;
  /** How often it works. */
  successRate: number;
  /** `min(ln(1 + usage-count) / 10, 1)`. */
  usage: number;
  /** `e^(-days since validation / 90)`. */
  recency: number;
  /**
   * How well it fits the task: the mean of the conditions that it names (type, domain, complexity and others;
   * each 0 or 1) and of the similarity in words, if the task has words.
   */
  matchQuality: number;
}

/** A pattern that applies. */
export interface ApplicablePattern {
  /** The pattern. */
  pattern: Pattern;
  /** Its rank. */
  score: number;
  /** What that is made of. */
  parts: RankParts;
}

/** A version of a pattern that was replaced by an update. */
export interface PatternVersion {
  /** Its number. */
  version: number;
  /** The pattern as it was. */
  pattern: Pattern;
  /** Why it was changed. */
  reason: string;
  /** When it was replaced. */
  until: Timestamp;
}

/** A pattern that is similar to another. */
export interface SimilarPattern {
  /** The pattern. */
  pattern: Pattern;
  /** How similar it is, from 0 to 1. */
  similarity: number;
}
