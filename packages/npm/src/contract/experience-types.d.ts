/** `twiceshy:memory/experience-types`: generated from the contract. */

import type { Timestamp } from './given.js';

/** What an entry is about. */
export type MemoryType =
  /** Facts, data, static knowledge: what. */
  | 'factual'
  /** Strategies, workflows, how-to: how. */
  | 'procedural'
  /** One task and how it went. */
  | 'episodic';

/** How a task went. */
export type FeedbackType =
  /** It succeeded. */
  | 'success'
  /** It failed. */
  | 'failure'
  /** Some of it succeeded. */
  | 'partial'
  /** It is still going on. */
  | 'in-progress';

/** How a task went, in detail. */
export interface StructuredFeedback {
  /** Success, failure, partial or in progress. */
  kind: FeedbackType;
  /** Whether the result is correct. */
  correct: boolean;
  /** How far it came, from 0 to 1. */
  progressRate: number;
  /** How many steps it took. */
  stepsUsed: number;
  /** How many steps it takes at best, if known. */
  stepsOptimal?: number;
  /** A message for a reader. */
  message: string;
}

/** A member of an entry's metadata. */
export interface Metadata {
  /** Its name. */
  name: string;
  /** Its value. */
  value: string;
}

/** An entry of experience: a task, the answer, and how it went. Each entry is also an episode with the same id. */
export interface ExperienceEntry {
  /** Its id, which is the id of the episode. */
  id: string;
  /** The task or question. */
  input: string;
  /** The answer. */
  output: string;
  /** How it went, as text. */
  feedback: string;
  /** A summary. */
  summary: string;
  /** How the answer was found. */
  rawTrace: string;
  /** The domain, the tags and anything else that is known. */
  metadata: Metadata[];
  /** Its tags, sorted. */
  tags: string[];
  /** Its domain. */
  domain: string;
  /** When it was created. */
  createdAt: Timestamp;
  /** How it went, in numbers. */
  structuredFeedback?: StructuredFeedback;
  /** The type of the entry. */
  memoryType: MemoryType;
  /** A strategy card: `When confronted with …, do …. Avoid ….` Empty if there is none. */
  strategyCard: string;
  /** How often it was found. */
  accessCount: number;
  /** When it was last found. */
  lastAccessedAt?: Timestamp;
  /** Its relevance now: `decay^(days since access) · (1 + 0.1·ln(1 + accesses))`. */
  relevanceScore: number;
  /** The entries that were merged into it, by id. */
  mergedFrom: string[];
  /** Whether it has a vector. */
  hasEmbedding: boolean;
  /** Whether it was pruned or merged into another: it is kept, but not searched. */
  archived: boolean;
  /** The entry that it was merged into, if any. */
  mergedInto?: string;
}

/** An experience to add. Only `input` is required. */
export interface NewExperience {
  /** The task or question. 1 byte to 16 KiB. */
  input: string;
  /** The answer. */
  output: string;
  /** How it went, as text, such as `success`. */
  feedback: string;
  /** How it went, in numbers. */
  structuredFeedback?: StructuredFeedback;
  /** A strategy card. Default: made from a success. */
  strategyCard?: string;
  /** A summary. Default: made from the rest. */
  summary?: string;
  /** How the answer was found. */
  rawTrace?: string;
  /** Its domain. Default: `general`. */
  domain?: string;
  /** Its tags. At most 32. */
  tags: string[];
  /** Anything else that is known. At most 32. */
  metadata: Metadata[];
  /** The type of the entry. Default: found from its words. */
  memoryType?: MemoryType;
}

/** What adding or restoring an experience did. */
export interface Evolution {
  /** The entry. */
  entry: ExperienceEntry;
  /** Entries that were merged into it. */
  merged: string[];
  /** Entries that were pruned to make room. */
  pruned: string[];
}

/** Which experience to search for. */
export interface ExperienceQuery {
  /** The task or question. */
  text: string;
  /** Only entries of this type. */
  memoryType?: MemoryType;
  /** Only entries with this tag. */
  tag?: string;
  /** Only entries of this domain. */
  domain?: string;
  /** At most this many. Default: `top-k` of the settings. Maximum: 100. */
  limit?: number;
}

