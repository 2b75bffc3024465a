// The remote client against a real service: node packages/npm/tests/remote.mjs PROGRAM [PACKAGE]
//
// PROGRAM is twiceshy, PACKAGE the directory of the package; without it, its sources.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const program = resolve(process.argv[2]);
const source = resolve(process.argv[3] ?? join(import.meta.dirname, '..'));
const remote = await import(pathToFileURL(join(source, 'src/remote.js')));
const { connect, BusyError, DeniedError, InvalidArgumentError, NotFoundError } = remote;

const place = mkdtempSync(join(tmpdir(), 'twiceshy-remote-'));
mkdirSync(join(place, 'project/.git'), { recursive: true });
const env = { ...process.env, TWICESHY_HOME: process.env.TWICESHY_HOME ?? join(place, 'home'), TWICESHY_MEMORY: join(place, 'project/.twiceshy') };
const run = (...words) => execFileSync(program, words, { cwd: join(place, 'project'), env, encoding: 'utf8' }).trim();
const name = `t${process.pid}`;
const token = run('serve', 'tokens', '--add', name, '--scope', 'write');
const reader = run('serve', 'tokens', '--add', `${name}-reader`, '--scope', 'read');
const service = spawn(program, ['serve', '--listen', '127.0.0.1:0'], { cwd: join(place, 'project'), env, stdio: ['ignore', 'ignore', 'pipe'] });
try {
  const address = await new Promise((found, failed) => {
    service.once('exit', (code) => failed(new Error(`the service ended with ${code}`)));
    createInterface({ input: service.stderr }).on('line', (line) => {
      const port = /127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (line.includes('serving') && port) found(`http://127.0.0.1:${port}`);
    });
  });

  const memory = await connect(address, { token });
  // The loop of an agent: a failure, what worked, and the same failure again.
  await memory.run('sort the numbers', async (first) => {
    await first.observe({ action: 'sort +n numbers.txt', error: 'sort: invalid option +n' });
    await first.observe({ action: 'sort -n numbers.txt' });
  });
  const again = await memory.run('sort the numbers once more', { holdOut: 0 });
  const reaction = await again.observe({ action: 'sort +n numbers.txt', error: 'sort: invalid option +n' });
  assert.match(JSON.stringify(reaction.hints), /sort -n/, 'what worked before is a hint');
  await again.finish({ outcome: 'success' });
  assert.equal((await memory.upkeep.status()).episodes, 2);

  // The service's adapter judges a command, and its feedback comes back as the package names it.
  const commands = await memory.run('look at a file');
  const judged = await commands.command({ command: ['cat', 'nothing'], exit: 1, stderr: 'cat: nothing: No such file or directory' });
  assert.ok(judged.failure, 'a command that failed is an event');
  const feedback = await memory.assess('cli', { task: 'look' }, { action: { command: ['false'] }, observation: { exit: 1, stdout: '', stderr: '', 'duration-ms': 1 } });
  assert.ok(feedback.hardFailure, JSON.stringify(feedback));
  await commands.finish({ outcome: 'failure' });

  // What was written through the service, the program reads where it is.
  assert.match(run('episodes', 'list'), /sort the numbers/);

  // Refusals are the classes of the contract.
  await assert.rejects(memory.lessons.get('les_nothing'), NotFoundError);
  await assert.rejects(memory.call('lessons.nothing'), (error) => error.kind === 'not-found' || error.kind === 'invalid-argument');
  await assert.rejects((await connect(address, { token: reader })).run('may not write'), DeniedError);
  await assert.rejects((await connect(address, { token: 'twiceshy_wrong' })).upkeep.status(), DeniedError);
  await assert.rejects(connect(address, {}), DeniedError);
  await assert.rejects(connect('http://memory.example', { token }), DeniedError);
  for (const wrong of ['notes', 'ftp://x', 'https://user:secret@host']) await assert.rejects(connect(wrong, { token }), InvalidArgumentError);
  const lost = await connect('http://127.0.0.1:9', { token });
  await assert.rejects(lost.upkeep.status(), (error) => error instanceof BusyError && /a write may have happened/.test(error.message) && !error.message.includes(token));

  // Texts of every kind cross unchanged.
  const text = 'WRONG: "a" \\ \u0001 🦀 ё → CORRECT: b';
  const lesson = await memory.lessons.propose({ ruleText: text });
  assert.match((await memory.lessons.get(lesson.id)).ruleText, /"a" \\ .*🦀 ё/u);

  await memory.close();
  await assert.rejects(memory.upkeep.status(), /closed/);
  console.log('remote: the loop, an adapter, refusals and texts through a real service');
} finally {
  service.kill('SIGTERM');
  rmSync(place, { recursive: true, force: true });
}
