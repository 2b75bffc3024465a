// Takes out of what jco made what nobody needs at run time: the names of functions in core modules, and the question at
// every step whether somebody wants to see it, which asks the environment. node tidy.mjs FILE...

import { readFileSync, writeFileSync } from 'node:fs';

const QUESTION = '_debugLog=(...e)=>{globalThis?.process?.env?.JCO_DEBUG&&console.debug(...e)}';

/** A number as the format has it, and where it ends. */
function number(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

function withoutNames(bytes) {
  const kept = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const [length, content] = number(bytes, at + 1);
    const end = content + length;
    if (bytes[at] !== 0) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

function withoutQuestion(text, file) {
  if (!text.includes(QUESTION)) throw new Error(`${file}: jco writes its debugging otherwise now; change QUESTION in tidy.mjs`);
  return text.replace(QUESTION, '_debugLog=()=>{}');
}

for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file);
  writeFileSync(file, file.endsWith('.wasm') ? withoutNames(bytes) : withoutQuestion(bytes.toString(), file));
}
