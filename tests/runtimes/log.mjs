// The file of a memory, held against what can happen to it: cut anywhere, damaged, full, closed, or rewritten.
//
// usage: node log.mjs PACKAGE

import { strict as assert } from 'node:assert';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { LogBytes } = await import(pathToFileURL(join(resolve(process.argv[2]), 'src/log.js')));

/** Files that can be copied, cut, and made to refuse. */
class Files {
  files = new Map();
  /** How many more bytes can be written before there is no room. */
  room = Infinity;

  open(name) {
    const { files } = this;
    if (!files.has(name)) files.set(name, new Uint8Array(0));
    return {
      size: () => files.get(name).length,
      read: (buffer, at) => buffer.set(files.get(name).subarray(at, at + buffer.length)),
      write: (buffer, at) => {
        const taken = Math.min(buffer.length, this.room);
        this.room -= taken;
        const grown = new Uint8Array(Math.max(files.get(name).length, at + taken));
        grown.set(files.get(name));
        grown.set(buffer.subarray(0, taken), at);
        files.set(name, grown);
        if (taken < buffer.length) throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
      },
      truncate: (size) => files.set(name, files.get(name).slice(0, size)),
      sync: () => {},
      close: () => {},
    };
  }

  copy() {
    const copy = new Files();
    this.files.forEach((bytes, name) => copy.files.set(name, bytes.slice()));
    return copy;
  }
}

const put = (key, text) => ({ key, value: new TextEncoder().encode(text) });
const all = (bytes) => bytes.scan('', '~', 1000).map(({ key, value }) => `${key}=${new TextDecoder().decode(value)}`).join(' ');

