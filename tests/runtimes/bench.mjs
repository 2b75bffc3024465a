// How quickly the package loads and answers, and how large it is: node bench.mjs PACKAGE

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { figure, measure, shown } from './measure.mjs';

const place = resolve(process.argv[2]);
const entry = pathToFileURL(join(place, 'src/node.js')).href;

const files = (directory) => readdirSync(directory, { recursive: true }).map((name) => join(directory, name)).filter((name) => statSync(name).isFile());
const sum = (names, size) => names.map((name) => size(readFileSync(name))).reduce((a, b) => a + b, 0);
const every = [...files(join(place, 'src')), ...files(join(place, 'component'))].filter((name) => /\.(js|wasm)$/.test(name));
const memoryAlone = every.filter((name) => !/component\/(cli|navigation|computer-use)\./.test(name));
for (const [what, names] of [['the memory', memoryAlone], ['with the adapters', every]]) {
  const [plain, gzip, brotli] = [(one) => one.length, (one) => gzipSync(one, { level: 9 }).length, (one) => brotliCompressSync(one).length];
  await figure(`size of ${what}`, sum(names, gzip) / 1e6);
  console.log(`${what}: ${sum(names, plain)} bytes, gzip ${sum(names, gzip)}, brotli ${sum(names, brotli)}`);
}

const script = `const begun = performance.now(); const { open } = await import('${entry}'); await open(); console.log(performance.now() - begun);`;
const loads = Array.from({ length: 11 }, () => Number(spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout));
loads.sort((a, b) => a - b);
await figure('node load', loads[5]);
console.log(`load in a new process: ${loads[0].toFixed(0)} ms at best, ${loads[5].toFixed(0)} ms in the middle of 11`);

const { open } = await import(entry);
const directory = mkdtempSync(join(tmpdir(), 'twiceshy-bench-'));
try {
  for (const options of [{}, { directory }]) {
    const memory = await open(options);
    const cpu = process.cpuUsage();
    const figures = await measure(memory);
    const { user, system } = process.cpuUsage(cpu);
    await figure(`node observe ${options.directory ? 'in a directory' : 'in memory'}`, figures.p50);
    console.log(`${options.directory ? 'in a directory' : 'in memory'}: ${shown(figures)}; ${((user + system) / 1000 / 650).toFixed(2)} ms of processor a call in all`);
    await memory.close();
  }
  const begun = performance.now();
  const memory = await open({ directory });
  await memory.upkeep.status();
  console.log(`opened again: ${(performance.now() - begun).toFixed(0)} ms with a first answer`);
  await memory.close();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
