// The rule: a lesson's text as its reader takes it.
//
// `WRONG: … → CORRECT: …` says what to change about an action: what the two differ in. `AVOID: …` says what to leave.
// A hole such as <num> or <str> stands for whatever is there. Nothing here knows what any rule is about.

import { read, situation } from './action.mjs';

// What a rule is about where something is in the way: what stands there, or what cannot be used.
const HAMPERED = ['behind', 'name'];
const HOLE = /<(?:num|str|name|path|id|hash|url|date|time)\d*>/g;

export class Rule {
  static read(text) {
    const fix = /^WRONG: (.*) → CORRECT: (.*)$/s.exec(text);
    const [wrong, correct] = fix ? [read(fix[1]), read(fix[2])] : [read(/^AVOID: (.*?"): /s.exec(text)?.[1] ?? '')];
    return wrong && (correct || !fix) ? Object.assign(new Rule(), { text, wrong, correct }) : undefined;
  }

  // What fills the holes of WRONG, if an action is of that form. Where something is in the way, that is what the rule is
  // about, whatever the action was.
  #filled(parts) {
    const hampered = situation(parts);
    if (situation(this.wrong) !== hampered) return undefined;
    return hampered ? filled(pick(this.wrong, HAMPERED), pick(parts, HAMPERED)) : filled(this.wrong, parts);
  }

  // Whether an action is of the form that is WRONG or to AVOID.
  warns(parts) {
    return this.#filled(parts) !== undefined;
  }

  // Whether an action is of the form that is CORRECT, in all of its parts.
  shows(parts) {
    return this.correct !== undefined && filled(this.correct, parts) !== undefined;
  }

  // The parts as the rule would have them; undefined if it has nothing to say of them.
  mend(parts) {
    const holes = this.correct && this.#filled(parts);
    if (!holes) return undefined;
    const fill = (form) => form?.replace(HOLE, (hole) => holes[hole] ?? hole);
    // What cannot be reached at all is not changed in part.
    const mended = this.wrong.behind ? {} : { ...parts };
    for (const part of Object.keys(this.correct)) {
      if (this.wrong.behind || this.correct[part] !== this.wrong[part]) mended[part] = fill(this.correct[part]);
    }
    return mended;
  }
}

const pick = (parts, names) => Object.fromEntries(names.map((name) => [name, parts[name]]).filter(([, part]) => part !== undefined));

// What the holes of a form stand for in an action; undefined if the action is not of that form.
function filled(form, parts) {
  const holes = {};
  for (const part of Object.keys(form)) {
    const [shape, value] = [form[part], parts[part]];
    if (shape === undefined && value === undefined) continue;
    const found = shape !== undefined && value !== undefined && matched(shape, value);
    if (!found) return undefined;
    Object.assign(holes, found);
  }
  return holes;
}

// What the holes of a form stand for in a text; undefined if the text is not of that form.
function matched(form, text) {
  const holes = form.match(HOLE) ?? [];
  const literal = (part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const forms = form.split(HOLE).map(literal);
  const pattern = forms.reduce((whole, part, at) => whole + (/^<num/.test(holes[at - 1]) ? '([\\d.]+)' : '(.+)') + part);
  const found = new RegExp(`^${pattern}$`).exec(text);
  return found ? Object.fromEntries(holes.map((hole, at) => [hole, found[at + 1]])) : undefined;
}
