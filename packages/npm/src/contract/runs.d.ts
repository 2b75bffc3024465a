/** `twiceshy:memory/runs`: generated from the contract. */

import type { PastStep } from './adapter-types.js';
import type { Description } from './episode-types.js';
import type { Given } from './given.js';
import type { Briefing, BriefingRequest, Reaction, Submitted } from './hint-types.js';
import type { Ending, Episode, NewRun, Observed, Run } from './memory-types.js';

/**
 * Runs: tasks being worked on. Call `start`, then `observe` after each step, then `finish`; or `submit` for a whole
 * run at once. Several processes may observe steps of one run.
 */
export interface Runs {
  /** Starts a run. `conflict` if its id is taken. */
  start(run: Given<NewRun>): Promise<Run>;
  /**
   * Returns the lessons to know before the run, or between its steps, by task, domain and recent failures. Each of
   * them is an activation: it is recorded as shown in this run.
   */
  brief(run: string, request: Given<BriefingRequest>): Promise<Briefing>;
  /**
   * Observes one step. A failed step becomes an event, and what is known about the failure comes back as hints.
   * Each hint is an activation: it is recorded as shown in this run.
   */
  observe(run: string, observed: Given<Observed>): Promise<Reaction>;
  /**
   * Ends a run. It becomes an episode and takes no more steps. Lessons are mined from its steps, and the lessons
   * that were shown or withheld are judged by how it went: they may be promoted or suppressed.
   */
  finish(run: string, ending: Given<Ending>): Promise<Episode>;
  /**
   * Starts a run, observes its steps and ends it, all in one commit. At most 200 steps. The hints in the reactions
   * come too late to help, so they are not activations.
   */
  submit(run: Given<NewRun>, steps: Given<Observed[]>, ending: Given<Ending>): Promise<Submitted>;
  /**
   * Adds to an open run what is known besides its steps. It replaces what was given before; members that are left
   * out or empty stay.
   */
  describe(run: string, description: Given<Description>): Promise<Run>;
  /** Returns an open run by its id. */
  get(run: string): Promise<Run>;
  /** Lists open runs, most recently started first. At most 1,000. */
  open(limit: number): Promise<Run[]>;
  /**
   * Returns the newest steps of a domain, oldest first: what an adapter gets as `recent`. At most 16, of the 16 runs that
   * were started last and are open, and of the 16 episodes that ended last.
   */
  recentSteps(domain: string, limit: number): Promise<PastStep[]>;
  /**
   * Returns the last steps of one run, oldest first: what an adapter gets as `recent` in domains where each step
   * continues the one before. At most 16.
   */
  latestSteps(run: string, limit: number): Promise<PastStep[]>;
}
