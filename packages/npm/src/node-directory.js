// A directory that one process uses at a time, and its files: for Node, Deno and Bun.

import {
  closeSync, fdatasyncSync, fstatSync, fsyncSync, ftruncateSync, linkSync, mkdirSync, openSync, readFileSync, readSync,
  rmSync, writeFileSync, writeSync, constants,
} from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

/** A file that is read and written where one says. */
class NodeFile {
  #descriptor;

  constructor(path) {
    this.#descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  size() {
    return fstatSync(this.#descriptor).size;
  }

  read(buffer, at) {
    for (let done = 0; done < buffer.length; ) {
      const count = readSync(this.#descriptor, buffer, done, buffer.length - done, at + done);
      if (count === 0) throw new Error('the file ended while it was read');
      done += count;
    }
  }

  write(buffer, at) {
    for (let done = 0; done < buffer.length; ) {
      done += writeSync(this.#descriptor, buffer, done, buffer.length - done, at + done);
    }
  }

  truncate(size) {
    ftruncateSync(this.#descriptor, size);
  }

  sync() {
    fdatasyncSync(this.#descriptor);
  }

  close() {
    closeSync(this.#descriptor);
  }
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** The directories that this process holds, which its own number in a lock does not tell. */
const held = new Set();

export class NodeDirectory {
  #path;
  #lock;

  constructor(directory) {
    this.#path = resolve(directory);
    mkdirSync(this.#path, { recursive: true });
    this.#lock = join(this.#path, 'lock');
    this.#hold();
  }

  open(name) {
    const file = new NodeFile(join(this.#path, name));
    // A new name is as durable as what is under it. Windows has no such call.
    if (process.platform !== 'win32') {
      const directory = openSync(this.#path, constants.O_RDONLY);
      fsyncSync(directory);
      closeSync(directory);
    }
    return file;
  }

  release() {
    if (!held.delete(this.#path)) return;
    rmSync(this.#lock, { force: true });
  }

  /** Takes the lock, also that of a process which is no more. A lock appears with its content, by a link. */
  #hold() {
    const own = join(this.#path, `lock-${process.pid}`);
    writeFileSync(own, String(process.pid));
    try {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        try {
          linkSync(own, this.#lock);
          held.add(this.#path);
          return;
        } catch (error) {
          if (error.code !== 'EEXIST') throw error;
        }
        const pid = Number(this.#holder());
        const isOther = pid !== process.pid && isAlive(pid);
        if (isOther || held.has(this.#path)) {
          throw { tag: 'busy', val: `${this.#path}: process ${pid} uses this memory; close it there, or use the program \`twiceshy\`` };
        }
        rmSync(this.#lock, { force: true });
      }
      throw { tag: 'busy', val: `${this.#path}: another process opens this memory at this moment` };
    } finally {
      rmSync(own, { force: true });
    }
  }

  #holder() {
    try {
      return readFileSync(this.#lock, 'utf8');
    } catch {
      return '0';
    }
  }
}
