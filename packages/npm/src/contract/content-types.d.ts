/** `twiceshy:memory/content-types`: generated from the contract. */

import type { Json } from './given.js';

/** How to approach a kind of problem. */
export interface StrategyContent {
  /** The approach. */
  approach: string;
  /** What matters. */
  keyPrinciples: string[];
  /** What it costs. */
  tradeOffs: string;
}

/** A structure to fill in. */
export interface TemplateContent {
  /** The structure, such as subtasks with `{placeholders}`. */
  structure: Json;
  /** The placeholders. */
  parameters: string[];
  /** How to fill them. */
  instantiationRules: string[];
}

/** If this, then that. */
export interface HeuristicContent {
  /** When. */
  condition: string;
  /** What to do. */
  action: string;
  /** Why. */
  rationale: string;
}

/** Steps to follow. */
export interface ProcedureContent {
  /** The steps, in order. */
  steps: string[];
  /** Where it branches. */
  branchingLogic: string[];
  /** When it ends. */
  terminationConditions: string[];
}

/** What a pattern says to do. */
export type PatternContent =
  /** An approach. */
  | { strategy: StrategyContent }
  /** A structure. */
  | { template: TemplateContent }
  /** A rule. */
  | { heuristic: HeuristicContent }
  /** Steps. */
  | { procedure: ProcedureContent };

/** How to use a pattern. */
export interface Guidance {
  /** When. */
  whenToApply: string;
  /** How to apply it. */
  howToApply: string;
  /** What is gained. */
  expectedBenefits: string[];
  /** What may go wrong. */
  potentialRisks: string[];
  /** Patterns to use instead, by id. */
  alternativePatterns: string[];
}
