/** `twiceshy:memory/hint-types`: generated from the contract. */

import type { Lesson } from './lesson-types.js';
import type { Episode, Event } from './memory-types.js';

/** A failure to recall lessons for. */
export interface FailureContext {
  /** The error text. */
  evidence: string;
  /** Its fingerprint, if known. Default: computed from the evidence. */
  fingerprint?: string;
  /**
   * The action that failed, in one line. Of the lessons for the same failure, those about a similar action
   * come first.
   */
  actionText?: string;
  /** The domain of the failed step. */
  domain: string;
  /** The task being worked on. May be empty. */
  task: string;
  /** At most this many. Default: 3. Maximum: 32. */
  limit?: number;
  /** At most this many tokens of rules (an estimate). Default: no limit. */
  tokens?: number;
}

/** A task to recall lessons for, before it begins. */
export interface TaskContext {
  /** The task in words. */
  task: string;
  /** The domain of its steps. */
  domain: string;
  /** The fingerprints of recent failures, newest first. At most 32. */
  recentFingerprints: string[];
  /** At most this many. Default: 8. Maximum: 32. */
  limit?: number;
  /** At most this many tokens of rules (an estimate). Default: no limit. */
  tokens?: number;
}

/** The size of a briefing. */
export interface BriefingRequest {
  /** At most this many lessons. Default: 8. Maximum: 32. */
  limit?: number;
  /** At most this many tokens (an estimate). Default: 1,000. */
  tokens?: number;
}

/**
 * The parts of a score, each from 0 to 1:
 * `0.40·fingerprint-match + 0.25·tag-overlap + 0.20·text-similarity + 0.10·reliability + 0.05·recency`.
 */
export interface ScoreParts {
  /** 1 if exactly this fingerprint triggers the lesson. */
  fingerprintMatch: number;
  /** The share of common tags. */
  tagOverlap: number;
  /** How similar the words are. */
  textSimilarity: number;
  /** How reliable the lesson is. */
  reliability: number;
  /** How new its evidence is. */
  recency: number;
}

/** Where a hint comes from. */
export type Lane =
  /** The lesson is for this domain, or for all domains. */
  | 'strict'
  /** The lesson is for another domain, and no lesson for this domain fits well. */
  | 'cross-domain';

/** A hint: a lesson that may help now. */
export interface Hint {
  /** The lesson. */
  lesson: Lesson;
  /**
   * What it says here: its rule with the names of the failure at hand, so that what is right can be pasted. Its
   * rule as it is, if nothing failed yet or the rule has no such form.
   */
  text: string;
  /** The score with which it was chosen. */
  score: number;
  /** The parts of the score. */
  parts: ScoreParts;
  /** Whether it is from this domain or from another. */
  lane: Lane;
}

/** A briefing: the lessons to know before a run. */
export interface Briefing {
  /** The lessons, best first. */
  hints: Hint[];
  /**
   * The lessons as text for an agent's context, marked so that the memory never learns from its own words.
   * Empty if there are none.
   */
  text: string;
  /** The size of the text in tokens (an estimate). */
  tokens: number;
}

/** How the memory reacts to a step. */
export interface Reaction {
  /** The index of the step in the run, from 0. */
  index: number;
  /** The event, if the step failed. */
  failure?: Event;
  /** Hints, best first. Empty if the step did not fail. */
  hints: Hint[];
  /**
   * The hints as text for an agent's context, marked so that the memory never learns from its own words. Empty
   * if there are none.
   */
  text: string;
}

/** A whole run that was submitted at once. */
export interface Submitted {
  /** The episode it became. */
  episode: Episode;
  /** The reaction to each step. */
  reactions: Reaction[];
}
