// The memory component, called with a method and a JSON text: what is the same wherever it runs.

import { errorOf, TwiceshyError } from './errors.js';
import { instantiate } from '../component/twiceshy-rpc.js';

const unavailable = (what) => () => {
  throw { tag: 'unavailable', val: `no ${what} was given to \`open\`` };
};

/** Time never goes back for the memory, even if the clock does. */
function monotonic(now) {
  let latest = 0;
  return () => {
    latest = Math.max(latest, Math.floor(now()));
    return BigInt(latest);
  };
}

/** What a port throws becomes an error of the contract, so that the memory can say what happened. */
const guarded = (port) => (...given) => {
  try {
    return port(...given);
  } catch (error) {
    throw typeof error?.tag === 'string' ? error : { tag: 'other', val: String(error?.message ?? error) };
  }
};

/**
 * Starts the component over bytes. `core` gives the compiled core modules by name.
 * What comes back is synchronous: a method and a JSON text in, a JSON text out.
 */
export async function start({ bytes, core, clock = Date.now, log = () => {}, embedder, model }) {
  const ports = {
    'twiceshy:host/bytes': {
      get: guarded((keys) => bytes.get(keys)),
      scan: guarded((first, end, limit) => bytes.scan(first, end, limit)),
      commit: guarded((batch, durable) => bytes.commit(batch, durable)),
    },
    'twiceshy:host/clock': { now: monotonic(clock) },
    'twiceshy:host/log': { write: (level, message) => log(level, message) },
    'twiceshy:host/embedder': {
      identity: guarded(embedder ? () => embedder.identity : unavailable('embedder')),
      embed: guarded(embedder ? (texts) => embedder.embed(texts).map((one) => Float32Array.from(one)) : unavailable('embedder')),
    },
    'twiceshy:host/model': {
      complete: guarded(model ? (prompt, schema) => model.complete(prompt, schema) : unavailable('model')),
    },
  };
  let component = await instantiate(core, ports);
  return async (method, text) => {
    component ??= await instantiate(core, ports);
    try {
      return component.rpc.call(method, text);
    } catch (error) {
      if (error?.payload?.tag) throw errorOf(error.payload.tag, error.payload.val);
      // A component that failed in the middle can't be called again. All it knows is in the bytes.
      component = undefined;
      throw new TwiceshyError(`${method}: the memory component failed: ${error.message}`);
    }
  };
}
