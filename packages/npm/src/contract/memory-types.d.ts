/** `twiceshy:memory/types`: generated from the contract. */

import type { Feedback, Step } from './adapter-types.js';
import type { Timestamp } from './given.js';

/** A run to start: a task about to be worked on. */
export interface NewRun {
  /** Its id: at most 64 letters, digits, dashes and underscores. Default: a new id. */
  id?: string;
  /** The task in words. May be empty. At most 16 KiB. */
  task: string;
  /** The domain of its steps, such as `cli`: at most 64 lowercase letters, digits and dashes. */
  domain: string;
  /**
   * The hold-out: the share of runs, 0 to 0.5, from which a lesson is withheld so that its effect can be
   * measured. Default: 0.1, and less the more is known about the lesson. 0 turns it off.
   */
  holdOut?: number;
  /** How many hints to return after a failed step. Default: 3. Maximum: 32. */
  hints?: number;
  /** The session it belongs to. At most 128 bytes. */
  session?: string;
  /** Who works on it. At most 128 bytes. */
  agent?: string;
  /** What kind of task it is, such as `refactoring`. At most 64 bytes. */
  taskType?: string;
  /** Tags of its episode. At most 32 of 64 bytes each. */
  tags: string[];
}

/** A run: a task being worked on. */
export interface Run {
  /** Its id. */
  id: string;
  /** The task in words. */
  task: string;
  /** The domain of its steps. */
  domain: string;
  /** When it started. */
  startedAt: Timestamp;
  /** How many steps it has so far. */
  steps: number;
  /** How many of them failed. */
  failures: number;
}

/** A step and the feedback on it, from an adapter or from the host's own evaluator. */
export interface Observed {
  /** The step. */
  step: Step;
  /**
   * The feedback on it. The step failed if `hard-failure` is there, if `constraint-failure` has an entry, or
   * if `progress-signal` is 0 or less.
   */
  feedback: Feedback;
}

/** A step as it is stored. */
export interface TraceStep {
  /** The run it belongs to. */
  run: string;
  /** Its index in the run, from 0. */
  index: number;
  /** The domain of the run. */
  domain: string;
  /** When it was observed. */
  at: Timestamp;
  /** The step. Long payloads are shortened in the middle. */
  step: Step;
  /** The feedback on it. */
  feedback: Feedback;
  /** The id of its event, if it failed. */
  eventId?: string;
  /** The fingerprint of its failure, if it failed. */
  fingerprint?: string;
}

/** A fingerprint: a failure without its volatile parts, such as paths, numbers and names. */
export interface Fingerprint {
  /** Its id: the same failure has the same id on every machine and day. */
  id: string;
  /** The readable form, with typed holes such as `<path>` in place of volatile parts. */
  template: string;
  /** The kinds of failure it is, in words that fit any domain, sorted. */
  tags: string[];
}

/** An event: a failed step. */
export interface Event {
  /** Its id. */
  id: string;
  /** The run it happened in. */
  run: string;
  /** The index of the step in the run, from 0. */
  step: number;
  /** When it happened. */
  at: Timestamp;
  /** The domain of the step. */
  domain: string;
  /** The id of its fingerprint. */
  fingerprint: string;
  /** The readable form of its fingerprint. */
  template: string;
  /** The kinds of failure it is, sorted. `no_progress` means that the same failure happened before. */
  tags: string[];
  /** The action, in one line. */
  actionText: string;
  /** Why it counts as failed: the hard failure's reason, or the conditions that do not hold. */
  reason: string;
  /** The error text, shortened in the middle. */
  evidence: string;
  /** Whether the step failed on the hard-failure channel. */
  hardFailure: boolean;
  /** Whether the step failed on the constraint-failure channel. */
  constraintFailure: boolean;
  /** The progress signal of the step. */
  progressSignal?: number;
  /** The difference from the previous progress signal in the run. */
  progressDelta?: number;
  /** The efficiency signal of the step. */
  efficiencySignal?: number;
  /** The difference from the previous efficiency signal in the run. */
  efficiencyDelta?: number;
  /** How often this fingerprint was seen in this memory so far, this event included. */
  occurrence: number;
  /** How often it was seen in this run so far, this event included. */
  occurrenceInRun: number;
  /** In how many runs it was seen so far, this run included. */
  runs: number;
}

