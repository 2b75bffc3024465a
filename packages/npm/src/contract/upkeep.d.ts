/** `twiceshy:memory/upkeep`: generated from the contract. */

import type { Consolidation, ConsolidationRequest, Inventory, Metrics } from './consolidation-types.js';
import type { Given, Timestamp } from './given.js';
import type { Finding, Health, MemoryStatus, Pruned, Reindexing } from './health-types.js';

/** The upkeep of a memory. */
export interface Upkeep {
  /** Counts what the memory holds. */
  status(): Promise<MemoryStatus>;
  /**
   * Checks the whole memory for inconsistencies. Changes nothing. Takes time in proportion to the size of the
   * memory. At most 100 findings.
   */
  verify(): Promise<Finding[]>;
  /** Reports how well the memory works: lessons and their effects, recurring failures, and how tasks went. */
  report(): Promise<Health>;
  /**
   * Removes what is older than a time: episodes that ended before it, with all that belongs to them, archived
   * lessons that were last changed before it, and decisions and failures recorded before it. `dry-run` only
   * counts. Works in parts: if it is interrupted, the memory stays consistent, and calling it again continues.
   */
  prune(before: Timestamp, dryRun: boolean): Promise<Pruned>;
  /**
   * Consolidates the memory in six stages: episodes, extraction, validation, refinement, indices, report. Each
   * call does a limited amount of work; pass on `next` as `after` until it is missing. No memory is thrown away, and
   * repeating a stage changes nothing. The first stage also sums up activations that are old and many, and the stage
   * `indices` removes what undoing older consolidations needed.
   * 
   * Only one consolidation runs at a time. Without `after`, the call is `busy` if another one was active in the
   * last minute, and resumes one that was interrupted before.
   */
  consolidate(request: Given<ConsolidationRequest>): Promise<Consolidation>;
  /** Lists consolidations, newest first, each with its first 1,000 changes. At most 100. */
  consolidations(limit: number): Promise<Consolidation[]>;
  /**
   * Undoes a consolidation, last change first. Changes that were made together are undone together, or left alone
   * if anything was changed since; the answer says which and why. Each call does a limited amount of work: `after`
   * is empty at first, then the `next` of the previous answer. `conflict` if what it changed is no longer kept.
   */
  undoConsolidation(consolidation: string, after: string): Promise<Consolidation>;
  /**
   * Embeds anew what has no vector of the present embedder: episodes, lessons (skills among them) and experience.
   * Each call does a limited amount of work: `after` is empty at first, then the `next` of the previous answer.
   * What has its vector is left alone, so that an interrupted reindexing can begin again. Until it has ended, what
   * has no vector of the present embedder is found by words. `unavailable` without an embedder.
   */
  reindex(after: string): Promise<Reindexing>;
  /** Counts memories by kind, phase and status. Changes nothing. */
  takeInventory(): Promise<Inventory>;
  /** Returns how each of the last days went, including today, in UTC. Default: 7 days. Maximum: 400. */
  metricsOfDays(days?: number): Promise<Metrics>;
}
