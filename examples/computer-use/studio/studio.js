// The page: the project in controls with roles and names, as a variant calls them.
//
// What makes it a workstation: a number takes effect on Enter only; patterns and tracks are locked while it plays; menus
// must be opened; a dialog stands there at the start, and others ask before something is lost; a clip is dragged.

const variant = VARIANTS[new URLSearchParams(location.search).get('variant')] ?? VARIANTS.aurora;
const project = new Project();
const clamp = (value, most) => Math.max(0, Math.min(most, value));

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const button = (name, onclick, more = {}) => element('button', { type: 'button', onclick, ...more }, name);

// Every deed ends with the page as the project is now.
const deed = (change) => (event) => {
  change(event);
  render();
};

// ---- Menus, dialogs

let menu = null;

function openMenu(name) {
  menu = menu === name ? null : name;
}

function choose(item) {
  menu = null;
  if (item === 'Save project') project.save();
  if (item === 'Export mixdown') project.saved ? project.export() : ask(variant.unsaved, () => { project.save(); project.export(); });
}

function menus() {
  return Object.entries(variant.menus).map(([name, items]) => {
    const open = menu === name;
    const opener = button(name, deed(() => openMenu(name)), { 'aria-haspopup': 'menu', 'aria-expanded': String(open) });
    const list = open && element('div', { role: 'menu', 'aria-label': name },
      ...items.map((item) => element('div', { role: 'menuitem', tabindex: -1, onclick: deed(() => choose(item)) }, item)));
    return element('div', { class: 'menu' }, opener, ...(list ? [list] : []));
  });
}

let dialog = null;

function ask(labels, confirmed) {
  dialog = { ...labels, confirmed, page: 0 };
}

function shownDialog() {
  if (!dialog) return [];
  const { name, wrong, right, confirmed, page, stays } = dialog;
  const close = () => { dialog = null; };
  // What is wrong at the start only leads further into the dialog; what is wrong later closes it, and nothing happens.
  const others = wrong.map((label) => button(label, deed(stays ? () => { dialog.page += 1; } : close)));
  const accept = button(right, deed(() => { close(); confirmed(); }), { class: 'accept' });
  return [element('div', { class: 'backdrop' }, element('div', { role: 'dialog', 'aria-modal': 'true', 'aria-label': name },
    element('h2', {}, name), element('p', {}, page ? `Page ${page + 1} of many.` : 'There is more to it.'),
    element('div', { class: 'answers' }, ...others, accept)))];
}

// ---- Transport

const keeps = new Set();

function transport() {
  const does = {
    Play: () => { project.playing = true; },
    [variant.stop]: () => { project.playing = false; },
  };
  const one = (name) => {
    const known = does[name];
    const pressed = known ? name === 'Play' && project.playing : keeps.has(name);
    const toggle = () => { keeps.has(name) ? keeps.delete(name) : keeps.add(name); };
    return button(name, deed(known ?? toggle), { 'aria-pressed': String(pressed) });
  };
  return [...variant.transport.map(one), number(variant.tempo, 'tempo'), number(variant.swing, 'swing')];
}

// A number that is taken on Enter; whoever leaves the field without it gets the old one back.
function number(name, member) {
  const input = element('input', { type: 'number', 'aria-label': name });
  input.value = project[member];
  input.addEventListener('keydown', (event) => {
    const value = Number(input.value);
    if (event.key !== 'Enter' || !Number.isFinite(value)) return;
    project.change(() => { project[member] = value; });
    render();
  });
  input.addEventListener('blur', () => { input.value = project[member]; });
  return element('label', { class: 'number' }, element('span', {}, name), input);
}

// ---- Panels

