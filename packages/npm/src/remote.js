// The memory behind a service: every call is one request to `twiceshy serve`.
//
// Nothing is asked twice: a write whose answer was lost may have happened, and the error says so. The token goes to this
// machine or over https, and nowhere else.

import { BusyError, DeniedError, errorOf, InvalidArgumentError, TwiceshyError } from './errors.js';
import { Memory } from './memory.js';
import { converter } from './wire.js';

export * from './errors.js';
export { Memory, Run } from './memory.js';

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The address of a service, without what would be in the way of a path. */
function checked(address) {
  const wrong = () =>
    new InvalidArgumentError(`\`${address}\` is not the address of a service; write it as https://HOST:PORT`, 'invalid-argument');
  let url;
  try {
    url = new URL(address);
  } catch {
    throw wrong();
  }
  if (!['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.search || url.hash) throw wrong();
  if (url.protocol === 'http:' && !LOCAL.has(url.hostname)) {
    throw new DeniedError(`${url.origin} would get the token unencrypted; use https://, or a tunnel to this machine`, 'denied');
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/**
 * Connects to the memory at an address, such as `https://memory.example:8809`. `token` is what `twiceshy serve tokens`
 * printed. `timeoutMs` is how long an answer is waited for.
 */
export async function connect(address, { token, timeoutMs = 120_000, fetch = globalThis.fetch } = {}) {
  const base = checked(String(address));
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw new DeniedError('there is no token for the service; pass `token`, which `twiceshy serve tokens --add` prints', 'denied');
  }
  const call = async (method, text) => {
    let response;
    let body;
    try {
      response = await fetch(`${base}/v1/call/${encodeURIComponent(method)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: text,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      body = await response.text();
    } catch (error) {
      const why = String(error?.cause?.message ?? error?.message ?? error).replaceAll(token, '…');
      throw new BusyError(
        `${base} can't be reached, or its answer was lost (${why}); a write may have happened; try again later`,
        'busy',
      );
    }
    if (response.ok) return body;
    let said;
    try {
      said = JSON.parse(body).error;
    } catch {
      // Not a service of ours.
    }
    if (typeof said?.message !== 'string') {
      throw new TwiceshyError(`${base} did not answer as a twiceshy service does (${response.status}); check the address`);
    }
    throw errorOf(said.kind, said.message);
  };
  const feedback = converter('@feedback');
  const assess = (adapter) => async (goal, recent, step) => {
    const past = recent.map((one) => ({ step: one.step, feedback: feedback.to(one.feedback, 'feedback') }));
    return feedback.from(JSON.parse(await call('adapters.assess', JSON.stringify({ adapter, goal, recent: past, step }))));
  };
  return new Memory({ call, close: () => {}, loadAdapter: async (adapter) => ({ assess: assess(adapter) }) });
}
