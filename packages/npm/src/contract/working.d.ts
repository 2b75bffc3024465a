/** `twiceshy:memory/working`: generated from the contract. */

import type { EpisodeQuery } from './episode-search-types.js';
import type { Given } from './given.js';
import type { ExecutionState, Intermediate, ParsedTask, SystemContext, Variable, VariableScope } from './working-input-types.js';
import type { FoundVariable, Rendered, Rendering, Snapshot, WorkingItem, WorkingMemory, WorkingMetadata, WorkingSize } from './working-types.js';

/**
 * Working memory: the context of one run, within a budget of tokens. It outlives processes and is cleared when the
 * run ends.
 */
export interface Working {
  /** Creates an empty working memory for an open run, with its system context. Replaces an existing one. */
  init(run: string, context: Given<SystemContext>): Promise<WorkingSize>;
  /** Loads the task: its goals and constraints, found in its words if they are not given, and task variables. */
  loadTask(run: string, task: Given<ParsedTask>): Promise<WorkingSize>;
  /**
   * Sets a variable, or removes it if the value is `null`. Makes space if needed. A text that is not JSON becomes
   * a JSON string. `conflict` if the value alone exceeds the budget of its section.
   */
  set(run: string, variable: Given<Variable>): Promise<WorkingSize>;
  /** Reads a variable. Counts as an access. An intermediate value that was moved out is brought back. */
  get(run: string, key: string, scope: VariableScope): Promise<FoundVariable>;
  /** Updates the state of the work. When a subtask ends, its variables of the execution scope end with it. */
  pushState(run: string, state: Given<ExecutionState>): Promise<WorkingSize>;
  /** Adds the output of a subtask. Makes space if needed. */
  addIntermediate(run: string, intermediate: Given<Intermediate>): Promise<WorkingSize>;
  /** Searches episodes and patterns, and adds as many of their summaries as fit. */
  retrieve(run: string, query: Given<EpisodeQuery>): Promise<WorkingItem[]>;
  /**
   * Returns the whole content of an item. Items that were moved out stay available after the run has ended. Counts
   * as an access.
   */
  fetch(run: string, item: string): Promise<string>;
  /** Moves out cold items: old results that nothing needs, traces, unread context. References stay. */
  prune(run: string): Promise<WorkingSize>;
  /** Takes a snapshot to go back to. A run keeps the last 16. */
  takeSnapshot(run: string, label: string): Promise<Snapshot>;
  /** Goes back to a snapshot. */
  rollback(run: string, snapshot: string): Promise<WorkingSize>;
  /** Lists the snapshots of a run, oldest first. */
  snapshots(run: string): Promise<Snapshot[]>;
  /** Returns everything in it. */
  view(run: string): Promise<WorkingMemory>;
  /** Renders it as text for a prompt, marked so that the memory never learns from its own words. */
  render(run: string, rendering: Given<Rendering>): Promise<Rendered>;
  /** Renders it as a `CONTINUITY.md`: the state of the work, and references to what is known. */
  continuity(run: string): Promise<string>;
  /** Clears it. Only metadata is kept, for reflection. Happens automatically when the run ends. */
  clear(run: string): Promise<WorkingMetadata>;
  /** Returns the metadata that is left after it was cleared. */
  metadata(run: string): Promise<WorkingMetadata>;
}
