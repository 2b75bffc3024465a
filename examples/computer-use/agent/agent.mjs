// The agent: trial and error by somebody who has used other programs.
//
// It takes what is called most like what it wants, does what one does with such a control, and sees in the feedback only
// whether that failed. If something was in the way, it tries what may clear it; else it tries the next idea. What a
// remembered rule shows comes before its own ideas; what a rule warns of comes last, also where what it shows instead is
// not there. What failed is dropped, whoever thought of it. It knows neither the page nor what a good rule would be, and
// forgets everything after a run.

import { fromParts, partsOf, situation } from './action.mjs';
import { Rule } from './rule.mjs';

const FIELDS = ['spinbutton', 'textbox', 'slider'];
const SWITCHES = ['checkbox', 'switch'];
const COMMANDS = ['menuitem', 'button'];
const PLACES = ['button', 'group'];

// How people end what they type, and how strong the habit is.
const ENDINGS = { '': 4, '\t': 1.2, '\n': 1.2 };

const NO_DIALOG = { role: 'dialog', property: 'present', is: 'false' };

const click = (target) => ({ kind: 'click', target });
const press = (name) => click({ role: 'button', name });
// What an action is known by. Who had to scroll for it has not done anything else.
const keyOf = ({ after = [], ...action }) => JSON.stringify([...after.filter(({ kind }) => kind !== 'scroll'), action]);
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
const shared = (words, name) => words.filter((word) => wordsOf(name).includes(word)).length / words.length;

export class Agent {
  #targets;
  #chance;
  #rules = [];
  // What failed in this run, what was in the way at least once, and which menus were opened in vain for which target.
  #failed = new Set();
  #hampered = new Set();
  #opened = new Map();
  // What worked: the end of what is typed, the menu with what was looked for.
  #endings;
  #menu;
  // The target whose action brought up a dialog.
  #asked = null;
  #move = null;

  constructor(targets, chance) {
    this.#targets = targets;
    this.#chance = chance;
    this.#endings = chance.ordered(Object.keys(ENDINGS), (ending) => ENDINGS[ending]);
  }

  // Newer hints come first: they answer what has just happened.
  hear(hints) {
    const heard = hints.map(({ lesson }) => Rule.read(lesson['rule-text'])).filter(Boolean);
    this.#rules = [...heard, ...this.#rules.filter((rule) => !heard.some(({ text }) => text === rule.text))];
  }

  // The next action and what it is there for; none if everything is as it should be.
  next(screen) {
    const target = this.#targets.find(({ want }) => !screen.holds(want));
    if (!target) return undefined;
    if (screen.dialogs.length === 0) this.#asked = null;
    if (!this.#opened.has(target)) this.#opened.set(target, new Set());
    this.#move = { ...(this.#asked ? this.#answer(this.#asked, screen) : this.#attempt(target, screen)), target };
    return this.#move;
  }

  // What came of it.
  see({ failed, hints, before, after }) {
    const { action, target, hampered } = this.#move;
    const element = action.target && before.find(action.target);
    const came = after.dialogs.some(({ name }) => !before.dialogs.some((dialog) => dialog.name === name));
    if (came && !failed) this.#asked = target;
    if (opens(element, before)) this.#opened.get(target).add(element.name);
    if (failed && hampered) this.#hampered.add(hampered);
    else if (failed) this.#failed.add(keyOf(action));
    else {
      const ending = Object.keys(ENDINGS).find((end) => end && action.text?.endsWith(end));
      if (ending) this.#endings = [ending];
      if (element?.within?.role === 'menu') {
        this.#menu = element.within.name;
        this.#opened.get(target).clear();
      }
    }
    this.hear(hints);
  }

  #attempt(target, screen) {
    const ideas = this.#ideas(target, screen);
    const open = ideas.filter((idea) => !this.#failed.has(keyOf(idea)));
    // What is in the way can be cleared and what is wrong can be mended, if it is known how: neither is put off.
    const isOpen = (parts) => situation(parts) || this.#shown(parts, screen, target);
    const [idea] = this.#ranked(open, screen, isOpen);
    if (!idea) {
      // Everything failed at least once, so something else was the matter: from the beginning.
      this.#failed.clear();
      return { action: ideas[0] ?? { kind: 'wait' }, now: [] };
    }
    const parts = partsOf(idea, screen);
    const hampered = situation(parts);
    // What is in the way is known once it was met, or if a rule warns of it.
    const known = hampered && (this.#hampered.has(hampered) || this.#warned(parts));
    const way = this.#shown(parts, screen, target) ?? (known ? this.#way(hampered, idea, screen, target) : undefined);
    if (!way) return { action: idea, now: [target.want], hampered };
    // Who opens a menu, or clears a dialog away, is not there yet.
    if (opens(way.target && screen.find(way.target), screen)) return { action: way, now: [] };
    return { action: way, now: hampered === 'behind dialog' ? [NO_DIALOG] : [target.want] };
  }

  #warned(parts) {
    return this.#rules.some((rule) => rule.warns(parts));
  }

  // What a rule shows first, what a rule warns of last; else in the order as it was. Of two rules the newer one decides.
  #ranked(actions, screen, isExempt = () => false) {
    const rank = (parts) => {
      const rule = isExempt(parts) ? undefined : this.#rules.find((one) => one.warns(parts) || one.shows(parts));
      return rule ? Number(rule.warns(parts)) - Number(rule.shows(parts)) : 0;
    };
    const ranks = new Map(actions.map((action) => [action, rank(partsOf(action, screen))]));
    return [...actions].sort((one, other) => ranks.get(one) - ranks.get(other));
  }

