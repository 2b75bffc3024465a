// The memory in Node, Deno and Bun: in memory, or in a directory.

import { readFile } from 'node:fs/promises';

import { startAdapter } from './adapter.js';
import { ByteMap } from './bytes.js';
import { start } from './engine.js';
import { LogBytes } from './log.js';
import { Memory } from './memory.js';
import { NodeDirectory } from './node-directory.js';
import { storageError } from './storage.js';

export * from './errors.js';
export { Memory, Run } from './memory.js';

const compiled = new Map();

/** A core module, compiled once in a process. */
function core(name) {
  if (!compiled.has(name)) {
    const file = new URL(`../component/${name}`, import.meta.url);
    compiled.set(name, readFile(file).then((bytes) => WebAssembly.compile(bytes)));
  }
  return compiled.get(name);
}

const loadAdapter = async (name) => startAdapter(await import(`../component/${name}.js`), core);

/** Opens a memory: in `directory`, which is made if it is not there, or for as long as the process lives. */
export async function open({ directory, ...ports } = {}) {
  if (directory === undefined) {
    return new Memory({ call: await start({ bytes: new ByteMap(), core, ...ports }), close: () => {}, loadAdapter });
  }
  let held;
  try {
    held = new NodeDirectory(directory);
    const bytes = new LogBytes(held);
    const call = await start({ bytes, core, ...ports });
    const close = () => {
      bytes.close();
      held.release();
    };
    return new Memory({ call, close, loadAdapter });
  } catch (error) {
    held?.release();
    throw storageError(error);
  }
}
