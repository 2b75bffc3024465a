/** `twiceshy:memory/working-types`: generated from the contract. */

import type { Json, Timestamp } from './given.js';
import type { ExecutionState, Variable, VariableType } from './working-input-types.js';

/** A section of working memory, with its own budget. */
export type Section =
  /** What the agent is and may do. Static, 2,000 tokens. */
  | 'system-context'
  /** The task, its goals, constraints, criteria and plan. Hot, 5,000 tokens. */
  | 'task-context'
  /** The state of the work. Dynamic, 3,000 tokens. */
  | 'execution-state'
  /** Results of subtasks and computed values. Warm, 8,000 tokens. */
  | 'intermediate-results'
  /** Episodes, patterns and knowledge that were looked up. Cold, 2,000 tokens. */
  | 'retrieved-context';

/** How close an item is to the current work. */
export type Temperature =
  /** Always in the prompt. */
  | 'hot'
  /** In the prompt if there is room. */
  | 'warm'
  /** In the prompt as a summary or a reference. */
  | 'cold';

/** A variable that was asked for. */
export interface FoundVariable {
  /** Whether it exists. */
  found: boolean;
  /** Its value. `null` if it does not exist. */
  value: Json;
  /** What it is for. */
  kind?: VariableType;
}

/** One item of working memory. */
export interface WorkingItem {
  /** Its id within the run. */
  id: string;
  /** Its section. */
  section: Section;
  /** How close it is to the current work. */
  temperature: Temperature;
  /** Its size in tokens (an estimate). */
  tokens: number;
  /** Its text, or a summary of it. */
  text: string;
  /** Whether the text is only a summary, and the whole content is kept elsewhere. */
  isReference: boolean;
  /** How often it was read. */
  accesses: number;
  /** When it was added. */
  at: Timestamp;
}

/** How full a section is. */
export interface SectionSize {
  /** The section. */
  section: Section;
  /** How many tokens it has (an estimate). */
  tokens: number;
  /** Its budget in tokens. */
  budget: number;
  /** How many items it has. */
  items: number;
}

/** What working memory holds. */
export interface WorkingMemory {
  /** The run. */
  run: string;
  /** When it began. */
  startedAt: Timestamp;
  /** Tokens in total (an estimate). */
  tokens: number;
  /** The whole budget in tokens. */
  budget: number;
  /** The sections. */
  sections: SectionSize[];
  /** The items, by section. */
  items: WorkingItem[];
  /** The variables. */
  variables: Variable[];
  /** The state of the work. */
  state?: ExecutionState;
  /** Warnings from when space was needed, oldest first. */
  warnings: string[];
}

/** The size after a change. */
export interface WorkingSize {
  /** Tokens in total (an estimate). */
  tokens: number;
  /** The whole budget in tokens. */
  budget: number;
  /** The ids of what was moved out to make space. */
  pruned: string[];
  /** `Context limit reached despite pruning`, if items had to be cut. */
  warning?: string;
}

/** A snapshot: a state to go back to. */
export interface Snapshot {
  /** Its id. */
  id: string;
  /** Its label. */
  label: string;
  /** When it was taken. */
  at: Timestamp;
  /** Its size in tokens (an estimate). */
  tokens: number;
}

/** The metadata of a working memory that was cleared. */
export interface WorkingMetadata {
  /** The run. */
  run: string;
  /** The variables of the scope `metadata`. */
  variables: Variable[];
  /** How many operations there were. */
  operations: number;
  /** The most tokens it had at any time. */
  peakTokens: number;
  /** When it began. */
  startedAt: Timestamp;
  /** When it was cleared. */
  clearedAt: Timestamp;
}

/** How to render working memory for a prompt. */
export interface Rendering {
  /** At most this many tokens. Default: the whole budget. */
  tokens?: number;
}

/** Working memory as text. */
export interface Rendered {
  /** The text: hot items first, then warm ones, cold ones as references. */
  text: string;
  /** Its size in tokens (an estimate). */
  tokens: number;
  /** The ids of what did not fit. */
  leftOut: string[];
}
