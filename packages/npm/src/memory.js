// The memory as a JavaScript object: every interface of the contract, and runs that are easy to hold.

import { StorageError } from './errors.js';
import { interfaces } from './wire.js';

/** A task that is being worked on. */
export class Run {
  #memory;

  constructor(memory, { id, task, domain }) {
    this.#memory = memory;
    this.id = id;
    this.task = task;
    this.domain = domain;
  }

  /** The lessons to know before the run, or between its steps. */
  brief(request = {}) {
    return this.#memory.runs.brief(this.id, request);
  }

  /**
   * Observes one step: `{ action, error }` for a step that failed with a text, `{ action }` for one that worked, or a
   * step with feedback as the contract has it.
   */
  observe(step) {
    return this.#memory.runs.observe(this.id, 'feedback' in step ? step : observed(step));
  }

  /** Observes a command that was run; the bundled adapter judges it. */
  async command({ command, exit, stdout = '', stderr = '', durationMs = 0, directory }) {
    const step = {
      action: { command, ...(directory === undefined ? {} : { directory }) },
      observation: { exit, stdout, stderr, 'duration-ms': Math.round(durationMs) },
    };
    const feedback = await this.#memory.assess('cli', { task: this.task, domain: this.domain }, step);
    return this.observe({ step, feedback });
  }

  /** Ends the run: it becomes an episode, and lessons are learned from it. */
  finish(ending = {}) {
    return this.#memory.runs.finish(this.id, ending);
  }
}

/** A step in the words of somebody who has no adapter. */
function observed({ action, error, reason, progress, before, observation }) {
  const text = typeof action === 'string' ? action : JSON.stringify(action);
  const hardFailure = error === undefined ? undefined : { reason: reason ?? 'failed', evidence: String(error?.message ?? error) };
  return {
    step: { before, action, observation },
    feedback: { actionText: text, hardFailure, progressSignal: progress },
  };
}

/** A memory. `call` takes a method and a JSON text and gives a promise of a JSON text. */
export class Memory {
  #call;
  #close;
  #isClosed = false;
  #adapters = new Map();
  #loadAdapter;

  constructor({ call, close, loadAdapter }) {
    this.#call = async (method, text) => {
      if (this.#isClosed) throw new StorageError('the memory is closed', 'storage');
      return call(method, text);
    };
    this.#close = close;
    this.#loadAdapter = loadAdapter;
    Object.assign(this, interfaces(this.#call));
  }

  /**
   * Starts a run. With a function, calls it with the run and ends the run afterwards: as a success, or as a failure if
   * the function throws.
   */
  async run(task, options, work) {
    if (typeof options === 'function') return this.run(task, {}, options);
    const run = new Run(this, await this.runs.start({ domain: 'cli', ...options, task }));
    if (work === undefined) return run;
    try {
      const result = await work(run);
      await run.finish({ outcome: 'success' });
      return result;
    } catch (error) {
      await run.finish({ outcome: 'failure' }).catch(() => {});
      throw error;
    }
  }

  /** Has a bundled adapter judge a step: `cli`, `navigation` or `computer-use`. */
  async assess(name, { task = '', domain = name, expectations }, step) {
    if (!this.#adapters.has(name)) this.#adapters.set(name, this.#loadAdapter(name));
    const adapter = await this.#adapters.get(name);
    const text = (value) => (value === undefined ? '' : JSON.stringify(value));
    const texts = (one) => ({ before: text(one.before), action: text(one.action), observation: text(one.observation) });
    const recent = await this.runs.recentSteps(domain, 16);
    return adapter.assess(
      { task, domain, expectations: text(expectations) },
      recent.map(({ step: past, feedback }) => ({ step: texts(past), feedback })),
      texts(step),
    );
  }

  /** Calls a function by its name in the contract, such as `lessons.set-status`, with arguments as JSON has them. */
  async call(method, given = {}) {
    return JSON.parse(await this.#call(method, JSON.stringify(given)));
  }

  /** Ends the use of the memory. Everything that was acknowledged is kept. */
  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#close();
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    await this.close();
  }
}
