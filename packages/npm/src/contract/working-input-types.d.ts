/** `twiceshy:memory/working-input-types`: generated from the contract. */

import type { Json } from './given.js';

/** The scope of a variable. */
export type VariableScope =
  /** Throughout the run. */
  | 'global'
  /** From the analysis of the goal, throughout the run. */
  | 'task-scope'
  /** During the subtask in which it was set. */
  | 'execution-scope'
  /** Until no later subtask needs it. */
  | 'intermediate-values'
  /** Statistics of the run. Kept when working memory is cleared. */
  | 'metadata';

/** What a variable is for. */
export type VariableType =
  /** From the analysis of the goal. */
  | 'task'
  /** The result of a subtask. */
  | 'intermediate'
  /** Collected over several subtasks. */
  | 'accumulator'
  /** Counters of loops and retries. */
  | 'control-flow'
  /** Statistics. */
  | 'metadata';

/** A named value. */
export interface Variable {
  /** Its name. 1 to 128 bytes. */
  key: string;
  /** Its value. */
  value: Json;
  /** Its scope. */
  scope: VariableScope;
  /** What it is for. Default: by its scope. */
  kind?: VariableType;
}

/** The budgets of the sections, in tokens. */
export interface Budgets {
  /** Tokens for the system context. */
  systemContext: number;
  /** Tokens for the task context. */
  taskContext: number;
  /** Tokens for the execution state. */
  executionState: number;
  /** Tokens for the intermediate results. */
  intermediateResults: number;
  /** Tokens for the retrieved context. */
  retrievedContext: number;
}

/** What an agent is and may do. */
export interface SystemContext {
  /** What it can do. */
  capabilities: string[];
  /** The tools it has. */
  tools: string[];
  /** Its configuration. */
  configuration: Json;
  /** What it must not do. */
  safetyBounds: string[];
  /** The budgets. Default: 2,000, 5,000, 3,000, 8,000 and 2,000 tokens. */
  budgets?: Budgets;
}

/** A task as the agent understands it. */
export interface ParsedTask {
  /** The task in words. Default: the task of the run. */
  description?: string;
  /** Its goals. Empty: found in the text. */
  goals: string[];
  /** Its constraints. */
  constraints: string[];
  /** The criteria of success. */
  successCriteria: string[];
  /** The plan. */
  plan: string[];
  /** Task variables. */
  variables: Variable[];
}

/** A subtask that failed. */
export interface FailedSubtask {
  /** The subtask. */
  subtask: string;
  /** Its error. */
  error: string;
}

/** The state of the work. */
export interface ExecutionState {
  /** The phase, such as `analysis`, `planning` or `execution`. */
  phase: string;
  /** The current subtask, if any. */
  currentSubtask?: string;
  /** The progress from 0 to 1, if known. */
  progress?: number;
  /** Subtasks that are done. */
  completed: string[];
  /** Subtasks that have begun. */
  inProgress: string[];
  /** Subtasks that failed. */
  failed: FailedSubtask[];
}

/** The output of a subtask. */
export interface Intermediate {
  /** The subtask. 1 to 128 bytes. */
  subtask: string;
  /** Its output. */
  output: Json;
  /** What kind of output it is, such as `library_choice`. */
  kind: string;
  /** Later subtasks that need it. Until they are done it is not pruned. */
  neededBy: string[];
  /** A detailed trace of how it was made, which is summarised when space is needed. */
  trace?: string;
}
