// Takes the names of functions out of core modules, which nobody needs at run time: node strip.mjs FILE...

import { readFileSync, writeFileSync } from 'node:fs';

/** A number as the format has it, and where it ends. */
function number(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file);
  const kept = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const [length, content] = number(bytes, at + 1);
    const end = content + length;
    if (bytes[at] !== 0) kept.push(bytes.subarray(at, end));
    at = end;
  }
  writeFileSync(file, Buffer.concat(kept));
}
