/** `twiceshy:memory/links`: generated from the contract. */

import type { Given } from './given.js';
import type { Link, Neighbourhood, Walk } from './link-types.js';

/** Typed relations between memories: lessons, patterns, skills and episodes. */
export interface Links {
  /** Links two memories. The memory sets the time itself. */
  relate(link: Given<Link>): Promise<Link>;
  /** Removes a link. */
  unrelate(link: Given<Link>): Promise<void>;
  /** Lists the links of a memory, in both directions. At most 1,000. */
  ofMemory(id: string): Promise<Link[]>;
  /** Returns what can be reached from a memory through its links. */
  around(walk: Given<Walk>): Promise<Neighbourhood>;
  /** Lists unresolved contradictions, where both lessons are shown. Newest first. */
  contradictions(limit: number): Promise<Link[]>;
}
