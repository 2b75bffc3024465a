// The package in headless Chromium: the recorded suite of stores, the recorded session, and tabs that are closed in the
// middle of writing.
//
// usage: node browser.mjs PACKAGE STORE SESSION, with CHROMIUM (default /usr/bin/chromium), TABS (default 5), PLAYWRIGHT, the
// directory of playwright-core, and MEASURE for figures of speed; `MEASURE=only` leaves out the rest

import { strict as assert } from 'node:assert';
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { figure, shown as written } from './measure.mjs';

const [place, storePlace, recording] = process.argv.slice(2).map((one) => resolve(one));
const { chromium } = createRequire(import.meta.url)(process.env.PLAYWRIGHT ?? 'playwright-core');
const tabs = Number(process.env.TABS ?? 5);

const roots = {
  package: place,
  store: storePlace,
  runtimes: fileURLToPath(new URL('.', import.meta.url)),
  examples: fileURLToPath(new URL('../../examples', import.meta.url)),
};
const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const server = createServer((request, response) => {
  const [root, ...path] = new URL(request.url, 'http://x').pathname.slice(1).split('/');
  const file = join(roots[root] ?? '/nowhere', normalize(`/${path.join('/')}`));
  if (root === '') return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>test</title>');
  if (root === 'session') return createReadStream(recording).pipe(response);
  if (!existsSync(file)) return response.writeHead(404).end();
  // As a site serves the files of a version: a second visit has them.
  const kept = root === 'package' ? { 'cache-control': 'public, max-age=31536000, immutable' } : {};
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream', ...kept });
  return createReadStream(file).pipe(response);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const origin = `http://127.0.0.1:${server.address().port}`;

/** Whoever takes longer than this hangs, on whatever machine: milliseconds. */
const HANG = 300_000;
const profile = mkdtempSync(join(tmpdir(), 'twiceshy-chromium-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  timeout: HANG,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});
browser.setDefaultTimeout(HANG);
const page = async (path = '/') => {
  const one = await browser.newPage();
  one.on('pageerror', (error) => console.error(`browser: ${error}`));
  await one.goto(origin + path);
  return one;
};

try {
  if (process.env.MEASURE !== 'only') await shown();
  if (process.env.MEASURE) await measured();
} finally {
  await browser.close();
  server.close();
  rmSync(profile, { recursive: true, force: true });
}

/** The recordings, tabs that are closed, and the example. */
async function shown() {
  const replayed = await page();
  const stores = await replayed.evaluate(async () => {
    const { replayStore } = await import('/runtimes/replay.mjs');
    const { ByteMap } = await import('/package/src/bytes.js');
    const { instantiate } = await import('/store/store.js');
    const modules = new Map();
    const core = (name) => {
      if (!modules.has(name)) modules.set(name, WebAssembly.compileStreaming(fetch(`/store/${name}`)));
      return modules.get(name);
    };
    const unpacked = (await fetch('/runtimes/store.jsonl.gz')).body.pipeThrough(new DecompressionStream('gzip'));
    const lines = (await new Response(unpacked).text()).trim().split('\n');
    return replayStore(lines, async () => {
      const bytes = new ByteMap();
      const port = Object.fromEntries(['get', 'scan', 'commit'].map((name) => [name, (...given) => bytes[name](...given)]));
      return (await instantiate(core, { 'twiceshy:host/bytes': port })).store;
    });
  });
  console.log(`browser: the store component gave ${stores} recorded answers`);

  for (const options of [{}, { name: 'session' }, { name: 'session', storage: 'indexeddb' }]) {
    const count = await replayed.evaluate(async (given) => {
      const { replaySession } = await import('/runtimes/replay.mjs');
      const { open } = await import('/package/src/browser.js');
      const lines = (await (await fetch('/session')).text()).trim().split('\n');
      let now;
      const memory = await open({ ...given, clock: () => now });
      const calls = await replaySession(lines, (at, method, text) => {
        now = at;
        return memory.call(method, text);
      });
      await memory.close();
      return calls;
    }, options);
    console.log(`browser: the session gave ${count} recorded answers, kept ${options.name ? options.storage ?? 'in private files' : 'nowhere'}`);
  }
  await replayed.close();

  for (const storage of ['opfs', 'indexeddb']) await closed(storage);

  const example = await page('/examples/browser/index.html');
  await example.getByText('learned').first().waitFor();
  await example.close();
  console.log('browser: the example learned before our eyes');
}

/** How quickly the package loads in a page that is visited again, and answers. */
async function measured() {
  for (const options of [{}, { name: 'measured' }, { name: 'measured', storage: 'indexeddb' }]) {
    const loads = [];
    for (let visit = 0; visit < 12; visit += 1) {
      const one = await page();
      loads.push(await one.evaluate(async (given) => {
        const begun = performance.now();
        const { open } = await import('/package/src/browser.js');
        const memory = await open(given);
        const loaded = performance.now() - begun;
        await memory.close();
        return loaded;
      }, { ...options, name: options.name && 'visited' }));
      await one.close();
    }
    const [first, ...again] = loads;
    again.sort((a, b) => a - b);
    const one = await page();
    const figures = await one.evaluate(async (given) => {
      const { measure } = await import('/runtimes/measure.mjs');
      const { open } = await import('/package/src/browser.js');
      const memory = await open(given);
      const found = await measure(memory);
      await memory.close();
      return found;
    }, options);
    await one.close();
    const loading = `load ${first.toFixed(0)} ms, then ${again[5].toFixed(0)} ms in the middle of 11, ${again[0].toFixed(0)} ms at best`;
    const where = options.name ? options.storage ?? 'private files' : 'in memory';
    await figure(`browser observe ${where}`, figures.p50);
    await figure(`browser load ${where}`, again[5]);
    console.log(`browser: ${where}: ${loading}; ${written(figures)}`);
  }
}

/** A page with `reopened`, which asks again for a memory that a closed tab has not let go of: a busy machine takes its time. */
async function pageThatReopens() {
  const one = await page();
  await one.evaluate(async (longest) => {
    const { open, BusyError } = await import('/package/src/browser.js');
    const begun = performance.now();
    globalThis.reopened = async (options) => {
      for (;;) {
        try {
          return await open(options);
        } catch (error) {
          if (!(error instanceof BusyError) || performance.now() - begun > longest) throw error;
        }
      }
    };
  }, HANG);
  return one;
}

/** Tabs that are closed in the middle of writing: what was acknowledged is there, and the next one goes on. */
async function closed(storage) {
  let acknowledged = 0;
  let there = 0;
  for (let tab = 0; tab < tabs; tab += 1) {
    const one = await pageThatReopens();
    let first;
    const begun = new Promise((resolve) => (first = resolve));
    await one.exposeFunction('acknowledge', (count) => {
      acknowledged = count;
      first();
    });
    const writing = one.evaluate(async (where) => {
      const memory = await reopened({ name: 'closed', storage: where });
      let { decisions } = await memory.upkeep.status();
      globalThis.found = decisions;
      for (;;) {
        await memory.decisions.record({ module: 'loader', hypothesis: `cache number ${decisions}`, outcome: 'rejected', rationale: 'measured' });
        decisions += 1;
        acknowledge(decisions);
      }
    }, storage);
    writing.catch(() => {});
    const before = acknowledged;
    // What goes wrong before the first write is told, and not waited for.
    await Promise.race([begun, writing]);
    there = await one.evaluate(() => globalThis.found);
    assert.ok(there >= before, `${there} decisions are there, and ${before} were acknowledged`);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
    await one.close({ runBeforeUnload: false });
  }
  const last = await pageThatReopens();
  there = await last.evaluate(async (where) => {
    const memory = await reopened({ name: 'closed', storage: where });
    const { decisions } = await memory.upkeep.status();
    await memory.close();
    return decisions;
  }, storage);
  assert.ok(there >= acknowledged, `${there} decisions are there, and ${acknowledged} were acknowledged`);
  await last.close();
  console.log(`browser: ${tabs} tabs closed while they wrote to ${storage}, ${acknowledged} writes acknowledged, ${there} there`);
}
