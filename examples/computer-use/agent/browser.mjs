// The browser: headless Chromium behind a pipe, by its DevTools protocol.
//
// Owns the process and one page at a time. What is on the page is read in screen.mjs, what is done to it in hands.mjs.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-dev-shm-usage',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--remote-debugging-pipe'];

export const SIGHT = { width: 1100, height: 720 };

export class Browser {
  #process;
  #profile = mkdtempSync(join(tmpdir(), 'twiceshy-browser-'));
  #waiting = new Map();
  #received = '';
  #last = 0;
  #session;
  #context;

  static async launch(program = process.env.CHROMIUM ?? '/usr/bin/chromium') {
    const browser = new Browser();
    browser.#start(program);
    await browser.send('Browser.getVersion', {}, null);
    return browser;
  }

  #start(program) {
    this.#process = spawn(program, [...FLAGS, `--user-data-dir=${this.#profile}`], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    const gone = (cause) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`${program}: ${cause}`));
      this.#waiting.clear();
    };
    this.#process.on('error', (error) => gone(error.message));
    this.#process.on('exit', (code) => gone(`it ended with ${code}`));
    this.#process.stdio[4].setEncoding('utf8').on('data', (data) => this.#receive(data));
  }

  #receive(data) {
    const messages = (this.#received + data).split('\0');
    this.#received = messages.pop();
    for (const { id, result, error } of messages.map((message) => JSON.parse(message))) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiting?.reject(new Error(error.message));
      else waiting?.resolve(result);
    }
  }

  // Asks the page, or with `null` the browser itself.
  send(method, params = {}, session = this.#session) {
    const id = ++this.#last;
    const message = JSON.stringify({ id, method, params, ...(session && { sessionId: session }) });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process.stdio[3].write(`${message}\0`);
    });
  }

  // Opens an address in a page that knows nothing of the one before.
  async open(address) {
    if (this.#context) await this.send('Target.disposeBrowserContext', { browserContextId: this.#context }, null);
    this.#context = (await this.send('Target.createBrowserContext', {}, null)).browserContextId;
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank', browserContextId: this.#context }, null);
    this.#session = (await this.send('Target.attachToTarget', { targetId, flatten: true }, null)).sessionId;
    await this.send('DOM.enable');
    await this.send('Accessibility.enable');
    await this.send('Emulation.setDeviceMetricsOverride', { ...SIGHT, deviceScaleFactor: 1, mobile: false });
    await this.send('Page.navigate', { url: address });
    await this.evaluate('new Promise((done) => document.readyState === "complete" ? done() : addEventListener("load", () => done()))');
  }

  async evaluate(expression) {
    const { result } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    return result.value;
  }

  // Waits until what was done is on the screen.
  settle() {
    return this.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))');
  }

  async close() {
    const ended = new Promise((done) => this.#process.once('exit', done));
    this.send('Browser.close', {}, null).catch(() => {});
    const late = setTimeout(() => this.#process.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(late);
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
