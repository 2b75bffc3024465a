/** `twiceshy:memory/events`: generated from the contract. */

import type { Given } from './given.js';
import type { Event, EventFilter, Fingerprint } from './memory-types.js';

/** Events: failed steps, and the fingerprints that tell whether two failures are the same. */
export interface Events {
  /** Computes the fingerprint of an error text of any size, in linear time. Pure. */
  fingerprintOf(text: string): Promise<Fingerprint>;
  /** Lists events, newest first. */
  find(filter: Given<EventFilter>): Promise<Event[]>;
  /** Returns an event by its id. */
  get(eventId: string): Promise<Event>;
}
