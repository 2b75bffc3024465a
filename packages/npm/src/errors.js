// The errors of the memory, a class for each case of the contract: what a caller can do differs, not the words.

/** Why a call failed. `kind` is the case in the contract. */
export class TwiceshyError extends Error {
  constructor(message, kind = 'other') {
    super(message);
    this.name = new.target.name;
    this.kind = kind;
  }
}

export class NotFoundError extends TwiceshyError {}
export class InvalidArgumentError extends TwiceshyError {}
export class ConflictError extends TwiceshyError {}
export class BusyError extends TwiceshyError {}
export class StorageError extends TwiceshyError {}
export class UnavailableError extends TwiceshyError {}
export class DeniedError extends TwiceshyError {}

const CLASSES = {
  'not-found': NotFoundError,
  'invalid-argument': InvalidArgumentError,
  conflict: ConflictError,
  busy: BusyError,
  storage: StorageError,
  unavailable: UnavailableError,
  denied: DeniedError,
};

/** The error of a case. */
export const errorOf = (kind, message) => new (CLASSES[kind] ?? TwiceshyError)(message, kind);
