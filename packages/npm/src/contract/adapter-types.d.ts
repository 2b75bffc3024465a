/** `twiceshy:adapter/types`: generated from the contract. */

import type { Json } from './given.js';

/** What the agent is working towards. The same for all steps of one run. */
export interface Goal {
  /** The task in words, as the agent was given it. May be empty. */
  task: string;
  /** The domain the step belongs to, such as `cli`. Equal to `manifest.domain`. */
  domain: string;
  /** What must hold after the step, as `manifest.expectations-schema` describes. Empty: nothing in particular. */
  expectations: Json;
}

/** One action of an agent, with what was observed before and after it. */
export interface Step {
  /** The state before the action, as `manifest.observation-schema` describes. Empty if unknown. */
  before: Json;
  /** The action, as `manifest.action-schema` describes. */
  action: Json;
  /** What was observed after the action, as `manifest.observation-schema` describes. */
  observation: Json;
}

/** Why a step failed. */
export interface Failure {
  /** The kind of failure in a few words, such as `exit 2` or `collision`. At most 1 KiB. */
  reason: string;
  /** The error text, verbatim: the fingerprint is computed from it. May be empty. At most 1 MiB. */
  evidence: string;
}

/** A required condition that does not hold after the step. */
export interface Violation {
  /** The condition in words, such as `artifact report.csv exists`. At most 4 KiB. */
  condition: string;
  /** What was found instead. May be empty. At most 16 KiB. */
  evidence: string;
}

/** What an adapter says about one step: four channels, and the action as readable text. */
export interface Feedback {
  /** The action in one line, as a person would write it: `ls -l "my file"`. At most 4 KiB. */
  actionText: string;
  /** The step failed: exception, non-zero exit, API error, safety violation. */
  hardFailure?: Failure;
  /** Required conditions that do not hold: wrong output shape, missing artifact, broken invariant. At most 64. */
  constraintFailure: Violation[];
  /** How much closer the step came to the goal, from -1 (away from it) to 1 (reached). Never NaN. */
  progressSignal?: number;
  /** How well steps, time and cost were spent, from 0 (wasted) to 1 (best known). Never NaN. */
  efficiencySignal?: number;
}

/** An earlier step and the feedback on it. */
export interface PastStep {
  /** The step as it was assessed. Long observations may be shortened. */
  step: Step;
  /** The feedback on it. */
  feedback: Feedback;
}

/** How an adapter describes itself. */
export interface Manifest {
  /** The adapter's name: lowercase letters, digits and dashes, a letter first, at most 64. */
  name: string;
  /** The adapter's own version, as in semantic versioning. At most 64 bytes. */
  version: string;
  /** The one domain whose steps it assesses. The same rules as for `name`. */
  domain: string;
  /** What it does, in one sentence. At most 1 KiB. */
  summary: string;
  /** JSON Schema of `step.action`. At most 256 KiB. */
  actionSchema: Json;
  /** JSON Schema of `step.before` and `step.observation`. At most 256 KiB. */
  observationSchema: Json;
  /** JSON Schema of `goal.expectations`. At most 256 KiB. */
  expectationsSchema: Json;
}
