// The hands: an action as the input events that a person would cause.

import { SIGHT } from './browser.mjs';

const KEYS = { Enter: [13, '\r'], Tab: [9], Escape: [27], a: [65] };

export class Hands {
  #browser;
  #screen;

  constructor(browser, screen) {
    this.#browser = browser;
    this.#screen = screen;
  }

  // Does an action; says what it met, or why it could not be done at all.
  async do(action) {
    const all = [...(action.after ?? []), action];
    for (const [at, earlier] of all.slice(0, -1).entries()) {
      // The wheel is turned for what comes next.
      if (earlier.kind === 'scroll') await this.#scroll(all.slice(at + 1).find(({ target }) => target)?.target);
      else await this.#act(earlier);
      // The world has moved on, and with it every element.
      await this.#browser.settle();
      this.#screen = await this.#screen.constructor.read(this.#browser);
    }
    const done = await this.#act(action);
    await this.#browser.settle();
    return done;
  }

  async #act({ kind, target, to, text, key }) {
    if (kind === 'key') return this.#press(key);
    if (!target) return {};
    const element = this.#screen.find(target);
    if (!element) return { error: `no element matches ${target.role} "${target.name}"` };
    const place = await this.#screen.box(element);
    const met = element.visible === false ? undefined : await this.#screen.at(place);
    if (kind === 'click') await this.#click(place);
    if (kind === 'type') await this.#type(place, text);
    if (kind === 'drag') {
      const most = this.#screen.traits(element).most;
      // A handle stands where its value says; anything else is taken in its middle.
      const along = (value) => ({ x: place.left + (place.width * Number(value)) / most, y: place.y });
      const end = to ? this.#screen.find(to) : undefined;
      if (to && !end) return { error: `no element matches ${to.role} "${to.name}"` };
      await this.#drag(to ? place : along(element.value), to ? await this.#screen.box(end) : along(text));
    }
    return { met };
  }

  async #mouse(type, { x, y }, more = {}) {
    await this.#browser.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', ...more });
  }

  async #click(place) {
    await this.#mouse('mouseMoved', place, { button: 'none' });
    await this.#mouse('mousePressed', place, { clickCount: 1 });
    await this.#mouse('mouseReleased', place, { clickCount: 1 });
  }

  async #drag(from, to) {
    await this.#mouse('mouseMoved', from, { button: 'none' });
    await this.#mouse('mousePressed', from, { clickCount: 1 });
    for (const share of [0.5, 1]) {
      await this.#mouse('mouseMoved', { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }, { buttons: 1 });
    }
    await this.#mouse('mouseReleased', to, { clickCount: 1 });
  }

  // Takes the place of what stood in a field. A line break or a tab is its key.
  async #type(place, text) {
    await this.#click(place);
    await this.#press('a', { modifiers: 2, commands: ['selectAll'] });
    for (const letter of text) {
      const key = { '\n': 'Enter', '\t': 'Tab' }[letter];
      if (key) await this.#press(key);
      else await this.#press(letter, { text: letter });
    }
    return {};
  }

  async #press(key, more = {}) {
    const [code, text] = KEYS[key] ?? [];
    const event = { key, code: key, windowsVirtualKeyCode: code, ...(text && { text }), ...more };
    await this.#browser.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await this.#browser.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event, text: undefined });
    return {};
  }

  // Turns the wheel until the element is in sight.
  async #scroll(target) {
    const element = target && this.#screen.find(target);
    for (let turns = 0; turns < 5; turns += 1) {
      const place = element && (await this.#screen.box(element));
      if (!place || (place.y > 0 && place.y < SIGHT.height)) return;
      const middle = SIGHT.height / 2;
      await this.#browser.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x: 10, y: middle, deltaX: 0, deltaY: Math.round(place.y - middle) });
      await this.#browser.settle();
    }
  }
}