/** Which events to list. Members that are left out do not restrict. */
export interface EventFilter {
  /** Only events with this fingerprint. */
  fingerprint?: string;
  /** Only events of this run. */
  run?: string;
  /** Only events of this domain. */
  domain?: string;
  /** Only events with this tag. */
  tag?: string;
  /** At most this many. Default: 50. Maximum: 1,000. */
  limit?: number;
}

/** How a run ended. */
export type Outcome =
  /** The goal was reached. */
  | 'success'
  /** The goal was not reached. */
  | 'failure'
  /** The goal was reached in part. */
  | 'partial'
  /** The run was given up; nobody can tell. */
  | 'abandoned';

/** Who scored a run, independently of who worked on it. */
export type Referee =
  /** An evaluator that gives the same score for the same result, such as a command or expectations. */
  | 'deterministic'
  /** A language model. */
  | 'model'
  /** The feedback on the run's own steps. */
  | 'signals';

/** How to end a run. */
export interface Ending {
  /** The outcome. Default: `success` or `failure` by the last step, or `abandoned` if there are no steps. */
  outcome?: Outcome;
  /**
   * The score of a referee, from 0 to 1. Default: the score of the model, if there is one and the run has a
   * task; otherwise a score computed from the feedback on the steps.
   */
  score?: number;
  /** Who gave the score. Default: `deterministic`, if there is a score. */
  referee?: Referee;
}

/** The phase of an episode by its age. */
export type Phase =
  /** Up to 30 days old. Fully searchable, preferred. */
  | 'active'
  /** Up to 180 days old. Fully searchable, may be consolidated. */
  | 'mature'
  /** Up to 365 days old. Its steps are in cold storage; it is found only if it is highly relevant. */
  | 'aged'
  /** Older. Its steps and its account are in cold storage; it is found only on request. */
  | 'archived'
  /** Deleted, but recoverable until `purge` removes it for good. */
  | 'deleted';

/** An episode: a run that has ended. Immutable. */
export interface Episode {
  /** Its id, which is the id of the run. */
  id: string;
  /** The task in words. */
  task: string;
  /** The domain of its steps. */
  domain: string;
  /** When the run started. */
  startedAt: Timestamp;
  /** When it ended. */
  endedAt: Timestamp;
  /** How it ended. */
  outcome: Outcome;
  /** The score from 0 to 1. Missing for a run without steps. */
  score?: number;
  /** Who gave the score. */
  referee: Referee;
  /** How many steps it took. */
  steps: number;
  /** How many of them failed. */
  failures: number;
  /** The fingerprints of its failures, each once, in the order of their first appearance. At most 256. */
  fingerprints: string[];
  /** The lessons that were shown in it, each once. At most 256. */
  lessons: string[];
  /** The session it belongs to. Empty if unknown. */
  session: string;
  /** Who worked on it. Empty if unknown. */
  agent: string;
  /** What kind of task it is. Empty if unknown. */
  taskType: string;
  /** The tools that were used. At most 64. */
  toolsUsed: string[];
  /** The strategies that were applied. At most 64. */
  strategiesApplied: string[];
  /** Its tags, sorted. At most 32. */
  tags: string[];
  /** A summary in a few lines. */
  summary: string;
}

/** Which episodes to list. Members that are left out do not restrict. */
export interface EpisodeFilter {
  /** Only episodes of this domain. */
  domain?: string;
  /** Only episodes with this outcome. */
  outcome?: Outcome;
  /** Only episodes that had this failure, by its fingerprint. */
  fingerprint?: string;
  /** Only episodes with this type of task. */
  taskType?: string;
  /** Only episodes of this session. */
  session?: string;
  /** Only episodes of this agent. */
  agent?: string;
  /** Only episodes with this tag. */
  tag?: string;
  /** Only episodes in which this tool was used. */
  tool?: string;
  /** Only episodes in which this strategy was applied. */
  strategy?: string;
  /** Only episodes that ended at this time or later. */
  since?: Timestamp;
  /** Only episodes that ended at this time or earlier. */
  until?: Timestamp;
  /** Only episodes in this phase. */
  phase?: Phase;
  /** At most this many. Default: 50. Maximum: 1,000. */
  limit?: number;
}

/** How often something occurs. */
export interface Tally {
  /** What is counted. */
  name: string;
  /** How often. */
  count: number;
}
