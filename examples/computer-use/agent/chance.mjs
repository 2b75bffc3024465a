// Chance: draws that are the same for the same seed.

export class Chance {
  #seed;

  constructor(seed) {
    this.#seed = String(seed);
  }

  // A number from 0 to 1 that belongs to a name.
  share(name) {
    let hash = 2166136261;
    for (const letter of `${this.#seed} ${name}`) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619);
    for (const shift of [16, 13, 16]) hash = Math.imul(hash ^ (hash >>> shift), 0x45d9f3b);
    return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  }

  // In an order that is drawn: the stronger the habit, the earlier, as a rule.
  ordered(names, strength = () => 1) {
    const drawn = (name) => -Math.log(Math.max(this.share(name), Number.MIN_VALUE)) / strength(name);
    return [...names].sort((one, other) => drawn(one) - drawn(other));
  }
}
