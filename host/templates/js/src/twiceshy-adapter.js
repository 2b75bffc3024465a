// What an adapter is built with: payloads that are read by their schemas, and the interface that a component exports.
//
// A copy of this file belongs to every adapter in JavaScript; there is nothing to install for it.

/**
 * A payload has at most this many characters. The contract allows 4 MiB, but an interpreter in a sandbox needs more than
 * its second for that.
 */
const PAYLOAD_LENGTH = 1 << 18;

/** A payload is nested at most this deep: a parser that runs out of stack ends the component. */
const DEPTH = 128;

/** A payload is not what its schema says. The message names the member and the cause. */
export class InvalidInput extends Error {}

/** The step is well-formed but not of a kind that this adapter can judge. */
export class Unsupported extends Error {}

/**
 * The interface `assess` that the component of an adapter exports. The last words of a mistake are reported.
 *
 * An adapter says what it is, has three schemas, and `assess(seen)`, a pure function. `seen` has `task`,
 * `expectations`, `before` (undefined where it is not known), `action`, `observation`, and `past`: the earlier
 * steps, oldest first, each with its `feedback`.
 */
export function component(adapter, report = console.error) {
  const { name, version, domain, summary } = adapter;
  const { action, observation, expectations } = adapter.schemas;

  const read = (step) => ({
    before: step.before.trim() ? payload('before', observation, step.before) : undefined,
    action: payload('action', action, step.action),
    observation: payload('observation', observation, step.observation),
  });

  const describe = () => ({
    name,
    version,
    domain,
    summary,
    actionSchema: JSON.stringify(action),
    observationSchema: JSON.stringify(observation),
    expectationsSchema: JSON.stringify(expectations),
  });

  const assess = (goal, recent, step) => {
    try {
      if (goal.domain !== domain) {
        throw new Unsupported(`this adapter judges steps of the domain ${domain}, not of ${JSON.stringify(goal.domain)}`);
      }
      return bounded(adapter.assess({
        task: goal.task,
        expectations: goal.expectations.trim() ? payload('expectations', expectations, goal.expectations) : {},
        ...read(step),
        past: recent.flatMap((past) => readable(() => ({ ...read(past.step), feedback: past.feedback }))),
      }));
    } catch (error) {
      if (error instanceof InvalidInput) throw { tag: 'invalid-input', val: cut(error.message, 4 << 10) };
      if (error instanceof Unsupported) throw { tag: 'unsupported', val: cut(error.message, 4 << 10) };
      report(`${error}\n${error?.stack ?? ''}`);
      throw error;
    }
  };

  return { describe, assess };
}

/** Feedback with what is left unsaid: nothing failed, and no signal is given. */
export function feedback(actionText, { hardFailure, constraintFailure = [], progressSignal, efficiencySignal } = {}) {
  return { actionText, hardFailure, constraintFailure, progressSignal, efficiencySignal };
}

/** A text of at most so many bytes of UTF-8, of which a unit of UTF-16 is at most three. */
const cut = (text, bytes) => text.slice(0, bytes / 3).toWellFormed();

/** Feedback with its texts as the contract allows: not too long, and an action in one line. */
function bounded({ actionText, hardFailure, constraintFailure, ...signals }) {
  return {
    actionText: cut(actionText.replace(/\p{Cc}/gu, ' '), 4 << 10),
    hardFailure: hardFailure && {
      reason: cut(hardFailure.reason, 1 << 10),
      evidence: cut(hardFailure.evidence, 1 << 20),
    },
    constraintFailure: constraintFailure.slice(0, 64).map(({ condition, evidence }) => ({
      condition: cut(condition, 4 << 10),
      evidence: cut(evidence, 16 << 10),
    })),
    ...signals,
  };
}

/** Reads a payload by its name, such as `observation`. */
export function payload(name, schema, text) {
  if (text.length > PAYLOAD_LENGTH) throw new InvalidInput(`${name}: it is longer than ${PAYLOAD_LENGTH} characters`);
  if (isDeep(text)) throw new InvalidInput(`${name}: it is nested deeper than ${DEPTH} levels`);
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidInput(`${name}: it is not JSON: ${error.message}`);
  }
  check(name, schema, value);
  return value;
}

/** Refuses a value that does not fit its schema. Knows the keywords that the schemas of an adapter need. */
function check(path, schema, value) {
  const { type, required = [], properties = {}, additionalProperties, items, minimum, maximum } = schema;
  const { enum: values } = schema;
  const types = [type ?? []].flat();
  if (types.length && !types.some((one) => TYPES[one](value))) {
    throw new InvalidInput(`${path}: it is not of the type ${types.join(' or ')}`);
  }
  if (values && !values.includes(value)) throw new InvalidInput(`${path}: it is none of ${values.join(', ')}`);
  if (TYPES.number(value) && value < minimum) throw new InvalidInput(`${path}: it is less than ${minimum}`);
  if (TYPES.number(value) && value > maximum) throw new InvalidInput(`${path}: it is more than ${maximum}`);
  if (TYPES.array(value) && items) value.forEach((item, place) => check(`${path}[${place}]`, items, item));
  if (!TYPES.object(value)) return;
  for (const member of required) {
    if (!Object.hasOwn(value, member)) throw new InvalidInput(`${path}: the member ${member} is missing`);
  }
  for (const [member, content] of Object.entries(value)) {
    if (Object.hasOwn(properties, member)) check(`${path}.${member}`, properties[member], content);
    else if (additionalProperties === false) throw new InvalidInput(`${path}: there is no member ${member}`);
  }
}

const TYPES = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  null: (value) => value === null,
  number: Number.isFinite,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  string: (value) => typeof value === 'string',
};

function isDeep(text) {
  let level = 0;
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place];
    if (character === '"') place = endOfString(text, place);
    else if (character === '{' || character === '[') level += 1;
    else if (character === '}' || character === ']') level -= 1;
    if (level > DEPTH) return true;
  }
  return false;
}

function endOfString(text, start) {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/** An earlier step may have been shortened or masked since: one that can't be read any more is passed over. */
function readable(read) {
  try {
    return [read()];
  } catch {
    return [];
  }
}
