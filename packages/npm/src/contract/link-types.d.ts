/** `twiceshy:memory/link-types`: generated from the contract. */

import type { Timestamp } from './given.js';

/** A relation from one memory to another. */
export type Relation =
  /** It was made from the other. */
  | 'derived-from'
  /** They are about the same thing. */
  | 'related-to'
  /** They can't both be right. Holds in both directions. */
  | 'contradicts'
  /** It says more about the other. */
  | 'elaborates'
  /** It is a case of the other. */
  | 'example-of'
  /** It takes the other's place. */
  | 'supersedes'
  /** The other takes its place. */
  | 'superseded-by'
  /** It is a special case of the other. */
  | 'specializes'
  /** It is a more general form of the other. */
  | 'generalizes'
  /** They help each other. */
  | 'complements';

/** A relation between two memories: lessons, skills or episodes. */
export interface Link {
  /** The memory from which the relation is stated. */
  source: string;
  /** The relation. */
  relation: Relation;
  /** The other memory. */
  target: string;
  /** The reason, in words. */
  reason: string;
  /** When the link was made. */
  at: Timestamp;
}

/** A memory that was reached through links. */
export interface LinkedMemory {
  /** Its id: a lesson, an episode or a skill. */
  id: string;
  /** `lesson`, `episode` or `skill`. */
  kind: string;
  /** A summary in one line. */
  summary: string;
  /** How many links away it is. */
  distance: number;
}

/** The memories that can be reached from one. */
export interface Neighbourhood {
  /** The memories, nearest first. The first one is the start. */
  memories: LinkedMemory[];
  /** The links between them. */
  links: Link[];
  /** Whether the limit left out some memories. */
  more: boolean;
}

/** Where to start, and how far to go. */
export interface Walk {
  /** The memory to start from. */
  memory: string;
  /** How many links to follow. Default: 2. Maximum: 8. */
  depth?: number;
  /** Only follow these relations. Empty: all. */
  relations: Relation[];
  /** At most this many memories. Default: 50. Maximum: 1,000. */
  limit?: number;
}
