/** `twiceshy:memory/experience`: generated from the contract. */

import type { EditReport, Evolution, ExperienceEntry, ExperienceHit, ExperienceQuery, ExperienceSettings, ExperienceStats, MemoryEdit, MemoryType, NewExperience, ReEmbedding, SimilarityMetrics, Synthesis } from './experience-types.js';
import type { Given } from './given.js';
import type { RememRequest, RememResult } from './remem-types.js';

/**
 * Experience that improves with use: search, synthesize, evolve. At most `max-size` entries are searched; pruned and
 * merged entries are kept.
 */
export interface Experience {
  /**
   * Searches entries with similar tasks, successes and failures, most similar first. Counts as an access. Without
   * `enable-rag`, returns the newest entries instead.
   */
  search(query: Given<ExperienceQuery>): Promise<ExperienceHit[]>;
  /** Makes context for a task from some entries, with their strategy cards. */
  synthesize(task: string, entries: string[]): Promise<Synthesis>;
  /** Adds an experience: finds its type, merges near-duplicates into it, and prunes entries beyond `max-size`. */
  evolve(experience: Given<NewExperience>): Promise<Evolution>;
  /** Lists the `window-size` newest entries, newest first. */
  recentWindow(): Promise<ExperienceEntry[]>;
  /** Lists entries of one type or of all, newest first. At most 1,000. */
  entries(memoryType: MemoryType, limit: number): Promise<ExperienceEntry[]>;
  /** Returns an entry by its id. Changes nothing. */
  get(entry: string): Promise<ExperienceEntry>;
  /** Lists entries that are not searched any more, because they were pruned or merged, newest first. At most 1,000. */
  archived(limit: number): Promise<ExperienceEntry[]>;
  /**
   * Brings a pruned or merged entry back, so that it is searched again. Counts as an access, and prunes others if
   * there are more than `max-size` then. What an entry took from it by merging stays there. An entry that is searched
   * stays as it is.
   */
  restore(entry: string): Promise<Evolution>;
  /** Measures how similar the tasks are, and recommends what to prune. */
  similarityOfTasks(): Promise<SimilarityMetrics>;
  /** Counts the entries. */
  stats(): Promise<ExperienceStats>;
  /** Makes all edits or none. If an edit does not fit, the report gives the reason, and nothing is changed. */
  applyEdits(edits: Given<MemoryEdit[]>): Promise<EditReport>;
  /** Prunes down to `max-size` now. Returns the ids of the pruned entries. */
  prune(): Promise<string[]>;
  /** Returns the settings. */
  settings(): Promise<ExperienceSettings>;
  /** Changes the settings. `invalid-argument` names a setting that is out of range. */
  configure(settings: Given<ExperienceSettings>): Promise<ExperienceSettings>;
  /**
   * Computes vectors with the current embedder for entries that have none, or one of another length: at most
   * `limit` entries (0: 64), newest first. Call it until none is left. `unavailable` without an embedder.
   */
  reEmbed(limit: number): Promise<ReEmbedding>;
  /**
   * Runs ReMem: the host's model thinks, edits experience and answers, and the result becomes experience.
   * `unavailable` without a model, or if `remem-enabled` is false.
   */
  remem(request: Given<RememRequest>): Promise<RememResult>;
}
