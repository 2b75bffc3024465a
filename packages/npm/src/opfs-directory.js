// Files of the browser's private file system, which one worker uses at a time.

const NAMES = ['memory-0.log', 'memory-1.log'];

/** A file whose calls return when they are done: there are such in a worker. */
class OpfsFile {
  #handle;

  constructor(handle) {
    this.#handle = handle;
  }

  size() {
    return this.#handle.getSize();
  }

  read(buffer, at) {
    if (this.#handle.read(buffer, { at }) !== buffer.length) throw new Error('the file ended while it was read');
  }

  write(buffer, at) {
    for (let done = 0; done < buffer.length; ) {
      const count = this.#handle.write(buffer.subarray(done), { at: at + done });
      if (count === 0) throw new DOMException('there is no room for the memory', 'QuotaExceededError');
      done += count;
    }
  }

  truncate(size) {
    this.#handle.truncate(size);
  }

  sync() {
    this.#handle.flush();
  }

  /** The handle stays open for the worker's life, because opening one takes a promise. */
  close() {
    this.#handle.flush();
  }
}

export class OpfsDirectory {
  #handles;

  constructor(handles) {
    this.#handles = handles;
  }

  /** The directory of a memory's name. Fails if another tab has it, and has it still after so many milliseconds. */
  static async hold(name, patience) {
    const root = await navigator.storage.getDirectory();
    const directory = await (await root.getDirectoryHandle('twiceshy', { create: true })).getDirectoryHandle(name, { create: true });
    const deadline = Date.now() + patience;
    for (;;) {
      const handles = new Map();
      try {
        for (const one of NAMES) {
          const file = await directory.getFileHandle(one, { create: true });
          handles.set(one, await file.createSyncAccessHandle());
        }
        return new OpfsDirectory(handles);
      } catch (error) {
        handles.forEach((handle) => handle.close());
        if (error.name !== 'NoModificationAllowedError') throw error;
        if (Date.now() > deadline) throw { tag: 'busy', val: `another tab uses the memory \`${name}\`; close it there` };
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  open(name) {
    return new OpfsFile(this.#handles.get(name));
  }

  release() {
    this.#handles.forEach((handle) => handle.close());
  }
}
