// The memory: a `twiceshy call --lines` process. One request a line, one answer a line.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class Memory {
  #process;
  #waiting = [];

  constructor(program, directory) {
    this.#process = spawn(program, ['call', '--lines', '--memory', directory], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.#process.stdout }).on('line', (line) => {
      const { resolve, reject, method } = this.#waiting.shift();
      const { ok, error } = JSON.parse(line);
      error ? reject(new Error(`${method}: ${error.message ?? JSON.stringify(error)}`)) : resolve(ok);
    });
    const gone = (cause) => this.#waiting.splice(0).forEach(({ reject }) => reject(new Error(`${program}: ${cause}`)));
    this.#process.on('error', (error) => gone(error.message));
    this.#process.on('exit', (code) => gone(`it ended with ${code}`));
  }

  call(method, args = {}) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject, method });
      this.#process.stdin.write(`${JSON.stringify({ method, args })}\n`);
    });
  }

  async close() {
    const ended = new Promise((done) => this.#process.once('exit', done));
    this.#process.stdin.end();
    await ended;
  }
}
