/** `twiceshy:memory/coordination`: generated from the contract. */

import type { Checkpoint, Handoff, HandoffFilter, Ledger, NewHandoff } from './coordination-types.js';
import type { Given } from './given.js';

/** Where agents stand, and what they pass to each other. */
export interface Coordination {
  /** Records where an agent stands. */
  checkIn(checkpoint: Given<Checkpoint>): Promise<Ledger>;
  /** Returns the ledger of an agent. */
  ledgerOf(agentId: string): Promise<Ledger>;
  /** Lists all ledgers, most recently written first. At most 1,000. */
  ledgers(limit: number): Promise<Ledger[]>;
  /** Hands work over to another agent. */
  handOver(handoff: Given<NewHandoff>): Promise<Handoff>;
  /** Returns a handoff by its id. */
  handoffOf(handoff: string): Promise<Handoff>;
  /** Lists handoffs, oldest first. */
  handoffs(filter: Given<HandoffFilter>): Promise<Handoff[]>;
  /** Accepts a handoff. `conflict` if it was accepted before or is meant for another agent. */
  takeUp(handoff: string, agentId: string): Promise<Handoff>;
}
