// Values as JavaScript names them, and as the contract does: members in camel case, JSON values as they are, bytes.
//
// The table says of each type what is in it: `s` is passed as it is, `j` is a JSON value, `y` bytes, `[` a list, `?` an
// option, `@` a record and `#` a variant, each followed by what it holds.

import { InvalidArgumentError } from './errors.js';
import { functions, records, variants } from './contract/table.js';

const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

const asItIs = { to: (value) => value, from: (value) => value };

const json = {
  to: (value) => JSON.stringify(value) ?? '',
  from: (text) => {
    if (text === '') return undefined;
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  },
};

const bytes = { to: (value) => Array.from(value), from: (value) => Uint8Array.from(value) };

function list(item) {
  return {
    to: (value, place) => Array.from(value, (one, index) => item.to(one, `${place}[${index}]`)),
    from: item === asItIs ? (value) => value : (value) => value.map(item.from),
  };
}

/** Members of a record, or cases of a variant, each by its name in JavaScript. */
function members(types, isVariant) {
  const byName = new Map();
  for (const [name, type] of Object.entries(types)) byName.set(camel(name), { name, type: converter(type) });
  const byWireName = new Map([...byName].map(([name, { name: wire, type }]) => [wire, { name, type }]));
  return {
    to(value, place) {
      if (isVariant && typeof value === 'string') return value;
      if (value === null || typeof value !== 'object') {
        throw new InvalidArgumentError(`${place}: must be an object, and is ${JSON.stringify(value)}`, 'invalid-argument');
      }
      const out = {};
      for (const [name, one] of Object.entries(value)) {
        if (one === undefined || one === null) continue;
        const member = byName.get(name);
        if (!member) {
          const known = [...byName.keys()].join(', ');
          throw new InvalidArgumentError(`${place}: there is no member \`${name}\`; there are ${known}`, 'invalid-argument');
        }
        out[member.name] = member.type.to(one, `${place}.${name}`);
      }
      return out;
    },
    from(value) {
      if (typeof value === 'string') return value;
      const out = {};
      for (const [wire, one] of Object.entries(value)) {
        const member = byWireName.get(wire);
        if (one === null || member === undefined) continue;
        const read = member.type.from(one);
        if (read !== undefined) out[member.name] = read;
      }
      return out;
    },
  };
}

const made = new Map();

/** How values of a type are converted. Made once, and only for what is used. */
export function converter(type) {
  const known = made.get(type);
  if (known) return known;
  // A record may hold itself: it is there before its members are.
  const later = { to: (value, place) => made.get(type).to(value, place), from: (value) => made.get(type).from(value) };
  made.set(type, later);
  const rest = type.slice(1);
  const one = {
    s: () => asItIs,
    j: () => json,
    y: () => bytes,
    '[': () => list(converter(rest)),
    '?': () => ({ to: (value, place) => converter(rest).to(value, place), from: (value) => converter(rest).from(value) }),
    '@': () => members(records[rest], false),
    '#': () => members(variants[rest], true),
  }[type[0]]();
  made.set(type, one);
  return one;
}

/**
 * The functions of all interfaces, each with positional arguments, over one that takes a method, a JSON text of its
 * arguments and gives a promise of a JSON text.
 */
export function interfaces(call) {
  const all = {};
  for (const [interfaceName, its] of Object.entries(functions)) {
    const one = {};
    for (const [name, [parameters, result]] of Object.entries(its)) {
      const method = `${interfaceName}.${name}`;
      const names = Object.entries(parameters);
      one[camel(name)] = async (...given) => {
        const wire = {};
        names.forEach(([parameter, type], index) => {
          const value = given[index];
          if (value !== undefined && value !== null) wire[parameter] = converter(type).to(value, camel(parameter));
        });
        const answer = JSON.parse(await call(method, JSON.stringify(wire)));
        return answer === null ? undefined : converter(result).from(answer);
      };
    }
    all[camel(interfaceName)] = Object.freeze(one);
  }
  return all;
}
