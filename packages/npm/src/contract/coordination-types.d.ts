/** `twiceshy:memory/coordination-types`: generated from the contract. */

import type { Timestamp } from './given.js';

/** The state of an agent's working tree. */
export interface AgentState {
  /** The files it changed. */
  filesModified: string[];
  /** Whether there are uncommitted changes. */
  uncommittedChanges: boolean;
  /** The last commit. */
  lastGitCommit?: string;
}

/** What an agent knows about its work. */
export interface AgentContext {
  /** The technologies it works with. */
  techStack: string[];
  /** Lessons it learned, by id. */
  patternsLearned: string[];
  /** Its current goal. */
  currentGoal: string;
}

/** A checkpoint: where an agent stands, in its own words. */
export interface Checkpoint {
  /** The agent. 1 to 64 letters, digits, dashes, dots and underscores. */
  agentId: string;
  /**
   * How many tasks it completed. Default: one more than before if `completed` is true, otherwise the same as
   * before.
   */
  tasksCompleted?: number;
  /** Whether it has just completed a task. */
  completed?: boolean;
  /** The task it works on. */
  currentTask?: string;
  /** The state of its working tree. */
  state: AgentState;
  /** What it knows about its work. */
  context: AgentContext;
}

/** A ledger: where an agent stands. */
export interface Ledger {
  /** The agent. */
  agentId: string;
  /** When it last checked in. */
  lastCheckpoint: Timestamp;
  /** How often it checked in. */
  checkpoints: number;
  /** How many tasks it completed. */
  tasksCompleted: number;
  /** The task it works on. */
  currentTask?: string;
  /** The state of its working tree. */
  state: AgentState;
  /** What it knows about its work. */
  context: AgentContext;
}

/** What one agent passes to another. */
export interface HandoffContext {
  /** What was done. */
  whatWasDone: string;
  /** Results, such as files. */
  artifacts: string[];
  /** The state of the repository. */
  gitState: string;
  /** What has to be tested. */
  needsTesting: string[];
  /** Known problems. */
  knownIssues: string[];
  /** Lessons that matter, by id. */
  relevantPatterns: string[];
}

/** A handoff to create. */
export interface NewHandoff {
  /** The agent that hands over. */
  fromAgent: string;
  /** The agent that takes over. */
  toAgent: string;
  /** What is passed. */
  context: HandoffContext;
}

/** A handoff: what one agent passes to another. */
export interface Handoff {
  /** Its id: `handoff-001` and so on. */
  id: string;
  /** The agent that hands over. */
  fromAgent: string;
  /** The agent that takes over. */
  toAgent: string;
  /** When it was created. */
  timestamp: Timestamp;
  /** What is passed. */
  context: HandoffContext;
  /** When it was accepted. Missing while it waits. */
  takenUpAt?: Timestamp;
}

/** Which handoffs to list. Members that are left out do not restrict. */
export interface HandoffFilter {
  /** Only handoffs to this agent. */
  toAgent?: string;
  /** Only handoffs from this agent. */
  fromAgent?: string;
  /** Only handoffs that wait. */
  waiting?: boolean;
  /** At most this many. Default: 50. Maximum: 1,000. */
  limit?: number;
}
