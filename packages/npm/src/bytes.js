// Bytes under keys, in memory: the port that the memory component needs, and the base of those that last.

export class ByteMap {
  #values = new Map();
  #sorted = [];
  #fresh = [];

  /** The value of each key, `undefined` for what is not there. */
  get(keys) {
    return keys.map((key) => this.#values.get(key));
  }

  /** At most `limit` entries from `first` to before `end`, in the order of their keys. */
  scan(first, end, limit) {
    this.#sort();
    const found = [];
    for (let at = this.#position(first); at < this.#sorted.length && found.length < limit; at += 1) {
      const key = this.#sorted[at];
      if (key >= end) break;
      const value = this.#values.get(key);
      if (value !== undefined) found.push({ key, value });
    }
    return found;
  }

  /** Makes all changes. */
  commit(batch) {
    for (const { key, value } of batch) this.set(key, value);
  }

  /** Puts a value under a key, or takes it away. */
  set(key, value) {
    if (value === undefined) {
      this.#values.delete(key);
    } else {
      if (!this.#values.has(key)) this.#fresh.push(key);
      this.#values.set(key, value);
    }
  }

  /** All entries, in no order. */
  entries() {
    return this.#values.entries();
  }

  /** Keys are sorted when somebody scans, which is seldom: once for each kind of document. */
  #sort() {
    if (this.#fresh.length === 0) return;
    const fresh = [...new Set(this.#fresh)].sort();
    const merged = [];
    let next = 0;
    for (const key of this.#sorted) {
      while (next < fresh.length && fresh[next] < key) merged.push(fresh[next++]);
      if (fresh[next] === key) next += 1;
      if (this.#values.has(key)) merged.push(key);
    }
    while (next < fresh.length) merged.push(fresh[next++]);
    this.#sorted = merged;
    this.#fresh = [];
  }

  #position(first) {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle] < first) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
