// What goes wrong when a memory is opened, as errors of the memory.

import { errorOf, TwiceshyError } from './errors.js';

const KINDS = { busy: 'busy', unavailable: 'unavailable', denied: 'denied' };

/** The error of a port as an error that is thrown. */
export function storageError(error) {
  if (error instanceof TwiceshyError || typeof error?.tag !== 'string') return error;
  return errorOf(KINDS[error.tag] ?? 'storage', error.val);
}
