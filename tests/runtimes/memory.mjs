// The memory component in Node, as `jco transpile` makes it: typed calls and `rpc`, over a store in memory.
//
// usage: node memory.mjs DIRECTORY, where jco put `memory.js`

import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const directory = resolve(process.argv[2]);
const { instantiate } = await import(pathToFileURL(join(directory, 'memory.js')));

/** Documents by kind and id: what the memory needs to remember, without search by text or vector. */
class Store {
  #kinds = new Map();

  #kind(kind) {
    if (!this.#kinds.has(kind)) this.#kinds.set(kind, new Map());
    return this.#kinds.get(kind);
  }

  getMany(keys) {
    return keys.map(({ kind, id }) => this.#kind(kind).get(id)?.stored).filter(Boolean);
  }

  commit(batch) {
    const before = new Map([...this.#kinds].map(([kind, documents]) => [kind, new Map(documents)]));
    for (const { tag, val } of batch) {
      const key = tag === 'put' ? val.document.key : val.key;
      const documents = this.#kind(key.kind);
      const version = documents.get(key.id)?.stored.version ?? 0;
      const { precondition } = val;
      const holds = precondition.tag === 'anything' || (precondition.tag === 'absent' ? version === 0 : version === precondition.val);
      if (!holds) {
        this.#kinds = before;
        throw { tag: 'conflict', val: `${key.kind}/${key.id} has version ${version}` };
      }
      if (tag === 'remove') documents.delete(key.id);
      else documents.set(key.id, { stored: { key, version: version + 1, body: val.document.body }, attributes: val.document.attributes });
    }
  }

  commitLightly(batch) {
    this.commit(batch);
  }

  #matching(kind, conditions) {
    const passes = (document) => conditions.every(({ attribute, test }) => {
      const values = document.attributes.filter(({ name }) => name === attribute).map(({ value }) => value);
      const same = (a, b) => a.tag === b.tag && a.val === b.val;
      switch (test.tag) {
        case 'equals': return values.some((value) => same(value, test.val));
        case 'any-of': return values.some((value) => test.val.some((one) => same(value, one)));
        case 'at-least': return values.some((value) => value.tag === test.val.tag && value.val >= test.val.val);
        case 'at-most': return values.some((value) => value.tag === test.val.tag && value.val <= test.val.val);
        default: return values.length === 0;
      }
    });
    return [...this.#kind(kind).values()].filter(passes);
  }

  find({ kind, conditions, order, offset, limit }) {
    if (order.tag === 'by-text' || order.tag === 'by-nearest') return [];
    const byId = (a, b) => (a.stored.key.id < b.stored.key.id ? -1 : 1);
    let found = this.#matching(kind, conditions).sort(byId);
    if (order.tag === 'by-attribute') {
      const sign = order.val.descending ? -1 : 1;
      const value = (document) => document.attributes.find(({ name }) => name === order.val.attribute)?.value.val;
      found = found.filter((document) => value(document) !== undefined);
      found.sort((a, b) => (value(a) === value(b) ? 0 : sign * (value(a) < value(b) ? -1 : 1)));
    }
    return found.slice(offset, offset + limit).map(({ stored }) => ({ document: stored, score: 0 }));
  }

  count(kind, conditions) {
    return this.#matching(kind, conditions).length;
  }

  optimize() {}
}

const store = new Store();
const ports = (object, ...names) => Object.fromEntries(names.map((name) => [name, object[name].bind(object)]));
const unavailable = () => { throw { tag: 'unavailable', val: 'not offered here' }; };
const memory = await instantiate(
  async (path) => WebAssembly.compile(await readFile(join(directory, path))),
  {
    'twiceshy:host/store': ports(store, 'getMany', 'commit', 'commitLightly', 'find', 'count', 'optimize'),
    'twiceshy:host/archive': { keep: unavailable, fetch: unavailable, discard: unavailable },
    'twiceshy:host/embedder': { identity: unavailable, embed: unavailable },
    'twiceshy:host/model': { complete: unavailable },
    'twiceshy:host/clock': { now: () => 1704110400000n },
    'twiceshy:host/log': { write: () => {} },
  },
);

const call = (method, args = {}) => JSON.parse(memory.rpc.call(method, JSON.stringify(args)));
const step = {
  step: { before: '', action: '{"command": ["x"]}', observation: '{}' },
  feedback: {
    actionText: 'x',
    hardFailure: { reason: 'exit 1', evidence: 'error: no such gadget 42' },
    constraintFailure: [],
  },
};
const submitted = memory.runs.submit({ task: 'build', domain: 'cli', tags: [] }, [step], {});
assert.equal(submitted.reactions[0].failure.reason, 'exit 1');
assert.equal(call('events.find')[0].fingerprint, submitted.reactions[0].failure.fingerprint);

for (const outcome of ['accepted', 'rejected', 'rejected']) {
  call('decisions.record', { module: 'loader', hypothesis: `cache ${outcome}`, outcome, rationale: 'measured' });
}
// Lists of records of numbers cross as bytes: both ways must say the same.
const typed = memory.decisions.stats();
const flat = call('decisions.stats');
const plain = (value) => JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one)));
const kebab = (value) => {
  if (Array.isArray(value)) return value.map(kebab);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([name, one]) => [name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), kebab(one)]);
  return Object.fromEntries(members);
};
assert.deepEqual(kebab(plain(typed)), flat);
assert.throws(() => memory.rpc.call('no.such', '{}'), (error) => error.payload.tag === 'invalid-argument');
console.log(`jco: ${Object.keys(memory).length} interfaces, ${call('upkeep.status').events} event, ${flat.rejected} rejections`);
