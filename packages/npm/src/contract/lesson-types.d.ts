/** `twiceshy:memory/lesson-types`: generated from the contract. */

import type { Activation, EarlierActivations } from './activation-types.js';
import type { Timestamp } from './given.js';
import type { Link } from './link-types.js';
import type { Episode, TraceStep } from './memory-types.js';

/** What kind of knowledge a lesson is. */
export type LessonKind =
  /** Do this instead of that. */
  | 'rule'
  /** Something that does not work, with no known fix. */
  | 'anti-pattern'
  /** A fact. */
  | 'fact'
  /** A way to go about a kind of task. */
  | 'strategy'
  /** How to divide a task into parts. */
  | 'decomposition'
  /** An order of actions. */
  | 'sequence'
  /** Which tool to use. */
  | 'tool-selection'
  /** How something fails. */
  | 'failure'
  /** How to recover from a failure. */
  | 'recovery'
  /** How to do something better. */
  | 'optimization'
  /** Knowledge about a domain. */
  | 'domain'
  /** A procedure in steps. */
  | 'skill';

/** The tasks that a lesson is for. */
export type Scope =
  /** The task it was learned in. */
  | 'task'
  /** All tasks of its domain. */
  | 'domain'
  /** All domains. */
  | 'global';

/** The status of a lesson in its lifecycle. */
export type LessonStatus =
  /** Proposed, not yet proven. Shown. */
  | 'candidate'
  /** Proven to help. Shown. */
  | 'promoted'
  /** In doubt. Not shown. */
  | 'under-review'
  /** Found not to help, or to harm. Not shown. */
  | 'suppressed'
  /** No longer right. Not shown. */
  | 'deprecated'
  /** Kept for audit only. Not shown. */
  | 'archived';

/** Who proposed a lesson. */
export type Source =
  /** A person. */
  | 'person'
  /** The agent that did the task. */
  | 'agent'
  /** A language model. */
  | 'model'
  /** Nobody: it was mined from the steps of a run. */
  | 'trace';

/** How far the sources of a lesson are trusted before its effect is measured. */
export type Trust =
  /** An agent or a model claims it. */
  | 'claimed'
  /** It was seen in the steps of a run. */
  | 'observed'
  /** A person vouches for it. */
  | 'vouched';

/** Where a lesson comes from. */
export interface Origin {
  /** The run it was learned in. Empty if there is none. */
  run: string;
  /** The steps of that run that show it, ascending. At most 16. */
  steps: number[];
  /** Who proposed it. */
  source: Source;
  /** When it was proposed. */
  at: Timestamp;
}

/** A lesson to propose. Only `rule-text` is required. */
export interface LessonCandidate {
  /** The rule: what to do, if possible as `WRONG: … → CORRECT: …`. 1 to 1,000 characters. */
  ruleText: string;
  /** The fingerprints that trigger it. At most 32. */
  triggerFingerprints: string[];
  /** Error texts that trigger it: their fingerprints are added to the triggers. At most 32. */
  triggerTexts: string[];
  /** The kinds of failure it is for. Those of known triggers are added. At most 32. */
  tags: string[];
  /** The tasks it is for. Default: `domain`, or `global` if there is no domain. */
  scopeHint?: Scope;
  /** What kind of knowledge it is. Default: `rule`. */
  kind?: LessonKind;
  /** The domain it was learned in. */
  domain?: string;
  /** The task it was learned in. Required for the scope `task`. */
  task?: string;
  /** The run it was learned in. */
  run?: string;
  /** The steps of that run that show it. At most 16. */
  steps: number[];
  /** Who proposes it. Default: `agent`. */
  source?: Source;
}

/** The evidence on a lesson: what showing it did, compared with runs without it. */
export interface Usefulness {
  /** How often it was shown. */
  activations: number;
  /** In how many runs it was shown. */
  shownRuns: number;
  /** From how many runs it was withheld for comparison. */
  withheldRuns: number;
  /** Runs in which it helped. */
  helped: number;
  /** Runs in which it harmed. */
  harmed: number;
  /** Runs in which it was shown and was relevant. */
  judged: number;
  /** The mean utility of the runs in which it was shown, from -1 to 1. */
  utility?: number;
  /** The same for the runs from which it was withheld. */
  withheldUtility?: number;
  /** The share by which its failures became fewer, compared with runs without it. */
  recurrenceDrop?: number;
  /** Runs that went badly wrong while it was shown. */
  regressions: number;
  /** How often a contradicting lesson did better. */
  losses: number;
  /** When it was last shown. */
  lastShownAt?: Timestamp;
}

/** A lesson: a unit of knowledge. */
export interface Lesson {
  /** Its id. The same rule with the same triggers and scope is the same lesson. */
  id: string;
  /** The rule: what to do. */
  ruleText: string;
  /** What kind of knowledge it is. */
  kind: LessonKind;
  /** The tasks it is for. */
  scope: Scope;
  /** The domain it was learned in. Empty if there is none. */
  domain: string;
  /** The task it was learned in. Empty if there is none. */
  task: string;
  /** The fingerprints that trigger it, sorted. */
  triggerFingerprints: string[];
  /** The kinds of failure it is for, sorted. */
  tags: string[];
  /** Its status. */
  status: LessonStatus;
  /** Why it has this status. */
  statusReason: string;
  /** How reliable it is, from 0 to 1. Begins at 0.5. */
  reliability: number;
  /** Its origins, oldest first. At most 64. */
  origins: Origin[];
  /** How far its sources are trusted. */
  trust: Trust;
  /** Its evidence: what showing it did. */
  usefulness: Usefulness;
  /** When it was first proposed. */
  createdAt: Timestamp;
  /** When it was last changed. */
  updatedAt: Timestamp;
}

/** Everything that a lesson is based on. */
export interface Explanation {
  /** The lesson. */
  lesson: Lesson;
  /** Its links to other lessons, in both directions. */
  links: Link[];
  /** Its newest activations. At most 50. */
  activations: Activation[];
  /** What its older activations add up to, if any were summed up. */
  earlier?: EarlierActivations;
  /** The episodes it was learned in or shown in, newest first. At most 50. */
  episodes: Episode[];
  /** The steps it was learned from. At most 50. */
  steps: TraceStep[];
}

/** Which lessons to list. Members that are left out do not restrict. */
export interface LessonFilter {
  /** Only lessons with this status. */
  status?: LessonStatus;
  /** Only lessons that this fingerprint triggers. */
  fingerprint?: string;
  /** Only lessons of this domain. */
  domain?: string;
  /** At most this many. Default: 50. Maximum: 1,000. */
  limit?: number;
}