const panels = {
  pattern() {
    const step = (name) => element('button', {
      type: 'button', role: 'checkbox', 'aria-label': name, 'aria-checked': String(project.steps.has(name)), disabled: project.playing,
      onclick: deed(() => project.change(() => { project.steps.has(name) ? project.steps.delete(name) : project.steps.add(name); })),
    });
    const row = (drum) => element('div', { class: 'row' }, element('span', {}, drum),
      ...Array.from({ length: STEPS }, (_, at) => step(`${drum} ${at + 1}`)));
    return panel('Pattern', ...DRUMS.map(row));
  },

  tracks() {
    const lane = (track) => {
      const name = variant.lane.replace('#', track);
      const clip = element('div', { role: 'button', class: 'clip', 'aria-label': 'Intro clip', onpointerdown: carry }, 'Intro');
      const vocals = track === 3 && project.vocals;
      const erase = button('Delete Vocals', deed(() => ask(variant.erase, () => project.change(() => { project.vocals = false; }))), { disabled: project.playing });
      return element('div', { class: 'row track' }, button(`Track ${track}`, () => {}),
        element('div', { role: 'group', 'aria-label': name, 'data-track': track, class: 'lane' },
          ...(project.introOn === track ? [clip] : []), ...(vocals ? [element('span', { class: 'take' }, 'Vocals')] : [])),
        ...(vocals ? [erase] : []));
    };
    return panel('Tracks', lane(1), lane(2), lane(3));
  },

  mixer() {
    return panel('Mixer', element('div', { class: 'faders' }, ...variant.sliders.map(slider)));
  },
};

const panel = (name, ...children) => element('section', { class: 'panel', 'aria-label': name }, element('h2', {}, name), ...children);

const levels = Object.fromEntries(variant.sliders.map((name, at) => [name, 40 + 5 * at]));

function slider(name) {
  const own = name === variant.master;
  const level = own ? project.master : levels[name];
  const set = (value) => (own ? project.change(() => { project.master = value; }) : (levels[name] = value));
  const track = element('div', { role: 'slider', tabindex: 0, 'aria-label': name, 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': level });
  track.append(element('i', { style: `width: ${level}%` }));
  track.addEventListener('pointerdown', () => {
    const { left, width } = track.getBoundingClientRect();
    follow((event) => { track.firstChild.style.width = `${clamp(((event.clientX - left) / width) * 100, 100)}%`; },
      (event) => { set(Math.round(clamp(((event.clientX - left) / width) * 100, 100))); });
  });
  return element('div', { class: 'fader' }, element('span', {}, name), track);
}

// A clip that is carried lands on the lane under the pointer, or where it was.
function carry() {
  follow(() => {}, (event) => {
    const lane = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-track]');
    if (lane) project.change(() => { project.introOn = Number(lane.dataset.track); });
  });
}

function follow(moved, released) {
  const up = (event) => {
    removeEventListener('pointermove', moved);
    released(event);
    render();
  };
  addEventListener('pointermove', moved);
  addEventListener('pointerup', up, { once: true });
}

function rack() {
  return [element('h2', {}, 'Effects'), ...Object.keys(project.effects).map((name) => element('button', {
    type: 'button', role: 'switch', 'aria-label': name, 'aria-checked': String(project.effects[name]),
    onclick: deed(() => project.change(() => { project.effects[name] = !project.effects[name]; })),
  }, name))];
}

function overview() {
  const line = ([name, text]) => element('div', { class: 'readout' }, element('span', { 'aria-hidden': 'true' }, name), element('output', { role: 'status', 'aria-label': name }, text));
  return [element('h2', {}, 'Overview'), ...Object.entries(project.readouts()).map(line)];
}

// ---- All of it

function render() {
  const fill = (id, children) => document.getElementById(id).replaceChildren(...children);
  fill('menus', menus());
  fill('transport', transport());
  fill('panels', variant.panels.map((name) => panels[name]()));
  fill('overview', overview());
  fill('rack', rack());
  fill('layer', shownDialog());
}

document.title = document.getElementById('title').textContent = variant.title;
document.documentElement.style.setProperty('--accent', variant.accent);
const overwrite = document.getElementById('overwrite');
overwrite.textContent = variant.overwrite;
overwrite.addEventListener('click', deed(() => { project.overwritten = true; }));
document.addEventListener('click', (event) => {
  if (!menu || event.target.closest('.menu')) return;
  menu = null;
  render();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !dialog || dialog.escape === false) return;
  dialog = null;
  render();
});
ask({ ...variant.start, stays: true }, () => {});
render();