const rules = {
  'what is committed is there when it is opened again'() {
    const files = new Files();
    const bytes = new LogBytes(files);
    bytes.commit([put('a', '1'), put('b', ''), put('c', 'three')], true);
    bytes.commit([put('a', 'one'), { key: 'b', value: undefined }], false);
    assert.equal(all(bytes), 'a=one c=three');
    assert.equal(all(new LogBytes(files.copy())), 'a=one c=three');
    assert.deepEqual(new LogBytes(files.copy()).get(['b', 'zz']), [undefined, undefined]);
  },
  'a file that is cut anywhere has whole batches and no others'() {
    const files = new Files();
    const bytes = new LogBytes(files);
    const states = [''];
    for (let number = 0; number < 6; number += 1) {
      bytes.commit([put(`k${number}`, 'x'.repeat(number * 3)), put('latest', String(number))], true);
      states.push(all(bytes));
    }
    bytes.close();
    const whole = files.files.get('memory-0.log');
    for (let size = 0; size <= whole.length; size += 1) {
      // The rest was not written at all, or zeros stand there. Without a head, only what is new is nothing.
      for (const zeros of size < 24 ? [0] : [0, 500]) {
        const cut = files.copy();
        cut.files.set('memory-0.log', Uint8Array.from([...whole.slice(0, size), ...new Uint8Array(zeros)]));
        const opened = new LogBytes(cut);
        assert.ok(states.includes(all(opened)), `cut at ${size}`);
        opened.commit([put('more', 'y')], true);
        assert.match(all(new LogBytes(cut)), /more=y/);
      }
    }
  },
  'what did not wait for the disk may come there in any order'() {
    const files = new Files();
    const bytes = new LogBytes(files);
    bytes.commit([put('a', '1')], true);
    bytes.commit([put('b', 'first of two that do not wait')], false);
    bytes.commit([put('c', 'second')], false);
    const stopped = files.copy();
    const file = stopped.files.get('memory-0.log');
    // The machine stopped when only the second one was on the disk.
    const at = Buffer.from(file).indexOf('first of two');
    file.fill(0, at, at + 12);
    assert.equal(all(new LogBytes(stopped)), 'a=1');
    bytes.commit([put('d', '4')], true);
    const damaged = files.copy();
    damaged.files.get('memory-0.log').fill(0, at, at + 12);
    assert.throws(() => new LogBytes(damaged), { tag: 'corrupt' });
  },
  'a batch is synced only when all before it are'() {
    const files = new Files();
    const order = [];
    const { open } = files;
    files.open = (name) => {
      const file = open.call(files, name);
      return { ...file, write: (buffer, at) => (order.push('write'), file.write(buffer, at)), sync: () => order.push('sync') };
    };
    const bytes = new LogBytes(files);
    bytes.commit([put('a', '1')], true);
    order.length = 0;
    bytes.commit([put('b', '2')], false);
    bytes.commit([put('c', '3')], true);
    bytes.commit([put('d', '4')], true);
    assert.deepEqual(order, ['write', 'sync', 'write', 'sync', 'write', 'sync']);
  },
  'half a batch is followed by whole ones only after it was cut off'() {
    const files = new Files();
    const bytes = new LogBytes(files);
    bytes.commit([put('a', '1')], true);
    files.room = 20;
    assert.throws(() => bytes.commit([put('b', 'x'.repeat(100))], true), { tag: 'full' });
    files.room = Infinity;
    assert.equal(all(bytes), 'a=1');
    bytes.commit([put('c', '3')], true);
    assert.equal(all(new LogBytes(files)), 'a=1 c=3');
  },
  'damage in the middle is said, and nothing is cut off'() {
    const files = new Files();
    const bytes = new LogBytes(files);
    for (let number = 0; number < 5; number += 1) bytes.commit([put(`k${number}`, 'value')], true);
    for (let at = 0; at < 120; at += 1) {
      const damaged = files.copy();
      const before = damaged.files.get('memory-0.log');
      before[at] ^= 64;
      assert.throws(() => new LogBytes(damaged), { tag: 'corrupt' }, `byte ${at}`);
      assert.deepEqual(damaged.files.get('memory-0.log'), before);
    }
  },
  'a file that is mostly out of date is written anew, wherever it is interrupted'() {
    const files = new Files();
    const bytes = new LogBytes(files);
    const copies = [];
    for (let number = 0; number < 400; number += 1) {
      bytes.commit([put('large', `${number} ${'z'.repeat(10_000)}`), put(`small${number % 7}`, String(number))], true);
      copies.push([files.copy(), all(bytes)]);
    }
    const sizes = [...files.files.values()].map((one) => one.length);
    assert.ok(sizes[0] + sizes[1] < 2_500_000, `${sizes}`);
    for (const [copy, state] of copies.filter((_, index) => index % 13 === 0)) assert.equal(all(new LogBytes(copy)), state);
    // A second file without its head is what an interrupted rewriting leaves.
    const interrupted = files.copy();
    const empty = [...interrupted.files].find(([, one]) => one.length === 0)[0];
    interrupted.files.set(empty, new Uint8Array(5000).fill(7));
    assert.equal(all(new LogBytes(interrupted)), all(bytes));
  },
  'without room for a second file the first one goes on'() {
    const files = new Files();
    const bytes = new LogBytes(files);
    const value = 'z'.repeat(10_000);
    for (let number = 0; number < 104; number += 1) bytes.commit([put('large', value)], true);
    files.room = 15_000;
    bytes.commit([put('large', `last ${value}`)], true);
    assert.match(all(bytes), /large=last/);
    files.room = Infinity;
    assert.match(all(new LogBytes(files)), /large=last/);
  },
  'a memory that is closed takes nothing more'() {
    const bytes = new LogBytes(new Files());
    bytes.close();
    assert.throws(() => bytes.commit([put('a', '1')], true), { tag: 'other' });
  },
};
for (const [name, rule] of Object.entries(rules)) {
  try {
    rule();
  } catch (error) {
    console.error(`log: it does not hold that ${name}`);
    throw error;
  }
}
console.log(`log: ${Object.keys(rules).length} rules hold`);
