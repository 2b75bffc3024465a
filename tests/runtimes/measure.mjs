// How long `runs.observe` takes in a memory that knows something: in Node and in browsers.

const NOUNS = ['orders', 'invoices', 'branches', 'buckets', 'volumes', 'tickets', 'pages', 'tables', 'queues', 'images'];
const FAULTS = [
  ['--page-size', '--limit', (noun) => `TypeError: list_${noun} got an unexpected keyword argument page-size`],
  ['--recursive', '-r', (noun) => `error: unrecognized flag --recursive while reading ${noun}`],
  ['--out', '--output', (noun) => `${noun}: ambiguous option --out (could be --output, --outline)`],
  ['--format yml', '--format yaml', (noun) => `ValueError: no serializer yml is registered for ${noun}`],
  ['--force', '--yes', (noun) => `fatal: refusing to replace ${noun}; confirmation is required`],
];

/** Fills a memory with 50 runs that failed and recovered, then times steps that fail, half of them in a way that is known. */
export async function measure(memory, steps = 400) {
  for (const noun of NOUNS) {
    for (const [wrong, right, error] of FAULTS) {
      await memory.run(`work on the ${noun}`, { domain: 'bench', holdOut: 0 }, async (run) => {
        await run.observe({ action: `${noun} get ${wrong} all`, error: error(noun) });
        await run.observe({ action: `${noun} get ${right} all`, progress: 1 });
      });
    }
  }
  const run = await memory.run('work on everything', { domain: 'bench', holdOut: 0 });
  const times = [];
  let hints = 0;
  for (let step = 0; step < steps; step += 1) {
    const noun = NOUNS[step % NOUNS.length];
    const [wrong, , error] = FAULTS[(step >> 1) % FAULTS.length];
    const failure = step % 2 ? error(noun) : `${noun} ${step}: the lease of the ${noun} expired after ${step} s`;
    const begun = performance.now();
    const reaction = await run.observe({ action: `${noun} get ${wrong} all`, error: failure });
    times.push(performance.now() - begun);
    hints += reaction.hints.length;
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)];
  return { p50: at(0.5), p90: at(0.9), least: times[0], hints };
}

/** Leaves a figure for `tests/runtimes/bars`, in the file that FIGURES names. */
export async function figure(what, value) {
  if (!globalThis.process?.env.FIGURES) return;
  const { appendFileSync } = await import('node:fs');
  appendFileSync(process.env.FIGURES, `${JSON.stringify({ what, value })}\n`);
}

export const shown = ({ p50, p90, least, hints }) =>
  `observe p50 ${p50.toFixed(2)} ms, p90 ${p90.toFixed(2)} ms, at best ${least.toFixed(2)} ms, ${hints} hints`;
