/** The memory behind a service, `twiceshy serve`. */

import type { Memory } from './index.js';

export * from './index.js';

export interface ConnectOptions {
  /** What `twiceshy serve tokens --add` printed. It is sent to this machine, or over https. */
  token: string;
  /** How long an answer is waited for, in milliseconds. Default: 120,000. */
  timeoutMs?: number;
  /** What asks. Default: the `fetch` of the runtime. */
  fetch?: typeof globalThis.fetch;
}

/** Connects to the memory at an address, such as `https://memory.example:8809`. Nothing is asked before the first call. */
export function connect(address: string | URL, options: ConnectOptions): Promise<Memory>;
