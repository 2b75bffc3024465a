// The memory in a browser: a worker has it, so that the page never waits, and this passes calls on.

import { errorOf } from './errors.js';
import { Memory } from './memory.js';

export * from './errors.js';
export { Memory, Run } from './memory.js';

/**
 * The module that takes long, compiled here while the worker starts. Nothing if the page may not fetch it: then the worker
 * compiles it.
 */
async function compiled() {
  try {
    return await WebAssembly.compileStreaming(fetch(new URL('../component/twiceshy-rpc.core.wasm', import.meta.url)));
  } catch {
    return undefined;
  }
}

/**
 * Opens a memory: under `name`, in files that the browser keeps for this site (or in IndexedDB, with
 * `storage: 'indexeddb'` or if there are no such files), or for as long as the page is there.
 */
export async function open({ name, storage, clock, worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }) } = {}) {
  compiled().then((core) => worker.postMessage({ core }));
  const waiting = new Map();
  let next = 0;
  let failed;
  worker.onmessage = ({ data: { number, answer, kind, message } }) => {
    const { resolve, reject } = waiting.get(number);
    waiting.delete(number);
    if (kind === undefined) resolve(answer);
    else reject(errorOf(kind, message));
  };
  worker.onerror = (event) => {
    failed = errorOf('other', `the worker of the memory failed: ${event.message ?? 'it could not be loaded'}`);
    waiting.forEach(({ reject }) => reject(failed));
    waiting.clear();
  };
  const ask = (what, given) =>
    new Promise((resolve, reject) => {
      if (failed) {
        reject(failed);
        return;
      }
      const number = next++;
      waiting.set(number, { resolve, reject });
      worker.postMessage({ number, what, ...given });
    });
  const end = () => {
    failed = errorOf('storage', 'the memory is closed');
    worker.terminate();
  };
  try {
    await ask('open', { name, storage });
  } catch (error) {
    end();
    throw error;
  }
  return new Memory({
    call: (method, text) => ask('call', { method, text, at: clock?.() }),
    close: async () => {
      await ask('close', {});
      end();
    },
    loadAdapter: async (adapter) => ({ assess: (...given) => ask('assess', { adapter, given }) }),
  });
}
