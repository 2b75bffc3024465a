// Judges requests to a JSON API, one at a time: what was asked, what came back, and how far the agent is.

import { feedback } from './twiceshy-adapter.js';
import * as schemas from './schemas.js';

export const api = {
  name: '{{name}}',
  version: '0.1.0',
  domain: '{{domain}}',
  summary: 'Judges requests to a JSON API by their answers, and by what they brought.',
  schemas,

  assess(seen) {
    const failure = hardFailure(seen.observation);
    // What a failed request did not bring is said by the failure.
    if (failure) return feedback(text(seen.action), { hardFailure: failure });
    return feedback(text(seen.action), {
      constraintFailure: constraintFailure(seen),
      progressSignal: progressSignal(seen),
      efficiencySignal: efficiencySignal(seen),
    });
  },
};

/** What failed outright: no answer, or a status that says so. The API's own words are the evidence. */
function hardFailure({ status, body, error }) {
  if (status === undefined) return { reason: 'no answer', evidence: error ?? '' };
  if (status < 400) return undefined;
  const words = body?.error ?? body?.message ?? body ?? '';
  return { reason: `status ${status}`, evidence: typeof words === 'string' ? words : JSON.stringify(words) };
}

/** What must hold and does not: the members of the answer, and that nothing is fetched twice. */
function constraintFailure({ expectations, action, observation, past }) {
  const has = new Set(isObject(observation.body) ? Object.keys(observation.body) : []);
  const missing = (expectations.members ?? []).filter((member) => !has.has(member));
  // Feedback has room for no more, and there may be very many.
  const violations = missing.slice(0, 64).map((member) => ({
    condition: `the answer has the member ${member}`,
    evidence: `it has ${[...has].join(', ') || 'none'}`,
  }));
  const again = past.some((earlier) => text(earlier.action) === text(action) && !earlier.feedback.hardFailure);
  if (action.method === 'GET' && again) {
    violations.push({ condition: 'nothing is fetched twice', evidence: `${text(action)} was answered before` });
  }
  return violations;
}

/** The share of the wanted items that this request brought. */
function progressSignal({ expectations, before, action, observation }) {
  if (action.method !== 'GET' || !expectations.items || observation.items === undefined) return undefined;
  const brought = observation.items - (before?.items ?? 0);
  return Math.max(-1, Math.min(1, brought / expectations.items));
}

/** How the items so far compare with what the requests so far should have brought. */
function efficiencySignal({ expectations, observation }) {
  if (!expectations.items || !expectations.requests || !observation.requests) return undefined;
  const due = (expectations.items * observation.requests) / expectations.requests;
  return Math.min(1, (observation.items ?? 0) / due);
}

const text = ({ method, path }) => `${method} ${path}`.replace(/\s+/g, ' ').slice(0, 500);

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
