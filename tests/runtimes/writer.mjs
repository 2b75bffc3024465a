// Writes decisions until it is killed, and says after each how many there are: node writer.mjs PACKAGE DIRECTORY

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [place, directory] = process.argv.slice(2);
const { open } = await import(pathToFileURL(join(place, 'src/node.js')));
const memory = await open({ directory });
let { decisions } = await memory.upkeep.status();
for (;;) {
  await memory.decisions.record({ module: 'loader', hypothesis: `cache number ${decisions}`, outcome: 'rejected', rationale: 'measured' });
  decisions += 1;
  process.stdout.write(`${decisions}\n`);
}
