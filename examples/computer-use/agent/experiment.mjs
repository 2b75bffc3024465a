// The experiment: the same agent with a memory and without, in a workstation that comes in several variants.
//
//     node examples/computer-use/agent/experiment.mjs --seeds 5 --json report.json
//
// For each seed: rounds of all tasks in the variants `aurora` and `harbour`, on one memory that is empty at first; then
// one round in each of `meridian` and `quarry`, which that memory has never seen. The agent has the same draws in both arms.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { Browser } from './browser.mjs';
import { Chance } from './chance.mjs';
import { Memory } from './memory.mjs';
import { summary, table } from './report.mjs';
import { Run } from './run.mjs';
import { TASKS } from './tasks.mjs';

const KNOWN = ['aurora', 'harbour'];
const NEW = ['meridian', 'quarry'];

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '4' },
    'hold-out': { type: 'string' },
    json: { type: 'string' },
    trace: { type: 'boolean', default: false },
    twiceshy: { type: 'string', default: process.env.TWICESHY ?? fileURLToPath(new URL('../../../target/debug/twiceshy', import.meta.url)) },
  },
});

function plan(rounds) {
  const round = (phase, variant) => TASKS.map((task, at) => ({ phase, task, variant: variant(at) }));
  const known = Array.from({ length: rounds }, (_, number) => round(`round ${number + 1}`, (at) => KNOWN[(number + at) % KNOWN.length]));
  return [...known.flat(), ...NEW.flatMap((variant) => round(`new: ${variant}`, () => variant))];
}

async function performed(browser, seed, remembers) {
  const directory = mkdtempSync(join(tmpdir(), 'twiceshy-memory-'));
  const service = new Memory(options.twiceshy, directory);
  const holdOut = options['hold-out'] && Number(options['hold-out']);
  const runs = [];
  for (const [at, { phase, task, variant }] of plan(Number(options.rounds)).entries()) {
    const page = pathToFileURL(fileURLToPath(new URL('../studio/index.html', import.meta.url)));
    page.searchParams.set('variant', variant);
    const run = new Run(service, remembers, task, `seed-${seed}-run-${at + 1}`, holdOut);
    const told = await run.perform(browser, page.href, new Chance(`${seed} ${at}`));
    runs.push({ seed, run: at + 1, phase, variant, task: TASKS.indexOf(task) + 1, memory: remembers, ...told });
  }
  await service.close();
  if (!process.env.KEEP) rmSync(directory, { recursive: true, force: true }); else console.log(directory, remembers);
  return runs;
}

const browser = await Browser.launch();
try {
  const runs = [];
  for (let seed = 1; seed <= Number(options.seeds); seed += 1) {
    for (const remembers of [false, true]) runs.push(...(await performed(browser, seed, remembers)));
  }
  const report = { summary: summary(runs), runs: runs.map(({ trace, ...run }) => (options.trace ? { ...run, trace } : run)) };
  if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 1)}\n`);
  console.log(table(report.summary));
} finally {
  await browser.close();
}