/** An experience that was found. */
export interface ExperienceHit {
  /** The entry. */
  entry: ExperienceEntry;
  /** How similar it is, from 0 to 1. */
  score: number;
  /** Whether it was compared by meaning (vectors) or by words only. */
  byMeaning: boolean;
}

/** Context made from experience. */
export interface Synthesis {
  /** The text, marked so that the memory never learns from its own words. */
  text: string;
  /** Its size in tokens (an estimate). */
  tokens: number;
  /** The entries it is made from. */
  entries: string[];
}

/** What to do to entries. */
export type EditAction =
  /** Take entries out of the search. */
  | 'prune'
  /** Merge several entries into one. */
  | 'merge'
  /** Add a tag. */
  | 'update-tag';

/** One edit. */
export interface MemoryEdit {
  /** What to do. */
  action: EditAction;
  /** The entries to edit. At least 2 for a merge. */
  ids: string[];
  /** The summary of the merged entry. */
  summary?: string;
  /** The tag to add. */
  tag?: string;
}

/** What edits did. */
export interface EditReport {
  /** Entries that were pruned. */
  pruned: string[];
  /** Entries that were made by merging. */
  merged: string[];
  /** Entries that were tagged. */
  tagged: string[];
  /** Refused edits, and why. */
  refused: string[];
}

/** How often a name occurs. */
export interface Distribution {
  /** The name. */
  name: string;
  /** How many. */
  count: number;
}

/** How similar the tasks are. */
export interface SimilarityMetrics {
  /** The mean similarity of pairs, from 0 to 1. */
  averageSimilarity: number;
  /** The share of entries with another entry at a similarity of 0.8 or more. Higher means more clustered. */
  clusterRatio: number;
  /** Pairs that were compared. */
  pairs: number;
  /** Entries by domain. */
  domainDistribution: Distribution[];
  /** Entries by type. */
  typeDistribution: Distribution[];
  /** What to do about it. */
  pruningRecommendation: string;
}

/** Counts over the entries. */
export interface ExperienceStats {
  /** Entries that are searched. */
  totalEntries: number;
  /** Entries that were pruned or merged, and are kept. */
  archivedEntries: number;
  /** The maximum number of entries that are searched. */
  maxSize: number;
  /** Entries by type. */
  typeDistribution: Distribution[];
  /** Accesses in total. */
  totalAccesses: number;
  /** Accesses per entry. */
  avgAccessesPerEntry: number;
  /** Entries with a strategy card. */
  entriesWithStrategyCard: number;
  /** Entries with structured feedback. */
  entriesWithStructuredFeedback: number;
}

/** How experience is kept and used. */
export interface ExperienceSettings {
  /** Whether runs become experience automatically. */
  enabled: boolean;
  /**
   * The maximum number of entries that are searched: 1 to 10,000. The time of a search is proportional; 100 to
   * 1,000 are sensible.
   */
  maxSize: number;
  /** How many entries a search returns: 1 to 100. */
  topK: number;
  /** How many entries count as recent: 1 to 1,000. */
  windowSize: number;
  /** Whether to search similar entries, or to return only recent ones. */
  enableRag: boolean;
  /** Whether ReMem may be used: a loop in which the model may edit experience before it acts. */
  rememEnabled: boolean;
  /** How many steps that loop may take: 1 to 20. */
  maxInnerSteps: number;
  /** Whether to merge near-duplicates and prune the least relevant entries, or only prune the oldest. */
  enableSmartPrune: boolean;
  /** The similarity from which two entries are merged: 0 to 1. */
  pruneThreshold: number;
  /** The share of its relevance that an entry keeps per day: 0 to 1. */
  relevanceDecay: number;
  /** The relevance below which an entry is pruned first: 0 to 1. */
  minRelevance: number;
}

/** How many entries have vectors of the current embedder. */
export interface ReEmbedding {
  /** Entries that got a vector in this call. */
  embedded: number;
  /** Entries that still lack one. */
  left: number;
  /** The length of the vectors. */
  dimensions: number;
}
