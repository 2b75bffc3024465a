// Bytes under keys that last: a file to which batches are appended, each with a checksum.
//
// A batch is there as a whole or not at all, because half of one does not match its checksum. It is written over zeros, which takes
// half as long as making the file longer. A batch that waits for the disk is written when everything before it is there; so what is
// not whole before such a one is damage, and not a machine that stopped. When more than half of the
// file is out of date, what counts is written to the other of two files, which is valid once its head is written: the
// valid file with the highest number counts. A file is what `open` of a directory gives: `size()`, `read(buffer, at)`,
// `write(buffer, at)`, `truncate(size)`, `sync()` and `close()`, all of which return when they are done.

import { ByteMap } from './bytes.js';

const NAMES = ['memory-0.log', 'memory-1.log'];
const MAGIC = [0x63697774, 0x79687365]; // "twiceshy"
const FORM = 1;
const HEAD = 24;
const RECORD_HEAD = 12;
/** A batch that waited for the disk, and one that did not. */
const MARK = 0x2b42d59a;
const LIGHT_MARK = 0x2b42d59b;
/** Less than this is not worth being written anew. */
const WASTE = 1 << 20;
/** How far the file is made longer at once. */
const RESERVE = 1 << 18;
const ZEROS = new Uint8Array(RESERVE);

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const padded = (length) => (length + 3) & ~3;

