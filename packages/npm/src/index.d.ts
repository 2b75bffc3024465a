/** A learning memory for agents. */

import type { Briefing, BriefingRequest, Ending, Episode, Feedback, Given, Interfaces, Json, NewRun, Observed, Reaction } from './contract/index.js';

export type * from './contract/index.js';

/** Vectors for texts, so that texts with the same meaning are found even if their words differ. */
export interface Embedder {
  /** What makes the vectors, such as the name of a model. Vectors are compared only with those of the same one. */
  readonly identity: string;
  /** One vector for each text, all of the same length. It must not return a promise. */
  embed(texts: string[]): ArrayLike<number>[];
}

/** A language model. Its answers are checked before they are used. */
export interface Model {
  /** Answers a prompt with JSON text that should match a JSON Schema. It must not return a promise. */
  complete(prompt: string, schema: string): string;
}

export interface OpenOptions {
  /** Node, Deno, Bun: the directory to keep the memory in. One process uses it at a time. Default: nowhere. */
  directory?: string;
  /** Browsers: the name to keep the memory under, for this site. One tab uses it at a time. Default: nowhere. */
  name?: string;
  /** Browsers: where to keep it. Default: private files (`opfs`), or IndexedDB where there are none. */
  storage?: 'opfs' | 'indexeddb';
  /** Browsers: the worker that has the memory, if a bundler has to make it: `new Worker(new URL('twiceshy/worker', …))`. */
  worker?: Worker;
  /** The time in milliseconds since the Unix epoch. Default: `Date.now`. */
  clock?: () => number;
  /** Node, Deno, Bun: takes messages for whoever operates the memory. */
  log?: (level: 'debug' | 'info' | 'warn', message: string) => void;
  /** Node, Deno, Bun: vectors for texts. */
  embedder?: Embedder;
  /** Node, Deno, Bun: a language model. */
  model?: Model;
}

/** Opens a memory. */
export function open(options?: OpenOptions): Promise<Memory>;

/** What a run is started with, besides its task. */
export type RunOptions = Partial<Given<NewRun>>;

/** A step in the words of somebody who has no adapter. */
export interface SimpleStep {
  /** What was done: a text, or any JSON value. */
  action: Json;
  /** What went wrong, in the words of the tool. Leave it out if the step worked. */
  error?: unknown;
  /** The kind of failure in a few words, such as `exit 2`. */
  reason?: string;
  /** How much closer the step came to the goal, from -1 to 1. */
  progress?: number;
  before?: Json;
  observation?: Json;
}

/** A command that was run. */
export interface CommandStep {
  /** The program and its arguments, or a command line. */
  command: string[] | string;
  /** The exit code. */
  exit?: number;
  stdout?: string;
  stderr?: string;
  durationMs?: number;
  /** Where it ran. */
  directory?: string;
}

/** A task that is being worked on. */
export class Run {
  readonly id: string;
  readonly task: string;
  readonly domain: string;
  /** The lessons to know before the run, or between its steps. */
  brief(request?: BriefingRequest): Promise<Briefing>;
  /** Observes one step. What is known about its failure comes back as hints. */
  observe(step: SimpleStep | Given<Observed>): Promise<Reaction>;
  /** Observes a command that was run; the bundled adapter judges it. */
  command(step: CommandStep): Promise<Reaction>;
  /** Ends the run: it becomes an episode, and lessons are learned from it. */
  finish(ending?: Given<Ending>): Promise<Episode>;
}

/** A memory: every function of the contract by interface, and runs that are easy to hold. */
export interface Memory extends Interfaces {
  /** Starts a run. */
  run(task: string, options?: RunOptions): Promise<Run>;
  /** Calls a function with a run, and ends the run as a success, or as a failure if the function throws. */
  run<T>(task: string, work: (run: Run) => Promise<T> | T): Promise<T>;
  run<T>(task: string, options: RunOptions, work: (run: Run) => Promise<T> | T): Promise<T>;
  /** Has a bundled adapter judge a step. */
  assess(
    adapter: 'cli' | 'navigation' | 'computer-use',
    goal: { task?: string; domain?: string; expectations?: Json },
    step: { before?: Json; action?: Json; observation?: Json },
  ): Promise<Feedback>;
  /** Calls a function by its name in the contract, such as `lessons.set-status`, with arguments as JSON has them. */
  call(method: string, given?: object): Promise<unknown>;
  /** Ends the use of the memory. Everything that was acknowledged is kept. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Why a call failed: a class for each case of the contract. */
export class TwiceshyError extends Error {
  /** The case in the contract, such as `not-found`. */
  readonly kind: string;
}
/** Something does not exist. */
export class NotFoundError extends TwiceshyError {}
/** An argument is invalid; the message names the member, the cause and what to do. */
export class InvalidArgumentError extends TwiceshyError {}
/** The call does not fit the current state, such as a step for a run that has ended. */
export class ConflictError extends TwiceshyError {}
/** Somebody else holds the memory. */
export class BusyError extends TwiceshyError {}
/** The memory can't be written or read: it is full, read-only, closed or damaged. */
export class StorageError extends TwiceshyError {}
/** The call needs something that was not given to `open`. */
export class UnavailableError extends TwiceshyError {}
/** The call is not allowed. */
export class DeniedError extends TwiceshyError {}
