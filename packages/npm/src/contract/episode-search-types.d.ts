/** `twiceshy:memory/episode-search-types`: generated from the contract. */

import type { Facet } from './episode-types.js';
import type { Timestamp } from './given.js';
import type { Episode, Outcome, Phase } from './memory-types.js';

/** Which episodes to search for. */
export interface EpisodeQuery {
  /** The task in words. Empty: search by the other members only, newest first. */
  text: string;
  /** Only episodes of this domain. */
  domain?: string;
  /** Only episodes with this type of task. */
  taskType?: string;
  /** Only episodes with this outcome. */
  outcome?: Outcome;
  /** Only episodes of this session. */
  session?: string;
  /** Only episodes of this agent. */
  agent?: string;
  /** Only episodes with this tag. */
  tag?: string;
  /** Only episodes in which this tool was used. */
  tool?: string;
  /** Only episodes that had this failure, by its fingerprint. */
  fingerprint?: string;
  /** Only episodes that ended at this time or later. */
  since?: Timestamp;
  /** Only episodes that ended at this time or earlier. */
  until?: Timestamp;
  /** Only successful episodes. */
  onlySuccessful?: boolean;
  /** Only episodes of the last days: 30, or `recent-days`. */
  preferRecent?: boolean;
  /** How many days count as recent. */
  recentDays?: number;
  /** Whether to search archived episodes, too. */
  archived?: boolean;
  /** Which part to compare by meaning, if there are vectors. Default: the task. */
  facet?: Facet;
  /** The domain to prefer, if `domain` does not restrict. */
  preferredDomain?: string;
  /** At most this many. Default: 5. Maximum: 100. */
  limit?: number;
}

/**
 * The parts of an episode's relevance, each from 0 to 1:
 * `0.5·similarity + 0.2·recency + 0.15·success + 0.1·access + 0.05·same-domain`.
 */
export interface RelevanceParts {
  /** How similar the tasks are. */
  similarity: number;
  /** `e^(-age in days / 30)`. */
  recency: number;
  /** 1 if it succeeded. */
  success: number;
  /** `min(ln(1 + access-count) / 10, 1)`. */
  access: number;
  /** 1 if it has the domain in question. */
  sameDomain: number;
}

/** An episode that was found. */
export interface EpisodeHit {
  /** The episode. */
  episode: Episode;
  /** Its relevance. */
  score: number;
  /** The parts of the relevance. */
  parts: RelevanceParts;
  /** How old it is, and what follows from that. */
  phase: Phase;
  /** Whether it was compared by meaning (vectors) or by words only. */
  byMeaning: boolean;
}

/** A failure to find similar ones for. */
export interface FailureSignature {
  /** The error text. May be empty if `fingerprint` is given. */
  evidence: string;
  /** Its fingerprint, if known. */
  fingerprint?: string;
  /** Only episodes of this domain. */
  domain?: string;
  /** At most this many. Default: 5. Maximum: 100. */
  limit?: number;
}

/** An episode with a similar failure. */
export interface SimilarFailure {
  /** The episode. */
  episode: Episode;
  /** How similar the failures are, from 0 to 1. 1 means the same fingerprint. */
  similarity: number;
  /** The failure, by its fingerprint. */
  fingerprint: string;
  /** The step that failed. */
  step: number;
  /** What was done. */
  actionText: string;
  /** What worked later in that episode. Empty if nothing did. */
  resolution: string;
}
