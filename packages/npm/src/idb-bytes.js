// Bytes under keys in IndexedDB, for browsers without private files: read at the start, written after each call.
//
// The memory is called in between without waiting, so that a call is acknowledged when `settle` has come back.

import { ByteMap } from './bytes.js';

const STORE = 'bytes';

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

export class IdbBytes {
  #map = new ByteMap();
  #database;
  #pending = [];
  #broken;

  constructor(database) {
    this.#database = database;
  }

  static async hold(name) {
    const request = indexedDB.open(`twiceshy-${name}`, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    const bytes = new IdbBytes(await done(request));
    const store = bytes.#database.transaction(STORE).objectStore(STORE);
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    keys.forEach((key, index) => bytes.#map.set(key, values[index]));
    return bytes;
  }

  get(keys) {
    return this.#map.get(keys);
  }

  scan(first, end, limit) {
    return this.#map.scan(first, end, limit);
  }

  commit(batch) {
    if (this.#broken) throw { tag: 'other', val: this.#broken };
    this.#map.commit(batch);
    this.#pending.push(...batch);
  }

  /** Waits until everything is on the disk. */
  async settle() {
    if (this.#pending.length === 0) return;
    const batch = this.#pending;
    this.#pending = [];
    const transaction = this.#database.transaction(STORE, 'readwrite', { durability: 'strict' });
    const store = transaction.objectStore(STORE);
    for (const { key, value } of batch) {
      if (value === undefined) store.delete(key);
      else store.put(value, key);
    }
    try {
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
    } catch (error) {
      this.#broken = `the memory can't be written: ${error?.message}; open it again`;
      throw { tag: error?.name === 'QuotaExceededError' ? 'full' : 'other', val: this.#broken };
    }
  }

  close() {
    this.#broken = 'the memory is closed';
    this.#database.close();
  }
}
