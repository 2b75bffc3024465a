// The package in Node: the recorded suite of stores, the recorded session, a memory that lasts, and what is refused.
//
// usage: node node.mjs PACKAGE STORE SESSION, where STORE is what jco made of the store component, and SESSION the recording

import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { replaySession, replayStore } from './replay.mjs';

const [place, storePlace, recording] = process.argv.slice(2).map((one) => resolve(one));
const module = (...path) => import(pathToFileURL(join(...path)));
const lines = (name) => gunzipSync(readFileSync(new URL(name, import.meta.url))).toString().trim().split('\n');
const { open, BusyError, InvalidArgumentError, NotFoundError } = await module(place, 'src/node.js');
const { ByteMap } = await module(place, 'src/bytes.js');

const { instantiate } = await module(storePlace, 'store.js');
const modules = new Map();
const core = (name) => {
  if (!modules.has(name)) modules.set(name, WebAssembly.compile(readFileSync(join(storePlace, name))));
  return modules.get(name);
};
const makeStore = async () => {
  const bytes = new ByteMap();
  const port = Object.fromEntries(['get', 'scan', 'commit'].map((name) => [name, (...given) => bytes[name](...given)]));
  return (await instantiate(core, { 'twiceshy:host/bytes': port })).store;
};
console.log(`node: the store component gave ${await replayStore(lines('store.jsonl.gz'), makeStore)} recorded answers`);

const directory = mkdtempSync(join(tmpdir(), 'twiceshy-'));
try {
  const session = readFileSync(recording, 'utf8').trim().split('\n');
  for (const options of [{}, { directory: join(directory, 'session') }]) {
    let now;
    const memory = await open({ ...options, clock: () => now });
    const count = await replaySession(session, (at, method, given) => {
      now = at;
      return memory.call(method, given);
    });
    await memory.close();
    console.log(`node: the session gave ${count} recorded answers ${options.directory ? 'in a directory' : 'in memory'}`);
  }

  const memory = await open({ directory: join(directory, 'kept') });
  await assert.rejects(open({ directory: join(directory, 'kept') }), BusyError);
  await assert.rejects(memory.lessons.get('les_none'), NotFoundError);
  await assert.rejects(memory.runs.start({ task: 'a', domain: 'cli', tsk: 'b' }), InvalidArgumentError);
  const failed = { command: ['wc', '-l', 'rows.csv'], exit: 1, stderr: 'wc: rows.csv: No such file or directory' };
  const first = await memory.run('count the rows', async (run) => {
    const reaction = await run.command(failed);
    assert.equal(reaction.failure.reason, 'exit 1');
    await run.command({ command: ['wc', '-l', 'data/rows.csv'], exit: 0, stdout: '12 data/rows.csv\n' });
    return reaction;
  });
  assert.equal(first.hints.length, 0);
  await memory.close();
  await assert.rejects(memory.upkeep.status());

  const again = await open({ directory: join(directory, 'kept') });
  const [event] = await again.events.find({});
  assert.equal(event.fingerprint, first.failure.fingerprint);
  const run = await again.run('count the rows again', { holdOut: 0 });
  const reaction = await run.command(failed);
  assert.match(reaction.text, /data\/rows\.csv/);
  assert.equal((await again.lessons.find({})).length, 1);
  await again.close();
  console.log(`node: learned in one process and said in the next: ${reaction.hints[0].text}`);

  await killed(Number(process.env.KILLS ?? 10));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Processes that are killed in the middle of writing: what was acknowledged is there, and the next one goes on. */
async function killed(times) {
  const path = join(directory, 'killed');
  const writer = new URL('writer.mjs', import.meta.url).pathname;
  let acknowledged = 0;
  for (let time = 0; time < times; time += 1) {
    const child = spawn(process.execPath, [writer, place, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (data) => (said += data));
    let isOver = false;
    const ended = new Promise((resolve) => child.on('close', resolve)).then(() => (isOver = true));
    while (!said.includes('\n') && !isOver) await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5))]);
    assert.ok(said.includes('\n'), 'the writer ended without a word');
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 100));
    child.kill('SIGKILL');
    await ended;
    acknowledged = Number(said.trim().split('\n').filter((line) => said.includes(`${line}\n`)).at(-1));
  }
  const memory = await open({ directory: path });
  const { decisions } = await memory.upkeep.status();
  await memory.close();
  assert.ok(acknowledged >= times && decisions >= acknowledged, `${decisions} decisions, ${acknowledged} acknowledged`);
  console.log(`node: killed ${times} times, ${acknowledged} writes acknowledged, ${decisions} there`);
}
