/** `twiceshy:memory/activation-types`: generated from the contract. */

import type { Timestamp } from './given.js';

/** When a lesson is shown. */
export type Moment =
  /** In the briefing, before a run or between its steps. */
  | 'before-run'
  /** After a failed step. */
  | 'on-error';

/** The effect of a lesson on one run. */
export type Verdict =
  /** The run went better than runs without the lesson. */
  | 'helped'
  /** The run went worse. */
  | 'harmed'
  /** The lesson made no difference. */
  | 'neutral'
  /** The lesson was not relevant: none of its failures happened or was to be expected. */
  | 'no-opportunity';

/** How a run with a lesson went, compared with runs without it. */
export interface ActivationOutcome {
  /** The verdict. */
  verdict: Verdict;
  /**
   * `0.65·error-reduction + 0.35·step-efficiency-gain`, or with a referee's score
   * `0.50·error-reduction + 0.30·step-efficiency-gain + 0.20·referee-score-gain`.
   */
  utility?: number;
  /** The lesson's share in the failures avoided, from -1 to 1. */
  errorReduction: number;
  /** The lesson's share in the steps saved, from -1 to 1. */
  stepEfficiencyGain: number;
  /** The lesson's share in the better score, if a referee other than the signals gave one. */
  refereeScoreGain?: number;
  /** Failures of this run that the lesson is about. */
  errors: number;
  /** How many such failures were expected without the lesson. */
  baselineErrors: number;
  /** The number of runs that this expectation is based on. */
  baselineRuns: number;
}

/** An activation: a lesson was shown in a run, or withheld from it for comparison. */
export interface Activation {
  /** Its id. */
  id: string;
  /** The lesson. */
  lesson: string;
  /** The run. */
  run: string;
  /** How many steps the run had when the lesson was first shown. */
  step: number;
  /** At what moment it was first shown. */
  moment: Moment;
  /** The failure after which it was first shown, by fingerprint. */
  fingerprint?: string;
  /** Whether it was withheld during the whole run. */
  withheld: boolean;
  /** How often it was shown, or would have been shown. */
  showings: number;
  /** When it was first shown. */
  at: Timestamp;
  /** The score with which it was chosen. */
  score: number;
  /** Its effect. Missing until the run has ended. */
  outcome?: ActivationOutcome;
}

/**
 * Activations of a lesson that are no longer kept one by one: what they add up to. Of which runs they were, after
 * which failure each came and what it was worth is not known any more; nothing that a lesson is judged by is lost.
 */
export interface EarlierActivations {
  /** Runs in which it was shown. */
  shownRuns: number;
  /** How often it was shown in them. */
  showings: number;
  /** Runs from which it was withheld for comparison. */
  withheldRuns: number;
  /** Runs in which it was shown and helped. */
  helped: number;
  /** Runs in which it was shown and harmed. */
  harmed: number;
  /** Runs in which it was shown and made no difference. */
  neutral: number;
  /** When the first of them was. */
  since: Timestamp;
  /** When the last of them was. */
  until: Timestamp;
}

/** Which activations to list. Members that are left out do not restrict. */
export interface ActivationFilter {
  /** Only activations of this lesson. */
  lesson?: string;
  /** Only activations of this run. */
  run?: string;
  /** At most this many. Default: 50. Maximum: 1,000. */
  limit?: number;
}
