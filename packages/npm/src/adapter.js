// A bundled adapter, which judges steps: a component of its own, loaded when it is first asked.

import { errorOf } from './errors.js';

/** Starts an adapter. `core` gives the compiled core modules by name. */
export async function startAdapter({ instantiate }, core) {
  const component = await instantiate(core, { 'twiceshy:adapter/diagnostics': { report: () => {} } });
  return {
    assess(goal, recent, step) {
      try {
        return component.assess.assess(goal, recent, step);
      } catch (error) {
        if (!error?.payload?.tag) throw error;
        const { tag, val } = error.payload;
        throw errorOf(tag === 'invalid-input' ? 'invalid-argument' : tag, val);
      }
    },
  };
}
