// The action: what is done, what it is on the screen it meets, and how it is read from a line of text.
//
// An action is what the adapter takes: {kind, target, to, text, key, after}. Its *parts* are flat, one word or name each,
// so that two actions can be compared; they are also what the adapter tells of it, as in
// `click disabled button "Undo" after click button "Stop"`.

const LAST = { Enter: '\n', Tab: '\t' };
const OUTSIDE_QUOTES = '(?=(?:[^"]*"[^"]*")*[^"]*$)';

// How an action stands to the screen: what it is, and what is in its way.
export function partsOf(action, screen) {
  const { kind, target, to, text = '', key } = action;
  const last = Object.keys(LAST).find((name) => text.endsWith(LAST[name]));
  const parts = { kind, key, text: text.trim() || undefined, last };
  const element = target && screen.find(target);
  const dialog = screen.dialogs.find(({ elements }) => target && !elements.includes(target.name));
  if (dialog) return { ...parts, behind: dialog.name };
  if (target) Object.assign(parts, { role: target.role, name: target.name, state: stateOf(element) });
  const inside = kind === 'key' && screen.dialogs[0];
  if (inside) Object.assign(parts, { inRole: 'dialog', in: inside.name });
  if (element?.within) Object.assign(parts, { inRole: element.within.role, in: element.within.name });
  if (to) Object.assign(parts, { toRole: to.role, to: to.name });
  return parts;
}

function stateOf(element) {
  if (!element) return 'missing';
  if (element.enabled === false) return 'disabled';
  return element.visible === false ? 'off-screen' : undefined;
}

// What keeps an action from working, if anything does.
export const situation = ({ behind, state }) => (behind ? 'behind dialog' : state);

// The action that parts make.
export function fromParts({ kind, key, text, last, role, name, inRole, in: layer, toRole, to, after }) {
  const action = { kind };
  if (key) action.key = key;
  if (text || last) action.text = (text ?? '') + (LAST[last] ?? '');
  if (role) action.target = { role, name };
  if (layer) action.layer = { role: inRole, name: layer };
  if (toRole) action.to = { role: toRole, name: to };
  if (after) action.after = after.split(new RegExp(`, ${OUTSIDE_QUOTES}`)).map((line) => fromParts(read(line) ?? { kind: line }));
  return action;
}

const PLACE = '(?:behind dialog "(?<behind>[^"]*)"|(?:(?<state>missing|disabled|off-screen) )?(?<role>[a-z]+) "(?<name>[^"]*)"(?: in (?<inRole>[a-z]+) "(?<in>[^"]*)")?)';
const LINES = [
  `(?<kind>click|scroll) ${PLACE}`,
  `(?<kind>type) "(?<text>[^"]*)" (?:into )?${PLACE}(?: and press (?<last>Enter|Tab))?`,
  `(?<kind>drag) ${PLACE} to (?:"(?<text>[^"]*)"|(?<toRole>[a-z]+) "(?<to>[^"]*)")`,
  '(?<kind>scroll)',
  `press (?<key>\\S+)(?: in (?<inRole>dialog) "(?<in>[^"]*)")?`,
].map((line) => new RegExp(`^${line}(?: after ${OUTSIDE_QUOTES}(?<after>.+))?$`));

// The parts of an action that is told in a line; undefined for what is no action.
export function read(line) {
  const found = LINES.map((pattern) => pattern.exec(line.trim())).find(Boolean);
  if (!found) return undefined;
  return { ...found.groups, kind: found.groups.kind ?? 'key' };
}
