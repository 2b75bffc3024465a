#!/usr/bin/env node
// Runs the program `twiceshy` of this platform, which is in a package of its own.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import process from 'node:process';

const name = `@twiceshy/${process.platform}-${process.arch}`;
const file = process.platform === 'win32' ? 'twiceshy.exe' : 'twiceshy';
let program;
try {
  program = createRequire(import.meta.url).resolve(`${name}/${file}`);
} catch {
  console.error(`twiceshy: there is no program for this platform (${name}); \`cargo install --path host\` in a clone builds it`);
  process.exit(1);
}
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: 'inherit' });
if (error) {
  console.error(`twiceshy: ${program}: ${error.message}`);
  process.exit(1);
}
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 1);
