// Replays recorded requests and holds the answers against the recorded ones: in Node and in browsers.

/** Values of the contract in JSON, as the bindings of jco have them: variants with a tag, vectors as typed arrays. */
const variant = (value, payload = (one) => one) => {
  if (typeof value === 'string') return { tag: value };
  const [[tag, val]] = Object.entries(value);
  return { tag, val: payload(val, tag) };
};
const number = (value) => (value === null ? NaN : value);
const attributeValue = (value) => variant(value, (val, tag) => (tag === 'number' ? number(val) : val));
const condition = ({ attribute, test }) => ({
  attribute,
  test: variant(test, (val, tag) => (tag === 'any-of' ? val.map(attributeValue) : attributeValue(val))),
});
const vector = (values) => Float32Array.from(values, number);
const change = (value) =>
  variant(value, (val, tag) => {
    const precondition = variant(val.precondition);
    if (tag === 'remove') return { ...val, precondition };
    const { attributes, vector: components, ...document } = val.document;
    const valued = attributes.map(({ name, value: one }) => ({ name, value: attributeValue(one) }));
    return { document: { ...document, attributes: valued, vector: vector(components) }, precondition };
  });
const order = (value) => variant(value, (val, tag) => (tag === 'by-nearest' ? vector(val) : val));

/** One request to the bindings of a store. */
function asked(store, call, given) {
  switch (call) {
    case 'get-many': return store.getMany(given.keys);
    case 'commit': return store.commit(given.batch.map(change)) ?? null;
    case 'commit-lightly': return store.commitLightly(given.batch.map(change)) ?? null;
    case 'find': {
      const { conditions, order: wanted, ...query } = given.query;
      return store.find({ ...query, conditions: conditions.map(condition), order: order(wanted) });
    }
    case 'count': return store.count(given.kind, given.conditions.map(condition));
    case 'optimize': return store.optimize() ?? null;
    default: throw new Error(`there is no call ${call}`);
  }
}

/** Members in one order, so that texts can be compared. */
const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]));
};
const text = (value) => JSON.stringify(sorted(value));

function compare(number_, line, answer) {
  const expected = 'error' in line ? { error: line.error } : { ok: line.ok };
  if (text(answer) !== text(expected)) {
    const shown = (value) => text(value).slice(0, 2000);
    throw new Error(`line ${number_ + 1}, ${line.call ?? line.method}: ${shown(answer)} is not ${shown(expected)}`);
  }
}

/** Replays the suite of stores. `make` gives the bindings of an empty store. Says how many requests there were. */
export async function replayStore(lines, make) {
  let store;
  let count = 0;
  for (const [index, each] of lines.entries()) {
    const line = JSON.parse(each);
    if ('case' in line) {
      store = await make();
      continue;
    }
    let answer;
    try {
      answer = { ok: asked(store, line.call, line.arguments) };
    } catch (error) {
      if (!error.payload?.tag) throw error;
      answer = { error: error.payload.tag };
    }
    compare(index, line, answer);
    count += 1;
  }
  return count;
}

/** Replays the session. `call` takes a time, a method and arguments, and gives a promise. Says how many calls there were. */
export async function replaySession(lines, call) {
  for (const [index, each] of lines.entries()) {
    const line = JSON.parse(each);
    let answer;
    try {
      answer = { ok: await call(line.at, line.method, line.arguments) };
    } catch (error) {
      if (!error.kind) throw error;
      answer = { error: error.kind };
    }
    compare(index, line, answer);
  }
  return lines.length;
}
