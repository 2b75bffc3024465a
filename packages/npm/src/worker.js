// The memory in a worker of the browser: it opens the bytes, calls the component, and answers messages one by one.

import { startAdapter } from './adapter.js';
import { ByteMap } from './bytes.js';
import { start } from './engine.js';
import { IdbBytes } from './idb-bytes.js';
import { LogBytes } from './log.js';
import { OpfsDirectory } from './opfs-directory.js';
import { storageError } from './storage.js';

const LARGEST = 'twiceshy-rpc.core.wasm';

function compile(name) {
  const file = new URL(`../component/${name}`, import.meta.url);
  // A server may not know the type of the file.
  const fallback = async () => WebAssembly.compile(await (await fetch(file)).arrayBuffer());
  return WebAssembly.compileStreaming(fetch(file)).catch(fallback);
}

/** The page compiles the largest module while this worker starts, and sends it or nothing. */
let give;
const sent = new Promise((resolve) => (give = resolve));
const compiled = new Map([[LARGEST, sent.then((module) => module ?? compile(LARGEST))]]);

function core(name) {
  if (!compiled.has(name)) compiled.set(name, compile(name));
  return compiled.get(name);
}

const adapters = new Map();

/** How long a tab that was closed or loaded again may take to let go of its memory, in milliseconds. */
const PATIENCE = 3000;

/** Where the bytes are, and how one waits for them and lets go of them. */
async function opened(name, storage) {
  if (name === undefined) return { bytes: new ByteMap(), settle: () => {}, close: () => {} };
  const hasFiles = typeof FileSystemFileHandle !== 'undefined' && 'createSyncAccessHandle' in FileSystemFileHandle.prototype;
  if (storage === 'opfs' || (storage === undefined && hasFiles)) {
    const directory = await OpfsDirectory.hold(name, PATIENCE);
    const bytes = new LogBytes(directory);
    const close = () => {
      bytes.close();
      directory.release();
    };
    return { bytes, settle: () => {}, close };
  }
  // Files are held by the browser; a database is not, so that a lock stands for it.
  let release = () => {};
  const isHeld = await new Promise((resolve) => {
    const held = () => {
      resolve(true);
      return new Promise((done) => (release = done));
    };
    navigator.locks.request(`twiceshy-${name}`, { signal: AbortSignal.timeout(PATIENCE) }, held).catch(() => resolve(false));
  });
  if (!isHeld) throw { tag: 'busy', val: `another tab uses the memory \`${name}\`; close it there` };
  const bytes = await IdbBytes.hold(name);
  const close = () => {
    bytes.close();
    release();
  };
  return { bytes, settle: () => bytes.settle(), close };
}

let memory;
/** The time of a page that has a clock of its own. */
let now;

const handlers = {
  async open({ name, storage }) {
    const { bytes, settle, close } = await opened(name, storage);
    const call = await start({ bytes, core, clock: () => now ?? Date.now() });
    memory = { call, settle, close };
  },
  async call({ method, text, at }) {
    now = at;
    const answer = await memory.call(method, text);
    await memory.settle();
    return answer;
  },
  async assess({ adapter, given }) {
    if (!adapters.has(adapter)) {
      adapters.set(adapter, import(`../component/${adapter}.js`).then((module) => startAdapter(module, core)));
    }
    return (await adapters.get(adapter)).assess(...given);
  },
  async close() {
    memory?.close();
    memory = undefined;
  },
};

let latest = Promise.resolve();

onmessage = ({ data: { number, what, core: module, ...given } }) => {
  if (what === undefined) {
    give(module);
    return;
  }
  latest = latest.then(async () => {
    try {
      postMessage({ number, answer: await handlers[what](given) });
    } catch (error) {
      const { kind = 'other', message } = storageError(error);
      postMessage({ number, kind, message });
    }
  });
};
