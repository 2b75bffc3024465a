/** `twiceshy:memory/decisions`: generated from the contract. */

import type { Decision, DecisionAnswer, DecisionCheck, DecisionFilter, DecisionMatch, DecisionQuery, DecisionQuestion, DecisionStats, FilteredHypotheses, HypothesisList, NewDecision, RejectionPattern } from './decision-types.js';
import type { ExportRequest, Exported, ImportRequest, Imported } from './exchange-types.js';
import type { Given } from './given.js';

/**
 * Hypotheses that were accepted, rejected or held, and why, so that nobody repeats an attempt without knowing. The
 * memory only informs; whether to try a hypothesis is up to the caller. Decisions are only ever added. The message
 * of a storage error begins with `STORAGE_ERROR`, that of an unknown outcome with `INVALID_OUTCOME`.
 */
export interface Decisions {
  /**
   * Records a decision. `invalid-argument` if the rationale is missing: a decision that nobody can understand
   * later teaches nothing.
   */
  record(decision: Given<NewDecision>): Promise<Decision>;
  /**
   * Finds the rejection of the same hypothesis about a module, however long ago: the most similar one, and of
   * equally similar ones the newest. Two texts are the same hypothesis if their similarity is at least 0.8, which
   * is fixed. The hypothesis and the description are both compared.
   */
  wasRejected(query: Given<DecisionQuery>): Promise<DecisionMatch>;
  /** Finds the acceptance of the same hypothesis within the last days (default: 7). */
  wasRecentlyAccepted(query: Given<DecisionQuery>): Promise<DecisionMatch>;
  /** Finds both: a rejection, and a recent acceptance. */
  check(query: Given<DecisionQuery>): Promise<DecisionCheck>;
  /** Answers one of three questions, by `query-type`. */
  query(question: Given<DecisionQuestion>): Promise<DecisionAnswer>;
  /**
   * Drops the hypotheses that were rejected before or accepted recently, each with the reason. The others stay
   * unchanged and in their order.
   */
  filter(hypotheses: Given<HypothesisList>): Promise<FilteredHypotheses>;
  /** Lists decisions, newest first. */
  getRecords(filter: Given<DecisionFilter>): Promise<Decision[]>;
  /** Lists why hypotheses about a module (empty: any module) were rejected, most frequent reason first. */
  failurePatterns(module: string): Promise<RejectionPattern[]>;
  /** Counts all decisions. Takes time in proportion to their number. */
  stats(): Promise<DecisionStats>;
  /**
   * Exports all decisions as an `.evolve_memory.json` of version 1.0.0, oldest first, in parts. Begin without
   * `after` and pass on `next` until it is missing. The texts, one after the other, are the file.
   */
  exportFile(request: Given<ExportRequest>): Promise<Exported>;
  /**
   * Imports an `.evolve_memory.json` of version 1.0.0. The whole text is checked before anything is recorded; with
   * `check-only`, nothing is recorded. Decisions that the memory has already are skipped. The rationale may be
   * missing, as in old files. Members that the format does not name are not kept.
   */
  importFile(request: Given<ImportRequest>): Promise<Imported>;
}
