/** `twiceshy:memory/remem-types`: generated from the contract. */

import type { EditReport } from './experience-types.js';

/** A task for ReMem, the loop in which the model may edit experience before it acts. */
export interface RememRequest {
  /** The task. */
  task: string;
  /** The tools that the caller has, in words. Only the caller uses them. */
  tools: string[];
  /** How many steps the loop may take. Default: as in the settings. */
  maxInnerSteps?: number;
}

/** What the loop does in one step. */
export type RememAction =
  /** Reason and divide the task. */
  | 'think'
  /** Edit the experience. */
  | 'refine-memory'
  /** Answer. */
  | 'act';

/** A step of the loop. */
export interface RememStep {
  /** What it did. */
  action: RememAction;
  /** What the model said. */
  content: string;
  /** What its edits did, if there were any. */
  edits?: EditReport;
}

/** The result of the loop. */
export interface RememResult {
  /** The answer. */
  output: string;
  /** The steps. */
  trace: RememStep[];
  /** Whether the model answered before its steps were used up. */
  complete: boolean;
  /** The entries that the model was shown last. */
  entries: string[];
  /** The entry that it became, with its strategy card. */
  stored?: string;
}
