// The screen: what the accessibility tree of a page says, as the adapter for computer use takes it.

import { SIGHT } from './browser.mjs';

const CONTROLS = ['button', 'checkbox', 'switch', 'spinbutton', 'textbox', 'slider', 'menuitem', 'group'];
const LAYERS = ['dialog', 'menu'];
const SHOWN = [...CONTROLS, ...LAYERS, 'status'];

export class Screen {
  // The observation for the adapter.
  elements = [];
  dialogs = [];
  // What only hands and eyes need: the node behind each element, and whether it stands in a toolbar or opens something.
  #nodes = new Map();
  #traits = new Map();
  #browser;
  #tree = new Map();

  static async read(browser) {
    const screen = new Screen();
    screen.#browser = browser;
    const { nodes } = await browser.send('Accessibility.getFullAXTree');
    screen.#tree = new Map(nodes.map((node) => [node.nodeId, node]));
    screen.#take(nodes[0]);
    await Promise.all(screen.elements.map((element) => screen.#look(element)));
    screen.dialogs = screen.elements
      .filter(({ role }) => role === 'dialog')
      .map(({ name }) => ({ name, elements: screen.elements.filter(({ within }) => within?.name === name).map((element) => element.name) }));
    return screen;
  }

  // Takes a node in and what is under it, in the order in which it is read out.
  #take(node) {
    const role = node.role?.value;
    if (!node.ignored && SHOWN.includes(role) && node.name?.value) this.#show(role, node);
    for (const child of node.childIds ?? []) if (this.#tree.has(child)) this.#take(this.#tree.get(child));
  }

  #show(role, node) {
    const has = Object.fromEntries((node.properties ?? []).map(({ name, value }) => [name, value.value]));
    const truth = (value) => (value === undefined ? undefined : value === true || value === 'true');
    const layer = this.#above(node, (above) => LAYERS.includes(above.role?.value));
    const element = {
      role,
      name: node.name.value,
      value: node.value && String(node.value.value),
      text: role === 'status' || role === 'dialog' ? this.#text(node) : undefined,
      checked: truth(has.checked ?? has.pressed),
      enabled: has.disabled ? false : undefined,
      expanded: truth(has.expanded),
      focused: has.focused || undefined,
      within: layer && { role: layer.role.value, name: layer.name.value },
    };
    this.elements.push(element);
    this.#nodes.set(element, node);
    this.#traits.set(element, { opens: Boolean(has.hasPopup), tool: Boolean(this.#above(node, (above) => above.role?.value === 'toolbar')), most: has.valuemax ?? 100 });
  }

  #above(node, is) {
    let above = this.#tree.get(node.parentId);
    while (above && (above.ignored || !is(above))) above = this.#tree.get(above.parentId);
    return above;
  }

  #text(node) {
    const own = node.role?.value === 'StaticText' ? node.name.value : '';
    return own || (node.childIds ?? []).map((id) => this.#tree.get(id)).filter(Boolean).map((child) => this.#text(child)).join('');
  }

  async #look(element) {
    const box = await this.box(element);
    element.visible = box && box.y > 0 && box.y < SIGHT.height ? undefined : false;
  }

  // Where an element is: its middle and its size, from the upper left of what is in sight.
  async box(element) {
    const asked = this.#browser.send('DOM.getContentQuads', { backendNodeId: this.#nodes.get(element).backendDOMNodeId });
    const { quads: [quad] } = await asked.catch(() => ({ quads: [] }));
    if (!quad) return undefined;
    const [left, top, right, , , bottom] = quad;
    return { x: (left + right) / 2, y: (top + bottom) / 2, left, width: right - left };
  }

  // The element at a point, if it is one that has a role.
  async at({ x, y }) {
    const { result } = await this.#browser.send('Runtime.evaluate', { expression: `document.elementFromPoint(${x}, ${y})` });
    if (!result.objectId) return undefined;
    const { node: { backendNodeId } } = await this.#browser.send('DOM.describeNode', { objectId: result.objectId });
    const hit = [...this.#tree.values()].find((node) => node.backendDOMNodeId === backendNodeId);
    const known = new Map([...this.#nodes].map(([element, node]) => [node, element]));
    const above = hit && (known.has(hit) ? hit : this.#above(hit, (node) => known.has(node)));
    const element = above && known.get(above);
    return element && { role: element.role, name: element.name };
  }

  find({ role, name }) {
    return this.elements.find((element) => element.role === role && element.name === name);
  }

  traits(element) {
    return this.#traits.get(element);
  }

  // Whether a condition of a task holds.
  holds({ role, name, property, is = 'true' }) {
    const element = this.find({ role, name });
    return element !== undefined && String(element[property] ?? false) === is;
  }

  observation() {
    return { elements: this.elements, dialogs: this.dialogs };
  }
}
