/** `twiceshy:memory/skills`: generated from the contract. */

import type { Skill, SkillHit } from './skill-types.js';

/** Skills: procedures that a person can read and edit. */
export interface Skills {
  /**
   * Stores a skill as Markdown under a name of 1 to 64 lowercase letters, digits and dashes. An existing skill
   * gets a new version, and a retired one is in use again; the same text changes nothing.
   * 
   * The text begins with `# Skill: <name>`. The sections `## Prerequisites`, `## Steps` (numbered, required), `##
   * Common Errors & Fixes` (`error: fix`) and `## Exit Criteria` are interpreted, others are kept. At most 64 KiB.
   * Secrets are masked. `invalid-argument` names the line that is wrong.
   */
  put(slug: string, markdown: string): Promise<Skill>;
  /** Returns a skill by its name, in use or retired. */
  get(slug: string): Promise<Skill>;
  /** Lists the versions of a skill that were replaced, oldest first: the newest 1,000. */
  history(slug: string): Promise<Skill[]>;
  /** Lists all skills in use, by name. At most 1,000. */
  all(): Promise<Skill[]>;
  /**
   * Finds skills in use by the keywords of a task, best first. The score is the share of the keywords that the
   * skill has; keywords in its title count fully, others half. At most 64.
   */
  find(task: string, limit: number): Promise<SkillHit[]>;
  /** Retires a skill. It is kept. */
  retire(slug: string, reason: string): Promise<Skill>;
  /**
   * Makes a skill from a pattern with a procedure, a sequence or a decomposition, and links it to the pattern as
   * `derived-from`. `conflict` if the pattern has no steps.
   */
  makeOfPattern(pattern: string, slug: string): Promise<Skill>;
}