/** MurmurHash3 over words of 32 bits. */
function checksum(words, seed) {
  let hash = seed;
  for (let index = 0; index < words.length; index += 1) {
    let word = Math.imul(words[index], 0xcc9e2d51);
    word = (word << 15) | (word >>> 17);
    hash ^= Math.imul(word, 0x1b873593);
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  hash ^= words.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A batch as it is in the file: a mark, its length, its checksum, then key, value and key, value. */
function record(batch, mark = MARK) {
  const parts = batch.map(({ key, value }) => ({ key: encoder.encode(key), value }));
  const length = parts.reduce((sum, { key, value }) => sum + 8 + padded(key.length) + padded(value?.length ?? 0), 0);
  const bytes = new Uint8Array(RECORD_HEAD + length);
  const words = new Uint32Array(bytes.buffer);
  let at = RECORD_HEAD;
  for (const { key, value } of parts) {
    words[at >> 2] = key.length;
    words[(at >> 2) + 1] = value === undefined ? 0 : value.length + 1;
    bytes.set(key, at + 8);
    at += 8 + padded(key.length);
    if (value !== undefined) {
      bytes.set(value, at);
      at += padded(value.length);
    }
  }
  words[0] = mark;
  words[1] = length;
  words[2] = checksum(words.subarray(3), length);
  return bytes;
}

/** Where the record at a place ends, or 0 if there is none. */
function endOf(words, at, size) {
  const mark = words[at >> 2];
  if (at + RECORD_HEAD > size || (mark !== MARK && mark !== LIGHT_MARK)) return 0;
  const length = words[(at >> 2) + 1];
  const end = at + RECORD_HEAD + length;
  if (length % 4 !== 0 || end > size) return 0;
  const sum = checksum(words.subarray((at + RECORD_HEAD) >> 2, end >> 2), length);
  return sum === words[(at >> 2) + 2] ? end : 0;
}

/** The number of a file with a whole head, or 0. */
function generationOf(file) {
  if (file.size() < HEAD) return 0;
  const bytes = new Uint8Array(HEAD);
  file.read(bytes, 0);
  const words = new Uint32Array(bytes.buffer);
  const isWhole = words[0] === MAGIC[0] && words[1] === MAGIC[1] && words[5] === checksum(words.subarray(0, 5), HEAD);
  if (isWhole && words[2] !== FORM) {
    throw { tag: 'unavailable', val: `the memory has form ${words[2]}, and this version knows form ${FORM}; use a newer version` };
  }
  return isWhole ? words[3] : 0;
}

export class LogBytes {
  #map = new ByteMap();
  #directory;
  #file;
  #which;
  #generation;
  #size = HEAD;
  /** Where the zeros behind the last batch end. */
  #room = HEAD;
  /** How many bytes of the file count, and how many each key has in it. */
  #live = 0;
  #sizes = new Map();
  #broken;
  #unsynced = false;

  /** The bytes in a directory, which may be empty. */
  constructor(directory) {
    this.#directory = directory;
    const files = NAMES.map((name) => directory.open(name));
    try {
      const generations = files.map(generationOf);
      this.#which = generations[1] > generations[0] ? 1 : 0;
      this.#generation = generations[this.#which];
      this.#file = files[this.#which];
      // A head is written before all else, and a file without one has nothing that counts, unless its head was damaged.
      if (this.#generation === 0 && files.some((file) => file.size() > HEAD)) {
        throw { tag: 'corrupt', val: 'the head of the memory\'s file is damaged; restore it from a copy' };
      }
      if (this.#generation === 0) this.#begin();
      else this.#load();
      files[1 - this.#which].truncate(0);
    } catch (error) {
      files.forEach((file) => file.close());
      throw error;
    }
    files[1 - this.#which].close();
  }

  get(keys) {
    return this.#map.get(keys);
  }

  scan(first, end, limit) {
    return this.#map.scan(first, end, limit);
  }

  commit(batch, durable) {
    if (this.#broken) throw { tag: 'other', val: this.#broken };
    const bytes = record(batch, durable ? MARK : LIGHT_MARK);
    this.#reserve(this.#size + bytes.length);
    try {
      if (durable) this.flush();
      this.#file.write(bytes, this.#size);
      if (durable) this.#file.sync();
      this.#unsynced = !durable;
    } catch (error) {
      this.#takeBack(error);
    }
    this.#size += bytes.length;
    this.#apply(batch);
    if (this.#size - HEAD - this.#live > this.#live + WASTE) this.#compact();
  }

  /** Makes the file longer than it has to be. If there is no room for that, there may be for the batch. */
  #reserve(end) {
    if (end <= this.#room) return;
    try {
      this.#file.write(ZEROS, end);
      this.#room = end + RESERVE;
    } catch {
      this.#room = end;
    }
  }

  /** Waits for the disk. */
  flush() {
    if (this.#unsynced) this.#file.sync();
    this.#unsynced = false;
  }

  close() {
    if (!this.#broken) {
      this.flush();
      this.#file.truncate(this.#size);
    }
    this.#broken = 'the memory is closed';
    this.#file.close();
  }

  #apply(batch) {
    for (const { key, value } of batch) {
      this.#map.set(key, value);
      this.#live -= this.#sizes.get(key) ?? 0;
      if (value === undefined) {
        this.#sizes.delete(key);
      } else {
        const size = 8 + padded(key.length) + padded(value.length);
        this.#sizes.set(key, size);
        this.#live += size;
      }
    }
  }

  /** After a write that failed, what may be half there is cut off; nothing is written behind it. */
  #takeBack(error) {
    try {
      this.#file.truncate(this.#size);
      this.#room = this.#size;
      this.#file.sync();
    } catch (second) {
      this.#broken = `the file of the memory can't be written: ${second.message}; open the memory again`;
    }
    const isFull = error.code === 'ENOSPC' || error.name === 'QuotaExceededError';
    throw { tag: isFull ? 'full' : 'other', val: `the file of the memory can't be written: ${error.message}` };
  }

  #begin() {
    this.#generation += 1;
    this.#file.truncate(0);
    this.#writeHead();
  }

  #writeHead() {
    const words = new Uint32Array(HEAD / 4);
    words.set([...MAGIC, FORM, this.#generation, 0]);
    words[5] = checksum(words.subarray(0, 5), HEAD);
    this.#file.write(new Uint8Array(words.buffer), 0);
    this.#file.sync();
  }

  #load() {
    const size = this.#file.size();
    const bytes = new Uint8Array(padded(size));
    this.#file.read(bytes.subarray(0, size), 0);
    const words = new Uint32Array(bytes.buffer);
    let at = HEAD;
    for (let end = endOf(words, at, size); end > 0; end = endOf(words, at, size)) {
      this.#apply(entriesOf(bytes, words, at + RECORD_HEAD, end));
      at = end;
    }
    // Half a batch at the end was never acknowledged. Whole ones behind a damaged one were, if they waited for the disk.
    for (let other = at + 4; other < size; other += 4) {
      if (words[other >> 2] === MARK && endOf(words, other, size) > 0) {
        throw { tag: 'corrupt', val: `the file of the memory is damaged at byte ${at}; restore it from a copy` };
      }
    }
    if (at < size) this.#file.truncate(at);
    this.#size = at;
    this.#room = at;
  }

  #compact() {
    const other = 1 - this.#which;
    const file = this.#directory.open(NAMES[other]);
    let at = HEAD;
    try {
      file.truncate(0);
      let batch = [];
      let size = 0;
      const write = () => {
        const bytes = record(batch);
        file.write(bytes, at);
        at += bytes.length;
        [batch, size] = [[], 0];
      };
      for (const [key, value] of this.#map.entries()) {
        batch.push({ key, value });
        size += value.length;
        if (size > WASTE) write();
      }
      if (batch.length > 0) write();
      file.sync();
    } catch {
      // There may be no room for a second file. The first one goes on.
      file.close();
      return;
    }
    const old = this.#file;
    [this.#file, this.#which, this.#size, this.#room] = [file, other, at, at];
    this.#generation += 1;
    try {
      this.#writeHead();
    } catch (error) {
      this.#broken = `the file of the memory can't be written: ${error.message}; open the memory again`;
      return;
    }
    old.truncate(0);
    old.close();
  }
}

function entriesOf(bytes, words, first, end) {
  const batch = [];
  for (let at = first; at < end; ) {
    const keyLength = words[at >> 2];
    const valueLength = words[(at >> 2) + 1];
    const key = decoder.decode(bytes.subarray(at + 8, at + 8 + keyLength));
    at += 8 + padded(keyLength);
    if (valueLength === 0) {
      batch.push({ key, value: undefined });
    } else {
      batch.push({ key, value: bytes.subarray(at, at + valueLength - 1) });
      at += padded(valueLength - 1);
    }
  }
  return batch;
}