  // What the rules make of an action, if that can be done here and has not failed yet.
  #shown(parts, screen, target) {
    const mended = this.#rules.map((rule) => rule.mend(parts)).filter(Boolean);
    const actions = mended.map((one) => this.#here(fromParts(one), screen)).filter(Boolean);
    return actions.find((action) => !this.#failed.has(keyOf(action)) && !this.#opened.get(target).has(action.target?.name));
  }

  // An action with the elements of this screen, by their names or longer ones; undefined if one is not there.
  #here({ layer, ...action }, screen) {
    const named = (place) => {
      const fits = ({ role, name }) => role === place.role && shared(wordsOf(place.name), name) === 1;
      const found = screen.find(place) ?? screen.elements.find(fits);
      return found && { role: found.role, name: found.name };
    };
    if (layer?.role === 'menu' && action.target && !screen.find(action.target)) {
      const opener = named({ role: 'button', name: layer.name });
      return opener && click(opener);
    }
    for (const member of ['target', 'to']) {
      if (!action[member]) continue;
      action[member] = named(action[member]);
      if (!action[member]) return undefined;
    }
    if (action.after) {
      action.after = action.after.map((earlier) => this.#here(earlier, screen));
      if (action.after.includes(undefined)) return undefined;
      return this.#reaching(action, screen);
    }
    return action;
  }

  // An action that scrolls to whatever it needs first and is out of sight, if it does not do so already.
  #reaching(action, screen) {
    const isFar = ({ target }) => target && screen.find(target)?.visible === false;
    const needs = (earlier, at) => isFar(earlier) && action.after[at - 1]?.kind !== 'scroll';
    return { ...action, after: action.after.flatMap((earlier, at) => (needs(earlier, at) ? [{ kind: 'scroll' }, earlier] : [earlier])) };
  }

  // What one would do for a target, the most likely first.
  #ideas({ doing, what, to }, screen) {
    const words = wordsOf(what);
    const like = (roles, least = 0.5) => screen.elements
      .filter(({ role, name }) => roles.includes(role) && shared(words, name) >= least)
      .sort((one, other) => shared(words, other.name) - shared(words, one.name))
      .map(({ role, name }) => ({ role, name }));
    if (doing === 'set') {
      return like(FIELDS).flatMap((target) => (target.role === 'slider'
        ? [{ kind: 'drag', target, text: to }]
        : this.#endings.map((ending) => ({ kind: 'type', target, text: to + ending }))));
    }
    if (doing === 'move') {
      const places = screen.elements.filter(({ role, name }) => PLACES.includes(role) && shared(wordsOf(to), name) === 1);
      return like(PLACES).slice(0, 1).flatMap((target) => places.map(({ role, name }) => ({ kind: 'drag', target, to: { role, name } })));
    }
    if (doing === 'turn on') return like(SWITCHES, 1).map(click);
    // Many a command is somewhere in a menu.
    const guess = { role: 'menuitem', name: what };
    const found = like(COMMANDS);
    return (screen.find(guess) ? found : [...found, guess]).map(click);
  }

  // What may clear what is in the way, the likeliest that has not failed yet.
  #way(hampered, idea, screen, target) {
    return this.#ways(hampered, idea, screen, target).find((way) => !this.#failed.has(keyOf(way)));
  }

  #ways(hampered, idea, screen, target) {
    const buttons = (is) => this.#chance.ordered(screen.elements.filter((element) => element.role === 'button' && is(element)).map(({ name }) => name));
    switch (hampered) {
      case 'behind dialog':
        return this.#answers(screen);
      case 'off-screen':
        return [{ ...idea, after: [{ kind: 'scroll' }] }];
      case 'missing': {
        const menus = buttons((element) => opens(element, screen)).filter((name) => !this.#opened.get(target).has(name));
        return menus.sort((one, other) => (other === this.#menu) - (one === this.#menu)).map(press);
      }
      default:
        return buttons((element) => screen.traits(element).tool).map((name) => this.#reaching({ ...idea, after: [press(name)] }, screen));
    }
  }

  // What can be said to the dialog that is open.
  #answers(screen) {
    const clicks = this.#chance.ordered(screen.dialogs[0].elements).map(press);
    const escape = { kind: 'key', key: 'Escape' };
    return this.#ranked(this.#chance.share('escape') < 0.3 ? [escape, ...clicks] : [...clicks, escape], screen);
  }

  #answer(target, screen) {
    const answers = this.#answers(screen);
    const open = answers.filter((answer) => !this.#failed.has(keyOf(answer)));
    const action = open[0] ?? answers[0];
    return { action: this.#shown(partsOf(action, screen), screen, target) ?? action, now: [target.want] };
  }
}

function opens(element, screen) {
  return element !== undefined && screen.traits(element).opens;
}
